"""`pincite report`."""

from __future__ import annotations

import sys
from time import monotonic

import click

_EVERY = 0.1
"""Seconds between two lines of progress."""


@click.command("report")
@click.option(
    "--html", "folder", required=True, metavar="DIR", help="Folder to write: new, empty, or an earlier report."
)
@click.option("--root", metavar="DIR", help="Folder to report on (default: the repository around the working folder).")
@click.option("--jobs", type=click.IntRange(0, 64), default=1, metavar="N", help="Processes to use; 0: one per core.")
def command(folder: str, root: str | None, jobs: int) -> None:
    """Check all documents and write the pages of `pincite serve` as files: every document with the evidence of its
    citations beside it, the sources and the lists.

    The files need no server, no network and no script, and can lie anywhere: in the artifacts of a build, or on a web
    host. Each page has its JSON beside it. The same tree gives the same bytes. The folder appears when it is complete.
    Needs pincite[web]. Exit code: 0 when it was written, whatever the citations are like (`pincite check` judges
    them), 2 where it cannot be written.
    """
    from ...core.errors import UsageError

    try:
        import jinja2

        del jinja2
    except ImportError:
        raise UsageError("`pincite report` needs an extra: install 'pincite[web]'") from None
    import os

    from ..._version import __version__
    from ...project.project import open_project
    from ...safe.escape import escape_text
    from ...safe.folder_output import write_folder
    from ...text.lines import format_count
    from .exported_links import MARKER
    from .site import Site
    from .static_export import check_site, export_site

    with open_project(root) as project:
        path = project.root.path
    site = Site(path, read_only=True)
    with write_folder(folder, MARKER, f"pincite report {__version__}", path) as add:
        check_site(site, jobs or os.cpu_count() or 1, ProgressLine("checking", "documents").step)
        pages = export_site(site, add, ProgressLine("writing", "pages").step)
    rows = list(site.documents.all_rows())
    held = sum(row.outcome == "holds" for row in rows)
    click.echo(
        f"{escape_text(folder)}: {format_count(pages, 'page')} about {format_count(len(rows), 'citation')}, "
        f"{held} of which {'holds' if held == 1 else 'hold'}"
    )


class ProgressLine:
    """A line on a terminal that says how far a long run is."""

    def __init__(self, doing: str, what: str) -> None:
        self._doing = doing
        self._what = what
        self._is_on = sys.stderr is not None and sys.stderr.isatty()
        self._next = monotonic() + _EVERY

    def step(self, done: int, total: int) -> None:
        """One more is done; the last one takes the line away."""
        if self._is_on and (done == total or monotonic() >= self._next):
            self._next = monotonic() + _EVERY
            text = f"{self._doing} {done} of {total} {self._what}" if done < total else ""
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
