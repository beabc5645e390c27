"""Bibliographies that can be a whitelist: BibTeX, RIS and CSL-JSON to papers, what cannot be read to problems."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Unreadable
from ..text.lines import decode, shorten
from .attachments import attached_pdfs
from .fields import normal_doi, normal_pdf, normal_url, normal_year
from .model import Paper, PaperProblem
from .people import is_others, part_name
from .ranges import normal_ranges

if TYPE_CHECKING:
    from collections.abc import Iterable


BYTES = 16 * 1024 * 1024
"""A longer bibliography is not read."""
ENTRIES = 50_000
"""A bibliography with more entries is not read."""
VALUE = 20_000
"""A longer value is cut."""
PROBLEMS = 1000
_KEY = re.compile(r"[^\s\x00-\x20\x7f-\xa0{}\[\]\"#%,;\\]{1,200}")
_REVERSED = re.compile(r"[0-9]{1,9}\s*[-\u2010-\u2015\u2212]{1,3}\s*[0-9]{1,9}")
_WORD = re.compile(r"[^A-Za-z0-9]+")

_KINDS = {"bib": "bibtex", "bibtex": "bibtex", "biblatex": "bibtex", "ris": "ris", "json": "csl", "csljson": "csl"}


class Bibliography(Struct, frozen=True):
    """The entries of a bibliography file, and what in it could not be read."""

    entries: tuple[Paper, ...] = ()
    problems: tuple[PaperProblem, ...] = ()


class BibliographyBuilder:
    """Collects entries; the first one with a key keeps it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[PaperProblem] = []
        self._papers: dict[str, Paper] = {}
        self._lines: dict[str, int] = {}
        self._nameless: list[tuple[int, Paper]] = []

    def complain(self, line: int, field: str, message: str) -> None:
        """Note a problem, unless there are very many already."""
        if len(self.problems) < PROBLEMS:
            self.problems.append(PaperProblem(line, field, message))

    def add(self, line: int, key: str, paper: Paper) -> None:
        """Keep an entry under its key; a key that is none, or is taken, is a problem."""
        if _KEY.fullmatch(key) is None:
            self.complain(line, "key", f'key: expected a word without spaces or brackets, got "{shorten(key, 60)}"')
        elif key in self._papers:
            first = self._lines[key]
            self.complain(line, "key", f'key: expected each key once, got "{key}" again (first on line {first})')
        else:
            self._papers[key], self._lines[key] = paper, line

    def add_nameless(self, line: int, paper: Paper) -> None:
        """Keep an entry without a key; it gets one from its author and year."""
        self._nameless.append((line, paper))

    def build(self) -> Bibliography:
        """The bibliography, in the order of the file."""
        from msgspec.structs import replace

        groups: dict[str, list[tuple[int, Paper]]] = {}
        for line, paper in self._nameless:
            groups.setdefault(made_key(paper), []).append((line, paper))
        for made, members in groups.items():
            taken = len(members) > 1 or made in self._papers
            for number, (line, paper) in enumerate(members):
                key = made + _letters(number) if taken else made
                self.add(line, key, replace(paper, id=key))
        self.problems.sort(key=lambda problem: problem.line)
        ordered = sorted(self._papers.values(), key=lambda paper: self._lines[paper.id])
        return Bibliography(tuple(ordered), tuple(self.problems))

    def paper(
        self,
        line: int,
        key: str,
        *,
        title: str = "",
        authors: Iterable[str] = (),
        year: str = "",
        doi: str = "",
        url: str = "",
        pages: str = "",
        total: str = "",
        pdf: str = "",
    ) -> Paper:
        """A paper from values as written; those that mean nothing are left out."""
        normal = normal_ranges(pages)
        if not normal and _REVERSED.fullmatch(pages.strip()):
            field = f"{shorten(key, 60)}.pages"
            self.complain(line, field, f'{field}: expected a range like 81-97, got "{shorten(pages.strip(), 60)}"')
        # A single number may be a first page, an article number or a count: it bounds nothing.
        ranged = normal if "-" in normal else ""
        files = attached_pdfs(pdf)
        beside = _first_beside(files)
        count = int(total) if total.isascii() and total.isdigit() and 0 < len(total) <= 6 else 0
        return Paper(
            id=key,
            path=self.name,
            title=_line(title),
            authors=tuple(name for name in (_line(author) for author in authors) if name and not is_others(name)),
            year=normal_year(year),
            doi=normal_doi(doi),
            url=normal_url(url),
            total_pages=count or None,
            page_range=ranged,
            pdf=beside,
            files=tuple(path for path in files if path != beside),
        )


def attached_pdf(text: str) -> str:
    """The first PDF beside a bibliography, or below, that a `file` field names; empty where it names none."""
    return _first_beside(attached_pdfs(text))


def _first_beside(files: Iterable[str]) -> str:
    fits = (path for path in files if normal_pdf(path) == path and ":" not in path and ".." not in path.split("/"))
    return next(fits, "")


def made_key(paper: Paper) -> str:
    """`Smith2023` for a paper without a key."""
    author = paper.authors[0] if paper.authors else ""
    family = part_name(author).family
    plain = unicodedata.normalize("NFKD", family or paper.title.partition(" ")[0]).encode("ascii", "ignore").decode()
    word = _WORD.sub("", plain)[:40]
    return (word[:1].upper() + word[1:] or "Anonymous") + paper.year[:4] * paper.year[:1].isdigit()


def _line(text: str) -> str:
    return " ".join(text[:VALUE].split())


def _letters(number: int) -> str:
    """`a` to `z`, then `aa` and on."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


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
