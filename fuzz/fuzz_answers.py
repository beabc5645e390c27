"""Responses of model APIs in any shape: citations inside the answer, defects with their places, and never a crash."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.core.errors import PinciteError
    from pincite.domains.retrieval.answers import provider_names
    from pincite.domains.retrieval.answers.load import load, read_answer


def law(data: bytes) -> None:
    """What is read lies in the answer; what cannot be read says so."""
    try:
        found = load(data, "answer.json")
    except PinciteError as error:
        assert str(error)
        return
    for loaded in found:
        for name in ("", *provider_names()):
            try:
                answer = read_answer(loaded, name)
            except PinciteError as error:
                assert str(error)
                continue
            for citation in answer.citations:
                span = citation.span
                assert span is None or 0 <= span.start <= span.end <= len(answer.text)


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b'{"content":[{"type":"text","text":"a b","citations":[{"type":"char_location","cited_text":"a",'
            b'"document_index":0,"start_char_index":0,"end_char_index":1}]}]}',
            b'{"output":[{"type":"message","content":[{"type":"output_text","text":"a","annotations":'
            b'[{"type":"file_citation","file_id":"f","filename":"a.md","index":1}]}]}]}',
            b'{"choices":[{"message":{"content":"a","annotations":[{"type":"url_citation","url_citation":'
            b'{"url":"u","title":"t","start_index":0,"end_index":1}}]}}]}',
            b'{"message":{"content":[{"type":"text","text":"abc"}],"citations":[{"start":0,"end":1,"text":"a",'
            b'"sources":[{"type":"document","id":"d","document":{"text":"a"}}]}]}}',
            b'{"candidates":[{"content":{"parts":[{"text":"\xc3\xa9a"}]},"groundingMetadata":{"groundingChunks":'
            b'[{"retrievedContext":{"title":"t","text":"a"}}],"groundingSupports":[{"segment":{"startIndex":0,'
            b'"endIndex":2,"text":"\xc3\xa9"},"groundingChunkIndices":[0]}]}}]}',
        ],
        tokens=[
            '"citations":[',
            '"annotations":[',
            '"start":',
            '"end":',
            "-1",
            "null",
            "1e9",
            '{"',
            "}",
            "]",
            '"text":""',
        ],
    )
