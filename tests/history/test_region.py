"""Regions followed through a history: far leaps, small steps, and journeys that end where nothing more can be told."""

from __future__ import annotations

from hashlib import sha1

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.history.test_hunks import hunks_between

from pincite.history.commit_log import FileChange
from pincite.history.hunks import Hunks
from pincite.history.region import FollowEnd, FollowStart, RegionFollower
from pincite.history.step import TextRegion

BODY = [
    "import json",
    "",
    "def load(path):",
    "    with open(path) as file:",
    "        return json.load(file)",
    "",
    "def save(path, values):",
    "    text = render_all(values)",
    "    path.write_bytes(text)",
    "",
    "def merge(old, new):",
    "    return {**old, **new}",
]
Tree = dict[str, list[str]]


def text_of(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def blob_of(lines: list[str]) -> str:
    return sha1(text_of(lines).encode("utf-8", "surrogatepass")).hexdigest()


class Past:
    """A history that is a list of trees; a file that only changed its name was renamed."""

    def __init__(self, *trees: Tree) -> None:
        self.trees = trees
        self.texts = {blob_of(lines): text_of(lines) for tree in trees for lines in tree.values()}
        self.asked: list[list[str]] = []
        self.steps = [self._between(at, *trees[at : at + 2]) for at in range(len(trees) - 1)]

    def __len__(self) -> int:
        return len(self.steps)

    @staticmethod
    def _between(turn: int, old: Tree, new: Tree) -> list[FileChange]:
        none = "0" * 40
        found = []
        born = {path: blob_of(new[path]) for path in new if path not in old}
        for path in old:
            was = blob_of(old[path])
            if path in new:
                if old[path] != new[path]:
                    found.append(FileChange(turn, "M", path, path, was, blob_of(new[path])))
                continue
            target = next((name for name, blob in born.items() if blob == was), None)
            if target is None:
                found.append(FileChange(turn, "D", path, path, was, none))
            else:
                found.append(FileChange(turn, "R", path, target, was, born.pop(target)))
        return found + [FileChange(turn, "A", path, path, none, blob) for path, blob in born.items()]

    def step(self, turn: int) -> list[FileChange]:
        return self.steps[turn]

    def list_changes(self, path: str, turn: int, end: int) -> list[FileChange]:
        found: list[FileChange] = []
        for step in self.steps[turn : min(end, len(self.steps))]:
            found += [change for change in step if change.source == path and change.kind != "A"]
            if found and found[-1].kind != "M":
                break
        return found

    def read(self, blobs: list[str]) -> list[str | None]:
        self.asked.append(blobs)
        return [self.texts.get(blob) for blob in blobs]

    def follow(self, path: str, *regions: TextRegion) -> list[FollowEnd]:
        blob = blob_of(self.trees[0][path])
        starts = [FollowStart(path, blob, region, 0, len(self)) for region in regions]
        return RegionFollower(self, self.read).follow(starts)  # type: ignore[arg-type]


def went(first: int, last: int, *trees: Tree, path: str = "a.py") -> str:
    """The final place of lines (from 1): `path:first-last`, with `*` if they were edited; else `gone`, `undecided`."""
    (stop,) = Past(*trees).follow(path, TextRegion(first - 1, last - 1))
    if stop.region is None:
        return "undecided" if stop.undecided else "gone"
    return f"{stop.path}:{stop.region.first + 1}-{stop.region.last + 1}{'*' if stop.edited else ''}"


def pushed(*lines: int) -> list[Tree]:
    """A file that gets some lines at its top, step by step."""
    return [{"a.py": [f"# {at}" for at in range(number)] + BODY} for number in lines]


class KnownHunks:
    """The hunks of a history, told by another program than git."""

    def __init__(self, past: Past) -> None:
        self.past = past

    def read(self, trail: Past, changes: list[FileChange]) -> None:
        """Nothing has to be asked beforehand."""

    def get(self, old: str, new: str) -> Hunks:
        return hunks_between(self.past.texts[old].splitlines(), self.past.texts[new].splitlines())


def test_lines_far_from_any_change_are_counted_not_read() -> None:
    past = Past(*pushed(*range(60)))
    start = FollowStart("a.py", blob_of(past.trees[0]["a.py"]), TextRegion(10, 10), 0, len(past))
    follower = RegionFollower(past, past.read, KnownHunks(past))  # type: ignore[arg-type]
    (stop,) = follower.follow([start])
    assert (stop.path, stop.region, stop.edited, stop.blob) == (
        "a.py",
        TextRegion(69, 69),
        False,
        blob_of(past.trees[-1]["a.py"]),
    )
    assert past.asked == [[start.blob]]


def test_a_range_that_changes_inside_is_counted_not_read() -> None:
    long = [f"value_{at} = compute({at})" for at in range(60)]
    edited = [*long[:30], "value_30 = other(30)", "and_more = 1", *long[31:]]
    past = Past({"a.py": long}, {"a.py": edited})
    start = FollowStart("a.py", blob_of(long), TextRegion(20, 40), 0, len(past))
    (stop,) = RegionFollower(past, past.read, KnownHunks(past)).follow([start])  # type: ignore[arg-type]
    assert (stop.region, stop.edited) == (TextRegion(20, 41), True)
    assert past.asked == [[start.blob]]


def test_where_line_ends_are_odd_nothing_is_counted() -> None:
    body = [f"value_{at} = compute({at})" for at in range(30)]
    past = Past({"a.py": ["a\rb", *body]}, {"a.py": ["a\rb", "c", *body]})
    start = FollowStart("a.py", blob_of(past.trees[0]["a.py"]), TextRegion(27, 27), 0, len(past))
    (stop,) = RegionFollower(past, past.read, KnownHunks(past)).follow([start])  # type: ignore[arg-type]
    assert stop.region == TextRegion(28, 28)
    assert len([blob for some in past.asked for blob in some]) > 1


def test_many_journeys_read_together() -> None:
    past = Past(*pushed(0, 1, 2, 3))
    stops = past.follow("a.py", *(TextRegion(at, at) for at in range(len(BODY))))
    assert [stop.region for stop in stops] == [TextRegion(at + 3, at + 3) for at in range(len(BODY))]
    assert len(past.asked) <= 6


def test_small_steps_keep_edits_recognisable() -> None:
    """In one leap the first and the last version have next to nothing in common."""
    versions = [
        "        return json.load(file)",
        "        return json.load(file, strict=True)",
        "        return decode(json.load(file, strict=True), path)",
        "        value = decode(json.load(file, strict=True), path)",
        "        value = decode(parse_all(file, strict=True), path)",
    ]
    trees: list[Tree] = [{"a.py": [*BODY[:4], line, *BODY[5:]]} for line in versions]
    assert went(5, 5, *trees) == "a.py:5-5*"
    assert went(3, 5, *trees) == "a.py:3-5*"


def test_a_rename_and_what_came_after() -> None:
    assert went(5, 5, {"a.py": BODY}, {"lib/b.py": BODY}, {"lib/b.py": ["# top", *BODY]}) == "lib/b.py:6-6"


def test_moved_to_another_file() -> None:
    """The very lines, and not alone, in a file that the same commit wrote."""
    rest = [*BODY[:6], *BODY[10:]]
    assert went(7, 9, {"a.py": BODY}, {"a.py": rest, "b.py": ["import os", "", *BODY[6:10], "x = 1"]}) == "b.py:3-5"
    assert went(8, 8, {"a.py": BODY}, {"a.py": rest, "b.py": ["import os", "", *BODY[6:10], "x = 1"]}) == "b.py:4-4"


def test_words_that_were_in_the_other_file_all_along_did_not_move_there() -> None:
    other = ["import os", "", *BODY[6:10], "x = 1"]
    trees: list[Tree] = [{"a.py": BODY, "b.py": other}, {"a.py": [*BODY[:6], *BODY[10:]], "b.py": [*other, "y = 2"]}]
    assert went(8, 8, *trees) == "gone"


def test_two_files_that_got_them_cannot_be_told_apart() -> None:
    rest, other = [*BODY[:6], *BODY[10:]], ["import os", "", *BODY[6:10], "x = 1"]
    assert went(8, 8, {"a.py": BODY}, {"a.py": rest, "b.py": other, "c.py": [*other, "y = 2"]}) == "undecided"


@pytest.mark.parametrize("line", ["}", "    return None", "else:"])
def test_short_lines_do_not_move_to_other_files_alone(line: str) -> None:
    then = ["def a():", "    begin()", line, "", "def b():", "    finish()"]
    other = ["import os", "def z():", "    other()", line, "    more()"]
    assert went(3, 3, {"a.py": then}, {"a.py": then[4:], "b.py": other}) in ("gone", "undecided")


SCRIPT = ["const items = []", "", "function addItem(item) {", "  items.push(item)", "  return items.length", "}"]
TYPED = [
    "const items: Item[] = []",
    "",
    "export function addItem(item: Item): number {",
    "  items.push(item)",
    "  return items.length",
    "}",
]


@pytest.mark.parametrize("target", ["src/list.ts", "lib/list.ts", "src/rows.ts"])
def test_a_file_that_was_rewritten_under_another_name(target: str) -> None:
    """Too many edits for git to call it a rename; the file most like it, or of its name, took its place."""
    found = went(4, 4, {"src/list.js": SCRIPT}, {target: TYPED}, path="src/list.js")
    assert found == f"{target}:4-4"
    assert went(3, 3, {"src/list.js": SCRIPT}, {target: TYPED}, path="src/list.js") == f"{target}:3-3*"


def test_another_file_born_when_it_died_is_not_it() -> None:
    other = ["class Colour:", "    red = 1", "    green = 2", "    blue = 3"]
    assert went(5, 5, {"a.py": BODY}, {"colours.py": other}) == "gone"


def test_deleted_is_gone_whatever_comes_later() -> None:
    """A file of the same name that comes back later is another one to history."""
    trees: list[Tree] = [{"a.py": BODY, "x": ["1"]}, {"x": ["1"]}, {"x": ["1"], "a.py": BODY}]
    assert went(5, 5, *trees) == "gone"
    assert went(5, 5, {"a.py": BODY}, {"a.py": [*BODY[:4], *BODY[5:]]}, {"a.py": ["# top", *BODY]}) in (
        "gone",
        "a.py:6-6",
    )


def test_an_end_before_the_last_step() -> None:
    past = Past(*pushed(0, 1, 2, 3))
    start = FollowStart("a.py", blob_of(BODY), TextRegion(4, 4), 0, 2)
    (stop,) = RegionFollower(past, past.read).follow([start])  # type: ignore[arg-type]
    assert stop.region == TextRegion(6, 6)


def test_what_is_no_text_ends_a_journey() -> None:
    """A version that cannot be read is not guessed over."""
    past = Past({"a.py": BODY}, {"a.py": ["binary"]}, {"a.py": [*BODY, "more"]})
    del past.texts[blob_of(["binary"])]
    (stop,) = past.follow("a.py", TextRegion(4, 4))
    assert stop.region is None or past.trees[-1]["a.py"][stop.region.first] == BODY[4]


LINE = st.sampled_from((*BODY, "}", "x = 1", "    return None"))


@given(st.lists(st.lists(LINE, max_size=14), min_size=1, max_size=5), st.integers(0, 11), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_unedited_means_that_it_reads_the_same(versions: list[list[str]], first: int, more: int) -> None:
    """Whatever happened on the way: the place exists, and a journey without edits ends at the very words."""
    last = min(first + more, len(BODY) - 1)
    past = Past({"a.py": BODY}, *({"a.py": lines} for lines in versions))
    (stop,) = past.follow("a.py", TextRegion(first, last))
    if stop.region is not None:
        now = past.trees[-1][stop.path]
        assert 0 <= stop.region.first <= stop.region.last < len(now)
        assert stop.edited or now[stop.region.first : stop.region.last + 1] == BODY[first : last + 1]
