"""Omissions and insertions that a quote declares."""

from __future__ import annotations

import pytest

from pincite.quotes.declared_changes import INSERTION, OMISSION, chains, find_chain_matches
from pincite.quotes.searchable_text import Layer


def stands(quote: str, *pages: str) -> bool:
    layer = Layer(list(enumerate(pages)))
    return any(True for chain in chains(quote) for _ in find_chain_matches(layer, chain))


def test_a_quote_that_declares_nothing_has_no_chain() -> None:
    assert chains("one two three. Four") == []
    assert chains("see [12] for it, too") == []


def test_taking_apart() -> None:
    (chain,) = chains("one two … three [four] five six")
    assert [part.text for part in chain.phrases] == ["one two", "three", "five six"]
    assert [joint.kind for joint in chain.joints] == [OMISSION, INSERTION]
    assert chain.text == "one two three   five six"


def test_both_cases_are_read() -> None:
    assert {chain.phrases[0].text for chain in chains("[T]he model is there")} == {
        "The model is there",
        "the model is there",
    }


def test_too_little_of_its_own() -> None:
    assert chains("[a] b [c]") == []
    assert chains("a … b") == []


def test_an_omission_stays_on_the_page_or_the_next() -> None:
    assert stands("one two three … four five six", "one two three x", "y four five six")
    assert not stands("one two three … four five six", "one two three x", "y", "z four five six")
    assert not stands("four five six … one two three", "one two three x four five six")


def test_an_insertion_stands_for_a_few_words() -> None:
    assert stands("we saw that [it] was there", "we saw that the old thing was there")
    assert not stands("we saw that [it] was there", "we saw that " + "very " * 9 + "was there")


def test_a_negation_or_a_number_is_not_swallowed() -> None:
    assert not stands("the result [was] quite good", "the result was not quite good")
    assert stands("the result [was never] quite good", "the result was not quite good")
    assert not stands("the result … quite good here", "the result was not quite good here")
    assert not stands("we saw [some] of them there", "we saw 15 of them there")


ON_TRIALS = (
    "This method improves the overall quality of code, as Smith showed. In our trial the drug was, as far as anyone in"
    " the clinic could tell, not effective in adults. They may cause harm to all. Models are able to see it"
    " by 15 percent. They are rarely seen near the coast."
)


@pytest.mark.parametrize(
    "quote",
    [
        "[not] improves the overall quality of code",
        "the drug was … effective in adults",
        "They [never] cause harm to all",
        "They may [never] cause harm to all",
        "They [must] cause harm to all",
        "This method [worsens] the overall quality of code",
        "the overall quality of code, as [Jones] showed",
        "They may cause harm to all [but not to adults]",
        "Models are [un]able to see it",
        "Models are able to see it by [fifty] percent",
        "Models are able to see it by [the fifteen] percent",
        "They may … [never] cause harm to all",
        "They are … seen near the coast",
    ],
)
def test_brackets_and_dots_do_not_hide_an_alteration(quote: str) -> None:
    assert not stands(quote, ON_TRIALS)


@pytest.mark.parametrize(
    "quote",
    [
        "[Voice consistency] improves the overall quality of code",
        "the drug was … not effective in adults",
        "This method improve[d] the overall quality of code",
        "Models [were] able to see it",
        "They may cause harm to all [emphasis not in the original]",
        "[they] improve[s] the overall quality of code",
        "This method … quality of code",
        "harm to all [of us]. Models are able to see it",
    ],
)
def test_what_brackets_and_dots_are_for(quote: str) -> None:
    assert stands(quote, ON_TRIALS)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Neurons that are off have a negative value close to zero.", "[positive] value close to zero."),
        ("It prints the result, as before, on the page.", "It prints the result, as [after]."),
        ("We train the models to a maximum of ten steps each.", "We train the models to a [minimum] … steps each"),
        ("If there is a path to any negative use, authors say so.", "a path to any [positive] … authors say so"),
        ("It should be included in Algol 60 at once.", "It should be included in [Fortran]."),
        ("Then it will wait; otherwise it will not.", "Then it will wait; otherwise it will [also]."),
        ("The gauge was reset twice a day.", "[It is false that] the gauge was reset twice a day"),
    ],
)
def test_brackets_at_an_end_stand_for_what_is_there(text: str, quote: str) -> None:
    assert not stands(quote, text)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("It was reset twice a day.", "[The gauge] was reset twice a day"),
        ("In 2019 they were reset twice a day.", "[the gauges] were reset twice a day"),
        ("The gauge was reset twice a day.", "The gauge was reset twice a day [in 2019]."),
        ("The gauge was reset by them.", "The gauge was reset by [the engineers]."),
        ("The gauge was reset twice a day.", "The gauge was reset twice a day [sic]."),
    ],
)
def test_what_brackets_at_an_end_are_for(text: str, quote: str) -> None:
    assert stands(quote, text)
