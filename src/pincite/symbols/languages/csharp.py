"""C#: namespaces, types, methods, constructors, properties, fields, events, delegates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language, make_named_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource


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
        "namespace_declaration": make_named_rule("module"),
        "file_scoped_namespace_declaration": make_named_rule("module", rest=True),
        "class_declaration": make_named_rule("class"),
        "record_declaration": make_named_rule("class"),
        "struct_declaration": make_named_rule("type"),
        "interface_declaration": make_named_rule("type"),
        "enum_declaration": make_named_rule("type"),
        "delegate_declaration": make_named_rule("type"),
        "method_declaration": make_named_rule("method", local=True),
        "constructor_declaration": make_named_rule("method", local=True),
        "destructor_declaration": make_named_rule("method", local=True, spell="~{}".format),
        "local_function_statement": make_named_rule("function", local=True),
        "property_declaration": make_named_rule("constant"),
        "event_declaration": make_named_rule("constant"),
        "enum_member_declaration": make_named_rule("constant"),
        "field_declaration": _fields,
        "event_field_declaration": _fields,
        "lambda_expression": lambda node, source: [FoundDefinition("", "", node, local=True)],
    }
)
