"""Names for findings that outlive edits elsewhere in the document."""

from __future__ import annotations


class Fingerprints:
    """Distinguishes findings by document, check and citation, and equal ones by their order; lines play no part."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: dict[bytes, int] = {}

    def forget(self) -> None:
        """Let go of a document that is complete: no finding of another one is equal to one of its."""
        self._seen.clear()

    def of(self, document: str, check: str, raw: str) -> str:
        """Sixteen hex digits; the same call again names the next equal finding of the document."""
        from hashlib import sha256

        named = f"{len(document)} {len(check)} {document}{check}{raw}"
        digest = sha256(named.encode(errors="surrogatepass"))
        key = digest.digest()[:16]
        number = self._seen.get(key, 0)
        self._seen[key] = number + 1
        digest.update(b"\0%d" % number)
        return digest.hexdigest()[:16]
