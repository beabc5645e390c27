"""`pincite hook`: one command per client, all of them the same but for the translation."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ...core.errors import UsageError
from .call import GO_ON, HookEvent, read_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...project.project import Project
    from .call import HookAnswer, HookCall

_MOST_INPUT = 64 * 1024 * 1024


class _Harmless(click.Group):
    """A group in which wrong usage does not block: 2 would."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        context: click.Context = _call_harmlessly(super().make_context, *arguments, **options)
        return context

    def invoke(self, ctx: click.Context) -> Any:
        return _call_harmlessly(super().invoke, ctx)


def _call_harmlessly(action: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    try:
        return action(*arguments, **options)
    except click.ClickException as error:
        vars(error)["exit_code"] = 1
        raise


@click.group("hook", cls=_Harmless)
def command() -> None:
    """Answer a coding agent's hook, so that a dead citation is caught as it is written.

    Whatever goes wrong in the hook itself never stops the agent.
    """


def _options(action: Callable[..., Any]) -> Callable[..., Any]:
    changed = click.option(
        "--changed", is_flag=True, help="When the agent stops: check what it cites anew, in all documents."
    )
    claims = click.option(
        "--no-claims", is_flag=True, help="Do not ask for the run behind 'all tests pass' and the like."
    )
    settings = click.option(
        "--print-settings", is_flag=True, help="Print what to put into the client's settings, and end."
    )
    return changed(claims(settings(action)))


@command.command("claude", short_help="Check what Claude Code writes, as a hook of it.")
@_options
def claude(changed: bool, no_claims: bool, print_settings: bool) -> None:
    """Read the JSON of a Claude Code hook on standard input and answer in its protocol.

    Before Write, Edit and MultiEdit (PreToolUse) the text that would be written is checked, after them (PostToolUse)
    the file; of an edit only the lines it adds or changes count. When the agent stops (Stop) its last message is
    checked, and a claim such as "all tests pass" is asked for the captured run that shows it, once in a session;
    with --changed also the citations that are new since the last commit. When a session starts (SessionStart) two lines
    at most say which instruction files and memories are out of date. Nothing is written into the repository. Exit code:
    0 go on (what is worth knowing goes to standard output), 2 a citation is dead: standard error tells the agent why,
    1 the input could not be used, which blocks nothing.
    """
    _run("claude", changed, not no_claims, print_settings)


@command.command("codex", short_help="Check what Codex writes, as a hook of it.")
@_options
def codex(changed: bool, no_claims: bool, print_settings: bool) -> None:
    """Read the JSON of a Codex hook on standard input and answer in its protocol.

    The same as `pincite hook claude`, for the tool apply_patch and for patches and here-documents in shell commands.
    """
    _run("codex", changed, not no_claims, print_settings)


@command.command("gemini", short_help="Check what Gemini CLI writes, as a hook of it.")
@_options
def gemini(changed: bool, no_claims: bool, print_settings: bool) -> None:
    """Read the JSON of a Gemini CLI hook on standard input and answer in its protocol.

    Before write_file and replace (BeforeTool) a dead citation denies the call, after them (AfterTool) it is told; when
    the agent is done (AfterAgent) its answer is checked as `pincite hook claude` does. Standard output holds JSON and
    nothing else, and the exit code is 0 unless the input could not be used, which blocks nothing.
    """
    _run("gemini", changed, not no_claims, print_settings)


@command.command("cursor", short_help="Check what Cursor writes, as a hook of it.")
@_options
def cursor(changed: bool, no_claims: bool, print_settings: bool) -> None:
    """Read the JSON of a Cursor hook on standard input and answer in its protocol.

    Cursor lets no hook answer to an edit, and does not show its last message: when it stops, citations that are new
    since the last commit are checked, and a dead one is told as a follow-up message, once. Standard output holds JSON
    on every path, and the exit code is 0 unless the input could not be used, which blocks nothing.
    """
    _run("cursor", True, not no_claims, print_settings)


def _run(client: str, changed: bool, claims: bool, print_settings: bool) -> None:
    """Answer one call, or print the settings."""
    if print_settings:
        from ...domains.agents.settings import print_hooks

        click.echo(print_hooks(client, changed))
        return
    protocol = import_module(f".clients.{client}", __package__)
    try:
        call = protocol.read_call(read_object(_read_input()))
        code, out, err = protocol.write_answer(call, _answer(call, changed, claims))
    except Exception as error:
        # An error of our own must not look like an answer: a client would take a traceback for one.
        from ...safe.escape import escape_text

        click.echo(f"pincite: {escape_text(str(error) or type(error).__name__)}", err=True)
        code, out, err = 1, protocol.write_nothing(), ""
    if err:
        click.echo(err, err=True)
    if out:
        click.echo(out)
    sys.exit(code)


def _read_input() -> bytes:
    if sys.stdin is None:
        raise UsageError("standard input is closed; a hook reads its call from there")
    data = sys.stdin.buffer.read(_MOST_INPUT + 1)
    if len(data) > _MOST_INPUT:
        raise UsageError(f"standard input exceeds the limit of {_MOST_INPUT} bytes")
    return data


def _answer(call: HookCall, changed: bool, claims: bool) -> HookAnswer:
    if call.event is HookEvent.END:
        if call.again or not (changed or call.message):
            return GO_ON
        from .answer_end import answer_end

        with _open(call.cwd) as project:
            return answer_end(call, project, changed, claims)
    if call.event is HookEvent.START:
        from .answer_start import answer_start

        with _open(call.cwd) as project:
            return answer_start(project)
    if not call.changes:
        return GO_ON
    from .answer_edit import answer_edit

    with _open(call.cwd) as project:
        return answer_edit(call, project)


def _open(cwd: str) -> Project:
    from ...project.project import open_project

    if not os.path.isabs(cwd) or not os.path.isdir(cwd):
        raise UsageError(f"{cwd}: the hook's 'cwd' is no folder")
    return open_project(start=cwd)
