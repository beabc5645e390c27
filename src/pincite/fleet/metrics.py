"""What a process of a fleet counts, and how Prometheus reads it.

Counting needs no library and costs an addition. Only a process that was asked to serve its counts imports the client of
Prometheus.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from importlib.util import find_spec
from itertools import accumulate
from threading import Lock
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..safe.status_server import StatusServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prometheus_client import CollectorRegistry
    from prometheus_client.core import HistogramMetricFamily
    from prometheus_client.metrics_core import Metric

SHARD_STATES = {"done": "done", "same": "skipped", "failed": "failed"}
"""What is counted for each end of a shard: one that another worker wrote before is skipped."""
_SHARD_BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0)
_PLAIN = "text/plain; charset=utf-8"


class DurationCounts:
    """How often something took how long, by bounds in seconds."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        self._lock = Lock()

    def add(self, seconds: float) -> None:
        """Count one."""
        with self._lock:
            self._counts[bisect_left(self._bounds, seconds)] += 1
            self._sum += seconds

    def add_to(self, family: HistogramMetricFamily, labels: tuple[str, ...] = ()) -> None:
        """Say the counts as Prometheus wants them."""
        with self._lock:
            counts, total = list(self._counts), self._sum
        names = [*map(str, self._bounds), "+Inf"]
        family.add_metric(labels, list(zip(names, map(float, accumulate(counts)), strict=True)), total)


class FleetMetrics:
    """The counts of one process that does shards or visits pages; every thread may count."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._shards = dict.fromkeys(SHARD_STATES.values(), 0)
        self._seconds = DurationCounts(_SHARD_BOUNDS)
        self._rows = 0
        self._retries = 0
        self._mirror_bytes = 0
        self._pages: dict[str, int] = {}

    def count_shard(self, state: str, seconds: float = 0.0) -> None:
        """A shard ended: `done`, `same` or `failed`."""
        with self._lock:
            self._shards[SHARD_STATES[state]] += 1
        if state != "same":
            self._seconds.add(seconds)

    def count_rows(self, number: int) -> None:
        """So many verdicts were written."""
        with self._lock:
            self._rows += number

    def count_retry(self) -> None:
        """The store could not be reached, and is tried again."""
        with self._lock:
            self._retries += 1

    def set_mirror_bytes(self, number: int) -> None:
        """So much disk do mirrors take now."""
        self._mirror_bytes = number

    def count_page(self, status: int) -> None:
        """A web page was visited; 0 where no answer came."""
        name = str(status) if 100 <= status <= 599 else "none"
        with self._lock:
            self._pages[name] = self._pages.get(name, 0) + 1

    def collect(self) -> Iterator[Metric]:
        """Everything, as the client of Prometheus wants it."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        with self._lock:
            shards, pages = dict(self._shards), dict(self._pages)
        ended = CounterMetricFamily("pincite_shards", "Shards by how they ended.", labels=["state"])
        for state, number in shards.items():
            ended.add_metric([state], number)
        yield ended
        seconds = HistogramMetricFamily("pincite_shard_duration_seconds", "How long shards took.", labels=[])
        self._seconds.add_to(seconds)
        yield seconds
        yield CounterMetricFamily("pincite_rows_written", "Verdicts that were written.", self._rows)
        yield CounterMetricFamily("pincite_store_retries", "Tries after the store was gone.", self._retries)
        yield GaugeMetricFamily("pincite_mirror_bytes", "Disk that mirrors take.", self._mirror_bytes)
        visited = CounterMetricFamily(
            "pincite_pages_visited", "Web pages by the status of the answer.", labels=["status"]
        )
        for status, number in sorted(pages.items()):
            visited.add_metric([status], number)
        yield visited


@cache
def make_metrics() -> FleetMetrics:
    """The counts of this process; the same at every call."""
    return FleetMetrics()


def require_prometheus() -> None:
    """Raise UsageError where the client of Prometheus is not installed."""
    if find_spec("prometheus_client") is None:
        raise UsageError("metrics need an extra: install 'pincite[fleet]'")


def make_registry(*collectors: object) -> CollectorRegistry:
    """A registry of its own with some collectors, and the memory and time of this process."""
    from prometheus_client import CollectorRegistry, ProcessCollector

    registry = CollectorRegistry(auto_describe=False)
    for one in collectors:
        registry.register(one)  # type: ignore[arg-type]
    ProcessCollector(registry=registry)
    return registry


def start_metrics_server(
    port: int,
    address: str = "127.0.0.1",
    metrics: FleetMetrics | None = None,
    find_trouble: Callable[[], str] = lambda: "",
) -> StatusServer:
    """Serve `/metrics` and `/healthz` of this process until the server is closed; raises UsageError.

    `find_trouble` says in one word what is down; empty where nothing is. No name of a repository and no address of a
    page is in what is served, so that it needs no token; who reaches the port reads the numbers.
    """
    require_prometheus()
    from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

    registry = make_registry(metrics or make_metrics())

    def answer_health() -> tuple[int, str, bytes]:
        trouble = find_trouble()
        return (503, _PLAIN, f"{trouble}\n".encode()) if trouble else (200, _PLAIN, b"ok\n")

    answers = {
        "/metrics": lambda: (200, CONTENT_TYPE_LATEST, generate_latest(registry)),
        "/healthz": answer_health,
    }
    try:
        return StatusServer(address, port, answers)
    except UsageError:
        raise UsageError(f"port {port} of {address} cannot be used; choose another with --metrics-port") from None
