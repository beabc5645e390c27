"""When the agent is done: its last message, and what it says of runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Answer = Callable[..., tuple[int, str, str]]
DEAD = "It subtracts. 【F:src/gauge.py†L40-L44】"
CLAIM = "The limit is set, and all tests pass."


def stop(client: str, project: Path, message: str, session: str = "one", **more: object) -> dict[str, Any]:
    said = {"cwd": str(project), "session_id": session, **more}
    if client == "gemini":
        return said | {"hook_event_name": "AfterAgent", "prompt_response": message}
    return said | {"hook_event_name": "Stop", "last_assistant_message": message}


def reason(client: str, answered: tuple[int, str, str]) -> str:
    """Why the agent is sent on; empty where it is not."""
    code, out, err = answered
    if client == "gemini":
        assert code == 0 and err == ""
        return str(json.loads(out).get("reason", ""))
    assert (code == 2) == bool(err)
    return err


@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_a_dead_citation_in_the_last_message(answer: Answer, project: Path, client: str) -> None:
    said = reason(client, answer(client, stop(client, project, f"Done.\n\n{DEAD}")))
    assert said.startswith("pincite: the last message cites what is not there.\n- line 3: 【F:src/gauge.py†L40-L44】\n")
    assert reason(client, answer(client, stop(client, project, f"Done. {DEAD}", stop_hook_active=True))) == ""
    assert reason(client, answer(client, stop(client, project, "The limit is 100. 【F:src/gauge.py†L1】"))) == ""
    assert reason(client, answer(client, stop(client, project, ""))) == ""


def test_an_invented_file_is_dead(answer: Answer, project: Path) -> None:
    assert "file-not-found" in answer("claude", stop("claude", project, "See 【F:src/no.py†L1】."))[2]


@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_a_claim_without_a_run_is_asked_for_one_once(answer: Answer, project: Path, client: str) -> None:
    said = reason(client, answer(client, stop(client, project, CLAIM)))
    assert said.startswith(
        'pincite: the last message says how a run ended and cites none.\n- "tests pass"\n  no captured run shows it\n'
    )
    assert "pincite run --cite" in said
    assert reason(client, answer(client, stop(client, project, CLAIM))) == ""
    assert reason(client, answer(client, stop(client, project, CLAIM, "two"))) != ""
    assert reason(client, answer(client, stop(client, project, CLAIM, "three", stop_hook_active=True))) == ""
    assert reason(client, answer(client, stop(client, project, CLAIM, "four"))) != ""


def test_no_run_is_asked_for_where_that_is_not_wanted(answer: Answer, project: Path) -> None:
    assert answer("claude", stop("claude", project, CLAIM), "--no-claims") == (0, "", "")
    assert answer("claude", stop("claude", project, "Run the tests to see that they pass.")) == (0, "", "")


def test_the_run_that_shows_it_is_named(answer: Answer, project: Path, captured: Callable[..., str]) -> None:
    digest = captured(project, b"collected\n42 passed in 1.0s\n")
    said = answer("claude", stop("claude", project, "All 42 tests pass."))[2]
    assert "  run 1 (pytest -q), exit 0, shows it:\n" in said
    assert f"    【{digest[:6]}†L2】  42 passed in 1.0s\n" in said
    assert "pincite run" not in said
    cited = f"All 42 tests pass. 【{digest[:6]}†L2】"
    assert answer("claude", stop("claude", project, cited, "two")) == (0, "", "")
    captured(project, b"1 failed, 41 passed\x1b[0m\n", code=1)
    said = answer("claude", stop("claude", project, "All 42 tests pass.", "three"))[2]
    assert "  run 2 (pytest -q), exit 1, does not show it:\n" in said and "\x1b" not in said


def test_both_are_said_at_once(answer: Answer, project: Path) -> None:
    said = answer("claude", stop("claude", project, f"{CLAIM}\n\n{DEAD}"))[2]
    assert said.index("cites what is not there") < said.index("how a run ended")


def test_a_damaged_store_blocks_nothing(answer: Answer, project: Path) -> None:
    (project / ".pincite").mkdir()
    (project / ".pincite/store.sqlite").write_bytes(b"no database")
    code, _, _ = answer("claude", stop("claude", project, CLAIM))
    assert code in (0, 1, 2)
