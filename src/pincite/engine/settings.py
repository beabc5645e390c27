"""The settings of a project as a run uses them: with the wishes of a door on top, and with every name in them known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..project.config import Config


def merge_settings(
    config: Config, dialects: Sequence[str] = (), select: Sequence[str] = (), ignore: Sequence[str] = ()
) -> Config:
    """The settings with the wishes of a door on top; unknown names are refused with what there is."""
    from .. import checks
    from ..dialects import dialects as known_dialects

    if config.plugins:
        load_plugins(config.plugins)
    _refuse_unknown("dialect", (*dialects, *config.dialects), lambda: tuple(one.NAME for one in known_dialects()))
    _refuse_unknown("check", (*select, *ignore, *config.select, *config.ignore), checks.names)
    return replace(
        config,
        dialects=tuple(dialects) or config.dialects,
        select=tuple(select) or config.select,
        ignore=(*config.ignore, *ignore),
    )


def _refuse_unknown(what: str, given: tuple[str, ...], list_known: Callable[[], tuple[str, ...]]) -> None:
    """Raise UsageError for a name that is not known; what is known is looked up only where a name is given."""
    for name in given:
        if name not in (known := list_known()):
            raise UsageError(f"unknown {what} {name!a}; choose from: {', '.join(known)}")


def load_plugins(names: Sequence[str]) -> None:
    """Register the dialects that installed packages offer under `pincite.dialects`."""
    from importlib.metadata import entry_points

    from ..dialects import register

    found = {point.name: point for point in entry_points(group="pincite.dialects")}
    for name in names:
        if name not in found:
            raise UsageError(f"plugin {name!a} is not installed; install it or remove it from 'plugins'")
        register(found[name].load())
