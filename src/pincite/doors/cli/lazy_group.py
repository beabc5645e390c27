"""A click group that imports a command when it is called, and lists its commands under headings."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.shell_completion import CompletionItem

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
"""How every group shows its help: a command that two groups offer says the same in both."""


class LazyCommand(NamedTuple):
    """Where a command is defined, and its line in the group's help."""

    place: str
    """`module` or `module:function` in this package; the function is `command` unless named."""
    summary: str

    def load(self) -> click.Command:
        """Import the command."""
        module, _, name = self.place.partition(":")
        found: click.Command = getattr(import_module(f".{module}", __package__), name or "command")
        return found


class LazyGroup(click.Group):
    """Commands by heading and name. Help, completion and misspelt names import none of them."""

    def __init__(
        self,
        *arguments: Any,
        sections: Mapping[str, Mapping[str, LazyCommand]],
        aliases: Mapping[str, LazyCommand] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.sections = sections
        self.entries = {name: entry for part in sections.values() for name, entry in part.items()}
        self.aliases = aliases or {}
        """Names that work and that no list shows."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self.entries.get(cmd_name) or self.aliases.get(cmd_name)
        return None if entry is None else entry.load()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.entries))
        for heading, part in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{width}}", entry.summary) for name, entry in part.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=entry.summary)
            for name, entry in self.entries.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        known = name in self.entries or name in self.aliases
        if not known and not name.startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            close = get_close_matches(name, self.entries, 1)
            hint = f"Did you mean '{close[0]}'?" if close else f"See '{ctx.command_path} --help'."
            ctx.fail(f"No such command '{name}'. {hint}")
        return super().resolve_command(ctx, args)
