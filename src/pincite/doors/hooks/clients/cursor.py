"""Cursor: `afterFileEdit` cannot answer, so that what it wrote is told when it stops; JSON is wanted on every path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....core.errors import UsageError
from ....safe.escape import json_text
from ..call import HookCall, HookEvent, read_optional, read_string, refuse_event

if TYPE_CHECKING:
    from ..call import HookAnswer

_EVENTS = {"afterFileEdit": HookEvent.AFTER, "stop": HookEvent.END, "sessionStart": HookEvent.START}


def read_call(said: dict[str, Any]) -> HookCall:
    """The call that stands in a hook's input; raises UsageError saying what is wrong with it."""
    name = read_string(said, "hook_event_name")
    event, session = _EVENTS.get(name), read_optional(said, "conversation_id")
    if event is None:
        raise refuse_event(name, tuple(_EVENTS))
    roots = said.get("workspace_roots")
    if not isinstance(roots, list) or not roots or not isinstance(roots[0], str) or "\0" in roots[0]:
        raise UsageError("the hook's input has no list of folders 'workspace_roots'")
    # An agent that was stopped, or failed, is not sent on.
    status = said.get("status")
    again = bool(said.get("loop_count")) or (event is HookEvent.END and status not in (None, "completed"))
    return HookCall(event, name, roots[0], again=again, session=session)


def write_answer(call: HookCall, answer: HookAnswer) -> tuple[int, str, str]:
    """The exit code, what goes to standard output, and what goes to standard error."""
    if call.event is HookEvent.END and answer.reason:
        return 0, json_text({"followup_message": answer.reason}), ""
    if call.event is HookEvent.START and answer.notice:
        return 0, json_text({"additional_context": answer.notice}), ""
    return 0, write_nothing(), ""


def write_nothing() -> str:
    """What standard output has to hold where there is nothing to say."""
    return "{}"
