"""Bylines that are not the page's: of comments, other texts, and what no reader sees."""

from __future__ import annotations

from time import process_time

import pytest

from pincite.pages.model import Page
from pincite.pages.read import read_html

URL = "https://paper.example/a"
HEAD = '<meta name="author" content="Jo Doe"><title>Tides of the bay</title>'


def read(body: str, head: str = HEAD) -> Page:
    main = f"<article><h1>Tides of the bay</h1><p>Water comes.</p>{body}</article>"
    html = f"<html><head>{head}</head><body>{main}</body></html>"
    return read_html(html.encode(), "utf-8", URL)


@pytest.mark.parametrize(
    "body",
    [
        "<aside><p>By Jo Doe</p></aside>",
        '<div id="comments"><p>By Jo Doe</p></div>',
        '<ul><li class="comment"><p>By Jo Doe</p></li></ul>',
        '<ol class="comment-list"><li><span class="comment-author">Jo Doe</span></li></ol>',
        "<section><h2>3 Comments</h2><p>By Jo Doe</p></section>",
        '<div itemscope itemtype="https://schema.org/Comment"><span itemprop="author">Jo Doe</span></div>',
        '<div class="related"><p class="byline">By Jo Doe</p></div>',
        "<section><h3>Related articles</h3><p>By Jo Doe</p></section>",
        "<footer><p>By Jo Doe</p></footer>",
        "<article><h2>Other news</h2><p>By Jo Doe</p></article>",
        "<p hidden>By Jo Doe</p>",
        '<p aria-hidden="true" class="byline">By Jo Doe</p>',
        '<p class="visually-hidden">By Jo Doe</p>',
        '<span class="sr-only">By Jo Doe</span>',
        '<p class="d-none">By Jo Doe</p>',
        '<style>.x1{color:red}.x2, p.x3 {display:none}</style><p class="x3">By Jo Doe</p>',
        "<p>By Jo Doe tools we mean those that were made without machines.</p>",
        "<p>By Jo Doe Made tools are cheaper than others.</p>",
    ],
)
def test_what_is_no_byline_of_the_page_verifies_nobody(body: str) -> None:
    page = read(body)
    assert page.author is not None
    assert page.author_confirmed is None


@pytest.mark.parametrize(
    "body",
    [
        "<p>By Jo Doe</p>",
        "<p>By Jo Doe, Staff Writer</p>",
        '<p class="hidden md:block">By Jo Doe</p>',
        '<p><span class="sr-only">Written</span> by Jo Doe</p>',
        "<style>@media print{.x3{display:none}}</style><p class=x3>By Jo Doe</p>",
        "<style>.x3{display:none}@media screen{.x3{display:block}}</style><p class=x3>By Jo Doe</p>",
        '<p class="byline">By Jo Doe</p><div id="comments"><p>By Al Roe</p></div>',
    ],
)
def test_a_byline_that_readers_see_verifies(body: str) -> None:
    page = read(body)
    assert page.author_confirmed is not None
    assert page.author_confirmed.value == "Jo Doe"


@pytest.mark.parametrize(
    "body",
    ['<div class="comments"><p>By Al Roe</p></div>', "<aside><p>By Al Roe</p></aside>", "<p hidden>By Al Roe</p>"],
)
def test_nobody_else_is_taken_for_the_author(body: str) -> None:
    assert read(body, "<title>Tides of the bay</title>").author is None


def test_a_byline_that_names_another_verifies_nobody() -> None:
    page = read('<p>By Al Roe</p><a rel="author" href="/x">Jo Doe</a>')
    assert page.author_confirmed is None


def test_a_day_in_a_comment_is_none_of_publication() -> None:
    page = read('<div id="comments"><p>Published 3 May 2020</p></div>')
    assert page.published is None


def test_what_is_hidden_or_beside_can_be_quoted_all_the_same() -> None:
    page = read("<aside><p>A quote of note.</p></aside><div id=comments><p>Well said.</p></div>")
    assert "A quote of note." in page.texts[0]
    assert "Well said." in page.texts[0]


HOSTILE = {
    "deep": lambda n: "<div class=comment>" * n + "By Jo Doe 3 May 2020",
    "value": lambda n: f'<p class="{"hidden " * n}" datetime="{"2" * n}">By Jo Doe</p>',
    "times": lambda n: "<p>Received <time>3 May 2020</time></p>" * n,
    "years": lambda n: "in 2020 and " * n,
    "dates": lambda n: "<p>" + "3 May 2020 - " * n + "</p>",
    "asides": lambda n: "<aside><p>By Jo Doe</p><p hidden>x</p></aside>" * n,
    "nested": lambda n: "<aside><ul class=comments>" * n,
    "headings": lambda n: "<h2>Related</h2><p>By Jo Doe</p>" * n,
    "rules": lambda n: "<style>" + ".a{display:none}" * n + "</style><p class=a>x</p>",
    "braces": lambda n: "<style>" + "{" * n + "display:none" * n + "</style>",
    "rdfa": lambda n: '<p property="dc:date">3 May 2020</p>' * n,
    "signs": lambda n: "<p>" + "2020 ,./" * n + "</p>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_with_the_page(name: str) -> None:
    def cost(n: int) -> float:
        data = f"<html><head>{HEAD}</head><body><h1>Tides</h1>{HOSTILE[name](n)}</body></html>".encode()
        best = 9.0
        for _ in range(3):
            start = process_time()
            read_html(data, "utf-8", URL)
            best = min(best, process_time() - start)
        return best

    cost(10)
    assert cost(16_000) < 12 * cost(4000) + 0.02
