"""Writing back what a verification showed: `confidence`, `verified` and `last_verified`, and not one byte more.

Values are spliced into the text where they stand. The result is read again before it is offered: if anything but the
values concerned would read differently, there is no update.
"""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import UsageError
from ...safe.write import replace
from ...text.document import Document
from ...text.frontmatter_edit import append_to, apply, replace_scalar
from ...text.lines import encode_like
from ...text.memory_head import MemoryHead, read_head
from ...text.yaml import Mapping, Scalar
from ...write.cite.memory_citation import read_meaning, read_tree
from ...write.cite.model import Uncitable

if TYPE_CHECKING:
    from datetime import datetime

    from ...safe.files import Root
    from ...text.frontmatter_edit import Change
    from .model import Memory, MemoryResult


class Update(Struct, frozen=True):
    """A memory's file before and after."""

    key: str
    old: bytes
    new: bytes

    def diff(self) -> str:
        """The change as a unified diff."""
        from difflib import unified_diff

        old, new = (data.decode().splitlines(keepends=True) for data in (self.old, self.new))
        rows = unified_diff(old, new, f"a/{self.key}", f"b/{self.key}", n=1)
        return "".join(row if row.endswith("\n") else row + "\n" for row in rows)


def plan_update(memory: Memory, result: MemoryResult, now: datetime) -> Update | None:
    """What to write after verifying a memory at `now`; None where nothing was verified or nothing changes.

    Every citation that holds gets `verified`; a stale one keeps the time it last held. Raises UsageError where the
    frontmatter is written in a way that cannot be changed safely.
    """
    head, document = memory.head, memory.document
    if head is None or document is None or not result.holds:
        return None
    text = document.text
    moment = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    changes: list[Change] = []
    for entry, holds in zip(head.citations, result.holds, strict=True):
        if holds:
            _set(changes, text, entry.node, "verified", moment)
    if head.confidence is None or head.confidence != result.confidence:
        _set(changes, text, head.node, "confidence", repr(result.confidence))
    _set(changes, text, head.node, "last_verified", moment)
    new = apply(text, changes)
    if new == text:
        return None
    _confirm(memory.key, head, new, result, moment)
    return Update(memory.key, memory.data, encode_like(new, memory.data))


def write_update(root: Root, update: Update) -> None:
    """Put an update on disk in one step; raises Conflict where the file changed since it was read."""
    replace(root, update.key, update.old, update.new)


def _set(changes: list[Change], text: str, node: Mapping, key: str, written: str) -> None:
    """Give a key another value, or add it as the last one of its map."""
    old = node.values.get(key)
    if isinstance(old, Scalar):
        if text[old.start : old.end].strip("\"'") != written:
            changes.append(replace_scalar(text, old, written))
    else:
        changes.append(append_to(text, node, key, written))


def _confirm(key: str, before: MemoryHead, new: str, result: MemoryResult, moment: str) -> None:
    """Refuse an update after which the memory would say anything else than intended."""
    try:
        tree = read_tree(Document(key, new))
    except Uncitable:
        tree = None
    if isinstance(tree, Mapping):
        after = read_head(tree)
        times = [_text_of(entry.node, "verified") for entry in after.citations]
        if (
            not after.problems
            and after.confidence == result.confidence
            and _meaning(before) == _meaning(after)
            and all(not holds or time == moment for holds, time in zip(result.holds, times, strict=True))
            and _text_of(after.node, "last_verified") == moment
        ):
            return
    raise UsageError(
        f"{key}: the frontmatter is written in a way that cannot be updated without changing it; edit it by hand"
    )


def _text_of(node: Mapping, key: str) -> str | None:
    value = node.values.get(key)
    return value.text if isinstance(value, Scalar) else None


def _meaning(head: MemoryHead) -> object:
    """What a memory says beside what an update writes."""
    own = read_meaning(head.node, ("confidence", "last_verified", "citations"))
    return own, [read_meaning(entry.node, ("verified",)) for entry in head.citations]
