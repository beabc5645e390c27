"""The fourth stage: which claims do their quotes support? And where claims come from, if not from citations."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Unreadable, UsageError
from ...core.model import Severity
from ...judge.model import CONTRADICTED, LEVELS, NOT_SHOWN, QuotedEvidence, Reason
from .audit_evidence import WordIndex
from .model import GROUND, MADE, VALIDATE, GroundedClaim, RejectedClaim, StageInputError
from .stage_values import CONTROL, HIGHEST_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...judge.model import Assessment, Judge
    from .attestations import Attestations
    from .model import ValidatedCitation
    from .stages import TopicContext

NOT_VALIDATED = "not validated"
ANOTHER, NOWHERE = "another-citation", "no-such-citation"
"""The rules by which a claim no longer rests on the citation it came with."""
READER_REJECTED = "reader-rejected"
"""The rule by which a claim is rejected that a person rejected."""
_NUMBER = re.compile(r"\((\d{1,10})\)")
_NEAREST = 12
"""How many other citations may carry a claim, those that share most words with it."""
_SHARED = 0.3
"""The least score of a rejection that is worth telling for a claim that came with no citation."""
_CLAIMS_BYTES = 4 * 1024 * 1024
_JUDGED_HERE = ("low-confidence", "too-few-grounded", "not-sequential")
"""What a foreign mapping may break: the stage itself says so, claim by claim."""


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
        quote = citations[judged.citation_id - 1].quote if judged is not None else ""
        refused = attestations.rejection(one.claim, quote)
        level = judged.assessment.level if judged is not None and not refused else "low"
        if attested and level == "low":
            level = "medium"
        given = one.confidence if one.confidence in LEVELS else None
        if given is not None and judged is not None and given != judged.assessment.level:
            disagreements.append(_disagreement(one, judged, given, attested))
        if given is not None and LEVELS.index(given) < LEVELS.index(level):
            level = given
        if level == "low" or judged is None:
            rejected.append(_make_rejected_claim(len(rejected) + 1, one, judged, citations, refused))
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
            # What only has little in common with the claim says nothing of it.
            telling = [other for other in first if _nearness(other) >= (False, _SHARED)]
            best[index] = max(telling, key=_nearness, default=None)
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
    at, said = judged.citation_id, judged.assessment
    reasons = said.reasons
    if one.citation_id and at != one.citation_id:
        reasons = (*reasons, Reason(ANOTHER, f"citation {at} carries it, its own ({one.citation_id}) does not"))
    source = at, citations[at - 1].source_url, citations[at - 1].quote
    given = one.confidence, one.section
    return GroundedClaim(number, one.claim, *source, level, *given, said.judge, round(said.score, 4), reasons, attested)


def _make_rejected_claim(
    number: int,
    one: ClaimCandidate,
    judged: _Judged | None,
    citations: Sequence[ValidatedCitation],
    refused: str,
) -> RejectedClaim:
    at = judged.citation_id if judged is not None else one.citation_id
    known = citations[at - 1] if 0 < at <= len(citations) else None
    if judged is not None:
        said = judged.assessment
        verdict, judge, score = CONTRADICTED if said.verdict == CONTRADICTED else NOT_SHOWN, said.judge, said.score
        reasons = said.reasons
        if refused:
            reasons = (*reasons, Reason(READER_REJECTED, refused))
        elif said.level != "low":
            reasons = (*reasons, Reason("given-confidence", f"the input says {one.confidence}, which is not raised"))
    else:
        verdict, judge, score = NOT_VALIDATED, "", 0.0
        why = Reason("not-validated", "it cites nothing")
        if known is not None:
            why = Reason("not-validated", f"citation {at} is not validated: {known.rejection_reason}")
        elif at:
            why = Reason(NOWHERE, f"there is no citation with its number ({at})")
        reasons = (why,)
    source = (at, known.source_url, known.quote) if known is not None else (0, "", "")
    return RejectedClaim(
        number, one.claim, verdict, *source, one.confidence, one.section, judge, round(score, 4), reasons
    )


def read_mapped_claims(work: TopicContext) -> tuple[list[ClaimCandidate] | None, str]:
    """The claims of a foreign mapping, as it was given; None where there is none."""
    key = work.topic.path(GROUND)
    if not work.root.is_file(key):
        return None, VALIDATE
    loaded = work.load_stage(GROUND)
    made = loaded.extra.get(MADE)
    ours = isinstance(made, dict)
    origin = made.get("claims_from") if isinstance(made, dict) else GROUND
    if origin == VALIDATE:
        return None, VALIDATE
    if isinstance(made, dict) and isinstance(origin, str) and origin != GROUND and work.root.is_file(origin):
        # Only a file that this one was really made from: a tree may come from anyone, and name any file in it.
        if work.digest(origin) != made.get("claims"):
            again = f"pincite research ground {work.topic.name} --claims {origin}"
            raise UsageError(f"{origin}: changed since claims were taken from it; run `{again}`")
        return claims_file(work, origin), origin
    broken = [problem for problem in loaded.problems if problem.severity == Severity.ERROR]
    if broken and not all(problem.rule in _JUDGED_HERE for problem in broken):
        raise StageInputError(GROUND, [problem for problem in broken if problem.rule not in _JUDGED_HERE])
    wanted = [
        ClaimCandidate(
            one.claim,
            given_number(one) if ours else one.citation_id,
            one.given_confidence or (None if ours or isinstance(one, RejectedClaim) else one.confidence),
            one.section,
        )
        for one in (*loaded.items, *loaded.rejected)
    ]
    return wanted, GROUND


def claims_file(work: TopicContext, key: str) -> list[ClaimCandidate]:
    """The claims in a file of one's own, by its path from the root; raises Refused or UsageError."""
    from ...text.lines import decode

    try:
        return read_claims(decode(work.root.read(key, _CLAIMS_BYTES)), key)
    except Unreadable as error:
        raise Unreadable(f"{key}: {error}") from None


def read_claims(text: str, name: str) -> list[ClaimCandidate]:
    """Claims from a file of one's own: one a line, or YAML with `claims`; raises UsageError."""
    found = _read_claims(text, name)
    for number, one in enumerate(found, 1):
        if not one.claim.strip() or CONTROL.search(f"{one.claim}{one.section or ''}"):
            raise UsageError(f"{name}: claim {number} is empty or holds a control character; correct it")
        if one.confidence is not None and one.confidence not in LEVELS:
            raise UsageError(f"{name}: claim {number}: its confidence is none of {', '.join(LEVELS)}")
        if one.section is not None and not one.section.strip():
            raise UsageError(f"{name}: claim {number}: its section is empty; leave it out")
        if not 0 <= one.citation_id <= HIGHEST_ID:
            raise UsageError(f"{name}: claim {number}: its citation_id is not between 1 and {HIGHEST_ID:,}")
    return found


def _read_claims(text: str, name: str) -> list[ClaimCandidate]:
    from ...text.yaml import FrontmatterError
    from .attestations import read_yaml

    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not any(line.startswith(("claims:", "{")) for line in lines[:3]):
        return [ClaimCandidate(line.removeprefix("- ")) for line in lines if not line.startswith("#")]
    from msgspec import ValidationError, convert

    try:
        data = read_yaml(text)
        given = data.get("claims") if isinstance(data, dict) else None
        if not isinstance(given, list):
            raise TypeError("`claims` is no list")
        return [ClaimCandidate(one) if isinstance(one, str) else convert(one, ClaimCandidate) for one in given]
    except (FrontmatterError, ValidationError, TypeError) as error:
        raise UsageError(f"{name}: {error}; expected one claim a line, or `claims:` with a list") from None
