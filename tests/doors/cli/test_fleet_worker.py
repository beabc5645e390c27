"""`pincite fleet worker`: a worker of the queue, or of a cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.doors.cli.main import main
from pincite.store.shared import open_backend
from pincite.store.shared.backend import parse_address
from pincite.store.shared.schema import migrate


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "choose --scheduler ADDRESS for repositories, or --queue for web sources"),
        (["--queue", "--scheduler", "tcp://127.0.0.1:1"], "choose --scheduler"),
        (["--queue", "--database", "sqlite:///tmp/x.db"], "the queue needs PostgreSQL"),
        (["--queue", "--database", "nonsense://"], "no kind of store"),
    ],
)
def test_bad_arguments(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["fleet", "worker", *arguments])
    assert ended.value.code == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_worker_of_the_queue_ends_when_it_is_told_to(postgres_address: str, tmp_path: Path) -> None:
    backend = open_backend(parse_address(postgres_address))
    migrate(backend)
    command = [sys.executable, "-m", "pincite", "fleet", "worker", "--queue", "--database", postgres_address]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    worker = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "worker of the queue web-default\n"
    while not backend.query("SELECT 1 FROM web_worker") or not backend.query("SELECT 1 FROM procrastinate_workers"):
        assert worker.poll() is None
    worker.send_signal(signal.SIGTERM)
    out, err = worker.communicate(timeout=30)
    assert (worker.returncode, out, err) == (0, "", "")
    assert backend.query("SELECT count(*) FROM web_worker") == [(0,)]
    backend.close()
