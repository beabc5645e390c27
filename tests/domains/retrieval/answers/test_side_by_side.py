"""Sentences of an answer beside their citations, and the passages that these lead to."""

from __future__ import annotations

import json

import pytest

from pincite.domains.retrieval.answers import check_responses
from pincite.domains.retrieval.answers.library import DocumentLibrary
from pincite.domains.retrieval.answers.model import AnswerReport, DocumentPlace
from pincite.domains.retrieval.answers.side_by_side import PassageReader, pair_sentences

GUIDE = "The limit is 250. A gauge at its limit stays there.\n"


def cite(text: str, quote: str) -> dict[str, object]:
    cited = {"type": "char_location", "cited_text": quote, "document_index": 0, "document_title": "guide.md"}
    return {"type": "text", "text": text, "citations": [{**cited, "start_char_index": 0, "end_char_index": len(quote)}]}


def check(*content: dict[str, object], documents: list[tuple[str, bytes]] | None = None) -> AnswerReport:
    library = DocumentLibrary()
    library.add_files(documents if documents is not None else [("guide.md", GUIDE.encode())])
    response = {"type": "message", "role": "assistant", "content": list(content)}
    (report,) = check_responses(json.dumps(response).encode(), "response", library)
    return report


def test_a_citation_stands_beside_the_sentence_that_it_supports() -> None:
    report = check(cite("It stays.", "The limit is 250."), cite(" It is 250.", "The limit is 250."))
    sentences, apart = pair_sentences(report)
    assert [(one.text, len(one.checks)) for one in sentences] == [("It stays.", 1), ("It is 250.", 1)] and not apart


def test_a_space_before_a_sentence_does_not_give_its_citation_to_the_one_before() -> None:
    report = check({"type": "text", "text": "First one here."}, cite("  \n Second one here.", "The limit is 250."))
    assert [len(one.checks) for one in pair_sentences(report)[0]] == [0, 1]


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "```\ncode\n```", "?!", "…"])
def test_an_answer_without_sentences_has_none(text: str) -> None:
    sentences, apart = pair_sentences(check({"type": "text", "text": text}))
    assert "".join(one.text for one in sentences) == text.strip() and not apart


def test_an_unreadable_answer_has_no_sentences() -> None:
    assert pair_sentences(AnswerReport(source="x", error="not JSON")) == ([], [])


def test_no_word_of_an_answer_is_lost() -> None:
    text = "# Head\n\nOne is here. ```\ncode = 1\n``` Two is here.\n\n- three\n- four"
    sentences, _ = pair_sentences(check({"type": "text", "text": text}))
    assert "".join("".join(one.text for one in sentences).split()) == "".join(text.split())


def read(place: DocumentPlace, documents: list[tuple[str, bytes]]) -> tuple[str, str, str]:
    library = DocumentLibrary()
    library.add_files(documents)
    found = PassageReader(AnswerReport(source="x"), [library]).read(place)
    return found.before, found.words, found.after


def test_a_passage_has_what_stands_around_it() -> None:
    place = DocumentPlace("guide.md", 1, start=18, end=25)
    found = read(place, [("guide.md", GUIDE.encode())])
    assert found == ("The limit is 250. ", "A gauge", " at its limit stays there.\n")


def test_a_long_passage_is_cut_on_both_sides() -> None:
    text = "word " * 10_000
    before, words, after = read(DocumentPlace("a.md", 1, start=20_000, end=30_000), [("a.md", text.encode())])
    assert before.startswith("…word") and after.endswith("word…") and words.endswith("…")
    assert len(before) < 300 and len(words) < 2000 and len(after) < 300


@pytest.mark.parametrize(
    ("place", "data"),
    [
        (DocumentPlace("other.md", 1, start=0, end=5, text="words"), b"text"),
        (DocumentPlace("guide.md", 1, start=0, end=5, text="words"), b"caf\xe9"),
        (DocumentPlace("guide.md", 1, text="words"), b"text"),
        (DocumentPlace("guide.md", text="words"), b""),
        (DocumentPlace("guide.md", page=7, text="words"), b"words"),
    ],
    ids=["unknown document", "no text", "not there", "empty", "no such page"],
)
def test_a_place_that_cannot_be_read_has_the_words_of_the_report(place: DocumentPlace, data: bytes) -> None:
    assert read(place, [("guide.md", data)]) == ("", "words", "")


def test_a_place_beyond_the_end_has_no_words() -> None:
    assert read(DocumentPlace("a.md", 1, start=10**9, end=10**9 + 5), [("a.md", b"text")])[1] == ""


def test_files_without_text_are_among_the_documents_and_say_why() -> None:
    library = DocumentLibrary()
    library.add_files([("a.md", b"caf\xe9"), ("b.pdf", b"%PDF-1.7 broken"), ("c.md", b"fine")])
    assert [bool(one.trouble) for one in library.documents] == [True, True, False] and library.is_ordered
