"""What a passage is called: an id that says which words of which document it holds, and not where they stand."""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID


def chunk_identity(path: str, content: str, nth: int = 0) -> UUID:
    """The id of a passage: the same for the same words in the same document, whatever stands around them."""
    seed = f"{path}\0{nth}\0{content}"
    number = int.from_bytes(sha256(seed.encode("utf-8", "surrogatepass")).digest()[:16], "big")
    # Marked as an id of one's own making (RFC 9562, version 8), which Python's own constructor does not know yet.
    return UUID(int=number & ~(0xF << 76) & ~(0x3 << 62) | 8 << 76 | 2 << 62)
