"""Between the stages: what one hands to the next stays what it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Severity
from ...judge.model import LEVELS
from ...text.lines import format_count, shorten
from .model import EXTRACT, GROUND, SEARCH, VALIDATE, StageProblem
from .source_kinds import wrong_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .model import ExtractedCitation, GroundedClaim, SearchResult, ValidatedCitation
    from .source_kinds import SourceKinds
    from .stage_file import StageFile

_KEPT = ("claim", "quote", "source_url", "page_title", "accessed_date", "confidence")
"""Fields that validation leaves as they are; the source type has a rule of its own."""
_URLS = {SEARCH: "url", EXTRACT: "source_url", VALIDATE: "source_url", GROUND: "citation_url"}


def join(found: Mapping[str, StageFile]) -> Iterator[StageProblem]:
    """Every difference between the stages that are there; what cannot be compared is warned of."""
    joins = ((SEARCH, EXTRACT, _join_urls), (EXTRACT, VALIDATE, _join_citations), (VALIDATE, GROUND, _join_claims))
    for before, after, compare in joins:
        if after not in found:
            continue
        later, earlier = found[after], found.get(before)
        if earlier is None and before == EXTRACT and SEARCH in found:
            # Without the stage between, the search results still say which pages there are.
            earlier, compare = found[SEARCH], _join_urls
            yield _report_unjoined(later, before, f"there is no {before} beside it")
        elif earlier is None:
            yield _report_unjoined(later, before, f"there is no {before} beside it")
            continue
        if earlier.whole and later.whole:
            yield from compare(earlier, later)
        else:
            broken = later if earlier.whole else earlier
            yield _report_unjoined(later, earlier.stage, f"{broken.key} has entries that cannot be used")
    yield from _join_types(found)


def _report_unjoined(later: StageFile, before: str, why: str) -> StageProblem:
    return StageProblem(
        "not-joined",
        later.key,
        "",
        1,
        f"not compared with {before}: {why}",
        f"put the file of {before} beside it, or correct it",
        Severity.WARNING,
    )


def _problem(
    loaded: StageFile,
    index: int,
    field: str,
    rule: str,
    message: str,
    remedy: str,
    severity: Severity = Severity.ERROR,
) -> StageProblem:
    return StageProblem(
        rule, loaded.key, loaded.path(index, field), loaded.line(index, field), message, remedy, severity
    )


def _join_urls(results: StageFile, later: StageFile) -> Iterator[StageProblem]:
    """Each cited page is one that the search found."""
    pages: tuple[SearchResult, ...] = results.items
    urls = {page.url for page in pages}
    alike = {_normalize_url(page.url): page.url for page in pages}
    citations: tuple[ExtractedCitation | ValidatedCitation, ...] = later.items
    for index, citation in enumerate(citations):
        url = citation.source_url
        if url in urls:
            continue
        near = alike.get(_normalize_url(url))
        remedy = f"write it as it is there: {near}" if near else "cite a page that was found, or add it to the results"
        message = f"{shorten(url, 200)} is no url of {results.key}"
        yield _problem(later, index, "source_url", "url-not-in-results", message, remedy)


def _normalize_url(url: str) -> str:
    """An address without what people leave out or spell otherwise: a hint, no more."""
    head, _, rest = url.partition("#")[0].partition("://")[2].partition("/")
    return f"{head.lower().removeprefix('www.').removesuffix(':443')}/{rest.rstrip('/')}"


def _join_citations(extracted: StageFile, validated: StageFile) -> Iterator[StageProblem]:
    """Each extracted citation is there once, in its own words."""
    before: tuple[ExtractedCitation, ...] = extracted.items
    after: tuple[ValidatedCitation, ...] = validated.items
    left: dict[tuple[str | None, ...], list[int]] = {}
    for index, citation in enumerate(before):
        left.setdefault(_get_kept_fields(citation), []).append(index)
    strange = []
    for index, found in enumerate(after):
        same = left.get(_get_kept_fields(found))
        if same:
            same.pop(0)
        else:
            strange.append(index)
    lost = dict.fromkeys(sorted(index for indices in left.values() for index in indices))
    for index, origin in _pair(before, after, lost, strange):
        found = after[index]
        if origin is None:
            message = f"this citation is not in {extracted.key}"
            yield _problem(
                validated, index, "claim", "citation-added", message, "extract it first, or take it out here"
            )
            continue
        for field in _KEPT:
            old, new = getattr(before[origin], field), getattr(found, field)
            if old != new:
                message = f"{field} was {_quote_value(old)} in {extracted.path(origin, field)}"
                remedy = "write it as it was extracted, or change it there and validate again"
                yield _problem(validated, index, field, "citation-changed", message, remedy)
    for origin in lost:
        message = f"it is not in {validated.key}"
        yield _problem(extracted, origin, "claim", "citation-lost", message, "validate again; a rejected one stays")


def _pair(
    before: tuple[ExtractedCitation, ...],
    after: tuple[ValidatedCitation, ...],
    lost: dict[int, None],
    strange: list[int],
) -> Iterator[tuple[int, int | None]]:
    """For citations without their like, the lost one that each was made from; the best likeness is tried first."""
    pairs: dict[int, int | None] = dict.fromkeys(strange)
    for fields in (("claim", "quote"), ("quote", "source_url"), ("claim", "source_url"), ("claim",), ("quote",)):
        index: dict[tuple[str, ...], list[int]] = {}
        for origin in lost:
            index.setdefault(tuple(getattr(before[origin], field) for field in fields), []).append(origin)
        for at in strange:
            same = index.get(tuple(getattr(after[at], field) for field in fields)) if pairs[at] is None else None
            if same:
                origin = same.pop(0)
                pairs[at] = origin
                del lost[origin]
    yield from pairs.items()


def _get_kept_fields(citation: ExtractedCitation | ValidatedCitation) -> tuple[str | None, ...]:
    return tuple(getattr(citation, field) for field in _KEPT)


def _quote_value(value: str | None) -> str:
    return "not given" if value is None else f"“{shorten(value, 120)}”"


def _join_claims(validated: StageFile, grounded: StageFile) -> Iterator[StageProblem]:
    """Each claim rests on a citation that is there, is validated, and says the same."""
    claims: tuple[GroundedClaim, ...] = grounded.items
    given = {citation.claim: citation.confidence for citation in validated.items if citation.confidence}
    for index, claim in enumerate(claims):
        if not 0 < claim.citation_id <= validated.total:
            message = (
                f"{validated.key} has {format_count(validated.total, 'citation')}, and no number {claim.citation_id}"
            )
            remedy = "write the position of a validated citation, counted from 1"
            yield _problem(grounded, index, "citation_id", "no-such-citation", message, remedy)
            continue
        citation: ValidatedCitation = validated.items[claim.citation_id - 1]
        place = validated.path(claim.citation_id - 1, "")[:-1]
        if not citation.validated:
            message = f"{place} is not validated: {_quote_value(citation.rejection_reason)}"
            remedy = "rest the claim on a validated citation, or reject it"
            yield _problem(grounded, index, "citation_id", "citation-not-validated", message, remedy)
        if claim.citation_url != citation.source_url:
            message = f"{place} has {shorten(citation.source_url, 200)}"
            yield _problem(grounded, index, "citation_url", "url-changed", message, "write the citation's source_url")
        yield from _check_quotes(grounded, index, claim.citation_quote, citation.quote, place)
        yield from _check_confidences(grounded, index, claim, given.get(claim.claim))
    yield from _check_rejections(validated, grounded)


def _check_quotes(grounded: StageFile, index: int, quote: str, whole: str, place: str) -> Iterator[StageProblem]:
    """The quote is the citation's own; one that is folded, or a verbatim part of it, is noted."""
    if quote == whole:
        return
    from ...quotes.declared_changes import INSERTION, OMISSION
    from ...quotes.fold import are_forms_equal, form_of, normalize_text
    from ...quotes.lookup import QuoteSource

    look = QuoteSource((whole,)).verbatim(quote)
    if look is None or OMISSION in look.folded or INSERTION in look.folded:
        message = f"{place} quotes {_quote_value(whole)}"
        yield _problem(grounded, index, "citation_quote", "quote-changed", message, "write the citation's own quote")
        return
    folded = f", after folding {', '.join(look.folded)}" if look.folded else ""
    if are_forms_equal(*(form_of(normalize_text(text).strip()) for text in (whole, quote))):
        message = f"it is the quote of {place}{folded}"
        remedy = "write it as it is there"
        yield _problem(grounded, index, "citation_quote", "quote-folded", message, remedy, Severity.NOTE)
        return
    message = f"it is a part of the quote of {place}{folded}"
    remedy = "write the whole quote where what is left out matters"
    yield _problem(grounded, index, "citation_quote", "quote-shortened", message, remedy, Severity.NOTE)


def _check_confidences(
    grounded: StageFile, index: int, claim: GroundedClaim, given: str | None
) -> Iterator[StageProblem]:
    """A confidence given before is not raised, and where it is lowered both are shown."""
    before = claim.given_confidence or given
    if before not in LEVELS or claim.confidence not in LEVELS:
        return
    rank, was = LEVELS.index(claim.confidence), LEVELS.index(before)
    if rank > was:
        message = f"it was {before} before"
        remedy = "keep the lower one, or change it where it was given"
        yield _problem(grounded, index, "confidence", "confidence-raised", message, remedy, Severity.WARNING)
    elif rank < was and claim.given_confidence is None:
        message = f"it was {before} before, which is not shown"
        remedy = f"write given_confidence: {before} beside it"
        yield _problem(grounded, index, "confidence", "confidence-lowered", message, remedy, Severity.WARNING)


def _check_rejections(validated: StageFile, grounded: StageFile) -> Iterator[StageProblem]:
    """A rejected claim names a citation that is there, or none."""
    for at, (number, line) in enumerate(grounded.rejected_citations()):
        if number > validated.total:
            yield StageProblem(
                "no-such-citation",
                grounded.key,
                f"rejected_claims[{at}].citation_id",
                line,
                f"{validated.key} has {format_count(validated.total, 'citation')}, and no number {number}",
                "write the position of a validated citation, counted from 1, or 0",
            )


def _join_types(found: Mapping[str, StageFile]) -> Iterator[StageProblem]:
    """A page is of one type in every stage."""
    known: dict[str, tuple[str, str]] = {}
    for stage, field in _URLS.items():
        loaded = found.get(stage)
        if loaded is None:
            continue
        for index, (item, kind) in enumerate(zip(loaded.items, loaded.types, strict=True)):
            url = getattr(item, field)
            if not kind:
                continue
            first, where = known.setdefault(url, (kind, f"{loaded.key}, {loaded.path(index, 'source_type')}"))
            if first != kind:
                message = f"{shorten(url, 200)} is {first} in {where}, and {kind} here"
                remedy = "give a page one type in every stage"
                yield _problem(loaded, index, "source_type", "source-type-changed", message, remedy)


def check_types(loaded: StageFile, table: SourceKinds | None) -> Iterator[StageProblem]:
    """A page is of the type that the table gives to its host, where it knows the host."""
    field = _URLS[loaded.stage]
    if table is None:
        return
    for index, (item, kind) in enumerate(zip(loaded.items, loaded.types, strict=True)):
        told = wrong_type(table.find(getattr(item, field)), kind) if kind else ""
        if told:
            remedy = "give it that type, or say in a table of your own what the host is (`sources` under [research])"
            yield _problem(loaded, index, "source_type", "source-type-unlikely", told, remedy, Severity.WARNING)
