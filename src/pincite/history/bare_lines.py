"""The lines of texts without white space, found once for each of the last few texts."""

from collections.abc import Sequence

_known: list[tuple[Sequence[str], list[str]]] = []
"""The last few texts, each with its lines without white space: many citations lead to the same two texts."""
_MOST = 16
_WHITE = b" \t\r\v\f\x1c\x1d\x1e\x1f"
"""All white space of ASCII but the line end."""


def strip_lines(lines: Sequence[str]) -> list[str]:
    """Each line without white space. Nothing changes a list of lines once it was read, so identity is enough."""
    for text, bare in _known:
        if text is lines:
            return bare
    bare = _strip(lines)
    _known.insert(0, (lines, bare))
    del _known[_MOST:]
    return bare


def _strip(lines: Sequence[str]) -> list[str]:
    """The same for a text that is not known: as bytes it is rid of most white space in one go."""
    whole = "\n".join(lines).encode("utf-8", "surrogatepass").translate(None, _WHITE).decode("utf-8", "surrogatepass")
    bare = whole.split("\n") if lines else []
    return bare if whole.isascii() else [line if line.isascii() else "".join(line.split()) for line in bare]
