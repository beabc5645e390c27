"""Files that a citation names by the end of their path: `core.py`, `harness/core.py`.

A path is written as its author had it before their eyes: from a package, or as a name alone. One file of the tree with
that end is the file; of several, the only one that has the cited lines. Which of them lies nearest says nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..core.model import Obstacle, SourceRef
from ..text.evidence import Evidence
from ..text.file_names import HOST, KNOWN_ENDINGS, KNOWN_NAMES

if TYPE_CHECKING:
    from ..core.model import Citation
    from . import World

_MOST_READ = 20
"""Files of which the lines are counted; where more have the end, none is read."""
_MOST_NAMED = 10
_ENDING = re.compile(r"[^/]\.[A-Za-z][A-Za-z0-9_+-]{0,9}\Z")
_HOST = re.compile(HOST)


def find_by_end(citation: Citation, world: World) -> tuple[Citation, Evidence | Obstacle] | None:
    """The citation at the one file that has its end, or all that may be meant; None where there is none."""
    end = citation.source.key
    if not _may_be_an_end(end):
        return None
    paths = world.tree.paths_by_end(end)
    if len(paths) > 1 and citation.lines is not None and len(paths) <= _MOST_READ:
        last = citation.lines.last
        paths = [path for path in paths if _has_line(world.file(path), last)] or paths
    if not paths:
        return None
    if len(paths) > 1:
        return citation, Obstacle("file-ambiguous", end, paths=tuple(paths[:_MOST_NAMED]))
    return replace(citation, source=SourceRef("file", paths[0]), by_end=end), world.file(paths[0])


def names_a_file(path: str, world: World) -> bool:
    """Whether a path ends as files do: as those that everyone has, or as some of this tree."""
    name = path.rpartition("/")[2]
    if path[:1] == "/" or ".." in path.split("/"):
        return False
    if name in KNOWN_NAMES:
        return True
    match = _ENDING.search(path)
    if match is None or _HOST.match(path):
        return False
    ending = match[0][1:].lower()
    return ending in KNOWN_ENDINGS or ending in world.tree.endings


def _may_be_an_end(path: str) -> bool:
    """Whether a path is worth looking for; words before a number are no names of files."""
    name = path.rpartition("/")[2]
    if path[:1] == "/" or path.startswith("../"):
        return False
    return "/" in path or name in KNOWN_NAMES or (_ENDING.search(name) is not None and not _HOST.match(name))


def _has_line(found: Evidence | Obstacle, line: int) -> bool:
    return isinstance(found, Evidence) and len(found.lines) >= line
