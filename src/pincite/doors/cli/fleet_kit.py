"""Options that several fleet commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...fleet.structured_log import FleetLog

_SIZES = {"k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def store_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """The store that a command uses."""
    return click.option(
        "--database", metavar="URL", help="The shared store (default: PINCITE_DATABASE, or a file in your data folder)."
    )(function)


def log_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """How a command that runs for long says what it does."""
    function = click.option(
        "--log-format",
        type=click.Choice(["none", "text", "json"]),
        default="none",
        help="Log every shard on standard error (default: none).",
    )(function)
    return click.option(
        "--metrics-port", type=click.IntRange(1, 65535), metavar="N", help="Serve /metrics and /healthz."
    )(function)


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


def make_log(format_: str, metrics_port: int | None) -> FleetLog:
    """The log of a command; serves metrics where a port was asked for."""
    from ...fleet.structured_log import FleetLog

    if metrics_port is not None:
        from ...fleet.metrics import start_metrics_server

        start_metrics_server(metrics_port)
    return FleetLog(format_)
