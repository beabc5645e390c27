"""What the pass over history found, at rest: the next run reads only the commits that came since.

It lies in the user's cache folder, in the part that belongs to this very root, and is bound to the clone as well: one
that was cloned anew into the same folder has another history. What is damaged or of another shape is dropped without a
word: it is only ever a shortcut.
"""

from __future__ import annotations

import os
from hashlib import sha256

import msgspec

from ..text.lines import can_encode
from .cache_folder import load_kept, name_root, save_kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..safe.files import Root
    from ..safe.git import Git

VERSION = 1
NAME = "history"
LARGEST = 256 * 1024 * 1024


class HistoryState(msgspec.Struct, array_like=True):
    """Witnesses of lines and names of the past, as of `head`."""

    version: int
    binding: str
    patterns: tuple[str, ...]
    """Which documents the pass looked at."""
    head: str
    commits: list[str]
    documents: dict[str, bytes]
    """Document to a packed map of line digests to numbers in `commits`."""
    past_head: str = ""
    past: bytes = b""
    """Packed list of (old name, new name, commit), newest first, as of `past_head`."""


def pack_lines(lines: dict[int, int]) -> bytes:
    """The lines of one document as they are kept in a State."""
    return msgspec.msgpack.encode(lines)


def unpack_lines(data: bytes) -> dict[int, int]:
    """The opposite of `pack_lines`; raises ValueError on anything else."""
    return msgspec.msgpack.decode(data, type=dict[int, int])


def pack_past(events: list[tuple[str, str, str]]) -> bytes:
    """Events as they are kept in a State; names that are no Unicode are left out."""
    return msgspec.msgpack.encode([event for event in events if can_encode(event[0]) and can_encode(event[1])])


def unpack_past(data: bytes) -> list[tuple[str, str, str]]:
    """The opposite of `pack_past`; raises ValueError on anything else."""
    return msgspec.msgpack.decode(data, type=list[tuple[str, str, str]])


def load(root: Root, git: Git) -> HistoryState | None:
    """What an earlier run in this clone kept; None where there is nothing to be trusted."""
    state = load_kept(root, NAME, HistoryState, LARGEST)
    sound = state is not None and state.version == VERSION and state.binding == binding(root, git)
    return state if sound else None


def save(root: Root, git: Git, state: HistoryState) -> bool:
    """Keep a state for the next run; False where it cannot be kept, which harms nothing."""
    state.binding = binding(root, git)
    state.documents = {path: lines for path, lines in state.documents.items() if can_encode(path)}
    data = msgspec.msgpack.encode(state)
    return len(data) <= LARGEST and bool(state.binding) and save_kept(root, NAME, data)


def binding(root: Root, git: Git) -> str:
    """A name for this clone on this disk: the root, and what tells a file git wrote once and never touches again."""
    for name in ("description", "config"):
        try:
            info = os.lstat(os.path.join(git.common_dir, name))
        except OSError:
            continue
        facts = (name_root(root), info.st_dev, info.st_ino, info.st_ctime_ns, git.prefix, sorted(git.boundary()))
        return sha256(repr(facts).encode("utf-8", "surrogateescape")).hexdigest()
    return ""
