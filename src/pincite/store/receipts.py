"""Receipts: what was retrieved for a citation, from which file, with which digest, and when.

One small JSON file each, named after the paper and the digest of its own content, so that they can be committed
without conflicts and none can be altered unnoticed. They are no signatures: who can write the file can write a receipt.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from ..errors import Refused
from ..papers.ranges import parse_range
from ..papers.sections import same_section
from ..safe.write import create, make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Citation, Pages
    from ..papers.model import Paper
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


def keep_receipt(root: Root, folder: str, receipt: Receipt) -> str:
    """Write a receipt and give its key; the same retrieval twice is one file. Raises Refused."""
    key = f"{folder}/{receipt.ref}-{digest_of(receipt)[:_NAMED]}.json"
    if root.stat(key) is None:
        make_folders(root, folder)
        create(root, key, msgspec.json.format(msgspec.json.encode(receipt), indent=2) + b"\n")
    return key


def find_receipt(root: Root, folder: str, paper: Paper, citation: Citation) -> str:
    """Empty where a receipt of the folder covers the citation, else what is missing."""
    stale = wordless = ""
    others: list[str] = []
    for receipt in _receipts(root, folder, paper.id):
        if not _is_there(receipt, citation):
            others.append(receipt.citation)
        elif not _holds_words(receipt, citation):
            wordless = f"what was retrieved as {receipt.citation} does not hold the quoted words"
        elif _is_current(root, receipt):
            return ""
        else:
            stale = f"{receipt.source} changed since it was retrieved on {receipt.created[:10]}"
    if stale or wordless:
        return stale or wordless
    if others:
        listed = ", ".join(dict.fromkeys(others[:5]))
        return f"receipts of {paper.id} cover only {listed}"
    return f"nothing was retrieved from {paper.id}"


def _receipts(root: Root, folder: str, ref: str) -> Iterator[Receipt]:
    """Every intact receipt of a paper."""
    for name in root.names(folder):
        if name.startswith(f"{ref}-") and name.endswith(".json"):
            try:
                receipt = msgspec.json.decode(root.read(f"{folder}/{name}", _LARGEST), type=Receipt)
            except (Refused, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
            intact = name == f"{ref}-{digest_of(receipt)[:_NAMED]}.json"
            if intact and receipt.ref == ref and receipt.version == VERSION:
                yield receipt


def _is_there(receipt: Receipt, citation: Citation) -> bool:
    """Whether what was retrieved stands where the citation points: on all of its pages, or in its section."""
    if citation.pages is not None:
        return _holds(receipt.page, citation.pages)
    return not (citation.section and receipt.section) or same_section(citation.section, receipt.section)


def _holds_words(receipt: Receipt, citation: Citation) -> bool:
    """Whether what was retrieved holds the quoted words, where some are quoted."""
    if citation.quote is None:
        return True
    from ..quoting.look import Source

    return Source((receipt.passage,)).look(citation.quote.exact).kind == "verbatim"


def _holds(retrieved: str, pages: Pages) -> bool:
    """Whether all cited pages are among those retrieved: `15`, or `15-16` for words across a page break."""
    cited = pages.first if pages.first == pages.last else f"{pages.first}-{pages.last}"
    have, asked = parse_range(retrieved), parse_range(cited)
    return retrieved == cited or (have is not None and asked is not None and asked.within(have))


def _is_current(root: Root, receipt: Receipt) -> bool:
    try:
        return sha256(root.read(receipt.source)).hexdigest() == receipt.digest
    except Refused:
        return False
