"""Names of people split and put together again, as the forms of bibliographies want them."""

from __future__ import annotations

import re

from msgspec import Struct

_SUFFIX = re.compile(r"(?:jr|sr)\.?|(?:ii|iii|iv)\.?", re.IGNORECASE)
_BODY = re.compile(
    r"\b(?:universit\w+|institut\w*|organi[sz]ation|association|consortium|foundation|committee|department|ministry"
    r"|collaboration|group|team|council|commission|agency|company|corporation|inc|ltd|gmbh|society|laboratory|press"
    r"|bureau|office|network|project|initiative)\b",
    re.IGNORECASE,
)
_OTHERS = frozenset(("others", "et al.", "et al", "and others"))


class Person(Struct, frozen=True):
    """A name in its parts; a body, or one that cannot be parted, has a family name only."""

    family: str
    given: str = ""
    particle: str = ""
    """`van der`, `de la`: what stands before the family name in small letters."""
    suffix: str = ""
    """`Jr.`, `III`."""

    @property
    def name(self) -> str:
        """As a text from which `part_name` reads the same parts: `Given van Family Jr.` where that tells them."""
        plain = " ".join(part for part in (self.given, self.particle, self.family, self.suffix) if part)
        return plain if part_name(plain) == self else self.listed

    @property
    def listed(self) -> str:
        """With the family name first: `van Family, Jr., Given`."""
        family = f"{self.particle} {self.family}".strip()
        return ", ".join(part for part in (family, self.suffix, self.given) if part)


def is_others(name: str) -> bool:
    """Whether a name stands for those that a list leaves out."""
    return name.strip().casefold() in _OTHERS


def part_name(text: str) -> Person:
    """The parts of a name: `Family, Given`, `Family, Jr., Given` or `Given van Family Jr.`."""
    text = " ".join(text.split())
    pieces = [piece.strip() for piece in text.split(",")]
    if len(pieces) > 1:
        return _parse_family_first(text, pieces)
    words = text.split(" ")
    if len(words) < 2 or _BODY.search(text):
        return Person(text)
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    first = next((at for at in range(1, len(words) - 1) if _is_small(words[at])), 0)
    end = first
    while first and end < len(words) - 1 and _is_small(words[end]):
        end += 1
    if first:
        return Person(" ".join(words[end:]), " ".join(words[:first]), " ".join(words[first:end]), suffix)
    if _is_small(words[0]):
        particle, family = _split_particles(" ".join(words))
        return Person(family, "", particle, suffix)
    return Person(words[-1], " ".join(words[:-1]), "", suffix)


def _parse_family_first(text: str, pieces: list[str]) -> Person:
    """The parts of a name that begins with the family name."""
    if not all(pieces) or len(pieces) > 3:
        return Person(text)
    particle, family = _split_particles(pieces[0])
    if len(pieces) == 2:
        if _SUFFIX.fullmatch(pieces[1]):
            return Person(family, "", particle, pieces[1])
        return Person(family, pieces[1], particle)
    if _SUFFIX.fullmatch(pieces[1]):
        return Person(family, pieces[2], particle, pieces[1])
    if _SUFFIX.fullmatch(pieces[2]):
        return Person(family, pieces[1], particle, pieces[2])
    return Person(text)


def _split_particles(family: str) -> tuple[str, str]:
    """The small words before a family name, and the name."""
    words = family.split(" ")
    at = 0
    while at < len(words) - 1 and _is_small(words[at]):
        at += 1
    return " ".join(words[:at]), " ".join(words[at:])


def _is_small(word: str) -> bool:
    return word[:1].islower()
