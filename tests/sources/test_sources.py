"""Where evidence comes from: files below the root, permalinks into this repository, and what cannot be looked up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.core.model import Citation, Lines, Obstacle, SourceRef, Span
from pincite.safe.files import Root
from pincite.sources import World

CODE = "first = 1\nsecond = 2\nthird = 3\n"
OTHER = "0123456789abcdef0123456789abcdef01234567"


def outcome(path: Path, text: str, **settings: Any) -> list[tuple[str, list[str]]]:
    """What is said about each citation of one document."""
    (path / "doc.md").write_text(text)
    result = pincite.check(
        ["doc.md" if path == Path() else path / "doc.md"], root=path, config=pincite.Config(**settings)
    )
    return [(verdict.outcome.label, [finding.check for finding in verdict.findings]) for verdict in result.verdicts]


def link(revision: str, rest: str, slug: str = "owner/name") -> str:
    return f"See https://github.com/{slug}/blob/{revision}/{rest} there.\n"


def test_a_source_is_read_once_however_often_it_is_cited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(CODE)
    reads: list[str] = []
    read = Root.read
    monkeypatch.setattr(Root, "read", lambda self, key, limit=None: (reads.append(key), read(self, key, limit))[1])
    with Root(str(tmp_path)) as root:
        world = World(root, lambda: None)
        assert world.file("a.py") is world.file("a.py")
        assert isinstance(world.file("none.py"), Obstacle)
        world.file("none.py")
    assert reads == ["a.py", "none.py"]


def test_what_was_looked_for_is_known_and_what_is_outside_is_not_watched(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        world = World(root, lambda: None)
        world.file("none.py")
        world.file("../outside.py")
        world.exists("other.py")
        world.exists("/etc/passwd")
        assert list(world.touched) == ["none.py", "other.py"]


def test_a_file_without_lines_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(b"\xff\x00")
    with Root(str(tmp_path)) as root:
        found = World(root, lambda: None).find(Citation("cite", Span(0, 1), "x", SourceRef("file", "data.bin")))
        lined = World(root, lambda: None).find(
            Citation("cite", Span(0, 1), "x", SourceRef("file", "data.bin"), Lines(1, 1))
        )
    assert not isinstance(found, Obstacle)
    assert isinstance(lined, Obstacle)
    assert lined.kind == "file-unreadable"


def test_a_permalink_is_checked_in_its_commit(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    commit = repo.commit({"src/a.py": CODE})
    repo.git("remote", "add", "origin", "git@github.com:Owner/name.git")
    repo.commit({"src/a.py": "gone\n"})
    assert outcome(repo.path, link(commit, "src/a.py#L2-L3")) == [("holds", [])]
    assert outcome(repo.path, link(commit[:10], "src/a.py#L3")) == [("holds", [])]
    assert outcome(repo.path, link(commit, "src/a.py")) == [("holds", [])]
    assert outcome(repo.path, link(commit, "src/a.py#L4")) == [("missing", ["line-out-of-range"])]
    assert outcome(repo.path, link(commit, "src/b.py#L1")) == [("missing", ["file-not-found"])]
    assert outcome(repo.path, link("main", "src/a.py#L1")) == [("holds", [])]
    assert outcome(repo.path, link("main", "src/a.py#L2")) == [("missing", ["line-out-of-range"])]
    assert outcome(repo.path, link(OTHER, "src/a.py#L1")) == [("unchecked", ["revision-unknown"])]


def test_a_permalink_into_another_repository_is_left_alone(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    commit = repo.commit({"src/a.py": CODE})
    assert outcome(repo.path, link(commit, "src/a.py#L9")) == []
    assert outcome(repo.path, link(commit, "src/a.py#L9"), repository="owner/name") == [
        ("missing", ["line-out-of-range"])
    ]
    assert outcome(repo.path, link(commit, "src/a.py#L9", "other/name"), repository="owner/name") == []


def test_a_permalink_outside_git_is_unchecked(tmp_path: Path) -> None:
    assert outcome(tmp_path, link(OTHER, "src/a.py#L1"), repository="owner/name") == [
        ("unchecked", ["revision-unknown"])
    ]


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("Ran. 【abc123†L1-L7】\n", "command-not-captured"),
        ("Read. 【4:0†source】\n", "opaque-reference"),
        ("See [cite:function](doc.md::main).\n", "symbol-unchecked"),
    ],
)
def test_what_cannot_be_looked_up_is_unchecked_and_does_not_fail(tmp_path: Path, text: str, check: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text(CODE)
    (tmp_path / "doc.md").write_text(text)
    result = pincite.check(root=tmp_path, strict=True)
    assert [(v.outcome.label, v.findings[0].check) for v in result.verdicts] == [("unchecked", check)]
    assert result.ok


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        ("Box.open", [("holds", [])]),
        ("Box::open()", [("holds", [])]),
        ("open", [("ambiguous", ["symbol-ambiguous"])]),
        ("Box.opne", [("missing", ["symbol-not-found"])]),
    ],
)
def test_a_symbol_is_looked_up_in_its_file(tmp_path: Path, cited: str, expected: list[tuple[str, list[str]]]) -> None:
    (tmp_path / "box.py").write_text("class Box:\n    def open(self): ...\nclass Jar:\n    def open(self): ...\n")
    assert outcome(tmp_path, f"See `box.py::{cited}`.\n") == expected


def test_the_definition_is_the_excerpt_and_close_names_are_given(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n\n\n@cached\ndef main():\n    return 1\n")
    (tmp_path / "doc.md").write_text("See a.py::main, `a.py::mian`.\n")
    found, close = pincite.check(root=tmp_path).verdicts
    assert found.excerpt == ("@cached", "def main():", "    return 1")
    assert found.seen is not None and (found.seen.path, len(found.seen.digest)) == ("a.py", 64)
    assert (close.findings[0].message, close.findings[0].detail) == ("No definition of mian in a.py", "close: main")


def test_a_symbol_of_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    assert outcome(tmp_path, "See [cite:function](src/a.py::main).\n") == [("missing", ["file-not-found"])]


def test_git_s_own_files_cannot_be_cited(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"doc.md": "text\n"})
    (repo.path / "link").symlink_to(".git/config")
    (repo.path / "folder").symlink_to(".git")
    missing, blocked = ("missing", ["file-not-found"]), ("blocked", ["path-blocked"])
    for cited, expected in ((".git/config", missing), ("a/../.GIT/config", missing), ("link", blocked)):
        assert outcome(repo.path, f"Said. 【F:{cited}†L1】\n") == [expected], cited
    assert outcome(repo.path, "Said. 【F:folder/config†L1】\n") == [blocked]
    assert outcome(repo.path, "Said. [cite:file](.git/config)\n") == [missing]


def test_a_path_written_the_long_way_has_the_same_history(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/a.py": CODE, "doc.md": "Said. 【F:./src/a.py†L2】 And 【F:src/../src/a.py†L3】\n"})
    verdicts = pincite.check(root=repo.path).verdicts
    assert [verdict.findings for verdict in verdicts] == [(), ()]


def test_a_line_with_many_citations_is_looked_up_once(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.history.authorship import History

    repo = make_repository()
    repo.commit({"src/a.py": CODE, "doc.md": "Said. " + "【F:src/a.py†L2】" * 500 + "\n"})
    asked: list[int] = []
    look = History._witnesses

    def spy(self: History, document: str, lines: list[bytes], *rest: Any) -> list[str]:
        asked.append(len(lines))
        return look(self, document, lines, *rest)

    monkeypatch.setattr(History, "_witnesses", spy)
    assert len(pincite.check(root=repo.path).verdicts) == 500
    assert asked == [1]


def test_a_long_line_that_changed_is_shown_in_part(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/a.py": "x" * 100_000 + "\n", "doc.md": "Said. 【F:src/a.py†L1】\n"})
    repo.commit({"src/a.py": "x" * 99_000 + "y" * 1000 + "\n"})
    (finding,) = pincite.check(root=repo.path).verdicts[0].findings
    assert finding.check == "lines-edited"
    assert len(finding.detail) < 10_000
