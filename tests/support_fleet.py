"""Many small repositories for tests and measurements of a fleet, made cheaply.

One history is written as a stream of `git fast-import`; each repository is that stream with other words in it. All
words have the same length, so that the lengths in the stream stay right.
"""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
_WORD = "wordword"
"""What stands for the word of a repository."""
_WHO = b"author <author@example.org>"
_CLOCK = 1_700_000_000
_LINES = 60
_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"


def make_repositories(
    folder: Path,
    count: int,
    *,
    documents: int = 20,
    sources: int = 50,
    citations: int = 1000,
    commits: int = 20,
    checkout: bool = True,
    seed: int = 1,
) -> list[Path]:
    """So many repositories below a folder, with work trees unless `checkout` is false; their paths.

    Each has so many documents, source files and citations after its last commit. Every commit changes sources that are
    cited, so that citations move or stop to hold, and adds citations.
    """
    stream = write_stream(documents, sources, citations, commits, seed)
    found = []
    for number in range(count):
        path = folder / f"repository-{number:05d}"
        _import(path, stream.replace(_WORD.encode(), make_word(number)), checkout)
        found.append(path)
    return found


def make_word(number: int) -> bytes:
    """The word of a repository: letters only, and as long as that of all others."""
    letters = []
    for _ in range(len(_WORD)):
        number, letter = divmod(number * 31 + 17, 26)
        letters.append(97 + letter)
    return bytes(letters)


def add_commit(path: Path, number: int = 0, checkout: bool = True) -> str:
    """One more commit that moves the lines of a source file; its id."""
    name = f"src/module_{number % 50:03d}.py"
    old = _run(path, "cat-file", "blob", f"HEAD:{name}")
    data = b"# One more line, number %d.\n" % number + old
    when = int(_run(path, "log", "-1", "--format=%ct")) + 60
    stream = b"".join(
        [
            b"commit refs/heads/main\ncommitter %b %d +0000\ndata 4\nmore\n" % (_WHO, when),
            b"from refs/heads/main^0\n",
            _write_file(name, data),
        ]
    )
    _run(path, "fast-import", "--quiet", given=stream)
    if checkout:
        _run(path, "read-tree", "-u", "--reset", "HEAD")
    return os.fsdecode(_run(path, "rev-parse", "HEAD")).strip()


def _import(path: Path, stream: bytes, checkout: bool) -> None:
    own = path / ".git"
    for name in ("objects/pack", "objects/info", "refs/heads", "refs/tags"):
        (own / name).mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/main\n")
    (own / "config").write_text(_CONFIG)
    _run(path, "fast-import", "--quiet", given=stream)
    if checkout:
        _run(path, "read-tree", "-u", "--reset", "HEAD")


def _run(path: Path, *arguments: str, given: bytes = b"") -> bytes:
    done = subprocess.run(
        ["git", *arguments], cwd=path, env=ENVIRONMENT, input=given, stdout=subprocess.PIPE, check=True
    )
    return done.stdout


def write_stream(documents: int, sources: int, citations: int, commits: int, seed: int) -> bytes:
    """The stream of one history."""
    choose = random.Random(seed)
    modules = {f"src/module_{number:03d}.py": _write_module(number, choose) for number in range(sources)}
    names = list(modules)
    pages = {f"docs/page_{number:02d}.md": [f"# Page {number} of {_WORD}\n"] for number in range(documents)}
    titles = list(pages)
    added = min(10, citations // (2 * commits)) if commits > 1 else 0
    first = citations - added * (commits - 1)
    for number in range(first):
        pages[titles[number % documents]].append(_cite(number, names, modules, choose))
    pieces = [_write_commit(0, {**modules, **pages}), b"\n"]
    for number in range(1, commits):
        changed = {}
        for name in choose.sample(names, min(3, sources)):
            _change(modules[name], number, choose)
            changed[name] = modules[name]
        title = choose.choice(titles)
        for at in range(added):
            pages[title].append(_cite(number * 1000 + at, names, modules, choose))
        changed[title] = pages[title]
        pieces += (_write_commit(number, changed), b"\n")
    return b"".join(pieces)


def _write_commit(number: int, files: dict[str, list[str]]) -> bytes:
    mark = b"commit refs/heads/main\ncommitter %b %d +0000\ndata 7\nchange\n\n" % (_WHO, _CLOCK + number * 3600)
    return mark + b"".join(_write_file(name, "".join(lines).encode()) for name, lines in files.items())


def _write_file(name: str, data: bytes) -> bytes:
    return b"M 100644 inline %b\ndata %d\n%b\n" % (name.encode(), len(data), data)


def _write_module(number: int, choose: random.Random) -> list[str]:
    lines = [f'"""Module {number} of {_WORD}."""\n', "\n"]
    while len(lines) < _LINES:
        at = len(lines)
        lines += [
            f"def step_{number}_{at}(value: int) -> int:\n",
            f'    """Part {at} of {_WORD}."""\n',
            f"    return value * {choose.randrange(1000)} + {at}\n",
            "\n",
        ]
    return lines


def _change(lines: list[str], number: int, choose: random.Random) -> None:
    """Insert lines, and now and then replace one."""
    at = choose.randrange(2, len(lines))
    lines[at:at] = [f"# Change {number} at {at}, for {_WORD}.\n"] * choose.randrange(1, 3)
    if choose.random() < 0.3:
        lines[choose.randrange(2, len(lines))] = f"CHANGED_{number} = {choose.randrange(1000)}\n"


def _cite(number: int, names: list[str], modules: dict[str, list[str]], choose: random.Random) -> str:
    """A sentence with one citation: most of lines that are there, a few of none."""
    name = choose.choice(names)
    first = choose.randrange(3, len(modules[name]) - 3)
    last = first + choose.randrange(3)
    form = number % 3
    if number % 97 == 0:
        # A plain path that never was is no citation; these two forms always are.
        name, form = "src/never_there.py", 1 + number % 2
    return (
        f"Statement {number} about {_WORD} rests on `{name}:{first}-{last}`.\n",
        f"Statement {number} about {_WORD} rests on [the code](../{name}#L{first}-L{last}).\n",
        f"Statement {number} about {_WORD} holds 【F:{name}†L{first}-L{last}】.\n",
    )[form] + ("\n" if number % 5 == 0 else "")
