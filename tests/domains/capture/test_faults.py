"""Whatever goes wrong with the recording: the command does not notice, and what was recorded until then stays."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

import pytest

from pincite.safe.files import Root
from pincite.store.captures import CapturedRun, Captures, open_for_writing

PINCITE = (sys.executable, "-m", "pincite")
TOKEN = "ghp_" + "9aB3xK7qLm2NpR5sTv8WyZ1cD4eF6gH0jKlM"
SAYS = "echo out; echo err >&2; exit 7"
TROUBLE = "pincite: not everything was recorded: "


def capture(
    folder: Path, *words: str, options: tuple[str, ...] = (), program: tuple[str, ...] = PINCITE, **more: object
) -> subprocess.CompletedProcess[bytes]:
    """Run a command through pincite."""
    return subprocess.run(
        [*program, "run", "-q", "--no-pty", *options, "--", *words],
        cwd=folder,
        timeout=120,
        check=False,
        **{"capture_output": True, **more},  # type: ignore[call-overload]
    )


def kept(folder: Path) -> tuple[CapturedRun, bytes]:
    """The newest run, and all of it that is stored."""
    with Root(str(folder)) as root, open_for_writing(root) as captures:
        run = captures.runs(1)[0]
        return run, b"".join(captures.text(chunk.digest) for chunk in captures.chunks(run.id))


def assert_unchanged(done: subprocess.CompletedProcess[bytes], because: str) -> None:
    """The command did what it does without us, and the trouble is told in one line."""
    own, _, rest = done.stderr.decode().partition("err\n")
    assert (done.returncode, done.stdout, own) == (7, b"out\n", "")
    assert rest.startswith(TROUBLE) and because in rest and rest.count("\n") == 1


@pytest.fixture
def printing(tmp_path: Path) -> Callable[[bytes], tuple[str, ...]]:
    """A command that prints given bytes: (bytes) -> its words."""

    def command(data: bytes) -> tuple[str, ...]:
        file = tmp_path / "printed"
        file.write_bytes(data)
        return ("cat", str(file))

    return command


# The store


IMPATIENT = """
from pincite.store import database
database.PATIENCE = 1.0
from pincite.doors.cli.main import main
main()
"""


def test_a_store_that_is_locked_throughout(tmp_path: Path) -> None:
    capture(tmp_path, "true")
    holder = sqlite3.connect(tmp_path / ".pincite" / "store.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        done = capture(tmp_path, "sh", "-c", "seq 3000000; exit 7", program=(sys.executable, "-c", IMPATIENT))
    finally:
        holder.close()
    assert (done.returncode, done.stdout.count(b"\n"), done.stdout[-8:]) == (7, 3000000, b"3000000\n")
    assert done.stderr.decode().startswith(TROUBLE) and b"locked" in done.stderr
    assert capture(tmp_path, "echo", "later").stderr == b""


def test_a_store_that_is_locked_for_a_moment(tmp_path: Path) -> None:
    capture(tmp_path, "true")
    holder = sqlite3.connect(tmp_path / ".pincite" / "store.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    child = subprocess.Popen(
        [*PINCITE, "run", "-q", "--", "seq", "1000000"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    sleep(1.5)
    holder.close()
    output, said = child.communicate(timeout=60)
    assert (child.returncode, said) == (0, b"")
    assert kept(tmp_path)[1] == output


def limited(size: int) -> Callable[[], None]:
    """Lets files of a process grow to a size and no further."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_store_that_can_grow_no_further(tmp_path: Path) -> None:
    done = capture(tmp_path, "sh", "-c", "seq 3000000; exit 7", preexec_fn=limited(12_000_000))
    assert (done.returncode, done.stdout.count(b"\n")) == (7, 3000000)
    assert done.stderr.decode().startswith(TROUBLE) and done.stderr.count(b"\n") == 1
    run, text = kept(tmp_path)
    assert run.state == "lost" and len(text) > 1_000_000 and done.stdout.startswith(text)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 3 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    if mount is None or sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount")
    if subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=3m", "tmpfs", place], capture_output=True, check=False
    ).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    first = capture(small_disk, "seq", "100000")
    assert first.stderr == b""
    done = capture(small_disk, "sh", "-c", "seq 9000000 10000000; exit 7")
    assert (done.returncode, done.stdout.count(b"\n")) == (7, 1000001)
    assert done.stderr.decode().startswith(TROUBLE) and done.stderr.count(b"\n") == 1
    with Root(str(small_disk)) as root:
        captures = Captures.open(root)
        assert captures is not None
        with captures:
            assert b"".join(captures.text(chunk.digest) for chunk in captures.chunks(1)) == first.stdout


def test_a_disk_that_was_full_from_the_start(small_disk: Path) -> None:
    with (small_disk / "filler").open("wb") as filler:
        filler.write(bytes(2 << 20))
        for size in (1 << 16, 1 << 12):
            try:
                while True:
                    os.write(filler.fileno(), bytes(size))
            except OSError:
                continue
    assert_unchanged(capture(small_disk, "sh", "-c", SAYS), "No space left on device")


def overwrite(folder: Path, start: int, data: bytes) -> None:
    with (folder / ".pincite" / "store.db").open("r+b") as file:
        file.seek(start)
        file.write(data)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / ".pincite" / "store.db").write_bytes(b"no database at all, only words\n" * 99),
        lambda folder: (folder / ".pincite" / "store.db").write_bytes(b""),
        lambda folder: os.truncate(folder / ".pincite" / "store.db", 5000),
        lambda folder: overwrite(folder, 100, b"\xff" * 3000),
        lambda folder: overwrite(folder, 8192, b"\xff" * 200_000),
    ],
    ids=["not a database", "empty", "cut off", "damaged schema", "damaged rows"],
)
def test_a_damaged_store(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    capture(tmp_path, "seq", "10000")
    store = sqlite3.connect(tmp_path / ".pincite" / "store.db")
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    damage(tmp_path)
    assert_unchanged(capture(tmp_path, "sh", "-c", SAYS), ".pincite/store.db")


@pytest.mark.parametrize("what", [".pincite", ".pincite/store.db", ".pincite/output"])
@pytest.mark.parametrize("kind", ["file", "folder", "link", "dangling link", "pipe"])
def test_something_else_in_its_place(tmp_path: Path, what: str, kind: str) -> None:
    place = tmp_path / "work" / what
    place.parent.mkdir(parents=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if kind == "file":
        place.write_bytes(b"mine\n")
    elif kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(elsewhere if kind == "link" else tmp_path / "nowhere")
    done = capture(tmp_path / "work", "sh", "-c", SAYS)
    if kind == "folder" and what != ".pincite/store.db":
        assert (done.returncode, done.stdout, done.stderr) == (7, b"out\n", b"err\n")
    else:
        assert_unchanged(done, ".pincite")
    assert os.listdir(elsewhere) == []


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    freeze, thaw = (["chattr", "+i"], ["chattr", "-i"]) if os.geteuid() == 0 else (["chmod", "500"], ["chmod", "700"])
    if not shutil.which(freeze[0]) or subprocess.run([*freeze, work], capture_output=True, check=False).returncode:
        pytest.skip("root can write everywhere here")
    try:
        assert_unchanged(capture(work, "sh", "-c", SAYS), ".pincite")
    finally:
        subprocess.run([*thaw, work], check=True)


def test_a_store_that_is_removed_meanwhile(tmp_path: Path) -> None:
    script = "echo first; sleep 1; rm -rf .pincite; seq 1000000; exit 7"
    done = capture(tmp_path, "sh", "-c", script)
    assert (done.returncode, done.stdout.count(b"\n")) == (7, 1000001)
    assert done.stderr.decode().startswith(TROUBLE)
    assert capture(tmp_path, "echo", "again").stderr == b""
    assert kept(tmp_path)[1] == b"again\n"


@pytest.mark.parametrize("text", [b"[capture\n", b"\xff\xfe", b"[capture]\nchunk-kilobytes = 'x'\n"])
def test_settings_that_cannot_be_read(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "pincite.toml").write_bytes(text)
    assert_unchanged(capture(tmp_path, "sh", "-c", SAYS), "pincite.toml")


# What it prints, and where that goes


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_streams(tmp_path: Path, closed: str) -> None:
    script = f'exec "$@" {closed}'
    command = ("sh", "-c", "echo out; first=$?; echo err >&2; exit 1$first$?")
    alone = subprocess.run(["sh", "-c", script, "sh", *command], cwd=tmp_path, capture_output=True, check=False)
    words = (*PINCITE, "run", "-q", "--no-pty", "--", *command)
    done = subprocess.run(["sh", "-c", script, "sh", *words], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (alone.returncode, alone.stdout, alone.stderr)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
def test_a_full_device(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = capture(tmp_path, "seq", "1000000", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode != 0
    assert kept(tmp_path)[1].startswith(b"1\n2\n3\n")


@pytest.mark.parametrize("options", [(), ("--no-mask",)], ids=["masked", "not masked"])
@pytest.mark.parametrize(
    "data",
    [
        random.Random(1).randbytes(3_000_000),
        bytes(range(256)) * 1000,
        b"\xff\xfe" + "ÄÖÜ\n".encode("utf-16-le") * 1000 + b"\n",
        b"\xe2\x82" * 1000 + b"\n\xac\n" + b"\xed\xa0\x80" * 50_000,
        b"x" * 10_000_000 + b"\nshort\n" + b"y" * 10_000_000,
        b"\n" * 100_000,
        b"\r" * 100_000 + b"\0" * 100_000,
    ],
    ids=["random", "every byte", "UTF-16", "invalid UTF-8", "lines of 10 MB", "empty lines", "no lines"],
)
def test_every_byte_is_passed_on_and_kept(
    tmp_path: Path, printing: Callable[[bytes], tuple[str, ...]], data: bytes, options: tuple[str, ...]
) -> None:
    done = capture(tmp_path, *printing(data), options=options)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == data
    assert kept(tmp_path)[1] == data


def peak(folder: Path, megabytes: int, options: tuple[str, ...]) -> int:
    """The most memory that pincite held while a command printed one line without end."""
    folder.mkdir()
    script = f"head -c {megabytes}000000 /dev/zero | tr '\\0' x"
    child = subprocess.Popen(
        [*PINCITE, "run", "-q", "--no-pty", *options, "--", "sh", "-c", script], cwd=folder, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    with Root(str(folder)) as root, open_for_writing(root) as captures:
        assert sum(chunk.length for chunk in captures.chunks(1)) == megabytes * 1_000_000
    return usage.ru_maxrss


@pytest.mark.parametrize("options", [(), ("--no-mask",)], ids=["masked", "not masked"])
def test_a_line_that_never_ends_takes_no_more_memory_the_longer_it_is(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert peak(tmp_path / "long", 200, options) < 1.5 * peak(tmp_path / "short", 20, options)


# How it ends


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    done = capture(tmp_path, "no-such-command-anywhere", "argument")
    assert (done.returncode, done.stdout) == (127, b"")
    run, text = kept(tmp_path)
    assert (run.command, run.code, run.state, text) == (("no-such-command-anywhere", "argument"), 127, "ended", b"")


def test_a_command_that_cannot_be_executed(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("words\n")
    done = capture(tmp_path, "./plain")
    assert done.returncode == 126
    assert (kept(tmp_path)[0].code, kept(tmp_path)[1]) == (126, b"")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL", "SIGSEGV", "SIGHUP", "SIGABRT", "SIGUSR1"])
def test_the_end_by_a_signal_is_ours_too(tmp_path: Path, name: str) -> None:
    number = getattr(signal, name)
    done = capture(tmp_path, "sh", "-c", f"echo before; kill -{number:d} $$")
    assert (done.returncode, done.stdout) == (-number, b"before\n")
    run, text = kept(tmp_path)
    assert (run.code, run.signal, run.state, text) == (128 + number, number, "ended", b"before\n")


@pytest.mark.parametrize(("script", "code"), [("", -signal.SIGINT), ("trap 'echo caught; exit 3' INT;", 3)])
def test_the_interrupt_key(tmp_path: Path, script: str, code: int) -> None:
    child = subprocess.Popen(
        [*PINCITE, "run", "-q", "--no-pty", "--", "sh", "-c", f"{script} echo ready; while :; do sleep 0.1; done"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert child.stdout is not None and child.stdout.readline() == b"ready\n"
    os.killpg(child.pid, signal.SIGINT)
    output, said = child.communicate(timeout=60)
    assert (child.returncode, said) == (code, b"")
    assert (kept(tmp_path)[0].state, kept(tmp_path)[1]) == ("ended", b"ready\n" + output)


# Secrets


def found_in(folder: Path, secret: str) -> list[str]:
    """The files below a folder that hold a secret, or enough of it to matter."""
    holding = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if any(part.encode() in data for part in (secret, secret[:20], secret[-20:])):
                holding.append(path.name)
    return holding


def test_the_search_for_secrets_finds_one(tmp_path: Path) -> None:
    capture(tmp_path, "echo", TOKEN, options=("--no-mask",))
    assert found_in(tmp_path / ".pincite", TOKEN) != []


@pytest.mark.parametrize(
    "line",
    [
        f"token {TOKEN}",
        f"https://user:{TOKEN}@example.org/",
        f"\x1b[31m{TOKEN}\x1b[0m",
        f"{'x' * 5_000_000} {TOKEN} {'y' * 5_000_000}",
        f"{TOKEN}\r{TOKEN}",
    ],
    ids=["alone", "in an address", "coloured", "in a long line", "twice"],
)
def test_a_secret_that_is_printed_is_nowhere_in_the_store(
    tmp_path: Path, printing: Callable[[bytes], tuple[str, ...]], line: str
) -> None:
    done = capture(tmp_path, *printing(f"before\n{line}\nafter\n".encode()))
    assert TOKEN.encode() in done.stdout
    assert found_in(tmp_path / ".pincite", TOKEN) == []
    text = kept(tmp_path)[1]
    assert text.startswith(b"before\n") and text.endswith(b"\nafter\n") and b"masked" in text


def test_a_secret_of_the_command_line_or_the_environment_is_nowhere_in_the_store(tmp_path: Path) -> None:
    value = "correct-horse-battery-staple-4711"
    script = 'echo "$DEPLOY_PASSWORD"; echo "$1"'
    done = capture(tmp_path, "sh", "-c", script, "sh", f"--token={TOKEN}", env={**os.environ, "DEPLOY_PASSWORD": value})
    assert done.stdout == f"{value}\n--token={TOKEN}\n".encode()
    assert found_in(tmp_path / ".pincite", TOKEN) + found_in(tmp_path / ".pincite", value) == []


IN_PIECES = """
import os, sys, time
for piece in sys.argv[1].split(","):
    os.write(1, bytes.fromhex(piece))
    time.sleep(float(sys.argv[2]))
"""


def pieces_of(text: str, size: int) -> str:
    """Text cut into pieces, as an argument that shows none of it."""
    data = text.encode()
    return ",".join(data[at : at + size].hex() for at in range(0, len(data), size))


@pytest.mark.parametrize("size", [1, 7, 21])
def test_a_secret_that_is_printed_in_pieces_is_nowhere_in_the_store(tmp_path: Path, size: int) -> None:
    text = f"before\nexport TOKEN={TOKEN}\nafter\n"
    pause = "0.7" if size == 21 else "0.01"
    done = capture(tmp_path, sys.executable, "-c", IN_PIECES, pieces_of(text, size), pause)
    assert done.stdout == text.encode()
    assert found_in(tmp_path / ".pincite", TOKEN) == []


@pytest.mark.parametrize("seconds", [0.3, 0.9, 1.5])
def test_a_secret_that_is_half_printed_when_we_are_killed_is_nowhere_in_the_store(
    tmp_path: Path, seconds: float
) -> None:
    text = f"before\nexport TOKEN={TOKEN}\nafter\n"
    child = subprocess.Popen(
        [*PINCITE, "run", "-q", "--", sys.executable, "-c", IN_PIECES, pieces_of(text, 41), "60"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert child.stdout is not None and child.stdout.readline() == b"before\n"
    sleep(seconds)
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate(timeout=60)
    kept_before = found_in(tmp_path / ".pincite", TOKEN)
    assert kept_before == []
    assert capture(tmp_path, "true").returncode == 0
    assert found_in(tmp_path / ".pincite", TOKEN) == []


def test_a_secret_is_not_in_what_is_exported(tmp_path: Path) -> None:
    done = capture(tmp_path, "sh", "-c", f"echo before; echo {TOKEN}", TOKEN)
    assert TOKEN.encode() in done.stdout
    with Root(str(tmp_path)) as root, open_for_writing(root) as captures:
        (chunk,) = captures.chunks(1)
    words = [*PINCITE, "export", chunk.digest[:12], "-o", "bundle"]
    exported = subprocess.run(words, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert exported.returncode == 0, exported.stderr
    assert len(os.listdir(tmp_path / "bundle")) >= 2
    assert found_in(tmp_path / "bundle", TOKEN) == []
