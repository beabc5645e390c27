"""Which object a clone lacks, and what brings it back."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.safe.child import ChildFailed
from pincite.safe.git import Git
from pincite.safe.git_damage import explain_complaint, find_severed, is_partial, list_folder

ID = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def git(repository: Any) -> Any:
    repository.commit({"a.py": "a\n", "src/b.py": "b\n", "src/[x]/c.py": "c\n"})
    (repository.path / "link.py").symlink_to("nowhere")
    repository.commit()
    found = Git.find(str(repository.path))
    yield found
    found.close()


def test_a_complaint_about_an_object_says_what_to_type(git: Git, repository: Any) -> None:
    told = explain_complaint(git, f"unable to read {ID}")
    assert told == "git cannot read object 0123456, which is missing or damaged (git fetch --refetch, or a new clone)"
    repository.git("config", "remote.origin.promisor", "true")
    told = explain_complaint(git, f"could not fetch {ID} from promisor remote")
    assert told == "git cannot read object 0123456, which this partial clone left out (git fetch --refetch --no-filter)"


def test_any_other_complaint_stays_as_it_is(git: Git) -> None:
    assert explain_complaint(git, "git did not answer within 5 seconds") == "git did not answer within 5 seconds"


@pytest.mark.parametrize(("value", "partial"), [("true", True), ("yes", True), ("false", False), ("", False)])
def test_a_partial_clone_is_one_with_a_promisor(git: Git, repository: Any, value: str, partial: bool) -> None:
    if value:
        repository.git("config", "remote.some.promisor", value)
    assert is_partial(git) is partial


def test_files_of_a_folder_links_left_out(git: Git, repository: Any) -> None:
    head = git.head() or ""
    assert list_folder(git, head, "") == {"a.py": repository.git("rev-parse", "HEAD:a.py")}
    assert list(list_folder(git, head, "src")) == ["src/b.py"]
    assert list(list_folder(git, head, "src/[x]")) == ["src/[x]/c.py"]
    assert list_folder(git, head, "none") == {}
    with pytest.raises(ChildFailed):
        list_folder(git, ID, "src")


def test_a_folder_below_a_root_that_is_not_the_top(git: Git, repository: Any) -> None:
    below = Git.find(str(repository.path / "src"))
    assert below is not None
    assert list(list_folder(below, git.head() or "", "")) == ["b.py"]
    assert list(list_folder(below, git.head() or "", "[x]")) == ["[x]/c.py"]
    below.close()


def test_of_a_damaged_object_git_names_which_one(git: Git, repository: Any) -> None:
    name = repository.git("rev-parse", "HEAD:a.py")
    place = repository.path / ".git/objects" / name[:2] / name[2:]
    place.chmod(0o644)
    place.write_bytes(b"garbage")
    with pytest.raises(ChildFailed, match=name):
        git.run("cat-file", "-p", name)


def test_commits_that_lack_a_parent(git: Git, repository: Any) -> None:
    first, second = repository.git("rev-list", "HEAD~1"), repository.git("rev-parse", "HEAD")
    assert find_severed(git, [first, second, ID]) == set()
    assert find_severed(git, []) == set()
    (repository.path / ".git/objects" / first[:2] / first[2:]).unlink()
    git.objects().close()
    assert find_severed(git, [first, second]) == {second}
