"""Which machines may be asked: the addresses behind a name, every one of them checked."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ...core.web import FetchFailure
from ..escape import escape_text

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

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


class Networks:
    """The ranges as numbers."""

    def __init__(self) -> None:
        from ipaddress import IPv4Network, IPv6Network

        four = [IPv4Network(text) for text in _FOUR.split()]
        six = [IPv6Network(text) for text in _SIX.split()]
        public = IPv6Network(_PUBLIC_SIX)
        self.four = [(int(net.network_address), int(net.broadcast_address)) for net in four]
        self.six = [(int(net.network_address), int(net.broadcast_address)) for net in six]
        self.public = int(public.network_address), int(public.broadcast_address)


_known: list[Networks] = []


def is_public(address: str) -> bool:
    """Whether a machine at this address is public on the internet."""
    from ipaddress import ip_address

    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if not _known:
        _known.append(Networks())
    # Python's own opinion is asked as well; it differs between versions, and only ever forbids more here.
    return "%" not in address and _in_public_range(parsed, _known[0])


def _in_public_range(parsed: IPv4Address | IPv6Address, networks: Networks) -> bool:
    number = int(parsed)
    if parsed.version == 4:
        return parsed.is_global and not any(low <= number <= high for low, high in networks.four)
    if number >> 32 == _TRANSLATED >> 32:
        from ipaddress import IPv4Address

        return _in_public_range(IPv4Address(number & 0xFFFFFFFF), networks)
    low, high = networks.public
    return low <= number <= high and parsed.is_global and not any(low <= number <= high for low, high in networks.six)


def addresses_of(host: str, clock: Clock) -> list[str]:
    """The addresses behind a name, in the order to try them; Trouble where there is none, or one that is not public."""
    name = escape_text(host)
    if f".{host}".endswith(_NAMES):
        raise FetchFailure("forbidden-address", f"{clock.what}: {name} is a name for private use; cite a public page")
    found = list(dict.fromkeys(_looked_up(host, clock)))
    for address in found:
        if not is_public(address):
            raise forbidden(clock.what, name, address)
    if not found:
        raise FetchFailure("unresolved", f"{clock.what}: there is no address for {name}; check its spelling")
    return found


def forbidden(what: str, name: str, address: str) -> FetchFailure:
    """The trouble with an address that is not public."""
    message = f"{what}: {name} leads to {escape_text(address, 60)}, which is no public address; cite a public page"
    return FetchFailure("forbidden-address", message)


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
        message = f"{clock.what}: the name {escape_text(host)} cannot be looked up ({reason}); check its spelling"
        raise FetchFailure("unresolved", message)
    return answers
