"""Java: types, methods, constructors, fields, the constants of an enum. The package is no part of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language, make_named_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource


def _fields(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    for declarator in node.children_by_field_name("declarator"):
        name = declarator.child_by_field_name("name")
        yield FoundDefinition(source.text(name), "constant", node, name, scope=False)


LANGUAGE = Language(
    {
        "class_declaration": make_named_rule("class"),
        "record_declaration": make_named_rule("class"),
        "interface_declaration": make_named_rule("type"),
        "enum_declaration": make_named_rule("type"),
        "annotation_type_declaration": make_named_rule("type"),
        "method_declaration": make_named_rule("method", local=True),
        "constructor_declaration": make_named_rule("method", local=True),
        "compact_constructor_declaration": make_named_rule("method", local=True),
        "annotation_type_element_declaration": make_named_rule("method"),
        "enum_constant": make_named_rule("constant"),
        "field_declaration": _fields,
        "constant_declaration": _fields,
        # What stands in a class without a name cannot be named.
        "object_creation_expression": lambda node, source: [FoundDefinition("", "", node, local=True)],
        "lambda_expression": lambda node, source: [FoundDefinition("", "", node, local=True)],
    }
)
