"""What a reader sees of a page, and what not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.pages.model import Page
from pincite.pages.read import read_html
from pincite.pages.visible import without_marks
from pincite.quotes.lookup import QuoteSource


def see(body: str) -> Page:
    return read_html(f"<!doctype html><title>T</title><body>{body}".encode(), "utf-8", "https://example.org/a")


def words(body: str) -> str:
    return " ".join(see(body).texts[0].split())


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>",
        "<style>x{}</style>",
        "<template>x</template>",
        "<noscript>x</noscript>",
        "<p hidden>x</p>",
        '<div style="color:red; display : none">x</div>',
        '<div style="visibility:hidden!important">x</div>',
        '<div style="display:/* block */none">x</div>',
        f'<div style="/*{"*" * 3000}*/display:none">x</div>',
        "<!-- x -->",
        "<dialog>x</dialog>",
        "<iframe>x</iframe>",
        "<object>x</object>",
        "<video>x</video>",
        "<select><option>x</select>",
        "<svg><title>x</title><desc>x</desc></svg>",
        "<math><annotation>x</annotation></math>",
        "<datalist><option>x</datalist>",
        '<img alt="x">',
        '<input value="x">',
    ],
)
def test_what_is_not_seen_is_not_there(hidden: str) -> None:
    assert words(f"<p>a</p>{hidden}<p>b</p>") == "a b"


@pytest.mark.parametrize("style", ["/*a", "/**", "; display: ", " ;", "*/"])
def test_a_long_style_takes_time_in_proportion(style: str, in_proportion: Callable[..., bool]) -> None:
    assert in_proportion(lambda count: see(f'<p style="{style * count}">x'), 2_000, 16_000, 8)


@pytest.mark.parametrize(
    "body, seen",
    [
        ("<b>w</b>ord exam<wbr>ple", "word example"),
        ("a<br>b", "a b"),
        ("<div>a<div>b</div>c</div>", "a b c"),
        ("<p>a<p>b", "a b"),
        ("<table><caption>cap</caption><tr><th>h<th>i<tr><td>a<td>b</table>", "cap h i a b"),
        ("<table><tr><td>a<p>b</p><ul><li>c<li>d</ul><td>e<br>f</table>", "a b c d e f"),
        ("<ul><li>a<li>b</ul><ol start=3><li>c</ol>", "a b c"),
        ("<dl><dt>a<dd>b</dl>", "a b"),
        ("<pre>a\n  b<br>c</pre>", "a b c"),
        ("&amp; &lt; &eacute; &#8212;", "& < é —"),
        ("<p aria-hidden=true>a</p>", "a"),
        ('<p style="display:block">a</p>', "a"),
        ("<details><summary>a</summary>b</details>", "a b"),
        ('<p hidden="until-found">a</p>', "a"),
        ("<fieldset><legend>a</legend>b</fieldset><center>c</center>d", "a b c d"),
        ("<button>a</button><button>b</button>", "a b"),
        ("<textarea>a</textarea>", "a"),
        ("<svg><text>a</text><text>b</text></svg>", "a b"),
        ("<x-y>a</x-y>b", "ab"),
        ("</body></html><html hidden style='visibility:hidden'><body style='display:none'><p>a", "a"),
        ('<h2>a<a class="headerlink" href="#a">¶</a></h2>', "a"),
        ("H<sub>2</sub>O", "H2O"),
        ("10<sup>3</sup> and 10<sup>-6</sup>", "10³ and 10⁻⁶"),
        ("the 19<sup>th</sup>", "the 19th"),
        ("<dialog open>a</dialog>", "a"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("<q>a</q>", "“a”"),
    ],
)
def test_what_is_seen(body: str, seen: str) -> None:
    assert words(body) == seen


def test_the_title_is_no_text() -> None:
    assert see("<p>a").texts == ("a",)


WIKI = (
    '<p>Most lights are automatic.<sup class="reference" id="r1"><a href="#n1">[1]</a></sup>'
    '<sup class="reference"><a href="#n2">[note 2]</a></sup> A few keepers<sup><a href="#n3">3</a></sup> remain.</p>'
)


@pytest.mark.parametrize(
    "quote",
    [
        "Most lights are automatic.[1][note 2] A few keepers",
        "Most lights are automatic. A few keepers remain.",
        "Most lights are automatic.",
        "A few keepers remain",
    ],
)
def test_a_quote_may_leave_reference_marks_out(quote: str) -> None:
    page = see(WIKI)
    assert any(QuoteSource(texts).verbatim(quote) for texts in (page.texts, without_marks(page)))


@pytest.mark.parametrize(
    "quote", ["Most lights are not automatic.", "A few keepers leave", "Most lights are automatic. A keeper"]
)
def test_leaving_marks_out_changes_no_words(quote: str) -> None:
    page = see(WIKI)
    assert not any(QuoteSource(texts).verbatim(quote) for texts in (page.texts, without_marks(page)))


def test_marks_say_what_they_are_and_where() -> None:
    page = see(WIKI)
    assert [(page.texts[0][start:end], kind) for start, end, kind in page.marks] == [
        ("[1]", "reference mark"),
        ("[note 2]", "reference mark"),
        ("³", "reference mark"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<code>a[1] = 2</code>",
        "<p>x<sup>2</sup></p>",
        '<p>a<sup><a href="#n">must not happen</a></sup></p>',
        '<p>a<span data-pincite-mark="reference-mark">not</span> b<sup>2</sup></p>',
        '<p>a<sup class="reference">never</sup></p>',
    ],
)
def test_what_is_no_mark_stays(body: str) -> None:
    page = see(body)
    assert page.marks == ()
    assert without_marks(page) == page.texts


def test_a_power_is_not_a_longer_number() -> None:
    source = QuoteSource(see("<p>about 10<sup>3</sup> cells were counted</p>").texts)
    assert source.verbatim("about 103 cells were counted") is None
    assert source.verbatim("about 10³ cells were counted") is not None


def test_quotation_marks_of_the_browser_may_be_left_out() -> None:
    page = see("<p>He said <q>go</q> and left.</p>")
    assert QuoteSource(page.texts).verbatim('He said "go" and left.') is not None
    assert QuoteSource(without_marks(page)).verbatim("He said go and left.") is not None
