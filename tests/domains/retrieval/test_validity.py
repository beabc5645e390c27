"""What became of citations: content decides, time only where there is nothing else."""

from __future__ import annotations

import asyncio
import os
import re
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.core.limits import Limits
from pincite.domains.retrieval import (
    Chunk,
    Citation,
    CitationCreated,
    CitationMissing,
    CitationService,
    CitationStale,
    Event,
    SearchHit,
    SourceDocument,
    Status,
    Validation,
)
from pincite.domains.retrieval.differences import (
    find_once,
    find_replacement,
    has_cut_word,
    make_unified_diff,
    stands_whole,
    widen_to_words,
)
from pincite.safe import files

PROSE = "# Gauges\n\n" + "".join(f"Reading number {number} is kept for a while.\n" for number in range(1, 61))
PASSAGE = "Reading number 40 is kept for a while.\nReading number 41 is kept for a while.\n"
FUTURE = datetime(2100, 1, 1, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "docs/gauges.md"
    place.parent.mkdir()
    place.write_text(PROSE, encoding="utf-8")
    return place


def cite(path: Path, service: CitationService | None = None, words: str = PASSAGE) -> Citation:
    start = PROSE.index(words)
    return (service or CitationService()).create_citation(SearchHit.of(path, start, start + len(words)))


def test_an_unchanged_passage_is_valid(path: Path) -> None:
    answer = CitationService().check(cite(path))
    assert (answer.status, answer.ok, answer.reason, answer.diff, answer.now) == (Status.VALID, True, "", "", None)


def test_a_touched_file_with_the_same_content_is_valid(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    os.utime(path)
    assert service.check(citation).ok
    path.write_text(PROSE, encoding="utf-8")
    assert service.check(citation).ok


def test_a_change_elsewhere_that_moves_nothing_is_valid(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    path.write_text(PROSE + "More.\n", encoding="utf-8")
    assert service.check(citation).ok
    path.write_text(PROSE.replace("Gauges", "GAUGES"), encoding="utf-8")
    assert service.check(citation).ok


def test_a_passage_that_moved_is_found_again(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    path.write_text("New.\n\n" + PROSE, encoding="utf-8")
    answer = service.check(citation)
    assert (answer.status, answer.reason, answer.diff) == (Status.STALE, "moved from line 42 to line 44", "")
    assert answer.now is not None
    assert (answer.now.line_number, answer.now.end_line, answer.now.text) == (44, 45, PASSAGE)
    assert answer.now.start_offset == citation.start_offset + 6
    assert service.check(answer.now).ok


def test_a_passage_that_moved_within_its_line_says_so(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service, "number 40 is kept")
    path.write_text(PROSE.replace("Gauges", "All gauges"), encoding="utf-8")
    answer = service.check(citation)
    assert answer.reason == f"moved within line 42, from offset {citation.start_offset} to offset " + str(
        citation.start_offset + 4
    )
    assert answer.now is not None and service.check(answer.now).ok


def test_a_passage_that_stands_in_several_places_is_not_guessed(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    path.write_text("New.\n" + PASSAGE + PROSE, encoding="utf-8")
    answer = service.check(citation)
    assert (answer.status, answer.now) == (Status.STALE, None)
    assert "several others" in answer.reason


def test_a_passage_that_changed_comes_with_a_diff(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    path.write_text("New.\n" + PROSE.replace("41 is kept for a while", "41 is dropped at once"), encoding="utf-8")
    answer = service.check(citation)
    assert (answer.status, answer.reason, answer.now) == (Status.STALE, "the passage changed", None)
    assert answer.diff == (
        f"--- {path}\tas cited\n+++ {path}\tnow\n@@ -42,2 +43,2 @@\n"
        " Reading number 40 is kept for a while.\n"
        "-Reading number 41 is kept for a while.\n"
        "+Reading number 41 is dropped at once.\n"
    )


def test_a_passage_that_is_gone_is_stale(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    path.write_text("Short.\n", encoding="utf-8")
    answer = service.check(citation)
    assert answer.status is Status.STALE
    assert answer.reason == "the passage is no longer there, and nothing like it stands at its place"
    assert "-Reading number 40" in answer.diff
    path.write_text("", encoding="utf-8")
    assert service.check(citation).status is Status.STALE


def test_other_line_ends_are_told_as_such(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    path.write_bytes(PROSE.replace("\n", "\r\n").encode())
    answer = service.check(citation)
    assert (answer.status, answer.reason) == (Status.STALE, "only its line ends changed; it stands on line 42")
    assert answer.now is not None
    assert service.check(answer.now).ok
    path.write_bytes(PROSE.encode())
    assert service.check(answer.now).now == replace(citation, indexed_at=citation.indexed_at)


def test_an_index_that_was_stale_when_it_was_cited_is_told(path: Path) -> None:
    hit = SearchHit.of(path, 0, 12, "# Old title\n")
    answer = CitationService().check(CitationService().create_citation(hit))
    assert answer.status is Status.STALE


def test_words_that_an_index_made_its_own_hold_while_the_document_is_the_same(path: Path) -> None:
    service = CitationService()
    plain = cite(path, service)
    hit = SearchHit(
        Chunk(plain.chunk_id, 0, 30, "gauges reading number"), SourceDocument(str(path), digest=plain.document_digest)
    )
    citation = service.create_citation(hit)
    answer = service.check(citation)
    # The source did not change; that the words are not in it is told.
    assert answer.ok
    assert answer.reason == "the document is the one that was indexed; the words are the index's own"
    path.write_text(PROSE + "x", encoding="utf-8")
    assert service.check(citation).status is Status.STALE


def test_a_passage_without_a_known_place_is_valid_where_it_stands(path: Path) -> None:
    service = CitationService()
    citation = service.create_citation(SearchHit.of(path, -1, -1, PASSAGE))
    assert service.check(citation).ok
    path.write_text("Short.\n", encoding="utf-8")
    assert service.check(citation).status is Status.STALE


GROWN = [
    ("LIMIT = 10\nx\n", "LIMIT = 10", "LIMIT = 100\nx\n"),
    ("LIMIT = 10\nx\n", "LIMIT = 10", "LIMIT = 10.5\nx\n"),
    ("a cafe\n", "a cafe", "a cafe\u0301\n"),
]


@pytest.mark.parametrize(("then", "words", "now"), GROWN)
def test_a_word_that_grew_at_the_edge_is_not_valid(tmp_path: Path, then: str, words: str, now: str) -> None:
    place = tmp_path / "a.py"
    place.write_text(then, encoding="utf-8")
    service = CitationService(tmp_path)
    citation = service.create_citation(SearchHit.of("a.py", 0, len(words)))
    assert service.check(citation).ok
    place.write_text(now, encoding="utf-8")
    answer = service.check(citation)
    assert (answer.status, answer.now) == (Status.STALE, None)
    assert f"-{words}\n" in answer.diff and f"+{now.partition(chr(10))[0]}\n" in answer.diff
    # Nor where its place is not known.
    assert not service.check(replace(citation, start_offset=-1, end_offset=-1)).ok


@pytest.mark.parametrize(("words", "now"), [("safe", "unsafe it is\n"), ("5 items", "there are -5 items\n")])
def test_letters_inside_longer_words_are_no_place_to_go(tmp_path: Path, words: str, now: str) -> None:
    place = tmp_path / "a.txt"
    place.write_text(f"it is {words}\n", encoding="utf-8")
    gone = tmp_path / "b.txt"
    service = CitationService(tmp_path, finder=lambda _: "b.txt")
    citation = service.create_citation(SearchHit.of("a.txt", 6, 6 + len(words)))
    place.write_text(now, encoding="utf-8")
    answer = service.check(citation)
    assert (answer.status, answer.now) == (Status.STALE, None)
    assert answer.diff
    place.rename(gone)
    assert (service.check(citation).status, service.check(citation).now) == (Status.MISSING, None)


def test_a_passage_that_was_cut_from_a_word_holds_while_the_document_is_the_same(path: Path) -> None:
    service = CitationService()
    cut = cite(path, service, "eading number 40 is ke")
    assert service.check(cut).ok
    path.write_text(PROSE + "More.\n", encoding="utf-8")
    assert service.check(cut).status is Status.STALE


@pytest.mark.parametrize(
    ("text", "words", "cut"),
    [
        ("a 100 b", "10", True),
        ("a 10 b", "10", False),
        ("10.5", "10", True),
        ("at 10.", "10", False),
        ("3,10", "10", True),
        ("-10", "10", True),
        ("a-10", "10", False),
        ("foo_bar", "foo", True),
        ("(foo)", "foo", False),
        ("Привет", "При", True),
        ("e\u0301", "e", True),
        ("中文句子", "文句", False),
        ("ab", "", False),
    ],
)
def test_what_is_part_of_a_longer_word(text: str, words: str, cut: bool) -> None:
    at = text.index(words)
    assert has_cut_word(text, at, at + len(words)) is cut
    assert stands_whole(text, words) is not cut
    start, end = widen_to_words(text, at, at + len(words))
    assert start <= at and at + len(words) <= end and not any(map(str.isspace, text[start:end]))


def test_words_that_stand_once_whole_and_often_in_others_are_found_whole() -> None:
    assert stands_whole("unsafe " * 50 + "safe", "safe")
    assert not stands_whole("unsafe " * 50, "safe")


def test_many_places_inside_words_take_time_in_proportion(in_proportion: Callable[..., bool]) -> None:
    assert in_proportion(lambda text: stands_whole(text, text[: len(text) // 2]), "a" * 100_000, "a" * 400_000, 4)


def test_an_index_may_have_trimmed_the_words(path: Path) -> None:
    service = CitationService()
    start = PROSE.index(PASSAGE)
    citation = service.create_citation(SearchHit.of(path, start - 1, start + len(PASSAGE), PASSAGE.strip()))
    assert citation.document_digest
    assert service.check(citation).ok
    path.write_text(PROSE.replace("Gauges", "GAUGES"), encoding="utf-8")
    assert service.check(citation).ok
    path.write_text(PROSE.replace("number 41", "number 4I"), encoding="utf-8")
    assert service.check(citation).status is Status.STALE
    # What was cited with its white space is not the same with other white space.
    assert service.check(replace(citation, text=PASSAGE.strip() + " ")).status is Status.STALE


# Nothing to compare with


def test_without_words_the_digest_decides(path: Path) -> None:
    service = CitationService()
    citation = replace(cite(path, service), text="")
    assert service.check(citation).ok
    path.write_text(PROSE + "More.\n", encoding="utf-8")
    answer = service.check(citation)
    assert (answer.status, answer.diff) == (Status.STALE, "")
    assert "whether it changed is not known" in answer.reason
    assert service.check(replace(citation, end_offset=10**9)).status is Status.STALE


def test_without_words_and_digest_the_time_decides(path: Path) -> None:
    service = CitationService()
    bare = replace(cite(path, service), text="", document_digest="")
    now = datetime.now(UTC)
    assert service.check(replace(bare, indexed_at=now + timedelta(minutes=1))).ok
    naive = (now + timedelta(minutes=1)).replace(tzinfo=None)
    assert service.check(replace(bare, indexed_at=naive)).ok
    answer = service.check(replace(bare, indexed_at=now - timedelta(days=1)))
    assert answer.status is Status.STALE
    assert "modified after it was indexed" in answer.reason
    # Somebody may set the time of modification back; the time of the change itself tells.
    os.utime(path, (1e9, 1e9))
    assert service.check(replace(bare, indexed_at=now - timedelta(days=1))).status is Status.STALE
    # And one that lies ahead is no proof of anything.
    os.utime(path, (FUTURE.timestamp(), FUTURE.timestamp()))
    assert service.check(replace(bare, indexed_at=now + timedelta(days=1))).status is Status.STALE


# Missing and unreadable


def test_a_document_that_is_gone_is_missing(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    path.unlink()
    answer = service.check(citation)
    assert (answer.status, answer.reason, answer.now) == (Status.MISSING, f"there is no file {path}", None)
    path.mkdir()
    assert service.check(citation).status is Status.MISSING


def test_the_finder_tells_where_a_document_went(path: Path, tmp_path: Path) -> None:
    moved = tmp_path / "docs/meters.md"
    asked: list[Citation] = []

    def finder(citation: Citation) -> str:
        asked.append(citation)
        return str(moved)

    service = CitationService(tmp_path, finder=finder)
    citation = cite(path, service)
    path.rename(moved)
    answer = service.check(citation)
    assert answer.status is Status.MISSING
    assert answer.reason == f"there is no file {path}; the passage stands in {moved}, line 42"
    assert answer.now == replace(
        citation, document_path=str(moved), document_title="meters.md", relative_path="docs/meters.md"
    )
    assert asked == [citation]
    moved.write_text("New.\n" + PROSE, encoding="utf-8")
    found = service.check(citation).now
    assert found is not None and found.line_number == 43
    moved.write_text("Something else.\n", encoding="utf-8")
    assert service.check(citation).now is None
    bare = replace(citation, text="")
    assert service.check(bare).now is None
    moved.write_text(PROSE, encoding="utf-8")
    found = service.check(bare).now
    assert found is not None and found.document_path == str(moved)


@pytest.mark.parametrize("where", [None, "", "/no/such/file", "../outside.md", 7])
def test_a_finder_that_cannot_tell_is_borne(path: Path, tmp_path: Path, where: object) -> None:
    service = CitationService(tmp_path, finder=lambda citation: where)  # type: ignore[arg-type,return-value]
    citation = cite(path, service)
    path.unlink()
    assert service.check(citation).now is None


def test_a_finder_that_fails_is_borne(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def broken(citation: Citation) -> str:
        raise KeyError("lost")

    service = CitationService(finder=broken)
    citation = cite(path, service)
    path.unlink()
    assert service.check(citation).status is Status.MISSING
    assert f"Failed to find where {path} went: KeyError('lost')" in caplog.text


@pytest.mark.parametrize(("content", "reason"), [(b"\xff", "not UTF-8"), (b"x" * 9000, "limit")])
def test_what_cannot_be_read_is_an_error(path: Path, content: bytes, reason: str) -> None:
    service = CitationService(limits=Limits(source_bytes=8000))
    citation = cite(path, service)
    path.write_bytes(content)
    answer = service.check(citation)
    assert answer.status is Status.ERROR
    assert answer.reason.startswith(f"cannot read {path}: ")
    assert reason in answer.reason


def test_what_lies_outside_the_root_is_an_error(path: Path, tmp_path: Path) -> None:
    citation = cite(path)
    (tmp_path / "root").mkdir()
    answer = CitationService(tmp_path / "root").check(citation)
    assert (answer.status, answer.reason) == (Status.ERROR, f"cannot read {path}: outside the root")


# PDFs and HTML


def test_a_passage_of_a_pdf_stands_on_its_page(tmp_path: Path, make_pdf: Callable[..., bytes]) -> None:
    pytest.importorskip("pypdfium2")
    path = tmp_path / "gauges.pdf"
    pages = ["The gauge is reset at start.", "Every count is kept for a day."]
    path.write_bytes(make_pdf(pages))
    service = CitationService(finder=lambda citation: str(tmp_path / "moved.pdf"))
    citation = service.create_citation(SearchHit.of(path, -1, -1, "count is\n kept", page=2))
    assert service.check(citation).ok
    assert service.check(replace(citation, text="count is kept")).ok
    assert service.check(replace(citation, text="count is lost")).status is Status.STALE
    wrong = service.check(replace(citation, text="count is kept", page=1))
    assert (wrong.status, wrong.reason) == (Status.STALE, "moved from page 1 to page 2")
    assert wrong.now is not None and wrong.now.page == 2
    path.rename(tmp_path / "moved.pdf")
    gone = service.check(replace(citation, text="count is kept"))
    assert gone.status is Status.MISSING
    assert gone.now is not None and gone.now.document_title == "moved.pdf"
    path.write_bytes(b"%PDF-1.7 damaged")
    assert service.check(citation).status is Status.ERROR


def test_a_pdf_that_cannot_be_read_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.core.errors import Unreadable
    from pincite.search import document_text as reading

    tried: list[str] = []

    def fail(path: str, *_: object) -> None:
        tried.append(path)
        raise Unreadable("took too long")

    monkeypatch.setattr(reading, "take_in", fail)
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7")
    service = CitationService()
    citation = service.create_citation(SearchHit.of(path, 0, 5, "words", page=1))
    answers = service.check_all([citation] * 3)
    assert [answer.status for answer in answers] == [Status.ERROR] * 3
    assert tried == [str(path)]


def test_the_same_pdf_needs_no_look_inside(tmp_path: Path) -> None:
    from hashlib import sha256

    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7 anything")
    known = SourceDocument(str(path), digest=sha256(path.read_bytes()).hexdigest())
    service = CitationService()
    citation = service.create_citation(SearchHit(Chunk(cite(path).chunk_id, 0, 5, "words", page=1), known))
    assert service.check(citation).ok
    path.write_bytes(b"%PDF-1.7 anything else")
    bare = replace(citation, text="")
    assert service.check(bare).status is Status.STALE
    assert service.check(replace(bare, document_digest="", indexed_at=FUTURE)).ok
    assert service.check(replace(bare, document_digest="")).status is Status.STALE


def test_what_a_reader_sees_of_html_is_held_against_what_a_reader_sees(tmp_path: Path) -> None:
    pytest.importorskip("turbohtml")
    from pincite.search.passages import read

    page = "<html><body><h1>Gauges</h1><p>Every <b>count</b> &amp; reading is kept.</p></body></html>"
    path = tmp_path / "gauges.html"
    path.write_text(page, encoding="utf-8")
    reading = read("html", page, "gauges.html")
    passage = reading.passages[-1]
    words = reading.text_between(passage.start, passage.end)
    assert "count & reading" in words
    service = CitationService()
    citation = service.create_citation(SearchHit.of(path, passage.start, passage.end, words))
    assert citation.document_digest == ""
    assert service.check(citation).ok
    path.write_text(page.replace("<body>", "<body>\n<!-- new -->\n"), encoding="utf-8")
    answer = service.check(citation)
    assert (answer.status, answer.reason) == (Status.STALE, "moved from line 1 to line 3")
    assert answer.now is not None
    assert service.check(answer.now).ok
    path.write_text(page.replace("kept", "lost"), encoding="utf-8")
    assert service.check(citation).status is Status.STALE


# Many at once


def test_many_keep_their_order_and_each_document_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{name}.md" for name in "abcde"]
    for place in paths:
        place.write_text(PROSE, encoding="utf-8")
    citations = [cite(paths[at % 5]) for at in range(25)]
    paths[1].write_text("New.\n" + PROSE, encoding="utf-8")
    paths[2].unlink()
    read: list[str] = []
    take = files.take_open
    monkeypatch.setattr(files, "take_open", lambda opened, key, bound: (read.append(key), take(opened, key, bound))[1])
    service = CitationService(parallel=2)
    answers = asyncio.run(service.validate_all(citations))
    assert [answer.citation for answer in answers] == citations
    expected = [Status.VALID, Status.STALE, Status.MISSING, Status.VALID, Status.VALID] * 5
    assert [answer.status for answer in answers] == expected
    assert sorted(read) == sorted(map(str, (paths[0], paths[1], paths[3], paths[4])))
    assert CitationService().check_all(citations) == answers
    assert asyncio.run(service.validate_all([])) == ()


def test_no_more_documents_at_once_than_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{name}.md" for name in range(12)]
    for place in paths:
        place.write_text(PROSE, encoding="utf-8")
    citations = [cite(place) for place in paths]
    service = CitationService(parallel=3)
    lock = threading.Lock()
    now, most = 0, 0
    examine = service._examine

    def watched(group: list[Citation]) -> list[Validation]:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.01)
        answer = examine(group)
        with lock:
            now -= 1
        return answer

    monkeypatch.setattr(service, "_examine", watched)
    assert all(answer.ok for answer in asyncio.run(service.validate_all(citations)))
    assert 1 < most <= 3


def test_a_cancelled_validation_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{name}.md" for name in range(50)]
    citations = []
    for place in paths:
        place.write_text(PROSE, encoding="utf-8")
        citations.append(cite(place))
    service = CitationService(parallel=2)
    begun: list[int] = []
    examine = service._examine
    monkeypatch.setattr(service, "_examine", lambda group: (begun.append(1), time.sleep(0.02), examine(group))[2])

    async def run() -> None:
        task = asyncio.create_task(service.validate_all(citations))
        await asyncio.sleep(0.03)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert 0 < len(begun) < 50


def test_the_plain_answer_is_a_bool(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    assert asyncio.run(service.validate_citation(citation)) is True
    assert asyncio.run(service.validate(citation)) == service.check(citation)
    path.unlink()
    assert asyncio.run(service.validate_citation(citation)) is False


def test_what_is_no_citation_is_refused() -> None:
    with pytest.raises(TypeError, match=r"citations\[0\]: expected a Citation, not NoneType"):
        CitationService().check(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a Citation, not str"):
        asyncio.run(CitationService().validate("x"))  # type: ignore[arg-type]


def test_a_finder_may_ask_the_service_itself(path: Path) -> None:
    asked: list[Status] = []

    def find(citation: Citation) -> None:
        if not asked:
            asked.append(Status.VALID)
            asked.append(service.check(citation).status)

    service = CitationService(finder=find)
    citation = cite(path, service)
    path.unlink()
    answers: list[Validation] = []
    thread = threading.Thread(target=lambda: answers.append(service.check(citation)), daemon=True)
    thread.start()
    thread.join(30)
    assert [answer.status for answer in answers] == [Status.MISSING]
    assert asked == [Status.VALID, Status.MISSING]


def test_subscribers_hear_of_stale_and_missing(path: Path) -> None:
    service = CitationService()
    citation = cite(path, service)
    told: list[Event] = []
    service.subscribe(told.append)
    service.subscribe(told.append, CitationMissing)
    service.check(citation)
    assert told == []
    path.write_text("Short.\n", encoding="utf-8")
    stale = service.check(citation)
    asyncio.run(service.validate(citation))
    assert [type(event) for event in told] == [CitationStale, CitationStale]
    assert isinstance(told[0], CitationStale) and told[0].validation == stale
    path.unlink()
    service.check(citation)
    assert [type(event) for event in told[2:]] == [CitationMissing, CitationMissing]
    path.write_bytes(b"\xff")
    assert service.check(citation).status is Status.ERROR
    assert len(told) == 4
    assert CitationCreated not in {type(event) for event in told}


# Laws


@settings(max_examples=60, deadline=None)
@given(
    st.text(st.sampled_from("ab \n\r😀é"), max_size=80), st.text(st.sampled_from("ab \n\r😀é"), max_size=80), st.data()
)
def test_no_answer_claims_more_than_is_there(
    tmp_path_factory: pytest.TempPathFactory, before: str, after: str, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("law") / "a.md"
    path.write_bytes(before.encode())
    start = data.draw(st.integers(0, len(before)))
    end = data.draw(st.integers(start, len(before)))
    service = CitationService()
    citation = service.create_citation(SearchHit.of(path, start, end))
    assert citation.text == before[start:end]
    assert service.check(citation).ok
    path.write_bytes(after.encode())
    answer = service.check(citation)
    if answer.ok:
        assert after[start:end] == before[start:end]
    else:
        assert answer.status is Status.STALE
        assert answer.reason
    if answer.now is not None:
        text = answer.now.text
        assert after[answer.now.start_offset : answer.now.end_offset] == text
        assert after.count(text) == 1 or text not in after.replace(text, "", 1)
        assert text.split() == citation.text.split()
        assert service.check(answer.now).ok


@given(st.text(max_size=300), st.text(min_size=1, max_size=80), st.integers(-5, 400))
def test_the_guess_lies_in_the_text(text: str, words: str, start: int) -> None:
    begin, end, _ = find_replacement(text, words, start)
    assert 0 <= begin <= end <= len(text)
    once = find_once(text, words)
    if once is not None and text[slice(*once)] == words:
        assert text.find(words, once[0] + 1) == -1


def test_a_change_in_one_endless_line_is_shown_near_its_place() -> None:
    text = "".join(f"word{number} " for number in range(200_000))
    begin, end, kept = find_replacement(text, "word150000 XXXXXXX word150002 ", text.index("word150000"))
    assert kept
    assert "word150000 word150001 word150002" in text[begin:end]
    begin, end, kept = find_replacement(text, "nothing of this is there", 1_500_000)
    assert not kept
    assert begin <= 1_500_000 <= end or end - begin <= 5_000


LINES = st.lists(st.sampled_from(["a", "b", "", "c d", "e"]), max_size=30).map(
    lambda lines: "".join(f"{x}\n" for x in lines)
)


@given(LINES, LINES)
def test_a_diff_leads_from_one_to_the_other(then: str, now: str) -> None:
    diff = make_unified_diff(then, now, "a.md", 11, 21)
    lines = diff.split("\n")[2:-1]
    assert bool(diff) == (then != now)
    rows, at, out = then.split("\n")[:-1], 0, []
    for line in lines:
        if line.startswith("@@"):
            head = re.fullmatch(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@", line)
            assert head is not None
            begin = int(head[1]) - 11
            out += rows[at:begin]
            at = begin
            assert len(out) == int(head[3]) - 21
        elif line[0] == "+":
            out.append(line[1:])
        else:
            assert rows[at] == line[1:]
            at += 1
            if line[0] == " ":
                out.append(line[1:])
    if diff:
        assert "".join(f"{line}\n" for line in (*out, *rows[at:])) == now


@pytest.mark.parametrize("line", ["a\n", "ab\nab\n", "x" * 400, "word \n", "\n"])
def test_hostile_passages_take_time_in_proportion(in_proportion: Callable[..., bool], line: str) -> None:
    def work(times: object) -> None:
        words = line * times + "end"  # type: ignore[operator]
        text = line * (2 * times) + "other"  # type: ignore[operator]
        begin, end, _ = find_replacement(text, words, 5)
        make_unified_diff(words, text[begin:end], "a.md", 1, 1)
        find_once(text, words)

    assert in_proportion(work, 2_000, 40_000, 20)


def test_a_citation_of_unknown_age_is_judged_and_written(path: Path) -> None:
    from pincite.domains.retrieval import CitationStyle
    from pincite.write.passage_citations import csl

    service = CitationService()
    bare = replace(cite(path), indexed_at=None, text="", document_digest="")
    answer = service.check(bare)
    assert answer.status is Status.STALE and "unknown time" in answer.reason
    assert service.check(replace(cite(path), indexed_at=None)).status is Status.VALID
    assert all(service.format_citation(bare, style) for style in CitationStyle)
    assert "accessed" not in csl(bare)
