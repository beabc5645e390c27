"""What stands behind one citation, as a page shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from .records import CitationRow
    from .site import Site


class EvidenceView(Struct, frozen=True):
    """The evidence of a citation as it is now, and what was cited."""

    kind: str
    """`code`, `paper`, `output`, `snapshot`, `passage` or `none`."""
    excerpt: tuple[str, ...] = ()


def load_evidence(site: Site, row: CitationRow) -> EvidenceView:
    """The evidence behind a citation."""
    verdict = site.documents.verdict(row)
    return EvidenceView(
        "code" if verdict is not None and verdict.excerpt else "none", verdict.excerpt if verdict else ()
    )
