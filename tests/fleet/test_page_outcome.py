"""What visits mean for a source, and when the next one is due."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincite.core.web import Exchange
from pincite.fleet.page_outcome import FIRST_RETRY, GONE_DAYS, note_failure, note_page, postpone
from pincite.store.shared.web_records import DueSource, VisitResult

DAY = 86_400
NOW = 20_000 * DAY + 3600
PERIOD = 7 * DAY
SOURCE = DueSource(
    1, 1, "https://a.example/", "", PERIOD, NOW, "same", '"1"', "then", "d1", False, NOW - PERIOD, 0, 0, 0, 0
)


def page(status: int = 200, **headers: str) -> Exchange:
    """An answer."""
    given = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Exchange("https://a.example/", status, headers=given)


def carry_on(source: DueSource, result: VisitResult) -> DueSource:
    """The source as the store has it afterwards."""
    return DueSource(
        *(source.id, source.team, source.url, result.final, source.period, result.due, result.state, result.etag),
        *(result.modified, result.digest, False, result.seen, result.failing_since, result.failures),
        *(result.absent_days, result.absent_day),
    )


@pytest.mark.parametrize(
    ("digest", "before", "state", "is_new"),
    [
        ("d1", "same", "same", False),
        ("d1", "unchecked", "same", True),
        ("d2", "same", "changed", True),
        ("d2", "changed", "changed", False),
        ("", "changed", "same", True),
    ],
)
def test_a_page_is_the_same_or_changed(digest: str, before: str, state: str, is_new: bool) -> None:
    result = note_page(replace(SOURCE, state=before), page(), "", digest, NOW, 0.5)
    assert (result.state, result.has_new_state, result.digest) == (state, is_new, digest or "d1")
    assert (result.seen, result.failures, result.due) == (NOW, 0, NOW + PERIOD)


def test_the_first_look_is_no_change() -> None:
    result = note_page(replace(SOURCE, state="new", digest=""), page(), "", "d1", NOW, 0.5)
    assert (result.state, result.has_new_state) == ("same", True)


def test_what_a_server_says_of_its_page_is_kept_as_far_as_it_can_be_sent_back() -> None:
    result = note_page(SOURCE, page(ETag='W/"2"', Last_Modified="a\x80b"), "", "d1", NOW, 0.5)
    assert (result.etag, result.modified) == ('W/"2"', "")
    # A server that says nothing any more is asked without conditions.
    assert note_page(SOURCE, page(), "", "d1", NOW, 0.5).etag == ""
    # One that says that nothing changed need not repeat it.
    result = note_page(SOURCE, page(304), "", "", NOW, 0.5)
    assert (result.etag, result.modified, result.digest) == ('"1"', "then", "d1")
    assert note_page(SOURCE, page(ETag="x" * 501), "", "d1", NOW, 0.5).etag == ""


def test_sources_do_not_fall_due_together() -> None:
    dues = [note_page(SOURCE, page(), "", "d1", NOW, chance).due - NOW for chance in (0.0, 0.5, 1.0)]
    assert dues == [round(0.9 * PERIOD), PERIOD, round(1.1 * PERIOD)]


def test_failures_are_tried_again_later_and_later() -> None:
    source, now, waits = SOURCE, NOW, []
    for _ in range(12):
        result = note_failure(source, "it answered 500", now, 0.5, status=500)
        waits.append(result.due - now)
        assert result.state == "unchecked"
        source, now = carry_on(source, result), result.due
    assert waits[:4] == [FIRST_RETRY, 2 * FIRST_RETRY, 4 * FIRST_RETRY, 8 * FIRST_RETRY]
    assert waits[-3:] == [PERIOD] * 3
    assert (source.failures, source.failing_since, source.digest, source.etag) == (12, NOW, "d1", '"1"')
    recovered = note_page(source, page(), "", "d1", now, 0.5)
    assert (recovered.failures, recovered.failing_since, recovered.state) == (0, 0, "same")


@pytest.mark.parametrize(("asked", "wait"), [(0.0, 3600), (10.0, 3600), (5000.0, 5001), (1e12, 30 * DAY + 1)])
def test_what_a_server_asks_for_is_kept_within_bounds(asked: float, wait: int) -> None:
    assert note_failure(SOURCE, "busy", NOW, 0.5, status=429, retry_after=asked).due == NOW + wait


def test_a_page_is_gone_after_days_and_not_before() -> None:
    source, states = replace(SOURCE, failures=0), []
    for hour in (0, 1, 2, 24, 25, 48, 49):
        result = note_failure(source, "404", NOW + hour * 3600, 0.5, status=404, is_absent=True)
        states.append((result.state, result.has_new_state, result.forgets_quotes))
        source = carry_on(source, result)
    waiting = ("unchecked", False, False)
    assert states == [("unchecked", True, False), *[waiting] * 4, ("gone", True, True), ("gone", False, False)]
    assert source.absent_days == GONE_DAYS
    assert source.due == NOW + 49 * 3600 + PERIOD


def test_other_failures_make_no_page_gone() -> None:
    source = SOURCE
    for day in range(30):
        source = carry_on(source, note_failure(source, "500", NOW + day * DAY, 0.5, status=500))
    assert (source.state, source.absent_days) == ("unchecked", 0)
    # Days count on which the server said so, others between them do not undo it.
    for day, is_absent in ((30, True), (31, False), (32, True), (33, False)):
        source = carry_on(source, note_failure(source, "x", NOW + day * DAY, 0.5, is_absent=is_absent))
        assert source.state == "unchecked"
    assert note_failure(source, "x", NOW + 34 * DAY, 0.5, is_absent=True).state == "gone"


def test_a_page_that_comes_back_is_not_gone() -> None:
    gone = replace(SOURCE, state="gone", failures=9, absent_days=3, absent_day=NOW // DAY, failing_since=5)
    back = note_page(gone, page(), "", "d1", NOW, 0.5)
    assert (back.state, back.has_new_state, back.absent_days) == ("same", True, 0)
    # One that is gone and now fails in another way stays gone.
    assert note_failure(gone, "timeout", NOW, 0.5).state == "gone"


def test_a_visit_that_could_not_begin_says_nothing() -> None:
    source = replace(SOURCE, failures=2, absent_days=1)
    result = postpone(source, "another worker asks it", NOW, 5)
    assert (result.state, result.has_new_state, result.failures, result.absent_days) == ("same", False, 2, 1)
    assert result.due == NOW + 60
