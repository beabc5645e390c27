"""How much of a claim a quote holds, and what families of words meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.judge.containment import cover, find_unheld_part, split_parts
from pincite.judge.synonyms import ALIKE, OPPOSED
from pincite.judge.tokens import scan, sentences
from pincite.text.stems import are_stems_related, base, stem


def share(claim: str, quote: str) -> float:
    return cover(scan(claim)[0], sentences(quote)).share


def test_the_whole_and_nothing() -> None:
    assert share("The dog barked.", "The dog barked.") == 1.0
    assert share("Marlowe vanished", "Copper roofs turn green") == 0.0


@pytest.mark.parametrize(
    ("claim", "better", "worse"),
    [
        ("The firm adopted the plan.", "Adoption of the plan by the company.", "The plan was dropped by a critic."),
        ("The WHO warned of floods.", "The World Health Organization warned of floods.", "The union warned of floods."),
        ("The colour faded.", "The color faded.", "The paint faded."),
        ("The harbour froze in 1999.", "The harbour froze on 3 May 1999.", "The harbour froze on 3 May 1998."),
    ],
)
def test_more_of_it_is_held(claim: str, better: str, worse: str) -> None:
    assert share(claim, better) > share(claim, worse)


def test_a_pronoun_holds_only_a_name_that_was_given_before_it() -> None:
    claim, quote = scan("Rex barked at the moon.")[0], sentences("He barked at the moon.")
    assert cover(claim, quote, frozenset(("rex",))).share > cover(claim, quote).share
    assert cover(claim, quote, frozenset(("max",))).share == cover(claim, quote).share
    assert cover(claim, quote, frozenset(("rex",))).subject == 1


def test_sentences_far_apart_do_not_add_up() -> None:
    filler = "Nothing else was seen that day. " * 6
    near, far = "Copper corrodes. Salt attacks it.", f"Copper corrodes. {filler}Salt attacks it."
    assert share("Salt corrodes copper.", near) > share("Salt corrodes copper.", far)


@pytest.mark.parametrize(
    "family",
    ["adopt adopts adopted adoption", "city cities", "nation national", "carry carried carries", "ran run runs"],
)
def test_a_family_has_one_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(("one", "other"), [("car", "carry"), ("univers", "unit"), ("past", "pasta")])
def test_strangers_stay_strangers(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_relatives_are_seen() -> None:
    assert are_stems_related(stem("produce"), stem("production"))
    assert not are_stems_related(stem("inter"), stem("internet"))


def test_no_word_stands_for_its_opposite() -> None:
    assert all(not others & OPPOSED.get(word, frozenset()) for word, others in ALIKE.items())


@given(st.text(max_size=30))
def test_law_a_stem_is_never_longer(word: str) -> None:
    assert len(base(word)) <= max(len(word), 6)
    assert stem(word) == stem(word)


def test_parts_begin_at_marks_and_joining_words() -> None:
    tokens = scan("Ann, a nurse, left; Bo stayed and slept")[0]
    texts = [" ".join(token.text for token in tokens[first:end]) for first, end in split_parts(tokens)]
    assert texts == ["Ann", "a nurse", "left", "Bo stayed", "and slept"]
    assert not list(split_parts([]))


@pytest.mark.parametrize(
    ("claim", "lacks"),
    [
        ("The dam holds water and floods distant villages.", "and floods distant villages"),
        ("The dam, an expensive ruin, holds water.", "an expensive ruin"),
        ("The dam holds water and floods.", ""),
        ("The dam holds water and the dam holds water.", ""),
        ("The dam holds cold water.", ""),
        ("", ""),
    ],
)
def test_a_part_the_quote_has_nothing_of(claim: str, lacks: str) -> None:
    tokens = scan(claim)[0]
    found = find_unheld_part(tokens, cover(tokens, sentences("The dam holds water.")))
    assert (found.text if found else "") == (f"the quote has nothing of “{lacks}”" if lacks else "")
