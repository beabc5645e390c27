"""The pass over the history of documents, and what it does about commits that cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite.history.document_pass import DocumentPass
from pincite.history.patches import digest
from pincite.safe.git import Git
from pincite.store.history import unpack_lines


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    return make_repository()


def read(repo: Any) -> DocumentPass:
    git = Git.find(str(repo.path))
    assert git is not None
    reading = DocumentPass(git)
    reading.read("HEAD", ("*.md",), git.tree("HEAD"), None)
    git.close()
    return reading


def writer(reading: DocumentPass, document: str, line: str) -> str:
    """The commit that is believed to have written a line; `?` where none is."""
    number = unpack_lines(reading.documents.get(document, b"\x80")).get(digest(line.encode()))
    return reading.commits[number] if number is not None and reading.knows(document, number) else "?"


def lose(repo: Any, name: str) -> None:
    found = repo.git("rev-parse", name)
    (repo.path / ".git/objects" / found[:2] / found[2:]).unlink()


def test_the_newest_commit_that_added_a_line_wrote_it(repo: Any) -> None:
    first = repo.commit({"a.md": "see x.py:1\n"})
    second = repo.commit({"a.md": "see x.py:1\nsee x.py:2\n"})
    reading = read(repo)
    assert reading.complaint == ""
    assert [writer(reading, "a.md", f"see x.py:{line}") for line in (1, 2)] == [first, second]


def test_a_document_that_an_unread_commit_touches_is_doubtful_from_there_on(repo: Any) -> None:
    first = repo.commit({"a.md": "see x.py:1\n", "b.md": "see y.py:1\n"})
    repo.commit({"a.md": "see x.py:1\nsee x.py:2\n"})
    lose(repo, "HEAD:a.md")
    last = repo.commit({"a.md": "see x.py:1\nsee x.py:3\n"})
    newest = repo.commit({"a.md": "see x.py:1\nsee x.py:3\nsee x.py:4\n"})
    reading = read(repo)
    assert reading.complaint
    assert writer(reading, "a.md", "see x.py:4") == newest
    assert writer(reading, "a.md", "see x.py:1") == "?"
    assert writer(reading, "a.md", "see x.py:3") in (last, "?")
    assert writer(reading, "b.md", "see y.py:1") == first, "no other document is in doubt"


def test_what_lies_before_a_commit_that_is_gone_is_still_read(repo: Any) -> None:
    repo.commit({"a.md": "see x.py:1\n"})
    gone = repo.commit({"a.md": "see x.py:1\nsee x.py:2\n"})
    last = repo.commit({"a.md": "see x.py:1\nsee x.py:2\nsee x.py:3\n"})
    newest = repo.commit({"a.md": "see x.py:1\nsee x.py:2\nsee x.py:3\nsee x.py:4\n"})
    lose(repo, gone)
    reading = read(repo)
    assert gone in reading.complaint
    assert writer(reading, "a.md", "see x.py:4") == newest
    assert writer(reading, "a.md", "see x.py:3") in (last, "?")
    assert writer(reading, "a.md", "see x.py:1") == "?"
