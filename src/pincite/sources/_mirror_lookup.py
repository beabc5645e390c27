"""Other repositories that have a mirror here: which one an address means.

The folder of mirrors comes from the environment (`PINCITE_MIRRORS`). Without it nothing of this is loaded. A mirror is
read through git alone, with the guards that hold for every other repository.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakSet

from msgspec.structs import replace

from ..core.model import CURRENT_REVISIONS, Obstacle, SourceRef
from ..safe.mirror_folder import MirrorFolder
from ..store import UNSETTLED
from ..text.citation_styles import looks_like_a_file
from ._mirrored_repository import OtherRepository, open_repository
from .permalink import find_own_names

if TYPE_CHECKING:
    from ..core.model import Citation
    from ..text.evidence import Evidence
    from . import World

_GITHUB = "github.com"
_MOST_OPEN = 8
"""Mirrors that are open at once; each may keep two processes of git."""
_MOST_KNOWN = 10_000
"""Names that are remembered: documents may hold any number of them."""


class OtherRepositories:
    """The repositories that have a mirror, each opened when it is cited."""

    def __init__(self, world: World, folder: str) -> None:
        self._world = world
        self._folder = MirrorFolder(folder)
        self._open: dict[str, OtherRepository | Obstacle] = {}
        self._every: WeakSet[OtherRepository] = WeakSet()
        """Those that are open, and those that were and are still in use."""
        self._known: dict[str, tuple[str, ...]] = {}
        self.seen: dict[str, str] = {}
        """Every repository that was asked for, such as `github.com/owner/name`, with the commit that its mirror is at;
        empty where it has no mirror. What is cited without a host, and has none, is `*/owner/name`."""

    def close(self) -> None:
        """End the processes of git, and let go of the mirrors; asking for more takes them up again."""
        for repository in self._every:
            repository.close()

    def has(self, address: str) -> bool:
        """Whether `owner/name` or `host/owner/name` is a repository that can be looked at: this one, or a mirror."""
        return address.lower() in self._own_names or bool(self._find_names(address))

    def locate(self, citation: Citation) -> tuple[Citation, Obstacle | None] | None:
        """A citation by address as one of this repository, or of a mirror; None where the words cite nothing.

        A link stays as it is where there is no mirror. The second of the pair says what stands in the way.
        """
        address, revision, path = split_address(citation.source.key)
        written_out = citation.source.scheme == "permalink"
        if address.lower() in self._own_names:
            return citation if written_out else _make_own(citation, address, revision, path), None
        if written_out:
            names = self._find_names(f"{_GITHUB}/{address}")
            return self._place(citation, names[0], revision, path) if names else (citation, None)
        names = self._find_names(address)
        # Prose has many words of this form: only what is a file there, or was one, is meant as a citation.
        if not any(self._may_have_had(name, path) for name in names):
            return None
        if len(names) > 1:
            return citation, Obstacle("file-ambiguous", address, paths=names)
        return self._place(citation, names[0], revision, path)

    def find(self, citation: Citation) -> Evidence | Obstacle | None:
        """The evidence of a citation of a mirror; None where there is no mirror any more."""
        name, revision, path = split_address(citation.source.key)
        repository = self.open(name)
        if not isinstance(repository, OtherRepository):
            return repository
        if revision:
            self._world.touched.update(dict.fromkeys(repository.list_reference_files(revision)))
        found = repository.look_up(revision, path, citation.lines)
        if isinstance(found, Obstacle) and "\n" in found.detail:
            # What git could not do today it may do tomorrow.
            self._world.touched[UNSETTLED] = None
        return found

    def find_current(self, citation: Citation) -> tuple[OtherRepository, str] | None:
        """The repository and the path of a citation of a mirror as it is now; None where it names a revision."""
        name, revision, path = split_address(citation.source.key)
        repository = self.open(name) if not revision else None
        return (repository, path) if isinstance(repository, OtherRepository) else None

    def open(self, name: str) -> OtherRepository | Obstacle | None:
        """The repository of that name, or why it cannot be looked at; None where it has no mirror."""
        known = self._open.pop(name, None)
        if isinstance(known, OtherRepository) and not known.is_open and not known.take_up():
            known = None
        if known is None:
            place = self._folder.find(name)
            if not place:
                return None
            known = open_repository(name, place, self._folder.path, self._world.root.limits)
            while len(self._open) >= _MOST_OPEN:
                last = self._open.pop(next(iter(self._open)))
                if isinstance(last, OtherRepository):
                    last.close()
            if isinstance(known, OtherRepository):
                self._every.add(known)
        self._open[name] = known
        if isinstance(known, OtherRepository):
            self._note(name, known.head)
            self._world.touched.update(dict.fromkeys(known.state_files))
        else:
            self._note(name, "")
            self._world.touched[UNSETTLED] = None
        return known

    def _place(self, citation: Citation, name: str, revision: str, path: str) -> tuple[Citation, Obstacle | None]:
        """The citation as one of a mirror."""
        repository = self.open(name)
        if isinstance(repository, OtherRepository):
            return repository.address(citation, revision, path), None
        return replace(citation, source=SourceRef("mirror", f"{name}:{path}")), repository

    def _may_have_had(self, name: str, path: str) -> bool:
        repository = self.open(name)
        return repository.has_had(path) if isinstance(repository, OtherRepository) else looks_like_a_file(path)

    @cached_property
    def _own_names(self) -> frozenset[str]:
        return frozenset(find_own_names(self._world))

    @cached_property
    def _hosts(self) -> list[str]:
        return self._folder.list_hosts()

    def _find_names(self, address: str) -> tuple[str, ...]:
        """The mirrors that an address may mean, each by its whole name."""
        address = address.lower()
        whole = address.count("/") > 1 and "." in address.partition("/")[0]
        candidates = [address] if whole else [f"{host}/{address}" for host in self._hosts]
        self._watch(candidates, whole)
        known = self._known.get(address)
        if known is None:
            known = tuple(name for name in candidates if self._folder.find(name))
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[address] = known
        if not known:
            self._note(address if whole else f"*/{address}", "")
        return known

    def _watch(self, names: list[str], whole: bool) -> None:
        """Remember that an answer changes when one of these mirrors comes or goes."""
        touched = self._world.touched
        touched.update(dict.fromkeys(os.path.join(place, "HEAD") for place in map(self._folder.locate, names) if place))
        if not whole:
            touched[self._folder.path] = None
            git = self._world.git()
            if git is not None:
                # Which repository this is comes from its remotes.
                touched[os.path.join(git.common_dir, "config")] = None

    def _note(self, name: str, commit: str) -> None:
        if commit or name in self.seen or len(self.seen) < _MOST_KNOWN:
            self.seen[name] = commit


def _make_own(citation: Citation, address: str, revision: str, path: str) -> Citation:
    """A citation by the name of this very repository, as one by path or by address."""
    if revision in ("", *CURRENT_REVISIONS):
        return replace(citation, source=SourceRef("file", path))
    return replace(citation, source=SourceRef("permalink", f"{address}@{revision}:{path}"))


def split_address(key: str) -> tuple[str, str, str]:
    """The repository, the revision and the path of `owner/name@revision:path`; no revision means the current state."""
    place, _, path = key.partition(":")
    repository, _, revision = place.partition("@")
    return repository, revision, path
