"""Words to the places that hold them: every text file of the repository, looked through for exactly these words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Refused, Unreadable
from ...core.model import Lines
from ...safe.files import is_generated, walk
from ...store import ACCEPTED, FOLDER, LOCK
from ...text.document import MARKDOWN
from ...text.lines import decode, line_starts, position
from ...text.markdown import frontmatter_span
from .model import CandidatePlace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...safe.files import Root
    from ...safe.git import Git

MOST = 9
"""Places that are named; further ones are counted."""
LARGEST = 4 * 1024 * 1024
"""Files beyond this are data, not something to cite a line of; a place in one can be given by its line."""
_LONGEST_LINE = 200
_COUNTED = 1000
_SNIPPET = re.compile(r"(?:- )?(?:\{.*)?[\"']?snippet[\"']?:")
_BREAK = re.compile(rb"\r\n|\r|\n")


class FoundText(Struct):
    """Where words stand."""

    places: list[CandidatePlace] = []
    more: int = 0
    """Places beyond those that are named."""
    skipped: int = 0
    """Files that are too large to be looked through."""


def list_files(root: Root, git: Git | None) -> list[str]:
    """The files that can be looked through: tracked, or untracked and not ignored; without git, all but generated.

    What is kept here about citations repeats the words of others, and is none of them.
    """
    known = walk(root.path, is_generated)[0] if git is None else filter(root.is_file, git.list_documents(("",)))
    return [path for path in known if path not in (LOCK, ACCEPTED) and not path.startswith(f"{FOLDER}/")]


def find_places(root: Root, files: Sequence[str], words: str) -> FoundText:
    """Every place that holds exactly these words, however its lines end; several on one line are one."""
    found = FoundText()
    wanted = words.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    # The longest of its lines says soonest that a file does not hold them.
    known = frozenset(files)
    probe = max(wanted.split("\n"), key=len).encode("utf-8", "surrogatepass")
    if not wanted.strip():
        return found
    for path, data in _texts(root, files, found):
        if probe not in data or _is_alias(root, path, known):
            continue
        text = _unify_line_ends(data)
        if text is None:
            continue
        for place in _places(path, text, wanted):
            if len(found.places) < MOST:
                found.places.append(place)
            else:
                found.more += 1
        if found.more >= _COUNTED:
            break
    return found


def _is_alias(root: Root, path: str, known: frozenset[str]) -> bool:
    """Whether a path is a link to a file that is looked through by its own name: what it holds is no second place."""
    try:
        there = root.locate(path)
    except Refused:
        return False
    return there != path and there in known


def find_alike(root: Root, files: Sequence[str], words: str) -> CandidatePlace | None:
    """A place that holds the words if case and white space are not looked at: to be shown, never to be cited."""
    parts = words.split()
    if not parts:
        return None
    alike = re.compile(r"\s++".join(map(re.escape, parts)), re.IGNORECASE)
    for path, data in _texts(root, files, FoundText()):
        text = _unify_line_ends(data)
        match = alike.search(text) if text is not None else None
        if text is not None and match is not None:
            starts = line_starts(text)
            first, last = position(starts, match.start())[0], position(starts, match.end() - 1)[0]
            return CandidatePlace(path, Lines(first, last), _line(text, match.start()))
    return None


def _texts(root: Root, files: Sequence[str], found: FoundText) -> Iterator[tuple[str, bytes]]:
    for path in files:
        try:
            data = root.read(path, LARGEST)
        except Unreadable:
            info = root.stat(path)
            found.skipped += info is not None and info.st_size > LARGEST
            continue
        except Refused:
            continue
        if b"\0" not in data:
            yield path, data


def _unify_line_ends(data: bytes) -> str | None:
    """The text with every line end an LF; None where it is no text. Lines keep their numbers."""
    try:
        return decode(_BREAK.sub(b"\n", data) if b"\r" in data else data)
    except Unreadable:
        return None


def _places(path: str, text: str, wanted: str) -> Iterator[CandidatePlace]:
    starts = line_starts(text)
    head = frontmatter_span(text) if path.endswith(MARKDOWN) else None
    at = text.find(wanted)
    while at >= 0:
        first, last = position(starts, at)[0], position(starts, at + len(wanted) - 1)[0]
        line = _line(text, at)
        # A memory's snippet repeats the evidence it cites, and is none itself.
        if head is None or at >= head.end or not _SNIPPET.match(line):
            yield CandidatePlace(path, Lines(first, last), line)
        # On with the next line: whatever else this one holds is the same place.
        if first >= len(starts):
            return
        at = text.find(wanted, starts[first])


def _line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)].strip()[:_LONGEST_LINE]
