"""Adds entries to the list of a stage's file: what stands there stays byte for byte, comments and all.

The file is read again after the change. Unless it then says what it said before, and the new entries besides, nothing
is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...core.errors import Unreadable
from ...core.model import Severity
from ...project.policy.schema import plain
from ...text.lines import decode, encode_like
from ...text.yaml import Mapping, YamlList
from .model import StageInputError
from .stage_file import load_bytes
from .stage_rules import SHORTFALLS
from .stage_writer import dump, entry_lines, entry_objects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from msgspec import Struct

    from .stage_file import StageFile

_REST = re.compile(r"[ \t]*+(?:#[^\r\n]*+)?+(?=\r|\n|\Z)")
_INDENT = 2


def append_entries(data: bytes, key: str, stage: str, items: Sequence[Struct]) -> bytes:
    """The bytes of a stage's file with entries added; raises StageInputError or Unreadable where that cannot be.

    An empty file becomes one that holds the entries alone. Fewer entries than a stage needs are no obstacle here.
    """
    form = "json" if key.endswith(".json") else "yaml"
    if not data.strip() and items:
        made = dump(stage, items, form=form)
        _refuse_broken(stage, load_bytes(made, key, stage))
        return made
    if not data.strip():
        return data
    old = load_bytes(data, key, stage)
    _refuse_broken(stage, old)
    if not items:
        return data
    text = decode(data)
    top = old.tree.top if old.tree is not None else None
    entries = top.values[old.name] if isinstance(top, Mapping) else None
    if not isinstance(top, Mapping) or not isinstance(entries, YamlList):
        raise Unreadable(f"{key}: has no list '{old.name}'; add it")
    made = encode_like(_insert(text, top, entries, items, form == "json"), data)
    try:
        new = load_bytes(made, key, stage)
    except Unreadable:
        raise _odd_layout(key) from None
    _refuse_broken(stage, new)
    if tuple(items) != new.items[len(old.items) :] or not _is_same_before(top, new, old):
        raise _odd_layout(key)
    return made


def _insert(text: str, top: Mapping, entries: YamlList, items: Sequence[Struct], json: bool) -> str:
    """The text of a file with entries behind the last of its list."""
    end = "\r\n" if "\r\n" in text else "\n"
    if json or (entries.flow and (entries.items or top.flow)):
        objects = [one.decode() for one in entry_objects(items)]
        if not entries.items:
            at = entries.end - 1
            return f"{text[:at].rstrip()}{end}  {f',{end}  '.join(objects)}{end}{text[at:]}"
        at = entries.items[-1].end
        column = entries.items[-1].start - max(text.rfind("\n", 0, entries.items[-1].start) + 1, 0)
        lead = f",{end}{' ' * column}" if json or "\n" in text[entries.start : entries.end] else ", "
        return text[:at] + "".join(f"{lead}{one}" for one in objects) + text[at:]
    if entries.flow:
        # `results: []`
        block = "".join(f"{end}{line}" for line in entry_lines(items, _INDENT))
        return text[: entries.start].rstrip(" ") + block + text[entries.end :]
    indent = entries.start - (max(text.rfind("\n", 0, entries.start), text.rfind("\r", 0, entries.start)) + 1)
    rest = _REST.match(text, entries.end)
    at = rest.end() if rest is not None else entries.end
    return text[:at] + "".join(f"{end}{line}" for line in entry_lines(items, indent)) + text[at:]


def _is_same_before(top: Mapping, new: StageFile, old: StageFile) -> bool:
    """Whether a file says what it said, entries behind its list apart; fields that no stage knows count too."""
    before, after = plain(top), plain(new.tree.top) if new.tree is not None else None
    if not isinstance(before, dict) or not isinstance(after, dict) or list(before) != list(after):
        return False
    known = len(before[old.name])
    return {**after, old.name: after[old.name][:known]} == before


def _refuse_broken(stage: str, loaded: StageFile) -> None:
    """Raise StageInputError where a file breaks a rule other than that more entries are needed."""
    wrong = [one for one in loaded.problems if one.severity == Severity.ERROR and one.rule not in SHORTFALLS]
    if wrong:
        raise StageInputError(stage, wrong)


def _odd_layout(key: str) -> Unreadable:
    return Unreadable(f"{key}: nothing can be added to its layout; write its list with one entry below the other")
