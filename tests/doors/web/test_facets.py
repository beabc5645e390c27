"""Citations are chosen by what they have in common; the counts say what another choice would give."""

from __future__ import annotations

import pytest

from pincite.doors.web.facets import Facet, RowFilter, RowSelection, is_inside, select_rows
from pincite.doors.web.records import CitationRow


def make_row(id: str, document: str = "docs/a.md", outcome: str = "holds", **fields: object) -> CitationRow:
    given = {
        "line": 1,
        "column": 1,
        "raw": f"raw {id}",
        "shown": id,
        "severity": "",
        "checks": (),
        "message": "",
        "dialect": "path",
        "scheme": "file",
        "source": "src/a.py",
        "fixable": False,
        "accepted": "",
        "fingerprints": (),
    }
    return CitationRow(id=id, document=document, outcome=outcome, **{**given, **fields})


ROWS = [
    make_row("1"),
    make_row("2", "docs/a.md", "missing", checks=("file-not-found", "other"), message="File not found: X", source="x"),
    make_row("3", "docs/guide/b.md", "missing", checks=("file-not-found",), dialect="bracket", source="x"),
    make_row("4", "top.md", "moved", checks=("lines-moved",), scheme="ref", source="Smith2020"),
    make_row("5", "docs2/c.md", source="", scheme=""),
]
AUTHORS = {"1": "Ada", "2": "Grace", "3": "Ada", "4": "Ada"}


def select(authors: dict[str, str] | None = None, news: frozenset[str] = frozenset(), **wanted: object) -> RowSelection:
    return select_rows(ROWS, RowFilter(**wanted), news, authors)


def ids(selection: RowSelection) -> list[str]:
    return [row.id for row in selection.rows]


def counts(selection: RowSelection, name: str) -> dict[str, int]:
    facet: Facet = next(one for one in selection.facets if one.name == name)
    return {one.value: one.count for one in facet.values}


def test_without_a_choice_everything_is_counted() -> None:
    found = select()
    assert ids(found) == ["1", "2", "3", "4", "5"]
    assert counts(found, "outcome") == {"holds": 2, "missing": 2, "moved": 1}
    assert counts(found, "folder") == {"docs": 3, ".": 1, "docs2": 1}
    assert counts(found, "source") == {"src/a.py": 1, "x": 2, "Smith2020": 1}


def test_choices_combine_and_each_facet_counts_what_the_others_leave() -> None:
    found = select(outcome="missing", dialect="path")
    assert ids(found) == ["2"]
    assert counts(found, "outcome") == {"holds": 2, "missing": 1, "moved": 1}
    assert counts(found, "dialect") == {"path": 1, "bracket": 1}
    assert counts(found, "check") == {"file-not-found": 1, "other": 1}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"q": "DOCS/GUIDE"}, ["3"]),
        ({"q": "raw 4"}, ["4"]),
        ({"q": "file not found: x"}, ["2"]),
        ({"q": "nowhere"}, []),
        ({"q": ".*"}, []),
        ({"check": "other"}, ["2"]),
        ({"check": "othe"}, []),
        ({"scheme": "ref"}, ["4"]),
        ({"source": "x", "folder": "docs/guide"}, ["3"]),
        ({"outcome": "no such"}, []),
        ({"outcome": "missing' or 1=1"}, []),
        ({"new": 1}, ["2", "5"]),
        ({"new": 1, "outcome": "holds"}, ["5"]),
    ],
)
def test_only_what_fits_is_left(wanted: dict[str, object], expected: list[str]) -> None:
    assert ids(select(news=frozenset({"2", "5", "gone"}), **wanted)) == expected


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("docs", ["1", "2", "3"]),
        ("docs/.", ["1", "2"]),
        (".", ["4"]),
        ("doc", []),
        ("docs/", []),
        ("..", []),
        ("docs/guide/b.md", []),
        ("/docs", []),
    ],
)
def test_a_folder_takes_in_what_lies_below_it(folder: str, expected: list[str]) -> None:
    assert ids(select(folder=folder)) == expected


def test_a_chosen_folder_shows_those_inside_it() -> None:
    assert counts(select(folder="docs"), "folder") == {"docs/.": 2, "docs/guide": 1}
    assert counts(select(folder="docs/."), "folder") == {"docs/.": 2}


def test_a_folder_whose_name_ends_in_a_dot_is_a_folder() -> None:
    assert is_inside("a./b.md", "a.") and is_inside("a./c/b.md", "a.") and not is_inside("a./c/b.md", "a./.")


def test_authors_are_a_facet_once_they_are_known() -> None:
    assert "author" not in [facet.name for facet in select(author="Ada").facets]
    found = select(AUTHORS, author="Ada", outcome="missing")
    assert ids(found) == ["3"]
    assert counts(found, "author") == {"Ada": 1, "Grace": 1}


def test_a_chosen_value_that_nothing_has_stays_visible_to_be_removed() -> None:
    facet = next(one for one in select(check="gone").facets if one.name == "check")
    assert [(one.value, one.count) for one in facet.values if one.is_chosen] == [("gone", 0)]


def test_rare_values_are_left_out_and_counted() -> None:
    rows = [make_row(str(at), source=f"s{at:03}") for at in range(100)]
    facet = next(one for one in select_rows(rows, RowFilter(), (), None).facets if one.name == "source")
    assert len(facet.values) == 30 and facet.left_out == 70
