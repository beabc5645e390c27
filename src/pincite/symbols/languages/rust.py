"""Rust: functions, types, traits, modules, constants, macros; what an `impl` holds is named after its type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import FoundDefinition, Language, make_named_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import ParsedSource

_OWNER = re.compile(r"(?:&(?:'\w+ )?(?:mut )?|dyn |\*(?:const|mut) )*(?:[\w:]*::)?(\w+)")


def _impl(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    owner = _OWNER.match(source.field(node, "type"))
    yield FoundDefinition(owner[1] if owner else "", "", node)


LANGUAGE = Language(
    {
        "function_item": make_named_rule("function", local=True),
        "function_signature_item": make_named_rule("function"),
        "struct_item": make_named_rule("type"),
        "enum_item": make_named_rule("type"),
        "union_item": make_named_rule("type"),
        "trait_item": make_named_rule("type"),
        "type_item": make_named_rule("type", scope=False),
        "associated_type": make_named_rule("type", scope=False),
        "const_item": make_named_rule("constant", scope=False),
        "static_item": make_named_rule("constant", scope=False),
        "enum_variant": make_named_rule("constant"),
        "field_declaration": make_named_rule("field", scope=False),
        "mod_item": make_named_rule("module"),
        "macro_definition": make_named_rule("function", scope=False),
        "impl_item": _impl,
        "closure_expression": lambda node, source: [FoundDefinition("", "", node, local=True)],
    },
    leading=("attribute_item",),
)
