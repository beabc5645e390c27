"""Which passage of a file a footnote's label names."""

from __future__ import annotations

from ..errors import Unreadable
from ..text import decode, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..evidence import Evidence
    from ..model import Citation

_SHORTEST = 8


def find_line(citation: Citation, evidence: Evidence) -> int | None:
    """The line on which the passage begins whose id the label is; None where no passage of the file has it."""
    if citation.lines is None or not evidence.data:
        return None
    known: dict[str, list[tuple[str, int]]] | None = evidence.passages
    if known is None:
        known = evidence.passages = _passages(evidence)
    label = citation.raw[2:].partition("]")[0].lower()
    lines = [line for name, line in known.get(label[:_SHORTEST], ()) if name.startswith(label)]
    if citation.lines.first in lines:
        return citation.lines.first
    # Two passages whose ids begin alike: the label does not tell which is meant.
    return lines[0] if len(lines) == 1 else None


def _passages(evidence: Evidence) -> dict[str, list[tuple[str, int]]]:
    """The ids of a file's passages and their first lines, by how the ids begin."""
    from .. import passages
    from ..passages.identity import chunk_identity

    key = join("", evidence.source.key)
    kind = passages.find_kind(key)
    found: dict[str, list[tuple[str, int]]] = {}
    if kind is None or kind == "pdf":
        return found
    try:
        reading = passages.read(kind, decode(evidence.data), key)
    except Unreadable:
        return found
    equal: dict[str, int] = {}
    for passage in reading.passages:
        words = reading.between(passage.start, passage.end)
        nth = equal[words] = equal.get(words, -1) + 1
        name = chunk_identity(key, words, nth).hex
        found.setdefault(name[:_SHORTEST], []).append((name, passage.first))
    return found
