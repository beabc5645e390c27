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
from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins
from msgspec.msgpack import decode, encode

from ...core.errors import PinciteError
from ...core.model import Report, Summary
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
    """The end of an answer that was given in full."""

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
    """Checks a root again and again, and tells what changed."""

    def __init__(self) -> None:
        self._number = 0
        self._last: LastRun | None = None
        self._told: dict[str, bytes] = {}

    def answer(self, request: CheckRequest) -> Iterator[CheckAnswer]:
        """What the server does not know yet."""
        if request.known != self._number:
            self._told, self._last = {}, None
        if self._last is not None and self._last.is_still_standing():
            yield CheckUnchanged()
            return
        try:
            yield from self._check(request)
        except (PinciteError, OSError) as error:
            yield CheckFailed(str(error))

    def _check(self, request: CheckRequest) -> Iterator[CheckAnswer]:
        with open_project(request.root, option="") as project:
            run = Run(project.root, make_request(project))
            steps: list[CheckProgress] = []
            told: dict[str, bytes] = {}
            for report in run.reports(lambda done, total: steps.append(CheckProgress(done, total))):
                if steps:
                    yield steps[-1]
                    steps.clear()
                data = encode_any(report)
                told[report.document] = mark = blake2b(data, digest_size=16).digest()
                if self._told.get(report.document) != mark:
                    yield CheckedReport(report)
            gone = tuple(sorted(self._told.keys() - told.keys()))
            self._last, self._told = run.snapshot, told
            self._number += 1
            git = project.git()
            head = git.head() if git is not None else None
            yield CheckDone(self._number, gone, run.summary, head or "")


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
            if getrusage(RUSAGE_SELF).ru_maxrss > _LARGEST:
                break
    os._exit(0)


if __name__ == "__main__":
    main()
