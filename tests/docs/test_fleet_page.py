"""The reference of fleets says what the code says: tables, variables, bounds, fields, exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from pincite.doors.cli.main import pincite
from pincite.fleet import repository_list
from pincite.fleet.cluster import TLS_VARIABLES
from pincite.fleet.cluster_worker import LOG_FORMAT, MIRRORS
from pincite.fleet.host_visits import SNAPSHOTS
from pincite.fleet.shard_records import MOST_TEXT, ShardTask
from pincite.store.shared.backend import VARIABLE
from pincite.store.shared.schema import load_migrations

TOP = Path(__file__).resolve().parents[2]
PAGE = (TOP / "docs/reference/fleet.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """What stands below a heading."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_cells(title: str) -> list[str]:
    """The names in the first column of a section's table."""
    rows = re.findall(r"^\| (`[^|]+`) \|", section(title), re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def test_every_table_is_named() -> None:
    scripts = "".join(one.script for one in load_migrations("postgresql"))
    assert first_cells("Tables") == ["schema_version", *re.findall(r"^CREATE TABLE (\w+)", scripts, re.MULTILINE)]


def test_every_variable_is_named() -> None:
    named = set(first_cells("The environment"))
    assert {VARIABLE, MIRRORS, LOG_FORMAT, SNAPSHOTS, *TLS_VARIABLES} <= named
    used = set()
    for folder in ("fleet", "store/shared"):
        for path in (TOP / "src/pincite" / folder).rglob("*.py"):
            used |= set(re.findall(r"\bPINCITE_[A-Z_]+\b", path.read_text(encoding="utf-8")))
    assert used - named <= {"PINCITE_CACHE"}


def test_every_field_is_described() -> None:
    schema = json.loads((TOP / "src/pincite/schemas/fleet-check-1.schema.json").read_text(encoding="utf-8"))
    rows = "".join(f"| `{name}` | {field['description']} |\n" for name, field in schema["properties"].items())
    assert rows in section("JSON of `fleet check`")


def test_bounds_are_those_of_the_code() -> None:
    task = ShardTask("a", "b")
    giga = 1024**3
    for said in (
        f"| time | `--timeout`, {task.seconds:.0f} s |",
        f"| objects, and one pack that is fetched | {task.repository_bytes // giga} GB |",
        f"| files of a commit | {task.checkout_files:,} files, {task.checkout_bytes // giga} GB |",
        f"| memory of the process | {task.memory_bytes // giga} GB |",
        f"| a citation or a message that is kept | {MOST_TEXT} characters |",
    ):
        assert said in section("Bounds of one repository")
    assert f"At most {repository_list._MOST_REPOSITORIES:,} repositories" in section("Lists of repositories")
    assert all(f"`{key}`" in section("Lists of repositories") for key in repository_list._ADDRESSES)


@pytest.mark.parametrize("group", ["fleet", "store"])
def test_every_command_has_its_exit_codes(group: str) -> None:
    context = click.Context(pincite)
    found = pincite.get_command(context, group)
    assert isinstance(found, click.Group)
    listed, kind = set(), ""
    for name in first_cells("Exit codes"):
        kind = name.split()[0] if " " in name else kind
        listed.add((kind, name.split()[-1]))
    assert {name for kind, name in listed if kind == group} == set(found.list_commands(context))
