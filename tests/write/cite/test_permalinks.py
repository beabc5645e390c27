"""Targets tied to a commit: only what the commit holds at the same lines is pinned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pincite.core.model import Lines
from pincite.safe.files import Root
from pincite.safe.git import Git
from pincite.write.cite.model import CiteTarget, Uncitable
from pincite.write.cite.permalinks import pin_commit

TEXT = "one = 1\ntwo = 2\nthree = 3\n"


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    made = make_repository()
    made.commit({"a.py": TEXT})
    return made


@pytest.fixture
def pin(repo: Any) -> Iterator[Callable[..., CiteTarget]]:
    git = Git.find(str(repo.path))
    assert git is not None
    with Root(str(repo.path)) as root:
        yield lambda target, repository="me/it": pin_commit(root, git, target, repository)
    git.close()


def target(first: int, last: int, *text: str, path: str = "a.py") -> CiteTarget:
    return CiteTarget(path, Lines(first, last), text=text)


def test_what_the_commit_holds_is_pinned_to_it(pin: Callable[..., CiteTarget], repo: Any) -> None:
    head = repo.git("rev-parse", "HEAD").strip()
    assert pin(target(2, 3, "two = 2", "three = 3")).pinned == f"me/it@{head}:"


@pytest.mark.parametrize(
    ("wanted", "place", "hint"),
    [
        (target(4, 5, "two = 2", "three = 3"), "a.py:4-5: ", "(there it is a.py:2-3)"),
        (target(3, 3, "one = 1"), "a.py:3: ", "(there it is a.py:1)"),
        (target(2, 2, "new = 9"), "a.py:2: ", "has other text there; commit"),
    ],
)
def test_other_text_is_refused_with_where_it_is(
    pin: Callable[..., CiteTarget], wanted: CiteTarget, place: str, hint: str
) -> None:
    with pytest.raises(Uncitable) as refusal:
        pin(wanted)
    assert refusal.value.kind == "not-committed"
    assert str(refusal.value).startswith(place) and hint in str(refusal.value)


@pytest.mark.parametrize(
    ("repository", "path", "kind"),
    [("", "a.py", "repository-unknown"), ("me", "a.py", "repository-unknown"), ("me/it", "b.py", "not-committed")],
)
def test_what_no_address_can_name_is_refused(
    pin: Callable[..., CiteTarget], repository: str, path: str, kind: str
) -> None:
    with pytest.raises(Uncitable) as refusal:
        pin(target(1, 1, "one = 1", path=path), repository)
    assert refusal.value.kind == kind


def test_without_a_repository_nothing_is_pinned(repo: Any) -> None:
    with Root(str(repo.path)) as root, pytest.raises(Uncitable, match="not in a git repository"):
        pin_commit(root, None, target(1, 1, "one = 1"), "me/it")
