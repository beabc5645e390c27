"""`pincite fleet worker`: what it says, and how it ends."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from pincite.doors.cli.fleet_worker import command
from support_campaign import prepare, read_lines, start


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_of_the_queue_ends_in_an_orderly_way(tmp_path: Path, postgres_address: str, number: int) -> None:
    worker = start(tmp_path, "fleet", "worker", "--queue", "--database", prepare(postgres_address))
    try:
        assert next(read_lines(worker)) == "worker of the queue web-default\n"
        worker.send_signal(number)
        _, complaint = worker.communicate(timeout=120)
        assert (worker.returncode, complaint) == (0, "")
    finally:
        worker.kill()
        worker.communicate()


def test_one_kind_of_work_has_to_be_chosen() -> None:
    for arguments in ([], ["--queue", "--scheduler", "tcp://127.0.0.1:1"]):
        done = CliRunner().invoke(command, arguments)
        assert done.exit_code == 2 and "choose --scheduler ADDRESS for repositories, or --queue" in done.stderr
