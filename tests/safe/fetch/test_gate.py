"""Requests that pass a gate, and pages that are asked for again."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from pincite.core.web import FetchFailure
from pincite.safe.fetch import FetchConditions, Fetcher, FetchPolicy, TestOnly, hosts
from pincite.safe.fetch.time_budget import Clock

HOST, OTHER = "n0.site.example", "n1.site.example"
PAGE = f"https://{HOST}/page"


class Gate:
    """Lets everything through, and writes it down."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.delays: dict[str, float] = {}
        self.closed = ""

    def enter(self, host: str, clock: Clock) -> None:
        if host == self.closed:
            raise FetchFailure("busy", f"{host} is closed")
        self.seen.append(f"> {host}")

    def leave(self, host: str) -> None:
        self.seen.append(f"< {host}")

    def note_delay(self, host: str, seconds: float) -> None:
        self.delays[host] = seconds


def open_fetcher(site: Any, gate: Gate | None = None, **policy: Any) -> Fetcher:
    """A fetcher for the sites of the test."""
    reach = TestOnly(site.hosts, site.ca_pem)
    return Fetcher(FetchPolicy(**{"retries": 0, **policy}), test_only=reach, gate=gate)


def test_every_request_passes_the_gate(loopback: ModuleType, site: Any) -> None:
    site.answers[f"{HOST}/page"] = loopback.page(b"", "302 Found", location=f"https://{OTHER}/there")
    gate = Gate()
    with open_fetcher(site, gate) as fetcher:
        assert fetcher.revisit(PAGE).final_url == f"https://{OTHER}/there"
    assert gate.seen == [f"{sign} {host}" for host in (HOST, HOST, OTHER, OTHER) for sign in "><"]
    assert site.paths() == ["/robots.txt", "/page", "/robots.txt", "/there"]


def test_what_the_gate_refuses_is_not_asked(site: Any) -> None:
    gate = Gate()
    gate.closed = HOST
    with open_fetcher(site, gate) as fetcher, pytest.raises(FetchFailure, match="is closed"):
        fetcher.revisit(PAGE)
    assert site.asked == []


def test_a_connection_that_was_closed_meanwhile_is_another_request(loopback: ModuleType, site: Any) -> None:
    site.default = loopback.page(connection="keep-alive")
    gate = Gate()
    with open_fetcher(site, gate, robots=False) as fetcher:
        fetcher.revisit(PAGE)
        for sock in list(site._open):
            sock.close()
        fetcher.revisit(PAGE)
    assert gate.seen.count(f"> {HOST}") == gate.seen.count(f"< {HOST}") >= 2


def test_the_gate_hears_of_the_delay_that_a_site_asks_for(loopback: ModuleType, site: Any) -> None:
    site.answers["/robots.txt"] = loopback.page(b"User-agent: *\nCrawl-delay: 4000\n", content_type="text/plain")
    gate = Gate()
    with open_fetcher(site, gate) as fetcher:
        rules = fetcher.read_rules(HOST)
        assert not isinstance(rules, FetchFailure)
        assert (rules.delay, gate.delays) == (4000.0, {HOST: 4000.0})
        # The gate keeps it, so that the fetcher does not wait.
        fetcher.revisit(PAGE)
    assert site.paths() == ["/robots.txt", "/page"]


def test_pages_are_asked_for_as_often_as_wanted(site: Any) -> None:
    with open_fetcher(site) as fetcher:
        for _ in range(3):
            fetcher.revisit(PAGE)
    assert site.paths() == ["/robots.txt", "/page", "/page", "/page"]


@pytest.mark.parametrize(
    ("known", "etag", "modified"),
    [
        (FetchConditions(PAGE, '"a"', "Thu, 01 Jan 2026 00:00:00 GMT"), '"a"', "Thu, 01 Jan 2026 00:00:00 GMT"),
        (FetchConditions(PAGE), "", ""),
        (FetchConditions(PAGE, 'x"\r\nEvil: 1', "\x80"), "", ""),
        (FetchConditions(PAGE, "x" * 1001), "", ""),
        (FetchConditions(f"https://{HOST}/other", '"a"', "then"), "", ""),
        (None, "", ""),
    ],
)
def test_what_is_known_of_a_page_is_told_to_its_server_alone(
    site: Any, known: FetchConditions | None, etag: str, modified: str
) -> None:
    with open_fetcher(site) as fetcher:
        visit = fetcher.revisit(PAGE, known)
    robots, page = site.asked
    assert "if-none-match" not in robots.headers
    assert page.headers.get("if-none-match", "") == etag
    assert page.headers.get("if-modified-since", "") == modified
    assert dict(visit.answer.request_headers).get("If-None-Match", "") == etag


def test_conditions_go_to_where_redirects_lead(loopback: ModuleType, site: Any) -> None:
    site.answers[f"{HOST}/page"] = loopback.page(b"", "301 Moved", location=f"https://{OTHER}/there")
    site.answers[f"{OTHER}/there"] = b'HTTP/1.1 304 Not Modified\r\nEtag: "a"\r\n\r\n'
    with open_fetcher(site) as fetcher:
        visit = fetcher.revisit(PAGE, FetchConditions(f"https://{OTHER}/there", '"a"'))
    assert (visit.status, visit.answer.body, len(visit.exchanges)) == (304, b"", 2)
    sent = {asked.host + asked.path: asked.headers.get("if-none-match", "") for asked in site.asked}
    assert sent[f"{HOST}/page"] == ""
    assert sent[f"{OTHER}/there"] == '"a"'


def test_rules_are_read_again_after_a_day(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(hosts, "monotonic", lambda: now[0])
    with open_fetcher(site) as fetcher:
        fetcher.read_rules(HOST)
        now[0] += 86_399
        fetcher.read_rules(HOST)
        assert site.paths() == ["/robots.txt"]
        now[0] += 2
        fetcher.read_rules(HOST)
    assert site.paths() == ["/robots.txt", "/robots.txt"]


def test_rules_that_could_not_be_had_are_tried_again_sooner(
    loopback: ModuleType, site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.answers["/robots.txt"] = loopback.page(b"", "500 Broken")
    now = [1000.0]
    monkeypatch.setattr(hosts, "monotonic", lambda: now[0])
    with open_fetcher(site) as fetcher:
        assert isinstance(fetcher.read_rules(HOST), FetchFailure)
        site.answers.clear()
        assert isinstance(fetcher.read_rules(HOST), FetchFailure)
        now[0] += 601
        assert not isinstance(fetcher.read_rules(HOST), FetchFailure)


def test_what_is_forgotten_is_asked_again(site: Any) -> None:
    with open_fetcher(site) as fetcher:
        fetcher.forget(HOST)
        fetcher.revisit(PAGE)
        fetcher.forget(HOST)
        fetcher.revisit(PAGE)
    assert site.paths() == ["/robots.txt", "/page"] * 2
    assert site.connections == 2


def test_rules_of_many_hosts_do_not_fill_memory(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "_MOST_HOSTS", 2)
    with open_fetcher(site) as fetcher:
        for number in (0, 1, 2, 0):
            fetcher.read_rules(f"n{number}.site.example")
        assert fetcher._hosts is not None
        assert len(fetcher._hosts._hosts) == 2
    assert len(site.asked) == 4


def test_a_closed_fetcher_asks_nothing(site: Any) -> None:
    fetcher = open_fetcher(site)
    fetcher.close()
    with pytest.raises(FetchFailure, match="closed"):
        fetcher.revisit(PAGE)
    with pytest.raises(FetchFailure, match="closed"):
        fetcher.read_rules(HOST)
    assert site.asked == []
