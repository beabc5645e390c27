"""`pincite completion`."""

from __future__ import annotations

import click


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash   eval "$(pincite completion bash)" in ~/.bashrc
    zsh    eval "$(pincite completion zsh)" in ~/.zshrc
    fish   pincite completion fish > ~/.config/fish/completions/pincite.fish
    """
    from click.shell_completion import get_completion_class

    from .main import pincite

    found = get_completion_class(shell)
    if found is not None:
        click.echo(found(pincite, {}, "pincite", "_PINCITE_COMPLETE").source())
