"""What tests in several folders share: a small repository made with the real git, and output that was captured."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from time import process_time
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from msgspec.structs import replace

from pincite.domains.capture.start import attempt
from pincite.safe.files import OPEN_ROOTS, Root
from pincite.store.captures import Captures, NewChunk

# They start programs of hundreds of megabytes: `make test-clients` runs them.
collect_ignore = ["clients"]

# How long an example takes says more about the machine than about the law; growth has tests of its own.
settings.register_profile("anywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("anywhere")
# A gate must not fail on what nobody changed: there the laws are tried on the same examples every time.
settings.register_profile("gate", settings.get_profile("anywhere"), derandomize=True)
GATE = bool(os.environ.get("CI"))
GATE_EXAMPLES = 100
"""The most examples of a law at the gate; without CI every law gets all that it asks for, and new ones every time."""
if GATE:
    settings.load_profile("gate")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """At the gate no law is tried on more than so many examples; elsewhere on as many as it asks for."""
    for item in items if GATE else ():
        law = getattr(item, "obj", None)
        asked = getattr(law, "_hypothesis_internal_use_settings", None)
        if asked is not None and asked.max_examples > GATE_EXAMPLES:
            law._hypothesis_internal_use_settings = settings(asked, max_examples=GATE_EXAMPLES)


@pytest.fixture(autouse=True)
def _close_roots() -> Iterator[None]:
    """Close what a test opened: thousands of tests in one process must not run out of descriptors."""
    before = set(OPEN_ROOTS.values())
    yield
    for one in set(OPEN_ROOTS.values()) - before:
        if (root := one()) is not None:
            root.close()


def pytest_collection_finish() -> None:
    """Keep the collector from looking again and again at thousands of tests that stay until the end."""
    gc.collect()
    gc.freeze()


def pytest_configure() -> None:
    """Give the run a cache folder of its own, and signals that act as they do at a terminal."""
    os.environ["PINCITE_CACHE"] = mkdtemp(prefix="pincite-test-cache-")
    os.environ.pop("PINCITE_MIRRORS", None)
    restore_signals()


def restore_signals() -> None:
    """Give the signals of a terminal their default action, which child processes inherit.

    A shell without job control starts what it puts into the background with SIGINT and SIGQUIT ignored, `nohup` ignores
    SIGHUP, and a program that starts others may ignore any of these.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def pytest_unconfigure() -> None:
    rmtree(os.environ["PINCITE_CACHE"], ignore_errors=True)


class Repository:
    """A repository in a folder of its own, with fixed names and dates."""

    def __init__(self, path: Path, *arguments: str) -> None:
        self.path = path
        self.clock = 1_700_000_000
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *arguments)

    def git(self, *arguments: str, check: bool = True) -> str:
        """Run git here; gives what it prints, without the last line end."""
        who = {f"GIT_{role}_{part}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
        when = {f"GIT_{role}_DATE": f"{self.clock} +0000" for role in ("AUTHOR", "COMMITTER")}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ALLOW_PROTOCOL": "file"}
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env=kept | who | when | alone, capture_output=True, check=False
        )
        if check and done.returncode:
            raise AssertionError(done.stderr.decode())
        return os.fsdecode(done.stdout).removesuffix("\n")

    def write(self, name: str, text: str | bytes) -> None:
        """Put a file into the work tree."""
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))

    def commit(self, files: dict[str, str | bytes] | None = None) -> str:
        """Write files, commit everything, and give the commit's id."""
        for name, text in (files or {}).items():
            self.write(name, text)
        self.clock += 60
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def make_repository(tmp_path: Path) -> Callable[..., Repository]:
    """Makes a repository below the test's own folder."""

    def make(name: str = "repo", *arguments: str) -> Repository:
        return Repository(tmp_path / name, *arguments)

    return make


@pytest.fixture
def repository(make_repository: Callable[..., Repository]) -> Repository:
    """One empty repository."""
    return make_repository()


def keep_output(
    root: Path,
    output: bytes,
    command: tuple[str, ...] = ("pytest", "-q"),
    code: int | None = 0,
    given: str = "",
    *,
    origin: str = "run",
    started: float | None = None,
    revision: str = "",
    dirty: bool | None = None,
    masked: int = 0,
    chunk_lines: int = 500,
) -> str:
    """Store output below a folder as a run would; gives the digest of its first chunk, empty where there is none.

    With `given` or `masked`, all of it becomes one chunk.
    """
    run = attempt(origin, command, ".", revision, dirty)
    if started is not None:
        run = replace(run, started=started)
    with Root(str(root)) as opened:
        captures = Captures.open(opened, write=True)
        assert captures is not None
        with captures:
            rows = [row for row in re.split(rb"(?<=\n)", output) if row]
            texts = [b"".join(rows[at : at + chunk_lines]) for at in range(0, len(rows), chunk_lines)]
            if given or masked:
                texts = [output]
            with captures.output() as place:
                number = captures.begin(replace(run, file=place.name))
                for at, text in enumerate(texts):
                    captures.add(
                        number, at, [NewChunk(sha256(text).hexdigest(), text, len(text), masked, given)], place
                    )
                captures.end(number, 1.5, code)
            return sha256(texts[0]).hexdigest() if texts else ""


@pytest.fixture(scope="session")
def captured() -> Callable[..., str]:
    """Stores output: (root, output, command, code, given, …) -> the digest of its first chunk."""
    return keep_output


@pytest.fixture(scope="session")
def pdfs() -> Any:
    """The module that writes PDFs for tests."""
    spec = spec_from_file_location("support_pdf", Path(__file__).with_name("support_pdf.py"))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def make_pdf(pdfs: Any) -> Callable[..., bytes]:
    """Writes a small PDF: (pages, labels, outline, title, encrypted) -> its bytes."""
    made: Callable[..., bytes] = pdfs.make_pdf
    return made


def cpu_seconds(work: Callable[[object], object], given: object) -> float:
    """What one piece of work costs; the collector, which looks at all that other tests left, is kept out of it."""
    gc.disable()
    try:
        start = process_time()
        work(given)
        return process_time() - start
    finally:
        gc.enable()


OUT_OF_PROPORTION = 4.0
"""What a busy machine never makes of work that grows with its input and no faster."""


def measure_growth(work: Callable[..., object], short: object, long: object, times: float) -> float:
    """How many times more than in proportion it costs to work on an input that is longer by `times`."""
    # Below a few milliseconds the clock says more than the work does.
    least = 0.004
    first: list[float] = []
    # A disturbed run is longer: once the two shortest agree, or the clock is the limit, no other tells more.
    while len(first) < 5 and not (first and (first[0] <= least or (len(first) > 1 and first[1] < 1.1 * first[0]))):
        first = sorted([*first, cpu_seconds(work, short)])
    once = max(least, first[0])
    # A busy machine makes a run longer and never shorter: a single one that is short enough tells.
    runs: list[float] = []
    while len(runs) < 5 and not (runs and runs[-1] < OUT_OF_PROPORTION * times * once):
        runs.append(cpu_seconds(work, long))
    return min(runs) / once / times


@pytest.fixture(scope="session")
def in_proportion() -> Callable[..., bool]:
    """Whether time grows with the input and no faster: (work, short, long, times) where `work` takes either."""
    return lambda work, short, long, times: measure_growth(work, short, long, times) < OUT_OF_PROPORTION


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A PostgreSQL server for all tests of this process; they are skipped where none can be had."""
    from support_postgres import PostgresServer, find_binaries

    if not find_binaries():
        pytest.skip("no PostgreSQL: install the package postgresql, or run `make postgres`")
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def postgres_address(postgres_server: Any) -> str:
    """The URL of an empty database."""
    address: str = postgres_server.new_database()
    return address


@pytest.fixture(params=["sqlite", "postgresql"])
def store_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, once in each kind of database."""
    if request.param == "sqlite":
        return f"sqlite://{tmp_path}/store/fleet.db"
    address: str = request.getfixturevalue("postgres_address")
    return address
