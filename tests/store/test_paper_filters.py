"""Filters of papers at rest: believed only while nothing that they were made of changed."""

from __future__ import annotations

import os
from pathlib import Path
from time import time_ns

import pytest

from pincite.quotes.letter_filter import make_filter
from pincite.safe.files import Root
from pincite.store import paper_filters
from pincite.store.cache_folder import root_cache_path
from pincite.store.paper_filters import PaperFilter, PaperFilters


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files were written long before they are looked at."""
    monkeypatch.setattr(paper_filters, "time_ns", lambda: time_ns() + 10**9)


def keep(root: Root, words: bytes = b"steadyreadings") -> PaperFilter:
    for name in ("a.md", "a.pdf"):
        Path(root.path, name).write_text("x")
    filters = PaperFilters(root, True)
    made = PaperFilter("a.pdf", False, filters.take_marks("a.md", "a.pdf"), "1", make_filter([words]))
    filters.add("a.md", made)
    filters.save()
    return made


def test_the_next_run_finds_what_was_kept(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        made = keep(root)
        assert PaperFilters(root, True).find("a.md") == made
        assert PaperFilters(root, True).find("b.md") is None
        assert PaperFilters(root, False).find("a.md") is None


@pytest.mark.parametrize("name", ["a.md", "a.pdf"])
def test_a_file_that_changed_is_read_again(tmp_path: Path, name: str) -> None:
    with Root(str(tmp_path)) as root:
        keep(root)
        (tmp_path / name).write_text("other")
        assert PaperFilters(root, True).find("a.md") is None


def test_the_same_size_and_modification_time_do_not_deceive(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        keep(root)
        before = os.stat(tmp_path / "a.pdf")
        (tmp_path / "new").write_text("y")
        os.replace(tmp_path / "new", tmp_path / "a.pdf")
        os.utime(tmp_path / "a.pdf", ns=(before.st_atime_ns, before.st_mtime_ns))
        assert PaperFilters(root, True).find("a.md") is None


def test_what_changed_at_the_moment_of_a_look_is_not_believed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper_filters, "time_ns", lambda: 0)
    with Root(str(tmp_path)) as root:
        keep(root)
        assert PaperFilters(root, True).find("a.md") is None


@pytest.mark.parametrize("damage", [b"", b"\xc1", b"\x92\x63\x80", b"[" * 10_000])
def test_a_damaged_file_is_passed_over(tmp_path: Path, damage: bytes) -> None:
    with Root(str(tmp_path)) as root:
        keep(root)
        Path(root_cache_path(root), "paper-filters").write_bytes(damage)
        assert PaperFilters(root, True).find("a.md") is None
        made = keep(root, b"other")
        assert PaperFilters(root, True).find("a.md") == made


def test_processes_keep_beside_one_another(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        one, two = PaperFilters(root, True), PaperFilters(root, True)
        for filters, name in ((one, "a"), (two, "b")):
            (tmp_path / f"{name}.md").write_text("x")
            marks = filters.take_marks(f"{name}.md", "")
            filters.add(f"{name}.md", PaperFilter("", False, marks, "1", make_filter([b"x"])))
            filters.save()
        both = PaperFilters(root, True)
        assert both.find("a.md") is not None
        assert both.find("b.md") is not None
