"""What the tests of the shared store have in common."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pincite.store.shared import SharedStore
from support_store import make_store


@pytest.fixture
def store(store_address: str) -> Iterator[SharedStore]:
    """An empty store, once in each kind of database."""
    with make_store(store_address) as opened:
        yield opened
