"""What every command shares: options, the way to a project and its settings, and the ways to print."""

from __future__ import annotations

import os
import re
import sys
from functools import wraps
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import UsageError
from ...engine.settings import merge_settings
from ...project.project import open_project
from ...safe.escape import escape_text, json_safe, json_text
from ...safe.report_output import output_to
from ...text.terminal.colors import paint as paint
from .shell_values import complete_check, complete_dialect, complete_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Self

    from ...project.config import Config
    from ...report import ReportWriter
    from ...safe.files import Root
    from ...safe.git import Git

    Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_AFTER = 0.8
"""Seconds before a line of progress is shown."""
_EVERY = 0.1


class _DialectOption(click.Option):
    """Its help names the dialects there are; they are imported only when it is asked for."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        from ...dialects import dialects

        names = ", ".join(dialect.NAME for dialect in dialects())
        return "--dialect NAME", f"Read only this dialect (repeatable): {names}."


def join_options(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order of the help."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        # The decorator applied last comes first in the help.
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def gather_options(kind: type[Struct], name: str, *options: Decorator) -> Decorator:
    """Options whose values arrive together: one record, under one name."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def gathered(**given: Any) -> Any:
            record = kind(**{field: given.pop(field) for field in kind.__struct_fields__})
            return command(**{name: record}, **given)

        return join_options(*options)(gathered)

    return decorate


def root_option(what: str = "Folder that paths are relative to") -> Decorator:
    """The option that says which project is meant."""
    return click.option("--root", metavar="DIR", help=f"{what} (default: the repository).")


def format_option(text: str = "How to report (default: text).", *others: str) -> Decorator:
    """The option that says how to print: as text, as JSON, or in further formats."""
    choices = others or ("text", "json")
    return click.option("--format", "format_", type=click.Choice(choices), default="text", help=text)


def paths_argument(metavar: str = "[PATH]...", name: str = "paths") -> Decorator:
    """Any number of paths."""
    return click.argument(name, nargs=-1, metavar=metavar, shell_complete=complete_path)


def _check_option(name: str, text: str) -> Decorator:
    return click.option(name, metavar="CHECK", multiple=True, shell_complete=complete_check, help=text)


jobs_option = click.option(
    "--jobs", type=click.IntRange(0, 64), default=1, metavar="N", help="Processes to use; 0: one per core."
)
cache_option = click.option("--no-cache", is_flag=True, help="Neither use nor write what earlier runs found.")


def count_processes(jobs: int) -> int:
    """The number of processes meant by --jobs."""
    return jobs or os.cpu_count() or 1


class DocumentOptions(Struct, frozen=True):
    """The options of every command over documents."""

    root: str | None
    dialects: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    jobs: int
    no_cache: bool

    def open(self, paths: Sequence[str]) -> tuple[Root, Config]:
        """The root to work below, and the settings there with the command line's wishes on top.

        Paths that lie elsewhere bring their own root, which is said.
        """
        other = self.other_root(paths)
        if other:
            say(f"root: {other}, around what was named; --root takes another", err=True)
        project = open_project(other or self.root, paths)
        return project.root, merge_settings(project.config, self.dialects, self.select, self.ignore)

    def other_root(self, paths: Sequence[str]) -> str:
        """The root that paths outside of the working folder's lie in; empty where there are none, or one was given."""
        if self.root is not None or not paths:
            return ""
        from ...project.other_root import find_other_root

        return find_other_root(paths)


common = gather_options(
    DocumentOptions,
    "wishes",
    root_option(),
    click.option(
        "--dialect", "dialects", metavar="NAME", multiple=True, cls=_DialectOption, shell_complete=complete_dialect
    ),
    _check_option("--select", "Report only this check (repeatable)."),
    _check_option("--ignore", "Do not report this check (repeatable)."),
    jobs_option,
    cache_option,
)


def with_receipts(config: Config) -> Config:
    """The settings, with a receipt demanded of every citation of a paper."""
    return replace(config, corpus=replace(config.corpus, require_receipts=True))


def make_reporter(
    format_: str, write: Callable[[str], object], root: Root, statistics: bool = False, **options: Any
) -> ReportWriter:
    """What writes a report in a format, or only its statistics."""
    from ... import checks
    from ... import report as formats
    from ..._version import __version__

    make = formats.load_statistics(format_) if statistics else formats.load(format_).Reporter
    told = formats.Options(root=root.path, version=__version__, pages=checks.page, **options)
    return make(write, told)


def use_hook_index(git: Git) -> None:
    """Inside a hook of git, the commit that is being made may have an index of its own (`git commit -a`)."""
    index = os.environ.get("GIT_INDEX_FILE")
    if index:
        git.use_index(os.path.abspath(index))


def read_stdin(limit: int) -> bytes:
    """All of standard input, bounded."""
    if sys.stdin is None:
        raise UsageError("standard input is closed; '-' needs something to read")
    try:
        data = sys.stdin.buffer.read(limit + 1)
    except OSError as error:
        raise UsageError(f"standard input cannot be read ({error.strerror})") from None
    if len(data) > limit:
        raise UsageError(f"standard input exceeds the limit of {limit} bytes")
    return data


def compile_pattern(pattern: str, named: str, flags: int = 0, remedy: str = "") -> re.Pattern[str]:
    """A pattern from the command line; raises UsageError saying where it is wrong."""
    from warnings import catch_warnings, simplefilter

    try:
        with catch_warnings():
            simplefilter("ignore")
            return re.compile(pattern, flags)
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(f"{named}: not a regular expression ({error}){remedy}") from None


def complain(message: object, kind: str = "pincite") -> None:
    """Say something on standard error."""
    click.echo(f"{kind}: {escape_text(str(message))}", err=True)


def say(line: str = "", err: bool = False) -> None:
    """Print one line with nothing invisible in it."""
    click.echo(escape_text(line), err=err)


def print_lines(lines: Iterable[str], output: str | None = None, root: str = "") -> None:
    """Write lines as they come, to standard output or to a file."""
    with output_to(output, root) as out:
        for line in lines:
            out(line + "\n")


class Progress:
    """A line on standard error that says how far a long run is; only on a terminal, and only when it takes a while."""

    def __init__(self, wanted: bool, what: str = "documents", doing: str = "checking") -> None:
        self._what = what
        self._doing = doing
        self._on = wanted and sys.stderr.isatty()
        self._next = monotonic() + _AFTER
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def step(self, done: int, total: int) -> None:
        """One more is done."""
        if self._on and monotonic() >= self._next:
            self._next = monotonic() + _EVERY
            self._shown = True
            sys.stderr.write(f"\r\x1b[K{self._doing} {done} of {total} {self._what}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away, so that a report can be written."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False


def save_text(text: str, output: str | None = None, root: str = "") -> None:
    """Write a whole report to standard output or to a file."""
    with output_to(output, root) as out:
        out(text)


def print_json(data: object) -> None:
    """Print data as one JSON document, indented."""
    click.echo(json_text(data, 2))


def dump_json(data: object, indent: int | None = None) -> str:
    """Plain data as JSON with spaces between its parts, safe to print."""
    from json import dumps

    return json_safe(dumps(data, ensure_ascii=False, indent=indent))


def pick_fields(record: object, names: str) -> dict[str, Any]:
    """Some attributes of a record, by name and in this order."""
    return {name: getattr(record, name) for name in names.split()}


def wants_color(output: str | None = None) -> bool:
    """Colour on a terminal, unless NO_COLOR; FORCE_COLOR insists."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return output is None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def color_diff_line(line: str, color: bool) -> str:
    """A line of a diff in the usual colours."""
    codes = {"+": "32", "-": "31", "@": "36"}
    return paint(line, "1" if line.startswith(("+++", "---")) else codes.get(line[:1], ""), color)


def terminal_width() -> int:
    """The columns of the terminal; 0 where that is unknown."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and 0 < int(given[:6]) < 10_000:
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError, AttributeError):
        return 0
