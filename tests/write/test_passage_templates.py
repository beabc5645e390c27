"""Citations for people: templates, quotations, CSL-JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.domains.retrieval import Citation, csl, quote, render
from pincite.write.passage_citations import FIELDS

FULL = Citation(
    chunk_id=UUID("1a2b3c4d-0000-4000-8000-000000000001"),
    document_path="/srv/docs/a guide.md",
    document_title="A guide",
    start_offset=10,
    end_offset=30,
    heading="Setup",
    line_number=4,
    end_line=5,
    indexed_at=datetime(2026, 1, 27, 12, tzinfo=UTC),
    relative_path="docs/a guide.md",
    text="First line.\n\nLast line.\n",
    document_digest="ab" * 32,
)
BARE = Citation(
    chunk_id=UUID(int=7), document_path="notes.md", document_title="notes.md", start_offset=-1, end_offset=-1
)


@pytest.mark.parametrize(
    ("field", "full", "bare"),
    [
        ("path", "/srv/docs/a guide.md", "notes.md"),
        ("absolute", "/srv/docs/a guide.md", ""),
        ("relative", "docs/a guide.md", "notes.md"),
        ("name", "a guide.md", "notes.md"),
        ("title", "A guide", "notes.md"),
        ("heading", "Setup", ""),
        ("line", "4", ""),
        ("last", "5", ""),
        ("page", "", ""),
        ("text", "First line.\n\nLast line.\n", ""),
        ("quote", "> First line.\n>\n> Last line.", ""),
        ("id", "1a2b3c4d-0000-4000-8000-000000000001", "00000000-0000-0000-0000-000000000007"),
        ("label", "1a2b3c4d", "00000000"),
        ("digest", "ab" * 32, ""),
    ],
)
def test_every_field_has_its_value(field: str, full: str, bare: str) -> None:
    assert render(f"<{{{field}}}>", FULL) == f"<{full}>"
    assert render(f"<{{{field}}}>", BARE) == f"<{bare}>"


def test_the_fields_are_all_tried_above() -> None:
    mark = next(mark for mark in test_every_field_has_its_value.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined]
    assert [row[0] for row in mark.args[1]] == list(FIELDS)


def test_braces_and_several_fields() -> None:
    assert render(r"\cite{{{label}}}{relative}:{line}-{last}", FULL) == r"\cite{1a2b3c4d}docs/a guide.md:4-5"
    assert render("{{}} {{line}}", FULL) == "{} {line}"
    assert render("[^{label}]", FULL, label="1a2b3c4d00") == "[^1a2b3c4d00]"
    assert render("", FULL) == ""


@pytest.mark.parametrize(
    "template",
    [
        "{nothing}",
        "{}",
        "{0}",
        "{line!r}",
        "{line:>9}",
        "{text.__class__}",
        "{text[0]}",
        "{Line}",
        "{ line }",
        "{\x1b}",
    ],
)
def test_other_names_are_refused_with_the_known_ones(template: str) -> None:
    with pytest.raises(UsageError, match="known are path, absolute, relative, name") as caught:
        render(template, FULL)
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("template", ["{", "}", "a } b", "{line", "line}", "{{{", "{li{ne}", "{{line}"])
def test_a_brace_alone_is_refused(template: str) -> None:
    with pytest.raises(UsageError, match="template: "):
        render(template, FULL)


@given(st.text(st.sampled_from("{}abline_ .[]!:"), max_size=20), st.text(max_size=20))
def test_a_template_gives_text_or_a_usage_error(template: str, words: str) -> None:
    citation = Citation(
        chunk_id=UUID(int=1), document_path="a", document_title=words, start_offset=0, end_offset=1, text=words
    )
    try:
        assert isinstance(render(template, citation), str)
    except UsageError as error:
        assert str(error).startswith("template: ")
    escaped = template.replace("{", "{{").replace("}", "}}")
    assert render(escaped, citation) == template
    # What is filled in is not read as a template again.
    assert render("{title}", citation) == words


def test_a_quotation_names_its_source() -> None:
    assert quote(FULL) == (
        "> First line.\n>\n> Last line.\n>\n> — [A guide](file:///srv/docs/a%20guide.md#L4-L5), §Setup\n"
    )
    assert quote(BARE) == "> — [notes.md](notes.md)\n"
    assert quote(BARE, label="00000000").endswith(" [^00000000]\n")


@given(st.text(st.sampled_from("ab>\n\r\u2028 "), max_size=40))
def test_no_line_escapes_a_quotation(words: str) -> None:
    written = quote(
        Citation(chunk_id=UUID(int=1), document_path="a", document_title="A", start_offset=0, end_offset=1, text=words)
    )
    assert all(line.startswith(">") for line in written.replace("\r", "\n").rstrip("\n").split("\n"))


def test_an_item_of_csl() -> None:
    assert csl(FULL) == {
        "type": "document",
        "id": "1a2b3c4d",
        "title": "A guide",
        "URL": "file:///srv/docs/a%20guide.md",
        "accessed": {"date-parts": [[2026, 1, 27]]},
        "note": f"§Setup, lines 4–5; sha256:{'ab' * 32}",
    }
    assert csl(BARE, label="0000000000") == {"type": "document", "id": "0000000000", "title": "notes.md"}
    paged = Citation(
        chunk_id=UUID(int=7), document_path="/a.pdf", document_title="P", start_offset=0, end_offset=1, page=7
    )
    assert (csl(paged)["page"], csl(paged)["note"]) == ("7", "page 7")
