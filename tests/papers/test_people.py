"""Names in their parts, and together again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.papers.people import Person, is_others, part_name


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ada Lovelace", Person("Lovelace", "Ada")),
        ("Lovelace, Ada", Person("Lovelace", "Ada")),
        ("Ludwig van Beethoven", Person("Beethoven", "Ludwig", "van")),
        ("van der Berg, Jan", Person("Berg", "Jan", "van der")),
        ("Charles de la Vallée Poussin", Person("Vallée Poussin", "Charles", "de la")),
        ("King, Jr., Martin Luther", Person("King", "Martin Luther", "", "Jr.")),
        ("King, Martin Luther, Jr.", Person("King", "Martin Luther", "", "Jr.")),
        ("Martin Luther King Jr.", Person("King", "Martin Luther", "", "Jr.")),
        ("Peyton Jones, Simon", Person("Peyton Jones", "Simon")),
        ("World Health Organization", Person("World Health Organization")),
        ("Plato", Person("Plato")),
        ("de Gaulle", Person("Gaulle", "", "de")),
        ("", Person("")),
    ],
)
def test_a_name_parts(text: str, parts: Person) -> None:
    assert part_name(text) == parts


words = st.text(st.characters(whitelist_categories=("Lu", "Ll")), min_size=1, max_size=8)


@given(st.lists(words | st.sampled_from([",", "van", "Jr.", "III", "Group"]), max_size=6).map(" ".join))
def test_what_is_put_together_parts_again(text: str) -> None:
    parts = part_name(text)
    assert part_name(parts.name) == parts
    assert part_name(part_name(parts.name).name) == parts


@pytest.mark.parametrize("text", ["others", "et al.", "Et al", "and others"])
def test_those_left_out_are_no_author(text: str) -> None:
    assert is_others(text)
