"""Bibliographies that can be a whitelist: BibTeX, RIS and CSL-JSON to papers, what cannot be read to problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import Unreadable
from ..text.lines import decode
from .bibliography_entry import BYTES, Bibliography, BibliographyBuilder

if TYPE_CHECKING:
    from .model import Paper

__all__ = ["Bibliography", "read_bibliography", "read_metadata"]

_KINDS = {"bib": "bibtex", "bibtex": "bibtex", "biblatex": "bibtex", "ris": "ris", "json": "csl", "csljson": "csl"}


def read_bibliography(name: str, data: bytes) -> Bibliography:
    """The entries of a bibliography, by its name or else its first character; never raises."""
    return _read(name, data, False)


def read_metadata(name: str, data: bytes) -> tuple[Paper, ...]:
    """The papers of a bibliography, or of the record that Crossref, DataCite or arXiv give; never raises."""
    return _read(name, data, True).entries


def _read(name: str, data: bytes, metadata: bool) -> Bibliography:
    builder = BibliographyBuilder(name)
    if len(data) > BYTES:
        builder.complain(1, "file", f"file: expected at most {BYTES:,} bytes, got {len(data):,}")
        return builder.build()
    try:
        text = decode(data)
        kind = _KINDS.get(name.rpartition(".")[2].lower()) or _kind(text)
        if kind == "bibtex":
            from .bibtex import read_bibtex

            read_bibtex(builder, text)
        elif kind == "ris":
            from .ris import read_ris

            read_ris(builder, text)
        elif kind == "atom" and metadata:
            from .atom import read_atom

            read_atom(builder, text)
        elif kind == "csl":
            from .csl import read_csl

            read_csl(builder, text, metadata)
        else:
            builder.complain(1, "file", "file: expected BibTeX, RIS or CSL-JSON, got something else")
    except Unreadable as error:
        builder.complain(1, "file", f"file: expected UTF-8 text, got {error}")
    except (RecursionError, MemoryError) as error:
        builder.complain(
            1, "file", f"file: expected plain entries, got nesting that cannot be read ({type(error).__name__})"
        )
    return builder.build()


def _kind(text: str) -> str:
    """What a text looks like: JSON, RIS or BibTeX; empty where it is none of them."""
    head = text[:10_000].lstrip()
    if head[:1] == "<":
        return "atom"
    if head[:1] in ("[", "{"):
        return "csl"
    if head[:2] == "TY" and head[2:6].strip()[:1] == "-":
        return "ris"
    return "bibtex" if "@" in head else ""
