"""Passages like the best ones move up, a little, where a question was asked; long ones are held back less."""

from __future__ import annotations

from pincite.search.feedback import rescore
from pincite.search.query import parse
from pincite.search.search import PassageCandidate
from pincite.store.search_index import StoredDocument, StoredPassage

QUESTION = "why do humpback whales sing below polar ice"
SHARED = "whales sing songs that carry far; hydrophones record these songs"


def passages(*given: tuple[float, str], kind: str = "text") -> list[PassageCandidate]:
    found = []
    for at, (score, text) in enumerate(given):
        document = StoredDocument(at + 1, 1, f"{at}.txt", "", kind, b"", 0, 0, 0, 0.0, "", b"")
        found.append(PassageCandidate(score, text, StoredPassage(0, 1, 1, 1, (), 0, b""), document, 0))
    return found


def order(query: str, *given: tuple[float, str], kind: str = "text") -> list[int]:
    # Meaning knows no length: what is asserted here is about words that passages share.
    return [each.document.base - 1 for each in rescore(parse(query), passages(*given, kind=kind), by_meaning=True)]


FIRST = [(10.0, SHARED)] * 5
OTHERS = [(5.1, "ice on polar ships is broken below the water"), (5.0, "hydrophones record songs")]
REST = [(1.0 - at / 5, "nothing of the kind") for at in range(4)]
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


def test_a_passage_is_not_like_itself() -> None:
    alone = (10.0, "entirely different matters: harpsichords, taxes, weather")
    assert order(QUESTION, alone, *[(9.5, SHARED)] * 5, *REST)[:2] == [1, 2]


def test_the_eleventh_passage_gains_no_more_than_the_tenth_of_the_same_words() -> None:
    given = [(10.0 - at, SHARED) for at in range(9)]
    assert order(QUESTION, *given, *[(0.5, "hydrophones record songs")] * 4) == list(range(13))


def test_a_longer_passage_is_held_back_less_than_by_fts5() -> None:
    short, long = "the lamp", "the lamp " * 30
    for query in ("lamp", "lamp*"):
        found = rescore(parse(query), passages((2.0, short), (1.95, long)))
        assert [each.text for each in found] == [long, short]
        found = rescore(parse(query), passages((2.0, short), (1.5, long)))
        assert [each.text for each in found] == [short, long]


def test_length_changes_nothing_in_code_by_meaning_and_among_equals() -> None:
    given = passages((2.0, "the lamp"), (1.95, "the lamp " * 30))
    assert [each.score for each in rescore(parse("lamp"), given, by_meaning=True)] == [2.0, 1.95]
    given = passages((2.0, "the lamp"), (1.95, "the lamp " * 30), kind="code")
    assert [each.score for each in rescore(parse("lamp"), given)] == [2.0, 1.95]
    equal = rescore(parse("lamp"), passages((2.0, "the lamp"), (1.0, "the lamp")))
    assert [round(each.score, 9) for each in equal] == [2.0, 1.0]
    assert rescore(parse("lamp"), []) == []
    assert [each.score for each in rescore(parse("lamp"), passages((0.0, "")))] == [0.0]


def test_a_passage_of_one_word_over_and_over_is_weighed() -> None:
    # The dot of a small `İ` is a character of its own and ends the word.
    given = [(3.0, "abİ" * 2000), (2.0, "ice " * 2000), *FIRST, *REST]
    assert len(order(QUESTION, *given)) == len(given)
