"""What a process of a fleet counts, and what Prometheus reads of it."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from pincite.core.errors import UsageError
from pincite.fleet.metrics import DurationCounts, FleetMetrics, make_metrics, start_metrics_server

prometheus = pytest.importorskip("prometheus_client.parser", reason="prometheus_client is not installed")


def read(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every number of what Prometheus reads, by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in prometheus.text_string_to_metric_families(text)
        for sample in family.samples
    }


def scrape(metrics: FleetMetrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    with start_metrics_server(0, metrics=metrics) as server:
        answer = httpx.get(f"http://127.0.0.1:{server.port}/metrics")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain")
    return read(answer.text)


def test_everything_that_was_counted_is_served() -> None:
    metrics = FleetMetrics()
    metrics.count_shard("done", 0.2)
    metrics.count_shard("done", 700.0)
    metrics.count_shard("same", 0.1)
    metrics.count_shard("failed", 3.0)
    metrics.count_rows(40)
    metrics.count_rows(2)
    metrics.count_retry()
    metrics.set_mirror_bytes(12_345)
    for status in (200, 200, 404, 0, 999):
        metrics.count_page(status)
    found = scrape(metrics)
    assert [found["pincite_shards_total", (("state", state),)] for state in ("done", "skipped", "failed")] == [2, 1, 1]
    # What another worker did before took no time.
    assert found["pincite_shard_duration_seconds_count", ()] == 3
    assert found["pincite_shard_duration_seconds_sum", ()] == pytest.approx(703.2)
    buckets = {dict(labels)["le"]: value for (name, labels), value in found.items() if name.endswith("seconds_bucket")}
    assert (buckets["0.1"], buckets["0.25"], buckets["5.0"], buckets["600.0"], buckets["+Inf"]) == (0, 1, 2, 2, 3)
    assert found["pincite_rows_written_total", ()] == 42 and found["pincite_store_retries_total", ()] == 1
    assert found["pincite_mirror_bytes", ()] == 12_345
    pages = {labels: value for (name, labels), value in found.items() if name == "pincite_pages_visited_total"}
    assert pages == {(("status", "200"),): 2, (("status", "404"),): 1, (("status", "none"),): 2}
    assert found["process_resident_memory_bytes", ()] > 1_000_000


def test_threads_may_count_at_once() -> None:
    metrics = FleetMetrics()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: metrics.count_shard("done", 0.1), range(2_000)))
    found = scrape(metrics)
    assert found["pincite_shards_total", (("state", "done"),)] == 2_000
    assert found["pincite_shard_duration_seconds_count", ()] == 2_000


def test_health_says_what_is_down_in_one_word() -> None:
    trouble = ""
    with start_metrics_server(0, find_trouble=lambda: trouble) as server:
        address = f"http://127.0.0.1:{server.port}/healthz"
        assert (httpx.get(address).status_code, httpx.get(address).text) == (200, "ok\n")
        trouble = "store"
        assert (httpx.get(address).status_code, httpx.get(address).text) == (503, "store\n")


def test_a_process_has_one_set_of_counts() -> None:
    assert make_metrics() is make_metrics()


def test_a_port_that_is_taken_is_named() -> None:
    with start_metrics_server(0) as server, pytest.raises(UsageError, match=f"port {server.port} .*--metrics-port"):
        start_metrics_server(server.port)


def test_without_the_library_counting_works_and_serving_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.fleet.metrics.find_spec", lambda name: None)
    FleetMetrics().count_shard("done", 1.0)
    with pytest.raises(UsageError, match=r"install 'pincite\[fleet\]'"):
        start_metrics_server(0)


def test_counting_imports_no_library() -> None:
    code = """import sys
from pincite.fleet.metrics import make_metrics
make_metrics().count_shard("done", 1.0)
print("prometheus_client" in sys.modules)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_duration_at_a_bound_belongs_to_it() -> None:
    from prometheus_client.core import HistogramMetricFamily

    counts = DurationCounts((1.0, 2.0))
    for seconds in (1.0, 1.5, 2.0, 9.0):
        counts.add(seconds)
    family = HistogramMetricFamily("x", "x", labels=[])
    counts.add_to(family)
    found = {sample.labels.get("le", sample.name): sample.value for sample in family.samples}
    assert found == {"1.0": 1, "2.0": 3, "+Inf": 4, "x_count": 4, "x_sum": 13.5}
