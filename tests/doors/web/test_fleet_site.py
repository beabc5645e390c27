"""The connections of a server to the store of a fleet."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from pincite.doors.web.fleet_records import list_chosen, make_facet
from pincite.doors.web.fleet_site import FleetSite, find_fleet
from pincite.doors.web.pages.fleet import FleetQuery
from pincite.doors.web.pages.fleet_repository import FleetRepositoryQuery
from pincite.store.database import StoreTrouble
from pincite.store.shared import SchemaMismatch, open_backend
from pincite.store.shared.backend import parse_address
from support_fleet_store import fill_fleet, open_filled

MakeSite = Callable[[str], FleetSite]


@pytest.fixture
def make_site() -> Iterator[MakeSite]:
    """Makes the site of a store."""
    made: list[FleetSite] = []

    def make(address: str) -> FleetSite:
        made.append(FleetSite(parse_address(address)))
        return made[-1]

    yield make
    for site in made:
        asyncio.run(site.close())
        assert site._idle == []


def test_questions_at_once_have_connections_of_their_own_and_leave_them_to_others(
    store_address: str, make_site: MakeSite
) -> None:
    with open_filled(store_address) as store:
        fill_fleet(store)
    site = make_site(store_address)
    together = Barrier(4, timeout=60)
    used: list[int] = []

    def ask(store: Any) -> int:
        together.wait()
        used.append(id(store))
        return len(store.overview.summarize())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: site.ask(ask), range(4))) == [5] * 4
    assert len(set(used)) == len(site._idle) == 4
    for _ in range(8):
        assert site.ask(lambda store: id(store)) in used
    assert len(site._idle) == 4


def test_all_of_an_answer_is_from_one_moment_and_nothing_can_be_written(
    postgres_address: str, make_site: MakeSite
) -> None:
    with open_filled(postgres_address) as store:
        fill_fleet(store)
        site = make_site(postgres_address)

        def ask(other: Any) -> tuple[int, int]:
            before = len(other.overview.summarize())
            store.verdicts.add_repositories(store.teams.get("default"), [("late", "/late")])
            return before, len(other.overview.summarize())

        assert site.ask(ask) == (5, 5)
        assert site.ask(lambda other: len(other.overview.summarize())) == 6
        with pytest.raises(StoreTrouble, match="read-only"):
            site.ask(lambda other: other.backend.run("DELETE FROM failure"))
        assert len(store.overview.list_failures()) == 1


def test_a_question_that_fails_leaves_no_connection_behind(store_address: str, make_site: MakeSite) -> None:
    with open_filled(store_address):
        site = make_site(store_address)
        with pytest.raises(ZeroDivisionError):
            site.ask(lambda store: 1 // 0)
        assert site._idle == [] and site.find_trouble() == ""


def test_a_store_that_cannot_be_opened_is_not_tried_with_every_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_site: MakeSite
) -> None:
    tries: list[object] = []
    site = make_site(f"sqlite://{tmp_path}/none.db")

    def fail(*arguments: object, **options: object) -> None:
        tries.append(arguments)
        raise StoreTrouble("gone")

    monkeypatch.setattr("pincite.doors.web.fleet_site.open_store", fail)
    monkeypatch.setattr("pincite.doors.web.fleet_site._REST", 3600.0)
    for _ in range(5):
        with pytest.raises(StoreTrouble, match="gone"):
            site.ask(lambda store: 1)
    assert len(tries) == 1 and site.find_trouble() == "store" and site.find_figures() is None


def test_everyone_may_ask_for_health_and_the_store_is_asked_once_in_a_while(
    store_address: str, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.doors.web.fleet_site._HEALTH_AGE", 3600.0)
    with open_filled(store_address):
        site = make_site(store_address)
        asked: list[object] = []
        ask = site.ask
        monkeypatch.setattr(site, "ask", lambda question: (asked.append(question), ask(question))[1])
        assert [site.find_trouble() for _ in range(100)] == [""] * 100 and len(asked) == 1


def test_what_is_kept_is_made_once_in_its_time(tmp_path: Path, make_site: MakeSite) -> None:
    site = make_site(f"sqlite://{tmp_path}/none.db")
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [site.keep("a", 3600.0, make) for _ in range(3)] == [1, 1, 1]
    assert site.keep("a", 0.0, make) == 2 and site.keep("b", 3600.0, make) == 3
    for number in range(1_000):
        site.keep(number, 3600.0, make)
    assert len(site._kept) <= 200


def test_a_fleet_is_found_or_the_reason_is_said(
    tmp_path: Path, store_address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_filled(store_address):
        assert find_fleet(store_address) == parse_address(store_address)
    with pytest.raises(StoreTrouble, match="there is no store"):
        find_fleet(f"sqlite://{tmp_path}/none.db")
    assert find_fleet("postgresql://nobody@127.0.0.1:1/x").kind == "postgresql"
    assert "cannot be reached" in capsys.readouterr().err


def test_a_store_without_its_schema_is_refused(postgres_address: str) -> None:
    open_backend(parse_address(postgres_address)).close()
    with pytest.raises(SchemaMismatch, match="pincite store migrate"):
        find_fleet(postgres_address)


def test_fields_of_a_query_that_are_set_are_kept_for_links() -> None:
    assert list_chosen(FleetQuery()) == {}
    assert list_chosen(FleetQuery(q="x", sort="share", page=3)) == {"q": "x", "sort": "share"}
    assert list_chosen(FleetRepositoryQuery(7)) == {"id": "7"}


def test_a_facet_lists_the_most_frequent_first_and_a_bounded_number() -> None:
    facet = make_facet("team", "Team", Counter({f"t{number:03d}": number for number in range(1, 151)}), "")
    assert [one.value for one in facet.values][:2] == ["t150", "t149"] and len(facet.values) == 100
    assert facet.left_out == 50
