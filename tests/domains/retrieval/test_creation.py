"""Citations of many hits at once: the same as of each alone, and in time that does not depend on how they overlap."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.domains.retrieval import Chunk, CitationService, SearchHit, SourceDocument, chunk_identity


def hit(
    path: Path, start: int, end: int, content: str = "words", digest: str = "d", unit: str = "code-points"
) -> SearchHit:
    chunk = Chunk(chunk_identity(str(path), f"{start}:{end}"), start, end, content, unit=unit)
    return SearchHit(chunk, SourceDocument(str(path), digest=digest))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_many_at_once_are_the_same_as_each_alone(tmp_path: Path, end: str) -> None:
    chance = random.Random(6)
    hits = []
    for number in range(3):
        text = end.join("né " * chance.randrange(40) for _ in range(200))
        path = tmp_path / f"{number}.md"
        path.write_bytes(text.encode())
        for _ in range(60):
            start = chance.randrange(-5, len(text) + 20)
            size = chance.choice((0, 1, 300, 5000))
            content, digest = chance.choice((("words", "d"), ("", "d"), ("words", ""), ("", "")))
            hits.append(
                hit(path, start, start + size, content, digest, chance.choice(("code-points",) * 4 + ("utf-8",)))
            )
    chance.shuffle(hits)
    alone = [CitationService().create_citation(each) for each in hits]
    assert list(CitationService().create_citations(hits)) == alone
    assert any(citation.line_number for citation in alone)


def test_a_second_look_at_a_document_gives_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("some words\n" * 500)
    hits = [hit(path, start, start + 200) for start in range(0, 4000, 37)]
    service = CitationService()
    assert (
        service.create_citations(hits) == service.create_citations(hits) == service.create_citations(hits[::-1])[::-1]
    )


def test_many_long_passages_are_not_counted_through(tmp_path: Path, in_proportion: Callable[..., bool]) -> None:
    def cite(size: object) -> None:
        path = tmp_path / f"{size}.md"
        if not path.exists():
            path.write_text("some words\n" * size)  # type: ignore[operator]
        length = 11 * size  # type: ignore[operator]
        CitationService().create_citations([hit(path, start, length) for start in range(500)])

    assert in_proportion(cite, 2_000, 100_000, 50)
