"""How the fetcher behaves towards sites, and what a test may allow it besides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Protocol

from msgspec import Struct

from ..._version import __version__

if TYPE_CHECKING:
    from .time_budget import Clock

TOKEN = "pincite"  # noqa: S105 - the name that a robots.txt calls us by
_WORD = "checks citations"
_HEADER_VALUE = re.compile(r"[!-~](?:[ -~]{0,998}[!-~])?")


class FetchPolicy(Struct, frozen=True):
    """What one fetch may cost, and what it owes to the site."""

    connections: int = 8
    """Hosts that are asked at once; each by one connection."""
    seconds: float = 30.0
    """Longest that one page may take, from the look-up of its name to its last byte, redirects included."""
    most_bytes: int = 16 * 1024 * 1024
    """Largest body, as it is transferred."""
    robots: bool = True
    """Whether robots.txt is obeyed."""
    contact: str = ""
    """An address that sites may write to."""
    redirects: int = 5
    retries: int = 2
    """How often a host that is busy or breaks off is asked again."""

    @property
    def user_agent(self) -> str:
        """Who we say we are; a contact is put in as far as a header may carry it."""
        contact = "".join(char for char in self.contact if char.isascii() and char.isprintable() and char not in "()\\")
        return f"{TOKEN}/{__version__} (+{' '.join(contact.split())[:200] or _WORD})"


class FetchConditions(Struct, frozen=True):
    """What is known of a page: its server need not send it again where it is the same."""

    url: str
    """Where the page was; what is known is true of no other address."""
    etag: str = ""
    modified: str = ""
    """Both as the server gave them."""

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers that say so, as far as a request may carry them."""
        given = (("If-None-Match", self.etag), ("If-Modified-Since", self.modified))
        return tuple((name, value) for name, value in given if _HEADER_VALUE.fullmatch(value))


class RequestGate(Protocol):
    """Decides when a host may be asked. Every request passes it, also those for robots.txt and after a redirect."""

    def enter(self, host: str, clock: Clock) -> None:
        """Wait until the host may be asked; raises FetchFailure where that takes too long."""

    def leave(self, host: str) -> None:
        """The request is over, well or badly."""

    def note_delay(self, host: str, seconds: float) -> None:
        """The host's robots.txt asks for so many seconds between two requests."""


class TestOnly(Struct, frozen=True):
    """Names that lead to servers on loopback; given by tests, and by nothing that a user or a project can write."""

    __test__: ClassVar[bool] = False

    hosts: dict[str, tuple[str, int]]
    """The loopback address and port behind each name."""
    ca_pem: str
    """The only authority that is trusted then."""
