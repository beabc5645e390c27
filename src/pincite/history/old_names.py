"""Names that files no longer have: what was deleted or renamed, and in which commit."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from ..safe.git import Git

Event = tuple[str, str, str]

_LONGEST_TRAIL = 64
_LOG = (
    *("log", "--topo-order", "--diff-filter=DR", "--name-status", "-z", "--no-ext-diff", "--no-textconv"),
    *("--no-notes", "--no-decorate", "--no-show-signature", "--format=%x01%H"),
)


def read_events(git: Git, revisions: str, renames: bool = True) -> list[Event]:
    """(old name, new name or empty, commit) for every file that lost its name, newest first, from one pass.

    Without `renames` all are deletions; that reads names only, so it works where contents are missing.
    """
    events: list[Event] = []
    fields = _fields(git.stream(*_LOG, "-M" if renames else "--no-renames", revisions, "--"))
    commit = ""
    for field in fields:
        field = field.lstrip(b"\n")
        if field[:1] == b"\1":
            commit = field[1:].decode("ascii", "replace")
        elif field[:1] in (b"D", b"R"):
            old = git.inside(next(fields, b""))
            new = git.inside(next(fields, b"")) if field[:1] == b"R" else None
            if old is not None:
                events.append((old, new or "", commit))
    return events


def _fields(chunks: Iterable[bytes]) -> Iterator[bytes]:
    tail = b""
    for chunk in chunks:
        *whole, tail = (tail + chunk).split(b"\0")
        yield from whole
    yield tail


def group_by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    """Paths by the names of their files."""
    named: dict[str, list[str]] = {}
    for path in paths:
        named.setdefault(path.rpartition("/")[2], []).append(path)
    return named


class PastNames:
    """Looks up what became of a name."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._events: dict[str, list[tuple[int, str, str]]] = {}
        number, last = 0, ""
        for old, new, commit in events:
            if commit != last:
                number, last = number + 1, commit
            self._events.setdefault(old, []).append((number, new, commit))

    def __iter__(self) -> Iterator[str]:
        return iter(self._events)

    def __contains__(self, name: str) -> bool:
        return name in self._events

    def by_end(self, end: str) -> list[str]:
        """The names that end in whole components with what is given."""
        tail = f"/{end}"
        return [name for name in self._named.get(end.rpartition("/")[2], ()) if f"/{name}".endswith(tail)]

    @cached_property
    def _named(self) -> dict[str, list[str]]:
        return group_by_name(self._events)

    def find_last(self, name: str) -> str | None:
        """The newest commit that took a name away."""
        events = self._events.get(name)
        return events[0][2] if events else None

    def trail(self, name: str) -> tuple[str, str, str]:
        """Where renames lead: (name today or empty, last name known, commit that took it away)."""
        events = self._events.get(name)
        if not events:
            return "", name, ""
        number, new, commit = events[0]
        for _ in range(_LONGEST_TRAIL):
            if not new:
                return "", name, commit
            # Smaller numbers are newer: only what happened after the rename happened to this file.
            later = [event for event in self._events.get(new, ()) if event[0] < number]
            if not later:
                return new, new, commit
            name = new
            number, new, commit = later[-1]
        return "", name, commit
