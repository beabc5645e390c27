"""A run that shows every kind of outcome once, and the way to turn it into any format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from pincite.core.model import (
    Citation,
    Defect,
    Edit,
    EvidenceStamp,
    Finding,
    Lines,
    Malformed,
    Outcome,
    Quote,
    Report,
    Safety,
    Severity,
    SourceRef,
    Span,
    Summary,
    Verdict,
)
from pincite.report import Options, load

MOMENT = 1794780574.25


def cited(raw: str, key: str, first: int | None = None, last: int | None = None, **more: Any) -> Citation:
    """A citation that begins at offset 100."""
    lines = None if first is None else Lines(first, last or first)
    given = {"dialect": "path", "span": Span(100, 100 + len(raw)), "source": SourceRef("file", key), **more}
    return Citation(raw=raw, lines=lines, **given)


def found(check: str, outcome: Outcome, severity: Severity, message: str, detail: str = "", **more: Any) -> Finding:
    """A finding, in the order one reads it."""
    return Finding(check, outcome, severity, message, detail, **more)


def sample_run() -> tuple[tuple[Report, ...], Summary]:
    """Three documents with one of everything, and their summary."""
    seen = EvidenceStamp("src/app/server.py", "9f" * 32, MOMENT)
    moved = "【F:src/app/server.py†L12-L14】"
    at = 100 + moved.index("L12")
    guide = Report(
        "docs/guide.md",
        (
            Verdict(
                cited(moved, "src/app/server.py", 12, 14, dialect="bracket"),
                12,
                5,
                (
                    found(
                        "lines-moved",
                        Outcome.MOVED,
                        Severity.WARNING,
                        "The cited lines now stand at src/app/server.py:15-17",
                        edit=Edit(Span(at, at + 7), "L15-L17", Safety.SAFE),
                    ),
                ),
                seen,
                ("def serve() -> None:",),
            ),
            Verdict(
                cited("src/app/config.py:8", "src/app/config.py", 8),
                30,
                17,
                (
                    found(
                        "lines-edited",
                        Outcome.MISMATCH,
                        Severity.WARNING,
                        "The cited line changed after the citation was written (1a2b3c4, 2026-03-02)",
                        "-    timeout: int = 30\n+    timeout: float = 5.0",
                    ),
                ),
                EvidenceStamp("src/app/config.py", "ab" * 32, MOMENT),
                ("    timeout: float = 5.0",),
            ),
            Verdict(
                cited("src/main.go#L3", "src/main.go", 3),
                41,
                1,
                (
                    found(
                        "lines-edited",
                        Outcome.MISMATCH,
                        Severity.WARNING,
                        "The cited line changed",
                        "-\tif x {\n+    if x {",
                    ),
                ),
                EvidenceStamp("src/main.go", "cd" * 32, MOMENT),
                ("    if x {",),
            ),
            Verdict(
                cited("[the loader](src/load.py#L4)", "src/load.py", 4),
                52,
                3,
                (found("file-not-found", Outcome.MISSING, Severity.ERROR, "File not found: src/load.py"),),
            ),
            Verdict(
                cited("【4:0†source】", "4:0", source=SourceRef("opaque", "4:0")),
                60,
                3,
                (found("opaque-source", Outcome.UNCHECKED, Severity.NOTE, "Nothing here can show what 4:0 is"),),
            ),
        ),
        (Defect(Malformed("bracket", Span(1, 19), "【F:src/x.py†L9-L2】", "The range ends before it begins"), 47, 2),),
        held=8,
    )
    item = "path: scripts/Check.ps1\n    line: 42\n    snippet: if ($x)"
    memory = Report(
        ".serena/memories/auth.md",
        (
            Verdict(
                cited(item, "scripts/Check.ps1", 42, dialect="memory", quote=Quote("if ($x)")),
                4,
                5,
                (
                    found(
                        "snippet-mismatch",
                        Outcome.MISMATCH,
                        Severity.ERROR,
                        "Snippet mismatch at line 42. Expected 'if ($x)', got 'if ($y)'",
                        "-if ($x)\n+if ($y)",
                    ),
                ),
                EvidenceStamp("scripts/Check.ps1", "ef" * 32, MOMENT),
                ("if ($y)",),
            ),
            Verdict(
                cited("../../etc/passwd:1", "../../etc/passwd", 1),
                9,
                5,
                (found("path-blocked", Outcome.BLOCKED, Severity.ERROR, "Path traversal blocked: ../../etc/passwd"),),
            ),
        ),
        held=2,
        ignored=1,
    )
    damaged = Report("notes/latin1.md", error="not UTF-8 (byte 0xe9 at offset 12)")
    counts = {"holds": 10, "unchecked": 1, "moved": 1, "ambiguous": 0, "mismatch": 3, "missing": 1, "blocked": 1}
    summary = Summary(
        documents=3,
        citations=17,
        outcomes=counts,
        errors=3,
        warnings=3,
        notes=1,
        malformed=1,
        ignored=1,
        unreadable=1,
        fixable=1,
        seconds=0.1234,
        exit_code=2,
    )
    return (memory, guide, damaged), summary


def clean_run(citations: int, documents: int = 4) -> tuple[tuple[Report, ...], Summary]:
    """A run in which every citation holds."""
    counts = dict.fromkeys((outcome.label for outcome in Outcome), 0) | {"holds": citations}
    reports = (Report("docs/guide.md", held=citations),) if citations else ()
    return reports, Summary(documents=documents, citations=citations, outcomes=counts)


def rendered(name: str, reports: Iterable[Report], summary: Summary, **options: Any) -> str:
    """The whole output of a format."""
    parts: list[str] = []
    reporter = load(name).Reporter(parts.append, Options(version="0.1.0", **options))
    for report in reports:
        reporter.document(report)
    reporter.close(summary)
    return "".join(parts)


@pytest.fixture(name="sample")
def _sample() -> tuple[tuple[Report, ...], Summary]:
    return sample_run()


@pytest.fixture(name="clean")
def _clean() -> Callable[..., tuple[tuple[Report, ...], Summary]]:
    return clean_run


@pytest.fixture(name="render", scope="session")
def _render() -> Callable[..., str]:
    return rendered


@pytest.fixture(name="cite", scope="session")
def _cite() -> Callable[..., Citation]:
    return cited
