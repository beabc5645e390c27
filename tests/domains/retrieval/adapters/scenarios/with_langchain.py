"""Splits documents with LangChain and prints, as JSON, the hits that come of them. Run by test_real_packages.py."""

from __future__ import annotations

import json
import sys
from uuid import UUID

from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage
from langchain_core.messages.content import Citation as ContentCitation
from langchain_core.messages.content import create_citation
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

from pincite.domains.retrieval import adapters
from pincite.domains.retrieval.adapters import langchain
from pincite.search.model import Citation, SearchHit

LEVELS = [("#", "Header 1"), ("##", "Header 2"), ("###", "Header 3")]


def read(path: str) -> str:
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def told(hits: list[SearchHit]) -> list[object]:
    return [
        [hit.chunk.start_offset, hit.chunk.end_offset, hit.chunk.content, hit.chunk.headings, hit.score] for hit in hits
    ]


def scenario(path: str) -> dict[str, object]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    splitter = RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=60, add_start_index=True)
    pieces = splitter.split_documents([Document(text, metadata={"source": path})])
    sections = MarkdownHeaderTextSplitter(LEVELS).split_text(text)
    for section in sections:
        section.metadata["source"] = path
    twice = splitter.split_documents(sections)
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    store.add_documents(pieces)
    scored = store.similarity_search_with_score("gauge", k=5)
    return {
        "bare": told(langchain.hits(pieces)),
        "split": told(langchain.hits(pieces, read=read)),
        "headers": told(langchain.hits(sections, read=read)),
        "twice": told(langchain.hits(twice, read=read)),
        "twice bare": told(langchain.hits(twice)),
        "dumped": told(langchain.hits([dumpd(piece) for piece in pieces], read=read)),
        "modelled": told(adapters.hits([piece.model_dump() for piece in pieces], read=read)),
        "scored": told(adapters.hits(scored, read=read)),
        "scores": [score for _, score in scored],
        "ids": [str(hit.chunk.id) for hit in langchain.hits(scored)],
        "their ids": [found.id for found, _ in scored],
    }


def back() -> dict[str, object]:
    place = {"start_offset": 3, "end_offset": 9, "line_number": 2}
    cited = Citation(chunk_id=UUID(int=7), document_path="/d/a b.md", document_title="T", text="x y", **place)
    block = langchain.citation(cited, answer_span=(0, 4))
    message = AIMessage(content=[{"type": "text", "text": "Yes.", "annotations": [block]}])
    made = create_citation(**{name: value for name, value in block.items() if name not in ("type", "extras")})
    return {
        "block": block,
        "in a message": message.content_blocks[0]["annotations"],
        "unknown fields": sorted(set(block) - set(ContentCitation.__annotations__)),
        "made": {name: value for name, value in made.items() if name != "id"},
    }


print(json.dumps({"documents": {path: scenario(path) for path in sys.argv[1:]}, "back": back()}))
