"""What speaks for and against a place of a passage, and what each sign weighs."""

from operator import mul
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import astuple


class Signs(Struct, frozen=True, gc=False):
    """What speaks for and against one place, or what each of these weighs."""

    exact: float
    """The very words, white space and kinds of quotes aside."""
    exact_size: float
    """For the very words: how many letters and digits they have, as a power of two."""
    copies: float
    """The same: how often they stand in the file, as a power of two."""
    unlike: float
    """How unlike edited words are, from 0 to 1."""
    lost_names: float
    """The share of names that edited words have lost."""
    not_carried: float
    """Read as one change of the lines that were seen, the place is not what they became (1), or may not be (½)."""
    beside: float
    """How much of the lines above and below stands there too: up to 1 for each side."""
    apart: float
    """How much of them does not."""
    apart_edited: float
    """The same for edited words: their neighbours are often edited with them."""
    touching: float
    """On how many sides the nearest line is the same."""
    distance: float
    """How many lines away from the old place, as a power of two."""
    indent: float
    """Whether the first line is indented otherwise."""
    elsewhere: float
    """Whether it is in another file,"""
    leaves_home: float
    """while the old file still has some of the lines that were seen."""
    spread: float
    """For another file: how many files have the rarest line of the passage, as a power of two."""
    namesake: float
    """Whether that file has the name of the old one."""


WEIGHTS = Signs(
    exact=1.24,
    exact_size=0.09,
    copies=-0.30,
    unlike=-5.25,
    lost_names=-1.94,
    not_carried=-4.15,
    beside=1.64,
    apart=-1.49,
    apart_edited=1.36,
    touching=0.83,
    distance=-0.38,
    indent=-1.36,
    elsewhere=-3.90,
    leaves_home=-3.03,
    spread=-0.30,
    namesake=1.79,
)
"""Fitted to lines of many repositories whose way is known from history: see docs/benchmarks.md."""


class GoneSigns(Struct, frozen=True, gc=False):
    """What speaks for a passage being gone, or what each of these weighs."""

    always: float
    closed: float
    """The lines above and below now stand next to each other."""
    seen: float
    """How much was seen around it: up to 1 for each side."""


GONE_WEIGHTS = GoneSigns(always=-3.49, closed=1.25, seen=0.97)

_Kind = TypeVar("_Kind", Signs, GoneSigns)


def weigh(weights: _Kind, signs: _Kind) -> float:
    """The sum of all signs, each times its weight."""
    return float(sum(map(mul, astuple(weights), astuple(signs))))
