"""Time grows with the length of the input and no faster, also where someone wrote the input to make it grow."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.papers.bibliography import read_bibliography
from pincite.papers.corpus_file import read_paper
from pincite.papers.corpus_file_writer import mark_validated
from pincite.papers.latex import to_text
from pincite.papers.model import OutlineEntry, Paper, PdfText
from pincite.papers.printed_pages import page_known, pdf_indexes
from pincite.papers.sections import sections_at

Grows = Callable[..., None]
SHORT, TIMES = 6_000, 8
CORPUS = {
    "rows": "| Pages | 16 |\n",
    "rules": "|---|",
    "dashes": "-",
    "pipes": "|",
    "escaped pipes": "\\|",
    "quotes": '> "a" (p. 7)\n',
    "one quote": "> a ",
    "marks": '"',
    "parentheses": "(p. 7",
    "items": "- a\n",
    "one item": "a (p. ",
    "bold": "**a**: ",
    "stars": "*",
    "links": "| URL | [a](b",
    "brackets": "[",
    "link": "[a](bbbbbbbbb ",
    "spaces": " ",
    "fences": "```\n",
    "headings": "# REF-001: a\n",
    "sections": "## Sections\n- a (pp. 1-2)\n",
    "table of sections": "| Section | Pages |\n|---|---|\n| a | x |\n",
    "authors": "| Authors | a and ; , & ",
    "frontmatter": "---\nkey_quotes:\n",
    "angles": "<http:",
}
BIBTEX = {
    "entries": "@a{k, title={a}}\n",
    "open entries": "@a{",
    "open lines": "\n@a{k,",
    "braces": "{",
    "joined": '@a{k, title = "a" # ',
    "quotes": '"',
    "fields": "@a{k, a={b}, ",
    "strings": "@string{a = a # a}\n",
    "escapes": "\\",
    "at": "@",
    "spaces": "@ ",
    "parentheses": "@a(",
}
RIS = {
    "records": "TY  - J\nER  - \n",
    "goes on": "TY  - J\nTI  - a\n b\n b\n b\n b\n b\n b\n b\n b\n",
    "tags": "AU  - a\n",
    "begins": "TY  - J\n",
    "same keys": "TY  - J\nID  - a\nER  - \n",
}
JSON = {"items": '{"id": 1},', "lists": "[", "numbers": "1,", "strings": '"a",', "new lines": "\n"}
LATEX = {
    "roots": "\\sqrt[",
    "accents": "{\\'",
    "macros": "\\a ",
    "braces": "{",
    "long": "\\aaaa",
    "ties": "~",
    "dashes": "-",
}


def repeated(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


CASES = [
    *(("corpus", name, piece) for name, piece in CORPUS.items()),
    *(("bib", name, piece) for name, piece in BIBTEX.items()),
    *(("ris", name, piece) for name, piece in RIS.items()),
    *(("json", name, piece) for name, piece in JSON.items()),
    *(("latex", name, piece) for name, piece in LATEX.items()),
]
LEADS = {"corpus": "", "bib": "", "ris": "TY  - J\nTI  - a\n", "json": "[", "latex": ""}
READERS: dict[str, Callable[[str], object]] = {
    "corpus": lambda text: read_paper("REF-001.md", text),
    "bib": lambda text: read_bibliography("a.bib", text.encode()),
    "ris": lambda text: read_bibliography("a.ris", text.encode()),
    "json": lambda text: read_bibliography("a.json", text.encode()),
    "latex": to_text,
}


@pytest.mark.parametrize(("kind", "name", "piece"), CASES, ids=[f"{kind}-{name}" for kind, name, _ in CASES])
def test_time_grows_with_length(in_proportion: Grows, kind: str, name: str, piece: str) -> None:
    short, long = (LEADS[kind] + repeated(piece, size) for size in (SHORT, SHORT * TIMES))
    assert in_proportion(READERS[kind], short, long, TIMES)


def test_one_long_entry_takes_no_longer_than_many(in_proportion: Grows) -> None:
    short, long = ("@a{k, title={" + "{a} \\'e and " * (size // 12) + "}}" for size in (SHORT, SHORT * TIMES))
    assert in_proportion(READERS["bib"], short, long, TIMES)


def test_marking_grows_with_the_number_of_quotes(in_proportion: Grows) -> None:
    def mark(text: str) -> object:
        paper = read_paper("REF-001.md", text)
        return mark_validated(text, paper, range(len(paper.key_quotes)), "2026-01-25", "@j")

    quotes = ("  - quote: a b\n    page: 3\n" * (size // 28) for size in (SHORT, SHORT * TIMES))
    short, long = (f"---\nkey_quotes:\n{some}---\n" for some in quotes)
    assert in_proportion(mark, short, long, TIMES)


def test_asking_for_pages_grows_with_the_pdf(in_proportion: Grows) -> None:
    def ask(count: int) -> object:
        pages = tuple(f"{at} {'x' * 20}" for at in range(count))
        headings = tuple(OutlineEntry(at % 40, "x", at) for at in range(count))
        pdf = PdfText(pages, tuple(f"S{at}" for at in range(count)), headings)
        paper = Paper(id="REF-001")
        for page in ("S3", "S9-S400", "12"):
            sections_at(paper, pdf, page)
            pdf_indexes(paper, pdf, page)
        return page_known(paper, pdf, "S7")

    assert in_proportion(ask, 300, 300 * TIMES, TIMES)
