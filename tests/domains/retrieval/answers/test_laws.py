"""Whatever a response holds: no exception, spans inside the answer, and nothing holds that was not seen."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.core.model import Outcome
from pincite.domains.retrieval.answers import check_responses, provider_names
from pincite.domains.retrieval.answers.model import AnswerReport
from pincite.domains.retrieval.answers.providers import providers

CASES = Path(__file__).resolve().parents[4] / "conformance" / "answers"
TEXT = "Ä store.\r\nThe cache keeps at most 40 GB of pages. 🍎 Entries older than nine days are dropped.\n"
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.integers(-3, 60),
    st.floats(),
    st.text(st.characters(codec=None), max_size=12),  # lone surrogates too
    st.sampled_from(
        ["text", "document", "char_location", "url_citation", "file_citation", TEXT, "older than nine days"]
    ),
)
KEYS = st.sampled_from(
    "content text citations type message annotations candidates groundingMetadata groundingSupports segment choices"
    " output start end sources document cited_text document_index request response documents value data object"
    " role".split()
)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=20
)


def readable() -> Iterator[Any]:
    for path in sorted(CASES.glob("*/response.json")):
        data = path.read_bytes()
        if b"[" * 20 in data:
            # Nested as deep as it goes: copying and changing it is more than this test can do.
            continue
        try:
            yield json.loads(data)
        except (ValueError, RecursionError):
            continue


RESPONSES = list(readable())


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("docs")
    (folder / "cache.md").write_bytes(TEXT.encode())
    (folder / "harbour.html").write_text("<p>Boats over twelve metres need a <b>pilot</b>.</p>")
    return [str(folder / "cache.md"), str(folder / "harbour.html")]


def holds_together(report: AnswerReport) -> None:
    size = len(report.text)
    for one in report.citations:
        for span in (one.citation.span, one.claim):
            assert span is None or 0 <= span.start <= span.end <= size
        if one.outcome is Outcome.HOLDS:
            assert one.seen is not None and one.seen.digest and one.where is not None
        assert one.message
    for defect in report.defects:
        assert defect.kind and defect.message
    for sentence in report.uncited:
        assert 0 <= sentence.start < sentence.end <= size
    assert report.exit_code() in (0, 1, 2)


def places(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, (*at, key))


def encoded(data: Any) -> bytes:
    return json.dumps(data).encode()


@settings(max_examples=150, deadline=None)
@given(ANYTHING, st.sampled_from(["", *provider_names()]))
def test_anything_is_answered(docs: list[str], data: Any, provider: str) -> None:
    for report in check_responses(encoded(data), "x", docs, provider):
        holds_together(report)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_responses_with_a_few_things_changed(docs: list[str], data: st.DataObject) -> None:
    response = copy.deepcopy(data.draw(st.sampled_from(RESPONSES)))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(response))))
        if not path:
            continue
        held = response
        for key in path[:-1]:
            held = held[key]
        if data.draw(st.booleans()):
            held[path[-1]] = copy.deepcopy(data.draw(ANYTHING))
        elif isinstance(held, dict):
            del held[path[-1]]
        else:
            held.insert(path[-1], copy.deepcopy(data.draw(ANYTHING)))
    for report in check_responses(encoded(response), "x", docs):
        holds_together(report)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60))
def test_bytes_are_read_or_refused(data: bytes) -> None:
    from pincite.core.errors import PinciteError

    try:
        reports = list(check_responses(data, "x", []))
    except PinciteError as error:
        assert str(error).startswith("x")
    else:
        for report in reports:
            holds_together(report)


@settings(max_examples=150, deadline=None)
@given(ANYTHING)
def test_detection_never_raises(data: Any) -> None:
    assert all(isinstance(one.detect(data), bool) for one in providers())


def cuts(start: int, end: int) -> bool:
    """Whether a stretch of the text begins or ends inside a word."""
    words = TEXT[start:end]
    start, end = start + len(words) - len(words.lstrip()), end - (len(words) - len(words.rstrip()))
    return any(TEXT[at - 1 : at + 1].isalnum() and len(TEXT[at - 1 : at + 1]) == 2 for at in (start, end) if at)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(TEXT) - 1), st.integers(1, 40), st.integers(-3, 3))
def test_offsets_hold_exactly_where_the_words_are(docs: list[str], start: int, size: int, shift: int) -> None:
    words = TEXT[start : start + size]
    if not any(sign.isalnum() for sign in words):
        return
    first = max(0, start + shift)
    citation = {
        "type": "char_location",
        "cited_text": words,
        "document_index": 0,
        "document_title": None,
        "start_char_index": first,
        "end_char_index": first + len(words),
    }
    content = [{"type": "text", "text": "Said.", "citations": [citation]}]
    (report,) = check_responses(encoded({"type": "message", "role": "assistant", "content": content}), "x", docs)
    (one,) = report.citations
    there = TEXT[first : first + len(words)]
    # White space at the edges may differ: what is left of both is the same or is not.
    same = words.split() == there.split() and first + len(words) <= len(TEXT)
    assert (one.outcome is Outcome.HOLDS) == (same and not cuts(first, first + len(words)))
    if one.outcome is Outcome.HOLDS:
        assert one.place_held is True
        assert one.where is not None and (one.where.start, one.where.end) == (first, first + len(words))
