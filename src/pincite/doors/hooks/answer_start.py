"""The answer when a session starts: at most two lines about instruction files and memories that are out of date.

A session must not wait for it. What was found is kept with the marks of every file that it rests on; without such an
answer the work is bounded, and where it takes too long nothing is said until one of the files changes.
"""

from __future__ import annotations

from time import time_ns
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.msgpack import encode
from msgspec.structs import replace

from ..._version import __version__
from ...core.errors import PinciteError
from ...core.model import Outcome, Severity
from ...engine.settings import merge_settings
from ...safe.escape import escape_text
from ...store.cache_folder import load_kept, save_kept
from ...store.watched_files import note_marks, retake_marks
from ...text.instruction_files import is_instruction_file, is_skill
from ...text.lines import format_count
from .call import GO_ON, HookAnswer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...core.model import Report
    from ...project.project import Project
    from ...report._problems import ReportedProblem

_PATIENCE = 1.0
"""Seconds that a session may wait where no kept answer stands."""
_MOST_FILES = 24
_MOST_MEMORIES = 60
_MOST_WATCHED = 2000
_KEPT = "hook-start"
_LARGEST_KEPT = 1024 * 1024
_FOLDERS = ("", ".github", ".github/instructions", ".cursor/rules", ".claude", ".claude/rules", ".claude/commands")
"""Where instruction files are looked for: the whole tree would have to be listed otherwise."""
_SHOWN = 120


class _KeptStart(Struct, array_like=True, frozen=True):
    version: str
    watched: list[str]
    marks: list[int]
    lines: list[str]


def answer_start(project: Project) -> HookAnswer:
    """What is out of date, in two lines at most; nothing where all holds, or that is not known in time."""
    top = project.root.path
    kept = load_kept(project.root, _KEPT, _KeptStart, _LARGEST_KEPT)
    if kept is not None and kept.version == __version__ and retake_marks(top, kept.watched, kept.marks) == kept.marks:
        return _say(kept.lines)
    started = time_ns()
    instructions, memories = _list_instructions(project), _list_memories(project)
    watched = dict.fromkeys((*_FOLDERS, project.config.memories, "pincite.toml", "pyproject.toml", ".git/logs/HEAD"))
    watched.update(dict.fromkeys((*instructions, *memories, *project.root.names(""))))
    lines: list[str] = []
    if instructions or memories:
        from ...safe.deadline import deadline

        try:
            with deadline(_PATIENCE):
                lines = _check(project, instructions, memories, watched)
        except TimeoutError:
            lines = []
    names = [name or "." for name in watched][:_MOST_WATCHED]
    save_kept(project.root, _KEPT, encode(_KeptStart(__version__, names, note_marks(top, names, started), lines)))
    return _say(lines)


def _say(lines: Sequence[str]) -> HookAnswer:
    return HookAnswer(notice="\n".join(lines[:2])) if lines else GO_ON


def _list_instructions(project: Project) -> list[str]:
    """The files in the usual places that tell an agent how to work here."""
    found = []
    for folder in _FOLDERS:
        try:
            names = project.root.names(folder)
        except (PinciteError, OSError):
            continue
        for name in sorted(names):
            key = f"{folder}/{name}" if folder else name
            if is_instruction_file(key) and not is_skill(key) and project.root.is_file(key):
                found.append(key)
    return found[:_MOST_FILES]


def _list_memories(project: Project) -> list[str]:
    from ...domains.memory.load import list_keys

    try:
        return list_keys(project.root, project.config.memories)[:_MOST_MEMORIES]
    except (PinciteError, OSError):
        return []


def _check(project: Project, instructions: list[str], memories: list[str], watched: dict[str, None]) -> list[str]:
    from ...engine.citing_index import list_references
    from ...engine.run import Request, Run

    # History would tell where something moved to; that something is not there is known without it.
    config = replace(merge_settings(project.config), drift=False)
    run = Run(project.root, Request(paths=(*instructions, *memories), config=config, every=True))
    stale: dict[str, list[ReportedProblem]] = {}
    for report in run.reports():
        watched.update(dict.fromkeys(reference.path for reference in list_references(report)))
        found = _find_stale(report)
        if found:
            stale[report.document] = found
    lines = [_describe({key: found for key, found in stale.items() if key not in memories})]
    lines.append(_describe({key: found for key, found in stale.items() if key in memories}, len(memories)))
    return [line for line in lines if line]


def _find_stale(report: Report) -> list[ReportedProblem]:
    from ...report._problems import problems

    return [
        one
        for one in problems(report)
        if one.line and one.outcome >= Outcome.MISMATCH and one.severity >= Severity.WARNING
    ]


def _describe(stale: dict[str, list[ReportedProblem]], of: int = 0) -> str:
    """The first thing that is out of date, and how many more there are; empty where there is none."""
    from ...report._problems import format_citation

    if not stale:
        return ""
    key, found = next(iter(stale.items()))
    first, count = found[0], sum(map(len, stale.values()))
    cited = escape_text(format_citation(first), _SHOWN)
    message = escape_text(first.message, _SHOWN).rstrip(".")
    verb = "names" if first.check in ("target-not-found", "path-not-found") else "cites"
    head = f"pincite: {len(stale)} of {format_count(of, 'memory', 'memories')} out of date; " if of else "pincite: "
    line = f"{head}{escape_text(key, _SHOWN)}:{first.line} {verb} `{cited}`; {message[:1].lower()}{message[1:]}"
    return f"{line}; {count - 1:,} more, which `pincite check` lists." if count > 1 else f"{line}."
