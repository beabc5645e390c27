"""What a coding agent's hook is called with: the event, the file it is about, and the text that the file would have."""

from __future__ import annotations

import re
from collections import Counter

from msgspec import DecodeError, Struct, json

from ...core.errors import UsageError
from ...core.limits import LIMITS
from ...text.lines import split_lines

WRITING = ("Write", "Edit", "MultiEdit")
STOPPING = ("Stop", "SubagentStop")
EVENTS = ("PreToolUse", "PostToolUse", *STOPPING)
_MOST_EDITS = 1000
_BREAK = re.compile(r"\r\n|\r|\n")


class Replacement(Struct, frozen=True):
    """One edit as the agent's tool makes it."""

    old: str
    new: str
    everywhere: bool = False


class Call(Struct, frozen=True):
    """One call of the hook."""

    event: str
    cwd: str
    tool: str = ""
    path: str = ""
    """The file that is written; empty where the call is about none."""
    content: str | None = None
    """All that is written, where the whole file is."""
    edits: tuple[Replacement, ...] = ()
    original: str | None = None
    """What the file was before an edit, where the tool says so."""
    again: bool = False
    """Whether the agent already goes on because a hook asked it to."""


def read_call(data: bytes) -> Call:
    """The call that stands in a hook's input; raises UsageError saying what is wrong with it."""
    try:
        said = json.decode(data)
    except (DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(f"the hook's input is not JSON ({error})") from None
    if not isinstance(said, dict):
        raise UsageError("the hook's input is not a JSON object")
    event, cwd = _text(said, "hook_event_name"), _text(said, "cwd")
    if event not in EVENTS:
        raise UsageError(f"nothing is known about the event {event!a}; use the hook for {', '.join(EVENTS)}")
    if event in STOPPING:
        return Call(event, cwd, again=said.get("stop_hook_active") is True)
    tool = _text(said, "tool_name")
    if tool not in WRITING:
        return Call(event, cwd, tool)
    given = said.get("tool_input")
    if not isinstance(given, dict):
        raise UsageError("the hook's input has no object 'tool_input'")
    path = _text(given, "file_path")
    if tool == "Write":
        return Call(event, cwd, tool, path, _text(given, "content"))
    edits = _edits(given) if tool == "MultiEdit" else (_replacement(given),)
    response = said.get("tool_response")
    original = response.get("originalFile") if isinstance(response, dict) else None
    return Call(event, cwd, tool, path, None, edits, original if isinstance(original, str) else None)


def _edits(given: dict[str, object]) -> tuple[Replacement, ...]:
    edits = given.get("edits")
    if not isinstance(edits, list) or not all(isinstance(edit, dict) for edit in edits):
        raise UsageError("the hook's input has no list of objects 'edits'")
    if len(edits) > _MOST_EDITS:
        raise UsageError(f"{len(edits)} edits at once are more than the {_MOST_EDITS} that are followed")
    return tuple(map(_replacement, edits))


def _replacement(edit: dict[str, object]) -> Replacement:
    return Replacement(_text(edit, "old_string"), _text(edit, "new_string"), edit.get("replace_all") is True)


def _text(said: dict[str, object], name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str) or ("\0" in value and name in ("cwd", "file_path")):
        raise UsageError(f"the hook's input has no text '{name}'")
    return value


def apply_replacements(text: str, edits: tuple[Replacement, ...]) -> str | None:
    """The text as the edits leave it; None where the agent's tool will refuse them itself."""
    for edit in edits:
        old, new = edit.old, edit.new
        if old and old not in text and "\r\n" in text:
            # Agents are shown line feeds alone.
            text = text.replace("\r\n", "\n")
        if (not old and text) or (old and old not in text):
            return None
        times = text.count(old) if old else 1
        if times > 1 and not edit.everywhere:
            return None
        if len(text) + times * (len(new) - len(old)) > LIMITS.document_bytes:
            raise UsageError(f"the edits would make the file larger than {LIMITS.document_bytes} bytes")
        text = text.replace(old, new) if old else new
    return text


def changed_lines(old: str, new: str) -> frozenset[int]:
    """The numbers of the lines in a text that an older one did not have, each as often as it has it."""
    before, after = split_lines(old), split_lines(new)
    # What stands before and after all that changed is distinguished from lines that merely look like it.
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    had = Counter(before[first:])
    fresh = []
    for number, line in enumerate(after[first:], first + 1):
        if had[line]:
            had[line] -= 1
        else:
            fresh.append(number)
    return frozenset(fresh)


def written_lines(text: str, edits: tuple[Replacement, ...]) -> frozenset[int]:
    """The numbers of the lines where what the edits wrote stands now."""
    fresh: set[int] = set()
    for edit in edits:
        new = edit.new if edit.new in text else edit.new.replace("\n", "\r\n")
        if not new.strip():
            continue
        height = len(_BREAK.findall(new))
        number, counted, at = 1, 0, text.find(new)
        while at >= 0:
            number += len(_BREAK.findall(text, counted, at))
            counted = at
            fresh.update(range(number, number + height + 1))
            at = text.find(new, at + len(new)) if edit.everywhere else -1
    return frozenset(fresh)
