"""What is known of a definition while a file is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from . import Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

Rule = Callable[["Node", "ParsedSource"], Iterable["FoundDefinition"]]
"""What a node of the syntax tree defines."""
CALLABLE = ("function", "method")
_LONGEST = 1000
VALUES = ("constant", "variable", "field")


class ParsedSource:
    """The bytes that were parsed, by node."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data

    def text(self, node: Node | None) -> str:
        """The words of a node, white space folded; empty where there is none."""
        if node is None:
            return ""
        end = min(node.end_byte, node.start_byte + _LONGEST)
        return " ".join(self.data[node.start_byte : end].decode("utf-8", "replace").split())

    def field(self, node: Node, name: str) -> str:
        """The words of a node's field."""
        return self.text(node.child_by_field_name(name))


class FoundDefinition(Struct, gc=False):
    """What one node defines, as the rule of its language says."""

    name: str
    """Below the scope it stands in; empty for what only holds other definitions."""
    kind: str
    """Empty where it only gives its name to what stands inside."""
    node: Node
    at: Node | None = None
    """What holds its name, if that is elsewhere than at the beginning."""
    role: str = ""
    """`declaration`, `overload`, `getter` or `accessor`, where a name may rightly have several definitions."""
    shape: tuple[str, ...] = ()
    """The types of its parameters, where they tell one from another."""
    scope: bool = True
    """Whether what stands inside is named after it."""
    local: bool = False
    """Whether values inside are private."""
    rest: bool = False
    """Whether it holds all that follows in the file."""
    inner: Node | None = None
    """A node inside that is the same definition and none of its own."""


class Definition(Struct, frozen=True, gc=False):
    """A symbol with what decides whether another of its name is the same one."""

    symbol: Symbol
    start: int
    """Offset of its first byte."""
    end: int
    role: str = ""
    shape: tuple[str, ...] = ()


class Language(Struct, frozen=True):
    """How the definitions of a language are found in its syntax tree."""

    rules: dict[str, Rule]
    """Type of a node to what it defines."""
    wrappers: dict[str, str] = {}
    """Types of nodes that belong to the one definition inside them, and the field that holds it; without a field it is
    the last child, and with `*` the only one."""
    leading: tuple[str, ...] = ()
    """Types of nodes that belong to the definition behind them."""


def make_named_rules(kind: str, types: str, spell: Callable[[str], str] = str, **about: Any) -> dict[str, Rule]:
    """The rule of nodes of some types whose field `name` holds the name.

    `spell` turns its text into the name in citations; `about` is what else is true of such a `FoundDefinition`.
    """

    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        name = node.child_by_field_name("name")
        yield FoundDefinition(spell(source.text(name)), kind, node, name, **about)

    return dict.fromkeys(types.split(), rule)


def make_unnamed_rules(types: str) -> dict[str, Rule]:
    """The rule of nodes of some types that have no name and keep the values inside to themselves."""
    return dict.fromkeys(types.split(), lambda node, source: [FoundDefinition("", "", node, local=True)])
