"""What may be dropped and added, and that nothing else may."""

from __future__ import annotations

import pytest

from pincite.judge.gate import Gate
from pincite.judge.tokens import sentences


def opens(claim: str, quote: str) -> bool:
    (said,), (sentence,) = sentences(claim), sentences(quote)
    return Gate(sentence, said).find() is not None


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The dog barked.", "A dog barked."),
        ("The dog also barked.", "The dog barked."),
        ("And the dog barked.", "The dog barked."),
        ("The dog barked.", "The dog (a terrier) barked."),
        ("The dog barked.", "The dog, which was old, barked."),
        ("The dog barked.", "The dog, also known as Rex, barked."),
        ("The dog barked.", "The big dog barked."),
        ("The dog barked.", "The dog suddenly barked."),
        ("The dog barked.", "The dog barked (twice)."),
        ("The dog barked.", "The dog barked; the cat slept."),
        ("The cat slept.", "The dog barked; the cat slept."),
        ("The dog barked.", "For example, the dog barked."),
        ("The dog barked.", "On 3 May 1999, the dog barked."),
        ("Rex is not big.", "Rex (a terrier) is not big."),
    ],
)
def test_open(claim: str, quote: str) -> None:
    assert opens(claim, quote)


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The dog barked.", "The dog never barked."),
        ("The dog barked.", "The dog nearly barked."),
        ("The dog barked.", "The dog, if it was the dog, barked."),
        ("The dog barked.", "The dog (but not this one) barked."),
        ("The dog barked.", "The dog, he claims, barked."),
        ("The dog barked.", "The toy dog barked."),
        ("The dog barked.", "The dog barked, or so he thought."),
        ("The dog barked.", "Perhaps the dog barked."),
        ("The dog barked.", "The man said the dog barked."),
        ("The dog barked.", "The man with the dog barked."),
        ("The dog barked.", "When it rained, the dog barked."),
        ("The dog barked.", "“The dog barked,” he said."),
        ("The dog bit the cat.", "The cat bit the dog."),
        ("The dog bit the cat.", "The dog bit the mother of the cat."),
        ("No dog barked.", "No big dog barked."),
        ("Few dogs barked.", "Few big dogs barked."),
        ("Rex is the biggest dog.", "Rex is the biggest black dog."),
        ("Half of the dogs barked.", "Half of the big dogs barked."),
        ("Rex is bigger than a dog.", "Rex is bigger than a small dog."),
        ("Rex was dead.", "Rex was declared dead."),
        ("The men barked.", "The woman saw men barked."),
        ("The York mayor left.", "The New York mayor left."),
        ("The native dog barked.", "The non-native dog barked."),
        ("Little is known.", "A little is known."),
        ("A little is known.", "Little is known."),
        ("The dogs that barked slept.", "The dogs barked slept."),
        ("The dogs barked.", "The dogs that barked."),
        ("the the the", "the the the the"),
        ("It holds only carbon and hydrogen.", "It holds only carbon, hydrogen, and oxygen."),
        ("It holds only carbon, hydrogen.", "It holds only carbon, hydrogen, and oxygen."),
        ("It supports only Rust and C.", "It supports only Rust, Go, and C."),
        ("It consists of bones and muscle.", "It consists of bones, tendons, and muscle."),
        ("It consists of bones.", "It consists of bones, tendons, and muscle."),
        ("Rex did not bark.", "In 1997, Rex did not bark."),
        ("Rex was the biggest dog.", "In 1997, Rex was the biggest dog."),
        ("Max met Eve.", "In June 1971 Rex, and Max met Eve."),
        ("No cat, dog.", "No cat, dog, and bird of prey."),
        ("Rex Max barked.", "Rex and Max barked."),
        ("Rex and Max barked.", "Rex Max barked."),
    ],
)
def test_shut(claim: str, quote: str) -> None:
    assert not opens(claim, quote)
