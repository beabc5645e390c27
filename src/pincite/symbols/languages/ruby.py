"""Ruby: modules, classes, methods of both kinds, constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource, Rule


def _make_dotted_name(text: str) -> str:
    return text.removeprefix("::").replace("::", ".")


def _make_named_rule(kind: str, local: bool = False) -> Rule:
    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        name = node.child_by_field_name("name")
        yield FoundDefinition(_make_dotted_name(source.text(name)), kind, node, name, local=local)

    return rule


def _singleton(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """A method of the class itself, or of an object that is named."""
    name = node.child_by_field_name("name")
    owner = source.field(node, "object")
    prefix = "" if owner == "self" else f"{_make_dotted_name(owner)}."
    yield FoundDefinition(prefix + source.text(name), "method", node, name, local=True)


def _constants(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    left = node.child_by_field_name("left")
    if left is None:
        return
    for name in left.named_children[:50] if left.type == "left_assignment_list" else [left]:
        text = source.text(name)
        if name.type in ("constant", "scope_resolution") and text[:1] != ":":
            yield FoundDefinition(_make_dotted_name(text), "constant", node, name)


LANGUAGE = Language(
    {
        "module": _make_named_rule("module"),
        "class": _make_named_rule("class"),
        "method": _make_named_rule("function", local=True),
        "singleton_method": _singleton,
        "assignment": _constants,
    }
)
