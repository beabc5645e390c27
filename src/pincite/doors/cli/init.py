"""`pincite init`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...core.errors import Refused, Unreadable
from ...project.project import open_project
from .kit import root_option

if TYPE_CHECKING:
    from ...safe.files import Root

_SETTINGS = """\
# Settings of pincite. Lines behind a # are examples.

# Documents to leave out; a folder's pattern takes in what is below it.
# exclude = ["CHANGELOG.md", "vendor"]

# Checks not to report; `pincite explain` lists them.
# ignore = ["citation-before-claim"]

# Whether warnings fail too: cited lines that moved or were edited.
strict = false
"""

_HOOKS = """\
repos:
  - repo: https://github.com/pincite/pincite
    rev: v{version}
    hooks:
      - id: pincite-all
"""

_WORKFLOW = """\
name: citations
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
  pull-requests: write
  security-events: write
jobs:
  pincite:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: pincite/pincite@v{version}
        with:
          comment: "true"
"""


@click.command("init")
@root_option("Where to write")
@click.option(
    "--agent",
    "agents",
    multiple=True,
    type=click.Choice(("claude", "codex", "gemini", "cursor")),
    help="Set up a coding agent instead: hooks, MCP server, instruction lines. Repeatable.",
)
def command(root: str | None, agents: tuple[str, ...]) -> None:
    """Write starter settings (pincite.toml), a pre-commit entry and a GitHub workflow.

    Files that exist are left alone; what would have been written is printed instead. With --agent, the settings of a
    coding agent get pincite's hooks and MCP server, and its instructions a few lines; what stands in these files stays
    as it is, and what cannot be added safely is printed.
    """
    opened = open_project(root).root
    if agents:
        _set_up_agents(opened, agents)
        return
    from ..._version import __version__
    from ...safe.write import create

    for key, text in (
        ("pincite.toml", _SETTINGS),
        (".pre-commit-config.yaml", _HOOKS),
        (".github/workflows/pincite.yml", _WORKFLOW),
    ):
        text = text.replace("{version}", __version__)
        try:
            create(opened, key, text.encode())
        except Unreadable:
            raise
        except Refused:
            click.echo(f"{key} exists; left as it is. To add by hand:\n")
            click.echo("".join(f"    {line}\n" for line in text.splitlines()))
        else:
            click.echo(f"wrote {key}")
    click.echo("Next: run 'pincite check'.")


def _set_up_agents(root: Root, names: tuple[str, ...]) -> None:
    """Add what agents need, and say what was written."""
    from ...domains.agents.settings import find_client
    from ...domains.agents.setup import set_up_agents

    clients = [find_client(name) for name in dict.fromkeys(names)]
    for step in set_up_agents(root, clients):
        if step.outcome == "wrote":
            click.echo(f"wrote {step.key} ({step.what})")
        elif step.outcome == "added":
            click.echo(f"added to {step.key} ({step.what})")
        elif step.outcome == "present":
            click.echo(f"{step.key} has them already ({step.what})")
        else:
            click.echo(f"{step.key} cannot be added to safely; left as it is. To add by hand ({step.what}):\n")
            click.echo("".join(f"    {line}\n" for line in step.text.splitlines()))
    for client in clients:
        if client.trust:
            click.echo(f"{client.title} {client.trust}.")
    click.echo("Next: run 'pincite doctor'.")
