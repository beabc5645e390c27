"""Gemini CLI: `write_file`, `replace` and shell commands; every answer is JSON on standard output, with exit code 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....safe.escape import json_text
from ..call import EditedFile, HookEvent, Replacement, read_input, read_string, read_tool_call
from ..shell_edits import read_shell_tool

if TYPE_CHECKING:
    from ..call import HookAnswer, HookCall

_EVENTS = {
    "BeforeTool": HookEvent.BEFORE,
    "AfterTool": HookEvent.AFTER,
    "AfterAgent": HookEvent.END,
    "SessionStart": HookEvent.START,
}
_SHELL = "run_shell_command"


def read_call(said: dict[str, Any]) -> HookCall:
    """The call that stands in a hook's input; raises UsageError saying what is wrong with it."""
    return read_tool_call(said, _EVENTS, "prompt_response", _read_changes)


def _read_changes(said: dict[str, Any]) -> tuple[EditedFile, ...]:
    tool = read_string(said, "tool_name")
    if tool == _SHELL:
        return read_shell_tool(read_input(said))
    if tool not in ("write_file", "replace"):
        return ()
    given = read_input(said)
    path = read_string(given, "file_path")
    if tool == "write_file":
        return (EditedFile(path, read_string(given, "content")),)
    edit = Replacement(
        read_string(given, "old_string"), read_string(given, "new_string"), given.get("allow_multiple") is True
    )
    return (EditedFile(path, None, (edit,)),)


def write_answer(call: HookCall, answer: HookAnswer) -> tuple[int, str, str]:
    """The exit code, what goes to standard output, and what goes to standard error."""
    if answer.reason and call.event is HookEvent.AFTER:
        # A denial would hide from the agent that the file was written.
        return 0, _add_context(call, answer.reason), ""
    if answer.reason:
        return 0, json_text({"decision": "deny", "reason": answer.reason}), ""
    if not answer.notice:
        return 0, write_nothing(), ""
    if call.event in (HookEvent.AFTER, HookEvent.START):
        return 0, _add_context(call, answer.notice), ""
    return 0, json_text({"systemMessage": answer.notice}), ""


def _add_context(call: HookCall, text: str) -> str:
    return json_text({"hookSpecificOutput": {"hookEventName": call.name, "additionalContext": text}})


def write_nothing() -> str:
    """What standard output has to hold where there is nothing to say."""
    return "{}"
