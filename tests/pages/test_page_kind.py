"""Pages that need a browser to be read, and those that are only short."""

from __future__ import annotations

import pytest

from pincite.pages.model import Page
from pincite.pages.read import read_html


def see(html: str) -> Page:
    return read_html(html.encode(), "utf-8", "https://example.org/")


APP = '<script src="/static/js/main.js"></script>'


@pytest.mark.parametrize(
    "html",
    [
        f'<div id="root"></div>{APP}',
        f'<noscript>You need to enable JavaScript to run this app.</noscript><div id="app"></div>{APP}',
        f"<noscript>JavaScript is required.</noscript><p>Loading…</p>{APP}",
        f"<p>Please turn on JavaScript in your browser and reload the page.</p>{APP}",
        f"<app-root>Loading...</app-root>{APP}",
        "<body></body><script>" + "f(1);" * 6000 + "</script>",
        f'<title>App</title><body><div id="__next"><div class="spinner"></div></div>{APP}<footer>© Example</footer>',
    ],
)
def test_a_page_that_needs_script(html: str) -> None:
    page = see(html)
    assert page.needs_script
    assert page.references is None
    assert page.references_from == ""


PROSE = "<p>" + "The office is closed on public holidays and reopens the next day. " * 8 + "</p>"


@pytest.mark.parametrize(
    "html",
    [
        "<p>Gone fishing.</p>",
        f"<p>Gone fishing.</p>{APP}",
        "",
        '<div id="root"></div>',
        f"<noscript>Please enable JavaScript to see the menu.</noscript>{PROSE}{APP}",
        f'<div id="root">{PROSE}</div>{APP}',
        "<p>Moved.</p><script>" + "track(1);" * 20 + "</script>",
        "<p>How to enable JavaScript in your browser: open the settings.</p>",
    ],
)
def test_a_short_page_is_only_short(html: str) -> None:
    assert not see(html).needs_script


@pytest.mark.parametrize(
    "html, kind",
    [
        ('<meta name="generator" content="phpBB"><p>a', "forum"),
        ('<meta name="generator" content="WordPress 6.1"><p>a', "blog"),
        ('<meta name="generator" content="WordPress 6.1"><pre>a</pre><pre>b</pre>', "technical"),
        ('<meta name="generator" content="Sphinx"><p>a', "technical"),
        ('<div class="topic-post">a</div>', "forum"),
        ("<p>a", ""),
    ],
)
def test_what_a_page_looks_like(html: str, kind: str) -> None:
    assert see(html).signed_kind == kind
