"""Documents below a root, taken in: bytes to what a reader sees, whatever the format."""

from __future__ import annotations

from ..core.errors import Unreadable
from ..text.lines import decode
from .passages import find_kind, read
from .passages.model import DocumentReading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..core.limits import Limits
    from ..safe.files import Root

PDF = "pdf"
_NO_TITLES = ("", "untitled", "(anonymous)")


def fetch(root: Root, path: str) -> bytes:
    """The bytes of a document below a root, a PDF up to a limit of its own; raises Refused."""
    return root.read(path, root.limits.pdf_bytes if find_kind(path) == PDF else None)


def take_in(path: str, data: bytes, limits: Limits) -> DocumentReading:
    """What a document holds; raises Unreadable."""
    kind = find_kind(path) or "text"
    if kind == PDF:
        return _pages(data, limits)
    return read(kind, decode(data), path)


def _pages(data: bytes, limits: Limits) -> DocumentReading:
    from ..safe.pdf import PdfTrouble
    from ..store.pdf_texts import text_of
    from .passages.pdf import read_pages

    try:
        pdf = text_of(data, True, limits)
    except PdfTrouble as trouble:
        raise Unreadable(str(trouble)) from None
    # What programs write without a title.
    title = "" if pdf.title.strip().casefold() in _NO_TITLES else pdf.title
    return read_pages(pdf.pages, title, [(entry.level, entry.title, entry.page) for entry in pdf.outline])
