"""What is logged about citations: fixed sentences for people, and the values in fields of their own for machines.

Paths are shown with nothing invisible in them; the fields hold them as they are.
"""

from __future__ import annotations

import sys

from ...safe.escape import escape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from logging import Logger, LoggerAdapter
    from typing import Any

    from ...search.model import Citation, SearchHit

    AnyLogger = Logger | LoggerAdapter[Any]

NAME = "pincite.retrieval"
_DEBUG, _INFO, _WARNING, _ERROR = 10, 20, 30, 40
_HUGE = 10**18
_LONGEST = 2000
"""Characters of a value that are shown."""


class Journal:
    """Writes to the logger it is given, by default to `pincite.retrieval`."""

    __slots__ = ("_logger",)

    def __init__(self, logger: AnyLogger | None = None) -> None:
        self._logger = logger

    def _at(self, level: int) -> AnyLogger | None:
        """The logger, where it wants to hear about this level."""
        logger = self._logger
        if logger is None:
            # Where logging was never imported there is no listener, and it is not worth its start-up.
            if "logging" not in sys.modules:
                return None
            from logging import NullHandler, getLogger

            logger = self._logger = getLogger(NAME)
            if not logger.handlers:
                logger.addHandler(NullHandler())
        return logger if logger.isEnabledFor(level) else None

    def _log(self, level: int, text: str, *values: object, error: object = None, **fields: object) -> None:
        """Log a sentence with its values made fit to be seen, and the fields as they are."""
        if (logger := self._at(level)) is not None:
            shown = [escape_text(value, _LONGEST) if isinstance(value, str) else value for value in values]
            logger.log(level, text, *shown, exc_info=error, extra=fields)  # type: ignore[arg-type]

    @property
    def loud(self) -> bool:
        """Whether messages about success are logged."""
        return self._at(_INFO) is not None

    @property
    def debugging(self) -> bool:
        """Whether every step is logged."""
        logger = self._logger
        return self._at(_DEBUG) is not None if logger is None else logger.isEnabledFor(_DEBUG)

    def creating(self, hit: SearchHit) -> None:
        """A citation is about to be created."""
        chunk_id, path = hit.chunk.id, hit.document.file_path
        text = "Creating citation for chunk %s from %s"
        self._log(_DEBUG, text, chunk_id, path, chunk_id=chunk_id, document_path=path)

    def log_line(self, path: str, line: int, offset: int) -> None:
        """A line number was found."""
        text = "Calculated line number %d from offset %d"
        self._log(_DEBUG, text, line, offset, line_number=line, offset=offset, file_path=path)

    def created(self, citation: Citation, elapsed_ms: float) -> None:
        """A citation exists."""
        names = ("chunk_id", "document_path", "document_title", "line_number")
        fields = {name: getattr(citation, name) for name in names}
        text = "Citation created for %s in %.3fms"
        self._log(_INFO, text, citation.document_title, elapsed_ms, elapsed_ms=elapsed_ms, **fields)

    def formatting(self, citation: Citation, style: str) -> None:
        """A citation is about to be written."""
        path = citation.document_path
        text = "Formatting citation for %s as %s"
        self._log(_DEBUG, text, path, style, chunk_id=citation.chunk_id, document_path=path, style=style)

    def not_found(self, path: str, offset: int) -> None:
        """There is no file to find a line in."""
        text = "Cannot calculate line number: file not found at %s"
        self._log(_WARNING, text, path, file_path=path, offset=offset)

    def too_far(self, path: str, offset: int, length: int) -> None:
        """The file ends before the offset."""
        text = "Offset %s exceeds file length %d for %s"
        self._log(_WARNING, text, _number(offset), length, path, file_path=path, offset=offset, length=length)

    def no_line(self, path: str, offset: int, reason: str) -> None:
        """There is a file, and still no line."""
        text = "Failed to calculate line number for %s at offset %s: %s"
        self._log(_WARNING, text, path, _number(offset), reason, file_path=path, offset=offset, error_message=reason)

    def not_created(self, hit: SearchHit, error: BaseException) -> None:
        """A hit is not what it says it is, and no citation came of it."""
        chunk_id = getattr(getattr(hit, "chunk", None), "id", None)
        text = "Failed to create citation for chunk %s: %s"
        self._log(_ERROR, text, str(chunk_id), str(error), chunk_id=chunk_id, error_message=str(error))

    def handler_failed(self, handler: object, event: object, error: BaseException) -> None:
        """A subscriber raised."""
        name = getattr(handler, "__qualname__", None) or type(handler).__name__
        text = "A subscriber to %s failed: %s: %s"
        self._log(_ERROR, text, type(event).__name__, str(name), repr(error), error=error)

    def finder_failed(self, path: str, error: BaseException) -> None:
        """Who was asked where a document went raised."""
        text = "Failed to find where %s went: %s"
        self._log(_ERROR, text, path, repr(error), error=error, document_path=path, error_message=str(error))


def _number(offset: int) -> int | str:
    """An offset that can be written: Python refuses to write numbers of many thousands of digits."""
    return offset if -_HUGE < offset < _HUGE else "of more than 18 digits"
