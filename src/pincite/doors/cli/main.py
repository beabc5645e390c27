"""The `pincite` command. Each subcommand lives in its own module and is imported when it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from ..._version import __version__

if TYPE_CHECKING:
    from typing import NoReturn

_COMMANDS = {
    "check": "Verify every citation in documents or trees.",
    "fix": "Correct citations whose evidence moved.",
    "lock": "Record what citations rest on, so that changes show without history.",
    "affected": "List the citations that a change touches.",
    "suggest": "Propose citations for documents that have few.",
    "list": "List the citations found.",
    "show": "Print the evidence behind one citation.",
    "index": "Split the documents into passages that can be searched.",
    "search": "Find passages, each with its place and a citation.",
    "cite": "Write a citation that holds, in any style.",
    "verify-answer": "Check the citations in a model's answer against the documents.",
    "run": "Run a command and keep its output as evidence.",
    "capture": "Keep a pipe, a log or another tool's transcript as evidence.",
    "log": "List the captured runs.",
    "grep": "Search captured output and print citations.",
    "export": "Write cited output as files that travel with the repository.",
    "gc": "Drop captured output that is old and not cited.",
    "doctor": "Re-hash everything captured and name what is damaged.",
    "explain": "Print a check's page.",
    "research": "Trace every sentence of a report to words that stand on a page.",
    "corpus": "Keep the papers that may be cited, and validate who cites them.",
    "memory": "Verify and maintain memories.",
    "policy": "Show, check and print the citation policy.",
    "hook": "Answer a coding agent's hook.",
    "init": "Write starter settings, a pre-commit entry and a workflow.",
    "completion": "Print the completion script for a shell.",
}
HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
"""How every door shows its help: a command that is reached through two of them says the same at both."""


class Commands(click.Group):
    """Subcommands by name; only the one that is called is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f".{cmd_name.replace('-', '_')}", __package__).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name not in _COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            close = get_close_matches(name, _COMMANDS, 1)
            hint = f" Did you mean '{close[0]}'?" if close else " See 'pincite --help'."
            ctx.fail(f"No such command '{name}'.{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings=HELP)
@click.version_option(__version__, "-V", "--version", prog_name="pincite")
def pincite() -> None:
    """Pin every claim to its evidence, and keep it pinned.

    Start with `pincite check` in a repository.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input ends in a message and an exit code, never in a traceback."""
    run(pincite, "pincite", arguments)


def run(command: click.Command, name: str, arguments: list[str] | None = None) -> None:
    """Run a click command with the project's manners at the edges: errors, interrupts, closed streams."""
    from ...core.errors import PinciteError

    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        from ...safe.report_output import open_standard_streams

        open_standard_streams()
    from ...safe.ci_log import guard_streams, is_ci

    if is_ci():
        guard_streams()
    try:
        sys.exit(command.main(args=arguments, prog_name=name, standalone_mode=False))
    except click.ClickException as error:
        from ...safe.escape import escape_text

        # It may quote what somebody else wrote into a file.
        vars(error)["message"] = "\n".join(escape_text(line) for line in error.message.split("\n"))
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        # As shells count an interrupt; 1 would say that a citation does not hold.
        sys.exit(130)
    except PinciteError as error:
        _fail(name, str(error), error.exit_code)
    except MemoryError:
        _fail(name, "out of memory; check fewer documents at once, or exclude the largest", 2)
    except OSError as error:
        from ...safe.report_output import discard_stdout

        # Nothing that was read raises this: it is the output, or the working folder, that is gone.
        discard_stdout()
        place = f"{error.filename}: " if isinstance(error.filename, str) else ""
        gone = not place and isinstance(error, FileNotFoundError)
        _fail(name, "the working folder is gone" if gone else f"{place}{error.strerror or type(error).__name__}", 2)


def _fail(name: str, message: str, code: int) -> NoReturn:
    """Say why, and end."""
    from ...safe.escape import escape_text

    click.echo(f"{name}: {escape_text(message)}", err=True)
    sys.exit(code)
