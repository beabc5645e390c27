"""What the page of the fleet tells Prometheus: the store in numbers, and how fast it and the pages answer."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING

from msgspec import Struct

from .metrics import DurationCounts, make_registry, require_prometheus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prometheus_client.metrics_core import Metric

    from ..store.shared import SharedStore

_PAGE_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class StoreFigures(Struct, frozen=True):
    """The store in numbers."""

    repositories: dict[str, int]
    """By team."""
    failed: int
    """Repositories whose last try failed."""
    citations: dict[str, int]
    """By outcome."""
    shards: int
    """Finished checks that are in the store."""
    oldest: int
    newest: int
    """When the check that stands was made, of the repository with the oldest and with the newest one; 0 for none."""
    sources: dict[str, int]
    """Web sources by state."""


def gather_figures(store: SharedStore) -> StoreFigures:
    """Count what is in a store."""
    repositories, citations = Counter[str](), Counter[str]()
    summaries = store.overview.summarize()
    for one in summaries:
        repositories[one.team] += 1
        citations.update(one.outcomes)
    checked = [one.checked for one in summaries if one.checked]
    return StoreFigures(
        repositories=dict(repositories),
        failed=sum(1 for one in summaries if one.trouble),
        citations=dict(citations),
        shards=store.overview.count_shards(),
        oldest=min(checked, default=0),
        newest=max(checked, default=0),
        sources=store.sources.count(),
    )


class PageMetrics:
    """The counts of a server that shows a fleet."""

    def __init__(self, figures: Callable[[], StoreFigures | None], now: Callable[[], float]) -> None:
        """`figures` gives the store in numbers; None while the store cannot be read. Raises UsageError."""
        require_prometheus()
        self._figures = figures
        self._now = now
        self._lock = Lock()
        self._requests: dict[tuple[str, str], DurationCounts] = {}
        self._store = DurationCounts(_PAGE_BOUNDS)
        self._registry = make_registry(self)

    def count_request(self, page: str, status: int, seconds: float) -> None:
        """A request was answered; `page` is the name of the page, never its address."""
        key = (page, f"{status // 100}xx")
        with self._lock:
            counts = self._requests.setdefault(key, DurationCounts(_PAGE_BOUNDS))
        counts.add(seconds)

    def count_store(self, seconds: float) -> None:
        """The store answered all questions of a page."""
        self._store.add(seconds)

    def render(self) -> tuple[str, bytes]:
        """The media type and the text that Prometheus reads."""
        from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

        return CONTENT_TYPE_LATEST, generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Everything, as the client of Prometheus wants it."""
        from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily

        with self._lock:
            requests = dict(self._requests)
        answered = HistogramMetricFamily(
            "pincite_http_request_duration_seconds", "How long pages took.", labels=["page", "status"]
        )
        for labels, counts in sorted(requests.items()):
            counts.add_to(answered, labels)
        yield answered
        asked = HistogramMetricFamily(
            "pincite_store_query_duration_seconds", "How long the store took for a page.", labels=[]
        )
        self._store.add_to(asked)
        yield asked
        figures = self._figures()
        yield GaugeMetricFamily("pincite_store_up", "Whether the store can be read.", float(figures is not None))
        if figures is not None:
            yield from _collect_figures(figures, self._now())


def _collect_figures(figures: StoreFigures, now: float) -> Iterator[Metric]:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

    yield _make_gauge("pincite_repositories", "Repositories by team.", "team", figures.repositories)
    yield GaugeMetricFamily("pincite_repositories_failed", "Repositories whose last try failed.", figures.failed)
    yield _make_gauge("pincite_citations", "Citations by outcome.", "outcome", figures.citations)
    yield CounterMetricFamily("pincite_shards_finished", "Finished checks in the store.", figures.shards)
    for name, time in (("oldest", figures.oldest), ("newest", figures.newest)):
        if time:
            about = f"Seconds since the {name} check that stands."
            yield GaugeMetricFamily(f"pincite_{name}_check_age_seconds", about, max(0.0, now - time))
    yield _make_gauge("pincite_sources", "Web sources by state.", "state", figures.sources)


def _make_gauge(name: str, about: str, label: str, numbers: dict[str, int]) -> Metric:
    from prometheus_client.core import GaugeMetricFamily

    family = GaugeMetricFamily(name, about, labels=[label])
    for key, number in sorted(numbers.items()):
        family.add_metric([key], number)
    return family
