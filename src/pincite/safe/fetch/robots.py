"""What a robots.txt asks of us, by RFC 9309: the most specific rule of our group decides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

ROBOTS_BYTES = 500 * 1024
"""What is read of a robots.txt; the rest is not looked at."""
_LINE = re.compile(r"[ \t]*([A-Za-z][A-Za-z-]{0,30})[ \t]*:([^\r\n#]*)")
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_PLAIN = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class RobotsRules(Struct, frozen=True):
    """The rules for us, the longest first; where two are as long, what is allowed comes first."""

    rules: tuple[tuple[bool, str], ...] = ()
    """Whether it allows, and its pattern with percent signs in their one form."""
    delay: float = 0.0
    """Seconds that the site wants between two requests."""

    def allows(self, path: str) -> bool:
        """Whether we may ask for a path with its query."""
        if path == "/robots.txt":
            return True
        wanted = _normal(path).replace("*", "%2A").replace("$", "%24")
        return next((allowed for allowed, pattern in self.rules if _matches(pattern, wanted)), True)


def rules_of(data: bytes, token: str) -> RobotsRules:
    """The rules of a robots.txt for the robot of that name, or those for all where it is not named."""
    groups: dict[str, list[tuple[bool, str]]] = {}
    delays: dict[str, float] = {}
    wanted, open_group = {token.lower(), "*"}, False
    current: set[str] = set()
    for field, value in _lines(data[:ROBOTS_BYTES]):
        if field == "user-agent":
            # Lines with names that follow one another head one group; the first rule ends the heading.
            if not open_group:
                current, open_group = set(), True
            match = _TOKEN.match(value)
            if match is not None and match[0].lower() in wanted:
                current.add(match[0].lower())
                groups.setdefault(match[0].lower(), [])
        elif field in ("allow", "disallow"):
            open_group = False
            # An empty rule says nothing.
            if value:
                for name in current:
                    groups[name].append((field == "allow", _pattern(value)))
        elif field == "crawl-delay":
            seconds = float(value) if re.fullmatch(r"[0-9]{1,6}(?:\.[0-9]{1,6})?", value) else 0.0
            for name in current:
                delays[name] = max(delays.get(name, 0.0), seconds)
    ours = token.lower() if token.lower() in groups else "*"
    ordered = sorted(groups.get(ours, ()), key=lambda rule: (-len(rule[1]), not rule[0]))
    return RobotsRules(tuple(dict.fromkeys(ordered)), delays.get(ours, 0.0))


def _lines(data: bytes) -> Iterator[tuple[str, str]]:
    for line in re.split(r"\r\n|\r|\n", data.decode("utf-8", "replace").removeprefix("\ufeff")):
        match = _LINE.match(line)
        if match is not None:
            yield match[1].lower(), match[2].strip()


def _pattern(value: str) -> str:
    """A pattern in which `*` and a `$` at the end mean something, and nothing else does."""
    inner, end = (value[:-1], "$") if value.endswith("$") else (value, "")
    return re.sub(r"\*+", "*", _normal(inner).replace("$", "%24")) + end


def _normal(text: str) -> str:
    """The same path with every byte written in one way."""
    from urllib.parse import quote

    def plain(match: re.Match[str]) -> str:
        code = int(match[1], 16)
        return chr(code) if code in _UNRESERVED else match[0].upper()

    return _PLAIN.sub(plain, quote(text, safe="/?:@!$&'()*+,;=-._~%[]#"))


def _matches(pattern: str, path: str) -> bool:
    """Whether a path begins with a pattern, or is all of it where the pattern ends in `$`; linear in both."""
    closed = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    if not others:
        return not closed or at == len(path)
    last = others.pop() if closed else ""
    for piece in others:
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return not closed or (len(path) - len(last) >= at and path.endswith(last))
