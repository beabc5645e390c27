"""Kill fixes at random moments, and see that every document is old or new and nothing is left behind.

    python tests/history/crash.py [--kills 200] [--faults N] [--parallel 20] [--documents 500] [--seed N] [--folder DIR]

Each trial runs `pincite fix --write` on a repository whose documents cite a file that was moved by some lines, and
kills it with SIGKILL. Afterwards every document must be, byte for byte, what it was or what an undisturbed run makes of
it, and the next run must finish the work and leave no temporary file anywhere. Then a fault is put at every system call
by which files are written: the run is killed there, interrupted there, or told that the call failed. At last several
processes fix the same tree at once, and several change the same documents at once. Exit code 1 where anything was lost.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import perf_counter, sleep
from types import ModuleType

SOURCE = Path(__file__).resolve().parents[2] / "src"
PINCITE = (sys.executable, "-m", "pincite")
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(SOURCE),
    "NO_COLOR": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}
WAYS = ("plain", "bracket", "link", "frontmatter", "mixed")
"""How a document cites."""
CODE = "".join(f"def step_{number}(value):\n    return value * {number}\n\n\n" for number in range(1, 60))
SHIFT = "# Steps, one after the other.\nfrom __future__ import annotations\n\n"
BOM = b"\xef\xbb\xbf"
PATIENCE = 120.0
AT_ONCE = 10
"""How many changes each of several writers makes to the same documents."""


class Lost(Exception):
    """Something did not survive."""


def demand(condition: object, what: str) -> None:
    """Raise Lost where a condition does not hold."""
    if not condition:
        raise Lost(what)


def support() -> ModuleType:
    """The faults that can be put at system calls."""
    spec = spec_from_file_location("support_faults", Path(__file__).parents[1] / "support_faults.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def citing(number: int) -> bytes:
    """A document that cites some lines of the code, with one of several ways to end lines, to begin and to end."""
    way = WAYS[number % len(WAYS)]
    first = 4 * (number % 50) + 1
    rows = [f"# Note {number}", "", "Grüße, 世界 🎈."]
    if way in ("plain", "mixed"):
        rows.append(f"A step begins at `src/app.py:{first}`, and src/app.py:{first + 4} comes next.")
    if way in ("bracket", "mixed"):
        rows.append(f"It multiplies 【F:src/app.py†L{first}-L{first + 1}】.")
    if way in ("link", "mixed"):
        rows.append(f"See [the step](/src/app.py#L{first}-L{first + 1}).")
    if way == "frontmatter":
        snippet = f"def step_{number % 50 + 1}(value):"
        head = ["---", f"id: note-{number}", "citations:", "  - path: src/app.py  # kept", f"    line: {first}"]
        rows = [*head, f'    snippet: "{snippet}"', "---", *rows]
    end = ("\n", "\r\n")[number // 5 % 2]
    text = end.join(rows) + ("" if number // 10 % 3 == 1 else end)
    return (BOM if number // 10 % 4 == 3 else b"") + text.encode()


def key_of(number: int) -> str:
    """Where a document lies: some in the root, some deep, one by a name as long as names get."""
    if number == 7:
        return f"docs/{'n' * 252}.md"
    folder = ("", "docs/", "docs/guide/", "notes/a b/ü/")[number % 4]
    return f"{folder}note-{number}.md"


def git(folder: Path, *words: str) -> None:
    """Run git in a folder, in nobody's name."""
    names = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "gc.auto=0", "-c", "core.autocrlf=false")
    subprocess.run(["git", *names, *words], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)


def leftovers(folder: Path) -> list[str]:
    """Every temporary file below a folder, however it is called."""
    found = []
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        found += [os.path.join(here, name) for name in names if name.endswith("~")]
    return found


class Fixing:
    """The command at work on a folder, in a process group of its own."""

    def __init__(self, folder: Path, forked: bool) -> None:
        reading, writing = os.pipe()
        self._said = os.fdopen(reading, "rb")
        self._status: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            code: object = 70
            try:
                os.setsid()
                os.chdir(folder)
                nothing = os.open(os.devnull, os.O_RDWR)
                for standard, source in enumerate((nothing, nothing, writing)):
                    os.dup2(source, standard)
                if not forked:
                    os.execve(PINCITE[0], [*PINCITE, "fix", "--write"], ENVIRONMENT)
                from pincite.doors.cli.main import main

                main(["fix", "--write"])
            except SystemExit as end:
                code = end.code or 0
            finally:
                sys.stderr.flush()
                os._exit(code if isinstance(code, int) else 70)
        os.close(writing)

    def ended(self) -> bool:
        """Whether it is over."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status is not None

    def kill(self) -> bool:
        """End it and all its children at once; False where it had ended before."""
        if not self.ended():
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                # It was only just forked, and has neither a group of its own nor children.
                os.kill(self.pid, signal.SIGKILL)
        return self.end()[0] == -signal.SIGKILL

    def end(self) -> tuple[int, str]:
        """Wait until it is over: the exit code, and what it said."""
        with self._said:
            said = self._said.read().decode(errors="replace")
        while not self.ended():
            sleep(0.0005)
        assert self._status is not None
        return self._status, said


def _import_all(folder: Path) -> None:
    """Run the command here without --write, so that no child has to import anything."""
    from pincite.doors.cli.main import main

    with redirect_stdout(_text()), redirect_stderr(_text()), suppress(SystemExit):
        main(["fix", "--no-cache", "--root", str(folder), str(folder)])


def _text() -> io.TextIOWrapper:
    """A stream like the standard ones that goes nowhere."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")


def _read(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


class Tree:
    """A repository with documents whose citations moved, and what they become."""

    def __init__(self, folder: Path, documents: int, forked: bool = False) -> None:
        self.folder = folder
        self.forked = forked
        """Whether the command is run in children of this process, which takes less time."""
        self.keys = [key_of(number) for number in range(documents)]
        self.old = {key: citing(number) for number, key in enumerate(self.keys)}
        (folder / "src").mkdir(parents=True)
        (folder / "src/app.py").write_text(CODE)
        for key, data in self.old.items():
            place = folder / key
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            place.chmod((0o644, 0o600, 0o755)[len(key) % 3])
        git(folder, "init", "--quiet")
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", "Notes")
        (folder / "src/app.py").write_text(SHIFT + CODE)
        git(folder, "commit", "--quiet", "-a", "-m", "Shift")
        if forked:
            _import_all(folder)
        code, said = self.start().end()
        demand(code == 0, f"an undisturbed run failed: {said}")
        self.new = {key: (folder / key).read_bytes() for key in self.keys}
        unfixed = [key for key in self.keys if self.new[key] == self.old[key]]
        demand(not unfixed, f"{len(unfixed)} documents were not fixed: {unfixed[:3]}")
        demand(not leftovers(folder), "an undisturbed run left something behind")
        self.reset()

    def start(self) -> Fixing:
        """Begin to fix everything."""
        return Fixing(self.folder, self.forked)

    def reset(self) -> None:
        """Put the old documents back."""
        for key, data in self.old.items():
            if (self.folder / key).read_bytes() != data:
                (self.folder / key).write_bytes(data)

    def examine(self, documents: int | None = None) -> int:
        """See that every document, or every one of the first, is old or new, with its mode; how many are new."""
        new = 0
        for number, key in enumerate(self.keys[:documents]):
            place = self.folder / key
            found = place.read_bytes()
            demand(found in (self.old[key], self.new[key]), f"{key} (document {number}) is neither old nor new")
            demand(place.stat().st_mode & 0o7777 == (0o644, 0o600, 0o755)[len(key) % 3], f"{key} has another mode")
            new += found != self.old[key]
        return new

    def finish(self) -> None:
        """The next run: it does the rest of the work, and leaves nothing behind."""
        code, said = self.start().end()
        demand(code == 0 and "Traceback" not in said, f"the next run failed: {said}")
        demand(self.examine() == len(self.keys), f"the next run did not fix everything: {said}")
        demand(not leftovers(self.folder), f"the next run left {leftovers(self.folder)}")


class Kills:
    """Fixes that are killed at random moments."""

    def __init__(self, tree: Tree, seed: int) -> None:
        self.tree = tree
        self.chance = random.Random(seed)
        self.killed = self.late = self.between = self.found = self.finished = 0
        self.writing = 0.0
        """How long the documents are being written."""
        marks = self._marks()
        fixing = tree.start()
        self._await_writing(fixing, marks)
        began = perf_counter()
        fixing.end()
        self.writing = perf_counter() - began
        tree.reset()

    def trial(self) -> None:
        """One kill, everything that must hold afterwards, and often the next run."""
        tree = self.tree
        marks = self._marks()
        fixing = tree.start()
        # Mostly some time after the first document was begun, sometimes before.
        if self.chance.random() < 0.9:
            self._await_writing(fixing, marks)
            sleep(self.chance.uniform(0.0, self.writing))
        else:
            sleep(self.chance.uniform(0.0, 0.3))
        if fixing.kill():
            self.killed += 1
            self.writing *= 1.03
        else:
            # The machine has less to do than when it was measured.
            self.late += 1
            self.writing *= 0.8
        new = tree.examine()
        self.between += 0 < new < len(tree.keys)
        self.found += len(leftovers(tree.folder))
        # Otherwise the next one is killed too.
        if new == len(tree.keys) or self.chance.random() < 0.5:
            tree.finish()
            tree.reset()
            self.finished += 1

    def _marks(self) -> list[int]:
        """What changes as soon as a file is written beside a document."""
        return [(self.tree.folder / key).parent.stat().st_mtime_ns for key in self.tree.keys[:4]]

    def _await_writing(self, fixing: Fixing, marks: list[int]) -> None:
        until = perf_counter() + PATIENCE
        while not fixing.ended() and self._marks() == marks and perf_counter() < until:
            sleep(0.001)


class Children:
    """Runs in children of this process, which put faults at system calls."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.made = support()
        self.faults = self.refused = self.found = 0

    def at_every_call(self, documents: int, step: int, ways: tuple[str, ...] = ("die", "interrupt", "fail")) -> int:
        """A fault at every system call (or some, evenly) by which some documents are written; how many calls."""
        counted = self._write(documents, lambda number, name: None)
        for way in ways:
            for number in range(1, counted + 1, step):
                self._put_back(documents)
                fault = self.made.die if way == "die" else self.made.interrupt if way == "interrupt" else None
                error = self.made.ERRORS[number % len(self.made.ERRORS)]
                self._write(documents, self.made.at(number, fault or self.made.fail(error)))
                self.faults += 1
                self.tree.examine(documents)
                self.found += len(leftovers(self.tree.folder))
                self._sweep(documents)
                demand(not leftovers(self.tree.folder), f"a leftover was not swept after {way} at call {number}")
        self._put_back(documents)
        return counted

    def scattered(self, seed: int) -> None:
        """One whole run in which calls fail here and there, in every document another; then the next run."""
        chance = random.Random(seed)
        errors = self.made.ERRORS

        def fault(number: int, name: str) -> None:
            if chance.random() < 0.03:
                self.made.fail(chance.choice(errors))()

        code, said, count = self._fix(fault)
        self.faults += count
        new = self.tree.examine()
        old = [key for key in self.tree.keys if (self.tree.folder / key).read_bytes() == self.tree.old[key]]
        demand("Traceback" not in said, f"a traceback: {said[-2000:]}")
        demand(code == (2 if old else 0), f"{len(old)} documents are old, the exit code is {code}: {said[-500:]}")
        unnamed = [key for key in old if key not in said]
        demand(not unnamed, f"nothing was said about {unnamed[:3]}: {said[-500:]}")
        demand(new + len(old) == len(self.tree.keys), "documents are missing")
        self.refused += len(old)
        self.found += len(leftovers(self.tree.folder))
        self.tree.finish()
        self.tree.reset()

    def interrupted(self, number: int) -> None:
        """One whole run in which Ctrl-C comes at a certain call."""
        code, said, _ = self._fix(self.made.at(number, self.made.interrupt))
        demand(
            code == 130 and "Traceback" not in said, f"interrupted at call {number}: exit code {code}: {said[-500:]}"
        )
        self.faults += 1
        self.tree.examine()
        self.tree.finish()
        self.tree.reset()

    def _write(self, documents: int, fault: Callable[[int, str], None]) -> int:
        """Write some documents in a child; how many system calls that were, 0 where it did not live to say."""
        from pincite.core.errors import PinciteError
        from pincite.safe.files import Root
        from pincite.safe.write import replace

        def work() -> str:
            with Root(str(self.tree.folder)) as root, self.made.faults(fault) as watch:
                for key in self.tree.keys[:documents]:
                    try:
                        replace(root, key, self.tree.old[key], self.tree.new[key])
                    except PinciteError as error:
                        demand(str(error).startswith(f"{key}: "), f"{key} is not named: {error}")
                    except KeyboardInterrupt:
                        break
                return str(len(watch.seen))

        status, said = _in_child(work)
        demand(status in (0, -signal.SIGKILL), f"a writer ended with {status}: {said}")
        return int(said or "0")

    def _fix(self, fault: Callable[[int, str], None]) -> tuple[int, str, int]:
        """Run the command in a child with faults: its exit code, what it said, and how many faults there were."""
        happened = [0]

        def counted(number: int, name: str) -> None:
            try:
                fault(number, name)
            except BaseException:
                happened[0] += 1
                raise

        def work() -> str:
            from pincite.doors.cli.main import main

            os.chdir(self.tree.folder)
            said = _text()
            code: object = None
            with redirect_stdout(_text()), redirect_stderr(said), self.made.faults(counted):
                try:
                    main(["fix", "--write"])
                except SystemExit as error:
                    code = error.code
            return f"{code}\n{happened[0]}\n{_read(said)}"

        status, told = _in_child(work)
        demand(status == 0, f"the command ended with {status}: {told[-2000:]}")
        code, count, said = told.split("\n", 2)
        return int(code), said, int(count)

    def _put_back(self, documents: int) -> None:
        for key in self.tree.keys[:documents]:
            (self.tree.folder / key).write_bytes(self.tree.old[key])

    def _sweep(self, documents: int) -> None:
        from pincite.safe.files import Root
        from pincite.safe.temp_files import sweep

        with Root(str(self.tree.folder)) as root:
            sweep(root, {key.rpartition("/")[0] for key in self.tree.keys[:documents]})


def _in_child(work: Callable[[], str]) -> tuple[int, str]:
    """Do something in a child of this process: how that ended, and what it gave."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.close(reading)
            try:
                told, status = work(), 0
            except BaseException as error:
                told = f"{type(error).__name__}: {error}"
            with os.fdopen(writing, "wb") as stream:
                stream.write(told.encode(errors="replace"))
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        told = stream.read().decode(errors="replace")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), told


def fix_together(tree: Tree, count: int) -> None:
    """Let many processes fix the same tree at the same moment."""
    tree.reset()
    for one in [tree.start() for _ in range(count)]:
        code, said = one.end()
        demand(code == 0 and "Traceback" not in said, f"exit code {code}: {said[-500:]}")
    demand(tree.examine() == len(tree.keys), "not everything was fixed")
    demand(not leftovers(tree.folder), f"left behind: {leftovers(tree.folder)}")
    tree.reset()


def change_together(folder: Path, count: int, rounds: int = AT_ONCE) -> int:
    """Let many processes make different changes to the same documents; how often one had to read again."""
    keys = [f"shared-{number}.md" for number in range(3)]
    for key in keys:
        (folder / key).write_text("".join(f"own-{own}: 0\n" for own in range(count)))
    gate, closing = os.pipe()
    children: list[tuple[int, int]] = []
    for own in range(count):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(closing)
                # Everybody begins when the gate is closed.
                os.read(gate, 1)
                os.write(writing, str(_change(folder, f"own-{own}", rounds, keys)).encode())
            except BaseException as error:
                os.write(writing, f"{type(error).__name__}: {error}".encode())
            finally:
                os._exit(0)
        os.close(writing)
        children.append((child, reading))
    os.close(closing)
    again = 0
    for child, reading in children:
        with os.fdopen(reading, "rb") as stream:
            told = stream.read().decode()
        os.waitpid(child, 0)
        demand(told.isdigit(), f"a writer failed: {told[-500:]}")
        again += int(told)
    os.close(gate)
    whole = "".join(f"own-{own}: {rounds}\n" for own in range(count))
    for key in keys:
        demand((folder / key).read_text() == whole, f"{key}: changes were lost: {(folder / key).read_text()}")
    demand(not leftovers(folder), f"left behind: {leftovers(folder)}")
    return again


def _change(folder: Path, own: str, rounds: int, keys: list[str]) -> int:
    """Change one's own line in every document so many times; how often others were faster."""
    from pincite.core.errors import Conflict
    from pincite.safe.files import Root
    from pincite.safe.write import replace

    again = 0
    chance = random.Random(own)
    with Root(str(folder)) as root:
        for number in range(rounds):
            for key in chance.sample(keys, len(keys)):
                while True:
                    old = root.read(key)
                    new = old.replace(f"{own}: {number}\n".encode(), f"{own}: {number + 1}\n".encode())
                    demand(new != old, f"{key}: what {own} wrote is gone")
                    try:
                        replace(root, key, old, new)
                        break
                    except Conflict:
                        again += 1
    return again


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--faults", type=int, default=20, help="documents at whose every system call there is a fault")
    parser.add_argument("--step", type=int, default=1, help="take only every so many calls")
    parser.add_argument("--scattered", type=int, default=10, help="runs in which calls fail here and there")
    parser.add_argument("--parallel", type=int, default=20)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--forked", action="store_true", help="run the command in children that need not start anew")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--folder", help="where to work (default: the system's temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pincite-crash-", dir=options.folder) as folder:
        at = ["the start"]
        try:
            _campaign(Path(os.path.realpath(folder)), options, at)
        except Exception as error:
            print(f"{at[0]} (--seed {options.seed}): {error}", file=sys.stderr)
            return 1
    return 0


def _campaign(folder: Path, options: argparse.Namespace, at: list[str]) -> None:
    tree = Tree(folder / "tree", options.documents, options.forked)
    documents = f"{options.documents} documents"
    if options.parallel:
        at[0], began = "processes at once", perf_counter()
        fix_together(tree, options.parallel)
        (folder / "shared").mkdir()
        again = change_together(folder / "shared", options.parallel)
        changes = options.parallel * AT_ONCE * 3
        print(f"{options.parallel} processes fixed {documents} at once and made {changes} changes to the same three:")
        print(f"  nothing lost, {again} times read again ({perf_counter() - began:.0f} s)")
    if options.faults or options.scattered:
        began = perf_counter()
        children = Children(tree)
        if options.faults:
            at[0] = "a fault at every call"
            calls = children.at_every_call(options.faults, options.step)
            print(f"{children.faults} faults at {calls} system calls that write {options.faults} documents:")
            print(f"  every one old or new, {children.found} leftovers, all swept ({perf_counter() - began:.0f} s)")
        children.faults, children.found, began = 0, 0, perf_counter()
        for number in range(options.scattered):
            at[0] = f"scattered faults, run {number}"
            children.scattered(options.seed + number)
            at[0] = f"interrupt {number}"
            children.interrupted(number * 7 + 1)
        print(f"{children.faults} faults scattered over runs on {documents}: {children.refused} refusals, each told;")
        print(f"  every one old or new, {children.found} leftovers, all swept ({perf_counter() - began:.0f} s)")
    if options.kills:
        began = perf_counter()
        kills = Kills(tree, options.seed)
        while kills.killed < options.kills:
            at[0] = f"kill {kills.killed + 1}"
            kills.trial()
            demand(kills.late <= options.kills + 10, "most kills come too late")
        tree.finish()
        print(f"{kills.killed} kills and {kills.late} that came too late while {documents} were fixed:")
        print(
            f"  {kills.between} with some written and some not, every one old or new, {kills.found} leftovers found, "
            f"none after {kills.finished + 1} next runs ({perf_counter() - began:.0f} s)"
        )


if __name__ == "__main__":
    sys.exit(main())
