"""A whole run: many documents through the pipeline, into one stream of reports and one exit code."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from .config import POLICIES, Config
from .errors import Refused
from .model import Finding, Outcome, Report, Severity, Summary, Verdict
from .pipeline import Block, Engine, worst
from .read import Listing, find_documents
from .report._fingerprint import Fingerprints
from .since import touched_by
from .store import KEY, LOCK
from .store.snapshot import Entry, Snapshot, prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .follow import Follower
    from .safe.files import Root
    from .safe.git import Git
    from .store.lock import Locks

    Progress = Callable[[int, int], None]


class Request(Struct, frozen=True):
    """What a run is asked to do."""

    paths: tuple[str, ...] = ()
    config: Config = Config()
    every: bool = False
    """Whether citations that hold are wanted one by one."""
    since: str = ""
    known: frozenset[str] = frozenset()
    """Fingerprints of the baseline."""
    strict: bool = False
    jobs: int = 1
    cache: bool = True
    thorough: bool = False
    """Whether cited words that left their file are looked for in all others, for a reader."""
    stdin: tuple[str, bytes] | None = None
    """A document that is not read from disk: the name it goes by, and its bytes."""


class Run:
    """One run over one root. `reports` streams; `summary` is complete once it is exhausted.

    Documents with nothing to say (every citation holds, or there is none) are counted and not streamed.
    """

    def __init__(self, root: Root, request: Request) -> None:
        self.root = root
        self.request = request
        self.summary = Summary(outcomes={outcome.label: 0 for outcome in Outcome})
        self._every = request.every or bool(request.since)
        self._git: list[Git | None] = []
        self._followers: list[Follower] = []
        self.folders: set[str] = set()
        """Where documents of this run lie, as far as it had to look for them."""
        self._names = Fingerprints()
        self._named: dict[str, str] = {}
        self._unnamed: list[tuple[str, str, str, bool]] = []
        """Findings that have no name yet: document, check, citation, and whether a baseline would hold it."""
        self._unknown = 0
        self._started = perf_counter()

    @property
    def fingerprints(self) -> dict[str, str]:
        """What a baseline written from this run would hold: fingerprints and what they stand for."""
        for document, check, raw, lasting in self._unnamed:
            name = self._names.of(document, check, raw)
            if lasting:
                self._named[name] = f"{document}: {check} {raw}"
        self._unnamed = []
        return self._named

    def git(self) -> Git | None:
        """The repository's git, looked for once."""
        if not self._git:
            from .safe.git import Git

            self._git.append(Git.find(self.root.path))
        return self._git[0]

    def close(self) -> None:
        """End the git processes that were kept open; asking for more starts them again."""
        if self._git and self._git[0] is not None:
            self._git[0].close()

    def engine(self) -> Engine:
        """An engine that judges a text as this run judges documents, with a verdict on every citation."""
        return Engine(self.root, self.request.config, self.git, self._follower(), True, self.request.cache)

    def reports(self, progress: Progress | None = None) -> Iterator[Report]:
        """Reports in path order, --since and baseline applied."""
        changed = self._changed()
        try:
            for report in self._all(progress):
                if changed is not None:
                    report = touched_by(report, changed, self.request.every)
                report = self._without_known(report)
                self._count(report)
                if not _plain(report):
                    yield report
        finally:
            self.close()
        if self._unknown and not self.summary.drift:
            self.summary.drift = self._gap()
        self.summary.seconds = round(perf_counter() - self._started, 3)

    def _gap(self) -> str:
        """Why some cited lines could not be compared, with the remedy."""
        git = self.git()
        some = f"{self._unknown:,} citation{'s' if self._unknown != 1 else ''}"
        if git is not None and git.boundary():
            return f"{some}, because this clone is shallow (git fetch --unshallow; in CI fetch-depth: 0)"
        return f"{some} in documents that are not in git"

    def _all(self, progress: Progress | None) -> Iterator[Report]:
        """Every report, from the last run where it still stands."""
        request = self.request
        if request.stdin is not None:
            self.summary.documents += 1
            follower = self._follower()
            if follower.history is not None:
                follower.history.draft = request.stdin[0]
            engine = self._engine(follower)
            report = engine.check_bytes(*request.stdin)
            engine.close()
            yield report
            return
        snapshot = self._snapshot()
        if snapshot is not None and snapshot.unchanged():
            documents, held = snapshot.totals()
            self._hold(documents, held)
            self.summary.drift = snapshot.drift
            for report in snapshot.spoken():
                self.summary.documents += 1
                self.folders.add(report.document.rpartition("/")[0])
                yield report
            return
        listing = find_documents(self.root, self.git(), request.paths, request.config.documents, request.config.exclude)
        self.folders.update(path.rpartition("/")[0] for path in listing.documents)
        yield from self._check(listing, snapshot, progress)

    def _check(self, listing: Listing, snapshot: Snapshot | None, progress: Progress | None) -> Iterator[Report]:
        """Check what no stored answer stands for; keep the answers where there is a snapshot to keep them in."""
        follower = self._follower()
        standing = self._standing(snapshot)
        todo = [path for path in listing.documents if path not in standing]
        checked = self._in_order(todo, follower)
        plain = held = 0
        for number, path in enumerate(listing.documents):
            entry = standing.get(path)
            if entry is not None and snapshot is not None:
                snapshot.keep(path, entry)
                report = _stored(path, entry)
            else:
                report, sources = next(checked)
                if snapshot is not None:
                    snapshot.remember(path, sources, report, _plain(report))
            if progress is not None:
                progress(number + 1, len(listing.documents))
            if _plain(report):
                plain += 1
                held += report.held
            else:
                self.summary.documents += 1
                yield report
        self._hold(plain, held)
        next(checked, None)  # Lets workers end in an orderly way.
        if follower.history is not None and follower.history.trouble:
            self.summary.drift = follower.history.trouble
        if snapshot is not None and listing.folders:
            snapshot.save([*listing.folders, *self._git_files(listing)], self._head(), self.summary.drift)
        self._keep_history(follower)

    def _in_order(self, paths: Sequence[str], follower: Follower) -> Iterator[tuple[Report, tuple[str, ...]]]:
        """The reports of documents with the sources each depended on, by one process or several."""
        if self.request.jobs > 1 and len(paths) > 1:
            from .safe.workers import in_workers

            if follower.history is not None:
                follower.history.prepare()
                follower.history.existed("")  # The past names too, so that not every worker looks them up.
            kind = tuple[Report, tuple[str, ...]]
            yield from in_workers(paths, self.request.jobs, lambda part: self._serially(part, follower), kind)
        else:
            yield from self._serially(paths, follower)

    def _serially(self, paths: Sequence[str], follower: Follower) -> Iterator[tuple[Report, tuple[str, ...]]]:
        engine = self._engine(follower)
        if follower.history is not None:
            yield from self._in_blocks(paths, Block(engine, follower))
            engine.close()
            return
        world = engine.world
        limit = self.root.limits.document_bytes
        read = self.root.read
        for path in paths:
            world.touched = {}
            try:
                data = read(path, limit)
            except Refused as error:
                yield Report(path, error=_refusal(error)), ()
                continue
            yield engine.check_bytes(path, data), tuple(world.touched) if self.request.cache else ()
        # Before the answer is stored: closing may touch the files it depends on.
        engine.close()

    def _in_blocks(self, paths: Sequence[str], block: Block) -> Iterator[tuple[Report, tuple[str, ...]]]:
        """Like `_serially`, where history is asked about many documents at once."""
        for path in paths:
            try:
                block.add(path, self.root.read(path, self.root.limits.document_bytes))
            except Refused as error:
                block.put(Report(path, error=_refusal(error)))
            if block.is_full():
                yield from block.conclude()
        yield from block.conclude()

    def _engine(self, follower: Follower) -> Engine:
        return Engine(self.root, self.request.config, self.git, follower, self._every, self.request.cache)

    def _follower(self) -> Follower:
        """With history where there is one to compare with; says in the summary where there is none."""
        if not self._followers:
            self._followers.append(self._new_follower())
        return self._followers[0]

    def _new_follower(self) -> Follower:
        from .follow import Follower

        git = self.git()
        searcher = None
        if self.request.thorough:
            from .follow_tree import Searcher

            searcher = Searcher()
        if git is None or git.head() is None or not self.request.config.drift:
            reason = "switched off" if not self.request.config.drift else "not a git repository"
            self.summary.drift = "no commits yet" if git is not None and self.request.config.drift else reason
            return Follower(None, self._locks(), None, searcher)
        from .resolve.history import History
        from .store import history as kept

        state = kept.load(self.root, git) if self.request.cache else None
        patterns = tuple(f"*{ending}" for ending in self.request.config.documents)
        from .repair.tracing import Tracer

        history = History(git, patterns, state, self._few(), self.root.read)
        tracer = Tracer(git, git.head() or "", self.root.limits.source_bytes)
        return Follower(history, self._locks(), tracer, searcher)

    def _locks(self) -> Locks | None:
        """What was locked; without a lock this costs one look."""
        if self.root.stat(LOCK) is None:
            return None
        from .store.lock import Locks

        return Locks.load(self.root)

    def _few(self) -> bool:
        """Whether only single documents were asked for, which are cheaper to blame than all history is to read."""
        paths = self.request.paths
        return self.request.stdin is not None or (bool(paths) and len(paths) < 4 and all(map(self.root.is_file, paths)))

    def _keep_history(self, follower: Follower) -> None:
        """Keep what was learnt from history for the next run."""
        git = self.git()
        state = follower.history.state() if follower.history is not None and self.request.cache else None
        if state is not None and git is not None:
            from .store import history as kept

            kept.save(self.root, git, state)

    def _snapshot(self) -> Snapshot | None:
        request = self.request
        if not request.cache or request.since:
            return None
        if request.paths and all(self.root.is_file(path) for path in request.paths):
            return None
        from hashlib import sha256

        from msgspec.msgpack import encode

        from . import symbols

        try:
            # What was unchecked for want of grammars is looked at again once they are there.
            rules = (self._rules(), symbols.at_hand())
            asked = encode((request.config, self._every, request.thorough, request.paths, self.root.path, rules))
            prepare(self.root)
        except (Refused, UnicodeEncodeError):
            return None
        return Snapshot(self.root, sha256(asked).hexdigest())

    def _rules(self) -> tuple[list[tuple[int, int, int]], list[str]]:
        """What shows that the corpus came, went, or is ruled by other files now: then no stored answer stands."""
        from .resolve import BIBLIOGRAPHIES, CORPUS

        named = self.request.config.corpus
        marks = []
        for key in (*POLICIES, named.policy, *named.bibliography, LOCK):
            info = self.root.stat(key) if key else None
            marks.append((info.st_ctime_ns, info.st_size, info.st_ino) if info is not None else (0, 0, 0))
        folder = named.path or CORPUS
        if not named.path and any(mark[2] for mark in marks[: len(POLICIES) + 1]):
            from .policy import get_policy

            folder = get_policy(self.root, named.policy).corpus_path
        there = self.root.stat(folder) is not None
        marks.append((int(there), int(self.root.stat(CORPUS) is not None), 0))
        names = self.root.names(folder) if there else []
        return marks, [name for name in names if name.lower().endswith(BIBLIOGRAPHIES)]

    def _standing(self, snapshot: Snapshot | None) -> dict[str, Entry]:
        """Stored answers that still stand. A new commit may change what is known of documents it touches, and of all
        that had something to say."""
        if snapshot is None:
            return {}
        standing = snapshot.standing(KEY)
        head = self._head()
        if not standing or snapshot.head == head:
            return standing
        git = self.git()
        if git is None or not snapshot.head or not git.is_ancestor(snapshot.head, head):
            return {}
        touched = git.changed_between(snapshot.head, head)
        return {path: entry for path, entry in standing.items() if not entry.report and path not in touched}

    def _head(self) -> str:
        git = self.git()
        return (git.head() or "") if git is not None else ""

    def _git_files(self, listing: Listing) -> list[str]:
        """The files of git that say which documents there are and which commit this is."""
        git = self.git()
        if git is None:
            return []
        return [*git.state_files(), *(f"{folder}/.gitignore".lstrip("/") for folder in listing.folders)]

    def _changed(self) -> set[str] | None:
        if not self.request.since:
            return None
        git = self.git()
        if git is None:
            from .errors import UsageError

            raise UsageError("--since needs a git repository; run it inside one or leave the option out")
        return git.changed_since(self.request.since)

    def _without_known(self, report: Report) -> Report:
        """Name every finding; drop those the baseline knows."""
        if not report.verdicts and not report.malformed:
            return report
        if not self.request.known:
            # Names are worked out when somebody asks for them.
            for verdict in report.verdicts:
                for finding in verdict.findings:
                    lasting = finding.severity > Severity.NOTE
                    self._unnamed.append((report.document, finding.check, verdict.citation.raw, lasting))
            for defect in report.malformed:
                self._unnamed.append((report.document, "malformed-citation", defect.malformed.raw, True))
            return report
        verdicts: list[Verdict] = []
        known = 0
        for verdict in report.verdicts:
            loud: list[Finding] = []
            silent = [*verdict.silenced]
            for finding in verdict.findings:
                name = self._names.of(report.document, finding.check, verdict.citation.raw)
                (silent if name in self.request.known else loud).append(finding)
                if finding.severity > Severity.NOTE:
                    self._named[name] = f"{report.document}: {finding.check} {verdict.citation.raw}"
            if len(loud) < len(verdict.findings):
                known += len(verdict.findings) - len(loud)
                verdict = replace(verdict, findings=tuple(loud), silenced=tuple(silent))
            verdicts.append(verdict)
        malformed = []
        for defect in report.malformed:
            name = self._names.of(report.document, "malformed-citation", defect.malformed.raw)
            if name in self.request.known:
                known += 1
                continue
            malformed.append(defect)
            self._named[name] = f"{report.document}: malformed-citation {defect.malformed.raw}"
        if not known:
            return report
        return replace(report, verdicts=tuple(verdicts), malformed=tuple(malformed), known=known)

    def _hold(self, documents: int, held: int) -> None:
        self.summary.documents += documents
        self.summary.citations += held
        self.summary.outcomes["holds"] += held

    def _count(self, report: Report) -> None:
        summary = self.summary
        self._hold(0, report.held)
        if report.verdicts or report.malformed or report.error or report.ignored or report.known:
            for verdict in report.verdicts:
                if not verdict.findings and not verdict.silenced:
                    continue  # It plainly holds, and was counted as held.
                summary.citations += 1
                summary.outcomes[verdict.outcome.label] += 1
                if not verdict.findings:
                    continue
                severity = verdict.severity
                summary.errors += severity == Severity.ERROR
                summary.warnings += severity == Severity.WARNING
                summary.notes += severity == Severity.NOTE
                self._unknown += any(finding.check == "drift-unknown" for finding in verdict.findings)
            summary.malformed += len(report.malformed)
            summary.ignored += report.ignored
            summary.known += report.known
            summary.unreadable += bool(report.error)
            summary.warnings += report.doubtful
            summary.exit_code = max(summary.exit_code, worst(report, self.request.strict))


def _plain(report: Report) -> bool:
    """Whether a report says nothing but how many citations hold."""
    return not (report.verdicts or report.malformed or report.error or report.ignored or report.known)


def _stored(path: str, entry: Entry) -> Report:
    from msgspec.msgpack import decode

    return decode(entry.report, type=Report) if entry.report else Report(path, held=entry.held)


def _refusal(error: Refused) -> str:
    kind = error.kind
    if kind == "file-unreadable":
        return f"cannot read the document: {error}"
    if kind == "path-blocked":
        return "the document is a link that leads outside the root; it was not read"
    return "the document vanished before it could be read"
