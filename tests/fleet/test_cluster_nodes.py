"""Schedulers and workers as programs: who can reach them, what they print and complain about."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from socket import AF_INET, SOCK_STREAM, socket

import distributed
import psutil
import pytest

from pincite.core.errors import UsageError
from pincite.fleet import cluster_nodes
from pincite.fleet.certificates import FILES, make_certificates
from pincite.fleet.cluster import TlsFiles, configure, make_security
from support_campaign import environment, start
from support_postgres import free_port

ADDRESS = re.compile(r"scheduler at (?:tls|tcp)://\S+:([0-9]+)\n")


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    """A folder with the files of a cluster."""
    for name, data in make_certificates(2).items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def tls_options(folder: Path) -> list[str]:
    """The options that name them."""
    return [
        part
        for name, file in zip(("ca", "cert", "key"), FILES, strict=True)
        for part in (f"--tls-{name}", f"{folder / file}")
    ]


@contextmanager
def running_scheduler(tmp_path: Path, *options: str) -> Iterator[tuple[psutil.Process, int, list[str]]]:
    """A scheduler: its process, its port, and the lines that it printed when it ended."""
    process = start(tmp_path, "fleet", "scheduler", "--port", "0", *options)
    said: list[str] = []
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = ADDRESS.fullmatch(line)
        assert match is not None, line + process.communicate()[1]
        yield psutil.Process(process.pid), int(match[1]), said
    finally:
        process.terminate()
        out, complaint = process.communicate(timeout=60)
        said += [*out.splitlines(), *complaint.splitlines()]
    assert process.returncode == 0


def list_listeners(process: psutil.Process) -> list[tuple[str, int]]:
    """Where a process listens."""
    return [tuple(one.laddr) for one in process.net_connections("inet") if one.status == psutil.CONN_LISTEN]


def test_other_machines_reach_nothing_but_what_asks_for_a_certificate(certificates: Path) -> None:
    with running_scheduler(certificates, "--host", "0.0.0.0", *tls_options(certificates)) as (process, port, _):
        listeners = list_listeners(process)
        assert {place for place, number in listeners if number == port} == {"0.0.0.0"}
        others = [(place, number) for place, number in listeners if number != port]
        assert {place for place, _ in others} <= {"127.0.0.1"}
        for place, number in others:
            for path in ("/metrics", "/json/identity.json", "/info/main/workers.html", "/proxy/80/127.0.0.1/"):
                connection = HTTPConnection(place, number, timeout=30)
                connection.request("GET", path)
                assert connection.getresponse().status == 404, path
                connection.close()


def test_a_scheduler_prints_its_address_and_nothing_else(tmp_path: Path) -> None:
    with running_scheduler(tmp_path) as (_, _, said):
        assert said == []
    assert said == []


def scheduler_says(tmp_path: Path, *options: str) -> str:
    """What a scheduler that cannot start says."""
    done = subprocess.run(
        [sys.executable, "-m", "pincite", "fleet", "scheduler", *options],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False), done.stderr
    return done.stderr


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket(AF_INET, SOCK_STREAM) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = scheduler_says(tmp_path, "--port", str(taken.getsockname()[1]))
    assert said.startswith("pincite: 127.0.0.1:") and said.endswith("choose another --host or --port\n")


def test_other_machines_need_certificates(tmp_path: Path) -> None:
    assert "other machines may only connect with TLS" in scheduler_says(tmp_path, "--host", "0.0.0.0")


def test_files_that_are_no_certificates_are_named(certificates: Path) -> None:
    authority, certificate, key = (str(certificates / name) for name in FILES)
    for files in (
        TlsFiles(key, certificate, key),
        TlsFiles(authority, key, key),
        TlsFiles(authority, certificate, authority),
    ):
        with pytest.raises(UsageError, match="not an authority, a certificate and its key") as caught:
            make_security(files)
        assert "pincite fleet certificates" in str(caught.value)
    assert make_security(TlsFiles(authority, certificate, key)) is not None


def test_a_worker_without_a_scheduler_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_nodes, "_PATIENCE", 1)
    monkeypatch.setattr(cluster_nodes, "_PAUSE", 0.1)
    said: list[str] = []
    tries = 0

    def count(scheduler: str, **options: object) -> object:
        nonlocal tries
        tries += 1
        if tries == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return made(scheduler, **options)

    configure()
    made = distributed.Worker
    monkeypatch.setattr(distributed, "Worker", count)
    place = f"tcp://127.0.0.1:{free_port()}"
    asyncio.run(cluster_nodes.run_cluster_worker(place, TlsFiles(), "", said.append, said.append))
    assert (tries, len(said)) == (3, 1)
    assert said[0].startswith(f"{place}: no answer within 1 s; ") and said[0].endswith("; trying again")
