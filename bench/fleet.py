"""What a fleet costs: many repositories, verdicts and web sources, and what follows from it for ten times as many.

    python bench/fleet.py [--quick] [--only repositories|store|sources]

Runs the three programs beside it one after the other, prints their tables, then the model of cost, and as its last line
one JSON object with all figures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PARTS = {
    "repositories": ("fleet_repositories.py", (), ("--repositories", "40", "--sample", "8")),
    "store": ("fleet_store.py", ("--rows", "10000000"), ("--rows", "300000")),
    "sources": ("fleet_sources.py", (), ("--quick",)),
}
_CITATIONS = 10_000_000
_SOURCES = 1_000_000
_HOUR = 3600


def measure_part(name: str, quick: bool) -> dict[str, Any]:
    """The figures of one part; its table is printed."""
    program, whole, less = PARTS[name]
    print(f"## {name}\n", flush=True)
    done = subprocess.run(
        [sys.executable, str(HERE / program), *(less if quick else whole)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    table, _, last = done.stdout.rstrip("\n").rpartition("\n")
    print(table, flush=True)
    try:
        found: dict[str, Any] = json.loads(last)
    except ValueError:
        raise SystemExit(f"{program} ended with {done.returncode}: {done.stdout[-2000:]}") from None
    return found


def figure(parts: dict[str, Any], part: str, what: str) -> float | None:
    """The first figure with these words in its name; None where that part was not measured."""
    rows = parts.get(part, {}).get("figures", ())
    return next((row["value"] for row in rows if what in row["what"]), None)


def is_missed(row: dict[str, Any]) -> bool:
    """Whether a figure has a bar and does not keep it."""
    bar = row.get("bar")
    return bar is not None and (row["value"] < bar if row.get("least") else row["value"] > bar)


def estimate(parts: dict[str, Any]) -> dict[str, float]:
    """What ten million citations and a million sources cost, from what was measured."""
    found: dict[str, float] = {}
    cpu = figure(parts, "repositories", "two workers, CPU of a repository")
    citations, number = (figure(parts, "repositories", what) for what in ("citations in all", "repositories checked"))
    if cpu and citations and number:
        found["first check of 10 M citations, core hours"] = cpu / 1000 * number / citations * _CITATIONS / _HOUR
        again = figure(parts, "repositories", "second run")
        if again:
            found["each further day with 1 % changed, core hours"] = (
                found["first check of 10 M citations, core hours"] * again / 100
            )
    size = figure(parts, "store", ": bytes a row")
    if size:
        found["10 M verdicts on disk, GB"] = size * _CITATIONS / 1e9
    pages = figure(parts, "sources", "CPU a page")
    if pages:
        found["1 M sources once, core hours"] = pages / 1000 * _SOURCES / _HOUR
    found["50,000 pages of one host at one a second, hours"] = 50_000 / _HOUR
    return found


def main() -> int:
    """Measure everything; 1 while a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=PARTS, action="append")
    options = parser.parse_args()
    parts = {name: measure_part(name, options.quick) for name in options.only or PARTS}
    print("\n## model\n\n| what | estimate |\n| --- | ---: |")
    model = estimate(parts)
    for what, value in model.items():
        print(f"| {what} | {value:.2f} |")
    print(json.dumps({"parts": parts, "model": model}))
    rows = [row for part in parts.values() for row in part.get("figures", ())]
    return int(any(map(is_missed, rows)))


if __name__ == "__main__":
    sys.exit(main())
