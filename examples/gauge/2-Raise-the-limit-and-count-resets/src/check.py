"""Tries the gauge with every pair of some readings."""

from itertools import product

from gauge import LIMIT, Gauge

READINGS = range(0, 300, 25)


def adding(first: int, second: int) -> bool:
    gauge = Gauge()
    gauge.add(first)
    gauge.add(second)
    return gauge.value == min(first + second, LIMIT)


def peaking(first: int, second: int) -> bool:
    gauge = Gauge()
    gauge.add(first)
    gauge.reset()
    gauge.add(second)
    return gauge.peak == min(max(first, second), LIMIT)


def resetting(first: int, second: int) -> bool:
    gauge = Gauge()
    gauge.add(first)
    gauge.add(second)
    gauge.reset()
    return gauge.value == 0


checked = failed = 0
for law in (adding, peaking, resetting):
    results = [law(*pair) for pair in product(READINGS, repeat=2)]
    checked += len(results)
    failed += results.count(False)
    print(f"{law.__name__}: {results.count(True)} of {len(results)} pairs")
print(f"{checked - failed} checks passed, {failed} failed")
raise SystemExit(failed > 0)
