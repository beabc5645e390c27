"""What a shell offers on TAB: names of checks, dialects and styles, and paths. Nothing is imported before that."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import click
    from click.shell_completion import CompletionItem


def _complete_from(module: str, names: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Offers what begins so of the names in a module of the package: a tuple, or a function that gives one."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        found = getattr(import_module(f"...{module}", __package__), names)
        known = found() if callable(found) else found
        # Of dialects there are modules; those of plugins are not loaded for it.
        return [name for one in known if (name := getattr(one, "NAME", one)).startswith(incomplete)]

    return complete


complete_check = _complete_from("checks", "names")
complete_dialect = _complete_from("dialects", "dialects")
complete_hit_style = _complete_from("write.passage_citations", "STYLES")
complete_provider = _complete_from("domains.retrieval.answers", "provider_names")
_complete_target_style = _complete_from("write.cite.model", "STYLES")


def complete_cite_style(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The styles of `pincite cite`: those of a hit where one is asked for, else those of a target."""
    of_hit = ctx.params.get("hit") is not None or ctx.params.get("recent") is not None
    return (complete_hit_style if of_hit else _complete_target_style)(ctx, param, incomplete)


def complete_path(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders; the shell itself lists them."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]
