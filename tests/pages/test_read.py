"""Pages of every sort: their characters, what is missing, and what was made to break us."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import Unreadable
from pincite.pages.model import PageStatement
from pincite.pages.read import from_pdf, read_html, read_plain

URL = "https://example.org/a"


@pytest.mark.parametrize(
    "data, charset",
    [
        ("<p>Zoë".encode(), "utf-8"),
        ("<p>Zoë".encode("latin-1"), "iso-8859-1"),
        ('<meta charset="iso-8859-15"><p>Zoë'.encode("latin-1"), ""),
        ("\ufeff<p>Zoë".encode(), "iso-8859-1"),
        ("<p>Zoë".encode("utf-16"), ""),
        ("<p>Zoë".encode(), "no-such-charset"),
        ("<p>Zoë".encode(), ""),
        ("<p>Zoë".encode("cp1252"), ""),
        ("<p>Zoë".encode(), "\x00"),
    ],
)
def test_the_characters_of_a_page(data: bytes, charset: str) -> None:
    assert read_html(data, charset, URL).texts == ("Zoë",)


@pytest.mark.parametrize(
    "data, charset",
    [
        ("Zoë".encode(), "utf-8"),
        ("Zoë".encode("latin-1"), "latin1"),
        ("Zoë".encode("cp1252"), ""),
        ("Zoë".encode("utf-16"), ""),
        ("\ufeffZoë".encode(), "ascii"),
        ("Zoë".encode(), "punycode"),
        ("Zoë".encode(), "unicode_escape"),
        ("Zoë".encode(), "zlib"),
        ("Zoë".encode(), "no such"),
    ],
)
def test_the_characters_of_a_text(data: bytes, charset: str) -> None:
    assert read_plain(data, charset).texts == ("Zoë",)


def test_a_text_that_states_its_author() -> None:
    page = read_plain(b"# Notes on pipes\n\nAuthor: Jane Doe\nDate: 2026-01-31\n\nA pipe joins two programs.\n", "")
    assert (page.kind, page.title) == ("text", "Notes on pipes")
    assert page.author == PageStatement("Jane Doe", "line of the text")
    assert page.published == PageStatement("2026-01-31", "line of the text")
    assert page.references is None


def test_a_pdf() -> None:
    pages = ("Tidal mixing\nJane Doe and John Roe\nWe measured.", "References\n[1] Able, 2019.\n[2] Baker, 2020.")
    page = from_pdf(pages, "Tidal mixing", "Jane Doe; John Roe", "2024-03-15T10:00:00")
    assert (page.kind, page.texts, page.title) == ("pdf", pages, "Tidal mixing")
    assert page.author == PageStatement("Jane Doe; John Roe", "PDF author")
    assert page.author_confirmed == PageStatement("Jane Doe", "first page")
    assert page.published == PageStatement("2024-03-15", "PDF creation date")
    assert (page.references, page.references_from) == (2, "references section")


def test_a_pdf_that_says_nothing_of_use() -> None:
    page = from_pdf((), "Microsoft Word - draft3.doc", "admin", "")
    assert (page.title, page.author, page.author_confirmed, page.published, page.references) == (
        "",
        None,
        None,
        None,
        None,
    )


def test_without_the_parser_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "turbohtml", None)
    with pytest.raises(Unreadable, match=r"pip install --force-reinstall turbohtml"):
        read_html(b"<p>a", "", URL)


def test_one_place_does_not_confirm_itself() -> None:
    for html in (
        '<meta name="author" content="Jane Doe"><p>Text.',
        '<p class="byline">By Jane Doe</p><p>Text.',
        '<p><a rel="author" href="/">Jane Doe</a></p>',
        '<meta name="author" content="Jane Doe"><p class="byline">By John Roe</p>',
        '<meta name="author" content="Jane Doe"><div id="comments"><p class="byline">By Jane Doe</p></div>',
        '<meta name="author" content="Jane Doe"><p hidden class="byline">By Jane Doe</p>',
        '<meta name="dc.publisher" content="Acme Press"><p>Text.',
        '<script type="application/ld+json">{"@type":"Article","author":{"@type":"Organization","name":"Acme Press"},'
        '"publisher":{"name":"Acme Press"}}</script><p>Text.',
        '<meta name="author" content="Jane Doe"><p>It was Jane Doe who fell.</p>',
        '<meta name="author" content="Jane Doe"><a href="https://elsewhere.example/author/jane-doe">Jane Doe</a>',
    ):
        page = read_html(html.encode(), "utf-8", URL)
        assert page.author is not None
        assert page.author_confirmed is None, html


def test_bylines_that_disagree_name_nobody() -> None:
    html = '<h1>News</h1><p class="byline">By Jane Doe</p><p class="byline">By John Roe</p>'
    assert read_html(html.encode(), "", URL).author is None


_PIECES = {
    "open divs": "<div>",
    "open tables": "<table><tr><td>",
    "open lists": "<ul><li>",
    "formatting": "<b><i>",
    "links": '<a href="https://x{}.example/">x</a>',
    "open links": '<a href="https://x.example/">',
    "metas": '<meta name="author" content="Jane Doe">',
    "blocks": '<script type="application/ld+json">{"@type":"Article"}</script>',
    "classes": '<p class="byline author comments">By Jane Doe</p>',
    "nested classes": '<div class="author comment references">',
    "hidden": "<div hidden>",
    "headings": "<h2>References</h2><ol><li>Able 2019</ol>",
    "nested sections": "<section><h2>References</h2>",
    "raised": '<sup><a href="#n">[1]</a></sup>',
    "quotations": "<q>",
    "captions": "<table><caption>",
    "forms": "<form><fieldset><legend>",
    "times": '<time datetime="2026-01-31">',
    "properties": '<span itemprop="author">Jane Doe',
    "orcid": '<a href="https://orcid.org/0000-0002-1825-0097">',
    "titles": "<svg><title>",
    "nested pictures": "<svg><text>x",
    "nested lists of sources": '<ol class="references"><li>Able 2019',
    "comments": "<!-- x --",
    "attributes": "<p " + "a=1 " * 20 + ">",
    "entities": "&amp;&#0;&#xd800;&bogus;",
    "zeros": "\x00<p>\x00",
    "bylines": "by by by\n",
    "dois": "10.5555/",
    "references": "References\n[1] ",
    "dates": "<p>12.03.2020 - 3 May 2020</p>",
    "days without years": "3 May ",
    "names": "<li><a class=author rel=author href=/author/x>Jane Doe</a>",
    "labels": "<p>Author: A, B, C, D and E and F</p>",
    "little words": "Von Und Mit Der ",
    "lines like the title": "<h1>The quick brown fox</h1><p>The quick brown</p>",
    "scripts": '<script>var x = {"datePublished": "2020-01-01"}</script>',
    "half of a property": '<script>"publishedAt" : ""</script>',
    "broken blocks": '<script type="application/ld+json">{"@type":"Article","datePublished":"2020-01-01",,,]</script>',
}


@pytest.mark.parametrize("name", _PIECES)
def test_time_grows_with_the_page_and_no_faster(name: str, in_proportion: Callable[..., bool]) -> None:
    def read(count: int) -> object:
        head = '<meta name="citation_author" content="Doe, Jane">'
        return read_html((head + _PIECES[name] * count).encode(), "utf-8", URL)

    assert in_proportion(read, 1_000, 6_000, 6)


def test_two_hundred_thousand_open_tags() -> None:
    page = read_html(b"<div>" * 200_000 + b"deep", "utf-8", URL)
    assert page.texts == ("deep",)


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            [*_PIECES.values(), "<p>", "</p>", "</div>", "</table>", "</a>", "</script>", "text ", "<!--", "<"]
        ),
        max_size=40,
    ),
    st.binary(max_size=40),
)
def test_no_page_is_too_broken(pieces: list[str], noise: bytes) -> None:
    page = read_html("".join(pieces).encode() + noise, "", URL)
    assert page.kind == "html"
    for said in (page.author, page.author_confirmed, page.published, page.site):
        if said is not None:
            said.value.encode()
    assert all(0 <= start < end <= len(page.texts[0]) for start, end, _ in page.marks)


@given(st.binary(max_size=300), st.sampled_from(["", "utf-8", "utf-16", "gb18030", "x"]))
def test_any_bytes_are_a_text(data: bytes, charset: str) -> None:
    assert read_plain(data, charset).kind == "text"
