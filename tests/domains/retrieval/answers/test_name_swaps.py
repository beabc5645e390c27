"""Names of an answer where the cited words have another one, which stands elsewhere in the document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.core.model import Outcome
from pincite.domains.retrieval.answers import check_responses
from pincite.domains.retrieval.answers.names import find_swap

CURIE = "Marie Curie discovered polonium in 1898."
OTHER = "Ernest Rutherford discovered the nucleus in 1911."


def outcome(folder: Path, cited: str, other: str, answer: str, quoted: bool = True) -> Outcome:
    path = folder / "notes.txt"
    path.write_text(f"{cited} {other}\n")
    place = {"document_index": 0, "document_title": None, "start_char_index": 0, "end_char_index": len(cited)}
    citation = {"type": "char_location", "cited_text": cited, **place}
    data: dict = {"type": "message", "role": "assistant"}
    data["content"] = [{"type": "text", "text": answer, "citations": [citation]}]
    if not quoted:
        note = {"type": "file_citation", "file_id": "f", "filename": "notes.txt", "index": len(answer)}
        part = {"type": "output_text", "text": answer, "annotations": [note]}
        data = {"object": "response", "output": [{"type": "message", "content": [part]}]}
    (report,) = check_responses(json.dumps(data).encode(), "x", [str(path)])
    (one,) = report.citations
    return one.outcome


@pytest.mark.parametrize(
    ("cited", "other", "answer"),
    [
        (CURIE, OTHER, "Ernest Rutherford discovered polonium in 1898."),
        (CURIE, OTHER, "Polonium was discovered by Ernest Rutherford in 1898."),
        ("New York has 8.3 million people.", "Los Angeles is smaller.", "Los Angeles has 8.3 million people."),
        ("Alice Berg founded Acme in 1999.", "Bob Stone came later.", "Bob Stone founded Acme in 1999."),
        ("Angela Merkel led it for 18 years.", "Olaf Scholz did not.", "For 18 years it was led by Olaf Scholz."),
        ("Real Madrid won the cup in 2018.", "Bayern Munich lost.", "In 2018, Bayern Munich won the cup."),
        ("Grace Hopper found the bug in 1947.", "Alan Turing died.", "Alan Turing discovered the bug in 1947."),
        (
            "The office in New York opened in 1999.",
            "Los Angeles came later.",
            "The office in Los Angeles opened in 1999.",
        ),
    ],
)
def test_a_name_in_the_place_of_another_is_a_mismatch(tmp_path: Path, cited: str, other: str, answer: str) -> None:
    assert outcome(tmp_path, cited, other, answer) is Outcome.MISMATCH


def test_a_swapped_name_is_a_mismatch_without_a_cited_text(tmp_path: Path) -> None:
    answer = "Ernest Rutherford discovered polonium in 1898."
    assert outcome(tmp_path, CURIE, OTHER, answer, quoted=False) is Outcome.MISMATCH
    cited, other = "Angela Merkel led the CDU for 18 years.", "Olaf Scholz led the SPD."
    answer = "For 18 years the CDU was led by Olaf Scholz."
    assert outcome(tmp_path, cited, other, answer, quoted=False) is Outcome.MISMATCH


@pytest.mark.parametrize(
    ("cited", "other", "answer"),
    [
        ("She discovered polonium in 1898.", "She is Marie Curie.", "Marie Curie discovered polonium in 1898."),
        (CURIE, OTHER, "Polonium was discovered in 1898 by Marie Curie."),
        ("Curie discovered polonium in 1898.", "Marie Curie was there.", "Marie Curie discovered polonium in 1898."),
        (
            "Paris chemists discovered polonium.",
            "Marie Curie led them.",
            "Marie Curie and chemists discovered polonium.",
        ),
        ("Acme Corp sold 412 pumps to Globex Systems.", "", "Globex Systems bought 412 pumps from Acme Corp."),
        (
            "The airline carried 9 million people.",
            "It is United Airlines.",
            "United Airlines carried 9 million people.",
        ),
    ],
)
def test_a_name_for_what_names_none_is_no_swap(tmp_path: Path, cited: str, other: str, answer: str) -> None:
    assert outcome(tmp_path, cited, other, answer) is Outcome.HOLDS


def test_a_title_in_the_place_of_a_name_is_unchecked(tmp_path: Path) -> None:
    cited, answer = "Angela Merkel resigned in 2021 from office.", "The German Chancellor resigned in 2021 from office."
    assert outcome(tmp_path, cited, "She was German Chancellor.", answer) is Outcome.UNCHECKED


def test_an_abbreviation_is_no_swap() -> None:
    assert find_swap("He moved to Memphis, TN in 1948.", "He moved to Memphis, Tennessee in 1948.") is None
    assert find_swap("He moved to Memphis, TX in 1948.", "He moved to Memphis, Tennessee in 1948.") is not None


def test_two_names_of_one_are_no_swap() -> None:
    said, there = "Lady Gaga won two prizes in 2008.", "Stefani Germanotta won two prizes in 2008."
    assert find_swap(said, there) is not None
    assert find_swap(said, there, ("Stefani Germanotta, better known as Lady Gaga, sings.",)) is None
    assert find_swap(said, there, ("Stefani Germanotta met Lady Gaga.",)) is not None
