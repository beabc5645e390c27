"""Writes of documents and of what is recorded beside them: planned and shown first, made only as they were shown."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Conflict
from ...core.model import Summary
from ...engine.file_changes import digest_files, write_changes
from ...safe.escape import escape_text
from .checked_documents import CheckedDocuments
from .records import Redirect
from .routes import NotFound, Refusal
from .write_journal import KeptWrite, get_journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...core.model import Report, Verdict
    from ...engine.file_changes import FileRewrite
    from ...project.project import Project
    from .records import CitationRow
    from .site import Site

_MOST_ROWS = 2000
"""Rows of one file's diff that a page shows; a browser takes long for more."""
GONE = "no such citation: its document changed, or it is gone"


class FileDiff(Struct, frozen=True):
    """What a write changes in one file."""

    path: str
    rows: tuple[str, ...]
    """A unified diff, with everything invisible made visible."""
    left_out: int
    """Further rows that are not shown."""
    is_created: bool
    is_removed: bool


class PlannedWrite(Struct, frozen=True):
    """A write as it would be made; send both digests to have it made."""

    files: tuple[FileDiff, ...]
    before: str
    """Digest of the files as they were read."""
    after: str
    """Digest of the files as they would be written."""


class WriteDone(Redirect, frozen=True):
    """A write that was made."""

    write: str
    """Its id, by which it can be taken back."""
    files: tuple[str, ...]


def describe_changes(changes: Sequence[FileRewrite]) -> PlannedWrite:
    """What some changes would write."""
    files = []
    for change in changes:
        rows = change.make_diff()
        shown = tuple(escape_text(row) for row in rows[:_MOST_ROWS])
        left_out = len(rows) - len(shown)
        files.append(FileDiff(change.path, shown, left_out, change.old is None, change.new is None))
    return PlannedWrite(tuple(files), *_digest_changes(changes))


def make_write(
    site: Site, title: str, settled: Sequence[CitationRow], changes: Sequence[FileRewrite], shown: tuple[str, str]
) -> KeptWrite:
    """Make changes where they are those that were `shown`, by their digests; raises Conflict or Refused."""
    refuse_unseen(changes, shown)
    with site.writing, site.open() as project:
        write_changes(project.root, changes)
        write = KeptWrite(title, settled, changes, site.look_again())
        get_journal(site).add(write)
    return write


def refuse_unseen(changes: Sequence[FileRewrite], shown: tuple[str, str]) -> None:
    """Raise Conflict where changes are not those that were shown."""
    if _digest_changes(changes) != shown:
        raise Conflict("what would be written is not what was shown: nothing was written. Read the diff again")


def _digest_changes(changes: Sequence[FileRewrite]) -> tuple[str, str]:
    before = digest_files([(one.path, one.old) for one in changes])
    return before, digest_files([(one.path, one.new) for one in changes])


def refuse_stale(error: Exception, load: Callable[[], Struct], template: str) -> Refusal:
    """The refusal of a write that no longer fits, with the page as it is now."""
    return Refusal(409, str(error), load(), template)


def find_row(site: Site, id: str) -> CitationRow:
    """The citation with an id; raises NotFound."""
    row = site.documents.find(id)
    if row is None:
        raise NotFound(GONE)
    return row


@contextmanager
def open_document(site: Site, row: CitationRow) -> Iterator[Project]:
    """The project with the document of a citation in it; raises NotFound where that is gone."""
    with site.open() as project:
        if not project.root.is_file(row.document):
            raise NotFound(f"{row.document}: no such document any more, or it leads outside the root")
        yield project


def find_verdict(row: CitationRow, report: Report) -> tuple[CitationRow, Verdict]:
    """A citation in a fresh report of its document, and what was found; raises NotFound where it is not there."""
    if report.error:
        raise NotFound(f"{row.document}: {report.error}")
    now = CheckedDocuments(0, {row.document: report}, Summary(), True)
    fresh = now.find(row.id)
    verdict = now.verdict(fresh) if fresh is not None else None
    if fresh is None or verdict is None:
        raise NotFound(GONE if fresh is None else "it cannot be read as a citation; correct it in the document")
    return fresh, verdict
