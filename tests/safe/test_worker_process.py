from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from pincite.safe.child import ChildFailed
from pincite.safe.worker_process import ask_worker

pytestmark = pytest.mark.asyncio
TIMEOUT = 60.0


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules that a worker can be."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_worker_answers(modules: Path) -> None:
    (modules / "echo_worker.py").write_text("import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])\n")
    data = bytes(range(256)) * 4000
    assert await asyncio.wait_for(ask_worker("echo_worker", data, len(data)), TIMEOUT) == data[::-1]
    with pytest.raises(ChildFailed, match="dropped"):
        await asyncio.wait_for(ask_worker("echo_worker", data, 100), TIMEOUT)


async def test_a_worker_that_fails_says_why(modules: Path) -> None:
    (modules / "sad_worker.py").write_text("import sys\nprint('first\\nno such thing', file=sys.stderr)\nsys.exit(3)\n")
    with pytest.raises(ChildFailed, match=r"\Ano such thing\Z"):
        await asyncio.wait_for(ask_worker("sad_worker", b"x" * 1_000_000, 100), TIMEOUT)


async def test_cancelling_kills_the_worker(modules: Path) -> None:
    (modules / "slow_worker.py").write_text(
        "import os, time\n"
        f"open({str(modules / 'new')!r}, 'w').write(str(os.getpid()))\n"
        f"os.rename({str(modules / 'new')!r}, {str(modules / 'pid')!r})\n"
        "time.sleep(600)\n"
    )
    task = asyncio.ensure_future(ask_worker("slow_worker", b"", 100))

    async def wait_for_start() -> int:
        while not (modules / "pid").exists():
            await asyncio.sleep(0.01)
        return int((modules / "pid").read_text())

    pid = await asyncio.wait_for(wait_for_start(), TIMEOUT)
    assert is_running(pid)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_running(pid)


async def test_the_working_folder_offers_no_modules(modules: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "planted_worker.py").write_text("print('planted')\n")
    before = os.getcwd()
    os.chdir(folder)
    try:
        with pytest.raises(ChildFailed, match="planted_worker"):
            await asyncio.wait_for(ask_worker("planted_worker", b"", 100), TIMEOUT)
    finally:
        os.chdir(before)
