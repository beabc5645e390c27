"""What a shell offers on TAB: names of checks, dialects and styles, and paths. Nothing is imported before that."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click
    from click.shell_completion import CompletionItem


def complete_check(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The checks whose names begin so."""
    from ...checks import names

    return _begin_with(names(), incomplete)


def complete_dialect(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The dialects whose names begin so; those of plugins are not loaded for it."""
    from ...dialects import dialects

    return _begin_with((dialect.NAME for dialect in dialects()), incomplete)


def complete_cite_style(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The styles of `pincite cite`: those of a hit where one is asked for, else those of a target."""
    if ctx.params.get("hit") is not None or ctx.params.get("recent") is not None:
        return complete_hit_style(ctx, param, incomplete)
    from ...write.cite.model import STYLES

    return _begin_with(STYLES, incomplete)


def complete_hit_style(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The styles in which a hit is cited."""
    from ...write.passage_citations import STYLES

    return _begin_with(STYLES, incomplete)


def complete_provider(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The providers whose answers can be read."""
    from ...domains.retrieval.answers import provider_names

    return _begin_with(provider_names(), incomplete)


def complete_path(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders; the shell itself lists them."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def _begin_with(names: Iterable[str], start: str) -> list[str]:
    return [name for name in names if name.startswith(start)]
