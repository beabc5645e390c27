"""Footnotes that name a passage by its id: it is found by its words, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite import checks
from pincite.core.model import Citation, Lines, Outcome, SourceRef, Span
from pincite.engine.run import Request, Run
from pincite.safe.files import Root
from pincite.search import passages
from pincite.search.model import chunk_identity as known_there
from pincite.search.passages.identity import chunk_identity
from pincite.text.evidence import Evidence
from support_fixes import find_fixes

TEXT = "# One\n\nThe first of them.\n\n# Two\n\nThe second of them.\n\n# Two\n\nThe second of them.\n"


def ids(text: str, path: str = "a.md") -> list[tuple[str, int]]:
    """The id of each passage as retrieval gives it, and its first line."""
    reading = passages.read("markdown", text, path)
    seen: list[str] = []
    found = []
    for passage in reading.passages:
        words = reading.text_between(passage.start, passage.end)
        found.append((chunk_identity(path, words, seen.count(words)).hex, passage.first))
        seen.append(words)
    return found


def cite(label: str, line: int, path: str = "a.md") -> Citation:
    raw = f"[^{label}]: {path}:{line}"
    return Citation("footnote", Span(0, len(raw)), raw, SourceRef("file", path), Lines(line, line))


def test_one_id_for_all_who_name_passages() -> None:
    assert known_there is chunk_identity
    assert str(chunk_identity("a.md", "x")) == str(chunk_identity("a.md", "x", 0))
    assert chunk_identity("a.md", "x").version in (8, None)


@pytest.mark.parametrize("digits", [8, 12, 32])
@pytest.mark.parametrize("upper", [False, True])
def test_a_passage_is_recognised_by_its_id(digits: int, upper: bool) -> None:
    evidence = Evidence(SourceRef("file", "a.md"), TEXT.encode())
    for name, line in ids(TEXT):
        label = name[:digits].upper() if upper else name[:digits]
        assert checks.passage_line(cite(label, line), evidence) == line
        assert checks.passage_moved(cite(label, line), evidence) is None
        moved = checks.passage_moved(cite(label, line + 1), evidence)
        assert moved is not None
        assert (moved.check, moved.outcome) == ("lines-moved", Outcome.MOVED)
        assert f"L{line}," in moved.message


def test_another_tools_id_says_nothing() -> None:
    evidence = Evidence(SourceRef("file", "a.md"), TEXT.encode())
    assert checks.passage_line(cite("0" * 8, 3), evidence) is None
    assert checks.passage_moved(cite("0" * 8, 300), evidence) is None


def test_an_id_of_another_file_says_nothing() -> None:
    evidence = Evidence(SourceRef("file", "b.md"), TEXT.encode())
    assert checks.passage_line(cite(ids(TEXT)[0][0][:8], 1, "b.md"), evidence) is None


@pytest.mark.parametrize(("path", "data"), [("a.pdf", b"%PDF"), ("a.unknown", b"x\n"), ("a.md", b"")])
def test_what_has_no_passages_says_nothing(path: str, data: bytes) -> None:
    assert checks.passage_line(cite("0" * 8, 1, path), Evidence(SourceRef("file", path), data)) is None


def test_a_passage_that_moved_is_followed_without_history(make_repository: Callable[..., Any]) -> None:
    """The document is not in git, the text above the passage grew: only the id shows where it went."""
    name, line = ids(TEXT, "docs/a.md")[1]
    repo = make_repository()
    repo.write("docs/a.md", "# Zero\n\nNew words.\n\n" + TEXT)
    repo.write("x.md", f"So it is.[^{name[:8]}]\n\n[^{name[:8]}]: docs/a.md:{line}\n")
    with Root(str(repo.path)) as root:
        (fix,) = find_fixes(root, Run(root, Request(cache=False)).reports())
    assert f"\n[^{name[:8]}]: docs/a.md:{line + 4}\n".encode() in fix.new


def test_a_passage_at_its_place_holds_whatever_stood_there_before(make_repository: Callable[..., Any]) -> None:
    """Its words are what its id says; of another id only history tells that the line was another one."""
    name, line = ids(TEXT, "docs/a.md")[1]
    repo = make_repository()
    other = TEXT.replace("# Two", "# Another heading")
    repo.commit({"docs/a.md": other, "x.md": f"[^{name[:8]}]: docs/a.md:{line}\n[^{'0' * 8}]: docs/a.md:{line}\n"})
    repo.commit({"docs/a.md": TEXT})
    with Root(str(repo.path)) as root:
        run = Run(root, Request(cache=False, every=True))
        (report,) = run.reports()
    assert [verdict.outcome for verdict in report.verdicts] == [Outcome.HOLDS, Outcome.MISSING]
