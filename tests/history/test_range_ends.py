"""Where a range begins and ends after some of its lines were replaced, and what is left of one that was torn apart."""

from __future__ import annotations

from pincite.history.range_ends import count_most_lines, find_closing_line, find_remains
from pincite.history.step import UNDECIDED, FileStep, FileVersion, TextRegion

BODY = [
    "def fill(path, size):",
    "    digits = '0123456789'",
    "    line = (101 * digits) + digits[0:3]",
    "    with open(path, 'w') as file:",
    "        for at in range(int(size / 1024)):",
    "            file.write(line)",
    "",
    "fill(here, 10)",
]


def carry(now: list[str], first: int, last: int, then: list[str] | None = None) -> tuple[int, int] | str:
    step = FileStep(FileVersion.of(then or BODY), FileVersion.of(now))
    region = step.carry(TextRegion(first, last))
    return "gone" if region is None else "undecided" if region is UNDECIDED else (region.first, region.last)


def test_a_line_that_was_rewritten_at_an_end_of_a_range_stays_in_it() -> None:
    now = [*BODY[:5], "            file.writelines([line, tail, end])", *BODY[6:]]
    assert carry(now, 3, 5) == (3, 5)
    now = [*BODY[:2], "    line = round(width / 10) * digits", *BODY[3:]]
    assert carry(now, 2, 4) == (2, 4)


def test_blank_lines_outside_of_a_rewritten_line_do_not_part_it_from_its_range() -> None:
    then = ["", *BODY]
    now = ["", *BODY[:5], "            file.writelines([line, tail, end])", *BODY[6:]]
    assert carry(now, 4, 7, then) == (4, 7)
    then = [*BODY[:2], "", *BODY[2:]]
    now = [*BODY[:2], "", "    line = round(width / 10) * digits", *BODY[3:]]
    assert carry(now, 2, 5, then) == (2, 5)


def test_a_line_that_says_something_else_is_not_kept_by_the_bracket_after_it() -> None:
    then = ["if ready {", "    facets = metadata.get(facets)", "}", "go()"]
    assert carry(["if ready {", "    pass", "}", "go()"], 1, 2, then) == "gone"


def test_a_blank_line_is_no_end_of_a_range() -> None:
    then = ["a = read(first)", "", "b = read(second)", "c = read(third)", "d = read(fourth)", "end()"]
    assert carry(["top()", "", "b = read(second)", "c = read(third)", "d = read(fourth)", "end()"], 0, 4, then) == (
        2,
        4,
    )


def test_an_address_weighs_no_more_than_a_statement() -> None:
    then = [
        ".. [2] Attias. A Variational Framework for",
        "   Graphical Models. In Advances in Neural",
        "   <https://citeseerx.ist.psu.edu/doc_view/pid/ee844fd96db7041a9681b5a18bff008912052c7e/viewed>",
        "",
    ]
    new = "   <https://proceedings.neurips.cc/paper_files/paper/1999/file/74563ba21a90da13dacf2a73e3ddefa7.pdf>"
    assert carry([*then[:2], new, ""], 0, 2, then) == (0, 2)


def test_a_range_never_grows_to_more_than_five_times_itself() -> None:
    assert [count_most_lines(size) for size in (1, 2, 130)] == [5, 9, 649]
    inserted = [f"    step_{at} = prepare({at})" for at in range(40)]
    assert carry([*BODY[:4], *inserted, *BODY[4:]], 3, 5) == "undecided"
    assert carry([*BODY[:4], *inserted[:9], *BODY[4:]], 3, 5) == (3, 14)


def test_only_brackets_of_a_kind_that_was_closed_inside_are_closed() -> None:
    now = ["sizes = {", "    1: 'one',", "}", "if (ready) {", "    go()", "}"]
    assert find_closing_line(["sizes = {1: 'one'}"], now, 0, 0) == 2
    assert find_closing_line(["if (ready)"], now, 3, 3) == 3
    assert find_closing_line(["}", "", "if ready {"], ["", "if ready {", "    go()", "}"], 0, 1) == 1


def test_brackets_are_closed_as_far_as_a_range_may_grow() -> None:
    now = ["f(", *(f"    {at}," for at in range(30)), ")"]
    assert find_closing_line(["f(1)"], now, 0, 0) == 0


def test_what_is_left_is_named_by_stretches_of_lines() -> None:
    then = [f"value_{at} = read(source_{at})" for at in range(12)]
    now = ["first = 1", *then[:4], *(f"other_{at} = {at}" for at in range(50)), *then[9:]]
    assert find_remains(then, now) == [(1, 4), (55, 57)]
    assert find_remains(then, now[:2]) == []
    assert find_remains(then, ["", *then[5:6]]) == []
    assert find_remains([], now) == []


def test_what_a_neighbour_says_is_not_left_of_what_was_deleted() -> None:
    ours = ["def convert_item(text):", "    if text is None:", "        return None", "    return Item(text)"]
    twin = ["def convert_team(text):", *ours[1:3], "    return Team(text)"]
    assert find_remains([*twin, "", *ours], twin, 5, 9) == []
    assert find_remains([*twin, "", *ours], [*twin, "", *ours[1:]], 5, 9) == [(5, 7)]
    assert find_remains(ours, twin) == [(1, 2)]
