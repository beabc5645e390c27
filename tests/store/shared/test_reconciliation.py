"""Every kind of loss and double counting is noticed, and nothing else."""

from __future__ import annotations

import pytest

from pincite.store.shared import SharedStore
from pincite.store.shared.reconciliation import MOST_LINES, find_discrepancies
from support_store import fill_store, make_verdicts, write_check


@pytest.fixture
def filled(store: SharedStore) -> SharedStore:
    """A store with checks of two repositories."""
    for ticket in range(1, 5):
        write_check(store, "a", f"{ticket}", make_verdicts(30, ticket), ticket)
    write_check(store, "b", "1", make_verdicts(10), 9)
    return store


@pytest.mark.parametrize("seed", range(3))
def test_what_adds_up(store: SharedStore, seed: int) -> None:
    fill_store(store, seed)
    assert find_discrepancies(store.backend) == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM verdict WHERE until IS NULL AND line = 2", "a: shard 4 counted 20 holds, 19 stand"),
        ("UPDATE verdict SET until = 4 WHERE until IS NULL AND line = 2", "a: shard 4 counted 20 holds, 19 stand"),
        ("UPDATE verdict SET outcome = 0 WHERE until IS NULL AND outcome = 5", "missing, 0 stand"),
        ("UPDATE verdict SET outcome = 99 WHERE until IS NULL AND line = 2", "counted 0 of outcome 99, 1 stand"),
        ("UPDATE repository SET current = NULL WHERE id = 2", "b: shard 0 counted 0 holds, "),
        ("UPDATE verdict SET until = NULL WHERE until IS NOT NULL", "several verdicts that stand"),
        ("UPDATE verdict SET until = 99 WHERE until IS NOT NULL", "overlap"),
        ("UPDATE verdict SET until = 99 WHERE until IS NOT NULL", "no document, no shard or another team"),
        ("UPDATE verdict SET document = 999 WHERE line = 3", "no document, no shard or another team"),
        ("UPDATE verdict SET team = 2 WHERE line = 3", "no document, no shard or another team"),
        ("UPDATE verdict SET repository = 77 WHERE line = 3", "no document, no shard or another team"),
        ("UPDATE tally SET number = number + 1 WHERE shard = 2 AND outcome = 0", "the tally of shard 2"),
        ("DELETE FROM tally WHERE shard = 3", "the tally of shard 3"),
        ("UPDATE repository SET current = 77 WHERE id = 1", "no shard 77"),
        ("UPDATE repository SET current = 5 WHERE id = 1", "no shard 5"),
        ("UPDATE repository SET current = 2 WHERE id = 2", "no shard 2"),
        ("UPDATE shard SET team = 2 WHERE id = 1", "shard 1 belongs to another team"),
    ],
)
def test_what_does_not(filled: SharedStore, damage: str, said: str) -> None:
    filled.teams.set("blue")
    assert find_discrepancies(filled.backend) == []
    assert filled.backend.run(damage) > 0
    assert any(said in line for line in find_discrepancies(filled.backend))
    assert filled.verdicts.reconcile() == find_discrepancies(filled.backend)


def test_a_store_that_is_all_wrong_says_so_in_bounded_words(filled: SharedStore) -> None:
    filled.backend.run_many(
        "INSERT INTO repository (team, name, location, added, current) VALUES (1, ?, '', 1, 999)",
        [(f"r{number}",) for number in range(3 * MOST_LINES)],
    )
    assert len(find_discrepancies(filled.backend)) == MOST_LINES
