"""What became of cited text since it was locked: told from the lines that were kept, without history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import repair, verify
from .evidence import Evidence
from .follow_lines import PAST_END, Sighting, Standing, drifted
from .repair.model import Passage
from .text import join

if TYPE_CHECKING:
    from .document import Document
    from .model import Citation, Finding, Obstacle
    from .store.lock_entry import Locked


def hold_against(document: Document, row: tuple[Citation, Evidence | Obstacle, list[Finding]], locked: Locked) -> None:
    """Compare a citation with what was locked; what became of it replaces what is said of its lines."""
    citation, evidence, findings = row
    if not isinstance(evidence, Evidence) or citation.lines is None or locked.is_same(evidence.block(citation.lines)):
        return
    text = locked.text_in(evidence.lines)
    finding: Finding | None = verify.finding("lines-edited", "Edited since it was locked")
    if text:
        then = [*[""] * (locked.lines.first - 1 - len(locked.before)), *locked.before, *text, *locked.after]
        passage = Passage(locked.lines, text, locked.before, locked.after, citation.source.key)
        standing = _by_its_words(passage, evidence)
        seen = Sighting(then, "since it was locked", standing)
        finding = drifted(document, citation, evidence, join("", evidence.source.key), seen, findings)
    if finding is not None:
        findings[:] = [found for found in findings if found.check not in PAST_END and found.check != "blank-range"]
        findings.append(finding)


def _by_its_words(passage: Passage, evidence: Evidence) -> Standing | None:
    """Where a passage stands in a file, told without history."""
    answer = repair.find_passage(passage, evidence.lines)
    if answer.lines is None:
        return None
    text = evidence.lines[answer.lines.first - 1 : answer.lines.last]
    return Standing(join("", evidence.source.key), answer.lines, text)
