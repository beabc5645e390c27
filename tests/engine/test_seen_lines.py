"""What the author of a citation saw: known only where history knows it."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.core.model import Citation, Lines, Obstacle, SourceRef, Span
from pincite.engine.seen_lines import find_seen_lines
from pincite.project.project import open_project
from pincite.text.document import Document
from pincite.text.evidence import Evidence

RAW = "【F:a.py†L1-L2】"
TEXT = f"It is so. {RAW}\n"
LINES = Lines(1, 2)


def look(path: Any, text: str = TEXT, source: str = "a.py", scheme: str = "file", lines: Lines | None = LINES) -> Any:
    start = text.index(RAW)
    cited = Citation("bracket", Span(start, start + len(RAW)), RAW, SourceRef(scheme, source), lines)
    with open_project(path, option="") as project:
        evidence = Evidence(SourceRef("file", source), b"now\n") if scheme == "file" else Obstacle("file-not-found")
        return find_seen_lines(project, Document("doc.md", text), cited, evidence)


def test_the_lines_of_the_commit_that_wrote_the_citation(repository: Any) -> None:
    first = repository.commit({"a.py": "one\ntwo\nthree\n", "doc.md": TEXT})
    repository.commit({"a.py": "changed\n"})
    seen = look(repository.path)
    assert (seen.commit, seen.path, seen.first, seen.lines) == (first, "a.py", 1, ("one", "two"))


def test_a_line_that_is_not_committed_was_written_against_what_is_there(repository: Any) -> None:
    repository.commit({"a.py": "one\ntwo\n", "doc.md": "Other.\n"})
    repository.write("doc.md", TEXT)
    assert look(repository.path) is None


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00\x80", b"\n" * 0])
def test_what_was_no_text_or_not_there_was_not_seen(data: bytes, repository: Any) -> None:
    repository.commit({"a.py": data, "doc.md": TEXT})
    assert look(repository.path) is None


@pytest.mark.parametrize("given", [{"lines": None}, {"scheme": "chunk"}, {"source": "never.py"}, {"source": "../a.py"}])
def test_other_citations_have_no_past(given: dict[str, Any], repository: Any) -> None:
    repository.commit({"a.py": "one\ntwo\n", "doc.md": TEXT})
    assert look(repository.path, **given) is None


def test_without_git_nothing_is_known(tmp_path: Any) -> None:
    (tmp_path / "pincite.toml").write_text("")
    assert look(tmp_path) is None
