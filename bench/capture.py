"""Measure what it costs to capture output, against `tee`, and to find it again; prints a table.

    python bench/capture.py [--quick] [--times N] [--folder DIR]

Ratios are of time that passes, medians of runs that take turns, with everything written to disk before each. The last
line is one JSON object with the same figures. Everything is made in a temporary folder and removed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from figures import Figure
from measure import PYTHON, Contest, Cost, pincite, run

from run import table

BAR = 1.5
_FLAT = 1.25
_EACH = "import os\nfor n in range({}): os.write(1, b'%012d a line that is written by itself\\n' % n)"


def main() -> int:
    """Measure everything; 1 if a bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the output, for a first impression")
    parser.add_argument("--times", type=int, default=5, help="runs of each command (5)")
    parser.add_argument("--folder", help="where to work (default: the system's temporary folder)")
    options = parser.parse_args()
    megabytes = 100 if options.quick else 1000
    figures: list[Figure] = []
    for part in (passing, memory, finding):
        sys.stderr.write(f"{part.__name__} …\n")
        with tempfile.TemporaryDirectory(prefix="pincite-bench-", dir=options.folder) as folder:
            figures.extend(part(os.path.realpath(folder), options.times, megabytes))
    print(table(figures))
    rows = {
        figure.what: {"value": round(figure.value, 3), "unit": figure.unit, "bar": figure.bar, "met": figure.met}
        for figure in figures
    }
    print(json.dumps(rows, ensure_ascii=False))
    return int(any(figure.met is False for figure in figures))


def passing(folder: str, times: int, megabytes: int) -> Iterator[Figure]:
    """How much longer a command takes when its output is captured."""
    log = os.path.join(folder, "log")
    write_log(log, megabytes)
    size = f"{megabytes / 1000:g} GB"
    contest = Contest(folder, times)
    sources = {
        "cat": ("cat", log),
        "seq": ("seq", str(megabytes * 110_000)),
        "each": (PYTHON, "-c", _EACH.format(megabytes * 1000)),
    }
    for name, words in sources.items():
        add(contest, f"{name}: tee", f"{shlex.join(words)} | tee copy")
        add(contest, f"{name}: masked", shlex.join(pincite("run", "-q", "--", *words)))
        add(contest, f"{name}: as it is", shlex.join(pincite("run", "-q", "--no-mask", "--", *words)))
    add(contest, "pipe: tee", f"cat {shlex.quote(log)} | tee copy | cat")
    add(contest, "pipe: masked", f"{shlex.join(pincite('run', '-q', '--', 'cat', log))} | cat")
    add(contest, "pipe: as it is", f"{shlex.join(pincite('run', '-q', '--no-mask', '--', 'cat', log))} | cat")
    cost = contest.medians((0,))
    # Of little output, the start is the most.
    bar = BAR if megabytes >= 1000 else None
    for name, what in (
        ("cat", f"{size} of lines"),
        ("pipe", f"{size} of lines, standard output a pipe"),
        ("seq", f"{size} from `seq`"),
        ("each", f"{megabytes * 1000:,} lines, each written by itself"),
    ):
        tee = cost[f"{name}: tee"]
        for way in ("masked", "as it is"):
            mine = cost[f"{name}: {way}"]
            yield Figure(f"{what}, {way}: to `tee`", mine.seconds / tee.seconds, "×", bar)
            yield Figure(f"{what}, {way}: CPU to `tee`", mine.cpu / tee.cpu, "×")
        yield Figure(f"{what}: `tee`", tee.seconds, "s")


def add(contest: Contest, name: str, command: str) -> None:
    """Enter a shell command whose output goes nowhere and whose files are removed, and written, before each turn."""

    def clear() -> None:
        shutil.rmtree(os.path.join(contest.cwd, ".pincite"), ignore_errors=True)
        if os.path.exists(os.path.join(contest.cwd, "copy")):
            os.unlink(os.path.join(contest.cwd, "copy"))
        os.sync()

    contest.add(name, ("sh", "-c", f"{command} > /dev/null"), clear)


def memory(folder: str, times: int, megabytes: int) -> Iterator[Figure]:
    """What a capture holds in memory, and that it does not grow with the output."""
    log = os.path.join(folder, "log")
    for way, options in (("masked", ()), ("as it is", ("--no-mask",))):
        peaks = []
        for size in (megabytes // 10, megabytes):
            write_log(log, size)
            cost = run(pincite("run", "-q", *options, "--", "cat", log), folder)
            peaks.append(cost.megabytes)
            shutil.rmtree(os.path.join(folder, ".pincite"))
        yield Figure(f"memory at {megabytes / 1000:g} GB, {way}", peaks[1], "MB")
        growth = peaks[1] / peaks[0]
        bar = _FLAT if megabytes >= 1000 else None
        yield Figure(f"memory at {megabytes / 1000:g} GB, {way}: to that at a tenth", growth, "×", bar)


def finding(folder: str, times: int, megabytes: int) -> Iterator[Figure]:
    """What it costs to begin, and to find a chunk among many."""
    few, many = os.path.join(folder, "few"), os.path.join(folder, "many")
    for top, lines in ((few, 10), (many, 30 * 32_768)):
        os.mkdir(top)
        write(os.path.join(top, "pincite.toml"), "[capture]\nchunk-kilobytes = 1\n")
        script = f"for n in range({lines}): print(f'{{n:031d}}')"
        words = [*pincite("run", "--cite", "^0*7$", "--", PYTHON, "-c", script)]
        done = subprocess.run(words, cwd=top, capture_output=True, text=True, check=True)
        citation = re.findall("【.*?】", done.stderr)[0]
        write(os.path.join(top, "notes.md"), f"It was 7. {citation}\n")
    contest = Contest(folder, max(times, 9))
    contest.add("help", pincite("--help"))
    contest.add("run", pincite("run", "-q", "--root", few, "--", "true"))
    for name, top in (("few", few), ("many", many)):
        cited = re.findall("【(.*?)†", open(os.path.join(top, "notes.md"), encoding="utf-8").read())[0]
        contest.add(f"show {name}", pincite("show", "--root", top, cited))
        contest.add(f"check {name}", pincite("check", "--no-cache", "--root", top, top))
    cost = contest.medians((0,))
    yield Figure("`run -- true`, above `--help`", 1000 * (cost["run"].cpu - cost["help"].cpu), "ms")
    for verb in ("show", "check"):
        one, other = cost[f"{verb} many"], cost[f"{verb} few"]
        yield Figure(f"`{verb}` of a citation among 30,000 chunks: to one among few", ratio(one, other), "×", _FLAT)


def ratio(one: Cost, other: Cost) -> float:
    """How much more CPU one thing takes than the other."""
    return one.cpu / other.cpu


def write(path: str, text: str) -> None:
    """Put a text into a file."""
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def write_log(path: str, megabytes: int) -> None:
    """Make a log of plain lines, no two alike."""
    row = b"%012d test_module_%08x::test_case PASSED in %d ms\n"
    with open(path, "wb") as stream:
        number, left = 0, megabytes * 1_000_000
        while left > 0:
            block = b"".join([row % (n, n * 2654435761 % 2**32, n % 977) for n in range(number, number + 20_000)])
            stream.write(block[:left])
            left -= len(block)
            number += 20_000


if __name__ == "__main__":
    sys.exit(main())
