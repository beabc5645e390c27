"""Web pages of any kind: what they show and say of themselves, and never an error."""

from __future__ import annotations

import re

import engine

with engine.instrumented():
    from pincite.core.web import Exchange, FetchFailure
    from pincite.pages.body import charset_of, decode_body, media_type
    from pincite.pages.model import Page
    from pincite.pages.read import read_html, read_plain
    from pincite.pages.visible import without_marks

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST = 1_000_000


def law(data: bytes) -> None:
    """Reading never raises; a date is one, marks lie in the text, and nothing grows beyond its bound."""
    for page in (read_html(data, "", "https://a.example/b"), read_plain(data, "utf-8")):
        _sound(page)
    for encoding in ("", "gzip", "deflate", "br, gzip"):
        exchange = Exchange("https://a.example/", 200, "OK", (("Content-Encoding", encoding),), data)
        try:
            body = decode_body(exchange, _MOST)
            assert len(body) <= _MOST
            media_type(exchange, body)
            charset_of(exchange, body)
        except FetchFailure as trouble:
            assert trouble.kind in FetchFailure.KINDS and str(trouble)


def _sound(page: Page) -> None:
    assert page.texts and (page.references is None or page.references >= 0)
    assert page.published is None or _DAY.fullmatch(page.published.value)
    assert page.author_confirmed is None or page.author is not None
    last = 0
    for start, end, kind in page.marks:
        assert last <= start < end <= len(page.texts[0]) and kind
        last = start
    assert sum(map(len, without_marks(page))) <= sum(map(len, page.texts))


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"<title>A page | Site</title><meta name=author content='Jo Doe'>"
            b"<p class=byline>By Jo Doe</p><p>Words.<sup>[1]</sup>",
            b'<script type="application/ld+json">'
            b'{"@graph":[{"@type":"Article","author":[{"name":"J"}],"datePublished":"2026-01-31"}]}</script>',
            b"<h2>References</h2><ol><li><a href=https://b.example/>B</a></ol><del>no</del><q>said</q><ruby>a<rt>b</rt></ruby>",
            b"Title\n\nAuthor: Jo\nDate: 2026-01-31\n\nText. doi:10.1000/182\n",
        ],
        tokens=[
            *("<p>", "</p>", "<div", " hidden", ' style="display:none"', "<meta ", 'property="og:title"', "content="),
            *(
                "<time datetime=",
                "<a rel=author href=",
                "&shy;",
                "&#0;",
                "<![CDATA[",
                "<!--",
                "\\ud800",
                '"@type":',
                "<wbr>",
            ),
        ],
    )
