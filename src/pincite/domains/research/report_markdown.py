"""The report in markdown. Whatever comes from pages and claims is written so that it can only be text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...judge.model import LEVELS, NOT_SHOWN, Assessment
from .escape_markdown import COLUMNS, escape_markdown, show_on_one_line
from .model import Aborted
from .report_audit import GROUNDED, Grounds, audit
from .report_parts import LONGEST_TITLE, STAGE, TITLE, add_full_stop, gather, make_heading
from .report_records import MEDIUM, judged_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...judge.model import QuotedEvidence
    from .model import GroundedClaim, RejectedClaim, ValidatedCitation
    from .report_parts import ListedSource, ReportContents


def render(
    topic: str,
    claims: Sequence[GroundedClaim],
    citations: Sequence[ValidatedCitation],
    rejected: Sequence[RejectedClaim] = (),
    date: str = "",
) -> str:
    """The report, of which every sentence was traced again after writing; raises Aborted below 100 %."""
    contents = gather(topic, claims, citations, rejected, date)
    lines = [f"# {escape_markdown(make_heading(topic) or TITLE, LONGEST_TITLE)}", ""]
    if date:
        lines += [escape_markdown(date), ""]
    for name, grouped in contents.sections:
        lines += [f"## {escape_markdown(name, LONGEST_TITLE)}", ""]
        lines += [f"- {escape_markdown(add_full_stop(claim.claim))} {_link(source)}" for claim, source in grouped]
        lines.append("")
    lines += ["## Sources", "", *(_source(source) for source in contents.sources), ""]
    lines += ["## Grounded claims", "", *_table(contents)]
    lines += ["", escape_markdown(contents.tally)]
    text = "\n".join([*lines, ""])
    _hold(text, claims, citations, len(rejected))
    return text


class _RejectingJudge:
    """A judge who lets nothing pass: what is written here has been judged before, and is only recognised."""

    name = "none"

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        """Never supported."""
        return Assessment(LEVELS[0], NOT_SHOWN, 0.0, (), self.name)

    def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
        """Never supported, any of them."""
        return [self.assess(claim, evidence) for claim, evidence in pairs]


def _hold(text: str, claims: Sequence[GroundedClaim], citations: Sequence[ValidatedCitation], rejected: int) -> None:
    """Read what was written: every sentence has to be a grounded claim, and every claim has to be there."""
    found = audit(text, Grounds(claims, citations, rejected=rejected), _RejectingJudge(), MEDIUM)
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


def _link(source: ListedSource) -> str:
    return f"[{source.number}]({source.target})"


def _source(source: ListedSource) -> str:
    title = escape_markdown(source.citation.page_title, LONGEST_TITLE) or "Untitled"
    facts = "\\\n   ".join(escape_markdown(fact) for fact in source.facts)
    return f"{source.number}. [{title}]({source.target})\\\n   {facts}"


def _table(contents: ReportContents) -> list[str]:
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for claim, source in contents.claims:
        cells = (
            str(claim.claim_id),
            escape_markdown(claim.claim),
            _link(source),
            escape_markdown(claim.confidence),
            f"“{escape_markdown(claim.citation_quote)}”",
            escape_markdown(judged_by(claim)),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines
