"""`pincite store migrate` and `pincite store status`."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from .kit import format_option, print_json, print_lines, say
from .store_kit import connect, open_shared, store_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...store.shared.store_status import StoreStatus, TeamUse


@click.command("migrate")
@store_option
@format_option()
def migrate(database: str | None, format_: str) -> None:
    """Make the store, or bring its schema up to date.

    Every numbered file is applied whole or not at all, and once: several may run this at the same time. Readers go on.
    In PostgreSQL, migrate as the owner of the database; the queue of web sources is made, too, where pincite[fleet] is
    installed. Exit code: 0 done or nothing to do, 2 it cannot be done.
    """
    from importlib.util import find_spec

    from ...store.shared.backend import POSTGRESQL
    from ...store.shared.schema import migrate, read_state

    with closing(connect(database)) as backend:
        applied = migrate(backend)
        version = read_state(backend).version
    if backend.address.kind == POSTGRESQL and find_spec("procrastinate") is not None:
        from ...fleet.web_queue import ensure_queue

        # Workers may not make tables.
        ensure_queue(backend.address)
    if format_ == "json":
        print_json(
            {
                "schema": "pincite.store-migrate/1",
                "address": backend.address.shown,
                "applied": applied,
                "version": version,
            }
        )
    elif applied:
        numbers = ", ".join(map(str, applied))
        say(f"{backend.address.shown}: applied {numbers}; the schema is {version} now.")
    else:
        say(f"{backend.address.shown}: nothing to do; the schema is {version}.")


@click.command("status")
@store_option
@format_option()
def status(database: str | None, format_: str) -> None:
    """Say what the store holds: schema, rows and bytes, teams with their limits, failures, and whether it adds up.

    A login that is not the owner sees its teams alone. Exit code: 0 all of it adds up, 1 something is lost or counted
    twice, 2 the store cannot be read.
    """
    from ...store.shared.store_status import read_status

    with open_shared(database, write=False) as store:
        found = read_status(store)
    if format_ == "json":
        print_json(_object(found))
    else:
        print_lines(_lines(found))
    sys.exit(1 if found.discrepancies else 0)


def _object(found: StoreStatus) -> dict[str, object]:
    from msgspec import to_builtins

    whole: dict[str, object] = to_builtins(found)
    return {
        "schema": "pincite.store-status/1",
        **{name: value for name, value in whole.items() if name != "version"},
        "version": found.version,
        "bytes_a_verdict": round(found.bytes_a_verdict, 1),
    }


def _lines(found: StoreStatus) -> Iterator[str]:
    from ...domains.capture.view import format_size, format_time
    from ...safe.escape import escape_text
    from ...text.lines import format_count

    yield found.address
    wanted = "as this pincite has it" if found.version == found.wanted else f"this pincite has {found.wanted}"
    yield f"  schema {found.version}, {wanted}"
    if not found.sees_everything:
        yield "  only the teams of this login are counted"
    if found.last is not None:
        place = escape_text(f"{found.last.repository} at {found.last.commit[:12]}")
        yield f"  last check: {place}, {format_time(found.last.finished)}"
    yield "teams"
    for one in found.teams:
        yield from _describe_team(one)
    yield "tables"
    width = max(len(table.name) for table in found.tables)
    for table in found.tables:
        if table.rows:
            size = f"{format_size(table.size):>10}" if table.size else ""
            yield f"  {table.name:{width}} {table.rows:>12,} {'row ' if table.rows == 1 else 'rows'} {size}".rstrip()
    if found.bytes_a_verdict:
        yield f"  a verdict takes {found.bytes_a_verdict:.0f} bytes with its indexes"
    if found.evidence:
        yield escape_text(f"  evidence: {', '.join(f'{number:,} {kind}' for kind, number in found.evidence.items())}")
    if found.failed:
        yield f"{format_count(found.failed, 'repository', 'repositories')} could not be checked"
    for failure in found.failures:
        tries = format_count(failure.tries, "try", "tries")
        yield escape_text(f"  {failure.repository}: {failure.trouble} ({tries}, {format_time(failure.failed)})")
    if found.discrepancies:
        yield "this does not add up; restore a backup, or check these: pincite fleet check --again REPOSITORY…"
        yield from (escape_text(f"  {line}") for line in found.discrepancies)
    else:
        yield "everything adds up"


def _describe_team(one: TeamUse) -> Iterator[str]:
    from ...safe.escape import escape_text
    from ...text.lines import format_count

    limits = one.team.limits
    counts = (
        (one.repositories, limits.repositories, "repository", "repositories"),
        (one.citations, limits.citations, "citation", ""),
        (one.sources, limits.sources, "source", ""),
    )
    parts = [
        f"{f'{used:,} of ' if most else ''}{format_count(most or used, noun, several)}"
        for used, most, noun, several in counts
    ]
    if limits.mirror_bytes:
        parts.append(f"mirrors of at most {limits.mirror_bytes:,} bytes")
    yield escape_text(f"  {one.team.name}: {', '.join(parts)}")
    if one.members:
        yield escape_text(f"    {', '.join(f'{role} ({right})' for role, right in one.members)}")
