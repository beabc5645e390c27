"""C#: namespaces, types, methods, constructors, properties, fields, events, delegates."""

from collections.abc import Iterator

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, make_named_rules, make_unnamed_rules


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
        **make_named_rules("module", "namespace_declaration"),
        **make_named_rules("module", "file_scoped_namespace_declaration", rest=True),
        **make_named_rules("class", "class_declaration record_declaration"),
        **make_named_rules("type", "struct_declaration interface_declaration enum_declaration delegate_declaration"),
        **make_named_rules("method", "method_declaration constructor_declaration", local=True),
        **make_named_rules("method", "destructor_declaration", "~{}".format, local=True),
        **make_named_rules("function", "local_function_statement", local=True),
        **make_named_rules("constant", "property_declaration event_declaration enum_member_declaration"),
        **dict.fromkeys(("field_declaration", "event_field_declaration"), _fields),
        **make_unnamed_rules("lambda_expression"),
    }
)
