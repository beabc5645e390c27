"""Fleets that are killed: commands as processes, their children, and what the store says afterwards."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psutil

from pincite.store.shared import open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.schema import migrate
from support_fleet import make_repositories

LONG = bool(os.environ.get("PINCITE_LONG_FLEET"))
"""Whether the long form of the campaigns runs: `make test-fleet`."""
PATIENCE = 600.0
SOURCE = str(Path(__file__).resolve().parents[1] / "src")
CHILD = "pincite.fleet.shard_process"


def prepare(address: str) -> str:
    """Give a database its schema."""
    backend = open_backend(parse_address(address))
    migrate(backend)
    backend.close()
    return address


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """The environment of a command that finds nothing of the user's."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_", "PINCITE_", "PG"))
    }
    own = {"PYTHONPATH": SOURCE, "HOME": str(tmp_path), "PINCITE_CACHE": str(tmp_path / "cache")}
    return {**kept, **own, "XDG_DATA_HOME": str(tmp_path / "data"), **more}


def start(tmp_path: Path, *arguments: str, **more: str) -> subprocess.Popen[str]:
    """A pincite command as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "pincite", *arguments],
        env=environment(tmp_path, **more),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, dict[str, Any], str]:
    """The exit code, the JSON and the complaints of a command that is run to its end."""
    out, complaint = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in complaint, complaint[-4000:]
    return process.returncode, json.loads(out) if out.strip() else {}, complaint


class Fleet:
    """Repositories, a store, and commands over them."""

    def __init__(self, tmp_path: Path, address: str, count: int, **shape: int) -> None:
        self.tmp_path = tmp_path
        self.address = prepare(address)
        self.mirrors = tmp_path / "mirrors"
        self.repositories = make_repositories(tmp_path / "repositories", count, **shape)
        self.listed = tmp_path / "repositories.txt"
        self.write_list(*map(str, self.repositories))

    def write_list(self, *lines: str) -> None:
        """What the next command is given."""
        self.listed.write_text("".join(f"{line}\n" for line in lines))

    def check(self, *options: str) -> subprocess.Popen[str]:
        """`pincite fleet check` of the list, as a process."""
        words = ("--database", self.address, "--mirrors", str(self.mirrors), "--format", "json", *options)
        return start(self.tmp_path, "fleet", "check", str(self.listed), *words)

    def counts(self) -> tuple[list[tuple[str, dict[str, int]]], list[str], int]:
        """What the store says: outcomes by repository, what does not add up, and how many shards there are."""
        with open_store(parse_address(self.address), write=False) as store:
            found = [(one.name, one.outcomes) for one in store.overview.summarize() if one.commit]
            return found, store.verdicts.reconcile(), int(store.backend.query("SELECT count(*) FROM shard")[0][0])

    def expect_all(self, shards: int | None = None) -> None:
        """Everything was checked once, and everything adds up."""
        found, troubles, number = self.counts()
        assert troubles == []
        assert len(found) == len(self.repositories)
        assert number == (len(self.repositories) if shards is None else shards)
        assert len({tuple(sorted(outcomes.items())) for _, outcomes in found}) == 1, "they are all of one kind"


def find_children(process: int, words: str = CHILD) -> list[psutil.Process]:
    """The processes below one whose command line has these words."""
    try:
        below = psutil.Process(process).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
    return [one for one in below if is_like(one, words)]


def is_like(process: psutil.Process, words: str) -> bool:
    """Whether the command line of a process has these words."""
    try:
        return words in " ".join(process.cmdline())
    except psutil.Error:
        return False


def kill_some(find: Callable[[], list[psutil.Process]], is_over: Callable[[], bool], most: int, seed: int) -> int:
    """Kill one of the processes that are found, again and again at random moments; how many were killed."""
    choose = random.Random(seed)
    killed = 0
    while killed < most and not is_over():
        sleep(choose.uniform(0.02, 0.25))
        found = find()
        if found:
            try:
                choose.choice(found).send_signal(signal.SIGKILL)
                killed += 1
            except psutil.NoSuchProcess:
                continue
    return killed


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition, as long as it takes on a busy machine."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end, what
        sleep(0.05)


def read_lines(process: subprocess.Popen[str]) -> Iterator[str]:
    """What a process prints, line by line."""
    assert process.stdout is not None
    # Not `yield from`: a generator that is given up would close the pipe.
    for line in process.stdout:  # noqa: UP028
        yield line
