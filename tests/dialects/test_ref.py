"""Papers by id: what is one, which page and section it names, and what only looks like one."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Malformed, Pages, Place, SourceRef, Span
from pincite.dialects import ref
from pincite.text.document import Document


def found(text: str, path: str = "x.md") -> list[Citation | Malformed]:
    items = list(ref.extract(Document(path, text)))
    assert all(text[item.span.start : item.span.end] == item.raw for item in items)
    return items


def only(text: str) -> Citation:
    (item,) = found(text)
    assert isinstance(item, Citation)
    return item


@pytest.mark.parametrize(
    ("text", "raw", "pages", "section"),
    [
        ("a [REF-043].", "[REF-043]", None, ""),
        ("a (REF-043).", "(REF-043)", None, ""),
        ("a [REF-043, p.15].", "[REF-043, p.15]", ("15", "15"), ""),
        ("a [REF-043, p. 15].", "[REF-043, p. 15]", ("15", "15"), ""),
        ("a [REF-043,p.15].", "[REF-043,p.15]", ("15", "15"), ""),
        ("a [REF-043, page 15].", "[REF-043, page 15]", ("15", "15"), ""),
        ("a [REF-043, pp.15-17].", "[REF-043, pp.15-17]", ("15", "17"), ""),
        ("a [REF-043, pp. 15–17].", "[REF-043, pp. 15–17]", ("15", "17"), ""),
        ("a [REF-043, pp. 15—17].", "[REF-043, pp. 15—17]", ("15", "17"), ""),
        ("a [REF-043, pp. 15 - 17].", "[REF-043, pp. 15 - 17]", ("15", "17"), ""),
        ("a [REF-043, pp. 123-7].", "[REF-043, pp. 123-7]", ("123", "127"), ""),
        ("a [REF-043, p. iv].", "[REF-043, p. iv]", ("iv", "iv"), ""),
        ("a [REF-043, pp. iv-x].", "[REF-043, pp. iv-x]", ("iv", "x"), ""),
        ("a [REF-043, p. S12].", "[REF-043, p. S12]", ("S12", "S12"), ""),
        ("a [REF-043, Section 3].", "[REF-043, Section 3]", None, "Section 3"),
        ("a [REF-043, §3].", "[REF-043, §3]", None, "§3"),
        ("a [REF-043, Methods, p.8].", "[REF-043, Methods, p.8]", ("8", "8"), "Methods"),
        ("a [REF-043, p.8, Methods].", "[REF-043, p.8, Methods]", ("8", "8"), "Methods"),
        ("a [REF-043: p. 8].", "[REF-043: p. 8]", ("8", "8"), ""),
        ("a [REF-043 p. 8].", "[REF-043 p. 8]", ("8", "8"), ""),
        ("a [REF-043; p. 8].", "[REF-043; p. 8]", ("8", "8"), ""),
        ("a [REF-043 §3, p. 8].", "[REF-043 §3, p. 8]", ("8", "8"), "§3"),
        ("a [REF-043, P. 8].", "[REF-043, P. 8]", ("8", "8"), ""),
        ("a [REF-043,\np. 8].", "[REF-043,\np. 8]", ("8", "8"), ""),
        ("a [REF-043, p.\n8].", "[REF-043, p.\n8]", ("8", "8"), ""),
        ("> a [REF-043,\r\n> p. 8].", "[REF-043,\r\n> p. 8]", ("8", "8"), ""),
        ("a [REF-043,\xa0p.\xa08].", "[REF-043,\xa0p.\xa08]", ("8", "8"), ""),
        ("a [REF-043, pp. 8, 10-12 and 15].", "[REF-043, pp. 8, 10-12 and 15]", ("8", "15"), ""),
        ("a [REF-043, p. 8; p. 5].", "[REF-043, p. 8; p. 5]", ("5", "8"), ""),
        ("a [REF-043, chap. 3].", "[REF-043, chap. 3]", None, "chap. 3"),
        ("a [REF-043, Map 3].", "[REF-043, Map 3]", None, "Map 3"),
        ("a (REF-043, as we saw).", "(REF-043, as we saw)", None, ""),
        ("a (REF-043, p. 8, as we saw).", "(REF-043, p. 8, as we saw)", ("8", "8"), ""),
        ("a (REF-043, section 3).", "(REF-043, section 3)", None, "section 3"),
        ("a (REF-043 pages were lost).", "REF-043", None, ""),
        ("a [REF-043\n\np. 8].", "REF-043", None, ""),
        ("a [REF-043,\n\np. 8].", "REF-043", None, ""),
        ("a REF-043 p. 8.", "REF-043 p. 8", ("8", "8"), ""),
        ("a REF-043,\np. 8.", "REF-043,\np. 8", ("8", "8"), ""),
        ("a REF-043\n\np. 8.", "REF-043", None, ""),
        ("a REF-043, pill counts.", "REF-043", None, ""),
        ("a REF-043.", "REF-043", None, ""),
        ("a REF-043, p. 15.", "REF-043, p. 15", ("15", "15"), ""),
        ("a REF-043 (p. 15).", "REF-043 (p. 15)", ("15", "15"), ""),
        ("a REF-043 (pp. 15-17).", "REF-043 (pp. 15-17)", ("15", "17"), ""),
        ("a REF-043, which", "REF-043", None, ""),
        ("a REF-043 (2023)", "REF-043", None, ""),
        ("[REF-043](x.md)", "REF-043", None, ""),
        ("[REF-043, p. 3](x.md)", "REF-043, p. 3", ("3", "3"), ""),
        ("![REF-043](x.png)", "REF-043", None, ""),
        ("[a][REF-043]", "REF-043", None, ""),
        ("[REF-043]: http://example.org", "REF-043", None, ""),
        ("REF-043", "REF-043", None, ""),
        ("**REF-043**", "REF-043", None, ""),
    ],
)
def test_what_is_read(text: str, raw: str, pages: tuple[str, str] | None, section: str) -> None:
    item = only(text)
    assert item.source == SourceRef("ref", "REF-043")
    assert (item.raw, item.section) == (raw, section)
    assert item.pages == (Pages(*pages) if pages else None)


@pytest.mark.parametrize(
    "text",
    [
        *("XREF-043", "REF-043a", "REF-043_b", "ref-043", "Ref-043", "REF-", "REF-x43", "REF 043", "REF–043"),
        *("REF-043-voice", "REF-043-voice.md", "REF-043.pdf", "a/REF-043", "REF-043/x", "a-REF-043", "a.REF-043"),
        *("http://example.org/REF-043", "http://example.org/?q=REF-043", "#REF-043", "@REF-043", "\\REF-043"),
        *("`REF-043`", "`[REF-043, p.3]`", "```\n[REF-043]\n```\n", "~~~\nREF-043\n~~~\n", "REF-043\\x"),
    ],
)
def test_what_is_no_citation(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("digits", ["0435", "43", "4", "00435", "12345678901234567890"])
def test_another_number_of_digits_is_read_and_left_to_whoever_knows_the_corpus(digits: str) -> None:
    for text in (f"[REF-{digits}]", f"a REF-{digits} b", f"(REF-{digits}, p. 3)"):
        item = only(text)
        assert item.tentative
        assert item.source.key == f"REF-{digits}"


@pytest.mark.parametrize("digits", ["1000", "99999", "123456"])
def test_from_the_thousandth_paper_on_an_id_has_more_digits(digits: str) -> None:
    for text in (f"[REF-{digits}, p. 3]", f"a REF-{digits}, p. 3", f"(REF-{digits}, p. 3)"):
        item = only(text)
        assert item.source.key == f"REF-{digits}"
        assert item.pages == Pages("3", "3")
        assert item.tentative


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[REF-043, p.]", "no page after p."),
        ("[REF-043, pp. ]", "no page after p."),
        ("[REF-043, p. fifteen]", "'fifteen' is no page"),
        ("[REF-043, p. -3]", "'-3' is no page"),
        ("[REF-043, pp. 9-3]", "the pages end before they start (9-3)"),
        ("[REF-043, p. 1234567890]", "is no page"),
        ("(REF-043, p. ?)", "'?' is no page"),
        ("[REF-043, pp. 15-?]", "'pp. 15-?' is no page"),
        ("[REF-043, pp. 15-17-19]", "is no page"),
    ],
)
def test_mistakes_are_malformed(text: str, reason: str) -> None:
    (item,) = found(text)
    assert isinstance(item, Malformed)
    assert reason in item.reason
    assert item.raw == text


@pytest.mark.parametrize(
    ("text", "raws"),
    [
        ("[REF-001; REF-002, p.3]", ["REF-001", "REF-002, p.3"]),
        ("[REF-001, p.2; REF-002; REF-003, §4]", ["REF-001, p.2", "REF-002", "REF-003, §4"]),
        ("[REF-001, REF-002]", ["REF-001", "REF-002"]),
        ("(REF-001; REF-002, p. 3)", ["REF-001", "REF-002, p. 3"]),
        ("[REF-001] [REF-002]", ["[REF-001]", "[REF-002]"]),
        ("[REF-001][REF-002]", ["REF-001", "REF-002"]),
        ("REF-001, REF-002 and REF-003", ["REF-001", "REF-002", "REF-003"]),
        ("[REF-001; see REF-002]", ["REF-001", "REF-002"]),
    ],
)
def test_several_papers(text: str, raws: list[str]) -> None:
    assert [item.raw for item in found(text)] == raws


@pytest.mark.parametrize("text", ["[REF-043", "(REF-043, p. 3", "[REF-043, p.3)", "[REF-043 [x]]"])
def test_what_is_not_closed_is_an_id_in_running_text(text: str) -> None:
    item = only(text)
    assert item.raw.startswith("REF-043")


def test_brackets_are_meant_and_other_words_may_be() -> None:
    assert not only("[REF-043]").tentative
    assert not only("[REF-043, §3]").tentative
    assert only("REF-043 says").tentative


def test_a_corpus_file_does_not_cite_itself() -> None:
    assert found("# REF-043: x\n\n[REF-043, p.3]", "papers/REF-043-voice.md") == []
    assert [item.raw for item in found("REF-043 and REF-044", "papers/REF-043-voice.md")] == ["REF-044"]


@pytest.mark.parametrize(
    ("text", "pages", "replacement"),
    [
        ("[REF-043, p.15]", Pages("16", "16"), "[REF-043, p.16]"),
        ("[REF-043, p. 15]", Pages("iv", "iv"), "[REF-043, p. iv]"),
        ("[REF-043, pp. 15-17]", Pages("16", "16"), "[REF-043, p. 16]"),
        ("[REF-043, Methods, p.15]", Pages("16", "17"), "[REF-043, Methods, pp.16-17]"),
        ("REF-043 (p. 15)", Pages("16", "16"), "REF-043 (p. 16)"),
    ],
)
def test_only_the_page_changes(text: str, pages: Pages, replacement: str) -> None:
    document = Document("x.md", f"So “it is said here” {text}.")
    (item,) = ref.extract(document)
    assert isinstance(item, Citation)
    edit = ref.repoint(document, item, Place("", None, pages))
    assert edit is not None
    changed = document.text[: edit.span.start] + edit.replacement + document.text[edit.span.end :]
    assert changed == f"So “it is said here” {replacement}."


@pytest.mark.parametrize("text", ["[REF-043, pp. 3, 7]", "[REF-043, p. 3; p. 7]"])
def test_where_it_is_not_plain_which_page_to_change_nothing_is(text: str) -> None:
    assert ref.repoint(Document("x.md", text), only(text), Place("", None, Pages("9", "9"))) is None


def test_what_cites_no_page_is_not_given_one() -> None:
    document = Document("x.md", "[REF-043]")
    assert ref.repoint(document, only("[REF-043]"), Place("", None, Pages("3", "3"))) is None
    assert ref.repoint(document, only("[REF-043, p.2]"), Place("", None)) is None


def test_a_page_on_the_next_line_stays_there() -> None:
    for text in ("[REF-043, p.\n3]", "[REF-043, p.\r\n3]"):
        edit = ref.repoint(Document("x.md", text), only(text), Place("", None, Pages("9", "9")))
        assert edit is not None and edit.span == Span(10, len(text) - 1)
        assert edit.replacement == text[10:-1].replace("3", "9")
