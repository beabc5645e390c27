"""Entries of a bibliography by key, as in `[@smith2020, p. 15]`."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Malformed, Pages, Place
from pincite.dialects import key
from pincite.text.document import Document


def found(text: str) -> list[Citation | Malformed]:
    items = list(key.extract(Document("x.md", text)))
    assert all(text[item.span.start : item.span.end] == item.raw for item in items)
    return items


@pytest.mark.parametrize(
    ("text", "raw", "name", "pages", "section"),
    [
        ("[@smith2020]", "[@smith2020]", "smith2020", None, ""),
        ("[@smith2020, p. 15]", "[@smith2020, p. 15]", "smith2020", ("15", "15"), ""),
        ("[@smith2020, pp. 15-17]", "[@smith2020, pp. 15-17]", "smith2020", ("15", "17"), ""),
        ("[@smith2020, Section 3]", "[@smith2020, Section 3]", "smith2020", None, "Section 3"),
        ("[-@smith2020, p. 3]", "[-@smith2020, p. 3]", "smith2020", ("3", "3"), ""),
        ("[see @smith2020, p. 3]", "@smith2020, p. 3", "smith2020", ("3", "3"), ""),
        ("@smith2020 [p. 3] says", "@smith2020 [p. 3]", "smith2020", ("3", "3"), ""),
        ("[@smith2020,\np. 3]", "[@smith2020,\np. 3]", "smith2020", ("3", "3"), ""),
        ("[@smith2020 p. 3]", "[@smith2020 p. 3]", "smith2020", ("3", "3"), ""),
        ("@smith2020 says", "@smith2020", "smith2020", None, ""),
        ("[@smith:2020.b]", "[@smith:2020.b]", "smith:2020.b", None, ""),
        ("[@{a.b:c-}]", "[@{a.b:c-}]", "a.b:c-", None, ""),
        ("As @smith2020.", "@smith2020", "smith2020", None, ""),
        ("[@müller2020]", "[@müller2020]", "müller2020", None, ""),
    ],
)
def test_what_is_read(text: str, raw: str, name: str, pages: tuple[str, str] | None, section: str) -> None:
    (item,) = found(text)
    assert isinstance(item, Citation)
    assert (item.raw, item.source.scheme, item.source.key, item.section) == (raw, "bibliography", name, section)
    assert item.pages == (Pages(*pages) if pages else None)


def test_a_row_of_keys() -> None:
    items = found("[see @a2020, pp. 3-4; @b; also @c, §2]")
    assert [item.raw for item in items] == ["@a2020, pp. 3-4", "@b", "@c, §2"]
    assert all(isinstance(item, Citation) and not item.tentative for item in items)


@pytest.mark.parametrize(
    "text",
    [
        "a@example.org",
        "`[@smith2020]`",
        "```\n[@a]\n```\n",
        "@",
        "[@]",
        "@@a",
        "a/@scope",
        "\\@a",
        "x.@a",
        "@{a b}",
        "@a@b",
    ],
)
def test_what_is_no_key(text: str) -> None:
    assert found(text) == []


def test_outside_brackets_a_key_may_be_a_name() -> None:
    (item,) = found("Ask @octocat about it.")
    assert isinstance(item, Citation)
    assert item.tentative


@pytest.mark.parametrize("text", ["[@a, p.]", "[@a, p. x-y]", "[@a, pp. 9-3]"])
def test_mistakes_are_malformed(text: str) -> None:
    (item,) = found(text)
    assert isinstance(item, Malformed)


def test_words_beside_a_key_are_quoted() -> None:
    (item,) = found("It is “said in so many words” [@smith2020, p. 3].")
    assert isinstance(item, Citation) and item.quote is not None
    assert item.quote.exact == "said in so many words"


@pytest.mark.parametrize("name", ["smith2020", "a:b", "a.b", "-odd", "a.", "x_y", "1999"])
def test_what_is_written_is_read_again(name: str) -> None:
    source = found("[@x]")[0]
    assert isinstance(source, Citation)
    from msgspec.structs import replace

    citation = replace(source, source=replace(source.source, key=name), pages=Pages("3", "5"), section="Methods")
    (again,) = found(key.render(citation))
    assert isinstance(again, Citation)
    assert (again.source, again.pages, again.section) == (citation.source, citation.pages, citation.section)


def test_only_the_page_changes() -> None:
    document = Document("x.md", "[@smith2020, p. 3]")
    (item,) = key.extract(document)
    assert isinstance(item, Citation)
    edit = key.repoint(document, item, Place("", None, Pages("4", "4")))
    assert edit is not None
    assert document.text[: edit.span.start] + edit.replacement + document.text[edit.span.end :] == "[@smith2020, p. 4]"
