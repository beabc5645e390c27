"""The text of PDFs at rest: what was extracted once is not extracted again.

It lies in a folder of the user, never in the tree that is checked: a tree may come from anyone, and must not be able to
bring text that its PDFs do not hold. An entry is named after the digest of the PDF and says which extractor made it.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

import msgspec

from ..core.limits import LIMITS, Limits
from ..papers.model import PdfText
from ..safe.pdf import PdfTrouble, extractor_version, read_pdf
from .digest_cache import DigestCache

VERSION = 2
_LASTING = ("encrypted", "damaged")
"""Troubles that the same bytes will give again; time and memory depend on the machine and the moment."""
_FRAME = 32 * 1024 * 1024


class _Held(msgspec.Struct, array_like=True):
    extractor: str
    kind: str = ""
    reason: str = ""
    text: PdfText | None = None


@cache
def _texts(entry_bytes: int, most_bytes: int) -> DigestCache[_Held]:
    return DigestCache("pdf", VERSION, _Held, entry_bytes, most_bytes)


def text_of(data: bytes, cache: bool, limits: Limits = LIMITS) -> PdfText:
    """The text of a PDF, from an earlier time where `cache` allows; raises PdfTrouble."""
    extractor = extractor_version() if cache else ""
    if not extractor or len(data) > limits.pdf_bytes:
        return read_pdf(data, limits)
    kept = _texts(limits.pdf_text_bytes + _FRAME, limits.pdf_cache_bytes)
    digest = sha256(data).hexdigest()
    known = kept.load(digest)
    if known is not None and known.extractor == extractor:
        if known.kind in _LASTING:
            raise PdfTrouble(known.kind, known.reason)
        # These limits may let less pass than those it was read under.
        if known.text is not None and len(known.text.pages) <= limits.pdf_pages:
            return known.text
    try:
        text = read_pdf(data, limits)
    except PdfTrouble as trouble:
        if trouble.kind in _LASTING:
            kept.save(digest, _Held(extractor, trouble.kind, trouble.reason))
        raise
    kept.save(digest, _Held(extractor, text=text))
    return text
