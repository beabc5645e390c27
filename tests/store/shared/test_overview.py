"""Questions about all repositories: the same answers from both kinds of database."""

from __future__ import annotations

from time import time

from pincite.store.shared import SharedStore
from pincite.store.shared.overview import DocumentSummary, ProblemFilter
from support_fleet_store import (
    DAY,
    HOLDS,
    MISMATCH,
    MISSING,
    MOVED,
    add_check,
    add_repository,
    fill_fleet,
    make_verdict,
)

NOON = 20_000 * DAY + DAY // 2


def test_one_repository_is_summarized_as_among_all(store: SharedStore) -> None:
    ids = fill_fleet(store)
    every = {one.id: one for one in store.overview.summarize(int(time()) - DAY)}
    assert len(every) == 5
    for number in ids.values():
        assert store.overview.summarize(int(time()) - DAY, repository=number) == [every[number]]
    assert every[ids["alpha"]].appeared == 2
    assert {one.name for one in store.overview.summarize(team=store.teams.get("docs"))} == {
        "github.com/acme/beta",
        "github.com/acme/epsilon",
        "github.com/acme/gamma",
    }


def test_problems_are_chosen_by_outcome_check_document_and_words(store: SharedStore) -> None:
    number = add_repository(store, "a")
    problems = [
        make_verdict(1, MOVED, "docs/One.md", message="100% of it moved"),
        make_verdict(2, MISSING, "docs/two_x.md", message="gone!"),
        make_verdict(3, MISMATCH, "docs/two_x.md", written="src/Third.py:3"),
    ]
    add_check(store, number, "1", [*problems, make_verdict(4)])

    def choose(**wanted: str | int) -> list[int]:
        filter_ = ProblemFilter(**wanted)
        listed = [one.citation for one in store.overview.list_problems(number, wanted=filter_)]
        assert sum(store.overview.count_problems(number, filter_).values()) == len(listed)
        return listed

    assert choose() == [2, 3, 1]
    assert choose(outcome=MOVED) == [1]
    assert choose(finding="file-missing") == [2]
    assert choose(document="docs/two_x.md") == [2, 3]
    assert choose(document="docs/two_x.md", outcome=MISMATCH) == [3]
    assert choose(text="ONE.MD") == [1] and choose(text="third") == [3]
    # What a pattern would mean is only text.
    assert choose(text="100%") == [1] and choose(text="two_x") == [2, 3] and choose(text="gone!") == [2]
    assert choose(text="one%md") == choose(text="twoxx") == choose(text="'; DROP TABLE verdict") == []
    assert store.overview.count_problems(number) == {
        ("missing", "file-missing"): 1,
        ("mismatch", "lines-edited"): 1,
        ("moved", "lines-moved"): 1,
    }
    assert [one.citation for one in store.overview.list_problems(number, 1, 1)] == [3]


def test_documents_are_listed_by_their_problems(store: SharedStore) -> None:
    number = add_repository(store, "a")
    verdicts = [
        make_verdict(1, HOLDS, "b.md"),
        make_verdict(2, HOLDS, "a.md"),
        make_verdict(3, MOVED, "c.md"),
        make_verdict(4, HOLDS, "c.md"),
    ]
    add_check(store, number, "1", verdicts)
    # What is over does not count.
    add_check(store, number, "2", verdicts[1:])
    assert store.overview.list_documents(number) == [DocumentSummary("c.md", 2, 1), DocumentSummary("a.md", 1, 0)]
    assert store.overview.list_documents(number, 1) == [DocumentSummary("c.md", 2, 1)]
    assert store.overview.list_documents(number + 1) == []


def test_checks_are_listed_the_newest_first(store: SharedStore) -> None:
    number, other = add_repository(store, "a"), add_repository(store, "b")
    for commit in "123":
        add_check(store, number, commit, [make_verdict(1, MOVED), make_verdict(2)] if commit == "2" else [])
    add_check(store, other, "9", [make_verdict(1)])
    found = store.overview.list_shards(number)
    assert [(one.commit, one.outcomes) for one in found] == [("3", {}), ("2", {"holds": 1, "moved": 1}), ("1", {})]
    assert [one.commit for one in store.overview.list_shards(number, 2)] == ["3", "2"]
    assert store.overview.count_shards() == 4


def test_failures_are_listed_until_a_check_or_a_look_succeeds(store: SharedStore) -> None:
    ids = fill_fleet(store)
    (one,) = store.overview.list_failures()
    assert (one.repository, one.name, one.team, one.tries) == (ids["delta"], "github.com/acme/delta", "default", 2)
    assert store.overview.list_failures(store.teams.get("docs")) == []
    assert store.overview.list_failures(repository=ids["delta"]) == [one]
    assert store.overview.list_failures(repository=ids["alpha"]) == []
    store.verdicts.note_visits([ids["delta"]])
    assert store.overview.list_failures() == []


def test_a_repository_that_was_found_unchanged_counts_as_checked_then(store: SharedStore) -> None:
    ids = fill_fleet(store)
    before = {one.id: one.checked for one in store.overview.summarize()}
    store.verdicts.note_visits([ids["gamma"], ids["epsilon"]])
    store.verdicts.note_visits([])
    after = {one.id: one.checked for one in store.overview.summarize()}
    assert after[ids["gamma"]] >= int(time()) - 600 > before[ids["gamma"]]
    # One that was never checked is not checked by a look.
    assert after[ids["epsilon"]] == 0
    assert all(after[ids[name]] == before[ids[name]] for name in ("alpha", "beta", "delta"))


def test_what_came_is_listed_the_newest_first_whatever_many_checks_there_were(store: SharedStore) -> None:
    number, other = add_repository(store, "a"), add_repository(store, "b", "docs")
    now = int(time())
    add_check(store, other, "0", [make_verdict(7)], now - 9 * DAY)
    add_check(store, other, "1", [make_verdict(7, MISSING)], now - 8 * DAY)
    verdicts = [make_verdict(one) for one in range(1, 131)]
    add_check(store, number, "first", verdicts, now - 200)
    # More checks than one statement looks into; each makes one more citation a problem.
    for one in range(130):
        verdicts[one] = make_verdict(one + 1, MOVED)
        add_check(store, number, str(one), verdicts, now - 150 + one)
    found = store.overview.list_appeared(now - DAY)
    assert [verdict.citation for _, verdict in found] == list(range(130, 0, -1))
    assert {repository for repository, _ in found} == {number}
    assert [one.citation for _, one in store.overview.list_appeared(now - DAY, most=3)] == [130, 129, 128]
    assert store.overview.list_appeared(now - DAY, store.teams.get("docs")) == []
    (old,) = store.overview.list_appeared(now - 30 * DAY, store.teams.get("docs"))
    assert (old[0], old[1].citation) == (other, 7)


def test_a_trend_counts_what_stood_also_where_nothing_was_checked(store: SharedStore) -> None:
    one, other, late = add_repository(store, "a"), add_repository(store, "b", "docs"), add_repository(store, "c")
    add_check(store, one, "1", [make_verdict(1)], NOON - 40 * DAY)
    add_check(store, other, "1", [make_verdict(1, MISSING)], NOON - 3 * DAY)
    add_check(store, one, "2", [make_verdict(1, MOVED)], NOON - 2 * DAY - 60)
    add_check(store, one, "3", [make_verdict(1), make_verdict(2)], NOON - 2 * DAY)
    add_check(store, late, "1", [make_verdict(1, MISMATCH)], NOON)
    days = store.overview.trend(5, NOON)
    assert [day for day, _ in days] == [NOON - DAY // 2 - left * DAY for left in (4, 3, 2, 1, 0)]
    assert [outcomes for _, outcomes in days] == [
        {"holds": 1},
        {"holds": 1, "missing": 1},
        {"holds": 2, "missing": 1},
        {"holds": 2, "missing": 1},
        {"holds": 2, "mismatch": 1, "missing": 1},
    ]
    assert [outcomes for _, outcomes in store.overview.trend(5, NOON, store.teams.get("docs"))] == [{"missing": 1}] * 4
    assert [outcomes for _, outcomes in store.overview.trend(2, NOON, repository=one)] == [{"holds": 2}] * 2
    # What was not checked for longer than the trend goes back stands all the same.
    assert [outcomes for _, outcomes in store.overview.trend(1, NOON + 90 * DAY)] == [days[-1][1]]
    assert store.overview.trend(5, NOON - 90 * DAY) == []


def test_an_empty_store_has_nothing_to_say(store: SharedStore) -> None:
    overview = store.overview
    assert overview.summarize(1) == overview.list_appeared(1) == overview.trend(30, NOON) == []
    assert overview.list_failures() == overview.list_shards(1) == overview.list_documents(1) == []
    assert overview.count_problems(1) == {} and overview.count_shards() == 0
