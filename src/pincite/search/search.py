"""From a query to hits: the index says where to look, and each passage is read from its document before it counts."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from hashlib import sha256
from time import time_ns
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Refused
from ..core.limits import LIMITS
from ..safe.files import Root
from ..store.watched_files import invalidate_recent_marks, take_marks
from ..text.lines import decode
from .document_text import PDF, fetch, take_in
from .feedback import rescore
from .model import Chunk, SearchHit, SourceDocument, chunk_identity
from .query import Query, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..store.search_index import IndexStore, StoredDocument, StoredPassage
    from .refresh import Read
    from .semantic_ranking import SemanticRanking

WEIGHTS = (1.0, 0.5, 2.0)
"""What a word counts in the text, among the parts of names, and in headings, title and file name."""
_LOOKED_AT = 30
"""So many of the best are looked at closely."""
_ALL = 1 << 60
_MOST_DOCUMENTS = 10_000
_EXTRACTED = ("html", PDF)
"""Kinds whose passages are not stretches of the file itself."""


class PassageCandidate(Struct):
    """A passage that may be a hit, read from its document."""

    score: float
    text: str
    kept: StoredPassage
    document: StoredDocument
    ordinal: int


class PassageSearch:
    """Asks an index; keeps what it read for the next question."""

    def __init__(self, root: Root, store: IndexStore, model: str = "", read: Read | None = None) -> None:
        """`read` says what a document holds where it was indexed otherwise than documents are."""
        self.root = root
        self.store = store
        self.model = model
        self._extract = read
        self.outdated: list[str] = []
        self.loosened: list[str] = []
        """Phrases of the last question that were not required."""
        self.notes: list[str] = []
        """What the last search did otherwise than the question says."""
        self._documents: dict[int, tuple[StoredDocument | None, list[StoredPassage]]] = {}
        self._texts: dict[str, tuple[tuple[int, ...], Callable[[int, int], str]]] = {}
        """What was read of documents, by path: their status then, and what stands between two offsets."""
        self._fresh: set[str] = set()
        """Documents whose status was looked at for this question."""
        self._size = 0
        self._reading = root
        self._meaning: SemanticRanking | None = None

    def find(self, text: str, limit: int, path: str, heading: str, by_words: bool) -> list[SearchHit]:
        """The passages that fit best."""
        return [self._hit(candidate) for candidate in self.candidates(text, limit, path, heading, by_words)]

    def candidates(
        self, text: str, limit: int, path: str = "", heading: str = "", by_words: bool = True
    ) -> list[PassageCandidate]:
        """The passages that fit best, as the index and their documents have them."""
        self.outdated = []
        self._fresh.clear()
        self.loosened = []
        self.notes = []
        query = parse(text)
        if not query.match:
            self.notes.append("the query has no word to search for")
        if limit < 1 or not query.match:
            return []
        fits = _filter(path, heading)
        look = max(_LOOKED_AT, limit + 10)

        def read(query: Query) -> list[PassageCandidate]:
            return self._look_at(self._rank_passages(text, query.match, look, fits is not None, by_words), look, fits)

        # Folders that are replaced between two questions are looked up anew.
        with Root(self.root.path, self.root.limits) as self._reading:
            query = self._loosen(text, query)
            found = read(query)
            if query.phrases and not found:
                # Each stands somewhere, but they do not stand together, or not where the passages are to be.
                self._note("no passage that was asked for has {}: searched for the words", query.phrases)
                query = parse(text, self.loosened)
                found = read(query)
        if fits is not None and not found:
            self._explain_filter(path, heading)
        return rescore(query, found, bool(self.model) and not by_words)[:limit]

    def _loosen(self, text: str, query: Query) -> Query:
        """The query without requiring phrases that stand nowhere, or that are quoted in the middle of a question."""
        missing = [one for one in query.phrases if not any(self.store.search(Query(phrases=(one,)).match, WEIGHTS, 1))]
        if missing:
            self._note("no passage has {}: searched for the words", missing)
        there = [phrase for phrase in query.phrases if phrase not in missing]
        if there and query.is_question:
            self._note("a question this long does not require {}: passages with it only count more", there)
        return parse(text, self.loosened) if self.loosened else query

    def _note(self, words: str, phrases: Sequence[str]) -> None:
        self.notes.append(words.format(" and ".join(f'"{phrase}"' for phrase in phrases)))
        self.loosened += phrases

    def _explain_filter(self, path: str, heading: str) -> None:
        """Say which of the filters leaves nothing to search; the other notes are then beside the point."""
        below = _filter(path, "")
        documents = [name for name, known in self.store.list_documents().items() if not known.trouble]
        if below is not None and not any(below(name, ()) for name in documents):
            self.notes = [f'no indexed document is under "{path}"']
            return
        fits = _filter(path, heading)
        kept = ((each.path, one.headings) for each in self.store.documents() for one in each.read_passages())
        if heading and fits is not None and not any(fits(*one) for one in kept):
            self.notes = [f'no heading {"there " if below is not None else ""}has "{heading}"']

    def _look_at(
        self, numbers: Iterator[tuple[int, float, int]], look: int, fits: Callable[[str, tuple[str, ...]], bool] | None
    ) -> list[PassageCandidate]:
        """The first so many of the passages that are what was indexed and what was asked for."""
        found: list[PassageCandidate] = []
        for number, score, base in numbers:
            candidate = self._read(number, score, base, fits)
            if candidate is not None:
                found.append(candidate)
                if len(found) == look:
                    break
        return found

    def _rank_passages(
        self, text: str, match: str, look: int, filtered: bool, by_words: bool
    ) -> Iterator[tuple[int, float, int]]:
        """Passages by number, score and base, the best first; more than are wanted, because some will not do."""
        if self.model and not by_words:
            if self._meaning is None:
                from .semantic_ranking import SemanticRanking

                self._meaning = SemanticRanking(self.store, self.root, self.model)
            yield from self._meaning.rank_passages(text, self.store.search(match, WEIGHTS, look * 2), look)
            return
        few = look + look // 2
        seen: set[int] = set()
        if not filtered:
            for hit in self.store.search(match, WEIGHTS, few):
                seen.add(hit[0])
                yield hit
            if len(seen) < few:
                return
        # Many that will not do stand before those that will: all are gone through, which takes longer.
        for hit in self.store.search(match, WEIGHTS, _ALL):
            if hit[0] not in seen:
                yield hit

    def _read(
        self, number: int, score: float, base: int, fits: Callable[[str, tuple[str, ...]], bool] | None
    ) -> PassageCandidate | None:
        """A passage as it stands in its document now; None where it is not what was indexed, or not wanted."""
        document, passages = self._document(base)
        ordinal = number - base
        if document is None or ordinal >= len(passages):
            return None
        kept = passages[ordinal]
        if fits is not None and not fits(document.path, kept.headings):
            return None
        text = self._read_passage(document, kept)
        if text is None:
            if document.path not in self.outdated:
                self.outdated.append(document.path)
            return None
        return PassageCandidate(score, text, kept, document, ordinal)

    def _document(self, base: int) -> tuple[StoredDocument | None, list[StoredPassage]]:
        known = self._documents.get(base)
        if known is None:
            if len(self._documents) >= _MOST_DOCUMENTS:
                self._documents.clear()
            document = self.store.document(base)
            known = self._documents[base] = document, document.read_passages() if document is not None else []
        return known

    def _read_passage(self, document: StoredDocument, kept: StoredPassage) -> str | None:
        """The words of a passage, read just now; None where they are others than were indexed."""
        path = document.path
        held = self._texts.get(path)
        if held is None or path not in self._fresh:
            self._fresh.add(path)
            mark = tuple(take_marks(self.root.path, [path], follow=True))
            if held is None or held[0] != mark:
                try:
                    held = tuple(invalidate_recent_marks(list(mark), time_ns())), self._open(document, mark)
                except Refused:
                    held = mark, _nothing
                self._texts[path] = held
        words = held[1](kept.start, kept.end)
        return words if sha256(words.encode("utf-8", "replace")).digest() == kept.digest else None

    def _open(self, document: StoredDocument, mark: tuple[int, ...]) -> Callable[[int, int], str]:
        """What stands between two offsets of a document; nothing where it is another than was indexed."""
        data = fetch(self._reading, document.path)
        if mark != document.mark and sha256(data).digest() != document.digest:
            return _nothing
        self._size += len(data)
        if self._size > LIMITS.cached_source_bytes:
            self._texts.clear()
            self._size = len(data)
        if self._extract is not None or document.kind in _EXTRACTED:
            return (self._extract or take_in)(document.path, data, self.root.limits).text_between
        text = decode(data)
        return lambda start, end: text[start:end]

    def _hit(self, candidate: PassageCandidate) -> SearchHit:
        document, kept = candidate.document, candidate.kept
        passages = self._document(document.base)[1]
        nth = sum(other.digest == kept.digest for other in passages[: candidate.ordinal])
        return SearchHit(
            Chunk(
                chunk_identity(document.path, candidate.text, nth),
                kept.start,
                kept.end,
                candidate.text,
                kept.headings[-1] if kept.headings else None,
                kept.headings,
                kept.page or None,
            ),
            SourceDocument(
                os.path.join(self.root.path, document.path),
                document.title or None,
                datetime.fromtimestamp(document.indexed, UTC),
                document.digest.hex(),
            ),
            candidate.score,
        )


def _nothing(_start: int, _end: int) -> str:
    """What stands in a document that is not what was indexed."""
    return ""


def _filter(path: str, heading: str) -> Callable[[str, tuple[str, ...]], bool] | None:
    """Whether a passage is among those asked for; None where all are."""
    if not path and not heading:
        return None
    from fnmatch import fnmatchcase

    wanted = heading.casefold()
    folder = path.removeprefix("./").rstrip("/")
    if folder in ("", "."):
        path = ""

    def fits(where: str, headings: tuple[str, ...]) -> bool:
        if path and where != folder and not where.startswith(folder + "/") and not fnmatchcase(where, folder):
            name = where.rpartition("/")[2]
            if "/" in folder or not fnmatchcase(name, folder):
                return False
        return not wanted or any(wanted in words.casefold() for words in headings)

    return fits
