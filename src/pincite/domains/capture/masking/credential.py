"""One kind of credential: literals that open it, a bounded pattern, and a judge of what the pattern matched."""

from __future__ import annotations

import re
from collections.abc import Callable

Judge = Callable[[re.Match[bytes]], bool]
LONGEST = 40 * 1024
"""No pattern matches more bytes than this."""


class CredentialShape:
    """One kind of credential. The secret is the last group that took part, or all that was matched."""

    __slots__ = ("back", "judge", "lane", "literals", "match", "name", "part", "source", "splits")

    def __init__(
        self,
        name: str,
        literals: str,
        source: bytes,
        lane: int,
        back: int = 0,
        *,
        judge: Judge | None = None,
        part: tuple[bytes, Judge] | None = None,
        splits: bool = True,
    ) -> None:
        self.name = name
        self.literals = tuple(
            word.replace("␣", " ").replace("␛", "\x1b").replace("␉", "\t").encode() for word in literals.split()
        )
        self.source = source
        self.lane = lane
        """Which automaton looks for it: a few small ones are faster than a large one."""
        self.back = back
        """How many bytes before the literal belong to the secret: literals leave out beginnings that are frequent."""
        self.judge = judge
        self.part = part
        """What to hide, and when, inside a group named `many`: a list, the pairs of a cookie."""
        self.splits = splits
        """Whether it is looked for over line ends."""
        self.match: Callable[[bytes, int], re.Match[bytes] | None] = self._first_match
        """Matches the pattern at a place."""

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The compiled pattern."""
        return re.compile(self.source)

    @property
    def at_line_end(self) -> re.Pattern[bytes]:
        """One of the literals, with nothing after it in its line but what may be part of the secret."""
        heads = b"|".join(map(re.escape, self.literals))
        return re.compile(rb"(?:" + heads + rb")(?=[A-Za-z0-9_.+/:~-]{0,512}+[\"'`= \t+\\]{0,8}+\r?\n)")

    def _first_match(self, block: bytes, at: int) -> re.Match[bytes] | None:
        """Compiles the pattern when first needed: most runs meet few shapes."""
        self.match = self.pattern.match
        return self.match(block, at)

    def spans(self, match: re.Match[bytes]) -> list[tuple[int, int]]:
        """Where secrets stand in a match; nowhere where it only looks like one."""
        if self.judge is not None and not self.judge(match):
            return []
        if self.part is not None and match.lastgroup == "many":
            parts = re.compile(self.part[0]).finditer(match.string, *match.span("many"))
            return [part.span(1) for part in parts if self.part[1](part)]
        group = match.lastindex or 0
        return [(match.start(group) - (self.back if not group else 0), match.end(group))]


PAINT = rb"\x1b(?:\[[0-9;:]{0,16}[mK]|\(B)"
"""A colour code, or what programs print along with one."""


def after(literal: bytes) -> bytes:
    """After a literal: that it does not continue a word (a colour code, an escape and a %XX are no word)."""
    # The first test is a quick one: none of the others can hold after these letters.
    return (
        rb"(?<![G-JL-Zg-lo-qsu-z_-]"
        + literal
        + rb")(?:(?<![A-Za-z0-9_-]"
        + literal
        + rb")|(?<=[0-9;\[]m"
        + literal
        + rb")|(?<=\x1b\[K"
        + literal
        + rb")|(?<=\x1b\(B"
        + literal
        + rb")"
        rb"|(?<=\\[nrt]" + literal + rb")|(?<=%[0-9A-Fa-f]{2}" + literal + rb"))"
    )


def each(heads: str, tails: str) -> str:
    """Each head with each tail, all of them separated by blanks."""
    return " ".join(head + tail for head in heads.split() for tail in tails.split())


END = rb"(?![A-Za-z0-9_-])"
