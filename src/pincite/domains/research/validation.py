"""The third stage: extracted citations become validated ones, or rejected ones that say why."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict, replace

from .credibility import author_verified, has_references, score
from .model import CHECKS, LOWEST_CREDIBILITY, Details, SeenEvidence, ValidatedCitation
from .page_fetching import OK
from .source_kinds import wrong_type
from .topic import SNAPSHOTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...pages.model import Page
    from .attestations import Attestations
    from .credibility import Credibility
    from .model import ExtractedCitation
    from .page_fetching import KnownPage
    from .quote_lookup import QuoteFinder, SnapshotPlace
    from .source_kinds import SourceKinds

_UNTOLD = ("robots", "offline", "busy", "damaged", "forbidden-address", "bad-url", "type", "too-large", "encoding")
"""Troubles that say nothing about whether the page can be reached."""
_REMEDIES = {
    "author_verified": " (attest it: `pincite research attest`; or relax `required-checks` under [research])",
    "has_references": " (relax `required-checks` under [research])",
}


class SourceRules(Struct, frozen=True):
    """By what a citation is validated."""

    table: SourceKinds
    attestations: Attestations
    required: tuple[str, ...] = CHECKS


class _Standing(Struct, frozen=True):
    """What is true of a page whatever is quoted from it."""

    verified: bool | None
    author: str
    cites: bool | None
    attested: str
    credible: Credibility
    reasons: dict[str, str]


def validate(
    citations: Sequence[ExtractedCitation], held: Mapping[str, KnownPage], finder: QuoteFinder, rules: SourceRules
) -> list[ValidatedCitation]:
    """Each citation with what its page shows, in order."""
    known: dict[tuple[str, str, str, str], _Standing] = {}
    found = []
    for citation in citations:
        place = finder.find(held[citation.source_url], citation.quote)
        snapshot = place.snapshot
        when = snapshot.visit.retrieved[:10] if snapshot is not None else citation.accessed_date
        key = citation.source_url, snapshot.digest if snapshot is not None else "", when, insecure_step(place)
        standing = known.get(key)
        if standing is None:
            # A redirect may lead to another site: the one that answered is judged.
            host = snapshot.visit.final_url if snapshot is not None else citation.source_url
            attested = rules.attestations.author(citation.source_url)
            standing = known[key] = _assess_standing(host, attested, place, date.fromisoformat(when), rules)
        found.append(_validate_citation(citation, held[citation.source_url], place, standing, rules))
    return found


def insecure_step(place: SnapshotPlace) -> str:
    """The first address on the way to a page that is not https; empty where there is none."""
    steps = place.snapshot.visit.exchanges if place.snapshot is not None else ()
    return next((step.url for step in steps if not step.url.lower().startswith("https://")), "")


def _assess_standing(url: str, attested: str, place: SnapshotPlace, on: date, rules: SourceRules) -> _Standing:
    source, page = rules.table.find(url), place.page
    verified, why, author = author_verified(source, page, attested)
    cites, cited = has_references(page)
    credible = score(source, page, verified, cites, on, insecure_step(place))
    return _Standing(verified, author, cites, attested, credible, {"author_verified": why, "has_references": cited})


def _validate_citation(
    citation: ExtractedCitation, held: KnownPage, place: SnapshotPlace, standing: _Standing, rules: SourceRules
) -> ValidatedCitation:
    reachable, reasons = _reachable(held, place)
    found, page = place.found, place.page
    if found is not None or place.trouble:
        reasons["quote_found"] = found.reason if found is not None else place.trouble
    reasons |= standing.reasons
    if page is not None and page.date_unsure and not page.changed_last:
        reasons["publication_date"] = f"unsure: {page.date_unsure}"
    details = Details(
        reachable,
        found.found if found is not None else None,
        found.verbatim if found is not None else None,
        page.published.value if page is not None and page.published is not None and not page.changed_last else None,
        standing.author or None,
        standing.verified,
        standing.cites,
    )
    rejected = _rejection(details, standing.credible.score, reasons, rules.required)
    if insecure_step(place) and "url_reachable" not in rules.required:
        rejected = "; ".join(filter(None, (rejected, f"not https: {reasons['url_reachable']}")))
    return ValidatedCitation(
        **asdict(citation),
        validated=not rejected,
        credibility_score=standing.credible.score,
        validation_details=details,
        rejection_reason=rejected or None,
        evidence=_make_seen_evidence(citation, place, standing, reasons, rules),
    )


def _reachable(held: KnownPage, place: SnapshotPlace) -> tuple[bool | None, dict[str, str]]:
    """Whether the page answered with 200, when, and who says so."""
    snapshot = place.snapshot
    if snapshot is None:
        trouble = held.trouble
        untold = trouble is not None and trouble.kind in _UNTOLD
        return (None if untold else False), {"url_reachable": str(trouble or place.trouble)}
    if snapshot.damaged:
        return None, {"url_reachable": place.trouble}
    visit = snapshot.visit
    if insecure := insecure_step(place):
        return False, {"url_reachable": f"the way to it leads over {insecure}, where anyone may change what is sent"}
    if visit.saved:
        said = f"{visit.final_url} as of {visit.retrieved[:10]}, a saved page ({visit.saved}); it was not asked again"
        return visit.status == OK, {"url_reachable": said}
    said = f"{visit.status} {visit.answer.reason}".rstrip()
    return visit.status == OK, {"url_reachable": f"{visit.final_url} answered {said} on {visit.retrieved[:10]}"}


def _rejection(details: Details, credibility: int, reasons: Mapping[str, str], required: Sequence[str]) -> str:
    """Why a citation is rejected; empty where it is not."""
    wrong = []
    for check in required:
        value = getattr(details, check)
        if value:
            continue
        reason = reasons.get(check, "")
        if check == "quote_verbatim":
            if not details.quote_found and "quote_found" in required:
                # It is not there at all, which has been said.
                continue
            reason = reasons.get("quote_found", "")
        wrong.append(f"{check} is {'not known' if value is None else 'false'}: {reason}{_REMEDIES.get(check, '')}")
    if credibility < LOWEST_CREDIBILITY:
        wrong.append(f"credibility {credibility} is below {LOWEST_CREDIBILITY}")
    return "; ".join(wrong)


def _make_seen_evidence(
    citation: ExtractedCitation,
    place: SnapshotPlace,
    standing: _Standing,
    reasons: dict[str, str],
    rules: SourceRules,
) -> SeenEvidence:
    """What the validation rests on."""
    snapshot, found = place.snapshot, place.found
    seen = SeenEvidence(
        "unavailable",
        credibility=standing.credible.lines,
        reasons={name: reason for name, reason in reasons.items() if reason},
        required=rules.required if set(rules.required) != set(CHECKS) else (),
        attested=standing.attested,
        warnings=tuple(_warnings(citation, place, rules)),
    )
    if snapshot is not None:
        visit = snapshot.visit
        seen = replace(
            seen,
            final_url=visit.final_url,
            status=visit.status,
            retrieved=visit.retrieved,
            snapshot=f"{SNAPSHOTS}/{snapshot.file}",
            digest=snapshot.digest,
            saved=visit.saved,
        )
    if found is not None:
        seen = replace(
            seen,
            availability="archived" if place.since and found.verbatim else "snapshot",
            folded=found.folded,
            before=found.before,
            after=found.after,
            nearest=found.nearest,
            edits=found.edits,
            page=found.page,
        )
    return seen


def _warnings(citation: ExtractedCitation, place: SnapshotPlace, rules: SourceRules) -> list[str]:
    warnings = []
    if not rules.required:
        warnings.append("no check was required: `required-checks` under [research] is empty")
    if place.since and place.found is not None and place.found.verbatim:
        warnings.append(f"archived: {place.since}")
    source = rules.table.find(place.snapshot.visit.final_url if place.snapshot is not None else citation.source_url)
    if told := wrong_type(source, citation.source_type):
        warnings.append(f"source_type: {told}")
    if place.page is not None and place.page.title and not _is_same_title(citation.page_title, place.page):
        warnings.append(f"page_title: the page calls itself “{place.page.title}”")
    if place.snapshot is not None and not place.snapshot.sealed and not place.snapshot.damaged:
        warnings.append("the snapshot carries no digest: whether it was altered is unknown")
    return warnings


def _is_same_title(title: str, page: Page) -> bool:
    """Whether one title holds the other, give or take the name of the site."""
    one, other = ("".join(sign for sign in text.casefold() if sign.isalnum()) for text in (title, page.title))
    return bool(one) and bool(other) and (one in other or other in one)
