"""What came over the web: requests, their answers, and the way from an address to a page."""

from __future__ import annotations

from msgspec import Struct

from .errors import PinciteError

REDIRECTS = (301, 302, 303, 307, 308)
"""The statuses that send a reader elsewhere."""


class Exchange(Struct, frozen=True):
    """One request and its answer."""

    url: str
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    """Of the answer, as they were sent."""
    body: bytes = b""
    """As it was transferred: chunks are joined, a content encoding is not undone."""
    request_headers: tuple[tuple[str, str], ...] = ()
    address: str = ""
    """The address of the machine that answered; empty where it is not known."""

    def header(self, name: str) -> str:
        """The first header of that name, empty where there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")


class Visit(Struct, frozen=True):
    """What asking for an address gave: every redirect, and the answer at the end."""

    url: str
    """What was asked for."""
    retrieved: str
    """When the answer came, in UTC: `2026-01-31T23:59:59Z`."""
    exchanges: tuple[Exchange, ...]
    """Redirects in order, then the answer; never empty."""
    saved: str = ""
    """Of a page that was not fetched: in which form it was saved, what names the day, and the file."""

    @property
    def answer(self) -> Exchange:
        """The last exchange."""
        return self.exchanges[-1]

    @property
    def status(self) -> int:
        """The status of the answer."""
        return self.exchanges[-1].status

    @property
    def final_url(self) -> str:
        """Where the redirects led."""
        return self.exchanges[-1].url


class FetchFailure(PinciteError):
    """Why there is no answer; `kind` is one of KINDS, the message names the place, the problem and the remedy."""

    KINDS = tuple(
        "bad-url not-https forbidden-address unresolved unreachable tls timeout too-large encoding redirects robots "
        "type protocol busy offline damaged".split()
    )

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.host = ""
        """The host that failed, which may be one that a redirect leads to; empty where that is not known."""
