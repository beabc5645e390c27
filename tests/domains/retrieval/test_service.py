"""Citations of hits: what they say of documents that are there, are not, change, or are not what they seem."""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import Thread
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import Missing
from pincite.core.limits import Limits
from pincite.domains.retrieval import (
    Chunk,
    Citation,
    CitationCreated,
    CitationService,
    CitationStyle,
    SearchHit,
    SourceDocument,
)
from pincite.domains.retrieval.foreign_offsets import UNITS, Offsets
from pincite.safe import files
from pincite.text import citation_styles
from pincite.text.lines import line_starts, position

LOGGER = "pincite.retrieval"


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_citation_carries_everything_the_hit_and_the_document_say(tmp_path: Path) -> None:
    path = write(tmp_path / "docs/guide.md", "# Guide\n\nOne.\nTwo.\nThree.\n")
    when = datetime(2026, 1, 2, tzinfo=UTC)
    hit = SearchHit.of(path, 9, 18, title="Guide", heading="Guide", indexed_at=when, page=3)
    citation = CitationService(tmp_path).create_citation(hit)
    assert citation == Citation(
        chunk_id=hit.chunk.id,
        document_path=str(path),
        document_title="Guide",
        start_offset=9,
        end_offset=18,
        heading="Guide",
        line_number=3,
        indexed_at=when,
        relative_path="docs/guide.md",
        end_line=4,
        page=3,
        text="One.\nTwo.",
        document_digest=sha256(path.read_bytes()).hexdigest(),
    )


def test_the_innermost_of_several_headings_is_taken(tmp_path: Path) -> None:
    chunk = Chunk(UUID(int=1), 0, 1, headings=("Outer", "Inner"))
    citation = CitationService().create_citation(SearchHit(chunk, SourceDocument(str(tmp_path / "a.md"))))
    assert citation.heading == "Inner"


@pytest.mark.parametrize("hit", [None, 7, "hit", {"chunk": 1}, object()])
def test_what_is_no_hit_is_refused(hit: object) -> None:
    with pytest.raises(TypeError, match="expected a SearchHit"):
        CitationService().create_citation(hit)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"hits\[1\]: expected a SearchHit"):
        CitationService().create_citations([SearchHit.of("a", 0, 1), hit])  # type: ignore[list-item]


def test_a_hit_that_is_not_what_it_says_is_logged_and_raises(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "a.md", "words")
    odd = SearchHit(Chunk(UUID(int=5), "1", 2), SourceDocument(str(path)))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        CitationService().create_citation(odd)
    with pytest.raises(TypeError):
        CitationService().create_citations([SearchHit.of(path, 0, 1), odd])
    assert all(f"Failed to create citation for chunk {UUID(int=5)}: " in message for message in warnings(caplog))
    assert [record.levelname for record in caplog.records] == ["ERROR"] * 2


def test_a_path_that_is_none_is_logged_and_raises(caplog: pytest.LogCaptureFixture) -> None:
    odd = SearchHit(Chunk(UUID(int=5), 1, 2), SourceDocument(None))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="file_path: expected a string, not NoneType"):
        CitationService().create_citation(odd)
    assert f"Failed to create citation for chunk {UUID(int=5)}: file_path" in caplog.text


def test_many_keep_their_order_and_each_document_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write(tmp_path / f"{name}.md", f"{name}\n" * 50) for name in "abc"]
    read: list[str] = []
    take = files.take_open
    monkeypatch.setattr(files, "take_open", lambda opened, key, bound: (read.append(key), take(opened, key, bound))[1])
    hits = [SearchHit.of(paths[at % 3], (at * 7) % 90, (at * 7) % 90 + 5) for at in range(60)]
    citations = CitationService().create_citations(iter(hits))
    assert [each.chunk_id for each in citations] == [hit.chunk.id for hit in hits]
    assert [each.line_number for each in citations] == [hit.chunk.start_offset // 2 + 1 for hit in hits]
    assert sorted(read) == sorted(map(str, paths))
    assert citations == tuple(CitationService().create_citation(hit) for hit in hits)
    assert CitationService().create_citations([]) == ()


def test_more_than_fits_into_memory_is_still_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write(tmp_path / f"{name}.md", "words\n" * 100) for name in "abcd"]
    read: list[str] = []
    take = files.take_open
    monkeypatch.setattr(files, "take_open", lambda opened, key, bound: (read.append(key), take(opened, key, bound))[1])
    service = CitationService(limits=Limits(cached_source_bytes=1000))
    service.create_citations([SearchHit.of(paths[at % 4], at, at + 1) for at in range(40)])
    assert len(read) == 4
    assert sum(source.size for source in service._sources._held.values()) <= 1000


# Documents that give no lines


@pytest.mark.parametrize("root", [False, True])
def test_what_is_no_file_is_not_found(tmp_path: Path, caplog: pytest.LogCaptureFixture, root: bool) -> None:
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    service = CitationService(tmp_path if root else None)
    names = ["gone.md", "folder.md", "pipe.md", "no/such/folder.md", "x" * 400]
    for name in names:
        citation = service.create_citation(SearchHit.of(tmp_path / name, 3, 9, "words"))
        assert (citation.line_number, citation.end_line) == (None, None)
    expected = [f"Cannot calculate line number: file not found at {tmp_path / name}" for name in names]
    assert warnings(caplog) == expected


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"\xff\xfea\0", "UTF-16 text"), (b"good \xe9 bad", "not UTF-8 (byte 0xe9 at offset 5)"), (b"x" * 101, "limit")],
)
def test_what_cannot_be_read_has_no_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes, reason: str
) -> None:
    path = write(tmp_path / "a.md", content)
    citation = CitationService(limits=Limits(source_bytes=100)).create_citation(SearchHit.of(path, 3, 9, "words"))
    assert citation.line_number is None
    assert citation.document_digest == ""
    [message] = warnings(caplog)
    assert message.startswith(f"Failed to calculate line number for {path} at offset 3: ")
    assert reason in message


def test_nothing_outside_the_root_is_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    secret = write(tmp_path / "secret.md", "a\nb\n")
    root = tmp_path / "root"
    write(root / "a.md", "a\nb\n")
    (root / "link.md").symlink_to(secret)
    (root / "up").symlink_to(tmp_path)
    service = CitationService(root)
    for path in (secret, root / "link.md", root / "up/secret.md", root / "../secret.md", "../secret.md"):
        citation = service.create_citation(SearchHit.of(path, 2, 3))
        assert (citation.line_number, citation.text, citation.document_digest) == (None, "", "")
        assert citation.relative_path is None
        assert citation.document_path == str(path)
    assert len(warnings(caplog)) == 5
    assert all("outside the root" in message for message in warnings(caplog))


def test_paths_below_the_root_are_known_however_they_are_written(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root / "docs/a.md", "a\nb\n")
    (tmp_path / "alias").symlink_to(root)
    service = CitationService(tmp_path / "alias")
    for path in (root / "docs/a.md", tmp_path / "alias/docs/a.md", "docs/a.md", "./docs/../docs/a.md"):
        citation = service.create_citation(SearchHit.of(path, 2, 3))
        assert (citation.line_number, citation.relative_path) == (2, "docs/a.md")
        assert citation.document_path == str(path)
    assert service.create_citation(SearchHit.of("docs/none.md", 0, 1)).relative_path == "docs/none.md"


def test_a_root_that_is_not_there_is_refused_at_once_and_later_borne(tmp_path: Path) -> None:
    with pytest.raises(Missing):
        CitationService(tmp_path / "none")
    root = tmp_path / "root"
    path = write(root / "a.md", "a\nb\n")
    service = CitationService(root)
    path.unlink()
    root.rmdir()
    assert service.create_citation(SearchHit.of(path, 2, 3)).line_number is None


def test_a_folder_that_is_replaced_is_looked_up_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "docs/a.md", "a\nb\n")
    service = CitationService(tmp_path)
    assert service.create_citation(SearchHit.of(path, 2, 3)).line_number == 2
    (tmp_path / "docs").rename(tmp_path / "old")
    write(path, "aaaaaaa\n")
    assert service.create_citation(SearchHit.of(path, 2, 3)).line_number == 1


def test_a_pdf_has_pages_and_no_lines(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "a.PDF", b"%PDF-1.7\n\n\n\n")
    service = CitationService()
    citation = service.create_citation(SearchHit.of(path, 3, 9, "words", page=2))
    assert (citation.line_number, citation.page, warnings(caplog)) == (None, 2, [])
    assert service.create_citation(SearchHit.of(path, 3, 9, "words")).line_number is None
    assert len(warnings(caplog)) == 1
    assert service.calculate_line_number(path, 3) is None


def test_strange_paths_are_only_paths(caplog: pytest.LogCaptureFixture) -> None:
    for path in ("", "/", "\0", "a\0b", "\udcff", "https://example.org/a.md", "a\nb\x1b[31m", "~/x", "x" * 5000):
        citation = CitationService().create_citation(SearchHit.of(path, 0, 1, "w"))
        assert citation.line_number is None
        assert citation.document_path == path
    assert not any("\n" in message or "\x1b" in message for message in warnings(caplog))
    assert any(getattr(record, "file_path", "") == "a\nb\x1b[31m" for record in caplog.records)


# Offsets


@pytest.mark.parametrize(
    ("start", "end", "lines", "message"),
    [
        (-1, 5, (None, None), "at offset -1: an offset is never negative"),
        (-(10**30), 5, (None, None), "never negative"),
        (6, 2, (None, None), "ends before it begins"),
        (8, 8, (None, None), "Offset 8 exceeds file length 8"),
        (8, 12, (None, None), "Offset 8 exceeds file length 8"),
        (10**9, 10**9 + 1, (None, None), "Offset 1000000000 exceeds file length 8"),
        (4, 99, (2, None), "Offset 99 exceeds file length 8"),
        (4, 4, (2, 2), ""),
        (0, 8, (1, 2), ""),
    ],
)
def test_offsets_that_are_not_in_the_document_have_no_line(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    start: int,
    end: int,
    lines: tuple[int | None, int | None],
    message: str,
) -> None:
    path = write(tmp_path / "a.md", "One\nTwo\n")
    citation = CitationService().create_citation(SearchHit.of(path, start, end, "w", chunk_id=UUID(int=1)))
    assert (citation.line_number, citation.end_line) == lines
    found = warnings(caplog)
    assert len(found) == bool(message)
    assert message in "".join(found)


def test_an_offset_that_cannot_even_be_written_has_no_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "a.md", "One\nTwo\n")
    huge = 10**5000
    for offset in (huge, -huge):
        citation = CitationService().create_citation(SearchHit.of(path, offset, huge + 1, "w", chunk_id=UUID(int=1)))
        assert citation.line_number is None
    assert all("of more than 18 digits" in message for message in warnings(caplog))


def test_an_empty_file_has_no_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "a.md", "")
    assert CitationService().calculate_line_number(path, 0) is None
    assert warnings(caplog) == [f"Offset 0 exceeds file length 0 for {path}"]


def test_offsets_of_other_units_become_code_points(tmp_path: Path) -> None:
    text = "😀😀\nnaïve\n😀 here\n"
    path = write(tmp_path / "a.md", "\ufeff" + text)
    start = text.index("here")
    end = start + 4
    for unit, size in (("utf-16", 2), ("utf-8", 1)):
        encoding = "utf-16-le" if size == 2 else "utf-8"
        offsets = [len(text[:at].encode(encoding)) // size for at in (start, end)]
        citation = CitationService().create_citation(SearchHit.of(path, *offsets, unit=unit))
        assert (citation.start_offset, citation.end_offset) == (start, end)
        assert (citation.text, citation.line_number) == ("here", 3)


@pytest.mark.parametrize(
    ("unit", "offset"), [("utf-16", 1), ("utf-8", 2), ("utf-16", 99), ("utf-8", 99), ("utf-8", -1)]
)
def test_an_offset_inside_a_character_is_no_place(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, unit: str, offset: int
) -> None:
    path = write(tmp_path / "a.md", "😀 words\n")
    citation = CitationService().create_citation(SearchHit.of(path, offset, 100, "w", unit=unit))
    assert (citation.line_number, citation.start_offset, citation.end_offset) == (None, -1, -1)
    [message] = warnings(caplog)
    assert f"counted in {unit}" in message


def test_an_unknown_unit_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "é\n")
    with pytest.raises(ValueError, match="expected code-points, utf-16, utf-8"):
        CitationService().create_citation(SearchHit.of(path, 0, 1, unit="furlongs"))


def test_units_of_a_document_that_cannot_be_read_are_unknown(tmp_path: Path) -> None:
    citation = CitationService().create_citation(SearchHit.of(tmp_path / "a.md", 5, 9, "w", unit="utf-16"))
    assert (citation.start_offset, citation.end_offset) == (-1, -1)


OFFSETS = st.integers(-3, 40) | st.integers(-(10**20), 10**20)


@settings(max_examples=150)
@given(st.text(st.sampled_from("a\n\r😀é"), max_size=30), OFFSETS, OFFSETS, st.sampled_from(UNITS), st.text(max_size=5))
def test_any_hit_becomes_a_citation_and_no_line_is_made_up(
    tmp_path_factory: pytest.TempPathFactory, text: str, start: int, end: int, unit: str, words: str
) -> None:
    path = write(tmp_path_factory.mktemp("any") / "a.md", text)
    hit = SearchHit.of(path, start, end, words, unit=unit)
    citation = CitationService().create_citation(hit)
    assert CitationService().create_citations([hit, hit]) == (citation, citation)
    first, last = citation.start_offset, citation.end_offset
    if citation.line_number is not None:
        assert 0 <= first < len(text)
        assert citation.line_number == position(line_starts(text), first)[0]
        assert Offsets(text).from_code_points(first, unit) == start
    if citation.end_line is not None and first < last:
        assert citation.end_line == position(line_starts(text), last - 1)[0]
    if not words and citation.line_number is not None and first <= last <= len(text):
        assert citation.text == text[first:last]


# Words and digests


def test_words_come_from_the_hit_or_else_from_the_document(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "One two three\n")
    digest = sha256(path.read_bytes()).hexdigest()
    service = CitationService()
    assert service.create_citation(SearchHit.of(path, 4, 7)).text == "two"
    same = service.create_citation(SearchHit.of(path, 4, 7, "two"))
    assert (same.text, same.document_digest) == ("two", digest)
    # The document is not the one in which the index found the words.
    other = service.create_citation(SearchHit.of(path, 4, 7, "TWO"))
    assert (other.text, other.document_digest) == ("TWO", "")


def test_words_are_not_taken_from_a_document_that_changed_since(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "One two three\n")
    known = SourceDocument(str(path), digest="0" * 64)
    citation = CitationService().create_citation(SearchHit(Chunk(UUID(int=1), 4, 7), known))
    assert (citation.text, citation.document_digest) == ("", "0" * 64)


def test_a_document_that_changes_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "a\nb\n")
    service = CitationService()
    hit = SearchHit.of(path, 2, 3)
    assert service.create_citation(hit).line_number == 2
    for at in range(20):
        # The same length within the same tick of the clock.
        write(path, "abb\n" if at % 2 == 0 else "a\nb\n")
        assert service.create_citation(hit).line_number == 1 + at % 2


def test_what_is_settled_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.md", "a\nb\n")
    service = CitationService()
    service.create_citation(SearchHit.of(path, 2, 3))
    [source] = service._sources._held.values()
    assert not source.settled
    source.settled = True
    monkeypatch.setattr(files, "take_open", None)
    assert service.create_citation(SearchHit.of(path, 0, 1)).line_number == 1


# Formatting


def test_styles_have_names() -> None:
    service = CitationService()
    citation = service.create_citation(SearchHit.of("/docs/a b.md", 0, 1, title="[A] title"))
    for style in CitationStyle:
        assert service.format_citation(citation, style.value) == service.format_citation(citation, style)
    assert service.format_citation(citation, "markdown") == r"[\[A\] title](file:///docs/a%20b.md)"
    for wrong in ("apa", "", "INLINE", None, 3, []):
        with pytest.raises(ValueError, match="expected inline, footnote, markdown"):
            service.format_citation(citation, wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a Citation, not NoneType"):
        service.format_citation(None, "inline")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"citations\[1\]: expected a Citation, not NoneType"):
        service.format_citations([citation, None], "inline")  # type: ignore[list-item]


@given(st.text(), st.text(), st.none() | st.integers(1, 10**6), st.none() | st.text())
def test_what_is_remembered_is_what_would_be_written(
    path: str, title: str, line: int | None, heading: str | None
) -> None:
    citation = Citation(
        chunk_id=UUID(int=0x1A2B3C4D << 96),
        document_path=path,
        document_title=title,
        start_offset=0,
        end_offset=1,
        line_number=line,
        heading=heading,
    )
    service = CitationService()
    for _ in range(2):
        assert service.format_citation(citation, "inline") == citation_styles.inline(path.rpartition("/")[2], heading)
        assert service.format_citation(citation, "footnote") == citation_styles.footnote("1a2b3c4d", path, line)
        assert service.format_citation(citation, "markdown") == citation_styles.link(title, path, line)


def test_without_the_capability_only_paths_are_written() -> None:
    service = CitationService(formatting="path-only")
    citation = service.create_citation(SearchHit.of("/docs/a b.md", 0, 1))
    assert {service.format_citation(citation, style) for style in CitationStyle} == {"/docs/a b.md"}
    with pytest.raises(ValueError, match="style"):
        service.format_citation(citation, "apa")


@pytest.mark.parametrize("wrong", [{"formatting": "none"}, {"parallel": 0}])
def test_settings_that_cannot_be_obeyed_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        CitationService(**wrong)  # type: ignore[arg-type]


def at(number: int) -> Citation:
    return Citation(chunk_id=UUID(int=number), document_path="/a.md", document_title="A", start_offset=0, end_offset=1)


def test_labels_are_longer_where_passages_would_share_them() -> None:
    one, other = 0x1A2B3C4D_0000 << 80, 0x1A2B3C4D_0001 << 80
    third = 0x99999999 << 96
    service = CitationService()
    citations = [at(one), at(third), at(other), at(one)]
    assert service.labels(citations) == ("1a2b3c4d0000", "99999999", "1a2b3c4d0001", "1a2b3c4d0000")
    written = service.format_citations(citations, "footnote")
    assert written[0] == written[3] == "[^1a2b3c4d0000]: /a.md"
    assert written[2] == "[^1a2b3c4d0001]: /a.md"
    assert service.labels([at(one)]) == ("1a2b3c4d",)
    assert service.labels([]) == ()


@given(st.lists(st.integers(0, 2**128 - 1) | st.integers(0, 40).map(lambda low: (7 << 100) + low)))
def test_labels_tell_different_passages_apart(numbers: list[int]) -> None:
    labels = CitationService().labels([at(number) for number in numbers])
    assert len(set(labels)) == len(set(numbers))
    for number, label in zip(numbers, labels, strict=True):
        assert UUID(int=number).hex.startswith(label)
        assert len(label) >= 8
        # Nobody who knows only these passages takes a label for another.
        assert {n for n in numbers if UUID(int=n).hex.startswith(label)} == {number}


# Logging and events


def test_every_message_has_its_values_in_fields(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "a.md", "a\nb\n")
    service = CitationService()
    with caplog.at_level(logging.DEBUG, LOGGER):
        hit = SearchHit.of(path, 2, 3, title="T\x1b")
        citation = service.create_citation(hit)
        service.format_citation(citation, "inline")
        service.create_citation(SearchHit.of(path, 9, 10))
        service.create_citation(SearchHit.of(tmp_path / "none.md", 9, 10))
    first, line, created, written = caplog.records[:4]
    assert first.message == f"Creating citation for chunk {hit.chunk.id} from {path}"
    assert (first.chunk_id, first.document_path) == (hit.chunk.id, str(path))  # type: ignore[attr-defined]
    assert line.message == "Calculated line number 2 from offset 2"
    assert (line.line_number, line.offset, line.file_path) == (2, 2, str(path))  # type: ignore[attr-defined]
    assert created.message == f"Citation created for T\\u{{1b}} in {created.elapsed_ms:.3f}ms"  # type: ignore[attr-defined]
    assert created.document_title == "T\x1b"  # type: ignore[attr-defined]
    assert written.message == f"Formatting citation for {path} as inline"
    assert written.style == "inline"  # type: ignore[attr-defined]
    assert [record.levelname for record in caplog.records[:4]] == ["DEBUG", "DEBUG", "INFO", "DEBUG"]
    warned = [record for record in caplog.records if record.levelname == "WARNING"]
    assert [record.message for record in warned] == [
        f"Offset 9 exceeds file length 4 for {path}",
        f"Cannot calculate line number: file not found at {tmp_path / 'none.md'}",
    ]
    assert (warned[0].offset, warned[0].length, warned[0].file_path) == (9, 4, str(path))  # type: ignore[attr-defined]


def test_a_logger_of_ones_own_is_used(caplog: pytest.LogCaptureFixture) -> None:
    own = logging.getLogger("my.own")
    with caplog.at_level(logging.INFO, "my.own"):
        CitationService(logger=own).create_citation(SearchHit.of("/none.md", 0, 1))
    assert {record.name for record in caplog.records} == {"my.own"}
    assert "DEBUG" not in {record.levelname for record in caplog.records}


def test_subscribers_are_told_after_the_citation_exists(tmp_path: Path) -> None:
    service = CitationService()
    told: list[CitationCreated] = []
    stop = service.subscribe(told.append, CitationCreated)  # type: ignore[arg-type]
    also = service.subscribe(told.append)  # type: ignore[arg-type]
    hits = [SearchHit.of(tmp_path / name, 0, 1) for name in "ab"]
    citations = service.create_citations(hits)
    assert [event.citation for event in told] == [citations[0], citations[0], citations[1], citations[1]]
    assert told[0].timestamp.tzinfo is UTC
    stop()
    stop()
    service.create_citation(hits[0])
    assert len(told) == 5
    also()
    service.create_citation(hits[0])
    assert len(told) == 5


def test_a_subscriber_that_fails_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    service = CitationService()
    told: list[object] = []

    def broken(event: object) -> None:
        raise RuntimeError("I am broken\x1b")

    service.subscribe(broken)
    service.subscribe(told.append)
    citation = service.create_citation(SearchHit.of("/none.md", 0, 1))
    assert citation.document_path == "/none.md"
    assert len(told) == 1
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [
        "A subscriber to CitationCreated failed: "
        "test_a_subscriber_that_fails_does_not_stop_the_others.<locals>.broken: RuntimeError('I am broken\\x1b')"
    ]


def test_what_could_never_be_told_is_refused() -> None:
    async def later(event: object) -> None:
        """Never run."""

    class Later:
        async def __call__(self, event: object) -> None:
            """Never run."""

    service = CitationService()
    for wrong in (later, Later(), 7, None):
        with pytest.raises(TypeError, match="handler"):
            service.subscribe(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected CitationCreated, CitationStale, CitationMissing"):
        service.subscribe(print, int)


def test_subscribers_may_come_and_go_inside_a_handler() -> None:
    service = CitationService()
    told: list[str] = []

    def once(event: object) -> None:
        told.append("once")
        stop()
        service.subscribe(lambda event: told.append("new"))

    stop = service.subscribe(once)
    service.subscribe(lambda event: told.append("other"))
    for _ in range(2):
        service.create_citation(SearchHit.of("/none.md", 0, 1))
    assert told == ["once", "other", "other", "new"]


def test_one_service_serves_several_threads(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{name}.md", "word\n" * 200) for name in range(8)]
    service = CitationService(tmp_path, limits=Limits(cached_source_bytes=3000))
    told: list[object] = []
    service.subscribe(told.append)
    wrong: list[object] = []

    def work() -> None:
        for at in range(40):
            citation = service.create_citation(SearchHit.of(paths[at % 8], 5 * at, 5 * at + 4))
            if (citation.line_number, citation.text) != (at + 1, "word"):
                wrong.append(citation)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(told) == 160


def test_a_passage_is_known_by_a_uuid_alone() -> None:
    with pytest.raises(TypeError, match="chunk_id: expected a UUID, not str; leave it out"):
        SearchHit.of("a.md", 0, 1, chunk_id="42")  # type: ignore[arg-type]
