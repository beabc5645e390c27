"""When buffers are checked: at first sight in a thread, with history in a child process, and only the latest text."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec import MsgspecError
from msgspec.msgpack import decode, encode

from ...core.errors import PinciteError
from ...core.model import Report
from ...engine.citing_index import list_references
from ...engine.draft import check_draft
from ...project.project import open_project
from ...safe.child import ChildFailed
from ...safe.worker_process import ask_worker
from .background_work import MODULE, HistoryRequest
from .carry_over import HistoryAnswer, carry_over
from .locations import is_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from .locations import FilePlace
    from .open_files import OpenFile, OpenFiles
    from .work_lane import WorkLane

DEBOUNCE = 0.25
"""Seconds without an edit before a text is checked."""
_PAUSE = 0.5
"""Seconds after the first answer to an edit before history is asked: while the user types, no process is started."""
_MOST_ANSWER = 512 * 1024 * 1024
_AT_ONCE = 1
"""Child processes for history at a time: opening a window with twenty documents must not start twenty."""


class BufferChecker:
    """Checks buffers as they change. `show` is called for a buffer whose report is new, `note` with what went wrong."""

    def __init__(
        self,
        files: OpenFiles,
        lane: WorkLane,
        show: Callable[[OpenFile], object],
        note: Callable[[str], object],
    ) -> None:
        self._files = files
        self._lane = lane
        self._show = show
        self._note = note
        self._slots = asyncio.Semaphore(_AT_ONCE)

    def schedule(self, file: OpenFile, delay: float = 0.0, is_edit: bool = False) -> None:
        """Check a buffer after a while; what is under way for an older text is dropped.

        After an edit a client that asks for diagnostics asks for them by itself.
        """
        file.awaits_request = is_edit or file.awaits_request
        file.generation += 1
        file.quick_done.clear()
        file.history_done.clear()
        if file.checking is not None:
            file.checking.cancel()
        file.checking = asyncio.get_running_loop().create_task(self._check(file, delay))

    def forget(self, file: OpenFile) -> None:
        """Drop the work for a buffer that was closed."""
        if file.checking is not None:
            file.checking.cancel()

    def recheck_citing(self, root: str, keys: set[str]) -> None:
        """Check the buffers again that cite one of these files of a project; all where the keys are unknown."""
        for file in self._files:
            if file.place is None or file.place.root != root or file.report is None:
                continue
            cited = {reference.path for reference in list_references(file.report)}
            if not keys or not cited.isdisjoint(keys) or not keys.isdisjoint(_list_named(file.report)):
                self.schedule(file, DEBOUNCE)

    async def _check(self, file: OpenFile, delay: float) -> None:
        """First what needs no history, then the rest."""
        try:
            if delay:
                await asyncio.sleep(delay)
            generation, text, place = file.generation, file.text, file.place
            if place is None:
                return
            try:
                report = await self._lane.submit(lambda: check_quickly(place, text.text))
            except PinciteError as error:
                report = Report(place.key, error=str(error))
                self._note(str(error))
            if report is None or report.error:
                file.history = None
            file.report = carry_over(text, report, file.history) if report is not None else None
            file.checked_text, file.checked = text, generation
            file.quick_done.set()
            self._show(file)
            if report is not None and not report.error and (report.verdicts or report.unread or report.malformed):
                await asyncio.sleep(_PAUSE if delay else 0.0)
                await self._ask_history(file, report)
        except Exception as error:
            self._note(f"{file.uri}: not checked: {type(error).__name__}: {error}")
        finally:
            # A task that was replaced by a newer one says nothing about that.
            if file.checking is asyncio.current_task():
                file.quick_done.set()
                file.history_done.set()

    async def _ask_history(self, file: OpenFile, quick: Report) -> None:
        generation, text, place = file.generation, file.text, file.place
        if place is None:
            return
        request = encode(HistoryRequest(place.root, place.key, text.text.encode("utf-8", "replace")))
        try:
            async with self._slots:
                answer = await ask_worker(MODULE, request, _MOST_ANSWER)
            report = await self._lane.submit(lambda: decode(answer, type=Report))
        except (ChildFailed, MsgspecError, UnicodeError) as error:
            self._note(f"{place.key}: not compared with history: {error}")
            return
        if file.generation != generation:
            return
        file.history = HistoryAnswer(text, quick, report)
        file.tried = generation
        if file.report != report:
            file.report = report
            self._show(file)


def check_quickly(place: FilePlace, text: str) -> Report | None:
    """What can be said of a text without history; None where it is no document."""
    with open_project(place.root, option="") as project:
        if not is_document(project, place.key):
            return None
        return check_draft(project, text, place.key, history=False).report


def _list_named(report: Report) -> set[str]:
    """What a report rests on beside the cited files: papers, and paths that are not there."""
    return {verdict.seen.path for verdict in report.verdicts if verdict.seen is not None}
