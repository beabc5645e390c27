"""The parts of names, and scripts without spaces."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search.terms import NamesInOrder, make_searchable, name_parts, parts, title_parts


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("readText", ["read", "Text"]),
        ("ReadText", ["Read", "Text"]),
        ("read_text", ["read", "text"]),
        ("HTTPServer", ["HTTP", "Server"]),
        ("utf8Decoder", ["utf", "8", "Decoder"]),
        ("XMLHttpRequest2", ["XML", "Http", "Request", "2"]),
        ("lamp", ["lamp"]),
        ("größeÄndern", ["größeÄndern"]),
        ("Müller", ["Müller"]),
        ("résumé", ["résumé"]),
        ("MüllerLüdenscheidt", ["Müller", "Lüdenscheidt"]),
        ("日本", ["日本"]),
        ("__init__", ["init"]),
        ("", []),
    ],
)
def test_a_name_falls_apart(name: str, pieces: list[str]) -> None:
    assert parts(name) == pieces


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the utf8Decoder", {"utf 8 Decoder"}),
        ("Müller und résumé", set()),
        ("call readText and HTTPServer", {"read Text", "HTTP Server"}),
        ("read_text only", set()),
        ("Plain words. And ABC", set()),
        ("aB" + "x" * 100, set()),
    ],
)
def test_names_in_a_text(text: str, found: set[str]) -> None:
    seen = name_parts(text.encode())
    assert all(name in seen for name in found) and bool(seen) == bool(found)


def test_a_name_is_noted_once() -> None:
    assert name_parts(b"readText readText readText") == "read Text"


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("plain", "plain"),
        ("é", "é"),
        ("日本語", " 日  本  語 "),
        ("aカb", "a カ b"),
        ("한국", " 한  국 "),
        ("ไทย", " ไ  ท  ย "),
        ("inter\u00ad\nnational", "international"),
        ("soft\u00adhyphen \u00ad x", "softhyphen  x"),
        ("\ufb01nding", "finding"),
    ],
)
def test_words_are_whole_and_scripts_without_spaces_set_apart(text: str, apart: str) -> None:
    assert make_searchable(text) == apart


@given(st.binary(max_size=200))
def test_any_bytes_have_parts(data: bytes) -> None:
    assert isinstance(name_parts(data), str)


@given(st.text(st.characters(exclude_characters="\u00ad\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06"), max_size=200))
def test_nothing_but_space_is_added(text: str) -> None:
    assert make_searchable(text).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("piece", ["\u00ad", "\u00ad ", "\u00ad\n \n"])
def test_hyphens_take_time_in_proportion(piece: str, in_proportion: Callable[..., bool]) -> None:
    assert in_proportion(make_searchable, piece * 10_000, piece * 100_000, 10)


@pytest.mark.parametrize("piece", [b"aB", b"aB ", b"AAa", b"a", b"A ", b"aBcD_"])
def test_time_in_proportion(piece: bytes, in_proportion: Callable[..., bool]) -> None:
    assert in_proportion(name_parts, piece * 20_000, piece * 400_000, 20)


def test_names_of_passages_in_order_are_those_of_each_passage_alone() -> None:
    chance = random.Random(4)
    pieces = ["readText", "HTTPServer", "a1Bcd", "plain", "_", "(", "XMLHttpRequest"]
    for _ in range(300):
        words = ["".join(chance.choices(pieces, k=chance.randrange(5))) for _ in range(chance.randrange(20))]
        data = "\n".join(words).encode()
        cuts = sorted({0, len(data), *(chance.randrange(len(data) + 1) for _ in range(6))})
        # Cuts may fall into a name, and some stretches are left out.
        spans = [(low, high) for low, high in pairwise(cuts) if chance.random() < 0.8]
        names = NamesInOrder(data)
        assert [names.between(low, high) for low, high in spans] == [name_parts(data[low:high]) for low, high in spans]


def test_names_in_headings_are_found_as_in_a_text() -> None:
    titles = ("HTTPServer", "readText and readText", "MüllerLüdenscheidt", "plain")
    assert title_parts(titles) == name_parts("\n".join(titles).encode()) == "HTTP Server read Text Müller Lüdenscheidt"
    assert title_parts(()) == title_parts(("plain",)) == ""
