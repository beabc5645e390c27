"""The tree of a stage's file against its schema: fields that are missing or misspelt, and the rules of each value.

Every kind of value has its rules, by the name that the schema gives it.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Severity
from ...project.policy.schema import plain, shown_value
from ...text.lines import format_count, shorten
from ...text.yaml import Mapping, Scalar, YamlList, value_of
from .model import CONFIDENCES, LONGEST_QUOTE, MOST_SENTENCES, SEARCH, SOURCE_TYPES, StageProblem
from .schemas import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ...text.yaml import Node
    from .stage_parser import ParsedTree

VERDICTS = ("contradicted", "not shown", "not validated")
GIVEN = (*CONFIDENCES, "low")
HIGHEST_ID = 1_000_000_000
_LONGEST_READ = 20_000
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""What no text of a stage may hold."""
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30}):")
_WORD = re.compile(r"\S")
_EXPECTED = {
    "object": ("a map of fields", "write each field on a line of its own, `name: value`"),
    "array": ("a list", "write each item after '- '"),
    "string": ("text", "put it in quotes"),
    "integer": ("a whole number", "write digits without quotes"),
    "number": ("a number", "write digits without quotes"),
    "boolean": ("true or false", "write it without quotes"),
    "null": ("null", "write null"),
}
MOST_PROBLEMS = 500
"""Of more, the first ones are reported."""
_MOST_COMPARED = 500
"""Unknown fields of one file that are compared with the known ones."""
_LONGEST_NAME = 40


class BrokenRule(Struct, frozen=True):
    """A rule that a value breaks, and what to do about it."""

    rule: str
    message: str
    remedy: str
    usable: bool = True
    """Whether the value has the right type, so that the rest of its entry can be used all the same."""


def wrong_with(node: Node, kind: str) -> Iterator[BrokenRule]:
    """Every rule of its kind that a value breaks."""
    return KINDS[kind](node)


def is_type(node: Node, name: str) -> bool:
    """Whether a value is of a type of JSON Schema."""
    if not isinstance(node, Scalar):
        return name == ("object" if isinstance(node, Mapping) else "array")
    value = plain(node)
    if isinstance(value, bool) or value is None:
        return name == ("null" if value is None else "boolean")
    if isinstance(value, str):
        return name == "string"
    return name == "number" or (name == "integer" and isinstance(value, int))


def describe_wrong_type(node: Node, *names: str) -> BrokenRule:
    """What was expected, what stands there, and how to write it."""
    empty = isinstance(node, Scalar) and value_of(node) is None
    expected = " or ".join(_EXPECTED[name][0] for name in names)
    found = "nothing" if empty else shown_value(node)
    return BrokenRule("wrong-type", f"expected {expected}, found {found}", _EXPECTED[names[0]][1], False)


def day_of(text: str) -> date | None:
    """The day that a date names; None where there is no such day."""
    if not _DATE.fullmatch(text):
        return None
    try:
        return date(int(text[:4]), int(text[5:7]), int(text[8:]))
    except ValueError:
        return None


def months_before(day: date, months: int) -> date:
    """The same day some months earlier; the last of the month where that has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    if year < 1:
        return date.min
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _check_text(node: Node) -> Iterator[BrokenRule]:
    if not is_type(node, "string"):
        yield describe_wrong_type(node, "string")
        return
    text = _string(node)
    if not _WORD.search(text):
        yield BrokenRule("empty", "it says nothing", "fill it in")
    yield from _check_characters(text)


def _check_characters(text: str) -> Iterator[BrokenRule]:
    bad = CONTROL.search(text)
    if bad:
        yield BrokenRule("control-character", f"it holds the control character U+{ord(bad[0]):04X}", "take it out")


def _check_quote(node: Node) -> Iterator[BrokenRule]:
    from ...text.sentences import split_sentences

    found = list(_check_text(node))
    yield from found
    if any(not wrong.usable or wrong.rule == "empty" for wrong in found):
        return
    text = _string(node)
    words = len(text.split())
    if words > LONGEST_QUOTE:
        yield BrokenRule(
            "quote-too-long",
            f"the quote has {words:,} words, at most {LONGEST_QUOTE} are allowed",
            "quote the sentence that states the claim; never cut inside it",
        )
    # What is longer than this has said enough about itself.
    head = text[:_LONGEST_READ]
    sentences = sum(1 for _ in split_sentences(head, len(head)))
    if sentences > MOST_SENTENCES:
        yield BrokenRule(
            "too-many-sentences",
            f"the quote has {format_count(sentences, 'sentence')}, at most {MOST_SENTENCES} are allowed",
            "quote the sentence that states the claim, or make two citations of it",
        )


def _check_url(node: Node) -> Iterator[BrokenRule]:
    if not is_type(node, "string"):
        yield describe_wrong_type(node, "string")
        return
    text = _string(node)
    scheme = _SCHEME.match(text)
    if not _WORD.search(text):
        yield BrokenRule("empty", "it says nothing", "give the page's address")
    elif scheme is None or scheme[1].lower() != "https":
        found = f"its protocol is {scheme[1]}" if scheme else "it names no protocol"
        yield BrokenRule(
            "not-https", f"{found}, only https is allowed", "give the page's https:// address or leave it out"
        )
    elif not _address().fullmatch(text) or len(text) > _leaf("url")["maxLength"]:
        yield BrokenRule(
            "bad-url",
            f"{shown_value(node)} is no address that can be fetched",
            "write https://, a host and a path of at most 2,048 characters; no spaces, no user name",
        )


def _check_date(node: Node) -> Iterator[BrokenRule]:
    if not is_type(node, "string"):
        yield describe_wrong_type(node, "string")
    elif day_of(_string(node)) is None:
        yield BrokenRule("bad-date", f"{shown_value(node)} is no date", "write a day that exists as YYYY-MM-DD")


def _allow_null(rules: Callable[[Node], Iterator[BrokenRule]]) -> Callable[[Node], Iterator[BrokenRule]]:
    def either(node: Node) -> Iterator[BrokenRule]:
        if not is_type(node, "null"):
            yield from rules(node)

    return either


def _require_one_of(rule: str, known: tuple[str, ...]) -> Callable[[Node], Iterator[BrokenRule]]:
    def rules(node: Node) -> Iterator[BrokenRule]:
        if not is_type(node, "string"):
            yield describe_wrong_type(node, "string")
        elif _string(node) not in known:
            yield BrokenRule(rule, f"{shown_value(node)} is not known here", f"write one of: {', '.join(known)}")

    return rules


def _check_confidence(node: Node) -> Iterator[BrokenRule]:
    if is_type(node, "string") and _string(node) == "low":
        yield BrokenRule(
            "low-confidence",
            "claims of low confidence are rejected",
            "move it to rejected_claims, or cite a passage that states it",
        )
    else:
        yield from _require_one_of("unknown-confidence", CONFIDENCES)(node)


def _require_within(kind: str, rule: str, least: int, most: int) -> Callable[[Node], Iterator[BrokenRule]]:
    def rules(node: Node) -> Iterator[BrokenRule]:
        if not is_type(node, kind):
            yield describe_wrong_type(node, kind)
        elif not least <= plain(node) <= most:
            yield BrokenRule(rule, f"{shown_value(node)} is not between {least} and {most:,}", "correct the number")

    return rules


def _require_type(*names: str) -> Callable[[Node], Iterator[BrokenRule]]:
    def rules(node: Node) -> Iterator[BrokenRule]:
        if not any(is_type(node, name) for name in names):
            yield describe_wrong_type(node, *names)

    return rules


KINDS: dict[str, Callable[[Node], Iterator[BrokenRule]]] = {
    "text": _check_text,
    "text_or_null": _allow_null(_check_text),
    "quote": _check_quote,
    "url": _check_url,
    "date": _check_date,
    "date_or_null": _allow_null(_check_date),
    "source_type": _require_one_of("unknown-source-type", SOURCE_TYPES),
    "id": _require_within("integer", "bad-id", 1, HIGHEST_ID),
    "flag": _require_type("boolean"),
    "check": _require_type("boolean", "null"),
    "credibility": _require_within("integer", "score-out-of-range", 1, 10),
    "strength": _require_within("number", "score-out-of-range", 0, 1),
    "confidence": _check_confidence,
    "given_confidence": _allow_null(_require_one_of("unknown-confidence", GIVEN)),
    "verdict": _require_one_of("unknown-verdict", VERDICTS),
}
"""The rules of each kind of value."""


def _string(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _leaf(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = schema(SEARCH)["$defs"][kind]
    return found


@cache
def _address() -> re.Pattern[str]:
    """The schema's own pattern, so that both have one opinion of what an address is."""
    return re.compile(_leaf("url")["pattern"])


class Problems:
    """Collects the problems of one file."""

    def __init__(self, key: str, tree: ParsedTree, stage: str) -> None:
        self.key = key
        self.definitions: dict[str, Any] = schema(stage)["$defs"]
        self.tree = tree
        self.found: list[StageProblem] = []
        self.left_off = 0
        self.compared = 0

    def add(self, node: Node, path: str, wrong: BrokenRule, severity: Severity = Severity.ERROR) -> None:
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


def check_shape(node: Node, shape: dict[str, Any], path: str, problems: Problems) -> bool:
    """Every difference between a node and its part of the schema; whether its types are right, so that it is usable."""
    defined = str(shape.get("$ref", "")).rpartition("/")[2]
    if defined in KINDS:
        found = list(wrong_with(node, defined))
        for wrong in found:
            problems.add(node, path, wrong)
        return all(wrong.usable for wrong in found)
    if defined:
        shape = problems.definitions[defined]
    kind = shape["type"]
    if not is_type(node, kind):
        problems.add(node, path, describe_wrong_type(node, kind))
        return False
    if isinstance(node, Mapping):
        return _check_fields(node, shape, path, problems)
    if isinstance(node, YamlList):
        return _check_items(node, shape, path, problems)
    if "maximum" in shape and not shape["minimum"] <= plain(node) <= shape["maximum"]:
        problems.add(node, path, BrokenRule("bad-id", f"{shown_value(node)} is out of range", "correct the number"))
    return True


def _check_items(node: YamlList, shape: dict[str, Any], path: str, problems: Problems) -> bool:
    least = shape.get("minItems", 0)
    usable = True
    if len(node.items) < least or len(node.items) > shape.get("maxItems", len(node.items)):
        problems.add(node, path, BrokenRule("wrong-type", f"expected {least} numbers", "write [first, last]", False))
        usable = False
    for at, item in enumerate(node.items):
        usable &= check_shape(item, shape["items"], f"{path}[{at}]", problems)
    return usable


def _check_fields(node: Mapping, shape: dict[str, Any], path: str, problems: Problems) -> bool:
    known = shape.get("properties", {})
    others = shape.get("additionalProperties")
    meant = {} if others else _misspelt(node, known, problems)
    usable = True
    for name in shape.get("required", ()):
        if name not in node.values:
            how = f"rename '{meant[name]}'" if name in meant else "add it"
            problems.add(node, f"{path}.{name}", BrokenRule("missing-field", f"{name} is missing", how))
            usable = False
    for name, value in node.values.items():
        inside = f"{path}.{shorten(name, 60)}"
        if name in known or others:
            usable &= check_shape(value, known.get(name, others), inside, problems)
    for close, name in meant.items():
        wrong = BrokenRule("unknown-field", "there is no such field; it is ignored", f"did you mean {close}?")
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
