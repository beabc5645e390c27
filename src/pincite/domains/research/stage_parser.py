"""Bytes of a stage file to a tree that knows the line of every value: strict YAML, or strict JSON."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...core.errors import Blocked, Missing, Unreadable
from ...core.limits import LIMITS
from ...text.lines import decode, line_starts, position
from ...text.yaml import FrontmatterError, Mapping, Scalar, YamlList, load, plain_value

if TYPE_CHECKING:
    from ...safe.files import Root
    from ...text.yaml import Node

MOST_BYTES = 16 * 1024 * 1024
DEEPEST = 32
MOST_VALUES = 300_000
"""Line ends, commas and opening brackets of a file: no more values than about twice that can be in it."""
_BOUNDS = replace(LIMITS, frontmatter_bytes=MOST_BYTES, frontmatter_depth=DEEPEST)
# A file may begin with the line that begins a YAML document; a second one is refused by the loader.
_BEGIN = re.compile(r"(?:[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n|\r|\n))*+---[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n|\r|\n|\Z)")
_SPACE = re.compile(r"[ \t\r\n]*+")
_TOKEN = re.compile(
    # Examples: `"text\n"`, `-1.5e3`, `true`, `{`.
    r"""
    "(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"
    |-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+(?![\w.+-])|(?:true|false|null)(?!\w)|[][{}:,]
    """,
    re.VERBOSE,
)
_SURROGATE = re.compile("[\ud800-\udfff]")


class ParsedTree:
    """A parsed file: its top, and the line of every place in it."""

    __slots__ = ("_starts", "top")

    def __init__(self, top: Node, text: str) -> None:
        self.top = top
        self._starts = line_starts(text)

    def line(self, node: Node) -> int:
        """The line on which a value begins."""
        return position(self._starts, node.start)[0]


def stage_bytes(root: Root, key: str) -> bytes:
    """The bytes of a stage file; raises Refused naming the file and the remedy."""
    try:
        return root.read(key, MOST_BYTES)
    except Missing:
        raise Missing(f"{key}: there is no such file") from None
    except Blocked:
        raise Blocked(f"{key}: leads outside {root.path}; put the file inside") from None
    except Unreadable as error:
        raise Unreadable(f"{key}: cannot be read ({error})") from None


def read_tree(data: bytes, key: str) -> ParsedTree:
    """The tree of a file's bytes, as JSON where its name says so; raises Unreadable with file, line and reason."""
    try:
        text = decode(data)
        if sum(map(text.count, "\n\r,[{")) > MOST_VALUES:
            raise FrontmatterError(f"more than {MOST_VALUES:,} lines and commas: the limit", 1, 0)
        if key.endswith(".json"):
            return ParsedTree(load_json(text), text)
        begin = _BEGIN.match(text)
        start = begin.end() if begin else 0
        return ParsedTree(load(text[start:], start, len(line_starts(text[:start])), _BOUNDS), text)
    except FrontmatterError as error:
        raise Unreadable(f"{key}:{error.line}: {error.reason}; correct the file") from None
    except Unreadable as error:
        raise Unreadable(f"{key}: {error}; save it as UTF-8") from None


def load_json(text: str) -> Node:
    """The tree of strict JSON; raises FrontmatterError. Keys given twice, NaN and endless numbers are refused."""
    return _Json(text).load()


class _Json:
    """Reads JSON token by token, without recursion, so that nesting costs nothing until the bound ends it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open: list[Mapping | YamlList] = []

    def load(self) -> Node:
        """The one value of the text."""
        top = self.value()
        while self.open:
            around = self.open[-1]
            done = self.mapping(around) if isinstance(around, Mapping) else self.sequence(around)
            if done:
                around.end = self.at
                self.open.pop()
        self.skip()
        if self.at != len(self.text):
            raise self.error("something follows the end of the JSON value")
        return top

    def mapping(self, node: Mapping) -> bool:
        """One more key with its value; whether the brace was closed instead."""
        sign = self.separator(bool(node.values), "}")
        if sign == "}":
            return True
        start = self.at
        token = self.token()
        if token[0] != '"':
            raise self.error("expected a key in double quotes", start)
        key = self.string(token, start)
        if key in node.values:
            raise self.error(f"key {key[:60]!r} is given twice", start)
        if self.token() != ":":
            raise self.error("expected ':' behind a key", self.at - 1)
        node.values[key] = self.value()
        return False

    def sequence(self, node: YamlList) -> bool:
        """One more item; whether the bracket was closed instead."""
        if self.separator(bool(node.items), "]") == "]":
            return True
        node.items.append(self.value())
        return False

    def separator(self, some: bool, closing: str) -> str:
        """Step over the comma between two members, or over the closing sign, which is returned."""
        self.skip()
        if self.text.startswith(closing, self.at):
            self.at += 1
            return closing
        if some:
            if not self.text.startswith(",", self.at):
                raise self.error(f"expected ',' or '{closing}'")
            self.at += 1
            self.skip()
        return ""

    def value(self) -> Node:
        """A scalar, or a collection that stays open until its members are read."""
        self.skip()
        start = self.at
        found = self.token()
        if found in ("{", "["):
            if len(self.open) >= DEEPEST:
                raise self.error(f"nested deeper than {DEEPEST} levels", start)
            node = Mapping({}, start, start, True) if found == "{" else YamlList([], start, start, True)
            self.open.append(node)
            return node
        if found[0] == '"':
            return Scalar(self.string(found, start), start, self.at, '"')
        if found[0] in "]}:,":
            raise self.error("expected a value", start)
        if found[0] in "-0123456789":
            number = plain_value(found)
            if not isinstance(number, int | float) or number in (float("inf"), float("-inf")):
                raise self.error("the number is too large or too long", start)
        return Scalar(found, start, self.at)

    def token(self) -> str:
        self.skip()
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            raise self.error("not JSON" if self.at < len(self.text) else "the file ends too early")
        self.at = found.end()
        return found[0]

    def skip(self) -> None:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def string(self, token: str, start: int) -> str:
        inner: str = json.loads(token) if "\\" in token else token[1:-1]
        if _SURROGATE.search(inner):
            raise self.error("half of a surrogate pair is no character", start)
        return inner

    def error(self, reason: str, at: int | None = None) -> FrontmatterError:
        place = self.at if at is None else at
        return FrontmatterError(reason, position(line_starts(self.text), place)[0], place)
