"""Scalars written so that they read back as the same text, and changes that touch nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.frontmatter_edit import append_to, apply, insert_into, quote_scalar, replace_value
from pincite.text.yaml import Mapping, Scalar, load, value_of

_any_text = st.text(st.characters(exclude_categories=("Cs",)))


@given(_any_text, st.sampled_from(["", "'", '"']))
def test_a_quoted_text_reads_back(text: str, style: str) -> None:
    for wrapped in (
        f"k: {quote_scalar(text, style)}\n",
        f"k: {{a: {quote_scalar(text, style)}}}\n",
        f"k:\n  - {quote_scalar(text, style)}\n",
    ):
        node = next(iter(_map(wrapped).values.values()))
        while not isinstance(node, Scalar):
            node = next(iter(node.values.values())) if isinstance(node, Mapping) else node.items[0]
        assert value_of(node) == text


@pytest.mark.parametrize("text", ["src/app.py", "a b.txt", ".github/x.yml", "v1.2.3", "(x)"])
def test_plain_paths_stay_plain(text: str) -> None:
    assert quote_scalar(text) == text


@pytest.mark.parametrize(
    "text", ["012x: y", "true", "42", "1.5", "null", "~", "", " a", "a ", "a: b", "a #b", "[a]", "- a", "*a"]
)
def test_what_could_mean_something_else_is_quoted(text: str) -> None:
    assert quote_scalar(text)[0] == '"'


def test_a_value_keeps_its_quotes() -> None:
    text = "a: 'old'\nb: \"old\"\nc: old\n"
    values = _map(text).values
    changes = [replace_value(text, node, "it's new") for node in values.values() if isinstance(node, Scalar)]
    assert apply(text, changes) == "a: 'it''s new'\nb: \"it's new\"\nc: \"it's new\"\n"


def test_a_value_left_out_is_filled_in() -> None:
    text = "a:\nb: 1\n"
    node = _map(text).values["a"]
    assert isinstance(node, Scalar)
    assert apply(text, [replace_value(text, node, 7)]) == "a: 7\nb: 1\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1 # why\nb: 2\n", "a: 1 # why\nnew: x\nb: 2\n"),
        ("a: 1\r\nb: 2\r\n", "a: 1\r\nnew: x\r\nb: 2\r\n"),
        ("a: 1\rb: 2\r", "a: 1\rnew: x\rb: 2\r"),
        ("{a: 1, b: 2}\n", "{a: 1, new: x, b: 2}\n"),
        ("  a: 1\n  b: 2\n", "  a: 1\n  new: x\n  b: 2\n"),
    ],
)
def test_insert_behind_a_key(text: str, expected: str) -> None:
    assert apply(text, [insert_into(text, _map(text), "a", "new", "x")]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2 # why\n# end\n", "a: 1\nb: 2 # why\nnew: x\n# end\n"),
        ("a: 1\nb: |+\n  text\n\n\n", "a: 1\nnew: x\nb: |+\n  text\n\n\n"),
        ("a: 1\nb:\n  - c\n", "a: 1\nb:\n  - c\nnew: x\n"),
        ("a: 1\nb:\n  - c: |+\n      d\n\n", "a: 1\nnew: x\nb:\n  - c: |+\n      d\n\n"),
        ("{a: 1, b: 2,}\n", "{a: 1, b: 2, new: x,}\n"),
    ],
)
def test_append_to_a_map(text: str, expected: str) -> None:
    assert apply(text, [append_to(text, _map(text), "new", "x")]) == expected


def _map(text: str) -> Mapping:
    tree = load(text)
    assert isinstance(tree, Mapping)
    return tree
