"""Names with several definitions: which of them are parts of one."""

from collections.abc import Sequence

from . import Symbol
from .model import Definition


def merge_definitions(same: list[Definition], everything: Sequence[Definition]) -> list[Symbol]:
    """The symbols that definitions of one name come to, in order: one where they are parts of one definition."""
    if len(same) > 1:
        same = _without_values(_outermost(same))
    if len(same) > 1:
        same = _without_declarations(same)
    if len(same) > 1:
        whole = _as_one(same, everything)
        if whole is not None:
            return [whole]
    return [definition.symbol for definition in same]


def _outermost(same: list[Definition]) -> list[Definition]:
    """Without those that stand inside another: `typedef struct point { … } point;`."""
    kept: list[Definition] = []
    for definition in same:
        if not kept or definition.start >= kept[-1].end:
            kept.append(definition)
    return kept


def _without_values(same: list[Definition]) -> list[Definition]:
    """Without what a name is set to, where something else defines it: `f = traced(f)`."""
    others = [definition for definition in same if definition.symbol.kind != "variable"]
    return others or same


def _without_declarations(same: list[Definition]) -> list[Definition]:
    """The one definition, where all others only announce it."""
    defined = [definition for definition in same if definition.role != "declaration"]
    if len(defined) == 1 and len({definition.shape for definition in same}) == 1:
        return defined
    return same


def _as_one(same: list[Definition], everything: Sequence[Definition]) -> Symbol | None:
    """Overloads with what they announce, or a property with its setter, where they follow each other."""
    roles = [definition.role for definition in same]
    overloads = all(role == "overload" for role in roles[:-1]) and roles[-1] in ("overload", "")
    accessors = roles[0] in ("getter", "accessor") and all(role == "accessor" for role in roles[1:])
    if not (overloads or accessors) or not _adjacent(same, everything):
        return None
    shown = same[-1] if overloads and not roles[-1] else same[0]
    first, last = same[0].symbol, same[-1].symbol
    return Symbol(first.name, shown.symbol.kind, shown.symbol.line, first.first, last.last)


def _adjacent(same: list[Definition], everything: Sequence[Definition]) -> bool:
    """Whether between them nothing else is defined but what stands inside them."""
    parts = iter(same)
    part = next(parts)
    at = next(index for index, definition in enumerate(everything) if definition is part)
    for definition in everything[at + 1 :]:
        if definition.start < part.end:
            continue
        part_next = next(parts, None)
        if part_next is None:
            return True
        if definition is not part_next:
            return False
        part = part_next
    return next(parts, None) is None
