"""Web sources in numbers, and what no longer stands on them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..store.shared import SharedStore
    from ..store.shared.records import Team

_QUOTE_WORDS = {"holds": "stand", "new": "not looked up yet"}


class SourceTotals(Struct, frozen=True):
    """Web sources in numbers."""

    sources: dict[str, int]
    """By state: new, same, changed, unchecked or gone."""
    quotes: dict[str, int]
    """Quotes from them by state: new, holds, missing or unchecked."""
    hosts: int
    due: int
    """Sources whose visit is due."""

    @property
    def said_quotes(self) -> str:
        """How the quotes stand, in words."""
        return say_quotes(self.quotes)


class SourceProblem(Struct, frozen=True):
    """A quote that no longer stands on its page, or whose page is gone."""

    id: int
    """Of the page."""
    team: str
    url: str
    state: str
    """`missing` or `gone`."""
    quote: str
    cited_in: str
    """The repository, and the document in it."""
    nearest: str
    """The nearest passage of the page; empty where there is none."""


def say_quotes(states: Mapping[str, int]) -> str:
    """How many quotes are in which state, in the words that every report uses; empty where there are none."""
    return ", ".join(f"{number:,} {_QUOTE_WORDS.get(state, state)}" for state, number in states.items())


def count_sources(store: SharedStore, teams: Iterable[Team], now: int) -> SourceTotals:
    """The web sources of some teams in numbers."""
    sources, quotes = Counter[str](), Counter[str]()
    hosts = due = 0
    for team in teams:
        counts = store.sources.count_all(team, now)
        sources.update(counts.sources)
        quotes.update(counts.quotes)
        hosts += counts.hosts
        due += counts.due
    return SourceTotals(dict(sorted(sources.items())), dict(sorted(quotes.items())), hosts, due)


def list_source_problems(store: SharedStore, teams: Iterable[Team], most: int) -> tuple[SourceProblem, ...]:
    """Quotes that are missing, and pages that are gone, team by team."""
    found: list[SourceProblem] = []
    for team in teams:
        if len(found) < most:
            found += (
                SourceProblem(one.source, team.name, one.url, one.state, one.exact, one.cited_in, one.nearest)
                for one in store.sources.find_problems(team, most - len(found))
            )
    return tuple(found)
