"""Lines found again by their words and their neighbours alone, and the places that are refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

import pytest

from pincite.core.model import Lines, Place
from pincite.history import find_passage
from pincite.history.model import CitedPassage, FollowedText, TraceResult
from pincite.history.tree_files import TreeFiles
from pincite.history.without_history import find, stem

BODY = """\
import json

RETRIES = 3


def load(path):
    with open(path) as file:
        return json.load(file)


def save(path, values):
    text = render_all(values)
    path.write_bytes(text)
    return None


def merge(old, new):
    if not old:
        return None
    return {**old, **new}
""".splitlines()


def seen(first: int, last: int | None = None, path: str = "src/lib.py", body: Sequence[str] = BODY) -> CitedPassage:
    """What a reader of some lines (from 1) saw: them and three lines on each side."""
    last = last or first
    around = tuple(body[max(0, first - 4) : first - 1]), tuple(body[last : last + 3])
    return CitedPassage(Lines(first, last), tuple(body[first - 1 : last]), *around, path)


def told(passage: CitedPassage, files: dict[str, list[str]]) -> tuple[TraceResult, str]:
    """What is said of a passage in a tree: `path:first-last`, or nothing."""
    texts = {path: "".join(f"{line}\n" for line in lines) for path, lines in files.items()}
    answer = find(passage, TreeFiles(texts, lambda paths: [texts.get(path) for path in paths]))
    if answer.place is None or answer.lines is None:
        return answer.became, ""
    return answer.became, f"{answer.place.path}:{answer.lines.first}-{answer.lines.last}"


def home(passage: CitedPassage, now: list[str]) -> tuple[TraceResult, str]:
    became, place = told(passage, {"src/lib.py": now})
    return became, place.removeprefix("src/lib.py:")


def test_the_same_place() -> None:
    assert home(seen(8), BODY) == (TraceResult.SAME, "8-8")
    assert home(seen(6, 8), BODY) == (TraceResult.SAME, "6-8")


def test_moved_within_its_file() -> None:
    assert home(seen(8), ["# top", *BODY]) == (TraceResult.MOVED, "9-9")
    assert home(seen(6, 8), [*BODY[:4], *BODY[10:], "", "", *BODY[5:8]]) == (TraceResult.MOVED, "17-19")


def test_edited_where_it_stood() -> None:
    now = [line.replace("json.load(file)", "json.load(file, strict=True)") for line in BODY]
    assert home(seen(8), now) == (TraceResult.CHANGED, "8-8")
    assert home(seen(8), ["# top", *now]) == (TraceResult.CHANGED, "9-9")


def test_an_edited_range_keeps_its_ends() -> None:
    now = [*BODY[:7], "        text = file.read()", "        return json.loads(text)", *BODY[8:]]
    assert home(seen(6, 8), now) == (TraceResult.CHANGED, "6-9")


@pytest.mark.parametrize(
    ("line", "edited"),
    [(3, "RETRIES = 5"), (18, "    if old:"), (8, "        return json.load(files)"), (3, "RETRIES = -3")],
)
def test_a_changed_number_name_or_negation_is_changed_never_moved(line: int, edited: str) -> None:
    now = [*BODY[: line - 1], edited, *BODY[line:]]
    for text in (now, ["# top", *now]):
        became, _ = home(seen(line), text)
        assert became not in (TraceResult.SAME, TraceResult.MOVED)


def test_equal_lines_are_told_apart_by_their_neighbours() -> None:
    assert home(seen(14), ["# top", *BODY]) == (TraceResult.MOVED, "15-15")
    assert home(seen(19), ["# top", *BODY]) == (TraceResult.MOVED, "20-20")


@pytest.mark.parametrize("words", ["    return None", "}", "else:", "    pass", ")", "x"])
def test_what_stands_everywhere_is_never_anchored_alone(words: str) -> None:
    """With other lines around it, it is another one."""
    passage = CitedPassage(Lines(4, 4), (words,), ("def first():", "    begin()"), ("", "def second():"), "src/lib.py")
    became, place = home(passage, ["class Else:", "    def third():", words, "    def fourth():", "        run()"])
    assert (became in (TraceResult.GONE, TraceResult.AMBIGUOUS), place) == (True, "")


def test_several_places_as_likely_are_listed() -> None:
    passage = CitedPassage(Lines(1, 1), ("connection = open_connection(address)",), path="a.py")
    now = ["one()", passage.text[0], "two()", passage.text[0], "three()"]
    answer = find_passage(passage, now)
    assert (answer.became, answer.place) == (TraceResult.AMBIGUOUS, None)
    assert {place.lines for place in answer.candidates} == {Lines(2, 2), Lines(4, 4)}
    assert answer.why


def test_gone() -> None:
    assert home(seen(8), [*BODY[:7], *BODY[8:]]) == (TraceResult.GONE, "")
    assert home(seen(6, 8), [*BODY[:5], *BODY[8:]]) == (TraceResult.GONE, "")
    assert home(seen(8), []) == (TraceResult.GONE, "")
    assert told(seen(8), {}) == (TraceResult.GONE, "")


@pytest.mark.parametrize("text", [(), ("",), ("  ", "\t")])
def test_blank_lines_can_be_anywhere(text: tuple[str, ...]) -> None:
    answer = find_passage(CitedPassage(Lines(2, 2), text, ("import json",), ("RETRIES = 3",)), BODY)
    assert (answer.became, answer.place) == (TraceResult.AMBIGUOUS, None)


@pytest.mark.parametrize("path", ["lib/lib.py", "src/lib.pyx", "src/core/Lib.py"])
def test_a_file_that_moved_is_known_by_its_name(path: str) -> None:
    assert told(seen(8), {path: ["# top", *BODY]}) == (TraceResult.MOVED, f"{path}:9-9")


def test_a_copy_in_another_file_needs_its_neighbours() -> None:
    gone = ["import yaml", "", "yaml.run(stream)"]
    with_neighbours = ["import json", "", "", *BODY[3:10], "run()"]
    alone = ["import yaml", "", "def other(stream):", "    with stream as file:", BODY[7], "    done()"]
    assert told(seen(8), {"src/lib.py": gone, "src/b.py": with_neighbours})[1] == "src/b.py:8-8"
    assert told(seen(8), {"src/lib.py": gone, "src/b.py": alone})[1] == ""


def test_a_copy_in_another_file_may_be_older_while_the_neighbours_stay_at_home() -> None:
    """Of such copies fewer than half are what the lines became: most stood there all along."""
    home = [*BODY[:5], *BODY[9:]]
    assert told(seen(8), {"src/lib.py": home, "src/b.py": ["import json", "", "", *BODY[3:10], "run()"]})[1] == ""


def test_two_copies_elsewhere_are_not_chosen_from() -> None:
    gone = [*BODY[:5], *BODY[9:]]
    assert told(seen(8), {"src/lib.py": gone, "src/b.py": BODY[3:10], "src/c.py": BODY[3:10]})[1] == ""


def test_a_part_of_a_line() -> None:
    passage = CitedPassage(Lines(1, 1), ("limit = read_limit(path, default)",), path="a", columns=(25, 32))
    for line, became, columns in (
        ("limit = read_limit(path, default)", TraceResult.SAME, (25, 32)),
        ("the_limit = read_limit(path, default)", TraceResult.CHANGED, (29, 36)),
        ("limit = read_limit(path)", TraceResult.GONE, None),
    ):
        answer = find_passage(passage, [line])
        assert (answer.became, answer.columns) == (became, columns), line


@pytest.mark.parametrize(
    ("path", "name"), [("a/thread-list.js", "threadlist"), ("Thread_List.test.ts", "threadlist"), ("x/.env", "")]
)
def test_names_of_files_are_compared_by_their_letters(path: str, name: str) -> None:
    assert stem(path) == name


def test_an_answer_gives_its_lines() -> None:
    assert FollowedText(TraceResult.MOVED, Place("", Lines(2, 3))).lines == Lines(2, 3)
    assert FollowedText(TraceResult.GONE).lines is None


INCLUDES = [f'#include "{name}.h"' for name in ("tool_cfg", "tool_cb_dbg", "tool_cb_hdr", "tool_cb_prg", "tool_cb_rea")]


def test_a_line_that_stood_next_to_it_is_never_taken_for_it() -> None:
    now = [line for line in INCLUDES if "dbg" not in line]
    assert home(seen(2, body=INCLUDES), now) == (TraceResult.GONE, "")


def test_the_best_of_many_alike_is_not_chosen_by_its_distance() -> None:
    body = [f"step_{number} = prepare({number})" for number in range(1, 41)]
    now = [line for line in body if "(7)" not in line]
    assert home(seen(7, body=body), now)[1] == ""


def test_lines_between_the_same_brackets_that_say_something_else_are_another_text() -> None:
    body = ["call(", "    first_argument=read_settings(path)", ")"]
    now = ["call(", "    verbose=False", ")"]
    assert home(seen(2, body=body), now) == (TraceResult.GONE, "")


def test_a_range_never_grows_to_many_times_itself() -> None:
    body = ["def load(path):", "    open_settings(path)", "    return path", "", "done(load)"]
    now = [*body[:1], *(f"    prepare_{number}(path)" for number in range(30)), *body[2:]]
    _, place = home(seen(1, 3, body=body), now)
    first, _, last = place.partition("-")
    assert not place or int(last) - int(first) < 15


def test_words_whose_line_was_rewritten_are_gone() -> None:
    passage = CitedPassage(
        Lines(2, 2), ("class BadStore:  # lint: disable=few-methods",), ("NAME = 1", ""), ("    pass",), "a", (17, 44)
    )
    answer = find_passage(passage, ["NAME = 1", "", "class BadStore:", "    pass"])
    assert (answer.became, answer.place) == (TraceResult.GONE, None)


HOSTILE: dict[str, tuple[Callable[[int], list[str]], int]] = {
    "equal": (lambda size: ["same line here"] * size, 3),
    "equal range": (lambda size: ["same line here"] * size, 500),
    "alternating": (lambda size: ["one line here", "two lines here"] * (size // 2), 4),
    "alike": (lambda size: [f"value_{at} = compute({at})" for at in range(size)], 2),
    "long": (lambda size: ["head()", "xy" * size * 20 + "end", "tail()"], 1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_little_faster_than_the_text(name: str) -> None:
    make, cited = HOSTILE[name]

    def taken(size: int) -> float:
        body = make(size)
        first = min(len(body) // 2, len(body) - cited) + 1
        passage = seen(first, first + cited - 1, body=body)
        now = ["new()", *(line + "!" if name == "long" else line for line in body[1:]), "new()"]
        begun = process_time()
        answer = find_passage(passage, now)
        assert answer.lines is None or answer.lines.last <= len(now)
        return process_time() - begun

    for _ in range(3):
        small, large = min(taken(1500), taken(1500)), min(taken(6000), taken(6000))
        if large < 0.05 or large < 11 * small:
            break
    assert large < 0.05 or large < 11 * small, (small, large)
