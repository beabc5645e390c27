"""What is seen of HTML, and where it stands in the source."""

from __future__ import annotations

import sys

import pytest

from pincite.core.errors import Unreadable
from pincite.search.passages.html import outline, read


def seen(text: str) -> str:
    reading = read(text)
    return "\n\n".join(reading.text_between(one.start, one.end) for one in reading.passages)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<p>one<p>two", "one\n\ntwo"),
        ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
        ("a<b>b</b><i>c</i> d", "abc d"),
        ("a<br>b", "a\nb"),
        ("<td>1</td><td>2</td>", "1 2"),
        ("a\n   b\t c ", "a b c"),
        ("a <b> b</b>", "a b"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("&lt;b&gt; &amp; &copy; &#233; &nbsp;x", "<b> & © é \xa0x"),
        ("a<script>no()</script>b<style>no</style>c<!-- no -->d", "abcd"),
        ("<template>no<template>no</template>no</template>yes", "yes"),
        ("<noscript>no</noscript>yes", "yes"),
        ("<title>no</title>yes", "yes"),
        ("<script>no", ""),
        ("<p></p>", ""),
        ("a < b", "a < b"),
        ("a</>b c", "ab c"),
    ],
)
def test_only_what_is_seen(text: str, words: str) -> None:
    assert seen(text) == words


def test_places_behind_an_empty_end_tag_are_right() -> None:
    assert read("a</>b c").pieces == ((0, 1, "a"), (4, 7, "b c"))


def test_headings_and_places() -> None:
    text = "<html><head><title>A &amp;\n B</title></head>\r\n"
    text += "<body><h1 class=x>One <em>and</em> all</h1>\r\n<p>T&eacute;xt</p>\n<h3>Deep</h3>x\n"
    reading = read(text)
    assert reading.title == "A & B"
    assert [(one.headings, one.first, one.last) for one in reading.passages] == [
        (("One and all",), 3, 4),
        (("One and all", "Deep"), 5, 5),
    ]
    first = reading.passages[0]
    assert text[first.start : first.end] == "One <em>and</em> all</h1>\r\n<p>T&eacute;xt"
    assert reading.text_between(first.start, first.end) == "One and all\n\nTéxt"
    assert [(one.level, one.title, text[one.start :][:3]) for one in outline(text)] == [
        (1, "One and all", "One"),
        (3, "Deep", "Dee"),
    ]


def test_part_of_a_piece_is_seen_in_part() -> None:
    reading = read("<p>abc&amp;def</p>")
    assert reading.text_between(4, 6) == "bc"
    assert reading.text_between(4, 13) == "bc&de"
    assert reading.text_between(7, 9) == ""
    assert reading.text_between(0, 18) == "abc&def"


def test_a_heading_that_is_not_closed_ends_where_text_begins() -> None:
    assert [one.title for one in outline("<h1>A<h2>B<p>C")] == ["A", "B"]


def test_empty_headings_are_none() -> None:
    assert outline("<h1></h1><h2> </h2><h3>&nbsp;</h3><h4><img></h4>") == []


def test_without_the_parser_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "turbohtml", None)
    with pytest.raises(Unreadable, match=r"pip install --force-reinstall turbohtml"):
        read("<p>a")
