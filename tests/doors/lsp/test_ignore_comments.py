from __future__ import annotations

import pytest

from pincite.doors.lsp.ignore_comments import make_ignore_edit
from pincite.text.document import Document


@pytest.mark.parametrize(
    ("path", "text", "line", "comment"),
    [
        ("a.md", "one\nSee a.py:3\ntwo\n", 2, "<!-- pincite: ignore x-y -->"),
        ("a.py", "# See b.py:3\nx = 1\n", 1, "# pincite: ignore x-y"),
        ("a.rs", "// See b.py:3\n", 1, "// pincite: ignore x-y"),
        ("a.css", "/* See b.py:3 */\n", 1, "/* pincite: ignore x-y */"),
        ("a.sql", "-- See b.py:3\n", 1, "-- pincite: ignore x-y"),
        ("a.tex", "See b.py:3\n", 1, "% pincite: ignore x-y"),
        ("m.md", "---\ncitations:\n  - path: a.py\n    line: 3\n---\nText\n", 3, "# pincite: ignore x-y"),
    ],
)
def test_the_comment_is_written_as_its_file_reads_it(path: str, text: str, line: int, comment: str) -> None:
    edit = make_ignore_edit(Document(path, text), line, "x-y")
    assert edit is not None
    assert edit.replacement == f" {comment}"
    assert text[: edit.span.start].count("\n") == line - 1
    assert text[edit.span.start] == "\n"


def test_nothing_is_offered_where_it_would_not_be_read() -> None:
    assert make_ignore_edit(Document("a.md", "```\na.py:3\n```\n"), 2, "x-y") is None
