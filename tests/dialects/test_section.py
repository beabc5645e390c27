"""Sections: which brackets name a document and a heading, and how they are rewritten."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Lines, Pages, Place, Safety
from pincite.dialects import section
from pincite.text.document import Document


def read(text: str, path: str = "x.md", top: str = "") -> list[Citation]:
    return [item for item in section.extract(Document(path, text, top=top)) if isinstance(item, Citation)]


@pytest.mark.parametrize(
    ("text", "key", "title"),
    [
        ("[a.md, §Intro]", "a.md", "Intro"),
        ("[a.md,§Intro]", "a.md", "Intro"),
        ("[a.md,\n§Two\nlines]", "a.md", "Two lines"),
        ("[ docs/my file.md , § Intro ]", "docs/my file.md", "Intro"),
        ("[a.md, §x [y] z]", "a.md", "x [y] z"),
        ("[a.md, §x\\]y\\\\]", "a.md", "x]y\\"),
        ("[a.md, §Use `x[0]` now]", "a.md", "Use `x[0]` now"),
        ("[`a.md`, §Intro]", "a.md", "Intro"),
        ("[a.md, §A, §B]", "a.md", "A, §B"),
        ("[a%20b.md, §Intro]", "a b.md", "Intro"),
        ("[/r/docs/a.md, §Intro]", "docs/a.md", "Intro"),
        ("[/etc/a.md, §Intro]", "/etc/a.md", "Intro"),
        ("so [a.md, §Intro]: it says", "a.md", "Intro"),
    ],
)
def test_a_name_and_a_heading(text: str, key: str, title: str) -> None:
    (found,) = read(text, top="/r")
    assert (found.source.scheme, found.source.key, found.section) == ("section", key, title)
    assert (found.lines, found.quote, found.pages) == (None, None, None)


def test_a_percent_sign_may_be_meant_literally() -> None:
    (found,) = read("[a%20b.md, §Intro]")
    assert found.alternate == "a%20b.md"


@pytest.mark.parametrize(
    ("text", "key"), [("[a.md]", "a.md"), ("So [my notes.pdf].", "my notes.pdf"), ("是[a.txt]", "a.txt")]
)
def test_a_name_alone_cites_the_whole_document(text: str, key: str) -> None:
    (found,) = section.extract(Document("x.md", text))
    assert isinstance(found, Citation)
    assert (found.source.key, found.section) == (key, "")
    assert section.render(found) == text[text.index("[") : text.index("]") + 1]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[a.md](b)",
            "[a.md][b]",
            "x[a.md]",
            "![a.md]",
            "[b][a.md]",
            "[a.md]\n\n[A.md]: b",
            "[a.py]",
            "[a.md, Intro]",
            "a.md, §Intro",
            "[a.md, §]",
            "[, §Intro]",
            "[a.md, § ]",
            "[a.md §Intro]",
        ),
        *("`[a.md, §Intro]`", "```\n[a.md, §Intro]\n```", "[a.md, §Intro](b.md)", "[a.md, §Intro][b]"),
        *("[a.md, §Intro", "[a.md, §In\n\ntro]", "\\[a.md, §Intro]", "[a.md, §Intro\\]", "[a.md, §Intro]: b.md"),
        *("[https://h/a.md, §Intro]", "[docs/, §Intro]", "[a.md, §" + "x" * 5000 + "]"),
    ],
)
def test_other_brackets_are_left_alone(text: str) -> None:
    assert list(section.extract(Document("x.md", text))) == []


def test_the_inner_of_two_counts() -> None:
    (found,) = read("[see a.md, §x [b.md, §y]]")
    assert found.raw == "[b.md, §y]"


def test_another_document_keeps_the_heading() -> None:
    document = Document("x.md", "[a.md, §x \\[0\\]]")
    (found,) = read(document.text)
    edit = section.repoint(document, found, Place("docs/b.md", None))
    assert edit is not None
    assert (edit.replacement, edit.safety) == ("[docs/b.md, §x \\[0\\]]", Safety.SAFE)
    assert section.repoint(document, found, Place("docs/b.md", Lines(1, 1))) is None
    assert section.repoint(document, found, Place("docs/b.md", None, Pages("1", "1"))) is None


def test_another_heading_keeps_the_document() -> None:
    (found,) = read("[a\\, §b.md,\n§intro]")
    assert found.source.key == "a, §b.md"
    edit = section.retitle(Document("x.md", found.raw), found, "Intro [2]")
    assert edit is not None
    assert (edit.replacement, edit.safety) == ("[a\\, §b.md,\n§Intro \\[2\\]]", Safety.UNSAFE)


def test_another_document_keeps_the_lines_of_the_heading() -> None:
    document = Document("x.md", "`a` [a.md, §x\n# y] `b` [c")
    (found,) = read(document.text)
    edit = section.repoint(document, found, Place("docs/b.md", None))
    assert edit is not None
    assert edit.replacement == "[docs/b.md, §x\n# y]"
