"""Which sentences of an answer state something, and which one a mark belongs to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.model import Span
from pincite.domains.retrieval.answers.model import Answer, AnswerCitation, NamedDocument
from pincite.domains.retrieval.answers.sentences import Sentences


def uncited(text: str, *claims: Span) -> list[str]:
    return [one.text for one in Sentences(Answer("x", text)).find_uncited(claims)]


def claim_at(sentences: Sentences, span: Span, is_mark: bool) -> Span | None:
    return sentences.claim_of(AnswerCitation("x", "", span, NamedDocument(), is_mark=is_mark))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Heights of the towers",
        "Heights of the towers\n=====================",
        "**Heights of the towers**",
        "- **Heights of the towers:**",
        "What is the height of the tower?",
        "Here is what I found:",
        "Here are the three towers.",
        "Sure! Here's a summary.",
        "Let me look at the towers.",
        "I hope this helps you.",
        "Please tell me more about it.",
        "If you need more details, ask.",
        "Great question!",
        "```\nx = the tower is high and wide\n```",
        "~~~\nthe tower is high and wide",
        "Two words.",
        "【4:0†source】",
        "| Tower | Height | Year |\n|---|---|---|",
    ],
)
def test_what_states_nothing(text: str) -> None:
    assert uncited(text) == []


def test_a_line_that_begins_with_a_code_span_of_three_backticks_hides_nothing() -> None:
    assert uncited("```height``` matters.\n\nThe tower is 40 metres high.") == ["The tower is 40 metres high."]


@pytest.mark.parametrize(
    "text",
    [
        "The tower is 40 metres high.",
        "History began in that tower.",
        "Oklahoma has a tower too.",
        "Here the river floods twice a year.",
        "Surely the tower stands there.",
        "Sure, the tower is 40 metres high.",
        "I found that the tower leans.",
        "塔の高さは四十メートルです。",
    ],
)
def test_what_states_something(text: str) -> None:
    assert uncited(text) == [text]


def test_sentences_are_parted_at_stops_items_and_paragraphs() -> None:
    text = (
        "The mill turns, e.g. in May. Dr. Ode lives there!\n\n- It grinds only rye.\n"
        "- It is painted green.\r\n\r\n1. Nobody sleeps in it"
    )
    assert uncited(text) == [
        "The mill turns, e.g. in May.",
        "Dr. Ode lives there!",
        "It grinds only rye.",
        "It is painted green.",
        "Nobody sleeps in it",
    ]


def test_place_of_a_sentence() -> None:
    (one,) = Sentences(Answer("x", "Sure!\n\nThe mill turns in May.")).find_uncited(())
    assert (one.start, one.end, one.line) == (7, 29, 3)


def test_a_word_of_a_claim_is_enough_and_white_space_is_not() -> None:
    text = "The mill turns in May. It grinds only rye."
    assert uncited(text, Span(4, 8)) == ["It grinds only rye."]
    assert uncited(text, Span(22, 23)) == ["The mill turns in May.", "It grinds only rye."]
    assert uncited(text, Span(10, 30)) == []


@pytest.mark.parametrize(
    ("at", "sentence"),
    [(0, "The mill turns in May"), (21, "The mill turns in May"), (29, "The mill turns in May"), (40, "It grinds")],
)
def test_mark_belongs_to_the_sentence_it_is_in_or_behind(at: int, sentence: str) -> None:
    text = "The mill turns in May【1†a】. 【2†b】 It grinds rye."
    sentences = Sentences(Answer("x", text))
    claim = claim_at(sentences, Span(at, at), True)
    assert claim is not None
    assert sentences.words(claim).startswith(sentence)
    assert "†" not in sentences.words(claim)


def test_mark_that_is_words_means_their_sentences() -> None:
    text = "The mill turns in May. It grinds rye. ([a.org](https://a.org)) Nobody sleeps there."
    sentences = Sentences(Answer("x", text, marks=(Span(23, 37),)))
    words = {
        (23, 37): "It grinds rye.",
        (26, 30): "It grinds rye.",
        (10, 30): "The mill turns in May. It grinds rye.",
        (38, 62): "It grinds rye.",
        (66, 70): "Nobody sleeps there.",
    }
    for (start, end), said in words.items():
        claim = claim_at(sentences, Span(start, end), True)
        assert claim is not None and sentences.words(claim) == said


def test_span_that_is_no_mark_is_the_claim_itself() -> None:
    sentences = Sentences(Answer("x", "The mill turns."))
    assert claim_at(sentences, Span(4, 8), False) == Span(4, 8)
    assert claim_at(sentences, Span(4, 4), False) is None


@given(st.text(alphabet="aB .!?…\n\r-*#|>`~【】†[]()1:\"'é。", max_size=200), st.lists(st.integers(0, 200), max_size=4))
def test_sentences_ascend_and_lie_in_the_text(text: str, at: list[int]) -> None:
    sentences = Sentences(Answer("x", text))
    ends = [0]
    for span in sentences.spans:
        assert ends[-1] <= span.start < span.end <= len(text)
        ends.append(span.end)
    for offset in at:
        place = min(offset, len(text))
        claim = claim_at(sentences, Span(place, place), True)
        assert (claim is None) == (not sentences.spans)


@pytest.mark.parametrize(
    "unit",
    [".", "a.", "a. ", "`", "```\n", "【", "(", "*", "|", "\n", "\n ", "\n- ", "[1]", "#", "\n#", ">", " ", "?!"],
)
def test_time_grows_with_the_text(unit: str, in_proportion: Callable[..., bool]) -> None:
    def work(size: int) -> object:
        return Sentences(Answer("x", unit * size)).find_uncited(())

    assert in_proportion(work, 8_000, 64_000, 8)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Sales grew by 5 %.Costs fell in May.", ["Sales grew by 5 %.", "Costs fell in May."]),
        ("Sales grew[1].Costs fell in May.", ["Sales grew[1].", "Costs fell in May."]),
        ("Sales grew.[1]Costs fell in May.", ["Sales grew.", "Costs fell in May."]),
        ("We met in Berlin.Costs fell in May.", ["We met in Berlin.", "Costs fell in May."]),
        ("It grew!Costs fell?Yes they did.", ["It grew!", "Costs fell?", "Yes they did."]),
        ("It ended.(In May it began.)", ["It ended.", "(In May it began.)"]),
        ("Umsatz stieg.Übrigens fiel er.", ["Umsatz stieg.", "Übrigens fiel er."]),
        ("销售增长。成本下降了很多。", ["销售增长。", "成本下降了很多。"]),
        ("बिक्री बढ़ी।लागत घटी।", ["बिक्री बढ़ी।", "लागत घटी।"]),
        ("We use Node.js and System.Text.Json here.", ["We use Node.js and System.Text.Json here."]),
        ("ASP.NET Core runs `app.Run` in the U.S.Army.", ["ASP.NET Core runs `app.Run` in the U.S.Army."]),
        ("See example.com/Foo.Bar for more builds.", ["See example.com/Foo.Bar for more builds."]),
    ],
)
def test_a_sentence_that_is_glued_to_the_one_before_is_one(text: str, sentences: list[str]) -> None:
    found = Sentences(Answer("x", text))
    assert [text[span.start : span.end] for span in found.spans] == sentences
