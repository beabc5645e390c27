"""The contract of the citation model: every acceptance criterion and every scenario under its own name."""

from __future__ import annotations

import gc
import logging
from pathlib import Path
from time import process_time
from uuid import UUID, uuid4

import pytest

from pincite.domains.retrieval import Citation, CitationService, CitationStyle, SearchHit

CHUNK = UUID("1a2b3c4d-0000-4000-8000-000000000001")
TEXT = "".join(f"Line {number}\n" for number in range(1, 101))


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "test.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def service() -> CitationService:
    return CitationService()


def cited(**fields: object) -> Citation:
    given: dict[str, object] = {
        "chunk_id": CHUNK,
        "document_path": "/docs/test.md",
        "document_title": "Test Document",
        "start_offset": 0,
        "end_offset": 10,
    }
    return Citation(**(given | fields))  # type: ignore[arg-type]


# Acceptance criteria


def test_1_create_citation_returns_the_right_document_path(service: CitationService, document: Path) -> None:
    assert service.create_citation(SearchHit.of(document, 0, 6)).document_path == str(document)


def test_2_create_citation_takes_the_chunk_id_from_the_hit(service: CitationService, document: Path) -> None:
    assert service.create_citation(SearchHit.of(document, 0, 6, chunk_id=CHUNK)).chunk_id == CHUNK


@pytest.mark.parametrize("line", [1, 2, 9, 10, 42, 100])
def test_3_the_line_number_follows_from_the_chunk_offset(service: CitationService, document: Path, line: int) -> None:
    start = TEXT.index(f"Line {line}\n")
    assert service.create_citation(SearchHit.of(document, start, start + 6)).line_number == line


def test_4_the_heading_comes_from_the_chunk_when_it_has_one(service: CitationService, document: Path) -> None:
    assert service.create_citation(SearchHit.of(document, 0, 6, heading="Setup")).heading == "Setup"
    assert service.create_citation(SearchHit.of(document, 0, 6)).heading is None


def test_5_the_title_falls_back_to_the_file_name(service: CitationService, document: Path) -> None:
    assert service.create_citation(SearchHit.of(document, 0, 6)).document_title == "test.md"


def test_6_format_inline(service: CitationService) -> None:
    assert service.format_citation(cited(heading="Intro"), CitationStyle.INLINE) == "[test.md, §Intro]"


def test_7_format_footnote(service: CitationService) -> None:
    assert service.format_citation(cited(line_number=42), CitationStyle.FOOTNOTE) == "[^1a2b3c4d]: /docs/test.md:42"
    assert service.format_citation(cited(), CitationStyle.FOOTNOTE) == "[^1a2b3c4d]: /docs/test.md"


def test_8_format_markdown(service: CitationService) -> None:
    written = service.format_citation(cited(line_number=42), CitationStyle.MARKDOWN)
    assert written == "[Test Document](file:///docs/test.md#L42)"
    assert service.format_citation(cited(), CitationStyle.MARKDOWN) == "[Test Document](file:///docs/test.md)"


def test_9_creating_costs_a_fraction_of_reading_each_time(service: CitationService, tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    path.write_text("A line of words that say something.\n" * 30_000, encoding="utf-8")
    hits = [SearchHit.of(path, 1000 * number, 1000 * number + 300) for number in range(1000)]

    def naive() -> None:
        for hit in hits[:10]:
            path.read_text(encoding="utf-8")[: hit.chunk.start_offset].count("\n")

    def seconds(work: object) -> float:
        gc.disable()
        try:
            started = process_time()
            work()  # type: ignore[operator]
            return process_time() - started
        finally:
            gc.enable()

    # A thousand at once are cheaper than reading the document for each of ten.
    assert min(seconds(lambda: service.create_citations(hits)) for _ in range(5)) < 3 * min(
        seconds(naive) for _ in range(5)
    )


def test_10_a_missing_file_gives_no_line_number_and_no_exception(service: CitationService, tmp_path: Path) -> None:
    citation = service.create_citation(SearchHit.of(tmp_path / "gone.md", 5, 10, "words"))
    assert citation.line_number is None
    assert not citation.has_line_number
    assert citation.text == "words"


def test_11_each_creation_logs_at_debug_level(
    service: CitationService, document: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "pincite.retrieval"):
        service.create_citations([SearchHit.of(document, at, at + 3, chunk_id=uuid4()) for at in (0, 7, 14)])
    messages = [record.message for record in caplog.records if record.levelno == logging.DEBUG]
    assert sum(message.startswith("Creating citation for chunk ") for message in messages) == 3


# Scenarios: creating and formatting


def test_create_citation_from_search_hit_returns_complete_citation(service: CitationService) -> None:
    hit = SearchHit.of("/docs/test.md", 100, 200, title="Test Document", chunk_id=uuid4())
    citation = service.create_citation(hit)
    assert citation.document_path == "/docs/test.md"
    assert citation.document_title == "Test Document"
    assert citation.chunk_id == hit.chunk.id


def test_create_citation_with_none_raises_type_error(service: CitationService) -> None:
    with pytest.raises(TypeError, match="expected a SearchHit, not NoneType"):
        service.create_citation(None)  # type: ignore[arg-type]


def test_create_citation_without_title_uses_file_name(service: CitationService) -> None:
    citation = service.create_citation(SearchHit.of("/docs/my-guide.md", 0, 5))
    assert citation.document_title == "my-guide.md"
    assert citation.file_name == "my-guide.md"


def test_create_citation_with_heading_includes_heading(service: CitationService) -> None:
    citation = service.create_citation(SearchHit.of("/docs/test.md", 0, 5, heading="Authentication"))
    assert citation.heading == "Authentication"
    assert citation.has_heading


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (CitationStyle.INLINE, "[test.md, §Intro]"),
        (CitationStyle.FOOTNOTE, "[^"),
        (CitationStyle.MARKDOWN, "[Test Document](file://"),
    ],
)
def test_format_citation_with_style_contains_expected_pattern(
    service: CitationService, style: CitationStyle, expected: str
) -> None:
    assert expected in service.format_citation(cited(heading="Intro"), style)


@pytest.mark.parametrize("heading", [None, ""])
def test_format_citation_inline_without_heading_omits_heading(service: CitationService, heading: str | None) -> None:
    assert service.format_citation(cited(heading=heading), CitationStyle.INLINE) == "[test.md]"


def test_format_citation_markdown_with_line_number_includes_fragment(service: CitationService) -> None:
    assert "#L42" in service.format_citation(cited(line_number=42), CitationStyle.MARKDOWN)


def test_format_citation_footnote_with_line_number_includes_line(service: CitationService) -> None:
    assert ":42" in service.format_citation(cited(line_number=42), CitationStyle.FOOTNOTE)


# Scenarios: line numbers


@pytest.mark.parametrize(("offset", "expected"), [(0, 1), (7, 2), (14, 3)])
def test_calculate_line_number_returns_correct_line(
    service: CitationService, tmp_path: Path, offset: int, expected: int
) -> None:
    path = tmp_path / "three.txt"
    path.write_text("Line 1\nLine 2\nLine 3", encoding="utf-8")
    assert service.calculate_line_number(path, offset) == expected
    assert service.calculate_line_number(str(path), offset) == expected


def test_calculate_line_number_missing_file_returns_none(service: CitationService) -> None:
    assert service.calculate_line_number("/nonexistent/file.md", 0) is None
