"""`pincite hook`."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from ...core.errors import Blocked, Missing, PinciteError, Refused, UsageError
from ...core.model import Outcome, Report, Severity
from ...engine.settings import merge_settings
from ...project.documents import excluder, is_evidence, is_foreign_source
from ...project.project import open_project
from ...safe.escape import escape_text, json_text
from ...safe.files import has_ending, is_generated
from ...text.lines import decode, format_count, split_lines
from .hook_call import STOPPING, WRITING, apply_replacements, changed_lines, read_call, written_lines
from .kit import complain, read_stdin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...project.config import Config
    from ...project.project import Project
    from ...report._problems import ReportedProblem
    from ...safe.files import Root
    from .hook_call import Call

    Block = tuple[ReportedProblem, ...]
    """All that is said about one citation."""
    Elsewhere = Callable[[ReportedProblem], list[str]]
    """What to say of a problem that no edit mends."""
_MOST_INPUT = 64 * 1024 * 1024
_BLOCK = 2
"""The exit code that blocks; every failure of our own ends with 1, which does not."""
_GO_ON = (0, "", "")
_DEAD = ("mismatch", "missing", "blocked", "malformed")
_WIDTH = 240
_MOST = 8
_MOST_LINES = 30
_MOST_DETAIL = 3
_PAST_END = ("line-out-of-range", "range-past-end")


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
    """Answer a coding agent's hook, so that a dead citation is caught as it is written."""


@command.command("claude", short_help="Check what Claude Code writes, as a hook of it.")
@click.option("--changed", is_flag=True, help="When the agent stops: check what it cites anew, in all documents.")
@click.option("--print-settings", is_flag=True, help="Print what to put into .claude/settings.json, and end.")
def claude(changed: bool, print_settings: bool) -> None:
    """Read the JSON of a Claude Code hook on standard input and answer in its protocol.

    Before Write, Edit and MultiEdit (PreToolUse) the text that would be written is checked, after them (PostToolUse)
    the file; of an edit only the lines it adds or changes count. When the agent stops (Stop) and --changed is given,
    citations that are new since the last commit are checked. Nothing is written. Exit code: 0 go on (what is worth
    knowing goes to standard output), 2 a citation is dead: standard error tells the agent why, 1 the input could not
    be used, which blocks nothing.
    """
    if print_settings:
        click.echo(_settings(changed))
        return
    try:
        code, text, notice = _answer(changed)
    except (PinciteError, OSError, MemoryError, RecursionError, ValueError) as error:
        complain(str(error) or type(error).__name__)
        sys.exit(1)
    if text:
        click.echo(text, err=True)
    if notice:
        click.echo(notice)
    sys.exit(code)


def _answer(changed: bool) -> tuple[int, str, str]:
    """The exit code, what the agent is shown, and what is printed for Claude Code."""
    call = read_call(read_stdin(_MOST_INPUT))
    if call.event in STOPPING:
        return _answer_stop(call) if changed and not call.again else _GO_ON
    if not call.path:
        return _GO_ON
    with _open(call.cwd) as project:
        key = _document(call, project)
        return _GO_ON if key is None else _answer_write(call, project, key)


def _open(cwd: str) -> Project:
    if not os.path.isabs(cwd) or not os.path.isdir(cwd):
        raise UsageError(f"{cwd}: the hook's 'cwd' is no folder")
    return open_project(start=cwd)


def _document(call: Call, project: Project) -> str | None:
    """The key of the document that is written; None for what pincite would not check."""
    top, config = project.root.path, project.config
    whole = os.path.normpath(os.path.join(call.cwd, call.path))
    whole = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
    if not has_ending(whole, config.endings) or not whole.startswith(top.rstrip("/") + "/"):
        return None
    key = whole[len(top.rstrip("/")) + 1 :]
    generated = any(is_generated(f"{part}/") for part in key.split("/")[:-1])
    return None if generated or is_foreign_source(key) or excluder(config.exclude)(key) else key


def _answer_write(call: Call, project: Project, key: str) -> tuple[int, str, str]:
    """The answer about a document that is written or edited."""
    after = call.event == "PostToolUse"
    root = project.root
    text = None if is_evidence(root, key) else _text(root, key, call)
    if text is None:
        return _GO_ON
    old, new, fresh = text
    config = merge_settings(project.config)
    report = _check_text(project, key, new)
    dead, worth = _sort_problems(report, fresh, config.strict)
    broke = old is not None and not dead and _is_unreadable(report)
    if broke and not _is_unreadable(_check_text(project, key, old or "")):
        # It cannot be parsed any more, though the place that shows it is not one that was edited.
        dead, _ = _sort_problems(report, None, config.strict)
    if dead:
        return _BLOCK, _give_reason(key, dead, after, _Namesakes(project)), ""
    return 0, "", _format_message(call.event, _give_hint(key, worth)) if worth else ""


def _text(root: Root, key: str, call: Call) -> tuple[str | None, str, frozenset[int] | None] | None:
    """The text before where it is known, the text after, and the lines that count; None where nothing is to be said."""
    limit = root.limits.document_bytes
    if call.content is not None and call.event == "PreToolUse":
        if len(call.content) > limit:
            raise UsageError(f"{key}: larger than {limit} bytes, which is the most that is checked")
        return None if _leads_out(root, key) else (None, call.content, None)
    try:
        there = decode(root.read(key, limit))
    except Missing:
        there = ""
    except Blocked:
        # A link that leads out of the root.
        return None
    if call.event == "PreToolUse":
        new = apply_replacements(there, call.edits)
        if new is None:
            return None
        return there, new, changed_lines(there.replace("\r\n", "\n"), new)
    if call.content is not None:
        return None, there, None
    if call.original is not None:
        return call.original, there, changed_lines(call.original, there)
    return None, there, written_lines(there, call.edits)


def _leads_out(root: Root, key: str) -> bool:
    """Whether a document is a link that leads out of the root: what is written there is none of ours."""
    try:
        root.locate(key)
    except Refused as error:
        return isinstance(error, Blocked)
    return False


def _check_text(project: Project, key: str, text: str) -> Report:
    """What `check` says of a text that goes by a name."""
    from ...engine.draft import check_draft

    return check_draft(project, text, key, every=False).report


def _is_unreadable(report: Report) -> bool:
    return any(defect.malformed.fatal for defect in report.malformed)


class _Namesakes:
    """Files that are called like one that is not there; the tree is listed once, and only if it is needed."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def __call__(self, problem: ReportedProblem) -> list[str]:
        if problem.check != "file-not-found" or problem.verdict is None:
            return []
        name = problem.verdict.citation.source.key.partition("::")[0].rpartition("/")[2]
        found = [path for path in self._known.get(name, [])[:_MOST] if self._project.root.is_file(path)][:3]
        return [f"files of that name: {', '.join(found)}"] if found else []

    @cached_property
    def _known(self) -> dict[str, list[str]]:
        """Every path that git knows, by the file's name."""
        known: dict[str, list[str]] = {}
        git = self._project.git()
        for path in git.list_documents(("",)) if git is not None else ():
            known.setdefault(path.rpartition("/")[2], []).append(path)
        return known


def _answer_stop(call: Call) -> tuple[int, str, str]:
    """The answer when the agent is done: what it cites anew has to be there."""
    from ...engine.affected import Effect, look, since_head

    with _open(call.cwd) as project:
        git = project.git()
        if git is None:
            return _GO_ON
        config = merge_settings(project.config)
        result = look(project.root, config, git, since_head(git))
        hides = _find_hiding_changes(project.root, config)
    dead = [item for item in result.items if item.effect is Effect.NEW and item.outcome in _DEAD and not item.ignored]
    if dead:
        lines = [f"pincite: since the last commit, {format_count(len(dead), 'new citation')} of what is not there."]
        for item in dead[:_MOST]:
            place, target = f"{item.document}:{item.line}", item.target or item.raw
            lines.append(f"- {escape_text(place, _WIDTH)}: {escape_text(target, _WIDTH)}")
            lines.append(f"  {escape_text(item.why, _WIDTH)}")
        if len(dead) > _MOST:
            lines.append(f"- and {len(dead) - _MOST:,} more")
        return _BLOCK, "\n".join([*lines, *hides, "Correct them; `pincite check` shows all that is known."]), ""
    stale = sum(item.needs_attention for item in result.items)
    notice = (
        f"pincite: the changes leave {format_count(stale, 'citation')} to look at again; `pincite affected` lists them"
    )
    said = "\n".join([*([notice] if stale else []), *hides])
    return 0, "", _format_message(call.event, said) if said else ""


def _find_hiding_changes(root: Root, config: Config) -> list[str]:
    """What the agent's changes since the last commit keep from being reported: one line, or none."""
    from ...engine.run import Request, Run
    from ...project.baseline_file import read_known
    from ...report._words import hiding

    try:
        names = read_known(root, config.baseline)
        run = Run(root, Request(config=config, base="HEAD", baseline=config.baseline, known=names, cache=False))
        for _ in run.reports():
            pass
    except PinciteError:
        return []
    said = hiding(run.summary)
    return [f"pincite: {said[:1].lower()}{said[1:]}"] if said else []


def _format_message(event: str, text: str) -> str:
    """What Claude Code gets to read while it goes on."""
    if event in ("PreToolUse", "PostToolUse"):
        return json_text({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})
    return json_text({"systemMessage": text})


def _settings(changed: bool) -> str:
    """The part of `.claude/settings.json` that installs the hook."""

    def handler(words: str) -> list[dict[str, object]]:
        return [{"type": "command", "command": words, "timeout": 60}]

    hooks: dict[str, object] = {"PreToolUse": [{"matcher": "|".join(WRITING), "hooks": handler("pincite hook claude")}]}
    if changed:
        hooks["Stop"] = [{"hooks": handler("pincite hook claude --changed")}]
    return json_text({"hooks": hooks}, indent=2)


def _sort_problems(report: Report, fresh: frozenset[int] | None, strict: bool) -> tuple[list[Block], list[Block]]:
    """What is wrong with the citations on these lines (all where None): what is dead, and what is worth telling."""
    from ...report._problems import blocks, is_unchecked

    bar = Severity.WARNING if strict else Severity.ERROR
    dead, worth = [], []
    for block in blocks(report):
        first = block[0]
        height = max(1, len(split_lines(first.raw)))
        if fresh is not None and fresh.isdisjoint(range(first.line, first.line + height)):
            continue
        # What is cited is not there, or is not what it is said to be; what could not be read is neither.
        if any(one.line and one.outcome >= Outcome.MISMATCH and one.severity >= bar for one in block):
            dead.append(block)
        elif not is_unchecked(first):
            worth.append(block)
    return dead, worth


def _give_reason(document: str, dead: Sequence[Block], written: bool, elsewhere: Elsewhere) -> str:
    """Why the agent has to write something else, in few lines."""
    verb = "cites" if written else "would cite"
    several = f" in {format_count(len(dead), 'place')}" if len(dead) > 1 else ""
    head = f"pincite: {escape_text(document, _WIDTH)} {verb} what is not there{several}."
    ending = "Correct the file" if written else "Nothing was written. Correct the text and write it again"
    end = (
        f"{ending}: cite lines that you have read, or make the claim without a citation.",
        "`pincite show PATH:LINES` prints what stands there; `pincite cite PATH:LINES` writes a citation that holds.",
    )
    return _fit_problems(head, dead, end, elsewhere)


def _give_hint(document: str, worth: Sequence[Block]) -> str:
    """What the agent may want to know though nothing is dead."""
    head = f"pincite: about the citations of {escape_text(document, _WIDTH)}:"
    return _fit_problems(head, worth, (), lambda problem: [])


def _fit_problems(head: str, found: Sequence[Block], end: tuple[str, ...], elsewhere: Elsewhere) -> str:
    """As many of the problems as fit; the others are counted."""
    lines = [head]
    for number, block in enumerate(found):
        item = _format_problems(block, elsewhere)
        left = len(found) - number
        if len(lines) + len(item) + len(end) + (left > 1) > _MOST_LINES:
            lines.append(f"- and {left:,} more; `pincite check` lists all once the file is written")
            break
        lines += item
    return "\n".join((*lines, *end))


def _format_problems(block: Block, elsewhere: Elsewhere) -> list[str]:
    from ...report._problems import detail_lines, format_citation, format_repair

    first = block[0]
    lines = [f"- line {first.line}: {escape_text(format_citation(first), _WIDTH)}" if first.line else "- the document"]
    for problem in block[:2]:
        lines.append(f"  {escape_text(problem.message, _WIDTH)} ({problem.check})")
        lines += [f"    {escape_text(line, _WIDTH)}" for line in detail_lines(problem)[:_MOST_DETAIL]]
        lines += _evidence(problem)
        if problem.edit is not None:
            lines.append(f"  write instead: {escape_text(format_repair(problem), _WIDTH)}")
    if not any(problem.edit is not None for problem in block):
        lines += [f"  {escape_text(line, _WIDTH)}" for line in elsewhere(first)]
    return lines


def _evidence(problem: ReportedProblem) -> list[str]:
    """What stands at the cited place, unless the detail shows it."""
    verdict = problem.verdict
    if verdict is None or problem.detail or problem.check in _PAST_END or not verdict.excerpt:
        return []
    line = next(filter(str.strip, verdict.excerpt), "")
    return [f"  there stands: {escape_text(line.strip(), _WIDTH)}"] if line else []
