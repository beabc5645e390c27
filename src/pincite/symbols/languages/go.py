"""Go: functions, methods by their receiver's type, types with their fields and methods, constants, variables."""

from collections.abc import Iterator

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, Rule, make_named_rules, make_unnamed_rules


def _make_values_rule(kind: str) -> Rule:
    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        for name in node.children_by_field_name("name"):
            if name.is_named and source.text(name) != "_":
                yield FoundDefinition(source.text(name), kind, node, name, scope=False)

    return rule


def _method(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    name = node.child_by_field_name("name")
    receiver = node.child_by_field_name("receiver")
    kind = next(iter(receiver.named_children), None) if receiver is not None else None
    written = source.field(kind, "type") if kind is not None else ""
    owner = written.lstrip("*( ").partition("[")[0].rstrip(") ")
    if owner:
        yield FoundDefinition(f"{owner}.{source.text(name)}", "method", node, name, local=True)


LANGUAGE = Language(
    {
        **make_named_rules("function", "function_declaration", local=True),
        "method_declaration": _method,
        **make_named_rules("type", "type_spec type_alias"),
        **make_named_rules("method", "method_elem method_spec"),
        "field_declaration": _make_values_rule("field"),
        **dict.fromkeys(("const_spec", "var_spec"), _make_values_rule("constant")),
        **make_unnamed_rules("func_literal"),
    },
    wrappers=dict.fromkeys(("type_declaration", "const_declaration", "var_declaration"), "*"),
)
