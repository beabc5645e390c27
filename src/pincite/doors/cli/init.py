"""`pincite init`."""

from __future__ import annotations

import click

from ...core.errors import Refused, Unreadable
from ...project.project import open_project
from .kit import root_option

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
def command(root: str | None) -> None:
    """Write starter settings (pincite.toml), a pre-commit entry and a GitHub workflow.

    Files that exist are left alone; what would have been written is printed instead.
    """
    from ..._version import __version__
    from ...safe.write import create

    opened = open_project(root).root
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
