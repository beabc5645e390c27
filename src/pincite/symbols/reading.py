"""Definitions in order, each with its name from the top of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Unreadable
from . import Symbol
from .grammar import definers
from .model import CALLABLE, VALUES, Definition, FoundDefinition, ParsedSource

if TYPE_CHECKING:
    from tree_sitter import Node

    from .model import Language

_DEEPEST = 32
_LONGEST = 200
_LONGEST_DOTTED = 400
_LONGEST_GAP = 4096
_MOST = 50_000
_NO_SCOPE = ""
_BROKEN = "its syntax has errors"
_LIMITED = "it is nested deeper, or has longer names, than is looked through"


class _Scope(Struct, gc=False):
    """What stands around a definition."""

    name: str
    kind: str
    end: int
    depth: int
    local: bool
    rest: bool = False


class _Reader:
    """Goes through the nodes once; what is open around the next one is on a stack."""

    def __init__(self, data: bytes, language: Language) -> None:
        self.source = ParsedSource(data)
        self.language = language
        self.found: list[Definition] = []
        self.limited = False
        """Whether something was left out because it is too deep down, or its name is too long."""
        self._scopes = [_Scope("", _NO_SCOPE, len(data) + 1, 0, False)]
        self._outer: dict[tuple[int, int], Node] = {}
        """What a definition stands in that belongs to it: decorators, `export`, `template <…>`."""
        self._same: set[tuple[int, int]] = set()
        """Nodes that are a definition which was listed already."""
        self._lead: tuple[int, int] | None = None
        """Row of the first attribute before the next definition, and offset where the last one ends."""

    def read(self, nodes: list[Node]) -> list[Definition]:
        """Every definition among these nodes, which are in order."""
        language = self.language
        for node in nodes:
            scopes = self._scopes
            while scopes[-1].end <= node.start_byte:
                scopes.pop()
            kind = node.type
            if kind in language.leading:
                self._lead = self._first_row(node), node.end_byte
                continue
            if kind in language.wrappers:
                self._wrap(node, language.wrappers[kind])
            rule = language.rules.get(kind)
            if rule is not None and (node.id, node.start_byte) not in self._same:
                defined = list(rule(node, self.source))
                if any(found.rest for found in defined):
                    # What held the rest of the file so far ends here.
                    scopes[:] = [scope for scope in scopes if not scope.rest]
                around = scopes[-1]
                for found in defined:
                    self._add(found, around)
                if len(self.found) > _MOST:
                    raise Unreadable(f"it has more than {_MOST:,} definitions")
        return self.found

    def _wrap(self, node: Node, field: str) -> None:
        if field == "*":
            # Several share what is around them: then it belongs to none.
            second = node.child(1) if node.child_count > 1 else None
            alone = node.named_child_count == 1 and (second is None or second.type != "(")
            inner = node.named_child(0) if alone else None
        elif field:
            inner = node.child_by_field_name(field)
        else:
            inner = node.named_child(node.named_child_count - 1) if node.named_child_count else None
        if inner is not None:
            self._outer[inner.id, inner.start_byte] = self._outer.pop((node.id, node.start_byte), node)

    def _first_row(self, node: Node) -> int:
        """The row on which a node begins, with the attributes before it."""
        row: int = node.start_point[0]
        if self._lead is not None:
            before, end = self._lead
            if end <= node.start_byte and _is_gap(self.source.data[end : node.start_byte]):
                return before
        return row

    def _add(self, found: FoundDefinition, around: _Scope) -> None:
        node = found.node
        if found.inner is not None:
            self._same.add((found.inner.id, found.inner.start_byte))
        outer = self._outer.get((node.id, node.start_byte), node)
        first = min(self._first_row(outer), self._first_row(node))
        name = found.name
        fits = bool(name) and len(name) <= _LONGEST and around.depth < _DEEPEST
        dotted = f"{around.name}.{name}" if around.name and name else name
        listed = fits and bool(found.kind) and len(dotted) <= _LONGEST_DOTTED
        self.limited = self.limited or (bool(name) and not (fits and len(dotted) <= _LONGEST_DOTTED))
        if listed and found.kind in VALUES and around.local:
            listed = fits = False
        if listed:
            self._list(found, outer, first, dotted, around)
        if not found.scope and not found.local:
            return
        below = fits and found.scope
        self._scopes.append(
            _Scope(
                dotted if below else around.name,
                (found.kind or "type") if below else around.kind,
                len(self.source.data) + 1 if found.rest else node.end_byte,
                around.depth + below if len(dotted) <= _LONGEST_DOTTED else _DEEPEST,
                found.local if found.kind or found.name or found.local else around.local,
                found.rest,
            )
        )

    def _list(self, found: FoundDefinition, outer: Node, first: int, dotted: str, around: _Scope) -> None:
        kind = found.kind
        if kind == "function" and ("." in found.name or around.kind not in (_NO_SCOPE, "module", *CALLABLE)):
            kind = "method"
        line = (found.at or found.node).start_point[0]
        row, column = outer.end_point
        last = row if column or row <= line else row - 1
        symbol = Symbol(dotted, kind, line + 1, min(first, line) + 1, max(last, line) + 1)
        self.found.append(Definition(symbol, outer.start_byte, outer.end_byte, found.role, found.shape))


def _is_gap(between: bytes) -> bool:
    """Whether nothing but white space and comments stands between an attribute and what it belongs to."""
    if not between.strip():
        return True
    lines = [line.strip() for line in between.split(b"\n")] if len(between) < _LONGEST_GAP else [b"code"]
    return all(not line or line.startswith((b"//", b"/*", b"*")) for line in lines)


def read_definitions(grammar: str, data: bytes) -> tuple[list[Definition], str]:
    """The definitions of a text in order, and why there may be more of them; raises Unreadable where none is known.

    The reason is empty where these are all.
    """
    nodes, language, sound = definers(grammar, data)
    reader = _Reader(data, language)
    found = reader.read(nodes)
    return found, (_LIMITED if reader.limited else "") if sound else _BROKEN
