"""What a change could have affected: the part of a report that is left with `--since`.

What a citation rests on decides, not how it is written: every path that was looked at for it is looked up in the work
tree and in the commit to compare with, links and dots resolved on both sides. Where both lead to the same bytes, the
answer was the same then. Whatever cannot be compared (files that git ignores, submodules, branches, the store) counts
as affected.
"""

import re
from functools import cached_property

from msgspec.structs import replace

from ..core.errors import Missing, Refused, UsageError
from ..core.model import CURRENT_REVISIONS, Report, Verdict
from ..project.config import POLICIES, Config
from ..safe.files import Root
from ..safe.git import Git
from ..safe.git_tree import UNKNOWN, GitTree, ignored_paths, logged_between, look_up
from ..sources import BIBLIOGRAPHIES, CORPUS
from ..store import KEY, LOCK
from ..store.bundle import MANIFEST
from ..store.lock_file import Locks
from ..text.lines import join

_PINNED = re.compile(r"[0-9a-f]{7,64}\Z")
_ATTRIBUTES = ".gitattributes"
_IGNORES = ".gitignore"


class AffectedSince:
    """Tells which citations a change since a commit could have affected."""

    def __init__(self, root: Root, git: Git, config: Config, tree: GitTree, altered: bool) -> None:
        """With `altered`, settings or the baseline changed such that everything counts."""
        self._root = root
        self._git = git
        self._tree = tree
        # A change that was undone is history all the same, and one that was staged is about to be.
        self._touched = git.list_changed_paths(tree.commit, staged=True)
        head = git.head()
        if head is not None:
            self._touched |= logged_between(git, tree.commit, head)
        self._same: dict[str, bool] = {}
        self._ignores: bool | None = None
        self._locks: tuple[Locks | None, Locks | None] | None = None
        if not self._is_same(LOCK):
            self._locks = self._read_locks()
        folder = self._corpus_folder(config)
        self._everything = altered or self._rules_changed(config, folder)
        self._lists = not self._everything and self._lists_changed(folder)

    def part(self, report: Report, every: bool) -> Report:
        """The report without the citations that the change could not have affected."""
        path = report.document
        own = self._everything or not self._are_same([path]) or self._is_relocked(path)
        kept = report.verdicts
        if not own:
            self._look_up({key for verdict in report.verdicts for key in verdict.rests_on})
            kept = tuple(verdict for verdict in report.verdicts if self._concerns(verdict))
        held = sum(not (verdict.findings or verdict.silenced) for verdict in kept)
        if not every:
            kept = tuple(verdict for verdict in kept if verdict.findings or verdict.silenced)
        return replace(report, verdicts=kept, held=held, malformed=report.malformed if own else ())

    def _concerns(self, verdict: Verdict) -> bool:
        """Whether anything that a verdict rests on may be another than it was."""
        citation, keys = verdict.citation, verdict.rests_on
        scheme, key = citation.source.scheme, citation.source.key
        if self._locks is not None and citation.tentative:
            # What was locked once is known to have been a file.
            return True
        if scheme == "permalink" and self._may_move(key):
            return True
        if scheme == "bibliography" and self._lists:
            return True
        if scheme == "chunk" and self._bundles_changed:
            return True
        if scheme == "section" or citation.by_end:
            # A name stands for the one file that has it; that all folders were looked through for it says no more.
            written = [one.rpartition("/")[2] for one in (key, citation.alternate) if one]
            if KEY in keys and any(self._is_another(name) for name in written):
                return True
            keys = tuple(one for one in keys if one != KEY and look_up(self._root, one)[0] != "folder")
        elif scheme != "chunk":
            # The store matters to output alone; elsewhere it stands for all names, and those that led on are keys.
            keys = tuple(one for one in keys if one != KEY)
        # Of all names in the folder of the papers only those of its id matter to a paper, unless others were read.
        narrow = key if scheme == "ref" and citation.quote is None else ""
        return not all(self._stands(one, narrow) for one in keys)

    def _stands(self, key: str, narrow: str) -> bool:
        if key.startswith("/"):
            # Git's own files are no content of a commit; what matters of them is asked for above.
            return True
        kind, place = look_up(self._root, key)
        if kind == "folder":
            both = (self._root.names(place), self._tree.names(key))
            chosen = [{name for name in some if name.startswith(narrow)} for some in both]
            return look_up(self._tree, key)[0] == "folder" and chosen[0] == chosen[1]
        return self._is_same(key)

    def _are_same(self, keys: list[str]) -> bool:
        self._look_up(set(keys))
        return all(self._is_same(key) for key in keys)

    def _look_up(self, keys: set[str]) -> None:
        """Ask git once about all paths that are missing: a file that it ignores may have been there."""
        missing = []
        for key in keys - self._same.keys():
            if not key.startswith("/"):
                kind, same = self._compare(key)
                self._same[key] = same
                if same and kind == Missing.kind:
                    missing.append(key)
        meant = {key: {join("", key), *(place for place, _ in self._root.trace(key)[-1:])} for key in missing}
        if meant and self._ignores_changed():
            # What git ignores now says nothing of what it ignored then: any of them may have been there.
            self._same.update(dict.fromkeys(meant, False))
            return
        hidden = ignored_paths(self._git, sorted(set().union(*meant.values()))) if meant else set()
        for key, paths in meant.items():
            self._same[key] = paths.isdisjoint(hidden)

    def _ignores_changed(self) -> bool:
        if self._ignores is None:
            # Asked about a file that is missing on one side, this would be asked again.
            self._ignores = False
            self._ignores = self._is_another(_IGNORES)
        return self._ignores

    def _is_same(self, key: str) -> bool:
        """Whether a path leads to the same bytes now as in the commit, or to nothing on both sides."""
        if key not in self._same:
            self._look_up({key})
        return self._same[key]

    def _compare(self, key: str) -> tuple[str, bool]:
        kind, place = look_up(self._root, key)
        was, before = look_up(self._tree, key)
        if kind != was or was == UNKNOWN or {key, join("", key), place} & self._touched:
            return kind, False
        if kind != "file":
            return kind, True
        try:
            # Bytes are compared, not what git's index says of them: it may be set to ignore changes.
            return kind, self._tree.digest(self._root.read(place)) == self._tree.files[before]
        except Refused:
            return kind, False

    def _may_move(self, key: str) -> bool:
        """Whether a permalink names a branch or a tag: they may be elsewhere now."""
        revision = key.partition("@")[2].partition(":")[0]
        if revision in CURRENT_REVISIONS:
            return False
        if _PINNED.match(revision) is None:
            return True
        commit = self._git.resolve_commit(revision)
        return commit is not None and not commit.startswith(revision)

    def _is_another(self, name: str) -> bool:
        """Whether a file's name stands for other files, or other bytes, than it did."""
        now = {path for path in self._names.get(name, ()) if self._root.is_file(path)}
        was = {path for path in self._tree.entries if path.rpartition("/")[2] == name}
        return now != was or not self._are_same(sorted(now))

    @cached_property
    def _names(self) -> dict[str, set[str]]:
        """The paths of the files of each name."""
        found: dict[str, set[str]] = {}
        for path in self._git.list_documents(("",)):
            found.setdefault(path.rpartition("/")[2], set()).add(path)
        return found

    @cached_property
    def _bundles_changed(self) -> bool:
        """Whether there are other bundles than there were."""
        return self._is_another(MANIFEST)

    def _corpus_folder(self, config: Config) -> str:
        if config.corpus.path:
            return config.corpus.path.strip("/")
        from ..project.policy import get_policy

        try:
            return get_policy(self._root, config.corpus.policy).corpus_path.strip("/")
        except UsageError:
            return CORPUS

    def _rules_changed(self, config: Config, folder: str) -> bool:
        """Whether a policy, the corpus as a whole, or how git writes files came, went, or is another."""
        if not self._are_same([key for key in (*POLICIES, config.corpus.policy) if key]):
            return True
        if any(look_up(self._root, key)[0] != look_up(self._tree, key)[0] for key in {CORPUS, folder} if key):
            return True
        return self._is_another(_ATTRIBUTES)

    def _lists_changed(self, folder: str) -> bool:
        """Whether there are other bibliographies in the corpus folder; those that are there are compared one by one."""
        was, now = self._tree.names(folder), self._root.names(folder)
        lists = [{name for name in some if name.lower().endswith(BIBLIOGRAPHIES)} for some in (was, now)]
        return lists[0] != lists[1]

    def _read_locks(self) -> tuple[Locks | None, Locks | None]:
        data = self._tree.get(LOCK, self._root.limits.lock_bytes)
        try:
            return Locks(data) if data is not None else None, Locks.load(self._root)
        except UsageError:
            return None, None

    def _is_relocked(self, path: str) -> bool:
        """Whether the lock says something else of a document than it did."""
        if self._locks is None:
            return False
        try:
            was, now = ([] if lock is None else lock.of(path) for lock in self._locks)
        except UsageError:
            return True
        return was != now or self._locks == (None, None)
