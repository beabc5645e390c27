"""Verdicts over time: the same answers from both kinds of database."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincite.core.errors import UsageError
from pincite.store.shared import SharedStore
from pincite.store.shared.records import NewShard, NewVerdict, ShardKey, TeamLimits

HOLDS, MOVED, MISSING = 0, 2, 5


def verdict(
    citation: int, outcome: int = HOLDS, line: int = 1, document: str = "a.md", message: str = ""
) -> NewVerdict:
    """A verdict with little to say."""
    return NewVerdict(citation, document, line, outcome, "lines-moved" if outcome else "", message, f"src/x.py:{line}")


def write(store: SharedStore, commit: str, *verdicts: NewVerdict, ticket: int = 0) -> bool:
    """Store a check of the first repository."""
    team = store.teams.get("default")
    repository = store.verdicts.add_repositories(team, [("github.com/a/b", "https://github.com/a/b")])[0].id
    key = ShardKey(repository, commit, "s", "1")
    return store.verdicts.write(team, NewShard(key, 1, ticket or store.verdicts.take_ticket(), 0.5, 1), verdicts)


def test_a_check_is_stored_once(store: SharedStore) -> None:
    assert write(store, "1", verdict(1), verdict(2, MOVED))
    assert not write(store, "1", verdict(1), verdict(2, MOVED))
    (summary,) = store.overview.summarize()
    assert summary.outcomes == {"holds": 1, "moved": 1}
    assert (summary.citations, summary.problems, summary.commit) == (2, 1, "1")
    assert store.verdicts.reconcile() == []


def test_what_stays_the_same_is_one_row(store: SharedStore) -> None:
    for commit in "123":
        assert write(store, commit, verdict(1), verdict(2, MOVED if commit == "3" else HOLDS))
    assert store.backend.query("SELECT count(*) FROM verdict")[0][0] == 3
    first, second = store.overview.history(1, 2)
    assert (first.outcome, first.since_commit, first.until_commit) == (HOLDS, "1", "3")
    assert (second.outcome, second.since_commit, second.until) == (MOVED, "3", 0)
    assert store.verdicts.reconcile() == []


def test_a_citation_that_went_is_ended_and_may_come_back(store: SharedStore) -> None:
    write(store, "1", verdict(1), verdict(2))
    write(store, "2", verdict(1))
    write(store, "3", verdict(1), verdict(2))
    assert [(one.since_commit, one.until_commit) for one in store.overview.history(1, 2)] == [("1", "2"), ("3", "")]
    assert store.verdicts.reconcile() == []


def test_a_line_that_shifts_is_no_history(store: SharedStore) -> None:
    write(store, "1", verdict(1, MOVED, 7))
    write(store, "2", verdict(1, MOVED, 9))
    (one,) = store.overview.history(1, 1)
    assert (one.line, one.since_commit) == (9, "1")


def test_problems_of_a_first_check_are_not_new(store: SharedStore) -> None:
    write(store, "1", verdict(1, MISSING), verdict(2))
    assert store.overview.summarize(since=1)[0].appeared == 0
    write(store, "2", verdict(1, MISSING), verdict(2, MOVED))
    assert store.overview.summarize(since=1)[0].appeared == 1
    assert [(at, one.citation) for at, one in store.overview.list_appeared(1)] == [(1, 2)]


def test_what_was_found_earlier_does_not_replace_what_was_found_later(store: SharedStore) -> None:
    earlier, later = store.verdicts.take_ticket(), store.verdicts.take_ticket()
    assert write(store, "2", verdict(1), ticket=later)
    assert write(store, "1", verdict(1, MISSING), ticket=earlier)
    assert not write(store, "1", verdict(1, MISSING), ticket=earlier)
    (summary,) = store.overview.summarize()
    assert (summary.commit, summary.outcomes) == ("2", {"holds": 1})
    assert store.verdicts.reconcile() == []


def test_a_branch_may_go_back(store: SharedStore) -> None:
    for commit in "121":
        assert write(store, commit, verdict(1, MISSING if commit == "2" else HOLDS))
    (summary,) = store.overview.summarize()
    assert (summary.commit, summary.outcomes) == ("1", {"holds": 1})
    assert [one.outcome for one in store.overview.history(1, 1)] == [HOLDS, MISSING, HOLDS]
    assert store.verdicts.reconcile() == []


def test_the_gravest_problems_come_first(store: SharedStore) -> None:
    write(store, "1", verdict(1, MOVED), verdict(2, MISSING), verdict(3))
    assert [one.citation for one in store.overview.list_problems(1)] == [2, 1]


def test_texts_that_no_database_takes(store: SharedStore) -> None:
    odd = NewVerdict(1, "a\0\udcff" + "x" * 5000, 1, MISSING, "file-not-found", "m\0" * 500, "\ud800")
    assert write(store, "1", odd)
    (one,) = store.overview.list_problems(1)
    assert len(one.document) <= 1000 and len(one.message) <= 300 and "\0" not in one.message


def test_a_failure_is_kept_until_a_check_succeeds(store: SharedStore) -> None:
    write(store, "1", verdict(1))
    team = store.teams.get("default")
    for _ in range(2):
        store.verdicts.record_failure(team, 1, "the server is gone", "t")
    assert store.overview.summarize()[0].trouble == "the server is gone"
    assert store.backend.query("SELECT tries FROM failure") == [(2,)]
    write(store, "2", verdict(1))
    assert store.overview.summarize()[0].trouble == ""


def test_limits_of_a_team(store: SharedStore) -> None:
    team = store.teams.set("small", TeamLimits(repositories=1, citations=2))
    (one,) = store.verdicts.add_repositories(team, [("a", "/a")])
    with pytest.raises(UsageError, match=r"2 repositories are more than its limit of 1; nothing was added"):
        store.verdicts.add_repositories(team, [("b", "/b")])
    shard = NewShard(ShardKey(one.id, "1", "s", "1"), 1, 1, 0.1, 1)
    with pytest.raises(UsageError, match=r"3 citations are more than its limit of 2; nothing was stored"):
        store.verdicts.write(team, shard, [verdict(1), verdict(2), verdict(3)])
    assert store.backend.query("SELECT count(*) FROM shard") == [(0,)]
    assert store.verdicts.write(team, shard, [verdict(1), verdict(2)])


def test_a_team_over_a_limit_that_was_lowered_keeps_what_it_has_and_gets_no_more(store: SharedStore) -> None:
    team = store.teams.set("small", TeamLimits(citations=9))
    one, empty = store.verdicts.add_repositories(team, [("a", "/a"), ("b", "/b")])

    def check(repository: int, ticket: int, *verdicts: NewVerdict) -> bool:
        shard = NewShard(ShardKey(repository, str(ticket), "s", "1"), 1, ticket, 0.1, 1)
        return store.verdicts.write(store.teams.get("small"), shard, verdicts)

    assert check(one.id, 1, verdict(1), verdict(2), verdict(3))
    store.teams.set("small", TeamLimits(citations=1))
    assert check(one.id, 2, verdict(1), verdict(2, MOVED), verdict(4))
    assert check(one.id, 3, verdict(1), verdict(2))
    assert check(empty.id, 4)
    for number in (one.id, empty.id):
        with pytest.raises(UsageError, match="more than its limit of 1; nothing was stored"):
            check(number, 5, verdict(1), verdict(2), verdict(3))
    assert store.verdicts.reconcile() == []


def test_the_same_check_again_mends_what_was_damaged(store: SharedStore) -> None:
    team = store.teams.get("default")
    write(store, "1", verdict(1), verdict(2, MISSING), verdict(3))
    (shard,) = store.verdicts.load_current().values()
    store.backend.run("DELETE FROM verdict WHERE citation = 1")
    store.backend.run("UPDATE verdict SET outcome = 0 WHERE citation = 2")
    assert store.verdicts.reconcile() == ["github.com/a/b: shard 1 counted 1 missing, 0 stand"]
    later = NewShard(shard.key, 1, store.verdicts.take_ticket(), 0.1, 1)
    found = [verdict(1), verdict(2, MISSING), verdict(3)]
    assert not store.verdicts.write(team, later, found)
    assert store.verdicts.write(team, later, found, again=True)
    assert store.verdicts.reconcile() == []
    # A worker that was killed after it wrote, and begins again, writes nothing.
    assert not store.verdicts.write(team, later, found, again=True)
    assert store.backend.query("SELECT count(*) FROM shard") == [(2,)]
    assert store.backend.query("SELECT outcome FROM verdict WHERE until IS NULL ORDER BY citation") == [
        (0,),
        (5,),
        (0,),
    ]


def test_other_repositories_are_part_of_what_a_check_was(store: SharedStore) -> None:
    team = store.teams.get("default")
    (one,) = store.verdicts.add_repositories(team, [("a", "/a")])
    shard = NewShard(ShardKey(one.id, "1", "s", "1"), 1, 1, 0.1, 1, {"github.com/x/y": "c1"})
    assert store.verdicts.write(team, shard, [verdict(1)])
    assert not store.verdicts.write(team, shard, [verdict(1)])
    assert store.verdicts.write(team, replace(shard, ticket=2, others={"github.com/x/y": "c2"}), [verdict(1, MOVED)])
    assert store.backend.query("SELECT others FROM shard ORDER BY id") == [
        ('{"github.com/x/y":"c1"}',),
        ('{"github.com/x/y":"c2"}',),
    ]
    assert store.verdicts.load_current()[one.id].others == {"github.com/x/y": "c2"}


def test_reconciling_notices_what_is_lost_and_what_is_there_twice(store: SharedStore) -> None:
    write(store, "1", verdict(1), verdict(2))
    store.backend.run("DELETE FROM verdict WHERE citation = 2")
    assert store.verdicts.reconcile() == ["github.com/a/b: shard 1 counted 2 holds, 1 stand"]
    store.backend.run(
        "INSERT INTO verdict (citation, repository, since, document, line, team, outcome, finding, written, message) "
        "VALUES (1, 1, 2, 1, 1, 1, 0, '', '', '')"
    )
    assert any("several verdicts that stand" in line for line in store.verdicts.reconcile())
    assert any("overlap" in line for line in store.verdicts.reconcile())


def test_trend_counts_each_repository_once_a_day(store: SharedStore) -> None:
    write(store, "1", verdict(1))
    write(store, "2", verdict(1, MOVED))
    ((_, outcomes),) = store.overview.trend(2, store.overview.summarize()[0].checked)
    assert outcomes == {"moved": 1}


def test_a_repository_is_forgotten_with_all_that_was_found(store: SharedStore) -> None:
    team = store.teams.get("default")
    write(store, "1", verdict(1), verdict(2, MOVED))
    write(store, "2", verdict(1))
    (other,) = store.verdicts.add_repositories(team, [("other", "/other")])
    store.verdicts.write(team, NewShard(ShardKey(other.id, "1", "s", "1"), 1, 9, 0.1, 1), [verdict(1)])
    store.verdicts.record_failure(team, 1, "gone", "t")
    assert store.verdicts.forget(team, ["github.com/a/b", "never there"]) == ["github.com/a/b"]
    assert [one.name for one in store.overview.summarize()] == ["other"]
    for table in ("shard", "verdict", "document", "tally"):
        assert store.backend.query(f"SELECT count(*) FROM {table}") == [(1,)], table
    assert store.backend.query("SELECT count(*) FROM failure") == [(0,)]
    assert store.verdicts.reconcile() == []
    assert write(store, "1", verdict(1)), "it may come back"
