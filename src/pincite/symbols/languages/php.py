"""PHP: namespaces, classes, traits, interfaces, enums, functions, methods, constants, properties."""

from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, Rule, make_named_rules, make_unnamed_rules

_make_named_rules = partial(make_named_rules, spell=lambda text: text.lstrip("$&"))


def _namespace(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    name = node.child_by_field_name("name")
    rest = node.child_by_field_name("body") is None
    yield FoundDefinition(source.text(name).replace("\\", "."), "module", node, name, rest=rest)


def _make_members_rule(kind: str) -> Rule:
    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        for child in node.named_children:
            if child.type in ("const_element", "property_element"):
                name = next(iter(child.named_children), None)
                yield FoundDefinition(source.text(name).lstrip("$"), kind, node, name, scope=False)

    return rule


LANGUAGE = Language(
    {
        "namespace_definition": _namespace,
        **_make_named_rules("class", "class_declaration trait_declaration"),
        **_make_named_rules("type", "interface_declaration enum_declaration"),
        **_make_named_rules("function", "function_definition", local=True),
        **_make_named_rules("method", "method_declaration", local=True),
        **_make_named_rules("constant", "enum_case"),
        "const_declaration": _make_members_rule("constant"),
        "property_declaration": _make_members_rule("field"),
        **make_unnamed_rules("anonymous_function arrow_function anonymous_class"),
    }
)
