"""Ids of captured output in the commits of mirrors; cleaning up shows the search of whole projects."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pincite.safe.search_git import list_cited_ids


def test_ids_of_a_commit(repository: Any) -> None:
    first = repository.commit(
        {"a.md": "x 【abc123†L1】 y 【abc123†L2】\n", "b/c.bin": "\0【C0FFEE†L1】【0123456789†L1】"}
    )
    second = repository.commit({"a.md": "【fedcba†L1-L2】 【12345†L1】\n"})
    git = os.path.join(str(repository.path), ".git")
    assert list_cited_ids(git, first, 30.0) == ["0123456789", "abc123"]
    assert list_cited_ids(git, second, 30.0) == ["0123456789", "fedcba"]
    assert list_cited_ids(git, second, 30.0, most=1) is None


def test_a_commit_that_cites_none(repository: Any) -> None:
    commit = repository.commit({"a.md": "nothing\n"})
    assert list_cited_ids(os.path.join(str(repository.path), ".git"), commit, 30.0) == []


def test_what_cannot_be_searched(repository: Any, tmp_path: Path) -> None:
    repository.commit({"a.md": "nothing\n"})
    assert list_cited_ids(os.path.join(str(repository.path), ".git"), "0" * 40, 30.0) is None
    assert list_cited_ids(str(tmp_path), "0" * 40, 30.0) is None
