"""The index of a workspace, as a program uses it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import monotonic

import pytest

from pincite.core.errors import PinciteError
from pincite.domains.retrieval import CitationService, SearchHit
from pincite.project.config import Config, RetrievalSettings
from pincite.project.project import Project
from pincite.safe.files import Root
from pincite.search.index import Index
from pincite.store.cache_folder import root_cache_path
from pincite.store.database import Damaged
from pincite.store.search_index import IndexStore


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


def bring_up_to_date(index: Index) -> None:
    """Refresh until nothing is left to do: what was written just before counts as changed for a moment."""
    end = monotonic() + 60
    while not index.is_current():
        assert monotonic() < end, "the index is never current"
        index.refresh()


def test_from_documents_to_citations(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA walrus.\n")
    with Index.open(tmp_path) as index:
        done = index.refresh()
        assert (done.added, done.documents, done.passages) == (1, 1, 1)
        (hit,) = index.search("walrus")
    assert isinstance(hit, SearchHit)
    citation = CitationService(tmp_path).create_citation(hit)
    assert (citation.relative_path, citation.line_number, citation.heading) == ("a.md", 1, "A")


def test_the_repository_around_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "deep/er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep/er")
    with Index.open() as index:
        assert index.root.path == str(tmp_path.resolve())


def test_settings_may_be_given(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("walrus\n")
    with Index.open(tmp_path, Config(retrieval=RetrievalSettings(exclude=("b.md",)))) as index:
        assert index.refresh().documents == 1


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PinciteError, match="no such folder; pass an existing one as root"):
        Index.open(tmp_path / "nowhere")


def test_damage_that_shows_while_it_is_used_is_repaired(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA walrus.\n")
    with Index.open(tmp_path) as index:
        index.refresh()
        connection = sqlite3.connect(kept(tmp_path) / "index.db", isolation_level=None)
        connection.execute("UPDATE document SET passages = x'c1'")
        connection.close()
        assert [hit.chunk.heading for hit in index.search("walrus")] == ["A"]


def test_damage_is_told_to_one_who_only_reads(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA walrus.\n")
    with Index.open(tmp_path) as index:
        index.refresh()
    connection = sqlite3.connect(kept(tmp_path) / "index.db", isolation_level=None)
    connection.execute("UPDATE document SET passages = x'c1'")
    connection.close()
    root = Root(str(tmp_path))
    store = IndexStore.open(root, write=False)
    assert store is not None
    with Index(Project(root, Config()), store) as index, pytest.raises(Damaged, match="pincite index --rebuild"):
        index.search("walrus")


def test_what_stays_damaged_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise Damaged("still")

    (tmp_path / "a.md").write_text("walrus\n")
    with Index.open(tmp_path) as index:
        index.refresh()
        monkeypatch.setattr(IndexStore, "search", fail)
        with pytest.raises(Damaged, match="still"):
            index.search("walrus")


def test_a_search_before_anything_is_indexed(tmp_path: Path) -> None:
    with Index.open(tmp_path) as index:
        assert (index.outdated, index.search("walrus"), index.outdated) == ((), [], ())


def test_several_searches_of_one_index(tmp_path: Path) -> None:
    place = tmp_path / "a.md"
    place.write_text("# A\n\nA walrus.\n")
    with Index.open(tmp_path) as index:
        index.refresh()
        assert len(index.search("walrus")) == 1
        place.write_text("# A\n\nA seal!!!\n")
        assert (index.search("walrus"), index.outdated) == ([], ("a.md",))
        index.refresh()
        assert (len(index.search("seal")), index.outdated) == (1, ())
        place.unlink()
        assert (index.search("seal"), index.outdated) == ([], ("a.md",))
        index.refresh()
        assert (index.search("seal"), index.outdated) == ([], ())


def test_an_index_is_current_until_a_file_changes(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA walrus.\n")
    with Index.open(tmp_path) as index:
        assert not index.is_current()
        bring_up_to_date(index)
        (tmp_path / "b.md").write_text("# B\n")
        assert not index.is_current()
        bring_up_to_date(index)
        (tmp_path / "a.md").write_text("# A\n\nA seal.\n")
        assert not index.is_current()
        (tmp_path / "a.md").unlink()
        assert not index.is_current()


def test_other_settings_make_an_index_outdated(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    with Index.open(tmp_path) as index:
        bring_up_to_date(index)
    with Index.open(tmp_path, Config(retrieval=RetrievalSettings(exclude=("a.md",)))) as index:
        assert not index.is_current()
