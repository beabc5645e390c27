"""One call of a hook and its answer, in words that are the same for every client; and the reading of its JSON."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Struct, json

from ...core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PATHS = ("cwd", "file_path")


class HookEvent(Enum):
    """When a hook is called."""

    START = "start"
    BEFORE = "before"
    """Before a tool runs."""
    AFTER = "after"
    END = "end"
    """The agent is done."""


class Replacement(Struct, frozen=True):
    """One edit as the agent's tool makes it."""

    old: str
    new: str
    everywhere: bool = False


class PatchHunk(Struct, frozen=True):
    """Neighbouring lines of a patch: those that it looks for, and those that it leaves."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    added: tuple[int, ...]
    """Which of the new lines it adds."""
    header: str = ""
    """A line above them, where the patch names one."""


class EditedFile(Struct, frozen=True):
    """What a tool does to one file."""

    path: str
    content: str | None = None
    """All that is written, where the whole file is."""
    edits: tuple[Replacement, ...] = ()
    hunks: tuple[PatchHunk, ...] = ()
    original: str | None = None
    """What the file was before an edit, where the tool says so."""
    moved_to: str = ""
    appended: str = ""
    """What is written behind the file's end."""


class HookCall(Struct, frozen=True):
    """One call of a hook."""

    event: HookEvent
    name: str
    """What the client calls the event."""
    cwd: str
    changes: tuple[EditedFile, ...] = ()
    message: str = ""
    """The agent's last message, where it ends and the client says it."""
    again: bool = False
    """Whether the agent already goes on because a hook asked it to."""
    session: str = ""


class HookAnswer(Struct, frozen=True):
    """What a hook has to say."""

    reason: str = ""
    """Why the agent is not let through; empty where it is."""
    notice: str = ""
    """What is worth knowing though the agent goes on."""


GO_ON = HookAnswer()


def read_object(data: bytes) -> dict[str, Any]:
    """The JSON object of a hook's input; raises UsageError saying what is wrong with it."""
    try:
        said = json.decode(data)
    except (DecodeError, RecursionError, UnicodeDecodeError) as error:
        said = _read_with_halves(data)
        if said is None:
            raise UsageError(f"the hook's input is not JSON ({error})") from None
    if not isinstance(said, dict):
        raise UsageError("the hook's input is not a JSON object")
    return said


def _read_with_halves(data: bytes) -> Any:
    """JSON with half an emoji in it, as clients write it where they cut a text; None where something else is wrong."""
    from json import dumps, loads

    try:
        return json.decode(dumps(loads(data), ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, DecodeError, RecursionError):
        return None


def read_string(said: dict[str, Any], name: str) -> str:
    """A text of a hook's input; raises UsageError where it has none of that name."""
    value = said.get(name)
    if not isinstance(value, str) or ("\0" in value and name in _PATHS):
        raise UsageError(f"the hook's input has no text '{name}'")
    return value


def read_optional(said: dict[str, Any], name: str) -> str:
    """A text of a hook's input; empty where it has none of that name."""
    value = said.get(name)
    return value if isinstance(value, str) else ""


def read_input(said: dict[str, Any]) -> dict[str, Any]:
    """What the tool is called with; raises UsageError where the input does not say."""
    given = said.get("tool_input")
    if not isinstance(given, dict):
        raise UsageError("the hook's input has no object 'tool_input'")
    return given


def read_tool_call(
    said: dict[str, Any],
    events: Mapping[str, HookEvent],
    message: str,
    read_changes: Callable[[dict[str, Any]], tuple[EditedFile, ...]],
) -> HookCall:
    """The call of a client that names its tools: its events, the field of the last message, and how edits are read.

    Raises UsageError saying what is wrong with it.
    """
    name, cwd = read_string(said, "hook_event_name"), read_string(said, "cwd")
    event, session = events.get(name), read_optional(said, "session_id")
    if event is None:
        raise refuse_event(name, tuple(events))
    if event is HookEvent.START:
        return HookCall(event, name, cwd, session=session)
    if event is HookEvent.END:
        again = said.get("stop_hook_active") is True
        return HookCall(event, name, cwd, (), read_optional(said, message), again, session)
    return HookCall(event, name, cwd, read_changes(said), session=session)


def refuse_event(event: str, known: tuple[str, ...]) -> UsageError:
    """The error for an event that a client's hook is not made for."""
    return UsageError(f"nothing is known about the event {event!a}; use the hook for {', '.join(known)}")
