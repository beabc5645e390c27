"""Rust: functions, types, traits, modules, constants, macros; what an `impl` holds is named after its type."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, make_named_rules, make_unnamed_rules

_OWNER = re.compile(r"(?:&(?:'\w+ )?(?:mut )?|dyn |\*(?:const|mut) )*(?:[\w:]*::)?(\w+)")


def _impl(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    owner = _OWNER.match(source.field(node, "type"))
    yield FoundDefinition(owner[1] if owner else "", "", node)


LANGUAGE = Language(
    {
        **make_named_rules("function", "function_item", local=True),
        **make_named_rules("function", "function_signature_item"),
        **make_named_rules("type", "struct_item enum_item union_item trait_item"),
        **make_named_rules("type", "type_item associated_type", scope=False),
        **make_named_rules("constant", "const_item static_item", scope=False),
        **make_named_rules("constant", "enum_variant"),
        **make_named_rules("field", "field_declaration", scope=False),
        **make_named_rules("module", "mod_item"),
        **make_named_rules("function", "macro_definition", scope=False),
        "impl_item": _impl,
        **make_unnamed_rules("closure_expression"),
    },
    leading=("attribute_item",),
)
