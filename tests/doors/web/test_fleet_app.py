"""A server that shows a fleet: whom it lets in, what it says where the store is gone, and what it never does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from pincite.doors.web.access import HEADERS
from pincite.doors.web.fleet_links import FleetLinks
from pincite.doors.web.openapi import describe_api
from pincite.doors.web.routes import list_fleet_files, list_fleet_pages, list_pages
from pincite.store.shared.backend import clean_text
from pincite.store.shared.web_records import NewSource
from support_fleet_store import MISSING, add_check, add_repository, fill_fleet, make_verdict, open_filled
from support_hostile import PAYLOADS, find_foreign_elements
from support_web import TOKEN, WebServer, open_fleet_web, wait_until

BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def ids(store_address: str) -> dict[str, int]:
    """A store with a small fleet and a web source; the numbers of its repositories."""
    with open_filled(store_address) as store:
        store.sources.add(store.teams.get("default"), [NewSource("https://example.org/a", "words", "r:a.md")])
        return fill_fleet(store)


@pytest.fixture
def client(store_address: str, ids: dict[str, int]) -> Iterator[TestClient]:
    """A client of a server that shows it."""
    with open_fleet_web(store_address) as opened:
        yield opened


def list_addresses(ids: dict[str, int]) -> list[str]:
    links = FleetLinks()
    values: dict[str, dict[str, Any]] = {
        "fleet_repository": {"id": ids["alpha"]},
        "fleet_citation": {"repository": ids["alpha"], "citation": 1},
        "fleet_source": {"id": 1},
    }
    return [links.page(page.name, **values.get(page.name, {})) for page in list_fleet_pages()]


def test_every_page_has_html_and_json_and_the_headers_of_the_guard(client: TestClient, ids: dict[str, int]) -> None:
    addresses = list_addresses(ids)
    assert len(addresses) == 8
    for address in addresses:
        html, json = client.get(address), client.get(f"{address}.json")
        assert (html.status_code, json.status_code) == (200, 200), address
        assert find_foreign_elements(html.text) == []
        # A page of the fleet has no script: it says everything without.
        assert "<script" not in html.text and 'aria-label="Pages"' in html.text
        assert json.headers["content-type"] == "application/json" and json.json() is not None
        for name, value in HEADERS:
            assert html.headers[name.decode()] == value.decode()
        assert client.get(address, headers={"if-none-match": html.headers["etag"]}).status_code in (200, 304)


def test_the_printed_address_leads_to_the_overview(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.url.path == "/fleet" and answer.status_code == 200


def test_who_has_no_token_sees_only_whether_it_works(client: TestClient, ids: dict[str, int]) -> None:
    client.cookies.clear()
    for address in (*list_addresses(ids), "/metrics", "/openapi.json", "/"):
        assert client.get(address).status_code == 403, address
        assert client.get(address, headers=BEARER).status_code == 200, address
    health = client.get("/healthz", headers={"host": "10.0.0.7:9"})
    assert (health.status_code, health.text) == (200, "ok\n")
    assert client.get("/healthz.json").status_code == 403
    assert client.get("/fleet", headers={**BEARER, "host": "evil.example"}).status_code == 421


def test_nothing_can_be_sent(client: TestClient, ids: dict[str, int]) -> None:
    for address in (*list_addresses(ids), "/healthz", "/metrics", "/"):
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            assert client.request(method, address, headers=BEARER).status_code == 405, (method, address)


def test_pages_of_one_repository_are_not_there(client: TestClient) -> None:
    for page in list_pages():
        if page.name != "api" and "{" not in page.path and page.path != "/":
            assert client.get(page.path).status_code == 404, page.path
    assert client.get("/events").status_code == client.get("/mcp").status_code == 404


def test_metrics_count_what_is_in_the_store_and_how_pages_fare(client: TestClient) -> None:
    assert client.get("/fleet").status_code == 200 and client.get("/fleet/r/999").status_code == 404
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    for part in (
        'pincite_repositories{team="docs"} 3.0',
        'pincite_citations{outcome="mismatch"} 3.0',
        'pincite_http_request_duration_seconds_count{page="fleet_repository",status="4xx"} 1.0',
        "pincite_store_up 1.0",
    ):
        assert part in answer.text, part


def test_without_the_library_metrics_name_the_extra(
    store_address: str, ids: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.fleet.metrics.find_spec", lambda name: None)
    with open_fleet_web(store_address) as client:
        assert client.get("/fleet").status_code == 200
        answer = client.get("/metrics")
        assert answer.status_code == 404 and "pincite[fleet]" in answer.text


def test_a_store_that_is_gone_is_said_and_found_again(tmp_path: Path) -> None:
    place, away = tmp_path / "fleet.db", tmp_path / "away.db"
    with open_filled(f"sqlite://{place}") as store:
        fill_fleet(store)
    with open_fleet_web(f"sqlite://{place}") as client:
        assert client.get("/fleet").status_code == 200
        place.rename(away)
        for address, kind in (
            ("/fleet", "text/html"),
            ("/fleet.json", "application/json"),
            ("/fleet/r/1", "text/html"),
        ):
            answer = client.get(address)
            assert answer.status_code == 503 and answer.headers["retry-after"], address
            assert answer.headers["content-type"].startswith(kind) and "there is no store" in answer.text
        assert (client.get("/healthz").status_code, client.get("/healthz").text) == (503, "store\n")
        # What is counted here is still there.
        assert "pincite_store_up 0.0" in client.get("/metrics").text
        away.rename(place)
        wait_until(lambda: client.get("/healthz").status_code == 200)
        assert client.get("/fleet").status_code == 200


def test_another_file_with_the_name_of_the_store_is_the_store(tmp_path: Path) -> None:
    place = tmp_path / "fleet.db"
    with open_filled(f"sqlite://{place}") as store:
        add_repository(store, "github.com/acme/old")
    with open_fleet_web(f"sqlite://{place}") as client:
        assert "acme/old" in client.get("/fleet").text
        place.unlink()
        for name in ("fleet.db-wal", "fleet.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        with open_filled(f"sqlite://{place}") as store:
            add_repository(store, "github.com/acme/new")
        wait_until(lambda: client.get("/fleet").status_code == 200)
        assert "acme/new" in client.get("/fleet").text and "acme/old" not in client.get("/fleet").text


def test_a_server_that_restarts_is_found_again(postgres_server: Any) -> None:
    from support_postgres import PostgresServer

    own = PostgresServer()
    try:
        own.start()
        address = own.new_database()
        with open_filled(address) as store:
            fill_fleet(store)
        with open_fleet_web(address) as client:
            assert client.get("/fleet").status_code == 200
            own.stop()
            answer = client.get("/fleet")
            assert answer.status_code == 503 and "cannot be reached" in answer.text and "owner" in answer.text
            assert client.get("/healthz").text == "store\n"
            own.start()
            wait_until(lambda: client.get("/fleet").status_code == 200)
            # A restart between two requests is not noticed: the connections are made anew.
            own.stop()
            own.start()
            assert client.get("/fleet/teams").status_code == 200
    finally:
        own.remove()


def test_a_reader_sees_its_teams_alone(postgres_address: str, postgres_server: Any) -> None:
    import psycopg

    with open_filled(postgres_address) as store:
        ids = fill_fleet(store)
        store.sources.add(store.teams.get("default"), [NewSource("https://example.org/a", "words", "r:a.md")])
        with psycopg.connect(postgres_address, autocommit=True) as connection:
            connection.execute("DROP ROLE IF EXISTS page_reader")
            connection.execute("CREATE ROLE page_reader LOGIN")
        store.teams.grant("page_reader", "docs", "reader")
    reader = postgres_address.replace("owner@", "page_reader@")
    try:
        with open_fleet_web(reader) as client:
            text = client.get("/fleet").text
            assert "acme/beta" in text and "acme/alpha" not in text and "acme/delta" not in text
            assert client.get("/fleet.json").json()["totals"]["repositories"] == 3
            assert client.get(f"/fleet/r/{ids['alpha']}").status_code == 404
            assert client.get(f"/fleet/c/{ids['alpha']}/1").status_code == 404
            assert client.get("/fleet/s/1").status_code == 404
            assert client.get("/fleet/sources.json").json()["rows"] == []
            assert [one["team"] for one in client.get("/fleet/teams.json").json()["teams"]] == ["docs"]
            assert "default" not in client.get("/fleet/new").text
            assert client.get("/fleet/new?team=default").status_code == 422
    finally:
        with psycopg.connect(postgres_address, autocommit=True) as connection:
            connection.execute("DROP OWNED BY page_reader")
            connection.execute("DROP ROLE page_reader")


def test_nothing_is_written(store_address: str, ids: dict[str, int]) -> None:
    tables = ("repository", "shard", "tally", "verdict", "document", "failure", "team")

    def read() -> list[Any]:
        with open_filled(store_address) as store:
            return [store.backend.query(f"SELECT * FROM {name} ORDER BY 1, 2, 3") for name in tables]

    before = read()
    with open_fleet_web(store_address) as client:
        for address in (*list_addresses(ids), "/metrics", "/healthz"):
            assert client.get(address).status_code == 200
    assert read() == before


@pytest.mark.parametrize("number", range(len(PAYLOADS)))
def test_names_paths_and_messages_are_only_text(number: int, tmp_path: Path) -> None:
    payload = PAYLOADS[number]
    address = f"sqlite://{tmp_path}/fleet.db"
    with open_filled(address) as store:
        one = add_repository(store, payload, location=payload)
        add_check(store, one, "1", [make_verdict(1, document=payload)])
        add_check(store, one, payload[:40], [make_verdict(1, MISSING, payload, message=payload, written=payload)])
        team = store.teams.get("default")
        store.verdicts.record_failure(team, one, payload, "")
        store.sources.add(team, [NewSource("https://example.org/a", "words", "r:a.md")])
        words = clean_text(payload)
        store.backend.run("UPDATE web_source SET url = ?, host = ?, final = ?, trouble = ?", (words,) * 4)
        store.backend.run("UPDATE web_quote SET state = 'missing', exact = ?, cited_in = ?, nearest = ?", (words,) * 3)
        store.backend.run("INSERT INTO web_event VALUES (1, 1, 1, 'gone', 404, ?)", (words,))
        store.backend.run("INSERT INTO web_snapshot VALUES (1, 1, 1, ?, ?)", (words, words))
    told = {"q": payload, "document": payload, "check": payload, "team": payload, "host": payload, "since": payload}
    with open_fleet_web(address) as client:
        for page in list_fleet_pages():
            path = page.path.format(id=1, repository=1, citation=1)
            answers = [client.get(path)]
            answers += [
                client.get(path, params={name: told[name]})
                for name in page.query.__struct_fields__
                if name in told and f"{{{name}}}" not in page.path
            ]
            for answer in answers:
                assert answer.status_code in (200, 400, 422), (path, answer.text)
                assert find_foreign_elements(answer.text) == [], path
            # What was asked for stands in its field as it was typed; all else has nothing invisible in it.
            assert not {"\u202e", "\u2066", "\x1b", "\u200b"} & set(answers[0].text), path


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/fleet?page=0", 200),
        ("/fleet?page=99999999", 200),
        ("/fleet?sort=evil", 422),
        ("/fleet?state=evil", 422),
        ("/fleet?x=1", 422),
        ("/fleet?team=none", 200),
        ("/fleet/r/0", 422),
        ("/fleet/r/999999", 404),
        ("/fleet/r/x", 422),
        ("/fleet/r/99999999999999999999", 422),
        ("/fleet/r/1?page=0", 422),
        ("/fleet/r/1?outcome=holds", 422),
        ("/fleet/r/1?q=%ff&document=%ff&check=%ed%a0%80", 200),
        ("/fleet?q=%ff&team=%ff", 200),
        ("/fleet/new?team=%ff", 422),
        ("/fleet/c/1/99999999999999999999", 422),
        ("/fleet/c/1/9999999999999999999", 404),
        ("/fleet/c/1/-9223372036854775808", 404),
        ("/fleet/c/1/x", 422),
        ("/fleet/c/99/1", 404),
        ("/fleet/new?since=never", 400),
        ("/fleet/new?team=none", 422),
        ("/fleet/sources?team=none", 422),
        ("/fleet/sources?state=evil", 422),
        ("/fleet/sources?page=0", 422),
        ("/fleet/sources?page=999999", 200),
        ("/fleet/sources?q=%ff&host=%ed%a0%80", 200),
        ("/fleet/s/0", 422),
        ("/fleet/s/2", 404),
        ("/fleet/s/9007199254740991", 404),
        ("/fleet/s/9007199254740992", 422),
        ("/fleet/s/x", 422),
        ("/fleet/none", 404),
    ],
)
def test_odd_addresses_are_answered_in_words(client: TestClient, path: str, status: int) -> None:
    where, mark, query = path.partition("?")
    for address in (path, f"{where}.json{mark}{query}"):
        answer = client.get(address)
        assert answer.status_code == status, answer.text
        assert "Traceback" not in answer.text and "defect" not in answer.text


def test_the_api_describes_the_pages_of_the_fleet_and_no_others(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert len(described["paths"]) == len(list_fleet_pages()) + len(list_fleet_files())
    assert "/fleet/c/{repository}/{citation}.json" in described["paths"]
    assert "503" in described["components"]["responses"] and "503" not in describe_api()["components"]["responses"]
    assert "/index.json" not in described["paths"] and "GET /fleet.json" in client.get("/api").text


def test_the_command_needs_a_store_and_no_root(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    with open_filled(address) as store:
        fill_fleet(store)

    def refuse(*options: str) -> str:
        command = [sys.executable, "-m", "pincite", "serve", *options]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert ended.returncode == 2 and "Traceback" not in ended.stderr, ended.stderr
        return ended.stderr

    assert "--root names one repository" in refuse("--database", address, "--root", ".")
    assert "there is no store" in refuse("--database", f"sqlite://{tmp_path}/none.db")
    assert "no kind of store" in refuse("--database", "mysql://x/y")
    assert "--token-file" in refuse("--database", address, "--host", "0.0.0.0")


def test_a_server_as_a_process(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/fleet.db"
    with open_filled(address) as store:
        fill_fleet(store)
    server = WebServer(tmp_path, "--fleet", is_fleet=True, PINCITE_DATABASE=address)
    try:
        assert httpx.get(f"{server.base}/healthz").text == "ok\n"
        with httpx.Client(follow_redirects=True) as client:
            answer = client.get(server.address)
        assert answer.status_code == 200 and "acme/beta" in answer.text and server.token not in str(answer.url)
        assert httpx.get(f"{server.base}/fleet").status_code == 403
    finally:
        server.stop()


def test_a_server_starts_before_its_database(tmp_path: Path) -> None:
    from support_postgres import free_port

    server = WebServer(tmp_path, "--database", f"postgresql://owner@127.0.0.1:{free_port()}/x", is_fleet=True)
    try:
        assert httpx.get(f"{server.base}/healthz").status_code == 503
        assert "cannot be reached" in httpx.get(f"{server.base}/fleet", headers=server.bearer).text
    finally:
        server.stop()


def test_one_repository_is_served_without_anything_of_a_fleet() -> None:
    code = """import sys
from pincite.doors.web import app, command, openapi, server, static_export
from pincite.doors.web.routes import list_pages
from pincite.doors.web.links import ServedLinks
list_pages(); openapi.describe_api(); ServedLinks().page("overview")
found = [name for name in sys.modules if name.startswith(("pincite.fleet", "pincite.store.shared", "psycopg"))]
print(found)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
