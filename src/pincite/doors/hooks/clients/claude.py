"""Claude Code: Write, Edit and MultiEdit; exit code 2 blocks, and standard error says why.

Codex speaks the same protocol and installs the same plugin, so its tools are understood here too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....core.errors import UsageError
from ....safe.escape import json_text
from ..call import EditedFile, HookEvent, Replacement, read_input, read_string, read_tool_call
from ..shell_edits import SHELLS, read_patch_tool, read_shell_tool

if TYPE_CHECKING:
    from ..call import HookAnswer, HookCall

WRITING = ("Write", "Edit", "MultiEdit")
_PATCHING = "apply_patch"
_EVENTS = {
    "PreToolUse": HookEvent.BEFORE,
    "PostToolUse": HookEvent.AFTER,
    "Stop": HookEvent.END,
    "SubagentStop": HookEvent.END,
    "SessionStart": HookEvent.START,
}
_WITH_CONTEXT = ("PreToolUse", "PostToolUse", "SessionStart")
_MOST_EDITS = 1000
_BLOCK = 2
"""The exit code that blocks; every failure of our own ends with 1, which does not."""


def read_call(said: dict[str, Any]) -> HookCall:
    """The call that stands in a hook's input; raises UsageError saying what is wrong with it."""
    return read_tool_call(said, _EVENTS, "last_assistant_message", _read_changes)


def _read_changes(said: dict[str, Any]) -> tuple[EditedFile, ...]:
    tool = read_string(said, "tool_name")
    if tool == _PATCHING:
        return read_patch_tool(read_input(said))
    if tool in SHELLS:
        return read_shell_tool(read_input(said))
    if tool not in WRITING:
        return ()
    given = read_input(said)
    path = read_string(given, "file_path")
    if tool == "Write":
        return (EditedFile(path, read_string(given, "content")),)
    edits = _read_edits(given) if tool == "MultiEdit" else (_read_replacement(given),)
    response = said.get("tool_response")
    original = response.get("originalFile") if isinstance(response, dict) else None
    return (EditedFile(path, None, edits, original=original if isinstance(original, str) else None),)


def _read_edits(given: dict[str, Any]) -> tuple[Replacement, ...]:
    edits = given.get("edits")
    if not isinstance(edits, list) or not all(isinstance(edit, dict) for edit in edits):
        raise UsageError("the hook's input has no list of objects 'edits'")
    if len(edits) > _MOST_EDITS:
        raise UsageError(f"{len(edits)} edits at once are more than the {_MOST_EDITS} that are followed")
    return tuple(map(_read_replacement, edits))


def _read_replacement(edit: dict[str, Any]) -> Replacement:
    old, new = read_string(edit, "old_string"), read_string(edit, "new_string")
    return Replacement(old, new, edit.get("replace_all") is True)


def write_answer(call: HookCall, answer: HookAnswer) -> tuple[int, str, str]:
    """The exit code, what goes to standard output, and what goes to standard error."""
    if answer.reason:
        return _BLOCK, "", answer.reason
    if not answer.notice:
        return 0, "", ""
    if call.name in _WITH_CONTEXT:
        said: dict[str, object] = {
            "hookSpecificOutput": {"hookEventName": call.name, "additionalContext": answer.notice}
        }
    else:
        said = {"systemMessage": answer.notice}
    return 0, json_text(said), ""


def write_nothing() -> str:
    """What standard output has to hold where there is nothing to say."""
    return ""
