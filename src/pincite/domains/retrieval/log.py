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
        if (logger := self._at(_DEBUG)) is not None:
            chunk_id, path = hit.chunk.id, hit.document.file_path
            fields = {"chunk_id": chunk_id, "document_path": path}
            logger.debug("Creating citation for chunk %s from %s", chunk_id, escape_text(path), extra=fields)

    def log_line(self, path: str, line: int, offset: int) -> None:
        """A line number was found."""
        if (logger := self._at(_DEBUG)) is not None:
            fields = {"line_number": line, "offset": offset, "file_path": path}
            logger.debug("Calculated line number %d from offset %d", line, offset, extra=fields)

    def created(self, citation: Citation, elapsed_ms: float) -> None:
        """A citation exists."""
        if (logger := self._at(_INFO)) is not None:
            title = citation.document_title
            fields = {
                "chunk_id": citation.chunk_id,
                "document_path": citation.document_path,
                "document_title": title,
                "line_number": citation.line_number,
                "elapsed_ms": elapsed_ms,
            }
            logger.info("Citation created for %s in %.3fms", escape_text(title), elapsed_ms, extra=fields)

    def formatting(self, citation: Citation, style: str) -> None:
        """A citation is about to be written."""
        if (logger := self._at(_DEBUG)) is not None:
            fields = {"chunk_id": citation.chunk_id, "document_path": citation.document_path, "style": style}
            logger.debug("Formatting citation for %s as %s", escape_text(citation.document_path), style, extra=fields)

    def not_found(self, path: str, offset: int) -> None:
        """There is no file to find a line in."""
        if (logger := self._at(_WARNING)) is not None:
            fields = {"file_path": path, "offset": offset}
            logger.warning("Cannot calculate line number: file not found at %s", escape_text(path), extra=fields)

    def too_far(self, path: str, offset: int, length: int) -> None:
        """The file ends before the offset."""
        if (logger := self._at(_WARNING)) is not None:
            fields = {"file_path": path, "offset": offset, "length": length}
            logger.warning(
                "Offset %s exceeds file length %d for %s", _number(offset), length, escape_text(path), extra=fields
            )

    def no_line(self, path: str, offset: int, reason: str) -> None:
        """There is a file, and still no line."""
        if (logger := self._at(_WARNING)) is not None:
            fields = {"file_path": path, "offset": offset, "error_message": reason}
            text = "Failed to calculate line number for %s at offset %s: %s"
            logger.warning(text, escape_text(path), _number(offset), escape_text(reason), extra=fields)

    def not_created(self, hit: SearchHit, error: BaseException) -> None:
        """A hit is not what it says it is, and no citation came of it."""
        if (logger := self._at(_ERROR)) is not None:
            chunk_id = getattr(getattr(hit, "chunk", None), "id", None)
            fields = {"chunk_id": chunk_id, "error_message": str(error)}
            text = "Failed to create citation for chunk %s: %s"
            logger.error(text, escape_text(str(chunk_id), 200), escape_text(str(error), 2000), extra=fields)

    def handler_failed(self, handler: object, event: object, error: BaseException) -> None:
        """A subscriber raised."""
        if (logger := self._at(_ERROR)) is not None:
            name = getattr(handler, "__qualname__", None) or type(handler).__name__
            text = "A subscriber to %s failed: %s: %s"
            logger.error(
                text,
                type(event).__name__,
                escape_text(str(name)),
                escape_text(repr(error), 2000),
                exc_info=error,
            )

    def finder_failed(self, path: str, error: BaseException) -> None:
        """Who was asked where a document went raised."""
        if (logger := self._at(_ERROR)) is not None:
            fields = {"document_path": path, "error_message": str(error)}
            text = "Failed to find where %s went: %s"
            logger.error(text, escape_text(path), escape_text(repr(error), 2000), exc_info=error, extra=fields)


def _number(offset: int) -> int | str:
    """An offset that can be written: Python refuses to write numbers of many thousands of digits."""
    return offset if -_HUGE < offset < _HUGE else "of more than 18 digits"
