"""The year of a paper from its first page, and never from the date of the file alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.papers.head.year import Year, find_year, latest_cited


@pytest.mark.parametrize(
    ("line", "year"),
    [
        ("arXiv:1706.03762v5 [cs.CL] 6 Dec 2017", "2017"),
        ("arXiv:math/0405482v2 [math.CO] 12 Sep 2004", "2004"),
        ("Copyright 2003 ACM 1-58113-757-5/03/0010 ...$5.00.", "2003"),
        ("© 2010 IEEE", "2010"),
        ("c 2009 Cambridge University Press", "2009"),
        ("SOSP’03, October 19–22, 2003, Bolton Landing, New York, USA.", "2003"),
        ("978-1-4503-0050-6/10/06 ...$10.00", "2010"),
        ("ACM Transactions on Computer Systems, Vol. 3, No. 1, February 1985, Pages 63-75.", "1985"),
        ("Theoretical Computer Science 321 (2004) 5-12", "2004"),
        ("Published: 3 March 2014", "2014"),
        ("March 17, 1993", "1993"),
        ("Proceedings of the 2013 USENIX Annual Technical Conference", "2013"),
    ],
)
def test_a_line_that_tells_the_year(line: str, year: str) -> None:
    assert find_year((f"Green tea\n{line}\nText.",), "") == Year(year, True)


def test_the_issue_decides_over_the_day_online() -> None:
    page = "J. Tea 2021; 17(1): 11-27\nPublished online September 21, 2020\n© 2020 the author"
    assert find_year((page,), "2020-12-01") == Year("2021", True)


@pytest.mark.parametrize(
    ("page", "created"),
    [
        ("Tea", "2014-03-01"),
        ("Received 3 March 2014", ""),
        ("arXiv:math/0405482v2 [math.CO] 12 Sep 2016", ""),
        ("It was launched in June of 2008.", ""),
        ("An earlier version of this paper appeared in 1996.", ""),
        ("Copyright 2003 ACM\nCopyright 2005 IEEE", ""),
        ("Copyright 2014 ACM", "1999-01-01"),
    ],
)
def test_what_is_not_plain_is_not_stated(page: str, created: str) -> None:
    assert not find_year((page,), created).sure


def test_references_later_than_the_year_speak_against_it() -> None:
    pages = ("Copyright 2003 ACM", "References\n[1] A. 2009\n[2] B. 2010\n[3] C. 2010")
    assert not find_year(pages, "").sure


def test_the_file_and_its_references_agree() -> None:
    pages = ("Tea", "References\n[1] A. 2012\n[2] B. 2013\n[3] C. 2014")
    assert find_year(pages, "2014-03-01") == Year("2014", True)
    assert find_year(pages, "2014-12-01") == Year("2014", False)
    assert find_year(pages, "2019-03-01") == Year("", False)


def test_the_name_of_the_file_is_a_witness() -> None:
    assert find_year(("Tea",), "", "1706.03762v5") == Year("2017", True)
    assert find_year(("Tea",), "", "lovelace-2006-tea") == Year("2006", False)
    assert find_year(("Tea",), "2006-05-01", "lovelace-2006-tea").text == "2006"


def test_no_pages_no_year() -> None:
    assert find_year((), "2014-01-01") == Year()


@pytest.mark.parametrize("piece", ["\n", " ", "1. ", "references ", "©", "2003 ", "vol. 1 ", "re f er "])
def test_time_grows_with_the_pages_and_no_faster(piece: str, in_proportion: Callable[..., bool]) -> None:
    def pages(count: int) -> tuple[str, ...]:
        return (piece * count,)

    assert in_proportion(lambda one: (latest_cited(one), find_year(one, "")), pages(4000), pages(32_000), 8)
