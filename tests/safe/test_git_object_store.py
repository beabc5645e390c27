"""Objects of another repository are no history of this one, whichever way they are brought in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.safe.child import ChildFailed
from pincite.safe.git import Git
from pincite.safe.git_object_store import TRUSTED, find_foreign

SECRET = "a secret of another repository\n"


@pytest.fixture
def victim(make_repository: Callable[..., Any]) -> Any:
    made = make_repository("victim")
    made.commit({"secret.md": SECRET})
    return made


def found(path: Path) -> Git:
    git = Git.find(str(path))
    assert git is not None
    return git


def borrow(thief: Any, victim: Any, way: str) -> None:
    """Make the objects of one repository readable in another."""
    own, other = thief.path / ".git/objects", victim.path / ".git/objects"
    blob = victim.git("rev-parse", "HEAD:secret.md")
    if way == "alternates":
        (own / "info/alternates").write_text(f"{other}\n")
    elif way == "relative":
        (own / "info/alternates").write_text(f"# mine\n\n{os.path.relpath(other, own)}\n")
    elif way == "quoted":
        (own / "info/alternates").write_text('"' + str(other).replace("v", "\\166") + '"\n')
    elif way == "chained":
        (thief.path / "store/info").mkdir(parents=True)
        (thief.path / "store/info/alternates").write_text(f"{other}\n")
        (own / "info/alternates").write_text(f"{thief.path}/store\n")
    elif way == "linked alternates":
        (thief.path / "names").write_text(f"{other}\n")
        (own / "info/alternates").symlink_to(thief.path / "names")
    elif way == "store":
        shutil.rmtree(own)
        own.symlink_to(other)
    elif way == "folder":
        shutil.rmtree(own / blob[:2], ignore_errors=True)
        (own / blob[:2]).symlink_to(other / blob[:2])
    elif way == "object":
        (own / blob[:2]).mkdir(exist_ok=True)
        (own / blob[:2] / blob[2:]).symlink_to(other / blob[:2] / blob[2:])
    elif way == "packs":
        victim.git("repack", "-a", "-d", "-q")
        shutil.rmtree(own / "pack")
        (own / "pack").symlink_to(other / "pack")
    elif way == "pack":
        victim.git("repack", "-a", "-d", "-q")
        for file in (other / "pack").iterdir():
            (own / "pack" / file.name).symlink_to(file)
    elif way == "info":
        (thief.path / "i").mkdir()
        (thief.path / "i/alternates").write_text(f"{other}\n")
        shutil.rmtree(own / "info")
        (own / "info").symlink_to(thief.path / "i")


WAYS = (
    *("alternates", "relative", "quoted", "chained", "linked alternates", "store", "folder", "object", "packs", "pack"),
    "info",
)


@pytest.mark.parametrize("way", WAYS)
def test_borrowed_objects_are_not_read(repository: Any, victim: Any, way: str) -> None:
    repository.commit({"a.md": "x\n"})
    borrow(repository, victim, way)
    blob = victim.git("rev-parse", "HEAD:secret.md")
    # The way is real: git itself reads through it.
    assert repository.git("cat-file", "blob", blob) == SECRET.rstrip("\n")
    git = found(repository.path)
    for ask in (
        lambda: git.objects().blob(blob, 1000),
        lambda: git.tree("HEAD"),
        lambda: git.list_changed_paths("HEAD"),
        lambda: git.resolve_commit("HEAD"),
        lambda: git.blame("HEAD", "a.md", [1]),
        lambda: list(git.stream("log", "-p")),
    ):
        with pytest.raises(ChildFailed, match="history not used"):
            ask()
    assert git.dirty(10) is None
    # What needs no objects goes on.
    assert "a.md" in git.list_documents((".md",))


@pytest.mark.parametrize("way", [way for way in WAYS if way not in ("info", "linked alternates")])
def test_the_user_may_vouch_for_other_objects(
    repository: Any, victim: Any, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a.md": "x\n"})
    borrow(repository, victim, way)
    monkeypatch.setenv(TRUSTED, f"/nowhere{os.pathsep}{victim.path}/.git/objects")
    git = found(repository.path)
    assert git.objects().blob(victim.git("rev-parse", "HEAD:secret.md"), 1000) == SECRET.encode()
    git.close()


def test_a_relative_place_is_not_vouched_for(repository: Any, victim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    borrow(repository, victim, "alternates")
    monkeypatch.chdir(victim.path)
    monkeypatch.setenv(TRUSTED, f".git/objects{os.pathsep}{os.pathsep}")
    assert "history not used" in find_foreign(str(repository.path / ".git"), str(repository.path))


@pytest.mark.parametrize("kind", ["pipe", "folder", "large", "binary", "loop", "unreadable link"])
def test_alternates_that_are_no_small_file(repository: Any, kind: str) -> None:
    repository.commit({"a.md": "x\n"})
    place = repository.path / ".git/objects/info/alternates"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    elif kind == "large":
        place.write_text("#" * 5_000_000)
    elif kind == "binary":
        place.write_bytes(b"/a\0b\n")
    elif kind == "loop":
        place.symlink_to(place)
    else:
        place.symlink_to("nowhere")
    with pytest.raises((ChildFailed, UsageError), match=r"history not used|not a regular file"):
        found(repository.path).tree("HEAD")


def test_addresses_of_another_store_are_refused(repository: Any) -> None:
    (repository.path / ".git/objects/info/http-alternates").write_text("https://example.invalid/x/objects\n")
    assert "http-alternates" in find_foreign(str(repository.path / ".git"), str(repository.path))


def test_stores_that_name_each_other_end(repository: Any) -> None:
    first, second = repository.path / ".git/objects", repository.path / "other"
    (second / "info").mkdir(parents=True)
    (first / "info/alternates").write_text(f"{second}\n")
    (second / "info/alternates").write_text(f"{first}\n")
    assert find_foreign(str(repository.path / ".git"), str(repository.path)) == ""


@pytest.mark.parametrize("kind", ["clone", "packed", "work tree", "submodule", "dissociated", "own store"])
def test_ordinary_repositories_have_a_history(
    make_repository: Callable[..., Any], repository: Any, tmp_path: Path, kind: str
) -> None:
    repository.commit({"a.md": "x\n"})
    place = tmp_path / "other"
    if kind == "clone":
        repository.git("clone", "-q", str(repository.path), str(place))
    elif kind == "packed":
        repository.git("gc", "-q")
        place = repository.path
    elif kind == "work tree":
        repository.git("worktree", "add", "-q", str(place))
    elif kind == "submodule":
        outer = make_repository("outer")
        outer.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(repository.path), "sub")
        place = outer.path / "sub"
    elif kind == "dissociated":
        repository.git(
            "clone", "-q", "--reference", str(repository.path), "--dissociate", str(repository.path), str(place)
        )
    else:
        place = repository.path
        shutil.move(place / ".git/objects", place / "store")
        (place / ".git/objects").symlink_to("../store")
    git = found(place)
    assert git.objects().blob((git.head() or "", "a.md"), 100) == b"x\n"
    git.close()


def test_a_shared_clone_says_what_to_do(repository: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit({"a.md": "x\n"})
    repository.git("clone", "-q", "--shared", str(repository.path), str(tmp_path / "other"))
    with pytest.raises(ChildFailed) as refused:
        found(tmp_path / "other").tree("HEAD")
    setting = str(refused.value).partition("set ")[2].partition(",")[0]
    name, _, value = setting.partition("=")
    monkeypatch.setenv(name, value)
    assert found(tmp_path / "other").tree("HEAD").keys() == {"a.md"}


def test_a_work_tree_is_one_where_git_keeps_them(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    # A checkout that lies right inside a bare repository could otherwise pass for one of its work trees.
    from pincite.core.errors import UsageError

    victim = make_repository("victim", "--bare")
    place = make_repository("victim/checkout").path
    (place / ".git/commondir").write_text("../..\n")
    (place / ".git/gitdir").write_text(f"{place}/.git\n")
    assert victim.path == place.parent
    with pytest.raises(UsageError, match="does not name"):
        Git.find(str(place))
