"""What a report says besides its claims, which an audit compares word for word, and what the audit says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...judge.model import Reason
from .escape_markdown import show_on_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import GroundedClaim, ValidatedCitation

HIGH, MEDIUM = "high", "medium"
ON_TRUST = "on-trust"
"""The rule by which a sentence that rests on a foreign file alone needs a reader."""
GROUNDED, READER, UNSUPPORTED, UNCITED = "grounded", "needs a reader", "unsupported", "uncited"


def needs_reader(level: str, attested: str, least: str) -> bool:
    """Whether no person has read what is only strongly implied, where that does not count."""
    return least == HIGH and level == MEDIUM and not attested


def count_levels(claims: Sequence[GroundedClaim]) -> tuple[int, int, int]:
    """How many claims their quotes state, how many rest on medium alone, and for how many of those a person vouches."""
    attested = sum(bool(claim.attested) and claim.confidence != HIGH for claim in claims)
    high = sum(claim.confidence == HIGH for claim in claims)
    return high, len(claims) - high - attested, attested


def tally(claims: Sequence[GroundedClaim], rejected: int) -> str:
    """How many claims a report has, by what they rest on, in one line."""
    high, medium, attested = count_levels(claims)
    parts = [f"Grounded claims: {len(claims)}", f"stated by their quotes (high): {high}"]
    if attested:
        parts.append(f"read and vouched for by a person (attested): {attested}")
    if medium:
        parts.append(f"only strongly implied, needs a reader (medium): {medium}")
    if rejected:
        parts.append(f"rejected: {rejected}")
    return ", ".join(parts)


def judged_by(claim: GroundedClaim) -> str:
    """Who says that the quote supports the claim."""
    return claim.attested or claim.judge or "not said"


def record(claim: GroundedClaim) -> str:
    """The cells of a claim's row in the table of grounded claims, without its source, a line each."""
    quote = f"“{show_on_one_line(claim.citation_quote)}”"
    cells = (
        str(claim.claim_id),
        show_on_one_line(claim.claim),
        show_on_one_line(claim.confidence),
        quote,
        show_on_one_line(judged_by(claim)),
    )
    return "\n".join(cells)


def facts_of(citation: ValidatedCitation) -> tuple[str, ...]:
    """What is known of a source, one line each; a line that would be empty is left out."""
    seen, details = citation.evidence, citation.validation_details
    published = f"published {details.publication_date}" if details.publication_date else "publication date unknown"
    doubt = seen.reasons.get("publication_date", "")
    published += f" ({doubt})" if doubt else ""
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
        f"saved by a person, not fetched: {seen.saved}" if seen.saved else "",
        archived,
        f"author {seen.attested}" if seen.attested else "",
        f"checks that were required: {', '.join(seen.required)}" if seen.required else "",
    )
    return tuple(line for line in lines if line)


class AuditedSentence(Struct, frozen=True):
    """A sentence of a report, and what it rests on."""

    start: int
    end: int
    tail: int
    """Behind the marks that follow the sentence."""
    line: int
    text: str
    state: str
    """GROUNDED, READER (only strongly implied, where that is not enough, or on trust), UNSUPPORTED or UNCITED."""
    citation_id: int = 0
    citation_url: str = ""
    """For a grounded sentence the source that carries it, else the first that it cites."""
    quote: str = ""
    level: str = ""
    claim_id: int = 0
    """The grounded claim that it is, word for word."""
    judge: str = ""
    attested: str = ""
    reasons: tuple[Reason, ...] = ()
    remedy: str = ""
    kind: str = "text"
    """Where it stands: `text`, `entry`, `heading`, `cell`, `row`, `record` (the table of grounded claims), `source`,
    `label` (a caption or title), `code`, `front` (frontmatter) or `seal` (that a report was edited)."""


class SkippedText(Struct, frozen=True):
    """A stretch of the report that was not judged."""

    line: int
    kind: str
    """`heading`, `question`, `label` (a few words), `source`, `code`, `front` (frontmatter), `comment` or `record`
    (of a report that was edited since)."""
    text: str


class ReportAudit(Struct, frozen=True):
    """What became of the sentences that claim something."""

    sentences: tuple[AuditedSentence, ...]
    skipped: tuple[SkippedText, ...] = ()
    """What claims nothing by its form, and was not judged."""
    recognised: int = 0
    """Rows of claims, lines of sources and counts that are as the stages recorded them."""

    @property
    def medium(self) -> int:
        """How many sentences rest on *medium* alone: no quote states them, and no person vouches for them."""
        return sum(
            one.level == MEDIUM and not one.attested for one in self.sentences if one.state in (GROUNDED, READER)
        )

    @property
    def on_trust(self) -> int:
        """How many sentences rest on the word of a file alone that came with a clone."""
        return sum(one.state == READER and any(said.rule == ON_TRUST for said in one.reasons) for one in self.sentences)

    @property
    def attested(self) -> int:
        """For how many sentences a person vouches."""
        return sum(bool(one.attested) and one.level != HIGH for one in self.sentences if one.state == GROUNDED)

    @property
    def total(self) -> int:
        """How many sentences claim something."""
        return len(self.sentences)

    def count(self, state: str) -> int:
        """How many sentences are in a state."""
        return sum(one.state == state for one in self.sentences)

    @property
    def ok(self) -> bool:
        """Whether there are claims and all of them are grounded; 99.9 % are not all."""
        return bool(self.sentences) and self.count(GROUNDED) == self.total

    @property
    def percentage(self) -> str:
        """How much is grounded, cut and never rounded: only all of it is `100 %`."""
        if not self.sentences:
            return "nothing claimed"
        tenths = 1000 * self.count(GROUNDED) // self.total
        return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"
