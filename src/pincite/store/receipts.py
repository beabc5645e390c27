"""Receipts: what was retrieved for a citation, from which file, with which digest, and when.

One small JSON file each, named after the paper and the digest of its own content, so that they can be committed
without conflicts and none can be altered unnoticed. They are no signatures: who can write the file can write a receipt.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from ..core.errors import Refused
from ..core.limits import LIMITS
from ..papers.ranges import parse_range
from ..papers.sections import same_section
from ..safe.write import create, make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..core.model import Citation
    from ..papers.model import Paper
    from ..quotes.lookup import QuoteSource
    from ..safe.files import Root

VERSION = 1
_LARGEST = 64 * 1024
_NAMED = 12
"""How many digits of its digest a receipt is named by."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One retrieval."""

    version: int = VERSION
    created: str
    """ISO-8601, UTC."""
    claim: str
    ref: str
    citation: str
    """As it was given out: `[REF-043, p.15]`."""
    page: str = ""
    section: str = ""
    quote: str = ""
    passage: str
    """The words that were retrieved."""
    source: str
    """The file they stand in, from the root."""
    digest: str
    """SHA-256 of that file, in full."""


def digest_of(receipt: Receipt) -> str:
    """The digest a receipt is named by."""
    return sha256(msgspec.json.encode(receipt, order="deterministic")).hexdigest()


def name_receipt(receipt: Receipt) -> str:
    """The name of the file of a receipt: one that was altered has another name than its own."""
    return f"{receipt.ref}-{digest_of(receipt)[:_NAMED]}.json"


def parse_receipt(name: str, data: bytes) -> Receipt | None:
    """The receipt in the file of that name; None where it is none, or was altered."""
    try:
        receipt = msgspec.json.decode(data, type=Receipt)
    except (ValueError, RecursionError):
        return None
    return receipt if name == name_receipt(receipt) and receipt.version == VERSION else None


def list_receipts(root: Root, folder: str) -> Iterator[tuple[str, Receipt]]:
    """Every intact receipt in a folder, with the name of its file."""
    for name in root.names(folder):
        if name.endswith(".json"):
            with suppress(Refused):
                receipt = parse_receipt(name, root.read(f"{folder}/{name}", _LARGEST))
                if receipt is not None:
                    yield name, receipt


def keep_receipt(root: Root, folder: str, receipt: Receipt) -> str:
    """Write a receipt and give its key; the same retrieval twice is one file. Raises Refused."""
    key = f"{folder}/{name_receipt(receipt)}"
    if root.stat(key) is None:
        make_folders(root, folder)
        create(root, key, msgspec.json.format(msgspec.json.encode(receipt), indent=2) + b"\n")
    return key


class Receipts:
    """The receipts of one folder: each is read once, and so is each file that they say they are from."""

    def __init__(self, root: Root, folder: str) -> None:
        self._root = root
        self._folder = folder
        self._names: list[str] | None = None
        self._known: dict[str, list[_Kept]] = {}
        """Every intact receipt of a paper."""
        self._digests: dict[str, str] = {}

    def missing(self, paper: Paper, citation: Citation, pdf: str = "") -> str:
        """Empty where a receipt from the paper's file, or from its PDF, covers the citation; else what is missing."""
        stale = wordless = ""
        others: list[str] = []
        for kept in self._of(paper.id):
            receipt = kept.receipt
            if receipt.source not in (paper.path, pdf):
                stale = stale or f"{receipt.source}, from which it was retrieved, is not the source of {paper.id}"
            elif not _is_there(receipt, citation):
                others.append(receipt.citation)
            elif self._digest(receipt.source) != receipt.digest:
                stale = f"{receipt.source} changed since it was retrieved on {receipt.created[:10]}"
            elif citation.quote is not None and kept.words.verbatim(citation.quote.exact) is None:
                wordless = f"what was retrieved as {receipt.citation} does not hold the quoted words"
            else:
                return ""
        if others and not wordless:
            listed = ", ".join(dict.fromkeys(others[:5]))
            return stale or f"receipts of {paper.id} cover only {listed}"
        return wordless or stale or f"nothing was retrieved from {paper.id}"

    def _of(self, ref: str) -> list[_Kept]:
        known = self._known.get(ref)
        if known is None:
            if self._names is None:
                self._names = self._root.names(self._folder)
            # Frequent questions give the same passage often; for what is covered, one of these is enough.
            kept: dict[tuple[str, ...], _Kept] = {}
            for receipt in (self._read(ref, name) for name in self._names if name.startswith(f"{ref}-")):
                if receipt is not None:
                    same = (receipt.source, receipt.digest, receipt.page, receipt.section, receipt.passage)
                    kept.setdefault(same, _Kept(receipt))
            known = self._known[ref] = [*kept.values()]
        return known

    def _read(self, ref: str, name: str) -> Receipt | None:
        """The receipt of a paper in a file; None where it is none, or was changed."""
        if not name.endswith(".json"):
            return None
        try:
            receipt = parse_receipt(name, self._root.read(f"{self._folder}/{name}", _LARGEST))
        except Refused:
            return None
        return receipt if receipt is not None and receipt.ref == ref else None

    def _digest(self, key: str) -> str:
        """The digest that a file has now; empty where it cannot be read."""
        known = self._digests.get(key)
        if known is None:
            try:
                known = sha256(self._root.read(key, LIMITS.pdf_bytes)).hexdigest()
            except Refused:
                known = ""
            self._digests[key] = known
        return known


class _Kept:
    """A receipt, with its passage folded at most once."""

    def __init__(self, receipt: Receipt) -> None:
        self.receipt = receipt

    @cached_property
    def words(self) -> QuoteSource:
        """What was retrieved, to look for quoted words in."""
        from ..quotes.lookup import QuoteSource

        return QuoteSource((self.receipt.passage,))


def _is_there(receipt: Receipt, citation: Citation) -> bool:
    """Whether what was retrieved stands where the citation points: on all of its pages, or in its section."""
    if citation.pages is not None:
        return _holds(receipt.page, citation.pages.first, citation.pages.last)
    return not (citation.section and receipt.section) or same_section(citation.section, receipt.section)


@lru_cache(4096)
def _holds(retrieved: str, first: str, last: str) -> bool:
    """Whether all cited pages are among those retrieved: `15`, or `15-16` for words across a page break."""
    cited = first if first == last else f"{first}-{last}"
    have, asked = parse_range(retrieved), parse_range(cited)
    return retrieved == cited or (have is not None and asked is not None and asked.within(have))
