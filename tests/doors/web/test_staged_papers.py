"""PDFs that wait for a reader are few, and bounded."""

from __future__ import annotations

import pytest

from pincite.domains.corpus.add import Draft
from pincite.doors.web.staged_papers import StagedPapers
from pincite.papers.model import Paper


def draft(size: int) -> Draft:
    return Draft("a.pdf", Paper(id=""), b"x" * size)


@pytest.mark.parametrize(("most", "most_bytes", "sizes", "left"), [(2, 100, (1, 1, 1), 2), (9, 100, (60, 60), 1)])
def test_the_oldest_are_dropped(most: int, most_bytes: int, sizes: tuple[int, ...], left: int) -> None:
    staged = StagedPapers(most, most_bytes)
    keys = [staged.add(draft(size)) for size in sizes]
    found = [key for key in keys if staged.find(key) is not None]
    assert found == keys[-left:]


def test_one_that_is_too_large_alone_is_still_kept_and_alone() -> None:
    staged = StagedPapers(9, 10)
    first, second = staged.add(draft(5)), staged.add(draft(50))
    assert staged.find(first) is None and staged.find(second) is not None


def test_what_was_dropped_is_not_found() -> None:
    staged = StagedPapers()
    key = staged.add(draft(1))
    staged.drop(key)
    staged.drop(key)
    assert staged.find(key) is None and staged.find("other") is None


def test_keys_cannot_be_guessed() -> None:
    staged = StagedPapers()
    assert len({staged.add(draft(1)) for _ in range(50)}) == 50
