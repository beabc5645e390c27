"""The published JSON Schema of a policy: its text, its defaults, and whether a file has its shape.

The schema is the one place that says which keys there are, of which type, and what holds where a file is silent. It is
applied to the tree of the file, not to plain data, so that every problem knows its line.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ...text.lines import line_starts, position, shorten
from ...text.yaml import Mapping, Scalar, YamlList, value_of

if TYPE_CHECKING:
    from typing import Any

    from ...text.yaml import Node

_FILE = ("schemas", "citation-integrity.schema.json")
_MOST = 100
"""Of more problems than this, the first ones are reported."""
_EXPECTED = {
    "object": "a map of keys",
    "array": "a list",
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
}
_REMEDIES = {
    "object": "write {} to take its defaults",
    "array": "write each item on a line of its own, after '- '",
    "string": "put it in quotes",
    "boolean": "write it without quotes",
    "integer": "write digits without quotes",
}


class PolicyProblem(Struct, frozen=True):
    """Something in a policy file that is not as it should be."""

    line: int
    place: str
    """The key, with the keys around it: `whitelist_enforcement.corpus_path`; empty for the whole file."""
    message: str
    """The problem and its remedy."""
    severity: str = "error"
    """`error`, or `warning` where the policy can be obeyed nevertheless."""


def schema_text() -> str:
    """The JSON Schema of a policy, as published."""
    # What loaded this module also loads its data, from a folder or an archive, and costs no import.
    loader: Any = __spec__.loader
    data: bytes = loader.get_data(os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), *_FILE))
    return data.decode()


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of a policy; not to be changed."""
    loaded: dict[str, Any] = msgspec.json.decode(schema_text())
    return loaded


def defaults(shape: dict[str, Any] | None = None) -> Any:
    """What holds where a policy says nothing: the whole policy, or the part of a shape."""
    shape = _resolve_reference(schema() if shape is None else shape)
    if "default" in shape:
        return shape["default"]
    parts = {name: defaults(part) for name, part in shape.get("properties", {}).items()}
    return {name: part for name, part in parts.items() if part is not None} if shape.get("type") == "object" else None


def fill_defaults(data: Any, shape: dict[str, Any] | None = None) -> Any:
    """Data in the order of the schema, with what holds where it is silent, and without keys that are not known."""
    shape = _resolve_reference(schema() if shape is None else shape)
    if isinstance(data, list):
        return [fill_defaults(item, shape["items"]) for item in data]
    if not isinstance(data, dict):
        return data
    parts = {
        name: fill_defaults(data[name], part) if name in data else defaults(part)
        for name, part in shape["properties"].items()
    }
    return {name: part for name, part in parts.items() if part is not None}


def plain(node: Node) -> Any:
    """The data of a tree: maps, lists and values; a number without a fraction is whole, as in JSON Schema."""
    if isinstance(node, Mapping):
        return {key: plain(value) for key, value in node.values.items()}
    if isinstance(node, YamlList):
        return [plain(item) for item in node.items]
    value = value_of(node)
    return int(value) if isinstance(value, float) and value.is_integer() else value


class ProblemCollector:
    """Collects the problems of one file; knows the line of every offset."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.problems: list[PolicyProblem] = []
        self._starts = line_starts(text)

    @property
    def full(self) -> bool:
        """Whether further problems would be dropped."""
        return len(self.problems) >= _MOST

    def add(self, offset: int, place: str, message: str, severity: str = "error") -> None:
        """One more problem, unless there are too many to be of use."""
        if not self.full:
            self.problems.append(PolicyProblem(self.line(offset), place, message, severity))

    def line(self, offset: int) -> int:
        """The line that holds an offset."""
        return position(self._starts, min(offset, len(self.text)))[0]

    def key(self, around: Mapping, key: str) -> int:
        """Where a key is written; its value's place where it is written with escapes."""
        end = around.values[key].start
        found = self.text.rfind(key, around.start, end)
        return end if found < 0 else found


def check_shape(tree: Node, places: ProblemCollector) -> None:
    """Every difference between a tree and the schema; unknown keys are warnings."""
    _visit(tree, schema(), "", places)


def _visit(node: Node, shape: dict[str, Any], place: str, places: ProblemCollector) -> None:
    shape = _resolve_reference(shape)
    kind = shape.get("type", "")
    if places.full:
        return
    if not _is(node, kind):
        empty = isinstance(node, Scalar) and value_of(node) is None
        found = "nothing" if empty else shown_value(node)
        places.add(node.start, place, f"expected {_EXPECTED[kind]}, found {found}; {_REMEDIES[kind]}")
    elif isinstance(node, Mapping):
        _visit_keys(node, shape, place, places)
    elif isinstance(node, YamlList):
        for at, item in enumerate(node.items):
            _visit(item, shape["items"], f"{place}[{at}]", places)
    elif "pattern" in shape and not _is_version(node.text):
        places.add(node.start, place, f"{shown_value(node)} is no version; write three numbers, such as 1.0.0")


def _visit_keys(node: Mapping, shape: dict[str, Any], place: str, places: ProblemCollector) -> None:
    known = shape["properties"]
    for name in shape.get("required", ()):
        if name not in node.values:
            usual = "{}" if _resolve_reference(known[name])["type"] == "object" else "1.0.0"
            places.add(node.start, name, f"is missing; add '{name}: {usual}' to take the default")
    for key, value in node.values.items():
        inside = f"{place}.{key}" if place else key
        if key in known:
            _visit(value, known[key], inside, places)
        elif place or key != "$schema":
            places.add(places.key(node, key), shorten(inside, 200), _unknown(key, known), "warning")


def _resolve_reference(shape: dict[str, Any]) -> dict[str, Any]:
    """A shape itself, or the definition that it refers to."""
    reference = shape.get("$ref")
    if reference is None:
        return shape
    found: dict[str, Any] = schema()["$defs"][reference.rpartition("/")[2]]
    return found


def _is(node: Node, kind: str) -> bool:
    """Whether a node is of a type of JSON Schema."""
    if kind == "object":
        return isinstance(node, Mapping)
    if kind == "array":
        return isinstance(node, YamlList)
    if not isinstance(node, Scalar):
        return False
    value = plain(node)
    return type(value) is {"string": str, "boolean": bool, "integer": int}[kind]


def _is_version(text: str) -> bool:
    """Three numbers with dots between: the schema's pattern, in the digits that its own language means."""
    parts = text.split(".")
    return len(parts) == 3 and all(part.isascii() and part.isdigit() for part in parts)


def shown_value(node: Node) -> str:
    """A value as it may stand in a message."""
    if isinstance(node, Scalar):
        text = shorten(node.text, 60)
        return f"'{text}'" if isinstance(value_of(node), str) else text
    return _EXPECTED["object" if isinstance(node, Mapping) else "array"]


def _unknown(key: str, known: dict[str, Any]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key[:100], known, 1)
    hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(known)}"
    return f"unknown key, ignored; {hint}"
