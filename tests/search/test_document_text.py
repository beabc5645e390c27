"""Documents taken in, whatever their format."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.core.errors import Unreadable
from pincite.core.limits import LIMITS
from pincite.search.document_text import take_in


@pytest.mark.parametrize(
    ("path", "data", "words"),
    [
        ("a.md", b"# T\n\nx\n", "# T\n\nx"),
        ("a.rst", b"T\n=\n\nx\n", "T\n=\n\nx"),
        ("a.txt", b"x\n", "x"),
        ("NOTES", b"x\n", "x"),
        ("a.py", b"x = 1\n", "x = 1"),
        ("a.html", b"<p>x &lt; y</p>", "x < y"),
        ("a.md", b"\xef\xbb\xbfx\n", "x"),
    ],
)
def test_kinds(path: str, data: bytes, words: str) -> None:
    reading = take_in(path, data, LIMITS)
    (passage,) = reading.passages
    assert reading.text_between(passage.start, passage.end).strip("\n") == words


def test_a_pdf(make_pdf: Callable[..., bytes]) -> None:
    reading = take_in("a.pdf", make_pdf(["one", "two"], title="T"), LIMITS)
    assert ([passage.page for passage in reading.passages], reading.title) == ([1, 2], "T")


@pytest.mark.parametrize(
    ("path", "data"), [("a.md", b"\xff"), ("a.pdf", b"no pdf"), ("a.pdf", b""), ("a.html", b"\xff")]
)
def test_what_cannot_be_read(path: str, data: bytes) -> None:
    with pytest.raises(Unreadable):
        take_in(path, data, LIMITS)


def test_a_pdf_with_a_password(make_pdf: Callable[..., bytes]) -> None:
    with pytest.raises(Unreadable, match="encrypted"):
        take_in("a.pdf", make_pdf(["one"], encrypted=True), LIMITS)


def test_a_title_that_a_program_made_up_is_none(make_pdf: Callable[..., bytes]) -> None:
    assert take_in("a.pdf", make_pdf(["one"], title="Untitled"), LIMITS).title == ""
