"""Python: classes, functions, names assigned in a module or a class, type aliases."""

from collections.abc import Iterator

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, make_named_rules, make_unnamed_rules

_ACCESSORS = (".setter", ".getter", ".deleter")


def _read_decorated(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """The function or class inside; its decorators say whether others of its name are the same one."""
    inner = node.child_by_field_name("definition")
    if inner is None:
        return
    name = inner.child_by_field_name("name")
    words = [source.text(child).lstrip("@ ").partition("(")[0] for child in node.children if child.type == "decorator"]
    role = ""
    if any(word.rpartition(".")[2] == "overload" for word in words):
        role = "overload"
    elif any(word.endswith(_ACCESSORS) for word in words):
        role = "accessor"
    elif any(word.endswith("property") for word in words):
        role = "getter"
    function = inner.type == "function_definition"
    kind = "function" if function else "class"
    yield FoundDefinition(source.text(name), kind, node, name, role=role, local=function, inner=inner)


def _assignment(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    for child in node.named_children[:1]:
        depth = 0
        while child is not None and child.type == "assignment" and depth < 20:
            left = child.child_by_field_name("left")
            for name in _names(left):
                text = source.text(name)
                yield FoundDefinition(text, "constant" if text.isupper() else "variable", node, name, scope=False)
            child = child.child_by_field_name("right")  # type: ignore[assignment]
            depth += 1


def _names(left: Node | None) -> list[Node]:
    if left is None:
        return []
    several = left.named_children[:50] if left.type in ("pattern_list", "tuple_pattern") else [left]
    return [name for name in several if name.type == "identifier"]


def _alias(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    left = node.child_by_field_name("left")
    yield FoundDefinition(source.text(left).partition("[")[0], "type", node, left, scope=False)


LANGUAGE = Language(
    {
        "decorated_definition": _read_decorated,
        **make_named_rules("class", "class_definition"),
        **make_named_rules("function", "function_definition", local=True),
        "expression_statement": _assignment,
        "type_alias_statement": _alias,
        **make_unnamed_rules("lambda"),
    }
)
