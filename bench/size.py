"""What citations cost as they become more: CPU for n and ten times n, and the most memory, by form and command.

python bench/size.py                 20,000 and 200,000 citations
python bench/size.py --size 100000   100,000 and 1,000,000
python bench/size.py --only one-line

The last line is one JSON object. The exit code is 1 while a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable

from measure import pincite, run

TIMES, MOST, MEGABYTES = 10, 11.0, 400
_CODE = "".join(f"def name_{number}():\n    return {number}\n" for number in range(500))


def _joined(form: str, joint: str, first: int = 1) -> Callable[[int], str]:
    """A document of citations of one form; `first` is the first line that is cited."""
    return lambda n: joint.join(form.format(line=first + number % 999, number=number) for number in range(n)) + "\n"


SHAPES: dict[str, Callable[[int], str]] = {
    "one-line": _joined("src/code.py:{line}", " "),
    "one-line-broken": _joined("src/code.py:{line}", " ", 2001),
    "many-lines": _joined("See src/code.py:{line} there.", "\n"),
    "links": _joined("[words](../src/code.py#L{line})", "\n"),
    "missing-files": _joined("[words](gone_{number}.py#L1)", "\n"),
    "brackets": _joined("It is so. 【F:src/code.py†L{line}】", " "),
    "malformed": _joined("【F:src/code.py†Lx{number}】", " "),
    "ignored": _joined("src/code.py:{line} <!-- pincite: ignore all for now -->", "\n", 2001),
    "table": _joined("| `code` | src/code.py:{line} |", "\n"),
    "quotes": _joined('It says "these are the words {number} of it" [REF-010, p. {line}].', "\n"),
    "fences": _joined("```\nx\n```\nsrc/code.py:{line}", "\n"),
    "code-spans": _joined("`src/code.py:{line}` and ``more``", " "),
}
COMMANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "check": ("", ("check", "--no-cache")),
    "check, first run with a cache": ("", ("check",)),
    "check --format json": ("", ("check", "--no-cache", "--format", "json")),
    "check --format sarif": ("", ("check", "--no-cache", "--format", "sarif")),
    "check --format junit": ("", ("check", "--no-cache", "--format", "junit")),
    "check, in git, all lines moved": ("moved", ("check", "--no-cache")),
    "fix, in git, all lines moved": ("moved", ("fix", "--no-cache")),
}
ALL_SHAPES = "check"
"""The command that every form is measured with; the others are measured with the first two."""
_SLOW = ("moved",)
"""What takes most time for each citation is measured with a tenth of them."""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure what citations cost as they become more")
    parser.add_argument("--size", type=int, default=20_000, help="citations of the smaller document")
    parser.add_argument("--only", default="", help="forms and commands whose names hold this")
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    print(f"{'form':18} {'command':34} {'n':>9} {'CPU n':>8} {'CPU 10n':>8} {'ratio':>6} {'MB':>6}")
    for command, (history, arguments) in COMMANDS.items():
        for shape in SHAPES if command == ALL_SHAPES else list(SHAPES)[:2]:
            if options.only and options.only not in f"{shape} {command}":
                continue
            size = options.size // 10 if history in _SLOW else options.size
            costs = [_cost(SHAPES[shape](number), history, arguments) for number in (size, size * TIMES)]
            (cpu, small), (more, large) = costs
            rows.append(
                {
                    "form": shape,
                    "command": command,
                    "citations": size,
                    "cpu": [round(cpu, 2), round(more, 2)],
                    "ratio": round(more / cpu, 2),
                    "megabytes": round(max(small, large)),
                }
            )
            figures = f"{cpu:>8.2f} {more:>8.2f} {more / cpu:>6.1f} {max(small, large):>6.0f}"
            print(f"{shape:18} {command:34} {size:>9,} {figures}", flush=True)
    met = all(float(str(row["ratio"])) <= MOST and int(str(row["megabytes"])) <= MEGABYTES for row in rows)
    print(json.dumps({"bars": {"ratio": MOST, "megabytes": MEGABYTES}, "met": met, "rows": rows}))
    return 0 if met else 1


def _cost(text: str, history: str, arguments: tuple[str, ...]) -> tuple[float, float]:
    """CPU and megabytes of a command over a tree with one document."""
    top = tempfile.mkdtemp(prefix="pincite-size-")
    try:
        for path, content in (("src/code.py", _CODE), ("docs/doc.md", text)):
            os.makedirs(os.path.dirname(f"{top}/{path}"), exist_ok=True)
            with open(f"{top}/{path}", "w", encoding="utf-8", newline="") as file:
                file.write(content)
        if history:
            _commit(top, "init", "-q")
            _commit(top, "add", "-A")
            _commit(top, "commit", "-qm", "first")
            with open(f"{top}/src/code.py", "w", encoding="utf-8") as file:
                file.write(f"# One line more.\n{_CODE}")
            _commit(top, "commit", "-qam", "second")
        cost = run(pincite(*arguments, "--root", "."), top)
        return cost.cpu, cost.megabytes
    finally:
        shutil.rmtree(top)


def _commit(top: str, *arguments: str) -> None:
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0")
    subprocess.run(("git", *identity, *arguments), cwd=top, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    raise SystemExit(main())
