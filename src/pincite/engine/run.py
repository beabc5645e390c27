"""A whole run: many documents through the pipeline, into one stream of reports and one exit code."""

from __future__ import annotations

from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Refused
from ..core.model import Outcome, Report, Summary
from ..project.config import Config
from ..project.documents import Listing, find_documents
from ..project.project import Project
from ..store import KEY
from ..store.last_run import DocumentRecord, LastRun
from ..store.watched_files import Watcher
from ..text.source_comments import find_family, is_silent_source
from .document_batches import DocumentBatch
from .document_parts import (
    choose_exit_code,
    count_problems,
    is_plain,
    join_reports,
    make_unread_report,
    merge_count_only_parts,
)
from .history_gap import HistoryGap
from .known_findings import KnownFindings
from .pipeline import Engine
from .records import load_records
from .repair.planned_reports import PlannedReports

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..safe.files import Root
    from ..safe.git import Git
    from .base_commit import CommitComparison
    from .drift.follow import Follower
    from .repair.draft_engine import DraftEngine

    Progress = Callable[[int, int], None]


class Request(Struct, frozen=True):
    """What a run is asked to do."""

    paths: tuple[str, ...] = ()
    config: Config = Config()
    every: bool = False
    """Whether citations that hold are wanted one by one."""
    since: str = ""
    base: str = ""
    """A commit: what changes since then keep from being reported is counted. `since` is one as well."""
    baseline: str = ""
    """The baseline's key, where it lies below the root."""
    other_root: str = ""
    """The root, where it is another one than that around the working folder because of the paths that were named."""
    known: frozenset[str] = frozenset()
    """Fingerprints of the baseline."""
    strict: bool = False
    jobs: int = 1
    cache: bool = True
    thorough: bool = False
    """Whether cited words that left their file are looked for in all others, for a reader."""
    afresh: bool = False
    """Whether something is to be written: then what earlier runs found to say of a document is found anew."""
    named: bool = False
    """Whether a baseline will be written from the run: then it keeps a name for every finding."""
    promises: bool = False
    """Whether safe edits are tried: one that `fix` does not make says why, the others are counted."""
    stdin: tuple[str, bytes] | None = None
    """A document that is not read from disk: the name it goes by, and its bytes."""


class Run:
    """One run over one root. `reports` streams; `summary` is complete once it is exhausted.

    Documents with nothing to say (every citation holds, or there is none) are counted and not streamed.
    """

    def __init__(self, root: Root, request: Request) -> None:
        self.root = root
        self.request = request
        self.summary = Summary(outcomes={outcome.label: 0 for outcome in Outcome}, root=request.other_root)
        self._every = request.every or bool(request.since)
        self._project = Project(root, request.config)
        self.folders: set[str] = set()
        """Where documents of this run lie, as far as it had to look for them."""
        self._known = KnownFindings(request.known, request.named)
        self.fingerprints = self._known.fingerprints
        """What a baseline written from this run would hold: fingerprints and what they stand for."""
        self._gap = HistoryGap()
        self._ruling: list[str] = []
        """Paths that the key of the snapshot was made from."""
        self.snapshot: LastRun | None = None
        """The stored answer that this run found or made, if it has one."""
        self._used: Engine | None = None
        """The engine that checked the documents, where that was done in this process."""
        self.others: dict[str, str] = {}
        """Other repositories that documents cite, such as `github.com/owner/name`, with the commit of the mirror; empty
        where there is none. Filled while documents are checked in this process, where there is a folder of mirrors."""
        self._started = perf_counter()

    def git(self) -> Git | None:
        """The repository's git, looked for once."""
        return self._project.git()

    def close(self) -> None:
        """End the git processes that were kept open; asking for more starts them again."""
        self._project.close_git()
        if self._used is not None and self._used.world.others is not None:
            self._used.world.others.close()

    def engine(self) -> DraftEngine:
        """An engine that judges a text as this run judges documents, with a verdict on every citation."""
        from .repair.draft_engine import DraftEngine

        follower = self._follower.without_search()
        engine = DraftEngine(self.root, self.request.config, self.git, follower, True, self.request.cache)
        if self._used is not None:
            engine.learn_from(self._used)
        return engine

    def reports(self, progress: Progress | None = None) -> Iterator[Report]:
        """Reports in path order, --since and baseline applied."""
        parts: list[Report] = []
        for report in self.parts(progress):
            parts.append(report)
            if not report.more:
                yield join_reports(parts)
                parts = []

    def parts(self, progress: Progress | None = None) -> Iterator[Report]:
        """The same, but a document with many citations in parts: all but the last part say that more follows."""
        comparison = None
        if self.request.since or (self.request.base and not self._is_first()):
            from .base_commit import CommitComparison

            comparison = CommitComparison(self.root, self.git(), self.request)
        begun, plan = False, PlannedReports(self).plan if self.request.promises else iter
        try:
            for report in plan(merge_count_only_parts(self._apply_suppressions(comparison, progress))):
                if begun or not is_plain(report):
                    yield report
                    begun = report.more
            if comparison is not None:
                comparison.conclude(self.summary, self._listing.documents if self.request.stdin is None else ())
        finally:
            self.close()
        self._gap.conclude(self.summary, self.git, self.request.strict)
        self.summary.seconds = round(perf_counter() - self._started, 3)

    def _is_first(self) -> bool:
        """Whether there is no commit to compare with yet: a change from nothing hides nothing."""
        git = self.git()
        return self.request.base == "HEAD" and git is not None and git.head() is None

    @cached_property
    def _listing(self) -> Listing:
        config = self.request.config
        return find_documents(self.root, self.git(), self.request.paths, config.endings, config.exclude)

    def list_documents(self) -> Sequence[str]:
        """All documents of the root, also where only some were asked for."""
        config, asked = self.request.config, self.request.paths or self.request.stdin is not None
        if not asked:
            return self._listing.documents
        return find_documents(self.root, self.git(), (), config.endings, config.exclude).documents

    def _apply_suppressions(self, comparison: CommitComparison | None, progress: Progress | None) -> Iterator[Report]:
        """Every report with what a change did not touch, and what is known, left out; counted."""
        for report in self._all(progress):
            if comparison is not None:
                report = comparison.part(report)
            report = self._known.leave_out(report)
            self._count(report)
            yield report

    def _all(self, progress: Progress | None) -> Iterator[Report]:
        """Every report, from the last run where it still stands."""
        request = self.request
        if request.stdin is not None:
            self.summary.documents += 1
            follower = self._follower
            if follower.history is not None:
                follower.history.draft = request.stdin[0]
            engine = self._engine(follower)
            engine.resolver.refuses_invented = True
            yield from engine.check_parts(*request.stdin)
            engine.close()
            return
        snapshot = self._snapshot()
        if snapshot is not None and not request.afresh and snapshot.is_unchanged():
            documents, held, self._gap.compared = snapshot.totals()
            self._hold(documents, held)
            self.summary.drift = snapshot.drift
            for report in snapshot.iter_reports():
                self.summary.documents += not report.more
                self.folders.add(report.document.rpartition("/")[0])
                yield report
            return
        listing = self._listing
        self.folders.update(path.rpartition("/")[0] for path in listing.documents)
        yield from self._check(listing, snapshot, progress)

    def _check(self, listing: Listing, snapshot: LastRun | None, progress: Progress | None) -> Iterator[Report]:
        """Check what no stored answer stands for; keep the answers where there is a snapshot to keep them in."""
        follower = self._follower
        standing = self._standing(snapshot)
        todo = [path for path in listing.documents if path not in standing]
        checked = self._in_order(todo, follower)
        plain = held = 0
        watcher = Watcher(self.root)
        for number, path in enumerate(listing.documents):
            entry = standing.get(path)
            if entry is not None and snapshot is not None:
                parts: Iterator[Report] = snapshot.keep(path, entry)
            else:
                parts = _fresh(path, checked, snapshot, watcher)
            begun = False
            for report in parts:
                if not begun and is_plain(report):
                    plain += not is_silent_source(path, report.held)
                    held += report.held
                    self._gap.count(report)
                else:
                    self.summary.documents += not begun
                    begun = True
                    yield report
            if progress is not None:
                progress(number + 1, len(listing.documents))
        request = self.request
        self._hold(plain, held)
        next(checked, None)  # Lets workers end in an orderly way.
        trouble = follower.history.trouble if follower.history is not None else ""
        if trouble:
            from ..safe.git_damage import explain_complaint

            git = self.git()
            self.summary.drift = explain_complaint(git, trouble) if git is not None else trouble
        # What git could not do today it may do tomorrow.
        passing = bool(trouble) or self._gap.without_git or self._gap.may_be_filled
        if snapshot is not None and listing.folders and not passing:
            watched = [*listing.folders, *self._git_files(listing), *self._ruling]
            if request.paths and snapshot.depends_on(KEY):
                # Some answer depends on what there is anywhere, not only in the folders that were asked for.
                watched += find_documents(self.root, self.git(), (), request.config.endings, ()).folders
            snapshot.save(watched, self._head(), self.summary.drift)
        self.keep_history()

    def _in_order(self, paths: Sequence[str], follower: Follower) -> Iterator[tuple[Report, tuple[str, ...]]]:
        """The reports of documents with the sources each depended on, by one process or several."""
        if self.request.jobs > 1 and len(paths) > 1:
            from ..safe.workers import in_workers

            if follower.history is not None:
                follower.history.prepare()
                follower.history.has_existed("")  # The past names too, so that not every worker looks them up.
            kind = tuple[Report, tuple[str, ...]]
            yield from in_workers(paths, self.request.jobs, lambda part: self._serially(part, follower), kind)
        else:
            yield from self._serially(paths, follower)

    def _serially(self, paths: Sequence[str], follower: Follower) -> Iterator[tuple[Report, tuple[str, ...]]]:
        engine = self._engine(follower)
        batch = DocumentBatch(engine, follower)
        for path in paths:
            try:
                data = engine.world.read_document(path)
            except Refused as error:
                skipped = find_family(path) and path not in self.request.paths
                batch.put(Report(path) if skipped else make_unread_report(path, error))
            else:
                yield from batch.add(path, data)
                del data
            if batch.is_full():
                yield from batch.conclude()
        yield from batch.conclude()
        engine.close()  # Before the answer is stored: closing may touch the files it depends on.
        self._used = engine
        self.others.update(engine.world.others.seen if engine.world.others is not None else ())

    def _engine(self, follower: Follower) -> Engine:
        kind = Engine
        if self.request.since:
            from .dependencies import TracedEngine as kind
        return kind(self.root, self.request.config, self.git, follower, self._every, self.request.cache)

    @cached_property
    def _follower(self) -> Follower:
        """With history where there is one to compare with; says in the summary where there is none."""
        from .drift.follow import Follower

        git = self.git()
        searcher = None
        locks, accepted = load_records(self.root)
        if self.request.thorough:
            from .drift.other_files import Searcher

            searcher = Searcher()
        if git is None or git.head() is None or not self.request.config.drift:
            self.summary.drift = self._gap.explain_absence(git, self.root.path, self.request.config.drift)
            follower = Follower(None, locks, None, searcher, accepted)
            follower.without_git = self._gap.without_git
            return follower
        from .known_history import open_history

        request = self.request
        history, tracer = open_history(self.root, git, request.config.history_endings, self._few(), request.cache)
        return Follower(history, locks, tracer, searcher, accepted)

    def _few(self) -> bool:
        """Whether only single documents were asked for, which are cheaper to blame than all history is to read."""
        paths = self.request.paths
        return self.request.stdin is not None or (bool(paths) and len(paths) < 4 and all(map(self.root.is_file, paths)))

    def keep_history(self) -> None:
        """Keep what was learnt from history for the next run."""
        git, follower = self.git(), self._follower
        if follower.history is not None and git is not None and self.request.cache:
            from .known_history import keep_history

            keep_history(self.root, git, follower)

    def _snapshot(self) -> LastRun | None:
        request = self.request
        if not request.cache or request.since:
            return None
        if request.paths and all(self.root.is_file(path) for path in request.paths):
            return None
        from .cache_key import make_key

        try:
            key, self._ruling = make_key(self.root, request.config, (self._every, request.thorough, request.paths))
        except (Refused, UnicodeEncodeError):
            return None
        self.snapshot = LastRun(self.root, key)
        return self.snapshot

    def _standing(self, snapshot: LastRun | None) -> dict[str, DocumentRecord]:
        """Stored answers that still stand. A new commit may change what is known of documents it touches, and of those
        that cite what it touches."""
        if snapshot is None:
            return {}
        standing = snapshot.standing(KEY)
        if self.request.afresh:
            standing = {path: entry for path, entry in standing.items() if not entry.parts}
        head, git = self._head(), self.git()
        if git is not None and not all(map(snapshot.stands, git.horizon_files())):
            # The same commit may have another past: a shallow clone was deepened, or objects came from elsewhere.
            return {}
        if not standing or snapshot.head == head:
            return standing
        if git is None or not snapshot.head or not git.is_ancestor(snapshot.head, head):
            return {}
        from ..safe.git_tree import logged_between

        # What came and went in between was there once, and that may be part of an answer.
        touched = logged_between(git, snapshot.head, head)
        return {
            path: entry
            for path, entry in standing.items()
            if path not in touched and touched.isdisjoint(snapshot.sources_of(entry))
        }

    def _head(self) -> str:
        git = self.git()
        return (git.head() or "") if git is not None else ""

    def _git_files(self, listing: Listing) -> list[str]:
        """The files of git that say which documents there are and which commit this is."""
        git = self.git()
        if git is None:
            return []
        from ..safe.git_tree import ignore_files

        own = (f"{folder}/.gitignore".lstrip("/") for folder in listing.folders)
        return [*git.state_files(), *ignore_files(git), *own]

    def _hold(self, documents: int, held: int) -> None:
        self.summary.documents += documents
        self.summary.citations += held
        self.summary.outcomes["holds"] += held

    def _count(self, report: Report) -> None:
        self._hold(0, report.held)
        self._gap.count(report)
        if not is_plain(report):
            count_problems(self.summary, report)
            code = choose_exit_code(report, self.request.strict)
            self.summary.exit_code = max(self.summary.exit_code, code)


def _fresh(
    path: str, checked: Iterator[tuple[Report, tuple[str, ...]]], snapshot: LastRun | None, watcher: Watcher
) -> Iterator[Report]:
    """The next document that was checked, part by part; the snapshot remembers it."""
    for report, sources in checked:
        if snapshot is not None:
            watched = () if report.more else watcher.paths((path, *sources))
            snapshot.remember(path, watched, report, is_plain(report))
        yield report
        if not report.more:
            return
