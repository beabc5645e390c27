"""What commits did to files, read in one pass of git: every name, every shape of history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pincite.history.commit_log import CommitLog, FileChange, read_renames, read_trail
from pincite.safe.git import Git

BODY = "".join(f"step_{at} = prepare({at})\n" for at in range(12))


@contextmanager
def opened(path: Path) -> Iterator[Git]:
    git = Git.find(str(path))
    assert git is not None
    try:
        yield git
    finally:
        git.close()


def next_change(trail: CommitLog, path: str, turn: int, end: int) -> FileChange | None:
    """The first change at a path from a turn on."""
    return next(iter(trail.list_changes(path, turn, end)), None)


def done(trail: CommitLog) -> list[list[tuple[str, str, str]]]:
    """What each step did: kind, source and target."""
    return [
        sorted((change.kind, change.source, change.target) for change in trail.step(at)) for at in range(len(trail))
    ]


def trail_of(path: Path, old: str, new: str) -> list[list[tuple[str, str, str]]]:
    with opened(path) as git:
        return done(read_trail(git, old, new))


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    return make_repository()


def test_steps_come_in_order(repo: Any) -> None:
    first = repo.commit({"a.py": BODY})
    second = repo.commit({"a.py": BODY + "more\n", "b.py": "new\n"})
    repo.git("mv", "a.py", "c.py")
    third = repo.commit()
    (repo.path / "b.py").unlink()
    last = repo.commit()
    wanted = [
        [("A", "b.py", "b.py"), ("M", "a.py", "a.py")],
        [("R", "a.py", "c.py")],
        [("D", "b.py", "b.py")],
    ]
    with opened(repo.path) as git:
        trail = read_trail(git, first, last)
        assert done(trail) == wanted
        assert [trail.turn(commit) for commit in (first, second, third, last, "0" * 40)] == [0, 1, 2, 3, None]
        changes = next_change(trail, "a.py", 0, 3), next_change(trail, "a.py", 1, 3), next_change(trail, "b.py", 1, 3)
        assert [change and (change.step, change.kind, change.target) for change in changes] == [
            (0, "M", "a.py"),
            (1, "R", "c.py"),
            (2, "D", "b.py"),
        ]
        assert next_change(trail, "b.py", 0, 2) is None
        assert next_change(trail, "c.py", 0, 3) is None
        assert next_change(trail, "nowhere.py", 0, 3) is None
        assert len(read_trail(git, last, last)) == 0


def test_blobs_lead_from_one_version_to_the_next(repo: Any) -> None:
    commits = [repo.commit({"a.py": f"{BODY}{at}\n"}) for at in range(4)]
    with opened(repo.path) as git:
        trail = read_trail(git, commits[0], commits[-1])
        blobs = git.objects().blob_ids([(commit, "a.py") for commit in commits])
        found = [trail.step(at)[0] for at in range(3)]
    assert [(change.old, change.new) for change in found] == list(pairwise(blobs))


def test_backwards_is_forwards_undone(repo: Any) -> None:
    first = repo.commit({"a.py": BODY, "b.py": "x\n"})
    repo.git("mv", "a.py", "c.py")
    repo.commit({"d.py": "new\n"})
    (repo.path / "b.py").unlink()
    last = repo.commit({"c.py": BODY + "more\n"})
    with opened(repo.path) as git:
        trail = read_trail(git, last, first)
        assert done(trail) == [
            [("A", "b.py", "b.py"), ("M", "c.py", "c.py")],
            [("D", "d.py", "d.py"), ("R", "c.py", "a.py")],
        ]
        change = next_change(trail, "c.py", 0, 2)
        assert change is not None
        assert [change.old, change.new] == git.objects().blob_ids([(last, "c.py"), (first, "a.py")])


def merged(repo: Any) -> tuple[str, str, str, str]:
    """A first commit, one on a branch, one on main, and the merge of both."""
    first = repo.commit({"a.py": BODY, "b.py": "x\n"})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit({"a.py": BODY.replace("step_3 ", "step_three ")})
    repo.git("checkout", "-q", "main")
    own = repo.commit({"b.py": "y\n"})
    repo.clock += 60
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    return first, side, own, repo.git("rev-parse", "HEAD")


def test_a_merge_is_one_step_of_its_branch(repo: Any) -> None:
    first, side, own, merge = merged(repo)
    assert trail_of(repo.path, first, merge) == [[("M", "b.py", "b.py")], [("M", "a.py", "a.py")]]
    assert trail_of(repo.path, own, merge) == [[("M", "a.py", "a.py")]]
    with opened(repo.path) as git:
        assert read_trail(git, first, merge).turn(side) is None


def test_a_commit_beside_the_branch_is_led_onto_it(repo: Any) -> None:
    """What the branch had and the side did not comes in with the steps, wherever they part."""
    _, side, _, merge = merged(repo)
    last = repo.commit({"b.py": "z\n"})
    for new in (merge, last):
        with opened(repo.path) as git:
            trail = read_trail(git, side, new)
            path, blob, turn = "a.py", git.objects().blob_ids([(side, "a.py")])[0], 0
            while (change := next_change(trail, path, turn, len(trail))) is not None:
                assert change.old == blob
                path, blob, turn = change.target, change.new, change.step + 1
            assert blob == git.objects().blob_ids([(new, "a.py")])[0]


ODD = {
    "spaces": "a file  with spaces.py",
    "tab": "tab\there.py",
    "line end": "line\nend.py",
    "looks like a commit": "\x01" + "a" * 40,
    "looks like an entry": ":100644 100644 " + "a" * 40,
    "colon": ":(top)file.py",
    "quotes": "\"quoted\" 'name'.py",
    "no UTF-8": "na\udcefve.py",
    "dash": "-n",
    "wide": "\u6587\u4ef6.py",
}


@pytest.mark.parametrize("name", ODD)
def test_any_name_is_only_a_name(name: str, repo: Any) -> None:
    path = ODD[name]
    try:
        first = repo.commit({path: BODY, "other.py": "x\n"})
    except OSError:
        pytest.skip("this file system does not take such a name")
    repo.commit({path: BODY + "more\n"})
    (repo.path / path).rename(repo.path / "plain.py")
    repo.commit()
    (repo.path / "plain.py").rename(repo.path / path)
    last = repo.commit({"other.py": "y\n"})
    assert trail_of(repo.path, first, last) == [
        [("M", path, path)],
        [("R", path, "plain.py")],
        sorted([("R", "plain.py", path), ("M", "other.py", "other.py")]),
    ]


def test_below_a_folder_only_its_files_are_seen(repo: Any) -> None:
    first = repo.commit({"sub/a.py": BODY, "top.py": "x\n", "sub/b.py": BODY[::-1]})
    repo.git("mv", "sub/a.py", "sub/c.py")
    repo.git("mv", "sub/b.py", "b.py")
    repo.commit({"top.py": "y\n"})
    repo.git("mv", "b.py", "sub/d.py")
    last = repo.commit()
    steps = trail_of(repo.path / "sub", first, last)
    assert steps[0] == [("D", "b.py", "b.py"), ("R", "a.py", "c.py")]
    assert [(kind, target) for kind, _, target in steps[1]] == [("A", "d.py")]


def test_submodules_and_types_are_no_texts(repo: Any) -> None:
    first = repo.commit({"a.py": BODY})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{first},module")
    repo.clock += 60
    repo.git("commit", "-q", "-m", "a submodule")
    (repo.path / "a.py").unlink()
    (repo.path / "a.py").symlink_to("b.py")
    repo.git("add", "a.py")
    repo.clock += 60
    repo.git("commit", "-q", "-m", "a link")
    steps = trail_of(repo.path, first, repo.git("rev-parse", "HEAD"))
    assert steps == [[], [("M", "a.py", "a.py")]]


def test_without_contents_renames_are_still_known(repo: Any) -> None:
    """In a partial clone blobs are missing: the trail is read all the same."""
    first = repo.commit({"a.py": BODY, "b.py": BODY[::-1]})
    repo.git("mv", "a.py", "c.py")
    last = repo.commit({"b.py": "all\nnew\n"})
    blob = repo.git("rev-parse", f"{first}:a.py")
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert trail_of(repo.path, first, last) == [[("M", "b.py", "b.py"), ("R", "a.py", "c.py")]]


def test_a_copy_is_a_new_file(repo: Any) -> None:
    first = repo.commit({"a.py": BODY})
    last = repo.commit({"b.py": BODY})
    assert trail_of(repo.path, first, last) == [[("A", "b.py", "b.py")]]


def test_renames_with_edits_between_two_commits(repo: Any) -> None:
    first = repo.commit({"a.py": BODY, "b.py": "x\n"})
    repo.git("mv", "a.py", "c.py")
    last = repo.commit({"c.py": BODY + "more\n"})
    with opened(repo.path) as git:
        assert read_renames(git, first, last) == {"a.py": "c.py"}
