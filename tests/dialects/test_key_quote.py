"""Key quotes: what a corpus file keeps of its paper, and what is wrong in it."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Malformed, Pages, Place
from pincite.dialects import key_quote
from pincite.text.document import Document

PATH = "papers/REF-043-voice.md"
FILE = """---
title: Steady voices
total_pages: 24
key_quotes:
  - quote: "Voice consistency improves quality"
    page: 15
    section: Results
    validated: true
  - quote: >
      A second one
      over two lines
    page: 3-4
  - {quote: 'A third one in braces', page: iv}
  - quote: A fourth one without a page
---

# REF-043: Steady voices

- It says "a fifth one in the text" (p. 7, Methods)
"""


def found(text: str, path: str = PATH) -> list[Citation | Malformed]:
    items = list(key_quote.extract(Document(path, text)))
    assert all(text[item.span.start : item.span.end] == item.raw for item in items)
    return items


def test_every_quote_is_a_citation_of_the_paper() -> None:
    items = found(FILE)
    assert all(isinstance(item, Citation) and item.source.key == "REF-043" for item in items)
    rows = [(item.quote.exact.strip(), item.pages, item.section) for item in items if item.quote is not None]  # type: ignore[union-attr]
    assert rows == [
        ("Voice consistency improves quality", Pages("15", "15"), "Results"),
        ("A second one over two lines", Pages("3", "4"), ""),
        ("A third one in braces", Pages("iv", "iv"), ""),
        ("A fourth one without a page", None, ""),
        ("a fifth one in the text", Pages("7", "7"), "Methods"),
    ]


@pytest.mark.parametrize(
    ("path", "read"),
    [
        *((PATH, True), ("REF-043.md", True), ("a/b/REF-043-x-y.md", True)),
        *(
            ("REF-1435-voice.md", True),
            ("REF-0435-voice.md", False),
            ("xREF-043-voice.md", False),
            ("REF-043-voice.txt", False),
            ("REF-043.md/x", False),
        ),
    ],
)
def test_only_files_of_such_a_name_are_read(path: str, read: bool) -> None:
    assert key_quote.reads(path) is read
    assert bool(found(FILE, path)) is read


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("---\nkey_quotes:\n  - quote: a b c d\n    page: [3]\n---\n", 4, "key_quotes[0].page"),
        ("---\ntitle: x\ntotal_pages: many\n---\n", 3, "total_pages: expected a whole number"),
        ("---\nyear: soon\n---\n", 2, "year: expected a year like 2023"),
        ("---\ndoi: none\n---\n", 2, "doi: expected a DOI"),
        ("---\nurl: file:///etc/passwd\n---\n", 2, "url: expected an http or https address"),
        ("---\npdf: /etc/passwd\n---\n", 2, "pdf: expected a path relative to this file"),
        ("---\nkey_quotes: {a: b}\n---\n", 2, "key_quotes: expected a list"),
        ("---\na: *b\n---\n", 2, "frontmatter: expected plain YAML"),
        ("# REF-044: Another paper\n", 1, "id: expected REF-043"),
    ],
)
def test_what_is_wrong_is_malformed_with_its_line(text: str, line: int, reason: str) -> None:
    (item,) = found(text)
    assert isinstance(item, Malformed)
    assert reason in item.reason
    assert Document(PATH, text).position(item.span.start)[0] == line


def test_a_fault_inside_a_quote_is_told_instead_of_it() -> None:
    faulty = "  - quote: a b c d\n    page: 3\n    validated: maybe\n"
    text = f"---\nkey_quotes:\n{faulty}  - quote: e f g h\n    page: 4\n---\n"
    first, second = found(text)
    assert isinstance(first, Malformed)
    assert isinstance(second, Citation) and second.quote is not None
    assert second.quote.exact == "e f g h"


@pytest.mark.parametrize("page", ["page: 15", "page: '15'", 'page: "15"', "page:   15  # on paper"])
def test_only_the_page_of_a_key_quote_changes(page: str) -> None:
    text = f"---\nkey_quotes:\n  - quote: on page 15 it says, page 15\n    {page}\n    section: Results\n---\n"
    document = Document(PATH, text)
    (item,) = key_quote.extract(document)
    assert isinstance(item, Citation)
    edit = key_quote.repoint(document, item, Place("", None, Pages("16", "16")))
    assert edit is not None
    changed = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    assert changed == text.replace(page, page.replace("15", "16"))


def test_the_page_of_a_quote_in_braces_or_in_the_text_changes_too() -> None:
    for text, expected in (
        (
            "---\nkey_quotes:\n  - {quote: a b c d, page: 2}\n---\n",
            "---\nkey_quotes:\n  - {quote: a b c d, page: 9}\n---\n",
        ),
        ('# REF-043: x\n\n> "a b c d" (p. 2)\n', '# REF-043: x\n\n> "a b c d" (p. 9)\n'),
    ):
        document = Document(PATH, text)
        (item,) = key_quote.extract(document)
        assert isinstance(item, Citation)
        edit = key_quote.repoint(document, item, Place("", None, Pages("9", "9")))
        assert edit is not None
        assert text[: edit.span.start] + edit.replacement + text[edit.span.end :] == expected


def test_a_quote_without_a_page_is_not_given_one() -> None:
    document = Document(PATH, "---\nkey_quotes:\n  - quote: a b c d\n---\n")
    (item,) = key_quote.extract(document)
    assert isinstance(item, Citation)
    assert key_quote.repoint(document, item, Place("", None, Pages("9", "9"))) is None
