"""Corpus files: what they say in either form, and what is refused with line, field and value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.papers.corpus_file import paper_id, read_paper
from pincite.papers.model import Paper, Section

PATH = "corpus/REF-043-voice.md"
FULL = """---
id: REF-043
title: "Voice: a study"
authors: [Jane Smith, John Doe]
year: 2023
doi: https://doi.org/10.1000/ABC.d
url: https://example.org/p
total_pages: 24
page_range: 81–104
pdf: files/voice.pdf
relevance: high
sections:
  - name: Introduction
    pages: 81-83
  - name: Methods
    pages: 83
  - name: Notes
key_quotes:
  - quote: "Voice matters."
    page: 85
    section: Results
    validated: true
    validation_date: 2026-01-25
    validator: "@jane"
  - quote: Roman pages
    page: "iv"
  - quote: Two pages
    page: "85-86"
---

# REF-043: Another title
"""
PLAIN = """# REF-043: Voice — a study

## Document Profile

| Attribute | Value |
|-----------|-------|
| **Pages** | 16 |
| Authors | Jane Smith, John Doe and Wei Li |
| Year | 2023 |
| DOI | [10.1000/ABC](https://doi.org/10.1000/ABC) |
| URL | <https://example.org/p> |
| PDF | `files/voice.pdf` |

## Sections

- Introduction (pp. 1-3)
- Methods: 3-9
- Some prose about it

## Key Quotes

> "First words
> go on" (p. 7)

- **Finding**: "A "nested" quote" (pp. 7-8).
- “Curly words” (p. 9, Results)
> No marks here (p. iv)
> "At once" (Section 3, p. 10)
"""


def fields(text: str) -> list[tuple[int, str]]:
    return [(problem.line, problem.field) for problem in read_paper(PATH, text).problems]


@pytest.mark.parametrize("name", ["REF-043-slug.md", "REF-043.md", "REF-043.pdf", "a/b/REF-043-x.PDF", "REF-043-ü.md"])
def test_names_of_papers(name: str) -> None:
    assert paper_id(name) == "REF-043"


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("REF-1000-x.md", "REF-1000"),
        ("REF-123456.pdf", "REF-123456"),
        ("REF-0100-x.md", None),
        ("REF-1234567.md", None),
    ],
)
def test_names_of_papers_from_the_thousandth_on(name: str, identity: str | None) -> None:
    assert paper_id(name) == identity


@pytest.mark.parametrize(
    "name",
    [
        *(
            "REF-0435-x.md",
            "REF-43.md",
            "XREF-043.md",
            "ref-043.md",
            "REF-043",
            "REF-043.txt",
            "REF-043_x.md",
            "REF-043x.md",
        ),
        *(
            "REF-043-x.md/y",
            "",
            "REF-\u0660\u0661\u0662.md",
            "REF-043-a\nb.md",
            "REF-043.md.bak",
            "README.md",
            " REF-043.md",
        ),
    ],
)
def test_names_of_other_files(name: str) -> None:
    assert paper_id(name) is None


def test_frontmatter_says_everything() -> None:
    paper = read_paper(PATH, FULL)
    assert paper.problems == ()
    assert (paper.id, paper.path, paper.title) == ("REF-043", PATH, "Voice: a study")
    assert paper.authors == ("Jane Smith", "John Doe")
    assert (paper.year, paper.doi, paper.url) == ("2023", "10.1000/abc.d", "https://example.org/p")
    assert (paper.total_pages, paper.page_range, paper.pdf, paper.relevance) == (
        24,
        "81-104",
        "files/voice.pdf",
        "high",
    )
    assert paper.sections == (Section("Introduction", "81-83"), Section("Methods", "83"), Section("Notes"))
    first, second, third = paper.key_quotes
    assert (first.quote, first.page, first.section, first.validated) == ("Voice matters.", "85", "Results", True)
    assert (first.validation_date, first.validator) == ("2026-01-25", "@jane")
    assert first.span is not None
    assert FULL[first.span.start : first.span.end].startswith("quote:")
    assert (second.page, third.page, third.validated) == ("iv", "85-86", False)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_plain_form_says_it_too(end: str) -> None:
    text = PLAIN.replace("\n", end)
    paper = read_paper(PATH, text)
    assert paper.problems == ()
    assert (paper.title, paper.total_pages, paper.page_range) == ("Voice — a study", 16, "")
    assert paper.authors == ("Jane Smith", "John Doe", "Wei Li")
    assert (paper.year, paper.doi, paper.url) == ("2023", "10.1000/abc", "https://example.org/p")
    assert paper.pdf == "files/voice.pdf"
    assert paper.sections == (Section("Introduction", "1-3"), Section("Methods", "3-9"))
    assert [(quote.quote, quote.page, quote.section) for quote in paper.key_quotes] == [
        ("First words go on", "7", ""),
        ('A "nested" quote', "7-8", ""),
        ("Curly words", "9", "Results"),
        ("No marks here", "iv", ""),
        ("At once", "10", "Section 3"),
    ]
    span = paper.key_quotes[1].span
    assert span is not None
    assert text[span.start : span.end] == '- **Finding**: "A "nested" quote" (pp. 7-8).'


@pytest.mark.parametrize(
    ("row", "total", "page_range"),
    [
        ("| Pages | 16 |", 16, ""),
        ("| Pages | 16 pages |", 16, ""),
        ("| Pages | 81-97 |", None, "81-97"),
        ("| Pages | 81–97 (17 pages) |", 17, "81-97"),
        ("| Page range | pp. 81-97 |", None, "81-97"),
        ("**Pages**: 16", 16, ""),
        ("**Pages:** 16", 16, ""),
        ("- Pages: 16", 16, ""),
        ("- **Pages**: 81-97", None, "81-97"),
        ("| Pages | Year |\n|---|---|\n| 16 | 2020 |", 16, ""),
        ("| Pages | n/a |", None, ""),
        ("| Pages | |", None, ""),
        ("Pages: 16", None, ""),
        ("`| Pages | 16 |`", None, ""),
        ("```\n| Pages | 16 |\n```", None, ""),
        ("## Related work\n- Pages: 16", None, ""),
        ("| Homepages | 16 |", None, ""),
        ("|---|---|", None, ""),
    ],
)
def test_rows_about_pages(row: str, total: int | None, page_range: str) -> None:
    paper = read_paper(PATH, f"# REF-043: T\n\n{row}\n")
    assert (paper.total_pages, paper.page_range, paper.problems) == (total, page_range, ())


@pytest.mark.parametrize(
    ("row", "field", "value"),
    [
        ("| Pages | 97-81 |", "pages", "97-81"),
        ("| Pages | many |", "pages", "many"),
        ("| Pages | 0 |", "pages", "0"),
        ("| Page range | 16 to 18 |", "page_range", "16 to 18"),
        ("| DOI | 11.1000/x |", "doi", "11.1000/x"),
        ("| URL | javascript:alert(1) |", "url", "javascript:alert(1)"),
        ("| Year | soon |", "year", "soon"),
        ("| PDF | /etc/passwd |", "pdf", "/etc/passwd"),
        ("| Section | Pages |\n|---|---|\n| Results | late |", "sections[0].pages", "late"),
        ('> "words" (p. ?)', "key_quotes[0].page", "?"),
        ('> "words" (pp. 9-3)', "key_quotes[0].page", "9-3"),
    ],
)
def test_rows_that_say_nonsense(row: str, field: str, value: str) -> None:
    (problem,) = read_paper(PATH, f"# REF-043: T\n\n{row}\n").problems
    assert problem.field == field
    assert problem.line >= 3
    assert problem.message.startswith(f"{field}: expected ")
    assert problem.message.endswith(f'got "{value}"')


@pytest.mark.parametrize(
    "text",
    [
        *(
            "- no marks (p. 7)",
            '"no item" (p. 7)',
            '- "no page"',
            '- "words" (see p. 7)',
            '- "words" (Smith 2023)',
            '- "" (p. 7)',
        ),
        *(
            '- "words" (p. 7) and more',
            "> (p. 7)",
            '```\n> "code" (p. 7)\n```',
            "> the number (pi)",
            '- "words" (page one)',
        ),
        *('- words" (p. 7)', '| "cell" (p. 7) |', '# "heading" (p. 7)', '> "open words (p. 7)', "- 'single' (p. 7)"),
    ],
)
def test_what_is_no_quote(text: str) -> None:
    paper = read_paper(PATH, f"# REF-043: T\n\n{text}\n")
    assert paper.key_quotes == ()
    assert paper.problems == ()


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ('> "A" (p. 1)\n> "B" (p. 2)', ["A", "B"]),
        ('- "A" and then "B" (p. 2)', ["B"]),
        ('> "A" (p. 1)\nprose', ["A"]),
        ('- "A long\n  item" (p. 1)', ["A long item"]),
        ('1. *"A"* (p. 1)', ["A"]),
        ('- > "A" (p. 1)', ["A"]),
        ('> "A"\n>\n> "B" (p. 2)', ["B"]),
        ("> «A» (S. 1)\n\n> «B» (p. 2)", ["B"]),
    ],
)
def test_where_quotes_begin_and_end(text: str, quotes: list[str]) -> None:
    assert [quote.quote for quote in read_paper(PATH, text).key_quotes] == quotes


@pytest.mark.parametrize(
    ("row", "field", "got"),
    [
        ('total_pages: "12"', "total_pages", 'got "12" (write it without quotes)'),
        ("total_pages: -3", "total_pages", "got -3"),
        ("total_pages: 0", "total_pages", "got 0"),
        ("total_pages: 12.5", "total_pages", "got 12.5"),
        ("total_pages: true", "total_pages", "got true"),
        ("total_pages: [1]", "total_pages", "got a list"),
        ("total_pages: 99999999", "total_pages", "got 99999999"),
        ("page_range: 97-81", "page_range", "got 97-81"),
        ("page_range: many", "page_range", "got many"),
        ("page_range: true", "page_range", "got true"),
        ("page_range: {a: 1}", "page_range", "got a map"),
        ("sections: Results", "sections", "got Results"),
        ("sections: {Results: 1-2}", "sections", "got a map"),
        ("sections: [Results]", "sections[0]", "got Results"),
        ("sections: [{pages: 1-2}]", "sections[0].name", "got none"),
        ("sections: [{name: Results, pages: late}]", "sections[0].pages", "got late"),
        ("sections: [{name: Results, pages: 9-3}]", "sections[0].pages", "got 9-3"),
        ("sections: [{name: [x]}]", "sections[0].name", "got a list"),
        ("key_quotes: words", "key_quotes", "got words"),
        ("key_quotes: [words]", "key_quotes[0]", "got words"),
        ("key_quotes: [{page: 3}]", "key_quotes[0].quote", "got none"),
        ('key_quotes: [{quote: " "}]', "key_quotes[0].quote", "got none"),
        ("key_quotes: [{quote: a, page: -3}]", "key_quotes[0].page", "got -3"),
        ("key_quotes: [{quote: a, page: soon}]", "key_quotes[0].page", "got soon"),
        ("key_quotes: [{quote: a, page: [1]}]", "key_quotes[0].page", "got a list"),
        ('key_quotes: [{quote: a, validated: "true"}]', "key_quotes[0].validated", 'got "true"'),
        ("key_quotes: [{quote: a, validated: yes}]", "key_quotes[0].validated", "got yes"),
        ("key_quotes: [{quote: a, validation_date: today}]", "key_quotes[0].validation_date", "got today"),
        ("key_quotes: [{quote: a, validator: [x]}]", "key_quotes[0].validator", "got a list"),
        ("year: soon", "year", "got soon"),
        ("year: 99999", "year", "got 99999"),
        ("year: [2023]", "year", "got a list"),
        ("doi: 10.1/x", "doi", "got 10.1/x"),
        ("doi: https://example.org/10.1000/x", "doi", "got https://example.org/10.1000/x"),
        ("url: javascript:alert(1)", "url", "got javascript:alert(1)"),
        ("url: example.org", "url", "got example.org"),
        ("pdf: /etc/passwd", "pdf", "got /etc/passwd"),
        ("pdf: https://example.org/x.pdf", "pdf", "got https://example.org/x.pdf"),
        ("title: [a]", "title", "got a list"),
        ("authors: {a: b}", "authors", "got a map"),
        ("authors: [[a]]", "authors[0]", "got a list"),
        ("id: REF-044", "id", 'got "REF-044"'),
        ("id: [REF-043]", "id", "got a list"),
    ],
)
def test_fields_that_hold_what_they_must_not(row: str, field: str, got: str) -> None:
    paper = read_paper(
        PATH, f"---\ntitle: T\n{row}\n---\n" if not row.startswith("title") else f"---\nyear: 2020\n{row}\n---\n"
    )
    (problem,) = paper.problems
    assert (problem.line, problem.field) == (3, field)
    assert problem.message.startswith(f"{field}: expected ")
    assert problem.message.endswith(got)
    assert paper.id == "REF-043"
    assert not any(quote.validated for quote in paper.key_quotes)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "---\na: [\n---\n",
            "---\na: 1\na: 2\n---\n",
            "---\na: &x 1\nb: *x\n---\n",
            "---\n- a\n---\n",
            "---\nword\n---\n",
        ),
        *(
            "---\ntitle: x\n",
            "---\na: !!python/object:os.system x\n---\n",
            "---\n" + "- " * 500 + "a\n---\n",
            "---\na: \x00\n---\n",
        ),
    ],
)
def test_frontmatter_that_cannot_be_read(text: str) -> None:
    paper = read_paper(PATH, text + "\n| Pages | 16 |\n")
    (problem,) = paper.problems
    assert problem.field == "frontmatter"
    assert problem.message.startswith("frontmatter: expected ")
    assert paper.total_pages == 16


def test_the_frontmatter_wins_and_the_plain_form_fills_in() -> None:
    text = "---\ntitle: A\nkey_quotes:\n  - quote: same words\n    page: 3\n---\n# REF-043: B\n\n| Title | C |\n"
    text += "| Pages | 16 |\n"
    paper = read_paper(PATH, text + '\n> "same  words" (p. 4)\n\n> "other words" (p. 5)\n')
    assert (paper.title, paper.total_pages) == ("A", 16)
    assert [(quote.quote, quote.page) for quote in paper.key_quotes] == [("same words", "3"), ("other words", "5")]


def test_what_is_declared_wrongly_is_not_guessed() -> None:
    paper = read_paper(PATH, '---\ntotal_pages: "12"\n---\n| Pages | 16 |\n')
    assert paper.total_pages is None


def test_a_heading_for_another_paper_is_a_problem() -> None:
    assert fields("# REF-044: T\n") == [(1, "id")]
    assert read_paper("notes.md", "# REF-044: T\n").id == "REF-044"
    assert read_paper("notes.md", "x").id == "notes"


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n{text}", f"> {text} (p. 7)\n| Pages | {text} |"):
        paper = read_paper(PATH, whole)
        assert isinstance(paper, Paper)
        lines = whole.count("\n") + whole.count("\r") + 2
        assert all(1 <= problem.line <= lines for problem in paper.problems)
        assert all(quote.span is not None and quote.quote.strip() for quote in paper.key_quotes)
