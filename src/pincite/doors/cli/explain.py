"""`pincite explain`."""

from __future__ import annotations

import click

from ...core.errors import UsageError
from .shell_values import complete_check


@click.command("explain")
@click.argument("check", required=False, shell_complete=complete_check)
def command(check: str | None) -> None:
    """Print a check's page: what it says, why, an example, the remedy. Without CHECK, list all checks."""
    from ... import checks

    names = checks.names()
    if check is None:
        width = max(map(len, names))
        for name in names:
            module = checks.load(name)
            click.echo(f"{name:{width}}  {module.SEVERITY.label:7}  {checks.page(name).splitlines()[0]}")
        return
    if check not in names:
        from difflib import get_close_matches

        close = get_close_matches(check, names, 1)
        hint = f"did you mean {close[0]}?" if close else "'pincite explain' lists them"
        raise UsageError(f"no check {check!a}; {hint}")
    module = checks.load(check)
    click.echo(f"{check} ({module.SEVERITY.label}, outcome {module.OUTCOME.label})\n")
    click.echo(checks.page(check))
