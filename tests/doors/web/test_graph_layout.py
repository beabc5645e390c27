"""The same graph is always drawn the same way, and everything stands inside the drawing."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pincite.doors.web.graph_layout import BOX_HEIGHT, BOX_WIDTH, draw_columns, find_columns

NAMES = st.sampled_from("abcdefghij")
EDGES = st.lists(st.tuples(NAMES, NAMES), max_size=20)


@given(EDGES, st.permutations("abcdefghij"))
def test_every_node_has_one_place_of_its_own(edges: list[tuple[str, str]], names: list[str]) -> None:
    columns = find_columns(names, edges)
    drawing = draw_columns(columns, edges)
    assert sorted(box.id for box in drawing.boxes) == sorted(names)
    places = {(box.x, box.y) for box in drawing.boxes}
    assert len(places) == len(names)
    assert all(0 <= x <= drawing.width - BOX_WIDTH and 0 <= y <= drawing.height - BOX_HEIGHT for x, y in places)
    rows = sorted((box.x, box.y) for box in drawing.boxes)
    assert all(one[0] != other[0] or other[1] - one[1] >= BOX_HEIGHT for one, other in itertools.pairwise(rows))


@given(EDGES, st.permutations("abcdefghij"))
def test_the_order_in_which_nodes_come_changes_nothing(edges: list[tuple[str, str]], names: list[str]) -> None:
    one = draw_columns(find_columns(names, edges), edges)
    assert one == draw_columns(find_columns(sorted(names), edges), edges)


def test_an_empty_graph_is_an_empty_drawing() -> None:
    drawing = draw_columns([], [])
    assert drawing.boxes == () and drawing.lines == () and drawing.width > 0 and drawing.height > 0


def test_an_edge_to_what_is_not_drawn_is_left_out() -> None:
    drawing = draw_columns([["a"], ["b"]], [("a", "b"), ("a", "left out"), ("left out", "b")])
    assert [(line.source, line.target) for line in drawing.lines] == [("a", "b")]


def test_a_long_chain_is_drawn_without_recursion() -> None:
    edges = [(f"{at:05}", f"{at + 1:05}") for at in range(3000)]
    assert len(find_columns({name for edge in edges for name in edge}, edges)) > 1000


def test_a_link_to_itself_and_one_backwards_are_curves() -> None:
    drawing = draw_columns([["a"], ["b"]], [("a", "a"), ("b", "a")])
    assert all(line.path.startswith("M") and "C" in line.path for line in drawing.lines)
