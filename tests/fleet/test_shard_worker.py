"""The process that reads repositories, seen from the worker: restarted, bounded in time, and it stays small."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from pincite.fleet.shard_records import ShardBatch, ShardResult, ShardTask
from pincite.fleet.shard_worker import ShardTrouble, ShardWorker
from pincite.safe.child import ChildFailed
from support_fleet import make_repositories
from support_git_http import GitServer

pytestmark = [pytest.mark.asyncio, pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads /proc")]
TIMEOUT = 60.0


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def read_environment(pid: int) -> dict[str, str]:
    pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return dict(os.fsdecode(pair).split("=", 1) for pair in pairs if pair)


def read_memory(pid: int) -> int:
    rows = Path(f"/proc/{pid}/status").read_text().split("\n")
    return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS"))


def wait_until(condition: Callable[[], bool]) -> None:
    until = monotonic() + TIMEOUT
    while not condition():
        assert monotonic() < until
        sleep(0.01)


def list_descendants(pid: int) -> list[int]:
    found = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return found + [below for one in found for below in list_descendants(one)]


async def test_shards_one_after_the_other(tmp_path: Path) -> None:
    sources = make_repositories(tmp_path / "s", 3, documents=2, sources=4, citations=20, commits=3)
    worker = ShardWorker()
    pids = set()
    for number, source in enumerate(sources):
        task = ShardTask(f"local/{number}", str(source), mirrors=str(tmp_path / "m"))
        head = await worker.update(task)
        result = await worker.check(task, head.commit)
        assert (result.commit, result.committed, len(result.rows)) == (head.commit, head.committed, 20)
        streamed = [reply async for reply in worker.stream_check(task, head.commit)]
        assert isinstance(streamed[-1], ShardResult) and not streamed[-1].rows
        assert [row for reply in streamed if isinstance(reply, ShardBatch) for row in reply.rows] == result.rows
        pids.add(worker.pid)
    # One process did all of it.
    assert len(pids) == 1 and worker.pid is not None
    pid = worker.pid
    await worker.stop()
    assert worker.pid is None and not is_running(pid)


async def test_trouble_is_told_and_the_next_shard_is_done(repository: Any, tmp_path: Path) -> None:
    head = repository.commit({"a.md": "x\n"})
    worker = ShardWorker()
    with pytest.raises(ShardTrouble, match="not a git repository"):
        await worker.update(ShardTask("local/a", str(tmp_path / "none"), mirrors=str(tmp_path / "m")))
    pid = worker.pid
    found = await worker.update(ShardTask("local/a", str(repository.path), mirrors=str(tmp_path / "m")))
    assert found.commit == head and worker.pid == pid
    await worker.stop()


async def test_the_process_gets_no_credential(repository: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit({"a.md": "x\n"})
    for name in (
        "PINCITE_DATABASE",
        "PGPASSWORD",
        "PGHOST",
        "GITHUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "PINCITE_LLM_KEY",
    ):
        monkeypatch.setenv(name, "s3cret")
    worker = ShardWorker()
    await worker.update(ShardTask("local/a", str(repository.path), mirrors=str(tmp_path / "m")))
    assert worker.pid is not None
    environment = read_environment(worker.pid)
    assert "s3cret" not in environment.values() and environment["PATH"] == os.environ["PATH"]
    assert not [name for name in environment if name.startswith("PG") or "DATABASE" in name]
    await worker.stop()


async def test_what_takes_too_long_is_killed_with_all_that_it_started(
    make_repository: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.fleet.shard_worker._GRACE", 0.0)
    made = make_repository("source")
    head = made.commit({"a.md": "x\n"})
    worker = ShardWorker()
    mirrors = str(tmp_path / "m")
    assert await worker.update(ShardTask("local/first", str(made.path), mirrors=mirrors))
    with GitServer(tmp_path).run() as server:
        server.silent.set()
        task = ShardTask("host/slow", f"{server.address}/source/.git", mirrors=mirrors, seconds=2.0)
        asking = asyncio.ensure_future(worker.update(task))
        while not server.seen:
            await asyncio.sleep(0.01)
        assert worker.pid is not None
        pid = worker.pid
        started = list_descendants(pid)
        assert started
        with pytest.raises(ShardTrouble, match="took longer than 2 s"):
            await asking
    for one in (pid, *started):
        wait_until(lambda one=one: not is_running(one))  # type: ignore[misc]
    # The next request starts another process, and the mirror that was being made is finished.
    assert (await worker.update(ShardTask("host/slow", str(made.path), mirrors=mirrors))).commit == head
    assert worker.pid != pid
    await worker.stop()


async def test_a_slow_server_is_told_by_the_process_itself(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    make_repository("source").commit({"a.md": "x\n"})
    worker = ShardWorker()
    with GitServer(tmp_path).run() as server:
        server.silent.set()
        task = ShardTask("host/slow", f"{server.address}/source/.git", mirrors=str(tmp_path / "m"), seconds=1.0)
        with pytest.raises(ShardTrouble, match="took longer than"):
            await worker.update(task)
        # No new process is needed for that.
        assert worker.pid is not None
    await worker.stop()


async def test_a_process_that_is_killed_is_started_again(repository: Any, tmp_path: Path) -> None:
    head = repository.commit({"a.md": "x\n"})
    worker = ShardWorker()
    task = ShardTask("local/a", str(repository.path), mirrors=str(tmp_path / "m"))
    for _ in range(3):
        await worker.update(task)
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        try:
            result = await worker.check(task, head)
        except ChildFailed:
            # It was still there when it was asked.
            result = await worker.check(task, head)
        assert result.commit == head
    await worker.stop()


async def test_a_cancelled_check_ends_the_process(tmp_path: Path) -> None:
    (source,) = make_repositories(tmp_path / "s", 1)
    worker = ShardWorker()
    task = ShardTask("local/a", str(source), mirrors=str(tmp_path / "m"))
    await worker.update(task)
    pid = worker.pid
    assert pid is not None
    asking = asyncio.ensure_future(worker.check(task))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    wait_until(lambda: not is_running(pid))
    assert len((await worker.check(task)).rows) == 1000
    await worker.stop()


async def test_the_process_ends_with_its_worker(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    make_repository("source").commit({"a.md": "x\n"})
    code = (
        "import asyncio, sys\n"
        "from pincite.fleet.shard_records import ShardTask\n"
        "from pincite.fleet.shard_worker import ShardWorker\n"
        "asyncio.run(ShardWorker().update(ShardTask('host/slow', sys.argv[1], mirrors=sys.argv[2])))\n"
    )
    with GitServer(tmp_path).run() as server:
        server.silent.set()
        command = [sys.executable, "-c", code, f"{server.address}/source/.git", str(tmp_path / "m")]
        parent = subprocess.Popen(command)
        while not server.seen:
            await asyncio.sleep(0.01)
        started = list_descendants(parent.pid)
        assert len(started) >= 2
        parent.kill()
        parent.wait()
        for one in started:
            wait_until(lambda one=one: not is_running(one))  # type: ignore[misc]
        assert not [one for one in started if is_running(one)]


async def test_too_little_memory_is_a_refusal_or_a_new_process(repository: Any, tmp_path: Path) -> None:
    head = repository.commit({"a.md": "".join(f"See `src/x.py:{number}`.\n" for number in range(20_000))})
    worker = ShardWorker()
    mirrors = str(tmp_path / "m")
    small = ShardTask("local/a", str(repository.path), mirrors=mirrors, memory_bytes=60_000_000)
    with pytest.raises((ShardTrouble, ChildFailed)):
        await worker.check(small, head)
    assert (await worker.check(ShardTask("local/a", str(repository.path), mirrors=mirrors), head)).commit == head
    await worker.stop()


async def test_one_process_does_many_shards_without_growing(tmp_path: Path) -> None:
    sources = make_repositories(tmp_path / "s", 30, documents=3, sources=5, citations=60, commits=4, checkout=False)
    worker = ShardWorker()
    seen: dict[int, int] = {}
    most = 120 if os.environ.get("CI") else 300
    for number in range(most):
        task = ShardTask(f"local/{number % 30}", str(sources[number % 30]), mirrors=str(tmp_path / "m"))
        result = await worker.check(task)
        assert len(result.rows) == 60
        if number + 1 in (most // 3, most):
            assert worker.pid is not None
            seen[number + 1] = read_memory(worker.pid)
    await worker.stop()
    assert seen[most] < seen[most // 3] * 1.2
