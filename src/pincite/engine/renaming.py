"""Renames that take citations along: every citation of a renamed file leads to its new name, with the same lines.

The tree is looked at twice, as it is and as it will be. A citation is rewritten where it would lead elsewhere, or
nowhere, afterwards; the new text is read again at its new place before it is offered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Refused
from ..core.model import Edit, Place, Span
from ..dialects import get_dialect
from ..project.documents import find_documents
from ..safe.renamed_root import PathMoves, RenamedRoot
from ..sources import World
from ..text.lines import decode, encode_like
from ..text.source_comments import find_family
from .acceptance import digest_sentence, name_place
from .pipeline import Engine
from .rename_reading import LedCitation, LedDocument, choose_reading
from .rename_request import vet_renames
from .repair.edits import SpanMap, apply_edits, fitting
from .run import Request, Run
from .settings import merge_settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..project.project import Project

_ROUNDS = 8
"""How often a text is tried; each time the edits that do not lead to their place are left out."""
_MOST_NEEDLES = 400
"""Names that documents are searched for; where more files are renamed, every document is read."""
_LINK = "120000"
_UNWRITABLE = "the new path cannot be written in this form"
_MISREAD = "rewritten, it would not be read as a citation of the new path"
_DIFFERENTLY = "then the document would be read differently"
_UNREAD = "under its new name the document is read without it"
_AMBIGUOUS = "it fits several files, of which one is renamed; write the whole path"
_FORGETS = "its line cites what changed since; rewriting the line would hide that: see `pincite fix` and --forget"
_FROM_HISTORY = frozenset(("lines-moved", "lines-edited", "lines-deleted", "lines-ambiguous"))
"""Checks that compare with what the author of a line saw: a line that is rewritten counts as written now."""


class LeftCitation(Struct, frozen=True):
    """A citation that a rename breaks and that cannot be rewritten without guessing."""

    document: str
    """The document as it is called before the rename."""
    line: int
    raw: str
    reason: str
    target: str
    """The cited place, as `src/app.py:12`."""


class RewrittenCitation(Struct, frozen=True):
    """A citation as it is before a rename, and as it is afterwards."""

    document: str
    """The document as it is called before the rename."""
    line: int
    old: str
    new: str
    target: str
    """The cited place before the rename, as `src/app.py:12`."""
    new_target: str
    sentence: str
    """The digest of the sentence that cites it, as acceptances have it."""
    new_sentence: str


class RenamePlan(Struct, frozen=True):
    """What a rename does to the documents."""

    renames: tuple[tuple[str, str], ...]
    """Files and folders, as keys: what they are called, and what they will be called."""
    edits: dict[str, tuple[Edit, ...]]
    """By document, as it is called before the rename: edits in code points of its text, in order."""
    left: tuple[LeftCitation, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    """Documents that cannot be read, and why."""
    rewritten: tuple[RewrittenCitation, ...] = ()
    """The citations that the edits change, also where only the path before a list of lines does."""
    old: dict[str, bytes] = {}
    """The bytes that the edits are made to, by document."""

    def find_new_path(self, key: str) -> str:
        """What a file will be called."""
        return PathMoves(self.renames).after(key)


def plan_rename(
    project: Project,
    renames: Sequence[tuple[str, str]],
    texts: Mapping[str, str] | None = None,
    forget: bool = False,
) -> RenamePlan:
    """The edits that keep citations leading where they lead; nothing is written or renamed.

    Names are paths from the root, of files or folders. `texts` are documents as an editor holds them, by their names
    before the rename. With `forget`, lines are rewritten also where history then no longer shows that what they cite
    changed. Raises UsageError for a rename that cannot be made.
    """
    moves = vet_renames(project.root, renames)
    held = {key: text.encode("utf-8", "replace") for key, text in (texts or {}).items()}
    planner = _RenamePlanner(project, moves, held, forget)
    try:
        for key in planner.list_documents():
            planner.add(key)
    finally:
        planner.close()
    found = tuple(planner.left), tuple(planner.skipped), tuple(planner.rewritten)
    return RenamePlan(moves.pairs, planner.edits, *found, planner.old)


class _RenamePlanner:
    """Plans one document after the other."""

    def __init__(self, project: Project, moves: PathMoves, texts: Mapping[str, bytes], forget: bool) -> None:
        self.edits: dict[str, tuple[Edit, ...]] = {}
        self.left: list[LeftCitation] = []
        self.skipped: list[tuple[str, str]] = []
        self.rewritten: list[RewrittenCitation] = []
        self.old: dict[str, bytes] = {}
        self._moves = moves
        self._texts = texts
        self._forget = forget
        self._root = root = project.root
        config = self._config = merge_settings(project.config)
        self._run = Run(root, Request(config=config, every=True))
        self._now = self._run.engine()
        """Reads documents as they are."""
        self._now.share(_make_world(self._run, RenamedRoot(root, PathMoves(), texts)))
        self._then = Engine(root, config, self._run.git, None, True, False)
        """Reads them as they will be."""
        self._then.share(_make_world(self._run, RenamedRoot(root, moves, texts)))
        self._needles = self._find_needles()

    def close(self) -> None:
        """Let go of what is kept open."""
        self._now.close()
        self._then.close()
        self._run.close()

    def list_documents(self) -> list[str]:
        """The documents of the project, and those that only an editor has."""
        found = find_documents(self._root, self._run.git(), (), self._config.endings, self._config.exclude).documents
        return sorted({*found, *self._texts})

    def add(self, key: str) -> None:
        """Plan what becomes of a document."""
        try:
            data = self._texts.get(key)
            if data is None:
                data = self._root.read(key, self._root.limits.document_bytes)
            if self._moves.after(key) == key and not self._may_cite(data):
                return
            plan = _DocumentPlan(self._now, self._then, self._moves, key, data)
        except Refused as error:
            if not find_family(key):
                self.skipped.append((key, str(error)))
            return
        plan.work_out(self._forget)
        if plan.edits:
            self.edits[key] = tuple(plan.edits)
            self.old[key] = data
        left, rewritten = plan.compare()
        self.left += left
        self.rewritten += rewritten

    def _may_cite(self, data: bytes) -> bool:
        """Whether a document could cite what is renamed; one that escapes characters always could."""
        if self._needles is None or b"%" in data or b"\\" in data:
            return True
        return any(needle in data for needle in self._needles)

    def _find_needles(self) -> tuple[bytes, ...] | None:
        """What a document holds that cites what is renamed, or what has such a name; None where only reading it tells.

        New names count: a citation by the end of a path may fit two files afterwards.
        """
        git = self._run.git()
        if git is None or any(mode == _LINK for _, mode, _ in git.entries()):
            # Through a link a file is cited by another name than its own.
            return None
        paths = {path for pair in self._moves.pairs for path in pair}
        folders = tuple(f"{old}/" for old, _ in self._moves.pairs)
        paths.update(path for path in self._now.world.tree.paths() if path.startswith(folders))
        found: set[bytes] = set()
        for path in paths:
            name = path.rpartition("/")[2]
            dot = name.find(".", 1)
            found.add((name if dot < 0 else name[:dot]).encode("utf-8", "surrogateescape"))
        return tuple(found) if len(found) <= _MOST_NEEDLES else None


def _make_world(run: Run, root: RenamedRoot) -> World:
    config = run.request.config
    world = World(root, run.git, config.repository, config.corpus, False)
    world.moves = root.moves
    return world


class _DocumentPlan:
    """One document: which of its citations a rename breaks, and the edits that mend them."""

    def __init__(self, now: Engine, then: Engine, moves: PathMoves, key: str, data: bytes) -> None:
        """Raises Refused where the text cannot be read."""
        self.edits: list[Edit] = []
        self._now, self._then, self._moves = now, then, moves
        self._key, self._data, self._text = key, data, decode(data)
        self._before = LedDocument(now, key, data)
        self._after = LedDocument(then, moves.after(key), data) if self._before.led else self._before
        self._broken = self._find_broken(self._after, self._find_starts(()))
        self._reasons: dict[Span, str] = {}
        """Why a citation is not rewritten, by where it stands."""

    def work_out(self, forget: bool) -> None:
        """Find the edits that lead every citation to its place, as far as they can be made."""
        offers: dict[Span, Edit] = {}
        for one in self._broken:
            edit = self._make_edit(one)
            if edit is not None:
                offers[one.citation.span] = edit
        if offers and not forget:
            self._leave_forgetful(offers)
        for _ in range(_ROUNDS):
            if not offers:
                return
            edits = fitting(len(self._text), offers.values())
            bad = self._find_harmful(edits, offers)
            if not bad:
                self.edits = edits
                return
            for span, reason in bad.items():
                offers.pop(span, None)
                self._reasons[span] = reason
        self._reasons |= dict.fromkeys(offers, _DIFFERENTLY)

    def compare(self) -> tuple[list[LeftCitation], list[RewrittenCitation]]:
        """The broken citations that the edits do not mend, and those that are changed."""
        new = self._read_edited(self.edits) if self.edits else self._after
        starts = self._find_starts(self.edits)
        now = new.by_start()
        broken = self._find_broken(new, starts)
        left = [
            LeftCitation(
                self._key,
                self._before.document.position(one.citation.span.start)[0],
                one.citation.raw,
                self._reasons.get(one.citation.span, _DIFFERENTLY),
                one.target,
            )
            for one in broken
        ]
        for row in self._before.list_ambiguous(self._moves.after):
            line = self._before.document.position(row.citation.span.start)[0]
            left.append(LeftCitation(self._key, line, row.citation.raw, _AMBIGUOUS, name_place(row)))
        changed = []
        known = {one.citation.span for one in broken}
        for one in self._before.led if new is not self._before else ():
            span = one.citation.span
            if span not in known:
                other = now[starts[span]]
                about = (one.citation.raw, other.citation.raw, one.target, other.target)
                sentences = (
                    digest_sentence(self._before.document, one.citation),
                    digest_sentence(new.document, other.citation),
                )
                if about[0] != about[1] or about[2] != about[3] or sentences[0] != sentences[1]:
                    line = self._before.document.position(span.start)[0]
                    changed.append(RewrittenCitation(self._key, line, *about, *sentences))
        return left, changed

    def _find_starts(self, edits: Sequence[Edit]) -> dict[Span, int]:
        """Where each citation begins once the edits are made."""
        moved = SpanMap(edits)
        return {one.citation.span: moved.move(one.citation.span).start for one in self._before.led}

    def _make_edit(self, one: LedCitation) -> Edit | None:
        """The edit that leads a citation to where its file will be; None where there is none, with the reason kept."""
        settled = one.citation
        written, elsewhere = (document.find_written(settled.span) for document in (self._before, self._after))
        if written is None or elsewhere is None or elsewhere.dialect != settled.dialect:
            self._reasons[settled.span] = _UNREAD
            return None
        self._reasons[settled.span] = _UNWRITABLE
        path = self._moves.after(one.cited)
        if path == one.cited:
            path = self._moves.after(one.place)
        if settled.source.scheme == "path" and settled.raw.endswith("/"):
            path += "/"
        cited = choose_reading(settled, written, elsewhere)
        place = Place(path, settled.lines, settled.pages, renamed=True)
        return get_dialect(settled.dialect).repoint(self._after.document, cited, place)

    def _leave_forgetful(self, offers: dict[Span, Edit]) -> None:
        """Leave out edits of lines of which history knows that something they cite changed."""
        report = self._now.check_draft(self._key, self._data)
        locks, document = self._now.locks, self._before.document
        locked: set[Span] = set()
        if locks is not None:
            rows = [row.citation for row in self._before.rows]
            found = locks.match(self._key, rows)
            locked = {citation.span for citation, entry in zip(rows, found, strict=True) if entry is not None}
        known: set[int] = set()
        for verdict in report.verdicts:
            findings = [one for one in (*verdict.findings, *verdict.silenced) if not one.accepted]
            span = verdict.citation.span
            if span not in locked and any(finding.check in _FROM_HISTORY for finding in findings):
                known.update(_list_lines(document.position(span.start)[0], document.position(span.end - 1)[0]))
        for span, edit in list(offers.items()):
            first, last = (
                document.position(at)[0] for at in (edit.span.start, max(edit.span.start, edit.span.end - 1))
            )
            if not known.isdisjoint(_list_lines(first, last)):
                del offers[span]
                self._reasons[span] = _FORGETS

    def _find_harmful(self, edits: Sequence[Edit], offers: Mapping[Span, Edit]) -> dict[Span, str]:
        """The citations whose edits miss their place, or harm others; all where no single one is to blame."""
        new = self._read_edited(edits)
        if new.count() != self._after.count():
            return dict.fromkeys(offers, _DIFFERENTLY)
        failing = self._find_broken(new, self._find_starts(edits))
        bad = {one.citation.span: _MISREAD for one in failing if one.citation.span in offers}
        known = {one.citation.span for one in self._broken}
        if not bad and any(one.citation.span not in known for one in failing):
            return dict.fromkeys(offers, _DIFFERENTLY)
        return bad

    def _read_edited(self, edits: Sequence[Edit]) -> LedDocument:
        data = encode_like(apply_edits(self._text, edits), self._data)
        return LedDocument(self._then, self._moves.after(self._key), data)

    def _find_broken(self, new: LedDocument, starts: Mapping[Span, int]) -> list[LedCitation]:
        """The citations that do not lead to the same place in a text of the document after the rename."""
        found = new.by_start()
        broken = []
        for one in self._before.led:
            now = found.get(starts[one.citation.span])
            if now is None or now.place != self._moves.after(one.place) or not _is_same_citation(one, now):
                broken.append(one)
        return broken


def _is_same_citation(one: LedCitation, other: LedCitation) -> bool:
    # What is known by its whole path is not left to be known by the end of it: another file may have the same.
    by_less = bool(other.citation.by_end) and not one.citation.by_end
    return one.selectors == other.selectors and not by_less


def _list_lines(first: int, last: int) -> range:
    return range(first, last + 1)
