"""Commands that name something a project defines: `make lint`, `npm run build`, `just test`, `tox -e docs`.

Each runner has a function from the words behind it to what they name. Options that are not known end the reading: what
follows one of them may be its value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..text.command_lines import CommandWord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NAME = re.compile(r"[A-Za-z0-9_][\w.+@-]*(?::{1,2}[\w.+@-]+|/[\w.+@-]+)*")
_PLACEHOLDER = re.compile(
    r"(?:foo|bar|baz|qux|xxx+|yyy+|name|target|script|script-?name|command|recipe|task-?name|something|whatever|"
    r"(?:my|your|some|new)[-_:].*|[A-Z][A-Z0-9_-]*)\Z"
)
_PROSE = frozenset("or and then to for the a an in with from sure it this that".split())
"""Words that follow a command in a sentence, and name nothing."""
_FOLDER = re.compile(r"\.|(?:\.{1,2}/)*[\w@+-][\w.@+-]*(?:/[\w.@+-]+)*/?")
_PACKAGE = re.compile(r"(?:@[\w.-]+/)?[\w.-]+|(?:\./)?[\w.-]+(?:/[\w.-]+)*/?")


class NamedTarget(Struct, frozen=True):
    """What a command names: `runner` with what stands before the name, and where it says that this is defined."""

    runner: str
    name: str
    start: int
    end: int
    place: str = ""
    """The folder or package that the command itself names."""
    of_package: bool = False


class _Words:
    """The words behind a runner, read from left to right."""

    def __init__(self, words: list[CommandWord]) -> None:
        self.words = words
        self.at = 1
        self.folder = ""
        self.package = ""

    def next(self) -> CommandWord | None:
        """The next word, which is then done with."""
        self.at += 1
        return self.words[self.at - 1] if self.at <= len(self.words) else None

    def skip_options(self, flags: frozenset[str], folders: tuple[str, ...], packages: tuple[str, ...] = ()) -> bool:
        """Whether the options up to the next plain word are known; folder and package are kept."""
        while self.at < len(self.words) and self.words[self.at].text[:1] == "-":
            option, equals, value = self.words[self.at].text.partition("=")
            self.at += 1
            if option in folders or option in packages:
                word = value if equals else self.next()
                value = word if isinstance(word, str) else word.text if word else ""
                if option in folders:
                    if not _FOLDER.fullmatch(value):
                        return False
                    self.folder = value.removeprefix("./").rstrip("/")
                else:
                    if not _PACKAGE.fullmatch(value):
                        return False
                    self.package = value.removeprefix("./").rstrip("/")
            elif option not in flags:
                return False
        return True

    def make(self, runner: str, word: CommandWord | None, first: int | None = None) -> NamedTarget | None:
        """The target that a word names; None where it is a placeholder, or no name."""
        if word is None or not _NAME.fullmatch(word.text) or _PLACEHOLDER.match(word.text):
            return None
        if word.text in _PROSE:
            return None
        if self.folder == "." or (self.folder and self.package):
            self.folder = ""
        start = self.words[0].start if first is None else first
        return NamedTarget(runner, word.text, start, word.end, self.package or self.folder, bool(self.package))


_MAKE_FLAGS = frozenset("-j -k -s -B -n -i -e -w --silent --quiet --dry-run --keep-going --always-make".split())
_JOBS = re.compile(r"-j\d+|--jobs=\d+|\d+")


def _read_make(words: _Words) -> Iterator[NamedTarget | None]:
    """`make -C docs html`, `make lint test VERBOSE=1`."""
    several = False
    while words.at < len(words.words):
        text = words.words[words.at].text
        if _JOBS.fullmatch(text) or ("=" in text and text[:1] != "-"):
            words.at += 1
        elif text[:1] == "-":
            if not words.skip_options(_MAKE_FLAGS, ("-C", "--directory")):
                return
        else:
            word = words.words[words.at]
            words.at += 1
            target = words.make("make", word, word.start if several else None)
            if target is None:
                # Behind what is no name the words are no command.
                return
            yield target
            several = True


_NPM_FLAGS = frozenset("-s --silent -q --quiet --workspaces -ws --foreground-scripts --include-workspace-root".split())
_NPM_LIFECYCLE = {"test": "test", "t": "test", "tst": "test", "start": "start", "stop": "stop"}


def _read_npm(words: _Words) -> Iterator[NamedTarget | None]:
    """`npm run build`, `npm test`, `npm -w ui run build`, `npm --prefix web run build`."""
    folders, packages = ("--prefix", "-C"), ("-w", "--workspace")
    if not words.skip_options(_NPM_FLAGS, folders, packages):
        return
    word = words.next()
    if word is not None and word.text in ("run", "run-script") and words.skip_options(_NPM_FLAGS, folders, packages):
        word = words.next()
    elif word is None or word.text not in _NPM_LIFECYCLE:
        return
    else:
        word = CommandWord(_NPM_LIFECYCLE[word.text], word.start, word.end)
    found = words.make("npm run", word)
    rest = [one.text for one in words.words[words.at :]]
    if found is None or "--if-present" in rest:
        return
    behind = _Words([words.words[0], *words.words[words.at :]])
    if behind.skip_options(_NPM_FLAGS, folders, packages) and (behind.folder or behind.package):
        words.folder, words.package = behind.folder, behind.package
        found = words.make("npm run", word)
    yield found


_PNPM_FLAGS = frozenset("-r --recursive -s --silent --parallel --stream -w --workspace-root --aggregate-output".split())


def _read_pnpm(words: _Words) -> Iterator[NamedTarget | None]:
    """`pnpm run build`, `pnpm build`, `pnpm --filter ui build`, `pnpm -C web build`."""
    folders, packages = ("-C", "--dir"), ("-F", "--filter")
    if not words.skip_options(_PNPM_FLAGS, folders, packages):
        return
    word = words.next()
    runner = "pnpm"
    if word is not None and word.text in ("run", "run-script"):
        runner = "pnpm run"
        if not words.skip_options(_PNPM_FLAGS, folders, packages):
            return
        word = words.next()
    if "--if-present" not in [one.text for one in words.words]:
        yield words.make(runner, word)


_YARN_FLAGS = frozenset("-s --silent -q --quiet".split())


def _read_yarn(words: _Words) -> Iterator[NamedTarget | None]:
    """`yarn build`, `yarn run build`, `yarn workspace ui build`, `yarn --cwd web build`."""
    if not words.skip_options(_YARN_FLAGS, ("--cwd",)):
        return
    word = words.next()
    if word is not None and word.text == "workspace":
        package = words.next()
        if package is None or not _PACKAGE.fullmatch(package.text):
            return
        words.package = package.text
        word = words.next()
    if word is not None and word.text == "run" and words.skip_options(_YARN_FLAGS, ()):
        word = words.next()
    yield words.make("yarn", word)


def _read_bun(words: _Words) -> Iterator[NamedTarget | None]:
    """`bun run build`."""
    if not words.skip_options(frozenset(("-b", "--bun", "--silent")), ("--cwd",), ("--filter", "-F")):
        return
    word = words.next()
    if word is None or word.text != "run":
        return
    if words.skip_options(frozenset(("-b", "--bun", "--silent")), ("--cwd",), ("--filter", "-F")):
        word = words.next()
        if word is not None and not _is_file(word.text):
            yield words.make("bun run", word)


def _is_file(written: str) -> bool:
    """Whether a word is a script, or a program that runs one; then it names nothing that the project defines."""
    return "/" in written or "." in written or written in ("python", "python3", "bash", "sh", "node", "pytest")


def _read_after(runner: str, verbs: tuple[str, ...], flags: str = "", folders: tuple[str, ...] = ()) -> _Reader:
    """A reader for runners that have a verb, or none, before the one name: `deno task build`, `just build`."""
    known = frozenset(flags.split())

    def read(words: _Words) -> Iterator[NamedTarget | None]:
        if not words.skip_options(known, folders):
            return
        word = words.next()
        if verbs:
            if word is None or word.text not in verbs or not words.skip_options(known, folders):
                return
            word = words.next()
        while not verbs and word is not None and "=" in word.text:
            word = words.next()
        yield words.make(runner, word)

    return read


def _read_composer(words: _Words) -> Iterator[NamedTarget | None]:
    """`composer test`, `composer run test`, `composer run-script test`."""
    flags = frozenset("-q --quiet -n --no-interaction --ansi --no-ansi -v -vv -vvv".split())
    if not words.skip_options(flags, ("-d", "--working-dir")):
        return
    word = words.next()
    runner = "composer"
    if word is not None and word.text in ("run", "run-script"):
        runner = "composer run"
        if not words.skip_options(flags, ("-d", "--working-dir")):
            return
        word = words.next()
    yield words.make(runner, word)


def _read_python_run(runner: str) -> _Reader:
    """A reader for what runs a script of the project, or any program that is installed beside it."""

    def read(words: _Words) -> Iterator[NamedTarget | None]:
        word = words.next()
        if word is None or word.text != "run":
            return
        if not words.skip_options(frozenset("--frozen --locked --no-sync -q --quiet".split()), ("--directory",)):
            return
        word = words.next()
        if word is not None and word.text == "poe":
            yield words.make("poe", words.next())
        elif word is not None and not _is_file(word.text):
            yield words.make(runner, word)

    return read


def _read_listed(runner: str, options: tuple[str, ...], comma: bool) -> _Reader:
    """A reader for runners that take several names behind an option: `tox -e lint,docs`, `nox -s lint docs`."""

    def read(words: _Words) -> Iterator[NamedTarget | None]:
        known = frozenset("-q -v -vv -r -p --parallel -R".split())
        while words.at < len(words.words) and words.words[words.at].text in known:
            words.at += 1
        option = words.next()
        if option is None or option.text not in options:
            return
        if not comma:
            for number, word in enumerate(words.words[words.at :]):
                found = words.make(runner, word, word.start if number else None)
                if found is None:
                    return
                yield found
            return
        listed = words.next()
        if listed is None:
            return
        at = listed.start
        for number, part in enumerate(listed.text.split(",")):
            piece = CommandWord(part, at, at + len(part))
            yield words.make(runner, piece, at if number else None)
            at += len(part) + 1

    return read


def _read_cargo(words: _Words) -> Iterator[NamedTarget | None]:
    """`cargo xtask`: an alias that the project has to define."""
    word = words.next()
    if word is not None and word.text == "xtask":
        yield words.make("cargo", word)


if TYPE_CHECKING:
    _Reader = Callable[[_Words], Iterator[NamedTarget | None]]

_READERS: dict[str, _Reader] = {
    "make": _read_make,
    "gmake": _read_make,
    "npm": _read_npm,
    "pnpm": _read_pnpm,
    "yarn": _read_yarn,
    "bun": _read_bun,
    "deno": _read_after("deno task", ("task",), "-q --quiet", ("--cwd",)),
    "just": _read_after("just", (), "-q --quiet -n --dry-run -v --verbose", ("-d", "--working-directory")),
    "task": _read_after("task", (), "-v -s -f -p --silent --verbose --force --parallel", ("-d", "--dir")),
    "poe": _read_after("poe", (), "-q -v", ("-C", "--root")),
    "composer": _read_composer,
    "uv": _read_python_run("uv run"),
    "poetry": _read_python_run("poetry run"),
    "pdm": _read_python_run("pdm run"),
    "rye": _read_python_run("rye run"),
    "hatch": _read_after("hatch run", ("run",)),
    "tox": _read_listed("tox -e", ("-e",), True),
    "nox": _read_listed("nox -s", ("-s", "--session", "--sessions", "-e"), False),
    "cargo": _read_cargo,
}
RUNNERS = frozenset(_READERS)


def find_targets(words: list[CommandWord]) -> Iterator[NamedTarget]:
    """What the words of one command name, in order."""
    reader = _READERS.get(words[0].text)
    if reader is not None:
        for found in reader(_Words(words)):
            if found is not None:
                yield found


_RENDERED = {"make": "-C", "npm run": "--prefix", "pnpm run": "-C", "pnpm": "-C", "yarn": "--cwd", "bun run": "--cwd"}
_RENDERED |= {"deno task": "--cwd", "just": "-d", "task": "-d", "poe": "-C", "composer": "-d", "composer run": "-d"}
_PACKAGED = {"npm run": "-w", "pnpm run": "--filter", "pnpm": "--filter", "yarn": "workspace", "bun run": "--filter"}


def write_command(runner: str, name: str, relation: str, place: str) -> str:
    """A command that names a target: `make -C docs html`, `cd docs && make html`, `npm -w ui run build`."""
    program, _, verb = runner.partition(" ")
    options = [_RENDERED.get(runner, "--directory"), place] if relation == "in" else []
    if relation == "of":
        options = [_PACKAGED.get(runner, "-w"), place]
    if program in ("uv", "poetry", "pdm", "rye") and options:
        words = [program, verb, *options, name]
    else:
        words = [program, *options, *([verb] if verb else []), name]
    command = " ".join(words)
    return f"cd {place} && {command}" if relation == "from" else command
