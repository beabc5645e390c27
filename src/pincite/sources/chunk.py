"""Captured command output, by the start of its SHA-256 or the id another tool gave it.

It is looked for in this machine's store (`.pincite/`), in bundles below the root (`pincite-bundle.json`), and in the
evidence attached to the document itself. Two different texts for one id are ambiguous, never a guess.
"""

from ..core.model import Citation, Obstacle, SourceRef
from ..text.document import Document
from ..text.evidence import CaptureRecord, Evidence
from . import World


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle:
    """The text an id means, or why there is none to look at."""
    from ..store.database import Damaged, StoreTrouble
    from ..text.terminal.screen import screen_lines
    from ._captured_output import CapturedOutput

    captured = world.captured
    if captured is None:
        captured = world.captured = CapturedOutput(world)
    texts = captured.find(citation.source.key, document)
    if not texts:
        return Obstacle("command-not-captured", "; ".join(captured.trouble))
    if len(texts) > 1:
        listed = ", ".join(sorted(copies[0].digest[:12] for copies in texts)[:5])
        return Obstacle("chunk-ambiguous", f"{len(texts)} {listed}")
    (copies,) = texts
    given = "" if any(not copy.given for copy in copies) else copies[0].given
    name = f"chunk:{copies[0].digest}{given}"
    known = world.sources.get(name)
    if known is not None:
        return known
    try:
        data, copy = captured.data(copies)
    except Damaged as error:
        return Obstacle("chunk-damaged", str(error))
    except StoreTrouble as error:
        return Obstacle("chunk-damaged" if copies[0].place else "command-not-captured", str(error))
    found = Evidence(SourceRef("chunk", copy.digest), data, screen_lines(data))
    found.record = CaptureRecord(given, copy.masked, copy.place, captured.code(copies))
    world.keep(name, found)
    return found
