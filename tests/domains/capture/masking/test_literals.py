"""All literals in one pass: the same as a search for each of them, whichever library makes it."""

from __future__ import annotations

import random

import pytest

from pincite.domains.capture.masking import Masker, literals
from pincite.domains.capture.masking.credential import build_automaton
from pincite.domains.capture.masking.literals import LiteralHits, LiteralSearch
from pincite.domains.capture.masking.search import SecretSearch

GROUPS = [[b"word is", b"word ", b"word"], [b"abab", b"ba", b"bab"], [b"word ", b"d i"]]


def texts() -> list[bytes]:
    chance = random.Random(3)
    pieces = [b"word", b" ", b"is", b"ab", b"a", b"b", b"\n", b"d", b"i"]
    return [b"".join(chance.choices(pieces, k=chance.randrange(40))) for _ in range(500)]


def test_places_that_do_not_overlap_are_those_of_a_search_for_the_group_alone() -> None:
    search = LiteralSearch(GROUPS)
    alone = [build_automaton(group) for group in GROUPS]
    for text in texts():
        hits = search.find(text)
        assert [hits.apart(at) for at in range(3)] == [one.find_matches_as_indexes(text) for one in alone]


def test_every_place_is_found_also_those_that_overlap() -> None:
    search = LiteralSearch(GROUPS)
    for text in texts():
        hits = search.find(text)
        for at, group in enumerate(GROUPS):
            assert sorted(hits.all_of(at)) == [
                (index, start, start + len(literal))
                for index, literal in enumerate(group)
                for start in range(len(text))
                if text.startswith(literal, start)
            ]


def test_a_group_without_a_place_is_empty() -> None:
    assert LiteralHits({}).apart(3) == LiteralHits({}).all_of(3) == []


def test_literals_of_all_shapes_are_found_where_each_lane_finds_them_alone() -> None:
    search = SecretSearch({})
    words = [literal for lane in search._lanes for literal in lane.literals]
    chance = random.Random(5)
    block = b"".join(chance.choice(words) + b"x"[: chance.randrange(2)] for _ in range(5_000))
    hits = search._literals.find(block)
    for at, lane in enumerate(search._lanes):
        assert hits.apart(at) == build_automaton(lane.literals).find_matches_as_indexes(block)


def test_the_faster_library_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hyperscan")
    slow = LiteralSearch(GROUPS)
    monkeypatch.setattr(literals, "_PAYS", 1)
    fast = LiteralSearch(GROUPS)
    for text in texts():
        if text:
            one, other = fast.find(text), slow.find(text)
            assert [one.apart(at) for at in range(3)] == [other.apart(at) for at in range(3)]
            assert [sorted(one.all_of(at)) for at in range(3)] == [sorted(other.all_of(at)) for at in range(3)]
    assert fast._scan is not None


@pytest.mark.parametrize("scan", [None, lambda block: None], ids=["not there", "fails"])
def test_without_the_faster_library_the_automaton_goes_on(monkeypatch: pytest.MonkeyPatch, scan: object) -> None:
    monkeypatch.setattr(literals, "_PAYS", 1)
    monkeypatch.setattr(literals, "_prepare_hyperscan", lambda wanted: scan)
    masker = Masker()
    for _ in range(3):
        assert masker.feed(b"password=hunter2-Xy77 set\n") == (b"password=[masked:password] set\n", [9])
