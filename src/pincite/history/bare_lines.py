"""The lines of texts without white space, found once for each of the last few texts."""

from collections.abc import Sequence

_known: list[tuple[Sequence[str], list[str]]] = []
"""The last few texts, each with its lines without white space: many citations lead to the same two texts."""
_MOST = 16


def strip_lines(lines: Sequence[str]) -> list[str]:
    """Each line without white space. Nothing changes a list of lines once it was read, so identity is enough."""
    for text, bare in _known:
        if text is lines:
            return bare
    bare = ["".join(line.split()) for line in lines]
    _known.insert(0, (lines, bare))
    del _known[_MOST:]
    return bare
