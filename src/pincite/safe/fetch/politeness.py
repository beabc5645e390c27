"""How the fetcher behaves towards sites, and what a test may allow it besides."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from ..._version import __version__

TOKEN = "pincite"  # noqa: S105 - the name that a robots.txt calls us by
_WORD = "checks citations"


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


class TestOnly(Struct, frozen=True):
    """Names that lead to servers on loopback; given by tests, and by nothing that a user or a project can write."""

    __test__: ClassVar[bool] = False

    hosts: dict[str, tuple[str, int]]
    """The loopback address and port behind each name."""
    ca_pem: str
    """The only authority that is trusted then."""
