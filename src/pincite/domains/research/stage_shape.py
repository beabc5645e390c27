"""A tree against the schema of its stage: which fields are missing, mistyped or misspelt, each with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Severity
from ...project.policy.schema import plain, shown_value
from ...text.lines import shorten
from ...text.yaml import Mapping, Sequence
from .model import StageProblem
from .stage_values import KINDS, Wrong, describe_wrong_type, is_type, wrong_with

if TYPE_CHECKING:
    from typing import Any

    from ...text.yaml import Node
    from .stage_parser import ParsedTree

MOST_PROBLEMS = 500
"""Of more, the first ones are reported."""
_MOST_COMPARED = 500
"""Unknown fields of one file that are compared with the known ones."""
_LONGEST_NAME = 40


class Problems:
    """Collects the problems of one file."""

    def __init__(self, key: str, tree: ParsedTree) -> None:
        self.key = key
        self.tree = tree
        self.found: list[StageProblem] = []
        self.left_off = 0
        self.compared = 0

    def add(self, node: Node, path: str, wrong: Wrong, severity: Severity = Severity.ERROR) -> None:
        """One more problem; beyond a bound they are only counted."""
        if len(self.found) >= MOST_PROBLEMS:
            self.left_off += severity is Severity.ERROR
            return
        line = self.tree.line(node)
        self.found.append(StageProblem(wrong.rule, self.key, path, line, wrong.message, wrong.remedy, severity))

    def all(self) -> tuple[StageProblem, ...]:
        """By line, and how many were left off."""
        found = sorted(self.found, key=lambda problem: (problem.line, problem.path))
        if self.left_off:
            text = f"{self.left_off:,} more errors are not shown"
            found.append(StageProblem("more-problems", self.key, "", 1, text, "correct the first ones and check again"))
        return tuple(found)


class SchemaPart(Struct, frozen=True):
    """A part of a schema, and the schema it refers to."""

    part: dict[str, Any]
    whole: dict[str, Any]

    @property
    def kind(self) -> str:
        """The name of the definition that the part refers to; empty where it refers to none."""
        return str(self.part.get("$ref", "")).rpartition("/")[2]

    def resolved(self) -> SchemaPart:
        """The definition itself."""
        return SchemaPart(self.whole["$defs"][self.kind], self.whole) if self.kind else self

    def below(self, part: dict[str, Any]) -> SchemaPart:
        """A part of this part."""
        return SchemaPart(part, self.whole)


def check_shape(node: Node, shape: SchemaPart, path: str, problems: Problems) -> bool:
    """Every difference between a node and its shape; whether its types are right, so that it can be used."""
    if shape.kind in KINDS:
        found = list(wrong_with(node, shape.kind))
        for wrong in found:
            problems.add(node, path, wrong)
        return all(wrong.usable for wrong in found)
    shape = shape.resolved()
    kind = shape.part["type"]
    if not is_type(node, kind):
        problems.add(node, path, describe_wrong_type(node, kind))
        return False
    if isinstance(node, Mapping):
        return _check_fields(node, shape, path, problems)
    if isinstance(node, Sequence):
        return _check_items(node, shape, path, problems)
    if "maximum" in shape.part and not shape.part["minimum"] <= plain(node) <= shape.part["maximum"]:
        problems.add(node, path, Wrong("bad-id", f"{shown_value(node)} is out of range", "correct the number"))
    return True


def _check_items(node: Sequence, shape: SchemaPart, path: str, problems: Problems) -> bool:
    least = shape.part.get("minItems", 0)
    usable = True
    if len(node.items) < least or len(node.items) > shape.part.get("maxItems", len(node.items)):
        problems.add(node, path, Wrong("wrong-type", f"expected {least} numbers", "write [first, last]", False))
        usable = False
    for at, item in enumerate(node.items):
        usable &= check_shape(item, shape.below(shape.part["items"]), f"{path}[{at}]", problems)
    return usable


def _check_fields(node: Mapping, shape: SchemaPart, path: str, problems: Problems) -> bool:
    known = shape.part.get("properties", {})
    others = shape.part.get("additionalProperties")
    meant = {} if others else _misspelt(node, known, problems)
    usable = True
    for name in shape.part.get("required", ()):
        if name not in node.values:
            how = f"rename '{meant[name]}'" if name in meant else "add it"
            problems.add(node, f"{path}.{name}", Wrong("missing-field", f"{name} is missing", how))
            usable = False
    for name, value in node.values.items():
        inside = f"{path}.{shorten(name, 60)}"
        if name in known or others:
            usable &= check_shape(value, shape.below(known.get(name, others)), inside, problems)
    for close, name in meant.items():
        wrong = Wrong("unknown-field", "there is no such field; it is ignored", f"did you mean {close}?")
        problems.add(node.values[name], f"{path}.{name}", wrong, Severity.WARNING)
    return usable


def _misspelt(node: Mapping, known: dict[str, Any], problems: Problems) -> dict[str, str]:
    """Fields that a map lacks, each with the unknown field that seems to be meant as it."""
    meant: dict[str, str] = {}
    for name in node.values:
        if name not in known and problems.compared < _MOST_COMPARED:
            problems.compared += 1
            close = _find_meant_field(name, known)
            if close and close not in node.values:
                meant.setdefault(close, name)
    return meant


def _find_meant_field(name: str, known: dict[str, Any]) -> str:
    """The known field that an unknown one is a misspelling of; empty where none is near."""
    from difflib import get_close_matches

    if len(name) > _LONGEST_NAME or name.startswith("$"):
        return ""
    plainly = name.lower().replace("-", "_").replace(" ", "_")
    if plainly in known:
        return plainly
    ends = [field for field in known if field.endswith(f"_{plainly}")]
    if len(ends) == 1:
        return ends[0]
    return next(iter(get_close_matches(plainly, known, 1, 0.8)), "")
