"""What the tests of fleets share: a store of each kind, sites on loopback, and a clock that can be set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.safe import fetch
from pincite.store.shared import SharedStore, open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.schema import migrate
from support_sites import Sites


def _open(text: str) -> Iterator[SharedStore]:
    address = parse_address(text)
    backend = open_backend(address)
    migrate(backend)
    backend.close()
    with open_store(address) as opened:
        yield opened


@pytest.fixture
def web_store(store_address: str) -> Iterator[SharedStore]:
    """An empty store, once in each kind of database."""
    yield from _open(store_address)


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[SharedStore]:
    """An empty store in a file."""
    yield from _open(f"sqlite://{tmp_path}/store/fleet.db")


@pytest.fixture
def postgres_store(postgres_address: str) -> Iterator[SharedStore]:
    """An empty store in PostgreSQL."""
    yield from _open(postgres_address)


@pytest.fixture(scope="session")
def all_sites() -> Iterator[Sites]:
    """A server for thirty names."""
    sites = Sites([f"s{number}.site.example" for number in range(30)])
    yield sites
    sites.close()


@pytest.fixture
def sites(all_sites: Sites, monkeypatch: pytest.MonkeyPatch) -> Sites:
    """The server, with nothing said or asked yet; fetchers reach it and nothing else."""
    all_sites.clear()
    monkeypatch.setattr(fetch, "new_fetcher", all_sites.make_fetcher)
    return all_sites
