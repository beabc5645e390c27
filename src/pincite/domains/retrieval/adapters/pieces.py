"""Pieces of documents as a framework hands them over, on their way to hits, and what its citations are made of."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from msgspec import Struct

from ....core.errors import PinciteError
from ....core.limits import LIMITS
from ....search.model import EPOCH, Chunk, Citation, SearchHit, SourceDocument, chunk_identity
from ....text.citation_styles import address
from ....text.lines import line_starts
from .fields import describe, find_path

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
_WORD = re.compile(r"\S+")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


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
        placing = _Placing(root, key, indexed_at or EPOCH, OriginalTexts(read))
        found = []
        for at, thing in enumerate(objects):
            where = f"{self.called}[{at}]"
            if not isinstance(thing, SearchHit):
                thing = placing.hit(self.read_piece(thing, where, headings), where)
            found.append(thing)
        return found


class _Placing(Struct):
    """Turns pieces into hits, reading each document once where it may be read."""

    root: str | None
    key: str | None
    indexed_at: datetime
    originals: OriginalTexts

    def hit(self, piece: ForeignPiece, where: str) -> SearchHit:
        """The hit of a piece; raises TypeError where it names no file."""
        keys = (self.key,) if self.key else piece.keys
        named = find_path(piece.metadata, keys)
        if named is None:
            raise TypeError(f"{where}: no file is named in its metadata, under none of: {', '.join(keys)}")
        path = plain_path(named, self.root)
        start, end, content = self._place(piece, path)
        identity = piece.identity
        if identity is None or isinstance(identity, str):
            identity = chunk_identity(path, identity or f"{start}:{end}:{content}")
        title = piece.metadata.get("title")
        heading = piece.headings[-1] if piece.headings else None
        chunk = Chunk(identity, start, end, content, heading, piece.headings, piece.page)
        titled = title.strip() or None if isinstance(title, str) else None
        return SearchHit(chunk, SourceDocument(path, titled, self.indexed_at), piece.score)

    def _place(self, piece: ForeignPiece, path: str) -> tuple[int, int, str]:
        """Offsets and words of a piece: those of the document where it could be read, else what the piece says."""
        content = piece.content.removeprefix("\ufeff")
        # An offset from the start of a part or of a page, taken for one of the document, would point at other words.
        stated = None if piece.relative or piece.page is not None else piece.start
        original = self.originals.find(path) if content else None
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


def is_address(path: str) -> bool:
    """Whether this names something that is no file here (`https://…`, `s3://…`)."""
    return _ADDRESS.match(path) is not None


def plain_path(path: str, root: str | None) -> str:
    """A path as files have it: `file://` decoded, a relative one below `root`; other addresses stay as they are."""
    if path[:5].lower() == "file:":
        from urllib.parse import unquote, urlsplit

        try:
            parts = urlsplit(path)
        except ValueError:
            return path
        if parts.netloc.lower() not in ("", "localhost"):
            return path
        path = unquote(parts.path, errors="surrogateescape")
    elif is_address(path):
        return path
    if root is None or path.startswith("/"):
        return path
    return f"{root.rstrip('/')}/{path.removeprefix('./')}"


class OriginalText:
    """The text that pieces were cut from."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts: tuple[list[int], list[int]] | None = None
        self._translated = ""
        self._folded: tuple[str, list[int], list[int]] | None = None

    def find(self, piece: str, stated: int | None) -> tuple[int, int] | None:
        """Where a piece stands: at the stated offset, else where it stands and nowhere else; None where that is unsure.

        What differs in white space alone counts as found, because splitters strip and join lines. An empty piece stands
        everywhere, and is not found.
        """
        if not piece:
            return None
        if stated is not None:
            if self.text.startswith(piece, stated):
                return stated, stated + len(piece)
            if "\r" in self.text and (found := self._line_ends(piece, stated)):
                return found
        at = self.text.find(piece)
        if at >= 0:
            return (at, at + len(piece)) if self.text.find(piece, at + 1) < 0 else None
        return self._loosely(piece)

    def _line_ends(self, piece: str, stated: int) -> tuple[int, int] | None:
        """The place of an offset that counts every line end as one character, as text files are usually opened."""
        if self._starts is None:
            self._translated = self.text.replace("\r\n", "\n").replace("\r", "\n")
            self._starts = line_starts(self._translated), line_starts(self.text)
        if not self._translated.startswith(piece, stated):
            return None
        return _map_offset(stated, *self._starts), _map_offset(stated + len(piece), *self._starts)

    def _loosely(self, piece: str) -> tuple[int, int] | None:
        """Where the same words stand, and nowhere else, with other white space between them."""
        wanted = " ".join(_WORD.findall(piece))
        if not wanted:
            return None
        if self._folded is None:
            words = [match.span() for match in _WORD.finditer(self.text)]
            folded = " ".join([self.text[start:end] for start, end in words])
            places = list(accumulate((end - start + 1 for start, end in words[:-1]), initial=0)) if words else []
            self._folded = folded, places, [start for start, _ in words]
        folded, places, starts = self._folded
        at = folded.find(wanted)
        if at < 0 or folded.find(wanted, at + 1) >= 0:
            return None
        return _map_offset(at, places, starts), _map_offset(at + len(wanted) - 1, places, starts) + 1


def _map_offset(offset: int, theirs: list[int], ours: list[int]) -> int:
    """An offset of one text in another, where each stretch of the one begins at a known place of the other."""
    row = bisect_right(theirs, offset) - 1
    return ours[row] + offset - theirs[row]


class OriginalTexts(Struct):
    """The documents that the caller's `read` gives, each read once while there is room for it."""

    read: Callable[[str], str] | None
    known: dict[str, OriginalText | None] = {}
    held: int = 0

    def find(self, path: str) -> OriginalText | None:
        """The document at a path; None where it is no file, or cannot be read."""
        if self.read is None or is_address(path):
            return None
        if path not in self.known:
            try:
                text = self.read(path)
            except (OSError, ValueError, PinciteError):
                self.known[path] = None
                return None
            if not isinstance(text, str):
                raise TypeError(f"read gave {type(text).__name__} for {path!r}, expected str")
            if self.held + len(text) > LIMITS.cached_source_bytes:
                self.known.clear()
                self.held = 0
            self.held += len(text)
            self.known[path] = OriginalText(text)
        return self.known[path]
