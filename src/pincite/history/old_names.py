"""Names that files no longer have: what was deleted or renamed, and in which commit."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ..safe.git import Git, is_id
from ..text.file_names import group_by_name
from ..text.globs import Patterns

Event = tuple[str, str, str]

_LONGEST_TRAIL = 64
_ANY_CASE = re.compile(r"\*\.(?:[a-z0-9]|\[[a-z][A-Z]\])+\Z").match
"""Whether a pattern is an ending in whatever case."""
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


def is_past(git: Git, commit: str, head: str) -> bool:
    """Whether a commit is another, or an ancestor of it."""
    return bool(is_id(commit)) and (commit == head or git.is_ancestor(commit, head))


def name_endings(patterns: Sequence[str], names: Iterable[str]) -> tuple[str, ...]:
    """The patterns, with the endings that names have in place of `*.[mM][dD]` and the like.

    Git compares a pattern with every name of every folder of every commit: one that is a mere ending costs it next to
    nothing, and one that no name fits is left out.
    """
    others = tuple(pattern for pattern in patterns if not _ANY_CASE(pattern))
    fits = Patterns([pattern for pattern in patterns if _ANY_CASE(pattern)]).match
    kinds = sorted({name[name.rfind(".") :] for name in names if "." in name})
    # With no pattern at all git would show everything.
    return (*[f"*{kind}" for kind in kinds if fits(kind)], *others) or tuple(patterns)


class PastNames:
    """Looks up what became of a name."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._events: dict[str, list[tuple[int, str, str]]] = {}
        self._folders: set[str] | None = None
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

    def had_folder(self, path: str) -> bool:
        """Whether one of the names lies below a folder."""
        if self._folders is None:
            self._folders = set()
            for name in self._events:
                folder = name.rpartition("/")[0]
                while folder and folder not in self._folders:
                    self._folders.add(folder)
                    folder = folder.rpartition("/")[0]
        return path in self._folders

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
