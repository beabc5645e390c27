"""Strict YAML: a tree that knows where every value stands, or one error that names line and reason.

Scalars follow the YAML 1.2 core schema, minus numbers with leading zeros. Anchors, aliases, tags, merge keys, duplicate
keys and further documents are refused. The tree is built from a stream of events, never by recursion, so that nesting
costs nothing until the bound on depth ends it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import PinciteError
from ..core.limits import LIMITS, Limits

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Value: TypeAlias = str | int | float | bool | None

FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_BREAK = re.compile(r"\r\n|\r|\n")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})|0o[0-7]{1,20}|0x[0-9a-fA-F]{1,15}")
_FLOAT = re.compile(
    # Examples: `1.5e3`, `-.inf`.
    r"""
    [-+]?(?:\.[0-9]{1,40}|(?:0|[1-9][0-9]{0,40})(?:\.[0-9]{0,40}|(?=[eE])))(?:[eE][-+]?[0-9]{1,4})?
    |[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)
    """,
    re.VERBOSE,
)
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}

_SPECIAL = frozenset(("", *"0123456789+-.~nNtTfF"))
"""How a plain scalar begins that could be something else than text."""


class FrontmatterError(PinciteError):
    """Frontmatter that is no plain YAML; knows the line in the document and the offset."""

    def __init__(self, reason: str, line: int, offset: int) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line
        self.offset = offset


class Scalar(Struct, frozen=True, gc=False):
    """One value: its text, where it is written (quotes included) and in which style (empty when plain)."""

    text: str
    start: int
    end: int
    style: str = ""


class YamlList(Struct, gc=False):
    """A list; `end` is where its last item ends, or its bracket."""

    items: list[Node]
    start: int
    end: int
    flow: bool = False


class Mapping(Struct, gc=False):
    """Keys with their values in the order written; `end` is where the last value ends, or its brace."""

    values: dict[str, Node]
    start: int
    end: int
    flow: bool = False


Node = Scalar | YamlList | Mapping


def value_of(scalar: Scalar) -> Value:
    """What a scalar means: quoted ones are text, plain ones null, a boolean, a number or text."""
    return scalar.text if scalar.style else plain_value(scalar.text)


def is_null(node: Node) -> bool:
    """Whether nothing is said: an empty value, `null` or `~`."""
    return isinstance(node, Scalar) and value_of(node) is None


def plain_value(text: str) -> Value:
    """What text without quotes means."""
    if text[:1] not in _SPECIAL:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "nNtTfF":
        if _INTEGER.fullmatch(text):
            return int(text, 0) if text[1:2] in ("o", "x") else int(text)
        if _FLOAT.fullmatch(text):
            return float(text if text[-1] in "0123456789." else text.replace(".", ""))
    return text


def load(text: str, base: int = 0, line: int = 1, limits: Limits = LIMITS) -> Node:
    """The tree of one YAML document, places counted from `base` and lines from `line`; raises FrontmatterError."""
    _check_characters(text, base, line, limits)
    return _Loader(text, base, line, limits).load()


def _check_characters(text: str, base: int, line: int, limits: Limits) -> None:
    """Refuse what is too long or holds characters that YAML or a terminal would trip over."""
    bad = FORBIDDEN.search(text)
    if bad is not None:
        raise _error(f"character U+{ord(bad[0]):04X} is not allowed", text, bad.start(), base, line)
    size = len(text) if text.isascii() else len(text.encode())
    if size > limits.frontmatter_bytes:
        raise FrontmatterError(f"{size} bytes exceed the limit of {limits.frontmatter_bytes}", line, base)


def _error(reason: str, text: str, at: int, base: int, line: int) -> FrontmatterError:
    """An error at an offset of the YAML text."""
    at = min(max(at, 0), len(text))
    return FrontmatterError(reason, line + len(_BREAK.findall(text, 0, at)), base + at)


class _Frame:
    """A collection that is still open."""

    __slots__ = ("key", "node")

    def __init__(self, node: YamlList | Mapping) -> None:
        self.node = node
        self.key: str | None = None


class _Loader:
    """Turns events into a tree."""

    def __init__(self, text: str, base: int, line: int, limits: Limits) -> None:
        self.text = text
        self.base = base
        self.line = line
        self.depth = limits.frontmatter_depth
        self.stack: list[_Frame] = []
        self.root: Node | None = None
        self.documents = 0

    def load(self) -> Node:
        """Read all events; raises FrontmatterError."""
        import yaml

        handlers = {
            yaml.ScalarEvent: self.scalar,
            yaml.SequenceStartEvent: self.open_sequence,
            yaml.MappingStartEvent: self.open_mapping,
            yaml.SequenceEndEvent: self.close,
            yaml.MappingEndEvent: self.close,
            yaml.AliasEvent: self.alias,
            yaml.DocumentStartEvent: self.document_start,
            yaml.DocumentEndEvent: self.document_end,
        }
        try:
            stream = _parser()(self.text)
            try:
                while True:
                    event = stream.get_event()
                    if event is None or isinstance(event, yaml.StreamEndEvent):
                        break
                    handler = handlers.get(type(event))
                    if handler is not None:
                        handler(event)
            finally:
                stream.dispose()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            reason = " ".join(part for part in (error.problem, error.context) if part)
            raise self.error(reason or "not YAML", mark.index if mark else 0) from None
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            raise self.error(f"not YAML ({type(error).__name__})", 0) from None
        return Mapping({}, self.base, self.base) if self.root is None else self.root

    def error(self, reason: str, at: int) -> FrontmatterError:
        return _error(reason, self.text, at, self.base, self.line)

    def document_start(self, event: Any) -> None:
        self.documents += 1
        if event.explicit or self.documents > 1:
            raise self.error("more than one YAML document, or a directive", event.start_mark.index)

    def document_end(self, event: Any) -> None:
        if event.explicit:
            raise self.error("more than one YAML document, or a directive", event.start_mark.index)

    def alias(self, event: Any) -> None:
        raise self.error("aliases (*name) are not allowed", event.start_mark.index)

    def refuse_properties(self, event: Any) -> None:
        if event.anchor is not None:
            raise self.error("anchors (&name) are not allowed", event.start_mark.index)
        if event.tag is not None:
            raise self.error("tags (!name) are not allowed", event.start_mark.index)

    def scalar(self, event: Any) -> None:
        self.refuse_properties(event)
        start, end, style = event.start_mark.index, event.end_mark.index, event.style or ""
        if style in ("|", ">"):
            end = start + len(self.text[start:end].rstrip())
        if _SURROGATE.search(event.value):
            raise self.error("a surrogate is no character", start)
        self.attach(Scalar(event.value, self.base + start, self.base + end, style))

    def open_sequence(self, event: Any) -> None:
        self.refuse_properties(event)
        start = self.base + event.start_mark.index
        self.push(YamlList([], start, start, bool(event.flow_style)))

    def open_mapping(self, event: Any) -> None:
        self.refuse_properties(event)
        start = self.base + event.start_mark.index
        self.push(Mapping({}, start, start, bool(event.flow_style)))

    def push(self, node: YamlList | Mapping) -> None:
        if len(self.stack) >= self.depth:
            raise self.error(f"nested deeper than {self.depth} levels", node.start - self.base)
        if self.stack and isinstance(self.stack[-1].node, Mapping) and self.stack[-1].key is None:
            raise self.error("a key must be one value, not a collection", node.start - self.base)
        self.stack.append(_Frame(node))

    def close(self, event: Any) -> None:
        node = self.stack.pop().node
        if node.flow:
            node.end = self.base + event.end_mark.index
        self.attach(node)

    def attach(self, node: Node) -> None:
        """Give a finished node to the collection around it."""
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        if isinstance(frame.node, YamlList):
            frame.node.items.append(node)
        elif frame.key is not None:
            frame.node.values[frame.key] = node
            frame.key = None
        elif isinstance(node, Scalar):
            frame.key = self.key(node, frame.node.values)
        frame.node.end = node.end

    def key(self, node: Scalar, seen: dict[str, Node]) -> str:
        at = node.start - self.base
        if node.text in seen:
            raise self.error(f"key {_short(node.text)} is given twice", at)
        if node.text == "<<" and not node.style:
            raise self.error("merge keys (<<) are not allowed", at)
        if not node.text:
            raise self.error("a key is empty", at)
        return node.text


def _parser() -> Any:
    """The event parser: libyaml where PyYAML was built with it, else its own."""
    try:
        from yaml._yaml import CParser
    except ImportError:
        from yaml import Loader

        return Loader
    return CParser


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
