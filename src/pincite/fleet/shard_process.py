"""The process that reads repositories: `python -P -m pincite.fleet.shard_process`.

It brings mirrors up to date and checks commits, one request after another, and tells what it found on its standard
output. It knows no database and no credential but that of the repository. It can be killed at any time. It ends with
its standard input: what it was doing for a worker that is gone is of no use.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from resource import RLIM_INFINITY, RLIMIT_AS, RUSAGE_CHILDREN, RUSAGE_SELF, getrlimit, getrusage, setrlimit
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import DecodeError
from msgspec.msgpack import decode, encode

from ..core.errors import PinciteError
from ..domains.research.topic import HOME
from ..engine.run import Request, Run
from ..engine.settings import merge_settings
from ..project.baseline_file import read_known
from ..project.config import load_config, parse_settings
from ..project.project import open_project
from ..safe.bounded_child import kill_all_at_end_of_input
from ..safe.escape import whole
from ..safe.git import is_id
from ..safe.git_mirror import MirrorDamaged, MirrorState, hide_credentials
from ..safe.process_memory import forget_peak, read_peak
from .mirrors import Mirrors
from .shard_records import (
    ShardBatch,
    ShardCited,
    ShardFarewell,
    ShardHead,
    ShardRefusal,
    ShardReply,
    ShardRequest,
    ShardResult,
)
from .shard_rows import RowMaker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from ..core.model import Summary
    from ..project.config import Config
    from .shard_records import ShardRow, ShardTask

MODULE = __name__ if __name__ != "__main__" else "pincite.fleet.shard_process"
MIRRORS = "PINCITE_MIRRORS"
"""The environment variable by which citations of other repositories find their mirrors."""
_BATCH = 400
"""Rows that are sent together."""
_MOST_REQUEST = 1024 * 1024
_LARGEST = 320 * 1024 * 1024
"""A process that grew beyond so many bytes ends after its answer, and the next request starts a small one."""
_NO_COMMIT = "it has no commit yet"
_MOST_MESSAGE = 1500
_MOST_UNREADABLE = 3
_MOST_TOPICS, _MOST_PAGES = 1_000, 1_000
"""Research topics of one repository, and pages of one topic, that are told."""
_DAMAGE = "missing or damaged"
_OWN_EVIDENCE = (
    "the evidence of the team is not used, as .pincite is a part of the commit; type git rm -r --cached .pincite"
)


class ShardChecker:
    """Answers requests."""

    def __init__(self) -> None:
        self._mirrors: dict[tuple[str, int], Mirrors] = {}
        self.is_spent = False
        """Whether something happened after which a new process is better."""

    def answer(self, request: ShardRequest) -> Iterator[ShardReply]:
        """What the worker asked for; the last reply is a head, a list, a result or a refusal."""
        try:
            self._limit_memory(request.task.memory_bytes)
            if request.kind == "update":
                state = self._update(request.task)
                yield ShardHead(state.head, state.committed)
            elif request.kind == "cited":
                yield self._list_cited(request.task, request.commit)
            else:
                yield from self._check(request.task, request.commit)
        except PinciteError as error:
            yield self._refuse(str(error))
        except MemoryError:
            self.is_spent = True
            yield self._refuse(f"it takes more than {request.task.memory_bytes:,} bytes of memory, the limit")
        except OSError as error:
            yield self._refuse(f"its files cannot be read or written: {error.strerror or type(error).__name__}")
        except Exception as error:
            # The worker tells the user; a traceback in its log would not.
            self.is_spent = True
            yield self._refuse(f"pincite failed ({type(error).__name__}); this is a defect of it")

    def _refuse(self, message: str) -> ShardRefusal:
        return ShardRefusal(whole(hide_credentials(message))[:_MOST_MESSAGE])

    def _open_mirrors(self, task: ShardTask) -> Mirrors:
        key = task.mirrors, task.mirror_bytes
        if key not in self._mirrors:
            self._mirrors = {key: Mirrors(*key)}
        return self._mirrors[key]

    def _update(self, task: ShardTask, afresh: bool = False) -> MirrorState:
        mirrors = self._open_mirrors(task)
        return mirrors.update(
            task.repository, task.location, task.team, task.seconds, task.repository_bytes, afresh=afresh
        )

    def _find_commit(self, mirrors: Mirrors, task: ShardTask, commit: str) -> tuple[str, bool]:
        """The commit that is meant, empty where there is none yet, and whether its mirror was made just now."""
        if commit and not is_id(commit):
            raise PinciteError(f"{commit[:80]!a}: not the id of a commit")
        if commit and mirrors.has(task.repository, task.team, commit):
            return commit, False
        state = self._update(task)
        commit = commit or state.head
        if commit and not mirrors.has(task.repository, task.team, commit):
            raise PinciteError(f"{task.repository}: the commit {commit[:12]} is not in it any more")
        return commit, state.is_new

    def _list_cited(self, task: ShardTask, commit: str) -> ShardCited:
        mirrors = self._open_mirrors(task)
        commit, _ = self._find_commit(mirrors, task, commit)
        if not commit:
            return ShardCited("", [])
        return ShardCited(commit, mirrors.list_cited_ids(task.repository, task.team, commit, task.seconds))

    def _check(self, task: ShardTask, commit: str) -> Iterator[ShardReply]:
        started = _Meter()
        mirrors = self._open_mirrors(task)
        commit, is_fresh = self._find_commit(mirrors, task, commit)
        if not commit:
            yield started.conclude(ShardResult("", 0, 0, trouble=_NO_COMMIT))
            return
        os.environ[MIRRORS] = mirrors.team_folder(task.team)
        try:
            for reply in self._check_commit(mirrors, task, commit, is_fresh):
                if isinstance(reply, ShardResult):
                    if _DAMAGE in reply.trouble and not is_fresh:
                        raise MirrorDamaged(reply.trouble)
                    reply = started.conclude(reply)
                yield reply
        except MirrorDamaged:
            if is_fresh:
                raise
            # Objects are missing that the source may have; else it is a partial clone. What was told already does not
            # count.
            self._update(task, afresh=True)
            for reply in self._check_commit(mirrors, task, commit, is_partial=True):
                yield started.conclude(reply) if isinstance(reply, ShardResult) else reply

    def _check_commit(self, mirrors: Mirrors, task: ShardTask, commit: str, is_partial: bool) -> Iterator[ShardReply]:
        with mirrors.check_out(
            task.repository, task.team, commit, task.seconds, task.checkout_files, task.checkout_bytes, is_partial
        ) as place:
            rows = RowMaker(place)
            unread: list[str] = []
            said = _place_evidence(task.evidence, place) if task.evidence else []
            try:
                with open_project(place, option="", config=_choose_settings(place, task.settings)) as project:
                    config = merge_settings(project.config)
                    known = read_known(project.root, config.baseline)
                    run = Run(project.root, Request(config=config, every=True, cache=False, known=known))
                    try:
                        yield from _stream_rows(run, rows, unread)
                    finally:
                        run.close()
            except PinciteError as error:
                raise PinciteError(rows.clean(str(error), _MOST_MESSAGE)) from None
            others = {whole(name): whole(seen) for name, seen in getattr(run, "others", {}).items()}
            topics = _list_topics(place) if os.path.isdir(os.path.join(place, HOME)) else {}
            committed = mirrors.find_time(task.repository, task.team, commit)
            trouble = _describe_trouble(run.summary, said, unread, rows)
            yield ShardResult(commit, committed, run.summary.documents, others=others, topics=topics, trouble=trouble)

    def _limit_memory(self, most: int) -> None:
        """Bound the address space of this process and of those that it starts."""
        soft, hard = getrlimit(RLIMIT_AS)
        bound = most if hard == RLIM_INFINITY else min(most, hard)
        if soft != bound:
            with suppress(OSError, ValueError):
                setrlimit(RLIMIT_AS, (bound, hard))


class _Meter:
    """What answering a request takes."""

    def __init__(self) -> None:
        forget_peak()
        self._started, self._cpu = perf_counter(), _count_cpu()

    def conclude(self, result: ShardResult) -> ShardResult:
        """A result with what it took."""
        from msgspec.structs import replace

        seconds = round(perf_counter() - self._started, 4)
        return replace(result, seconds=seconds, cpu_seconds=round(_count_cpu() - self._cpu, 4), peak_bytes=read_peak())


def _count_cpu() -> float:
    every = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in every)


def _choose_settings(place: str, settings: str) -> Config:
    """The settings of a repository; those of the fleet where it has none."""
    config, file = load_config(place)
    if file or not settings:
        return config
    return parse_settings(settings, "pincite.toml", "the settings of the fleet") or config


def _stream_rows(run: Run, rows: RowMaker, unread: list[str]) -> Iterator[ShardBatch]:
    """The rows of a run in batches; documents that cannot be read are added to `unread`, the first of them."""
    waiting: list[ShardRow] = []
    is_first = True
    for report in run.parts():
        if report.error and len(unread) < _MOST_UNREADABLE:
            unread.append(f"{report.document}: {report.error}")
        waiting += rows.make(report)
        while len(waiting) >= _BATCH:
            yield ShardBatch(waiting[:_BATCH], is_first)
            is_first = False
            del waiting[:_BATCH]
    yield ShardBatch(waiting, is_first)


def _list_topics(place: str) -> dict[str, list[tuple[str, str]]]:
    """The pages that the research topics of a repository cite."""
    from .source_list import read_topics

    found: dict[str, list[tuple[str, str]]] = {}
    with suppress(PinciteError):
        for listed in read_topics(place):
            folder = whole(listed.place.rpartition(":")[2])
            pages = [(whole(one.url), whole(one.quote)) for one in listed.sources[:_MOST_PAGES]]
            if pages and len(found) < _MOST_TOPICS:
                found[folder] = pages
    return found


def _place_evidence(folder: str, place: str) -> list[str]:
    """Put captured output that the team shares beside the files of a commit; what could not be done."""
    from ..safe.files import Root
    from ..store.captures_copy import copy_captures

    with Root(folder, is_checked=False) as source, Root(place, is_checked=False) as target:
        return [] if copy_captures(source, target) else [_OWN_EVIDENCE]


def _describe_trouble(summary: Summary, said: list[str], unread: list[str], rows: RowMaker) -> str:
    """What a run could not do, in a line."""
    said = [*said, summary.drift] if summary.drift else said[:]
    said += unread
    if summary.unreadable > len(unread):
        said.append(f"{summary.unreadable - len(unread)} more documents cannot be read")
    return rows.clean("; ".join(map(rows.clean, said)), _MOST_MESSAGE)


def _send(sink: BinaryIO, data: bytes) -> None:
    sink.write(len(data).to_bytes(4, "big") + data)
    sink.flush()


def main() -> None:
    """Answer requests until the worker is gone."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    kill_all_at_end_of_input(source.fileno())
    checker = ShardChecker()
    # What was imported stays: the collector need not look at it again and again.
    gc.collect()
    gc.freeze()
    with suppress(BrokenPipeError, KeyboardInterrupt):
        while len(head := source.read(4)) == 4:
            try:
                request = decode(source.read(min(int.from_bytes(head, "big"), _MOST_REQUEST)), type=ShardRequest)
            except DecodeError:
                break
            for answer in checker.answer(request):
                _send(sink, encode(answer))
            is_last = checker.is_spent or read_peak() > _LARGEST
            if is_last:
                _send(sink, encode(ShardFarewell()))
            _send(sink, b"")
            if is_last:
                break
    os._exit(0)


if __name__ == "__main__":
    main()
