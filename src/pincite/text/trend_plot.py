"""Outcomes over time as lines of a drawing: the share that holds above, the numbers of the others below."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIDTH = 880
HEIGHT = 420
_LEFT, _RIGHT = 50, 730
_SHARE = (20, 130)
"""Top and bottom of the panel with the share that holds."""
_NUMBERS = (180, 380)
_MOST_POINTS = 120
"""Points that are drawn: more would lie on one another."""
_LABEL_HEIGHT = 16
_DASHES = {
    "malformed": "2 3",
    "blocked": "8 3 2 3",
    "missing": "",
    "mismatch": "10 4",
    "ambiguous": "4 4",
    "moved": "14 4 2 4",
    "unchecked": "1 5",
    "holds": "",
}
"""How the line of each outcome is drawn: lines are told apart without colours."""


class TimedOutcomes(Protocol):
    """What is drawn: all citations in numbers, at one time."""

    @property
    def time(self) -> int:
        """Seconds since 1970."""

    @property
    def commit(self) -> str:
        """Empty where the numbers belong to no commit."""

    @property
    def outcomes(self) -> dict[str, int]:
        """Outcome to number of citations."""


class PlotDot(NamedTuple):
    """A place on a line, and what it says."""

    x: float
    y: float
    title: str


class PlotLine(NamedTuple):
    """One outcome over time."""

    outcome: str
    path: str
    dashes: str
    dots: tuple[PlotDot, ...]
    label: str
    label_y: float


class PlotMark(NamedTuple):
    """A line of the grid and its number or date."""

    at: float
    label: str


class TrendPlot(NamedTuple):
    """A whole drawing, in its own units."""

    width: int
    height: int
    left: int
    right: int
    share: PlotLine
    lines: tuple[PlotLine, ...]
    share_marks: tuple[PlotMark, ...]
    number_marks: tuple[PlotMark, ...]
    dates: tuple[PlotMark, ...]


def draw_trend(
    points: Sequence[TimedOutcomes], order: Sequence[str], name_time: Callable[[int], str] | None = None
) -> TrendPlot | None:
    """The drawing of points in the order of their times, outcomes in the given order; None for less than two.

    `name_time` says how times are written: as a day and a minute unless it is given.
    """
    named = name_time or format_date
    if len(points) < 2:
        return None
    points = thin_out(points, _MOST_POINTS)
    across = _spread([point.time for point in points])
    present = [label for label in order if label != "holds" and any(point.outcomes.get(label) for point in points)]
    most = max((point.outcomes.get(label, 0) for point in points for label in present), default=0)
    top = _round_up(max(1, most))
    shares = [_share(point) for point in points]
    lines = [
        _draw(label, points, across, [_scale(point.outcomes.get(label, 0), top, _NUMBERS) for point in points], named)
        for label in present
    ]
    share_line = _draw("holds", points, across, [_scale(share, 100, _SHARE) for share in shares], named)
    ends = (0, len(points) // 2, len(points) - 1) if len(points) > 2 else (0, 1)
    return TrendPlot(
        WIDTH,
        HEIGHT,
        _LEFT,
        _RIGHT,
        share_line._replace(label=f"{shares[-1]:.0f} % hold"),
        _spread_labels(lines),
        tuple(PlotMark(_scale(value, 100, _SHARE), f"{value} %") for value in (0, 50, 100)),
        tuple(PlotMark(_scale(value, top, _NUMBERS), _shorten(value)) for value in (0, top / 2, top)),
        tuple(PlotMark(across[at], named(points[at].time)) for at in ends),
    )


def thin_out(points: Sequence[TimedOutcomes], most: int) -> Sequence[TimedOutcomes]:
    """So many points at most, evenly chosen, with the first and the last."""
    if len(points) <= most:
        return points
    return [points[at * (len(points) - 1) // (most - 1)] for at in range(most)]


def format_date(time: int) -> str:
    """A time as a day and a minute; a commit may claim one that no calendar has."""
    try:
        return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return str(time)


def format_day(time: int) -> str:
    """A time as a day."""
    return format_date(time)[:10]


def _shorten(value: float) -> str:
    """A number that fits beside its line of the grid: `400k`, `2M`."""
    for step, sign in ((1_000_000, "M"), (1_000, "k")):
        if value >= max(step, 100_000):
            return f"{value / step:g}{sign}"
    return f"{value:g}"


def _share(point: TimedOutcomes) -> float:
    total = sum(point.outcomes.values())
    return 100 * point.outcomes.get("holds", 0) / total if total else 100.0


def _spread(times: Sequence[int]) -> list[float]:
    """Where each time lies across; evenly where all are one."""
    first, last = min(times), max(times)
    if first == last:
        return [_LEFT + (_RIGHT - _LEFT) * at / (len(times) - 1) for at in range(len(times))]
    return [round(_LEFT + (_RIGHT - _LEFT) * ((time - first) / (last - first)), 1) for time in times]


def _scale(value: float, top: float, panel: tuple[int, int]) -> float:
    high, low = panel
    return round(low - (low - high) * value / top, 1)


def _round_up(value: int) -> int:
    """The next of 2, 4, 10, 20, 40, 100…: half of it is a whole number, too."""
    scale = 1
    while True:
        for step in (2, 4, 10):
            if step * scale >= value:
                return step * scale
        scale *= 10


def _draw(
    label: str,
    points: Sequence[TimedOutcomes],
    across: Sequence[float],
    down: Sequence[float],
    named: Callable[[int], str],
) -> PlotLine:
    dots = tuple(
        PlotDot(x, y, f"{f'{named(point.time)} {point.commit[:7]}'.rstrip()}: {point.outcomes.get(label, 0)} {label}")
        for x, y, point in zip(across, down, points, strict=True)
    )
    path = "M" + " L".join(f"{dot.x:g} {dot.y:g}" for dot in dots)
    return PlotLine(label, path, _DASHES.get(label, ""), dots, f"{points[-1].outcomes.get(label, 0)} {label}", down[-1])


def _spread_labels(lines: Sequence[PlotLine]) -> tuple[PlotLine, ...]:
    """The same lines with their labels pushed apart, in the order of their ends."""
    placed: list[PlotLine] = []
    lowest = _NUMBERS[1] - _LABEL_HEIGHT * (len(lines) - 1)
    free = float(_NUMBERS[0])
    for at, line in enumerate(sorted(lines, key=lambda one: one.label_y)):
        y = min(max(line.label_y, free), max(free, lowest + at * _LABEL_HEIGHT))
        placed.append(line._replace(label_y=y))
        free = y + _LABEL_HEIGHT
    return tuple(placed)
