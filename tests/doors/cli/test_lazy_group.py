"""The groups of commands: every command under one heading, and none imported before it is called."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from pincite.doors.cli import aiwg, corpus, fleet, main, research, store
from pincite.doors.cli.lazy_group import LazyGroup

GROUPS = {
    "pincite": main.pincite,
    "corpus": corpus.command,
    "research": research.command,
    "fleet": fleet.command,
    "store": store.command,
    "aiwg": aiwg.command,
}
HEADINGS = [
    "Check and repair",
    "Write",
    "Search",
    "Evidence",
    "Papers",
    "Research",
    "Memories",
    "Agents and editors",
    "Browser",
    "Many repositories",
    "Set-up",
]


def group(name: str) -> LazyGroup:
    found = GROUPS[name]
    assert isinstance(found, LazyGroup)
    return found


def test_help_has_a_heading_for_each_kind_of_work() -> None:
    assert list(group("pincite").sections) == HEADINGS
    shown = click.Context(group("pincite"), info_name="pincite").get_help().splitlines()
    assert [line[:-1] for line in shown if line.endswith(":") and line != "Options:"] == HEADINGS


@pytest.mark.parametrize("name", GROUPS)
def test_every_command_has_one_heading_and_one_line(name: str) -> None:
    found = group(name)
    names = [command for part in found.sections.values() for command in part]
    assert len(names) == len(set(names)) and not set(names) & set(found.aliases)
    assert found.list_commands(click.Context(found)) == names
    widest = max(map(len, names))
    # Two columns of indent and two between: on a terminal of 80 columns nothing wraps.
    assert [entry.summary for entry in found.entries.values() if widest + 4 + len(entry.summary) > 78] == []


@pytest.mark.parametrize("name", GROUPS)
def test_every_name_leads_to_a_command(name: str) -> None:
    found = group(name)
    for command in (*found.entries, *found.aliases):
        assert isinstance(found.get_command(click.Context(found), command), click.Command)


def test_every_module_of_a_command_is_listed() -> None:
    folder = Path(main.__file__).parent
    offered = {path.stem for path in folder.glob("*.py") if "\ndef command(" in path.read_text(encoding="utf-8")}
    # A place that begins with a dot is in another door.
    others = {f".{path.parent.name}.{path.stem}" for path in folder.parent.glob("*/*command.py")}
    listed = {entry.place for entry in (*group("pincite").entries.values(), *group("fleet").entries.values())}
    assert offered - {"aiwg"} | others == {place for place in listed if ":" not in place}


@pytest.mark.parametrize("name", GROUPS)
def test_a_misspelt_command_is_understood(name: str) -> None:
    found = group(name)
    first = next(iter(found.entries))
    with pytest.raises(click.UsageError, match=f"Did you mean '{first}'"):
        found.resolve_command(click.Context(found), [first + "x"])
    with pytest.raises(click.UsageError, match=r"See '.*--help'"):
        found.resolve_command(click.Context(found, info_name=name), ["zzzzzz"])


@pytest.mark.parametrize("words", ["--help", "corpus --help", "research --help", "corpus zzzzzz"])
def test_help_and_misspelt_names_import_no_command(words: str) -> None:
    code = (
        "import sys, atexit\n"
        "from pincite.doors.cli.main import main\n"
        "@atexit.register\n"
        "def tell():\n"
        "    print(*(name for name in sys.modules if name.startswith('pincite.doors.cli.')), sep='\\n')\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words.split()], capture_output=True, text=True, timeout=60, check=False
    )
    loaded = {line.rpartition(".")[2] for line in done.stdout.splitlines() if line.startswith("pincite.doors.cli.")}
    assert loaded == {"main", "lazy_group"} | ({words.split()[0]} - {"--help"})
