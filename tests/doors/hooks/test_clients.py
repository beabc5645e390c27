"""Each client's events, tools and answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.hooks import command as hook_command

Answer = Callable[..., tuple[int, str, str]]
GOOD, DEAD = "The limit is 100. 【F:src/gauge.py†L1】", "It subtracts. 【F:src/gauge.py†L40-L44】"
MOVED = '---\ncitations:\n  - path: src/gauge.py\n    line: 4\n    snippet: "LIMIT = 100"\n---\nBody.\n'
PATCH = "*** Begin Patch\n*** Add File: docs/new.md\n+# New\n+{line}\n*** End Patch"
CLIENTS = ("claude", "codex", "gemini", "cursor")


def codex(project: Path, tool: str, given: dict[str, Any], event: str = "PreToolUse") -> dict[str, Any]:
    return {"hook_event_name": event, "cwd": str(project), "tool_name": tool, "tool_input": given, "session_id": "s"}


def gemini(project: Path, tool: str, given: dict[str, Any], event: str = "BeforeTool") -> dict[str, Any]:
    return codex(project, tool, given, event)


@pytest.mark.parametrize("client", ["codex", "claude"])
def test_a_patch_with_a_dead_citation_is_blocked(answer: Answer, project: Path, client: str) -> None:
    code, out, err = answer(client, codex(project, "apply_patch", {"command": PATCH.format(line=DEAD)}))
    assert (code, out) == (2, "")
    assert err.startswith("pincite: docs/new.md would cite what is not there.\n- line 2: 【F:src/gauge.py†L40-L44】\n")
    assert answer(client, codex(project, "apply_patch", {"command": PATCH.format(line=GOOD)})) == (0, "", "")
    assert answer(client, codex(project, "apply_patch", {"command": "no patch"})) == (0, "", "")


def test_of_a_patch_only_its_own_lines_count(answer: Answer, project: Path) -> None:
    (project / "docs/a.md").write_text(f"First.\n{DEAD}\nMiddle.\nLast.\n", encoding="utf-8")
    patch = "*** Begin Patch\n*** Update File: docs/a.md\n@@\n Middle.\n-Last.\n+{line}\n*** End Patch\n"
    assert answer("codex", codex(project, "apply_patch", {"command": patch.format(line="The end.")})) == (0, "", "")
    code, _, err = answer("codex", codex(project, "apply_patch", {"command": patch.format(line=DEAD)}))
    assert code == 2 and "- line 4: " in err and "- line 2: " not in err
    (project / "docs/a.md").write_text(f"First.\n{DEAD}\nMiddle.\nNew end.\n", encoding="utf-8")
    after = codex(project, "apply_patch", {"command": patch.format(line="New end.")}, "PostToolUse")
    assert answer("codex", after) == (0, "", "")
    (project / "docs/a.md").write_text(f"First.\n{DEAD}\nMiddle.\n{DEAD}\n", encoding="utf-8")
    code, _, err = answer("codex", codex(project, "apply_patch", {"command": patch.format(line=DEAD)}, "PostToolUse"))
    assert code == 2 and "- line 4: " in err and "- line 2: " not in err


def test_a_patch_that_moves_a_file(answer: Answer, project: Path) -> None:
    (project / "docs/a.md").write_text("First.\nLast.\n")
    patch = (
        "*** Begin Patch\n*** Update File: docs/a.md\n*** Move to: docs/b.md\n@@ First.\n-Last.\n"
        f"+{DEAD}\n*** End Patch\n"
    )
    code, _, err = answer("codex", codex(project, "apply_patch", {"command": patch}))
    assert code == 2 and err.startswith("pincite: docs/b.md would cite")


@pytest.mark.parametrize(
    "command",
    [
        f"apply_patch <<'EOF'\n{PATCH.format(line=DEAD)}\nEOF\n",
        f"cat > docs/new.md <<'EOF'\n{DEAD}\nEOF\n",
        f"cat <<EOF > docs/new.md\n{DEAD}\nEOF\n",
        f"mkdir -p docs\ncat <<'EOF' >> 'docs/new.md'\n{DEAD}\nEOF\nls",
        f"cd docs && tee new.md <<'EOF'\n{DEAD}\nEOF\n",
        f'cd docs && cat > new.md <<"X"\n{DEAD}\nX\n',
    ],
)
def test_a_here_document_is_an_edit(answer: Answer, project: Path, command: str) -> None:
    code, _, err = answer("codex", codex(project, "Bash", {"command": command}))
    assert code == 2, command
    assert "docs/new.md would cite" in err
    code, _, err = answer("codex", codex(project, "shell", {"command": ["bash", "-lc", command]}))
    assert code == 2
    code, out, _ = answer("gemini", gemini(project, "run_shell_command", {"command": command}))
    assert code == 0 and json.loads(out)["decision"] == "deny"


@pytest.mark.parametrize(
    "command",
    [
        "make test",
        "cat > docs/new.md <<'EOF'\nno end",
        f"cat <<'EOF'\n{DEAD}\nEOF\n",
        f"cat > $NAME <<'EOF'\n{DEAD}\nEOF\n",
        f"cat > docs/new.md <<EOF\n$LINE {DEAD}\nEOF\n",
        f"python3 - <<'EOF'\n{DEAD}\nEOF\n",
        f"cat > ../out.md <<'EOF'\n{DEAD}\nEOF\n",
        "cat > 'docs/\0.md' <<'EOF'\nx\nEOF\n",
    ],
)
def test_what_a_shell_writes_and_is_not_known_passes(answer: Answer, project: Path, command: str) -> None:
    assert answer("codex", codex(project, "Bash", {"command": command})) == (0, "", "")


def test_gemini_is_answered_in_json_alone(answer: Answer, project: Path) -> None:
    path = str(project / "docs/new.md")
    code, out, err = answer("gemini", gemini(project, "write_file", {"file_path": path, "content": DEAD}))
    said = json.loads(out)
    assert (code, err, said["decision"]) == (0, "", "deny")
    assert said["reason"].startswith("pincite: docs/new.md would cite what is not there.")
    assert answer("gemini", gemini(project, "write_file", {"file_path": path, "content": GOOD})) == (0, "{}\n", "")
    assert answer("gemini", gemini(project, "read_file", {"file_path": path})) == (0, "{}\n", "")
    (project / "docs/new.md").write_text(f"First.\n{DEAD}\n", encoding="utf-8")
    edit = {"file_path": path, "old_string": "x", "new_string": DEAD}
    told = json.loads(answer("gemini", gemini(project, "replace", edit, "AfterTool"))[1])
    assert told["hookSpecificOutput"]["additionalContext"].startswith("pincite: docs/new.md cites what is not there.")
    assert "decision" not in told
    edit |= {"new_string": "First."}
    assert answer("gemini", gemini(project, "replace", edit, "AfterTool"))[1] == "{}\n"


def test_gemini_is_told_what_moved(answer: Answer, project: Path) -> None:
    (project / "docs/m.md").write_text(MOVED)
    given = {"file_path": str(project / "docs/m.md"), "content": MOVED}
    told = json.loads(answer("gemini", gemini(project, "write_file", given, "AfterTool"))[1])
    assert "write instead: path: src/gauge.py line: 1" in told["hookSpecificOutput"]["additionalContext"]


def cursor(project: Path, event: str, **more: object) -> dict[str, Any]:
    return {"hook_event_name": event, "workspace_roots": [str(project)], "conversation_id": "c", **more}


def test_cursor_is_told_when_it_stops(answer: Answer, repository: Any) -> None:
    repository.commit({"src/gauge.py": "LIMIT = 100\n", "docs/a.md": "Nothing.\n"})
    repository.write("docs/b.md", DEAD + "\n")
    top = repository.path
    edited = cursor(top, "afterFileEdit", file_path=str(top / "docs/b.md"), edits=[])
    assert answer("cursor", edited) == (0, "{}\n", "")
    code, out, _ = answer("cursor", cursor(top, "stop", status="completed", loop_count=0))
    assert code == 0
    assert "docs/b.md:1: src/gauge.py:40-44\n" in json.loads(out)["followup_message"]
    assert answer("cursor", cursor(top, "stop", status="completed", loop_count=1)) == (0, "{}\n", "")
    assert answer("cursor", cursor(top, "stop", status="aborted", loop_count=0)) == (0, "{}\n", "")
    repository.write("docs/b.md", "Nothing.\n")
    assert answer("cursor", cursor(top, "stop", status="completed", loop_count=0)) == (0, "{}\n", "")


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b'{"hook_event_name": "Unheard", "cwd": "/"}'])
def test_nothing_that_goes_wrong_blocks(answer: Answer, client: str, data: bytes) -> None:
    code, out, err = answer(client, data)
    assert code == 1
    assert out == ("{}\n" if client in ("gemini", "cursor") else "")
    assert err.startswith("pincite: ") and err.count("\n") == 1


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("changed", [[], ["--changed"]])
def test_settings_are_printed_for_every_client(answer: Answer, client: str, changed: list[str]) -> None:
    code, out, _ = answer(client, b"", "--print-settings", *changed)
    hooks = json.loads(out)["hooks"]
    assert code == 0
    assert f'"pincite hook {client}' in out
    assert len(hooks) == (2 if changed and client != "cursor" else 1)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_error_of_our_own_is_no_answer(
    answer: Answer, project: Path, client: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(hook_command, "_answer", fail)
    said = {"hook_event_name": "SessionStart", "cwd": str(project)}
    if client == "cursor":
        said = cursor(project, "sessionStart")
    code, out, err = answer(client, said)
    assert (code, err) == (1, "pincite: 'ours'\n")
    assert out == ("{}\n" if client in ("gemini", "cursor") else "")


def test_a_claim_that_the_lines_do_not_show_is_told(answer: Answer, repository: Any) -> None:
    source = "import os\nimport sys\nimport json\n\n\ndef clear_peak(gauge):\n    gauge.peak = 0\n"
    repository.commit({"src/meter.py": source})
    given = {"file_path": str(repository.path / "docs/new.md")}
    given["content"] = "`clear_peak` forgets the highest value. 【F:src/meter.py†L2-L3】\n"
    code, out, err = answer("claude", codex(repository.path, "Write", given))
    assert (code, err) == (0, "")
    said = json.loads(out)["hookSpecificOutput"]["additionalContext"]
    assert "(claim-not-shown)" in said and "write instead: 【F:src/meter.py†L6" in said
