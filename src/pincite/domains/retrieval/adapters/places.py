"""Where a piece of text stands in the document it was cut from."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from ....core.errors import PinciteError
from ....core.limits import LIMITS
from ....text.lines import line_starts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_WORD = re.compile(r"\S+")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def is_address(path: str) -> bool:
    """Whether this names something that is no file here (`https://…`, `s3://…`)."""
    return _ADDRESS.match(path) is not None


def plain_path(path: str, root: str | None) -> str:
    """A path as files have it: `file://` decoded, a relative one below `root`; other addresses stay as they are."""
    if path[:5].lower() == "file:":
        from urllib.parse import unquote, urlsplit

        try:
            parts = urlsplit(path)
        except ValueError:
            return path
        if parts.netloc.lower() not in ("", "localhost"):
            return path
        path = unquote(parts.path, errors="surrogateescape")
    elif is_address(path):
        return path
    if root is None or path.startswith("/"):
        return path
    return f"{root.rstrip('/')}/{path.removeprefix('./')}"


class Original:
    """The text that pieces were cut from."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts: tuple[list[int], list[int]] | None = None
        self._translated = ""
        self._folded: tuple[str, list[int], list[int]] | None = None

    def find(self, piece: str, stated: int | None) -> tuple[int, int] | None:
        """Where a piece stands: at the stated offset, else where it stands and nowhere else; None where that is unsure.

        What differs in white space alone counts as found, because splitters strip and join lines. An empty piece stands
        everywhere, and is not found.
        """
        if not piece:
            return None
        if stated is not None:
            if self.text.startswith(piece, stated):
                return stated, stated + len(piece)
            if "\r" in self.text and (found := self._line_ends(piece, stated)):
                return found
        at = self.text.find(piece)
        if at >= 0:
            return (at, at + len(piece)) if self.text.find(piece, at + 1) < 0 else None
        return self._loosely(piece)

    def _line_ends(self, piece: str, stated: int) -> tuple[int, int] | None:
        """The place of an offset that counts every line end as one character, as text files are usually opened."""
        if self._starts is None:
            self._translated = self.text.replace("\r\n", "\n").replace("\r", "\n")
            self._starts = line_starts(self._translated), line_starts(self.text)
        if not self._translated.startswith(piece, stated):
            return None
        return _map_offset(stated, *self._starts), _map_offset(stated + len(piece), *self._starts)

    def _loosely(self, piece: str) -> tuple[int, int] | None:
        """Where the same words stand, and nowhere else, with other white space between them."""
        wanted = " ".join(_WORD.findall(piece))
        if not wanted:
            return None
        if self._folded is None:
            words = [match.span() for match in _WORD.finditer(self.text)]
            folded = " ".join([self.text[start:end] for start, end in words])
            places = list(accumulate((end - start + 1 for start, end in words[:-1]), initial=0)) if words else []
            self._folded = folded, places, [start for start, _ in words]
        folded, places, starts = self._folded
        at = folded.find(wanted)
        if at < 0 or folded.find(wanted, at + 1) >= 0:
            return None
        return _map_offset(at, places, starts), _map_offset(at + len(wanted) - 1, places, starts) + 1


def _map_offset(offset: int, theirs: list[int], ours: list[int]) -> int:
    """An offset of one text in another, where each stretch of the one begins at a known place of the other."""
    row = bisect_right(theirs, offset) - 1
    return ours[row] + offset - theirs[row]


class Originals:
    """The documents that the caller's `read` gives, each read once while there is room for it."""

    def __init__(self, read: Callable[[str], str] | None) -> None:
        self._read = read
        self._known: dict[str, Original | None] = {}
        self._held = 0

    def find(self, path: str) -> Original | None:
        """The document at a path; None where it is no file, or cannot be read."""
        if self._read is None or is_address(path):
            return None
        if path not in self._known:
            try:
                text = self._read(path)
            except (OSError, ValueError, PinciteError):
                self._known[path] = None
                return None
            if not isinstance(text, str):
                raise TypeError(f"read gave {type(text).__name__} for {path!r}, expected str")
            if self._held + len(text) > LIMITS.cached_source_bytes:
                self._known.clear()
                self._held = 0
            self._held += len(text)
            self._known[path] = Original(text)
        return self._known[path]
