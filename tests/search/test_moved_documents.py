"""Where documents went."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from pincite.project.project import open_project
from pincite.safe.files import Root
from pincite.search.index import Index
from pincite.search.model import Citation
from pincite.search.moved_documents import MovedDocumentFinder, update_chunk_id
from pincite.search.passages.identity import chunk_identity
from pincite.store.cache_folder import root_cache_path


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


TEXT = '# A\n\nA walrus "said" it.\n\n# B\n\nSomething else.\n'
PASSAGE = '# A\n\nA walrus "said" it.'


def cited(top: Path, path: str = "a.md", text: str = PASSAGE) -> Citation:
    return Citation(
        chunk_id=UUID(int=1),
        document_path=str(top / path),
        document_title=path,
        start_offset=0,
        end_offset=len(text),
        relative_path=path,
        text=text,
        document_digest=sha256(TEXT.encode()).hexdigest(),
    )


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A folder whose document was indexed."""
    top = tmp_path.resolve() / "top"
    top.mkdir()
    (top / "a.md").write_text(TEXT)
    with Index.open(top) as index:
        index.refresh()
    sleep(0.04)
    return top


def find(top: Path, citation: Citation | None = None) -> str | None:
    with open_project(top) as project:
        found = MovedDocumentFinder(project).find(citation or cited(top))
    return None if found is None else str(Path(found).relative_to(top))


def test_by_its_content(top: Path) -> None:
    (top / "a.md").rename(top / "b.md")
    assert find(top) == "b.md"


def test_by_its_words(top: Path) -> None:
    (top / "a.md").unlink()
    (top / "b.md").write_text("# Before\n\nMore.\n\n" + TEXT)
    assert find(top) == "b.md"


def test_not_by_words_that_differ(top: Path) -> None:
    (top / "a.md").unlink()
    (top / "b.md").write_text(TEXT.replace("said", "sang"))
    assert find(top) is None


def test_not_where_several_have_it(top: Path) -> None:
    (top / "a.md").rename(top / "b.md")
    (top / "c.md").write_text(TEXT)
    assert find(top) is None


@pytest.mark.parametrize("digest", ["", "zz", "ff"])
def test_a_digest_that_is_none(top: Path, digest: str) -> None:
    (top / "a.md").rename(top / "b.md")
    assert find(top, replace(cited(top), document_digest=digest)) == "b.md"
    assert find(top, replace(cited(top), document_digest=digest, text="")) is None


def test_without_an_index_none_is_made(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text(TEXT)
    assert find(tmp_path, cited(tmp_path)) is None
    assert not (tmp_path / ".pincite").exists()


def test_outside_the_root(top: Path) -> None:
    assert find(top, replace(cited(top), relative_path=None)) is None


def test_by_a_rename_that_git_knows(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    repository = make_repository("repo")
    repository.commit({"a.md": TEXT})
    repository.git("mv", "a.md", "b.md")
    assert find(repository.path, cited(repository.path)) == "b.md"
    repository.commit()
    assert find(repository.path, cited(repository.path)) == "b.md"
    (repository.path / "b.md").unlink()
    assert find(repository.path, cited(repository.path)) is None


def test_a_damaged_index_is_no_obstacle(top: Path) -> None:
    (top / "a.md").rename(top / "b.md")
    with open(kept(top) / "index.db", "r+b") as stream:
        stream.write(bytes(4096))
    assert find(top) == "b.md"


def test_the_id_of_a_passage_where_it_stands_now(top: Path) -> None:
    (top / "b.md").write_text("# A\n\nsame\n\n# C\n\nother\n\n# A\n\nsame\n")
    words = "# A\n\nsame"
    with Root(str(top)) as root:
        for nth, start in enumerate((0, 23)):
            now = replace(cited(top, "b.md", words), start_offset=start, end_offset=start + len(words))
            assert (root.read("b.md").decode()[start : start + len(words)]) == words
            assert update_chunk_id(root, now).chunk_id == chunk_identity("b.md", words, nth)
        assert update_chunk_id(root, cited(top, "gone.md")).chunk_id == chunk_identity("gone.md", PASSAGE)
        nowhere = replace(cited(top), relative_path=None)
        assert update_chunk_id(root, nowhere) is nowhere
