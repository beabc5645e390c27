"""A repository that brings, copies, cuts or replays what pincite keeps gets the answer it would get without."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import msgspec
import pytest

from pincite.core.model import (
    Citation,
    Edit,
    Finding,
    Lines,
    Outcome,
    Report,
    Safety,
    Severity,
    SourceRef,
    Span,
    Verdict,
)
from pincite.safe.files import Root
from pincite.store.cache_folder import root_cache_path

Run = Callable[..., tuple[int, str, str]]
KINDS = ("check", "history", "index.db", "found", "cited")
SETTLED = 0.05


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


@pytest.fixture
def work(make_repository: Callable[..., Any], in_folder: Run) -> Any:
    """A repository with a citation that holds, one that is missing, and a document to search."""
    repository = make_repository("work")
    repository.commit({"src/app.py": "one\ntwo\nthree\n", "a.md": "Holds [x](src/app.py#L2).\n"})
    repository.commit({"b.md": "Missing [y](gone.py#L9).\n", "guide.md": "# Walrus\n\nOil and walrus.\n"})
    sleep(SETTLED)
    return repository


def answers(run: Run, top: Path, *more: str) -> list[tuple[int, str]]:
    """What every command that keeps something says."""
    root = ("--root", str(top))
    run("index", *root)
    return [
        run("check", *root, *more)[:2],
        run("fix", *root, *more)[:2],
        run("search", *root, "walrus")[:2],
        run("cite", *root, "--hit", "1")[:2],
    ]


def every_kind(place: Path) -> dict[str, list[Path]]:
    """The files of a cache by kind; none may be missing, or a test would show nothing."""
    found = {kind: [path for path in place.iterdir() if path.name.startswith(kind)] for kind in KINDS}
    assert all(found.values()), found
    return found


def forge(path: Path) -> None:
    """Make a snapshot depend on nothing and say that all is well."""
    stored = msgspec.msgpack.decode(path.read_bytes())
    lists = [at for at, value in enumerate(stored) if isinstance(value, list)]
    for at in lists:
        stored[at] = []
    path.write_bytes(msgspec.msgpack.encode(stored))


def test_a_snapshot_in_the_tree_says_nothing(work: Any, in_folder: Run) -> None:
    truth = answers(in_folder, work.path)
    (work.path / ".pincite").mkdir()
    for path in every_kind(kept(work.path))["check"]:
        shutil.copy(path, work.path / ".pincite")
        forge(work.path / ".pincite" / path.name)
    shutil.rmtree(kept(work.path))
    assert truth[0][0] == 1
    assert answers(in_folder, work.path) == truth
    assert answers(in_folder, work.path) == truth


@pytest.mark.parametrize("kind", KINDS)
def test_what_lies_in_the_tree_is_neither_read_nor_changed(work: Any, in_folder: Run, kind: str) -> None:
    truth = answers(in_folder, work.path)
    shipped = work.path / ".pincite"
    shipped.mkdir()
    for path in every_kind(kept(work.path))[kind]:
        (shipped / path.name).write_bytes(b"shipped")
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in shipped.iterdir()}
    shutil.rmtree(kept(work.path))
    assert answers(in_folder, work.path) == truth
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in shipped.iterdir()} == before


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", [0, 1, 2])
def test_what_is_cut_off_is_made_anew(work: Any, in_folder: Run, kind: str, part: int) -> None:
    truth = answers(in_folder, work.path)
    for path in every_kind(kept(work.path))[kind]:
        os.truncate(path, path.stat().st_size * part // 3)
    assert answers(in_folder, work.path) == truth


@pytest.mark.parametrize("kind", KINDS)
def test_what_belongs_to_another_clone_is_not_believed(work: Any, in_folder: Run, tmp_path: Path, kind: str) -> None:
    """The clone stands where the other one stood, so that only device and inode tell them apart."""
    answers(in_folder, work.path)
    copied = {path.name: path.read_bytes() for path in every_kind(kept(work.path))[kind]}
    work.path.rename(tmp_path / "aside")
    shutil.copytree(tmp_path / "aside", work.path)
    (work.path / "b.md").write_text("Now it holds [y](src/app.py#L1).\n")
    (work.path / "guide.md").write_text("# Seals\n\nA walrus it is not.\n")
    sleep(SETTLED)
    cold = answers(in_folder, work.path, "--no-cache")
    shutil.rmtree(kept(work.path), ignore_errors=True)
    kept(work.path).mkdir(0o700)
    for name, data in copied.items():
        (kept(work.path) / name).write_bytes(data)
    if kind in ("found", "cited"):
        assert in_folder("cite", "--root", str(work.path), "--hit", "1")[0] == 2
        assert in_folder("cite", "--root", str(work.path), "--recent")[:2] == (0, "")
    assert answers(in_folder, work.path) == cold


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_true_once_is_not_true_again(work: Any, in_folder: Run, kind: str) -> None:
    answers(in_folder, work.path)
    old = {path.name: path.read_bytes() for path in every_kind(kept(work.path))[kind]}
    work.commit({"a.md": "Gone [x](src/app.py#L99).\n", "guide.md": "# Seals\n\nwalrus, no oil\n"})
    sleep(SETTLED)
    answers(in_folder, work.path)
    for name, data in old.items():
        # Written in place: the file is the one that was there, its content is older.
        with open(kept(work.path) / name, "r+b") as stream:
            stream.write(data)
            stream.truncate()
    assert answers(in_folder, work.path) == answers(in_folder, work.path, "--no-cache")


@pytest.mark.parametrize("place", ["the root", "below it", "by a link", "as a home"])
def test_a_cache_folder_inside_the_root_is_not_used(
    work: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str
) -> None:
    truth = in_folder("check", "--root", str(work.path))[:2]
    shipped = kept(work.path)
    inside = work.path / ".cache/pincite"
    shutil.copytree(shipped, inside / "roots" / shipped.name)
    for path in (inside / "roots").glob("*/check-*"):
        forge(path)
    for path in (inside, *inside.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    before = sorted(work.path.rglob("*"))
    if place == "as a home":
        monkeypatch.delenv("PINCITE_CACHE")
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setenv("HOME", str(work.path))
    else:
        (tmp_path / "link").symlink_to(inside)
        named = {"the root": work.path, "below it": inside, "by a link": tmp_path / "link"}[place]
        monkeypatch.setenv("PINCITE_CACHE", str(named))
    assert in_folder("check", "--root", str(work.path))[:2] == truth
    code, out, err = in_folder("index", "--root", str(work.path))
    assert (code, out, "lies inside of what is checked" in err, "PINCITE_CACHE" in err) == (2, "", True, True)
    assert sorted(work.path.rglob("*")) == before


@pytest.mark.parametrize("who", ["others may write", "others may write to a part"])
def test_a_cache_folder_that_others_can_write_is_not_used(
    work: Any, in_folder: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, who: str
) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    truth = in_folder("check", "--root", str(work.path))[:2]
    for path in kept(work.path).glob("check-*"):
        forge(path)
    (tmp_path / "cache" / ("roots" if "part" in who else "")).chmod(0o777)
    assert in_folder("check", "--root", str(work.path))[:2] == truth


def edit_of(document: str, text: str) -> Report:
    """A report that wants a whole file replaced by something else."""
    span = Span(0, len(text))
    citation = Citation("link", span, text, SourceRef("file", "src/app.py"), Lines(1, 1))
    edit = Edit(span, text + "[core]\n\tfsmonitor = evil\n", Safety.SAFE)
    finding = Finding("lines-moved", Outcome.MOVED, Severity.ERROR, "moved", edit=edit)
    return Report(document, (Verdict(citation, 1, 1, (finding,)),))


@pytest.mark.parametrize("command", [("fix", "--write"), ("fix", "--write", "--unsafe"), ("check", "--fix")])
@pytest.mark.parametrize("document", [".git/config", "a.md", "../outside.md"])
def test_an_edit_that_only_a_cache_knows_is_not_written(
    work: Any, in_folder: Run, tmp_path: Path, command: tuple[str, ...], document: str
) -> None:
    """Not even where the user's own cache says so."""
    (tmp_path / "outside.md").write_text("Holds.\n")
    root = ("--root", str(work.path))
    in_folder(*command, *root)
    for path in every_kind_of(kept(work.path), "check"):
        stored = msgspec.msgpack.decode(path.read_bytes())
        report = msgspec.msgpack.encode(edit_of(document, (work.path / document).read_text()))
        lists = [at for at, value in enumerate(stored) if isinstance(value, list)]
        # Watched paths and their marks, then the reports with something to say.
        stored[lists[2]] = [report]
        path.write_bytes(msgspec.msgpack.encode(stored))
    before = (work.path / document).read_bytes()
    in_folder(*command, *root)
    assert (work.path / document).read_bytes() == before


def every_kind_of(place: Path, kind: str) -> list[Path]:
    found = list(place.glob(f"{kind}*"))
    assert found
    return found
