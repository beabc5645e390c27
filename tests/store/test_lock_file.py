"""The lock at rest: entries come back as they were written, and what is no lock is named by line, never guessed at."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import Conflict, UsageError
from pincite.core.limits import Limits
from pincite.core.model import Citation, Lines, Quote, SourceRef, Span
from pincite.safe.escape import escape_text
from pincite.safe.files import Root
from pincite.store import LOCK
from pincite.store.lock_entry import LockEntry, digest_of, entry_of, id_for, identity, render, row_of
from pincite.store.lock_file import Locks, save, targets

FILE = [f"step_{number} = prepare({number})" for number in range(1, 61)]


def cite(key: str = "src/app.py", first: int = 3, last: int = 0, alternate: str = "", scheme: str = "file") -> Citation:
    return Citation("bracket", Span(0, 1), "x", SourceRef(scheme, key), Lines(first, last or first), None, alternate)


def entry(
    document: str = "docs/a.md", path: str = "src/app.py", first: int = 3, last: int = 0, nth: int = 1
) -> LockEntry:
    return entry_of(document, path, Lines(first, last or first), FILE, nth)


def file_of(*entries: LockEntry) -> bytes:
    return render((one, row_of(one)) for one in entries)


def test_a_lock_is_one_line_each_and_sorted_by_number() -> None:
    data = file_of(entry(first=10), entry(first=9), entry("README.md"), entry(first=9, nth=2))
    head, *rows = data.decode().splitlines()
    assert json.loads(head) == {"pincite_lock": 1}
    found = [json.loads(row) for row in rows]
    assert [(row["document"], row["cites"], row.get("nth", 1)) for row in found] == [
        ("README.md", "src/app.py:3", 1),
        ("docs/a.md", "src/app.py:9", 1),
        ("docs/a.md", "src/app.py:9", 2),
        ("docs/a.md", "src/app.py:10", 1),
    ]
    assert found[0]["text"] == ["step_3 = prepare(3)"]
    assert (found[0]["before"], len(found[0]["after"])) == (FILE[:2], 3)
    assert found[0]["digest"] == digest_of(["step_3 = prepare(3)"])
    assert data.endswith(b"}\n")


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=30)


@settings(max_examples=150, deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    st.lists(TEXT, min_size=1, max_size=60),
    st.data(),
)
def test_what_is_locked_comes_back(document: str, now: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(1, len(now)))
    last = data.draw(st.integers(first, len(now)))
    made = entry_of(document, "src/a:b.py", Lines(first, last), now, 1)
    read = Locks(file_of(made))
    assert (read.of(document), read.documents()) == ([made], [document])
    assert read.row(made) == row_of(made)
    (found,) = read.match(document, [cite("src/a:b.py", first, last)])
    assert found is not None
    block = now[first - 1 : last]
    assert found.is_same(block)
    assert found.text_in(now) == tuple(block)
    assert escape_text(row_of(made).decode()) == row_of(made).decode()


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=300)
    | st.lists(st.sampled_from([row_of(entry()), b"{}", b"[", b"\xff", b'{"id":"0'])).map(b"\n".join)
)
def test_other_bytes_are_refused_with_a_line(data: bytes) -> None:
    for whole in (data, b'{"pincite_lock":1}\n' + data):
        try:
            read = Locks(whole)
            for document in read.documents():
                read.of(document)
            read.knows("x")
        except UsageError as error:
            assert str(error).startswith(f"{LOCK}:")


ROW = row_of(entry())
GOOD = json.loads(ROW)
HEAD = b'{"pincite_lock":1}\n'


def changed(**fields: object) -> bytes:
    return HEAD + json.dumps({**GOOD, **fields}, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", 1, "no first line"),
        (b"\n\n", 1, "no first line"),
        (ROW, 1, "not the first line"),
        (b"[1]", 1, "not the first line"),
        (b'{"pincite_lock":2}\n', 1, "version 2"),
        (b'{"pincite_lock":"1"}\n', 1, "not the first line"),
        (HEAD + b"<<<<<<< HEAD\n" + ROW, 2, "a merge is not finished"),
        (HEAD + ROW + b"\n=======\n", 3, "a merge is not finished"),
        (HEAD + ROW + b"\r\n>>>>>>> branch\r\n", 3, "a merge is not finished"),
        (HEAD + b"not json", 2, "not an entry"),
        (HEAD + b"[" * 100_000, 2, "not an entry"),
        (HEAD + b'{"id":' + b"[" * 100_000, 2, "not an entry"),
        (HEAD + b"{}", 2, "missing required field"),
        (changed(more=1), 2, "unknown field"),
        (changed(text="a"), 2, "Expected `array`"),
        (changed(nth=2), 2, "the id is not that of"),
        (changed(id="0" * 12), 2, "the id is not that of"),
        (changed(document="docs/b.md"), 2, "the id is not that of"),
        (changed(id=GOOD["id"][:7]), 2, "the id is not that of"),
        (changed(text=["step_3 = prepare(4)"]), 2, "the text is not the one that was locked"),
        (changed(text=[]), 2, "the text is not the one that was locked"),
        (changed(digest="A" * 64), 2, "the digest is not one"),
        (changed(before=["a"] * 4), 2, "more lines around"),
        (changed(before=["a"] * 3), 2, "more lines around"),
        (changed(lines=2), 2, "not as many as are cited"),
        (changed(cites="src/app.py"), 2, "no place that can be cited"),
        (changed(cites="src/app.py:5-4"), 2, "no place that can be cited"),
        (changed(cites="src/app.py:0"), 2, "no place that can be cited"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(data: bytes, line: int, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        for document in (read := Locks(data)).documents():
            read.of(document)
    assert str(refused.value).startswith(f"{LOCK}:{line}: ")
    assert words in str(refused.value)
    assert ";" in str(refused.value)


def test_lines_that_a_merge_doubled_count_once() -> None:
    read = Locks(HEAD + ROW + b"\n" + HEAD + ROW + b"\n\n")
    assert (len(read), read.of("docs/a.md")) == (1, [entry()])


def test_two_sides_of_a_merge_that_read_different_lines_are_named() -> None:
    other = entry_of("docs/a.md", "src/app.py", Lines(3, 3), ["a", "b", "c"], 1)
    with pytest.raises(UsageError) as refused:
        Locks(file_of(entry(), other))
    assert f"{LOCK}:3: line 2 is an entry for {other.id} too" in str(refused.value)
    assert "delete line 2 or line 3" in str(refused.value)
    name = identity("docs/a.md", "src/app.py:3", 1)
    longer = LockEntry(name[:20], *(getattr(other, field) for field in LockEntry.__struct_fields__[1:]))
    with pytest.raises(UsageError) as refused:
        Locks(file_of(entry(), longer)).of("docs/a.md")
    assert "too, and a different one" in str(refused.value)


def test_line_ends_and_marks_that_git_or_editors_add_change_nothing() -> None:
    read = Locks(b"\xef\xbb\xbf" + file_of(entry(), entry(first=5)).replace(b"\n", b"\r\n"))
    assert len(read.of("docs/a.md")) == 2


def test_other_spellings_of_json_are_understood() -> None:
    spaced = json.dumps({**GOOD, "document": "docs/ä.md", "id": identity("docs/ä.md", "src/app.py:3", 1)[:12]})
    terse = spaced.replace(", ", ",").replace('": ', '":').replace("step_3 = ", "step_3 = ")
    for row in (spaced, terse, terse.replace("docs", "\\u0064ocs")):
        read = Locks(HEAD + row.encode())
        assert [one is not None for one in read.match("docs/ä.md", [cite()])] == [True]


def test_citations_are_told_apart_by_their_order() -> None:
    read = Locks(file_of(entry(), entry(nth=2), entry(first=5)))
    one, two, three = (read.citing("docs/a.md", f"src/app.py:{line}") for line in (3, 5, 7))
    assert ([each.nth for each in one], len(two), three) == ([1, 2], 1, [])
    found = read.match("docs/a.md", [cite(), cite(first=5), cite(), cite(first=9)])
    assert [each and each.id for each in found] == [one[0].id, two[0].id, one[1].id, None]
    assert all(each.sure for each in found if each)
    assert read.match("docs/b.md", [cite()]) == [None]


def test_a_citation_more_makes_it_uncertain_which_is_which() -> None:
    read = Locks(file_of(entry()))
    first, second = read.match("docs/a.md", [cite(), cite()])
    assert first is not None and not first.sure and second is None


def test_places_are_known_by_every_way_to_write_them() -> None:
    read = Locks(file_of(entry()))
    for citation in (
        cite("./src//app.py"),
        cite("app.py", alternate="src/app.py"),
        cite("me/it@main:src/app.py", scheme="permalink"),
    ):
        assert [one and one.path for one in read.match("docs/a.md", [citation])] == ["src/app.py"]


@pytest.mark.parametrize(
    "citation",
    [
        cite("me/it@1f0c9ae:src/app.py", scheme="permalink"),
        cite("abcdef", scheme="chunk"),
        cite(first=0),
        cite(first=4, last=3),
        Citation("bracket", Span(0, 1), "x", SourceRef("file", "src/app.py")),
        Citation("bracket", Span(0, 1), "x", SourceRef("file", "src/app.py"), Lines(3, 3), Quote("step")),
    ],
)
def test_other_citations_are_not_for_the_lock(citation: Citation) -> None:
    assert targets(citation) == ()
    assert Locks(file_of(entry())).match("docs/a.md", [citation]) == [None]


def test_long_text_is_kept_by_its_ends_and_found_again() -> None:
    many = [f"value {number} of many" for number in range(200)]
    made = entry_of("docs/a.md", "src/app.py", Lines(11, 110), many, 1)
    assert (made.lines, len(made.text), len(made.end), len(made.marks)) == (100, 3, 3, 800)
    assert len(row_of(made)) < 3000
    (found,) = Locks(file_of(made)).match("docs/a.md", [cite(first=11, last=110)])
    assert found is not None and found.text == ()
    moved = ["new"] * 7 + many
    assert found.text_in(moved) == tuple(many[10:110])
    moved[50] = "edited"
    known = found.text_in(moved)
    assert (known[33], known[32], known[34]) == ("…", many[42], many[44])
    assert found.is_same(many[10:110]) and not found.is_same(moved[10:110])
    assert found.text_in([])[0] == many[10]


def test_very_long_text_is_only_compared() -> None:
    many = [f"value {number}" for number in range(3000)]
    made = entry_of("docs/a.md", "src/app.py", Lines(1, 3000), many, 1)
    (found,) = Locks(file_of(made)).match("docs/a.md", [cite(first=1, last=3000)])
    assert found is not None and found.text_in(many) == () and found.is_same(many)
    wide = entry_of("docs/a.md", "src/app.py", Lines(1, 1), ["x" * 100_000], 1)
    assert len(row_of(wide)) < 1000


def test_context_is_cut() -> None:
    made = entry_of("docs/a.md", "src/app.py", Lines(2, 2), ["b" * 5000, "a", "b" * 5000], 1)
    assert [len(line) for line in (*made.before, *made.after)] == [200, 200]


def test_which_files_are_cited() -> None:
    read = Locks(file_of(entry(), entry(path="src/ü.py")))
    assert [read.knows(path) for path in ("src/app.py", "./src/app.py", "src/ü.py", "src", "app.py")] == [
        *(True, True, True, False, False)
    ]


def test_other_entries_meanwhile() -> None:
    read = Locks(file_of(entry()))
    with read.replace_entries("docs/a.md", [entry(first=5)]):
        assert [one is not None for one in read.match("docs/a.md", [cite(), cite(first=5)])] == [False, True]
    assert [one is not None for one in read.match("docs/a.md", [cite(), cite(first=5)])] == [True, False]


def test_ids_grow_where_two_are_alike() -> None:
    name = identity("docs/a.md", "src/app.py:3", 1)
    assert id_for("docs/a.md", "src/app.py:3", 1, set()) == name[:12]
    assert id_for("docs/a.md", "src/app.py:3", 1, {name[:12], name[:13]}) == name[:14]


def test_reading_and_writing_below_a_root(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        assert Locks.load(root) is None
        save(root, None, file_of(entry()))
        with pytest.raises(Conflict):
            save(root, None, file_of(entry()))
        read = Locks.load(root)
        assert read is not None and len(read) == 1
        save(root, read.data, file_of(entry(), entry(first=5)))
        with pytest.raises(Conflict):
            save(root, read.data, file_of(entry(first=7)))
    assert [path.name for path in tmp_path.iterdir()] == [LOCK]


def test_a_lock_outside_the_root_or_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").write_bytes(file_of(entry()))
    (tmp_path / "in" / LOCK).symlink_to(tmp_path / "out")
    with Root(str(tmp_path / "in")) as root, pytest.raises(UsageError, match="outside the root"):
        Locks.load(root)
    (tmp_path / "in" / LOCK).unlink()
    (tmp_path / "in" / LOCK).write_bytes(file_of(entry()))
    with (
        Root(str(tmp_path / "in"), Limits(lock_bytes=100)) as root,
        pytest.raises(UsageError, match="exceed the limit"),
    ):
        Locks.load(root)


def test_reading_grows_with_the_file_alone() -> None:
    rows = [row_of(entry(nth=number)) for number in range(1, 8_001)]

    def cost(count: int) -> float:
        data = HEAD + b"\n".join(rows[:count])
        started = process_time()
        assert len(Locks(data).of("docs/a.md")) == count
        return process_time() - started

    cost(500)
    # The best of three: a busy machine makes a run longer and never shorter.
    long, short = (min(cost(size) for _ in range(3)) for size in (8_000, 1_000))
    assert long < 24 * max(short, 0.005)
