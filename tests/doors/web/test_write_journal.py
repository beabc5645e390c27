"""What is kept of writes, and how much."""

from __future__ import annotations

from pincite.doors.web import write_journal
from pincite.doors.web.records import CitationRow
from pincite.doors.web.write_journal import KeptWrite, WriteJournal
from pincite.engine.file_changes import FileRewrite


def make_write(size: int = 1, path: str = "a") -> KeptWrite:
    return KeptWrite("write", (), [FileRewrite(path, b"x" * size, b"new")])


def test_only_so_many_writes_are_kept(monkeypatch) -> None:
    monkeypatch.setattr(write_journal, "_MOST_WRITES", 3)
    journal = WriteJournal()
    writes = [make_write() for _ in range(5)]
    for one in writes:
        journal.add(one)
    assert journal.newest_first() == writes[:1:-1]
    assert journal.find(writes[0].id) is None


def test_only_so_many_bytes_are_kept(monkeypatch) -> None:
    monkeypatch.setattr(write_journal, "_MOST_BYTES", 10)
    journal = WriteJournal()
    writes = [make_write(4) for _ in range(3)]
    for one in writes:
        journal.add(one)
    assert journal.newest_first() == writes[:0:-1]


def test_the_newest_is_kept_whatever_its_size(monkeypatch) -> None:
    monkeypatch.setattr(write_journal, "_MOST_BYTES", 10)
    journal = WriteJournal()
    journal.add(make_write())
    large = make_write(1000)
    journal.add(large)
    assert journal.newest_first() == [large]


def test_a_citation_is_settled_until_the_verdicts_take_its_write_into_account() -> None:
    journal = WriteJournal()
    for number in (1, 2):
        row = CitationRow(**{**dict.fromkeys(CitationRow.__struct_fields__, ""), "id": f"c{number}"})
        journal.add(KeptWrite("write", (row,), (), number))
    assert [journal.find_settled(shown) for shown in range(3)] == [{"c1", "c2"}, {"c2"}, set()]
    journal.newest_first()[0].is_taken_back = True
    assert [journal.find_settled(shown) for shown in range(3)] == [{"c1"}, set(), set()]


def test_what_was_left_is_kept_as_a_digest_only() -> None:
    (file,) = KeptWrite("write", (), [FileRewrite("a", b"old", b"n" * 1000)]).files
    assert file.old == b"old" and len(file.left) == 64
