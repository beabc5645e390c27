"""PHP: namespaces, classes, traits, interfaces, enums, functions, methods, constants, properties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource, Rule


def _named(kind: str, local: bool = False) -> Rule:
    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        name = node.child_by_field_name("name")
        yield FoundDefinition(source.text(name).lstrip("$&"), kind, node, name, local=local)

    return rule


def _namespace(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    name = node.child_by_field_name("name")
    rest = node.child_by_field_name("body") is None
    yield FoundDefinition(source.text(name).replace("\\", "."), "module", node, name, rest=rest)


def _members(kind: str) -> Rule:
    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        for child in node.named_children:
            if child.type in ("const_element", "property_element"):
                name = next(iter(child.named_children), None)
                yield FoundDefinition(source.text(name).lstrip("$"), kind, node, name, scope=False)

    return rule


LANGUAGE = Language(
    {
        "namespace_definition": _namespace,
        "class_declaration": _named("class"),
        "trait_declaration": _named("class"),
        "interface_declaration": _named("type"),
        "enum_declaration": _named("type"),
        "function_definition": _named("function", local=True),
        "method_declaration": _named("method", local=True),
        "const_declaration": _members("constant"),
        "property_declaration": _members("field"),
        "enum_case": _named("constant"),
        "anonymous_function": lambda node, source: [FoundDefinition("", "", node, local=True)],
        "arrow_function": lambda node, source: [FoundDefinition("", "", node, local=True)],
        "anonymous_class": lambda node, source: [FoundDefinition("", "", node, local=True)],
    }
)
