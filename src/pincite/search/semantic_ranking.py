"""Ranking by meaning beside ranking by words, where an embedding model is at hand; nothing here is ever required."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Refused, UsageError
from .document_text import fetch, take_in
from .vectors import NAMES, PACKAGES, find_embedder, fuse, nearest, pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..safe.files import Root
    from ..store.search_index import IndexStore, StoredDocument
    from .vectors import Embedder

_TOGETHER = 256
"""So many passages are kept together: what an interrupted run has done so far is not lost."""


class _Space(Struct):
    """Every passage as a direction."""

    numbers: list[int]
    bases: dict[int, int]
    """Where the passages of each one's document begin."""
    matrix: bytes


@lru_cache(maxsize=2)
def get_embedder(name: str, top: str) -> Embedder:
    """The model of that name or in that folder; raises UsageError saying how to get one."""
    wanted = name
    if "/" in name or name.startswith((".", "~")):
        wanted = os.path.realpath(os.path.join(top, os.path.expanduser(name)))
        if os.path.commonpath((wanted, top)) == top:
            # A tree may come from anyone, and with it the settings: it must not bring a model of its own.
            raise UsageError(f"retrieval.model: {name!a} lies inside {top}; keep models outside the tree")
    found = find_embedder(wanted)
    if found is None:
        raise UsageError(
            f"retrieval.model: {name!a} is not installed and no folder with a model; known are {' and '.join(NAMES)} "
            f"(packages {' and '.join(PACKAGES)}); name the folder of another, or remove the setting"
        )
    return found


def embed(store: IndexStore, root: Root, model: str, progress: Callable[[int, int], None] | None = None) -> int:
    """Work out the meaning of every passage it is not known of yet; gives how many those were."""
    embedder = get_embedder(model, root.path)
    if store.state("model") != embedder.name.encode():
        with store.changing():
            store.clear_vectors()
            store.set_state("model", embedder.name.encode())
    # Every document that is put raises the next number: while it is the same, there is nothing new.
    stamp = embedder.name.encode() + b" " + store.state("next")
    if store.state("embedded") == stamp:
        return 0
    total = store.counts()[1]
    done = new = left = 0
    waiting: dict[bytes, str] = {}
    known = set(store.vectors())
    there: set[bytes] = set()
    for document in store.documents():
        kept = document.read_passages()
        done += len(kept)
        digests = {each.digest for each in kept}
        there |= digests
        missing = digests - known
        if missing:
            texts = _texts(document, missing, root)
            left += len(missing) - len(texts)
            waiting |= texts
            known |= texts.keys()
        if len(waiting) >= _TOGETHER:
            new += _keep(store, embedder, waiting)
            waiting = {}
            if progress is not None:
                progress(done, total)
    new += _keep(store, embedder, waiting)
    if not left:
        with store.changing():
            store.keep_vectors(there)
            store.set_state("embedded", stamp)
    return new


def _texts(document: StoredDocument, wanted: set[bytes], root: Root) -> dict[bytes, str]:
    """The texts of some passages of a document, as far as they stand there still."""
    from hashlib import sha256

    try:
        data = fetch(root, document.path)
        if sha256(data).digest() != document.digest:
            return {}
        reading = take_in(document.path, data, root.limits)
    except Refused:
        return {}
    return {
        each.digest: reading.text_between(each.start, each.end)
        for each in document.read_passages()
        if each.digest in wanted
    }


def _keep(store: IndexStore, embedder: Embedder, texts: dict[bytes, str]) -> int:
    if texts:
        vectors = pack(embedder.encode(list(texts.values())))
        with store.changing():
            store.put_vectors(zip(texts, vectors, strict=True))
    return len(texts)


class SemanticRanking:
    """The passages of an index by what they mean; what was loaded serves the next question."""

    def __init__(self, store: IndexStore, root: Root, model: str) -> None:
        self.store = store
        self.embedder = get_embedder(model, root.path)
        self._space: _Space | None = None

    def rank_passages(
        self, text: str, hits: Iterator[tuple[int, float, int]], look: int
    ) -> Iterator[tuple[int, float, int]]:
        """Passages by words and by meaning together, the best first; those without a known meaning by words alone."""
        by_words = list(hits)
        space = self._space = self._space or self._load()
        bases = {number: base for number, _, base in by_words}
        question = self.embedder.encode([text])[0]
        by_meaning = nearest(question, space.matrix, space.numbers, look * 2)
        words = [(number, score) for number, score, _ in by_words]
        for number, score in fuse(words, by_meaning, look * 2, self.embedder.weight):
            yield number, score, bases[number] if number in bases else space.bases[number]

    def _load(self) -> _Space:
        vectors = self.store.vectors()
        numbers: list[int] = []
        bases: dict[int, int] = {}
        parts: list[bytes] = []
        for document in self.store.documents():
            for ordinal, kept in enumerate(document.read_passages()):
                vector = vectors.get(kept.digest)
                if vector is not None:
                    numbers.append(document.base + ordinal)
                    bases[numbers[-1]] = document.base
                    parts.append(vector)
        return _Space(numbers, bases, b"".join(parts))
