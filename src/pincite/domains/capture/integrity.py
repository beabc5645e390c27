"""What is left of what was captured: everything re-hashed, and what is damaged named with its remedy."""

from __future__ import annotations

import stat as st
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import PinciteError
from ...sources._captured_output import manifests
from ...store import FOLDER, KEY
from ...store.bundle import read_item, read_manifest
from ...store.database import StoreTrouble
from ...store.maintenance import Upkeep
from ...store.output_files import OUTPUT, is_held, is_name, list_output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...safe.files import Root
    from ...sources import World

_MOST_SHOWN = 5


class CaptureDamage(Struct, frozen=True):
    """One thing that is not as it should be."""

    place: str
    what: str
    remedy: str
    digest: str = ""
    runs: tuple[int, ...] = ()
    """The runs that printed the text it is about."""
    harmless: bool = False
    """True where nothing is lost or exposed by it."""


class Examination(Struct):
    """What was looked at, and what is wrong with it."""

    store: bool = False
    """Whether there is a store."""
    closed: str = ""
    """Why the store cannot be opened at all."""
    runs: int = 0
    texts: int = 0
    bundled: int = 0
    """Texts in bundles of the tree."""
    troubles: list[CaptureDamage] = []

    @property
    def sound(self) -> bool:
        """Whether nothing is damaged or exposed."""
        return not self.closed and all(trouble.harmless for trouble in self.troubles)


def examine(world: World, progress: Callable[[int, int], None] = lambda done, total: None) -> Examination:
    """Look at everything that was captured: this machine's store, and the bundles in the tree. Never raises for it."""
    found = Examination()
    try:
        captures = Upkeep.open(world.root)
    except StoreTrouble as error:
        captures = None
        found.closed = str(error)
    if captures is not None:
        found.store = True
        with captures:
            _collect(found, _check_permissions(world.root))
            _collect(found, _check_database(captures, found))
            _collect(found, _check_texts(captures, found, progress))
            _collect(found, _check_files(world.root, captures))
            _collect(found, _check_runs(world.root, captures))
    elif not found.closed and list_output(world.root):
        found.troubles.append(
            CaptureDamage(
                OUTPUT, "holds output, and there is no database beside it", f"remove {FOLDER}, or restore {KEY}"
            )
        )
    _collect(found, _check_bundles(world, found), "bundles", "see why git cannot be used here")
    return found


def _collect(
    found: Examination,
    part: Iterator[CaptureDamage],
    place: str = KEY,
    remedy: str = f"move {FOLDER} away to start anew",
) -> None:
    """Take what one part of the examination says; where it cannot go on, that is one more trouble."""
    try:
        found.troubles.extend(part)
    except PinciteError as error:
        if not any(trouble.what == str(error) for trouble in found.troubles):
            found.troubles.append(CaptureDamage(place, str(error), remedy))


def _check_permissions(root: Root) -> Iterator[CaptureDamage]:
    for key in (FOLDER, OUTPUT, KEY, f"{KEY}-wal", f"{KEY}-shm", *(f"{OUTPUT}/{name}" for name in list_output(root))):
        info = root.stat(key)
        if info is not None and st.S_IMODE(info.st_mode) & 0o077:
            wanted = 0o700 if key in (FOLDER, OUTPUT) else 0o600
            what = f"others can read it (mode {st.S_IMODE(info.st_mode):o})"
            yield CaptureDamage(key, what, f"chmod {wanted:o} {key}")


def _check_database(captures: Upkeep, found: Examination) -> Iterator[CaptureDamage]:
    for fault in captures.faults():
        yield CaptureDamage(KEY, fault, "export what is cited and still sound, then move the store away to start anew")
    found.runs = len(captures.runs())


def _check_texts(captures: Upkeep, found: Examination, progress: Callable[[int, int], None]) -> Iterator[CaptureDamage]:
    total = len(captures.digests())
    for digest, problem in captures.examine():
        found.texts += 1
        progress(found.texts, total)
        if problem:
            place, _, what = problem.rpartition(": ")
            try:
                printed = captures.occurrences(digest)
            except StoreTrouble:
                printed = []
            chunks = [f"run {chunk.run} chunk {chunk.sequence + 1}" for chunk in printed[:_MOST_SHOWN]]
            about = f" ({', '.join(chunks)}{', …' * (len(printed) > _MOST_SHOWN)})" if chunks else ""
            yield CaptureDamage(
                place or KEY,
                f"text {digest[:12]}{about}: {what}",
                "restore the file from a copy; what is lost cannot be cited any more",
                digest,
                tuple(dict.fromkeys(chunk.run for chunk in printed)),
            )


def _check_files(root: Root, captures: Upkeep) -> Iterator[CaptureDamage]:
    # The files first: one that a recorder begins meanwhile is in neither list then.
    names = list_output(root)
    used = captures.list_used_files()
    for name in names:
        key = f"{OUTPUT}/{name}"
        info = root.stat(key)
        if info is None or not is_name(name) or not st.S_ISREG(info.st_mode):
            yield CaptureDamage(key, "is no output file", "remove it", harmless=True)
        elif name not in used and info.st_size and not is_held(root, name):
            yield CaptureDamage(key, "nothing refers to it", "`pincite gc` removes it", harmless=True)


def _check_runs(root: Root, captures: Upkeep) -> Iterator[CaptureDamage]:
    for run in captures.runs():
        if run.state == "running" and not is_held(root, run.file):
            remedy = "`pincite gc` finishes it with what was written"
            yield CaptureDamage(f"run {run.id}", "its recorder was killed", remedy, runs=(run.id,), harmless=True)
        elif run.state == "lost":
            what = "its recorder was killed; what was printed last may be missing"
            yield CaptureDamage(f"run {run.id}", what, "nothing to do", runs=(run.id,), harmless=True)


def _check_bundles(world: World, found: Examination) -> Iterator[CaptureDamage]:
    for key in manifests(world):
        try:
            chunks = read_manifest(world.root, key).chunks
        except StoreTrouble as error:
            what, _, remedy = str(error).removeprefix(f"{key}: ").rpartition("; ")
            yield CaptureDamage(key, *((what, remedy) if what else (remedy, "take it from git, or export again")))
            continue
        for item in chunks:
            found.bundled += 1
            try:
                read_item(world.root, key, item)
            except StoreTrouble as error:
                place, _, what = str(error).partition(": ")
                yield CaptureDamage(
                    place, f"text {item.digest[:12]}: {what}", "export it again, or take it from git", item.digest
                )
