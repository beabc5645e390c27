"""Files that may have become one another."""

from __future__ import annotations

import pytest

from pincite.history.alike_files import compute_shared_ratio, get_kind, get_stem
from pincite.history.step import FileVersion


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a.ts", "b.jsx", True),
        ("a.py", "b.pyi", True),
        ("a.md", "b.rst", True),
        ("a.py", "a.md", False),
        ("a", "b", False),
    ],
)
def test_files_of_a_kind(one: str, other: str, same: bool) -> None:
    assert (get_kind(one) == get_kind(other)) is same


def test_the_name_without_folder_and_endings() -> None:
    assert get_stem("src/a/thread.test.js") == "thread"


def test_how_much_two_files_share() -> None:
    lines = [f"value_{at} = compute({at})" for at in range(20)]
    whole, half = FileVersion.of(lines), FileVersion.of(lines[:10])
    assert compute_shared_ratio(whole, whole, 0.4) == 1.0
    assert compute_shared_ratio(whole, half, 0.4) == 0.5
    assert compute_shared_ratio(whole, FileVersion.of(lines[:3]), 0.4) == 0.0
    assert compute_shared_ratio(whole, None, 0.4) == 0.0
