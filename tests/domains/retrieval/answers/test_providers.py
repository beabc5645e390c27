"""Responses as the providers' own SDKs write them out (`shapes.json`: every field, null or not), and their counting."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.core.model import Span
from pincite.domains.retrieval.answers import provider_names
from pincite.domains.retrieval.answers.load import LoadedResponse, Unrecognised, load, read_answer
from pincite.domains.retrieval.answers.model import BlockRange, Chars, PageSpan
from pincite.domains.retrieval.answers.providers import (
    anthropic,
    cohere,
    gemini,
    openai_chat,
    openai_responses,
    perplexity,
    providers,
)

SHAPES = json.loads((Path(__file__).parent / "shapes.json").read_text(encoding="utf-8"))
EXPECTED = {
    "anthropic": ("anthropic", [(0, 21)] * 5),
    "openai-responses": ("openai-responses", [(31, 31), (0, 4), (0, 4)]),
    "openai-chat": ("openai-chat", [(0, 4)]),
    "openai-assistants": ("openai-assistants", [(5, 12)]),
    "cohere": ("cohere", [(0, 5)]),
    "cohere-1": ("cohere", [(0, 5)]),
    "gemini": ("gemini", [(6, 11)]),
    "gemini-alias": ("gemini", [(6, 11)]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_an_sdk_writes_is_recognised_and_without_defect(name: str) -> None:
    (loaded,) = load(json.dumps(SHAPES[name]).encode(), name)
    answer = read_answer(loaded)
    spans = [(one.span.start, one.span.end) for one in answer.citations if one.span is not None]
    assert (answer.provider, spans) == EXPECTED[name]
    assert answer.defects == ()


@pytest.mark.parametrize("name", SHAPES)
def test_one_provider_claims_a_response_and_the_first_is_right(name: str) -> None:
    claiming = [one.NAME for one in providers() if one.detect(SHAPES[name])]
    assert claiming[:1] == [EXPECTED[name][0]]


def test_every_provider_can_be_forced_on_anything() -> None:
    for name in provider_names():
        for data in (None, [], {}, 7, "x", [[]], {"content": 3, "message": [], "choices": {}, "candidates": "x"}):
            answer = read_answer(LoadedResponse("x", data), name)
            assert answer.provider == name and answer.citations == ()


def test_unknown_shape_names_the_providers() -> None:
    with pytest.raises(Unrecognised, match="anthropic"):
        read_answer(LoadedResponse("x", {"weather": "fine"}))


def test_anthropic_ends_are_exclusive() -> None:
    places = [one.place for one in anthropic.read(SHAPES["anthropic"]).citations]
    assert places == [Chars(11, 26), PageSpan(1, 1), BlockRange(0, 1), BlockRange(0, 1), None]


def test_anthropic_text_blocks_are_joined_and_tools_part_them() -> None:
    content = [
        {"type": "text", "text": "One "},
        {"type": "text", "text": "two."},
        {"type": "tool_use", "id": "t", "name": "n", "input": {}},
        {"type": "text", "text": "Three.", "citations": [{"type": "char_location"}]},
    ]
    answer = anthropic.read({"content": content})
    assert answer.text == "One two.\n\nThree."
    assert answer.citations[0].span == Span(10, 16)
    kinds = {(one.path, one.kind) for one in answer.defects}
    assert ("content[3].citations[0].document_index", "missing-field") in kinds


def test_anthropic_documents_of_tool_results_count_too() -> None:
    def document(text: str) -> dict:
        return {"type": "document", "title": text, "source": {"type": "text", "media_type": "text/plain", "data": text}}

    request = {
        "messages": [
            {"role": "user", "content": [document("a"), {"type": "text", "text": "?"}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [document("b")]}]},
        ]
    }
    answer = anthropic.read({"content": []}, request)
    assert [(one.name.index, one.text) for one in answer.documents] == [(0, "a"), (1, "b")]


def test_openai_offsets_count_in_their_own_part() -> None:
    def part(text: str, index: int) -> dict:
        note = {"type": "file_citation", "file_id": "f", "filename": "a", "index": index}
        return {"type": "output_text", "text": text, "annotations": [note]}

    answer = openai_responses.read({"output": [{"type": "message", "content": [part("One.", 4), part("Two.", 2)]}]})
    assert [one.span for one in answer.citations] == [Span(4, 4), Span(8, 8)]


def test_cohere_thinking_is_no_answer() -> None:
    citation = {"start": 0, "end": 3, "text": "abc", "sources": [], "type": "THINKING_CONTENT"}
    content = [{"type": "thinking", "thinking": "abc"}, {"type": "text", "text": "Said."}]
    answer = cohere.read({"message": {"content": content, "citations": [citation]}})
    assert (answer.text, answer.citations, answer.defects) == ("Said.", (), ())


@pytest.mark.parametrize("text", ["plain", "äöü", "a🍎b", "日本語 text", "x" * 5000 + "é" + "y" * 5000 + "🍎"])
def test_gemini_bytes_lead_back_to_code_points(text: str) -> None:
    for start in {0, len(text) // 2, len(text) - 1}:
        first, last = len(text[:start].encode()), len(text.encode())
        support = {
            "segment": {"startIndex": first, "endIndex": last, "text": text[start:]},
            "groundingChunkIndices": [0],
        }
        grounding = {"groundingChunks": [{"web": {"uri": "https://e.org"}}], "groundingSupports": [support]}
        answer = gemini.read({"content": {"parts": [{"text": text}]}, "groundingMetadata": grounding})
        assert [one.span for one in answer.citations] == [Span(start, len(text))]
        assert answer.defects == ()


def test_gemini_says_when_characters_were_counted() -> None:
    support = {"segment": {"startIndex": 2, "endIndex": 5, "text": "abc"}, "groundingChunkIndices": []}
    answer = gemini.read(
        {"content": {"parts": [{"text": "é abc"}]}, "groundingMetadata": {"groundingSupports": [support]}}
    )
    assert [one.kind for one in answer.defects] == ["text-differs"]
    assert "counts characters" in answer.defects[0].message


def test_perplexity_numbers_begin_at_one() -> None:
    data = {
        "citations": ["https://a", "https://b"],
        "choices": [{"message": {"content": "A [2]. B [0]. C [x](y) [1](z)."}}],
    }
    answer = perplexity.read(data)
    assert [one.document.uri for one in answer.citations] == ["https://b"]
    assert [one.kind for one in answer.defects] == ["index-out-of-range"]


def test_as_many_citations_as_anybody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.domains.retrieval.answers.json_shape.MOST_CITATIONS", 3)
    answer = perplexity.read({"citations": ["u"], "choices": [{"message": {"content": "A [1]. " * 9}}]})
    assert len(answer.citations) == 3
    assert [one.kind for one in answer.defects] == ["too-many"]


@pytest.mark.parametrize("content", [5, True, "x", {"a": 1}, [5], None])
def test_content_of_any_kind_is_borne_when_providers_are_told_apart(content: object) -> None:
    for data in ({"output": [{"type": "message", "content": content}]}, [{"type": "message", "content": content}]):
        assert isinstance(openai_responses.detect(data), bool)
        assert len(load(json.dumps(data).encode(), "x")) == 1


def test_every_candidate_of_gemini_is_read() -> None:
    def candidate(text: str, size: int) -> dict:
        support = {"segment": {"endIndex": size, "text": text}, "groundingChunkIndices": [0]}
        chunks = [{"retrievedContext": {"title": "a.md", "text": "w"}}]
        grounding = {"groundingChunks": chunks, "groundingSupports": [support]}
        return {"content": {"parts": [{"text": text}]}, "groundingMetadata": grounding}

    answer = gemini.read({"candidates": [candidate("Äh one.", 8), candidate("Ü two.", 7)]})
    assert answer.defects == ()
    assert [answer.text[one.span.start : one.span.end] for one in answer.citations if one.span] == ["Äh one.", "Ü two."]


def test_every_choice_is_read() -> None:
    def choice(text: str) -> dict:
        note = {"type": "url_citation", "url_citation": {"url": "https://x.y/z", "start_index": 0, "end_index": 3}}
        return {"message": {"role": "assistant", "content": text, "annotations": [note]}}

    chat = openai_chat.read({"choices": [choice("One said."), choice("Two said.")]})
    assert [chat.text[one.span.start : one.span.end] for one in chat.citations if one.span] == ["One", "Two"]
    said = {"citations": ["https://x.y/z"], "choices": [choice("One [1]."), choice("Two [1] and [2].")]}
    answer = perplexity.read(said)
    assert [answer.text[one.span.start : one.span.end] for one in answer.citations if one.span] == ["[1]", "[1]"]
    assert answer.text.index("Two") < answer.citations[1].span.start  # type: ignore[union-attr]
    assert [defect.kind for defect in answer.defects] == ["index-out-of-range"]
