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

    AnyLogger = Logger | LoggerAdapter[Any]

NAME = "pincite.retrieval"
_DEBUG, _INFO, _WARNING, _ERROR = 10, 20, 30, 40
_MESSAGES = {
    "creating": (_DEBUG, "Creating citation for chunk %(chunk_id)s from %(document_path)s"),
    "line": (_DEBUG, "Calculated line number %(line_number)d from offset %(offset)d"),
    "created": (_INFO, "Citation created for %(document_title)s in %(elapsed_ms).3fms"),
    "formatting": (_DEBUG, "Formatting citation for %(document_path)s as %(style)s"),
    "not found": (_WARNING, "Cannot calculate line number: file not found at %(file_path)s"),
    "too far": (_WARNING, "Offset %(offset)s exceeds file length %(length)d for %(file_path)s"),
    "no line": (
        _WARNING,
        "Failed to calculate line number for %(file_path)s at offset %(offset)s: %(error_message)s",
    ),
    "not created": (_ERROR, "Failed to create citation for chunk %(chunk_id)s: %(error_message)s"),
    "handler failed": (_ERROR, "A subscriber to %(event)s failed: %(handler)s: %(error)s"),
    "finder failed": (_ERROR, "Failed to find where %(document_path)s went: %(error)s"),
}
"""What can be logged: how serious it is, and the sentence with the fields it shows."""
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

    @property
    def loud(self) -> bool:
        """Whether messages about success are logged."""
        return self._at(_INFO) is not None

    @property
    def debugging(self) -> bool:
        """Whether every step is logged."""
        logger = self._logger
        return self._at(_DEBUG) is not None if logger is None else logger.isEnabledFor(_DEBUG)

    def log(self, kind: str, raised: BaseException | None = None, **fields: object) -> None:
        """Log one of the messages with its fields; what was `raised` adds where that happened."""
        level, text = _MESSAGES[kind]
        if (logger := self._at(level)) is not None:
            shown = {name: _make_visible(value) for name, value in fields.items()}
            logger.log(level, text, shown, exc_info=raised, extra=fields)


def _make_visible(value: object) -> object:
    if isinstance(value, str):
        return escape_text(value, _LONGEST)
    # Python refuses to write numbers of many thousands of digits.
    return "of more than 18 digits" if isinstance(value, int) and not -_HUGE < value < _HUGE else value
