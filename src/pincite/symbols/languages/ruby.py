"""Ruby: modules, classes, methods of both kinds, constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource, Rule


def _dotted(text: str) -> str:
    return text.removeprefix("::").replace("::", ".")


def _named(kind: str, local: bool = False) -> Rule:
    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        name = node.child_by_field_name("name")
        yield FoundDefinition(_dotted(source.text(name)), kind, node, name, local=local)

    return rule


def _singleton(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """A method of the class itself, or of an object that is named."""
    name = node.child_by_field_name("name")
    owner = source.field(node, "object")
    prefix = "" if owner == "self" else f"{_dotted(owner)}."
    yield FoundDefinition(prefix + source.text(name), "method", node, name, local=True)


def _constants(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    left = node.child_by_field_name("left")
    if left is None:
        return
    for name in left.named_children[:50] if left.type == "left_assignment_list" else [left]:
        text = source.text(name)
        if name.type in ("constant", "scope_resolution") and text[:1] != ":":
            yield FoundDefinition(_dotted(text), "constant", node, name)


LANGUAGE = Language(
    {
        "module": _named("module"),
        "class": _named("class"),
        "method": _named("function", local=True),
        "singleton_method": _singleton,
        "assignment": _constants,
    }
)
