"""The answer about files that are written or edited: only the lines that are new or changed count."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...core.errors import Blocked, Missing, Refused, UsageError
from ...engine.settings import merge_settings
from ...project.documents import excluder, is_evidence, is_foreign_source
from ...safe.files import has_ending, is_generated
from ...text.lines import decode
from .call import GO_ON, HookAnswer, HookEvent
from .edited_text import apply_hunks, apply_replacements, changed_lines, find_added_lines, written_lines

if TYPE_CHECKING:
    from ...core.model import Report
    from ...project.project import Project
    from ...safe.files import Root
    from .call import EditedFile, HookCall

    Texts = tuple[str | None, str, frozenset[int] | None]
    """The text before where it is known, the text after, and the lines that count (all where None)."""


def answer_edit(call: HookCall, project: Project) -> HookAnswer:
    """The answer about all files of a call, those with dead citations first."""
    reasons, notices = [], []
    for change in call.changes:
        key = find_document(call, change, project)
        answer = GO_ON if key is None else _answer_change(call, change, project, key)
        reasons += [answer.reason] if answer.reason else []
        notices += [answer.notice] if answer.notice else []
    return HookAnswer("\n".join(reasons), "" if reasons else "\n".join(notices))


def find_document(call: HookCall, change: EditedFile, project: Project) -> str | None:
    """The key of the document that is written; None for what pincite would not check."""
    top, config = project.root.path, project.config
    whole = os.path.normpath(os.path.join(call.cwd, change.moved_to or change.path))
    whole = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
    if not has_ending(whole, config.endings) or not whole.startswith(top.rstrip("/") + "/"):
        return None
    key = whole[len(top.rstrip("/")) + 1 :]
    generated = any(is_generated(f"{part}/") for part in key.split("/")[:-1])
    return None if generated or is_foreign_source(key) or excluder(config.exclude)(key) else key


def _answer_change(call: HookCall, change: EditedFile, project: Project, key: str) -> HookAnswer:
    root = project.root
    if is_evidence(root, key):
        return GO_ON
    texts = _find_texts(root, key, call, change)
    if texts is None:
        return GO_ON
    from .wording import Namesakes, give_hint, give_reason, sort_problems

    old, new, fresh = texts
    config = merge_settings(project.config)
    report = _check_text(project, key, new)
    dead, worth = sort_problems(report, fresh, config.strict)
    broke = old is not None and not dead and _is_unreadable(report)
    if broke and not _is_unreadable(_check_text(project, key, old or "")):
        # It cannot be parsed any more, though the place that shows it is not one that was edited.
        dead, _ = sort_problems(report, None, config.strict)
    if dead:
        return HookAnswer(give_reason(key, dead, call.event is HookEvent.AFTER, Namesakes(project)))
    return HookAnswer(notice=give_hint(key, worth)) if worth else GO_ON


def _find_texts(root: Root, key: str, call: HookCall, change: EditedFile) -> Texts | None:
    """The text before and after, and the lines that count; None where nothing is to be said."""
    limit, before = root.limits.document_bytes, call.event is HookEvent.BEFORE
    if change.content is not None and before:
        if len(change.content) > limit:
            raise UsageError(f"{key}: larger than {limit} bytes, which is the most that is checked")
        return None if _leads_out(root, key) else (None, change.content, None)
    there = _read_text(root, _find_source(root, key, call, change), limit)
    if there is None:
        return None
    if before:
        return _apply_change(there, change)
    if change.content is not None:
        return None, there, None
    if change.original is not None:
        return change.original, there, changed_lines(change.original, there)
    return None, there, _find_written_lines(there, change)


def _find_source(root: Root, key: str, call: HookCall, change: EditedFile) -> str:
    """The key of the file that a patch reads: another one where it moves the file and has not done so yet."""
    if not change.moved_to or call.event is not HookEvent.BEFORE:
        return key
    whole = os.path.normpath(os.path.join(call.cwd, change.path))
    return os.path.relpath(whole, root.path)


def _read_text(root: Root, key: str, limit: int) -> str | None:
    """What a file holds, nothing where there is none; None for a link that leads out of the root."""
    try:
        return decode(root.read(key, limit))
    except Missing:
        return ""
    except Blocked:
        return None


def _apply_change(there: str, change: EditedFile) -> Texts | None:
    """The texts of an edit that is not made yet."""
    if change.appended:
        new: str | None = there + change.appended
    elif change.hunks:
        new = apply_hunks(there, change.hunks)
    else:
        new = apply_replacements(there, change.edits)
    if new is None:
        return None
    return there, new, changed_lines(there.replace("\r\n", "\n"), new)


def _find_written_lines(there: str, change: EditedFile) -> frozenset[int]:
    """The lines of a file that an edit wrote into it."""
    if change.hunks:
        return find_added_lines(there, change.hunks)
    if change.appended:
        old = there.removesuffix(change.appended)
        return changed_lines(old, there)
    return written_lines(there, change.edits)


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
