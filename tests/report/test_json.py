"""The JSON report against its published schema."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.core.model import (
    Citation,
    Edit,
    EvidenceStamp,
    Finding,
    Lines,
    Outcome,
    Report,
    Safety,
    Severity,
    SourceRef,
    Span,
    Verdict,
)
from pincite.report import Options, load

Render = Callable[..., str]
SCHEMA = json.loads(files("pincite").joinpath("schemas/report-1.schema.json").read_text(encoding="utf-8"))


def closed(schema: Any) -> Any:
    """The schema without room for keys it does not name."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    shut = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        shut["additionalProperties"] = False
    return shut


VALIDATOR = Draft202012Validator(closed(SCHEMA), format_checker=Draft202012Validator.FORMAT_CHECKER)


def parsed(render: Render, run: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(render("json", *run))
    VALIDATOR.validate(data)
    return data


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert closed(SCHEMA)["$defs"]["citation"]["additionalProperties"] is False


def test_a_whole_run(render: Render, sample: Any) -> None:
    data = parsed(render, sample)
    assert data["schema"] == "pincite.report/1"
    assert data["version"] == "0.1.0"
    assert [one["outcome"] for one in data["citations"]] == [
        "mismatch",
        "blocked",
        "moved",
        "mismatch",
        "mismatch",
        "missing",
        "unchecked",
    ]
    moved = data["citations"][2]
    assert moved.pop("silenced") == []
    assert moved == {
        "document": "docs/guide.md",
        "line": 12,
        "column": 5,
        "raw": "【F:src/app/server.py†L12-L14】",
        "dialect": "bracket",
        "target": "src/app/server.py:12-14",
        "source": {"scheme": "file", "key": "src/app/server.py"},
        "lines": [12, 14],
        "quote": None,
        "outcome": "moved",
        "evidence": {"path": "src/app/server.py", "digest": "9f" * 32, "retrieved": "2026-11-15T22:09:34.250Z"},
        "findings": [
            {
                "check": "lines-moved",
                "outcome": "moved",
                "severity": "warning",
                "message": "The cited lines now stand at src/app/server.py:15-17",
                "edit": {"start": 121, "end": 128, "replacement": "L15-L17", "safety": "safe"},
            }
        ],
    }
    assert data["malformed"] == [
        {
            "document": "docs/guide.md",
            "line": 47,
            "column": 2,
            "raw": "【F:src/x.py†L9-L2】",
            "dialect": "bracket",
            "reason": "The range ends before it begins",
        }
    ]
    assert data["errors"] == [{"document": "notes/latin1.md", "message": "not UTF-8 (byte 0xe9 at offset 12)"}]
    assert data["summary"]["outcomes"]["holds"] == 10
    assert data["summary"]["seconds"] == 0.123
    assert data["summary"]["exit_code"] == 2


def test_an_edit_applied_to_the_raw_text_gives_the_new_citation(render: Render, sample: Any) -> None:
    moved = parsed(render, sample)["citations"][2]
    edit = moved["findings"][0]["edit"]
    raw = moved["raw"]
    assert raw[: edit["start"] - 100] + edit["replacement"] + raw[edit["end"] - 100 :] == (
        "【F:src/app/server.py†L15-L17】"
    )


def test_zero_documents(render: Render, clean: Any) -> None:
    data = parsed(render, clean(0, documents=0))
    assert data["citations"] == []
    assert data["summary"]["citations"] == 0


def test_a_citation_that_holds_is_there_with_its_evidence(render: Render, cite: Any, clean: Any) -> None:
    report = Report("a.md", (Verdict(cite("a.py", "a.py"), 1, 1),), held=1)
    (only,) = parsed(render, ((report,), clean(1)[1]))["citations"]
    assert (only["outcome"], only["lines"], only["findings"], only["evidence"]) == ("holds", None, [], None)


def test_impossible_line_numbers_are_reported_as_written(render: Render, cite: Any, clean: Any) -> None:
    report = Report("a.md", (Verdict(cite("a.py:0", "a.py", 0, -3), 1, 1),))
    assert parsed(render, ((report,), clean(1)[1]))["citations"][0]["lines"] == [0, -3]


def test_text_stays_exact_and_invisible_characters_are_escaped(render: Render, cite: Any, clean: Any) -> None:
    raw = "a\u202e\x1b\u200b:1"
    out = render("json", [Report("a.md", (Verdict(cite(raw, raw, 1), 1, 1),))], clean(1)[1])
    assert json.loads(out)["citations"][0]["raw"] == raw
    assert "\\u202e" in out


def test_a_file_name_that_is_not_utf8_does_not_spoil_the_report(render: Render, cite: Any, clean: Any) -> None:
    report = Report("bad\udcff.md", (Verdict(cite("a:1", "a", 1), 1, 1),))
    data = parsed(render, ((report,), clean(1)[1]))
    assert data["citations"][0]["document"] == "bad\\u{dcff}.md"


def test_one_citation_a_line(render: Render, sample: Any) -> None:
    lines = [line.rstrip(",") for line in render("json", *sample).splitlines() if line.startswith('{"document"')]
    assert len([json.loads(line) for line in lines]) == 9


def test_citations_are_written_as_documents_come(sample: Any) -> None:
    parts: list[str] = []
    reporter = load("json").Reporter(parts.append, Options())
    for report in sample[0]:
        before = len(parts)
        reporter.document(report)
        assert sum(part.count('"raw"') for part in parts[before:]) == len(report.verdicts)


@pytest.mark.parametrize("safety", list(Safety))
def test_optional_keys_appear_only_where_there_is_something(
    safety: Safety, render: Render, cite: Any, clean: Any
) -> None:
    plain = Finding("a", Outcome.MISSING, Severity.ERROR, "m")
    rich = Finding("b", Outcome.MOVED, Severity.NOTE, "m", "d", Edit(Span(0, 1), "r", safety))
    report = Report("a.md", (Verdict(cite("x", "x"), 1, 1, (plain, rich)),))
    first, second = parsed(render, ((report,), clean(1)[1]))["citations"][0]["findings"]
    assert set(first) == {"check", "outcome", "severity", "message"}
    assert second["edit"]["safety"] == safety.value


def holding(number: int, path: str = "docs/guide.md") -> Report:
    """A document of so many citations that hold."""
    seen = EvidenceStamp("src/app.py", "9f" * 32, 1_700_000_000.25)
    verdicts = [
        Verdict(
            Citation(
                "bracket", Span(0, 9), f"【F:src/app.py†L{at}】", SourceRef("file", "src/app.py"), Lines(at, at + 2)
            ),
            at,
            1,
            (),
            seen,
        )
        for at in range(1, number + 1)
    ]
    return Report(path, tuple(verdicts))


def count_calls(reporter: Any, report: Report) -> int:
    """How many functions are called to write a document."""
    calls = 0

    def seen(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        reporter.document(report)
    finally:
        sys.setprofile(None)
    return calls


def test_a_citation_that_holds_costs_next_to_nothing() -> None:
    """A dictionary was made of each, encoded on its own and searched for what is invisible: over twenty calls."""
    parts: list[str] = []
    reporter = load("json").Reporter(parts.append, Options(version="0.1.0"))
    few, many = (count_calls(reporter, holding(number)) for number in (10, 1010))
    assert (many - few) / 1000 <= 8


@pytest.mark.parametrize("path", ["docs/guide.md", "docs/\udcff.md", "docs/\u200bzero.md"])
def test_a_citation_is_written_as_its_keys_say(path: str) -> None:
    parts: list[str] = []
    reporter = load("json").Reporter(parts.append, Options(version="0.1.0"))
    reporter.document(holding(2, path))
    shown = path.replace("\udcff", "\\\\u{dcff}").replace("\u200b", "\\u200b")
    assert parts[1] == "\n" + ",\n".join(
        f'{{"document":"{shown}","line":{at},"column":1,"raw":"【F:src/app.py†L{at}】","dialect":"bracket",'
        f'"target":"src/app.py:{at}-{at + 2}","source":{{"scheme":"file","key":"src/app.py"}},"lines":[{at},{at + 2}],'
        f'"quote":null,"outcome":"holds","evidence":{{"path":"src/app.py","digest":"{"9f" * 32}",'
        '"retrieved":"2023-11-14T22:13:20.250Z"},"findings":[],"silenced":[]}'
        for at in (1, 2)
    )


def test_every_citation_of_a_document_is_written_at_once() -> None:
    parts: list[str] = []
    reporter = load("json").Reporter(parts.append, Options(version="0.1.0"))
    for _ in range(3):
        reporter.document(holding(50))
    assert len(parts) == 4
