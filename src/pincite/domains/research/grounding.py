"""The fourth stage: which claims do their quotes support?"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from ...judge.model import CONTRADICTED, LEVELS, NOT_SHOWN, QuotedEvidence, Reason
from .audit_evidence import WordIndex
from .model import GroundedClaim, RejectedClaim

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...judge.model import Assessment, Judge
    from .attestations import Attestations
    from .model import ValidatedCitation

NOT_VALIDATED = "not validated"
ANOTHER, NOWHERE = "another-citation", "no-such-citation"
"""The rules by which a claim no longer rests on the citation it came with."""
_NUMBER = re.compile(r"\((\d{1,10})\)")
_NEAREST = 12
"""How many other citations may carry a claim, those that share most words with it."""
_SHARED = 0.3
"""The least score of a rejection that is worth telling for a claim that came with no citation."""


class ClaimCandidate(Struct, frozen=True):
    """A claim that wants to be grounded."""

    claim: str
    citation_id: int = 0
    """The citation it came with; 0 where it came with none."""
    confidence: str | None = None
    """What the input says of it."""
    section: str | None = None


class Grounding(Struct, frozen=True):
    """What became of the claims."""

    grounded: tuple[GroundedClaim, ...]
    rejected: tuple[RejectedClaim, ...]
    disagreements: tuple[str, ...] = ()
    """Where the judge and a confidence given in the input differ, both named."""


class _Judged(Struct, frozen=True):
    citation_id: int
    assessment: Assessment


def candidates(citations: Sequence[ValidatedCitation]) -> list[ClaimCandidate]:
    """The claims that citations carry, each with its own citation."""
    return [
        ClaimCandidate(citation.claim, at, citation.confidence, citation.section)
        for at, citation in enumerate(citations, 1)
    ]


def ground(
    wanted: Sequence[ClaimCandidate],
    citations: Sequence[ValidatedCitation],
    judge: Judge,
    attestations: Attestations,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Grounding:
    """Judge every claim against its own citation, then against the others that may carry it."""
    best = _judge_others(wanted, _judge_own(wanted, citations, judge), citations, judge)
    grounded: list[GroundedClaim] = []
    rejected: list[RejectedClaim] = []
    disagreements: list[str] = []
    for done, (one, judged) in enumerate(zip(wanted, best, strict=True), 1):
        attested = _find_attestation(one, judged, citations, attestations)
        level = judged.assessment.level if judged is not None else "low"
        if attested and level == "low":
            level = "medium"
        given = one.confidence if one.confidence in LEVELS else None
        if given is not None and judged is not None and given != judged.assessment.level:
            disagreements.append(_disagreement(one, judged, given, attested))
        if given is not None and LEVELS.index(given) < LEVELS.index(level):
            level = given
        if level == "low" or judged is None:
            rejected.append(_make_rejected_claim(len(rejected) + 1, one, judged, citations))
        else:
            grounded.append(_make_grounded_claim(len(grounded) + 1, one, judged, level, citations, attested))
        progress(done, len(wanted))
    return Grounding(tuple(grounded), tuple(rejected), tuple(disagreements))


def given_number(claim: GroundedClaim | RejectedClaim) -> int:
    """The citation that a judged claim came with, where it now rests on another or on none."""
    for reason in claim.reasons:
        if reason.rule in (ANOTHER, NOWHERE) and (found := _NUMBER.search(reason.text)) is not None:
            return int(found[1])
    return claim.citation_id


def make_evidence(citation: ValidatedCitation) -> QuotedEvidence:
    """The evidence that a citation is to a judge."""
    return QuotedEvidence(citation.quote, citation.page_title, citation.evidence.before, citation.evidence.after)


def _judge_own(
    wanted: Sequence[ClaimCandidate], citations: Sequence[ValidatedCitation], judge: Judge
) -> list[_Judged | None]:
    """What the judge says of each claim and its own citation, where that is validated; all are asked at once."""
    asked = [
        at
        for at, one in enumerate(wanted)
        if 0 < one.citation_id <= len(citations) and citations[one.citation_id - 1].validated
    ]
    pairs = [(wanted[at].claim, make_evidence(citations[wanted[at].citation_id - 1])) for at in asked]
    found: list[_Judged | None] = [None] * len(wanted)
    for at, assessment in zip(asked, judge.assess_all(pairs), strict=True):
        found[at] = _Judged(wanted[at].citation_id, assessment)
    return found


def _judge_others(
    wanted: Sequence[ClaimCandidate],
    own: Sequence[_Judged | None],
    citations: Sequence[ValidatedCitation],
    judge: Judge,
) -> list[_Judged | None]:
    """What carries each claim best: its own citation, unless another one does better; all are asked at once."""
    from ...judge.offline import Offline

    valid = [at for at, citation in enumerate(citations, 1) if citation.validated]
    words = WordIndex(citations[at - 1].quote for at in valid)
    # Asking a model about every pair would be dear; where the words already speak against it, nothing is asked.
    offline = Offline()
    best = list(own)
    asked: list[tuple[int, int]] = []
    for index, (one, judged) in enumerate(zip(wanted, own, strict=True)):
        if judged is not None and judged.assessment.level == "high":
            continue
        near = [valid[row] for row in words.nearest(one.claim, _NEAREST) if valid[row] != one.citation_id]
        first = [_Judged(at, offline.assess(one.claim, make_evidence(citations[at - 1]))) for at in near]
        hopeful = [(index, other.citation_id) for other in first if other.assessment.level != LEVELS[0]]
        asked += hopeful
        if not hopeful and judged is None and not one.citation_id:
            # A claim without a citation gets the nearest one, even one that denies it.
            best[index] = max(filter(_is_telling, first), key=_nearness, default=None)
    answers = judge.assess_all([(wanted[index].claim, make_evidence(citations[at - 1])) for index, at in asked])
    for (index, at), assessment in zip(asked, answers, strict=True):
        best[index] = _choose_better(best[index], _Judged(at, assessment), own[index])
    return best


def _choose_better(known: _Judged | None, other: _Judged, own: _Judged | None) -> _Judged | None:
    """The one of two that carries a claim better; what its own source denies needs another that says it outright."""
    if own is not None and own.assessment.verdict == CONTRADICTED and other.assessment.level != "high":
        return known
    if known is None or LEVELS.index(other.assessment.level) > LEVELS.index(known.assessment.level):
        return other
    return known


def _is_telling(judged: _Judged) -> bool:
    """Whether a rejection says something of the claim, rather than that the two have little in common."""
    return judged.assessment.verdict == CONTRADICTED or judged.assessment.score >= _SHARED


def _nearness(judged: _Judged) -> tuple[bool, float]:
    return judged.assessment.verdict == CONTRADICTED, judged.assessment.score


def make_claim_handle(claim: str, quote: str) -> str:
    """A short name of a claim and its quote, which stays when the numbers of rejected claims move up."""
    return sha256(f"{claim}\0{quote}".encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _find_attestation(
    one: ClaimCandidate, judged: _Judged | None, citations: Sequence[ValidatedCitation], attestations: Attestations
) -> str:
    # What is stated needs no attestation, and no attestation counts against a source that denies the claim.
    if judged is None or (judged.assessment.verdict != NOT_SHOWN and judged.assessment.level != "medium"):
        return ""
    return attestations.claim(one.claim, citations[judged.citation_id - 1].quote)


def _disagreement(one: ClaimCandidate, judged: _Judged, given: str, attested: str) -> str:
    said = judged.assessment
    kept = "; attested" if attested else ""
    why = said.reasons[-1].text if said.reasons else said.verdict
    return f"“{one.claim}”: the input says {given}, the judge {said.judge} {said.level} ({said.verdict}: {why}){kept}"


def _make_grounded_claim(
    number: int,
    one: ClaimCandidate,
    judged: _Judged,
    level: str,
    citations: Sequence[ValidatedCitation],
    attested: str,
) -> GroundedClaim:
    citation = citations[judged.citation_id - 1]
    reasons = judged.assessment.reasons
    if one.citation_id and judged.citation_id != one.citation_id:
        moved = f"citation {judged.citation_id} carries it, its own ({one.citation_id}) does not"
        reasons = (*reasons, Reason(ANOTHER, moved))
    return GroundedClaim(
        number,
        one.claim,
        judged.citation_id,
        citation.source_url,
        citation.quote,
        level,
        one.confidence,
        one.section,
        judged.assessment.judge,
        round(judged.assessment.score, 4),
        reasons,
        attested,
    )


def _make_rejected_claim(
    number: int, one: ClaimCandidate, judged: _Judged | None, citations: Sequence[ValidatedCitation]
) -> RejectedClaim:
    if judged is None:
        known = citations[one.citation_id - 1] if 0 < one.citation_id <= len(citations) else None
        if known is not None:
            why = Reason("not-validated", f"citation {one.citation_id} is not validated: {known.rejection_reason}")
        elif one.citation_id:
            why = Reason(NOWHERE, f"there is no citation with its number ({one.citation_id})")
        else:
            why = Reason("not-validated", "it cites nothing")
        return RejectedClaim(
            number,
            one.claim,
            NOT_VALIDATED,
            one.citation_id if known else 0,
            known.source_url if known else "",
            known.quote if known else "",
            one.confidence,
            one.section,
            reasons=(why,),
        )
    citation, said = citations[judged.citation_id - 1], judged.assessment
    verdict = CONTRADICTED if said.verdict == CONTRADICTED else NOT_SHOWN
    reasons = said.reasons
    if said.level != "low":
        reasons = (*reasons, Reason("given-confidence", f"the input says {one.confidence}, which is not raised"))
    return RejectedClaim(
        number,
        one.claim,
        verdict,
        judged.citation_id,
        citation.source_url,
        citation.quote,
        one.confidence,
        one.section,
        said.judge,
        round(said.score, 4),
        reasons,
    )
