"""Where code is, compared with a whole markdown parser; where frontmatter is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.text.document import Document
from pincite.text.markdown import fences, frontmatter_span

_MARK = re.compile(r"Q\d+Q")
_PARSER = MarkdownIt("commonmark").enable("table")


def parsed(text: str) -> tuple[set[str], set[str]]:
    """The marks that a markdown parser finds in code, and those it finds in plain text."""
    code: set[str] = set()
    plain: set[str] = set()
    for token in _PARSER.parse(text):
        if token.type == "fence":
            code.update(_MARK.findall(token.content))
        for child in token.children or ():
            if child.type == "code_inline":
                code.update(_MARK.findall(child.content))
            elif child.type == "text":
                plain.update(_MARK.findall(child.content))
    return code, plain


def in_code(text: str) -> set[str]:
    """The marks that a document takes for code."""
    document = Document("x.md", text)
    return {match[0] for match in _MARK.finditer(text) if document.code_at(match.start()) is not None}


def agree(text: str) -> None:
    code, plain = parsed(text)
    ours = in_code(text)
    assert code <= ours, f"taken for text: {code - ours}"
    assert not plain & ours, f"taken for code: {plain & ours}"


def numbered(pieces: list[str]) -> str:
    """The pieces joined, each `Q` made a mark of its own."""
    count = iter(range(10**6))
    return re.sub("Q", lambda _: f"Q{next(count)}Q", "".join(pieces))


INLINE = st.lists(
    st.sampled_from(
        (
            "Q",
            "Q",
            "`",
            "`",
            "``",
            "```x",
            "\\",
            "\\`",
            " ",
            "w",
            "\nw",
            "\n\n",
            "\n# ",
            "\n- w",
            "\n\n> w",
            "\n\n---\n\n",
        )
    ),
    max_size=24,
).map(numbered)
ROWS = st.lists(st.sampled_from(("Q", "`Q`", "a `b", "`Q", "", "Q ``Q`` Q", "- Q", "> Q")), min_size=1, max_size=4)


@st.composite
def fenced(draw: st.DrawFn) -> list[str]:
    """A fenced block, closed or not."""
    mark = draw(st.sampled_from(("```", "~~~", "````")))
    rows = [f"{mark}{draw(st.sampled_from(('', 'py', ' x')))}", *draw(ROWS)]
    return [*rows, mark] if draw(st.integers(0, 3)) else rows


PLAIN = ROWS.map(lambda rows: [f"w {row}" for row in rows])
BLOCK = st.one_of(PLAIN, fenced())
HELD = st.one_of(
    BLOCK,
    BLOCK.map(lambda rows: [f"> {row}".rstrip() for row in rows]),
    BLOCK.map(lambda rows: ["- w", "", *(f"  {row}".rstrip() for row in rows), "", "w"]),
    BLOCK.map(lambda rows: ["1. w", "", *(f"   {row}".rstrip() for row in rows), "", "w"]),
    fenced().map(lambda rows: [f"- {rows[0]}", *(f"  {row}".rstrip() for row in rows[1:]), "", "w"]),
)
BLOCKS = st.lists(HELD, max_size=5).map(lambda blocks: numbered(["\n\n".join("\n".join(block) for block in blocks)]))


@given(text=INLINE)
@settings(max_examples=600, deadline=None)
def test_code_spans_are_where_a_parser_finds_them(text: str) -> None:
    agree(text)


@given(text=BLOCKS)
@settings(max_examples=600, deadline=None)
def test_fences_are_where_a_parser_finds_them(text: str) -> None:
    agree(text)


@given(text=st.one_of(INLINE, BLOCKS), end=st.sampled_from(("\r\n", "\r")))
@settings(max_examples=300, deadline=None)
def test_line_ends_make_no_difference(text: str, end: str) -> None:
    assert in_code(text.replace("\n", end)) == in_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "`a` Q0Q `b`",
        "`a\\` Q0Q `b`",
        "\\`Q0Q\\`",
        "\\``Q0Q`",
        "``a ` Q0Q``",
        "```a` Q0Q```",
        "the ` key\n\nQ0Q and ` key",
        "the ` key\n# Q0Q and ` key",
        "# the ` key\nQ0Q and ` key",
        "the ` key\n---\nQ0Q and ` key",
        "the ` key\n> Q0Q and ` key",
        "> the ` key\nQ0Q and ` key",
        "- the ` key\n- Q0Q and ` key",
        "- the ` key\n  Q0Q and ` key",
        "> ```\n> Q0Q\n\nQ1Q",
        "> ```\nQ0Q",
        "- ```\n  Q0Q\n\nQ1Q",
        "- a\n\n  ```\n  Q0Q\n\nQ1Q",
        "1. a\n\n   ```\n   Q0Q\n   ```\n   Q1Q",
        "```\n> ```\nQ0Q\n```\nQ1Q",
        "```\n- ```\nQ0Q\n```\nQ1Q",
        "````\n```\nQ0Q\n````\nQ1Q",
        "```\n~~~\nQ0Q\n```\nQ1Q",
        "``` a`b\nQ0Q\n```\nQ1Q",
        "~~~ a`b\nQ0Q\n~~~\nQ1Q",
        "```\nQ0Q\n``` x\nQ1Q\n```\nQ2Q",
        "w\n```\nQ0Q\n```\nQ1Q",
        "```\nQ0Q\n\n- w\n\n  ```\n  Q1Q\n  ```\n\nw\n\nw Q2Q",
        "```\nQ0Q",
        "|a|b|\n|-|-|\n|the ` key|Q0Q|\n|the ` key|Q1Q|",
    ],
)
def test_hand_picked(text: str) -> None:
    agree(text)


@given(
    text=st.one_of(INLINE, BLOCKS),
    head=st.sampled_from(("", "---\na: `b`\n---\n")),
    end=st.sampled_from(("\n", "\r\n")),
)
@settings(max_examples=400, deadline=None)
def test_prose_is_the_text_with_code_blanked(text: str, head: str, end: str) -> None:
    text = (head + text).replace("\n", end)
    prose = Document("x.md", text).prose
    asked = Document("x.md", text)
    expected = "".join("\0" if asked.code_at(offset) else character for offset, character in enumerate(text))
    assert prose == expected


def test_prose_without_backticks_has_fences_all_the_same() -> None:
    assert Document("x.md", "a\n~~~\nb\n~~~\nc").prose == "a\n" + "\0" * 9 + "\nc"


def test_a_region_says_what_is_inside() -> None:
    text = "a ``b`` c\n\n```py\nd\n```\n"
    document = Document("x.md", text)
    span, fence = document.code_at(text.index("b")), document.code_at(text.index("d"))
    assert span is not None and fence is not None
    assert (text[span.start : span.end], text[span.inner.start : span.inner.end], span.fenced) == ("``b``", "b", False)
    assert (text[fence.inner.start : fence.inner.end], fence.fenced) == ("\nd\n", True)
    assert document.code_at(0) is None


def test_asking_in_any_order_gives_the_same_answers() -> None:
    text = "`a` b\n\n```\nc\n```\n\n- d `e`\n- `f\n- g` h\n\n`i`"
    forwards = Document("x.md", text)
    there = [forwards.code_at(offset) for offset in range(len(text))]
    backwards = Document("x.md", text)
    assert [backwards.code_at(offset) for offset in reversed(range(len(text)))] == there[::-1]
    assert [Document("x.md", text).code_at(offset) for offset in range(len(text))] == there


def test_frontmatter_holds_no_code() -> None:
    text = "---\na: '`b`'\nc: |\n  ```\n---\n`d` e\n"
    document = Document("x.md", text)
    assert document.code_at(text.index("b")) is None
    assert document.code_at(text.index("e")) is None
    assert document.code_at(text.index("d")) is not None


def test_only_markdown_has_code_and_none_where_code_is_read() -> None:
    assert Document("x.txt", "`a`").code_at(1) is None
    assert Document("x.md", "`a`", True).code_at(1) is None
    assert Document("-", "`a`").code_at(1) is not None


def test_fences_in_order_and_disjoint() -> None:
    found = fences("```\na\n```\n> ~~~\n> b\n\n```\nc")
    assert [(region.start, region.end) for region in found] == sorted((region.start, region.end) for region in found)
    assert len(found) == 3


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("---\na: 1\n---\nb", "a: 1\n"),
        ("---\r\na: 1\r\n---\r\nb", "a: 1\r\n"),
        ("---\ra: 1\r---\rb", "a: 1\r"),
        ("---  \na: 1\n...\n", "a: 1\n"),
        ("---\n---\n", ""),
        ("---\na: 1\n--- \n", "a: 1\n"),
    ],
)
def test_frontmatter(text: str, inner: str) -> None:
    span = frontmatter_span(text)
    assert span is not None
    assert text[span.start : span.end] == inner


@pytest.mark.parametrize(
    "text", ["", "a\n---\nb\n---\n", "----\na\n---\n", "---\na: 1\n----\n", "--- a\n---\n", " ---\na\n---\n", "---"]
)
def test_no_frontmatter(text: str) -> None:
    assert frontmatter_span(text) is None
