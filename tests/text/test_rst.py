"""What is literal in reStructuredText."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.text.document import Document
from pincite.text.rst import find_literals


def literals(text: str) -> list[tuple[str, bool]]:
    return [(text[one.inner.start : one.inner.end], one.fenced) for one in find_literals(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A ``b c`` d.", [("b c", False)]),
        ("A ``b\nc`` d.", [("b\nc", False)]),
        ("A ``b\n\nc`` d ``e``.", [("e", False)]),
        ("A `` b`` c.", []),
        ("A\\``b`` c.", []),
        ("```b <c>`_``", [("`b <c>`_", False)]),
        ("So::\n\n  a\n\n  b\nc", [("  a", True), ("  b", True)]),
        ("So::\n\n> a\n> b\n\nc", [("> a\n> b", True)]),
        ("So::\n\nno block", []),
        ("* So::\n\n  text of the item\n", []),
        (".. code:: python\n\n   a\n\nb", [(".. code:: python", True), ("   a", True)]),
        (".. note::\n\n   a\n", []),
        (".. a comment\n", []),
        (">>> a\nb\n\nc", [(">>> a\nb", True)]),
        ("Title\n:::::\n\n  quoted\n", []),
        ("", []),
    ],
)
def test_literals_are_found(text: str, expected: list[tuple[str, bool]]) -> None:
    assert literals(text) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_prose_is_blank_where_text_is_literal(end: str) -> None:
    text = "A ``b``.\n\nSo::\n\n  c.py:3\n\nd".replace("\n", end)
    document = Document("x.rst", text)
    assert len(document.prose) == len(text)
    assert [word for word in ("b", "c.py", "d") if word in document.prose] == ["d"]
    code = document.code_at(text.index("c.py"))
    assert code is not None and code.fenced
    assert document.code_at(text.index("d")) is None
    assert Document("x.rst", text, reads_code=True).prose == text


@pytest.mark.parametrize("piece", ["``a ", "``a\n\n", "a``", ">>> ", "a::\n\n  b\n", "`", ".. code::\n", "::"])
def test_hostile_text_takes_time_in_proportion(piece: str, in_proportion: Callable[..., bool]) -> None:
    assert in_proportion(find_literals, piece * 4000, piece * 16000, 4)
