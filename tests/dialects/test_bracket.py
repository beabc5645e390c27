"""Brackets: the variants that are read, the one form that is written."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Lines, Malformed, Place, SourceRef
from pincite.dialects import bracket
from pincite.text.document import Document


def only(text: str) -> Citation | Malformed:
    (item,) = bracket.extract(Document("x.md", text))
    return item


@pytest.mark.parametrize(
    ("raw", "source", "lines"),
    [
        ("【F:a.py†L3】", SourceRef("file", "a.py"), Lines(3, 3)),
        ("【F:a.py†L3-L5】", SourceRef("file", "a.py"), Lines(3, 5)),
        ("【F:a.py†L3-5】", SourceRef("file", "a.py"), Lines(3, 5)),
        ("【F:a.py†L3–L5】", SourceRef("file", "a.py"), Lines(3, 5)),
        ("【F:a.py† 3 - 5 】", SourceRef("file", "a.py"), Lines(3, 5)),
        ("【a/b†L3】", SourceRef("file", "a/b"), Lines(3, 3)),
        ("【abc123†L1-L7】", SourceRef("chunk", "abc123"), Lines(1, 7)),
        ("【abc123†L5】", SourceRef("chunk", "abc123"), Lines(5, 5)),
        ("【abc123†L1–L7】", SourceRef("chunk", "abc123"), Lines(1, 7)),
        ("【abc123†L1-7】", SourceRef("chunk", "abc123"), Lines(1, 7)),
        ("【abc123†L1–7】", SourceRef("chunk", "abc123"), Lines(1, 7)),
        ("【abc123† 1 - 7 】", SourceRef("chunk", "abc123"), Lines(1, 7)),
        ("【abc1234†L1】", SourceRef("chunk", "abc1234"), Lines(1, 1)),
        ("【123456†L1】", SourceRef("chunk", "123456"), Lines(1, 1)),
        (f"【{'0a' * 32}†L1】", SourceRef("chunk", "0a" * 32), Lines(1, 1)),
        ("【F:abc123†L1】", SourceRef("file", "abc123"), Lines(1, 1)),
        ("【24†source】", SourceRef("opaque", "24"), None),
        ("【12345†L1】", SourceRef("opaque", "12345"), Lines(1, 1)),
        ("【4:0†source】", SourceRef("opaque", "4:0"), None),
    ],
)
def test_variants_are_read(raw: str, source: SourceRef, lines: Lines | None) -> None:
    item = only(f"So.{raw}")
    assert isinstance(item, Citation)
    assert (item.source, item.lines, item.raw) == (source, lines, raw)


def test_a_path_without_its_prefix_counts_only_where_the_file_exists() -> None:
    bare, full = only("So.【b.py†L3】"), only("So.【F:b.py†L3】")
    assert isinstance(bare, Citation) and bare.tentative
    assert isinstance(full, Citation) and not full.tentative


@pytest.mark.parametrize(
    "raw",
    ["【F:a.py†L5-L3】", "【F:a.py】", "【F:†L3】", "【F:a.py†L3", "【abc12†L1】", "【†L1】"]
    + ["【ABC123†L1】", "【abc12g†L1】", f"【{'0a' * 32}0†L1】", "【abc123†L7-L1】", "【abc123†】", "【abc123†L】"],
)
def test_mistakes_are_malformed(raw: str) -> None:
    assert isinstance(only(f"So.{raw}"), Malformed)


@pytest.mark.parametrize("text", ["【重要】", "【", "】", "【a†b】", "`【F:a†L1】`", "```\n【F:a†L1】\n```"])
def test_other_brackets_are_left_alone(text: str) -> None:
    assert list(bracket.extract(Document("x.md", text))) == []


def test_only_the_canonical_form_is_written() -> None:
    text = "So.【a.py†L3–5】"
    document = Document("x.md", text)
    citation = only(text)
    assert isinstance(citation, Citation)
    edit = bracket.repoint(document, citation, Place("a.py", Lines(4, 6)))
    assert edit is not None
    assert edit.replacement == "【F:a.py†L4-L6】"


@pytest.mark.parametrize("path", ["a†b", "a【b", "a】b", "a\nb"])
def test_no_edit_to_a_path_that_brackets_cannot_hold(path: str) -> None:
    citation = only("So.【F:a.py†L3】")
    assert isinstance(citation, Citation)
    assert bracket.repoint(Document("x.md", "So.【F:a.py†L3】"), citation, Place(path, Lines(1, 1))) is None


def test_a_bracket_does_not_run_over_a_carriage_return() -> None:
    text = "Said \u3010F:src/a\r\rb.py\u2020L1\u3011 and more.\r"
    (item,) = bracket.extract(Document("a.md", text))
    assert isinstance(item, Malformed)
    assert item.raw == "\u3010F:src/a"


@pytest.mark.parametrize("raw", ["【abc123†L1–L7】", "【abc123†L1-7】", "【abc123† 1 - 7 】"])
def test_a_chunk_is_written_in_the_canonical_form(raw: str) -> None:
    citation = only(f"So.{raw}")
    assert isinstance(citation, Citation)
    assert bracket.render(citation) == "【abc123†L1-L7】"


@pytest.mark.parametrize(
    "text", ["`【abc123†L1】`", "```\n【abc123†L1】\n```", "【abc123】", "【abc123:1-6】", "[abc123†L1]"]
)
def test_what_is_no_citation_of_a_chunk(text: str) -> None:
    assert list(bracket.extract(Document("x.md", text))) == []
