"""What the overview keeps between requests: what the user has seen, what a revision changed, who wrote what."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from time import time
from typing import TYPE_CHECKING

from ...engine.line_authors import find_line_authors
from ...engine.run import Request, Run
from ...engine.settings import merge_settings
from ...project.baseline_file import read_known
from ...safe.escape import escape_text
from ...store.seen_findings import SeenFindings, load_seen, save_seen
from .deferred import DeferredAnswers
from .facets import RowFilter, RowSelection, select_rows

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from .checked_documents import CheckedDocuments
    from .deferred import DeferredAnswer
    from .long_work import LongWork
    from .records import CitationRow
    from .site import Site

_KEY = "overview"
_MOST_SELECTIONS = 8
"""Choices whose rows are kept, so that the next page of a list need not choose again."""
_LONGEST_REVISION = 60


class OverviewMemory:
    """Shared by all threads that make overview pages."""

    def __init__(self, site: Site) -> None:
        self.answers = DeferredAnswers(site.works)
        self._site = site
        self._lock = Lock()
        self._is_loaded = False
        self._seen: SeenFindings | None = None
        self._rows: tuple[int, list[CitationRow]] = (-1, [])
        self._news: tuple[object, frozenset[str]] = (None, frozenset())
        self._selections: OrderedDict[Hashable, RowSelection] = OrderedDict()

    def seen(self) -> SeenFindings | None:
        """What was seen when the user last marked all as seen; None before that."""
        with self._lock:
            if not self._is_loaded:
                with self._site.open() as project:
                    self._seen = load_seen(project.root)
                self._is_loaded = True
            return self._seen

    def mark_seen(self, documents: CheckedDocuments) -> None:
        """Note that all findings were seen; raises Refused where that cannot be kept."""
        names = frozenset(name for row in documents.all_rows() if row.outcome != "holds" for name in row.fingerprints)
        seen = SeenFindings(int(time()), names)
        with self._lock:
            with self._site.open() as project:
                save_seen(project.root, seen)
            self._seen, self._is_loaded = seen, True

    def state(self) -> object:
        """While this is equal, nothing that is kept here is another."""
        return self._seen, self._is_loaded, self.answers.states()

    def rows(self, documents: CheckedDocuments) -> list[CitationRow]:
        """All citations, listed once for a state of the documents."""
        version, rows = self._rows
        if version != documents.version:
            rows = list(documents.all_rows())
            self._rows = documents.version, rows
        return rows

    def find_unseen(self, documents: CheckedDocuments) -> frozenset[str]:
        """The ids of citations with findings that were not there at the last mark; none before the first."""
        seen = self.seen()
        if seen is None:
            return frozenset()
        key = documents.version, seen.time, len(seen.fingerprints)
        if self._news[0] != key:
            known = seen.fingerprints
            problems = (row for row in self.rows(documents) if is_problem(row))
            self._news = key, frozenset(row.id for row in problems if not known.issuperset(row.fingerprints))
        return self._news[1]

    def select(
        self,
        documents: CheckedDocuments,
        wanted: RowFilter,
        news: frozenset[str],
        authors: Mapping[str, str] | None,
    ) -> RowSelection:
        """The citations that are wanted, with the facets of all."""
        key = documents.version, self._site.keeper.head, wanted, news, authors is None
        found = self._selections.get(key)
        if found is None:
            found = select_rows(self.rows(documents), wanted, news, authors)
            with self._lock:
                self._selections[key] = found
                while len(self._selections) > _MOST_SELECTIONS:
                    self._selections.popitem(last=False)
        return found

    def ask_authors(self, documents: CheckedDocuments, location: str) -> DeferredAnswer:
        """Who wrote each citing line, by the citation's id."""
        site, rows = self._site, self.rows(documents)

        def compute(work: LongWork) -> dict[str, str]:
            lines: dict[str, set[int]] = {}
            for row in rows:
                lines.setdefault(row.document, set()).add(row.line)
            with site.open() as project:
                found = find_line_authors(project, lines, work.step)
            return {row.id: found[row.document][row.line] for row in rows}

        return self.answers.ask("authors", self._state_of(documents), "Find authors", compute, location)

    def ask_since(self, documents: CheckedDocuments, revision: str, location: str) -> DeferredAnswer:
        """The ids of citations with findings that changes since a revision could have affected, as `check --since`.

        Raises UsageError for a revision that there is none of.
        """
        site = self._site
        with site.open() as project:
            git = project.git()
            commit = git.commit_named(revision) if git is not None else ""

        def compute(work: LongWork) -> frozenset[str]:
            return _find_affected(site, documents, revision, work)

        title = f"Compare with {escape_text(revision, _LONGEST_REVISION)}"
        return self.answers.ask(("since", commit), self._state_of(documents), title, compute, location)

    def _state_of(self, documents: CheckedDocuments) -> tuple[int, str]:
        return documents.version, self._site.keeper.head


def memory_of(site: Site) -> OverviewMemory:
    """The memory of a site, made when first asked for."""
    if _KEY not in site.kept:
        site.kept.setdefault(_KEY, OverviewMemory(site))
    memory: OverviewMemory = site.kept[_KEY]
    return memory


def is_problem(row: CitationRow) -> bool:
    """Whether a citation does not hold and nothing silences that."""
    return row.outcome != "holds" and bool(row.severity)


def _find_affected(site: Site, documents: CheckedDocuments, revision: str, work: LongWork) -> frozenset[str]:
    ids = {(row.document, row.line, row.column, row.raw): row.id for row in documents.all_rows()}
    found: list[tuple[str, int, int, str]] = []
    with site.open() as project:
        config = merge_settings(project.config)
        known = read_known(project.root, config.baseline)
        run = Run(project.root, Request(config=config, since=revision, baseline=config.baseline, known=known))
        for report in run.reports(work.step):
            name = report.document
            found += [(name, one.line, one.column, one.citation.raw) for one in report.verdicts if one.findings]
            found += [(name, one.line, one.column, one.malformed.raw) for one in report.malformed]
    return frozenset(ids[place] for place in found if place in ids)
