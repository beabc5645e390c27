"""JavaScript and TypeScript: classes, functions, also those that are assigned, values, types, namespaces."""

from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from ..model import FoundDefinition, Language, ParsedSource, make_named_rules, make_unnamed_rules

_FUNCTIONS = ("arrow_function", "function_expression", "function", "generator_function")


def _spell_key(text: str) -> str:
    """A name as it is written in a class or an object; empty where it is worked out at run time."""
    return "" if text[:1] == "[" else text.strip("\"'`")


_make_named_rules = partial(make_named_rules, spell=_spell_key)


def _method(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    name = node.child_by_field_name("name")
    role = "accessor" if any(child.type in ("get", "set") for child in node.children[:12]) else ""
    yield FoundDefinition(_spell_key(source.text(name)), "method", node, name, local=True, role=role)


def _module(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    name = node.child_by_field_name("name")
    quoted = name is None or name.type == "string"
    yield FoundDefinition("" if quoted else source.text(name).replace(" ", ""), "" if quoted else "module", node, name)


def _kind_of(value: Node | None, otherwise: str) -> tuple[str, bool]:
    """What a name is to which this value is given, and whether values inside are local."""
    if value is not None and value.type in _FUNCTIONS:
        return "function", True
    if value is not None and value.type == "class":
        return "class", False
    return otherwise, False


def _declarations(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """What one `const`, `let` or `var` declares."""
    fixed = node.type == "lexical_declaration" and source.field(node, "kind") == "const"
    declared = [child for child in node.named_children if child.type == "variable_declarator"]
    for child in declared:
        name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        kind, local = _kind_of(value, "constant" if fixed else "variable")
        whole = node if len(declared) == 1 else child
        if name is not None and name.type == "identifier":
            yield FoundDefinition(source.text(name), kind, whole, name, local=local)
        elif name is not None and name.type in ("object_pattern", "array_pattern"):
            for part in name.named_children[:100]:
                if part.type in ("shorthand_property_identifier_pattern", "identifier"):
                    yield FoundDefinition(source.text(part), kind, whole, part, scope=False)


def _field(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    name = node.child_by_field_name("property") or node.child_by_field_name("name")
    kind, local = _kind_of(node.child_by_field_name("value"), "constant")
    yield FoundDefinition(_spell_key(source.text(name)), kind, node, name, local=local)


def _pair(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """A function in an object, or an object in it whose functions are named after it."""
    name, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    kind, local = _kind_of(value, "")
    if kind or (value is not None and value.type == "object"):
        yield FoundDefinition(_spell_key(source.text(name)), kind, node, name, local=local)


def _read_assignment(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """A function or a class given to `exports.name`, `Type.prototype.name` or `Type.name`."""
    left = node.child_by_field_name("left")
    kind, local = _kind_of(node.child_by_field_name("right"), "")
    if left is None or left.type != "member_expression" or not kind:
        return
    parts = source.text(left).split(".")
    if len(parts) > 2 and parts[:2] == ["module", "exports"]:
        parts = parts[2:]
    elif parts[0] == "exports":
        parts = parts[1:]
    parts = [part for part in parts if part != "prototype"]
    if parts and all(part.isidentifier() for part in parts) and parts[0] not in ("this", "module", "window"):
        yield FoundDefinition(".".join(parts), kind, node, left.child_by_field_name("property"), local=local)


def _members(node: Node, source: ParsedSource) -> Iterator[FoundDefinition]:
    """The members of an enum that have no value of their own."""
    for child in node.named_children:
        if child.type == "property_identifier":
            yield FoundDefinition(source.text(child), "constant", child, child, scope=False)


LANGUAGE = Language(
    {
        **_make_named_rules("function", "function_declaration generator_function_declaration", local=True),
        **_make_named_rules("function", "function_signature", role="overload"),
        **_make_named_rules("class", "class_declaration abstract_class_declaration"),
        **_make_named_rules("type", "interface_declaration type_alias_declaration enum_declaration"),
        "enum_body": _members,
        **_make_named_rules("constant", "enum_assignment", scope=False),
        **dict.fromkeys(("internal_module", "module"), _module),
        "method_definition": _method,
        **_make_named_rules("method", "method_signature abstract_method_signature", role="overload"),
        **_make_named_rules("field", "property_signature"),
        **dict.fromkeys(("field_definition", "public_field_definition"), _field),
        **dict.fromkeys(("lexical_declaration", "variable_declaration"), _declarations),
        "pair": _pair,
        "assignment_expression": _read_assignment,
        **make_unnamed_rules("arrow_function function_expression generator_function"),
    },
    wrappers={"export_statement": "declaration", "ambient_declaration": "", "expression_statement": "*"},
    leading=("decorator",),
)
