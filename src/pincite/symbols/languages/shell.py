"""Shell: functions, and what is assigned outside of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Found, Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ..model import Source


def _function(node: Node, source: Source) -> Iterator[Found]:
    name = node.child_by_field_name("name")
    yield Found(source.text(name), "function", node, name, local=True)


def _assignment(node: Node, source: Source) -> Iterator[Found]:
    name = node.child_by_field_name("name")
    if name is not None and name.type == "variable_name":
        text = source.text(name)
        yield Found(text, "constant" if text.isupper() else "variable", node, name, scope=False)


LANGUAGE = Language(
    {
        "function_definition": _function,
        "variable_assignment": _assignment,
        # Before a command an assignment holds for that command alone.
        "command": lambda node, source: [Found("", "", node, local=True)],
    },
    wrappers={"declaration_command": "*"},
)
