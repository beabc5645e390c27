"""Makes a planned rename: the file or folder, the documents that cite it, and the records that name it; or nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..core.errors import Conflict, PinciteError, UsageError
from ..safe import write
from ..safe.disk_rename import DiskRename
from ..safe.held_signals import hold_signals
from ..store import ACCEPTED, LOCK
from ..text.lines import decode, encode_like
from .rename_records import RenamedRecords
from .repair.edits import apply_edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..project.project import Project
    from .renaming import RenamePlan


def make_new_bytes(plan: RenamePlan, document: str) -> bytes:
    """A document with its edits made."""
    old = plan.old[document]
    return encode_like(apply_edits(decode(old), plan.edits[document]), old)


def write_rename(project: Project, plan: RenamePlan) -> tuple[str, ...]:
    """Make the rename of a plan; the record files that followed. Raises Conflict, Refused or UsageError.

    Where a step fails, those before it are taken back; the error says what could not be. A signal that would end the
    process waits until that is done: neither half a rename nor a lock of git is left behind.
    """
    if len(plan.renames) != 1:
        raise UsageError("one file or folder is renamed at a time")
    ((old, new),) = plan.renames
    root = project.root
    records = RenamedRecords(root, plan)
    move = DiskRename(root, project.git(), old, new)
    for document, data in plan.old.items():
        if root.read(document, root.limits.document_bytes) != data:
            raise Conflict(f"{document}: changed since it was read; nothing was renamed. Run the command again.")
    files = [(plan.find_new_path(key), data, make_new_bytes(plan, key)) for key, data in plan.old.items()]
    kept = [(key, *data) for key, data in ((LOCK, records.lock), (ACCEPTED, records.accepted)) if data[0] != data[1]]
    steps: list[tuple[str, Callable[[], None]]] = [(f"{new}, renamed from {old}", move.undo)]
    with hold_signals() as is_interrupted:
        try:
            move.make()
            for key, before, after in (*files, *kept):
                if is_interrupted():
                    raise KeyboardInterrupt
                write.replace(root, key, before, after)
                steps.append((key, partial(write.replace, root, key, after, before)))
        except BaseException as error:
            stuck = _take_back(steps)
            if not isinstance(error, PinciteError):
                raise
            ending = "The rename and everything written before were taken back."
            if stuck:
                ending = f"These could not be put back: {', '.join(stuck)}."
            raise type(error)(f"{str(error).removesuffix('.')}. {ending}") from None
    return tuple(key for key, _, _ in kept)


def _take_back(steps: list[tuple[str, Callable[[], None]]]) -> list[str]:
    """Undo steps, the last one first; what could not be undone."""
    stuck = []
    for name, undo in reversed(steps):
        try:
            undo()
        except (PinciteError, OSError):
            stuck.append(name)
    return stuck
