"""Files that are all read and planned before the first is written: one that cannot be read leaves the others alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import Blocked, Missing, PinciteError, Refused, Unreadable
from ...safe.write import create, replace

if TYPE_CHECKING:
    from ...safe.files import Root

_LARGEST = 4 * 1024 * 1024
_AGAIN = "then run the command again"


class PlannedFiles:
    """The files of a project as they are to be; nothing is written before `write`.

    A file is known by the place it leads to: `CLAUDE.md` may be a link to `AGENTS.md`, and is the same file then.
    """

    def __init__(self, root: Root) -> None:
        self._root = root
        self._read: dict[str, bytes] = {}
        self._planned: dict[str, tuple[str, str]] = {}
        """The key a file was first planned by, and its text, by place."""

    def read(self, key: str) -> str | None:
        """A file's text, as planned so far; None where there is no file. Raises Refused, saying what to do."""
        try:
            place = self._root.locate(key)
            if place not in self._planned:
                self._read[place] = self._root.read(place, _LARGEST)
                return self._read[place].decode("utf-8")
        except Missing:
            place = self._find_free_place(key)
        except UnicodeDecodeError:
            raise _refuse(key, "is not UTF-8", "Save it as UTF-8, or move it away") from None
        except Blocked:
            why = "is or lies behind a link that leads outside the root, or into what belongs to git"
            raise Blocked(_explain(key, why, "Put a file of the project in its place")) from None
        except Unreadable as error:
            raise _refuse(key, f"cannot be read ({error})", "Make it readable, or move it away") from None
        return self._planned[place][1] if place in self._planned else None

    def plan(self, key: str, text: str) -> None:
        """Give a file that was read its new text, or make it; raises Refused where something else has its name."""
        try:
            place = self._root.locate(key)
        except Missing:
            place = self._find_free_place(key)
        if not place or (place not in self._read and self._root.stat(place) is not None):
            raise _refuse(key, *self._describe_obstacle(key))
        first = self._planned[place][0] if place in self._planned else key
        self._planned[place] = first, text

    def write(self, optional: frozenset[str]) -> set[str]:
        """Write everything, and give the keys out of `optional` that exist and cannot be written.

        Raises PinciteError for any other, and names what was written before.
        """
        written: list[str] = []
        left: set[str] = set()
        for place, (key, text) in self._planned.items():
            try:
                if place in self._read:
                    replace(self._root, key, self._read[place], text.encode())
                else:
                    create(self._root, key, text.encode())
            except PinciteError as error:
                if isinstance(error, Refused) and key in optional and place in self._read:
                    left.add(key)
                    continue
                if not written:
                    raise
                why = str(error).partition("; nothing was written")[0]
                done = f"written before that: {', '.join(written)}"
                raise type(error)(f"{why}; {done}. Correct it, {_AGAIN}.") from None
            written.append(key)
        return left

    def _find_free_place(self, key: str) -> str:
        """Where a file that is missing would be made; empty where something else is in the way."""
        parts = key.split("/")
        for depth in range(1, len(parts) + 1):
            try:
                self._root.locate("/".join(parts[:depth]))
            except Missing:
                break
        else:
            return ""
        # A link that leads to nothing is no place to make a file or a folder at.
        above = self._root.locate("/".join(parts[: depth - 1])) if depth > 1 else ""
        free = f"{above}/{parts[depth - 1]}" if above else parts[depth - 1]
        missing = [place for place, kind in self._root.trace(key) if kind == "nothing"]
        return "/".join([free, *parts[depth:]]) if missing[:1] == [free] else ""

    def _describe_obstacle(self, key: str) -> tuple[str, str]:
        """What is in the way of a file, and what to do about it."""
        way = self._root.trace(key)
        place, kind = way[-1] if way else (key, "nothing")
        if kind == "folder":
            return "is a folder", "Move it away"
        if kind == "file" and place != key:
            return f"cannot be made: {place} is no folder", f"Move {place} away"
        if kind == "file":
            return "is not a regular file", "Move it away"
        return "is or lies behind a link that leads to nothing", "Remove the link"


def _explain(key: str, why: str, remedy: str) -> str:
    return f"{key}: {why}; nothing was written. {remedy}, {_AGAIN}."


def _refuse(key: str, why: str, remedy: str) -> Unreadable:
    return Unreadable(_explain(key, why, remedy))
