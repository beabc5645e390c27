"""Which passage of a file a footnote's label names."""

from ...core.errors import Unreadable
from ...core.model import Citation, Lines
from ...text.evidence import Evidence
from ...text.lines import decode, join

_SHORTEST = 8


def find_line(citation: Citation, evidence: Evidence) -> int | None:
    """The line on which the passage begins whose id the label is; None where no passage of the file has it."""
    if citation.lines is None or not evidence.data:
        return None
    if evidence.passages is None:
        try:
            evidence.passages = _read_passage_ids(evidence.source.key, decode(evidence.data))
        except Unreadable:
            evidence.passages = {}
    lines = [found.first for found in _find_labelled_lines(citation, evidence.passages)]
    if citation.lines.first in lines:
        return citation.lines.first
    # Two passages whose ids begin alike: the label does not tell which is meant.
    return lines[0] if len(lines) == 1 else None


def find_lines_then(citation: Citation, key: str, text: str) -> Lines | None:
    """The lines of the passage whose id the label is, in another version of the file; None where there is no one."""
    try:
        found = _find_labelled_lines(citation, _read_passage_ids(key, text))
    except Unreadable:
        return None
    return found[0] if len(found) == 1 else None


def _find_labelled_lines(citation: Citation, known: dict[str, list[tuple[str, Lines]]]) -> list[Lines]:
    label = citation.raw[2:].partition("]")[0].lower()
    return [lines for name, lines in known.get(label[:_SHORTEST], ()) if name.startswith(label)]


def _read_passage_ids(source: str, text: str) -> dict[str, list[tuple[str, Lines]]]:
    """The ids of a file's passages and their lines, by how the ids begin; raises Unreadable."""
    from ...search import passages
    from ...search.passages.identity import chunk_identity

    key = join("", source)
    kind = passages.find_kind(key)
    found: dict[str, list[tuple[str, Lines]]] = {}
    if kind is None or kind == "pdf":
        return found
    reading = passages.read(kind, text, key)
    equal: dict[str, int] = {}
    for passage in reading.passages:
        words = reading.text_between(passage.start, passage.end)
        nth = equal[words] = equal.get(words, -1) + 1
        name = chunk_identity(key, words, nth).hex
        found.setdefault(name[:_SHORTEST], []).append((name, Lines(passage.first, passage.last)))
    return found
