"""What the page of a fleet tells Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from time import time

import pytest

from pincite.core.errors import UsageError
from pincite.fleet.page_metrics import PageMetrics, StoreFigures, gather_figures
from pincite.store.shared import SharedStore
from pincite.store.shared.web_records import NewSource
from support_fleet_store import DAY, fill_fleet, open_filled

prometheus = pytest.importorskip("prometheus_client.parser", reason="prometheus_client is not installed")


@pytest.fixture
def store(store_address: str) -> Iterator[SharedStore]:
    """An empty store."""
    with open_filled(store_address) as opened:
        yield opened


def read(metrics: PageMetrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    kind, body = metrics.render()
    assert kind.startswith("text/plain")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in prometheus.text_string_to_metric_families(body.decode())
        for sample in family.samples
    }


def test_the_store_in_numbers(store: SharedStore) -> None:
    now = int(time())
    fill_fleet(store, now)
    store.sources.add(store.teams.get("docs"), [NewSource("https://example.org/a")])
    figures = gather_figures(store)
    assert figures == StoreFigures(
        repositories={"default": 2, "docs": 3},
        failed=1,
        citations={"holds": 30, "mismatch": 3, "missing": 1, "moved": 1, "unchecked": 2},
        shards=5,
        oldest=now - 10 * DAY,
        newest=now - 3_600,
        sources={"new": 1},
    )
    found = read(PageMetrics(lambda: figures, lambda: now))
    assert found["pincite_store_up", ()] == 1
    assert found["pincite_repositories", (("team", "docs"),)] == 3 and found["pincite_repositories_failed", ()] == 1
    assert found["pincite_citations", (("outcome", "mismatch"),)] == 3
    assert found["pincite_shards_finished_total", ()] == 5
    assert found["pincite_oldest_check_age_seconds", ()] == 10 * DAY
    assert found["pincite_newest_check_age_seconds", ()] == 3_600
    assert found["pincite_sources", (("state", "new"),)] == 1


def test_a_store_that_is_gone_leaves_the_rest() -> None:
    metrics = PageMetrics(lambda: None, time)
    metrics.count_request("fleet", 200, 0.02)
    metrics.count_request("fleet", 503, 0.3)
    metrics.count_store(0.004)
    found = read(metrics)
    assert found["pincite_store_up", ()] == 0
    assert found["pincite_http_request_duration_seconds_count", (("page", "fleet"), ("status", "2xx"))] == 1
    assert found["pincite_http_request_duration_seconds_sum", (("page", "fleet"), ("status", "5xx"))] == 0.3
    assert found["pincite_store_query_duration_seconds_bucket", (("le", "0.005"),)] == 1
    assert not any(name.startswith(("pincite_repositories", "pincite_citations")) for name, _ in found)


def test_an_empty_store_has_no_ages(store: SharedStore) -> None:
    found = read(PageMetrics(lambda: gather_figures(store), time))
    assert found["pincite_shards_finished_total", ()] == 0
    assert not any("age" in name for name, _ in found)


def test_labels_with_quotation_marks_are_escaped() -> None:
    figures = StoreFigures({'a"b\\c\nd': 1}, 0, {}, 0, 0, 0, {})
    assert read(PageMetrics(lambda: figures, time))["pincite_repositories", (("team", 'a"b\\c\nd'),)] == 1


def test_without_the_library_it_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.fleet.metrics.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pincite\[fleet\]"):
        PageMetrics(lambda: None, time)
