"""Which addresses are public, held against what Python knows of them, and names that lead where they should not."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.web import FetchFailure
from pincite.safe.fetch import Fetcher, FetchPolicy, TestOnly, hosts
from pincite.safe.fetch.addresses import is_public

FORBIDDEN = """
0.0.0.0 0.1.2.3 10.0.0.0 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.255
168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1
255.255.255.255 :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8
64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b::0.0.0.0 64:ff9b::224.0.0.1
64:ff9b:1::8.8.8.8 64:ff9b:1::1 64:ff9b:0:1::8.8.8.8 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1
2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2002:808:808::1 3fff::1 3fff:fff:ffff::1 5f00::1 4000::1
fc00::1 fd00:ec2::254 fdff::1 fe80::1 fe80::1%1 fec0::1 ff02::1 ff0e::1 2606:4700::1111%1
""".split()
NO_ADDRESSES = "1.2.3 1 0x7f.0.0.1 0177.0.0.1 127.1 localhost 8.8.8.8. 8.8.8.8/32 fe80::1%eth0 [::1] ::1::".split()
PUBLIC = """
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
169.253.255.255 172.15.255.255 172.32.0.0 192.1.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700:4700::1111
2a00:1450:4001::1 2003::1 2400:cb00::1 64:ff9b::8.8.8.8 64:ff9b::101:101
""".split()


@pytest.mark.parametrize("address", [*FORBIDDEN, *NO_ADDRESSES, ""])
def test_forbidden(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert is_public(address)


@given(st.integers(0, 2**32 - 1))
def test_of_four_bytes_only_the_global_ones(number: int) -> None:
    address = IPv4Address(number)
    translated = str(IPv6Address((0x64FF9B << 96) | number))
    assert is_public(translated) is is_public(str(address))
    if is_public(str(address)):
        assert address.is_global
        assert not (address.is_multicast or address.is_private or address.is_reserved or address.is_loopback)
        assert not (address.is_link_local or address.is_unspecified)
    for form in (f"::ffff:{address}", f"::{address}", f"2002:{number >> 16:x}:{number & 0xFFFF:x}::1"):
        assert not is_public(form)


PREFIXES = (0, 0x64FF9B << 96, 0x64FF9B0001 << 80, 0x2001 << 112, 0x2002 << 112, 0xFC << 120, 0xFE8 << 116, 0xFF << 120)
NUMBERS = st.one_of(
    st.integers(0, 2**128 - 1), st.builds(int.__or__, st.sampled_from(PREFIXES), st.integers(0, 2**64 - 1))
)


@given(NUMBERS)
def test_of_sixteen_bytes_only_the_global_ones(number: int) -> None:
    address = IPv6Address(number)
    if is_public(str(address)):
        assert address.is_global
        assert not (address.is_multicast or address.is_private or address.is_loopback or address.is_link_local)
        assert not (address.is_site_local or address.ipv4_mapped or address.sixtofour or address.teredo)
        inside = IPv4Address(number & 0xFFFFFFFF)
        assert address in ipaddress.ip_network("2000::/3") or (number >> 32 == 0x64FF9B << 64 and inside.is_global)
    assert not is_public(f"{address}%1")


@given(st.text(max_size=20))
def test_whatever_is_no_address(text: str) -> None:
    assert is_public(text) in (True, False)


class World:
    """A resolver that answers as it is told, and a network in which every connection is seen."""

    def __init__(self) -> None:
        self.answers: list[Callable[[], list[str]]] = []
        self.asked: list[bytes] = []
        self.connected: list[tuple[str, int]] = []
        self.through: dict[str, int] = {}
        """Addresses that lead to a port on loopback after all."""

    def resolve(self, host: bytes, port: int, **_: Any) -> list[Any]:
        self.asked.append(host)
        found = self.answers[min(len(self.asked), len(self.answers)) - 1]()
        rows: list[Any] = []
        for address in found:
            bare, _, zone = address.partition("%")
            where = (bare, port, 0, int(zone or 0)) if ":" in bare else (bare, port)
            rows.append((socket.AF_INET6 if ":" in bare else socket.AF_INET, socket.SOCK_STREAM, 6, "", where))
        return rows


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    one = World()
    really = socket.socket.connect

    def connect(sock: socket.socket, where: Any) -> None:
        one.connected.append(where[:2])
        if where[0] not in one.through:
            raise ConnectionRefusedError(111, "refused")
        # The family is that of the real way; an address of sixteen bytes cannot be led through.
        really(sock, ("127.0.0.1", one.through[where[0]]))

    monkeypatch.setattr(socket, "getaddrinfo", one.resolve)
    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(hosts, "BACK_OFF", 0.01)
    return one


def trouble(url: str = "https://www.web.example/", **policy: Any) -> FetchFailure:
    with Fetcher(FetchPolicy(**{"seconds": 5.0, **policy})) as fetcher, pytest.raises(FetchFailure) as caught:
        fetcher.fetch(url)
    return caught.value


@pytest.mark.parametrize("where", ["alone", "after", "before", "among"])
def test_one_forbidden_answer_is_enough(world: World, where: str) -> None:
    for address in FORBIDDEN:
        found = {
            "alone": [address],
            "after": ["93.184.216.34", address],
            "before": [address, "93.184.216.34"],
            "among": ["93.184.216.34", "2606:4700::1111", *["1.1.1.1"] * 10, address, "9.9.9.9"],
        }[where]
        world.answers = [lambda found=found: found]  # type: ignore[misc]
        assert trouble().kind == "forbidden-address", address
    assert len(world.asked) == len(FORBIDDEN)
    assert world.connected == []


def test_a_name_that_changes_its_mind(world: World) -> None:
    world.answers = [lambda: ["93.184.216.34"], lambda: ["127.0.0.1"]]
    assert trouble(robots=False).kind == "forbidden-address"
    # The first connection was refused by the network, so the name was looked up again, and checked again.
    assert world.connected == [("93.184.216.34", 443)]
    assert len(world.asked) == 2


def test_what_was_checked_is_what_is_connected_to(world: World, site: Any) -> None:
    world.answers = [lambda: ["93.184.216.34"], lambda: ["10.0.0.1"]]
    world.through["93.184.216.34"] = site.port
    with Fetcher(FetchPolicy(seconds=5), test_only=TestOnly({}, site.ca_pem)) as fetcher:
        visit = fetcher.fetch("https://n0.site.example/")
    assert (visit.status, visit.answer.address) == (200, "93.184.216.34")
    assert (world.asked, world.connected) == ([b"n0.site.example"], [("93.184.216.34", 443)])
    assert [asked.host for asked in site.asked] == ["n0.site.example"] * 2


def test_the_next_address_is_tried(world: World, site: Any) -> None:
    world.answers = [lambda: ["2606:4700::1111", "1.1.1.1", "93.184.216.34"]]
    world.through["93.184.216.34"] = site.port
    with Fetcher(FetchPolicy(seconds=5, robots=False), test_only=TestOnly({}, site.ca_pem)) as fetcher:
        assert fetcher.fetch("https://n0.site.example/").answer.address == "93.184.216.34"
    assert [where[0] for where in world.connected] == ["2606:4700::1111", "1.1.1.1", "93.184.216.34"]


def test_the_certificate_is_for_the_name(world: World, site: Any) -> None:
    world.answers = [lambda: ["93.184.216.34"]]
    world.through["93.184.216.34"] = world.through["1.1.1.1"] = site.port
    for url in ("https://www.web.example/", "https://1.1.1.1/"):
        with Fetcher(FetchPolicy(seconds=5), test_only=TestOnly({}, site.ca_pem)) as fetcher:
            with pytest.raises(FetchFailure) as caught:
                fetcher.fetch(url)
            assert caught.value.kind == "tls"
    assert site.asked == []


@pytest.mark.parametrize(
    "name", ["a.localhost", "printer.local", "db.internal", "x.home.arpa", "a.onion", "a.test", "wpad.lan", "a.invalid"]
)
def test_names_for_private_use_are_not_even_looked_up(world: World, name: str) -> None:
    world.answers = [lambda: ["93.184.216.34"]]
    assert trouble(f"https://{name}/").kind == "forbidden-address"
    assert (world.asked, world.connected) == ([], [])


def test_a_name_without_an_address(world: World) -> None:
    def unknown() -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    world.answers = [unknown]
    problem = trouble()
    assert problem.kind == "unresolved"
    assert "www.web.example" in str(problem)
    world.answers = [list]
    assert trouble(robots=False).kind == "unresolved"


def test_a_resolver_that_never_answers(world: World) -> None:
    release = threading.Event()

    def wait() -> list[str]:
        release.wait(10)
        return []

    world.answers = [wait]
    begun = monotonic()
    assert trouble(seconds=0.3).kind == "timeout"
    assert monotonic() - begun < 5
    release.set()


def test_a_machine_without_the_newer_protocol(world: World, site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Old(socket.socket):
        def __init__(self, family: int = -1, *rest: Any, **more: Any) -> None:
            if family == socket.AF_INET6:
                raise OSError(97, "Address family not supported by protocol")
            super().__init__(family, *rest, **more)

    monkeypatch.setattr(socket, "socket", Old)
    world.answers = [lambda: ["2606:4700::1111", "93.184.216.34"]]
    world.through["93.184.216.34"] = site.port
    with Fetcher(FetchPolicy(seconds=5, robots=False), test_only=TestOnly({}, site.ca_pem)) as fetcher:
        assert fetcher.fetch("https://n0.site.example/").status == 200
    world.answers = [lambda: ["2606:4700::1111"]]
    assert trouble(robots=False).kind == "unreachable"
