"""The arithmetic of credibility, and who is a verified author."""

from __future__ import annotations

import itertools
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from pincite.domains.research.credibility import author_verified, has_references, score
from pincite.domains.research.source_kinds import load_table
from pincite.pages.model import Page, PageStatement

TABLE = load_table()
ON = date(2026, 8, 31)
BASES = {
    "https://www.nasa.gov/": 10,
    "https://www.mit.edu/": 10,
    "https://www.w3.org/": 9,
    "https://docs.python.org/": 9,
    "https://www.reuters.com/": 8,
    "https://www.nature.com/": 8,
    "https://www.gartner.com/": 7,
    "https://www.schneier.com/": 7,
    "https://techcrunch.com/": 6,
    "https://en.wikipedia.org/": 5,
    "https://stackoverflow.com/": 3,
    "https://x.com/": 1,
}
AGES = {"2026-08-01": 1, "2025-08-31": 0, "2020-01-01": -1, None: 0}


def page(
    author: bool = True, published: str | None = "2025-12-01", kind: str = "", references: int | None = 3, by: str = ""
) -> Page:
    return Page(
        kind="html",
        texts=("Text.",),
        author=PageStatement("Ada Writer", "meta author") if author else None,
        author_confirmed=PageStatement("Ada Writer", by) if by else None,
        published=PageStatement(published, "meta date") if published else None,
        references=references,
        references_from="links",
        signed_kind=kind,
    )


@pytest.mark.parametrize("url", BASES)
def test_every_combination_is_the_sum_within_bounds(url: str) -> None:
    source = TABLE.find(url)
    for (published, age), verified, cites, named in itertools.product(
        AGES.items(), (True, False, None), (True, False, None), (True, False)
    ):
        found = score(source, page(named, published), verified, cites, ON)
        author = 1 if verified else 0 if named else -1
        total = BASES[url] + age + author + {True: 1, False: -2, None: 0}[cites]
        assert found.score == min(max(total, 1), 10)
        assert added_up(found.lines) == total


def added_up(lines: tuple[str, ...]) -> int:
    """The sum of what the lines say."""
    steps = [line.split(" ")[0] for line in lines[1:] if line[0] in "+−±"]
    return int(lines[0].split(":")[0].removeprefix("base ")) + sum(
        int(step.replace("−", "-").replace("±", "")) for step in steps
    )


@given(
    st.sampled_from([*BASES, "https://example.com/", "https://a.medium.com/"]),
    st.dates(date(1990, 1, 1), date(2030, 1, 1)),
    st.dates(date(1990, 1, 1), date(2030, 1, 1)),
    st.sampled_from([True, False, None]),
    st.sampled_from([True, False, None]),
    st.sampled_from(["technical", "blog", "forum", ""]),
    st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_the_lines_add_up_and_the_score_is_their_sum(
    url: str, on: date, published: date, verified: bool | None, cites: bool | None, kind: str, named: bool
) -> None:
    found = score(TABLE.find(url), page(named, published.isoformat(), kind), verified, cites, on)
    total = added_up(found.lines)
    assert found.score == min(max(total, 1), 10)
    shown = next(line for line in found.lines if line.startswith("= "))
    assert shown.startswith(f"= {found.score}")
    assert (f"({total}, at" in shown) == (total != found.score)


def test_the_arithmetic_is_shown_line_by_line() -> None:
    found = score(TABLE.find("https://docs.python.org/3/"), page(published="2026-08-01"), True, True, ON)
    assert found.lines == (
        "base 9: official documentation (docs.python.org)",
        "+1 younger than 6 months (published 2026-08-01, retrieved 2026-08-31)",
        "+1 verified author",
        "+1 several references",
        "= 10 (12, at most 10)",
    )
    found = score(TABLE.find("https://x.com/a"), page(False, "2019-01-01"), None, False, ON)
    assert found.lines == (
        "base 1: user-generated (x.com)",
        "−1 older than 2 years (published 2019-01-01, retrieved 2026-08-31)",
        "−1 no author",
        "−2 no references",
        "= 1 (-3, at least 1)",
        "warning: older than 2 years, which only a source of 9 or more should be",
    )


def test_what_cannot_be_told_changes_nothing_and_says_so() -> None:
    found = score(TABLE.find("https://www.nasa.gov/"), page(published=None), None, None, ON)
    assert found.lines == (
        "base 10: government (.gov)",
        "±0 publication date unknown",
        "±0 author named, not verified",
        "±0 references: unknown",
        "= 10",
    )
    found = score(TABLE.find("https://example.com/"), None, None, None, ON)
    assert found.score == 1
    assert [line[:2] for line in found.lines] == ["ba", "±0", "±0", "±0", "= "]


@pytest.mark.parametrize(
    ("published", "on", "change"),
    [
        ("2026-03-01", "2026-08-31", 1),
        ("2026-02-28", "2026-08-31", 0),
        ("2026-02-28", "2026-08-28", 0),
        ("2026-03-01", "2026-08-28", 1),
        ("2024-08-31", "2026-08-31", 0),
        ("2024-08-30", "2026-08-31", -1),
        ("2024-02-29", "2026-02-28", 0),
        ("2024-02-28", "2026-02-28", 0),
        ("2024-02-27", "2026-02-28", -1),
        ("2026-09-01", "2026-08-31", 1),
        ("2026-09-02", "2026-08-31", 0),
        ("2999-01-01", "2026-08-31", 0),
        ("9999-12-30", "9999-12-31", 1),
        ("2026-13-01", "2026-08-31", 0),
        ("20260801", "2026-08-31", 0),
        ("2026-W31-1", "2026-08-31", 0),
        ("yesterday", "2026-08-31", 0),
    ],
)
def test_age_is_counted_in_calendar_months_on_the_day_of_retrieval(published: str, on: str, change: int) -> None:
    found = score(TABLE.find("https://techcrunch.com/"), page(published=published), None, None, date.fromisoformat(on))
    assert found.score == 6 + change


@pytest.mark.parametrize("url", ["https://example.com/", "https://someone.github.io/", "https://a.medium.com/b"])
@pytest.mark.parametrize(
    ("kind", "named", "base"),
    [
        ("technical", True, 5),
        ("technical", False, 4),
        ("forum", True, 3),
        ("forum", False, 3),
        ("blog", True, 4),
        ("blog", False, 2),
        ("", True, 4),
        ("", False, 2),
    ],
)
def test_where_the_host_says_nothing_the_page_does(url: str, kind: str, named: bool, base: int) -> None:
    lines = score(TABLE.find(url), page(named, kind=kind), None, None, ON).lines
    assert lines[0].startswith(f"base {base}: ")


@pytest.mark.parametrize(
    ("url", "cites", "warned"),
    [
        ("https://www.w3.org/", True, False),
        ("https://www.w3.org/", False, True),
        ("https://techcrunch.com/", True, True),
    ],
)
def test_an_old_page_needs_a_high_score(url: str, cites: bool, warned: bool) -> None:
    lines = score(TABLE.find(url), page(published="2015-01-01"), True, cites, ON).lines
    assert lines[-1].startswith("warning: ") == warned


def plain_page(kind: str, **more: object) -> Page:
    return Page(kind=kind, texts=("Text.",), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "seen", "attested", "verified", "author", "reason"),
    [
        ("https://docs.python.org/", None, "", True, "Python Software Foundation", "stands behind docs.python.org"),
        ("https://www.nasa.gov/", page(False), "", True, "nasa.gov", "only government bodies get"),
        ("https://www.mit.edu/", page(), "", True, "Ada Writer", "only educational institutions get"),
        ("https://example.com/", page(by="byline"), "", True, "Ada Writer", "confirmed by byline"),
        ("https://example.com/", page(), "", None, "Ada Writer", "nothing else on the page confirms it"),
        ("https://example.com/", page(False), "", False, "", "names no author"),
        ("https://example.com/", None, "", None, "", "not read"),
        ("https://example.com/", plain_page("text"), "", None, "", "plain text"),
        ("https://example.com/", plain_page("pdf"), "", None, "", "pdf"),
        ("https://example.com/", plain_page("html", needs_script=True), "", None, "", "script"),
        ("https://en.wikipedia.org/", page(False), "", False, "", "names no author"),
        ("https://x.com/", page(False), "Bo, attested by Cy on 2026-01-02", True, "Bo", "attested by Cy on 2026-01-02"),
        ("https://x.com/", None, "Bo, attested by Cy on 2026-01-02", True, "Bo", "attested by Cy"),
    ],
)
def test_who_is_a_verified_author(
    url: str, seen: Page | None, attested: str, verified: bool | None, author: str, reason: str
) -> None:
    found, why, who = author_verified(TABLE.find(url), seen, attested)
    assert (found, who) == (verified, author)
    assert reason in why


@pytest.mark.parametrize(
    ("number", "where", "expected"),
    [
        (None, "", None),
        (0, "links", False),
        (1, "links in the main text", False),
        (1, "", False),
        (2, "links in the main text", True),
        (1, "references section", True),
        (1, "citation_reference", True),
        (1, "DOIs", True),
        (40, "references section", True),
        (-1, "links", False),
    ],
)
def test_references_are_several_links_or_a_list_of_them(number: int | None, where: str, expected: bool | None) -> None:
    found, why = has_references(plain_page("html", references=number, references_from=where))
    assert found is expected
    assert why


def test_references_of_a_page_that_was_not_read_are_not_known() -> None:
    assert has_references(None) == (None, "the page was not read")


@pytest.mark.parametrize(
    ("published", "other", "change", "line"),
    [
        ("2026-08-01", "2026-07-01", 1, "younger than 6 months"),
        ("2026-08-01", "2025-07-01", 0, "publication date unsure: two say so"),
        ("2020-01-01", "2019-01-01", -1, "older than 2 years"),
        ("2020-01-01", "2026-08-01", 0, "publication date unsure: two say so"),
        ("2026-08-01", "", 0, "publication date unsure: two say so"),
        ("2020-01-01", "", -1, "older than 2 years"),
    ],
)
def test_an_unsure_date_counts_where_both_days_come_to_the_same(
    published: str, other: str, change: int, line: str
) -> None:
    seen = structs.replace(page(published=published), date_unsure="two say so", date_other=other)
    lines = score(TABLE.find("https://www.nature.com/"), seen, None, None, ON).lines
    assert lines[1].startswith({1: "+1", 0: "±0", -1: "−1"}[change] + f" {line}")
