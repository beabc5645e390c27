"""The answer when the agent is done: its last message, what that says of runs, what is new since the last commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import PinciteError
from ...engine.settings import merge_settings
from ...safe.escape import escape_text
from ...text.lines import format_count
from .call import GO_ON, HookAnswer
from .wording import MOST, WIDTH

if TYPE_CHECKING:
    from ...domains.capture.run_claims import RunClaim
    from ...project.config import Config
    from ...project.project import Project
    from ...safe.files import Root
    from .call import HookCall

_DEAD = ("mismatch", "missing", "blocked", "malformed")
_MOST_MESSAGE = 1024 * 1024
"""Characters of a message that are checked: no answer to a person is longer."""
_MOST_CLAIMS = 3
_ASKED = "hook-asked"
_MOST_ASKED = 64
"""Sessions that are remembered to have been asked for a run."""
_LARGEST_ASKED = _MOST_ASKED * 80


def answer_end(call: HookCall, project: Project, changed: bool, claims: bool) -> HookAnswer:
    """The answer when the agent is done; where it was already sent on once, it is let go."""
    if call.again:
        return GO_ON
    reasons = []
    if call.message:
        message = call.message[:_MOST_MESSAGE]
        reasons += [_describe_citations(project, message), _ask_for_run(call, project, message) if claims else ""]
    written = _answer_changes(project) if changed else GO_ON
    reason = "\n".join(part for part in (*reasons, written.reason) if part)
    return HookAnswer(reason, "" if reason else written.notice)


def _describe_citations(project: Project, message: str) -> str:
    """What is wrong with the citations of the last message; empty where none is dead."""
    from ...engine.draft import check_draft
    from .wording import Namesakes, describe_message, sort_problems

    report = check_draft(project, message, every=False).report
    dead, _ = sort_problems(report, None, merge_settings(project.config).strict)
    return describe_message(dead, Namesakes(project)) if dead else ""


def _ask_for_run(call: HookCall, project: Project, message: str) -> str:
    """The claims about runs that cite none, once in a session; empty where there is none."""
    from ...domains.capture.run_claims import find_run_claims

    claims = find_run_claims(message)
    if not claims or not _note_asked(project.root, call.session):
        return ""
    return "\n".join(["pincite: the last message says how a run ended and cites none.", *_list_runs(project, claims)])


def _note_asked(root: Root, session: str) -> bool:
    """Remember that a session was asked; False where it was before."""
    if not session:
        return True
    from hashlib import sha256

    from msgspec.msgpack import encode

    from ...store.cache_folder import load_kept, save_kept

    name = sha256(session.encode("utf-8", "replace")).hexdigest()[:32]
    known = load_kept(root, _ASKED, list[str], _LARGEST_ASKED) or []
    if name in known:
        return False
    save_kept(root, _ASKED, encode([*known, name][-_MOST_ASKED:]))
    return True


def _list_runs(project: Project, claims: list[RunClaim]) -> list[str]:
    from ...domains.capture.run_claims import find_run_evidence
    from ...store.captures import Captures

    try:
        captures = Captures.open(project.root)
    except PinciteError:
        captures = None
    lines, missing = [], False
    for claim in claims[:_MOST_CLAIMS]:
        evidence = None
        if captures is not None:
            try:
                evidence = find_run_evidence(captures, claim)
            except PinciteError:
                evidence = None
        lines.append(f'- "{escape_text(claim.words, WIDTH)}"')
        if evidence is None:
            lines.append("  no captured run shows it")
            missing = True
        else:
            verb = "shows it" if evidence.supports else "does not show it"
            lines.append(f"  {escape_text(evidence.run, WIDTH)}, {evidence.ending}, {verb}:")
            lines.append(f"    {evidence.citation}  {escape_text(evidence.line, WIDTH)}")
            missing = missing or not evidence.supports
    if captures is not None:
        captures.close()
    if missing:
        lines.append("`pincite run --cite 'passed|failed' -- COMMAND` keeps a run's output and prints its citation.")
    return lines


def _answer_changes(project: Project) -> HookAnswer:
    """What the documents cite anew since the last commit has to be there."""
    from ...engine.affected import Effect, look, since_head

    git = project.git()
    if git is None:
        return GO_ON
    config = merge_settings(project.config)
    result = look(project.root, config, git, since_head(git))
    hides = _find_hiding_changes(project.root, config)
    dead = [item for item in result.items if item.effect is Effect.NEW and item.outcome in _DEAD and not item.ignored]
    if dead:
        lines = [f"pincite: since the last commit, {format_count(len(dead), 'new citation')} of what is not there."]
        for item in dead[:MOST]:
            place, target = f"{item.document}:{item.line}", item.target or item.raw
            lines.append(f"- {escape_text(place, WIDTH)}: {escape_text(target, WIDTH)}")
            lines.append(f"  {escape_text(item.why, WIDTH)}")
        if len(dead) > MOST:
            lines.append(f"- and {len(dead) - MOST:,} more")
        return HookAnswer("\n".join([*lines, *hides, "Correct them; `pincite check` shows all that is known."]))
    stale = sum(item.needs_attention for item in result.items)
    notice = (
        f"pincite: the changes leave {format_count(stale, 'citation')} to look at again; `pincite affected` lists them"
    )
    return HookAnswer(notice="\n".join([*([notice] if stale else []), *hides]))


def _find_hiding_changes(root: Root, config: Config) -> list[str]:
    """What the agent's changes since the last commit keep from being reported: one line, or none."""
    from ...engine.run import Request, Run
    from ...project.baseline_file import read_known
    from ...report._words import hiding

    try:
        names = read_known(root, config.baseline)
        run = Run(root, Request(config=config, base="HEAD", baseline=config.baseline, known=names))
        for _ in run.reports():
            pass
    except PinciteError:
        return []
    said = hiding(run.summary)
    return [f"pincite: {said[:1].lower()}{said[1:]}"] if said else []
