"""Entries of `pincite.lock` that a change renews, adds or removes.

An entry says what a citation rested on when it was read. A change that edits the cited lines and the entry together
passes a check like one that edits neither. Where the author read the lines again, that is right; it is never silent.
"""

from ..core.errors import Refused, UsageError
from ..core.model import Citation
from ..dialects import dialects, extract
from ..project.config import Config
from ..safe.files import Root
from ..safe.git_tree import GitTree
from ..store import LOCK
from ..store.lock_entry import LockEntry
from ..store.lock_file import Locks, targets
from ..text.document import Document
from ..text.lines import decode


class LockChanges:
    """Compares the lock of a commit with the lock as it is now."""

    def __init__(self, root: Root, tree: GitTree, config: Config) -> None:
        self._root = root
        self._tree = tree
        self._config = config
        self._cited: dict[tuple[str, bool], frozenset[str]] = {}

    def find(self) -> tuple[str, ...]:
        """The entries that speak for a citation from before the change and say something else now, each named.

        Entries of new citations, and those that went with their citation, accept nothing. A lock that is gone as a
        whole is not reported here.
        """
        limit = self._root.limits.lock_bytes
        try:
            now = self._root.read(LOCK, limit) if self._root.is_file(LOCK) else None
        except Refused:
            return ()
        was = self._tree.get(LOCK, limit)
        if now is None or now == was:
            return ()
        try:
            new = Locks(now).entries_by_id()
        except UsageError:
            # The check stops at it.
            return ()
        try:
            old = Locks(was).entries_by_id() if was is not None else {}
        except UsageError:
            old = {}
        return tuple(sorted(self._compare(old, new)))

    def _compare(self, old: dict[str, LockEntry], new: dict[str, LockEntry]) -> list[str]:
        renewed = [entry for id_, entry in new.items() if id_ in old and _says_more(entry, old[id_])]
        added = [entry for id_, entry in new.items() if id_ not in old]
        removed = [entry for id_, entry in old.items() if id_ not in new]
        found = [_name(entry, "renewed") for entry in renewed]
        found += [_name(entry, "added") for entry in added if entry.cites in self._cited_in(self._tree, entry.document)]
        digests: dict[str, set[str]] = {}
        for entry in added:
            digests.setdefault(entry.cites, set()).add(entry.digest)
        for entry in removed:
            if self._root.is_file(entry.document):
                if entry.cites in self._cited_in(self._root, entry.document):
                    found.append(_name(entry, "removed"))
            elif entry.digest not in digests.get(entry.cites, {entry.digest}):
                # The document has another name now, and so has its entry, which says something else.
                found.append(_name(entry, "renewed"))
        return found

    def _cited_in(self, side: Root | GitTree, path: str) -> frozenset[str]:
        """The places that a document cites on one side of the change, as entries name them."""
        now = side is self._root
        if (path, now) not in self._cited:
            config = self._config
            try:
                data = side.read(path, self._root.limits.document_bytes)
                text = "" if data is None else decode(data)
            except Refused:
                text = ""
            document = Document(path, text, config.in_code, config.memories, self._root.path)
            cited = (item for item in extract(document, dialects()) if isinstance(item, Citation))
            self._cited[path, now] = frozenset(name for item in cited for name in targets(item))
        return self._cited[path, now]


def _says_more(entry: LockEntry, old: LockEntry) -> bool:
    """Whether an entry holds other text than it did, or says anew that a reader accepted it."""
    return entry.digest != old.digest or (entry.accepted is not None and entry.accepted != old.accepted)


def _name(entry: LockEntry, what: str) -> str:
    return f"{entry.cites} in {entry.document} {what}"
