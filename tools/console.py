"""Runs the commands that the documentation shows, and compares what they print with what it says they print.

    python tools/console.py [FILE]...    write what the commands print now into the blocks that differ

In a `console` block, a line that starts with `$ ` is a command, `> ` continues it, and the lines below it are its
output; a command without output below it only has to run. `…` stands for anything within a line, and alone on a line
for any number of lines. A `file` comment before a block saves the block under that name. Every document starts in a
fresh copy of the example repository, or in an empty folder if it says so:

    <!-- file: src/app.py -->
    <!-- starts in an empty folder -->
    <!-- starts in the playground -->
    <!-- starts in the example fleet -->
    <!-- has a PostgreSQL server -->
    <!-- has the example paper as gauges.pdf -->
    <!-- has the example topic -->
    <!-- not run: needs the network -->
    <!-- not run: makes the folder that the commands run in -->
    <!-- not run: serves until it is interrupted -->

The playground is what `examples/demo.py --playground DIR` makes: the example repository with something for every part.
The example fleet is what `examples/fleet.py DIR` makes: ten repositories. The server is a new one for each document;
`postgresql://owner@localhost/NAME` leads to it. `export NAME=VALUE` counts for what follows.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
EMPTY = "<!-- starts in an empty folder -->"
PLAYGROUND = "<!-- starts in the playground -->"
FLEET = "<!-- starts in the example fleet -->"
DATABASE = "<!-- has a PostgreSQL server -->"
NOT_RUN = "<!-- not run: needs the network -->"
MAKES_FOLDER = "<!-- not run: makes the folder that the commands run in -->"
SERVES = "<!-- not run: serves until it is interrupted -->"
TOPIC = "<!-- has the example topic -->"
_PAPER = re.compile(r"<!-- has the example paper as (\S+) -->")
_FENCE = re.compile(r"^(?P<indent> *)```(?P<kind>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```[ ]*$", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"export ([A-Z_]+)=(\S+)")
_FILE = re.compile(r"<!-- file: (\S+) -->\s*\Z")


@dataclass
class Command:
    """One command as shown, and where its output stands in the document."""

    line: int
    text: str
    shown: list[str] = field(default_factory=list)
    skipped: bool = False
    start: int = 0
    end: int = 0
    indent: str = ""


@dataclass
class Saved:
    """A block that the reader is asked to save."""

    line: int
    name: str
    text: str


@dataclass
class Ran:
    """A command with what it did."""

    command: Command
    code: int
    output: str


def read(document: str) -> list[Command | Saved]:
    """The steps of a document, in order."""
    steps: list[Command | Saved] = []
    for match in _FENCE.finditer(document):
        before = document[: match.start()].rstrip()
        line = document.count("\n", 0, match.start("body")) + 1
        named = _FILE.search(before)
        if named:
            body = match["body"]
            steps.append(Saved(line, named[1], re.sub(f"^{match['indent']}", "", body, flags=re.MULTILINE)))
        elif match["kind"].strip() == "console":
            steps += _commands(match, line, before.endswith((NOT_RUN, MAKES_FOLDER, SERVES)))
    return steps


def _commands(block: re.Match[str], line: int, skipped: bool) -> list[Command]:
    found: list[Command] = []
    at = block.start("body")
    indent = block["indent"]
    for number, whole in enumerate(block["body"].splitlines(keepends=True), line):
        text = whole.removeprefix(indent).rstrip("\n")
        at += len(whole)
        if text.startswith("$ "):
            found.append(Command(number, text[2:], skipped=skipped, start=at, end=at, indent=indent))
        elif not found:
            raise ValueError(f"line {number}: a console block starts with a command")
        elif text.startswith("> ") and not found[-1].shown:
            found[-1].text += "\n" + text[2:]
            found[-1].start = found[-1].end = at
        else:
            found[-1].shown.append(text)
            found[-1].end = at
    return found


def agrees(shown: list[str], output: str) -> bool:
    """Whether the output is what is shown, but for spaces at line ends; showing nothing promises nothing."""
    if not shown:
        return True
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n" for line in shown
    )
    printed = "".join(line.rstrip() + "\n" for line in output.splitlines())
    return re.fullmatch(pattern, printed) is not None


class Session:
    """A shell in a scratch folder: `pincite` and `python` of this checkout, nothing of the user's settings."""

    def __init__(self, folder: Path) -> None:
        self.start = self.folder = folder / "work"
        self._code = 0
        self._where = folder / "where"
        home, programs = folder / "home", folder / "bin"
        home.mkdir()
        programs.mkdir()
        _program(programs / "pincite", f'exec "{sys.executable}" -m pincite "$@"')
        _program(
            programs / "aiwg", f'exec "{sys.executable}" -c "from pincite.doors.cli.aiwg import main; main()" "$@"'
        )
        _program(programs / "python", f'exec "{sys.executable}" "$@"')
        self.env = {
            "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(TOP / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "100",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": "2026-03-01T12:00:00+00:00",
            "GIT_COMMITTER_DATE": "2026-03-01T12:00:00+00:00",
            "PRE_COMMIT_HOME": str(folder / "pre-commit"),
        }

    def run(self, text: str) -> tuple[int, str]:
        """Exit code and output, both streams together; the folder and `$?` carry over to the next command."""
        script = f'(exit {self._code})\n{text}\ncode=$?\npwd >"$WHERE"\nexit $code\n'
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env={**self.env, "WHERE": str(self._where)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        self._code = done.returncode
        if exported := _EXPORT.fullmatch(text):
            self.env[exported[1]] = exported[2]
        if self._where.exists():
            self.folder = Path(self._where.read_text().rstrip("\n"))
        return done.returncode, done.stdout.decode()

    def save(self, step: Saved) -> None:
        """Write a block to its file."""
        path = self.folder / step.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step.text, encoding="utf-8")


def perform(document: str, folder: Path) -> list[Ran]:
    """Do what a document tells its reader to do, in a scratch folder."""
    session = Session(folder)
    session.start.mkdir()
    if FLEET in document:
        subprocess.run(
            [sys.executable, str(TOP / "examples" / "fleet.py"), str(session.start)], check=True, timeout=120
        )
    elif EMPTY not in document:
        how = "--playground" if PLAYGROUND in document else "--build"
        build = [sys.executable, str(TOP / "examples" / "demo.py"), how, str(session.start)]
        subprocess.run(build, check=True, timeout=120)
    paper = _PAPER.search(document)
    if paper:
        write = [sys.executable, str(TOP / "examples" / "paper.py"), str(session.start / paper[1])]
        subprocess.run(write, check=True, timeout=120)
    if TOPIC in document:
        copy = [sys.executable, str(TOP / "examples" / "topic.py"), str(session.start)]
        subprocess.run(copy, check=True, timeout=120)
    with _running_database(session) if DATABASE in document else nullcontext():
        ran = []
        for step in read(document):
            if isinstance(step, Saved):
                session.save(step)
            elif not step.skipped:
                ran.append(Ran(step, *session.run(step.text)))
    return ran


@contextmanager
def _running_database(session: Session) -> Iterator[None]:
    """A PostgreSQL server that the commands of a session find without naming its port."""
    sys.path.append(str(TOP / "tests"))
    from support_postgres import running_server

    with running_server() as server:
        path = os.pathsep.join([session.env["PATH"], server.binaries])
        session.env |= {"PGHOST": "127.0.0.1", "PGPORT": str(server.port), "PGUSER": "owner", "PATH": path}
        yield


def renewed(document: str, ran: list[Ran]) -> str:
    """The document with the outputs that differ replaced."""
    for done in reversed(ran):
        command = done.command
        if not agrees(command.shown, done.output):
            output = "".join(f"{command.indent}{line}".rstrip() + "\n" for line in done.output.splitlines())
            document = document[: command.start] + output + document[command.end :]
    return document


def _program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def main(names: list[str]) -> None:
    """Renew the named documents."""
    for name in names:
        path = Path(name)
        document = path.read_text(encoding="utf-8")
        folder = Path(tempfile.mkdtemp())
        try:
            new = renewed(document, perform(document, folder))
        finally:
            shutil.rmtree(folder)
        if new != document:
            path.write_text(new, encoding="utf-8")
            print(f"renewed {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
