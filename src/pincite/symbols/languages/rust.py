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


def _named(kind: str, local: bool = False, scope: bool = True) -> Rule:
    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        name = node.child_by_field_name("name")
        yield FoundDefinition(source.text(name), kind, node, name, local=local, scope=scope)

    return rule


def _impl(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    owner = _OWNER.match(source.field(node, "type"))
    yield FoundDefinition(owner[1] if owner else "", "", node)


LANGUAGE = Language(
    {
        "function_item": _named("function", local=True),
        "function_signature_item": _named("function"),
        "struct_item": _named("type"),
        "enum_item": _named("type"),
        "union_item": _named("type"),
        "trait_item": _named("type"),
        "type_item": _named("type", scope=False),
        "associated_type": _named("type", scope=False),
        "const_item": _named("constant", scope=False),
        "static_item": _named("constant", scope=False),
        "enum_variant": _named("constant"),
        "field_declaration": _named("field", scope=False),
        "mod_item": _named("module"),
        "macro_definition": _named("function", scope=False),
        "impl_item": _impl,
        "closure_expression": lambda node, source: [FoundDefinition("", "", node, local=True)],
    },
    leading=("attribute_item",),
)
