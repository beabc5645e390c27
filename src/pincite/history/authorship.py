"""Who wrote this line, what did they see, and what became of the file: answers from the repository's history.

The witness of a line is the commit that added it as it stands. One pass over the documents' history finds the witnesses
of all lines at once; it is read to its end, because some line is nearly always as old as the repository, and what it
found can be kept: the next run reads only newer commits. Lines the pass cannot know (written by a merge, or in other
documents) are blamed, one call per document.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import chain

from ..core.errors import PinciteError
from ..core.limits import LIMITS, Limits
from ..safe.child import ChildFailed
from ..safe.git import Git, escape_pattern, is_id
from ..store.history import VERSION, HistoryState, pack_past, unpack_lines, unpack_past
from ..text.lines import is_put_aside
from .contents import CommitContents
from .document_pass import DocumentPass
from .model import UNKNOWN, WORKTREE
from .old_names import PastNames, is_past, name_endings, read_events
from .patches import digest, pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..text.globs import Patterns

_WILD = re.compile(r"[*?\[\\]").search
_MOST_CANDIDATES = 200
_SMALLEST_TWIN = 16


class History(CommitContents):
    """The history of one repository as far as citations need it. Nothing is read before it is asked for."""

    def __init__(
        self,
        git: Git,
        patterns: Sequence[str] = ("*.md",),
        state: HistoryState | None = None,
        few: bool = False,
        read: Callable[[str], bytes] | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        """`few` documents are blamed one by one unless a kept `state` helps; `read` opens untracked files."""
        super().__init__(git, limits)
        self.head = git.head()
        self._about = ""
        """The document that was asked about last: what is known of its lines serves all parts of it."""
        self._there: set[int] | None = None
        self._known: dict[int, int] | None = None
        self._blamed: dict[int, str] | None = None
        self._blamed_all = False
        self.draft = ""
        """A document that is being written and not on disk: whatever is in it was written against the work tree."""
        self._patterns = tuple(patterns)
        self._endings = tuple(pattern[1:] for pattern in patterns if pattern[:1] == "*" and not _WILD(pattern, 1))
        self._few = few
        self._read = read
        self._state = state
        self._boundary = git.boundary()
        self._pass: DocumentPass | None = None
        self._extended = False
        self._lost: dict[str, str] = {}
        """Documents whose history cannot be read, and what git says of it."""
        self.candidates: dict[str, None] = {}
        """Files that are not in HEAD and were, or may have been, compared with those that went."""
        self._past: PastNames | None = None
        self._events: list[tuple[str, str, str]] | None = None

    @property
    def is_cut(self) -> bool:
        """Whether part of history is not here, or cannot be read."""
        return bool(self._boundary or self.trouble)

    def witnesses(self, document: str, lines: Sequence[str], blob: str = "") -> list[str]:
        """For each line of a document, without its end, the commit that wrote it, WORKTREE or UNKNOWN.

        `blob` is the id of the whole document; where it is the one HEAD has, git need not look for changes.
        """
        if self.head is None:
            return [WORKTREE] * len(lines)
        try:
            # A long line may hold thousands of citations: it is encoded and looked for once.
            distinct = list(dict.fromkeys(lines))
            found = self._witnesses(document, [line.encode("utf-8", "surrogateescape") for line in distinct], blob)
            known = dict(zip(distinct, found, strict=True))
            return [known[line] for line in lines]
        except (ChildFailed, UnicodeEncodeError) as error:
            self.trouble = self.trouble or str(error)
            return [UNKNOWN] * len(lines)

    def prepare(self) -> None:
        """Read the history of all documents now instead of when first asked."""
        if self.head is not None and self._pass is None:
            self._pass = DocumentPass(self.git)
            try:
                self._run_pass(self._pass, self.head)
            except (ChildFailed, ValueError) as error:
                self.trouble = self.trouble or str(error) or "the history of the documents cannot be read"

    def explain_unknown(self, document: str) -> str:
        """Why the commits that wrote a document cannot be told, and what to type; empty where git does not complain."""
        from ..safe.git_damage import explain_complaint

        complaint = self._lost.get(document, "")
        return explain_complaint(self.git, complaint) if complaint else ""

    def has_existed(self, path: str) -> bool:
        """Whether a file of that path is, or ever was, part of the history; of a folder `a/`, whether one left it."""
        past = self._known_past_names()
        if past is not None and path.endswith("/"):
            return past.had_folder(path[:-1])
        return past is not None and (path in past or path in self._alive)

    def past_paths_by_end(self, end: str) -> list[str]:
        """The paths that once were, are no more, and end in whole components with what is given."""
        past = self._known_past_names()
        return [path for path in past.by_end(end) if path not in self._alive] if past is not None else []

    def _known_past_names(self) -> PastNames | None:
        """The names that files no longer have; None where that cannot be told."""
        try:
            return self._past_names() if self.head is not None else None
        except ChildFailed as error:
            self.trouble = self.trouble or str(error)
            return None

    def last_blob(self, path: str) -> str:
        """The id of what a path held when it lost its name, or of what HEAD has; empty where that is not known."""
        try:
            commit = self.vanished_in(path) if path not in self._alive else None
            found = self.git.objects().stat([(f"{commit}^" if commit else self.head or "", path)])[0]
        except ChildFailed as error:
            self.trouble = self.trouble or str(error)
            return ""
        return found[0] if found is not None else ""

    def vanished_in(self, path: str) -> str | None:
        """The commit that last deleted a path or renamed it away."""
        past = self._known_past_names()
        return past.find_last(path) if past is not None else None

    def find_rename(self, path: str) -> str | None:
        """The one path a vanished file has now, by renames or by identical content; None where that is not clear."""
        if self.head is None:
            return None
        try:
            if path in self._alive:
                return self._renamed_in_worktree(path)
            today, last, commit = self._past_names().trail(path)
            if is_put_aside(today):
                return None
            if today and today in self._alive:
                return self._uncommitted_renames.get(today, today)
            return self._twin(last, commit) if commit and not today else None
        except ChildFailed as error:
            self.trouble = self.trouble or str(error)
            return None

    def state(self) -> HistoryState | None:
        """What is worth keeping for the next run; None where nothing new was learnt or history was not read whole."""
        if self.trouble or self.head is None or not (self._extended or self._events is not None):
            return None
        old = self._state
        kept = HistoryState(VERSION, "", self._patterns, "", [], {})
        if self._extended and self._pass is not None:
            kept.head, kept.commits, kept.documents = self.head, self._pass.commits, self._pass.documents
        elif old is not None and old.patterns == self._patterns:
            kept.head, kept.commits, kept.documents = old.head, old.commits, old.documents
        if self._events is not None:
            kept.past_head, kept.past = self.head, pack_past(self._events)
        elif old is not None:
            kept.past_head, kept.past = old.past_head, old.past
        return kept

    def _witnesses(self, document: str, lines: list[bytes], blob: str) -> list[str]:
        committed_blob = self._alive.get(document)
        differs = not blob or blob != committed_blob
        changed = differs and (document == self.draft or self._differs(document))
        if committed_blob is None:
            return [WORKTREE if changed or document == self.draft else UNKNOWN] * len(lines)
        keys = [digest(line) for line in lines]
        if document != self._about:
            self._about, self._there, self._known, self._blamed = document, None, None, None
        committed = self._committed_lines(document) if changed else None
        answers = [WORKTREE if committed is not None and key not in committed else "" for key in keys]
        found = self._lines_of(document) if "" in answers else {}
        for at, key in enumerate(keys):
            number = found.get(key) if not answers[at] else None
            if number is not None and self._pass is not None and self._pass.knows(document, number):
                answers[at] = self._pass.commits[number]
        missing = [at for at, answer in enumerate(answers) if not answer]
        if missing:
            blamed = {} if self.trouble else self._try_to_blame(document, {keys[at] for at in missing})
            unknown = self.trouble or document in self._lost
            for at in missing:
                answers[at] = blamed.get(keys[at], UNKNOWN if unknown else WORKTREE)
        return [UNKNOWN if answer in self._boundary else answer for answer in answers]

    def _lines_of(self, document: str) -> dict[int, int]:
        """What the pass knows about one document."""
        if self._known is not None:
            return self._known
        if not self._covers(document):
            # Source code, or a file that was named: the pass does not read it, blame does.
            self._known = {}
            return self._known
        if not self._few or self._state is not None:
            self.prepare()
        try:
            # Packed until asked for: the lines of a million citations would fill memory otherwise.
            packed = self._pass.documents.get(document) if self._pass is not None else None
            self._known = unpack_lines(packed or b"\x80")
        except ValueError:
            self._known = {}
        return self._known

    def _run_pass(self, reading: DocumentPass, head: str) -> None:
        """Read the log of all documents, or of the commits since the last run, and add it to what was kept."""
        state = self._usable_state(head)
        if state is not None and state.head == head:
            reading.take(state)
            return
        if state is None and self._few:
            return
        revisions = head if state is None else f"{state.head}..{head}"
        patterns = self._patterns if state is not None else self._used_patterns()
        reading.read(revisions, patterns, self._alive, state)
        # What could not be read today may be there tomorrow.
        self._extended = not reading.complaint

    def _used_patterns(self) -> tuple[str, ...]:
        """The patterns as far as they fit a file of HEAD or of the past."""
        if set(self._patterns) <= {f"*{ending}" for ending in self._endings if self._has_ending(ending)}:
            return self._patterns
        try:
            return name_endings(self._patterns, chain(self._alive, self._past_names()))
        except ChildFailed:
            self._past = None  # Who asks for past names shall hear of it.
            return self._patterns

    def _has_ending(self, ending: str) -> bool:
        return any(name.endswith(ending) for name in self._alive)

    def _usable_state(self, head: str) -> HistoryState | None:
        """The kept state, if history has only grown since."""
        state = self._state
        if state is None or state.patterns != self._patterns or not all(map(is_id, state.commits)):
            return None
        return state if is_past(self.git, state.head, head) else None

    def _try_to_blame(self, document: str, keys: set[int]) -> dict[int, str]:
        """The same as `_blame`; nothing where the history of this document cannot be read."""
        complaint = self._pass.complaint if self._pass is not None else ""
        try:
            blamed = self._blame(document, keys)
        except ChildFailed as error:
            self._lost[document] = complaint or str(error)
            self._blamed, self._blamed_all = {}, True
            return {}
        if complaint and UNKNOWN in blamed.values():
            self._lost[document] = complaint
        return blamed

    def _blame(self, document: str, keys: set[int]) -> dict[int, str]:
        """The commits of lines that stand in HEAD, by blame; lines that do not stand there are left out.

        The second time that a document is asked about, all of its lines are blamed.
        """
        if self._blamed is not None and (self._blamed_all or keys <= self._blamed.keys()):
            return self._blamed
        self._blamed_all = self._blamed is not None
        data = self.text_at([(self.head or "", document)])[0] or b""
        rows: dict[int, int] = {}
        # What follows the last line end is no line to git, which refuses to blame it.
        for row, line in enumerate(data.removesuffix(b"\n").split(b"\n") if data else (), 1):
            for piece in pieces(line):
                key = digest(piece)
                if self._blamed_all or key in keys:
                    rows.setdefault(key, row)
        commits = self.git.blame(self.head or "", document, sorted(set(rows.values()))) if rows else {}
        self._blamed = {key: commits.get(row, UNKNOWN) for key, row in rows.items()}
        return self._blamed

    @cached_property
    def _alive(self) -> dict[str, str]:
        """The files of HEAD."""
        return self.git.tree(self.head) if self.head is not None else {}

    @cached_property
    def _unclean(self) -> set[str]:
        """What differs from HEAD, as far as the patterns cover it."""
        return self.git.list_changed_paths(self.head or "", self._patterns) | self.git.list_untracked()

    def _differs(self, document: str) -> bool:
        """Whether a document differs from HEAD, one call for all that the patterns cover."""
        if document in self._unclean or self._covers(document) or document not in self._alive:
            return document in self._unclean
        return document in self.git.list_changed_paths(self.head or "", (escape_pattern(document),))

    def _covers(self, document: str) -> bool:
        """Whether the patterns, as git reads them, take in a document."""
        return document.endswith(self._endings) or self._matcher.match(document)

    @cached_property
    def _matcher(self) -> Patterns:
        from ..text.globs import Patterns

        return Patterns(self._patterns)

    def _committed_lines(self, document: str) -> set[int]:
        """The lines a document has in HEAD."""
        if self._there is None:
            data = self.text_at([(self.head or "", document)])[0] or b""
            self._there = {digest(piece) for line in data.split(b"\n") for piece in pieces(line)}
        return self._there

    def _past_names(self) -> PastNames:
        if self._past is None:
            head = self.head or ""
            kept, older = self._kept_past(head)
            # Whatever goes wrong goes wrong once: this is asked for every name that is not a file.
            self._past = PastNames(older)
            if kept != head:
                self._past = PastNames([*self._new_events(f"{kept}..{head}" if kept else head, older), *older])
        return self._past

    def _new_events(self, revisions: str, older: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
        """What happened to names in some commits; without renames where contents are missing, as in partial clones."""
        try:
            events = read_events(self.git, revisions)
        except ChildFailed:
            return read_events(self.git, revisions, renames=False)
        self._events = [*events, *older]
        return events

    def _kept_past(self, head: str) -> tuple[str, list[tuple[str, str, str]]]:
        """What an earlier run learnt about names and up to which commit, if history has only grown since."""
        state = self._state
        if state is None or not is_past(self.git, state.past_head, head):
            return "", []
        try:
            return state.past_head, unpack_past(state.past)
        except ValueError:
            return "", []

    @cached_property
    def _uncommitted_renames(self) -> dict[str, str]:
        added = sorted(self.git.tree().keys() - self._alive.keys())
        self.candidates.update(dict.fromkeys(added))
        # A new name is one that the index has and HEAD has not; without any, git would compare all files in vain.
        return self.git.renames(self.head or "") if added else {}

    def _renamed_in_worktree(self, path: str) -> str | None:
        """The new name of a file that HEAD still has under its old one: staged, or lying there untracked."""
        known = self._uncommitted_renames.get(path)
        if known is not None or self._read is None:
            return known
        blob, suffix = self._alive[path], path.rpartition(".")[2]
        alike = sorted(name for name in self.git.list_untracked() if name.rpartition(".")[2] == suffix)
        del alike[_MOST_CANDIDATES:]
        self.candidates.update(dict.fromkeys(alike))
        same = [name for name in alike if self._reads_as(name, blob)]
        return same[0] if len(same) == 1 else None

    def _reads_as(self, path: str, blob: str) -> bool:
        try:
            return self._read is not None and self.blob_id(self._read(path)) == blob
        except PinciteError:
            return False

    def _twin(self, path: str, commit: str) -> str | None:
        """The one file of HEAD with the content a path had before a commit took it away."""
        found = self.git.objects().stat([(f"{commit}^", path)])[0]
        if found is None or found[1] < _SMALLEST_TWIN:
            return None
        twin = self._twins.get(found[0])
        if not twin:
            return None
        # What was there before is no new name of the file, and what came later neither.
        before, after = self.git.objects().stat([(f"{commit}^", twin), (commit, twin)])
        return twin if before is None and after is not None else None

    @cached_property
    def _twins(self) -> dict[str, str]:
        """The file of HEAD that has a content; empty where several have it."""
        found: dict[str, str] = {}
        for name, blob in self._alive.items():
            found[blob] = "" if blob in found else name
        return found
