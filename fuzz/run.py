"""Runs the fuzz targets for a given time in all and says what each one did.

python fuzz/run.py --seconds 60
python fuzz/run.py --seconds 600 --target frontmatter --target dialect:bracket
python fuzz/fuzz_frontmatter.py --replay fuzz/crashes/frontmatter-…
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(os.path.dirname(HERE), "src")
_RUNS = re.compile(r"number_of_executed_units:\s*(\d+)")


def targets() -> dict[str, list[str]]:
    """Name to command: one per fuzz_*.py, and one per dialect that pincite knows."""
    found: dict[str, list[str]] = {}
    for file in sorted(os.listdir(HERE)):
        if file.startswith("fuzz_") and file.endswith(".py") and file != "fuzz_dialect.py":
            found[file[5:-3]] = [os.path.join(HERE, file)]
    if SOURCE not in sys.path:
        sys.path.insert(0, SOURCE)
    from pincite.dialects import dialects

    for dialect in dialects():
        found[f"dialect:{dialect.NAME}"] = [os.path.join(HERE, "fuzz_dialect.py"), "--dialect", dialect.NAME]
    return found


def run(name: str, command: list[str], seconds: float, engine: str) -> tuple[bool, str]:
    """One target for `seconds`; whether its law held, and a line or an account of what broke."""
    environment = dict(os.environ, PYTHONPATH=SOURCE, PYTHONHASHSEED="0")
    words = [sys.executable, *command, "--seconds", str(seconds), "--engine", engine]
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(words, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            # Starting up, loading the corpus and one last slow input come on top of the time asked for.
            status: int | str = child.wait(timeout=seconds * 2 + 120)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            status = "hangs"
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    runs = _RUNS.search(text)
    if status == 0 and runs and int(runs[1]) > 0:
        return True, f"{name:24} {int(runs[1]):>9} inputs  holds"
    return False, f"{name:24} BROKEN ({status if status else 'no input was tried'})\n{text[-6000:]}"


def main() -> int:
    """Run the chosen targets, two at a time; 0 when every law held."""
    parser = argparse.ArgumentParser(description="Fuzz pincite's parsers")
    parser.add_argument("--seconds", type=float, default=60.0, help="wall-clock time for all targets together")
    parser.add_argument("--target", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--engine", choices=["atheris", "hypothesis"])
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--list", action="store_true", help="list the targets and stop")
    options = parser.parse_args()
    known = targets()
    if options.list:
        print("\n".join(known))
        return 0
    unknown = [name for name in options.target if name not in known]
    if unknown:
        print(f"no such target: {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    engine = options.engine or ("atheris" if find_spec("atheris") else "hypothesis")
    if engine == "hypothesis" and not options.engine:
        print("atheris is not installed for this Python: using hypothesis, which finds less.", file=sys.stderr)
    chosen = {name: known[name] for name in options.target or known}
    share = options.seconds * min(options.jobs, len(chosen)) / len(chosen)
    print(f"{len(chosen)} targets, {share:.1f} s each, engine {engine}", flush=True)
    held = True
    with ThreadPoolExecutor(options.jobs) as pool:
        for fine, account in pool.map(lambda item: run(item[0], item[1], share, engine), chosen.items()):
            print(account, flush=True)
            held = held and fine
    print("every law held" if held else "a law is broken: see above")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
