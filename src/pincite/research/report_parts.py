"""What a report is made of, whatever it is written in: sections of claims, numbered sources, and a refusal to guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .blocks import CLOSING, FULL_STOPS, lists_sources
from .model import CONFIDENCES, GROUND, Aborted, GroundedClaim, ValidatedCitation
from .rules import FEWEST
from .written import link_target, spoken, url_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import RejectedClaim

STAGE = "report"
FINDINGS = "Findings"
_STOPS = tuple(".!?…。！？")
_CLOSING = "\"'”’»)]"
_REMEDY = "Ground the claims again, or leave out the one that does not stand."


class Listed(Struct, frozen=True):
    """A source of the report."""

    number: int
    target: str
    """Its address, as the target of a link."""
    citation: ValidatedCitation
    """The first of its citations that the report uses."""

    @property
    def facts(self) -> tuple[str, ...]:
        """What is known of it, one line each; a line that would be empty is left out."""
        citation, seen = self.citation, self.citation.evidence
        details = citation.validation_details
        published = f"published {details.publication_date}" if details.publication_date else "publication date unknown"
        steps = [line for line in seen.credibility if not line.startswith("±0")]
        base, _, kind = steps[0].partition(": ") if steps else ("", "", "")
        score = f"credibility {citation.credibility_score}/10"
        kept = ", ".join(part for part in (f"snapshot {seen.snapshot}" if seen.snapshot else "", seen.digest) if part)
        archived = "archived: the page is gone, its snapshot is not" if seen.availability == "archived" else ""
        lines = (
            f"{details.author or 'author unknown'}, {published}",
            kind,
            f"{score} ({'; '.join((base, *steps[1:]))})" if steps else score,
            f"accessed {citation.accessed_date}",
            kept,
            archived,
            f"author {seen.attested}" if seen.attested else "",
            f"checks that were required: {', '.join(seen.required)}" if seen.required else "",
        )
        return tuple(line for line in lines if line)


class Contents(Struct, frozen=True):
    """A report before it is written."""

    topic: str
    date: str
    sections: tuple[tuple[str, tuple[tuple[GroundedClaim, Listed], ...]], ...]
    sources: tuple[Listed, ...]
    claims: tuple[tuple[GroundedClaim, Listed], ...]
    rejected: int = 0


def gather(
    topic: str,
    claims: Sequence[GroundedClaim],
    citations: Sequence[ValidatedCitation],
    rejected: Sequence[RejectedClaim] = (),
    date: str = "",
) -> Contents:
    """The contents of a report; raises Aborted where too few claims stand, or one of them does not."""
    if len(claims) < FEWEST[GROUND]:
        raise Aborted(
            STAGE,
            f"{len(claims)} grounded claims",
            f"at least {FEWEST[GROUND]} are needed",
            "Ground more claims: reword what its quote does not state, or cite a passage that states it.",
        )
    sections: dict[str, list[GroundedClaim]] = {}
    for claim in claims:
        sections.setdefault(_heading(claim.section), []).append(claim)
    listed: dict[str, Listed] = {}
    placed: dict[int, Listed] = {}
    for grouped in sections.values():
        for claim in grouped:
            citation = _citation(claim, citations)
            source = listed.setdefault(
                url_key(citation.source_url), Listed(len(listed) + 1, link_target(citation.source_url), citation)
            )
            placed[id(claim)] = source
    parts = [(name, tuple((claim, placed[id(claim)]) for claim in grouped)) for name, grouped in sections.items()]
    every = tuple((claim, placed[id(claim)]) for claim in claims)
    return Contents(topic, date, tuple(parts), tuple(listed.values()), every, len(rejected))


def ended(claim: str) -> str:
    """The claim on one line, with a stop."""
    said = spoken(claim)
    return said if said.rstrip(_CLOSING)[-1:] in _STOPS else f"{said}."


def headed(name: str) -> str:
    """A name as a heading: with a stop it would be a sentence, and one that nobody grounded."""
    name = " ".join(name.split())
    while (said := name.rstrip(CLOSING)).endswith(FULL_STOPS):
        name = said[:-1].rstrip()
    return name


def judged_by(claim: GroundedClaim) -> str:
    """Who says that the quote supports the claim."""
    return claim.attested or claim.judge or "not said"


def _heading(section: str | None) -> str:
    name = headed(section or "") or FINDINGS
    # Under a heading that announces sources, claims would pass for sources.
    return f"{FINDINGS}: {name}" if lists_sources(name) else name


def _citation(claim: GroundedClaim, citations: Sequence[ValidatedCitation]) -> ValidatedCitation:
    """The validated citation that a claim rests on; raises Aborted where there is none."""
    number = claim.citation_id
    citation = citations[number - 1] if 0 < number <= len(citations) else None
    problem = ""
    if claim.confidence not in CONFIDENCES:
        problem = f"has the confidence {claim.confidence!r}"
    elif citation is None:
        problem = f"names citation {number}, which does not exist"
    elif not citation.validated:
        problem = f"rests on citation {number}, which is not validated"
    elif url_key(citation.source_url) != url_key(claim.citation_url) or citation.quote != claim.citation_quote:
        problem = f"names another address or quote than its citation {number}"
    elif not link_target(citation.source_url):
        problem = "cites an address that is not plain https"
    if problem or citation is None:
        raise Aborted(STAGE, f"claim {claim.claim_id} {problem}", "every claim needs a validated citation", _REMEDY)
    return citation
