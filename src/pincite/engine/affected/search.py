"""Which citations a change touches: documents of the new side, evidence of both."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, partial

from msgspec.structs import replace

from ...checks import CheckedCitation
from ...core.errors import Refused, UsageError
from ...core.model import Citation, Edit, Finding, Malformed, Outcome, Place, Report, Span, Verdict, target_of
from ...dialects import extract, find_names, get_dialect
from ...project.config import POLICIES, Config
from ...project.documents import excluder, find_documents, is_evidence, is_foreign_source
from ...safe.files import Root, has_ending
from ...safe.git import Git
from ...safe.git_tree import GitTree, changed_files, unmerged_files
from ...sources import CORPUS
from ...store.accepted_file import Acceptances
from ...store.bundle import MANIFEST
from ...text.document import Document
from ...text.file_names import group_by_name
from ...text.ignore_comments import ignores, is_silenced
from ...text.lines import decode, join
from ...text.source_comments import find_family
from ..acceptance import AcceptedInDocument
from ..drift.follow import Follower
from ..pipeline import Engine, VerifiedDocument
from ..records import load_records
from .change import CompareSides
from .citation_effect import CONFLICT, EffectEvidence, EffectFinder, links_on
from .model import AffectedCitation, AffectedResult, Effect

_MOST_NEEDLES = 200
_HASHED = 4 * 1024 * 1024
_LISTS = (".bib", ".bibtex", ".ris")
_CHUNK = re.compile(r"[0-9a-f]{6,64}\.txt\Z")
"""A text of a bundle: what it is cited by is in the manifest beside it."""
_CHECKS = {
    Effect.MOVES: ("lines-moved", "snippet-moved", "file-renamed", "heading-altered"),
    Effect.EDITS: ("lines-edited", "snippet-mismatch", "heading-altered"),
    Effect.DELETES: ("lines-deleted", "file-not-found", "heading-not-found"),
    Effect.UNKNOWN: ("lines-ambiguous",),
}
"""What `check` would call it: who silences that does not want to hear of it here either."""


def look(
    root: Root, config: Config, git: Git, change: CompareSides, keys: Sequence[str] = (), gone: bool = False
) -> AffectedResult:
    """Every citation that the change touches, in the documents below the given keys (all where there are none)."""
    old = GitTree(git, change.older)
    new: Root = GitTree(git, change.newer) if change.newer or change.staged else root
    pairs = changed_files(git, change.older, change.newer, change.staged)
    if new is root:
        pairs = _pair_untracked_renames(pairs, old, root)
    result = AffectedResult(change.before, change.after, pairs)
    if pairs:
        # In the work tree they have one text, if one with both sides in it.
        conflicts = unmerged_files(git) if change.staged else frozenset()
        looker = _Looker(config, git, old, new, pairs, conflicts)
        documents = _documents(new, git, keys, config)
        wanted = _make_document_filter(old, keys, config)
        unread = [path for path in sorted(conflicts) if wanted(path) and not find_family(path)]
        result.errors += [(path, f"cannot read the document: {CONFLICT}") for path in unread]
        try:
            for document, data in _read_documents(new, documents):
                looker.document(document, data, result)
        finally:
            looker.close()
    if gone:
        wanted = _make_document_filter(old, keys, config)
        kept = {after for _, after in pairs}
        result.gone = sorted(was for was, after in pairs if was and after is None and was not in kept and wanted(was))
    return result


class _Looker:
    """Looks at one document after the other."""

    def __init__(
        self,
        config: Config,
        git: Git,
        old: GitTree,
        new: Root,
        pairs: list[tuple[str | None, str | None]],
        conflicts: frozenset[str] = frozenset(),
    ) -> None:
        self._config = config
        self._was = {after: before for before, after in pairs if after is not None}
        """Documents that the change touches, and what they were called before."""
        self._old, self._engine = (
            Engine(side, config, lambda: git, _Known(old.files), True, False) for side in (old, new)
        )
        self._engine.resolver.refuses_invented = True
        self._touch = EffectFinder(self._old, self._engine, pairs, self._before, conflicts)
        # The settings are those of today: a commit from before the corpus has nothing that `[1]` could be held to.
        held = self._engine.world.holds_papers()
        self._unheld = find_names(lambda one: one.needs == "whitelist") if not held else frozenset()
        # Through a link, or a paper that declares it, a file is cited by another name than its own.
        linked = old.linked or any(links_on(new, path) for path in self._was)
        renamed = bool(linked) or self._engine.world.has_corpus()
        self._accepted = _load_accepted(new)
        self._needles = None if renamed else _find_needles([path for pair in pairs for path in pair if path], config)

    def close(self) -> None:
        """Let go of what is kept open."""
        self._old.close()
        self._engine.close()

    def document(self, path: str, data: bytes | Refused, result: AffectedResult) -> None:
        """Add what the change does to the citations of a document."""
        engine = self._engine
        if isinstance(data, Refused):
            if not find_family(path):
                result.errors.append((path, f"cannot read the document: {data}"))
            return
        if path not in self._was and not self._may_cite(data):
            return
        found = engine.examine(path, data)
        if found.report.error and not found.report.doubtful:
            result.errors.append((path, found.report.error))
        if not found.rows and not found.defects:
            return
        fresh = self._fresh(found.document) if path in self._was else frozenset()
        quiet = ignores(found.document) if found.commented else {}
        accepted = self._accepted.of(path) if self._accepted is not None else ()
        settled = AcceptedInDocument(found.document, found.rows, accepted)
        items = []
        for row in found.rows:
            citation, evidence = row.citation, row.evidence
            if citation.dialect in self._unheld:
                continue
            # Most citations are of what the change leaves alone: their verdicts are not asked for.
            judge = cache(partial(self._judge, found, row))
            told = self._touch.conflict(found.document, citation, evidence)
            if told is None and citation.span in fresh:
                items.append(_make_checked_item(path, judge()))
                continue
            told = told or self._touch.effect(found.document, citation, evidence, lambda: judge().findings)  # noqa: B023
            if told is None:
                continue
            if told.effect is Effect.NEW:
                items.append(_make_checked_item(path, judge(), told.why))
            else:
                item = self._item(found.document, judge(), told, quiet)
                # Someone read what stands there after the change.
                read = bool(accepted) and item.needs_attention and settled.find(row) is not None
                items.append(replace(item, ignored=True) if read else item)
        for defect in engine.conclude(replace(found, rows=[])).malformed:
            bad = defect.malformed
            if bad.span in fresh:
                place = (path, defect.line, defect.column, bad.raw, bad.dialect, "")
                items.append(AffectedCitation(*place, Effect.NEW, bad.reason, outcome="malformed"))
        items.sort(key=lambda item: (item.line, item.column))
        result.items += items

    def _judge(self, found: VerifiedDocument, row: CheckedCitation) -> Verdict:
        """The verdict on one citation of a document."""
        one = replace(found, report=Report(found.document.path), rows=[row], defects=[])
        return self._engine.conclude(one).verdicts[0]

    def _may_cite(self, data: bytes) -> bool:
        """Whether a document could cite something that changed; one that escapes characters always could."""
        if self._needles is None or b"%" in data or b"\\" in data:
            return True
        return any(needle in data for needle in self._needles)

    def _fresh(self, document: Document) -> frozenset[Span]:
        """The citations that the document did not have before the change, each as often as it has it now."""
        had: dict[object, int] = {}
        then = self._before(document)
        for item in extract(then, self._old.dialects) if then is not None else ():
            had[_signature(item)] = had.get(_signature(item), 0) + 1
        fresh = []
        for item in extract(document, self._engine.dialects):
            left = had.get(_signature(item), 0)
            if left:
                had[_signature(item)] = left - 1
            else:
                fresh.append(item.span)
        return frozenset(fresh)

    def _before(self, document: Document) -> Document | None:
        """A document as it was before the change; None where there was none that can be read."""
        before = self._was.get(document.path, document.path)
        if document.path not in self._was:
            return document
        root = self._old.world.root
        try:
            text = decode(root.read(before, root.limits.document_bytes)) if before is not None else None
        except Refused:
            return None
        if before is None or text is None:
            return None
        return Document(before, text, self._config.in_code, self._config.memories, root.path)

    def _item(
        self, document: Document, verdict: Verdict, told: EffectEvidence, quiet: dict[int, frozenset[str]]
    ) -> AffectedCitation:
        citation = verdict.citation
        checks = _CHECKS.get(told.effect, ())
        hushed = any(check in self._config.ignore or is_silenced(quiet, verdict.line, check) for check in checks)
        fix = ""
        if told.effect is Effect.MOVES:
            edit = _edit(document, citation, told.place, verdict.findings)
            fix = _rewrite_citation(citation, edit) if edit is not None else ""
        about = (told.effect, told.why, told.detail, told.place, fix)
        return AffectedCitation(document.path, *_identify(verdict), *about, ignored=hushed)


class _Known(Follower):
    """Knows of the past only which files there were before the change."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__()
        self._files = files

    def has_existed(self, key: str) -> bool:
        """Whether there was such a file before the change."""
        return join("", key) in self._files

    def past_paths_by_end(self, end: str) -> list[str]:
        """The paths before the change that end in whole components with what is given."""
        named = self._named.get(end.rpartition("/")[2], ())
        return [path for path in named if f"/{path}".endswith(f"/{end}")]

    @cached_property
    def _named(self) -> dict[str, list[str]]:
        return group_by_name(self._files)


def _read_documents(new: Root, paths: Sequence[str]) -> Iterator[tuple[str, bytes | Refused]]:
    """The documents of the new side, each with its bytes or why it cannot be read."""
    limit = new.limits.document_bytes
    if isinstance(new, GitTree):
        yield from new.read_many(paths, limit)
        return
    for path in paths:
        try:
            yield path, new.read(path, limit)
        except Refused as error:
            yield path, error


def _load_accepted(side: Root) -> Acceptances | None:
    """What readers accepted, on one side of the change; what cannot be read accepts nothing, and `check` says so."""
    try:
        return load_records(side)[1]
    except UsageError:
        return None


def _make_checked_item(path: str, verdict: Verdict, why: str = "") -> AffectedCitation:
    """A citation that is checked as usual."""
    citation = verdict.citation
    worst: Finding | None = max(verdict.findings, key=lambda finding: finding.outcome, default=None)
    outcome = worst.outcome if worst is not None else Outcome.HOLDS
    edit = worst.edit if worst is not None else None
    return AffectedCitation(
        path,
        *_identify(verdict),
        Effect.NEW,
        worst.message if worst is not None else why,
        worst.detail if worst is not None else "",
        fix=_rewrite_citation(citation, edit) if edit is not None else "",
        outcome=outcome.label,
        ignored=worst is None and bool(verdict.silenced),
    )


def _identify(verdict: Verdict) -> tuple[int, int, str, str, str]:
    """Where a citation stands, how it is written, and what it cites."""
    citation = verdict.citation
    return verdict.line, verdict.column, citation.raw, citation.dialect, target_of(citation)


def _edit(document: Document, citation: Citation, place: Place | None, findings: tuple[Finding, ...]) -> Edit | None:
    """The edit that leads to the place; without one, that of the finding which knows better."""
    if place is not None:
        return get_dialect(citation.dialect).repoint(document, citation, place)
    return next((finding.edit for finding in findings if finding.edit is not None), None)


def _rewrite_citation(citation: Citation, edit: Edit) -> str:
    """The citation as an edit leaves it, on one line."""
    text, span = edit.replacement, citation.span
    if span.start <= edit.span.start <= edit.span.end <= span.end:
        text = citation.raw[: edit.span.start - span.start] + text + citation.raw[edit.span.end - span.start :]
    return " ".join(text.split())


def _signature(item: Citation | Malformed) -> object:
    """What makes two citations the same, wherever they stand."""
    if isinstance(item, Malformed):
        return item.dialect, item.raw
    about = (item.lines, item.quote, item.pages, item.section)
    return item.dialect, item.source, item.alternate, *about


def _documents(new: Root, git: Git, keys: Sequence[str], config: Config) -> list[str]:
    """The documents of the new side."""
    if not isinstance(new, GitTree):
        return find_documents(new, git, keys, config.endings, config.exclude).documents
    wanted = _make_document_filter(new, keys, config)
    return sorted(path for path in new.files if wanted(path))


def _make_document_filter(side: GitTree, keys: Sequence[str], config: Config) -> Callable[[str], bool]:
    """Whether a path of a commit is a document to look at."""
    named = frozenset(keys)
    folders = tuple(f"{key}/" if key else "" for key in keys) or ("",)
    excluded = excluder(config.exclude)

    def wanted(path: str) -> bool:
        if path in named:
            return True
        fits = path.startswith(folders) and has_ending(path, config.endings)
        return fits and not (excluded(path) or is_foreign_source(path)) and not is_evidence(side, path)

    return wanted


def _find_needles(paths: list[str], config: Config) -> tuple[bytes, ...] | None:
    """What a document holds that cites one of these files; None where only reading it can tell."""
    found: dict[bytes, None] = {}
    corpus = config.corpus
    folder = (corpus.path or CORPUS).rstrip("/") + "/"
    for path in paths:
        name = path.rpartition("/")[2]
        if name.startswith("REF-"):
            found[os.fsencode(name[:7])] = None
            continue
        if path.startswith(folder) or path in (*POLICIES, corpus.policy, *corpus.bibliography):
            return None
        if path.lower().endswith(_LISTS) or name == MANIFEST or _CHUNK.match(name):
            return None
        dot = name.find(".", 1)
        found[os.fsencode(name if dot < 0 else name[:dot])] = None
        if len(found) > _MOST_NEEDLES:
            return None
    return tuple(found)


def _pair_untracked_renames(
    pairs: list[tuple[str | None, str | None]], old: GitTree, root: Root
) -> list[tuple[str | None, str | None]]:
    """The same, with a file that git does not know yet joined to the deleted one whose bytes it has."""
    lost: dict[str, list[str]] = {}
    for before, after in pairs:
        if before is not None and after is None and before in old.files:
            lost.setdefault(old.files[before], []).append(before)
    homes: dict[str, str] = {}
    for before, after in pairs if lost else ():
        if before is None and after is not None:
            try:
                data = root.read(after, _HASHED)
            except Refused:
                continue
            known = lost.get(old.digest(data), [])
            if len(known) == 1 and data:
                homes.setdefault(known[0], after)
    taken = set(homes.values())
    return [
        (before, homes.get(before, after) if before is not None and after is None else after)
        for before, after in pairs
        if before is not None or after not in taken
    ]
