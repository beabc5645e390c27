"""Stage files as trees: strict JSON agrees with the standard library, and nothing gets past the bounds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import Unreadable
from pincite.domains.research.stage_parser import DEEPEST, MOST_BYTES, MOST_VALUES, load_json, read_tree, stage_bytes
from pincite.safe.files import Root
from pincite.text.yaml import FrontmatterError, Mapping, Node, Scalar, value_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def data_of(node: Node) -> object:
    if isinstance(node, Scalar):
        return value_of(node)
    if isinstance(node, Mapping):
        return {key: data_of(value) for key, value in node.values.items()}
    return [data_of(item) for item in node.items]


@settings(max_examples=80, deadline=None)
@given(JSON, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_json_is_read_as_it_was_written(data: object, ascii_only: bool, indent: int | str | None) -> None:
    text = json.dumps(data, ensure_ascii=ascii_only, indent=indent)
    assert data_of(load_json(text)) == data


PIECES = [*'{}[]:,"\\19.eE+- \n\x00', "true", "null", '"a"', '"\\ud83d', '"\\u0041"', "NaN", "0"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_json_is_refused_where_the_standard_library_refuses_it(text: str) -> None:
    try:
        known = json.loads(text, parse_constant=lambda name: pytest.fail(name))
    except (ValueError, pytest.fail.Exception):
        with pytest.raises(FrontmatterError):
            load_json(text)
        return
    try:
        found = data_of(load_json(text))
    except FrontmatterError as error:
        # Stricter in these alone.
        assert any(word in error.reason for word in ("given twice", "surrogate", "too large")), (text, error)
    else:
        assert found == known


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("", "ends too early", 1),
        ("{", "ends too early", 1),
        ('{"a": 1,\n}', "expected a key", 2),
        ('{"a" 1}', "expected ':'", 1),
        ("[1\n\n2]", "expected ',' or ']'", 3),
        ("[1,\n]", "expected a value", 2),
        ("{'a': 1}", "not JSON", 1),
        ("[01]", "not JSON", 1),
        ("[Infinity]", "not JSON", 1),
        ("[-]", "not JSON", 1),
        ("[1e999]", "too large", 1),
        ('["\\ud800"]', "surrogate", 1),
        ('["\\ude00\\ud83d"]', "surrogate", 1),
        ('["a\nb"]', "not JSON", 1),
        ('["\\x41"]', "not JSON", 1),
        ('{"a": 1}\n{}', "something follows", 2),
        ('{"a": 1,\n "\\u0061": 2}', "given twice", 2),
        ("[" * (DEEPEST + 1), "nested deeper", 1),
        ("[" * 500_000, "nested deeper", 1),
    ],
)
def test_what_is_no_strict_json(text: str, reason: str, line: int) -> None:
    with pytest.raises(FrontmatterError) as refused:
        load_json(text)
    assert reason in refused.value.reason
    assert refused.value.line == line


def test_pairs_of_surrogates_are_one_character() -> None:
    assert data_of(load_json('"A\\ud83d\\uDE00\\u0041\\ud83d\\ude00"')) == "A\U0001f600A\U0001f600"


def test_lines_of_values() -> None:
    for key, text in (("x.json", '{\n "a": [\n  1,\n  2\n ]\n}\n'), ("x.yaml", "---\na:\n  - 1\n  - 2\n")):
        tree = read_tree(text.encode(), key)
        assert isinstance(tree.top, Mapping)
        items = tree.top.values["a"].items  # type: ignore[union-attr]
        assert [tree.line(item) for item in items] == [3, 4]


def test_a_file_with_too_many_values_is_refused_before_it_is_parsed() -> None:
    for key, data in (("x.json", b"[" + b"1," * MOST_VALUES + b"1]"), ("x.yaml", b"- a\n" * (MOST_VALUES + 1))):
        with pytest.raises(Unreadable, match=r"x\.\w+:1: more than 300,000 lines and commas"):
            read_tree(data, key)


def test_a_file_that_is_too_large_is_not_read(tmp_path) -> None:
    with open(tmp_path / "search-agent.yaml", "wb") as file:
        file.truncate(MOST_BYTES + 1)
    with Root(str(tmp_path)) as root, pytest.raises(Unreadable, match=r"search-agent\.yaml: cannot be read"):
        stage_bytes(root, "search-agent.yaml")
