"""Footnotes: which definitions name a passage, which path they mean, and how they are rewritten."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Lines, Malformed, Place
from pincite.dialects import footnote
from pincite.text.document import Document


def read(text: str, path: str = "x.md", top: str = "/r") -> list[Citation]:
    return [item for item in footnote.extract(Document(path, text, top=top)) if isinstance(item, Citation)]


@pytest.mark.parametrize(
    ("text", "key", "lines"),
    [
        ("[^1a2b3c4d]: docs/a.md:42", "docs/a.md", Lines(42, 42)),
        ("[^1A2B3C4D]: docs/a.md:42", "docs/a.md", Lines(42, 42)),
        ("   [^1a2b3c4d]:\tdocs/a.md:42  ", "docs/a.md", Lines(42, 42)),
        ("[^1a2b3c4d]: docs/a.md", "docs/a.md", None),
        ("[^1a2b3c4d]: a.md:0", "a.md", Lines(0, 0)),
        ("[^1a2b3c4d]: a.md:3-5", "a.md", Lines(3, 5)),
        ("[^1a2b3c4d]: a.md:3:14", "a.md", Lines(3, 3)),
        (f"[^{'0' * 32}]: a.md:3", "a.md", Lines(3, 3)),
        ("[^1a2b3c4d]: docs/my doc.md:3", "docs/my doc.md", Lines(3, 3)),
        ("[^1a2b3c4d]: docs/a%3A42", "docs/a:42", None),
        ("[^1a2b3c4d]: /r/docs/a.md:42", "docs/a.md", Lines(42, 42)),
        ("[^1a2b3c4d]: /r/x/../docs/a.md:42", "docs/a.md", Lines(42, 42)),
        ("[^1a2b3c4d]: /r/../etc/a.md:42", "../etc/a.md", Lines(42, 42)),
        ("[^1a2b3c4d]: /rest/a.md:42", "/rest/a.md", Lines(42, 42)),
        ("[^1a2b3c4d]: ./Makefile:7", "Makefile", Lines(7, 7)),
        ("words\r[^1a2b3c4d]: a.md:3\rwords", "a.md", Lines(3, 3)),
    ],
)
def test_a_label_and_a_path(text: str, key: str, lines: Lines | None) -> None:
    (found,) = read(text)
    assert (found.source.scheme, found.source.key, found.lines) == ("file", key, lines)


@pytest.mark.parametrize(
    ("text", "key", "alternate"),
    [
        ("[^1a2b3c4d]: a.md:3", "a.md", "docs/a.md"),
        ("[^1a2b3c4d]: ./a.md:3", "docs/a.md", "a.md"),
        ("[^1a2b3c4d]: ../a.md:3", "a.md", ""),
        ("[^1a2b3c4d]: a%20b.md:3", "a b.md", "a%20b.md"),
        ("[^1a2b3c4d]: /r/a%20b.md:3", "a b.md", "a%20b.md"),
    ],
)
def test_the_root_is_tried_first_and_the_folder_second(text: str, key: str, alternate: str) -> None:
    (found,) = read(text, "docs/x.md")
    assert (found.source.key, found.alternate) == (key, alternate)


@pytest.mark.parametrize(
    "text",
    [
        *("[^1]: a.md:3", "[^note]: a.md:3", "[^1a2b3c4]: a.md:3", f"[^{'0' * 33}]: a.md:3", "[^1a2b3c4g]: a.md:3"),
        *(
            "[^1a2b3c4d]: words",
            "[^1a2b3c4d]: Makefile:7",
            "[^1a2b3c4d]:",
            "[^1a2b3c4d] a.md:3",
            "x [^1a2b3c4d]: a.md:3",
        ),
        *("[^1a2b3c4d]: docs/a.md#L3", "[^1a2b3c4d]: docs/a.md#L3-L5"),
        *("[^1a2b3c4d]: https://h/a.md:3", "[^1a2b3c4d]: [t](a.md#L3)", "[^1a2b3c4d]: `a.md:3`", "[^1a2b3c4d]: <a/b>"),
        *("    [^1a2b3c4d]: a.md:3", "[^1a2b3c4d]: See docs/a.md.", "[^1a2b3c4d]: docs/", "[^1a2b3c4d]:a.md:3"),
        *("`[^1a2b3c4d]: a.md:3`", "```\n[^1a2b3c4d]: a.md:3\n```", "> [^1a2b3c4d]: a.md:3", "[^1a2b3c4d]:\na.md:3"),
    ],
)
def test_other_footnotes_are_left_alone(text: str) -> None:
    assert list(footnote.extract(Document("x.md", text))) == []


def test_a_path_with_a_space_could_be_prose() -> None:
    (found,) = read("[^1a2b3c4d]: See docs/a.md:3")
    assert found.tentative
    (found,) = read("[^1a2b3c4d]: docs/a.md:3")
    assert not found.tentative


@pytest.mark.parametrize("text", ["10.1145/3292500.3330701", "AC/DC", "doi:10.1000/xyz.pdf", "example.com", "me@a.org"])
def test_what_other_footnotes_say_counts_only_where_it_is_a_file(text: str) -> None:
    (found,) = read(f"[^20240102]: {text}")
    assert found.tentative


@pytest.mark.parametrize("text", ["docs/a.md", "a.py", "docs/LICENSE:3"])
def test_what_is_plainly_a_file_counts(text: str) -> None:
    (found,) = read(f"[^1a2b3c4d]: {text}")
    assert not found.tentative


def test_a_range_that_ends_before_it_starts_is_a_mistake() -> None:
    (found,) = footnote.extract(Document("x.md", "[^1a2b3c4d]: a.md:5-3"))
    assert isinstance(found, Malformed)
    assert "5-3" in found.reason


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("[^1a2b3c4d]:  a.md:3", Place("a.md", Lines(5, 5)), "[^1a2b3c4d]:  a.md:5"),
        ("[^1a2b3c4d]: a.md:3-4", Place("a.md", Lines(5, 6)), "[^1a2b3c4d]: a.md:5-6"),
        ("[^1a2b3c4d]: /r/a.md:3", Place("a.md", Lines(5, 5)), "[^1a2b3c4d]: /r/a.md:5"),
        ("[^1a2b3c4d]: /r/a.md:3", Place("lib/b c.md", Lines(5, 5)), "[^1a2b3c4d]: /r/lib/b c.md:5"),
        ("[^1a2b3c4d]: a.md:3", Place("lib/b:1", Lines(5, 5)), "[^1a2b3c4d]: lib/b%3A1:5"),
        ("[^1a2b3c4d]: a.md", Place("lib/b.md", None), "[^1a2b3c4d]: lib/b.md"),
    ],
)
def test_an_edit_keeps_the_label_and_the_way_of_writing(text: str, place: Place, expected: str) -> None:
    document = Document("x.md", text, top="/r")
    (found,) = read(text)
    edit = footnote.repoint(document, found, place)
    assert edit is not None
    assert edit.replacement == expected


def test_nothing_is_offered_where_it_could_not_be_written() -> None:
    document = Document("docs/x.md", "[^1a2b3c4d]: a.md:3")
    (found,) = read(document.text, "docs/x.md")
    assert footnote.repoint(document, found, Place("Makefile", Lines(1, 1))) is None
    document = Document("x.md", "[^1a2b3c4d]: /r/a.md:3")
    (found,) = read(document.text, top="")
    assert footnote.repoint(document, found, Place("b.md", Lines(1, 1))) is None
