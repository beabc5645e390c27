"""PHP: namespaces, classes, traits, interfaces, enums, functions, methods, constants, properties."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language, make_named_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource, Rule

_make_named_rule = partial(make_named_rule, spell=lambda text: text.lstrip("$&"))


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
        "class_declaration": _make_named_rule("class"),
        "trait_declaration": _make_named_rule("class"),
        "interface_declaration": _make_named_rule("type"),
        "enum_declaration": _make_named_rule("type"),
        "function_definition": _make_named_rule("function", local=True),
        "method_declaration": _make_named_rule("method", local=True),
        "const_declaration": _make_members_rule("constant"),
        "property_declaration": _make_members_rule("field"),
        "enum_case": _make_named_rule("constant"),
        "anonymous_function": lambda node, source: [FoundDefinition("", "", node, local=True)],
        "arrow_function": lambda node, source: [FoundDefinition("", "", node, local=True)],
        "anonymous_class": lambda node, source: [FoundDefinition("", "", node, local=True)],
    }
)
