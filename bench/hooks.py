"""Measure what a call of a hook costs, against an interpreter that does nothing; prints a table.

    python bench/hooks.py [--times N] [--repository DIR]

Each call is a process of its own, as clients start it, in a repository whose answers are warm. Figures are medians of
runs that take turns. Exit code 1 if a call took longer than 300 ms and more than ten bare interpreters.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from measure import PYTHON, SOURCE, Contest, Cost, pincite, run

BAR_SECONDS = 0.3
BAR_TIMES = 10
"""A busy machine makes everything slow; the ratio does not change by it."""
BARE = "a bare interpreter"
UNBOUND = ("the last message and new citations",)
"""It compares all documents with the last commit; no client is set up to ask for it."""
LIMIT = "The gauge never exceeds its limit. 【F:{path}†L1】"


def main() -> int:
    """Measure everything; 1 if the bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=9, help="runs of each call (9)")
    parser.add_argument("--repository", default=os.path.dirname(SOURCE), help="where to work (default: this one)")
    options = parser.parse_args()
    top = os.path.abspath(options.repository)
    listed = subprocess.run(["git", "ls-files", "*.py", "*.md"], cwd=top, capture_output=True, text=True, check=True)
    files = listed.stdout.splitlines()
    if not files:
        raise SystemExit(f"{top}: git knows no files there")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PINCITE_CACHE"] = os.path.join(folder, "cache")
        run(pincite("check"), top)
        contest = Contest(top, options.times)
        contest.add(BARE, (PYTHON, "-c", ""))
        for name, said, words in _calls(top, files[0]):
            path = os.path.join(folder, name.replace(" ", "-"))
            with open(path, "w", encoding="utf-8") as file:
                json.dump(said, file)
            command = pincite("hook", "claude", *words)
            run(command, top, stdin=path)
            contest.add(name, command, stdin=path)
        costs = contest.medians((0, 2))
    return _report(costs)


def _calls(top: str, cited: str) -> list[tuple[str, dict[str, object], tuple[str, ...]]]:
    base: dict[str, object] = {"cwd": top, "session_id": "bench"}
    good = LIMIT.format(path=cited)

    def write(path: str, content: str) -> dict[str, object]:
        given = {"file_path": os.path.join(top, path), "content": content}
        return base | {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": given}

    def stop(message: str) -> dict[str, object]:
        return base | {"hook_event_name": "Stop", "last_assistant_message": message}

    bash = base | {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "make test"}}
    return [
        ("a shell command that writes nothing", bash, ()),
        ("a file that is no document", write("src/made.bin", "x"), ()),
        ("a document that cites", write("docs/made.md", f"{good}\n"), ()),
        ("a document with a dead citation", write("docs/made.md", "See 【F:src/no-such-file.py†L4】.\n"), ()),
        ("the last message", stop(f"It is done. {good}"), ()),
        ("the last message with a claim", stop("It is done, and all tests pass."), ()),
        ("the last message and new citations", stop(f"It is done. {good}"), ("--changed",)),
        ("the start of a session", base | {"hook_event_name": "SessionStart"}, ()),
    ]


def _report(costs: Mapping[str, Cost]) -> int:
    bare = costs[BARE]
    print(
        "| call | CPU | of a bare interpreter | time that passes | of a bare interpreter |\n|---|---:|---:|---:|---:|"
    )
    slow = []
    for name, cost in costs.items():
        cpu, wall = cost.cpu / bare.cpu, cost.seconds / bare.seconds
        print(f"| {name} | {cost.cpu * 1000:.0f} ms | {cpu:.1f} | {cost.seconds * 1000:.0f} ms | {wall:.1f} |")
        if cost.seconds > BAR_SECONDS and cpu > BAR_TIMES and name not in UNBOUND:
            slow.append(name)
    for name in slow:
        print(f"too slow: {name}", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
