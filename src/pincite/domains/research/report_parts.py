"""What a report is made of, whatever it is written in: sections of claims, numbered sources, and a refusal to guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .escape_markdown import escape_markdown, link_target, show_on_one_line, url_key
from .model import CONFIDENCES, GROUND, Aborted, GroundedClaim, ValidatedCitation
from .report_blocks import lists_sources
from .report_records import facts_of, tally
from .sentences import ReportReading
from .stage_rules import FEWEST
from .statements import CLOSING, FULL_STOPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import RejectedClaim

STAGE = "report"
FINDINGS = "Findings"
LONGEST_TITLE = 300
TITLE = "Report"
"""Where the name of the topic would claim something."""
_STOPS = tuple(".!?…。！？")
_CLOSING = "\"'”’»)]"
_REMEDY = "Ground the claims again, or leave out the one that does not stand."


class ListedSource(Struct, frozen=True):
    """A source of the report."""

    number: int
    target: str
    """Its address, as the target of a link."""
    citation: ValidatedCitation
    """The first of its citations that the report uses."""

    @property
    def facts(self) -> tuple[str, ...]:
        """What is known of it, one line each; a line that would be empty is left out."""
        return facts_of(self.citation)


class ReportContents(Struct, frozen=True):
    """A report before it is written."""

    topic: str
    date: str
    sections: tuple[tuple[str, tuple[tuple[GroundedClaim, ListedSource], ...]], ...]
    sources: tuple[ListedSource, ...]
    claims: tuple[tuple[GroundedClaim, ListedSource], ...]
    tally: str = ""
    """How many claims there are, by what they rest on."""


def gather(
    topic: str,
    claims: Sequence[GroundedClaim],
    citations: Sequence[ValidatedCitation],
    rejected: Sequence[RejectedClaim] = (),
    date: str = "",
) -> ReportContents:
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
    listed: dict[str, ListedSource] = {}
    placed: dict[int, ListedSource] = {}
    for grouped in sections.values():
        for claim in grouped:
            citation = _citation(claim, citations)
            source = listed.setdefault(
                url_key(citation.source_url), ListedSource(len(listed) + 1, link_target(citation.source_url), citation)
            )
            placed[id(claim)] = source
    parts = [(name, tuple((claim, placed[id(claim)]) for claim in grouped)) for name, grouped in sections.items()]
    every = tuple((claim, placed[id(claim)]) for claim in claims)
    return ReportContents(topic, date, tuple(parts), tuple(listed.values()), every, tally(claims, len(rejected)))


def add_full_stop(claim: str) -> str:
    """The claim on one line, with a stop."""
    said = show_on_one_line(claim)
    return said if said.rstrip(_CLOSING)[-1:] in _STOPS else f"{said}."


def make_heading(name: str) -> str:
    """A name as a heading; empty where it would claim something that is not grounded."""
    name = " ".join(name.split())
    while (said := name.rstrip(CLOSING)).endswith(FULL_STOPS):
        name = said[:-1].rstrip()
    # Read as an audit reads it.
    read = ReportReading(f"# {escape_markdown(name, LONGEST_TITLE)}\n").sentences
    return "" if any(sentence.claims for sentence in read) else name


def _heading(section: str | None) -> str:
    name = make_heading(section or "") or FINDINGS
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
