"""The report in markdown and as one HTML page. What comes from pages and claims is written so that it is only text."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from ...judge.model import LEVELS, NOT_SHOWN, Assessment
from .audit_result import MEDIUM, facts_of, judged_by, tally
from .escape_markdown import COLUMNS, escape_markdown, link_target, show_on_one_line, url_key
from .model import CONFIDENCES, GROUND, Aborted, GroundedClaim, ValidatedCitation
from .report_audit import GROUNDED, AuditEvidence, audit
from .report_blocks import lists_sources
from .sentences import ReportReading
from .stage_rules import FEWEST
from .statements import CLOSING, FULL_STOPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...judge.model import QuotedEvidence
    from .model import RejectedClaim

STAGE = "report"
_FINDINGS = "Findings"
_LONGEST_TITLE = 300
_TITLE = "Report"
"""Where the name of the topic would claim something."""
_STOPS = tuple(".!?…。！？")
_BEHIND_STOP = "\"'”’»)]"
_REMEDY = "Ground the claims again, or leave out the one that does not stand."
_STYLE = """
body { max-width: 50rem; font: 1rem/1.6 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0.5rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
a { color: var(--link); } li { margin: 0.35rem 0; }
sup a { text-decoration: none; padding: 0 0.1em; } :target { background: var(--card); outline: 2px solid var(--line); }
.sources li { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.5rem 0.75rem;
  margin-bottom: 0.6rem; } .sources p { margin: 0.1rem 0; font-size: 0.9rem; color: var(--soft); }
table { font-size: 0.9rem; } .high { color: var(--good); } .medium { color: var(--poor); }
@media print { body { max-width: none; } .sources li { break-inside: avoid; } a { color: inherit; } }
"""


class ListedSource(Struct, frozen=True):
    """A source of the report."""

    number: int
    target: str
    """Its address, as the target of a link."""
    citation: ValidatedCitation
    """The first of its citations that the report uses."""


class _Contents(Struct, frozen=True):
    """A report before it is written."""

    title: str
    sections: tuple[tuple[str, tuple[tuple[GroundedClaim, ListedSource], ...]], ...]
    sources: tuple[ListedSource, ...]
    claims: tuple[tuple[GroundedClaim, ListedSource], ...]
    tally: str
    """How many claims there are, by what they rest on."""


def render_markdown(
    topic: str,
    claims: Sequence[GroundedClaim],
    citations: Sequence[ValidatedCitation],
    rejected: Sequence[RejectedClaim] = (),
) -> str:
    """The report, of which every sentence was traced again after writing; raises Aborted below 100 %."""
    contents = _gather(topic, claims, citations, rejected)
    text = _write_markdown(contents)
    _require_grounded(text, claims, citations, len(rejected))
    return text


def render_html(
    topic: str,
    claims: Sequence[GroundedClaim],
    citations: Sequence[ValidatedCitation],
    rejected: Sequence[RejectedClaim] = (),
) -> str:
    """The report as a page; raises Aborted where the same report in markdown would not be grounded to 100 %."""
    from ...text.html_page import make_page

    contents = _gather(topic, claims, citations, rejected)
    _require_grounded(_write_markdown(contents), claims, citations, len(rejected))
    title = _text(contents.title)
    return make_page(title, _STYLE, (f"<h1>{title}</h1>",), _write_html(contents))


def _gather(
    topic: str,
    claims: Sequence[GroundedClaim],
    citations: Sequence[ValidatedCitation],
    rejected: Sequence[RejectedClaim],
) -> _Contents:
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
        name = _make_heading(claim.section or "") or _FINDINGS
        # Under a heading that announces sources, claims would pass for sources.
        sections.setdefault(f"{_FINDINGS}: {name}" if lists_sources(name) else name, []).append(claim)
    listed: dict[str, ListedSource] = {}
    placed: dict[int, ListedSource] = {}
    for claim in (claim for grouped in sections.values() for claim in grouped):
        citation = _find_citation(claim, citations)
        source = ListedSource(len(listed) + 1, link_target(citation.source_url), citation)
        placed[id(claim)] = listed.setdefault(url_key(citation.source_url), source)
    parts = [(name, tuple((claim, placed[id(claim)]) for claim in grouped)) for name, grouped in sections.items()]
    every = tuple((claim, placed[id(claim)]) for claim in claims)
    title = _make_heading(topic) or _TITLE
    return _Contents(title, tuple(parts), tuple(listed.values()), every, tally(claims, len(rejected)))


def _find_citation(claim: GroundedClaim, citations: Sequence[ValidatedCitation]) -> ValidatedCitation:
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


def _make_heading(name: str) -> str:
    """A name as a heading; empty where it would claim something that is not grounded."""
    name = " ".join(name.split())
    while (said := name.rstrip(CLOSING)).endswith(FULL_STOPS):
        name = said[:-1].rstrip()
    # Read as an audit reads it.
    read = ReportReading(f"# {escape_markdown(name, _LONGEST_TITLE)}\n").sentences
    return "" if any(sentence.claims for sentence in read) else name


def _add_full_stop(claim: str) -> str:
    """The claim on one line, with a stop."""
    said = show_on_one_line(claim)
    return said if said.rstrip(_BEHIND_STOP)[-1:] in _STOPS else f"{said}."


def _write_markdown(contents: _Contents) -> str:
    lines = [f"# {escape_markdown(contents.title, _LONGEST_TITLE)}", ""]
    for name, grouped in contents.sections:
        lines += [f"## {escape_markdown(name, _LONGEST_TITLE)}", ""]
        for claim, source in grouped:
            lines.append(f"- {escape_markdown(_add_full_stop(claim.claim))} [{source.number}]({source.target})")
        lines.append("")
    lines += ["## Sources", ""]
    for source in contents.sources:
        title = escape_markdown(source.citation.page_title, _LONGEST_TITLE) or "Untitled"
        facts = "\\\n   ".join(map(escape_markdown, facts_of(source.citation)))
        lines.append(f"{source.number}. [{title}]({source.target})\\\n   {facts}")
    lines += ["", "## Grounded claims", "", "| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for claim, source in contents.claims:
        cells = (
            str(claim.claim_id),
            escape_markdown(claim.claim),
            f"[{source.number}]({source.target})",
            escape_markdown(claim.confidence),
            f"“{escape_markdown(claim.citation_quote)}”",
            escape_markdown(judged_by(claim)),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", escape_markdown(contents.tally), ""])


def _write_html(contents: _Contents) -> list[str]:
    """The lines of the page's body."""
    lines: list[str] = []
    for name, grouped in contents.sections:
        items = [f"<li>{_text(_add_full_stop(claim.claim))} {_mark(source)}</li>" for claim, source in grouped]
        lines += [f"<h2>{_text(name)}</h2>", "<ul>", *items, "</ul>"]
    lines.append('<h2>Sources</h2><ol class="sources">')
    for source in contents.sources:
        title = _text(source.citation.page_title) or "Untitled"
        facts = "".join(f"<p>{_text(fact)}</p>" for fact in facts_of(source.citation))
        link = f'<a href="{source.target}" rel="noopener noreferrer">{title}</a>'
        lines.append(f'<li id="source-{source.number}">{link}{facts}</li>')
    heads = "".join(f"<th>{name}</th>" for name in COLUMNS)
    lines += ["</ol>", "<h2>Grounded claims</h2>"]
    lines.append(f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>')
    for claim, source in contents.claims:
        level = _text(claim.confidence)
        lines.append(
            f"<tr><td>{claim.claim_id}</td><td>{_text(claim.claim)}</td><td>{_mark(source)}</td>"
            f'<td class="{level}">{level}</td><td>“{_text(claim.citation_quote)}”</td>'
            f"<td>{_text(judged_by(claim))}</td></tr>"
        )
    return [*lines, "</tbody></table></div>", f'<p class="soft">{_text(contents.tally)}</p>']


def _mark(source: ListedSource) -> str:
    return f'<sup><a href="#source-{source.number}">[{source.number}]</a></sup>'


def _text(text: str) -> str:
    """Text that can only be text."""
    return escape(show_on_one_line(text))


class RejectingJudge:
    """A judge who lets nothing pass: what is written here has been judged before, and is only recognised."""

    name = "none"

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        """Never supported."""
        return Assessment(LEVELS[0], NOT_SHOWN, 0.0, (), self.name)

    def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
        """Never supported, any of them."""
        return [self.assess(claim, evidence) for claim, evidence in pairs]


def _require_grounded(
    text: str, claims: Sequence[GroundedClaim], citations: Sequence[ValidatedCitation], rejected: int
) -> None:
    """Read what was written: every sentence has to be a grounded claim, and every claim has to be there."""
    found = audit(text, AuditEvidence(claims, citations, rejected=rejected), RejectingJudge(), MEDIUM)
    loose = [one for one in found.sentences if one.state != GROUNDED]
    if loose:
        raise Aborted(
            STAGE,
            f"{found.percentage} of the sentences are grounded; line {loose[0].line} is not: “{loose[0].text}”",
            "100 % are needed",
            "Write the claim as one plain sentence.",
        )
    # Two claims may be the same sentence.
    seen = {one.claim_id for one in found.sentences}
    said = {show_on_one_line(claim.claim) for claim in claims if claim.claim_id in seen}
    lost = [claim for claim in claims if claim.claim_id not in seen and show_on_one_line(claim.claim) not in said]
    if lost:
        raise Aborted(STAGE, f"claim {lost[0].claim_id} says nothing", "every claim is a sentence", "Leave it out.")
