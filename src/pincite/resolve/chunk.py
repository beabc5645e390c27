"""Captured command output, by the start of its SHA-256 or the id another tool gave it.

It is looked for in this machine's store (`.pincite/`), in bundles below the root (`pincite-bundle.json`), and in the
evidence attached to the document itself. Two different texts for one id are ambiguous, never a guess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..evidence import Evidence, Record
from ..model import Obstacle, SourceRef

if TYPE_CHECKING:
    from ..model import Citation
    from . import World


def find(citation: Citation, world: World) -> Evidence | Obstacle:
    """The text an id means, or why there is none to look at."""
    from ..screen import screen_lines
    from ..store.database import Damaged, StoreTrouble
    from ._captured import Captured

    captured = world.captured
    if captured is None:
        captured = world.captured = Captured(world)
    candidates = captured.find(citation.source.key)
    if not candidates:
        return Obstacle("command-not-captured", "; ".join(captured.trouble))
    if len(candidates) > 1:
        listed = ", ".join(sorted(candidate.digest[:12] for candidate in candidates)[:5])
        return Obstacle("chunk-ambiguous", f"{len(candidates)} {listed}")
    candidate = candidates[0]
    known = world.sources.get(f"chunk:{candidate.digest}{candidate.given}")
    if known is not None:
        return known
    try:
        data = captured.data(candidate)
    except Damaged as error:
        return Obstacle("chunk-damaged", str(error))
    except StoreTrouble as error:
        return Obstacle("chunk-damaged" if candidate.place else "command-not-captured", str(error))
    found = Evidence(SourceRef("chunk", candidate.digest), data, screen_lines(data))
    found.record = Record(candidate.given, candidate.masked, candidate.place)
    world.keep(f"chunk:{candidate.digest}{candidate.given}", found)
    return found
