"""Addresses in a static export: every page that is linked becomes a file, and links are relative to their page.

A link to a page is a wish to have it exported; what would be too many pages (every combination of filters) leads to
the page without them. The evidence of a citation is a section of its document's page, or of a page beside it.
"""

from __future__ import annotations

import posixpath
import re
from collections import deque
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import ValidationError, convert
from msgspec.inspect import BoolType, LiteralType, StructType, type_info

from .routes import FileRoute, list_files, list_pages

if TYPE_CHECKING:
    from msgspec import Struct

    from .routes import PageRoute
    from .site import Site

MOST_INLINE = 100
"""Citations whose evidence is on the page of the document; the evidence of more is on pages of that many each."""
_PARTS = ("page", "part")
"""Fields that cut something long into pieces: all pieces are exported."""
_FIRST_PART_ONLY = frozenset({"paper"})
"""Pages of which the pieces are pages of a PDF: the pictures of those that are cited are part of the evidence."""
_MOST_NAME = 200
"""Bytes of a path in the export: some file systems take no longer ones."""
_DIGEST = 8
_FIELD = re.compile(r"\{(\w+)(?::\w+)?\}")
_UNSAFE = re.compile(rb"[^A-Za-z0-9._-]|^\.|\.$")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
"""Names that Windows keeps for itself."""
_ENDINGS = {
    "application/json": ".json",
    "application/pdf": ".pdf",
    "image/png": ".png",
    "image/svg+xml": ".svg",
    "text/csv": ".csv",
    "text/markdown": ".md",
    "text/plain": ".txt",
}
MARKER = "pincite-report.json"
"""The file that lists what an export wrote."""
_TAKEN = ("assets", MARKER, ".nojekyll")

EVIDENCE = "evidence"
"""The kind of page that only an export has: the evidence of some citations of a document with many."""


class ExportedPage(NamedTuple):
    """Something that is exported: a page, a file, or evidence, by the fields of its address."""

    kind: str
    """`page`, `file` or `evidence`."""
    name: str
    values: tuple[tuple[str, str], ...]


class ExportTable:
    """What is exported under which name. Names differ in more than capital letters, and no file is a folder as well."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.pages: dict[str, PageRoute] = {page.name: page for page in list_pages() if page.is_static}
        self.files: dict[str, FileRoute] = {file.name: file for file in list_files()}
        self.waiting: deque[ExportedPage] = deque()
        """What is still to be written."""
        self.assets: set[str] = set()
        self._stems: dict[ExportedPage, str] = {}
        self._files: set[str] = set(_TAKEN)
        self._folders: set[str] = {_TAKEN[0]}
        self._numbers: dict[str, dict[str, int]] = {}
        """The citations of documents with many, in order."""

    def __len__(self) -> int:
        return len(self._stems)

    def name_page(self, wanted: ExportedPage) -> str:
        """The path of a page in the export, without its ending; it is exported from now on."""
        if wanted not in self._stems:
            self.waiting.append(wanted)
        return self.reserve_name(wanted)

    def reserve_name(self, wanted: ExportedPage) -> str:
        """The path of something that is written at once, without its ending."""
        stem = self._stems.get(wanted)
        if stem is None:
            stem = self._stems[wanted] = self._choose_name(wanted)
        return stem

    def find_page(self, name: str, values: dict[str, Any]) -> ExportedPage | None:
        """The page to export for a link: without the fields that would make too many; None where there is none."""
        page = self.pages.get(name)
        if page is None or name == "citation":
            return None
        text = {key: str(value) for key, value in values.items() if value not in ("", None, False, ())}
        in_path = _FIELD.findall(page.path)
        if not all(field in text for field in in_path):
            return None
        closed, defaults = _find_closed_fields(page.query)
        kept = {field: text[field] for field in in_path}
        chosen = [key for key in text if key in closed and text[key] != defaults.get(key)]
        if not chosen or (len(chosen) == 1 and not in_path):
            parts = () if name in _FIRST_PART_ONLY else _PARTS
            kept.update({key: text[key] for key in (*chosen, *parts) if key in text and text[key] != defaults.get(key)})
        try:
            convert(kept, page.query, strict=False)
        except ValidationError:
            return None
        return ExportedPage("page", name, tuple(sorted(kept.items())))

    def find_evidence(self, id: str) -> tuple[str, ExportedPage] | None:
        """The document of a citation, and the page that has its evidence."""
        row = self._site.documents.find(id)
        if row is None:
            return None
        rows = self._site.documents.rows(row.document)
        if len(rows) <= MOST_INLINE:
            page = self.find_page("document", {"document": row.document})
            return (row.document, page) if page is not None else None
        numbers = self._numbers.get(row.document)
        if numbers is None:
            numbers = self._numbers[row.document] = {one.id: number for number, one in enumerate(rows)}
        return row.document, make_evidence_page(row.document, numbers[id] // MOST_INLINE + 1)

    def path_of(self, wanted: ExportedPage, ending: str = ".html") -> str:
        """The path of a file in the export."""
        stem = self.name_page(wanted)
        if wanted.kind == "file":
            return stem
        return stem + ending

    def _choose_name(self, wanted: ExportedPage) -> str:
        stem = self._make_stem(wanted)
        endings = ("",) if wanted.kind == "file" else (".html", ".json")
        if len(stem) + len(".html") > _MOST_NAME or not self._is_free(stem, endings):
            digest = blake2b(repr(wanted).encode(errors="surrogatepass"), digest_size=_DIGEST).hexdigest()
            room, _, rest = stem.partition("/")
            ending = posixpath.splitext(stem)[1][:8] if wanted.kind == "file" else ""
            stem = f"{room[:40]}/~{digest}{ending}" if rest else f"{room[:100]}~{digest}{ending}"
        for ending in endings:
            path = (stem + ending).casefold()
            self._files.add(path)
            self._folders.update(_list_folders(path))
        return stem

    def _is_free(self, stem: str, endings: tuple[str, ...]) -> bool:
        for ending in endings:
            path = (stem + ending).casefold()
            if path in self._files or path in self._folders or not self._files.isdisjoint(_list_folders(path)):
                return False
        return True

    def _make_stem(self, wanted: ExportedPage) -> str:
        values = dict(wanted.values)
        if wanted.kind == EVIDENCE:
            page = self.find_page("document", {"document": values["document"]})
            base = self.name_page(page) if page is not None else "d"
            return f"{base}~evidence-{values['number']}"
        route: PageRoute | FileRoute = self.pages[wanted.name] if wanted.kind == "page" else self.files[wanted.name]
        path = _FIELD.sub(lambda match: escape_name(values.pop(match[1])), route.path).strip("/") or "index"
        stem = path + "".join(f"~{key}-{escape_name(values[key], False)}" for key in sorted(values))
        if isinstance(route, FileRoute):
            ending = _ENDINGS.get(route.media_type.partition(";")[0], ".bin")
            stem = stem if stem.endswith(ending) else stem + ending
        return stem


class ExportedLinks:
    """The addresses on one page of an export."""

    is_static = True

    def __init__(self, table: ExportTable, here: ExportedPage) -> None:
        self._table = table
        self._page = here
        self._here = table.path_of(here)

    def page(self, name: str, /, **values: object) -> str:
        id = values.get("c") if name == "document" else values.get("id") if name == "citation" else None
        found = self._table.find_evidence(str(id)) if id else None
        if found is not None:
            document, page = found
            if page.kind == "page" and ("document", document) in self._page.values and self._page.name == "document":
                # Another part of the same document has the evidence as well.
                page = self._page
            return f"{self.relate(self._table.path_of(page))}#evidence-{id}"
        wanted = self._table.find_page(name, values) or ExportedPage("page", "overview", ())
        return self.relate(self._table.path_of(wanted))

    def has(self, name: str) -> bool:
        """Whether there is a page of that name."""
        return name in self._table.pages

    def json(self, name: str, /, **values: object) -> str:
        wanted = self._table.find_page(name, values) or ExportedPage("page", "overview", ())
        return self.relate(self._table.path_of(wanted, ".json"))

    def action(self, name: str, /, **values: object) -> str:
        # Templates leave forms out; one that does not leads nowhere.
        return "#"

    def file(self, name: str, /, **values: object) -> str:
        given = {key: str(value) for key, value in values.items() if value not in ("", None, False)}
        return self.relate(self._table.path_of(ExportedPage("file", name, tuple(sorted(given.items())))))

    def asset(self, name: str) -> str:
        self._table.assets.add(name)
        return self.relate(f"assets/{name}")

    def relate(self, path: str) -> str:
        """The address of a file of the export on this page."""
        return posixpath.relpath(path, posixpath.dirname(self._here) or ".")


def make_evidence_page(document: str, number: int) -> ExportedPage:
    """The page with the evidence of some citations of a document that has many."""
    return ExportedPage(EVIDENCE, EVIDENCE, (("document", document), ("number", str(number))))


def escape_name(text: str, with_folders: bool = True) -> str:
    """Text as a path that every file system takes: `a b.md` becomes `a~20b.md`."""
    data = text.encode(errors="surrogateescape")
    return "/".join(_escape_part(part) for part in (data.split(b"/") if with_folders else [data]))


def _escape_part(part: bytes) -> str:
    name = _UNSAFE.sub(lambda match: f"~{match[0][0]:02X}".encode(), part).decode() or "~"
    return f"~{name}" if _RESERVED.match(name) else name


def _list_folders(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:number]) for number in range(1, len(parts))]


@cache
def _find_closed_fields(query: type[Struct]) -> tuple[set[str], dict[str, str]]:
    """The fields that have few values, and the defaults of all."""
    info = type_info(query)
    fields = info.fields if isinstance(info, StructType) else ()
    closed = {field.name for field in fields if isinstance(field.type, LiteralType | BoolType)}
    return closed, {field.name: str(field.default) for field in fields if not field.required}
