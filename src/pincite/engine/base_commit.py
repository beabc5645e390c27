"""What a change is compared with: a commit's files, settings and baseline; and what the change hides.

A change that excludes its own documents, ignores its own findings or adds them to the baseline passes a check. That may
be meant, and is never silent.
"""

import os
import re
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from ..core.errors import PinciteError, Refused, UsageError
from ..core.limits import LIMITS
from ..core.model import HiddenFindings, Report, Summary
from ..project.config import POLICIES, Config, load_config, parse_settings
from ..project.documents import excluder, find_documents, is_evidence, is_foreign_source
from ..safe.child import ChildFailed
from ..safe.files import Root, has_ending
from ..safe.git import Git
from ..safe.git_tree import GitTree
from ..store import ACCEPTED, LOCK
from ..text.document import Document
from ..text.ignore_comments import OPENER, ignores, is_silenced
from ..text.lines import decode
from ..text.source_comments import find_family
from .run import Request

_NAME = re.compile(rb"^[ \t]*([0-9a-f]{16})[ \t]*(?:#.*)?$", re.MULTILINE)
_MALFORMED = "malformed-citation"


class CommitComparison:
    """The commit that a request names, and the change from it to what is checked now."""

    def __init__(self, root: Root, git: Git | None, request: Request) -> None:
        if git is None:
            option = "--since" if request.since else "--base"
            raise UsageError(f"{option} needs a git repository; run it inside one or leave the option out")
        self._root = root
        self._git = git
        self._request = request
        revision = request.since or request.base
        self._tree = GitTree(git, git.commit_named(revision))
        then = read_settings_at(git, self._tree.commit)
        self._then = Config() if then is None else then
        """The settings before the change; the usual ones where they could not be read."""
        self._hidden = HiddenFindings(revision)
        self._written = _settings_now(root) or request.config
        before = _fields(self._then)
        changed = [name for name, value in _fields(self._written).items() if value != before[name]]
        if then is None:
            changed = ["all"]
        changed += self._rules_gone()
        self._hidden.settings = tuple(name.replace("_", "-") for name in changed)
        was = self._baseline_before(request.baseline)
        self._hidden.baselined = len(request.known - was) if request.baseline else 0
        from .lock_changes import LockChanges

        self._hidden.locked = LockChanges(root, self._tree, request.config).find()
        accepted = self._compare_acceptances()
        self._affected = None
        if request.since:
            from .since import AffectedSince

            # Where settings changed, or the baseline or a reader took something back, everything counts as affected.
            altered = bool(changed) or bool(was - request.known) or accepted
            self._affected = AffectedSince(root, git, request.config, self._tree, altered)

    def part(self, report: Report) -> Report:
        """What is left of a report."""
        self._count_ignored(report)
        return report if self._affected is None else self._affected.part(report, self._request.every)

    def conclude(self, summary: Summary, listed: Sequence[str]) -> None:
        """Say what the change keeps from being reported; where warnings fail the run, or did before it, that does."""
        if self._request.stdin is None:
            self._count_excluded(self._request.paths, listed)
        summary.hidden = self._hidden
        if self._hidden and (self._request.strict or self._then.strict):
            self._hidden.fails = True
            summary.exit_code = max(summary.exit_code, 1)

    def _rules_gone(self) -> list[str]:
        """What else decides what is reported and is another, or gone: policies, and a lock that is no more."""
        root, limit = self._root, self._root.limits.document_bytes
        found = []
        for key in POLICIES:
            now = root.read(key, limit) if root.is_file(key) else None
            if now != self._tree.get(key, limit):
                found.append(key)
        if self._tree.get(LOCK, root.limits.lock_bytes) is not None and not root.is_file(LOCK):
            found.append(LOCK)
        return found

    def _baseline_before(self, baseline: str) -> frozenset[str]:
        data = self._tree.get(baseline or self._then.baseline or ".", self._root.limits.document_bytes)
        return frozenset(name.decode() for name in _NAME.findall(data or b""))

    def _compare_acceptances(self) -> bool:
        """Count the acceptances that the change adds; whether it takes one back."""
        limit, texts = self._root.limits.lock_bytes, []
        for side in (self._tree, self._root):
            try:
                texts.append(side.read(ACCEPTED, limit))
            except Refused:
                texts.append(b"")
        if texts[0] == texts[1]:
            return False
        from ..store.accepted_file import parse_leniently

        was, now = map(parse_leniently, texts)
        self._hidden.accepted = len(now - was)
        return bool(was - now)

    def _count_excluded(self, keys: Sequence[str], listed: Sequence[str]) -> None:
        """Note the documents that are there, were checked before the change or would have been, and are not now."""
        then, root = self._then, self._root
        known = set(listed)
        lost: set[str] = set()
        if (then.endings, then.exclude) != (self._written.endings, self._written.exclude):
            folders = [key for key in keys if not root.is_file(key)]
            if folders or not keys:
                found = find_documents(root, self._git, folders, then.endings, then.exclude)
                lost.update(found.documents)
        excluded = excluder(then.exclude)
        below = tuple(f"{key}/" if key else "" for key in keys) or ("",)
        checked = [
            path
            for path in self._tree.entries
            if has_ending(path, then.endings)
            and path.startswith(below)
            and not excluded(path)
            and not is_foreign_source(path)
            and not is_evidence(root, path)
        ]
        gone = {path for path in checked if not os.path.lexists(os.path.join(root.path, path))}
        lost.update(path for path in checked if path not in gone)
        if gone:
            # A document that is called `d.html` now is still there, and may be no document any more.
            moved = {new: old for old, new in self._find_renames().items() if old in gone}
            lost.update(moved)
            # Of a document that became source code, only comments are read any more.
            known -= {new for new, old in moved.items() if find_family(new) and not find_family(old)}
        self._hidden.documents = tuple(sorted(path for path in lost - known if root.is_file(path)))

    def _find_renames(self) -> dict[str, str]:
        try:
            return self._git.renames(self._tree.commit)
        except ChildFailed:
            # A partial clone has no contents to compare.
            return {}

    def _count_ignored(self, report: Report) -> None:
        """Note the findings of a document that comments or settings silence which were not there before the change."""
        quiet: dict[int, frozenset[str]] = {}
        fresh: set[int] = set()
        if report.ignored:
            quiet, fresh = self._fresh_comments(report.document)
        findings = ((verdict.line, finding) for verdict in report.verdicts for finding in verdict.silenced)
        silenced = [(line, finding.check) for line, finding in findings if not finding.accepted]
        silenced += [(defect.line, _MALFORMED) for defect in report.silenced]
        for line, check in silenced:
            by_comment = is_silenced(quiet, line, check)
            self._hidden.ignored += line in fresh if by_comment else self._was_reported(check)

    def _was_reported(self, check: str) -> bool:
        """Whether the settings before the change let a check be reported, which they do not now unless it was typed."""
        then, written = self._then, self._written
        was = check not in then.ignore and (not then.select or check in then.select)
        now = check not in written.ignore and (not written.select or check in written.select)
        return was and not now

    def _fresh_comments(self, path: str) -> tuple[dict[int, frozenset[str]], set[int]]:
        """The silenced lines of a document, and those that were not silenced in the same words before."""
        limit = self._root.limits.document_bytes
        try:
            data = self._root.read(path, limit)
            if OPENER not in data:
                return {}, set()
            document = self._document(path, data)
            quiet = ignores(document)
        except Refused:
            return {}, set()
        before: Counter[tuple[str, frozenset[str]]] = Counter()
        try:
            was = self._tree.get(path, limit)
            if was is not None:
                old = self._document(path, was)
                before.update((_line(old, line), checks) for line, checks in ignores(old).items())
        except Refused:
            before.clear()
        fresh = set()
        for line, checks in quiet.items():
            if before[_line(document, line), checks] > 0:
                before[_line(document, line), checks] -= 1
            else:
                fresh.add(line)
        return quiet, fresh

    def _document(self, path: str, data: bytes) -> Document:
        return Document(
            path, decode(data), self._request.config.in_code, self._request.config.memories, self._root.path
        )


def _line(document: Document, number: int) -> str:
    return document.line_of(document.starts[number - 1]).strip()


def _fields(config: Config) -> dict[str, object]:
    """The settings that decide what is checked and reported."""
    bare = Config()
    config = replace(config, capture=bare.capture, retrieval=bare.retrieval, research=bare.research)
    return {name: getattr(config, name) for name in config.__struct_fields__}


def _settings_now(root: Root) -> Config | None:
    """The settings as they are written now, without what was typed; None where they cannot be read."""
    try:
        return load_config(root.path)[0]
    except PinciteError:
        return None


def read_settings_at(git: Git, commit: str) -> Config | None:
    """The settings that a check at a commit would have found; None where they cannot be read."""
    folder = git.prefix
    while True:
        for name in ("pincite.toml", "pyproject.toml"):
            data = git.objects().blob(f"{commit}:{folder}{name}", LIMITS.config_bytes)
            try:
                config = None if data is None else parse_settings(decode(data), name, f"{commit[:7]}:{folder}{name}")
            except PinciteError:
                return None
            if config is not None:
                return config
        if not folder:
            return Config()
        folder = folder[:-1].rpartition("/")[0]
        folder = f"{folder}/" if folder else ""
