"""`pincite research`: from search results to a report in which every sentence can be traced."""

from __future__ import annotations

from importlib import import_module

import click

# Each command by name: the module it lives in, and what it does in one line.
COMMANDS = {
    "check": ("research_check", "Check stage files and the joins between them."),
    "validate": ("research_validate", "Look at every source: is the quote there, who wrote it, how credible is it?"),
    "snapshot": ("research_snapshot", "Fetch pages and keep them as WARC."),
    "attest": ("research_attest", "Vouch for the author of a page."),
    "ground": ("research_ground", "Say which claims their quotes support."),
    "report": ("research_report", "Write the report of the grounded claims."),
    "audit": ("research_audit", "Say of every sentence of a report what it rests on."),
    "run": ("research_run", "Run the stages in order, and stop at the first that fails."),
    "schema": ("research_check", "Print the JSON Schema of a stage file."),
}


class ResearchCommands(click.Group):
    """Commands by name, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f".{COMMANDS[cmd_name][0]}", __package__)
        found: click.Command = getattr(module, cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group("research", cls=ResearchCommands)
def command() -> None:
    """Trace every sentence of a report to words that really stand on a page.

    The stages of a topic hand each other files in `.research/TOPIC/agent-outputs`.
    """
