"""Options that several fleet commands share."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...fleet.structured_log import FleetLog

_SIZES = {"k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def store_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """The store that a command uses."""
    return click.option(
        "--database", metavar="URL", help="The shared store (default: PINCITE_DATABASE, or a file in your data folder)."
    )(function)


class LogWishes(Struct, frozen=True):
    """How a command that runs for long says what it does, and how it fares."""

    format_: str
    level: str
    metrics_port: int | None
    metrics_host: str

    def make(self) -> FleetLog:
        """The log; metrics are served from now on where a port was asked for."""
        from ...fleet.structured_log import FleetLog

        if self.metrics_port is not None:
            from ...fleet.metrics import start_metrics_server

            start_metrics_server(self.metrics_port, self.metrics_host)
        return FleetLog(self.format_, self.level)


def log_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command its `LogWishes`."""

    @wraps(function)
    def collect(
        *arguments: Any, log_format: str, log_level: str, metrics_port: int | None, metrics_host: str, **others: Any
    ) -> Any:
        wishes = LogWishes(log_format, log_level, metrics_port, metrics_host)
        return function(*arguments, log_wishes=wishes, **others)

    options = (
        click.option(
            "--metrics-host",
            default="127.0.0.1",
            metavar="ADDRESS",
            help="Where --metrics-port listens; who reaches it reads the numbers.",
        ),
        click.option("--metrics-port", type=click.IntRange(1, 65535), metavar="N", help="Serve /metrics and /healthz."),
        click.option(
            "--log-level",
            type=click.Choice(["debug", "info", "warning", "error"]),
            default="info",
            help="The least that is logged (default: info).",
        ),
        click.option(
            "--log-format",
            type=click.Choice(["none", "text", "json"]),
            default="none",
            help="Log what is done on standard error (default: none).",
        ),
    )
    decorated: Callable[..., Any] = collect
    for option in options:
        decorated = option(decorated)
    return decorated


def tls_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The certificates of a cluster."""
    for name, help_ in (
        ("--tls-key", "This machine's key (default: PINCITE_TLS_KEY)."),
        ("--tls-cert", "This machine's certificate (default: PINCITE_TLS_CERT)."),
        ("--tls-ca", "The authority of the cluster (default: PINCITE_TLS_CA)."),
    ):
        function = click.option(name, metavar="FILE", help=help_)(function)
    return function


class Size(click.ParamType):  # type: ignore[type-arg]  # generic only since click 8.4
    """A number of bytes: `500M`, `20G`."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; click shows what is wrong with any other text."""
        if isinstance(value, int):
            return value
        text = str(value).strip().lower().removesuffix("b")
        factor = _SIZES.get(text[-1:], 1)
        number = text[:-1] if text[-1:] in _SIZES else text
        if not number.isascii() or not number.isdigit() or len(number) > 15:
            self.fail(f"{value!r} is no size; write 500M or 20G", param, ctx)
        return int(number) * factor
