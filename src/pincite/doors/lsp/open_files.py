"""The files that a client has open: their texts as they are in the editor, and what is known of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from .positions import TextIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...core.model import Report, Verdict
    from .carry_over import HistoryAnswer
    from .locations import FilePlace


class OpenFile:
    """One buffer. What is known of it may be of an older version; `is_current` and `is_tried` say whether it is."""

    def __init__(self, uri: str, place: FilePlace | None, version: int | None, text: TextIndex) -> None:
        self.uri = uri
        self.place = place
        self.version = version
        self.text = text
        self.generation = 0
        """Counts what may change the answer: edits, and changes of what is cited."""
        self.report: Report | None = None
        """What is known, with a verdict on every citation; None before the first check, and for what is no document."""
        self.checked_text: TextIndex | None = None
        """The text that the report is about."""
        self.checked = -1
        """The generation that the report is about."""
        self.tried = -1
        """The last generation whose safe edits were tried out, with history."""
        self.history: HistoryAnswer | None = None
        self.is_edited = False
        """Whether it was edited since it was opened or saved."""
        self.answered = ""
        """The id of the diagnostics that the client was given last."""
        self.awaits_request = False
        """Whether the client knows that something changed, and will ask for diagnostics by itself."""
        self.checking: asyncio.Task[None] | None = None
        self.quick_done = asyncio.Event()
        self.history_done = asyncio.Event()

    @property
    def is_current(self) -> bool:
        """Whether the report is about the text as it is."""
        return self.report is not None and self.checked == self.generation

    @property
    def is_tried(self) -> bool:
        """Whether the safe edits of the report are those that `fix` would make."""
        return self.is_current and self.tried == self.generation

    async def settle(self) -> None:
        """Wait until the text as it is has been checked at first sight, or could not be."""
        generation = -1
        while generation != self.generation and not self.is_current:
            generation = self.generation
            await self.quick_done.wait()

    def verdict_at(self, offset: int) -> Verdict | None:
        """The verdict on the citation at an offset."""
        return next(iter(self.verdicts_in(offset, offset)), None)

    def verdicts_in(self, start: int, end: int) -> list[Verdict]:
        """The verdicts on the citations that a range touches."""
        if self.report is None or not self.is_current:
            return []
        spans = ((verdict, verdict.citation.span) for verdict in self.report.verdicts)
        return [verdict for verdict, span in spans if span.start <= end and start <= span.end]


class OpenFiles:
    """All buffers by their addresses."""

    def __init__(self) -> None:
        self._files: dict[str, OpenFile] = {}

    def __iter__(self) -> Iterator[OpenFile]:
        return iter(list(self._files.values()))

    def get(self, uri: str) -> OpenFile | None:
        """The buffer at an address."""
        return self._files.get(uri)

    def find(self, place: FilePlace) -> OpenFile | None:
        """The buffer of a file of a project."""
        return next((file for file in self._files.values() if file.place == place), None)

    def put(self, file: OpenFile) -> None:
        """Take a buffer in."""
        self._files[file.uri] = file

    def remove(self, uri: str) -> OpenFile | None:
        """Let go of a buffer."""
        return self._files.pop(uri, None)

    def texts(self, root: str) -> dict[str, str]:
        """The texts of the open files of a project, by key."""
        files = (file for file in self._files.values() if file.place is not None and file.place.root == root)
        return {file.place.key: file.text.text for file in files if file.place is not None}


Change = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


def apply_changes(text: TextIndex, changes: Sequence[Change] | Iterable[Change]) -> TextIndex:
    """A text after the changes that a client reports, one after the other."""
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            text = text.replace(change.range, change.text)
        else:
            text = TextIndex(change.text, text.encoding)
    return text
