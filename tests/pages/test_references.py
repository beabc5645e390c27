"""How many sources a page refers to, and where they were counted."""

from __future__ import annotations

import pytest

from pincite.pages.read import read_html, read_plain
from pincite.pages.references import count_references


def count(body: str, head: str = "", url: str = "https://blog.example.co.uk/post") -> tuple[int | None, str]:
    page = read_html(f"<!doctype html><head>{head}</head><body>{body}".encode(), "utf-8", url)
    return page.references, page.references_from


LINK = '<a href="https://{}">x</a>'


@pytest.mark.parametrize(
    "body",
    [
        LINK.format("www.example.co.uk/other"),
        '<a href="/local">x</a><a href="#top">y</a><a href="mailto:a@b.example">z</a>',
        f"<nav>{LINK.format('a.org')}</nav><footer>{LINK.format('b.org')}</footer>",
        f"<aside>{LINK.format('a.org')}</aside><header>{LINK.format('b.org')}</header>",
        f'<div class="social-links">{LINK.format("a.org")}</div>',
        f'<div id="comments"><p>{LINK.format("a.org")}</p></div>',
        LINK.format("facebook.com/sharer?u=https://blog.example.co.uk/post"),
        LINK.format("twitter.com/someone"),
        f"<p hidden>{LINK.format('a.org')}</p>",
        '<a href="https://a.org/"></a><a href="https://b.org/"><img src="x.png"></a>',
        '<a rel="nofollow sponsored" href="https://a.org/">Buy</a>',
        LINK.format("news.ycombinator.com/submitlink?t=x"),
        LINK.format("api.whatsapp.com/send?text=x"),
        LINK.format("getpocket.com/save?title=x"),
        "<p>1.2.3 and 10.5/2 and 10.12/ab are no DOIs</p>",
        "<h2>Notes</h2><p>Mind the gap.</p>",
        "<h2>References</h2><p>Coming soon.</p>",
        "<h2>Sources of error</h2><ol><li>In 2019 it was hot.</li></ol>",
    ],
)
def test_what_refers_to_nothing(body: str) -> None:
    assert count(f"<h1>T</h1><p>Text.</p>{body}") == (0, "links")


@pytest.mark.parametrize(
    "body, found",
    [
        (f"<p>{LINK.format('a.org/1')}{LINK.format('a.org/2')}{LINK.format('a.org/2#part')}</p>", (2, "links")),
        (f"<p>{LINK.format('other.co.uk/')}</p>", (1, "links")),
        (
            "<h2>References</h2><ul><li>Able 2019</li><li>Baker 2020</li><li>up</li></ul><h2>More</h2><ul><li>C 2021",
            (2, "references section"),
        ),
        (
            "<section><h2>7. References</h2><p>A. Able, 1999.</p><p>B. Baker, 2001.</p></section>",
            (2, "references section"),
        ),
        (
            '<div class="mw-heading"><h2>Bibliography</h2></div><ol><li>Able 2019<li>Baker 2020<li>C 2021</ol>',
            (3, "references section"),
        ),
        ('<ol class="references"><li>Able 2019<li>Baker 2020</ol>', (2, "references section")),
        ('<div class="csl-bib-body"><div class="csl-entry">Able 2019</div></div>', (1, "references section")),
        (
            '<aside class="footnote">Able 2019</aside><aside class="footnote">Baker 2020</aside>',
            (2, "references section"),
        ),
        ("<p>doi:10.5555/abc.1, https://doi.example/10.5555/ABC.1 and (10.5555/def-2).</p>", (2, "DOIs")),
        ("<pre>9.  References\n\n   [A1]  Able, 1997.\n\n   [B2]  Baker, 1998.\n</pre>", (2, "references section")),
    ],
)
def test_where_sources_are_counted(body: str, found: tuple[int, str]) -> None:
    assert count(f"<h1>T</h1><p>Text.</p>{body}") == found


def test_the_page_is_no_source_of_its_own() -> None:
    head = '<meta name="citation_doi" content="10.5555/own.1">'
    assert count("<h1>T</h1><p>10.5555/own.1</p>", head) == (0, "links")
    assert count("<h1>T</h1><p>10.5555/own.1</p>", url="https://j.example/doi/10.5555/own.1") == (0, "links")


def test_a_name_on_the_whole_page_sets_nothing_apart() -> None:
    body = f'<div class="page with-sidebar"><main><h1>T</h1><p>{LINK.format("a.org")}</p></main></div>'
    assert count(body) == (1, "links")


@pytest.mark.parametrize(
    "text, found",
    [
        ("Nothing is cited here.", (None, "")),
        ("See https://a.example/x and https://b.example/y.", (2, "links")),
        ("Body.\n\nReferences\n\n[1] Able, 2019.\n[2] Baker, 2020.\n[3] Carr.\n", (3, "references section")),
        ("Body.\n\nReferences\n\nAble, A. 2019. Title.\nBaker, B. 2020. Title.\n", (2, "references section")),
        ("Title 10.5555/own\n" + "x" * 5000 + " 10.5555/a and 10.5555/b", (2, "DOIs")),
    ],
)
def test_texts_without_markup(text: str, found: tuple[int | None, str]) -> None:
    assert count_references((text,)) == found
    page = read_plain(text.encode(), "utf-8")
    assert (page.references, page.references_from) == found


def test_one_address_written_in_many_ways_is_one_reference() -> None:
    ways = ("https://a.org", "http://a.org/", "//a.org", "https://A.org/?", "https://a.org/#part")
    links = "".join(f'<a href="{way}">x</a>' for way in ways)
    assert count(f"<h1>T</h1><p>Text. {links}</p>") == (1, "links")
