"""Citations chosen by what they have in common, and how many there are of each kind."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from .records import CitationRow

_MOST_VALUES = 30
"""Values of a facet that a page lists, the most frequent first."""
FACETS = {
    "outcome": "Outcome",
    "check": "Check",
    "dialect": "Dialect",
    "folder": "Folder",
    "scheme": "Kind of source",
    "source": "Source",
    "author": "Author",
}
"""The facets by the field of the query, with what pages call them."""
HERE = "."
"""In place of a folder: documents that lie in no further one."""


class FacetValue(Struct, frozen=True):
    """One value, and the citations that have it."""

    value: str
    """What the field of the query takes."""
    label: str
    count: int
    """Of the citations that all other choices leave."""
    is_chosen: bool


class Facet(Struct, frozen=True):
    """What citations differ by."""

    name: str
    """The field of the query."""
    title: str
    values: tuple[FacetValue, ...]
    left_out: int
    """Values that are not listed because they are rarer."""


class RowFilter(Struct, frozen=True):
    """Which citations are wanted; an empty field wants all."""

    q: str = ""
    """Text in the document's path, the citation or the message; case does not count."""
    outcome: str = ""
    check: str = ""
    dialect: str = ""
    folder: str = ""
    """A folder with everything below it; `.` at its end means the documents that lie in it directly."""
    scheme: str = ""
    source: str = ""
    """The path, address or key of what is cited."""
    author: str = ""
    """Who wrote the citing line, by git's history."""
    new: int = 0
    """1 for what is new alone."""


class RowSelection(NamedTuple):
    """What a filter leaves."""

    rows: Sequence[CitationRow]
    facets: tuple[Facet, ...]


def select_rows(
    rows: Sequence[CitationRow], wanted: RowFilter, news: Collection[str], authors: Mapping[str, str] | None
) -> RowSelection:
    """The rows that fit, and all facets with the counts that choosing another value would give.

    `news` are the ids of what is new, `authors` the authors by id; None where they are not known.
    """
    base = _narrow(rows, wanted, news)
    tests = _make_tests(wanted, authors)
    chosen = _apply(base, tests.values())
    facets = []
    for name in FACETS:
        if name == "author" and authors is None:
            continue
        left = chosen if name not in tests else _apply(base, [test for one, test in tests.items() if one != name])
        counts = _count_values(name, left, wanted, authors or {})
        facets.append(_make_facet(name, counts, getattr(wanted, name)))
    return RowSelection(chosen, tuple(facets))


def is_inside(document: str, folder: str) -> bool:
    """Whether a document lies in a folder as the filter names it."""
    above = document.rpartition("/")[0]
    if _is_direct(folder):
        return above == folder.rpartition("/")[0]
    return not folder or f"{above}/".startswith(f"{folder}/")


def _narrow(rows: Sequence[CitationRow], wanted: RowFilter, news: Collection[str]) -> Sequence[CitationRow]:
    """The rows that fit what is no facet to switch between: search, folder, news."""
    if wanted.folder:
        fitting = {name for name in {row.document for row in rows} if is_inside(name, wanted.folder)}
        rows = [row for row in rows if row.document in fitting]
    if wanted.new:
        rows = [row for row in rows if row.id in news]
    words = wanted.q.casefold()
    if words:
        rows = [
            row
            for row in rows
            if words in row.document.casefold() or words in row.raw.casefold() or words in row.message.casefold()
        ]
    return rows


def _make_tests(wanted: RowFilter, authors: Mapping[str, str] | None) -> dict[str, Callable[[CitationRow], bool]]:
    """What a row must fulfil, by facet; the folder is looked at before."""
    known = authors or {}
    tests: dict[str, Callable[[CitationRow], bool]] = {}
    if wanted.outcome:
        tests["outcome"] = lambda row: row.outcome == wanted.outcome
    if wanted.check:
        tests["check"] = lambda row: wanted.check in row.checks
    if wanted.dialect:
        tests["dialect"] = lambda row: row.dialect == wanted.dialect
    if wanted.scheme:
        tests["scheme"] = lambda row: row.scheme == wanted.scheme
    if wanted.source:
        tests["source"] = lambda row: row.source == wanted.source
    if wanted.author and authors is not None:
        tests["author"] = lambda row: known.get(row.id) == wanted.author
    return tests


def _apply(rows: Sequence[CitationRow], tests: Iterable[Callable[[CitationRow], bool]]) -> Sequence[CitationRow]:
    for test in tests:
        rows = [row for row in rows if test(row)]
    return rows


def _count_values(
    name: str, rows: Sequence[CitationRow], wanted: RowFilter, authors: Mapping[str, str]
) -> Counter[str]:
    if name == "outcome":
        return Counter(row.outcome for row in rows)
    if name == "check":
        return Counter(chain.from_iterable(row.checks for row in rows))
    if name == "dialect":
        return Counter(row.dialect for row in rows)
    if name == "scheme":
        return Counter(row.scheme for row in rows if row.scheme)
    if name == "source":
        return Counter(row.source for row in rows if row.source)
    if name == "author":
        return Counter(authors[row.id] for row in rows if row.id in authors)
    return _count_folders(Counter(row.document for row in rows), wanted.folder)


def _count_folders(documents: Counter[str], folder: str) -> Counter[str]:
    """The folders directly below the chosen one."""
    if _is_direct(folder):
        return Counter({folder: documents.total()} if documents else {})
    below = f"{folder}/" if folder else ""
    found: Counter[str] = Counter()
    for document, count in documents.items():
        first, slash, _ = document[len(below) :].partition("/")
        found[below + (first if slash else HERE)] += count
    return found


def _make_facet(name: str, counts: Counter[str], chosen: str) -> Facet:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    listed = ordered[:_MOST_VALUES]
    if chosen and chosen not in (value for value, _ in listed) and name != "folder":
        listed.append((chosen, counts[chosen]))
    values = tuple(FacetValue(value, _label(name, value), count, value == chosen) for value, count in listed)
    return Facet(name, FACETS[name], values, max(0, len(ordered) - len(listed)))


def _label(name: str, value: str) -> str:
    if name == "folder" and _is_direct(value):
        return "(no further folder)" if "/" in value else "(top folder)"
    return value


def _is_direct(folder: str) -> bool:
    """Whether only what lies in a folder directly is meant."""
    return folder.rpartition("/")[2] == HERE
