"""Which words belong to a citation: clause, sentence, and what stands around them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.search.claims.claim import AROUND, NEAR, SENTENCE, Claim, is_without_names, read_claim
from pincite.text.document import Document


def claim_of(path: str, text: str, raw: str) -> Claim:
    """What is said around the first place of `raw`."""
    lines = text.split("\n")
    row = next(at for at, line in enumerate(lines) if raw in line)
    return read_claim(path, lines, row, lines[row].index(raw), len(raw))


def zones(claim: Claim) -> dict[str, int]:
    return {term.term: term.zone for term in claim.terms if term.kind != "word"}


def test_words_between_two_citations_belong_to_the_one_behind_them_where_it_stands_in_brackets() -> None:
    said = "The `first_name` (a.py:1) and `second_name` (b.py:2)."
    assert zones(claim_of("a.md", said, "b.py:2")) == {"second_name": NEAR, "first_name": SENTENCE}


def test_citations_in_one_bracket_share_the_words_before_it() -> None:
    said = "All is `checked_twice` (a.py:1, b.py:2)."
    assert zones(claim_of("a.md", said, "b.py:2")) == {"checked_twice": NEAR}


def test_a_citation_that_is_the_subject_has_the_words_behind_it() -> None:
    assert zones(claim_of("a.md", "`a.py:1` calls `do_work`.", "a.py:1")) == {"do_work": NEAR}


def test_the_sentence_before_is_around() -> None:
    said = "Then `old_name` was used. Now it is `new_name` (a.py:1)."
    assert zones(claim_of("a.md", said, "a.py:1")) == {"new_name": NEAR, "old_name": AROUND}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "x = 1\n# Cut by\n# `the_name`\n# (b.py:12) here.\ny = 2\n"),
        ("a.rs", "/// Cut by\n/// `the_name`\n/// (b.py:12) here.\nfn y() {}\n"),
        ("a.py", 'def y():\n    """Cut by\n    ``the_name``\n    (b.py:12) here.\n    """\n'),
        ("a.md", "- Cut by\n  `the_name`\n  (b.py:12) here.\n"),
        ("a.md", "| `the_name` | b.py:12 |\n"),
    ],
)
def test_comments_docstrings_items_and_rows_are_read_over_their_lines(path: str, text: str) -> None:
    assert zones(claim_of(path, text, "b.py:12"))["the_name"] == NEAR


def test_code_before_a_comment_is_around_it() -> None:
    assert zones(claim_of("a.py", "MIN_HEIGHT = 3  # b.py:12\n", "b.py:12")) == {"MIN_HEIGHT": AROUND}


def test_paths_and_other_citations_name_nothing() -> None:
    assert not claim_of("a.md", "See b.py:12 and `src/c_d.py:14` in `src/c_d.py`.", "b.py:12").names_something


def test_a_dotted_name_is_no_path() -> None:
    assert zones(claim_of("a.md", "As `Session.cwd` does (b.py:12).", "b.py:12")) == {"Session": NEAR, "cwd": NEAR}


@pytest.mark.parametrize("text", ["b.py:12", "(" * 5000 + "b.py:12", "`" * 5000 + "b.py:12", "a." * 5000 + " b.py:12"])
def test_hostile_text_names_nothing(text: str) -> None:
    assert not claim_of("a.md", text, "b.py:12").names_something
    assert not claim_of("a.py", text, "b.py:12").names_something


_PARTS = st.sampled_from(
    [
        "It works. ",
        "The reader, see `a.b()`. ",
        "Then `x_y` ",
        "1. ",
        "- ",
        "\n",
        "\n\n",
        "A",
        " ",
        ". ",
        "? ",
        '"',
        "read_all ",
    ]
    + ["(a.py:3) ", "| ", "# H\n", "> ", "[x] ", "e.g. Foo ", "【F:b.py†L1】 ", "...", "\r\n", "HTTPServer"]
)


@given(st.lists(_PARTS, max_size=10).map("".join), st.lists(_PARTS, max_size=10).map("".join))
@settings(max_examples=400)
def test_what_is_without_names_at_a_glance_is_so_when_it_is_read(before: str, after: str) -> None:
    """The glance takes in at least the whole sentence."""
    raw = "【F:x.py†L1-L2】"
    text = before + raw + after
    if is_without_names("a.md", text, len(before), len(before) + len(raw)):
        document = Document("a.md", text)
        row, column = document.position(len(before))
        starts = document.starts
        lines = [
            text[start : starts[at + 1] if at + 1 < len(starts) else len(text)].rstrip("\r\n")
            for at, start in enumerate(starts)
        ]
        assert not read_claim("a.md", lines, row - 1, column - 1, len(raw)).names_something


def test_a_sentence_between_two_others_is_judged_alone_at_a_glance() -> None:
    text = "Then `old_name` was used. Now it is read (a.py:1). Next is `new_name`."
    at = text.index("a.py:1")
    assert is_without_names("a.md", text, at, at + len("a.py:1"))
    assert not is_without_names("a.md", text.replace("read", "`read`"), at + 2, at + 2 + len("a.py:1"))


def test_claims_are_equal_where_they_say_the_same() -> None:
    text = "As `load_all` does (b.py:12). Said."
    assert claim_of("a.md", text, "b.py:12") == claim_of("a.md", text, "b.py:12")
    assert claim_of("a.md", text, "b.py:12") != claim_of("a.md", text.replace("load", "save"), "b.py:12")
    assert claim_of("a.md", f"# One\n\n{text}", "b.py:12") != claim_of("a.md", f"# Two\n\n{text}", "b.py:12")
