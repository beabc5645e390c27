"""The memory commands as a person or a hook runs them: text, JSON, exit codes (M1, M2, M10, M11, M12)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pincite.core.errors import PinciteError
from pincite.doors.cli.memory import command

from .conftest import Write

GOOD = """---
id: security-002
citations:
  - path: src/app.py
    line: 42
    snippet: line 42
  - path: src/app.py
---
"""
BAD = """---
id: pr-review-003
citations:
  - path: src/app.py
    line: 102
  - path: src/app.py
  - path: gone.py
---
"""


def _run(repo: Path, *arguments: str) -> Result:
    return CliRunner().invoke(command, [*arguments, "--repo-root", str(repo)])


def test_a_memory_that_holds(repo: Path, write: Write) -> None:
    write("a.md", GOOD)
    result = _run(repo, "verify", "security-002")
    assert result.stdout == "[PASS] security-002: VALID\n  Citations: 2/2 valid\n  Confidence: 1.00\n"
    assert result.exit_code == 0


def test_m1_a_memory_that_is_stale(repo: Path, write: Write) -> None:
    write("b.md", BAD)
    result = _run(repo, "verify", "b.md")
    assert result.stdout == (
        "[FAIL] pr-review-003: STALE\n  Citations: 1/3 valid\n  Confidence: 0.33\n"
        "  [STALE] src/app.py:102\n    Reason: Line 102 exceeds file length (98 lines)\n"
        "  [STALE] gone.py\n    Reason: File not found: gone.py\n"
    )
    assert result.exit_code == 1


def test_m10_json_of_one_memory(repo: Path, write: Write) -> None:
    write("b.md", BAD)
    result = _run(repo, "verify", "b.md", "--json")
    assert json.loads(result.stdout) == {
        "memory_id": "pr-review-003",
        "valid": False,
        "total_citations": 3,
        "valid_count": 1,
        "confidence": 0.33,
        "stale_citations": [
            {
                "path": "src/app.py",
                "line": 102,
                "snippet": None,
                "mismatch_reason": "Line 102 exceeds file length (98 lines)",
            },
            {"path": "gone.py", "line": None, "snippet": None, "mismatch_reason": "File not found: gone.py"},
        ],
    }
    assert list(json.loads(result.stdout)) == [
        *("memory_id", "valid", "total_citations", "valid_count", "confidence", "stale_citations")
    ]
    assert result.exit_code == 1


def test_m11_a_memory_without_citations_does_not_look_checked(repo: Path, write: Write) -> None:
    write("n.md", "notes")
    result = _run(repo, "verify", "n")
    assert result.stdout == "[NONE] n: UNCITED\n  Citations: 0/0 valid\n  Confidence: 0.50\n"
    assert result.exit_code == 0
    data = json.loads(_run(repo, "verify", "n", "--json").stdout)
    assert data == {
        "memory_id": "n",
        "valid": True,
        "total_citations": 0,
        "valid_count": 0,
        "confidence": 0.5,
        "stale_citations": [],
    }


def test_verify_all_sorts_by_id_and_counts(repo: Path, write: Write) -> None:
    write("z.md", BAD)
    write("y.md", GOOD)
    write("n.md", "notes")
    result = _run(repo, "verify-all")
    assert result.stdout.index("[FAIL] pr-review-003") < result.stdout.index("[PASS] security-002")
    assert result.stdout.endswith("\n\n5 citations checked in 2 memories: 1 valid, 1 stale, 1 uncited.\n")
    assert result.exit_code == 1


def test_m10_json_of_all_is_an_array(repo: Path, write: Write) -> None:
    assert json.loads(_run(repo, "verify-all", "--json").stdout) == []
    write("z.md", BAD)
    write("y.md", GOOD)
    write("n.md", "notes")
    result = _run(repo, "verify-all", "--json")
    assert [item["memory_id"] for item in json.loads(result.stdout)] == ["pr-review-003", "security-002"]
    assert "1 uncited" in result.stderr


def test_m11_a_run_over_nothing_says_so(repo: Path, write: Write) -> None:
    write("n.md", "notes")
    result = _run(repo, "verify-all")
    assert result.stdout == "Nothing was checked: no citations in 1 memory, 1 uncited.\n"
    assert result.exit_code == 0
    assert "Nothing was checked" in _run(repo, "health").stdout


def test_m2_an_unparsable_memory_is_named_and_the_others_are_verified(repo: Path, write: Write) -> None:
    write("a.md", GOOD)
    write("b.md", BAD)
    write("broken.md", '---\ncitations:\n  - path: a\n    line: "42"\n---\n')
    for arguments in (["verify-all"], ["verify-all", "--json"]):
        result = _run(repo, *arguments)
        assert 'broken.md: line 4: citations[0].line: expected an integer, got "42"' in result.stderr
        assert "security-002" in result.stdout
        assert "pr-review-003" in result.stdout
        assert result.exit_code == 2
    one = _run(repo, "verify", "broken")
    assert one.exit_code == 2
    assert one.stdout == ""


def test_m13_duplicates_fail_with_both_names(repo: Path, write: Write) -> None:
    write("a.md", GOOD)
    write("b.md", GOOD)
    result = _run(repo, "verify-all")
    assert result.exit_code == 2
    assert ".serena/memories/a.md and .serena/memories/b.md" in result.stderr


def test_m12_unknown_link_types_are_warnings(repo: Path, write: Write) -> None:
    write("a.md", GOOD.replace("citations:", "links:\n  - likes: b\ncitations:"))
    result = _run(repo, "verify", "a")
    assert result.exit_code == 0
    assert 'unknown link type "likes", link skipped' in result.stderr


def test_health_tells_everything(repo: Path, write: Write) -> None:
    write("a.md", GOOD.replace("citations:", "links:\n  - supersedes: n\n  - related: gone\ncitations:"))
    write("b.md", BAD)
    write("n.md", "notes")
    result = _run(repo, "health")
    assert "Memories: 3  (3 of 5 citations hold)\n" in result.stdout
    assert "[BROKEN LINK] security-002: related gone: no memory has this id\n" in result.stdout
    assert "[OBSOLETE] n: superseded by security-002\n" in result.stdout
    assert result.exit_code == 1
    data = json.loads(_run(repo, "health", "--json").stdout)
    assert data["schema"] == "pincite.memory-health/1"
    assert data["uncited"] == ["n"]
    assert data["nothing_checked"] is False


@pytest.mark.parametrize("format_", ["text", "json", "dot", "mermaid"])
def test_graph_formats(repo: Path, write: Write, format_: str) -> None:
    write("a.md", GOOD.replace("citations:", "links:\n  - extends: n\ncitations:"))
    write("n.md", "notes")
    result = _run(repo, "graph", "security-002", "--format", format_)
    assert result.exit_code == 0
    assert "security-002" in result.stdout
    assert "extends" in result.stdout


def test_update_writes_and_dry_run_does_not(repo: Path, write: Write) -> None:
    path = write("a.md", GOOD)
    result = _run(repo, "update", "--dry-run")
    assert "+confidence: 1.0" in result.stdout
    assert path.read_text() == GOOD
    result = _run(repo, "update")
    assert result.exit_code == 0
    assert "confidence: 1.0\nlast_verified: " in path.read_text()
    assert path.read_text().count("verified: ") == 3


def test_verifying_never_writes(repo: Path, write: Write) -> None:
    path = write("a.md", GOOD)
    before = path.stat()
    for arguments in (["verify", "a.md"], ["verify-all"], ["health"], ["graph"]):
        _run(repo, *arguments)
    assert path.read_text() == GOOD
    assert path.stat().st_mtime_ns == before.st_mtime_ns


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["verify", "gone"],
        ["verify-all", "--dir", "none"],
        ["verify-all", "--dir", "/"],
        ["nonsense"],
        ["graph", "gone"],
    ],
)
def test_wrong_arguments_are_exit_code_two(repo: Path, arguments: list[str]) -> None:
    result = _run(repo, *arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        assert isinstance(result.exception, PinciteError)
        assert result.exception.exit_code == 2
    else:
        assert result.exit_code == 2


def test_hostile_text_never_reaches_the_terminal(repo: Path, write: Write) -> None:
    write("a.md", '---\nid: "a\\e[31m\\u202e"\ncitations:\n  - path: "x\\e]0;t\\a\\n[PASS] b: VALID"\n---\n')
    write("b\x1b[31m.md", "---\n: [\n---\n")
    for arguments in (["verify-all"], ["verify-all", "--json"], ["health"], ["health", "--json"], ["graph"]):
        result = _run(repo, *arguments)
        assert not any(char in result.output + result.stderr for char in "\x1b\x07\u202e")
        assert "\n[PASS] b" not in result.output


@pytest.mark.parametrize("arguments", [["verify", "security-002"], ["verify-all", "--json"]])
def test_the_module_is_a_door_to_the_same_commands(repo: Path, write: Write, arguments: list[str]) -> None:
    write("a.md", GOOD)
    done = subprocess.run(
        [sys.executable, "-m", "memory_enhancement", *arguments, "--repo-root", str(repo)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0
    assert done.stdout == _run(repo, *arguments).stdout


def test_the_module_reports_errors_without_a_traceback(repo: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memory_enhancement", "verify", "gone", "--repo-root", str(repo)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "gone: no memory with this id" in done.stderr
