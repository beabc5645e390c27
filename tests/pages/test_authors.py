"""What confirms the author of a page, and what only looks as if it did."""

from __future__ import annotations

import json

import pytest

from pincite.pages.authors import is_orcid
from pincite.pages.read import read_html

URL = "https://blog.example/post"
META = '<meta name="author" content="Mira Holt">'


def confirmed(head: str, body: str = "") -> str:
    page = read_html(f"<!doctype html><title>T</title>{head}<body><p>Words.</p>{body}".encode(), "utf-8", URL)
    assert page.author is not None and page.author.value == "Mira Holt"
    return page.author_confirmed.place if page.author_confirmed is not None else ""


def linked(*same_as: str) -> str:
    person = {"@type": "Person", "name": "Mira Holt", "sameAs": list(same_as)}
    return f'<script type="application/ld+json">{json.dumps({"@type": "Article", "author": person})}</script>'


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("https://orcid.org/0000-0002-1825-0097", True),
        ("http://www.orcid.org/0000-0002-1694-233X", True),
        ("0000-0002-1694-233x", True),
        ("https://orcid.org/0000-0000-0000-0000", False),
        ("https://orcid.org/0000-0002-1825-0098", False),
        ("https://orcid.org/0000-0002-1825-00971", False),
        ("https://evil.example/orcid.org/0000-0002-1825-0097", False),
        ("nonsense", False),
        ("", False),
    ],
)
def test_an_orcid_that_somebody_can_have(text: str, valid: bool) -> None:
    assert is_orcid(text) is valid


@pytest.mark.parametrize(
    ("head", "body", "place"),
    [
        (linked("https://social.example/@mira"), "", "JSON-LD sameAs"),
        (linked("https://orcid.org/0000-0002-1825-0097"), "", "ORCID"),
        (linked(URL), "", ""),
        (linked(f"http://www.{URL.removeprefix('https://')}/?a=1#top"), "", ""),
        (linked("https://orcid.org/0000-0000-0000-0000"), "", ""),
        (META, '<p>Mira Holt <a href="https://orcid.org/0000-0002-1825-0097">iD</a></p>', "ORCID"),
        (META, '<p>Mira Holt <a href="https://orcid.org/0000-0002-1825-0090">iD</a></p>', ""),
        (META.replace("author", "citation_author") + '<meta name="citation_author_orcid" content="none">', "", ""),
    ],
)
def test_an_identity_confirms_only_from_elsewhere(head: str, body: str, place: str) -> None:
    assert confirmed(head, body) == place


def authors(body: str, head: str = "", url: str = URL) -> tuple[str, str, str]:
    html = f"<!doctype html><head><title>A title of some words</title>{head}</head><body>{body}</body>"
    page = read_html(html.encode(), "utf-8", url)
    author, other = page.author, page.author_confirmed
    return (
        author.value if author is not None else "",
        author.place if author is not None else "",
        other.place if other is not None else "",
    )


H1 = "<h1>A title of some words</h1>"
SITE = '<meta property="og:site_name" content="Badische Zeitung"><meta name="author" content="Badische Zeitung">'


@pytest.mark.parametrize(
    "line", ["Von Mira Holt", "By Mira Holt", "Par Mira Holt", "Text: Mira Holt", "Door Mira Holt"]
)
def test_a_person_goes_before_the_site(line: str) -> None:
    assert authors(f"{H1}<p>{line}</p><p>Words.</p>", SITE) == ("Mira Holt", "byline in the text", "")
    assert authors(f"{H1}<p>Words.</p>", SITE)[:2] == ("Badische Zeitung", "meta author")


def test_a_line_with_the_date_names_who_wrote() -> None:
    for line in ("Mira Holt · 5 May 2020", "5 May 2020 by Mira Holt", "Posted on 5 May 2020 by Mira Holt in News"):
        assert authors(f"{H1}<p>{line}</p><p>Words.</p>")[:2] == ("Mira Holt", "line with the date")


def test_two_independent_places_verify() -> None:
    assert authors(f"{H1}<p>By Mira Holt</p>", META) == ("Mira Holt", "meta author", "byline")
    assert authors(f'{H1}<p class="author-name">Mira Holt</p>', META) == ("Mira Holt", "meta author", "byline")
    # One hand wrote both.
    assert authors(H1, META + linked()) == ("Mira Holt", "JSON-LD author", "")
    assert authors(f'{H1}<p>By Mira Holt</p><p class="byline">By Mira Holt</p>')[2] == ""


def test_a_byline_goes_before_somebody_whom_no_reader_sees() -> None:
    assert authors(f"{H1}<p>By Ada Quill</p>", META) == ("Ada Quill", "byline in the text", "")


def test_authors_side_by_side_are_read_together() -> None:
    body = f'{H1}<p><a rel="author" href="/a">Mira Holt</a>, <a rel="author" href="/b">Ada Quill</a></p>'
    assert authors(body)[:2] == ("Mira Holt; Ada Quill", "rel=author")


def test_many_authors_are_those_of_other_pages() -> None:
    names = ("Mira Holt", "Ada Quill", "Tom Okafor", "Maria Lindqvist", "Jane Doe")
    words = "What stands in this page, in a few words, so that somebody may want to read it. " * 3
    teasers = "".join(f'<div><p class="author">{name}</p><p>{words}</p></div>' for name in names)
    assert authors(H1 + teasers)[0] == ""


def test_the_name_of_the_site_does_not_verify_who_wrote_an_article() -> None:
    body = {"@type": "Organization", "name": "Badische Zeitung"}
    article = f'<script type="application/ld+json">{json.dumps({"@type": "NewsArticle", "author": body})}</script>'
    assert authors(H1, SITE + article)[2] == ""
    page = article.replace("NewsArticle", "WebPage")
    assert authors(H1, SITE + page) == ("Badische Zeitung", "JSON-LD author", "site name")
    assert authors(f"{H1}<p>By Badische Zeitung</p>", SITE + article)[2] == "byline"


def test_a_first_name_alone_is_not_verified() -> None:
    assert authors(f'{H1}<p class="byline">By Mira</p>', META.replace(" Holt", ""))[2] == ""
