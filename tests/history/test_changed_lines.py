"""What replaced lines became, and what looking for it costs."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest

from pincite.history.step import UNDECIDED, FileStep, FileVersion, TextRegion

ABOVE, BELOW = ["def load(path):", "    check(path)"], ["    return found", "", "load(here)"]


def carry(old: list[str], new: list[str], first: int, last: int | None = None) -> tuple[int, int] | str:
    """Where lines of a hunk went, both counted from 0 in the hunk."""
    step = FileStep(FileVersion.of([*ABOVE, *old, *BELOW]), FileVersion.of([*ABOVE, *new, *BELOW]))
    up = len(ABOVE)
    region = step.carry(TextRegion(first + up, (first if last is None else last) + up))
    return "gone" if region is None else "undecided" if region is UNDECIDED else (region.first - up, region.last - up)


def carry_words(old: str, new: list[str], words: str) -> str | None:
    """What some words of one line became."""
    step = FileStep(FileVersion.of([*ABOVE, old, *BELOW]), FileVersion.of([*ABOVE, *new, *BELOW]))
    left = old.index(words)
    region = step.carry(TextRegion(len(ABOVE), len(ABOVE), left, left + len(words)))
    if region is None or region is UNDECIDED:
        return None
    return step.now.lines[region.first][region.left : region.right if region.first == region.last else None]


def test_a_line_that_was_broken_up_is_all_lines_that_took_its_place() -> None:
    old = ["    from .fixtures import app_client, app_client_shorter_time_limit"]
    new = [
        "    from .fixtures import (  # noqa",
        "        app_client,",
        "        app_client_shorter_time_limit,",
        "    )",
    ]
    assert carry(old, new, 0) == (0, 3)


def test_a_line_of_which_one_new_line_has_the_most_is_that_one() -> None:
    old = ["    pattern = re.compile(r'<meta name=fragment content=!>')"]
    new = ["    pattern = re.compile(", "        r'<meta name=fragment content=!>'", "    )"]
    assert carry(old, new, 0) == (1, 1)


def test_a_line_that_was_joined_with_others_is_the_line_that_has_it() -> None:
    old = ["    if missing(name):", "        names[name] = 'none'", "    fill(names)"]
    assert carry(old, ["    if missing(name): names[name] = 'none'", "    fill(names)"], 1) == (0, 0)


def test_a_line_that_was_dropped_where_others_were_joined_is_gone() -> None:
    old = [
        "    install(",
        "        upgrade, black, flake8, bugbear,",
        "        pie, isort, mypy, coverage,",
        "        tox)",
    ]
    assert carry(old, ["    install(upgrade, black, flake8, bugbear, pie, isort, mypy, coverage)"], 3) == "gone"


def test_a_line_that_was_broken_into_seven_is_still_named() -> None:
    old = ["    import { deleteSession, listSessions, Session, updateSessionDescription } from api;"]
    names = ["deleteSession,", "exportSession,", "listSessions,", "Session,", "updateSessionDescription,"]
    assert carry(old, ["    import {", *(f"        {name}" for name in names), "    } from api;"], 0) == (0, 6)


def test_a_keyword_that_leads_its_line_did_not_become_a_name() -> None:
    line = "    if (populate(sub, flags) == FAILED) {"
    assert carry_words(line, ["    parseFlags(sub, flags) == FAILED {"], "if") is None


def test_words_that_went_along_with_another_part_of_their_line_are_found_there() -> None:
    old = "    include: patterns(self.include.unwrap_or_else(|| INCLUDE.to_vec())),"
    new = [
        "    include: patterns(self.include.unwrap_or_else(|| {",
        "        let mut include = INCLUDE.to_vec();",
        "        include",
        "    })),",
    ]
    assert carry_words(old, new, "unwrap_or_else") == "unwrap_or_else"


def test_the_second_of_equal_words_stays_the_second() -> None:
    old = "    print('no valid attribute, removing', attribute, 'in', element)"
    new = ["    log.warning('no valid attribute, removing: %s in %s', attribute, element)"]
    step = FileStep(FileVersion.of([*ABOVE, old, *BELOW]), FileVersion.of([*ABOVE, *new, *BELOW]))
    region = step.carry(TextRegion(2, 2, old.rindex("attribute"), old.rindex("attribute") + 9))
    assert region is not None
    assert region.left == new[0].rindex("attribute")


def _make_hunk(size: int, seed: int) -> list[str]:
    rng = Random(seed)
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa result value index count".split()
    return [
        f"    {rng.choice(words)}_{rng.randrange(999)} = {rng.choice(words)}({', '.join(rng.choices(words, k=4))})"
        for _ in range(size)
    ]


def _cost_of_citations(size: int, citations: int, lines: int, edited: bool) -> float:
    old = _make_hunk(size, 1)
    new = [line.replace("(", "_x(", 1) for line in old] if edited else _make_hunk(size, 2)
    step = FileStep(FileVersion.of([*ABOVE, *old, *BELOW]), FileVersion.of([*ABOVE, *new, *BELOW]))
    begun = process_time()
    for at in range(citations):
        first = len(ABOVE) + at * size // citations
        step.carry(TextRegion(first, min(first + lines, size) - 1))
    return process_time() - begun


@pytest.mark.parametrize(("lines", "edited"), [(1, True), (8, True), (1, False), (40, False)])
def test_a_hundred_citations_of_one_hunk_share_what_is_known_of_its_lines(lines: int, edited: bool) -> None:
    """Each line of a hunk is compared with the others once, however many citations ask."""
    few = min(_cost_of_citations(400, 25, lines, edited) for _ in range(3))
    many = min(_cost_of_citations(400, 400, lines, edited) for _ in range(3))
    assert many < 24 * few + 0.05
    assert _cost_of_citations(800, 100, lines, edited) < 1


def test_one_hunk_of_very_long_lines_is_not_looked_through() -> None:
    old, new = [["x" * at + "a" * 9000 + str(at) for at in range(100)] for _ in range(2)]
    begun = process_time()
    assert carry([f"{line}b" for line in old], [f"c{line}" for line in new], 3) == "undecided"
    assert process_time() - begun < 2
