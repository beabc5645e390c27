"""A command at a terminal: it has one of its own, and the person at ours cannot tell."""

from __future__ import annotations

import ast
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
SECONDS = 20.0
DRIVER = f"""
import os, sys
sys.path.insert(0, {str(SOURCE)!r})
from pincite.safe.command_relay import leave, relay
log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
before = os.listdir("/dev/fd")
ended = relay(sys.argv[2:], lambda data: os.write(log, data))
after = os.listdir("/dev/fd")
with open(sys.argv[1] + ".end", "w") as stream:
    stream.write(repr((ended.code, ended.signal, after == before)))
leave(ended)
"""
PROMPT = b"outer> "


def is_readable(descriptor: int, seconds: float) -> bool:
    """Whether there is something to read in time; unlike `select`, `poll` takes any descriptor."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


class Screen:
    """A terminal with a program on it, and somebody who types and reads."""

    def __init__(self, *command: str, rows: int = 30, columns: int = 90) -> None:
        self.seen = b""
        self.read = 0
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                os.environ.update(PS1=PROMPT.decode(), TERM="xterm", PYTHON_BASIC_REPL="1", ENV="")
                os.execvp(command[0], command)
            finally:
                os._exit(99)

    def expect(self, pattern: bytes, seconds: float = SECONDS) -> bytes:
        """Read until something shows that was not expected before; gives everything up to it."""
        until = time.monotonic() + seconds
        while not (found := re.compile(pattern).search(self.seen, self.read)):
            ready = is_readable(self.master, max(0.0, until - time.monotonic()))
            assert ready, f"{pattern!r} did not show: {self.seen[self.read :]!r}"
            try:
                data = os.read(self.master, 65536)
            except OSError:
                data = b""
            assert data, f"ended before {pattern!r}: {self.seen[self.read :]!r}"
            self.seen += data
        before = self.seen[self.read : found.end()]
        self.read = found.end()
        return before

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def settings(self) -> list[object]:
        settings: list[object] = termios.tcgetattr(self.master)
        return settings

    def is_raw(self) -> bool:
        return not termios.tcgetattr(self.master)[3] & termios.ICANON

    def until_raw(self, raw: bool = True) -> None:
        until = time.monotonic() + SECONDS
        while self.is_raw() != raw and time.monotonic() < until:
            time.sleep(0.005)
        assert self.is_raw() == raw

    def below(self) -> list[tuple[str, bool]]:
        """Every process below the program: its name, and whether it is stopped."""
        shown = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat=,comm="], capture_output=True, text=True, check=True)
        rows = [row.split(None, 3) for row in shown.stdout.splitlines()]
        family, found = {str(self.pid)}, []
        # A child may be listed before its parent: go on until no other belongs to them.
        while more := [row for row in rows if row[1] in family and row[0] not in family]:
            family.update(row[0] for row in more)
            found += [(os.path.basename(row[3]), row[2].startswith("T")) for row in more]
        return found

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition, however long a busy machine takes."""
        until = time.monotonic() + SECONDS
        while not condition() and time.monotonic() < until:
            time.sleep(0.02)
        assert condition(), self.below()

    def until_running(self, name: str) -> None:
        """Wait until a program below runs and is not stopped."""
        self.until(lambda: (name, False) in self.below())

    def until_stopped(self) -> None:
        """Wait until a process below is stopped."""
        self.until(lambda: any(stopped for _, stopped in self.below()))

    def finish(self) -> int:
        """Everything that still shows, and the status of the program."""
        until = time.monotonic() + SECONDS
        while True:
            ready = is_readable(self.master, max(0.0, until - time.monotonic()))
            assert ready, f"it does not end: {self.seen[self.read :]!r}"
            try:
                data = os.read(self.master, 65536)
            except OSError:
                data = b""
            if not data:
                break
            self.seen += data
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        os.close(self.master)
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


class Desk:
    """Screens on which commands run through relay(), alone or from a shell with job control."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"
        self.screens: list[Screen] = []
        self.tool = folder / "through"
        self.tool.write_text(f"#!{sys.executable}\n{DRIVER}")
        self.tool.chmod(0o755)

    def run(self, *command: str) -> Screen:
        return self._add(Screen(str(self.tool), str(self.log), *command))

    def shell(self, *options: str) -> Screen:
        screen = self._add(Screen("bash", "--norc", "--noprofile", *(options or ("--noediting",)), "-i"))
        screen.expect(PROMPT)
        return screen

    def line(self, *command: str) -> str:
        return " ".join([str(self.tool), str(self.log), *command])

    def _add(self, screen: Screen) -> Screen:
        self.screens.append(screen)
        return screen

    @property
    def fed(self) -> bytes:
        return self.log.read_bytes()

    @property
    def end(self) -> tuple[int, int, bool]:
        end: tuple[int, int, bool] = ast.literal_eval(Path(f"{self.log}.end").read_text())
        return end


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    for screen in desk.screens:
        screen.close()


needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="needs a shell with job control")
TERMINALS = "import os; print('tty', *(os.isatty(i) for i in (0, 1, 2)))"


def script(folder: Path, name: str, code: str) -> str:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{code}\n")
    path.chmod(0o755)
    return str(path)


# What the command finds


def test_all_streams_are_terminals(desk: Desk) -> None:
    screen = desk.run(sys.executable, "-c", TERMINALS + "; print(os.tcgetpgrp(0) == os.getpgrp())")
    assert screen.finish() == 0
    assert screen.seen == b"tty True True True\r\nTrue\r\n"
    assert desk.fed == screen.seen
    assert desk.end == (0, 0, True)


@needs_bash
@pytest.mark.parametrize(
    ("around", "terminals"),
    [
        ("{} </dev/null", b"tty False True True"),
        ("true | {}", b"tty False True True"),
        ("{} 2>/dev/null", b"tty True True False"),
        ("{} | cat", b"tty True False True"),
        ("{} > out; cat out", b"tty True False True"),
        ("{} 2>&1 | cat", b"tty True False False"),
        ("true | {} | cat", b"tty False False True"),
    ],
)
def test_exactly_the_right_streams_are_terminals(desk: Desk, tmp_path: Path, around: str, terminals: bytes) -> None:
    tool = script(tmp_path, "terminals", TERMINALS)
    screen = desk.shell()
    screen.type(f"cd {tmp_path}; {around.format(desk.line(tool))}\n")
    screen.expect(terminals + b"\r+\n")
    screen.expect(PROMPT)
    assert terminals in desk.fed
    assert not screen.is_raw()


def test_colours_pass(desk: Desk) -> None:
    screen = desk.run("sh", "-c", r"printf '\033[31mred\033[0m\n'")
    assert screen.finish() == 0
    assert desk.fed == screen.seen == b"\x1b[31mred\x1b[0m\r\n"


def test_the_size_of_the_window_and_its_change(desk: Desk) -> None:
    code = "import os, signal\nsignal.signal(signal.SIGWINCH, lambda *_: print(*os.get_terminal_size(1), flush=True))\n"
    screen = desk.run(sys.executable, "-c", code + "print(*os.get_terminal_size(1), flush=True)\ninput()")
    screen.expect(b"90 30\r\n")
    screen.resize(40, 120)
    screen.expect(b"120 40\r\n")
    screen.type("\r")
    assert screen.finish() == 0


@needs_bash
def test_the_size_of_the_window_where_only_errors_show(desk: Desk, tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, time\nsay = lambda *_: print(*os.get_terminal_size(2), file=sys.stderr, flush=True)\n"
    )
    code += "signal.signal(signal.SIGWINCH, say)\nsay()\nwhile True: time.sleep(1)"
    screen = desk.shell()
    screen.type(desk.line(script(tmp_path, "size", code)) + " | cat\n")
    screen.expect(b"90 30\r\n")
    screen.resize(40, 120)
    screen.expect(b"120 40\r\n")
    screen.type("\x03")
    screen.expect(PROMPT)


@pytest.mark.parametrize(("ending", "code"), [("exit 3", 3), ("kill -9 $$", -9), ("kill -TERM $$", -15)])
def test_how_it_ends(desk: Desk, ending: str, code: int) -> None:
    assert desk.run("sh", "-c", ending).finish() == code


@pytest.mark.parametrize(("name", "code"), [("no-such-command", 127), ("/", 126)])
def test_what_cannot_be_started(desk: Desk, name: str, code: int) -> None:
    screen = desk.run(name)
    assert (screen.finish(), screen.seen) == (code, b"")
    assert desk.end == (code, 0, True)


def test_much_output_is_complete(desk: Desk) -> None:
    screen = desk.run("seq", "200000")
    assert screen.finish() == 0
    assert screen.seen == b"".join(b"%d\r\n" % i for i in range(1, 200001))
    assert desk.fed == screen.seen


# Keys


def test_ctrl_c_ends_the_command_and_not_us(desk: Desk) -> None:
    screen = desk.run("sh", "-c", "echo ready; exec sleep 60")
    before = screen.settings()
    screen.expect(b"ready")
    screen.type("\x03")
    assert screen.finish() == -signal.SIGINT
    assert desk.end[:2] == (130, 2)
    assert b"^C" in screen.seen
    assert before


def test_a_line_is_read_and_ctrl_d_ends_it(desk: Desk) -> None:
    screen = desk.run("sh", "-c", 'read x; echo "got $x"; cat; echo end')
    screen.until_raw()
    screen.type("hello\r")
    screen.expect(b"got hello\r\n")
    screen.type("more\r")
    screen.expect(b"more\r\nmore\r\n")
    screen.type("\x04")
    screen.expect(b"end\r\n")
    assert screen.finish() == 0


def test_much_is_typed_at_once(desk: Desk) -> None:
    screen = desk.run("sh", "-c", "stty -echo; echo ready; sleep .2; wc -c")
    screen.expect(b"ready")
    for _ in range(100):
        screen.type("x" * 99 + "\r")
    screen.type("\x04")
    screen.expect(b"10000\r\n")
    assert screen.finish() == 0


@needs_bash
def test_our_terminal_is_raw_only_meanwhile(desk: Desk) -> None:
    screen = desk.shell()
    before = screen.settings()
    for ending in ("exit 0", "kill -9 $$"):
        screen.type(desk.line("sh", "-c", f"'echo rea''dy; read x; {ending}'") + "\n")
        screen.expect(b"ready\r\n")
        screen.until_raw()
        screen.type("\r")
        screen.expect(PROMPT)
        assert screen.settings() == before


@needs_bash
def test_ctrl_z_and_back(desk: Desk) -> None:
    screen = desk.shell()
    before = screen.settings()
    screen.type(desk.line("sh", "-c", '\'echo rea""dy; read x; echo "got $x"\'') + "\n")
    screen.expect(b"ready\r\n")
    for _ in range(2):
        screen.until_raw()
        screen.type("\x1a")
        screen.expect(rb"Stopped")
        screen.expect(PROMPT)
        assert screen.settings() == before
        screen.type("fg\n")
        screen.expect(b"through")
    screen.until_raw()
    screen.type("word\r")
    screen.expect(b"got word\r\n")
    screen.expect(PROMPT)
    screen.type("echo code $?\n")
    screen.expect(b"code 0")


@needs_bash
@pytest.mark.parametrize("around", ["{} | cat", "true | {}", "{} 2>&1 | cat"])
def test_ctrl_z_and_ctrl_c_with_others_at_the_terminal(desk: Desk, around: str) -> None:
    screen = desk.shell()
    command = desk.line("sh", "-c", '\'echo rea""dy; sleep 60; echo n""ever\'')
    screen.type(around.format(command) + "\n")
    screen.expect(b"ready\r+\n")
    screen.until_running("sleep")  # A shell stopped halfway into starting a command hangs, with us or without.
    screen.type("\x1a")
    screen.expect(rb"Stopped")
    screen.expect(PROMPT)
    screen.type("fg\n")
    screen.expect(b"through")
    screen.until_running("sleep")
    screen.type("\x03")
    screen.expect(PROMPT)
    screen.type("echo still h''ere\n")
    assert b"never" not in screen.expect(b"still here")
    assert desk.end[:2] == (130, 2)


@needs_bash
def test_ctrl_z_while_nobody_reads(desk: Desk) -> None:
    screen = desk.shell()
    screen.type(f"{desk.line('yes')} | (sleep 60; cat) \n")
    screen.until_running("yes")
    screen.until_running("sleep")
    time.sleep(0.5)  # The pipe fills up meanwhile; where it has not, the test holds as well.
    screen.type("\x1a")
    screen.expect(rb"Stopped")
    screen.expect(PROMPT)
    screen.type("fg\n")
    screen.until_running("yes")
    screen.type("\x03")
    screen.expect(PROMPT)
    screen.type("echo still h''ere\n")
    screen.expect(b"still here")


@needs_bash
def test_in_the_background_the_terminal_is_left_alone(desk: Desk) -> None:
    screen = desk.shell()
    before = screen.settings()
    screen.type(desk.line("sh", "-c", '\'echo sta""rted; sleep .3; echo d""one\'') + " &\n")
    screen.expect(b"started\r+\n")
    assert screen.settings() == before
    screen.type("echo sh''ell\n")
    screen.expect(b"shell\r\n")
    screen.expect(b"done\r+\n")
    assert screen.settings() == before


@needs_bash
def test_in_the_background_it_waits_for_the_front_to_read(desk: Desk) -> None:
    screen = desk.shell()
    screen.type(desk.line("sh", "-c", "'read x; echo \"got $x\"'") + " &\n")
    screen.expect(PROMPT)
    screen.until_stopped()
    screen.type("\n")
    screen.expect(rb"Stopped")
    screen.type("fg\n")
    screen.expect(b"through")
    screen.until_raw()
    screen.type("word\r")
    screen.expect(b"got word\r\n")
    screen.expect(PROMPT)


@needs_bash
@pytest.mark.skipif(bool(os.environ.get("CI")), reason="depends on when the shell prints its prompt; run it by hand")
def test_begun_while_a_shell_edits_its_line_it_finds_an_ordinary_terminal_in_front(desk: Desk) -> None:
    screen = desk.shell("--norc")
    screen.type(desk.line("sh", "-c", "'read x; echo \"got $x\"'") + " &\r")
    screen.expect(PROMPT)
    screen.until_stopped()
    screen.type("\r")
    screen.expect(rb"Stopped")
    screen.type("fg\r")
    screen.expect(b"through")
    screen.until_raw()
    screen.type("word\r")
    screen.expect(b"word\r\n")
    screen.expect(b"got word\r\n")
    screen.expect(PROMPT)


@needs_bash
def test_keys_are_read_from_the_terminal_although_a_pipe_leads_in(desk: Desk) -> None:
    screen = desk.shell()
    command = desk.line("sh", "-c", "'read a; read b < /dev/tty; echo \"got $a $b\"'")
    screen.type(f"echo piped | {command}\n")
    screen.until_raw()
    screen.type("typed\r")
    screen.expect(b"got piped typed\r+\n")
    screen.expect(PROMPT)
    assert not screen.is_raw()


# Signals


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGUSR1"])
def test_a_signal_sent_to_us_reaches_the_command_once(desk: Desk, name: str) -> None:
    number = getattr(signal, name)
    code = "import signal, time\ngot = []\n"
    code += f"signal.signal({number.value}, lambda n, _: got.append(n))\nprint('ready', flush=True)\n"
    code += "while not got: time.sleep(.01)\ntime.sleep(.2)\nprint(got, flush=True)"
    screen = desk.run(sys.executable, "-c", code)
    screen.expect(b"ready")
    os.kill(screen.pid, number)
    screen.expect(f"\\[{number.value}\\]\r\n".encode())
    assert screen.finish() == 0


@needs_bash
def test_killed_outright_we_leave_a_hangup_and_a_sane_terminal(desk: Desk, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    code = "import os, signal, time\ndef hear(*_):\n    "
    code += f"open({str(heard)!r}, 'w').close()\n    os._exit(0)\n"
    code += "signal.signal(signal.SIGHUP, hear)\nprint('parent', os.getppid(), flush=True)\ntime.sleep(60)"
    screen = desk.shell()
    before = screen.settings()
    screen.type(f"sh -c 'echo p''id $$; exec {desk.line(script(tmp_path, 'hear', code))}'\n")
    pid = int(screen.expect(rb"pid \d+\r\n").split()[-1])
    screen.expect(rb"parent \d+\r\n")
    screen.until_raw()
    os.kill(pid, signal.SIGKILL)
    screen.expect(PROMPT)
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and not (heard.exists() and screen.settings() == before):
        time.sleep(0.01)
    assert heard.exists()
    assert screen.settings() == before


@needs_bash
def test_a_process_left_behind_is_not_waited_for(desk: Desk, tmp_path: Path) -> None:
    go = tmp_path / "go"
    screen = desk.shell()
    inner = f'(while ! [ -e {go} ]; do sleep .02; done; echo la""ter) & echo n""ow'
    screen.type(desk.line("sh", "-c", f"'{inner}'") + "\n")
    screen.expect(b"now\r+\n")
    screen.expect(PROMPT)
    go.touch()
    screen.expect(b"later\r+\n")
    assert desk.fed == b"now\r\n"


# Real programs


def test_an_interpreter(desk: Desk) -> None:
    screen = desk.run(sys.executable, "-q", "-i")
    screen.expect(b">>> ")
    screen.type("6 * 7\r")
    screen.expect(b"42\r\n")
    screen.expect(b">>> ")
    # An interrupt between a prompt and the wait for its answer is lost by the interpreter:
    # it is sent when the statement is known to run.
    screen.type("print('run' + 'ning'); import time; time.sleep(600)\r")
    screen.expect(b"running\r\n")
    screen.type("\x03")
    screen.expect(b"KeyboardInterrupt")
    screen.expect(b">>> ")
    screen.type("exit(7)\r")
    assert screen.finish() == 7
    assert b"42\r\n" in desk.fed


@needs_bash
def test_a_shell_with_jobs_of_its_own(desk: Desk) -> None:
    screen = desk.run("bash", "--norc", "--noprofile", "-i")
    screen.expect(PROMPT)
    screen.type("sleep 60\r")
    screen.until_running("sleep")
    screen.type("\x1a")
    screen.expect(b"Stopped")
    screen.expect(PROMPT)
    screen.type("fg\r")
    screen.until_running("sleep")
    screen.type("\x03")
    screen.expect(PROMPT)
    screen.type("exit 5\r")
    assert screen.finish() == 5


@pytest.mark.skipif(not shutil.which("less"), reason="needs less")
def test_a_pager(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("".join(f"line {i}\n" for i in range(1000)))
    screen = desk.run("less", str(tmp_path / "text"))
    screen.expect(b"line 5\r?\n")
    screen.type("G")
    screen.expect(b"line 999")
    screen.type("q")
    assert screen.finish() == 0


@needs_bash
@pytest.mark.skipif(not shutil.which("less"), reason="needs less")
def test_a_pager_after_us_keeps_its_keys(desk: Desk) -> None:
    screen = desk.shell()
    screen.type(f"{desk.line('seq', '5000')} | less\n")
    screen.expect(b"\n20\r?\n")
    screen.type("G")
    screen.expect(b"5000")
    screen.type("q")
    screen.expect(PROMPT)


@needs_bash
@pytest.mark.skipif(not shutil.which("less"), reason="needs less")
def test_a_pager_through_us_after_a_pipe(desk: Desk) -> None:
    screen = desk.shell()
    screen.type(f"seq 5000 | {desk.line('less')}\n")
    screen.expect(b"\n20\r*\n")
    screen.type("G")
    screen.expect(b"5000")
    screen.type("q")
    screen.expect(PROMPT)
    assert not screen.is_raw()


@pytest.mark.skipif(not shutil.which("vi"), reason="needs vi")
def test_an_editor(desk: Desk, tmp_path: Path) -> None:
    screen = desk.run("vi", "-u", "NONE", str(tmp_path / "text"))
    screen.expect(b"text")
    time.sleep(0.3)
    screen.type("ihello\x1b")
    time.sleep(0.2)
    screen.type(":wq\r")
    assert screen.finish() == 0
    assert (tmp_path / "text").read_text() == "hello\n"


@pytest.mark.skipif(not shutil.which("ed"), reason="needs ed")
def test_a_line_editor(desk: Desk, tmp_path: Path) -> None:
    screen = desk.run("ed", "-p*", str(tmp_path / "text"))
    screen.expect(rb"\*")
    screen.type("a\rhello\r.\rw\rq\r")
    assert screen.finish() == 0
    assert (tmp_path / "text").read_text() == "hello\n"


def test_nothing_is_left_running(desk: Desk) -> None:
    mark = f"60.{os.getpid()}"
    screen = desk.run("sh", "-c", f"echo ready; exec sleep {mark}")
    screen.expect(b"ready")
    screen.type("\x03")
    screen.finish()
    listing = subprocess.run(["ps", "-A", "-o", "args="], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert not [line for line in listing.splitlines() if mark in line or str(desk.log) in line]
