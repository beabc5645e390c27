"""Runs the attack campaigns and says how many attempts succeeded.

python attack/run.py                          every campaign
python attack/run.py --brief                  the short form that every change has to pass
python attack/run.py --campaign cache --seed 7

A campaign is a file `attack_NAME.py` with a function `attempts(random, scratch, brief)` that yields `Attempt`s. The
first line of its docstring says what it tries. `ALLOWED` (optional) maps a kind to the share that may succeed.
The last line printed is the table as one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from random import Random
from time import monotonic

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src"
_SHOWN = 5
"""How many successes of a kind are shown in full."""
_PATIENCE = 900
"""Seconds after which a campaign counts as hanging."""


def campaigns() -> list[str]:
    """The names of all campaigns."""
    return sorted(path.stem.removeprefix("attack_") for path in HERE.glob("attack_*.py"))


def run_here(name: str, seed: int, brief: bool) -> None:
    """One campaign in this process; its tally as JSON on standard output."""
    sys.path[:0] = [str(HERE), str(SOURCE)]
    module = import_module(f"attack_{name}")
    allowed = getattr(module, "ALLOWED", {})
    rows: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory(prefix="pincite-attack-") as scratch:
        for attempt in module.attempts(Random(f"{name} {seed}"), Path(scratch), brief):
            row = rows.setdefault(
                attempt.kind, {"attempts": 0, "successes": 0, "allowed": allowed.get(attempt.kind, 0.0), "shown": []}
            )
            row["attempts"] += 1  # type: ignore[operator]
            if not attempt.held:
                row["successes"] += 1  # type: ignore[operator]
                if len(row["shown"]) < _SHOWN:  # type: ignore[arg-type]
                    row["shown"].append(f"{attempt.name}: {attempt.detail}"[:500])  # type: ignore[attr-defined]
    print(json.dumps({"about": (module.__doc__ or "").partition("\n")[0], "kinds": rows}))


def run_apart(name: str, seed: int, brief: bool) -> dict[str, object]:
    """One campaign in a process of its own: one that dies or hangs is a success for the attacker."""
    command = [sys.executable, str(HERE / "run.py"), "--campaign", name, "--seed", str(seed), "--here"]
    try:
        done = subprocess.run(
            [*command, *(["--brief"] if brief else [])],
            env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
        )
        if done.returncode == 0:
            return json.loads(done.stdout.splitlines()[-1])
        trouble = done.stderr[-2000:] or f"exit {done.returncode}"
    except subprocess.TimeoutExpired:
        trouble = f"still running after {_PATIENCE} s"
    died = {"attempts": 1, "successes": 1, "allowed": 0.0, "shown": [trouble]}
    return {"about": "the campaign itself broke", "kinds": {"campaign": died}}


def main() -> int:
    """Run the chosen campaigns; 0 where no more attempts succeeded than may."""
    parser = argparse.ArgumentParser(description="Attack pincite")
    parser.add_argument("--campaign", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--brief", action="store_true", help="the short form")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    known = campaigns()
    unknown = [name for name in options.campaign if name not in known]
    if unknown:
        print(f"no such campaign: {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    if options.here:
        run_here(options.campaign[0], options.seed, options.brief)
        return 0
    table: dict[str, object] = {}
    broken: list[str] = []
    print(f"{'campaign':14} {'kind':34} {'attempts':>9} {'successes':>9} {'allowed':>8} {'seconds':>8}")
    for name in options.campaign or known:
        started = monotonic()
        result = run_apart(name, options.seed, options.brief)
        seconds = monotonic() - started
        kinds: dict[str, dict[str, object]] = result["kinds"]  # type: ignore[assignment]
        if not kinds:
            broken.append(f"{name}: tried nothing")
        for kind, row in kinds.items():
            tried, through, allowed = int(row["attempts"]), int(row["successes"]), float(row["allowed"])  # type: ignore[call-overload, arg-type]
            print(f"{name:14} {kind:34} {tried:>9,} {through:>9,} {allowed:>8.1%} {seconds:>8.1f}", flush=True)
            if through > allowed * tried:
                broken += [f"{name}, {kind}: {line}" for line in row["shown"]]  # type: ignore[attr-defined]
        table[name] = {
            "seconds": round(seconds, 1),
            **{kind: [row["attempts"], row["successes"]] for kind, row in kinds.items()},
        }
    for line in broken:
        print(f"NOT HELD  {line}")
    print(json.dumps({"seed": options.seed, "brief": options.brief, "held": not broken, "campaigns": table}))
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
