"""The schema of a memory's head: what is accepted, and how a refusal reads (M4, M12, M15)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pincite.text.memory_head import Link, MemoryHead, read_head, read_moment
from pincite.text.yaml import load


def _head(text: str) -> MemoryHead:
    return read_head(load(text))


def _problems(text: str) -> list[str]:
    return [problem.message for problem in _head(text).problems]


def test_everything_is_optional() -> None:
    head = _head("")
    assert head.problems == []
    assert (head.id, head.subject, head.citations, head.links, head.tags) == (None, "", [], [], [])
    assert head.confidence is None


def test_a_full_head() -> None:
    head = _head(
        "id: a\nsubject: b\ncitations:\n"
        "  - path: c.py\n    line: 3\n    snippet: d\n    verified: 2026-01-24T10:30:00Z\n"
        "links:\n  - extends: e\ntags: [f, g]\nconfidence: 0.25\nlast_verified: 2026-01-24\nowner: h\n"
    )
    assert head.problems == []
    (entry,) = head.citations
    assert (entry.path, entry.line, entry.snippet) == ("c.py", 3, "d")
    assert entry.verified == datetime(2026, 1, 24, 10, 30, tzinfo=UTC)
    assert head.links == [Link("extends", "e")]
    assert head.tags == ["f", "g"]
    assert head.confidence == 0.25
    assert head.last_verified == datetime(2026, 1, 24, tzinfo=UTC)
    assert "owner" in head.node.values
    assert head.warnings == []


@pytest.mark.parametrize(
    ("value", "got"),
    [('"42"', '"42"'), ("'42'", '"42"'), ("true", "true"), ("012", "012"), ("12:30", "12:30"), ("1_000", "1_000")]
    + [("0b1", "0b1"), ("4.0", "4.0"), ("[4]", "a list"), ("{a: 4}", "a map"), ("no", "no"), ("1e2", "1e2")],
)
def test_a_line_is_an_integer_and_nothing_else(value: str, got: str) -> None:
    assert _problems(f"citations:\n  - path: a\n    line: {value}\n") == [
        f"citations[0].line: expected an integer, got {got}"
    ]


@pytest.mark.parametrize(("value", "line"), [("0", 0), ("-5", -5), ("0x10", 16), ("", None), ("null", None), ("7", 7)])
def test_lines_that_are_integers(value: str, line: int | None) -> None:
    head = _head(f"citations:\n  - path: a\n    line: {value}\n")
    assert head.problems == []
    assert head.citations[0].line == line


def test_a_huge_number_is_no_line() -> None:
    (problem,) = _problems(f"citations:\n  - path: a\n    line: {'9' * 5000}\n")
    assert problem.startswith("citations[0].line: expected an integer, got 999")
    assert len(problem) < 150


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("citations:\n  - line: 3\n", "citations[0].path: expected a path, got a map"),
        ("citations:\n  - path:\n", "citations[0].path: expected a path, got nothing"),
        ('citations:\n  - path: ""\n', 'citations[0].path: expected a path, got ""'),
        ("citations:\n  - path: 12\n", "citations[0].path: expected a string, got 12 (put it in quotes)"),
        ("citations:\n  - path: [a]\n", "citations[0].path: expected a string, got a list"),
        ("citations:\n  - path: a\n  - b.py\n", "citations[1]: expected keys with values, got b.py"),
        (
            "citations:\n  - path: a\n    snippet: 3\n",
            "citations[0].snippet: expected a string, got 3 (put it in quotes)",
        ),
        (
            "citations:\n  - path: a\n    snippet: no\n    line: yes\n",
            "citations[0].line: expected an integer, got yes",
        ),
        (
            "citations:\n  - path: a\n    verified: soon\n",
            "citations[0].verified: expected an ISO-8601 date or time, got soon",
        ),
        (
            "citations:\n  - path: a\n    verified: 2026-02-30\n",
            "citations[0].verified: expected an ISO-8601 date or time, got 2026-02-30",
        ),
        ("citations: a.py\n", "citations: expected a list, got a.py"),
        ("citations: {path: a}\n", "citations: expected a list, got a map"),
        ("confidence: 3\n", "confidence: expected a number from 0.0 to 1.0, got 3"),
        ("confidence: -0.1\n", "confidence: expected a number from 0.0 to 1.0, got -0.1"),
        ("confidence: .nan\n", "confidence: expected a number from 0.0 to 1.0, got .nan"),
        ("confidence: true\n", "confidence: expected a number from 0.0 to 1.0, got true"),
        ('confidence: "1.0"\n', 'confidence: expected a number from 0.0 to 1.0, got "1.0"'),
        ("confidence: [1]\n", "confidence: expected a number from 0.0 to 1.0, got a list"),
        ("id: [a]\n", "id: expected a string, got a list"),
        ("id: 7\n", "id: expected a string, got 7 (put it in quotes)"),
        ('id: " "\n', 'id: expected a name, got " "'),
        ("subject: true\n", "subject: expected a string, got true (put it in quotes)"),
        ("tags: a\n", "tags: expected a list, got a"),
        ("tags: [a, 1]\n", "tags[1]: expected a string, got 1 (put it in quotes)"),
        ("links: a\n", "links: expected a list, got a"),
        ("links:\n  - a\n", "links[0]: expected one `type: memory-id` pair, got a"),
        ("links:\n  - related: a\n    blocks: b\n", "links[0]: expected one `type: memory-id` pair, got a map"),
        ("links:\n  - related:\n", "links[0].related: expected a memory id, got nothing"),
        ("links:\n  - related: 0\n", "links[0].related: expected a string, got 0 (put it in quotes)"),
        ("links:\n  - related: [a]\n", "links[0].related: expected a string, got a list"),
        ("last_verified: 12\n", "last_verified: expected an ISO-8601 date or time, got 12"),
        ("- a\n", "expected keys with values, got a list"),
        ("just words\n", "expected keys with values, got just words"),
    ],
)
def test_refusals_name_field_and_value(text: str, message: str) -> None:
    assert _problems(text) == [message]


def test_several_problems_of_one_item_are_one_note() -> None:
    head = _head('citations:\n  - line: "1"\n    verified: x\n  - path: ok\n')
    assert len(head.problems) == 1
    assert head.problems[0].message.count(";") == 2
    assert [entry.path for entry in head.citations] == ["ok"]


def test_problems_come_in_document_order() -> None:
    head = _head('confidence: 3\ncitations:\n  - path: a\n    line: "1"\nid: 4\n')
    starts = [problem.start for problem in head.problems]
    assert starts == sorted(starts)
    assert len(starts) == 3


def test_an_unknown_link_type_is_skipped_with_a_warning() -> None:
    head = _head("links:\n  - cites: a\n  - related: b\n")
    assert head.problems == []
    assert head.links == [Link("related", "b")]
    assert head.warnings == ['links[0]: unknown link type "cites", link skipped']


def test_an_unknown_key_of_a_citation_is_a_warning() -> None:
    head = _head("citations:\n  - path: a\n    lines: 4\n")
    assert head.problems == []
    assert head.warnings == ['citations[0]: unknown key "lines" is not read']


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-24", datetime(2026, 1, 24, tzinfo=UTC)),
        ("2026-01-24T10:30:00", datetime(2026, 1, 24, 10, 30, tzinfo=UTC)),
        ("2026-01-24T10:30:00Z", datetime(2026, 1, 24, 10, 30, tzinfo=UTC)),
        ("2026-01-24 10:30:00+02:00", datetime(2026, 1, 24, 8, 30, tzinfo=UTC)),
        ("20260124T103000Z", datetime(2026, 1, 24, 10, 30, tzinfo=UTC)),
        ("2026-W04-6", datetime(2026, 1, 24, tzinfo=UTC)),
    ],
)
def test_times_are_aware_utc(text: str, moment: datetime) -> None:
    read = read_moment(text)
    assert read == moment
    assert read is not None
    assert read.tzinfo is UTC


@pytest.mark.parametrize("text", ["", "soon", "2026", "2026-13-01", "10:30", "0001-01-01T00:00:00+23:59", "9" * 300])
def test_what_is_no_time(text: str) -> None:
    assert read_moment(text) is None
