"""Visits to the pages of one host: what is asked, what is recorded, and when they end."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pincite.core.web import FetchFailure
from pincite.fleet.host_visits import HostVisitor, VisitOptions, open_visitor, snapshots_folder
from pincite.safe.fetch.robots import RobotsRules
from pincite.safe.files import Root
from pincite.store.shared import SharedStore
from pincite.store.shared.web_records import NewSource, StoredSource
from pincite.store.warc import read_warc
from support_sites import NOT_FOUND, Sites, reply

DAY = 86_400
HOST, OTHER = "s0.site.example", "s1.site.example"
PAGE = f"https://{HOST}/page"
QUOTE = "The harbour is fourteen metres deep at low water."


class Wall:
    """A clock on the wall, which a test sets."""

    def __init__(self) -> None:
        self.now = 20_000.0 * DAY

    def __call__(self) -> float:
        return self.now


class Field:
    """A store, sites, and a visitor between them."""

    def __init__(self, store: SharedStore, sites: Sites, folder: Path) -> None:
        self.store = store
        self.sites = sites
        self.team = store.teams.get("default")
        self.wall = Wall()
        self.folder = folder
        self.options: dict[str, Any] = {"delay": 0.02, "snapshots": str(folder), "beat": 0.05}

    def add(self, *sources: NewSource) -> None:
        """Make sources known; they are due at once."""
        assert self.store.sources.add(self.team, sources, now=self.wall.now).refused == ()

    @contextmanager
    def visitor(self) -> Iterator[HostVisitor]:
        """Somebody who visits."""
        with open_visitor(self.store, self.team, VisitOptions(**self.options), clock=self.wall) as found:
            yield found

    def visit(self, host: str = HOST) -> str:
        """Visit what is due on a host; how that ended."""
        with self.visitor() as visitor:
            while (end := visitor.visit(host)).state == "waiting":
                threading.Event().wait(end.seconds)
        return end.state

    def wait_and_visit(self, host: str = HOST) -> None:
        """Let time pass until something is due on a host, and visit it."""
        self.wall.now = self.store.sources.schedule_host(self.team, host) + 1
        self.visit(host)

    def sources(self) -> dict[str, StoredSource]:
        """All sources by their paths."""
        return {one.url.partition(".example")[2]: one for one in self.store.sources.list_all(self.team)}

    def the_source(self) -> StoredSource:
        """The only source."""
        (found,) = self.sources().values()
        return found

    def quotes(self) -> list[tuple[str, str]]:
        """State and nearest passage of all quotes."""
        return [
            (row[0], row[1])
            for row in self.store.backend.query("SELECT state, nearest FROM web_quote WHERE exact <> '' ORDER BY id")
        ]

    def events(self) -> list[str]:
        """The states that the only source went through."""
        return [one.state for one in reversed(self.store.sources.overview.list_events(self.the_source().id, 99))]


@pytest.fixture
def field(web_store: SharedStore, sites: Sites, tmp_path: Path) -> Field:
    """With a store of each kind."""
    return Field(web_store, sites, tmp_path / "snapshots")


@pytest.fixture
def small_field(sqlite_store: SharedStore, sites: Sites, tmp_path: Path) -> Field:
    """Where the kind of store makes no difference."""
    return Field(sqlite_store, sites, tmp_path / "snapshots")


def test_a_page_that_stays_and_one_that_changes(field: Field) -> None:
    field.add(NewSource(PAGE, QUOTE, "r:a.md"), NewSource(PAGE, "Whales climb the weir.", "r:a.md"))
    field.sites.pages["/page"] = reply(f"<title>T</title><p>{QUOTE} Ships can turn in it.")
    assert field.visit() == "done"
    source = field.the_source()
    assert (source.state, source.status, source.quotes) == ("same", 200, {"holds": 1, "missing": 1})
    assert field.quotes()[1] == ("missing", "nothing on the page comes near it")
    (kept,) = field.store.sources.overview.list_snapshots(source.id, 99)
    # The server says that nothing changed: no body, no snapshot, no look at the quotes.
    field.wait_and_visit()
    assert field.the_source().status == 304
    assert field.sites.requests[-1].headers["if-none-match"]
    # The same page without such an answer is recognised by its bytes.
    field.sites.etags = False
    field.wait_and_visit()
    source = field.the_source()
    assert (source.state, source.status) == ("same", 200)
    assert field.store.sources.overview.list_snapshots(source.id, 99) == [kept]
    field.sites.pages["/page"] = reply("<title>T</title><p>The harbour is nine metres deep at low water.")
    field.wait_and_visit()
    source = field.the_source()
    assert (source.state, source.quotes) == ("changed", {"missing": 2})
    assert "nine metres" in field.quotes()[0][1]
    snapshots = field.store.sources.overview.list_snapshots(source.id, 99)
    assert len(snapshots) == 2
    assert field.events() == ["same", "changed"]
    with Root(str(field.folder)) as root:
        (snapshot,) = read_warc(root.read(snapshots[0].file), "x")
    assert b"nine metres" in snapshot.visit.answer.body
    # Folders stay small: by host, then by page.
    assert snapshots[1].file.split("/")[1] == HOST
    assert field.sites.paths() == ["/page"] * 4


def test_a_quote_that_comes_later_is_looked_up_in_a_page_that_stays(field: Field) -> None:
    field.sites.pages["/page"] = reply(f"<p>{QUOTE}")
    field.add(NewSource(PAGE))
    field.visit()
    field.add(NewSource(PAGE, QUOTE, "r"))
    field.visit()
    assert "if-none-match" not in field.sites.requests[-1].headers
    source = field.the_source()
    assert (source.state, source.quotes) == ("same", {"holds": 1})
    assert len(field.store.sources.overview.list_snapshots(source.id, 99)) == 1
    field.wait_and_visit()
    assert "if-none-match" in field.sites.requests[-1].headers


def test_a_page_is_gone_after_three_days_and_comes_back(field: Field) -> None:
    field.add(NewSource(PAGE, QUOTE, "r"))
    field.sites.pages["/page"] = reply(f"<p>{QUOTE}")
    field.visit()
    field.sites.pages["/page"] = NOT_FOUND
    field.wait_and_visit()
    first = int(field.wall.now) // DAY
    source = field.the_source()
    assert (source.state, source.status, source.failures) == ("unchecked", 404, 1)
    assert source.trouble == "it answered 404 Not Found"
    # What was known of the quote stays true of the day on which it was seen.
    assert field.quotes() == [("holds", "")]
    while field.the_source().state == "unchecked":
        field.wait_and_visit()
    assert int(field.wall.now) // DAY - first >= 2
    source = field.the_source()
    assert (source.state, source.absent_days) == ("gone", 3)
    assert field.quotes() == [("unchecked", "")]
    field.sites.pages["/page"] = reply(f"<p>{QUOTE}")
    field.wait_and_visit()
    source = field.the_source()
    assert (source.state, source.failures, source.absent_days) == ("same", 0, 0)
    assert field.quotes() == [("holds", "")]
    assert field.events() == ["same", "unchecked", "gone", "same"]


def test_a_busy_host_is_left_alone(field: Field) -> None:
    field.add(*(NewSource(f"https://{HOST}/{number}") for number in range(4)))
    field.sites.pages["/1"] = reply("", "429 Too Many Requests", retry_after="7200")
    assert field.visit() == "resting"
    assert field.sites.paths() == ["/0", "/1"]
    sources = field.sources()
    assert [one.state for one in sources.values()] == ["same", "unchecked", "new", "new"]
    assert sources["/1"].due >= field.wall.now + 7200
    assert sources["/1"].failures == 1
    turn = field.store.sources.hosts.take("another", HOST, 0.0)
    assert turn.state == "resting"
    assert 7100 < turn.seconds <= 7200
    # Nothing is asked meanwhile, and when it is resumed the others are visited.
    assert field.visit() == "resting"
    assert len(field.sites.paths()) == 2
    field.store.sources.hosts.resume(HOST)
    assert field.visit() == "done"
    assert field.sites.paths() == ["/0", "/1", "/2", "/3"]


def test_a_broken_host_is_left_alone_for_longer_each_time(small_field: Field) -> None:
    field = small_field
    field.add(*(NewSource(f"https://{HOST}/{number}") for number in range(9)))
    for number in range(9):
        field.sites.pages[f"/{number}"] = reply("", "502 Bad Gateway")
    seconds = []
    for _ in range(3):
        assert field.visit() == "resting"
        seconds.append(field.store.sources.hosts.take("another", HOST, 0.0).seconds)
        field.store.backend.run("UPDATE web_host SET rests_until = 0")
    assert field.sites.paths() == [f"/{number}" for number in range(9)]
    assert [round(one, -1) for one in seconds] == [60, 120, 240]
    # One good page ends it.
    field.sites.pages.clear()
    field.wait_and_visit()
    assert field.store.backend.query("SELECT strikes FROM web_host WHERE name = ?", (HOST,)) == [(0,)]


def test_robots_are_obeyed(small_field: Field) -> None:
    field = small_field
    field.sites.pages["/robots.txt"] = reply("User-agent: *\nDisallow: /private\n", content_type="text/plain")
    field.add(NewSource(f"https://{HOST}/private/1"), NewSource(f"https://{HOST}/open"))
    assert field.visit() == "done"
    assert field.sites.paths() == ["/open"]
    sources = field.sources()
    assert (sources["/private/1"].state, sources["/open"].state) == ("unchecked", "same")
    assert sources["/private/1"].trouble == f"the robots.txt of {HOST} forbids it"


def test_without_robots_nothing_is_asked(small_field: Field) -> None:
    field = small_field
    field.sites.pages["/robots.txt"] = reply("", "503 Busy")
    field.add(*(NewSource(f"https://{HOST}/{number}") for number in range(30)))
    assert field.visit() == "done"
    assert [one.path for one in field.sites.requests] == ["/robots.txt"]
    assert {one.state for one in field.sources().values()} == {"unchecked"}
    assert "cannot be had" in field.sources()["/7"].trouble


def test_a_long_delay_is_kept_by_coming_back_later(small_field: Field) -> None:
    field = small_field
    field.sites.pages["/robots.txt"] = reply("User-agent: *\nCrawl-delay: 600\n", content_type="text/plain")
    field.add(NewSource(PAGE))
    with field.visitor() as visitor:
        end = visitor.visit(HOST)
        assert end.state == "later"
        assert 599 < end.seconds <= 600
        turn = field.store.sources.hosts.take("another", HOST, 0.0)
        assert turn.state == "waiting"
        assert 599 < turn.seconds <= 600
        assert visitor.visit(HOST).state == "waiting"
    assert [one.path for one in field.sites.requests] == ["/robots.txt"]
    assert field.the_source().state == "new"


def test_a_delay_of_days_means_not_to_be_asked(small_field: Field) -> None:
    field = small_field
    field.sites.pages["/robots.txt"] = reply("User-agent: *\nCrawl-delay: 90000\n", content_type="text/plain")
    field.add(NewSource(PAGE))
    assert field.visit() == "done"
    assert "90000 s between two requests" in field.the_source().trouble


def test_a_short_delay_of_robots_is_kept_inside(small_field: Field) -> None:
    field = small_field
    field.sites.pages["/robots.txt"] = reply("User-agent: *\nCrawl-delay: 0.3\n", content_type="text/plain")
    field.add(*(NewSource(f"https://{HOST}/{number}") for number in range(3)))
    assert field.visit() == "done"
    assert field.sites.smallest_gaps()[HOST] >= 0.3


def test_redirects_are_followed_politely_and_noted(field: Field) -> None:
    there = f"https://{OTHER}/there"
    field.sites.pages[f"{HOST}/page"] = reply("", "301 Moved", location=there)
    field.sites.pages[f"{OTHER}/there"] = reply(f"<p>{QUOTE}")
    field.options["delay"] = 0.2
    field.add(NewSource(PAGE, QUOTE, "r"))
    assert field.visit() == "done"
    source = field.the_source()
    assert (source.final, source.state, source.quotes) == (there, "same", {"holds": 1})
    field.wait_and_visit()
    assert field.the_source().status == 304
    assert [one.headers.get("if-none-match", "") != "" for one in field.sites.requests[-2:]] == [False, True]
    gaps = field.sites.smallest_gaps()
    assert min(gaps[HOST], gaps[OTHER]) >= 0.2


def test_a_redirect_to_a_host_that_another_worker_asks_waits(field: Field) -> None:
    field.sites.pages[f"{HOST}/page"] = reply("", "301 Moved", location=f"https://{OTHER}/there")
    field.add(NewSource(PAGE), NewSource(f"https://{HOST}/next"))
    hosts = field.store.sources.hosts
    hosts.register("another")
    hosts.take("another", OTHER, 0.0)
    assert field.visit() == "done"
    assert [one.host for one in field.sites.requests] == [HOST, HOST, HOST]
    sources = field.sources()
    assert (sources["/page"].state, sources["/page"].failures) == ("new", 0)
    assert "another worker asks it" in sources["/page"].trouble
    assert field.wall.now + 60 <= sources["/page"].due <= field.wall.now + 600
    assert sources["/next"].state == "same"


def test_a_redirect_to_a_busy_host_leaves_that_one_alone(field: Field) -> None:
    for number in range(4):
        field.sites.pages[f"{HOST}/{number}"] = reply("", "301 Moved", location=f"https://{OTHER}/{number}")
        field.sites.pages[f"{OTHER}/{number}"] = reply("", "502 Broken")
    field.sites.pages[f"{OTHER}/3"] = reply("", "429 Busy", retry_after="500")
    field.add(*(NewSource(f"https://{HOST}/{number}") for number in range(4)), NewSource(f"https://{HOST}/last"))
    # The host that only sends its readers elsewhere is well.
    assert field.visit() == "done"
    sources = field.sources()
    assert [one.state for one in sources.values()] == ["unchecked"] * 4 + ["same"]
    turn = field.store.sources.hosts.take("another", OTHER, 0.0)
    assert turn.state == "resting"
    assert 400 < turn.seconds <= 500


def test_a_host_that_drips_is_given_up(small_field: Field) -> None:
    def drip(sock: socket.socket) -> None:
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while True:
            sock.sendall(b"x")
            threading.Event().wait(0.02)

    field = small_field
    field.sites.pages["/page"] = drip
    field.options["seconds"] = 0.4
    field.add(NewSource(PAGE), NewSource(f"https://{HOST}/next"))
    assert field.visit() == "done"
    sources = field.sources()
    assert (sources["/page"].state, sources["/next"].state) == ("unchecked", "same")
    assert "no complete answer within 0.4 s" in sources["/page"].trouble


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (reply("", "403 Forbidden"), "it answered 403 Forbidden"),
        (reply("", "304 Not Modified"), "it answered 304 Not Modified"),
        (reply("", "302 Found", location="http://plain.example/"), "only HTTPS is fetched"),
        (reply("", "302 Found", location=f"https://{HOST}/page"), "its redirects lead in a circle"),
        (b"not HTTP at all\r\n\r\n", "not HTTP as it should be"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "more than 16,777,216 bytes"),
    ],
)
def test_odd_answers_are_unchecked(small_field: Field, answer: bytes, trouble: str) -> None:
    small_field.sites.pages["/page"] = answer
    small_field.add(NewSource(PAGE, QUOTE, "r"))
    assert small_field.visit() == "done"
    source = small_field.the_source()
    assert (source.state, source.failures, source.quotes) == ("unchecked", 1, {"new": 1})
    assert trouble in source.trouble


class Unresolved:
    """A fetcher on a machine that finds no names, but for some."""

    def __init__(self, answering: Callable[[str], Any]) -> None:
        self.revisit = lambda url, known: answering(url)
        self.read_rules = lambda host: RobotsRules()
        self.forget = self.close = lambda *_: None


@pytest.mark.parametrize("is_online", [False, True])
def test_a_name_that_is_gone_counts_only_where_others_answer(small_field: Field, is_online: bool) -> None:
    field = small_field
    field.sites.pages["/page"] = reply("words")
    field.add(NewSource(PAGE))
    with field.visitor() as visitor:
        if is_online:
            visitor.visit(HOST)
            field.wall.now = field.store.sources.schedule_host(field.team, HOST)

        def fail(url: str) -> None:
            raise FetchFailure("unresolved", f"{url}: the name {HOST} cannot be looked up; check its spelling")

        visitor._fetcher = Unresolved(fail)  # type: ignore[assignment]
        for _ in range(5):
            while visitor.visit(HOST).state == "waiting":
                pass
            field.wall.now = field.store.sources.schedule_host(field.team, HOST) + DAY
    source = field.the_source()
    assert source.failures == 5
    assert source.state == ("gone" if is_online else "unchecked")


def test_a_visit_ends_when_its_host_is_paused(field: Field) -> None:
    hosts = field.store.sources.hosts
    field.options["delay"] = 0.15
    field.add(*(NewSource(f"https://{HOST}/{number}") for number in range(50)))

    def pause(sock: socket.socket) -> None:
        hosts.pause(HOST)
        sock.sendall(reply("<p>words"))

    field.sites.pages["/1"] = pause
    assert field.visit() == "later"
    assert len(field.sites.paths()) < 10
    assert field.visit() == "paused"
    asked = len(field.sites.requests)
    assert field.store.sources.hosts.find_due(field.team, int(field.wall.now), 9) == []
    hosts.resume(HOST)
    with field.visitor() as visitor:
        while visitor.visit(HOST, must_yield=lambda: len(field.sites.requests) > asked + 3).state == "waiting":
            pass
    assert len(field.sites.requests) > asked + 3


def test_a_visit_that_is_stopped_loses_nothing(field: Field) -> None:
    field.add(*(NewSource(f"https://{HOST}/{number}") for number in range(5)))
    with field.visitor() as visitor:
        field.sites.pages["/2"] = lambda sock: visitor.stop()
        assert visitor.visit(HOST).state == "again"
    assert [one.state for one in field.sources().values()] == ["same", "same", "new", "new", "new"]
    assert field.store.sources.hosts.list_beats() == {}
    field.sites.pages.clear()
    assert field.visit() == "done"
    assert {one.state for one in field.sources().values()} == {"same"}


def test_a_visit_yields(small_field: Field) -> None:
    field = small_field
    field.add(*(NewSource(f"https://{HOST}/{number}") for number in range(5)))
    with field.visitor() as visitor:
        end = visitor.visit(HOST, must_yield=lambda: len(field.sites.paths()) >= 2)
    assert (end.state, end.pages) == ("again", 2)


def test_what_another_worker_recorded_first_stands(field: Field) -> None:
    field.add(NewSource(PAGE))

    def faster(sock: socket.socket) -> None:
        field.store.backend.run("UPDATE web_source SET due = due + 100, status = 299")
        sock.sendall(reply("words"))

    field.sites.pages["/page"] = faster
    assert field.visit() == "done"
    assert (field.the_source().status, field.events()) == (299, [])


def test_snapshots_have_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("PINCITE_FLEET_SNAPSHOTS", raising=False)
    assert snapshots_folder() == f"{tmp_path}/pincite/snapshots"
    monkeypatch.setenv("PINCITE_FLEET_SNAPSHOTS", "/elsewhere")
    assert snapshots_folder() == "/elsewhere"
    assert snapshots_folder("here") == os.path.abspath("here")
