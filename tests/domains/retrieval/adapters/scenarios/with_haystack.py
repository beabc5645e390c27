"""Splits documents with Haystack and prints, as JSON, the hits that come of them. Run by test_real_packages.py."""

from __future__ import annotations

import json
import sys
from uuid import UUID

from haystack import Document, GeneratedAnswer
from haystack.components.builders import AnswerBuilder
from haystack.components.preprocessors import (
    DocumentSplitter,
    HierarchicalDocumentSplitter,
    MarkdownHeaderSplitter,
    RecursiveDocumentSplitter,
)
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from pincite.domains.retrieval import adapters
from pincite.domains.retrieval.adapters import haystack
from pincite.search.model import Citation, SearchHit

REPLY = "Both hold [1,3]. So do these [5-6], and this [9]."


def read(path: str) -> str:
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def told(hits: list[SearchHit]) -> list[object]:
    return [
        [hit.chunk.start_offset, hit.chunk.end_offset, hit.chunk.content, hit.chunk.headings, hit.score] for hit in hits
    ]


def scenario(path: str) -> dict[str, object]:
    with open(path, encoding="utf-8") as file:
        whole = Document(content=file.read(), meta={"file_path": path})

    def split(splitter: object) -> list[Document]:
        if hasattr(splitter, "warm_up"):
            splitter.warm_up()
        return splitter.run(documents=[whole])["documents"]

    pieces = split(DocumentSplitter(split_by="word", split_length=40, split_overlap=5))
    recursive = split(RecursiveDocumentSplitter(split_length=300, split_unit="char", separators=["\n\n", "\n", " "]))
    sections = split(MarkdownHeaderSplitter())
    twice = split(MarkdownHeaderSplitter(secondary_split="word", split_length=20, split_overlap=0))
    levels = split(HierarchicalDocumentSplitter(block_sizes={120, 40}, split_overlap=0, split_by="word"))
    store = InMemoryDocumentStore()
    store.write_documents(pieces)
    scored = InMemoryBM25Retriever(store).run(query="gauge reset", top_k=5)["documents"]
    return {
        "bare": told(haystack.hits(pieces)),
        "split": told(haystack.hits(pieces, read=read)),
        "recursive": told(haystack.hits(recursive, read=read)),
        "headers": told(haystack.hits(sections, read=read)),
        "twice": told(haystack.hits(twice, read=read)),
        "twice bare": told(haystack.hits(twice)),
        "levels": told(haystack.hits(levels, read=read)),
        "dumped": told(haystack.hits([piece.to_dict() for piece in pieces], read=read)),
        "modelled": told(adapters.hits([piece.to_dict(flatten=False) for piece in pieces], read=read)),
        "scored": told(adapters.hits(scored, read=read)),
        "scores": [found.score for found in scored],
    }


def back() -> dict[str, object]:
    place = {"start_offset": 3, "end_offset": 9, "line_number": 2}
    cited = [
        Citation(chunk_id=UUID(int=n), document_path="/d/a b.md", document_title="T", text="x yz u", **place)
        for n in range(1, 7)
    ]
    answer = GeneratedAnswer(**haystack.answer(REPLY, cited, "q", document=Document))
    builder = AnswerBuilder(
        reference_pattern="\\[(\\d+)\\]", expand_reference_ranges=True, return_only_referenced_documents=False
    )
    built = builder.run(query="q", replies=[REPLY], documents=[Document(content=str(n)) for n in range(6)])["answers"]
    return {
        "answer": answer.to_dict(),
        "same from dicts": GeneratedAnswer.from_dict(haystack.answer(REPLY, cited, "q")) == answer,
        "referenced": [[found.meta["source_index"], found.meta["referenced"]] for found in answer.documents],
        "their referenced": [[found.meta["source_index"], found.meta["referenced"]] for found in built[0].documents],
        "hits": told(adapters.hits(answer.documents)),
        "ids": [hit.chunk.id.int for hit in adapters.hits(answer.documents)],
    }


print(json.dumps({"documents": {path: scenario(path) for path in sys.argv[1:]}, "back": back()}))
