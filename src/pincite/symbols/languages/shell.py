"""Shell: functions, and what is assigned outside of them."""

from collections.abc import Iterator

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, make_named_rules, make_unnamed_rules


def _assignment(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    name = node.child_by_field_name("name")
    if name is not None and name.type == "variable_name":
        text = source.text(name)
        yield FoundDefinition(text, "constant" if text.isupper() else "variable", node, name, scope=False)


LANGUAGE = Language(
    {
        **make_named_rules("function", "function_definition", local=True),
        "variable_assignment": _assignment,
        # Before a command an assignment holds for that command alone.
        **make_unnamed_rules("command"),
    },
    wrappers={"declaration_command": "*"},
)
