"""Splits documents with LlamaIndex and prints, as JSON, the hits that come of them. Run by test_real_packages.py."""

from __future__ import annotations

import json
import sys
from uuid import UUID

from llama_index.core.base.llms.types import ChatMessage, CitationBlock
from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter
from llama_index.core.schema import Document, NodeWithScore

from pincite.domains.retrieval import adapters
from pincite.domains.retrieval.adapters import llama_index
from pincite.search.model import Citation, SearchHit


def read(path: str) -> str:
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def told(hits: list[SearchHit]) -> list[object]:
    return [
        [hit.chunk.start_offset, hit.chunk.end_offset, hit.chunk.content, hit.chunk.headings, hit.score] for hit in hits
    ]


def scenario(path: str) -> dict[str, object]:
    with open(path, encoding="utf-8") as file:
        whole = Document(text=file.read(), metadata={"file_path": path})
    splitter = SentenceSplitter(chunk_size=120, chunk_overlap=10)
    pieces = splitter.get_nodes_from_documents([whole])
    sections = MarkdownNodeParser().get_nodes_from_documents([whole])
    twice = splitter.get_nodes_from_documents(sections)
    scored = [NodeWithScore(node=node, score=0.5) for node in pieces]
    return {
        "bare": told(llama_index.hits(pieces)),
        "split": told(llama_index.hits(pieces, read=read)),
        "headers": told(llama_index.hits(sections, read=read)),
        "twice": told(llama_index.hits(twice, read=read)),
        "twice bare": told(llama_index.hits(twice)),
        "dumped": told(llama_index.hits([node.to_dict() for node in pieces], read=read)),
        "modelled": told(adapters.hits([node.node.model_dump() for node in scored], read=read)),
        "scored": told(adapters.hits(scored, read=read)),
        "scores": [node.score for node in scored],
        "whole": told(adapters.hits([whole, whole.to_dict()], read=read)),
        "ids": [str(hit.chunk.id) for hit in llama_index.hits(scored)],
        "their ids": [node.node_id for node in scored],
    }


def back() -> dict[str, object]:
    place = {"start_offset": 3, "end_offset": 9, "line_number": 2}
    cited = Citation(chunk_id=UUID(int=7), document_path="/d/a b.md", document_title="T", text="x y", **place)
    block = CitationBlock(**llama_index.block(cited))
    message = ChatMessage(role="assistant", blocks=[block])
    return {"block": message.blocks[0].model_dump(exclude_none=True)}


print(json.dumps({"documents": {path: scenario(path) for path in sys.argv[1:]}, "back": back()}))
