"""What a report says of its claims and sources besides the claims themselves; an audit compares it word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .escape_markdown import show_on_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import GroundedClaim, ValidatedCitation

HIGH, MEDIUM = "high", "medium"


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
        archived,
        f"author {seen.attested}" if seen.attested else "",
        f"checks that were required: {', '.join(seen.required)}" if seen.required else "",
    )
    return tuple(line for line in lines if line)
