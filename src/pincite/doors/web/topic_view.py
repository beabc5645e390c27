"""A topic of research as pages show it: its stages, claims and sources, read with the code of the command line."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import PinciteError, UsageError
from ...domains.research.audit_result import HIGH, needs_reader
from ...domains.research.grounding import make_claim_handle
from ...domains.research.kept_edits import is_untouched
from ...domains.research.model import (
    CHECKS,
    EXTRACT,
    GROUND,
    MADE,
    SEARCH,
    STAGES,
    VALIDATE,
    Aborted,
    GroundedClaim,
    MissingStageFile,
    RejectedClaim,
    ValidatedCitation,
)
from ...domains.research.stage_runner import REPORT, read_stage
from ...domains.research.stages import TopicContext
from ...domains.research.topic import find_topic, topic_named
from ...judge.judges import choose_judge
from ...judge.model import CONTRADICTED, NOT_SHOWN
from .routes import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...domains.research.model import ExtractedCitation
    from .site import Site

_OFFLINE = "offline"
"""The judge of the pages: it needs neither a network nor a model."""
SUPPORTS, CONTRADICTS, UNSHOWN, INVALID, UNJUDGED = (
    "supports",
    "contradicts",
    "not shown",
    "not validated",
    "not judged",
)
_OUTDATED = "What it was made from changed since, or what persons signed: run the stages."
_WORDS = {CONTRADICTED: CONTRADICTS, NOT_SHOWN: UNSHOWN}


class StageRow(Struct, frozen=True):
    """A stage of a topic, and how far it is."""

    stage: str
    file: str
    state: str
    """`ready`, `missing`, `broken` (its file breaks a rule), `edited` since pincite wrote it, or `outdated`, where what
    it was made from changed since."""
    entries: int = 0
    passed: int = 0
    """Of validation the validated citations, of grounding the grounded claims."""
    message: str = ""
    """What is missing or wrong, and what to do."""


class QuotePiece(Struct, frozen=True):
    """A piece of a quote."""

    text: str
    is_marked: bool
    """Whether the judgement rests on these words."""


class JudgementReason(Struct, frozen=True):
    """One step of a judgement."""

    rule: str
    text: str


class ClaimView(Struct, frozen=True):
    """A claim, the quote it rests on, and what was judged."""

    number: str
    """`3`, or `R2` for a rejected claim."""
    handle: str
    """The short name that a person signs it with."""
    claim: str
    verdict: str
    """`supports`, `contradicts`, `not shown`, `not validated` or `not judged`."""
    level: str
    """`high` (stated) or `medium` (strongly implied) where the quote supports it."""
    citation: int
    """The number of its citation; 0 where it has none."""
    url: str
    quote: tuple[QuotePiece, ...]
    reasons: tuple[JudgementReason, ...]
    judge: str
    attested: str
    """Who vouches for it, and when."""
    section: str
    needs_reader: bool
    """Whether a person may attest it."""
    can_reject: bool


class SourceCheck(Struct, frozen=True):
    """A check of a source: true, false, or null where it is unknown."""

    name: str
    value: bool | None
    reason: str


class SourceView(Struct, frozen=True):
    """A page that is cited, and how credible it is."""

    url: str
    title: str
    type: str
    score: int | None
    """From 0 to 10; null before validation."""
    arithmetic: tuple[str, ...]
    """How the score comes about, one line each."""
    checks: tuple[SourceCheck, ...]
    author: str
    published: str
    attested: str
    """Who vouches for the author, and when."""
    retrieved: str
    snapshot: str
    digest: str
    availability: str
    citations: tuple[int, ...]
    """The numbers of the citations that quote it."""
    has_snapshot: bool


@contextmanager
def open_topic_of(
    site: Site, name: str, progress: Callable[[str, int, int], None] = lambda *_: None
) -> Iterator[TopicContext]:
    """A topic ready to be read: nothing is fetched, and the offline judge judges. Raises NotFound."""
    with site.open() as project:
        try:
            topic_named(name)
            topic = find_topic(project.root, name)
        except UsageError as error:
            raise NotFound(site.describe_error(error)) from None
        settings = choose_judge(project.config.research, _OFFLINE)
        yield TopicContext(project.root, topic, settings, offline=True, progress=progress)


def describe_stages(work: TopicContext) -> tuple[StageRow, ...]:
    """The stages in order, the report last."""
    return (*(_describe_stage(work, stage) for stage in STAGES), _describe_report(work))


def _describe_stage(work: TopicContext, stage: str) -> StageRow:
    try:
        key = work.topic.path(stage)
    except UsageError as error:
        return StageRow(stage, "", "broken", message=str(error))
    try:
        loaded = read_stage(work, stage)
    except MissingStageFile as error:
        return StageRow(stage, key, "missing", message=error.remedy)
    except Aborted as error:
        return StageRow(stage, key, "broken", message=f"{error.found}; {error.needed}. {error.remedy}")
    except PinciteError as error:
        return StageRow(stage, key, "broken", message=str(error))
    total = loaded.total + len(loaded.rejected)
    passed = sum(one.validated for one in loaded.items) if stage == VALIDATE else len(loaded.items)
    if stage == GROUND and _is_outdated(work, loaded.extra.get(MADE)):
        return StageRow(stage, key, "outdated", total, passed, _OUTDATED)
    return StageRow(stage, key, "ready", total, passed)


def _is_outdated(work: TopicContext, made: object) -> bool:
    """Whether the validated citations or what persons signed changed since the claims were judged."""
    now = {VALIDATE: work.digest(work.topic.path(VALIDATE)), "attestations": work.digest(work.topic.attestations)}
    return isinstance(made, dict) and any(made.get(name) != digest for name, digest in now.items())


def _describe_report(work: TopicContext) -> StageRow:
    key = work.topic.report
    if not work.root.is_file(key):
        return StageRow(REPORT, key, "missing", message="Run the stages: the last one writes it.")
    try:
        whole = is_untouched(work.root.read(key))
    except PinciteError as error:
        return StageRow(REPORT, key, "broken", message=str(error))
    return StageRow(REPORT, key, "ready" if whole else "edited")


def load_items(work: TopicContext, stage: str) -> Sequence[object]:
    """The entries of a stage's file that can be used; none where it is missing or cannot be read."""
    try:
        return work.load_stage(stage).items if work.topic.has(stage) else ()
    except PinciteError:
        return ()


def list_claims(work: TopicContext) -> list[ClaimView]:
    """The claims as they were judged last; before that, the citations with what they claim."""
    try:
        mapped = work.load_stage(GROUND) if work.topic.has(GROUND) else None
    except PinciteError:
        mapped = None
    if mapped is not None and MADE in mapped.extra:
        return [
            *(_describe_grounded(one) for one in mapped.items if isinstance(one, GroundedClaim)),
            *(_describe_rejected(one) for one in mapped.rejected),
        ]
    return [
        _describe_claim(str(at), one.claim, one.quote, one.source_url, at, section=one.section or "")
        for at, one in enumerate(list_citations(work), 1)
    ]


def list_citations(work: TopicContext) -> Sequence[ValidatedCitation | ExtractedCitation]:
    """The validated citations, or those that were extracted where none were validated yet."""
    found: Sequence[ValidatedCitation | ExtractedCitation] = load_items(work, VALIDATE) or load_items(work, EXTRACT)  # type: ignore[assignment]
    return found


def _describe_grounded(one: GroundedClaim) -> ClaimView:
    return _describe_claim(
        str(one.claim_id),
        one.claim,
        one.citation_quote,
        one.citation_url,
        one.citation_id,
        SUPPORTS,
        one,
        level=one.confidence,
        attested=one.attested,
        section=one.section or "",
        # An implied claim can always be signed, whether or not it counts without.
        needs_reader=needs_reader(one.confidence, one.attested, HIGH),
        can_reject=True,
    )


def _describe_rejected(one: RejectedClaim) -> ClaimView:
    return _describe_claim(
        f"R{one.rejected_id}",
        one.claim,
        one.citation_quote,
        one.citation_url,
        one.citation_id,
        _WORDS.get(one.verdict, INVALID),
        one,
        section=one.section or "",
        needs_reader=one.verdict == NOT_SHOWN and one.given_confidence != "low",
    )


def _describe_claim(
    number: str,
    claim: str,
    quote: str,
    url: str,
    citation: int,
    verdict: str = UNJUDGED,
    judged: GroundedClaim | RejectedClaim | None = None,
    *,
    level: str = "",
    attested: str = "",
    section: str = "",
    needs_reader: bool = False,
    can_reject: bool = False,
) -> ClaimView:
    reasons = judged.reasons if judged is not None else ()
    spans = [span for reason in reasons for span in reason.spans]
    return ClaimView(
        number,
        make_claim_handle(claim, quote),
        claim,
        verdict,
        level,
        citation,
        url,
        tuple(cut_marked(quote, spans)),
        tuple(JudgementReason(one.rule, one.text) for one in reasons),
        judged.judge if judged is not None else "",
        attested,
        section,
        needs_reader,
        can_reject,
    )


def cut_marked(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[QuotePiece]:
    """A text in pieces, those marked that lie in one of the spans; spans that do not fit are cut to the text."""
    marked: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(len(text), end)) for start, end in spans):
        if marked and start <= marked[-1][1]:
            marked[-1] = (marked[-1][0], max(end, marked[-1][1]))
        elif start < end:
            marked.append((start, end))
    at = 0
    for start, end in marked:
        if at < start:
            yield QuotePiece(text[at:start], False)
        yield QuotePiece(text[start:end], True)
        at = end
    if at < len(text):
        yield QuotePiece(text[at:], False)


def list_sources(work: TopicContext, held: Iterable[str]) -> list[SourceView]:
    """The pages that are cited, in the order of their first citation, then those that were only found."""
    known = set(held)
    numbers: dict[str, list[int]] = {}
    first: dict[str, ValidatedCitation | ExtractedCitation] = {}
    for at, one in enumerate(list_citations(work), 1):
        numbers.setdefault(one.source_url, []).append(at)
        first.setdefault(one.source_url, one)
    found = [describe_source(one, tuple(numbers[url]), url in known) for url, one in first.items()]
    for result in load_items(work, SEARCH):
        url, title, kind = (str(getattr(result, name)) for name in ("url", "title", "source_type"))
        if url not in first:
            found.append(SourceView(url, title, kind, None, (), (), "", "", "", "", "", "", "", (), url in known))
    return found


def describe_source(
    one: ValidatedCitation | ExtractedCitation, citations: tuple[int, ...], has_snapshot: bool
) -> SourceView:
    """What is known of the page that a citation quotes."""
    if not isinstance(one, ValidatedCitation):
        empty = ("", "", "", "", "", "", "")
        return SourceView(
            one.source_url, one.page_title, one.source_type, None, (), (), *empty, citations, has_snapshot
        )
    details, seen = one.validation_details, one.evidence
    checks = tuple(SourceCheck(name, getattr(details, name), seen.reasons.get(name, "")) for name in CHECKS)
    return SourceView(
        one.source_url,
        one.page_title,
        one.source_type,
        one.credibility_score,
        seen.credibility,
        checks,
        details.author or "",
        details.publication_date or "",
        seen.attested,
        seen.retrieved,
        seen.snapshot,
        seen.digest,
        seen.availability,
        citations,
        has_snapshot,
    )


def explain_run(work: TopicContext, held: Iterable[str]) -> str:
    """Why the stages cannot be run from a page, and what to type instead; empty where they can."""
    name = work.topic.name
    for stage in (SEARCH, EXTRACT):
        if not work.topic.has(stage):
            return f"{stage} has no file yet; add pages and quotes: `pincite research add URL --topic {name}`"
    known = set(held)
    missing = [one.source_url for one in list_citations(work) if one.source_url not in known]
    if missing:
        pages = len(set(missing))
        return f"{pages} cited pages have no snapshot; `pincite research run {name}` fetches them"
    judge = find_other_judge(work)
    if judge:
        return f"its claims were judged by {judge}; `pincite research run {name} --judge …` asks it again"
    return ""


def find_other_judge(work: TopicContext) -> str:
    """The judge that the claims were judged by where it needs a model; empty where the offline one judged."""
    try:
        made = work.load_stage(GROUND).extra.get(MADE) if work.topic.has(GROUND) else None
    except PinciteError:
        return ""
    judge = str(made.get("judge", "")) if isinstance(made, dict) else ""
    return "" if judge.startswith(_OFFLINE) else judge
