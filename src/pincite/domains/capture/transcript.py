"""Chunks in the transcript of another tool, under the ids that tool gave them.

Read are JSON, JSON lines and plain text. A chunk is an object with a `chunk_id` and its output, or text of this shape,
which coding agents' terminals print and their session logs keep as the output of a call:

    Chunk ID: d05d1b
    Wall time: 0.0512 seconds
    Process exited with code 0
    Output:
    …

The command comes from the call the output answers, or from the call that started the session it goes on with.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from json import loads

from msgspec import Struct

_IDS = ("chunk_id", "chunkId", "chunkID")
_TEXTS = ("output", "text", "content", "stdout")
_COMMANDS = ("command", "cmd")
_CODES = ("exit_code", "exitCode")
_CALLS = ("call_id", "callId", "tool_call_id", "tool_use_id")
_ARGUMENTS = ("arguments", "input", "action", "function")

_GIVEN = re.compile("[0-9a-f]{6,64}")
_OPENS = re.compile(rb"[ \t\r\n]*+[{\[]")
_TELLING = re.compile(rb"hunk|cmd|command|session_id")
"""A line of JSON with none of these has neither a chunk nor a command in it."""
_MARK = b"Chunk ID:"
_HEADER = re.compile(
    rb"Chunk ID:[ \t]*(\S{1,200})[ \t]*\r?\n((?:(?!Output:|Chunk ID:)[^\n]{0,300}\n){0,8}+)Output:[ \t]*(?:\r?\n|\Z)"
)
_CODE = re.compile(rb"^(?:Process exited with code|Exit code:) (-?\d{1,10})\b", re.MULTILINE)
_WALL = re.compile(rb"^Wall time:? (\d{1,9}(?:\.\d{1,20})?) seconds", re.MULTILINE)
_SESSION = re.compile(rb"^Process running with session ID (\w{1,64})", re.MULTILINE)
_FENCE = re.compile(rb"[ \t]*(`{3,20}|~{3,20})[\w-]{0,40}[ \t]*\r?\Z")
_COMMAND = b"Command: "

_MOST_VALUES = 4_000_000
"""What one piece of JSON may hold, roughly: its tree would take too much memory beyond that."""
_MOST_NESTED = 3
"""How often JSON may stand in a string of JSON."""
_LATEST = 253_402_300_800
_MILLISECONDS = 100_000_000_000


class TranscriptChunk(Struct, frozen=True):
    """One chunk of a transcript."""

    given: str
    """The id the other tool gave it: 6 to 64 lower-case hex digits."""
    text: bytes
    command: str = ""
    """Empty where the transcript does not tell."""
    code: int | None = None
    started: float | None = None
    """Seconds since the epoch, UTC."""


class _Record(Struct, frozen=True):
    """What the objects around a value say of it: the call it answers and when it was written down."""

    call: str = ""
    stamp: float | None = None


class _Found(Struct):
    """A chunk before its command is looked up."""

    given: str
    text: bytes
    record: _Record
    command: str = ""
    code: int | None = None
    wall: float = 0.0
    session: str = ""
    """The session the command goes on in."""


class _Header(Struct, frozen=True):
    """The lines before the output of a chunk, and where they stand."""

    start: int
    end: int
    given: str
    facts: bytes
    command: str
    fence: bytes
    """What opened the fence right before the header; empty where there was none."""


def read_transcript(data: bytes) -> tuple[list[TranscriptChunk], int]:
    """The chunks of a transcript in order, and how many were left out because their id is none. Never raises."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    reader = _Reader()
    opening = _OPENS.match(data)
    if opening is None:
        reader.plain(data, _Record())
    elif isinstance(_load(data[: data.find(b"\n", opening.end()) + 1] or data), dict | list):
        reader.lines(data)
    elif isinstance(tree := _load(data), dict | list):
        reader.walk(tree)
    else:
        # Text that happens to open with a bracket, or JSON lines of which the first is cut.
        reader.plain(data, _Record())
        if not reader.found and not reader.skipped:
            reader.lines(data)
    return reader.pieces(), reader.skipped


class _Reader:
    """Collects chunks and calls; which belong together is decided when all were seen."""

    def __init__(self) -> None:
        self.found: list[_Found] = []
        self.skipped = 0
        self._seen: set[tuple[str, bytes]] = set()
        self._calls: dict[str, tuple[str, str]] = {}
        """Call to its command and to the session it writes to."""

    def lines(self, data: bytes) -> None:
        """Read JSON lines; a line that is none is passed over, as the last of an unfinished log is."""
        at = 0
        while (telling := _TELLING.search(data, at)) is not None:
            begin = data.rfind(b"\n", at, telling.start()) + 1 or at
            at = data.find(b"\n", telling.end()) + 1 or len(data)
            self.walk(_load(data[begin:at]))

    def walk(self, tree: object) -> None:
        """Read a JSON value and all that is in it, in order."""
        todo: list[tuple[object, _Record, int]] = [(tree, _Record(), 0)]
        while todo:
            value, record, level = todo.pop()
            if isinstance(value, dict):
                record = _record(value, record)
                self._note_call(value)
                taken = self._take(value, record)
                todo.extend((child, record, level) for key, child in reversed(value.items()) if key != taken)
            elif isinstance(value, list):
                todo.extend((child, record, level) for child in reversed(value))
            elif isinstance(value, str) and "hunk" in value:
                data = value.encode("utf-8", "replace")
                nested = _load(data) if level < _MOST_NESTED and _OPENS.match(data) else None
                if isinstance(nested, dict | list):
                    todo.append((nested, record, level + 1))
                else:
                    self.plain(data, record)

    def plain(self, data: bytes, record: _Record) -> None:
        """Read text that was printed: every chunk goes to the next header, or to the end of the fence it stands in."""
        header = _find_header(data, 0)
        # What answers a call is one chunk: a header further down was printed by the command.
        alone = bool(header and not header.start and record.call)
        while header is not None:
            following = None if alone else _find_header(data, header.end)
            end = following.start if following else len(data)
            if header.fence:
                closing = re.compile(rb"^[ \t]*" + header.fence + rb"[ \t]*\r?$", re.MULTILINE)
                match = closing.search(data, header.end, end)
                end = match.start() if match else end
            code, wall, session = (known.search(header.facts) for known in (_CODE, _WALL, _SESSION))
            self._add(
                _Found(
                    *(header.given, data[header.end : end], record, header.command),
                    code=_parse_exit_code(int(code[1])) if code else None,
                    wall=float(wall[1]) if wall else 0.0,
                    session=session[1].decode("ascii", "replace") if session else "",
                )
            )
            header = following

    def pieces(self) -> list[TranscriptChunk]:
        """What was found, with the commands that are known."""
        pieces: list[TranscriptChunk] = []
        sessions: dict[str, str] = {}
        for item in self.found:
            called, session = self._calls.get(item.record.call, ("", ""))
            command = item.command or called or sessions.get(session, "")
            if item.session and command:
                sessions[item.session] = command
            stamp = item.record.stamp
            # Output is written down when it is there, which is the wall time after its command began.
            started = None if stamp is None else max(stamp - item.wall, 0.0)
            pieces.append(TranscriptChunk(item.given, item.text, command, item.code, started))
        return pieces

    def _take(self, value: dict[str, object], record: _Record) -> str:
        """Add the chunk an object is; gives the key its text was under, empty where it is none."""
        given = next((value[key] for key in _IDS if value.get(key) is not None), None)
        key = next((key for key in _TEXTS if isinstance(value.get(key), str)), "")
        if given is None or not key:
            return ""
        code = next((value[key] for key in _CODES if key in value), None)
        wall = value.get("wall_time_seconds")
        self._add(
            _Found(
                *(given if isinstance(given, str) else "", str(value[key]).encode("utf-8", "replace"), record),
                *(_command(value), _parse_exit_code(code)),
                wall=wall if isinstance(wall, int | float) and 0 <= wall < _LATEST else 0.0,
                session=_session(value),
            )
        )
        return key

    def _add(self, found: _Found) -> None:
        """Keep a chunk, unless it was there before or its id is none."""
        found.given = found.given.lower()
        if not _GIVEN.fullmatch(found.given):
            self.skipped += 1
        elif (found.given, found.text) not in self._seen:
            self._seen.add((found.given, found.text))
            self.found.append(found)

    def _note_call(self, value: dict[str, object]) -> None:
        """Keep the command of a call, or the session it writes to, under the call's id."""
        call = _find_first_text(value, _CALLS) or _find_first_text(value, ("id",))
        if not call or call in self._calls:
            return
        for given in (value, *(value.get(key) for key in _ARGUMENTS)):
            given = _parse_arguments(given)
            if isinstance(given, dict):
                inner = _parse_arguments(given.get("arguments"))
                given = inner if isinstance(inner, dict) else given
                command, session = _command(given), _session(given)
                if command or (session and given is not value):
                    self._calls[call] = command, session
                    return


def _load(data: bytes) -> object:
    """The value some JSON stands for; None where it is none, or too deep or too large to be looked at."""
    if data.count(b"{") * 3 + data.count(b"[") + data.count(b",") > _MOST_VALUES:
        return None
    try:
        return loads(data.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


def _parse_arguments(value: object) -> object:
    """Arguments of a call: an object, or the text of one."""
    return _load(value.encode("utf-8", "replace")) if isinstance(value, str) and value[:1] == "{" else value


def _find_header(data: bytes, at: int) -> _Header | None:
    """The next header at the beginning of a line, with the command or the fence on the line before it."""
    while (at := data.find(_MARK, at)) >= 0:
        match = _HEADER.match(data, at) if at == 0 or data[at - 1] == 10 else None
        if match is None:
            at += len(_MARK)
            continue
        start, command = at, ""
        above, line = _line_above(data, start)
        if line.startswith(_COMMAND):
            start, command = above, line[len(_COMMAND) :].rstrip(b"\r").decode("utf-8", "replace")
            above, line = _line_above(data, start)
        fence = _FENCE.match(line)
        given = match[1].decode("ascii", "replace")
        return _Header(start, match.end(), given, match[2], command, fence[1] if fence else b"")
    return None


def _line_above(data: bytes, at: int) -> tuple[int, bytes]:
    """Where the line before the one at an offset begins, and what it says."""
    above = data.rfind(b"\n", 0, max(at - 1, 0)) + 1
    return above, data[above : max(at - 1, 0)]


def _record(value: dict[str, object], outer: _Record) -> _Record:
    call = _find_first_text(value, _CALLS)
    stamp = _parse_time(value.get("timestamp"))
    if not call and stamp is None:
        return outer
    return _Record(call or outer.call, outer.stamp if stamp is None else stamp)


def _find_first_text(value: dict[str, object], keys: tuple[str, ...]) -> str:
    """The first of the values that is text."""
    return next((word for key in keys if isinstance(word := value.get(key), str) and word), "")


def _command(value: dict[str, object]) -> str:
    """The command an object names, as one would type it."""
    for key in _COMMANDS:
        command = value.get(key)
        if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
            from shlex import join

            command = join(command)
        if isinstance(command, str) and command:
            return command.encode("utf-8", "replace").decode()
    return ""


def _session(value: dict[str, object]) -> str:
    session = value.get("session_id")
    return str(session) if isinstance(session, int | str) and not isinstance(session, bool) else ""


def _parse_exit_code(code: object) -> int | None:
    return code if isinstance(code, int) and not isinstance(code, bool) and -(2**31) <= code < 2**32 else None


def _parse_time(value: object) -> float | None:
    """A time as seconds since the epoch: ISO 8601 (UTC where it says nothing else), seconds or milliseconds."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        elif isinstance(value, int | float) and not isinstance(value, bool):
            seconds = float(value / 1000 if value > _MILLISECONDS else value)
        else:
            return None
    except (ValueError, OverflowError):
        return None
    return seconds if 0 <= seconds < _LATEST else None
