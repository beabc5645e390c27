"""What a visit to a page means for its source: as it was, changed, unchecked and to be tried again, or gone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..store.shared.web_hosts import LONGEST_REST
from ..store.shared.web_records import CHANGED, GONE, SAME, UNCHECKED, VisitResult

if TYPE_CHECKING:
    from ..core.web import Exchange
    from ..store.shared.web_records import DueSource

GONE_DAYS = 3
"""A page is gone when its server said so on so many different days: sites are moved, mended and restored in less."""
ABSENT = (404, 410)
FIRST_RETRY = 3600.0
"""Seconds before the second try; each further one waits twice as long, up to the period of the source."""
SOONEST = 60
"""Seconds before any visit is repeated."""
SPREAD = 0.1
"""By how much of its length a wait is varied, so that sources that came together do not stay together."""
NOT_MODIFIED = 304
_DAY = 86_400
_MOST_DOUBLINGS = 20
_HEADER = re.compile(r"[!-~](?:[ -~]{0,498}[!-~])?")


def note_page(source: DueSource, answer: Exchange, final: str, digest: str, now: int, chance: float) -> VisitResult:
    """The result of a visit at which the page was there; `chance` is between 0 and 1.

    `digest` is that of the page, or empty where the server said that it is the same.
    """
    is_same = not digest or digest == source.digest or not source.digest
    state = SAME if is_same else CHANGED
    kept = answer.status == NOT_MODIFIED
    return VisitResult(
        source=source.id,
        team=source.team,
        read_due=source.due,
        due=now + _vary(source.period, chance),
        state=state,
        has_new_state=state != source.state,
        status=answer.status,
        etag=_keep_header(answer.header("etag")) or (source.etag if kept else ""),
        modified=_keep_header(answer.header("last-modified")) or (source.modified if kept else ""),
        digest=digest or source.digest,
        final=final,
        time=now,
        seen=now,
        failing_since=0,
        failures=0,
        absent_days=0,
        absent_day=0,
        trouble="",
    )


def note_failure(
    source: DueSource,
    trouble: str,
    now: int,
    chance: float,
    *,
    status: int = 0,
    retry_after: float = 0.0,
    is_absent: bool = False,
) -> VisitResult:
    """The result of a visit at which the page was not seen.

    `is_absent` where the server, or the name service, said that there is no such page.
    """
    day = now // _DAY
    days = source.absent_days + (is_absent and day != source.absent_day)
    failures = source.failures + 1
    state = GONE if days >= GONE_DAYS else UNCHECKED
    wait = source.period if state == GONE else min(source.period, FIRST_RETRY * 2 ** min(failures - 1, _MOST_DOUBLINGS))
    return VisitResult(
        source=source.id,
        team=source.team,
        read_due=source.due,
        due=now + max(SOONEST, _vary(wait, chance), int(min(retry_after, LONGEST_REST)) + 1 if retry_after else 0),
        state=state,
        has_new_state=state != source.state,
        status=status,
        etag=source.etag,
        modified=source.modified,
        digest=source.digest,
        final=source.final,
        time=now,
        seen=source.seen,
        failing_since=source.failing_since or now,
        failures=failures,
        absent_days=days,
        absent_day=day if is_absent else source.absent_day,
        trouble=trouble,
        forgets_quotes=state == GONE and source.state != GONE,
    )


def postpone(source: DueSource, reason: str, now: int, seconds: float) -> VisitResult:
    """A visit that could not begin: nothing is known that was not known before."""
    return VisitResult(
        source=source.id,
        team=source.team,
        read_due=source.due,
        due=now + max(SOONEST, int(seconds)),
        state=source.state,
        has_new_state=False,
        status=0,
        etag=source.etag,
        modified=source.modified,
        digest=source.digest,
        final=source.final,
        time=now,
        seen=source.seen,
        failing_since=source.failing_since,
        failures=source.failures,
        absent_days=source.absent_days,
        absent_day=source.absent_day,
        trouble=reason,
    )


def _vary(seconds: float, chance: float) -> int:
    return max(1, round(seconds * (1 - SPREAD + 2 * SPREAD * chance)))


def _keep_header(value: str) -> str:
    """A header that can be sent back as it is; empty where it cannot."""
    return value if _HEADER.fullmatch(value) else ""
