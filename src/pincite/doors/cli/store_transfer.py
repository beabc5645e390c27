"""`pincite store export` and `pincite store import`."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from .kit import complain, format_option, print_json, say
from .shell_values import complete_path
from .store_kit import connect, open_shared, store_option

if TYPE_CHECKING:
    from ...store.shared.transfer import TransferSummary


@click.command("export")
@click.argument("file", shell_complete=complete_path)
@store_option
@format_option()
def export(file: str, database: str | None, format_: str) -> None:
    """Write the whole store to FILE, as it is at one moment; others may go on writing meanwhile.

    JSON lines in gzip, the same bytes for the same rows. FILE is replaced when the new one is whole. Exit code: 0 done,
    2 it cannot be done; then FILE is as it was.
    """
    from ...store.shared.transfer import export_store

    with open_shared(database, write=False) as store:
        done = export_store(store.backend, file)
    _report(format_, "export", file, done, f"{done.size:,} bytes")


@click.command("import")
@click.argument("file", shell_complete=complete_path)
@store_option
@format_option()
def import_(file: str, database: str | None, format_: str) -> None:
    """Read what `export` wrote into an empty store, of the same kind or of another one.

    All of FILE is examined first, and read in one transaction. Exit code: 0 done, 1 done and it does not add up, 2 it
    cannot be done; then nothing was imported.
    """
    from ...store.shared.reconciliation import find_discrepancies
    from ...store.shared.transfer import import_store

    with closing(connect(database)) as backend:
        done = import_store(backend, file)
        wrong = find_discrepancies(backend)
    _report(format_, "import", file, done, backend.address.shown)
    for line in wrong:
        complain(line)
    sys.exit(1 if wrong else 0)


def _report(format_: str, what: str, file: str, done: TransferSummary, more: str) -> None:
    rows = sum(done.rows.values())
    if format_ == "json":
        print_json(
            {
                "schema": f"pincite.store-{what}/1",
                "file": file,
                "version": done.schema,
                "rows": done.rows,
                "bytes": done.size,
            }
        )
    elif what == "export":
        say(f"{file}: {rows:,} rows of schema {done.schema}, {more}")
    else:
        say(f"{more}: {rows:,} rows of schema {done.schema} from {file}")
