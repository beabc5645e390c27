"""The head of a memory: what its frontmatter means, or which field holds what it must not.

A schema problem names field and value (`citations[0].line: expected an integer, got "42"`). Keys that the schema does
not know are kept in the tree and do no harm.
"""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from .lines import shorten
from .yaml import Mapping, Node, Scalar, YamlList, is_null, value_of

LINK_KINDS = ("related", "supersedes", "blocks", "implements", "extends")
DEFAULT_CONFIDENCE = 0.5
_SHOWN = 60


class MemoryCitation(Struct, frozen=True, gc=False):
    """One citation as the frontmatter gives it, with the node it was read from."""

    path: str
    line: int | None
    snippet: str | None
    verified: datetime | None
    node: Mapping


class Link(Struct, frozen=True, gc=False):
    """A typed pointer to another memory, by id."""

    kind: str
    target: str


class FieldProblem(Struct, frozen=True, gc=False):
    """A field that breaks the schema, and where its value stands."""

    message: str
    start: int
    end: int


class MemoryHead(Struct, gc=False):
    """Everything a memory says about itself. With problems, the fields concerned have their defaults."""

    node: Mapping
    id: str | None = None
    subject: str = ""
    citations: list[MemoryCitation] = []
    links: list[Link] = []
    tags: list[str] = []
    confidence: float | None = None
    """As written; None where it is not (read it as DEFAULT_CONFIDENCE)."""
    last_verified: datetime | None = None
    problems: list[FieldProblem] = []
    """What makes the memory unparsable, in document order."""
    warnings: list[str] = []
    """What was skipped: unknown link types, unknown keys of a citation."""


def read_head(tree: Node) -> MemoryHead:
    """The head that a frontmatter tree holds, together with its problems; never raises."""
    if not isinstance(tree, Mapping):
        head = MemoryHead(Mapping({}, tree.start, tree.end))
        head.problems.append(FieldProblem(f"expected keys with values, got {_got(tree)}", tree.start, tree.end))
        return head
    head = MemoryHead(tree)
    for key, node in tree.values.items():
        if key == "id":
            head.id = _text(head, node, key)
            if head.id is not None and not head.id.strip():
                _complain(head, node, key, "expected a name")
        elif key == "subject":
            head.subject = _text(head, node, key) or ""
        elif key == "tags":
            tags = [_text(head, item, f"tags[{index}]") for index, item in enumerate(_items(head, node, key))]
            head.tags += [tag for tag in tags if tag is not None]
        elif key == "last_verified":
            head.last_verified = _moment(head, node, key)
        elif key in _READERS:
            _READERS[key](head, node)
    if len(head.problems) > 1:
        head.problems.sort(key=lambda problem: problem.start)
    return head


def read_moment(text: str) -> datetime | None:
    """An ISO-8601 date or time as aware UTC, a naive one taken as UTC; None where it is neither."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            return moment.replace(tzinfo=UTC)
        return moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _read_citations(head: MemoryHead, node: Node) -> None:
    for index, item in enumerate(_items(head, node, "citations")):
        noted = len(head.problems)
        entry = _read_entry(head, index, item)
        if entry is not None and len(head.problems) == noted:
            head.citations.append(entry)
        elif len(head.problems) > noted:
            # One note per item: the item is what cannot be read.
            first = head.problems[noted]
            message = "; ".join(problem.message for problem in head.problems[noted:])
            head.problems[noted:] = [FieldProblem(message, first.start, first.end)]


def _read_entry(head: MemoryHead, index: int, item: Node) -> MemoryCitation | None:
    """One citation; where it has a problem, that is noted."""
    name = f"citations[{index}]"
    if not isinstance(item, Mapping):
        _complain(head, item, name, "expected keys with values")
        return None
    path = line = snippet = verified = None
    for key, node in item.values.items():
        if key == "path":
            path = _text(head, node, f"{name}.path")
        elif key == "line":
            line = _line(head, node, f"{name}.line")
        elif key == "snippet":
            snippet = _text(head, node, f"{name}.snippet")
        elif key == "verified":
            verified = _moment(head, node, f"{name}.verified")
        else:
            head.warnings.append(f"{name}: unknown key {_quote_value(key)} is not read")
    if path:
        return MemoryCitation(path, line, snippet, verified, item)
    given = item.values.get("path", item)
    if given is item or path is not None or is_null(given):
        _complain(head, given, f"{name}.path", "expected a path")
    return None


def _read_links(head: MemoryHead, node: Node) -> None:
    for index, item in enumerate(_items(head, node, "links")):
        if not isinstance(item, Mapping) or len(item.values) != 1:
            _complain(head, item, f"links[{index}]", "expected one `type: memory-id` pair")
            continue
        ((kind, target),) = item.values.items()
        if kind not in LINK_KINDS:
            head.warnings.append(f"links[{index}]: unknown link type {_quote_value(kind)}, link skipped")
            continue
        name = _text(head, target, f"links[{index}].{kind}")
        if name:
            head.links.append(Link(kind, name))
        elif name is not None or is_null(target):
            _complain(head, target, f"links[{index}].{kind}", "expected a memory id")


def _read_confidence(head: MemoryHead, node: Node) -> None:
    value = value_of(node) if isinstance(node, Scalar) else node
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        _complain(head, node, "confidence", "expected a number from 0.0 to 1.0")
    else:
        head.confidence = float(value)


_READERS = {"citations": _read_citations, "links": _read_links, "confidence": _read_confidence}


def _items(head: MemoryHead, node: Node, field: str) -> list[Node]:
    if isinstance(node, YamlList):
        return node.items
    if not isinstance(node, Scalar) or value_of(node) is not None:
        _complain(head, node, field, "expected a list")
    return []


def _text(head: MemoryHead, node: Node, field: str) -> str | None:
    value = value_of(node) if isinstance(node, Scalar) else node
    if value is None or isinstance(value, str):
        return value
    hint = "" if isinstance(value, YamlList | Mapping) else " (put it in quotes)"
    _complain(head, node, field, "expected a string", hint)
    return None


def _line(head: MemoryHead, node: Node, field: str) -> int | None:
    value = value_of(node) if isinstance(node, Scalar) else node
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    _complain(head, node, field, "expected an integer")
    return None


def _moment(head: MemoryHead, node: Node, field: str) -> datetime | None:
    if isinstance(node, Scalar):
        moment = read_moment(node.text)
        if moment is not None or value_of(node) is None:
            return moment
    _complain(head, node, field, "expected an ISO-8601 date or time")
    return None


def _complain(head: MemoryHead, node: Node, field: str, wanted: str, hint: str = "") -> None:
    head.problems.append(FieldProblem(f"{field}: {wanted}, got {_got(node)}{hint}", node.start, node.end))


def _got(node: Node) -> str:
    """A value as a message shows it."""
    if isinstance(node, YamlList):
        return "a list"
    if isinstance(node, Mapping):
        return "a map"
    if node.style:
        return _quote_value(node.text)
    return shorten(node.text, _SHOWN) or "nothing"


def _quote_value(text: str) -> str:
    return f'"{shorten(text, _SHOWN)}"'
