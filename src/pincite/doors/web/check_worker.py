"""The child process that checks: `python -m pincite.doors.web.check_worker`.

It stays while the server runs, and answers one request after another. It remembers what it told, so that an answer
holds only what changed since. It can be killed at any time: what it learnt is in the cache.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import blake2b
from resource import RUSAGE_SELF, getrusage
from time import sleep
from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins
from msgspec.msgpack import decode, encode
from msgspec.structs import replace

from ...core.errors import PinciteError
from ...core.model import Report, Summary, Verdict
from ...engine.repair.planned_reports import PlannedReports, offers_safe_edit
from ...engine.run import Request, Run
from ...engine.settings import merge_settings
from ...project.baseline_file import read_known
from ...project.project import open_project
from ...safe.escape import make_encodable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...project.project import Project
    from ...store.last_run import LastRun

MODULE = __name__ if __name__ != "__main__" else "pincite.doors.web.check_worker"
_NICER = 5
"""How far the pages and the user's builds go first."""
_MOST_REQUEST = 64 * 1024
_SETTLING = 0.03
"""Seconds after which the times of files tell that a change is over; a little more than `watched_files.MARGIN`."""
_LARGEST = 160 * 1024
"""KiB: a process that grew beyond ends after its answer, and the next request starts a small one."""


class CheckRequest(Struct, frozen=True):
    """Check all documents of a root."""

    root: str
    known: int
    """The answer that the server has; 0 for none. Where it is the last one, only what changed since is told."""


class CheckProgress(Struct, frozen=True, tag="progress"):
    """How far a check is."""

    done: int
    total: int


class CheckedReport(Struct, frozen=True, tag="report"):
    """What is true of a document now."""

    report: Report


class CheckDone(Struct, frozen=True, tag="done"):
    """Every verdict that changed was told. Told twice: the second time, too, which edits `fix` would not make."""

    number: int
    gone: tuple[str, ...]
    """Documents that were told before and have nothing to say any more."""
    summary: Summary
    head: str
    """The commit that was checked; empty outside a repository and before the first commit."""


class CheckUnchanged(Struct, frozen=True, tag="unchanged"):
    """Nothing changed since the answer that the server has."""


class CheckFailed(Struct, frozen=True, tag="failed"):
    """The documents could not be checked."""

    message: str


CheckAnswer = CheckProgress | CheckedReport | CheckDone | CheckUnchanged | CheckFailed


class RememberingChecker:
    """Checks a root again and again, and tells what changed.

    Trying the edits takes longer than all the rest: what is true of the citations is told before that.
    """

    def __init__(self) -> None:
        self._number = 0
        self._last: LastRun | None = None
        self._found: dict[str, bytes] = {}
        """What marks the report of each document, before its edits were tried."""
        self._told: dict[str, bytes] = {}
        """What marks the report that the server has."""
        self._fixable = 0

    def answer(self, request: CheckRequest) -> Iterator[CheckAnswer]:
        """What the server does not know yet."""
        if request.known != self._number:
            self._found, self._told, self._last = {}, {}, None
        if self._last is not None:
            if self._last.is_still_standing():
                yield CheckUnchanged()
                return
            # What changed just now could change again unseen, so that the next look would check everything once more.
            sleep(_SETTLING)
        try:
            with open_project(request.root, option="") as project:
                yield from self._check(project)
        except PinciteError as error:
            yield CheckFailed(str(error))
        except MemoryError:
            yield CheckFailed("out of memory; exclude the largest documents in the settings")
        except OSError as error:
            yield CheckFailed(f"the files cannot be read: {error.strerror or type(error).__name__}")
        except Exception as error:
            # The server tells the user; a traceback in its terminal would not.
            yield CheckFailed(f"pincite failed ({type(error).__name__}); this is a defect of it")

    def _check(self, project: Project) -> Iterator[CheckAnswer]:
        # The edits are tried when the verdicts are told.
        run = Run(project.root, replace(make_request(project), promises=False))
        try:
            yield from self._tell_changes(project, run)
        finally:
            # Also where the server does not want the rest.
            run.close()

    def _tell_changes(self, project: Project, run: Run) -> Iterator[CheckAnswer]:
        progress, told = CheckProgress(0, 1), 0
        found: dict[str, bytes] = {}
        offering: list[Report] = []

        def note_progress(done: int, total: int) -> None:
            nonlocal progress
            progress = CheckProgress(done, total)

        for report in map(_make_sendable, run.reports(note_progress)):
            # A page need not hear of every document of thousands.
            if (share := progress.done * 100 // progress.total) != told:
                told = share
                yield progress
            found[report.document] = mark = _mark(report)
            if self._found.get(report.document) != mark:
                self._told[report.document] = mark
                yield CheckedReport(report)
            if offers_safe_edit(report):
                offering.append(report)
        gone = tuple(sorted(self._found.keys() - found.keys()))
        # Until the edits were tried the answer is not complete, and does not stand.
        self._last, self._found = None, found
        self._told = {name: mark for name, mark in self._told.items() if name in found}
        self._number += 1
        git = project.git()
        head = (git.head() if git is not None else None) or ""
        yield CheckDone(self._number, gone, replace(run.summary, fixable=self._fixable), head)
        for report in PlannedReports(run).plan(offering):
            mark = _mark(report)
            if self._told[report.document] != mark:
                self._told[report.document] = mark
                yield CheckedReport(report)
        self._last, self._fixable = run.snapshot, run.summary.fixable
        if self._last is not None:
            self._last.drop_reports()
        yield CheckDone(self._number, gone, run.summary, head)


def _make_sendable(report: Report) -> Report:
    """A report that can be told, and compared with an earlier one: names of files may hold bytes that are no text, and
    addresses cannot; when evidence was read is no part of what is true."""
    try:
        encode(report)
    except UnicodeEncodeError:
        name = report.document.encode("utf-8", "backslashreplace").decode()
        return Report(name, error="its name, or that of a file that it cites, is not UTF-8; `pincite check` checks it")
    return replace(report, verdicts=tuple(map(_leave_out_time, report.verdicts)))


def _leave_out_time(verdict: Verdict) -> Verdict:
    return verdict if verdict.seen is None else replace(verdict, seen=replace(verdict.seen, retrieved=0.0))


def _mark(report: Report) -> bytes:
    return blake2b(encode_any(report), digest_size=16).digest()


def make_request(project: Project, jobs: int = 1) -> Request:
    """What is asked of a run: every citation of every document, as `pincite check` judges it."""
    config = merge_settings(project.config)
    known = read_known(project.root, config.baseline)
    return Request(config=config, every=True, promises=True, known=known, jobs=jobs)


def encode_any(record: Struct) -> bytes:
    """A record as MessagePack; names of files may hold bytes that are no text, and are spelt out then."""
    try:
        return encode(record)
    except UnicodeEncodeError:
        return encode(make_encodable(to_builtins(record)))


def main() -> None:
    """Answer requests until the server is gone."""
    with suppress(OSError):
        os.nice(_NICER)
    checker = RememberingChecker()
    # Linux counts what the server had when it started us as our own.
    most = max(_LARGEST, getrusage(RUSAGE_SELF).ru_maxrss)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    with suppress(BrokenPipeError, KeyboardInterrupt):
        while len(head := source.read(4)) == 4:
            request = decode(source.read(min(int.from_bytes(head, "big"), _MOST_REQUEST)), type=CheckRequest)
            for answer in checker.answer(request):
                data = encode_any(answer)
                sink.write(len(data).to_bytes(4, "big") + data)
                sink.flush()
            sink.write(bytes(4))
            sink.flush()
            if getrusage(RUSAGE_SELF).ru_maxrss > most:
                break
    os._exit(0)


if __name__ == "__main__":
    main()
