"""What the first passages share moves others up, a little, and only where a question was asked."""

from __future__ import annotations

from pincite.retrieval.query import parse
from pincite.retrieval.rescore import rescore
from pincite.retrieval.search import Candidate
from pincite.store.index import Kept, Stored

QUESTION = "why do humpback whales sing below polar ice"
SHARED = "whales sing songs that carry far; hydrophones record these songs"


def passages(*given: tuple[float, str], kind: str = "text") -> list[Candidate]:
    found = []
    for at, (score, text) in enumerate(given):
        document = Stored(at + 1, 1, f"{at}.txt", "", kind, b"", 0, 0, 0, 0.0, "", b"")
        found.append(Candidate(score, text, Kept(0, 1, 1, 1, (), 0, b""), document, 0))
    return found


def order(query: str, *given: tuple[float, str], kind: str = "text") -> list[int]:
    return [each.document.base - 1 for each in rescore(parse(query), passages(*given, kind=kind))]


FIRST = [(10.0, SHARED)] * 5
OTHERS = [(5.1, "ice on polar ships is broken below the water"), (5.0, "hydrophones record songs")]
REST = [(1.0, "nothing of the kind")] * 4
ASIS = list(range(11))


def test_a_passage_that_shares_other_words_of_the_first_moves_up() -> None:
    assert order(QUESTION, *FIRST, *OTHERS, *REST) == [0, 1, 2, 3, 4, 6, 5, 7, 8, 9, 10]


def test_a_passage_does_not_move_past_one_that_fits_much_better() -> None:
    others = [(7.5, OTHERS[0][1]), OTHERS[1]]
    assert order(QUESTION, *FIRST, *others, *REST) == ASIS


def test_a_look_up_a_phrase_and_code_stay_as_they_are() -> None:
    assert order("whales sing", *FIRST, *OTHERS, *REST) == ASIS
    assert order(f'"polar ice" {QUESTION}', *FIRST, *OTHERS, *REST) == ASIS
    assert order(f"hydro* {QUESTION}", *FIRST, *OTHERS, *REST) == ASIS
    assert order(QUESTION, *FIRST, *OTHERS, *REST, kind="code") == ASIS


def test_few_passages_have_no_theme() -> None:
    assert order(QUESTION, (2.0, "ice"), (1.0, SHARED)) == [0, 1]
