"""Passages that fit a query, each with a citation that holds: the index is made and renewed on the way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import UsageError
from ...safe.escape import escape_text
from ...search.index import Index
from ...search.query import parse
from ...store.database import Damaged, StoreTrouble
from ...store.search_index import IndexStore, has_index
from ...text.lines import format_count, split_lines
from ...write.passage_citations import CitationFormat, name_finder
from .recent_hits import keep_found
from .service import CitationService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Self

    from ...project.project import Project
    from ...safe.files import Root
    from ...search.model import Citation, SearchHit

    Progress = Callable[[int, int], None]

_MOST_LINES = 6
"""Lines of a passage that an excerpt has."""
_WIDEST = 200


class FoundPassages(Struct, frozen=True):
    """What a search found."""

    query: str
    hits: tuple[SearchHit, ...]
    citations: tuple[Citation, ...]
    """One for each hit."""
    finder: re.Pattern[str] | None
    """Finds the words of the query in a passage; None where there are none."""
    numbered: bool
    """Whether the hits were kept, so that `pincite cite --hit N` knows them."""


class PassageSearcher:
    """Searches the index of a project; use it as a context, which closes the project as well.

    `note` is called with what is worth saying on the way.
    """

    def __init__(
        self, project: Project, style: str = "", refresh: bool = True, note: Callable[[str], object] = str
    ) -> None:
        settings = project.config.retrieval
        self._project = project
        self._note = note
        self._refreshes = refresh
        store, self.is_new = _open_store(project.root, refresh, note)
        self.index = Index(project, store)
        self._service = CitationService(project.root.path)
        self.wording = self._make_wording(style or settings.style)

    def _make_wording(self, style: str) -> CitationFormat:
        settings = self._project.config.retrieval
        is_unique = name_finder(self._project, lambda name: self.index.store.is_unique(name))
        return CitationFormat(style, settings.absolute, settings.lines, settings.templates, is_unique=is_unique)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.index.close()

    def update(self, progress: Progress | None = None, jobs: int = 1) -> None:
        """Index everything for the first time, or what changed since; `jobs` are processes for the first time."""
        if self.is_new:
            found = self.index.refresh((), jobs=jobs, progress=progress)
            indexed = f"{format_count(found.documents, 'document')}, {format_count(found.passages, 'passage')}"
            skipped = f", {len(found.skipped):,} skipped: `pincite index` names them" if found.skipped else ""
            self._note(f"indexed for the first time: {indexed}{skipped}")
        elif self._refreshes:
            try:
                self.index.refresh(progress=progress)
            except Damaged:
                raise
            except StoreTrouble as error:
                # Another process has it, or it cannot be written: it is searched as it is.
                self._note(f"searched as it is, not brought up to date: {error}")

    def search(
        self,
        query: str,
        limit: int,
        path: str = "",
        heading: str = "",
        by_words: bool = False,
        keeps_hits: bool = True,
    ) -> FoundPassages:
        """The passages that fit best, the best first; with `keeps_hits` they can be cited by their numbers later."""
        below = path.removeprefix(self._project.root.path.rstrip("/") + "/")
        hits = self.index.search(query, limit, path=below, heading=heading, by_words=by_words)
        citations = self._service.create_citations(hits)
        kept = keeps_hits and keep_found(self._project.root, query, citations)
        wanted = parse(query, self.index.loosened)
        finder = _make_finder((*wanted.words, *wanted.prefixes, *wanted.phrases))
        return FoundPassages(query, tuple(hits), tuple(citations), finder, kept)

    def cite(self, citation: Citation, style: str = "") -> str:
        """The citation in the searcher's style or another, or why there is none in it."""
        try:
            return self.write(citation, style)
        except UsageError as error:
            return str(error)

    def write(self, citation: Citation, style: str = "") -> str:
        """The citation in the searcher's style or another; raises UsageError where there is none in it."""
        return (self._make_wording(style) if style else self.wording).write(citation)

    def list_notes(self) -> list[str]:
        """What the last search did otherwise than it was asked, and what it left out."""
        notes, outdated = [*self.index.notes], self.index.outdated
        if outdated:
            named = ", ".join(outdated[:3]) + (" …" if len(outdated) > 3 else "")
            documents = format_count(len(outdated), "document")
            notes.append(f"left out: passages of {documents} that changed since ({named}); run `pincite index`")
        return notes


def _open_store(root: Root, refresh: bool, note: Callable[[str], object]) -> tuple[IndexStore, bool]:
    """The index of a root, and whether it was made just now: in memory where none can be kept."""
    if has_index(root):
        store = IndexStore.open(root, write=refresh)
        if store is not None:
            return store, False
    if not refresh:
        raise UsageError("there is no index yet; run `pincite index` first, or leave out --no-refresh")
    try:
        return IndexStore.make(root), True
    except StoreTrouble as error:
        note(f"{error}; the next search begins anew")
        return IndexStore.in_memory(), True


def format_hit_place(citation: Citation) -> str:
    """Where a passage stands: the path with its line or page."""
    place = citation.relative_path or citation.document_path
    if citation.line_number is not None:
        return f"{place}:{citation.line_number}"
    return f"{place} page {citation.page}" if citation.page is not None else place


def list_excerpt_lines(text: str, finder: re.Pattern[str] | None) -> Iterator[str]:
    """A few lines of a passage: from its beginning, or from where most of what was looked for stands together."""
    lines = split_lines(text.expandtabs(4))
    first = find_densest_lines(lines, finder, _MOST_LINES)
    if first:
        yield f"… {format_count(first, 'line')} above"
    for line in lines[first : first + _MOST_LINES]:
        yield escape_text(line, _WIDEST)
    if len(lines) - first > _MOST_LINES:
        yield f"… {format_count(len(lines) - first - _MOST_LINES, 'more line')}"


def find_densest_lines(lines: Sequence[str], finder: re.Pattern[str] | None, most: int) -> int:
    """Where to begin so that so many lines hold most of what was looked for; 0 where all fit."""
    if len(lines) <= most or finder is None:
        return 0
    found = [len({match.lower() for match in finder.findall(line)}) for line in lines]
    return max(range(len(lines) - most + 1), key=lambda at: (sum(found[at : at + most]), -at))


def _make_finder(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """The words of the query, wherever they stand, also inside of others: stems are not known here."""
    known = sorted({word for word in words if len(word) > 1}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, known)), re.IGNORECASE) if known else None
