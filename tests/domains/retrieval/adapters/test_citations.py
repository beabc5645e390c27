"""Citations as the citation objects of other frameworks."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.domains.retrieval.adapters import haystack, langchain, llama_index
from pincite.search.model import Citation

CITED = Citation(
    chunk_id=UUID(int=7),
    document_path="/srv/a b#c.md",
    document_title="Gauges",
    start_offset=10,
    end_offset=25,
    heading="Resets",
    line_number=3,
    end_line=4,
    text="A gauge counts.",
)
UNPLACED = Citation(
    chunk_id=UUID(int=8), document_path="a.md", document_title="a.md", start_offset=-1, end_offset=-1, text="A gauge."
)


def test_langchain_citation() -> None:
    assert langchain.citation(CITED, answer_span=(4, 9)) == {
        "type": "citation",
        "url": "file:///srv/a%20b%23c.md#L3",
        "title": "Gauges",
        "start_index": 4,
        "end_index": 9,
        "cited_text": "A gauge counts.",
        "extras": {
            "chunk_id": str(UUID(int=7)),
            "path": "/srv/a b#c.md",
            "heading": "Resets",
            "start_offset": 10,
            "end_offset": 25,
            "line_number": 3,
            "end_line": 4,
        },
    }


def test_what_is_not_known_is_left_out() -> None:
    block = langchain.citation(replace(UNPLACED, text=""))
    assert block == {
        "type": "citation",
        "url": "a.md",
        "title": "a.md",
        "extras": {"chunk_id": str(UUID(int=8)), "path": "a.md"},
    }
    assert llama_index.block(UNPLACED)["additional_location_info"] == {}


@pytest.mark.parametrize(
    ("path", "line", "page", "url"),
    [
        ("https://example.org/a?b=c#d", None, None, "https://example.org/a?b=c#d"),
        ("a:b/c.md", 2, None, "a%3Ab/c.md#L2"),
        ("/d/a.pdf", None, 7, "file:///d/a.pdf#page=7"),
        ("/d/caf\udce9.md", None, None, "file:///d/caf%E9.md"),
        ("/d/é.md", 1, None, "file:///d/%C3%A9.md#L1"),
        ("/d/\ud800.md", None, None, "file:///d/%ED%A0%80.md"),
    ],
)
def test_addresses(path: str, line: int | None, page: int | None, url: str) -> None:
    cited = replace(CITED, document_path=path, line_number=line, page=page)
    assert langchain.citation(cited)["url"] == url
    assert langchain.citation(cited, url="https://example.org/x")["url"] == "https://example.org/x"


@pytest.mark.parametrize("span", [(-1, 3), (5, 3)])
def test_a_span_that_is_none_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="answer_span"):
        langchain.citation(CITED, answer_span=span)


def test_llama_index_block() -> None:
    assert llama_index.block(replace(CITED, page=2)) == {
        "block_type": "citation",
        "cited_content": {"block_type": "text", "text": "A gauge counts."},
        "source": "/srv/a b#c.md",
        "title": "Gauges",
        "additional_location_info": {"start_offset": 10, "end_offset": 25, "line_number": 3, "end_line": 4, "page": 2},
    }


def test_haystack_answer() -> None:
    made = haystack.answer("It counts [1]. And more [7].", [CITED, UNPLACED], "what?")
    assert (made["data"], made["query"]) == ("It counts [1]. And more [7].", "what?")
    assert made["meta"] == {"unknown_references": [7]}
    assert made["documents"] == [
        {
            "id": str(UUID(int=7)),
            "content": "A gauge counts.",
            "meta": {
                "file_path": "/srv/a b#c.md",
                "title": "Gauges",
                "header": "Resets",
                "split_idx_start": 10,
                "line_number": 3,
                "end_line": 4,
                "source_index": 1,
                "referenced": True,
            },
        },
        {
            "id": str(UUID(int=8)),
            "content": "A gauge.",
            "meta": {"file_path": "a.md", "title": "a.md", "source_index": 2, "referenced": False},
        },
    ]


@pytest.mark.parametrize(
    ("text", "referenced", "unknown"),
    [
        ("", [], []),
        ("[1][3]", [1, 3], []),
        ("[1, 2] and [3]", [1, 2, 3], []),
        ("[1-3]", [1, 2, 3], []),
        ("[2-999999]", [2, 3], [4, 999999]),
        ("[3-1]", [1, 3], []),
        ("[0] [4]", [], [0, 4]),
        ("[1234567] [a] [ 1 ] [-1] []", [], []),
        ("[1", [], []),
    ],
)
def test_references(text: str, referenced: list[int], unknown: list[int]) -> None:
    made = haystack.answer(text, [CITED] * 3, "q", document=lambda id, content, meta: meta)
    metas = made["documents"]
    assert isinstance(metas, list)
    assert [meta["source_index"] for meta in metas if meta["referenced"]] == referenced
    assert made["meta"] == ({"unknown_references": unknown} if unknown else {})


@given(st.text(st.sampled_from("[]0123456789,- a"), max_size=60))
def test_any_text_is_taken(text: str) -> None:
    made = haystack.answer(text, [CITED], "q")
    assert made["data"] == text


def test_an_answers_documents_lead_back_to_the_same_place() -> None:
    made = haystack.answer("[1]", [replace(CITED, heading=None)], "q")
    documents = made["documents"]
    assert isinstance(documents, list)
    hit = haystack.hits(documents)[0]
    assert (hit.chunk.id, hit.document.file_path) == (CITED.chunk_id, CITED.document_path)
    assert (hit.chunk.start_offset, hit.chunk.end_offset, hit.chunk.content) == (10, 25, CITED.text)


@pytest.mark.parametrize("thing", [None, {}, "[1]"])
def test_only_citations_become_citations(thing: Citation) -> None:
    with pytest.raises(TypeError, match="expected a Citation"):
        langchain.citation(thing)
    with pytest.raises(TypeError, match="expected a Citation"):
        llama_index.block(thing)
    with pytest.raises(TypeError, match="expected a Citation"):
        haystack.answer("[1]", [thing], "q")


def test_an_answer_is_text() -> None:
    with pytest.raises(TypeError, match="text is a NoneType"):
        haystack.answer(None, [], "q")  # type: ignore[arg-type]
