"""What was printed elsewhere, into the store: logs, pipes and the transcripts of other tools."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...core.errors import UsageError
from ...store.captures import NewChunk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...store.captures import CapturedRun, Captures
    from .masking import Masker
    from .transcript import TranscriptChunk
    from .writer import NoMasking


def import_text(
    captures: Captures, run: CapturedRun, text: bytes, given: str, masker: Masker | NoMasking, code: int | None = None
) -> tuple[int, int]:
    """Keep a text as one chunk under another tool's id; the run's number and how many secrets were hidden.

    An id that is the start of the text's own SHA-256 is no foreign one.
    """
    kept, marks = masker.feed(text)
    rest, more = masker.close()
    kept += rest
    digest = sha256(kept).hexdigest()
    with captures.output() as output:
        number = captures.begin(replace(run, file=output.name))
        external = "" if digest.startswith(given) else given
        chunk = NewChunk(digest, kept, len(kept), len(marks) + len(more), external)
        captures.add(number, 0, [chunk], output)
        output.sync()
        captures.end(number, None, code)
    return number, chunk.masked


def checked_id(given: str) -> str:
    """An id as citations can carry it; raises UsageError for any other."""
    lowered = given.lower()
    if not 6 <= len(lowered) <= 64 or any(char not in "0123456789abcdef" for char in lowered):
        raise UsageError(f"--id {given!a}: not an id that can be cited; use 6 to 64 hex digits, for example d05d1b")
    return lowered


def pieces_of(data: bytes, name: str) -> Sequence[TranscriptChunk]:
    """The chunks of a transcript; raises UsageError where there is none."""
    from .transcript import read_transcript

    pieces, skipped = read_transcript(data)
    if not pieces:
        more = f" ({skipped} with an id that cannot be cited)" if skipped else ""
        raise UsageError(f"{name}: no chunk with an id in it{more}; leave out --transcript to keep it as a plain log")
    return pieces
