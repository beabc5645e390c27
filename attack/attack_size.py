"""Documents of very many citations, and markup made to be slow or large: cost per citation stays flat.

Each attempt writes one document of a random form at two sizes and runs a command over both. It holds where ten times
the citations take no more than eleven times the CPU (the better of two tries, since a busy machine may disturb one) and
where memory grows with the bytes of the document alone, not with what is found in it. The full form also has documents
near the largest size that is read.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from campaign import SOURCE, Attempt

TIMES, MOST = 10, 11.0
MEGABYTES = 400
_PER_BYTE, _ALLOWANCE = 16, 28
"""Bytes of memory for each byte of the document, and megabytes whatever its size."""
_LARGE = 24_000_000
_CODE = "".join(f"def name_{number}():\n    return {number}\n" for number in range(400))
CITATIONS = (
    "src/code.py:{line}",
    "[words](../src/code.py#L{line})",
    "【F:src/code.py†L{line}】",
    "[cite:file](src/code.py:{line})",
    "src/code.py::name_{line}",
    "[guide.md, §Part {line}]",
    "src/gone_{line}.py#L1",
    "[words](gone_{line}.py#L{line})",
    "【F:src/code.py†Lx{line}】",
    "【F:src/code.py†L9-L{line}】",
    'It says "these are the words {line} of it" [REF-0{pair}, p. {line}].',
    "`src/code.py:{line}`",
    "src/code.py:{line} <!-- pincite: ignore all for now -->",
    "[^{line}]: src/code.py#L{line}",
)
JOINTS = (
    " ",
    "\n",
    "\n\n",
    "\n- ",
    "\n> ",
    "\n| a | ",
    "\r\n",
    ", ",
    "\n> > 1. ",
    "\n```\nx\n```\n",
    " `a` ",
    " <!-- b --> ",
)
COMMANDS = (
    ("check", "--no-cache"),
    ("check", "--no-cache", "--format", "json"),
    ("check", "--no-cache", "--format", "sarif"),
    ("check", "--no-cache", "--format", "junit"),
    ("check", "--no-cache", "--format", "markdown"),
    ("check", "--no-cache", "--format", "github"),
    ("check",),
    ("list", "--no-cache"),
)
HOSTILE = (
    "`a` ",
    "`a`` ",
    "```\n```\n",
    "> ```\n",
    "\n",
    "[",
    "[a](b#L1",
    "【F:a",
    "a.c:1 ",
    "\\`",
    "<!-- ",
    ":1",
    "- [",
    '"a ',
)


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """Every try."""
    for number in range(3 if brief else 16):
        base = random.choice((700, 999, 5000))
        citation, joint = random.choice(CITATIONS), random.choice(JOINTS)
        command = COMMANDS[number % len(COMMANDS)]
        name = f"{command} of {citation!r} joined by {joint!r}, lines up to {base}"
        small = 1500 if brief else 3000
        yield from _grow(random, scratch, (citation, joint, base), command, small, name)
    for piece in random.sample(HOSTILE, 1 if brief else 4):
        yield _bound(scratch, piece, 2_000_000 if brief else _LARGE)


def _grow(
    random: Random, scratch: Path, form: tuple[str, str, int], command: tuple[str, ...], small: int, name: str
) -> Iterator[Attempt]:
    seed = random.random()
    best, ratio, detail, grown, allowed = 1e9, 1e9, "", 0.0, 1.0
    for _ in range(2):
        costs = []
        for size in (small, small * TIMES):
            text = _document(Random(seed), *form, size)
            costs.append((*_run(scratch, text, *command), len(text.encode()) / 1e6))
        (cpu, megabytes, code, short), (more, largest, last, long) = costs
        ratio = more / cpu
        if ratio < best:
            best = ratio
            detail = f"{cpu:.2f} s and {more:.2f} s, {megabytes:.0f} MB and {largest:.0f} MB, exit {code} and {last}"
            grown, allowed = largest - megabytes, (long - short) * _PER_BYTE + _ALLOWANCE
        if best <= MOST:
            break
    yield Attempt("time grows with citations", name, best <= MOST and min(code, last) >= 0, detail)
    yield Attempt("memory grows with bytes", name, grown <= allowed, detail)


def _bound(scratch: Path, piece: str, size: int) -> Attempt:
    text = piece * (size // len(piece.encode())) + "\n\nsee a.c:1 and a.c:99, [a.md, §x]\n"
    cpu, megabytes, code = _run(scratch, text, "check", "--no-cache", seconds=600)
    held = megabytes <= MEGABYTES and code == 1
    return Attempt(
        "large documents", f"{piece!r} up to {size:,} bytes", held, f"{cpu:.1f} s, {megabytes:.0f} MB, exit {code}"
    )


def _document(random: Random, citation: str, joint: str, base: int, number: int) -> str:
    rows = (citation.format(line=random.randint(1, base), pair=random.randint(10, 99)) for _ in range(number))
    return joint.join(rows) + "\n"


def _run(scratch: Path, text: str, *command: str, seconds: int = 300) -> tuple[float, float, int]:
    """CPU seconds, megabytes and exit code of one command over one document; -1 where it was killed."""
    top = scratch / "tree"
    shutil.rmtree(top, ignore_errors=True)
    (top / "docs").mkdir(parents=True)
    (top / "src").mkdir()
    (top / "src" / "code.py").write_text(_CODE)
    (top / "a.c").write_text("x\n")
    (top / "docs" / "guide.md").write_text("".join(f"# Part {number}\n\nText.\n\n" for number in range(300)))
    (top / "docs" / "doc.md").write_text(text, newline="")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PINCITE_CACHE": str(scratch / "cache"), "NO_COLOR": "1"}
    # A process in between: the largest resident set of a child begins with that of its parent, and this one is large.
    code = (
        "import os, sys\npid = os.fork()\nif not pid:\n"
        "    os.execv(sys.executable, [sys.executable, '-m', 'pincite', *sys.argv[1:]])\n"
        "_, status, used = os.wait4(pid, 0)\n"
        "code = os.waitstatus_to_exitcode(status)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, code, file=sys.stderr)"
    )
    limits = (seconds, seconds)
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, *command, "--root", "."],
        cwd=top,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limits),
        check=False,
    )
    cpu, megabytes, status = done.stderr.decode().splitlines()[-1].split()
    return float(cpu), float(megabytes), int(status)
