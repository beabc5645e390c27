"""Layers: every place of the key leads back to the character it came from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.quotes.fold import key_of
from pincite.quotes.searchable_text import Layer

PAGES = st.lists(st.text("abC1 .-\nﬁé\u0301“İΣ", max_size=60), min_size=1, max_size=4)


@given(PAGES)
def test_the_way_back(pages: list[str]) -> None:
    layer = Layer(list(enumerate(pages)))
    offsets = [layer.offset(place) for place in range(len(layer.key))]
    assert offsets == sorted(offsets)
    for place, offset in enumerate(offsets):
        own = key_of(layer.text[offset])
        assert layer.key[place] in own
        assert layer.place(offset) <= place < layer.place(offset) + len(own)


@given(PAGES)
def test_pages(pages: list[str]) -> None:
    layer = Layer(list(enumerate(pages)))
    start = 0
    for number, page in enumerate(pages):
        if page:
            assert layer.page_at(start) == layer.page_at(start + len(page) - 1) == number
        start += len(page) + 1


def test_long_lines_lead_back_too() -> None:
    text = "Some words — of a line without end. " * 500
    layer = Layer([(0, text)])
    assert layer.key == key_of(text)
    assert all(
        layer.text[layer.offset(place)].lower() == chr(layer.key[place]) for place in range(0, len(layer.key), 97)
    )


def test_places_are_in_order_and_bounded() -> None:
    layer = Layer([(0, "aaaa " * 100)])
    assert list(layer.places(b"aa", limit=3)) == [0, 1, 2]
    assert list(layer.places(b"")) == []
    assert list(layer.places(b"aa", 10, 13)) == [10, 11]


def test_what_was_left_out_is_known() -> None:
    layer = Layer([(0, "one two"), (1, "three")], [(1, 0, "running head")])
    assert layer.left_out(0, 3) == ()
    assert layer.left_out(4, 12) == ("running head",)
    assert layer.page_end(0) == len(layer.text)


def test_known_keys_are_used() -> None:
    whole = Layer([(0, "One\nTwo"), (1, "Three")])
    part = Layer([(0, "Two"), (1, "Three!")], (), whole.line_keys)
    assert part.key == b"twothree"
