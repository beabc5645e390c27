"""Syntax trees: which grammar reads a file, and which of its nodes define something."""

from __future__ import annotations

from importlib import import_module
from time import thread_time
from typing import TYPE_CHECKING

from ..core.errors import Unreadable
from .model import Language

if TYPE_CHECKING:
    from typing import Any

    from tree_sitter import Node

_GRAMMARS = {
    "csharp": ("tree_sitter_c_sharp", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}
"""Where a grammar is, and the function that gives it, if not `language` of the package of its name."""
_RULES = {"bash": "shell", "cpp": "c", "javascript": "ecmascript", "tsx": "ecmascript", "typescript": "ecmascript"}
TANGLED = "its syntax is too tangled to be looked through"
_ANGLE, _SEMICOLON = b"<;"
_NO_MARKS = bytes(byte for byte in range(256) if byte not in b"()[]{}<>;")
_DEEPEST = 250
_CHUNK = 512
_SECONDS = 0.5
_SECONDS_PER_BYTE = 2e-6
"""CPU that parsing may take: some ten times what ordinary code needs. Broken code made for it can take hours."""

_loaded: dict[str, tuple[Any, frozenset[int], Language]] = {}


def definers(grammar: str, data: bytes) -> tuple[list[Node], Language, bool]:
    """The nodes that may define something, outermost first, how to read them, and whether the syntax is in order.

    Raises Unreadable where the grammar is not installed, or where the text is too tangled to be parsed.
    """
    parser, kinds, language = load(grammar)
    if _is_deep(data):
        raise Unreadable(TANGLED)
    found: list[Node] = []
    # A query would do the same, but in broken code its time grows with the square of the length.
    tree = _parse(parser, data)
    cursor = tree.walk()
    while True:
        node = cursor.node
        if node.kind_id in kinds:
            found.append(node)
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return found, language, not tree.root_node.has_error


def load(grammar: str) -> tuple[Any, frozenset[int], Language]:
    """The parser of a grammar, the types of nodes to look for, and how to read them; raises Unreadable."""
    known = _loaded.get(grammar)
    if known is not None:
        return known
    module, function = _GRAMMARS.get(grammar, (f"tree_sitter_{grammar}", "language"))
    try:
        from tree_sitter import Language as Grammar
        from tree_sitter import Parser

        built = Grammar(getattr(import_module(module), function)())
    except (ImportError, AttributeError, ValueError):
        raise Unreadable(f"the grammar for {grammar} is not at hand: pip install 'pincite[symbols]'") from None
    language: Language = import_module(f"{__package__}.languages.{_RULES.get(grammar, grammar)}").LANGUAGE
    # Grammars of one language differ by version and kin: what this one does not know is not looked for.
    ids = (built.id_for_node_kind(name, True) for name in (*language.rules, *language.wrappers, *language.leading))
    _loaded[grammar] = Parser(built), frozenset(number for number in ids if number), language
    return _loaded[grammar]


def _parse(parser: Any, data: bytes) -> Any:
    """The tree; where the parser cannot make sense of a text in reasonable time, it sees the end of the text."""
    until = thread_time() + _SECONDS + len(data) * _SECONDS_PER_BYTE
    over = False

    def read(offset: int, point: object) -> bytes:
        nonlocal over
        over = over or thread_time() > until
        return b"" if over else data[offset : offset + _CHUNK]

    tree = parser.parse(read)
    if over:
        raise Unreadable(TANGLED)
    return tree


def _is_deep(data: bytes) -> bool:
    """Whether more brackets are open at once than in code that people write.

    Where they are never closed, the time and the memory that the parser takes grow with the square of their number.
    """
    depth = angles = 0
    for mark in data.translate(None, _NO_MARKS):
        if mark in b"([{":
            depth += 1
        elif mark == _ANGLE:
            # Most of them mean "less than" and end with their statement.
            angles += 1
        elif mark in b")]}":
            depth -= depth > 0
        elif mark != _SEMICOLON:
            angles -= angles > 0
        if mark in b"{};":
            angles = 0
        if depth > _DEEPEST or angles > _DEEPEST:
            return True
    return False
