"""Witnesses, old texts and past names, against small histories made with the real git."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import Missing
from pincite.history.authorship import UNKNOWN, WORKTREE, History
from pincite.history.old_names import PastNames
from pincite.history.patches import Patches, citing, pieces, unquote
from pincite.safe.child import ChildFailed
from pincite.safe.files import ending_pattern
from pincite.safe.git import Git
from pincite.store.history import HistoryState

OPENED: list[Git] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """End every process a test left running."""
    yield
    while OPENED:
        OPENED.pop().close()


def history(path: Path, state: HistoryState | None = None, **options: Any) -> History:
    git = Git.find(str(path))
    assert git is not None
    OPENED.append(git)
    return History(git, options.pop("patterns", ("*.md",)), state, **options)


def forbid_pass(asked: History) -> None:
    """Make reading the log an error, so that an answer must come from somewhere else."""

    real = asked.git.stream

    def stream(*arguments: str, **options: Any) -> Iterator[bytes]:
        assert arguments[0] != "log"
        return real(*arguments, **options)

    asked.git.stream = stream  # type: ignore[method-assign]


# Witnesses


def test_each_line_has_the_commit_that_wrote_it(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1\n", "x.py": "x\n"})
    two = repository.commit({"a.md": "see x.py:1\nsee x.py:2\n"})
    repository.commit({"x.py": "y\n"})
    assert history(repository.path).witnesses("a.md", ["see x.py:1", "see x.py:2"]) == [one, two]


def test_a_line_that_went_and_came_back(repository: Any) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    repository.commit({"a.md": "nothing\n"})
    again = repository.commit({"a.md": "see x.py:1\n"})
    assert history(repository.path).witnesses("a.md", ["see x.py:1"]) == [again]


def test_no_commits_yet(repository: Any) -> None:
    repository.write("a.md", "see x.py:1\n")
    asked = history(repository.path)
    assert asked.witnesses("a.md", ["see x.py:1"]) == [WORKTREE]
    assert not asked.has_existed("a.md")
    assert asked.find_rename("a.md") is None
    assert asked.state() is None


def test_lines_of_the_work_tree(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1\nsee x.py:2\n", "b.md": "see x.py:3\n"})
    two = repository.commit({"a.md": "see x.py:2\n"})
    assert one != two
    # The first line stands in history and not in HEAD: it was written again, against the work tree.
    repository.write("a.md", "see x.py:1\nsee x.py:2\nsee x.py:9\n")
    repository.write("new.md", "see x.py:1\n")
    repository.write("staged.md", "see x.py:1\n")
    repository.git("add", "staged.md")
    asked = history(repository.path)
    assert asked.witnesses("a.md", ["see x.py:1", "see x.py:2", "see x.py:9"]) == [WORKTREE, one, WORKTREE]
    assert asked.witnesses("new.md", ["see x.py:1"]) == [WORKTREE]
    assert asked.witnesses("staged.md", ["see x.py:1"]) == [WORKTREE]
    assert asked.witnesses("b.md", ["see x.py:3"]) == [one]


def test_a_change_git_was_told_not_to_see(repository: Any) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    repository.git("update-index", "--assume-unchanged", "a.md")
    repository.write("a.md", "see x.py:2\n")
    assert history(repository.path).witnesses("a.md", ["see x.py:2"]) == [WORKTREE]


def test_documents_git_does_not_know(repository: Any) -> None:
    repository.commit({".gitignore": "*.log.md\n", "b.md": "x\n"})
    repository.write("a.log.md", "see x.py:1\n")
    asked = history(repository.path)
    assert asked.witnesses("a.log.md", ["see x.py:1"]) == [UNKNOWN]
    assert asked.witnesses("none.md", ["see x.py:1"]) == [UNKNOWN]


def test_renamed_documents(repository: Any) -> None:
    body = "".join(f"filler {number}\n" for number in range(30))
    one = repository.commit({"old.md": body + "see x.py:1\n"})
    repository.git("mv", "old.md", "middle.md")
    two = repository.commit({"middle.md": body + "see x.py:1\nsee x.py:2\n"})
    repository.git("mv", "middle.md", "sub dir.md")
    repository.commit()
    three = repository.commit({"old.md": "see x.py:3\n"})
    asked = history(repository.path)
    assert asked.witnesses("sub dir.md", ["see x.py:1", "see x.py:2"]) == [one, two]
    assert asked.witnesses("old.md", ["see x.py:3"]) == [three]


def test_documents_that_swapped_names(repository: Any) -> None:
    first, second = "one\n" * 30, "two\n" * 30
    one = repository.commit({"a.md": first + "see x.py:1\n"})
    two = repository.commit({"b.md": second + "see x.py:1\n"})
    repository.git("mv", "a.md", "t.md")
    repository.git("mv", "b.md", "a.md")
    repository.git("mv", "t.md", "b.md")
    repository.commit()
    asked = history(repository.path)
    swapped = asked.witnesses("a.md", ["see x.py:1"]) + asked.witnesses("b.md", ["see x.py:1"])
    blamed = [repository.git("blame", "--porcelain", "-L31,31", "--", name)[:40] for name in ("a.md", "b.md")]
    assert swapped == blamed
    assert set(swapped) == {one, two}


def test_a_line_written_by_a_merge_is_blamed(repository: Any) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    repository.git("checkout", "-q", "-b", "side")
    repository.commit({"a.md": "see x.py:2\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"a.md": "see x.py:3\n"})
    repository.git("merge", "side", check=False)
    merge = repository.commit({"a.md": "see x.py:4\n"})
    assert repository.git("rev-list", "--parents", "-1", merge).count(" ") == 2
    assert history(repository.path).witnesses("a.md", ["see x.py:4"]) == [merge]


def test_lines_of_a_merged_branch(repository: Any) -> None:
    repository.commit({"a.md": "top\n\n\n\nbottom\n"})
    repository.git("checkout", "-q", "-b", "side")
    side = repository.commit({"a.md": "top\n\n\n\nbottom\nsee x.py:2\n"})
    repository.git("checkout", "-q", "main")
    main = repository.commit({"a.md": "see x.py:1\ntop\n\n\n\nbottom\n"})
    repository.git("merge", "-q", "-m", "merge", "side")
    assert history(repository.path).witnesses("a.md", ["see x.py:1", "see x.py:2"]) == [main, side]


def test_documents_outside_the_patterns(repository: Any) -> None:
    one = repository.commit({"a.md": "x\n", "notes/[a]*.txt": "see x.py:1\n"})
    asked = history(repository.path)
    assert asked.witnesses("notes/[a]*.txt", ["see x.py:1"]) == [one]
    repository.write("notes/[a]*.txt", "see x.py:2\n")
    assert history(repository.path).witnesses("notes/[a]*.txt", ["see x.py:2"]) == [WORKTREE]


def test_all_lines_of_a_document_can_be_blamed(repository: Any) -> None:
    """Asked a second time, all lines are blamed; what follows the last line end is none, and git refuses it."""
    one = repository.commit({"a.md": "see x.py:1\nsee x.py:2\n", "x.py": "x\n"})
    asked = history(repository.path, few=True)
    assert asked.witnesses("a.md", ["see x.py:1"]) == [one]
    assert asked.witnesses("a.md", ["see x.py:2"]) == [one]
    assert asked.trouble == ""


def test_few_documents_are_blamed(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1\n"})
    asked = history(repository.path, few=True)
    forbid_pass(asked)
    assert asked.witnesses("a.md", ["see x.py:1"]) == [one]
    assert asked.state() is None


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_marks(repository: Any, end: str, mark: bytes) -> None:
    one = repository.commit({"a.md": mark + f"see x.py:1{end}see x.py:2{end}".encode()})
    lines = ["see x.py:1", "see x.py:2"]
    assert history(repository.path).witnesses("a.md", lines) == [one, one]
    assert history(repository.path, few=True).witnesses("a.md", lines) == [one, one]


def test_a_work_tree_with_other_line_ends(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1\n"})
    repository.write("a.md", "see x.py:1\r\nsee x.py:2\r\n")
    assert history(repository.path).witnesses("a.md", ["see x.py:1", "see x.py:2"]) == [one, WORKTREE]


@pytest.mark.parametrize("name", ["ü.md", 'q"u.md', "tab\there.md", "back\\slash.md", "line\nend.md", "-x.md", ":x.md"])
def test_documents_with_odd_names(repository: Any, name: str) -> None:
    one = repository.commit({name: "see x.py:1\n", "sub/" + name: "see x.py:2\n"})
    assert history(repository.path).witnesses(name, ["see x.py:1"]) == [one]
    assert history(repository.path / "sub").witnesses(name, ["see x.py:2"]) == [one]


def test_lines_that_look_like_headers(repository: Any) -> None:
    one = repository.commit({"a.md": "x\n", "b.md": "x\n"})
    text = "++ b/b.md\nsee x.py:7\n-- a/b.md\n@@ -1 +1 @@\n\0" + "f" * 40 + "\ndiff --git a/b.md b/b.md\nsee x.py:8\n"
    two = repository.commit({"a.md": text.replace("\0", "")})
    three = repository.commit({"a.md": text.replace("\0", "").replace("++ b", "++ c")})
    asked = history(repository.path)
    assert asked.witnesses("a.md", ["see x.py:7", "see x.py:8", "@@ -1 +1 @@"]) == [two, two, two]
    assert asked.witnesses("b.md", ["x"]) == [one]
    assert len({one, two, three}) == 3


def test_no_line_end_at_the_end(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1"})
    two = repository.commit({"a.md": "see x.py:1\nsee x.py:2"})
    # Git calls the first line changed, because it got a line end.
    assert history(repository.path).witnesses("a.md", ["see x.py:1", "see x.py:2"]) == [two, two]
    assert one != two


def test_a_shallow_clone_does_not_know(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    first = make_repository("first")
    first.commit({"a.md": "see x.py:1\n"})
    first.commit({"b.md": "see x.py:2\n"})
    tip = first.commit({"a.md": "see x.py:1\nsee x.py:3\n"})
    first.git("clone", "-q", "--depth=2", f"file://{first.path}", str(tmp_path / "second"))
    for few in (False, True):
        asked = history(tmp_path / "second", few=few)
        assert asked.witnesses("a.md", ["see x.py:1", "see x.py:3"]) == [UNKNOWN, tip]
        assert asked.witnesses("b.md", ["see x.py:2"]) == [UNKNOWN]


def test_a_damaged_history_does_not_know(repository: Any) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    lost = repository.git("rev-parse", "HEAD:a.md")
    repository.commit({"a.md": "see x.py:2\n"})
    tip = repository.commit({"a.md": "see x.py:2\nsee x.py:3\n"})
    (repository.path / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    asked = history(repository.path)
    assert asked.witnesses("a.md", ["see x.py:2", "see x.py:3"]) == [UNKNOWN, tip]
    assert f"object {lost[:7]}" in asked.explain_unknown("a.md")
    assert not asked.trouble
    assert asked.state() is None


def test_below_a_prefix(repository: Any) -> None:
    one = repository.commit({"sub/a.md": "see x.py:1\n", "a.md": "x\n"})
    repository.commit({"a.md": "see x.py:1\n"})
    asked = history(repository.path / "sub")
    assert asked.witnesses("a.md", ["see x.py:1"]) == [one]
    assert asked.has_existed("a.md")
    assert not asked.has_existed("sub/a.md")


def test_sha256(make_repository: Callable[..., Any]) -> None:
    made = make_repository("new", "--object-format=sha256")
    one = made.commit({"a.md": "see x.py:1\n"})
    asked = history(made.path)
    assert asked.witnesses("a.md", ["see x.py:1"]) == [one]
    assert asked.blob_ids([(one, "a.md")]) == [asked.blob_id(b"see x.py:1\n")]


@pytest.mark.parametrize("seed", range(3))
def test_the_same_as_blame(make_repository: Callable[..., Any], seed: int) -> None:
    chance = random.Random(seed)
    made = make_repository()
    texts = {f"{name}.md": [f"{name} filler {row}" for row in range(12)] for name in "abc"}
    number = 0
    for step in range(14):
        branch = step % 5 == 3
        if branch:
            made.git("checkout", "-q", "-b", f"side{step}")
        for _ in range(2):
            name = chance.choice(sorted(texts))
            number += 1
            texts[name].insert(chance.randrange(len(texts[name])), f"see x.py:{number}")
            if chance.random() < 0.5:
                del texts[name][chance.randrange(len(texts[name]))]
            if chance.random() < 0.2:
                new = f"moved{number}.md"
                made.git("mv", name, new, check=False)
                texts[new] = texts.pop(name)
            made.commit({path: "\n".join(rows) + "\n" for path, rows in texts.items()})
        if branch:
            made.git("checkout", "-q", "main")
            made.commit({f"other{step}.md": "x\n"})
            made.git("merge", "-q", "--no-ff", "-m", "merge", f"side{step}")
    asked = history(made.path)
    compared = 0
    for name, rows in texts.items():
        lines = [row for row in rows if row.startswith("see")]
        blamed = asked.git.blame("HEAD", name, range(1, len(rows) + 1))
        expected = [blamed[row] for row, line in enumerate(rows, 1) if line.startswith("see")]
        assert asked.witnesses(name, lines) == expected
        compared += len(lines)
    assert compared > 10


# What was kept


def rows_of(asked: History, names: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: asked.witnesses(name, lines) for name, lines in names.items()}


def test_a_kept_state_answers_without_reading(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1\n", "x.py": "x\n"})
    (repository.path / "x.py").unlink()
    repository.commit()
    first = history(repository.path)
    assert first.witnesses("a.md", ["see x.py:1"]) == [one]
    assert first.has_existed("x.py")
    again = history(repository.path, first.state())
    forbid_pass(again)
    assert again.witnesses("a.md", ["see x.py:1"]) == [one]
    assert again.has_existed("x.py")
    assert not again.has_existed("y.py")
    assert again.state() is None


def test_a_kept_state_is_extended(repository: Any) -> None:
    body = "".join(f"filler {number}\n" for number in range(30))
    repository.commit({"a.md": body + "see x.py:1\nsee x.py:2\n", "b.md": "see x.py:3\n", "x.py": "x\n" * 20})
    first = history(repository.path)
    first.prepare()
    assert not first.has_existed("none")
    state = first.state()
    repository.git("mv", "a.md", "new.md")
    repository.git("mv", "x.py", "y.py")
    repository.commit({"b.md": "other\n"})
    repository.commit({"new.md": body + "see x.py:1\nsee x.py:2\nsee x.py:5\n", "b.md": "see x.py:3\n"})
    repository.commit({"a.md": "see x.py:1\n"})
    names = {"new.md": ["see x.py:1", "see x.py:2", "see x.py:5"], "b.md": ["see x.py:3"], "a.md": ["see x.py:1"]}
    fresh, extended = history(repository.path), history(repository.path, state)
    asked: list[str] = []
    real = extended.git.stream

    def stream(*arguments: str, **options: Any) -> Iterator[bytes]:
        asked.append(" ".join(arguments))
        return real(*arguments, **options)

    extended.git.stream = stream  # type: ignore[method-assign]
    assert rows_of(extended, names) == rows_of(fresh, names)
    assert extended.find_rename("x.py") == fresh.find_rename("x.py") == "y.py"
    assert state is not None
    assert all(f"{state.head}.." in command for command in asked if command.startswith("log "))
    kept = extended.state()
    assert kept is not None
    assert rows_of(history(repository.path, kept), names) == rows_of(fresh, names)


def test_rewritten_history_starts_again(repository: Any) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    old = repository.commit({"a.md": "see x.py:1\nsee x.py:2\n"})
    first = history(repository.path)
    first.prepare()
    repository.git("reset", "-q", "--soft", "HEAD~1")
    new = repository.commit()
    assert old != new
    assert history(repository.path, first.state()).witnesses("a.md", ["see x.py:2"]) == [new]


def test_other_documents_start_again(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1\n", "b.txt": "see x.py:2\n"})
    first = history(repository.path)
    first.prepare()
    again = history(repository.path, first.state(), patterns=("*.txt",))
    again.prepare()
    kept = again.state()
    assert kept is not None
    assert kept.patterns == ("*.txt",)
    assert again.witnesses("b.txt", ["see x.py:2"]) == [one]


def test_a_state_full_of_nonsense(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1\n"})
    first = history(repository.path)
    first.prepare()
    for broken in (b"\xc1", b"\x81\x01\xcd\xff\xff", b"\x81\x01\xff"):
        state = first.state()
        assert state is not None
        state.documents["a.md"] = broken
        state.past, state.past_head = b"\xc1", state.head
        again = history(repository.path, state)
        assert again.witnesses("a.md", ["see x.py:1"]) == [one]
        assert not again.has_existed("none")
    state = first.state()
    assert state is not None
    state.commits = ["--output=x"] * 9
    assert history(repository.path, state).witnesses("a.md", ["see x.py:1"]) == [one]


def test_few_documents_use_a_kept_state(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1\n"})
    first = history(repository.path)
    first.prepare()
    again = history(repository.path, first.state(), few=True)
    again.git.blame = None  # type: ignore[method-assign,assignment]
    assert again.witnesses("a.md", ["see x.py:1"]) == [one]


# What they saw


def test_texts_and_ids(repository: Any) -> None:
    one = repository.commit({"x.py": "one\n"})
    two = repository.commit({"x.py": "two\n"})
    asked = history(repository.path)
    pairs = [(one, "x.py"), (two, "x.py"), (one, "none.py"), (one, "x.py")]
    assert asked.text_at(pairs) == [b"one\n", b"two\n", None, b"one\n"]
    assert asked.blob_ids(pairs)[0] == asked.blob_id(b"one\n")
    assert asked.text_of(asked.blob_id(b"two\n")) == b"two\n"
    assert asked.text_of(asked.blob_id(b"never\n")) is None


# Past names


def test_paths_that_existed(repository: Any) -> None:
    repository.commit({"a.py": "x\n", "b.py": "y\n" * 9, "c.py": "z\n"})
    repository.git("mv", "b.py", "moved.py")
    (repository.path / "a.py").unlink()
    gone = repository.commit()
    asked = history(repository.path)
    known = {name: asked.has_existed(name) for name in ("a.py", "b.py", "c.py", "moved.py", "d.py", "")}
    assert known == {"a.py": True, "b.py": True, "c.py": True, "moved.py": True, "d.py": False, "": False}
    assert asked.vanished_in("a.py") == asked.vanished_in("b.py") == gone
    assert asked.vanished_in("c.py") is None


def test_renames_are_followed(repository: Any) -> None:
    body = "".join(f"line {number}\n" for number in range(20))
    repository.commit({"a.py": body})
    repository.git("mv", "a.py", "b.py")
    repository.commit()
    repository.git("mv", "b.py", "c d.py")
    repository.commit({"c d.py": body + "more\n"})
    asked = history(repository.path)
    assert asked.find_rename("a.py") == asked.find_rename("b.py") == "c d.py"
    assert asked.find_rename("c d.py") is None
    assert asked.find_rename("never.py") is None


def test_a_file_that_is_gone_for_good(repository: Any) -> None:
    body = "".join(f"line {number}\n" for number in range(20))
    repository.commit({"a.py": body})
    repository.git("mv", "a.py", "b.py")
    repository.commit()
    (repository.path / "b.py").unlink()
    repository.commit({"other.py": "x\n"})
    asked = history(repository.path)
    assert asked.find_rename("a.py") is None
    assert asked.find_rename("b.py") is None


def test_the_last_life_of_a_name_counts(repository: Any) -> None:
    body = "".join(f"line {number}\n" for number in range(20))
    repository.commit({"a.py": body})
    repository.git("mv", "a.py", "b.py")
    repository.commit()
    repository.commit({"a.py": "something else entirely\n"})
    (repository.path / "a.py").unlink()
    repository.commit()
    assert history(repository.path).find_rename("a.py") is None


def test_a_new_file_under_the_new_name_is_not_the_old_one(repository: Any) -> None:
    body = "".join(f"line {number}\n" for number in range(20))
    repository.commit({"a.py": body})
    repository.git("mv", "a.py", "b.py")
    repository.commit()
    (repository.path / "b.py").unlink()
    repository.commit()
    repository.commit({"b.py": "something else entirely\n"})
    assert history(repository.path).find_rename("a.py") is None


def test_identical_content_that_was_there_before_or_came_later_is_no_new_name(repository: Any) -> None:
    repository.commit({"a.py": "the very same content\n", "copy.py": "the very same content\n"})
    (repository.path / "a.py").unlink()
    repository.commit()
    assert history(repository.path).find_rename("a.py") is None
    (repository.path / "copy.py").unlink()
    repository.commit()
    repository.commit({"third.py": "the very same content\n"})
    assert history(repository.path).find_rename("a.py") is None


def test_empty_files_are_no_twins(repository: Any) -> None:
    repository.commit({"a/__init__.py": "", "b/__init__.py": ""})
    (repository.path / "a" / "__init__.py").unlink()
    repository.commit()
    assert history(repository.path).find_rename("a/__init__.py") is None


def test_renames_that_are_not_committed(repository: Any) -> None:
    body = "".join(f"line {number}\n" for number in range(20))
    repository.commit({"a.py": body, "b.py": body + "b\n", "c.py": body + "c\n"})
    repository.git("mv", "a.py", "staged.py")
    (repository.path / "b.py").rename(repository.path / "loose.py")

    def read(path: str) -> bytes:
        place = repository.path / path
        if not place.is_file():
            raise Missing(path)
        return bytes(place.read_bytes())

    asked = history(repository.path, read=read)
    assert asked.find_rename("a.py") == "staged.py"
    assert asked.find_rename("b.py") == "loose.py"
    assert asked.find_rename("c.py") is None
    assert history(repository.path).find_rename("b.py") is None


def test_a_committed_rename_renamed_again(repository: Any) -> None:
    body = "".join(f"line {number}\n" for number in range(20))
    repository.commit({"a.py": body})
    repository.git("mv", "a.py", "b.py")
    repository.commit()
    repository.git("mv", "b.py", "c.py")
    assert history(repository.path).find_rename("a.py") == "c.py"


def test_trails_end() -> None:
    circle = [("a", "b", "3"), ("b", "a", "2"), ("a", "b", "1")]
    assert PastNames(circle).trail("a") == ("b", "b", "3")
    assert PastNames(circle).trail("b")[0] == "b"
    assert PastNames([]).trail("a") == ("", "a", "")


# Fewer questions


def logged(asked: History) -> list[tuple[str, ...]]:
    """The calls of `git log -p` from now on."""
    calls: list[tuple[str, ...]] = []
    real = asked.git.stream

    def stream(*arguments: str, **options: Any) -> Iterator[bytes]:
        if arguments[:2] == ("log", "-p"):
            calls.append(arguments)
        return real(*arguments, **options)

    asked.git.stream = stream  # type: ignore[method-assign]
    return calls


ENDINGS = ("*.md", "*.rst", "*.txt", "*.org", "notes-*")


def test_only_patterns_that_fit_something_are_looked_for(repository: Any) -> None:
    body = "".join(f"filler {number}\n" for number in range(30))
    one = repository.commit({"a.rst": body + "see x.py:1\n", "gone.txt": "x\n", "x.py": "x\n"})
    repository.git("mv", "a.rst", "a.md")
    repository.git("rm", "-q", "gone.txt")
    repository.commit()
    asked = history(repository.path, patterns=ENDINGS)
    calls = logged(asked)
    # A document that once had another ending is followed into that past.
    assert asked.witnesses("a.md", ["see x.py:1"]) == [one]
    ((*_, md, rst, txt, other),) = calls
    assert [pattern.rpartition(")")[2] for pattern in (md, rst, txt, other)] == ["*.md", "*.rst", "*.txt", "notes-*"]


def test_endings_in_any_case_are_looked_for_as_they_are_written(repository: Any) -> None:
    one = repository.commit({"a.Md": "see x.py:1\n", "gone.TXT": "x\n", "x.py": "x\n", "folder.rst/x": "x\n"})
    repository.git("rm", "-q", "gone.TXT")
    repository.commit()
    asked = history(repository.path, patterns=tuple(map(ending_pattern, (".md", ".rst", ".txt"))))
    calls = logged(asked)
    assert asked.witnesses("a.Md", ["see x.py:1"]) == [one]
    assert [pattern.rpartition(")")[2] for pattern in calls[0] if pattern.startswith(":(top)")] == ["*.Md", "*.TXT"]


def test_where_no_pattern_fits_not_everything_is_read(repository: Any) -> None:
    repository.commit({"x.py": "x\n"})
    asked = history(repository.path, patterns=("*.md", "*.rst"))
    calls = logged(asked)
    asked.prepare()
    assert [pattern.rpartition(")")[2] for pattern in calls[0][-2:]] == ["*.md", "*.rst"]


def test_patterns_stay_where_the_past_cannot_be_told(repository: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = repository.commit({"a.md": "see x.py:1\n"})

    def fail(*_: object, **__: object) -> list[tuple[str, str, str]]:
        raise ChildFailed("no past")

    monkeypatch.setattr("pincite.history.authorship.read_events", fail)
    asked = history(repository.path, patterns=ENDINGS)
    calls = logged(asked)
    assert asked.witnesses("a.md", ["see x.py:1"]) == [one]
    assert len([pattern for pattern in calls[0] if pattern.startswith(":(top)")]) == len(ENDINGS)
    before = asked.trouble
    assert not asked.has_existed("b.md")
    assert (before, asked.trouble) == ("", "no past")


def test_a_document_as_in_head_is_not_looked_for_among_changes(repository: Any) -> None:
    one = repository.commit({"a.md": "see x.py:1\n", "b.md": "see x.py:2\n"})
    repository.write("b.md", "see x.py:2\nsee x.py:3\n")
    asked = history(repository.path)
    changes: list[str] = []
    real = asked._differs

    def look(document: str) -> bool:
        changes.append(document)
        return real(document)

    asked._differs = look  # type: ignore[method-assign]
    assert asked.witnesses("a.md", ["see x.py:1"], asked.blob_id(b"see x.py:1\n")) == [one]
    assert changes == []
    now = asked.blob_id(b"see x.py:2\nsee x.py:3\n")
    assert asked.witnesses("b.md", ["see x.py:2", "see x.py:3"], now) == [one, WORKTREE]
    assert asked.witnesses("none.md", ["see x.py:3"], now) == [UNKNOWN]
    assert changes == ["b.md", "none.md"]


def test_texts_that_were_foreseen_are_not_asked_for_again(repository: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = repository.commit({"a.py": "one\n", "b.py": "two\n", "big.py": "x" * 400})
    asked = history(repository.path)
    ids = [blob for blob in asked.blob_ids([(one, "a.py"), (one, "b.py"), (one, "big.py")]) if blob is not None]
    monkeypatch.setattr("pincite.history.contents._MOST_AHEAD", 100)
    asked.foresee([*ids, ids[0], "0" * 40])
    # What is too much to be held is read when it is asked for; what is not there never was.
    assert asked.text_of(ids[2]) == b"x" * 400
    assert asked.text_of("0" * 40) is None
    asked.git.close()
    monkeypatch.setattr(asked.git, "objects", lambda: pytest.fail("asked again"))
    assert [asked.text_of(blob) for blob in ids[:2]] == [b"one\n", b"two\n"]


# The parser alone


def test_lines_named_in_words_are_found_by_the_pass(repository: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said = ["a.py, line 42", "Lines 3-9 of `a.py`", "a.py (L12)", "see a.py:1", "【F:a.py†L1】"]
    one = repository.commit({"a.md": "\n".join((*said, ""))})
    asked = history(repository.path)
    monkeypatch.setattr(asked.git, "blame", lambda *_: pytest.fail("blamed"))
    assert asked.witnesses("a.md", said) == [one] * len(said)


@given(st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")), max_size=30))
def test_citing_lines_are_those_with_a_mark(lines: list[bytes]) -> None:
    import re

    marked = re.compile(rb"\xe3\x80\x90|#L|L[0-9]|ines? [0-9]|: ?[0-9]")
    assert citing(lines) == {line for line in lines if marked.search(line)}


@given(st.binary(max_size=400), st.integers(1, 40))
def test_the_parser_takes_anything_in_any_pieces(data: bytes, size: int) -> None:
    whole, parts = (Patches(lambda name: name.decode("latin-1"), {"a.md"}) for _ in range(2))
    whole.feed(data)
    whole.finish()
    for at in range(0, len(data), size):
        parts.feed(data[at : at + size])
    parts.finish()
    assert (whole.commits, whole.found, whole.names) == (parts.commits, parts.found, parts.names)


@given(st.text(max_size=30))
def test_a_line_without_line_ends_is_one_piece(text: str) -> None:
    line = text.replace("\r", "").replace("\ufeff", "").encode("utf-8", "replace")
    assert pieces(line) == pieces(line + b"\r") == [line]


def test_unquoting() -> None:
    assert unquote(rb'"a\tb\"c\\d\303\274\n"') == 'a\tb"c\\dü\n'.encode()
    assert unquote(b"plain name") == b"plain name"
    assert unquote(b'"') == b'"'


def test_a_line_without_end_is_refused() -> None:
    patches = Patches(lambda name: None, set())
    with pytest.raises(ValueError, match="too long"):
        for _ in range(40):
            patches.feed(b"x" * (1 << 20))
