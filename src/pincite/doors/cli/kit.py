"""From command-line options to a root, settings and a request: the same for every command."""

from __future__ import annotations

import os
import re
import sys
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import UsageError
from ...project.project import open_project
from ...safe.escape import json_text
from .shell_values import complete_check, complete_dialect

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...project.config import Config
    from ...safe.files import Root


class _DialectOption(click.Option):
    """Its help names the dialects there are; they are imported only when it is asked for."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        from ...dialects import dialects

        names = ", ".join(dialect.NAME for dialect in dialects())
        return "--dialect NAME", f"Read only this dialect (repeatable): {names}."


class Wishes(Struct, frozen=True):
    """The options of every command over documents."""

    root: str | None
    dialects: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    jobs: int
    no_cache: bool

    @property
    def processes(self) -> int:
        """The number of processes meant by --jobs."""
        return self.jobs or os.cpu_count() or 1

    def open(self, paths: Sequence[str]) -> tuple[Root, Config]:
        """The root to work below, and the settings there with the command line's wishes on top."""
        project = open_project(self.root, paths)
        return project.root, merge(project.config, self.dialects, self.select, self.ignore)


def _check_option(name: str, text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(name, metavar="CHECK", multiple=True, shell_complete=complete_check, help=text)


def common(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options every command over documents takes; they arrive together, as `wishes`."""

    @wraps(command)
    def gathered(**given: Any) -> None:
        command(wishes=Wishes(*(given.pop(name) for name in Wishes.__struct_fields__)), **given)

    options = (
        click.option("--root", metavar="DIR", help="Folder that paths are relative to (default: the repository)."),
        click.option(
            "--dialect",
            "dialects",
            metavar="NAME",
            multiple=True,
            cls=_DialectOption,
            shell_complete=complete_dialect,
        ),
        _check_option("--select", "Report only this check (repeatable)."),
        _check_option("--ignore", "Do not report this check (repeatable)."),
        click.option(
            "--jobs", type=click.IntRange(0, 64), default=1, metavar="N", help="Processes to use; 0: one per core."
        ),
        click.option("--no-cache", is_flag=True, help="Neither use nor write what earlier runs found."),
    )
    # The decorator applied last comes first in the help.
    result: Callable[..., None] = gathered
    for option in reversed(options):
        result = option(result)
    return result


def merge(
    config: Config, dialects: Sequence[str] = (), select: Sequence[str] = (), ignore: Sequence[str] = ()
) -> Config:
    """The settings with the command line's wishes on top; unknown names are refused with what there is."""
    from ... import checks
    from ...dialects import dialects as known_dialects

    if config.plugins:
        load_plugins(config.plugins)
    for given, known, what in (
        ((*dialects, *config.dialects), tuple(d.NAME for d in known_dialects()), "dialect"),
        ((*select, *ignore, *config.select, *config.ignore), None, "check"),
    ):
        for name in given:
            names = known if known is not None else checks.names()
            if name not in names:
                raise UsageError(f"unknown {what} {name!a}; choose from: {', '.join(names)}")
    return replace(
        config,
        dialects=tuple(dialects) or config.dialects,
        select=tuple(select) or config.select,
        ignore=(*config.ignore, *ignore),
    )


def with_receipts(config: Config) -> Config:
    """The settings, with a receipt demanded of every citation of a paper."""
    return replace(config, corpus=replace(config.corpus, require_receipts=True))


def load_plugins(names: Sequence[str]) -> None:
    """Register the dialects that installed packages offer under `pincite.dialects`."""
    from importlib.metadata import entry_points

    from ...dialects import register

    found = {point.name: point for point in entry_points(group="pincite.dialects")}
    for name in names:
        if name not in found:
            raise UsageError(f"plugin {name!a} is not installed; install it or remove it from 'plugins'")
        register(found[name].load())


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


def tell_masking(setting: bool, masks: bool) -> None:
    """Say where a project would have secrets stored: it may come from anyone, so only the user turns masking off."""
    if masks and not setting:
        click.echo(
            "pincite: capture.mask = false is not taken from a project; pass --no-mask to keep secrets", err=True
        )


def print_json(data: object) -> None:
    """Print data as one JSON document, indented."""
    click.echo(json_text(data, 2))


def wants_color(output: str | None) -> bool:
    """Colour on a terminal, unless NO_COLOR; FORCE_COLOR insists."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return output is None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
