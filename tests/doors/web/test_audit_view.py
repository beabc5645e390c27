"""Reports in blocks and pieces: whatever is marked, the text stays whole."""

from __future__ import annotations

import pytest

from pincite.domains.research.audit_evidence import AuditEvidence
from pincite.domains.research.report_audit import audit
from pincite.doors.web.audit_view import describe_audit
from pincite.judge.offline import Offline

TEXTS = [
    "",
    "\n\n",
    "One sentence.",
    "One. Two! Three?\n\nFour.\n",
    "# Title\nwith text below. And more.\n\n- an item.\n- another.\n",
    "| a | b |\n|---|---|\n| c is red. | d |\n\nEnd.",
    "> A quote.\n> It goes on.\n",
    "```\ncode\n\nmore\n```\nText is here.",
    "Text <!-- a comment. --> goes on. ![a caption.](x.png)",
    "\t \nA.\n\u2028B.\n",
    "No newline at the end\n\n\n\n   \nLast",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_stays_whole(text: str) -> None:
    view = describe_audit(text, audit(text, AuditEvidence(), Offline()))
    shown = "\n\n".join("".join(piece.text for piece in part.pieces) for part in view.parts)
    assert shown.split() == text.split()


@pytest.mark.parametrize("text", TEXTS)
def test_every_sentence_is_beside_one_block_and_counted_once(text: str) -> None:
    found = audit(text, AuditEvidence(), Offline())
    view = describe_audit(text, found)
    numbers = [one.number for part in view.parts for one in part.sentences]
    assert numbers == list(range(1, len(found.sentences) + 1))
    assert sum(view.counts.values()) == view.total == len(found.sentences)
    for part in view.parts:
        own = {one.number for one in part.sentences}
        assert {piece.number for piece in part.pieces} - {0} <= own
