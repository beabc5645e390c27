"""Definitions in files below the root, by path and name."""

from .. import symbols
from ..core.errors import Unreadable
from ..core.model import Citation, Lines, Obstacle
from ..symbols import Symbol
from ..text.document import Document
from ..text.evidence import Evidence, SymbolEvidence
from . import World

_MANY = 9


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle:
    """The file with the one definition that is meant, else why there is none."""
    path, _, name = citation.source.key.partition("::")
    obstacle = world.exists(path)
    if obstacle is not None:
        return obstacle
    if not symbols.language_of(path):
        return Obstacle("symbol-unchecked", "definitions are not supported in files of this kind")
    source = world.file(path)
    if isinstance(source, Obstacle):
        return source
    try:
        found = symbols.find(path, source.data, name)
        if len(found) == 1:
            return SymbolEvidence(source, found[0].name, Lines(found[0].first, found[0].last))
        if found:
            return Obstacle("symbol-ambiguous", "\n".join(_places(path, found)))
        doubt = symbols.find_doubt(path, source.data)
        if doubt:
            return Obstacle("symbol-unchecked", f"no definition of {name} was found, but {doubt}")
        return Obstacle("symbol-not-found", "\n".join(symbols.find_close(path, source.data, name)))
    except Unreadable as error:
        return Obstacle("symbol-unchecked", str(error))


def _places(path: str, found: tuple[Symbol, ...]) -> list[str]:
    """Where the definitions are, and how many more there are."""
    shown = [f"{path}:{symbol.line} {symbol.kind} {symbol.name}" for symbol in found[:_MANY]]
    return shown if len(found) <= _MANY else [*shown, f"… {len(found) - _MANY} more"]
