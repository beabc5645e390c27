"""Kill recorders at random moments, and see that what was acknowledged stays.

    python tests/domains/capture/crash.py [--kills 200] [--parallel 50] [--seed N] [--folder DIR]

Each trial captures a program that prints numbered lines, and kills pincite with SIGKILL: alone, with its whole process
group, while old runs are being dropped and output files rewritten, or that tidying itself. Afterwards every chunk whose
digest arrived on `--report-fd` must be there with its digest, the run's chunks together must be a beginning of what was
printed, the database must be sound, and the next capture must work. Exit code 1 where anything was lost.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from time import sleep

from pincite.safe.files import Root
from pincite.store.captures import CapturedRun, Captures
from pincite.store.maintenance import Upkeep

SOURCE = Path(__file__).resolve().parents[3] / "src"
PINCITE = (sys.executable, "-m", "pincite")
# The same with many more moments at which something is stored.
EAGER = (
    sys.executable,
    "-c",
    "from pincite.domains.capture import recorder as r, writer as w; "
    "w._BATCH, r._QUIET = w._BATCH >> 6, r._QUIET / 25; "
    "from pincite.doors.cli.main import main; main()",
)
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE), "NO_COLOR": "1"}
WAYS = ("alone", "group", "beside tidying", "tidying")
BLOCKS = 5_000
DAY = 86_400
OLD = 1_000_000.0
"""When runs began that may be dropped: long ago."""
PATIENCE = 60.0
# Prints a file in pieces of changing size; the pauses let the recorder write down lines that fill no chunk yet.
PRINTER = """
import os, random, sys, time
data = memoryview(open(sys.argv[1], "rb").read())
chance = random.Random(sys.argv[2])
while data:
    written = os.write(1, data[: chance.choice((7, 700, 7_000, 70_000, 300_000))])
    data = data[written:]
    if chance.random() < 0.1:
        time.sleep(chance.choice((0.001, 0.03)))
"""
# Drops what is old and rewrites the files around it, over and over.
TIDY = """
import sys, time
from pincite.safe.files import Root
from pincite.store.database import DatabaseLocked
from pincite.store.maintenance import Upkeep
while True:
    time.sleep(0.1)
    with Root(sys.argv[1]) as root, Upkeep.open(root, write=True) as captures:
        try:
            captures.recover()
            old = [run.id for run in captures.runs() if run.started <= float(sys.argv[2])]
            captures.forget([], old[:1])
            for run in old[1:]:
                captures.forget([(run, chunk.sequence) for chunk in captures.chunks(run)[::2]])
            captures.sweep()
        except DatabaseLocked:
            continue
"""


class Lost(Exception):
    """Something did not survive."""


def demand(condition: object, what: str) -> None:
    """Raise Lost where a condition does not hold."""
    if not condition:
        raise Lost(what)


@contextmanager
def opened(folder: str) -> Iterator[Upkeep]:
    """The store below a folder, with what killed recorders left behind made part of it."""
    with Root(folder) as root:
        captures = Upkeep.open(root, write=True)
        demand(captures is not None, "there is no store")
        assert captures is not None
        with captures:
            captures.recover()
            yield captures


def printed(trial: int) -> bytes:
    """What the program of a trial prints: blocks of 1 KiB, a third of them the same in every trial."""
    blocks = []
    for number in range(BLOCKS):
        whose = "everyone" if number // 20 % 3 == 1 else f"trial {trial}"
        first = f"block {number:08d} of {whose} ".ljust(63, ".") + "\n"
        blocks.append(first + f"{number:08d} {'x' * 54}\n" * 15)
    return "".join(blocks).encode()


class Campaign:
    """Trials in one store."""

    def __init__(self, folder: str, seed: int) -> None:
        self.folder = os.path.realpath(folder)
        self.chance = random.Random(seed)
        self.acknowledged: dict[int, list[str]] = {}
        """By run, the digests that arrived."""
        self.count = self.killed = self.late = self.recovered = 0
        Path(self.folder, "pincite.toml").write_text("[capture]\nchunk-kilobytes = 1\n")
        self._next(0)

    def trial(self, number: int) -> None:
        """One kill and everything that must hold afterwards."""
        way = WAYS[number % len(WAYS)]
        tidying = None
        with opened(self.folder) as captures:
            self._age(captures)
            last = captures.runs(1)[0].id
        output = printed(number)
        try:
            if "tidying" in way:
                tidying = subprocess.Popen(
                    [sys.executable, "-c", TIDY, self.folder, str(OLD)], env=ENVIRONMENT, stderr=subprocess.PIPE
                )
                if way == "tidying":
                    threading.Timer(self.chance.uniform(0.1, 0.8), tidying.kill).start()
            acknowledged, ended = self._capture(number, output, way == "group")
        finally:
            if tidying is not None:
                tidying.kill()
                _, said = tidying.communicate()
                demand(not said, f"tidying failed: {said.decode(errors='replace')}")
        self.killed += not ended
        self.late += ended
        self._examine(last, output, acknowledged, ended)
        self._next(number)

    def _capture(self, number: int, output: bytes, group: bool) -> tuple[list[str], bool]:
        """Capture the program and kill the recorder; the digests that arrived, and whether it had ended before."""
        file = os.path.join(self.folder, "printed")
        Path(file).write_bytes(output)
        reading, writing = os.pipe()
        words = ("cat", file) if self.chance.random() < 0.5 else (sys.executable, "-c", PRINTER, file, str(number))
        recorder = subprocess.Popen(
            [
                *(EAGER if self.chance.random() < 0.7 else PINCITE),
                *("run", "-q", "--no-pty", "--no-mask", "--report-fd", str(writing), "--", *words),
            ],
            cwd=self.folder,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(writing,),
            start_new_session=True,
        )
        os.close(writing)
        # Mostly some time after a certain chunk, sometimes before there is any.
        listener = Listener(reading, self.chance.randrange(BLOCKS * 3 // 4))
        if self.chance.random() < 0.8:
            listener.reached.wait(PATIENCE)
            sleep(self.chance.uniform(0.0, 0.02))
        else:
            sleep(self.chance.uniform(0.0, 0.5))
        ended = recorder.poll() is not None
        if group and not ended:
            os.killpg(recorder.pid, signal.SIGKILL)
        recorder.kill()
        ended = recorder.wait() == 0
        return listener.digests(), ended

    def _examine(self, last: int, output: bytes, acknowledged: list[str], ended: bool) -> None:
        """Everything that must hold after a kill."""
        with opened(self.folder) as captures:
            demand(not captures.faults(), f"the database is damaged: {captures.faults()}")
            run = captures.runs(1)[0]
            if run.id > last:
                self._compare(captures, run, output, acknowledged, ended)
                self.acknowledged[run.id] = acknowledged
                self.count += len(acknowledged)
            else:
                demand(not acknowledged, "chunks were acknowledged of a run that is not there")

    def _compare(
        self, captures: Captures, run: CapturedRun, output: bytes, acknowledged: list[str], ended: bool
    ) -> None:
        chunks = captures.chunks(run.id)
        # The kill may come after the end was stored and before the process was gone: then the run has to be whole.
        demand(run.state == "ended" or (run.state == "lost" and not ended), f"run {run.id} is {run.state}")
        stored = [chunk.digest for chunk in chunks]
        demand(stored[: len(acknowledged)] == acknowledged, f"run {run.id}: chunks are not those acknowledged")
        whole = b"".join(captures.text(digest) for digest in stored)
        demand(output.startswith(whole), f"run {run.id}: its chunks are no beginning of what was printed")
        demand(whole == output or run.state != "ended", f"run {run.id} ended, and is not whole")
        place = os.path.join(self.folder, ".pincite", "output", run.file)
        size = os.stat(place).st_size if os.path.exists(place) else 0
        known = sum(chunk.length for chunk in chunks)
        demand(size <= known, f"run {run.id}: {size} bytes were written, {known} are in its chunks")
        self.recovered += bool(chunks) and len(chunks) > len(acknowledged)

    def _next(self, number: int) -> None:
        """A capture after the crash."""
        done = subprocess.run(
            [*PINCITE, "run", "-q", "--no-mask", "--", "echo", f"after {number}", "done"],
            cwd=self.folder,
            env=ENVIRONMENT,
            capture_output=True,
            check=False,
        )
        demand(done.returncode == 0 and not done.stderr, f"the next capture failed: {done.stderr.decode()}")
        with opened(self.folder) as captures:
            captures.text(sha256(f"after {number} done\n".encode()).hexdigest())

    def _age(self, captures: Captures) -> None:
        """Let runs look old, all but the last few, so that tidying drops them; until then nothing may be lost."""
        old = sorted(self.acknowledged)[:-2]
        for digest in {digest for run in old for digest in self.acknowledged.pop(run)}:
            captures.text(digest)
        captures._db.executemany("UPDATE run SET started = ? WHERE id = ?", [(OLD - DAY, run) for run in old])


class Listener(threading.Thread):
    """Takes the digests that arrive on a descriptor."""

    def __init__(self, descriptor: int, wanted: int) -> None:
        super().__init__()
        self.reached = threading.Event()
        """Set when more digests than wanted have arrived, or no more will."""
        self._descriptor = descriptor
        self._wanted = wanted
        self._arrived = bytearray()
        self.start()

    def run(self) -> None:
        """Read until nobody can write any more."""
        lines = 0
        while piece := os.read(self._descriptor, 1 << 16):
            self._arrived += piece
            lines += piece.count(b"\n")
            if lines > self._wanted:
                self.reached.set()
        self.reached.set()
        os.close(self._descriptor)

    def digests(self) -> list[str]:
        """What arrived, when everything has; a digest counts once its line is complete."""
        self.join()
        return self._arrived.decode().split("\n")[:-1]


def capture_together(folder: str, count: int) -> None:
    """Let many captures begin at the same moment, in a folder that has no store yet; all must be whole."""
    held, gate = os.pipe()
    waiting, ready = os.pipe()
    script = f"echo >&{ready}; cat; seq {{0}}00001 {{0}}02000"
    recorders = [
        subprocess.Popen(
            [*PINCITE, "run", "-q", "--no-pty", "--no-mask", "--root", folder, "--", "sh", "-c", script.format(number)],
            cwd=folder,
            env=ENVIRONMENT,
            stdin=held,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(ready,),
        )
        for number in range(1, count + 1)
    ]
    os.close(held)
    for _ in recorders:
        os.read(waiting, 1)
    # Only now do the commands print, and the recorders open the store.
    os.close(gate)
    for number, recorder in enumerate(recorders, 1):
        output, said = recorder.communicate()
        whole = "".join(f"{number}{line:05d}\n" for line in range(1, 2001)).encode()
        demand(output == whole, f"capture {number} did not pass everything on")
        demand(recorder.returncode == 0 and not said, f"capture {number}: {said.decode()}")
    os.close(waiting)
    os.close(ready)
    with opened(folder) as captures:
        runs = captures.runs()
        demand(len(runs) == count, f"{len(runs)} runs of {count} were kept")
        demand({run.state for run in runs} == {"ended"}, "a run has no end")
        demand(not captures.faults(), f"the database is damaged: {captures.faults()}")
        kept = {b"".join(captures.text(chunk.digest) for chunk in captures.chunks(run.id)) for run in runs}
        wanted = {
            "".join(f"{number}{line:05d}\n" for line in range(1, 2001)).encode() for number in range(1, count + 1)
        }
        demand(kept == wanted, "a capture is not whole")


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--parallel", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--folder", help="where to work (default: the system's temporary folder)")
    options = parser.parse_args()
    at = "the start"
    try:
        if options.parallel:
            at = "parallel captures"
            with tempfile.TemporaryDirectory(prefix="pincite-crash-", dir=options.folder) as folder:
                capture_together(os.path.realpath(folder), options.parallel)
            print(f"{options.parallel} captures at once: all whole")
        if options.kills:
            with tempfile.TemporaryDirectory(prefix="pincite-crash-", dir=options.folder) as folder:
                campaign = Campaign(folder, options.seed)
                for number in range(1, options.kills + 1):
                    at = f"kill {number} ({WAYS[number % len(WAYS)]}, --seed {options.seed})"
                    campaign.trial(number)
                print(
                    f"{campaign.killed} kills and {campaign.late} that came too late: {campaign.count} acknowledged "
                    f"chunks, none lost; {campaign.recovered} runs with a rest that was recovered"
                )
    except Exception as error:
        print(f"{at}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
