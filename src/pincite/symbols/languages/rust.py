"""Rust: functions, types, traits, modules, constants, macros; what an `impl` holds is named after its type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource, Rule

_OWNER = re.compile(r"(?:&(?:'\w+ )?(?:mut )?|dyn |\*(?:const|mut) )*(?:[\w:]*::)?(\w+)")


def _make_named_rule(kind: str, local: bool = False, scope: bool = True) -> Rule:
    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        name = node.child_by_field_name("name")
        yield FoundDefinition(source.text(name), kind, node, name, local=local, scope=scope)

    return rule


def _impl(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    owner = _OWNER.match(source.field(node, "type"))
    yield FoundDefinition(owner[1] if owner else "", "", node)


LANGUAGE = Language(
    {
        "function_item": _make_named_rule("function", local=True),
        "function_signature_item": _make_named_rule("function"),
        "struct_item": _make_named_rule("type"),
        "enum_item": _make_named_rule("type"),
        "union_item": _make_named_rule("type"),
        "trait_item": _make_named_rule("type"),
        "type_item": _make_named_rule("type", scope=False),
        "associated_type": _make_named_rule("type", scope=False),
        "const_item": _make_named_rule("constant", scope=False),
        "static_item": _make_named_rule("constant", scope=False),
        "enum_variant": _make_named_rule("constant"),
        "field_declaration": _make_named_rule("field", scope=False),
        "mod_item": _make_named_rule("module"),
        "macro_definition": _make_named_rule("function", scope=False),
        "impl_item": _impl,
        "closure_expression": lambda node, source: [FoundDefinition("", "", node, local=True)],
    },
    leading=("attribute_item",),
)
