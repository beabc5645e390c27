"""Pieces of documents as a framework hands them over, on their way to hits, and what its citations are made of."""

from __future__ import annotations

from msgspec import Struct

from ....search.model import EPOCH, Chunk, Citation, SearchHit, SourceDocument, chunk_identity
from ....text.citation_styles import address
from .fields import describe, find_path
from .places import Originals, is_address, plain_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime
    from uuid import UUID

    from .fields import Metadata

PAGED = frozenset(".pdf .ps .djvu .doc .docx .odt .rtf .ppt .pptx .odp .tif .tiff".split())
"""What has pages; a splitter that counts form feeds calls everything else page 1."""
# Loaders take text out of these, and offsets count in that text: they say nothing about the file.
_EXTRACTED = PAGED | frozenset(".xls .xlsx .ods .epub .htm .html .xhtml .ipynb .eml .msg".split())


class ForeignPiece(Struct):
    """What a framework's object says about itself."""

    content: str
    metadata: Metadata
    keys: tuple[str, ...]
    """The metadata that may name the file, the likeliest first."""
    identity: UUID | str | None = None
    score: float = 0.0
    start: int | None = None
    end: int | None = None
    headings: tuple[str, ...] = ()
    page: int | None = None
    relative: bool = False
    """Whether the offset may count from the start of a part, because the text was split twice."""


class Framework(Struct, frozen=True):
    """How the objects of one framework are read."""

    called: str
    """What they are called together, in messages."""
    read_piece: Callable[[object, str, tuple[str, ...]], ForeignPiece]
    """An object, what to call it in a message, and the metadata that name headings -> what it says about itself."""

    def hits(
        self,
        objects: Iterable[object],
        *,
        root: str | None = None,
        read: Callable[[str], str] | None = None,
        key: str | None = None,
        headings: tuple[str, ...] = (),
        indexed_at: datetime | None = None,
    ) -> list[SearchHit]:
        """The hits of objects, as they are or as the framework serialises them; in order. One that is a hit stays.

        With `read`, which gives the text of a path, offsets are checked against the document, and found where they are
        missing; what cannot be placed for certain gets the offsets -1. `root` is the folder of relative paths, `key`
        the metadata that names the file, `headings` those that name the headings, outermost first. Raises TypeError
        naming the object that has no text or no file.
        """
        placing = _Placing(root, read, key, indexed_at)
        found = []
        for at, thing in enumerate(objects):
            where = f"{self.called}[{at}]"
            if not isinstance(thing, SearchHit):
                thing = placing.hit(self.read_piece(thing, where, headings), where)
            found.append(thing)
        return found


class _Placing:
    """Turns pieces into hits, reading each document once where it may be read."""

    def __init__(
        self, root: str | None, read: Callable[[str], str] | None, key: str | None, indexed_at: datetime | None
    ) -> None:
        self._root = root
        self._key = key
        self._indexed_at = indexed_at or EPOCH
        self._originals = Originals(read)

    def hit(self, piece: ForeignPiece, where: str) -> SearchHit:
        """The hit of a piece; raises TypeError where it names no file."""
        keys = (self._key,) if self._key else piece.keys
        named = find_path(piece.metadata, keys)
        if named is None:
            raise TypeError(f"{where}: no file is named in its metadata, under none of: {', '.join(keys)}")
        path = plain_path(named, self._root)
        start, end, content = self._place(piece, path)
        identity = piece.identity
        if identity is None or isinstance(identity, str):
            identity = chunk_identity(path, identity or f"{start}:{end}:{content}")
        title = piece.metadata.get("title")
        heading = piece.headings[-1] if piece.headings else None
        chunk = Chunk(identity, start, end, content, heading, piece.headings, piece.page)
        titled = title.strip() or None if isinstance(title, str) else None
        return SearchHit(chunk, SourceDocument(path, titled, self._indexed_at), piece.score)

    def _place(self, piece: ForeignPiece, path: str) -> tuple[int, int, str]:
        """Offsets and words of a piece: those of the document where it could be read, else what the piece says."""
        content = piece.content.removeprefix("\ufeff")
        # An offset from the start of a part or of a page, taken for one of the document, would point at other words.
        stated = None if piece.relative or piece.page is not None else piece.start
        original = self._originals.find(path) if content else None
        if original is not None:
            found = original.find(content, stated)
            return (*found, original.text[found[0] : found[1]]) if found else (-1, -1, content)
        if stated is None or suffix(path) in _EXTRACTED:
            return -1, -1, content
        end = stated + len(piece.content) if piece.end is None else piece.end
        if end < stated or (piece.content and end - stated != len(piece.content)):
            return -1, -1, content
        return stated, end, piece.content


def suffix(path: str) -> str:
    """The ending of a path's last part, in lower case, with its dot."""
    name = path.rpartition("/")[2]
    return f".{name.rpartition('.')[2].lower()}" if "." in name[1:] else ""


def get_citation(thing: object) -> Citation:
    """The citation itself; raises TypeError where it is none."""
    if not isinstance(thing, Citation):
        raise TypeError(f"expected a Citation, got {describe(thing)}")
    return thing


def place_of(citation: Citation) -> dict[str, int]:
    """Where a passage stands, as far as it is known: every value is a number."""
    place: dict[str, int] = {}
    if 0 <= citation.start_offset <= citation.end_offset:
        place["start_offset"], place["end_offset"] = citation.start_offset, citation.end_offset
    numbers = {"line_number": citation.line_number, "end_line": citation.end_line, "page": citation.page}
    return place | {name: number for name, number in numbers.items() if number is not None}


def url_of(citation: Citation) -> str:
    """The address of a passage: its own where the document has one, else a `file:` URL, or a relative path."""
    path = citation.document_path
    if is_address(path):
        return path
    place = ""
    if citation.line_number is not None:
        place = f"#L{citation.line_number}"
    elif citation.page is not None:
        place = f"#page={citation.page}"
    return address(path) + place
