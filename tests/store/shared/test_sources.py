"""Web sources in the shared store: the same answers from both kinds of database."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pincite.core.errors import UsageError
from pincite.store.shared import SharedStore, open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import Team, TeamLimits
from pincite.store.shared.schema import migrate
from pincite.store.shared.web_records import DueSource, KeptSnapshot, NewSource, QuoteFinding, SourceEvent, VisitResult

NOW = 1_700_000_000
DAY = 86_400
PAGE = "https://a.example/page"


@pytest.fixture
def team(store: SharedStore) -> Team:
    """The only team."""
    return store.teams.get("default")


def add(store: SharedStore, *sources: NewSource, **options: object) -> None:
    """Add sources that nothing is wrong with."""
    got = store.sources.add(store.teams.get("default"), sources, now=NOW, **options)  # type: ignore[arg-type]
    assert got.refused == ()


def the_source(store: SharedStore, host: str = "a.example", now: int = NOW) -> DueSource:
    """The only source of a host that is due."""
    (found,) = store.sources.find_due(store.teams.get("default"), host, now, 10)
    return found


def make_result(source: DueSource, **changes: object) -> VisitResult:
    """A visit at which the page was there."""
    result = VisitResult(
        *(source.id, source.team, source.due, NOW + 7 * DAY, "same", True, 200, '"1"', "", "d1", "", NOW, NOW),
        *(0, 0, 0, 0, ""),
    )
    return replace(result, **changes)


def test_sources_are_added_once(store: SharedStore, team: Team) -> None:
    listed = [
        NewSource(PAGE, "some words", "repo:a.md"),
        NewSource(PAGE + "#part", "other words", "repo:a.md"),
        NewSource("https://B.example", cited_in="repo:b.md"),
    ]
    first = store.sources.add(team, listed, now=NOW)
    assert (first.added, first.known, first.quotes, first.refused) == (2, 0, 2, ())
    again = store.sources.add(team, listed, now=NOW)
    assert (again.added, again.known, again.quotes) == (0, 2, 0)
    assert [one.url for one in store.sources.list_all(team)] == [PAGE, "https://b.example/"]
    counts = store.sources.count_all(team, NOW)
    assert (counts.sources, counts.quotes, counts.hosts, counts.due) == ({"new": 2}, {"new": 2}, 2, 2)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.example/", "only HTTPS"),
        ("ftp://a.example/", "only HTTPS"),
        ("https://user:secret@a.example/", "user name"),
        ("https://a.example:8080/", "port 8080"),
        ("https://a.example/" + "x" * 2000, "longer than 2,000"),
        ("https://a.example/" + "é" * 1000, "becomes longer than 2,000"),
        ("https://a.example/a b", "spaces"),
        ("not an address", "spaces"),
        ("", "no address"),
    ],
)
def test_what_cannot_be_fetched_is_refused_by_name(store: SharedStore, team: Team, url: str, reason: str) -> None:
    got = store.sources.add(team, [NewSource(url, "q"), NewSource(PAGE)], now=NOW)
    assert got.added == 1
    ((named, why),) = got.refused
    assert reason in why
    assert "secret" not in named + why
    assert [one.url for one in store.sources.list_all(team)] == [PAGE]


@pytest.mark.parametrize(("quote", "reason"), [("x" * 10_001, "10,000"), ("a\0b", "NUL"), ("a\ud800", "half")])
def test_quotes_that_cannot_be_kept_are_refused(store: SharedStore, team: Team, quote: str, reason: str) -> None:
    got = store.sources.add(team, [NewSource(PAGE, quote)], now=NOW)
    assert (got.added, got.quotes) == (0, 0)
    assert reason in got.refused[0][1]
    assert list(store.sources.list_all(team)) == []


def test_over_the_limit_nothing_is_added(store: SharedStore) -> None:
    team = store.teams.set("small", TeamLimits(sources=2))
    listed = [NewSource(f"https://a.example/{number}") for number in range(3)]
    with pytest.raises(UsageError, match="more than its limit of 2; nothing was added"):
        store.sources.add(team, listed, now=NOW)
    assert list(store.sources.list_all(team)) == []
    assert store.sources.add(team, listed[:2], now=NOW).added == 2
    # What is known already takes no room.
    assert store.sources.add(team, listed[:2], now=NOW).known == 2


def test_a_result_counts_once(store: SharedStore, team: Team) -> None:
    add(store, NewSource(PAGE, "some words", "r"))
    source = the_source(store)
    (quote,) = store.sources.find_quotes(source.id)
    result = make_result(
        source,
        quotes=(QuoteFinding(quote.id, "holds"),),
        snapshot=KeptSnapshot(NOW, "d1", "a/b.warc.gz"),
        was_read=True,
    )
    assert store.sources.record([result]) == [True]
    assert store.sources.record([result]) == [False]
    assert store.sources.find_due(team, "a.example", NOW, 10) == []
    assert store.sources.overview.list_events(source.id, 9) == [SourceEvent(NOW, "same", 200, "")]
    assert store.sources.overview.list_snapshots(source.id, 9) == [KeptSnapshot(NOW, "d1", "a/b.warc.gz")]
    assert store.sources.count_all(team, NOW).quotes == {"holds": 1}
    later = the_source(store, now=NOW + 7 * DAY)
    assert (later.digest, later.etag, later.unread, later.state) == ("d1", '"1"', False, "same")


def test_a_new_quote_makes_a_known_page_due(store: SharedStore, team: Team) -> None:
    add(store, NewSource(PAGE, cited_in="r"))
    assert not the_source(store).unread
    store.sources.record([make_result(the_source(store))])
    store.sources.schedule_host(team, "a.example")
    assert store.sources.hosts.find_due(team, NOW, 9) == []
    add(store, NewSource(PAGE, "words", "r"))
    source = the_source(store)
    assert source.unread
    assert store.sources.hosts.find_due(team, NOW, 9) == ["a.example"]
    # A visit that began before the quote came does not count as having looked it up.
    store.sources.record([make_result(source, was_read=True)])
    assert the_source(store, now=NOW + 7 * DAY).unread


def test_a_page_that_is_gone_says_nothing_of_its_quotes(store: SharedStore, team: Team) -> None:
    add(store, NewSource(PAGE, "words", "r"))
    source = the_source(store)
    (quote,) = store.sources.find_quotes(source.id)
    store.sources.record([make_result(source, quotes=(QuoteFinding(quote.id, "holds"),), was_read=True)])
    source = the_source(store, now=NOW + 7 * DAY)
    gone = make_result(source, due=NOW + 14 * DAY, state="gone", status=404, trouble="404", forgets_quotes=True)
    store.sources.record([gone])
    counts = store.sources.count_all(team, NOW)
    assert (counts.sources, counts.quotes) == ({"gone": 1}, {"unchecked": 1})
    (problem,) = store.sources.find_problems(team, 10)
    assert (problem.url, problem.state, problem.exact, problem.cited_in) == (PAGE, "gone", "words", "r")
    assert the_source(store, now=NOW + 14 * DAY).unread


def test_what_is_no_longer_cited_is_forgotten(store: SharedStore, team: Team) -> None:
    add(store, NewSource(PAGE, "old words", "repo:a.md"), NewSource("https://b.example/", "q", "repo"))
    add(store, NewSource(PAGE, "elsewhere", "repository:a.md"))
    store.sources.record([make_result(the_source(store, "b.example"))])
    add(store, NewSource(PAGE, "new words", "repo:a.md"), place="repo")
    assert [one.exact for one in store.sources.find_quotes(the_source(store).id)] == ["elsewhere", "new words"]
    assert [one.url for one in store.sources.list_all(team)] == [PAGE]
    assert store.sources.forget(team, "repository") == 1
    assert store.sources.forget(team, "repo") == 1
    assert list(store.sources.list_all(team)) == []
    assert [store.sources.schedule_host(team, host) for host in ("a.example", "b.example")] == [0, 0]
    assert store.sources.hosts.find_due(team, NOW, 9) == []


def test_periods(store: SharedStore, team: Team) -> None:
    add(store, NewSource(PAGE))
    assert the_source(store).period == 7 * DAY
    store.sources.record([make_result(the_source(store))])
    add(store, NewSource(PAGE), period=DAY)
    source = the_source(store, now=NOW + DAY)
    assert (source.period, source.due) == (DAY, NOW + DAY)
    add(store, NewSource(PAGE))
    assert the_source(store, now=NOW + DAY).period == DAY


def test_a_clock_that_was_far_ahead_stops_nothing(store: SharedStore, team: Team) -> None:
    add(store, NewSource(PAGE))
    store.sources.record([make_result(the_source(store), due=NOW + 4000 * DAY)])
    store.sources.schedule_host(team, "a.example")
    assert store.sources.repair_schedule(team, NOW) == 1
    assert store.sources.repair_schedule(team, NOW) == 0
    assert the_source(store).due == NOW
    assert store.sources.hosts.find_due(team, NOW, 9) == ["a.example"]


def test_listing_many(store: SharedStore, team: Team) -> None:
    listed = [NewSource(f"https://a.example/{number}", "q", "r") for number in range(1500)]
    assert store.sources.add(team, listed, now=NOW).added == 1500
    found = list(store.sources.list_all(team))
    assert len({one.url for one in found}) == 1500
    assert found[1400].quotes == {"new": 1}
    assert list(store.sources.list_all(team, "gone")) == []


def test_a_worker_needs_no_more_rights_than_it_has(postgres_server: Any, postgres_address: str) -> None:
    name = f"visitor_{postgres_address.rpartition('/')[2]}"
    postgres_server.execute(f"CREATE ROLE {name} LOGIN")
    backend = open_backend(parse_address(postgres_address))
    migrate(backend)
    with SharedStore(backend) as owner:
        owner.teams.set("others")
        owner.sources.add(owner.teams.get("others"), [NewSource("https://secret.example/", "q", "x")], now=NOW)
        owner.teams.grant(name, "default", "worker")
        with open_store(parse_address(postgres_address.replace("owner@", f"{name}@"))) as store:
            team = store.teams.get("default")
            add(store, NewSource(PAGE, "words", "r"), NewSource(PAGE, "more", "s"))
            hosts = store.sources.hosts
            hosts.register("w")
            assert hosts.find_due(team, NOW, 9) == ["a.example"]
            assert hosts.take("w", "a.example", 0).state == "taken"
            source = the_source(store)
            findings = tuple(QuoteFinding(one.id, "missing", "near") for one in store.sources.find_quotes(source.id))
            kept = KeptSnapshot(NOW, "d1", "f")
            result = make_result(source, quotes=findings, snapshot=kept, was_read=True, forgets_quotes=True)
            assert store.sources.record([result]) == [True]
            assert store.sources.schedule_host(team, "a.example") == NOW + 7 * DAY
            hosts.release("w", "a.example", 0)
            hosts.pause("a.example")
            assert (hosts.resume("a.example"), hosts.beat("w"), hosts.unregister("w")) == (1, True, True)
            assert store.sources.repair_schedule(team, NOW) == 0
            assert [one.url for one in store.sources.list_all(owner.teams.get("others"))] == []
            assert (store.sources.forget(team, "r"), store.sources.forget(team, "s")) == (1, 1)
            assert store.sources.count() == {}
        assert owner.sources.count() == {"new": 1}
