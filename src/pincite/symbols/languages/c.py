"""C and C++: functions, types with their members, namespaces, values, macros; `Foo::bar` is `Foo.bar`."""

import re
from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, Rule, make_named_rules, make_unnamed_rules

_DEEPEST = 30
_CAST = re.compile(r"(\boperator \w[^(]*)\(.*")
_ARGUMENTS = re.compile(r"<[^<>]*>")


def _make_dotted_name(text: str) -> str:
    """A qualified name with dots, without the arguments of templates."""
    if "operator" not in text:
        for _ in range(8):
            text, count = _ARGUMENTS.subn("", text)
            if not count:
                break
    else:
        text = _CAST.sub(r"\1", text)
    return text.replace(" ", "" if "operator" not in text else " ").removeprefix("::").replace("::", ".")


def _unwrap_declarator(node: Node | None) -> tuple[Node | None, Node | None]:
    """The name inside a declarator, and the list of parameters if it is a function's."""
    parameters: Node | None = None
    for _ in range(_DEEPEST):
        if node is None or node.type in ("operator_cast", "structured_binding_declarator"):
            return None, None
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type in ("parenthesized_declarator", "reference_declarator", "attributed_declarator"):
            inner = next(
                (child for child in node.named_children[:4] if child.type.endswith(("declarator", "identifier"))), None
            )
        if inner is None:
            return node, parameters
        if node.type == "function_declarator":
            parameters = node.child_by_field_name("parameters")
        elif node.type in ("pointer_declarator", "array_declarator", "reference_declarator") and parameters is not None:
            # A pointer to a function is a value.
            parameters = None
        node = inner
    return None, None


def _shape(parameters: Node | None, source: ParsedSource) -> tuple[str, ...]:
    return tuple(source.field(child, "type") for child in parameters.named_children[:50]) if parameters else ()


def _function(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    name, parameters = _unwrap_declarator(node.child_by_field_name("declarator"))
    text = _make_dotted_name(source.text(name))
    kind = "method" if "." in text else "function"
    yield FoundDefinition(text, kind, node, name, local=True, shape=_shape(parameters, source))


def _declaration(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """Prototypes and values, at the top or in a type."""
    extern = any(
        child.type == "storage_class_specifier" and source.text(child) == "extern" for child in node.children[:6]
    )
    for declarator in node.children_by_field_name("declarator"):
        name, parameters = _unwrap_declarator(declarator)
        if name is None or not name.type.endswith(("identifier", "name")):
            continue
        text = _make_dotted_name(source.text(name))
        if parameters is not None:
            shape = _shape(parameters, source)
            yield FoundDefinition(
                text, "function", node, name, role="declaration", shape=shape, local=True, scope=False
            )
        else:
            kind = "field" if name.type == "field_identifier" else "constant"
            yield FoundDefinition(text, kind, node, name, role="declaration" if extern else "", scope=False)


def _make_type_rule(kind: str) -> Rule:
    """A type with its members; without them it is only mentioned."""

    def rule(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
        if node.child_by_field_name("body") is not None:
            name = node.child_by_field_name("name")
            yield FoundDefinition(_make_dotted_name(source.text(name)), kind if name is not None else "", node, name)

    return rule


def _typedef(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """The names a type is given; the members of one without a tag are named after the first."""
    named = node.child_by_field_name("type")
    tagged = named is None or named.child_by_field_name("name") is not None
    for number, declarator in enumerate(node.children_by_field_name("declarator")):
        name, _ = _unwrap_declarator(declarator)
        if name is not None:
            yield FoundDefinition(source.text(name), "type", node, name, scope=not tagged and number == 0)


_make_named_rules = partial(make_named_rules, spell=_make_dotted_name)


LANGUAGE = Language(
    {
        "function_definition": _function,
        **dict.fromkeys(("declaration", "field_declaration"), _declaration),
        **dict.fromkeys(("struct_specifier", "union_specifier", "enum_specifier"), _make_type_rule("type")),
        "class_specifier": _make_type_rule("class"),
        "type_definition": _typedef,
        **_make_named_rules("type", "alias_declaration concept_definition", scope=False),
        **_make_named_rules("module", "namespace_definition"),
        **_make_named_rules("constant", "enumerator preproc_def", scope=False),
        **_make_named_rules("function", "preproc_function_def", scope=False),
        **make_unnamed_rules("lambda_expression"),
    },
    wrappers={"template_declaration": ""},
)
