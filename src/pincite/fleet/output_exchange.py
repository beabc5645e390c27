"""Captured output between a project and the shared store: what documents cite, under the ids that they cite it by."""

from __future__ import annotations

from hashlib import sha256
from time import time
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from ..core.limits import LIMITS
from ..store.captures import FROM_TEAM, CapturedRun, NewChunk
from ..store.database import StoreTrouble
from ..store.shared.evidence import LARGEST
from ..store.shared.records import StoredEvidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..store.captures import Captures
    from ..store.shared.evidence import SharedEvidence
    from ..store.shared.records import Team

_LARGEST_TEXT = min(LARGEST, LIMITS.source_bytes)
_LARGEST_RUN = 16 * 1024 * 1024
"""A run of a gigabyte of output takes half of it."""
_HEAD = 6
"""Digits of an id, at least."""


class SharedChunk(msgspec.Struct, frozen=True, array_like=True):
    """One piece of a run's output."""

    sequence: Annotated[int, Meta(ge=0, le=2**40)]
    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    given: Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{6,64})?\Z")]
    masked: Annotated[int, Meta(ge=0, le=2**40)]


class SharedRun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A captured run as it travels: without its number, and without folders of its machine."""

    origin: str
    command: tuple[str, ...] = ()
    folder: str = ""
    started: float
    duration: float | None = None
    code: Annotated[int, Meta(ge=-(2**31), lt=2**31)] | None = None
    signal: Annotated[int, Meta(ge=0, lt=2**31)] = 0
    revision: str = ""
    dirty: bool | None = None
    chunks: tuple[SharedChunk, ...] = ()

    @property
    def key(self) -> str:
        """What names the run, here and elsewhere."""
        facts = (self.command, self.folder, self.started, self.revision)
        return sha256(msgspec.json.encode(facts)).hexdigest()


class WantedOutput:
    """Which texts are meant: those whose ids begin as one of these do, or all."""

    def __init__(self, prefixes: Iterable[str] | None) -> None:
        self._of: dict[str, list[str]] | None = None
        if prefixes is not None:
            self._of = {}
            for prefix in sorted(set(prefixes)):
                self._of.setdefault(prefix[:_HEAD], []).append(prefix)

    def has(self, chunk: SharedChunk) -> bool:
        """Whether a chunk is meant by its digest, or by the id that another tool gave it."""
        if self._of is None:
            return True
        return any(
            name.startswith(prefix)
            for name in (chunk.digest, chunk.given)
            if name
            for prefix in self._of.get(name[:_HEAD], ())
        )


class OutputBounds(msgspec.Struct, frozen=True):
    """How much is brought at most."""

    runs: int = 2**62
    """Runs that are looked at."""
    texts: int = 2**62
    bytes: int = 2**62
    """Of texts and of the records of runs."""


_UNBOUNDED = OutputBounds()


class OutputCount(msgspec.Struct):
    """What was sent or brought."""

    texts: int = 0
    runs: int = 0
    bytes: int = 0
    skipped: list[str] = []
    """What was not, and why."""


def push_output(
    captures: Captures, evidence: SharedEvidence, team: Team, project: str, wanted: WantedOutput
) -> OutputCount:
    """Put the wanted output of a project into the shared store; what is there already is not sent again."""
    count = OutputCount()
    known, runs = set(evidence.keys(team, "text", project)), evidence.keys(team, "run", project)
    chosen: list[SharedRun] = []
    # What came from the store has been in it; what still runs is not whole.
    for run in captures.runs():
        if run.state != "running" and run.origin != FROM_TEAM:
            chunks = tuple(chunk for chunk in _list_chunks(captures, run) if wanted.has(chunk))
            if chunks:
                chosen.append(_share(run, chunks))
    evidence.put(team, _read_texts(captures, project, chosen, known, count))
    for shared in chosen:
        sent = [chunk for chunk in shared.chunks if chunk.digest in known]
        if sent:
            count.runs += _put_run(evidence, team, project, shared, sent, shared.key in runs)
    return count


def _read_texts(
    captures: Captures, project: str, runs: list[SharedRun], known: set[str], count: OutputCount
) -> Iterator[StoredEvidence]:
    """The texts that the store does not have yet; they are known then."""
    for run in runs:
        for chunk in run.chunks:
            if chunk.digest not in known:
                try:
                    data = captures.text(chunk.digest, _LARGEST_TEXT)
                except StoreTrouble as error:
                    count.skipped.append(str(error))
                    continue
                known.add(chunk.digest)
                count.texts += 1
                count.bytes += len(data)
                yield StoredEvidence("text", project, chunk.digest, int(run.started), data)


def _put_run(
    evidence: SharedEvidence, team: Team, project: str, run: SharedRun, chunks: list[SharedChunk], is_known: bool
) -> int:
    """Keep a run with chunks, and with those that it had before; 1 where that is new."""
    merged = {chunk.sequence: chunk for chunk in chunks}
    if is_known:
        before = evidence.find(team, "run", project, run.key)
        old = parse_run(before.data) if before is not None else None
        merged = {chunk.sequence: chunk for chunk in old.chunks} | merged if old is not None else merged
    whole = msgspec.structs.replace(run, chunks=tuple(merged[number] for number in sorted(merged)))
    return evidence.put(team, [StoredEvidence("run", project, run.key, int(time()), msgspec.json.encode(whole))])


def pull_output(
    captures: Captures,
    evidence: SharedEvidence,
    team: Team,
    project: str,
    wanted: WantedOutput,
    bounds: OutputBounds = _UNBOUNDED,
) -> OutputCount:
    """Bring the wanted output of a project that is not here, each text compared with its digest."""
    count, room = OutputCount(), _Room(bounds)
    here = {digest for digest, _ in captures.digests()}
    known = {_share(run).key: run.id for run in captures.runs()}
    for record in evidence.read_all(team, "run", project, _LARGEST_RUN):
        if not room.takes_run(len(record.data)):
            break
        run = parse_run(record.data)
        if run is None or run.key != record.key:
            count.skipped.append(f"run {record.key[:12]}: cannot be read; it is not brought")
            continue
        missing = [chunk for chunk in run.chunks if chunk.digest not in here and wanted.has(chunk)]
        texts = list(_fetch(evidence, team, project, missing, count, room))
        if texts:
            _import(captures, run, texts, known)
            count.runs += 1
            count.texts += len(texts)
            count.bytes += sum(len(data) for _, data in texts)
            here.update(chunk.digest for chunk, _ in texts)
    if room.is_exceeded:
        count.skipped.insert(
            0,
            f"captured output: more than {bounds.texts:,} texts, {bounds.runs:,} runs or {bounds.bytes:,} bytes; "
            "the rest is not brought",
        )
    return count


class _Room:
    """What may still be brought."""

    def __init__(self, bounds: OutputBounds) -> None:
        self._runs, self._texts, self._bytes = bounds.runs, bounds.texts, bounds.bytes
        self.is_exceeded = False

    def takes_run(self, size: int) -> bool:
        """Whether there was room for the record of one more run."""
        is_taken = self._takes(size, self._runs)
        self._runs -= is_taken
        return is_taken

    def takes_text(self, size: int) -> bool:
        """Whether there was room for one more text."""
        is_taken = self._takes(size, self._texts)
        self._texts -= is_taken
        return is_taken

    def _takes(self, size: int, number: int) -> bool:
        if number < 1 or size > self._bytes:
            self.is_exceeded = True
            return False
        self._bytes -= size
        return True


def parse_run(data: bytes) -> SharedRun | None:
    """A run from the shared store; None where it is none."""
    try:
        return msgspec.json.decode(data, type=SharedRun)
    except (ValueError, RecursionError):
        return None


def _fetch(
    evidence: SharedEvidence, team: Team, project: str, chunks: list[SharedChunk], count: OutputCount, room: _Room
) -> Iterator[tuple[SharedChunk, bytes]]:
    wanted = {chunk.digest: chunk for chunk in reversed(chunks)}
    sizes = evidence.measure(team, "text", project, list(wanted))
    for digest, chunk in reversed(wanted.items()):
        size = sizes.get(digest, 0)
        if size > _LARGEST_TEXT:
            count.skipped.append(f"captured output {digest[:12]}: {size:,} bytes in the store; it is not brought")
            continue
        if digest in sizes and not room.takes_text(size):
            continue
        record = evidence.find(team, "text", project, digest) if digest in sizes else None
        if record is None:
            count.skipped.append(f"captured output {digest[:12]}: the store has its run and not its text")
        elif sha256(record.data).hexdigest() != digest:
            count.skipped.append(f"captured output {digest[:12]}: changed in the store; it is not brought")
        else:
            yield chunk, record.data


def _import(captures: Captures, run: SharedRun, texts: list[tuple[SharedChunk, bytes]], known: dict[str, int]) -> None:
    """Keep texts as chunks of their run, which is made where it is not here yet."""
    with captures.output() as output:
        number = known.get(run.key, 0)
        if not number:
            began = CapturedRun(
                *(0, FROM_TEAM, run.command, run.folder, run.started, None, None, 0, run.revision, run.dirty),
                *(output.name, "running"),
            )
            number = captures.begin(began)
        for chunk, data in texts:
            taken = captures.chunks(number, chunk.sequence, chunk.sequence)
            place = captures.length(number) if taken else chunk.sequence
            captures.add(number, place, [NewChunk(chunk.digest, data, len(data), chunk.masked, chunk.given)], output)
        output.sync()
        if run.key not in known:
            captures.end(number, run.duration, run.code, run.signal)
            known[run.key] = number


def _list_chunks(captures: Captures, run: CapturedRun) -> Iterator[SharedChunk]:
    for chunk in captures.chunks(run.id):
        if chunk.digest:
            yield SharedChunk(chunk.sequence, chunk.digest, chunk.given, chunk.masked)


def _share(run: CapturedRun, chunks: tuple[SharedChunk, ...] = ()) -> SharedRun:
    return SharedRun(
        origin=run.origin,
        command=run.command,
        # The folders of this machine are private.
        folder="" if run.folder.startswith("/") else run.folder,
        started=run.started,
        duration=run.duration,
        code=run.code,
        signal=run.signal,
        revision=run.revision,
        dirty=run.dirty,
        chunks=chunks,
    )
