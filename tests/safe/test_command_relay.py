"""A command runs as if nobody stood between: streams, order, exit codes and signals are its own."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pincite.safe.command_output import same_place
from pincite.safe.command_relay import CommandEnd

SOURCE = Path(__file__).resolve().parents[2] / "src"
SECONDS = 30
DRIVER = f"""
import os, sys
sys.path.insert(0, {str(SOURCE)!r})
from pincite.safe.command_relay import leave, relay
log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
terminal = {{"True": True, "False": False}}.get(sys.argv[2])
before = os.listdir("/dev/fd")
ended = relay(sys.argv[3:], lambda data: os.write(log, data), terminal)
after = os.listdir("/dev/fd")
with open(sys.argv[1] + ".end", "w") as stream:
    stream.write(repr((ended.code, ended.signal, ended.trouble, ended.lost, after == before)))
leave(ended)
"""


class Driver:
    """Runs commands through relay() in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"

    def line(self, *command: str, terminal: str = "None") -> list[str]:
        return [sys.executable, "-c", DRIVER, str(self.log), terminal, *command]

    def start(self, *command: str, terminal: str = "None", **options: Any) -> subprocess.Popen[bytes]:
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return subprocess.Popen(self.line(*command, terminal=terminal), **options)

    def run(self, *command: str, given: bytes | None = None, **options: Any) -> tuple[int, bytes, bytes]:
        if given is not None:
            options["stdin"] = subprocess.PIPE
        with self.start(*command, **options) as process:
            try:
                out, err = process.communicate(given, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            return process.returncode, out, err

    @property
    def fed(self) -> bytes:
        return self.log.read_bytes()

    @property
    def end(self) -> CommandEnd:
        return CommandEnd(*ast.literal_eval(Path(f"{self.log}.end").read_text())[:4])


@pytest.fixture
def driver(tmp_path: Path) -> Driver:
    return Driver(tmp_path)


def first_line(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline()


def is_running(pid: int) -> bool:
    """Whether a process is there and not just waiting to be asked how it ended."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], stdout=subprocess.PIPE, check=False).stdout
    return state.strip()[:1] not in (b"", b"Z")


# How it ends


@pytest.mark.parametrize("code", [0, 3, 255])
def test_the_exit_code_is_kept(driver: Driver, code: int) -> None:
    assert driver.run("sh", "-c", f"echo hi; exit {code}") == (code, b"hi\n", b"")
    assert driver.end == CommandEnd(code)
    assert driver.fed == b"hi\n"


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGPIPE])
def test_we_end_by_the_signal_the_command_ended_by(driver: Driver, number: signal.Signals) -> None:
    assert driver.run("sh", "-c", f"echo hi; kill -{number.value} $$") == (-number, b"hi\n", b"")
    assert driver.end == CommandEnd(128 + number, number)


def test_no_such_command(driver: Driver) -> None:
    assert driver.run("no-such-command-\x1b[31m") == (127, b"", b"")
    assert driver.end == CommandEnd(127, trouble="no-such-command-\\u{1b}[31m: command not found")


def test_no_such_path(driver: Driver, tmp_path: Path) -> None:
    assert driver.run(str(tmp_path / "gone"))[0] == 127
    assert "gone: no such file" in driver.end.trouble


@pytest.mark.parametrize("mode", [0o644, None])
def test_what_cannot_be_executed(driver: Driver, tmp_path: Path, mode: int | None) -> None:
    place = tmp_path / "thing"
    if mode is None:
        place.mkdir()
    else:
        place.write_text("#!/bin/sh\n")
        place.chmod(mode)
    assert driver.run(str(place))[0] == 126
    assert driver.end.trouble.endswith("thing: Permission denied")


def test_no_command_at_all(driver: Driver) -> None:
    assert driver.run()[0] == 126
    assert driver.run("")[0] == 127


# Finding it


def test_relative_entries_of_the_path_count(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\necho $0 $1\n")
    (tmp_path / "tool").chmod(0o755)
    for path in (".", "", "/nowhere:"):
        code, out, _ = driver.run("tool", "x", cwd=tmp_path, env={"PATH": path})
        assert (code, out) == (0, b"./tool x\n")


def test_a_file_of_no_format_is_a_script(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("echo script $1\n")
    (tmp_path / "plain").chmod(0o755)
    assert driver.run(str(tmp_path / "plain"), "x")[:2] == (0, b"script x\n")
    (tmp_path / "plain").write_bytes(b"\x01\x00binary\n")
    assert driver.run(str(tmp_path / "plain"))[0] == 126


def test_an_unreadable_place_is_passed_over(driver: Driver, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tool").write_text(f"#!/bin/sh\necho {name}\n")
    (tmp_path / "second" / "tool").chmod(0o755)
    env = {"PATH": f"{tmp_path}/first:{tmp_path}/second"}
    assert driver.run("tool", env=env)[1] == b"second\n"


def test_the_environment_is_the_callers(driver: Driver) -> None:
    _, out, _ = driver.run("/usr/bin/env", env={"A": "1", "LANG": "C"})
    assert sorted(out.split()) == [b"A=1", b"LANG=C"]
    _, out, _ = driver.run("/usr/bin/env", env={"LC_CTYPE": "C.UTF-8"})
    assert out.split() == [b"LC_CTYPE=C.UTF-8"]


# Streams

BOTH = "for i in $(seq 200); do echo out $i; echo err $i >&2; done"


def test_one_place_keeps_the_order(driver: Driver) -> None:
    _, out, _ = driver.run("sh", "-c", BOTH, stderr=subprocess.STDOUT)
    assert out == b"".join(b"out %d\nerr %d\n" % (i, i) for i in range(1, 201))
    assert driver.fed == out


def test_two_places_are_kept_apart(driver: Driver) -> None:
    _, out, err = driver.run("sh", "-c", BOTH)
    assert out == b"".join(b"out %d\n" % i for i in range(1, 201))
    assert err == b"".join(b"err %d\n" % i for i in range(1, 201))
    assert sorted(driver.fed.splitlines()) == sorted((out + err).splitlines())


def test_one_file_opened_once_is_one_place(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as one, path.open("wb") as other, path.open("ab") as add, path.open("ab") as more:
        twin = os.dup(one.fileno())
        assert same_place(one.fileno(), twin)
        os.close(twin)
        assert not same_place(one.fileno(), other.fileno())
        assert not same_place(one.fileno(), add.fileno())
        assert same_place(add.fileno(), more.fileno())
        assert not same_place(one.fileno(), 10**6)


def test_input_from_a_pipe_and_from_a_file(driver: Driver, tmp_path: Path) -> None:
    assert driver.run("cat", given=b"one\ntwo\n")[1] == b"one\ntwo\n"
    (tmp_path / "in").write_bytes(b"first\nsecond\nthird\n")
    with (tmp_path / "in").open("rb") as stream:
        stream.seek(6)
        assert driver.run("sh", "-c", "read x; echo $x; exec cat", stdin=stream)[1] == b"second\nthird\n"


def test_much_output(driver: Driver) -> None:
    code = "import sys\nfor i in range(800): sys.stdout.write(str(i % 10) * 65535 + '\\n')"
    done, out, _ = driver.run(sys.executable, "-c", code)
    assert done == 0
    assert out == b"".join(str(i % 10).encode() * 65535 + b"\n" for i in range(800))
    assert driver.fed == out


def test_a_reader_that_has_seen_enough(driver: Driver) -> None:
    with driver.start("yes") as process:
        assert first_line(process) == b"y\n"
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(SECONDS) == -signal.SIGPIPE
    assert driver.end == CommandEnd(141, 13)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the reader's end is only seen at the next write")
def test_a_command_that_watches_its_reader_sees_it_go(driver: Driver) -> None:
    code = "import select\np = select.poll()\np.register(1, 0)\nprint('hi', flush=True)\np.poll()"
    with driver.start(sys.executable, "-c", code) as process:
        assert first_line(process) == b"hi\n"
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(SECONDS) == 0


def test_an_output_that_does_not_block(driver: Driver) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with driver.start("head", "-c", "3000000", "/dev/zero", stdout=writing) as process:
        os.close(writing)
        time.sleep(0.3)
        got = 0
        while data := os.read(reading, 1 << 16):
            got += len(data)
        assert (process.wait(SECONDS), got) == (0, 3000000)
    os.close(reading)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a disk that is always full")
def test_a_full_disk_is_no_success(driver: Driver) -> None:
    with open("/dev/full", "wb") as full:
        code, _, _ = driver.run("echo", "hi", stdout=full)
    assert code == 1
    assert driver.end == CommandEnd(0, lost="cannot write to standard output: No space left on device")


def test_closed_streams_stay_closed(driver: Driver) -> None:
    code = "import os\nfor i in (0, 1, 2):\n try: os.fstat(i)\n except OSError: os.write(2, b'%d closed;' % i)"
    shell = 'exec "$@" <&- >&-'
    done = subprocess.run(
        ["sh", "-c", shell, "sh", *driver.line(sys.executable, "-c", code)],
        stderr=subprocess.PIPE,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"0 closed;1 closed;")
    assert driver.fed == b"0 closed;1 closed;"


def test_further_descriptors_are_inherited_and_none_is_added(driver: Driver) -> None:
    reading, writing = os.pipe()
    listing = "import os\nprint(*sorted(int(n) for n in os.listdir('/dev/fd') if os.path.exists('/dev/fd/' + n)))"
    _, out, _ = driver.run(sys.executable, "-c", listing, pass_fds=(writing,))
    os.close(reading)
    os.close(writing)
    assert out.split() == [b"0", b"1", b"2", str(writing).encode()]


@pytest.mark.parametrize("command", ["true", "no-such-command"])
@pytest.mark.parametrize("terminal", ["None", "True"])
def test_nothing_of_ours_is_left_open(driver: Driver, command: str, terminal: str) -> None:
    driver.run(command, terminal=terminal)
    assert ast.literal_eval(Path(f"{driver.log}.end").read_text())[4] is True


def test_a_feed_that_fails_disturbs_nothing(tmp_path: Path) -> None:
    code = f"""
import sys
sys.path.insert(0, {str(SOURCE)!r})
from pincite.safe.command_relay import leave, relay
leave(relay(["sh", "-c", "echo one; sleep .1; echo two; exit 5"], lambda data: 1 / 0))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (5, b"one\ntwo\n", b"")


# Processes left behind


def test_a_process_left_behind_is_not_waited_for(driver: Driver, tmp_path: Path) -> None:
    go = tmp_path / "go"
    script = f"(while ! [ -e {go} ]; do sleep .02; done; echo later; echo oops >&2) & echo now"
    with driver.start("sh", "-c", script) as process:
        assert process.wait(SECONDS) == 0
        assert driver.fed == b"now\n"
        go.touch()
        out, err = process.communicate(timeout=SECONDS)
    assert (out, err) == (b"now\nlater\n", b"oops\n")
    assert driver.fed == b"now\n"


def test_a_writer_without_end_left_behind_is_not_waited_for(driver: Driver) -> None:
    with driver.start("sh", "-c", "yes & echo $! >&2", stdout=subprocess.DEVNULL) as process:
        assert process.stderr is not None
        pid = int(process.stderr.readline())
        assert process.wait(SECONDS) == 0
        os.kill(pid, signal.SIGKILL)


def test_what_is_left_behind_holds_no_input(driver: Driver) -> None:
    reading, writing = os.pipe()
    with driver.start("sh", "-c", "sleep 5 <&- & echo $!", stdin=reading) as process:
        os.close(reading)
        pid = int(first_line(process))
        assert process.wait(SECONDS) == 0
        with pytest.raises(BrokenPipeError):
            os.write(writing, b"anyone?")
        os.kill(pid, signal.SIGKILL)
    os.close(writing)


# Signals

COUNTING = """
import signal, sys, time
got = []
for name in ("SIGTERM", "SIGINT", "SIGUSR1", "SIGHUP", "SIGQUIT"):
    signal.signal(getattr(signal, name), lambda number, _: got.append(number))
print("ready", flush=True)
while not got: time.sleep(.01)
time.sleep(.2)
print(got, flush=True)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGUSR1", "SIGHUP", "SIGQUIT"])
def test_a_signal_sent_to_us_reaches_the_command_once(driver: Driver, name: str) -> None:
    number = getattr(signal, name)
    with driver.start(sys.executable, "-c", COUNTING) as process:
        assert first_line(process) == b"ready\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (0, f"[{number.value}]\n".encode(), b"")


def test_a_signal_reaches_the_command_while_nobody_reads(driver: Driver) -> None:
    with driver.start("yes") as process:
        time.sleep(0.5)
        process.terminate()
        assert process.stdout is not None
        process.stdout.read(1 << 20)
        process.communicate(timeout=SECONDS)
    assert process.returncode == -signal.SIGTERM


@pytest.mark.skipif(not hasattr(signal, "sigwaitinfo"), reason="the sender of a signal is not known here")
def test_a_command_that_signals_its_group_is_not_signalled_again(driver: Driver) -> None:
    code = COUNTING.replace("while not", "import os; os.kill(0, signal.SIGUSR1)\nwhile not")
    with driver.start(sys.executable, "-c", code, start_new_session=True) as process:
        out, _ = process.communicate(timeout=SECONDS)
    assert out == f"ready\n[{signal.SIGUSR1.value}]\n".encode()


def test_signals_are_as_they_were_given(driver: Driver) -> None:
    code = """
import signal
print([s.name for s in sorted(signal.valid_signals()) if isinstance(s, signal.Signals)
       and signal.getsignal(s) == signal.SIG_IGN and s.name not in ("SIGPIPE", "SIGXFSZ")],
      signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""
    assert driver.run(sys.executable, "-c", code)[1] == b"[] set()\n"
    assert driver.run("sh", "-c", "kill -PIPE $$; echo survived")[0] == -signal.SIGPIPE
    line = ["sh", "-c", 'trap "" HUP INT; exec "$@"', "sh", *driver.line(sys.executable, "-c", code)]
    done = subprocess.run(line, stdout=subprocess.PIPE, timeout=SECONDS, check=False)
    assert done.stdout == b"['SIGHUP', 'SIGINT'] set()\n"


def test_ignored_children_are_still_waited_for(driver: Driver) -> None:
    ignoring = (
        "import os, signal, sys\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nos.execv(sys.argv[1], sys.argv[1:])"
    )
    line = [sys.executable, "-c", ignoring, *driver.line("sh", "-c", "exit 4")]
    assert subprocess.run(line, timeout=SECONDS, check=False).returncode == 4


def test_killed_outright_we_leave_a_broken_pipe(driver: Driver) -> None:
    with driver.start("sh", "-c", "echo $$; exec yes") as process:
        pid = int(first_line(process))
        process.kill()
        process.wait(SECONDS)
        until = time.monotonic() + SECONDS
        while is_running(pid) and time.monotonic() < until:
            time.sleep(0.01)
        assert not is_running(pid)


# Terminals on demand


def test_a_terminal_where_there_is_none(driver: Driver) -> None:
    code = "import os; print(*(os.isatty(i) for i in (0, 1, 2)))"
    assert driver.run(sys.executable, "-c", code, terminal="True")[1] == b"False True True\n"
    assert driver.run(sys.executable, "-c", code)[1] == b"False False False\n"


def test_a_terminal_on_demand_keeps_the_order(driver: Driver) -> None:
    _, out, _ = driver.run("sh", "-c", BOTH, stderr=subprocess.STDOUT, terminal="True")
    assert out == b"".join(b"out %d\nerr %d\n" % (i, i) for i in range(1, 201))


def test_a_terminal_on_demand_whose_reader_has_seen_enough(driver: Driver) -> None:
    with driver.start("yes", terminal="True", stderr=subprocess.DEVNULL) as process:
        assert first_line(process) == b"y\n"
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(SECONDS) != 0
