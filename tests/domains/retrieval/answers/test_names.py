"""Names, directions and further sentences of an answer that its source does not have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.core.model import Outcome
from pincite.domains.retrieval.answers import check_responses

HARBOUR = "Dr. Maria Alvarez founded the harbour in 1987."


def outcome(folder: Path, source: str, answer: str, question: str = "", quoted: bool = True) -> Outcome:
    path = folder / "notes.txt"
    path.write_text(source + "\n")
    citation = {
        "type": "char_location",
        "cited_text": source,
        "document_index": 0,
        "document_title": None,
        "start_char_index": 0,
        "end_char_index": len(source),
    }
    data: dict = {"type": "message", "role": "assistant"}
    data["content"] = [{"type": "text", "text": answer, "citations": [citation]}]
    if not quoted:
        note = {"type": "file_citation", "file_id": "f", "filename": "notes.txt", "index": len(answer)}
        part = {"type": "output_text", "text": answer, "annotations": [note]}
        data = {"object": "response", "output": [{"type": "message", "content": [part]}]}
    if question:
        data = {"request": {"messages": [{"role": "user", "content": question}]}, "response": data}
    (report,) = check_responses(json.dumps(data).encode(), "x", [str(path)])
    (one,) = report.citations
    return one.outcome


@pytest.mark.parametrize("quoted", [True, False])
@pytest.mark.parametrize(
    "answer",
    [
        "In 1987, John Smith founded the harbour.",
        "The harbour was founded by John Smith in 1987.",
        "The harbour was founded by Maria Alvares in 1987.",
        "It was Smith by whom the harbour was founded in 1987.",
        "In 1987 the harbour of Oslo was founded by Maria Alvarez.",
    ],
)
def test_a_name_that_the_source_has_nowhere(tmp_path: Path, answer: str, quoted: bool) -> None:
    assert outcome(tmp_path, HARBOUR, answer, quoted=quoted) is Outcome.MISMATCH


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (HARBOUR, "In 1987, Maria Alvarez founded the harbour."),
        (HARBOUR, "The harbour was founded by Dr. Alvarez in 1987."),
        (HARBOUR, "Founder: the harbour was founded by Maria Alvarez."),
        (HARBOUR, "Maria Alvarez’s harbour was founded in 1987."),
        ("The US joined the treaty in 1987.", "In 1987 the United States joined the treaty."),
        ("The German fleet used the harbour in 1987.", "The harbour was used by the fleet of Germany in 1987."),
        ("The WHO moved its office in 1987.", "In 1987 the World Health Organization moved its office."),
    ],
)
def test_a_name_said_otherwise_is_no_other(tmp_path: Path, source: str, answer: str) -> None:
    assert outcome(tmp_path, source, answer) is Outcome.HOLDS


def test_a_name_of_the_question_is_known(tmp_path: Path) -> None:
    answer = "The harbour of Lisbon was founded in 1987 by Maria Alvarez."
    assert outcome(tmp_path, HARBOUR, answer) is Outcome.MISMATCH
    assert outcome(tmp_path, HARBOUR, answer, "Who founded the harbour of Lisbon?") is Outcome.HOLDS


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Boats over twelve metres need a pilot.", "A pilot is needed for boats under twelve metres."),
        ("Exports rose by 12% in the spring.", "In the spring, exports fell 12%."),
        ("The harbour opens at 9 am on most days.", "On most days the harbour opens at 9 pm."),
        ("The harbour earned 4 million euros that year.", "That year the harbour lost 4 million euros."),
        ("Prices went up 7 percent.", "There, prices went down 7 percent."),
    ],
)
def test_the_opposite_beside_the_same_number(tmp_path: Path, source: str, answer: str) -> None:
    assert outcome(tmp_path, source, answer) is Outcome.MISMATCH


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Boats over twelve metres need a pilot.", "A pilot is needed for boats above twelve metres."),
        ("Exports rose by 12% in the spring.", "In the spring, exports increased 12%."),
        ("The harbour opens at 9 am on most days.", "On most days the harbour opens at 9 a.m."),
    ],
)
def test_the_same_in_other_words(tmp_path: Path, source: str, answer: str) -> None:
    assert outcome(tmp_path, source, answer) is Outcome.HOLDS


def test_a_further_sentence_needs_its_own_words(tmp_path: Path) -> None:
    source = "Boats over twelve metres need a pilot."
    assert outcome(tmp_path, source, f"{source} Swimming is free.") is Outcome.UNCHECKED
    assert outcome(tmp_path, source, f"{source} A pilot steers the boat.") is Outcome.HOLDS
    assert outcome(tmp_path, source, f"{source} I hope this helps you.") is Outcome.HOLDS
