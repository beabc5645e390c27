"""Links: which path they mean, and how they are rewritten around their text."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Lines, Place
from pincite.dialects import link
from pincite.text.document import Document


def read(text: str, path: str = "x.md") -> list[Citation]:
    return [item for item in link.extract(Document(path, text)) if isinstance(item, Citation)]


def moved(text: str, place: Place, path: str = "x.md") -> str | None:
    document = Document(path, text)
    (citation,) = read(text, path)
    edit = link.repoint(document, citation, place)
    return None if edit is None else text[: edit.span.start] + edit.replacement + text[edit.span.end :]


@pytest.mark.parametrize(
    ("text", "key", "alternate"),
    [
        ("[t](a.py#L3)", "docs/a.py", "a.py"),
        ("[t](../a.py#L3)", "a.py", ""),
        ("[t](/a.py#L3)", "a.py", ""),
        ("[t](<a b.py#L3>)", "docs/a b.py", "a b.py"),
        ("[t](a%20b.py#L3)", "docs/a b.py", "a b.py"),
        ("[t](../../a.py#L3)", "../a.py", ""),
    ],
)
def test_the_folder_is_tried_first_and_the_root_second(text: str, key: str, alternate: str) -> None:
    (citation,) = read(text, "docs/x.md")
    assert (citation.source.key, citation.alternate) == (key, alternate)


@pytest.mark.parametrize(
    "text", ["[t](https://h/a#L3)", "[t](a.py)", "[t](#L3)", "](a#L3)", "[a\n\nb](a#L3)", "`[t](a#L3)`", "[t](a#Lx)"]
)
def test_other_links_are_left_alone(text: str) -> None:
    assert list(link.extract(Document("x.md", text))) == []


def test_an_address_below_the_root_is_read_without_a_line() -> None:
    for text in ("[t](file:///r/docs/gone.md)", "[t](<file:///r/docs/gone.md>)", '[t](file:///r/docs/gone.md "x")'):
        (found,) = link.extract(Document("x.md", text, top="/r"))
        assert isinstance(found, Citation)
        assert (found.source.key, found.lines) == ("docs/gone.md", None)


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("[t](a.py#L3)", Place("docs/a.py", Lines(4, 4)), "[t](a.py#L4)"),
        ('[a [b]](a.py#L3-L5 "x")', Place("docs/a.py", Lines(4, 6)), '[a [b]](a.py#L4-L6 "x")'),
        ("[t](a.py#L3C1-L5C2)", Place("docs/a.py", Lines(4, 6)), "[t](a.py#L4C1-L6C2)"),
        ("[t](a.py#L3C1-L5C2)", Place("docs/a.py", Lines(4, 7)), "[t](a.py#L4-L7)"),
        ("[t](a.py#L3)", Place("lib/b c.py", Lines(4, 4)), "[t](../lib/b%20c.py#L4)"),
        ("[t](<a.py#L3>)", Place("lib/b c.py", Lines(4, 4)), "[t](<../lib/b c.py#L4>)"),
        ("[t](/a.py#L3)", Place("lib/b.py", Lines(4, 4)), "[t](/lib/b.py#L4)"),
        ("[x](u#L1)[t](a.py#L3)", Place("docs/a.py", Lines(4, 4)), None),
    ],
)
def test_an_edit_keeps_the_text_and_the_way_of_writing(text: str, place: Place, expected: str | None) -> None:
    if expected is None:
        first, second = read(text, "docs/x.md")
        edit = link.repoint(Document("docs/x.md", text), second, place)
        assert edit is not None
        assert (edit.span.start, edit.replacement) == (first.span.end, "[t](a.py#L4)")
    else:
        assert moved(text, place, "docs/x.md") == expected


LABELS = {
    "path and line": ("src/a.py:20", "lib/b.py:31"),
    "path and fragment": ("src/a.py#L20", "lib/b.py#L31"),
    "name and line": ("a.py:20", "b.py:31"),
    "name and spaced line": ("a.py L20", "b.py L31"),
    "as in the link": ("../src/a.py:20", "../lib/b.py:31"),
    "code": ("`src/a.py:20`", "`lib/b.py:31`"),
    "a path alone": ("src/a.py", "lib/b.py"),
    "a name alone": ("`a.py`", "`b.py`"),
    "a line alone": ("L20", "L31"),
    "other lines": ("src/a.py:20-40", "src/a.py:20-40"),
    "several": ("src/a.py:20,44", "src/a.py:20,44"),
    "another file": ("src/other.py:20", "src/other.py:20"),
    "part of a name": ("aa.py:20", "aa.py:20"),
    "words around it": ("see src/a.py:20", "see lib/b.py:31"),
    "an open code span": ("`src/a.py:20", "`lib/b.py:31"),
    "a column": ("src/a.py:20:4", "lib/b.py:31:4"),
    "prose": ("the limit of 20", "the limit of 20"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize("name", LABELS)
def test_a_text_that_is_the_old_place_becomes_the_new_one_and_never_half(name: str) -> None:
    old, new = LABELS[name]
    place = Place("lib/b.py", Lines(31, 31))
    assert moved(f"See [{old}](../src/a.py#L20).", place, "docs/x.md") == f"See [{new}](../lib/b.py#L31)."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("src/a.py:3-5", "src/a.py:7-9"),
        ("src/a.py:3–5", "src/a.py:7–9"),
        ("a.py#L3-L5", "a.py#L7-L9"),
        ("`L3-5`", "`L7-9`"),
        ("a.py", "a.py"),
    ],
)
def test_a_text_that_is_a_range_becomes_the_new_range(old: str, new: str) -> None:
    place = Place("src/a.py", Lines(7, 9))
    assert moved(f"[{old}](../src/a.py#L3-L5)", place, "docs/x.md") == f"[{new}](../src/a.py#L7-L9)"


def test_a_name_that_means_something_in_a_text_leaves_the_text_as_it_was() -> None:
    text = "[src/a.py:20](../src/a.py#L20)"
    assert moved(text, Place("lib/b].py", Lines(3, 3)), "docs/x.md") == "[src/a.py:20](../lib/b%5D.py#L3)"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[t](file:///r/docs/a.md#L3)", "docs/a.md"),
        ("[t](FILE://localhost/r/a%20b.md#L3)", "a b.md"),
        ("[t](<file:///r/a b.md#L3>)", "a b.md"),
        ("[t](file:///r/x/../../etc/passwd#L3)", "../etc/passwd"),
        ("[t](file:///rest/a.md#L3)", "/rest/a.md"),
        ("[t](file:///etc/passwd#L3)", "/etc/passwd"),
        ("[t\\]](file:///r/a.md#L3)", "a.md"),
        ("[a\\](b#L1) c](file:///r/a.md#L3)", "a.md"),
    ],
)
def test_an_address_of_a_file_is_read_below_the_root(text: str, key: str) -> None:
    (found,) = link.extract(Document("docs/x.md", text, top="/r"))
    assert isinstance(found, Citation)
    assert (found.source.key, found.lines, found.alternate) == (key, Lines(3, 3), "")


@pytest.mark.parametrize(
    "text",
    [
        "[t](file://host/r/a.md#L3)",
        "[t](file:/r/a.md#L3)",
        "[t](file:///etc/a.md)",
        "[t](file:///r/)",
        "[t](files:///r/a.md#L3)",
    ],
)
def test_other_addresses_are_left_alone(text: str) -> None:
    assert list(link.extract(Document("x.md", text, top="/r"))) == []


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("[t](file:///r/a.md#L3)", Place("a.md", Lines(4, 5)), "[t](file:///r/a.md#L4-L5)"),
        (
            "[t](file://localhost/r/a.md#L3)",
            Place("lib/b c.md", Lines(4, 4)),
            "[t](file://localhost/r/lib/b%20c.md#L4)",
        ),
        ("[t](<file:///r/a.md#L3>)", Place("lib/b c.md", Lines(4, 4)), "[t](<file:///r/lib/b c.md#L4>)"),
    ],
)
def test_an_address_of_a_file_stays_one(text: str, place: Place, expected: str) -> None:
    document = Document("docs/x.md", text, top="/r")
    (citation,) = (item for item in link.extract(document) if isinstance(item, Citation))
    edit = link.repoint(document, citation, place)
    assert edit is not None
    assert edit.replacement == expected
    unknown = Document("docs/x.md", text)
    assert link.repoint(unknown, citation, Place("lib/other.md", Lines(4, 4))) is None
