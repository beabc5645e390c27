"""Which places of a document are running text."""

from __future__ import annotations

import pytest

from pincite.text.document import Document
from pincite.text.prose import ProseSpans

RST = (
    "Running text here.\n\n.. code-block:: python\n\n   in a directive\n\nA paragraph that shows::\n\n"
    "   in a block\n\nText again.\n\n>>> in_a_doctest\n\n.. in a comment\n   and its second line\n\n"
    ".. note::\n\n   said in a note\n"
)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_literal_blocks_of_restructuredtext_are_no_running_text(end: str) -> None:
    text = RST.replace("\n", end)
    spans = ProseSpans(Document("a.rst", text))
    said = [words for words in ("Running", "shows", "again", "in a note") if _holds(spans, text, words)]
    shown = [
        words
        for words in ("in a directive", "in a block", "in_a_doctest", "its second line")
        if _holds(spans, text, words)
    ]
    assert said == ["Running", "shows", "again", "in a note"]
    assert shown == []


def _holds(spans: ProseSpans, text: str, words: str) -> bool:
    start = text.index(words)
    return spans.holds(start, start + len(words))
