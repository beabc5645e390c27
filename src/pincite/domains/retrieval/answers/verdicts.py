"""What was found about a citation, as a verdict with its message, difference and remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ....core.limits import LIMITS
from ....core.model import EvidenceStamp, Outcome, Span
from ....quotes.lookup import LONGEST, describe, mark_changes
from ....quotes.word_changes import show_marked_change
from ....text.lines import shorten
from .model import AnswerCitation, CitationCheck, DocumentPlace

if TYPE_CHECKING:
    from .compare import ComparisonResult
    from .library import CandidateDocuments

_QUOTE_IT = "quote the passage as it stands, or take the citation out"
_SAY_IT = "say what the source says, or take the citation out"
_DROP = "take the citation out, or add the document that holds these words to --docs"
_UNREADABLE = "save it in a form that can be read"
_SHOWN = 300


class Doubt(Struct, frozen=True):
    """What stands between an answer and its source."""

    is_conflict: bool
    """Whether the source says otherwise; else it only does not say it."""
    text: str
    said: str
    """The words of the answer."""
    there: str
    """The words of the source."""


def make_verdict(
    citation: AnswerCitation, found: ComparisonResult, meant: CandidateDocuments, stray: bool = False
) -> CitationCheck:
    """What comparing showed; `stray` where the words were found in another document than the cited one."""
    document, look = found.document, found.look
    notes = list_notes(meant.note, found.note)
    seen = EvidenceStamp(
        document.path, document.digest, document.retrieved, look.folded if look is not None else found.folded
    )
    if found.kind == "unread":
        message = f"Not compared: {document.path}: {found.note}"
        return make_unchecked(citation, message, _UNREADABLE, notes=list_notes(meant.note))
    if found.kind not in ("held", "moved"):
        return _make_difference(citation, found, notes, seen)
    held = CitationCheck(
        citation=citation,
        outcome=Outcome.HOLDS,
        message=f"The cited text stands in {name_place(found)}",
        where=found.spot,
        place_held=found.place_held,
        notes=notes,
        seen=seen,
    )
    if found.kind == "held" and not stray:
        return held
    said = citation.place.text if citation.place is not None and not stray else citation.document.text
    said = meant.documents[0].path if stray and meant.sure else said
    spot = found.spot
    counted = f" (characters {spot.start}-{spot.end})" if spot is not None and spot.start is not None else ""
    return replace(
        held,
        outcome=Outcome.MOVED,
        message=f"The cited text stands elsewhere: in {name_place(found)}, not in {shorten(said, 200)}",
        place_held=None if stray else False,
        remedy=f"cite {name_place(found)}{counted}",
    )


def _make_difference(
    citation: AnswerCitation, found: ComparisonResult, notes: tuple[str, ...], seen: EvidenceStamp
) -> CitationCheck:
    """Words that do not stand there: with what comes nearest, if anything does."""
    look = found.look
    if found.kind == "absent" or (look is None and not found.there):
        message = "The cited text stands in none of the documents"
        return CitationCheck(citation=citation, outcome=Outcome.MISSING, message=message, notes=notes, remedy=_DROP)
    passage = look.passages[0].text if look is not None and look.passages else found.there
    said = citation.quote or citation.carried
    if look is not None and look.edits:
        rows = mark_changes(said[:LONGEST], passage, look.edits)
        diff, changes = show_marked_change(*rows, LIMITS.shown_chars), describe(look.edits[:5])
    else:
        diff, changes = (shorten(" ".join(said.split()), _SHOWN), shorten(passage, _SHOWN)), ""
    return CitationCheck(
        citation=citation,
        outcome=Outcome.MISMATCH,
        message=f"The cited text differs from {name_place(found)}",
        nearest=found.spot,
        diff=diff,
        changes=changes,
        notes=notes,
        remedy=_QUOTE_IT,
        seen=seen,
    )


def make_doubtful(checked: CitationCheck, doubt: Doubt, place: str) -> CitationCheck:
    """A citation whose words are there, or have something near, and whose sentence says something else."""
    said, there = (shorten(" ".join(text.split()), _SHOWN) for text in (doubt.said, doubt.there))
    if doubt.is_conflict:
        return replace(
            checked,
            outcome=Outcome.MISMATCH,
            message=f"The answer differs from {place}: {doubt.text}",
            where=None,
            nearest=checked.where or checked.nearest,
            diff=(said, there or "(nothing like it)"),
            changes=doubt.text,
            remedy=_SAY_IT,
        )
    return replace(
        checked,
        outcome=Outcome.UNCHECKED,
        message=f"The cited text stands in {place}, but does not show what the answer says: {doubt.text}",
        remedy="read the passage, or cite the words that say it",
    )


def make_unchecked(
    citation: AnswerCitation,
    message: str,
    remedy: str,
    nearest: DocumentPlace | None = None,
    notes: tuple[str, ...] = (),
    claim: Span | None = None,
) -> CitationCheck:
    """A citation that could not be compared."""
    return CitationCheck(
        citation=citation,
        outcome=Outcome.UNCHECKED,
        message=message,
        claim=claim,
        nearest=nearest,
        notes=notes,
        remedy=remedy,
    )


def list_notes(*said: str) -> tuple[str, ...]:
    """Notes without those that are empty or said before."""
    return tuple(one for one in dict.fromkeys(said) if one)


def name_place(found: ComparisonResult) -> str:
    """Where something was found, as a reader finds it."""
    return found.spot.label if found.spot is not None else found.document.path
