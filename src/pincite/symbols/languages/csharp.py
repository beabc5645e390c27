"""C#: namespaces, types, methods, constructors, properties, fields, events, delegates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource, Rule


def _named(kind: str, local: bool = False, rest: bool = False, mark: str = "") -> Rule:
    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        name = node.child_by_field_name("name")
        yield FoundDefinition(mark + source.text(name), kind, node, name, local=local, rest=rest)

    return rule


def _fields(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    for child in node.named_children:
        if child.type != "variable_declaration":
            continue
        for declarator in child.named_children:
            if declarator.type == "variable_declarator":
                name = declarator.child_by_field_name("name")
                yield FoundDefinition(source.text(name), "constant", node, name, scope=False)


LANGUAGE = Language(
    {
        "namespace_declaration": _named("module"),
        "file_scoped_namespace_declaration": _named("module", rest=True),
        "class_declaration": _named("class"),
        "record_declaration": _named("class"),
        "struct_declaration": _named("type"),
        "interface_declaration": _named("type"),
        "enum_declaration": _named("type"),
        "delegate_declaration": _named("type"),
        "method_declaration": _named("method", local=True),
        "constructor_declaration": _named("method", local=True),
        "destructor_declaration": _named("method", local=True, mark="~"),
        "local_function_statement": _named("function", local=True),
        "property_declaration": _named("constant"),
        "event_declaration": _named("constant"),
        "enum_member_declaration": _named("constant"),
        "field_declaration": _fields,
        "event_field_declaration": _fields,
        "lambda_expression": lambda node, source: [FoundDefinition("", "", node, local=True)],
    }
)
