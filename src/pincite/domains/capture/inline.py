"""Cited output inside the document that cites it: collapsed blocks at its end, each once, whatever was there before."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...dialects import dialects, extract
from ...safe.escape import escape_text
from ...text.attached_output import attach, blocks, read_attached
from ...text.document import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...project.config import Config
    from ...store.bundle import Occurrence
    from .export import CitedText

_BEGIN = "<!-- pincite-evidence -->"
_END = "<!-- /pincite-evidence -->"


def format_block(text: CitedText) -> str:
    """The markdown that carries a text."""
    return attach(text.digest, text.given, text.masked, text.data, _title(text.occurrences))


def attach_texts(key: str, document: str, texts: Sequence[CitedText], config: Config) -> str:
    """The document with these texts attached; the same where they all are already, intact.

    Raises UsageError where they would mix with the text of the document.
    """
    end = "\r\n" if document.count("\r\n") * 2 > document.count("\n") else "\n"
    new = _add_missing_blocks(document, texts, end)
    if new != document:
        before, after = _citations(key, document, config), _citations(key, new, config)
        attached = {(piece.digest, piece.given) for piece in read_attached(new) if piece.data is not None}
        if after - before or any((text.digest, text.given) not in attached for text in texts):
            raise UsageError(
                f"{key}: output attached here would be read as part of the document; close the code block or comment "
                "that is open at its end, or write a bundle with -o"
            )
    return new


def _add_missing_blocks(document: str, texts: Sequence[CitedText], end: str) -> str:
    """Changed blocks are replaced where they stand; what is not there at all comes last in the section at the end."""
    known = list(blocks(document))
    intact = {(found.piece.digest, found.piece.given) for found in known if found.piece.data is not None}
    missing = {
        (text.digest, text.given): format_block(text).replace("\n", end)
        for text in texts
        if (text.digest, text.given) not in intact
    }
    pieces: list[str] = []
    at = 0
    for found in known:
        written = missing.pop((found.piece.digest, found.piece.given), "") if found.whole else ""
        if written:
            pieces += document[at : found.start], written
            at = found.end
    changed = "".join((*pieces, document[at:]))
    return _append_blocks(changed, list(missing.values()), end) if missing else changed


def _append_blocks(document: str, written: Sequence[str], end: str) -> str:
    closing = _find_closing_line(document)
    if closing >= 0:
        return document[:closing] + "".join(one + end for one in written) + document[closing:]
    gap = "" if not document else end if document.endswith("\n") else end * 2
    return document + gap + end.join((_BEGIN + end, *written, _END + end))


def _find_closing_line(document: str) -> int:
    """Where the line is that ends the section; -1 where there is none. What is inside a block is no such line."""
    at, last = 0, -1
    for start, end in (*((found.start, found.end) for found in blocks(document)), (len(document), len(document))):
        found = document.rfind(_END, at, start)
        if found >= 0 and (found == 0 or document[found - 1] == "\n"):
            last = found
        at = end
    return last if last >= 0 and _BEGIN in document[:last] else -1


def _citations(key: str, text: str, config: Config) -> Counter[tuple[str, str]]:
    document = Document(key, text, config.in_code, config.memories)
    return Counter((item.dialect, item.raw) for item in extract(document, dialects()))


def _title(occurrences: Sequence[Occurrence]) -> str:
    """What was run last to print a text, how that ended and when; empty where it is unknown."""
    if not occurrences:
        return ""
    last = occurrences[-1]
    from shlex import join

    command = join(last.command) if last.origin == "run" else " ".join(last.command)
    ending = f"signal {last.signal}" if last.signal else "" if last.exit_code is None else f"exit {last.exit_code}"
    when = last.started[:16].replace("T", " ") + " UTC" if last.started else ""
    return ", ".join(filter(None, (escape_text(command, 200), ending, when)))
