"""Ruby: modules, classes, methods of both kinds, constants."""

from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, make_named_rules


def _make_dotted_name(text: str) -> str:
    return text.removeprefix("::").replace("::", ".")


_make_named_rules = partial(make_named_rules, spell=_make_dotted_name)


def _singleton(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """A method of the class itself, or of an object that is named."""
    name = node.child_by_field_name("name")
    owner = source.field(node, "object")
    prefix = "" if owner == "self" else f"{_make_dotted_name(owner)}."
    yield FoundDefinition(prefix + source.text(name), "method", node, name, local=True)


def _constants(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    left = node.child_by_field_name("left")
    if left is None:
        return
    for name in left.named_children[:50] if left.type == "left_assignment_list" else [left]:
        text = source.text(name)
        if name.type in ("constant", "scope_resolution") and text[:1] != ":":
            yield FoundDefinition(_make_dotted_name(text), "constant", node, name)


LANGUAGE = Language(
    {
        **_make_named_rules("module", "module"),
        **_make_named_rules("class", "class"),
        **_make_named_rules("function", "method", local=True),
        "singleton_method": _singleton,
        "assignment": _constants,
    }
)
