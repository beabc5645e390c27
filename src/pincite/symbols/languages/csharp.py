"""C#: namespaces, types, methods, constructors, properties, fields, events, delegates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource, Rule


def _make_named_rule(kind: str, local: bool = False, rest: bool = False, mark: str = "") -> Rule:
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
        "namespace_declaration": _make_named_rule("module"),
        "file_scoped_namespace_declaration": _make_named_rule("module", rest=True),
        "class_declaration": _make_named_rule("class"),
        "record_declaration": _make_named_rule("class"),
        "struct_declaration": _make_named_rule("type"),
        "interface_declaration": _make_named_rule("type"),
        "enum_declaration": _make_named_rule("type"),
        "delegate_declaration": _make_named_rule("type"),
        "method_declaration": _make_named_rule("method", local=True),
        "constructor_declaration": _make_named_rule("method", local=True),
        "destructor_declaration": _make_named_rule("method", local=True, mark="~"),
        "local_function_statement": _make_named_rule("function", local=True),
        "property_declaration": _make_named_rule("constant"),
        "event_declaration": _make_named_rule("constant"),
        "enum_member_declaration": _make_named_rule("constant"),
        "field_declaration": _fields,
        "event_field_declaration": _fields,
        "lambda_expression": lambda node, source: [FoundDefinition("", "", node, local=True)],
    }
)
