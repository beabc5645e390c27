"""Quotes on pages: word for word, nearly, or not there, and what became of the page since."""

from __future__ import annotations

import os
import re
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pincite.core.web import FetchFailure
from pincite.domains.research.page_fetching import KnownPage, PageReader
from pincite.domains.research.quote_lookup import QuoteFinder, QuoteOnPage, _as_it_is
from pincite.pages.model import Page
from pincite.quotes.lookup import QuoteSource
from pincite.store.warc import PageSnapshot

EXAMPLES = int(os.environ.get("PINCITE_EXAMPLES", "60"))
TEXT = "The journal – a “write-ahead” log – supports gzip, zstd and lz4. It is cheap.\nRe\u00adcovery took 3.2 seconds."
FINDER = QuoteFinder(PageReader(1 << 20))


def look(quote: str, *texts: str, kind: str = "text") -> QuoteOnPage:
    return FINDER.look(Page(kind, texts or (TEXT,)), quote)


def test_the_exact_words() -> None:
    found = look("supports gzip, zstd and lz4.")
    assert (found.found, found.verbatim, found.folded, found.edits) == (True, True, (), ())


@pytest.mark.parametrize(
    ("quote", "folded"),
    [
        ('a "write-ahead" log', "typographic quote"),
        ("The journal - a “write-ahead” log", "dash"),
        ("Recovery took 3.2 seconds.", "invisible character"),
        ("supports gzip,\n  zstd and lz4.", "white space"),
    ],
)
def test_folding_is_recorded(quote: str, folded: str) -> None:
    found = look(quote)
    assert (found.found, found.verbatim) == (True, True)
    assert any(folded in name for name in found.folded), found.folded
    assert all(name in found.reason for name in found.folded)


@pytest.mark.parametrize(
    ("quote", "there", "said"),
    [
        ("supports gzip, zstd and lz5.", "lz4", "lz5"),
        ("Recovery took 2.3 seconds.", "3.2", "2.3"),
        ("the Journal supports gzip, zstd and lz4.", "", ""),
        ("supports gzip, zstd and never lz4.", "", "never"),
        ("supports gzip and lz4.", "zstd", ""),
    ],
)
def test_a_near_miss_shows_the_passage_and_its_edits(quote: str, there: str, said: str) -> None:
    found = look(quote)
    assert (found.found, found.verbatim) == (True, False)
    assert found.nearest and found.edits
    assert all(word in " ".join(found.edits) for word in (there, said)), found.edits
    assert found.edits[0] in found.reason


def test_case_is_not_folded() -> None:
    assert not look("THE JOURNAL – a “write-ahead” log – supports gzip").verbatim
    assert not look("it is cheap.").verbatim


@pytest.mark.parametrize(
    "quote", ["The journal … supports gzip, zstd and lz4.", "The journal [of it] supports gzip, zstd"]
)
def test_what_declares_that_it_departs_is_not_verbatim(quote: str) -> None:
    found = look(quote, "The journal of changes supports gzip, zstd and lz4.")
    assert found.verbatim is False
    assert "verbatim" in found.reason


@pytest.mark.parametrize("quote", ["Salmon climb the weir in autumn and nobody knows why.", "…", "—", "“”"])
def test_what_is_not_there(quote: str) -> None:
    found = look(quote)
    assert (found.found, found.verbatim, found.page) == (False, False, 0)
    assert found.reason


def test_pieces_from_two_places_are_no_quote() -> None:
    far = "Nothing else is of any interest to anyone here. " * 40
    one, other = "The first half of the sentence stands here alone", "and the second half of it stands over there."
    found = look(f"{one} {other}", f"{one}. {far} Now {other}")
    assert (found.verbatim, found.found) == (False, False)


def test_part_of_a_word_is_no_quote() -> None:
    assert not look("over took", "The recover took long.").verbatim
    assert not look("art of it", "a part of it").verbatim
    assert not look("took 3", "It took 3.2 seconds").verbatim


def test_the_page_of_a_pdf() -> None:
    texts = ("Nothing.", "Here are the words that we want.", "Nothing.")
    assert look("the words that we want.", *texts, kind="pdf").page == 2
    assert look("the words that we want.", *texts).page == 0
    assert look("the words that we wanted.", *texts, kind="pdf").page == 2


PROSE = """\
Menu without an end

We found no evidence that Firefox leaks memory. None of this
was tested.

A second paragraph."""


@pytest.mark.parametrize(
    ("quote", "before", "after"),
    [
        ("Firefox leaks memory", "Menu without an end\nWe found no evidence that ", ". None of this was tested.\nA"),
        ("Firefox leaks memory.", "Menu without an end\nWe found no evidence that ", " None of this was tested.\nA"),
        ("None of this was tested.", "that Firefox leaks memory. ", "\nA second paragraph."),
        ("“Firefox leaks memory”", "We found no evidence that ", ". None of this was tested.\n"),
        ("Menu without an end", "", "\nWe found no evidence that Firefox leaks"),
        ("A second paragraph.", "None of this was tested.\n", ""),
    ],
)
@pytest.mark.parametrize("kind", ["text", "html"])
def test_what_stands_around_a_quote(quote: str, before: str, after: str, kind: str) -> None:
    text = PROSE if kind == "text" else PROSE.replace("this\n", "this ")
    found = look(quote, text, kind=kind)
    assert found.verbatim and found.before.endswith(before) and found.after.startswith(after)
    assert bool(found.before) == bool(before) and bool(found.after) == bool(after)
    assert len(found.before) <= 600 and len(found.after) <= 600


def test_a_line_of_html_is_a_block_and_one_of_plain_text_is_not() -> None:
    text = "The following is false:\nFirefox leaks memory.\nSo does Chrome."
    html, plain = (look("Firefox leaks memory.", text, kind=kind) for kind in ("html", "text"))
    assert (html.before, html.after) == ("The following is false:\n", "\nSo does Chrome.")
    assert (plain.before, plain.after) == ("The following is false: ", " So does Chrome.")


def test_what_stands_around_a_quote_across_pages_and_hyphens() -> None:
    found = look(
        "Firefox leaks memory in a",
        "Nobody has shown that Fire-\nfox leaks mem-",
        "ory in a test. It is fine.",
        kind="pdf",
    )
    assert found.verbatim
    assert (found.before, found.after) == ("Nobody has shown that ", " test. It is fine.")


@pytest.mark.parametrize(
    ("long", "begins"), [("Water is wet. ", "Water is wet. Water"), ("water, water, ", "water, water")]
)
def test_what_stands_around_a_quote_is_cut_at_a_sentence_or_a_word(long: str, begins: str) -> None:
    found = look("It pulls the water.", f"{long * 80}It pulls the water. {long * 80}")
    assert found.before.startswith(begins) and found.before.endswith(long) and 500 < len(found.before) <= 600
    assert found.after.startswith(f" {begins}") and found.after[-1] in ".,"


@pytest.mark.parametrize(
    ("quote", "text", "verbatim"),
    [
        ("What fails Reads are served.", "What fails\n\nReads are served.", False),
        ("What fails\n\nReads are served.", "What fails\n\nReads are served.", True),
        ("What fails Reads are served.", "What fails\n\nReads are served.\n\nWhat fails\nReads are served.", True),
        ("It works. Reads are served.", "It works.\n\nReads are served.", True),
        ("(It works.) Reads are served.", "(It works.)\n\nReads are served.", True),
        ("It offers: reads and writes.", "It offers:\n\nreads and writes.", True),
        ("What fails Reads are served.", "What fails\nReads are served.", True),
    ],
)
def test_blocks_are_not_run_together(quote: str, text: str, verbatim: bool) -> None:
    found = look(quote, text, kind="html")
    assert (found.found, found.verbatim) == (True, verbatim)
    assert verbatim or "“What fails” and “Reads are served”" in found.reason


MARKED = Page(
    "html",
    ("The moon raises two tides[1] a day.[2] It pulls the water.",),
    marks=((25, 28, "reference mark"), (35, 38, "reference mark")),
)


def test_reference_marks_may_be_left_out_and_that_is_recorded() -> None:
    whole = FINDER.look(MARKED, "The moon raises two tides[1] a day.[2]")
    assert (whole.verbatim, whole.folded) == (True, ())
    bare = FINDER.look(MARKED, "The moon raises two tides a day.")
    assert (bare.verbatim, bare.folded) == (True, ("reference mark",))
    assert "after folding reference mark" in bare.reason
    assert FINDER.look(MARKED, "It pulls the water.").before == "The moon raises two tides a day. "
    near = FINDER.look(MARKED, "The moon raises three tides a day.")
    assert (near.found, near.verbatim, near.edits) == (True, False, ("the page has “two”, the quote “three”",))
    assert not FINDER.look(MARKED, "The moon raises two tides[3] a day.").verbatim
    assert not FINDER.look(MARKED, "The moon … two tides a day.").verbatim


_WORDS = st.sampled_from(
    [
        "the",
        "Moon",
        "a\u00ad",
        "re-entry",
        "5",
        "%",
        "-",
        "–",
        "“so”",
        "it's",
        "café",
        "cafe\u0301",
        "ﬁne",
        "end.",
        "no!",
        "x",
    ]
    + [
        "\u200b",
        "[1]",
        "…",
        "(a)",
        "and/or",
        "3.2",
        "e.g.",
        "\u00a0",
        "straße",
        "²",
        "_b",
        "\ufeff",
        "\x85",
        "Ⅷ",
        "m\u2019s",
    ]
)
_GLUE = st.sampled_from([" ", " ", " ", " ", "", "\n", "  ", "\t", "\u00a0", "\u2009", "-\n", "\u00ad\n"])


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and some of its words."""
    parts = draw(st.lists(st.tuples(_WORDS, _GLUE), min_size=1, max_size=14))
    text = "".join(word + glue for word, glue in parts)
    start = draw(st.integers(0, len(text)))
    return text, text[start : draw(st.integers(start, len(text)))]


@settings(max_examples=EXAMPLES * 3, deadline=None)
@given(pages())
@example(("a moon and the end. ", "moon and the end."))
@example(("the e.g. the", "the e.g."))
def test_the_short_way_says_nothing_that_the_long_one_does_not(case: tuple[str, str]) -> None:
    text, quote = case
    short = _as_it_is(quote, Page("text", (text,)))
    if short is not None:
        long = QuoteSource((text,)).look(quote)
        assert long.kind == "verbatim"
        # What the long way tells as folded, it tells of all places together; a last stop it leaves to the sentence.
        sought = r"\s+".join(map(re.escape, quote.split()))
        if len(re.findall(f"(?={sought})", text)) == 1:
            assert long.folded == ()
        there = normalize("NFC", short.passages[0].text)
        assert any(there.startswith(passage.text) for passage in long.passages)


@settings(max_examples=EXAMPLES * 3, deadline=None)
@given(st.text(max_size=60), st.text(max_size=30))
def test_any_text_gives_an_answer(text: str, quote: str) -> None:
    found = look(quote, text)
    assert found.found or not found.verbatim
    assert found.reason


def held(made: Any, *snapshots: PageSnapshot, trouble: FetchFailure | None = None) -> KnownPage:
    return KnownPage(made.TIDES, snapshots, trouble)


def snap(made: Any, body: bytes, at: str, status: int = 200, damaged: str = "") -> PageSnapshot:
    return PageSnapshot(
        made.visit(made.TIDES, body, at, status), f"{at[:10]}.warc.gz", f"sha256:{hash(body)}", damaged, True
    )


QUOTE = "The moon raises two tides a day."


def test_the_newest_snapshot_that_has_the_quote_is_taken(made: Any) -> None:
    page = made.PAGES[made.TIDES]
    new, old = snap(made, page, made.NOW), snap(made, page + b" ", made.THEN)
    place = FINDER.find(held(made, new, old), QUOTE)
    assert (place.snapshot, place.since) == (new, "")


@pytest.mark.parametrize("gone", ["status", "quote", "trouble"])
def test_what_is_gone_now_is_archived(made: Any, gone: str) -> None:
    old = snap(made, made.PAGES[made.TIDES], made.THEN)
    newer = {
        "status": [snap(made, b"", made.NOW, 404)],
        "quote": [snap(made, made.html("On tides", ["The moon raises three tides a day."]), made.NOW)],
        "trouble": [],
    }[gone]
    trouble = FetchFailure("unresolved", "https://tides.example/moon: leads nowhere") if gone == "trouble" else None
    place = FINDER.find(held(made, *newer, old, trouble=trouble), QUOTE)
    assert place.snapshot is old
    assert place.found is not None and place.found.verbatim
    assert {"status": "404 Not Found on 2026-09-01", "quote": "no longer has the quote", "trouble": "nowhere"}[
        gone
    ] in place.since


def test_a_damaged_snapshot_has_no_quote(made: Any) -> None:
    bad = snap(made, made.PAGES[made.TIDES], made.THEN, damaged="its digest does not fit")
    place = FINDER.find(held(made, bad), QUOTE)
    assert (place.found, place.page) == (None, None)
    assert "damaged" in place.trouble and "--refresh" in place.trouble
    both = FINDER.find(held(made, bad, trouble=FetchFailure("timeout", "it took too long")), QUOTE)
    assert "damaged" in both.trouble and "took too long" in both.trouble


def test_a_page_that_needs_script_is_not_searched(made: Any) -> None:
    shell = (
        b'<html><body><div id="root"></div><noscript>Please enable JavaScript.</noscript><script src="a.js"></script>'
    )
    place = FINDER.find(held(made, snap(made, shell, made.THEN)), QUOTE)
    assert place.found is None and place.page is not None and place.page.needs_script
    assert "script" in place.trouble


def test_nothing_known(made: Any) -> None:
    place = FINDER.find(held(made, trouble=FetchFailure("timeout", "it took too long")), QUOTE)
    assert (place.snapshot, place.found, place.trouble) == (None, None, "it took too long")


CHINESE = "结果表明，该方法并不\n能显著提高识别的准确率[3]，平均误差为三点五毫米。"


@pytest.mark.parametrize(
    "quote", ["该方法并不能显著提高识别的准确率", "识别的准确率[3]，平均误差", "识别的准确率, 平均误差为三点五毫米"]
)
def test_quotes_in_scripts_without_spaces_are_found(quote: str) -> None:
    assert look(quote, CHINESE, kind="html").verbatim


@pytest.mark.parametrize(
    "quote", ["能显著提高识别的准确率", "该方法并能显著提高识别的准确率", "平均误差为三点六毫米", "平均误差为三"]
)
def test_altered_quotes_in_scripts_without_spaces_are_not(quote: str) -> None:
    found = look(quote, CHINESE, kind="html")
    assert (found.found, found.verbatim) == (True, False)


def test_blocks_joined_in_a_script_without_spaces_are_told() -> None:
    found = look(
        "第一段的标题写在这里第二段从这里开始说明", "第一段的标题写在这里\n\n第二段从这里开始说明", kind="html"
    )
    assert not found.verbatim and "separate places" in found.reason
    found = look(
        "a heading with a mark and then the text", "a heading with a mark[1]\n\nand then the text", kind="html"
    )
    assert not found.verbatim and "separate places" in found.reason
