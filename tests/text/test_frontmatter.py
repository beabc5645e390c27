"""The fast reader and the strict loader give one answer."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pincite.text.frontmatter import FrontmatterError, Mapping, Scalar, Sequence, parse, plain_shape
from pincite.text.yaml import load

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


def test_typical_memory_needs_no_strict_loader() -> None:
    tree = plain_shape(TYPICAL, 4)
    assert tree is not None
    assert tree == load(TYPICAL, 4)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_take_the_fast_path_too(end: str) -> None:
    text = TYPICAL.replace("\n", end)
    tree = plain_shape(text, 5)
    assert tree is not None
    assert tree == load(text, 5)


def test_every_span_is_where_the_value_is_written() -> None:
    document = "---\n" + TYPICAL + "---\n"
    tree = parse(TYPICAL, 4, 2)
    assert isinstance(tree, Mapping)
    citations = tree.values["citations"]
    assert isinstance(citations, Sequence)
    first = citations.items[0]
    assert isinstance(first, Mapping)
    written = {key: document[node.start : node.end] for key, node in first.values.items()}
    assert written["path"] == "scripts/Validate-Input.ps1"
    assert written["line"] == "42"
    assert written["snippet"] == '"if ($Input -notmatch \'^[a-z]+$\') \\\\ \\"x\\""'
    assert document[first.start : first.end].startswith("path: scripts")
    assert document[first.start : first.end].endswith("10:30:00Z")


@pytest.mark.parametrize(
    "text",
    [
        "a: b\n  c: d\n",
        "a:\n  b\n",
        "a: |\n  x\n",
        "a: &x 1\n",
        "a: b: c\n",
        "a: b #c\nd: e#f\n",
        "a: {b: c}\n",
        "a:\n  - - b\n",
        "a:\n  - b\n   - c\n",
        "a:\n  - b: 1\n     c: 2\n",
        "a:\n  - b: 1\n   c: 2\n",
        "a:\n  - [b]\n",
        "a: [b, c,]\n",
        "a:\t1\n",
        "a: 1\na: 2\n",
        "  a: 1\n",
        '"a": 1\n',
        "a: 'b\n",
        "a: ---\n",
        "- a\n",
        "? a\n",
        "a: %b\n",
        'a: "\\x41"\n',
        "a:\n  - b\n    c: d\n",
        "a: b\n- c\n",
    ],
)
def test_what_is_not_certain_is_left_to_the_strict_loader(text: str) -> None:
    tree = plain_shape(text)
    assert tree is None or tree == load(text)


_pieces = st.sampled_from(
    [
        *(
            "a",
            "b",
            "key",
            "path",
            "line",
            "citations",
            "x y",
            "é",
            "中",
            "\U0001f600",
            "012",
            "1.5",
            "~",
            "null",
            "-1",
        ),
        *(
            ":",
            ": ",
            "- ",
            "-",
            " ",
            "  ",
            "    ",
            "\n",
            "\n",
            "\n  ",
            "\n  - ",
            "\n    ",
            "\r\n",
            "\r",
            "#",
            " #",
            "\t",
        ),
        *(
            '"',
            "'",
            "''",
            '\\"',
            "\\\\",
            "\\n",
            "[",
            "]",
            "{",
            "}",
            ", ",
            ",",
            "|",
            ">",
            "&",
            "*",
            "!",
            "%",
            "@",
            "`",
            "?",
        ),
        *("---", "...", "<<", "=", "$", "(", ")", ".", "/", "\\", "a: b\n", "k:\n", "  - path: x\n", "    line: 3\n"),
    ]
)


@settings(max_examples=1000, deadline=None)
@given(st.lists(_pieces, max_size=30).map("".join), st.integers(0, 50))
@example("a:\n - b: c\n   d:\n", 0)
@example("a: b \n", 3)
@example("a:\n  - b:\n  - c:\n", 0)
@example("a: b  # c\n# d\n   # e\n\n   \nf: g", 0)
def test_both_engines_agree(text: str, base: int) -> None:
    tree = plain_shape(text, base)
    if tree is not None:
        assert tree == load(text, base)


_word = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"), exclude_characters="\ufeff"),
    min_size=1,
    max_size=12,
)
_scalar = st.one_of(
    _word,
    _word.map(lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'),
    _word.map(lambda text: "'" + text.replace("'", "''") + "'"),
    st.just(""),
)
_key = st.from_regex(r"[a-z_][a-z0-9_-]{0,8}", fullmatch=True)
_block = st.one_of(
    st.tuples(_key, _scalar).map(lambda pair: f"{pair[0]}: {pair[1]}\n"),
    st.tuples(_key, st.lists(_scalar, max_size=3), st.integers(0, 3)).map(
        lambda given: f"{given[0]}:\n" + "".join(f"{' ' * given[2]}- {item}\n" for item in given[1])
    ),
    st.tuples(
        _key, st.lists(st.lists(st.tuples(_key, _scalar), min_size=1, max_size=3), max_size=3), st.integers(0, 4)
    ).map(
        lambda given: (
            f"{given[0]}:\n"
            + "".join(
                f"{' ' * given[2]}- "
                + f"\n{' ' * (given[2] + 2)}".join(f"{key}: {value}" for key, value in item)
                + "\n"
                for item in given[1]
            )
        )
    ),
    st.sampled_from(["# note\n", "\n", "   \n"]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(_block, max_size=6).map("".join), st.sampled_from(["\n", "\r\n", "\r"]))
def test_both_engines_agree_on_well_formed_text(text: str, end: str) -> None:
    text = text.replace("\n", end)
    tree = plain_shape(text)
    if tree is not None and not _is_refused(text):
        assert tree == load(text)
    assert (tree is None) or not _is_refused(text)


def _is_refused(text: str) -> bool:
    try:
        parse(text)
        load(text)
    except FrontmatterError:
        return True
    return False


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_a_tree_or_one_error(text: str) -> None:
    try:
        tree = parse(text, 7, 2)
    except FrontmatterError as error:
        assert error.line >= 2
        assert 7 <= error.offset <= 7 + len(text)
    else:
        assert 7 <= tree.start <= tree.end <= 7 + len(text)


def test_errors_name_the_line_of_the_document() -> None:
    with pytest.raises(FrontmatterError, match=r"^line 4: key 'a' is given twice$"):
        parse("a: 1\nb: 2\na: 3\n", 4, 2)


def test_empty_frontmatter_is_an_empty_map() -> None:
    assert parse("", 4, 2) == Mapping({}, 4, 4)
    assert parse("\n# only a comment\n", 4, 2) == load("\n# only a comment\n", 4, 2)


def test_a_value_left_out_stands_behind_its_colon() -> None:
    tree = parse("a:\nb: 1\n")
    assert isinstance(tree, Mapping)
    assert tree.values["a"] == Scalar("", 2, 2)
