"""Strict YAML: core scalars, and everything hostile is one quick error (M14)."""

from __future__ import annotations

import math
from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.limits import Limits
from pincite.text.yaml import FrontmatterError, Mapping, Scalar, YamlList, load, value_of


def _plain(text: str) -> object:
    return value_of(Scalar(text, 0, len(text)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("", None), ("~", None), ("null", None), ("Null", None), ("NULL", None)),
        *(("true", True), ("True", True), ("TRUE", True), ("false", False), ("False", False), ("FALSE", False)),
        *(("0", 0), ("42", 42), ("-7", -7), ("+7", 7), ("0o14", 12), ("0x2A", 42)),
        *(
            ("1.5", 1.5),
            ("1.", 1.0),
            (".5", 0.5),
            ("1e3", 1000.0),
            ("-1.5E-2", -0.015),
            (".inf", math.inf),
            ("-.INF", -math.inf),
        ),
    ],
)
def test_core_scalars(text: str, value: object) -> None:
    result = _plain(text)
    assert result == value
    assert type(result) is type(value)


def test_nan_is_a_float() -> None:
    value = _plain(".NaN")
    assert isinstance(value, float)
    assert math.isnan(value)


@pytest.mark.parametrize(
    "text",
    ["012", "12:30", "no", "yes", "on", "off", "y", "0b1", "1_000", "nULL", "tRUE", "0o8", "0xg", "1" * 19, "9" * 5000]
    + ["00", "-012", "1.2.3", "+", "-", ".", "1e", "2026-01-24", "nan", "inf", "e3", "٣", "१२", "1\u0660"],
)
def test_other_words_are_text(text: str) -> None:
    assert _plain(text) == text


def test_quoted_numbers_are_text() -> None:
    assert value_of(Scalar("42", 0, 4, '"')) == "42"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: 1\na: 2", "key 'a' is given twice"),
        ("a: &x 1", "anchors"),
        ("a: &x [1]", "anchors"),
        ("a: &x {b: 1}", "anchors"),
        ("a: *x", "aliases"),
        ("a: !!str 1", "tags"),
        ("a: ! 1", "tags"),
        ("a: !!python/object/apply:os.system [id]", "tags"),
        ("<<: {a: 1}", "merge keys"),
        ("a: 1\n--- \nb: 2", "more than one YAML document"),
        ("%YAML 1.1\n---\na: 1", "more than one YAML document"),
        ("a: 1\n...\n", "more than one YAML document"),
        ("? [a]\n: b", "a key must be one value"),
        ("{a: 1}: b", "a key must be one value"),
        ('"": b', "a key is empty"),
        ("a: \x00", r"U\+0000"),
        ("a: \x1b[31m", r"U\+001B"),
        ("a: \x85b", r"U\+0085"),
        ("a: \u2028b", r"U\+2028"),
        ("a: \ufeffb", r"U\+FEFF"),
        ("a: \ud800", r"U\+D800"),
        ('a: "\\ud800"', "."),
        ('a: "\\UFFFFFFFF"', "."),
        ('a: "unclosed', "end of stream"),
        ("a: [1, 2", "."),
        ("a: b: c", "mapping values are not allowed"),
        ("a:\n\t- b", "."),
        ("a: @b", "."),
        ("a: `b", "."),
    ],
)
def test_refused(text: str, reason: str) -> None:
    with pytest.raises(FrontmatterError, match=reason):
        load(text)


_HOSTILE = {
    "dashes": "- " * 30000,
    "dashes on lines": "".join(" " * depth + "-\n" for depth in range(300)),
    "brackets": "[" * 60000,
    "braces": "{" * 60000,
    "questions": "? " * 30000,
    "bracket pairs": "[{a: " * 12000,
    "flow keys": "{" + "a: b, " * 10000,
    "commas": "[" + "," * 60000,
    "long key": "a" * 60000 + ": 1",
    "colons": ":" * 60000,
    "quotes": '"' * 60001,
    "blank lines": "a:" + "\n" * 60000 + "b",
    "comment": "#" * 60000,
    "hashes": " #" * 30000,
    "folded": "a: >\n" + "  x\n\n" * 10000,
    "anchors": "&a " * 20000,
    "tags": "!!a " * 15000,
    "stars": "*a " * 20000,
    "spaces": " " * 60000 + "a: b",
    "multi-line plain": "a: " + "b\n  " * 15000,
    "escapes": 'a: "' + "\\x41" * 15000 + '"',
    "directives": "%TAG ! !\n" * 6000,
    "returns": "a: b\r" * 12000,
    "many keys": "".join(f"k{number}: v\n" for number in range(6000)),
    "tabs": "a:" + "\t" * 60000 + "b",
}


@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_text_is_answered_in_bounded_time(name: str) -> None:
    text = _HOSTILE[name]
    assert len(text) < 65536

    def cost(given: str) -> float:
        started = process_time()
        with suppress(FrontmatterError):
            assert load(given) is not None
        return process_time() - started

    # As a ratio: no more than some times the cost of an ordinary text of that size. The best of three: a busy machine
    # makes a run longer and never shorter.
    hostile, plain = (min(cost(given) for _ in range(3)) for given in (text, _HOSTILE["many keys"]))
    assert hostile < 12 * plain


def test_bomb_of_aliases_is_refused_at_the_first() -> None:
    text = "a: &a [x, x]\n" + "".join(
        f"{name}: &{name} [*{last}, *{last}]\n" for last, name in zip("abcdefg", "bcdefgh", strict=True)
    )
    with pytest.raises(FrontmatterError, match="anchors") as raised:
        load(text)
    assert raised.value.line == 1


def test_depth_is_bounded_where_the_limit_says() -> None:
    limits = Limits(frontmatter_depth=3)
    assert isinstance(load("[[[]]]", limits=limits), YamlList)
    with pytest.raises(FrontmatterError, match="nested deeper than 3 levels"):
        load("[[[[]]]]", limits=limits)


def test_size_is_bounded_in_bytes() -> None:
    limits = Limits(frontmatter_bytes=10)
    assert isinstance(load("a: éééé"[:6], limits=limits), Mapping)
    with pytest.raises(FrontmatterError, match="11 bytes exceed the limit of 10"):
        load("a: éééé", limits=limits)


def test_pure_python_parser_gives_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: |\n  x\n  y\n\nb: >-\n  z\nc:\n  - {d: 1, e: [f, 'g']}\n  -\nh: multi\n  line  # note\ni: \"\\u00e9\"\n"
    expected = load(text, 9)
    import yaml

    monkeypatch.setattr("pincite.text.yaml._parser", lambda: yaml.Loader)
    assert load(text, 9) == expected


@pytest.mark.parametrize("text", ['"\\ud800"', '"\\UFFFFFFFF"', "a: [", "\ta", "a: 'b"])
def test_pure_python_parser_never_raises_anything_else(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import yaml

    monkeypatch.setattr("pincite.text.yaml._parser", lambda: yaml.Loader)
    with pytest.raises(FrontmatterError):
        load(text)


def test_block_scalar_span_ends_with_its_text() -> None:
    text = "a: |\n  x\n  y\n\n\nb: 1\n"
    tree = load(text)
    assert isinstance(tree, Mapping)
    node = tree.values["a"]
    assert isinstance(node, Scalar)
    assert node.text == "x\ny\n"
    assert text[node.start : node.end] == "|\n  x\n  y"


def test_spans_count_code_points() -> None:
    text = "a: 😀\nb: {c: 'é'}\n"
    tree = load(text, 100)
    assert isinstance(tree, Mapping)
    node = tree.values["b"]
    assert isinstance(node, Mapping)
    inner = node.values["c"]
    assert text[inner.start - 100 : inner.end - 100] == "'é'"
    assert text[node.start - 100 : node.end - 100] == "{c: 'é'}"


TYPICAL = """id: security-002
subject: Input validation, the "usual" pattern
# a comment
citations:
  - path: scripts/Validate-Input.ps1
    line: 42
    snippet: "if ($Input -notmatch '^[a-z]+$') \\\\ \\"x\\""
    verified: 2026-01-24T10:30:00Z

  - path: .github/workflows/scan.yml   # why
    snippet: 'it''s'
links:
- implements: adr-042
tags: [security, input validation, v1.2]
empty:
confidence: 1.0
"""


def test_every_span_is_where_the_value_is_written() -> None:
    document = "---\n" + TYPICAL + "---\n"
    tree = load(TYPICAL, 4, 2)
    assert isinstance(tree, Mapping)
    citations = tree.values["citations"]
    assert isinstance(citations, YamlList)
    first = citations.items[0]
    assert isinstance(first, Mapping)
    written = {key: document[node.start : node.end] for key, node in first.values.items()}
    assert written["path"] == "scripts/Validate-Input.ps1"
    assert written["line"] == "42"
    assert written["snippet"] == '"if ($Input -notmatch \'^[a-z]+$\') \\\\ \\"x\\""'
    assert document[first.start : first.end].startswith("path: scripts")
    assert document[first.start : first.end].endswith("10:30:00Z")


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_a_tree_or_one_error(text: str) -> None:
    try:
        tree = load(text, 7, 2)
    except FrontmatterError as error:
        assert error.line >= 2
        assert 7 <= error.offset <= 7 + len(text)
    else:
        assert 7 <= tree.start <= tree.end <= 7 + len(text)


def test_errors_name_the_line_of_the_document() -> None:
    with pytest.raises(FrontmatterError, match=r"^line 4: key 'a' is given twice$"):
        load("a: 1\nb: 2\na: 3\n", 4, 2)


def test_empty_frontmatter_is_an_empty_map() -> None:
    assert load("", 4, 2) == Mapping({}, 4, 4)
    assert load("\n# only a comment\n", 4, 2) == Mapping({}, 4, 4)


def test_a_value_left_out_stands_behind_its_colon() -> None:
    tree = load("a:\nb: 1\n")
    assert isinstance(tree, Mapping)
    assert tree.values["a"] == Scalar("", 2, 2)
