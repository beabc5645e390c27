"""Measure pincite against the least that the machine could do, and print a table.

    python bench/run.py [--quick] [--only CASE] [--imports] [--folder DIR]

Figures are CPU (user and system, children included): medians of runs that take turns, ratios within one run of this
program. The last line is one JSON object with the same figures. Trees are made in a temporary folder and removed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cases import CASES
from figures import Figure, Setting
from measure import PYTHON, SOURCE


def main() -> int:
    """Run the chosen cases; 1 if a bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small trees, for a first impression")
    parser.add_argument("--only", action="append", choices=tuple(CASES), help="this case (repeatable)")
    parser.add_argument("--times", type=int, help="runs of each command (3 with --quick, else 5)")
    parser.add_argument("--folder", help="where to make the trees (default: the system's temporary folder)")
    parser.add_argument("--imports", action="store_true", help="print what is slowest to import, and nothing else")
    options = parser.parse_args()
    if options.imports:
        return imports()
    figures: list[Figure] = []
    for name in options.only or CASES:
        sys.stderr.write(f"{name} …\n")
        with tempfile.TemporaryDirectory(prefix="pincite-bench-", dir=options.folder) as folder:
            setting = Setting(os.path.realpath(folder), options.times or (3 if options.quick else 5), options.quick)
            figures.extend(CASES[name](setting))
    print(table(figures))
    print(
        json.dumps(
            {
                figure.what: {
                    "value": round(figure.value, 3),
                    "unit": figure.unit,
                    "bar": figure.bar,
                    "met": figure.met,
                }
                for figure in figures
            },
            ensure_ascii=False,
        )
    )
    return int(any(figure.met is False for figure in figures))


def table(figures: list[Figure]) -> str:
    """The figures as a markdown table."""
    rows = [("what", "figure", "bar", "met?"), ("---", "---:", "---:", "---")]
    for figure in figures:
        bar = "" if figure.bar is None else f"{'≥' if figure.least else '≤'} {figure.bar:,g} {figure.unit}"
        met = {True: "yes", False: "no", None: ""}[figure.met]
        rows.append((figure.what, f"{figure.value:,.{0 if figure.value >= 50 else 2}f} {figure.unit}", bar, met))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |" for row in rows
    )


def imports() -> int:
    """Print the ten slowest imports of a check, by their own time."""
    with tempfile.TemporaryDirectory() as folder:
        command = [PYTHON, "-X", "importtime", "-m", "pincite", "check", "--no-cache"]
        done = subprocess.run(
            command, cwd=folder, env=os.environ | {"PYTHONPATH": SOURCE}, capture_output=True, text=True, check=False
        )
    rows = [line.split("|") for line in done.stderr.splitlines() if line.startswith("import time:")]
    timed = [
        (int(own.removeprefix("import time:")), int(whole), name.strip())
        for own, whole, name in rows
        if own.strip()[-1].isdigit()
    ]
    print("own µs  with what it imports  module")
    for own, whole, name in sorted(timed, reverse=True)[:10]:
        print(f"{own:6}  {whole:21}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
