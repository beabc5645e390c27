"""Keeping the index up to date: what is read again, what is recognised, and what cannot be indexed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pincite.core.limits import Limits
from pincite.safe.files import Root
from pincite.search.index import Index
from pincite.search.refresh import RefreshResult
from pincite.store.search_index import IndexStore


class Folder:
    """A folder with an index, and what was read of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.read: list[str] = []

    def write(self, name: str, text: str | bytes) -> Path:
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return place

    def refresh(self, *paths: str, **wishes: Any) -> RefreshResult:
        # What changed just now would be read again, for the clock cannot tell.
        sleep(0.04)
        self.read.clear()
        with Index.open(self.path) as index:
            return index.refresh(paths, **wishes)

    def paths(self) -> set[str]:
        with Index.open(self.path) as index:
            return set(index.store.list_documents())

    def found(self, query: str) -> set[str]:
        with Index.open(self.path) as index:
            return {os.path.relpath(hit.document.file_path, self.path) for hit in index.search(query)}


def counts(done: RefreshResult) -> dict[str, int]:
    """What a refresh did, without zeros."""
    names = ("added", "changed", "moved", "dropped", "unchanged")
    return {name: getattr(done, name) for name in names if getattr(done, name)} | (
        {"skipped": len(done.skipped)} if done.skipped else {}
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Folder]:
    made = Folder(tmp_path / "root")
    made.path.mkdir()
    really = Root.read

    def read(root: Root, key: str, limit: int | None = None) -> bytes:
        if not key.startswith(".pincite/"):
            made.read.append(key)
        return really(root, key, limit)

    monkeypatch.setattr(Root, "read", read)
    yield made


def test_only_changed_files_are_read_again(folder: Folder) -> None:
    folder.write("a.md", "# A\n\nalpha\n")
    folder.write("b.md", "# B\n\nbeta\n")
    assert counts(folder.refresh()) == {"added": 2}
    assert sorted(folder.read) == ["a.md", "b.md"]
    assert (counts(folder.refresh()), folder.read) == ({"unchanged": 2}, [])
    folder.write("b.md", "# B\n\ngamma\n")
    assert (counts(folder.refresh()), folder.read) == ({"changed": 1, "unchanged": 1}, ["b.md"])
    assert (folder.found("beta"), folder.found("gamma")) == (set(), {"b.md"})


def test_a_touched_file_with_the_same_content_is_unchanged(folder: Folder) -> None:
    place = folder.write("a.md", "alpha\n")
    folder.refresh()
    os.utime(place, (1, 1))
    assert (counts(folder.refresh()), folder.read) == ({"unchanged": 1}, ["a.md"])
    assert (counts(folder.refresh()), folder.read) == ({"unchanged": 1}, [])


def test_a_change_that_leaves_size_and_time_is_seen(folder: Folder) -> None:
    place = folder.write("a.md", "alpha\n")
    before = place.stat()
    folder.refresh()
    place.write_text("gamma\n")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert counts(folder.refresh()) == {"changed": 1}


def test_a_moved_file_is_recognised(folder: Folder) -> None:
    folder.write("a.md", "alpha\n")
    folder.refresh()
    (folder.path / "a.md").rename(folder.path / "b.md")
    assert counts(folder.refresh()) == {"moved": 1}
    assert (folder.paths(), folder.found("alpha")) == ({"b.md"}, {"b.md"})


def test_files_of_one_content_that_move_together_are_all_recognised(folder: Folder) -> None:
    for name in ("old/a/x.md", "old/b/x.md", "old/c/y.md"):
        folder.write(name, "the same\n")
    folder.write("old/other.md", "another\n")
    folder.refresh()
    (folder.path / "old").rename(folder.path / "new")
    assert counts(folder.refresh()) == {"moved": 4}
    assert folder.paths() == {"new/a/x.md", "new/b/x.md", "new/c/y.md", "new/other.md"}


def test_a_copy_is_no_move(folder: Folder) -> None:
    folder.write("a.md", "alpha\n")
    folder.refresh()
    folder.write("b.md", "alpha\n")
    assert counts(folder.refresh()) == {"added": 1, "unchanged": 1}


def test_a_deleted_file_is_dropped(folder: Folder) -> None:
    folder.write("a.md", "alpha\n")
    folder.write("b.md", "beta\n")
    folder.refresh()
    (folder.path / "a.md").unlink()
    assert counts(folder.refresh()) == {"dropped": 1, "unchanged": 1}
    assert (folder.paths(), folder.found("alpha")) == ({"b.md"}, set())


def test_a_file_that_became_a_folder(folder: Folder) -> None:
    folder.write("a.md", "alpha\n")
    folder.refresh()
    (folder.path / "a.md").unlink()
    folder.write("a.md/b.md", "beta\n")
    assert counts(folder.refresh()) == {"added": 1, "dropped": 1}
    assert folder.paths() == {"a.md/b.md"}


def test_a_new_file_in_a_new_folder(folder: Folder) -> None:
    folder.write("a.md", "alpha\n")
    folder.refresh()
    folder.write("x/y/z.md", "beta\n")
    assert (counts(folder.refresh()), folder.read) == ({"added": 1, "unchanged": 1}, ["x/y/z.md"])


def test_links_inside_the_root_are_read_and_others_are_not(folder: Folder, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret\n")
    folder.write("docs/a.md", "alpha\n")
    (folder.path / "in.md").symlink_to("docs/a.md")
    (folder.path / "out.md").symlink_to(secret)
    (folder.path / "gone.md").symlink_to("nowhere.md")
    (folder.path / "round.md").symlink_to("round.md")
    (folder.path / "more").symlink_to("docs")
    done = folder.refresh()
    assert counts(done) == {"added": 2, "skipped": 3}
    assert dict(done.skipped) == {
        "out.md": "leads outside the root",
        "gone.md": "no longer there",
        "round.md": "too many levels of symbolic links",
    }
    assert (folder.found("alpha"), folder.found("secret")) == ({"docs/a.md", "in.md"}, set())
    folder.write("docs/b.md", "beta\n")
    (folder.path / "in.md").unlink()
    (folder.path / "in.md").symlink_to("docs/b.md")
    assert counts(folder.refresh()) == {"added": 1, "changed": 1, "unchanged": 1, "skipped": 3}
    assert folder.found("beta") == {"docs/b.md", "in.md"}


def test_what_git_ignores_is_left_out(folder: Folder, make_repository: Callable[..., Any]) -> None:
    make_repository("root")
    folder.write("a.md", "alpha\n")
    folder.write("build/b.md", "beta\n")
    assert counts(folder.refresh()) == {"added": 2}
    folder.write(".gitignore", "build/\n")
    assert counts(folder.refresh()) == {"dropped": 1, "unchanged": 1}
    folder.write(".gitignore", "")
    assert counts(folder.refresh()) == {"added": 1, "unchanged": 1}


def test_rules_above_what_was_asked_for_are_followed(folder: Folder, make_repository: Callable[..., Any]) -> None:
    make_repository("root")
    folder.write("docs/a.md", "alpha\n")
    folder.write("docs/b.md", "beta\n")
    folder.refresh("docs")
    assert counts(folder.refresh("docs")) == {"unchanged": 2}
    folder.write(".gitignore", "b.md\n")
    assert counts(folder.refresh("docs")) == {"dropped": 1, "unchanged": 1}


def test_rules_of_the_repository_around_the_root_are_followed(
    folder: Folder, make_repository: Callable[..., Any]
) -> None:
    make_repository("root")
    inner = Folder(folder.path / "inner")
    inner.write("a.md", "alpha\n")
    inner.write("b.md", "beta\n")
    assert counts(inner.refresh()) == {"added": 2}
    folder.write(".gitignore", "b.md\n")
    assert counts(inner.refresh()) == {"dropped": 1, "unchanged": 1}


def test_settings_exclude(folder: Folder) -> None:
    folder.write("a.md", "alpha\n")
    folder.write("vendor/b.md", "beta\n")
    folder.write("old/c.md", "gamma\n")
    folder.refresh()
    folder.write("pincite.toml", 'exclude = ["vendor"]\n[retrieval]\nexclude = ["old/*"]\n')
    assert counts(folder.refresh()) == {"added": 1, "dropped": 2, "unchanged": 1}
    assert folder.paths() == {"a.md", "pincite.toml"}


def test_only_what_was_asked_for_is_updated(folder: Folder) -> None:
    folder.write("docs/a.md", "alpha\n")
    folder.write("docsmore/b.md", "beta\n")
    folder.write("src/c.py", "gamma = 1\n")
    folder.refresh()
    for name in ("docs/a.md", "docsmore/b.md", "src/c.py"):
        folder.write(name, "delta\n")
    (folder.path / "src/c.py").unlink()
    assert (counts(folder.refresh("docs")), folder.read) == ({"changed": 1}, ["docs/a.md"])
    assert folder.paths() == {"docs/a.md", "docsmore/b.md", "src/c.py"}
    assert counts(folder.refresh("docs")) == {"unchanged": 1}
    assert counts(folder.refresh()) == {"changed": 1, "dropped": 1, "unchanged": 1}


def test_a_file_asked_for_by_its_name_stays_whatever_it_is_called(folder: Folder) -> None:
    folder.write("NOTES", "alpha\n")
    folder.write("data.bin", "beta\n")
    assert folder.refresh().documents == 0
    assert counts(folder.refresh("NOTES")) == {"added": 1}
    assert counts(folder.refresh()) == {"unchanged": 1}
    assert folder.found("alpha") == {"NOTES"}
    (folder.path / "NOTES").unlink()
    assert counts(folder.refresh()) == {"dropped": 1}


def test_a_name_that_is_not_utf8_is_skipped_and_said_so(folder: Folder) -> None:
    folder.write("a.md", "alpha\n")
    try:
        folder.write(os.fsdecode(b"b\xff.md"), "beta\n")
    except OSError:
        pytest.skip("this file system has no such names")
    for _ in range(2):
        done = folder.refresh()
        assert done.skipped == (("b\\u{dcff}.md", "its name is not UTF-8"),)
        assert done.documents == 1
    assert counts(folder.refresh(os.fsdecode(b"b\xff.md"))) == {"skipped": 1}
    folder.write(os.fsdecode(b"dir\xff/c.md"), "gamma\n")
    assert counts(folder.refresh()) == {"unchanged": 1, "skipped": 2}


@pytest.mark.parametrize(
    "name", ["a b.md", "a#b.md", "a[1].md", "a(1).md", "a\nb.md", "a%20b.md", "ü/日本.md", "a`b`.md", "-n.md", "~.md"]
)
def test_names_of_all_kinds(folder: Folder, name: str) -> None:
    folder.write(name, "# Title\n\nalpha\n")
    assert counts(folder.refresh()) == {"added": 1}
    assert counts(folder.refresh()) == {"unchanged": 1}
    assert folder.found("alpha") == {name}


@pytest.mark.parametrize("text", [b"", b"\n", b" \t\r\n\r", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_a_document_with_nothing_in_it(folder: Folder, text: bytes) -> None:
    folder.write("a.md", text)
    done = folder.refresh()
    assert (done.documents, done.passages, done.skipped) == (1, 0, ())
    assert counts(folder.refresh()) == {"unchanged": 1}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark(folder: Folder, end: str, mark: str) -> None:
    text = end.join(("# One", "", "alpha", "", "# Two", "", "beta", ""))
    folder.write("a.md", mark + text)
    folder.refresh()
    with Index.open(folder.path) as index:
        (hit,) = index.search("beta")
        (kept,) = [
            kept for kept in index.store.documents().__next__().read_passages() if kept.start == hit.chunk.start_offset
        ]
    assert text[hit.chunk.start_offset : hit.chunk.end_offset] == hit.chunk.content
    assert (kept.first, kept.headings, "beta" in hit.chunk.content) == (5, ("Two",), True)


def test_what_cannot_be_decoded_stays_skipped_when_it_is_touched(folder: Folder) -> None:
    place = folder.write("bad.txt", b"ok\xff")
    for _ in range(3):
        done = folder.refresh()
        assert done.skipped == (("bad.txt", "not UTF-8 (byte 0xff at offset 2)"),)
        assert (done.documents, done.changed, done.added) == (0, 0, 0)
        os.utime(place)
    folder.write("bad.txt", "good\n")
    assert counts(folder.refresh()) == {"changed": 1}
    assert folder.found("good") == {"bad.txt"}


def test_a_document_that_becomes_unreadable_loses_its_passages(folder: Folder) -> None:
    folder.write("a.txt", "alpha\n")
    folder.refresh()
    folder.write("a.txt", b"alpha\xff\n")
    assert counts(folder.refresh()) == {"changed": 1, "skipped": 1}
    assert folder.found("alpha") == set()


def test_many_files_that_cannot_be_indexed_take_time_in_proportion(
    tmp_path: Path, in_proportion: Callable[..., bool]
) -> None:
    def made(number: int) -> Path:
        top = tmp_path / str(number)
        top.mkdir()
        for at in range(number):
            (top / f"{at}.txt").write_bytes(b"\xff")
        return top

    def work(top: Path) -> None:
        with Index.open(top) as index:
            assert len(index.refresh(rebuild=True).skipped) == int(top.name)

    assert in_proportion(work, made(200), made(2000), 10)


def test_a_file_that_is_too_large_is_not_read(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("a.md", "alpha " * 100)
    folder.write("b.md", "beta\n")
    monkeypatch.setattr("pincite.search.index.Root", lambda path, *_: Root(path, Limits(source_bytes=100)))
    done = folder.refresh()
    assert done.skipped == (("a.md", "600 bytes exceed the limit of 100"),)
    assert done.documents == 1


def test_a_gigabyte_is_refused_without_reading(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.md", "b.pdf"):
        with open(folder.path / name, "wb") as stream:
            stream.truncate(1 << 30)
    asked = []
    really = os.read
    monkeypatch.setattr(os, "read", lambda descriptor, size: asked.append(size) or really(descriptor, size))
    done = folder.refresh()
    assert [reason.partition(" ")[2] for _, reason in done.skipped] == [
        f"bytes exceed the limit of {limit}" for limit in (64 << 20, 128 << 20)
    ]
    assert max(asked, default=0) < 1 << 24


def test_a_file_that_vanishes_while_it_is_indexed(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("a.md", "alpha\n")
    folder.write("b.md", "beta\n")
    really = Root.read

    def read(root: Root, key: str, limit: int | None = None) -> bytes:
        if key == "a.md":
            os.unlink(folder.path / "a.md")
        return really(root, key, limit)

    with monkeypatch.context() as patch:
        patch.setattr(Root, "read", read)
        done = folder.refresh()
    assert (done.skipped, done.documents) == ((("a.md", "no longer there"),), 1)
    assert folder.refresh().skipped == ()
    assert folder.paths() == {"b.md"}


def test_a_file_that_changes_while_it_is_indexed(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder.write("a.md", "alpha\n")
    really = Root.read

    def read(root: Root, key: str, limit: int | None = None) -> bytes:
        data = really(root, key, limit)
        if key == "a.md":
            place.write_text("gamma\n")
        return data

    with monkeypatch.context() as patch:
        patch.setattr(Root, "read", read)
        folder.refresh()
    assert folder.found("alpha") == set()
    assert counts(folder.refresh()) == {"changed": 1}
    assert folder.found("gamma") == {"a.md"}


def test_a_file_whose_reading_fails_leaves_the_others(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder.write("a.md", "alpha\n")
    folder.write("b.md", "beta\n")
    folder.refresh()
    place.write_text("gamma\n")
    really = os.read

    def read(descriptor: int, size: int) -> bytes:
        if size == len("gamma\n") + 1:
            raise OSError(5, "Input/output error")
        return really(descriptor, size)

    with monkeypatch.context() as patch:
        patch.setattr(os, "read", read)
        done = folder.refresh()
    assert (done.skipped, folder.found("beta")) == ((("a.md", "Input/output error"),), {"b.md"})


def test_an_interrupted_refresh_leaves_the_index_as_it_was(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("a.md", "alpha\n")
    folder.refresh()
    folder.write("a.md", "gamma\n")
    folder.write("b.md", "beta\n")
    really = Root.read

    def read(root: Root, key: str, limit: int | None = None) -> bytes:
        if key == "b.md":
            raise KeyboardInterrupt
        return really(root, key, limit)

    with monkeypatch.context() as patch:
        patch.setattr(Root, "read", read)
        with pytest.raises(KeyboardInterrupt):
            folder.refresh()
    assert folder.paths() == {"a.md"}
    assert counts(folder.refresh()) == {"added": 1, "changed": 1}


def test_without_an_extractor_a_pdf_waits_for_one(
    folder: Folder, make_pdf: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("a.pdf", make_pdf(["Words that nobody has cached yet, 7f3a."]))
    folder.write("b.md", "beta\n")
    with monkeypatch.context() as patch:
        patch.setattr("pincite.safe.pdf.find_extractor", lambda: None)
        # The real one remembers its answer for the whole process, and with it for the tests that follow.
        patch.setattr("pincite.store.pdf_texts.extractor_version", lambda: "")
        for _ in range(2):
            done = folder.refresh()
            ((path, reason),) = done.skipped
            assert (path, "--force-reinstall pypdfium2" in reason, done.documents) == ("a.pdf", True, 1)
    assert counts(folder.refresh()) == {"changed": 1, "unchanged": 1}
    assert folder.found("nobody") == {"a.pdf"}


def test_rebuild_reads_everything_again(folder: Folder) -> None:
    folder.write("a.md", "alpha\n")
    folder.write("b.md", "beta\n")
    folder.refresh()
    assert counts(folder.refresh(rebuild=True)) == {"added": 2}
    assert sorted(folder.read) == ["a.md", "b.md"]
    with Index.open(folder.path) as index:
        assert index.store.counts() == (2, 2, 0)


def test_workers_give_the_same_index(folder: Folder, tmp_path: Path) -> None:
    other = Folder(tmp_path / "other")
    for at in range(150):
        for one in (folder, other):
            one.write(f"{at % 7}/{at}.md", f"# Title {at}\n\nword{at} common\n\n## Sub\n\nmore {at}\n")
    folder.write("3/bad.md", b"\xff")
    other.write("3/bad.md", b"\xff")
    alone, shared = folder.refresh(), other.refresh(jobs=3)
    assert (alone.added, alone.passages, alone.skipped) == (shared.added, shared.passages, shared.skipped)

    def held(one: Folder) -> list[tuple[str, bytes, bytes]]:
        with Index.open(one.path) as index:
            return sorted((stored.path, stored.digest, stored.passages) for stored in index.store.documents())

    assert held(folder) == held(other)
    assert folder.found("word77") == other.found("word77") == {"0/77.md"}


def test_changes_pile_up_as_dead_rows_until_the_index_is_made_anew(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.search.refresh._MOST_DEAD", 6)
    folder.write("still.md", "common still\n")
    most = 0
    for at in range(12):
        folder.write("busy.md", f"common word{at}\n\n# A\n\ncommon\n\n# B\n\ncommon\n")
        folder.refresh()
        assert folder.found("common") == {"still.md", "busy.md"}
        assert (folder.found(f"word{at}"), folder.found(f"word{at - 1}")) == ({"busy.md"}, set())
        with Index.open(folder.path) as index:
            most = max(most, index.store.counts()[2])
    assert 0 < most <= 6 + 3


def test_dead_rows_do_not_crowd_out_what_is_there(folder: Folder) -> None:
    for at in range(150):
        folder.write(f"{at}.md", "rare rare rare\n")
    folder.write("z.md", "rare and a few other words around it\n")
    folder.refresh()
    for at in range(150):
        folder.write(f"{at}.md", "nothing\n")
    folder.refresh()
    assert folder.found("rare") == {"z.md"}


def test_a_folder_replaced_while_the_index_is_open_is_looked_up_anew(folder: Folder) -> None:
    folder.write("docs/a.md", "alpha\n")
    with Index.open(folder.path) as index:
        index.refresh()
        assert len(index.search("alpha")) == 1
        (folder.path / "docs").rename(folder.path / "old")
        folder.write("docs/a.md", "gamma\n")
        done = index.refresh()
        assert (done.changed, done.added, done.moved) == (1, 1, 0)
        (hit,) = index.search("gamma")
        assert hit.document.file_path == str(folder.path / "docs/a.md")
        (folder.path / "docs").rename(folder.path / "older")
        folder.write("docs/a.md", "delta\n")
        assert (index.search("gamma"), index.outdated) == ([], ("docs/a.md",))


def test_progress_is_told(folder: Folder) -> None:
    for at in range(3):
        folder.write(f"{at}.md", "x\n")
    steps: list[tuple[int, int]] = []
    folder.refresh(progress=lambda done, total: steps.append((done, total)))
    assert steps == [(1, 3), (2, 3), (3, 3)]


def test_a_watch_note_of_another_shape_is_passed_over(folder: Folder) -> None:
    folder.write("a.md", "alpha\n")
    folder.refresh()
    with Root(str(folder.path)) as root:
        store = IndexStore.open(root, write=True)
        assert store is not None
        with store, store.changing():
            store.set_state("watch", b"\xc1")
    assert counts(folder.refresh()) == {"unchanged": 1}


def test_a_document_of_many_headings_takes_time_in_proportion(
    tmp_path: Path, in_proportion: Callable[..., bool]
) -> None:
    def made(number: int) -> Path:
        top = tmp_path / str(number)
        top.mkdir()
        (top / "a.md").write_text("".join(f"# Heading {at}\n\nword\n\n" for at in range(number)))
        return top

    def work(top: Path) -> None:
        with Index.open(top) as index:
            assert index.refresh(rebuild=True).passages > 0
            assert index.search("heading", 3)

    assert in_proportion(work, made(4_000), made(40_000), 10)


def test_one_very_long_line_takes_time_in_proportion(tmp_path: Path, in_proportion: Callable[..., bool]) -> None:
    def made(size: int) -> Path:
        top = tmp_path / str(size)
        top.mkdir()
        (top / "a.md").write_text("someWord " * (size // 9))
        (top / "b.py").write_text("x" * size)
        return top

    def work(top: Path) -> None:
        with Index.open(top) as index:
            assert index.refresh(rebuild=True).passages > 0
            assert index.search("someWord", 3)

    assert in_proportion(work, made(200_000), made(2_000_000), 10)
