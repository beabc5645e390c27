"""What a change is compared with: a commit's files, settings and baseline; and what the change hides.

A change that excludes its own documents, ignores its own findings or adds them to the baseline passes a check. That may
be meant, and is never silent.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..core.errors import PinciteError, Refused
from ..core.limits import LIMITS
from ..core.model import Hidden
from ..project.config import POLICIES, Config, load_config, parse_settings
from ..project.documents import excluder, find_documents, is_evidence
from ..safe.child import ChildFailed
from ..safe.files import has_ending
from ..safe.git_tree import GitTree
from ..store import LOCK
from ..text.document import Document
from ..text.ignore_comments import OPENER, ignores, is_silenced
from ..text.lines import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.model import Report
    from ..safe.files import Root
    from ..safe.git import Git

_NAME = re.compile(rb"^[ \t]*([0-9a-f]{16})[ \t]*(?:#.*)?$", re.MULTILINE)
_MALFORMED = "malformed-citation"


class Base:
    """One commit, and the change from it to what is checked now."""

    def __init__(
        self, root: Root, git: Git, revision: str, config: Config, baseline: str, known: frozenset[str]
    ) -> None:
        """`baseline` is the key of the baseline in force, empty for none or one that lies elsewhere."""
        self._root = root
        self._git = git
        self.tree = GitTree(git, git.commit_named(revision))
        self._now = config
        then = _settings_at(git, self.tree.commit)
        self._then = Config() if then is None else then
        """The settings before the change; the usual ones where they could not be read."""
        self.hidden = Hidden(revision)
        self._written = _settings_now(root) or config
        before = _fields(self._then)
        changed = [name for name, value in _fields(self._written).items() if value != before[name]]
        if then is None:
            changed = ["all"]
        changed += self._rules_gone(root)
        self.hidden.settings = tuple(name.replace("_", "-") for name in changed)
        was = self._baseline_before(baseline)
        self.hidden.baselined = len(known - was) if baseline else 0
        from .lock_changes import LockChanges

        self.hidden.locked = LockChanges(root, self.tree, config).find()
        self.altered = bool(changed) or bool(was - known)
        """Whether everything counts as affected: settings changed, or the baseline lost what it knew."""

    @property
    def strict(self) -> bool:
        """Whether warnings failed before the change."""
        return self._then.strict

    def _rules_gone(self, root: Root) -> list[str]:
        """What else decides what is reported and is another, or gone: policies, and a lock that is no more."""
        limit = root.limits.document_bytes
        found = []
        for key in POLICIES:
            now = root.read(key, limit) if root.is_file(key) else None
            if now != self.tree.get(key, limit):
                found.append(key)
        if self.tree.get(LOCK, root.limits.lock_bytes) is not None and not root.is_file(LOCK):
            found.append(LOCK)
        return found

    def _baseline_before(self, baseline: str) -> frozenset[str]:
        data = self.tree.get(baseline or self._then.baseline or ".", self._root.limits.document_bytes)
        return frozenset(name.decode() for name in _NAME.findall(data or b""))

    def count_excluded(self, keys: Sequence[str], listed: Sequence[str]) -> None:
        """Note the documents that are there, were checked before the change or would have been, and are not now."""
        then, root = self._then, self._root
        known = set(listed)
        lost: set[str] = set()
        if (then.documents, then.exclude) != (self._written.documents, self._written.exclude):
            folders = [key for key in keys if not root.is_file(key)]
            if folders or not keys:
                found = find_documents(root, self._git, folders, then.documents, then.exclude)
                lost.update(found.documents)
        excluded = excluder(then.exclude)
        below = tuple(f"{key}/" if key else "" for key in keys) or ("",)
        checked = [
            path
            for path in self.tree.entries
            if has_ending(path, then.documents)
            and path.startswith(below)
            and not excluded(path)
            and not is_evidence(root, path)
        ]
        gone = {path for path in checked if not os.path.lexists(os.path.join(root.path, path))}
        lost.update(path for path in checked if path not in gone)
        if gone:
            # A document that is called `d.html` now is still there, and may be no document any more.
            lost.update(new for old, new in self._find_renames().items() if old in gone)
        self.hidden.documents = tuple(sorted(path for path in lost - known if root.is_file(path)))

    def _find_renames(self) -> dict[str, str]:
        try:
            return self._git.renames(self.tree.commit)
        except ChildFailed:
            # A partial clone has no contents to compare.
            return {}

    def count_ignored(self, report: Report) -> None:
        """Note the findings of a document that comments or settings silence which were not there before the change."""
        quiet: dict[int, frozenset[str]] = {}
        fresh: set[int] = set()
        if report.ignored:
            quiet, fresh = self._fresh_comments(report.document)
        by_comment = 0
        for verdict in report.verdicts:
            for finding in verdict.silenced:
                if is_silenced(quiet, verdict.line, finding.check):
                    by_comment += 1
                    self.hidden.ignored += verdict.line in fresh
                else:
                    self.hidden.ignored += self._was_reported(finding.check)
        # Malformed ones that a comment silences are counted and not kept.
        rest = report.ignored - by_comment
        if rest > 0 and any(is_silenced(quiet, line, _MALFORMED) for line in fresh):
            self.hidden.ignored += rest

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
            was = self.tree.get(path, limit)
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
        return Document(path, decode(data), self._now.in_code, self._now.memories, self._root.path)


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


def _settings_at(git: Git, commit: str) -> Config | None:
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
