"""Where evidence went: exact, unique, or not at all."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.model import Lines
from pincite.history import find_block, find_passage, find_quote, follow_between, was_deleted
from pincite.history.model import CitedPassage, FollowedText, TraceResult

OLD = ["import os", "", "def main():", "    limit = 10", "    return limit", "", "main()"]


def test_a_shifted_block_is_found() -> None:
    found = find_block(OLD, Lines(3, 5), ["# new", "# lines", *OLD])
    assert found.certain == Lines(5, 7)


def test_an_edited_block_is_not() -> None:
    now = [line.replace("10", "12") for line in OLD]
    assert find_block(OLD, Lines(3, 5), now).places == ()


def test_a_block_at_two_places_is_ambiguous() -> None:
    now = ["a", "    return limit", "b", "    return limit", "c"]
    found = find_block(OLD, Lines(5, 5), now)
    assert found.certain is None
    assert found.places == (Lines(2, 2), Lines(4, 4))


def test_neighbours_decide_between_copies() -> None:
    now = ["a", "    return limit", "b", *OLD]
    assert find_block(OLD, Lines(5, 5), now).certain == Lines(8, 8)


def test_a_block_that_says_too_little_needs_its_neighbours() -> None:
    then = ["first thing", "second thing", "}", "third thing", "fourth thing"]
    assert find_block(then, Lines(3, 3), ["other", "}", "other"]).places == ()
    assert find_block(then, Lines(3, 3), ["zero", *then]).certain == Lines(4, 4)


def test_a_short_block_whose_neighbours_stand_twice_is_not_found() -> None:
    then = ["first thing", "second thing", "}", "third thing", "fourth thing"]
    assert find_block(then, Lines(3, 3), [*then, *then]).certain is None


def test_nothing_is_found_of_nothing() -> None:
    assert find_block(OLD, Lines(9, 12), OLD).places == ()
    assert find_block([], Lines(1, 1), OLD).places == ()
    assert find_block(OLD, Lines(3, 5), []).places == ()


def test_many_copies_are_listed_up_to_a_few() -> None:
    assert len(find_block(OLD, Lines(5, 5), ["    return limit"] * 50).places) == 9


def test_a_quote_is_found_on_its_line() -> None:
    assert find_quote("return limit", OLD).certain == Lines(5, 5)
    assert find_quote("return limits", OLD).places == ()
    assert find_quote("os", OLD).places == ()
    assert find_quote("return limit", OLD * 2).places == (Lines(5, 5), Lines(12, 12))


def test_deleted_means_that_the_neighbours_meet() -> None:
    assert was_deleted(OLD, Lines(4, 5), OLD[:3] + OLD[5:])
    assert not was_deleted(OLD, Lines(4, 5), OLD)
    assert not was_deleted(OLD, Lines(4, 5), [*OLD[:3], "    limit = 12", *OLD[5:]])
    assert not was_deleted(OLD, Lines(1, 2), OLD[2:])


LINE = st.sampled_from(("alpha beta gamma", "delta epsilon", "}", "", "return None", "x = 1", "zeta eta theta"))
LINES = st.lists(LINE, max_size=14)


@given(then=LINES, now=LINES, first=st.integers(1, 14), size=st.integers(1, 4))
@settings(max_examples=500, deadline=None)
def test_what_is_found_says_the_same_and_certain_means_unique(
    then: list[str], now: list[str], first: int, size: int
) -> None:
    """Every place holds exactly the old lines; a certain one without neighbours to tell is the only one."""
    lines = Lines(first, first + size - 1)
    block = then[first - 1 : first + size - 1]
    found = find_block(then, lines, now)
    for place in found.places:
        assert now[place.first - 1 : place.last] == block
        assert place.last - place.first + 1 == len(block)
    if found.certain is not None:
        copies = [at for at in range(len(now)) if now[at : at + len(block)] == block]
        before, after = then[first - 2 : first - 1], then[first - 1 + size : first + size]
        there = found.certain
        agrees = now[there.first - 2 : there.first - 1] == before or now[there.last : there.last + 1] == after
        assert len(copies) == 1 or agrees


@given(text=LINES, above=LINES, first=st.integers(1, 14), size=st.integers(1, 4))
@settings(max_examples=300, deadline=None)
def test_a_pure_shift_never_leads_elsewhere(text: list[str], above: list[str], first: int, size: int) -> None:
    """With lines put above and nothing else changed, a certain answer that kept its neighbours is the right one."""
    if first + size - 1 > len(text):
        return
    found = find_block(text, Lines(first, first + size - 1), above + text).certain
    if found is not None and text[first - 1 : first + size - 1] not in [
        above[at : at + size] for at in range(len(above))
    ]:
        expected = len(above) + first
        block = text[first - 1 : first + size - 1]
        copies = [at for at in range(len(text)) if text[at : at + size] == block]
        assert found.first == expected or len(copies) > 1 or found.first <= len(above)


def test_a_block_of_equal_lines_is_found_wherever_it_stands() -> None:
    then = ["the same line"] * 2000
    now = ["another line", *then]
    found = find_block(then, Lines(1, 1500), now)
    assert found.places[:2] == (Lines(2, 1501), Lines(3, 1502))
    assert find_block(then, Lines(1, 2000), now).certain == Lines(2, 2001)


def test_one_that_is_left_of_several_may_be_another_one() -> None:
    then = ["def a():", "    return None", "", "def b():", "    return None", "", "def c():", "    return None"]
    assert find_block(then, Lines(5, 5), ["def a():", "    return None", "", "x = 1", "y = 2"]).places == ()
    assert find_block(then, Lines(5, 5), ["x = 1", *then]).certain == Lines(6, 6)


# Many lines repeat, so that there is something to be mistaken about.
CODE = st.sampled_from(
    (
        "alpha = beta(gamma)",
        "alpha = beta(delta)",
        "    return None",
        "}",
        "",
        "x = 1",
        "x = 2",
        "if not ready:",
        "\tx = 1",
    )
)
TEXT = st.lists(st.one_of(CODE, CODE, st.text("ab 1'\u2028\udc80", max_size=12)), max_size=25)


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[str], list[str], Lines]:
    """A text, what some edits made of it, and some of its lines."""
    then = draw(TEXT.filter(bool))
    now = list(then)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(now)))
        size = draw(st.integers(0, 4))
        kind = draw(st.sampled_from(("put in", "take out", "replace", "copy", "move", "indent")))
        taken = now[at : at + size]
        if kind in ("take out", "replace", "move", "indent"):
            del now[at : at + size]
        put = {"indent": ["  " + line for line in taken], "copy": taken, "move": taken}.get(kind)
        if kind != "take out":
            to = at if kind in ("replace", "indent") else draw(st.integers(0, len(now)))
            now[to:to] = put if put is not None else draw(st.lists(CODE, max_size=3))
    first = draw(st.integers(1, len(then)))
    return then, now, Lines(first, draw(st.integers(first, min(len(then), first + 4))))


def holds(answer: FollowedText, block: list[str], lines: Lines, now: list[str]) -> None:
    """What any answer promises."""
    place = answer.lines
    if answer.became in (TraceResult.SAME, TraceResult.MOVED):
        assert place is not None
        assert now[place.first - 1 : place.last] == block
        assert (place == lines) is (answer.became is TraceResult.SAME)
    elif answer.became is TraceResult.CHANGED:
        assert place is not None
        assert 1 <= place.first <= place.last <= len(now)
        assert now[place.first - 1 : place.last] != block
    else:
        assert place is None
    if answer.became is TraceResult.GONE:
        assert answer.candidates == ()
    for candidate in answer.candidates:
        assert candidate.lines is not None and 1 <= candidate.lines.first <= len(now)


@given(edited())
@settings(max_examples=400, deadline=None)
def test_whatever_is_answered_is_so(case: tuple[list[str], list[str], Lines]) -> None:
    """Same and moved mean the very text at the place; changed never claims it; the rest claims no place."""
    then, now, lines = case
    # What a document says of lines has no line ends in them.
    block = then[lines.first - 1 : lines.last]
    holds(follow_between(then, lines, now), block, lines, now)
    around = tuple(then[max(0, lines.first - 4) : lines.first - 1]), tuple(then[lines.last : lines.last + 3])
    holds(find_passage(CitedPassage(lines, tuple(block), *around), now), block, lines, now)


@given(then=TEXT, now=TEXT, first=st.integers(-2, 30), last=st.integers(-2, 30))
@settings(max_examples=200, deadline=None)
def test_nothing_is_raised_for_any_lines(then: list[str], now: list[str], first: int, last: int) -> None:
    lines = Lines(first, last)
    block = then[first - 1 : last] if 1 <= first <= last else []
    answer = follow_between(then, lines, now)
    if not 1 <= first <= last <= len(then):
        assert (answer.became, answer.place) == (TraceResult.AMBIGUOUS, None)
    assert isinstance(
        find_passage(CitedPassage(lines, tuple(block), tuple(now[:3]), tuple(then[:3])), now), FollowedText
    )


def test_the_same_text_is_the_same() -> None:
    assert follow_between(OLD, Lines(3, 5), OLD).became is TraceResult.SAME
    assert follow_between(OLD, Lines(3, 5), ["# top", *OLD]).lines == Lines(4, 6)
    assert follow_between(OLD, Lines(4, 4), [*OLD[:3], *OLD[4:]]).became is TraceResult.GONE


def test_a_change_of_one_character_is_a_change() -> None:
    answer = follow_between(OLD, Lines(4, 4), ["# top", *(line.replace("10", "12") for line in OLD)])
    assert (answer.became, answer.lines) == (TraceResult.CHANGED, Lines(5, 5))


def test_copies_that_nothing_tells_apart_are_candidates() -> None:
    answer = follow_between(OLD, Lines(5, 5), ["a", "    return limit", "b", "    return limit", "c"])
    assert (answer.became, answer.place) == (TraceResult.AMBIGUOUS, None)
    assert [place.lines for place in answer.candidates] == [Lines(2, 2), Lines(4, 4)]
