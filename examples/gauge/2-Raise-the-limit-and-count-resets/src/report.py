"""Prints gauges."""

from gauge import Gauge


def show(gauge: Gauge) -> str:
    return f"{gauge.value} (peak {gauge.peak})"
