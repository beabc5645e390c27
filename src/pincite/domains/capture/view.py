"""Looking at what was captured: lines that match, the last lines of a run, and a run in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import UsageError
from ...safe.deadline import deadline
from ...safe.escape import escape_text
from ...store.database import StoreTrouble
from ...text.terminal.screen import is_plain, screen_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ...store.captures import CapturedRun, Captures, OutputChunk

_COLOURS = re.compile(rb"\x1b\[(?:[0-9;:]*m|0?K)")
_LITERAL = re.compile(r"[\w \"'!#%&,/:;<=>@_`~-]", re.ASCII)
_CLASSES = "dDwWsSbBAZ"
_PATIENCE = 10.0
"""Seconds for one chunk: some patterns take longer than a life on an unlucky line."""
_TOKEN = re.compile(r"\\(.)|\[\^?\]?(?:\\.|[^\]\\])*\]|(.)", re.DOTALL)


class ChunkLines(Struct, frozen=True):
    """Neighbouring lines of one chunk."""

    digest: str
    first: int
    lines: list[str]

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.first + len(self.lines) - 1


def format_citation(captures: Captures, digest: str, first: int, last: int) -> str:
    """The citation of lines of a chunk, with the shortest id that means it alone."""
    return f"【{captures.short(digest)}†L{first}{f'-L{last}' if last != first else ''}】"


def find_matches(
    captures: Captures,
    chunks: Iterable[OutputChunk],
    pattern: re.Pattern[str],
    seen: set[str] | None = None,
    failed: Callable[[StoreTrouble], object] | None = None,
) -> Iterator[ChunkLines]:
    """The shown lines in which a pattern is found, neighbours joined, in the order of the chunks.

    Each text is searched once, and not if its digest is in `seen`. A text that cannot be read goes to `failed`;
    without it, StoreTrouble is raised. Raises UsageError where the pattern takes too long.
    """
    seen = set() if seen is None else seen
    holds = _make_prefilter(pattern)
    for chunk in chunks:
        if chunk.digest in seen:
            continue
        seen.add(chunk.digest)
        try:
            data = captures.text(chunk.digest)
        except StoreTrouble as error:
            if failed is None:
                raise
            failed(error)
            continue
        if not holds(data):
            continue
        try:
            with deadline(_PATIENCE):
                matches = list(_group_matching_lines(chunk.digest, screen_lines(data), pattern))
        except TimeoutError:
            slow = f"{escape_text(pattern.pattern, 100)}: takes too long on {chunk.digest[:12]}"
            raise UsageError(f"{slow}; write it without nested repetition") from None
        yield from matches


def _group_matching_lines(digest: str, lines: list[str], pattern: re.Pattern[str]) -> Iterator[ChunkLines]:
    found: list[str] = []
    for number, line in enumerate(lines, 1):
        if pattern.search(line) is not None:
            found.append(line)
        elif found:
            yield ChunkLines(digest, number - len(found), found)
            found = []
    if found:
        yield ChunkLines(digest, len(lines) - len(found) + 1, found)


def _make_prefilter(pattern: re.Pattern[str]) -> Callable[[bytes], bool]:
    """A quick look at raw bytes: False only where no shown line can match."""
    literal = find_required_text(pattern)
    if not literal:
        return lambda data: True
    fold = bool(pattern.flags & re.IGNORECASE)
    needle = (literal.lower() if fold else literal).encode()

    def holds(data: bytes) -> bool:
        if not fold and needle in data:
            return True
        bare = _COLOURS.sub(b"", data) if b"\x1b[" in data else data
        # Bytes that are no text are shown as `\xNN`, and other letters have more than one small form.
        if not data.isascii() and (fold or not _is_text(data)):
            return True
        return needle in (bare.lower() if fold else bare) or not is_plain(bare)

    return holds


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def find_required_text(pattern: re.Pattern[str]) -> str:
    """The longest plain text that every line has in which a pattern is found; empty where that is hard to tell."""
    text = pattern.pattern
    if "|" in text or "(?" in text or pattern.flags & re.VERBOSE:
        return ""
    longest = run = ""
    depth = 0
    for token in _TOKEN.finditer(text):
        escaped, char = token.groups(default="")
        if char == "{" or (escaped.isalnum() and escaped not in _CLASSES):
            # A count, or an escape of several characters, whose digits are no text.
            return longest
        depth += (char == "(") - (char == ")")
        sure = not depth and not text.startswith(("?", "*", "+", "{"), token.end())
        if sure and (_LITERAL.match(char) or (escaped.isascii() and escaped not in _CLASSES)):
            run += escaped or char
            longest = max(longest, run, key=len)
        else:
            run = ""
    return longest


def last_lines(captures: Captures, run: int, most: int = 5) -> ChunkLines | None:
    """The last lines a run left on the screen, ending with one that is not blank; None where there is none.

    They come from one chunk, the last that shows anything. Raises StoreTrouble where that cannot be read.
    """
    blank: set[str] = set()
    for chunk in reversed(captures.chunks(run)):
        if chunk.digest in blank:
            continue
        lines = screen_lines(captures.text(chunk.digest))
        last = len(lines)
        while last and not lines[last - 1].strip():
            last -= 1
        if last:
            first = max(1, last - most + 1)
            while not lines[first - 1].strip():
                first += 1
            return ChunkLines(chunk.digest, first, lines[first - 1 : last])
        blank.add(chunk.digest)
    return None


def count_lines(data: bytes) -> int:
    """How many lines the screen showed: as many as `screen_lines` gives, without making them where that is plain."""
    if is_plain(data):
        return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    return len(screen_lines(data))


def describe(run: CapturedRun) -> str:
    """A run in one line: its number, the command, how it ended, how long it took and when; nothing invisible in it."""
    words = (describe_ending(run), format_duration(run.duration), format_time(run.started))
    return f"run {run.id}: {command_line(run)} ({', '.join(word for word in words if word)})"


def list_facts(run: CapturedRun) -> Iterator[tuple[str, str]]:
    """What there is to say about a run, as names and values with nothing invisible in them."""
    yield {"file": "file", "pipe": "pipe"}.get(run.origin, "command"), command_line(run)
    when = (format_time(run.started), format_duration(run.duration), describe_ending(run))
    yield "when", ", ".join(fact for fact in when if fact)
    yield "folder", escape_text(run.folder)
    if run.revision:
        yield "revision", f"{escape_text(run.revision[:12])}{' with uncommitted changes' if run.dirty else ''}"


def command_line(run: CapturedRun) -> str:
    """What was run as a shell would read it, or what was captured, with nothing invisible in it."""
    if run.origin == "run" or (run.origin == "team" and run.command):
        from shlex import join

        return escape_text(join(run.command))
    return escape_text(" ".join(run.command)) or (
        "standard input" if run.origin == "pipe" else f"({escape_text(run.origin)})"
    )


def describe_ending(run: CapturedRun) -> str:
    """How a run ended: `exit 1`, `SIGTERM`, `lost`, `running`; empty where it is unknown."""
    if run.state != "ended":
        return escape_text(run.state)
    if run.signal:
        from signal import Signals

        try:
            return Signals(run.signal).name
        except ValueError:
            return f"signal {run.signal}"
    return "" if run.code is None else f"exit {run.code}"


def format_time(seconds: float) -> str:
    """A time of day here, as ISO 8601 with the offset from UTC; empty for a time that no calendar has."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone().isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def format_duration(seconds: float | None) -> str:
    """A duration in words; empty where it is unknown."""
    if seconds is None or not 0 <= seconds < 1e9:
        return ""
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds >= 0.1 else f"{seconds * 1000:.0f} ms"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def format_size(count: int) -> str:
    """A number of bytes in words."""
    if count < 1000:
        return f"{count} B"
    number, unit = count / 1000, "kB"
    for larger in ("MB", "GB", "TB"):
        if number < 999.95:
            break
        number, unit = number / 1000, larger
    return f"{number:.1f} {unit}"
