"""What the checks say of captured output: its own end, other tools' ids, and what was hidden in it."""

from __future__ import annotations

import pytest

from pincite import checks
from pincite.core.model import Citation, Finding, Lines, Obstacle, Outcome, Severity, SourceRef, Span
from pincite.text.document import Document
from pincite.text.evidence import CaptureRecord, Evidence

OUTPUT = b"one\n\ntoken [masked:env] and [masked:key]\nfour\n"
KEY = "a1b2c3"


def say(check: str, lines: Lines | None, record: CaptureRecord | None) -> Finding | None:
    """What one check says about lines of the output above."""
    evidence = Evidence(SourceRef("chunk", KEY), OUTPUT, OUTPUT.decode().splitlines())
    evidence.record = record
    citation = Citation("bracket", Span(3, 4), "x", SourceRef("chunk", KEY), lines)
    found: Finding | None = checks.row((check,))[0](Document("x.md", "So. x"), citation, evidence)
    return found


@pytest.mark.parametrize(
    ("check", "lines", "record", "message"),
    [
        ("line-out-of-range", Lines(5, 5), CaptureRecord(), "Line 5 exceeds the captured output (4 lines)"),
        ("line-out-of-range", Lines(102, 110), CaptureRecord(), "Line 102 exceeds the captured output (4 lines)"),
        ("line-out-of-range", Lines(5, 5), None, "Line 5 exceeds file length (4 lines)"),
        (
            "range-past-end",
            Lines(3, 9),
            CaptureRecord(),
            "Line 9 exceeds the captured output (4 lines); the range starts inside",
        ),
        ("blank-range", Lines(2, 2), CaptureRecord(), "Line 2 is blank: a blank range proves nothing"),
        (
            "output-masked",
            Lines(1, 4),
            CaptureRecord(masked=2),
            "2 secrets were hidden in the cited lines before they were stored",
        ),
        (
            "output-masked",
            Lines(3, 3),
            CaptureRecord(masked=1),
            "A secret was hidden in the cited lines before they were stored",
        ),
    ],
)
def test_a_check_speaks(check: str, lines: Lines, record: CaptureRecord | None, message: str) -> None:
    found = say(check, lines, record)
    assert found is not None
    assert (found.check, found.message) == (check, message)


@pytest.mark.parametrize(
    ("check", "lines", "record"),
    [
        ("line-out-of-range", Lines(4, 9), CaptureRecord()),
        ("range-past-end", Lines(1, 4), CaptureRecord()),
        ("output-masked", Lines(1, 2), CaptureRecord(masked=2)),
        ("output-masked", Lines(3, 3), CaptureRecord(masked=0)),
        ("output-masked", Lines(3, 3), None),
        ("output-masked", None, CaptureRecord(masked=2)),
        ("output-masked", Lines(9, 9), CaptureRecord(masked=2)),
        ("external-id", Lines(1, 1), CaptureRecord()),
        ("external-id", Lines(1, 1), None),
    ],
)
def test_a_check_is_silent(check: str, lines: Lines | None, record: CaptureRecord | None) -> None:
    assert say(check, lines, record) is None


def test_an_id_of_another_tool_is_named_with_the_digest_it_is_not() -> None:
    found = say("external-id", Lines(1, 1), CaptureRecord(given=KEY))
    assert found is not None
    assert found.message.startswith("a1b2c3 is another tool's id, not a digest")
    assert "(" + Evidence(SourceRef("chunk", KEY), OUTPUT).digest[:12] + ")" in found.message


def test_notes_leave_the_citation_standing() -> None:
    for name in checks.CAPTURED:
        assert (checks.load(name).OUTCOME, checks.load(name).SEVERITY) == (Outcome.HOLDS, Severity.NOTE)


def test_what_is_ambiguous_or_damaged_fails() -> None:
    assert checks.load("chunk-ambiguous").OUTCOME is Outcome.AMBIGUOUS
    assert checks.load("chunk-damaged").OUTCOME is Outcome.MISMATCH
    for name in ("chunk-ambiguous", "chunk-damaged"):
        assert checks.load(name).SEVERITY is Severity.ERROR


def test_a_long_list_of_candidates_is_marked_as_cut() -> None:
    from pincite.checks.output.chunk_ambiguous import message

    citation = Citation("bracket", Span(0, 1), "x", SourceRef("chunk", KEY), Lines(1, 1))
    assert "(a, b, …)" in message(citation, Obstacle("chunk-ambiguous", "7 a, b"))
    assert "(a, b)" in message(citation, Obstacle("chunk-ambiguous", "2 a, b"))
