"""Documents below a root, taken in: bytes to what a reader sees, whatever the format."""

from __future__ import annotations

from ..errors import Unreadable
from ..passages import find_kind, read
from ..passages.model import Reading
from ..text import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..limits import Limits
    from ..safe.files import Root

PDF = "pdf"
_NO_TITLES = ("", "untitled", "(anonymous)")


def fetch(root: Root, path: str) -> bytes:
    """The bytes of a document below a root, a PDF up to a limit of its own; raises Refused."""
    return root.read(path, root.limits.pdf_bytes if find_kind(path) == PDF else None)


def take_in(path: str, data: bytes, limits: Limits) -> Reading:
    """What a document holds; raises Unreadable."""
    kind = find_kind(path) or "text"
    if kind == PDF:
        return _pages(data, limits)
    return read(kind, decode(data), path)


def _pages(data: bytes, limits: Limits) -> Reading:
    from ..passages.pdf import read_pages
    from ..safe.pdf import PdfTrouble
    from ..store.extracted import text_of

    try:
        pdf = text_of(data, True, limits)
    except PdfTrouble as trouble:
        raise Unreadable(str(trouble)) from None
    # What programs write that were told no title.
    title = "" if pdf.title.strip().casefold() in _NO_TITLES else pdf.title
    return read_pages(pdf.pages, title, [(entry.level, entry.title, entry.page) for entry in pdf.outline])
