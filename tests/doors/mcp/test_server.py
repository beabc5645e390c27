"""What the server offers: the list that models pay for, the prompt, evidence as resources, and the app for HTTP."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError

from pincite.doors.mcp.workspace import Workspace
from support_mcp import call, read_evidence, talk, text_of

KEPT = Path(__file__).parent / "snapshots" / "tools-list.json"
MOST_TOKENS = 1500
BYTES_PER_TOKEN = 4


def list_tools(workspace: Workspace | Path) -> list[dict[str, Any]]:
    found = talk(workspace, lambda client: client.list_tools())
    return [tool.model_dump(by_alias=True, exclude_none=True) for tool in found.tools]


def test_the_list_of_tools_is_short_and_as_it_was(repository: Path) -> None:
    tools = list_tools(repository)
    if os.environ.get("PINCITE_UPDATE_SNAPSHOTS"):
        KEPT.write_text(json.dumps(tools, indent=1, ensure_ascii=False) + "\n")
    assert tools == json.loads(KEPT.read_text())
    sent = json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode()
    assert len(sent) / BYTES_PER_TOKEN <= MOST_TOKENS
    assert [tool["name"] for tool in tools] == ["check", "show", "cite", "search", "fix", "verify_answer"]


@pytest.mark.parametrize("allowed", [False, True])
def test_only_fix_may_write_and_only_where_it_is_allowed(repository: Path, allowed: bool) -> None:
    hints = {tool["name"]: tool["annotations"] for tool in list_tools(Workspace(str(repository), allowed))}
    assert {name for name, one in hints.items() if not one["readOnlyHint"]} == ({"fix"} if allowed else set())
    assert {name for name, one in hints.items() if one["destructiveHint"]} == ({"fix"} if allowed else set())
    assert all(one["idempotentHint"] and not one["openWorldHint"] for one in hints.values())


def test_lists_may_be_kept_for_a_day(repository: Path) -> None:
    found = talk(repository, lambda client: client.list_tools())
    assert (found.ttl_ms, found.cache_scope) == (24 * 60 * 60 * 1000, "public")


def test_the_prompt_has_a_description(repository: Path) -> None:
    async def ask(client: Client) -> Any:
        return await client.list_prompts(), await client.get_prompt("cite_as_you_write")

    listed, prompt = talk(repository, ask)
    assert [(one.name, bool(one.description)) for one in listed.prompts] == [("cite_as_you_write", True)]
    assert "`check`" in prompt.messages[0].content.text


def test_evidence_is_read_again_by_its_receipt(repository: Path) -> None:
    workspace = Workspace(str(repository))
    receipt = call(workspace, "show", citation="src/gauge.py:6").structured_content["receipt"]
    assert read_evidence(workspace, receipt).splitlines()[-1] == "6 │     return min(value, LIMIT)"
    (repository / "src" / "gauge.py").write_text("other\n")
    assert "changed since" in read_evidence(workspace, receipt)


@pytest.mark.parametrize("name", ["r_guess", "..%2Fsrc%2Fgauge.py", "src/gauge.py"])
def test_evidence_without_a_receipt_is_not_given(repository: Path, name: str) -> None:
    assert read_evidence(repository, name).startswith("refused: ")


def test_a_tool_that_is_not_there_and_wrong_arguments_are_errors(repository: Path) -> None:
    for tool, arguments in (
        ("nothing", {}),
        ("show", {}),
        ("search", {"query": "x", "limit": 99}),
        ("check", {"text": 3}),
    ):
        try:
            result = talk(repository, lambda client, tool=tool, arguments=arguments: client.call_tool(tool, arguments))
        except MCPError:
            continue
        assert result.is_error and text_of(result)
