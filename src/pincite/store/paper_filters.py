"""Filters of the words of papers at rest: a run finds out which papers may hold a quote without reading them.

They lie in the user's cache folder, for one root. A filter counts while the corpus file and the PDF it was made of are
unchanged and the same extractor would read them.
"""

from __future__ import annotations

from time import time_ns

import msgspec

from ..quotes.letter_filter import GramFilter
from ..safe.files import Root
from .cache_folder import load_kept, save_kept
from .watched_files import invalidate_recent_marks, take_marks

_NAME = "paper-filters"
_VERSION = 1
_LARGEST = 128 * 1024 * 1024


class PaperFilter(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of one paper."""

    pdf: str
    """The PDF that was read, from the root; empty where there is none."""
    declared: bool
    """Whether the corpus file itself names the PDF."""
    marks: tuple[int, ...]
    """Of the corpus file and the PDF, as they were before they were read."""
    extractor: str
    words: GramFilter


class _Kept(msgspec.Struct, array_like=True):
    version: int
    papers: dict[str, PaperFilter]


class PaperFilters:
    """The filters of the papers below one root, by corpus file."""

    def __init__(self, root: Root, keep: bool) -> None:
        self._root = root
        self._keep = keep
        self._new = False
        self._papers = self._load() if keep else {}

    def _load(self) -> dict[str, PaperFilter]:
        kept = load_kept(self._root, _NAME, _Kept, _LARGEST)
        return kept.papers if kept is not None and kept.version == _VERSION else {}

    def find(self, path: str) -> PaperFilter | None:
        """What is kept of the paper with this corpus file; None where a file changed since."""
        known = self._papers.get(path)
        return known if known is not None and self._marks(path, known.pdf) == known.marks else None

    def take_marks(self, path: str, pdf: str) -> tuple[int, ...]:
        """What tells whether files change from now on; to be taken before they are read."""
        return tuple(invalidate_recent_marks(list(self._marks(path, pdf)), time_ns()))

    def _marks(self, path: str, pdf: str) -> tuple[int, ...]:
        return tuple(take_marks(self._root.path, [path, pdf] if pdf else [path], follow=True))

    def add(self, path: str, paper: PaperFilter) -> None:
        """Keep what was made of a paper, in this run and, after `save`, for the next."""
        self._papers[path] = paper
        self._new = True

    def save(self) -> None:
        """Keep what is new for the next run, beside what other processes kept meanwhile."""
        if not self._new or not self._keep:
            return
        self._new = False
        papers = {**self._load(), **self._papers}
        data = msgspec.msgpack.encode(_Kept(_VERSION, papers))
        if len(data) <= _LARGEST:
            save_kept(self._root, _NAME, data)
