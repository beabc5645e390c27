"""The rules of a stage that look at more than one value: order, checks that must agree, dates, thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Severity
from ...text.lines import format_count, shorten
from ...text.yaml import Mapping, Scalar, value_of
from .model import (
    CHECKS,
    EXTRACT,
    GROUND,
    LOWEST_CREDIBILITY,
    SEARCH,
    VALIDATE,
    ExtractedCitation,
    SearchResult,
    ValidatedCitation,
)
from .stage_values import BrokenRule, day_of, months_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...text.yaml import Node
    from .stage_values import Problems

FEWEST = {SEARCH: 3, EXTRACT: 2, VALIDATE: 2, GROUND: 5}
"""How many entries each stage needs for the next one to begin; of validated citations, those that passed."""
_OLD_YEARS = 2
_HIGH_CREDIBILITY = 9
_NOUNS = {SEARCH: "result", EXTRACT: "citation", VALIDATE: "citation", GROUND: "claim"}
_TOO_FEW = {
    SEARCH: ("too-few-results", "search further"),
    EXTRACT: ("too-few-extracted", "extract further citations from the search results"),
    VALIDATE: ("too-few-validated", "correct what the rejection reasons name, or cite other sources"),
    GROUND: ("too-few-grounded", "reword what its quote does not state, or cite a passage that states it"),
}
SHORTFALLS = frozenset(rule for rule, _ in _TOO_FEW.values())
"""The rules that ask for more entries."""

Item = SearchResult | ExtractedCitation | ValidatedCitation


class Shortfall(Struct, frozen=True):
    """A threshold that a stage misses."""

    rule: str
    found: str
    needed: str
    remedy: str


def shortfalls(stage: str, entries: int, passed: int, scores: Sequence[int]) -> Iterator[Shortfall]:
    """Every threshold that a stage misses, by its entries, those that passed, and their credibility."""
    if stage == VALIDATE and scores and max(scores) < LOWEST_CREDIBILITY:
        yield Shortfall(
            "all-low-credibility",
            f"every source has a credibility below {LOWEST_CREDIBILITY} (the best has {max(scores)})",
            f"at least one needs {LOWEST_CREDIBILITY}",
            "cite better sources",
        )
    number = passed if stage == VALIDATE else entries
    if number < FEWEST[stage]:
        rule, remedy = _TOO_FEW[stage]
        how = f" of {entries:,} validated" if stage == VALIDATE else ""
        noun = _NOUNS[stage]
        yield Shortfall(
            rule,
            f"{number} {noun if number == 1 and not how else noun + 's'}{how}",
            f"at least {format_count(FEWEST[stage], noun)} needed",
            remedy,
        )


def check_order(nodes: Sequence[Node], path: str, field: str, problems: Problems) -> None:
    """Ids count 1, 2, 3 in the order of the entries; one gap is one problem."""
    seen: dict[int, int] = {}
    last = 0
    for at, node in enumerate(nodes):
        found = node.values.get(field) if isinstance(node, Mapping) else None
        number = value_of(found) if isinstance(found, Scalar) else None
        if found is None or not isinstance(number, int) or isinstance(number, bool):
            # What is missing or no number has been reported; counting goes on behind it.
            last += 1
            continue
        place = f"{path}[{at}].{field}"
        if number in seen:
            wrong = BrokenRule(
                "duplicate-id", f"{field} {number} is also that of {path}[{seen[number]}]", f"write {last + 1}"
            )
            problems.add(found, place, wrong)
            last += 1
            continue
        if number != last + 1:
            wrong = BrokenRule(
                "not-sequential", f"{field} is {number}, {last + 1} was expected", "count from 1 in order"
            )
            problems.add(found, place, wrong)
        seen[number] = at
        last = number


def check_validated(
    citation: ValidatedCitation, node: Mapping, path: str, required: Sequence[str], problems: Problems
) -> None:
    """A citation is validated exactly where every required check passed, and says why where it is not."""
    details = node.values["validation_details"]
    reason = node.values["rejection_reason"]
    if not citation.validated:
        if citation.rejection_reason is None:
            wrong = BrokenRule("rejection-missing", "it is not validated and says not why", "write a rejection_reason")
            problems.add(reason, f"{path}.rejection_reason", wrong)
        return
    if citation.rejection_reason is not None:
        wrong = BrokenRule(
            "rejection-with-validated",
            "it is validated and has a reason for its rejection",
            "write rejection_reason: null, or validated: false",
        )
        problems.add(reason, f"{path}.rejection_reason", wrong)
    if citation.credibility_score < LOWEST_CREDIBILITY:
        wrong = BrokenRule(
            "score-too-low",
            f"it is validated with a credibility of {citation.credibility_score}, at least {LOWEST_CREDIBILITY}"
            " is needed",
            "cite a better source, or write validated: false with the reason",
        )
        problems.add(node.values["credibility_score"], f"{path}.credibility_score", wrong)
    for name in CHECKS:
        value = getattr(citation.validation_details, name)
        if name in required and value is not True:
            said = "false" if value is False else "not known"
            wrong = BrokenRule(
                "validated-without-checks",
                f"it is validated and {name} is {said}",
                f"check it, write validated: false with the reason, or leave {name} out of required-checks",
            )
            place = details.values.get(name, details) if isinstance(details, Mapping) else details
            problems.add(place, f"{path}.validation_details.{name}", wrong)


def check_dates(item: Item, node: Mapping, path: str, today: str, problems: Problems) -> None:
    """Nothing was seen tomorrow, nothing published after it was seen, and what is old says so."""
    accessed = day_of(item.accessed_date)
    now = day_of(today)
    if accessed is None:
        return
    # A day's difference is what time zones make.
    if now is not None and (accessed - now).days > 1:
        wrong = BrokenRule(
            "future-date", f"{item.accessed_date} is not yet", "write the day on which the page was seen"
        )
        problems.add(node.values["accessed_date"], f"{path}.accessed_date", wrong, Severity.WARNING)
    details = node.values.get("validation_details")
    if not isinstance(item, ValidatedCitation) or not isinstance(details, Mapping):
        return
    published = day_of(item.validation_details.publication_date or "")
    if published is None:
        return
    place, value = f"{path}.validation_details.publication_date", details.values["publication_date"]
    if (published - accessed).days > 1:
        wrong = BrokenRule("published-later", f"published {published}, seen {accessed}", "correct one of the dates")
        problems.add(value, place, wrong, Severity.WARNING)
    elif item.credibility_score < _HIGH_CREDIBILITY and published < months_before(accessed, 12 * _OLD_YEARS):
        wrong = BrokenRule(
            "old-source",
            f"published {published}, more than {_OLD_YEARS} years before it was seen,"
            f" with a credibility below {_HIGH_CREDIBILITY}",
            "prefer a younger source or a more credible one",
        )
        problems.add(value, place, wrong, Severity.NOTE)


def check_repeats(items: Sequence[Item], nodes: Sequence[Mapping], places: Sequence[str], problems: Problems) -> None:
    """No page is listed twice, and no claim with the same quote of the same page."""
    seen: dict[tuple[str, ...], str] = {}
    for item, node, place in zip(items, nodes, places, strict=True):
        if isinstance(item, SearchResult):
            key: tuple[str, ...] = (item.url,)
            rule, field, what = "duplicate-url", "url", "the page"
        else:
            key = (item.claim, item.quote, item.source_url)
            rule, field, what = "duplicate-citation", "claim", "the citation"
        if key in seen:
            wrong = BrokenRule(rule, f"{what} is also at {seen[key]}: {shorten(key[0], 60)}", "keep one of them")
            problems.add(node.values[field], f"{place}.{field}", wrong, Severity.WARNING)
        else:
            seen[key] = place
