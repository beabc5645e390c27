"""What was found last and cited lately."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from pincite.domains.retrieval.recent_hits import MOST_CITED, keep_found, last_found, recently_cited, remember
from pincite.safe.files import Root
from pincite.search.model import Citation
from pincite.store.cache_folder import root_cache_path


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    with Root(str(tmp_path)) as opened:
        yield opened


def citation(number: int, path: str = "a.md") -> Citation:
    return Citation(
        chunk_id=UUID(int=number), document_path=path, document_title="A", start_offset=0, end_offset=1, text="é"
    )


def test_before_anything_was_found(root: Root, tmp_path: Path) -> None:
    assert (last_found(root).citations, recently_cited(root)) == ((), ())
    assert not (tmp_path / ".pincite").exists()


def test_what_was_found_last_is_kept(root: Root) -> None:
    assert keep_found(root, "one", [citation(1), citation(2)])
    assert keep_found(root, "two", [citation(3)])
    found = last_found(root)
    assert (found.query, found.citations) == ("two", (citation(3),))
    assert keep_found(root, "three", [])
    assert last_found(root).citations == ()


def test_what_was_cited_comes_first_and_once(root: Root) -> None:
    for number in (1, 2, 3, 1):
        remember(root, citation(number))
    assert recently_cited(root) == (citation(1), citation(3), citation(2))


def test_the_list_is_bounded(root: Root) -> None:
    for number in range(MOST_CITED + 5):
        remember(root, citation(number))
    assert len(recently_cited(root)) == MOST_CITED
    assert recently_cited(root)[0] == citation(MOST_CITED + 4)


def test_a_query_that_is_no_text_is_kept_all_the_same(root: Root) -> None:
    assert keep_found(root, "a\udcff", [citation(1)])
    assert last_found(root).citations == (citation(1),)


def test_hits_that_cannot_be_kept_do_not_leave_older_ones(root: Root) -> None:
    keep_found(root, "one", [citation(1)])
    assert not keep_found(root, "two", [citation(2, "a\udcff.md")])
    assert last_found(root).citations == ()


def test_a_folder_that_cannot_be_made(root: Root, tmp_path: Path) -> None:
    kept(tmp_path).parent.mkdir(0o700, parents=True, exist_ok=True)
    kept(tmp_path).write_text("in the way")
    assert not keep_found(root, "one", [citation(1)])
    remember(root, citation(1))
    assert recently_cited(root) == ()


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x90", msgspec.msgpack.encode([2, "q", []]), b"\x91" * 9999])
def test_nonsense_is_nothing(root: Root, tmp_path: Path, data: bytes) -> None:
    keep_found(root, "one", [citation(1)])
    (kept(tmp_path) / "found").write_bytes(data)
    assert last_found(root).citations == ()


def test_a_link_is_not_followed_out(root: Root, tmp_path: Path) -> None:
    keep_found(root, "one", [citation(1)])
    outside = tmp_path.parent / f"{tmp_path.name}-found"
    (kept(tmp_path) / "found").rename(outside)
    (kept(tmp_path) / "found").symlink_to(outside)
    assert last_found(root).citations == ()
