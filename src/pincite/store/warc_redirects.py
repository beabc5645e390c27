"""From answers to visits: which answer a redirect led to, and where a body lies that was kept once for several."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from ..core.web import REDIRECTS
from .warc_read import WarcVisit, seconds_of

if TYPE_CHECKING:
    from .warc_read import WarcFile, WarcResponse

MOST_REDIRECTS = 5
"""As many as are followed when a page is fetched."""
_DAY = 24 * 60 * 60
_NEAR = MOST_REDIRECTS + 2
_PORTS = {"https": "443", "http": "80"}
_parts = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^#]*)").match


def normal_url(url: str) -> str:
    """The address without what makes no difference: case of scheme and host, default port, empty path, fragment."""
    found = _parts(url)
    if found is None:
        return url
    scheme, (user, at, host) = found[1].lower(), found[2].rpartition("@")
    host, rest = host.lower(), found[3]
    head, colon, port = host.rpartition(":")
    if colon and port in ("", _PORTS.get(scheme)):
        host = head
    return f"{scheme}://{user}{at}{host}{rest if rest.startswith('/') else '/' + rest}"


class RedirectChains:
    """The answers of some files, and the ways through them."""

    def __init__(self) -> None:
        self._visits: dict[str, list[tuple[bool, WarcVisit]]] = {}
        self._urls: dict[str, str] = {}
        """Every address as it was first written."""
        self._answers: dict[str, list[WarcResponse]] = {}
        self._by_id: dict[str, WarcResponse] = {}
        self._by_payload: dict[str, WarcResponse] = {}
        self._by_date: dict[tuple[str, str], WarcResponse] = {}
        self._times: dict[str, list[tuple[float, str, int, int]]] = {}
        self._near: dict[int, list[WarcResponse]] = {}

    def add(self, file: WarcFile) -> None:
        """Take in the answers of one more file."""
        self._near.clear()
        first = {(id(recorded.exchanges[0]), normal_url(recorded.url)) for recorded in file.resolved}
        for recorded in file.resolved:
            self._enter(recorded, True)
        for found in file.captured:
            key = normal_url(found.url)
            self._answers.setdefault(key, []).append(found)
            self._times.pop(key, None)
            if found.refers is None:
                self._by_id.setdefault(found.id, found)
                self._by_date.setdefault((key, found.retrieved), found)
                if found.payload:
                    self._by_payload.setdefault(_bare(found.payload), found)
            if (id(found), key) not in first:
                self._enter(WarcVisit(found.url, (found,)), False)

    def urls(self) -> list[str]:
        """Every address that something was answered for, sorted."""
        return sorted(self._urls.values())

    def of(self, url: str) -> list[tuple[bool, WarcVisit]]:
        """The visits to an address, each with whether its writer recorded it so; the others go as far as they lead."""
        found = self._visits.get(normal_url(url), [])
        return [
            (whole, visit if whole else WarcVisit(visit.url, self._follow_redirects(visit.exchanges[0])))
            for whole, visit in found
        ]

    def body_of(self, found: WarcResponse) -> WarcResponse | None:
        """The answer that has the body of one that refers to it; None where it is not here."""
        if found.refers is None:
            return found
        known = self._by_id.get(found.refers.id) if found.refers.id else None
        if known is None and found.refers.uri and found.refers.date:
            known = self._by_date.get((normal_url(found.refers.uri), found.refers.date))
        if known is None and found.payload:
            known = self._by_payload.get(_bare(found.payload))
        return known

    def _enter(self, visit: WarcVisit, whole: bool) -> None:
        key = normal_url(visit.url)
        self._urls.setdefault(key, visit.url.partition("#")[0])
        self._visits.setdefault(key, []).append((whole, visit))

    def _follow_redirects(self, found: WarcResponse) -> tuple[WarcResponse, ...]:
        """An answer, and those that its redirects led to."""
        trail = [found]
        while len(trail) <= MOST_REDIRECTS and trail[-1].status in REDIRECTS:
            after = self._next(trail)
            if after is None:
                break
            trail.append(after)
        return tuple(trail)

    def _next(self, trail: list[WarcResponse]) -> WarcResponse | None:
        """The answer nearest in time at the address that a redirect names; within a day, or it is another story."""
        near = self._near.get(id(trail[-1]))
        if near is None:
            near = self._near[id(trail[-1])] = self._nearest(trail[-1])
        return next((one for one in near if not any(one is known for known in trail)), None)

    def _nearest(self, found: WarcResponse) -> list[WarcResponse]:
        """Some answers at the address that a redirect names, the nearest in time first, later before earlier."""
        from urllib.parse import urljoin

        place = next((value for name, value in found.headers if name.lower() == "location"), "")
        try:
            key = normal_url(urljoin(found.url, place)) if place else ""
        except ValueError:
            return []
        answers = self._answers.get(key)
        if not answers:
            return []
        times = self._times.get(key)
        if times is None:
            times = sorted((seconds_of(one.retrieved), one.file, one.order, at) for at, one in enumerate(answers))
            self._times[key] = times
        here = (seconds_of(found.retrieved), found.file, found.order, 0)
        middle = bisect_left(times, here)
        first = max(0, middle - _NEAR)
        near = [
            (abs(time[0] - here[0]), time < here, abs(at - middle), time[3])
            for at, time in enumerate(times[first : middle + _NEAR], first)
        ]
        return [answers[at] for separate, _, _, at in sorted(near) if separate <= _DAY]


def _bare(digest: str) -> str:
    """A digest as it is compared with others: label in small letters, no filling at the end."""
    label, _, value = digest.partition(":")
    return f"{label.strip().lower()}:{value.strip().rstrip('=')}"
