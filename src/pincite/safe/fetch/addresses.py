"""Which machines may be asked: the addresses behind a name, every one of them checked."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from ..escape import escape_text

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

    from ...core.web import FetchFailure
    from .time_budget import Clock

PORT = 443
_PRIVATE_NAMES = "localhost local localdomain internal intranet private corp home lan home.arpa onion invalid test"
_NAMES = tuple(f".{name}" for name in _PRIVATE_NAMES.split())
"""Names that mean something on a machine or in a house, never on the web."""
# The special-purpose registries, as far as nothing public answers there, and what clouds keep for their own machines.
_FOUR = """
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
"""
_PUBLIC_SIX = "2000::/3"
_SIX = "2001::/23 2001:db8::/32 2002::/16 3fff::/20"
"""Inside the public range: tunnels, tests and examples. Everything outside it is refused anyway."""
_TRANSLATED = 0x64FF9B << 96
"""64:ff9b::/96, by which a network without IPv4 reaches it: as good as the address inside."""


@cache
def _networks(texts: str) -> list[IPv4Network | IPv6Network]:
    from ipaddress import ip_network

    return [ip_network(text) for text in texts.split()]


def is_public(address: str) -> bool:
    """Whether a machine at this address is public on the internet."""
    from ipaddress import IPv4Address, ip_address

    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if parsed.version == 6 and int(parsed) >> 32 == _TRANSLATED >> 32:
        parsed = IPv4Address(int(parsed) & 0xFFFFFFFF)
    elif parsed.version == 6 and not any(parsed in network for network in _networks(_PUBLIC_SIX)):
        return False
    reserved = _networks(_FOUR if parsed.version == 4 else _SIX)
    # Python's own opinion is asked as well; it differs between versions, and only ever forbids more here.
    return "%" not in address and parsed.is_global and not any(parsed in network for network in reserved)


def addresses_of(host: str, clock: Clock) -> list[str]:
    """The addresses of a host, in the order to try them; Trouble where there is none, or one that is not public."""
    name = escape_text(host)
    if f".{host}".endswith(_NAMES):
        raise clock.failure("forbidden-address", f"{name} is a name for private use; cite a public page")
    is_literal = ":" in host or host.replace(".", "").isdigit()
    found = [host] if is_literal else list(dict.fromkeys(_looked_up(host, clock)))
    for address in found:
        if not is_public(address):
            raise forbidden(clock, name, address)
    if not found:
        raise clock.failure("unresolved", f"there is no address for {name}; check its spelling")
    return found


def forbidden(clock: Clock, name: str, address: str) -> FetchFailure:
    """The trouble with an address that is not public."""
    words = f"{name} leads to {escape_text(address, 60)}, which is no public address; cite a public page"
    return clock.failure("forbidden-address", words)


def _looked_up(host: str, clock: Clock) -> list[str]:
    """What the system's resolver says, asked in a thread of its own: it knows no deadline."""
    import socket

    answers: list[str] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host.encode("ascii"), PORT, type=socket.SOCK_STREAM)
            for row in rows:
                where: tuple[object, ...] = row[4]
                # A scope (the fourth field of an IPv6 answer) belongs to addresses of one link alone.
                answers.append(f"{where[0]}%{where[3]}" if any(where[3:]) else str(where[0]))
        except (OSError, UnicodeError, ValueError) as error:
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=ask, name=f"look-up of {host}", daemon=True).start()
    clock.until(done)
    if errors:
        reason = getattr(errors[0], "strerror", None) or str(errors[0])
        if isinstance(errors[0], socket.gaierror) and errors[0].errno == socket.EAI_AGAIN:
            # No resolver answered, which says nothing about the name.
            words = f"the name {escape_text(host)} cannot be looked up now ({reason}); try again later"
            raise clock.failure("unreachable", words)
        words = f"the name {escape_text(host)} cannot be looked up ({reason}); check its spelling"
        raise clock.failure("unresolved", words)
    return answers
