"""The `pincite` command. Each subcommand lives in its own module and is imported when it is called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ..._version import __version__
from .lazy_group import HELP, LazyCommand, LazyGroup

if TYPE_CHECKING:
    from typing import NoReturn

SECTIONS = {
    "Check and repair": {
        "check": LazyCommand("check", "Verify every citation in documents or trees."),
        "fix": LazyCommand("fix", "Correct citations whose evidence moved."),
        "mv": LazyCommand("mv", "Rename a file or folder, and every citation of it."),
        "affected": LazyCommand("affected", "List the citations that a change touches."),
        "accept": LazyCommand("accept", "Record that a citation was read again and is still true."),
        "lock": LazyCommand("lock", "Record what citations rest on; drift then shows without git."),
        "list": LazyCommand("list", "List the citations found."),
        "show": LazyCommand("show", "Print the evidence behind one citation."),
        "explain": LazyCommand("explain", "Print a check's page."),
        "verify-answer": LazyCommand("verify_answer", "Check the citations in a model's answer."),
    },
    "Write": {
        "cite": LazyCommand("cite", "Write a citation that holds, in any style."),
        "suggest": LazyCommand("suggest", "Propose citations for documents that have few."),
    },
    "Search": {
        "index": LazyCommand("index", "Split the documents into passages that can be searched."),
        "search": LazyCommand("search", "Find passages, each with its place and a citation."),
    },
    "Evidence": {
        "run": LazyCommand("run", "Run a command and keep its output as evidence."),
        "capture": LazyCommand("capture", "Keep a pipe, a log or another tool's transcript as evidence."),
        "log": LazyCommand("log", "List the captured runs."),
        "grep": LazyCommand("grep", "Search captured output and print citations."),
        "export": LazyCommand("export", "Write cited output as files that travel with the repository."),
        "gc": LazyCommand("gc", "Drop captured output that is old and not cited."),
    },
    "Papers": {
        "corpus": LazyCommand("corpus", "Keep papers, and check the documents that cite them."),
        "policy": LazyCommand("policy", "Show, check and print the citation policy."),
    },
    "Research": {
        "research": LazyCommand("research", "Trace every sentence of a report to words on a page."),
    },
    "Memories": {
        "memory": LazyCommand("memory", "Verify and maintain memories."),
    },
    "Agents and editors": {
        "mcp": LazyCommand(".mcp.command", "Serve agents over the Model Context Protocol."),
        "lsp": LazyCommand(".lsp.command", "Serve editors over the language server protocol."),
        "hook": LazyCommand(".hooks.command", "Answer a coding agent's hook."),
    },
    "Browser": {
        "serve": LazyCommand(".web.command", "Show documents beside their evidence in a browser."),
        "report": LazyCommand(".web.report_command", "Write the same pages as files that need no server."),
    },
    "Many repositories": {
        "fleet": LazyCommand("fleet", "Check many repositories and web sources."),
        "store": LazyCommand("store", "Keep the store that a team shares."),
    },
    "Set-up": {
        "doctor": LazyCommand("doctor", "Name what is wrong with the set-up, agents and captures."),
        "init": LazyCommand("init", "Write starter settings, or set up a coding agent."),
        "completion": LazyCommand("completion", "Print the completion script for a shell."),
    },
}


@click.group(cls=LazyGroup, sections=SECTIONS, context_settings=HELP)
@click.version_option(__version__, "-V", "--version", prog_name="pincite")
def pincite() -> None:
    """Pin every claim to its evidence, and keep it pinned.

    Start with `pincite check` in a repository.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input ends in a message and an exit code, never in a traceback."""
    run(pincite, "pincite", arguments)


def run(command: click.Command, name: str, arguments: list[str] | None = None) -> None:
    """Run a click command with the project's handling of errors, interrupts and closed streams."""
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

        # It may quote a foreign file.
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
