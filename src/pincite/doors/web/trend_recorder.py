"""Every finished check in numbers, recorded for the page that shows them over time."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from time import time
from typing import TYPE_CHECKING

from ...core.errors import PinciteError
from ...store.check_trend import TrendPoint, record_check

if TYPE_CHECKING:
    from .checked_documents import CheckedDocuments
    from .site import Site


def record_documents(site: Site, documents: CheckedDocuments, head: str) -> None:
    """Record what a check found; where that cannot be kept, nothing is lost but a point of a plot."""
    outcomes = dict(Counter(row.outcome for row in documents.all_rows()))
    point = TrendPoint(head, int(time()), len(documents.names()), outcomes)
    with suppress(PinciteError, OSError), site.open() as project:
        record_check(project.root, point)
