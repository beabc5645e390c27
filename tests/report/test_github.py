"""Workflow commands: escaping, order and GitHub's limit of ten."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pincite.core.model import Finding, Outcome, Report, Severity, Summary, Verdict

Render = Callable[..., str]


def commands(out: str) -> list[tuple[str, dict[str, str], str]]:
    """Parse the way the runner does."""

    def plain(text: str) -> str:
        for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            text = text.replace(code, char)
        return text

    parsed = []
    for line in out.splitlines():
        match = re.match(r"::(\w+) (.*?)::(.*)", line)
        if match:
            pairs = (pair.split("=", 1) for pair in match[2].split(","))
            parsed.append((match[1], {key: plain(value) for key, value in pairs}, plain(match[3])))
    return parsed


def test_a_whole_run(render: Render, sample: Any) -> None:
    found = commands(render("github", *sample))
    assert [kind for kind, _, _ in found] == ["error"] * 5 + ["warning"] * 3 + ["notice"]
    assert found[0] == (
        "error",
        {
            "file": ".serena/memories/auth.md",
            "line": "9",
            "col": "5",
            "endLine": "9",
            "endColumn": "23",
            "title": "blocked (path-blocked)",
        },
        "Path traversal blocked: ../../etc/passwd",
    )
    assert found[-1][2].startswith("17 citations in 3 documents: 10 hold, 1 blocked")


def test_evidence_and_fix_are_lines_of_the_message(render: Render, sample: Any) -> None:
    messages = [message for _, _, message in commands(render("github", *sample))]
    assert "The cited lines now stand at src/app/server.py:15-17\nfix: 【F:src/app/server.py†L15-L17】" in messages


def test_documented_escapes(render: Render, cite: Any, clean: Any) -> None:
    finding = Finding("file-not-found", Outcome.MISSING, Severity.ERROR, "50% of a:b, c")
    report = Report("a,b:c%.md", (Verdict(cite("x", "x"), 1, 1, (finding,)),))
    out = render("github", [report], clean(1)[1])
    assert "file=a%2Cb%3Ac%25.md," in out
    assert "::50%25 of a:b, c\n" in out


def test_the_gravest_ten_of_each_kind_are_annotated_and_the_rest_logged(render: Render, cite: Any, clean: Any) -> None:
    def verdict(line: int, outcome: Outcome, severity: Severity) -> Verdict:
        return Verdict(cite("x", "x"), line, 1, (Finding("some-check", outcome, severity, f"at {line}"),))

    kinds = [(Outcome.MOVED, Severity.ERROR)] * 12 + [(Outcome.MISSING, Severity.ERROR)] * 3
    kinds += [(Outcome.MOVED, Severity.WARNING)] * 11
    report = Report("::a.md", tuple(verdict(line, *kind) for line, kind in enumerate(kinds, 1)))
    out = render("github", [report], clean(1)[1])
    found = commands(out)
    errors = [properties["line"] for kind, properties, _ in found if kind == "error"]
    assert errors == ["13", "14", "15", "1", "2", "3", "4", "5", "6", "7"]
    assert sum(kind == "warning" for kind, _, _ in found) == 10
    logged = [line for line in out.splitlines() if not line.startswith("::")]
    assert len(logged) == 6
    assert logged[0] == "\\u{3a}:a.md:11:1: error: at 11 (some-check)"
    assert "6 more without annotation" in found[-1][2]


def test_what_could_not_be_checked_is_only_counted(render: Render, sample: Any) -> None:
    out = render("github", *sample)
    assert "opaque-source" not in out
    assert "1 unchecked" in out


@pytest.mark.parametrize("limit", [1, 12, 25, 40])
def test_a_limit_bounds_annotations_and_log_together(limit: int, render: Render, cite: Any) -> None:
    def verdict(line: int, severity: Severity) -> Verdict:
        return Verdict(cite("a:1", "a", 1), line, 1, (Finding("some-check", Outcome.MISSING, severity, "m"),))

    kinds = [Severity.WARNING] * 18 + [Severity.ERROR] * 12
    report = Report("a.md", tuple(verdict(line, kind) for line, kind in enumerate(kinds, 1)))
    lines = render("github", [report], Summary(1, 30, {"missing": 30}), limit=limit).splitlines()
    assert len(lines) == min(limit, 30) + 1
    assert sum(line.startswith("::error") for line in lines) == min(limit, 10)
    more = 30 - limit
    assert (f"{more} more not shown: --limit 0 shows all" in lines[-1]) == (more > 0)
