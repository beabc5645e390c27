"""Retrieval of other makers: their documents and nodes as hits, citations as their citation objects.

Nothing here imports those frameworks: what counts is the shape of what is handed over.
"""

from __future__ import annotations

from . import haystack, langchain, llama_index
from .fields import describe
from .pieces import ForeignPiece, Framework

_READERS = (
    (langchain.looks_like, langchain.read_piece),
    (llama_index.looks_like, llama_index.read_piece),
    (haystack.looks_like, haystack.read_piece),
)


def _read_piece(thing: object, where: str, headings: tuple[str, ...]) -> ForeignPiece:
    """What an object says about itself; its shape tells which framework it is from. Raises TypeError for none."""
    for looks_like, read_piece in _READERS:
        if looks_like(thing):
            return read_piece(thing, where, headings)
    raise TypeError(
        f"{where}: {describe(thing)} is neither a LangChain document, a LlamaIndex node nor a Haystack document"
    )


hits = Framework("objects", _read_piece).hits
"""The hits of LangChain documents, LlamaIndex nodes and Haystack documents, also mixed; in order."""
