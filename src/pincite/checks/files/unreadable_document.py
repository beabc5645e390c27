"""
A document could not be read, so its citations were not looked at.

Why: it is not UTF-8, is larger than the limit, vanished, or is a link that leads outside the root. What could not be
checked says so: the run ends with 2, unless nothing shows that the document cites anything at all.

Example: `cannot read the document: not UTF-8 (byte 0xf6 at offset 2)`.

Remedy: convert the document to UTF-8, or name it in `exclude`.
"""

from ...core.errors import Refused, Unreadable
from ...core.model import Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.ERROR


def describe_text(error: Unreadable) -> str:
    """Why the bytes of a document are no text."""
    return f"cannot read the document: {error}; convert it to UTF-8 or exclude it"


def describe_refusal(error: Refused) -> str:
    """Why a document could not be opened."""
    if error.kind == "file-unreadable":
        return f"cannot read the document: {error}"
    if error.kind == "path-blocked":
        return "the document is a link that leads outside the root; it was not read"
    return "the document vanished before it could be read"
