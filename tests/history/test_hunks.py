"""Lines are carried by what git says a change replaced; whoever asks about a line near it is told to look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.history.commit_log import read_trail
from pincite.history.hunks import HunkReader, Hunks, _PatchReader
from pincite.safe.git import Git

LINES = [f"line {at} = {at}" for at in range(60)]


def hunks_of(*windows: tuple[int, int, int, int]) -> Hunks:
    """Hunks by first and end of the old lines and of the new ones, from 0."""
    found = Hunks()
    for low, high, start, end in windows:
        found.add(low + (high > low), high - low, start + (end > start), end - start)
    return found


def hunks_between(old: Sequence[str], new: Sequence[str]) -> Hunks:
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return hunks_of(*(code[1:] for code in codes if code[0] != "equal"))


@pytest.mark.parametrize(
    ("window", "first", "shift"),
    [
        ((10, 10, 10, 13), 13, None),
        ((10, 10, 10, 13), 14, 3),
        ((10, 10, 10, 13), 6, None),
        ((10, 10, 10, 13), 5, 0),
        ((10, 12, 10, 10), 16, -2),
        ((0, 0, 0, 1), 3, None),
        ((0, 0, 0, 1), 4, 1),
    ],
)
def test_lines_far_from_a_hunk_are_shifted(window: tuple[int, int, int, int], first: int, shift: int | None) -> None:
    assert hunks_of(window).shift(first, first, 4) == shift


def test_without_a_hunk_nothing_moves() -> None:
    assert Hunks().shift(0, 5, 4) == 0


lists = st.lists(st.sampled_from("abcdefghij"), max_size=30)


@given(lists, lists, st.integers(0, 29), st.integers(0, 4))
def test_what_is_shifted_reads_the_same(old: list[str], new: list[str], at: int, reach: int) -> None:
    hunks = hunks_between(old, new)
    assert hunks.fit(len(old), len(new))
    if at < len(old) and (shift := hunks.shift(at, at, reach)) is not None:
        low, high = max(0, at - reach), min(len(old), at + 1 + reach)
        assert old[low:high] == new[low + shift : high + shift]


@given(lists, lists, st.integers(0, 29), st.integers(1, 4))
def test_pieces_hold_all_that_changed(old: list[str], new: list[str], at: int, reach: int) -> None:
    hunks = hunks_between(old, new)
    at = min(at, max(0, len(old) - 1))
    pieces = list(hunks.pieces((at, at + 1), reach, len(old)))
    kept_old = [number for low, high, _, _ in pieces for number in range(low, high)]
    kept_new = [number for _, _, start, end in pieces for number in range(start, end)]
    assert kept_old == sorted(set(kept_old)) and kept_new == sorted(set(kept_new))
    left_old = [line for number, line in enumerate(old) if number not in set(kept_old)]
    left_new = [line for number, line in enumerate(new) if number not in set(kept_new)]
    assert left_old == left_new, "only what is the same in both is left out"
    assert not old or at in kept_old


def test_a_range_that_was_edited_well_inside_is_stretched() -> None:
    assert hunks_of((20, 21, 20, 24)).stretch(10, 30, 8) == (10, 33)
    assert hunks_of((1, 1, 1, 3), (20, 21, 22, 23)).stretch(10, 30, 8) == (12, 32)


@pytest.mark.parametrize(
    "window",
    [(10, 11, 10, 11), (12, 12, 12, 13), (29, 30, 29, 30), (33, 33, 33, 34), (5, 5, 5, 6), (13, 27, 13, 14)],
    ids=["its first line", "near its start", "near its end", "behind it", "before it", "most of it"],
)
def test_any_other_range_is_looked_at(window: tuple[int, int, int, int]) -> None:
    assert hunks_of(window).stretch(10, 30, 8) is None


def test_a_range_whose_brackets_are_others_is_looked_at() -> None:
    hunks = hunks_of((20, 21, 20, 21))
    hunks.opened[0] = 1
    assert hunks.stretch(10, 30, 8) is None


@pytest.mark.parametrize(("olds", "news"), [(19, 22), (60, 62), (60, 60)])
def test_hunks_of_another_text_do_not_fit(olds: int, news: int) -> None:
    assert hunks_of((20, 20, 20, 23)).fit(60, 63)
    assert not hunks_of((20, 20, 20, 23)).fit(olds, news)
    assert not Hunks().fit(3, 4)


def read(repo: Any, first: str, last: str) -> tuple[HunkReader, list[Any]]:
    git = Git.find(str(repo.path))
    assert git is not None
    trail = read_trail(git, first, last)
    changes = [change for turn in range(len(trail)) for change in trail.step(turn)]
    reader = HunkReader(git)
    reader.read(trail, changes)
    git.close()
    return reader, changes


def text(lines: Sequence[str], end: str = "\n") -> bytes:
    return "".join(f"{line}{end}" for line in lines).encode()


def test_git_tells_the_hunks_of_every_change(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    first = repo.commit({"a.py": text(LINES), "b (1).py": text(LINES), "c.py": b"x\n"})
    repo.commit({"a.py": text(["# top", *LINES]), "b (1).py": text([*LINES[:9], "other(", *LINES[10:]])})
    last = repo.commit({"a.py": text(["# top", *LINES[:-1]]), "c.py": b"y\n"})
    reader, changes = read(repo, first, last)
    found = {(change.step, change.source): reader.get(change.old, change.new) for change in changes}
    assert {key: list(hunks.windows()) for key, hunks in found.items() if hunks is not None} == {
        (0, "a.py"): [(0, 0, 0, 1)],
        (0, "b (1).py"): [(9, 10, 9, 10)],
        (1, "a.py"): [(60, 61, 60, 60)],
        (1, "c.py"): [(0, 1, 0, 1)],
    }
    inner = found[0, "b (1).py"]
    assert inner is not None and list(inner.opened) == [1]


def test_lines_that_look_like_a_patch_are_lines(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    evil = ["@@ -1,9 +1,9 @@", "diff --git a/x b/x", f"index {'0' * 40}..{'1' * 40}", "--- a/x", "+++ b/x"]
    first = repo.commit({"a.py": text(LINES)})
    last = repo.commit({"a.py": text([*LINES[:30], *evil, *LINES[30:]])})
    reader, (change,) = read(repo, first, last)
    hunks = reader.get(change.old, change.new)
    assert hunks is not None and list(hunks.windows()) == [(30, 30, 30, 35)]


@pytest.mark.parametrize(
    ("line", "odd"), [(b"plain\n", False), (b"dos\r\n", False), (b"a\rb\n", True), (b"a\0b\n", True)]
)
def test_line_ends_that_git_does_not_know_are_noticed(
    make_repository: Callable[..., Any], line: bytes, odd: bool
) -> None:
    repo = make_repository()
    first = repo.commit({"a.py": text(LINES), "b.py": text(LINES)})
    last = repo.commit({"a.py": text(LINES) + line, "b.py": text(LINES) + b"plain\n"})
    reader, changes = read(repo, first, last)
    odds = {change.source: reader.get(change.old, change.new) for change in changes}
    assert {path: hunks.odd for path, hunks in odds.items() if hunks is not None} == {"a.py": odd, "b.py": False}


@pytest.mark.parametrize("kind", ["merge", "attributes", "many files"])
def test_all_kinds_of_changes_are_told(make_repository: Callable[..., Any], kind: str) -> None:
    repo = make_repository()
    names = [f"f{at}.py" for at in range(60 if kind == "many files" else 1)]
    # A repository may say that its text is none.
    extra = {".gitattributes": b"*.py -diff\n"} if kind == "attributes" else {}
    first = repo.commit({**{name: text(LINES) for name in names}, **extra})
    if kind == "merge":
        repo.git("checkout", "-q", "-b", "side")
    for name in names:
        repo.commit({name: text(["# top", *LINES])})
    if kind == "merge":
        repo.git("checkout", "-q", "-")
        repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    reader, changes = read(repo, first, repo.git("rev-parse", "HEAD"))
    assert len(changes) == len(names)
    for change in changes:
        hunks = reader.get(change.old, change.new)
        assert hunks is not None and list(hunks.windows()) == [(0, 0, 0, 1)]


def test_an_object_that_is_gone_costs_its_own_changes(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    first = repo.commit({"a.py": text(LINES), "b.py": text(LINES)})
    repo.commit({"a.py": text(["# top", *LINES])})
    lost = repo.git("rev-parse", "HEAD:a.py")
    last = repo.commit({"a.py": text(["# new", *LINES]), "b.py": text(["# other", *LINES])})
    (repo.path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    reader, changes = read(repo, first, last)
    found = {(change.step, change.source): reader.get(change.old, change.new) is not None for change in changes}
    assert found == {(0, "a.py"): False, (1, "a.py"): False, (1, "b.py"): True}


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30))
def test_a_patch_may_come_in_any_pieces(sizes: list[int]) -> None:
    pair = "a" * 40, "b" * 40
    patch = (
        f"diff --git a/x b/x\nindex {pair[0]}..{pair[1]} 100644\n--- a/x\n+++ b/x\n"
        "@@ -3,2 +3 @@ def f(a):\n-a(\r\n-b\r\n+c\r\n@@ -9,0 +9,2 @@\n+d{\r\n+e\r\n"
    ).encode()
    known: dict[tuple[str, str], Hunks] = {}
    reading = _PatchReader(known, {pair})
    at = 0
    while at < len(patch):
        size = sizes[at % len(sizes)]
        reading.feed(patch[at : at + size])
        at += size
    reading.finish()
    hunks = known[pair]
    assert (list(hunks.windows()), list(hunks.opened), hunks.odd) == ([(2, 4, 2, 3), (9, 9, 8, 10)], [-1, 1], False)
