"""BibTeX: entries by the library's splitter; values joined and decoded here, within bounds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..text.lines import shorten
from .bibliography import ENTRIES, VALUE, BibliographyBuilder
from .latex import to_text

if TYPE_CHECKING:
    from bibtexparser.library import Library
    from bibtexparser.model import Block, Entry

_BLOCK = re.compile(r"@\w{0,64}+[ \t]{0,64}+[{(]")
_MARK = re.compile(r"(?<!\\)[{}\"#]")


def read_bibtex(builder: BibliographyBuilder, text: str) -> None:
    """Put the entries of BibTeX text into a builder; blocks that cannot be read become problems."""
    blocks = sum(1 for _ in _BLOCK.finditer(text))
    if blocks > ENTRIES:
        builder.complain(1, "file", f"file: expected at most {ENTRIES:,} entries, got {blocks:,}")
        return
    strings: dict[str, str] = {}
    for block in _split(text).blocks:
        _take(builder, block, strings)


def _split(text: str) -> Library:
    """The blocks of the text; the library's own remarks on what it could not read are not printed."""
    import logging

    from bibtexparser.splitter import Splitter

    log = logging.getLogger("bibtexparser.splitter")
    before, log.disabled = log.disabled, True
    try:
        return Splitter(text).split()
    finally:
        log.disabled = before


def _take(builder: BibliographyBuilder, block: Block, strings: dict[str, str]) -> None:
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock, String

    line = (block.start_line or 0) + 1
    if isinstance(block, DuplicateBlockKeyBlock):
        again = block.ignore_error_block
        if isinstance(again, Entry):
            builder.add(line, again.key, builder.paper(line, again.key))
        elif isinstance(again, String):
            strings[again.key.lower()] = _value(again.value, strings)
    elif isinstance(block, DuplicateFieldKeyBlock):
        twice = ", ".join(sorted(block.duplicate_keys))
        builder.complain(line, "entry", f"entry: expected each field once, got {shorten(twice, 60)} again")
        if isinstance(block.ignore_error_block, Entry):
            _add(builder, line, block.ignore_error_block, strings)
    elif isinstance(block, ParsingFailedBlock):
        reason = getattr(block.error, "abort_reason", "") or str(block.error)
        builder.complain(line, "entry", f"entry: expected a BibTeX entry, got {shorten(' '.join(reason.split()), 200)}")
    elif isinstance(block, String):
        strings[block.key.lower()] = _value(block.value, strings)
    elif isinstance(block, Entry):
        _add(builder, line, block, strings)


def _add(builder: BibliographyBuilder, line: int, entry: Entry, strings: dict[str, str]) -> None:
    from bibtexparser.middlewares.names import split_multiple_persons_names

    raw: dict[str, str] = {}
    for field in entry.fields:
        raw.setdefault(field.key.lower(), field.value)
    wanted = "title author editor year date doi url pages pagetotal numpages file pdf".split()
    values = {name: _value(raw[name], strings) for name in wanted if name in raw}
    said = values.get
    names = split_multiple_persons_names(said("author") or said("editor", ""))
    authors = [to_text(name) for name in names]
    paper = builder.paper(
        line,
        entry.key,
        title=to_text(said("title", "")),
        authors=authors,
        year=_bare(said("year") or said("date", "")),
        doi=_bare(said("doi", "")),
        url=_bare(said("url", "")).removeprefix("\\url"),
        pages=_bare(said("pages", "")),
        total=_bare(said("pagetotal") or said("numpages", "")),
        pdf=_bare(said("file") or said("pdf", "")),
    )
    builder.add(line, entry.key, paper)


def _bare(text: str) -> str:
    """A value without its braces and escapes, which identifiers have no use for."""
    return text.replace("{", "").replace("}", "").replace("\\_", "_").replace("\\%", "%").replace("\\&", "&").strip()


def _value(written: str, strings: dict[str, str]) -> str:
    """What a field's value means: braces or quotes taken off, macros put in, pieces joined at `#`; cut when long."""
    parts: list[str] = []
    depth, quoted, start = 0, False, 0
    for mark in _MARK.finditer(written):
        char = mark[0]
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == '"' and depth <= 0:
            quoted = not quoted
        elif char == "#" and depth <= 0 and not quoted:
            parts.append(_piece(written[start : mark.start()], strings))
            start = mark.end()
    parts.append(_piece(written[start:], strings))
    return "".join(parts[:1000])[:VALUE]


def _piece(text: str, strings: dict[str, str]) -> str:
    text = text.strip()
    if len(text) > 1 and ((text[0] == "{" and text[-1] == "}") or (text[0] == text[-1] == '"')):
        return text[1:-1][:VALUE]
    return strings.get(text.lower(), text)[:VALUE]
