"""Other readings of a text: without colours, with escapes undone; and the way back to the bytes they are made of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cache, cached_property
from html.entities import html5
from typing import TYPE_CHECKING

from msgspec import Struct

from .credential import build_automaton

if TYPE_CHECKING:
    from ahocorasick_rs import BytesAhoCorasick

Span = tuple[int, int, str]
"""Start, end and name of a secret."""
Edit = tuple[int, int, bytes]
"""Start and end of what is replaced, and what stands in its place."""
_LINES_BEFORE = 4
"""A secret that begins so many lines before a rewritten one may go on in it."""
Write = Callable[[re.Match[bytes]], bytes]


class MaskingOutcome(Struct):
    """What one reading, or all of them, found in a block of whole lines."""

    spans: list[Span] = []
    links: list[tuple[int, int]] = []
    """Where secrets begin and end that go on over line ends."""
    open: int = -1
    """Where a secret begins that may go on in lines that are not there yet; -1 where none does."""

    def open_at(self, place: int) -> None:
        """A secret may begin here and go on."""
        self.open = place if self.open < 0 else min(self.open, place)

    def line_before(self, block: bytes, begin: int) -> int:
        """The beginning of the line from which on what is found may change; never inside a secret."""
        cut = max(begin, block.rfind(b"\n", 0, self.open) + 1)
        for start, end in sorted(self.links, reverse=True):
            if start < cut < end:
                cut = max(begin, block.rfind(b"\n", 0, start) + 1)
        return cut


class RewriteRule(Struct):
    """A pattern, and what each of its matches stands for. Nothing else of the text is changed."""

    pattern: re.Pattern[bytes]
    write: Write
    triggers: tuple[tuple[bytes, bytes], ...]
    """A byte that is searched for fast, and what it must be part of: most text has none and is left alone."""
    dense: bool = False
    """Whether matches are many where there are any, and all are taken out."""

    def apply(self, text: bytes) -> RewrittenText | None:
        """The text as it reads; nothing where that is as it is."""
        if not any(byte in text and (not trigger or re.search(trigger, text)) for byte, trigger in self.triggers):
            return None
        if self.dense:
            written, number = self.pattern.subn(b"", text)
            return RewrittenText(written, number, lambda: self._find_edits(text)) if number else None
        edits = self._find_edits(text)
        return RewrittenText(apply_edits(text, edits), len(edits), lambda: edits) if edits else None

    def _find_edits(self, text: bytes) -> list[Edit]:
        return [(*match.span(), self.write(match)) for match in self.pattern.finditer(text)]


class RewrittenText:
    """A text after its edits; those are listed only when they are asked for."""

    def __init__(self, text: bytes, number: int, list_edits: Callable[[], list[Edit]]) -> None:
        self.text = text
        self.number = number
        """How many edits there are."""
        self._list = list_edits

    @cached_property
    def edits(self) -> list[Edit]:
        """The edits in order, as places in the text before them."""
        return self._list()

    def map_back(self, spans: list[Span]) -> list[Span]:
        """Places in the rewritten text, as places in the text it was made of."""
        return map_back(self.edits, spans) if spans else []


def apply_edits(text: bytes, edits: list[Edit]) -> bytes:
    """The text with every edit made."""
    parts: list[bytes] = []
    at = 0
    for start, end, written in edits:
        parts += (text[at:start], written)
        at = end
    parts.append(text[at:])
    return b"".join(parts)


class RewrittenLines:
    """Lines of a rewritten text that differ from the text it is made of, and a few before each."""

    def __init__(self, text: bytes, edits: list[Edit]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        moved = 0
        # What the last lines open goes on in lines that are not there yet.
        for start, end, written in (*edits, (len(text), len(text), b"")):
            place = min(start + moved, len(text))
            moved += len(written) - (end - start)
            if self._ends and place + len(written) < self._ends[-1]:
                continue
            low = place
            for _ in range(_LINES_BEFORE + 1):
                low = text.rfind(b"\n", 0, low) if low > 0 else -1
            stop = text.find(b"\n", place + len(written))
            stop = len(text) if stop < 0 else stop + 1
            if self._ends and low + 1 <= self._ends[-1]:
                self._ends[-1] = stop
            else:
                self._starts.append(low + 1)
                self._ends.append(stop)

    def hold(self, place: int) -> bool:
        """Whether a place stands in one of the lines."""
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._ends[index]


def map_back(edits: list[Edit], spans: list[Span]) -> list[Span]:
    """Places in a text after some edits, as places before them."""
    starts: list[int] = []
    moved = 0
    for start, end, written in edits:
        starts.append(start + moved)
        moved += len(written) - (end - start)
    return [
        (_before(edits, starts, start, False), _before(edits, starts, end, True), name) for start, end, name in spans
    ]


def _before(edits: list[Edit], starts: list[int], place: int, is_end: bool) -> int:
    """One place; where several texts may have become the same place, the inner one."""
    # An end belongs to the byte before it: what was removed after a secret is no part of it.
    index = bisect_right(starts, place - 1 if is_end else place) - 1
    if index < 0:
        return place
    start, end, written = edits[index]
    offset = place - starts[index]
    if offset < len(written) or (is_end and offset == len(written)):
        return end if is_end else start
    return end + offset - len(written)


OVERPRINTED = RewriteRule(
    re.compile(rb"|".join(rb"[^\x08\n]{%d}\x08{%d}" % (number, number) for number in range(4, 0, -1)) + rb"| \r(?!\n)"),
    lambda match: b"",
    ((b"\x08", b""), (b"\r", rb" \r(?!\n)")),
    dense=True,
)
"""What is left when the cursor went back and wrote over what stood there."""
SCREEN = RewriteRule(
    re.compile(
        rb"\x1b(?:\][^\x07\x1b\n]{0,2048}+(?:\x07|\x1b\\)|\[[0-?]{0,32}+[ -/]{0,4}+[@-~]"
        rb"|[()*+][A-Za-z0-9]|[=>78cDEHMNO])|\r|\x00|\x07|\x0e|\x0f|\xe2\x80[\x8b-\x8f]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf|\xc2\xad"
    ),
    lambda match: b"",
    (
        *((byte, b"") for byte in (b"\x1b", b"\r", b"\x00", b"\x07", b"\x0e", b"\x0f")),
        *((b"\xad", rb"\xc2\xad"), (b"\xef", rb"\xef\xbb\xbf")),
        *((b"\xe2", rb"\xe2\x80[\x8b-\x8f]"), (b"\xe2", rb"\xe2\x81[\xa0-\xa4]")),
    ),
    dense=True,
)
"""What a reader sees: no colours, no characters without width, no zeros between the letters."""

_VALUE_KEY = re.compile(rb"(?:alue[\"']?|default)[ \t]{0,8}+[:=]")
_OPENINGS = (b"alue:", b"alue=", b'alue"', b"alue'", b"alue ", b"default =", b"default=", b"</key>", b"\\\n", b"\\\r\n")
_NAME_BEFORE = re.compile(rb"[,{]?\r?\n[ \t]{0,64}+[\"']?[vV]?\Z")
_CONTINUED = re.compile(rb"\\\r?\n[ \t]{0,64}+")
_STRING_FOLLOWS = re.compile(rb"</key>[ \t]{0,8}+\r?\n?[ \t]{0,64}+<string>")
_REACH = 72


@cache
def _build_openings() -> BytesAhoCorasick:
    """Where lines may be joined: one pass finds all of it, six times as fast as one for each word."""
    return build_automaton(_OPENINGS)


def _is_name(text: bytes, end: int) -> bool:
    """Whether the line that ends here is the name of a secret; the same is asked of a last line that has to wait."""
    return _UNJOINED.search(text, max(0, end - _LONGEST_LAST), end) is not None


class _Joining(RewriteRule):
    """Joins lines. Each search begins with letters that are found fast; what stands before them is looked at then."""

    def apply(self, text: bytes) -> RewrittenText | None:
        """The text with lines joined that belong together."""
        edits: list[Edit] = []
        hits = _build_openings().find_matches_as_indexes(text)
        openings = {text[start:end] for _, start, end in hits}
        if b"\\\n" in openings or b"\\\r\n" in openings:
            edits += self._find_edits(text)
        for _, start, _ in hits:
            match = _VALUE_KEY.match(text, start)
            before = _NAME_BEFORE.search(text, max(0, start - _REACH), start) if match is not None else None
            if match and before and _is_name(text, text.find(b"\n", before.start()) + 1):
                edits.append((before.start(), match.end(), b": "))
        if b"</key>" in openings:
            edits += [
                (*match.span(), b": ")
                for match in _STRING_FOLLOWS.finditer(text)
                if b"\n" not in match[0] or _is_name(text, text.find(b"\n", match.start()) + 1)
            ]
        edits.sort()
        return RewrittenText(apply_edits(text, edits), len(edits), lambda: edits) if edits else None


JOINED = _Joining(_CONTINUED, lambda match: b" ", ())
"""A command that goes on after a backslash, as one line; a name and, on the next line, its value as a pair."""
_MOST_JOINED = 32
_LONGEST_LAST = 200
_UNJOINED = re.compile(
    # Example: `name: "DB_PASSWORD",\n`.
    rb"""
    \\\r?\n\Z|(?i:name|key|variable|output)["'>]{0,2}[ \t]{0,4}[:= ]?[ \t]{0,4}["']?[\w.-]{0,64}
    (?i:pass|secret|token|key|pwd)
    [\w.-]{0,32}["']?(?:,|[ \t]{0,4}\{|</key>)?[ \t]{0,8}\r?\n\Z
    """,
    re.VERBOSE,
)
"""A last line with which the next one may be joined."""

_ENTITIES = {
    name.rstrip(";").encode(): char.encode()
    for name, char in html5.items()
    if len(char) == 1 and " " < char < "\x7f" and name.endswith(";")
}
_CONTROLS = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_ESCAPE = re.compile(
    # Each alternative begins with one byte: such patterns are searched for ten times as fast as others.
    # Examples: `%3D`, `\u0022`, `&quot;`, `&#61;`.
    rb"""
    "(?P<quoted>"{0,2}\\{1,16}+")|\\(?P<quotes>\\{0,15}+""{1,2})|%(?:25){0,8}+(?P<percent>[0-9A-Fa-f]{2})
    |\\\\{0,15}+(?:(?:u00|x|U000000|u\{)(?P<code>[0-9A-Fa-f]{2})\}?|(?P<octal>[01][0-7]{2})|(?P<control>[nrt])
    |(?P<mark>["'/=&+-]))
    |&(?:amp;){0,8}+(?:\#(?P<decimal>[0-9]{2,3})|\#[xX]0{0,4}(?P<hex>[0-9A-Fa-f]{2})|(?P<entity>[A-Za-z]{2,8}));
    |=3D
    """,
    re.VERBOSE,
)


def _unescape(match: re.Match[bytes]) -> bytes:
    group = match.lastgroup
    if group is None:
        return b"="
    text: bytes = match[group]
    if group in ("quoted", "quotes"):
        return b'"'
    if group in ("percent", "code", "hex"):
        code = int(text, 16)
    elif group == "control":
        return _CONTROLS[text]
    elif group == "mark":
        return text
    elif group == "entity":
        return _ENTITIES.get(text, match[0])
    else:
        code = int(text, 8 if group == "octal" else 10)
    return bytes((code,)) if code < 256 else match[0]


ESCAPES = RewriteRule(
    _ESCAPE,
    _unescape,
    (
        (b"%", rb"%[0-9A-Fa-f]{2}"),
        (b"\\", rb"\\[\\ux01nrtU\"'/=&+-]"),
        (b"&", rb"&(?:#|[A-Za-z]{2,8};)"),
        (b"=", rb"=3D"),
    ),
)
"""Percent-encoding, the escapes of JSON, Python and C at any depth, entities of HTML, `=3D`."""

_WORD = rb"[A-Za-z0-9_+/=.~!#?$^*@-]"
QUOTES = RewriteRule(
    # What must stand before is asked after the first byte: a pattern that begins with bytes is searched for faster.
    re.compile(
        b"|".join(
            quote
            + rb"(?<="
            + _WORD
            + rb".)(?:[ \t]{0,4}+(?:[+.&]|\|\|)?[ \t]{0,4}+"
            + quote
            + rb"|[\"']{1,5})(?="
            + _WORD
            + rb")"
            for quote in (b'"', b"'", b"`")
        )
        + rb"|\\(?<="
        + _WORD
        + rb".)(?=[A-Zcdeghijklmopqswyz89_+=.~!#-])"
    ),
    lambda match: b"",
    (
        (b"\\", rb"\\[A-Zcdeghijklmopqswyz89_+=.~!#-]"),
        *((quote, quote + rb"[ \t]{0,4}[+.&|]{0,2}[ \t]{0,4}[\"'`][A-Za-z0-9]") for quote in (b'"', b"'")),
    ),
)
"""A word put together from quoted pieces, as shells and string literals allow."""


def find_unjoined(block: bytes, begin: int) -> int:
    """Where the last lines begin that a next line may be joined with; -1 where that is none."""
    match = _UNJOINED.search(block, max(begin, len(block) - _LONGEST_LAST))
    if match is None:
        return -1
    place = match.start()
    for _ in range(_MOST_JOINED):
        line = block.rfind(b"\n", 0, place)
        if line <= begin or block[max(0, line - 2) : line].rstrip(b"\r")[-1:] != b"\\":
            return place
        place = line - 1
    return -1
