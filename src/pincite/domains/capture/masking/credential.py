"""One kind of credential: literals that open it, a bounded pattern, and a judge of what the pattern matched."""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ahocorasick_rs import BytesAhoCorasick

T = TypeVar("T")
Judge = Callable[[re.Match[bytes]], bool]
_TOGETHER = 56
"""An automaton with more than 64 literals is searched without vector instructions, six times slower."""
LONGEST = 40 * 1024
"""No pattern matches more bytes than this."""


class CredentialShape:
    """One kind of credential. The secret is the last group that took part, or all that was matched."""

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


def build_automaton(literals: Sequence[bytes], overlapping: bool = False) -> BytesAhoCorasick:
    """What finds any of these literals in one pass; `overlapping` where those that overlap are wanted too."""
    from ahocorasick_rs import BytesAhoCorasick, MatchKind

    # Leftmost matching is the kind that is searched with vector instructions; only the other finds overlaps.
    return BytesAhoCorasick(literals, matchkind=MatchKind.Standard if overlapping else MatchKind.LeftmostFirst)


def build_automata(
    owned: Sequence[tuple[bytes, T]], more: Sequence[bytes] = ()
) -> list[tuple[BytesAhoCorasick, list[T]]]:
    """Automata over literals, each with what its literals stand for, in their order; `more` literals are in all."""
    groups = (owned[at : at + _TOGETHER] for at in range(0, len(owned), _TOGETHER))
    return [
        (build_automaton([*(literal for literal, _ in group), *more]), [owner for _, owner in group])
        for group in groups
    ]


def encode_aligned(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Bytes in the middle of base64, at each of three alignments: their place in a group of four, and how they read."""
    for shift, first in enumerate((0, 2, 3)):
        left = -(shift + len(raw)) % 3
        encoded = b2a_base64(bytes(shift) + raw + bytes(left), newline=False)
        # What the neighbours have a share in depends on them: leave those characters out.
        yield first, encoded[first : len(encoded) - (0, 2, 3)[left]]


def make_urlsafe(encoded: bytes) -> bytes:
    """The same base64 as it stands in addresses."""
    return encoded.replace(b"+", b"-").replace(b"/", b"_")


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
