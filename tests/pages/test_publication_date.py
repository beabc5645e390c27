"""When a page was published: which place is believed, what is unsure, and what is only a change."""

from __future__ import annotations

import json

import pytest

from pincite.pages.model import Page
from pincite.pages.read import read_html

URL = "https://blog.example/post"
TITLE = "A title of some words"


def read(body: str = "", head: str = "", url: str = URL, lang: str = "en", changed: str = "") -> Page:
    html = f'<!doctype html><html lang="{lang}"><head><title>{TITLE}</title>{head}</head><body>{body}</body></html>'
    return read_html(html.encode(), "utf-8", url, changed)


def said(page: Page) -> tuple[str, str]:
    return (page.published.value, page.published.place) if page.published is not None else ("", "")


def linked(**values: object) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@type": "Article", **values})}</script>'


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "March 5, 2020"),
        ("en-GB", "05/03/2020"),
        ("en-US", "03/05/2020"),
        ("de", "Veröffentlicht am 05.03.2020 um 10:15 Uhr"),
        ("de", "Von Jo Doe | 5. März 2020"),
        ("fr", "Publié le 5 mars 2020 à 10h15"),
        ("es", "5 de marzo de 2020"),
        ("it", "Pubblicato il 5 marzo 2020"),
        ("nl", "5 maart 2020 door Jo Doe"),
        ("pt", "05/03/2020 10h15"),
        ("pl", "opublikowano 5 marca 2020"),
        ("ru", "5 марта 2020, 10:15"),
        ("tr", "Yayınlanma: 5 Mart 2020"),
        ("zh", "2020年3月5日 10:15"),
        ("ja", "公開日：2020年3月5日"),
        ("ko", "입력 2020. 3. 5. 10:15"),
    ],
)
def test_the_date_beside_the_title_is_read_in_many_languages(lang: str, line: str) -> None:
    assert said(read(f"<h1>{TITLE}</h1><p>{line}</p><p>Text.</p>", lang=lang)) == ("2020-03-05", "beside the title")


@pytest.mark.parametrize(
    "line",
    [
        "03/05/2020",
        "The workshop is on 6. - 7. März 2020, and everybody who wants to come is asked to write to us before long.",
        "Updated March 5, 2020",
        "© 2020",
        "Copyright March 5, 2020",
        "Retrieved March 5, 2020",
    ],
)
def test_what_is_no_date_of_publication_is_none(line: str) -> None:
    day, place = said(read(f"<h1>{TITLE}</h1><p>{line}</p><p>Text.</p>"))
    assert not day or place.endswith("(last change)") or place == "text"


def test_numbers_are_read_in_the_order_that_other_dates_of_the_page_show() -> None:
    body = f"<h1>{TITLE}</h1><p>03/04/2020</p><p>It began on 25/12/2019.</p>"
    assert said(read(body))[0] == "2020-04-03"


@pytest.mark.parametrize(
    "url",
    [
        "https://blog.example/2020/03/05/post",
        "https://blog.example/2020/mar/05/post",
        "https://blog.example/post-2020-03-05.html",
        "https://blog.example/news/20200305/post",
    ],
)
def test_the_address_has_the_day(url: str) -> None:
    assert said(read(url=url)) == ("2020-03-05", "address")
    assert said(read(url="https://blog.example/2020/03/post")) == ("", "")


def test_two_places_that_disagree_are_unsure() -> None:
    meta = '<meta property="article:published_time" content="2020-03-05">'
    page = read(head=linked(datePublished="2020-01-01") + meta)
    assert said(page) == ("2020-01-01", "JSON-LD datePublished")
    assert page.date_unsure == "JSON-LD datePublished says 2020-01-01, meta article:published_time says 2020-03-05"
    assert page.date_other == "2020-03-05"
    page = read(head=linked(datePublished="2020-03-04") + meta)
    assert (page.date_unsure, page.date_other) == ("", "")


def test_of_a_moment_the_day_that_readers_see() -> None:
    head = linked(datePublished="2023-11-09T01:30:00Z")
    assert said(read(head=head, url="https://news.example/2023/11/08/x"))[0] == "2023-11-08"
    assert said(read(f"<h1>{TITLE}</h1><p>November 8, 2023</p>", head=head))[0] == "2023-11-08"
    assert said(read(head=head))[0] == "2023-11-09"


def test_the_only_date_of_a_text_is_a_guess_and_says_so() -> None:
    page = read("<p>We met on 5 March 2020 and talked for a long time about everything that there is to say.</p>")
    assert said(page) == ("2020-03-05", "text")
    assert "only date in the text" in page.date_unsure


def test_vague_tags_come_after_what_readers_see() -> None:
    page = read(f"<h1>{TITLE}</h1><p>5 March 2020</p>", head='<meta name="date" content="2021-01-01">')
    assert said(page)[0] == "2020-03-05"
    assert page.date_other == "2021-01-01"
    assert said(read(head='<meta name="date" content="2021-01-01">')) == ("2021-01-01", "meta date")


def test_changes_are_not_publications() -> None:
    assert said(read("<p>Last updated: 5 March 2020</p>")) == ("2020-03-05", "text (last change)")
    sent = "Thu, 05 Mar 2020 10:00:00 GMT"
    assert said(read(changed=sent)) == ("2020-03-05", "Last-Modified (last change)")
    assert said(read(f"<h1>{TITLE}</h1><p>1 March 2020</p>", changed=sent))[0] == "2020-03-01"
    assert read(changed=sent).changed_last


@pytest.mark.parametrize(
    "block",
    [
        '{"@type":"Article","datePublished":"2020-03-05",}',
        '{"@type":"Article","datePublished":"2020-03-05"};',
        '{"@type":"Article","datePublished":"2020-03-05"} {"@type":"Person"}',
        '{"@type":"NewsArticle","headline":"He said "no"","datePublished":"2020-03-05"}',
        '{"@graph":[[{"@graph":[{"@type":"Article","datePublished":"2020-03-05"}]}]]}',
        '[{"@type":"WebPage","mainEntity":{"@type":"Article","datePublished":"2020-03-05"}}]',
    ],
)
def test_broken_and_nested_blocks_are_read(block: str) -> None:
    page = read(head=f'<script type="application/ld+json">{block}</script>')
    assert said(page) == ("2020-03-05", "JSON-LD datePublished")


def test_a_broken_block_with_two_dates_says_nothing() -> None:
    block = '{"@type":"Article" "datePublished":"2020-03-05"},{"datePublished":"2020-03-06"}'
    assert said(read(head=f'<script type="application/ld+json">{block}</script>')) == ("", "")


def test_other_scripts_tell_where_the_head_does_not() -> None:
    script = '<script>window.state = {"publishedAt": "2020-03-05T10:00:00Z", "n": 1}</script>'
    assert said(read(head=script)) == ("2020-03-05", "script")
    assert said(read(head=script + script.replace("2020", "2021"))) == ("", "")


def test_of_several_times_the_one_beside_the_title() -> None:
    teasers = "".join(f'<p><time datetime="2019-0{at}-01">x</time></p>' for at in range(1, 5))
    body = f'<main><div><h1>{TITLE}</h1><time datetime="2020-03-05">today</time></div>{teasers}</main>'
    assert said(read(body)) == ("2020-03-05", "time")
