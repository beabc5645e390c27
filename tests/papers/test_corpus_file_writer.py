"""Writing corpus files: what is written is read again, and marks change nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.papers.corpus_file import read_paper
from pincite.papers.corpus_file_writer import mark_validated, next_id, render_paper, slug
from pincite.papers.model import KeyQuote, Paper, Section

PATH = "corpus/REF-007-x.md"
said = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    lambda text: text.strip() != ""
)
hostile = said | st.sampled_from(
    [
        'a: "b"',
        "x\ny",
        "| Pages | 9 |",
        "---",
        "# REF-008: y",
        "[a](b)",
        "\x00",
        "null",
        "12",
        "'",
        "- a",
        "#c",
        "@u",
        " x ",
        "{}",
    ]
)
pages = st.sampled_from(["", "7", "iv", "S3", "15-16", "007", "i-xii, 1-300"])
quotes = st.builds(
    KeyQuote,
    quote=hostile,
    page=pages,
    section=st.just("") | hostile,
    validated=st.booleans(),
    validation_date=st.sampled_from(["", "2026-01-25", "2026-01-25T10:00:00Z"]),
    validator=st.just("") | hostile,
)
papers = st.builds(
    Paper,
    id=st.just("REF-007"),
    path=st.just(PATH),
    title=st.just("") | hostile,
    authors=st.lists(hostile, max_size=3).map(tuple),
    year=st.sampled_from(["", "2023", "2023a", "in press"]),
    doi=st.sampled_from(["", "10.1000/x#y", "10.1000/a:b"]),
    url=st.sampled_from(["", "https://example.org/?a=b#c"]),
    total_pages=st.none() | st.integers(1, 1000),
    page_range=pages,
    sections=st.lists(st.builds(Section, hostile, pages), max_size=3).map(tuple),
    key_quotes=st.lists(quotes, max_size=3).map(tuple),
    pdf=st.sampled_from(["", "x.pdf", "../a b/x.pdf"]),
    relevance=st.just("") | hostile,
)


def without_places(paper: Paper) -> Paper:
    return replace(paper, key_quotes=tuple(replace(quote, span=None) for quote in paper.key_quotes))


@given(papers)
def test_what_is_written_is_read_again(paper: Paper) -> None:
    text = render_paper(paper)
    assert without_places(read_paper(PATH, text)) == paper
    assert text == render_paper(read_paper(PATH, text))
    text.encode()


def test_a_new_file() -> None:
    paper = Paper(id="REF-007", title='A "big" study: pages', authors=("Jane Smith",), year="2023", total_pages=3)
    assert render_paper(paper) == (
        '---\nid: REF-007\ntitle: "A \\"big\\" study: pages"\nauthors:\n  - Jane Smith\nyear: 2023\n'
        "total_pages: 3\n---\n\n"
        '# REF-007: A "big" study: pages\n\n## Notes\n\n## Key quotes\n'
    )
    assert render_paper(Paper(id="REF-007"), "Text.\n").endswith("---\n\n# REF-007\n\nText.\n")


def test_half_characters_are_replaced() -> None:
    assert read_paper(PATH, render_paper(Paper(id="REF-007", title="a\ud800b"))).title == "a\ufffdb"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Voice: a Study!", "voice-a-study"),
        ("Über Étude", "uber-etude"),
        ("", "untitled"),
        ("日本語", "untitled"),
        ("../../etc/passwd", "etc-passwd"),
        ("\x00\n-", "untitled"),
        ("x" * 100, "x" * 60),
        ("word " * 30, "-".join(["word"] * 12)),
    ],
)
def test_slugs(title: str, expected: str) -> None:
    assert slug(title) == expected


@given(st.text(max_size=200))
def test_a_slug_is_part_of_a_name(title: str) -> None:
    text = slug(title)
    assert 0 < len(text) <= 60
    assert text.isascii()
    assert set(text) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([], "REF-001"),
        (["REF-001", "REF-041"], "REF-042"),
        (["x", "REF-12", "REF-0435", "smith2023"], "REF-001"),
        (["REF-998"], "REF-999"),
        (["REF-999", "REF-001"], "REF-1000"),
        (["REF-1009", "REF-999"], "REF-1010"),
        (["REF-999999"], None),
    ],
)
def test_the_next_id(ids: list[str], expected: str | None) -> None:
    assert next_id(ids) == expected


FILE = """---
id: REF-007  # ours
key_quotes:
  # the first
  - quote: 'One: two'   # odd quotes
    page: 3
  - {quote: flow, page: 4}
  - quote: |
      a block
      of words
    page: 5
  - quote: done
    validated: false
    validation_date: 2020-01-01
    validator: "@old"
---
Body.

> "plain words" (p. 9)
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_marks_change_nothing_else(end: str) -> None:
    text = FILE.replace("\n", end)
    paper = read_paper(PATH, text)
    assert paper.problems == ()
    assert len(paper.key_quotes) == 5
    new, marked = mark_validated(text, paper, [4, 0, 1, 2, 3, 3], "2026-01-25", "@jane")
    assert marked == (0, 1, 2, 3)
    after = read_paper(PATH, new)
    assert [(quote.validated, quote.validator) for quote in after.key_quotes] == [(True, "@jane")] * 4 + [(False, "")]
    rows = new.split(end)
    for row in text.split(end):
        if not row.lstrip().startswith(("validat", "- {")):
            assert row in rows
            rows.remove(row)
    assert [row for row in rows if "2020-01-01" in row or "@old" in row or "false" in row] == []
    assert mark_validated(new, after, [0, 1, 2, 3], "2026-01-25", "@jane")[0] == new


@pytest.mark.parametrize(
    ("text", "indexes", "date", "validator"),
    [
        (FILE, [], "2026-01-25", "@j"),
        (FILE, [4], "2026-01-25", "@j"),
        (FILE, [99, -1], "2026-01-25", "@j"),
        (FILE, [0], "yesterday", "@j"),
        (FILE, [0], "", "@j"),
        (FILE, [0], "2026-01-25", ""),
        (FILE.replace("validated: false", "validated: [x]"), [3], "2026-01-25", "@j"),
        ('> "plain words" (p. 9)\n', [0], "2026-01-25", "@j"),
        ('---\na: [\n---\n> "plain" (p. 9)\n', [0], "2026-01-25", "@j"),
        ("", [0], "2026-01-25", "@j"),
    ],
)
def test_what_cannot_be_marked_is_left_alone(text: str, indexes: list[int], date: str, validator: str) -> None:
    assert mark_validated(text, read_paper(PATH, text), indexes, date, validator) == (text, ())


def test_a_file_that_changed_is_left_alone() -> None:
    paper = read_paper(PATH, FILE)
    shorter = FILE.replace("  - {quote: flow, page: 4}\n", "")
    assert mark_validated(shorter, paper, [0], "2026-01-25", "@j") == (shorter, ())


@given(papers, st.sets(st.integers(0, 3)), hostile)
def test_any_paper_can_be_marked(paper: Paper, indexes: set[int], validator: str) -> None:
    text = render_paper(paper)
    new, marked = mark_validated(text, read_paper(PATH, text), sorted(indexes), "2026-02-03", validator)
    assert marked == tuple(sorted(index for index in indexes if index < len(paper.key_quotes)))
    again = read_paper(PATH, new)
    for at, quote in enumerate(again.key_quotes):
        assert quote.validated is (at in marked or paper.key_quotes[at].validated)
        assert quote.quote == paper.key_quotes[at].quote
