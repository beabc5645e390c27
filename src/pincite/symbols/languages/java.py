"""Java: types, methods, constructors, fields, the constants of an enum. The package is no part of a name."""

from collections.abc import Iterator

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, make_named_rules, make_unnamed_rules


def _fields(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    for declarator in node.children_by_field_name("declarator"):
        name = declarator.child_by_field_name("name")
        yield FoundDefinition(source.text(name), "constant", node, name, scope=False)


LANGUAGE = Language(
    {
        **make_named_rules("class", "class_declaration record_declaration"),
        **make_named_rules("type", "interface_declaration enum_declaration annotation_type_declaration"),
        **make_named_rules(
            "method", "method_declaration constructor_declaration compact_constructor_declaration", local=True
        ),
        **make_named_rules("method", "annotation_type_element_declaration"),
        **make_named_rules("constant", "enum_constant"),
        **dict.fromkeys(("field_declaration", "constant_declaration"), _fields),
        # What stands in a class without a name cannot be named.
        **make_unnamed_rules("object_creation_expression lambda_expression"),
    }
)
