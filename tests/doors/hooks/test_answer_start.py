"""When a session starts: two lines at most, nothing where all holds, and an answer that is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.hooks import answer_start

Answer = Callable[..., tuple[int, str, str]]
MEMORY = '---\ncitations:\n  - path: src/gauge.py\n    line: 1\n    snippet: "{snippet}"\n---\nBody.\n'


def start(client: str, project: Path) -> dict[str, Any]:
    said = {"cwd": str(project), "session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}
    if client == "cursor":
        said |= {"hook_event_name": "sessionStart", "workspace_roots": [str(project)]}
    return said


def told(client: str, answered: tuple[int, str, str]) -> str:
    code, out, err = answered
    assert (code, err) == (0, "")
    said = json.loads(out or "{}")
    if client == "cursor":
        return str(said.get("additional_context", ""))
    return str(said.get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.mark.parametrize("client", ["claude", "codex", "gemini", "cursor"])
def test_what_is_out_of_date_is_told_in_two_lines(answer: Answer, project: Path, client: str) -> None:
    assert told(client, answer(client, start(client, project))) == ""
    (project / "Makefile").write_text("test: ; true\n")
    (project / "AGENTS.md").write_text("Run `make lint` and `make build` before `make test`.\n")
    memories = project / ".serena/memories"
    memories.mkdir(parents=True)
    (memories / "a.md").write_text(MEMORY.format(snippet="LIMIT = 250"))
    (memories / "b.md").write_text(MEMORY.format(snippet="LIMIT = 100"))
    lines = told(client, answer(client, start(client, project))).split("\n")
    assert len(lines) == 2
    assert lines[0] == (
        "pincite: AGENTS.md:1 names `make lint`; no target lint in Makefile; 1 more, which `pincite check` lists."
    )
    assert lines[1].startswith("pincite: 1 of 2 memories out of date; .serena/memories/a.md:")


def test_a_kept_answer_is_used_until_something_changes(
    answer: Answer, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "Makefile").write_text("test: ; true\n")
    (project / "AGENTS.md").write_text("Run `make lint`. See `src/gauge.py`.\n")
    first = told("claude", answer("claude", start("claude", project)))
    assert "make lint" in first
    # What changed a moment ago is never trusted; so the kept answer stands once the clock has moved on.
    for _ in range(200):
        told("claude", answer("claude", start("claude", project)))
        with monkeypatch.context() as patched:
            patched.setattr(answer_start, "_check", lambda *_: ["checked anew"])
            patched.setattr(answer_start, "save_kept", lambda *_: False)
            if told("claude", answer("claude", start("claude", project))) == first:
                break
    else:
        pytest.fail("no kept answer was used")
    (project / "Makefile").write_text("test: ; true\nlint: ; true\n")
    assert told("claude", answer("claude", start("claude", project))) == ""
    (project / "src/gauge.py").unlink()
    assert "src/gauge.py" in told("claude", answer("claude", start("claude", project)))


def test_what_takes_too_long_is_not_said(answer: Answer, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "AGENTS.md").write_text("See `src/no.py`.\n")
    monkeypatch.setattr(answer_start, "_PATIENCE", 1e-6)
    assert told("claude", answer("claude", start("claude", project))) == ""


def test_text_of_files_is_escaped_and_short(answer: Answer, project: Path) -> None:
    (project / "AGENTS.md").write_text(f"See `src/{'x' * 3000}.py` and `src/no.py`.\n")
    said = told("claude", answer("claude", start("claude", project)))
    assert len(said) < 600 and "\n" not in said
