"""The user's cache folder: private, outside of what is checked, one part for each root, and bounded."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path
from weakref import ref

import pytest

from pincite.core.errors import Refused
from pincite.core.limits import Limits
from pincite.safe.files import OPEN_ROOTS, Root, list_open_roots
from pincite.store.cache_folder import cache_folder, make_room, name_root, open_part, open_root_cache, root_cache_path


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "made/for/cache"))
    return tmp_path / "made/for/cache"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / "top").mkdir()
    return tmp_path / "top"


@pytest.mark.parametrize(
    ("given", "base", "place"),
    [
        ("/some/where", "/xdg", "/some/where"),
        ("", "/xdg", "/xdg/pincite"),
        ("", "", "/home/me/.cache/pincite"),
        ("", "relative", "/home/me/.cache/pincite"),
        ("relative", "/xdg", ""),
    ],
)
def test_where_it_is(monkeypatch: pytest.MonkeyPatch, given: str, base: str, place: str) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name, value in (("PINCITE_CACHE", given), ("XDG_CACHE_HOME", base), ("HOME", "/home/me")):
        monkeypatch.setenv(name, value)
    assert cache_folder() == place


def test_it_is_made_for_this_user_alone(cache: Path, top: Path, tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        with Root(str(top)) as root, open_root_cache(root) as kept:
            assert kept.path == root_cache_path(root)
    finally:
        os.umask(mask)
    for path in (tmp_path / "made", *(tmp_path / "made").rglob("*")):
        assert oct(path.stat().st_mode & 0o777) == "0o700", path


def test_nothing_is_made_by_one_who_only_reads(cache: Path, top: Path, tmp_path: Path) -> None:
    with Root(str(top)) as root, pytest.raises(Refused):
        open_root_cache(root, make=False)
    assert not (tmp_path / "made").exists()


def test_a_root_is_told_by_path_and_folder(tmp_path: Path, top: Path) -> None:
    def name(path: Path) -> str:
        with Root(str(path)) as root:
            return name_root(root)

    first = name(top)
    assert name(top) == first
    top.rename(tmp_path / "aside")
    shutil.copytree(tmp_path / "aside", top)
    assert len({first, name(top), name(tmp_path / "aside")}) == 3


@pytest.mark.parametrize("where", ["", "a", "a/b/c"])
def test_it_is_refused_inside_a_root_and_not_made_there(top: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(top / where))
    with Root(str(top)) as root:
        with pytest.raises(Refused, match="lies inside of what is checked"):
            open_root_cache(root)
        with pytest.raises(Refused, match="lies inside of what is checked"), open_part("pdf", make=True):
            pass
    assert list(top.iterdir()) == []


def test_it_is_refused_where_the_root_is_a_part_of_it(cache: Path) -> None:
    with open_part("roots", make=True):
        pass
    with Root(str(cache / "roots")) as root, pytest.raises(Refused, match="lies inside of what is checked"):
        open_root_cache(root)


def test_a_root_that_is_closed_or_gone_no_longer_counts(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(top / "cache"))
    root = Root(str(top))
    assert root.identity in list_open_roots()
    root.close()
    with open_part("pdf", make=True):
        pass
    root = Root(str(top))
    with pytest.raises(Refused), open_part("pdf", make=True):
        pass
    del root
    with open_part("pdf", make=True):
        pass


def test_a_root_that_another_thread_closes_just_now_is_not_asked_which_folder_it_is(cache: Path, top: Path) -> None:
    closing = Root(str(top))
    closing.close()
    # It was listed before it was closed.
    OPEN_ROOTS[id(closing)] = ref(closing)
    with open_part("pdf", make=True):
        pass
    assert closing.identity in list_open_roots()
    del OPEN_ROOTS[id(closing)]


def test_the_folder_about_a_root_never_counts_as_one_that_is_checked(cache: Path, top: Path) -> None:
    with Root(str(top)) as root, open_root_cache(root) as kept:
        assert id(kept) not in OPEN_ROOTS and kept.identity not in list_open_roots()
        assert list_open_roots() >= {root.identity}


@pytest.mark.parametrize("mode", [0o777, 0o707, 0o770, 0o720, 0o702])
def test_it_is_refused_where_others_can_write(cache: Path, top: Path, mode: int) -> None:
    cache.mkdir(parents=True)
    cache.chmod(mode)
    with Root(str(top)) as root, pytest.raises(Refused, match="others can write"):
        open_root_cache(root)


@pytest.mark.parametrize("part", ["roots", "roots/NAME"])
@pytest.mark.parametrize("what", ["readable", "link", "file"])
def test_a_part_that_is_not_ours_alone_is_refused(cache: Path, top: Path, part: str, what: str) -> None:
    with Root(str(top)) as root:
        place = cache / part.replace("NAME", name_root(root))
        place.parent.mkdir(0o700, parents=True)
        if what == "file":
            place.write_text("x")
        elif what == "link":
            place.symlink_to(top)
        else:
            place.mkdir(0o755)
        with pytest.raises(Refused):
            open_root_cache(root)
    assert list(top.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can give files away")
def test_it_is_refused_where_it_is_somebody_elses(cache: Path, top: Path) -> None:
    cache.mkdir(0o700, parents=True)
    os.chown(cache, 65534, 65534)
    with Root(str(top)) as root, pytest.raises(Refused, match="belongs to another user"):
        open_root_cache(root)


def fill(tmp_path: Path, count: int, size: int) -> list[str]:
    """Caches of several roots, the oldest first."""
    names = []
    for number in range(count):
        (tmp_path / f"root{number}").mkdir()
        with Root(str(tmp_path / f"root{number}")) as root, open_root_cache(root) as kept:
            (Path(kept.path) / "check-1").write_bytes(bytes(size))
            (Path(kept.path) / "history").write_bytes(bytes(size))
            os.utime(kept.path, (number, number))
            names.append(os.path.basename(kept.path))
    return names


@pytest.mark.parametrize(
    ("limits", "left"),
    [
        (Limits(root_caches=3), 3),
        (Limits(root_cache_bytes=8000), 4),
        (Limits(root_caches=1), 1),
        (Limits(root_cache_bytes=1), 1),
        (Limits(), 6),
    ],
)
def test_what_was_not_used_for_long_goes_first(cache: Path, tmp_path: Path, limits: Limits, left: int) -> None:
    names = fill(tmp_path, 6, 1000)
    make_room(names[-1], limits)
    assert sorted(os.listdir(cache / "roots")) == sorted(names[-left:])


def test_the_one_in_use_stays(cache: Path, tmp_path: Path) -> None:
    names = fill(tmp_path, 4, 10)
    held = os.open(cache / "roots" / names[1], os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        make_room(names[0], Limits(root_caches=1))
    finally:
        os.close(held)
    assert sorted(os.listdir(cache / "roots")) == sorted(names[:2])


def test_a_new_root_makes_room(cache: Path, tmp_path: Path, top: Path) -> None:
    names = fill(tmp_path, 3, 10)
    with Root(str(top)) as root, open_root_cache(root, limits=Limits(root_caches=2)):
        assert set(os.listdir(cache / "roots")) == {names[-1], name_root(root)}


def test_what_is_used_again_counts_as_new(cache: Path, tmp_path: Path) -> None:
    names = fill(tmp_path, 3, 10)
    with Root(str(tmp_path / "root0")) as root:
        open_root_cache(root, make=False).close()
    make_room("", Limits(root_caches=1))
    assert os.listdir(cache / "roots") == names[:1]


def test_something_else_in_it_is_left_alone(cache: Path, tmp_path: Path) -> None:
    names = fill(tmp_path, 2, 10)
    (cache / "roots/stray").write_text("x")
    (cache / "roots" / names[0] / "folder").mkdir()
    make_room(names[1], Limits(root_caches=1))
    assert (cache / "roots/stray").exists()
    assert (cache / "roots" / names[0] / "folder").exists()
