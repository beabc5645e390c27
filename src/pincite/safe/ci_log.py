r"""Logs of build servers: what a document says there must not be taken for a command to the server.

Runners look for commands in what a step prints: `::error::` at the beginning of a line (white space before it does not
count), `##[error]` and `##vso[task.complete]` anywhere, and others. The standard streams are therefore wrapped as a
whole where a build server runs us: one character of a command is written as `\u003a` (`:`) or `\u005b` (`[`), which
every reader sees, no runner obeys, and JSON reads back as the same text. What goes into a file stays as it is.
"""

from __future__ import annotations

import os
import stat as st
import sys
from io import BufferedIOBase, TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from _typeshed import ReadableBuffer

_VARIABLES = (
    *("CI", "CONTINUOUS_INTEGRATION", "GITHUB_ACTIONS", "GITEA_ACTIONS", "FORGEJO_ACTIONS", "GITLAB_CI", "TF_BUILD"),
    *("TEAMCITY_VERSION", "BUILDKITE", "TRAVIS", "CIRCLECI", "APPVEYOR", "DRONE", "JENKINS_URL", "CODEBUILD_BUILD_ID"),
    *("BITBUCKET_BUILD_NUMBER", "BUILD_BUILDID", "SYSTEM_TEAMFOUNDATIONCOLLECTIONURI", "WOODPECKER", "SEMAPHORE"),
)
"""What build servers set in the environment of a step."""
_NO = frozenset(("", "0", "false", "no", "off"))
_CONTEXT = 64
"""So many bytes before a piece of output decide what its beginning is: no command is longer before it counts."""
_COMMAND = r"""
    # At the beginning of a line, nothing visible before it but colours: `::error file=a.md::text`
    (?: \A | [\n\r\v\f\x1c-\x1e\x85\u2028\u2029] )
    (?: [^!-~\n\r\v\f\x1c-\x1e\x85\u2028\u2029\x1b] | \x1b (?: \[ [0-?]*+ [ -/]*+ [@-~] )?+ )*+
    (?P<colon> : ) :
  # Anywhere: `##[group]`, `##vso[task.setvariable]`, `##teamcity[buildStop]`
  | \#\# [A-Za-z]{0,20}+ (?P<bracket> \[ )
  # Anywhere: `section_start:1700000000:name`, `travis_fold:start:name`
  | (?: section_(?: start | end ) | travis_(?: fold | time ) ) (?P<separator> : )
"""


_REPLACED: list[TextIOWrapper] = []
"""The streams that were there before."""


def is_ci() -> bool:
    """Whether a build server runs us, as far as the environment says."""
    return any(os.environ.get(name, "").strip().lower() not in _NO for name in _VARIABLES)


def guard_streams() -> None:
    """Break up commands in everything that is printed from now on, where it may be a log."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        buffer = getattr(stream, "buffer", None)
        if buffer is None or isinstance(buffer, LogGuard) or _is_file(stream):
            continue
        stream.flush()
        guarded = TextIOWrapper(
            LogGuard(buffer),  # type: ignore[type-var]
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )
        # Whatever holds the buffer closes it when it is let go of.
        _REPLACED.append(stream)
        setattr(sys, name, guarded)


def _is_file(stream: TextIOWrapper) -> bool:
    """Whether a stream was redirected into a file, which is no log."""
    try:
        return st.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


class LogGuard(BufferedIOBase):
    """Bytes on their way to a log; `trusted` ones are commands of our own."""

    def __init__(self, inner: BinaryIO) -> None:
        import re

        self._inner = inner
        self._find = re.compile(_COMMAND, re.VERBOSE).finditer
        self._context = b""
        self.trusted = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._inner.fileno()

    def isatty(self) -> bool:
        return self._inner.isatty()

    def write(self, data: ReadableBuffer, /) -> int:
        given = bytes(data)
        self._inner.write(given if self.trusted else b"".join(self._break_commands(given)))
        self._context = (self._context + given)[-_CONTEXT:]
        return len(given)

    def flush(self) -> None:
        self._inner.flush()

    def close(self) -> None:
        # The stream below is the interpreter's, which closes it at the end.
        if not self.closed:
            self.flush()
        super().close()

    def _break_commands(self, given: bytes) -> Iterator[bytes]:
        """The bytes with one character of every command spelt out; never one that has been written before."""
        skip = len(self._context)
        text = (self._context + given).decode("utf-8", "surrogateescape")
        done = passed = 0
        for match in self._find(text):
            at = match.start(match.lastgroup or 0)
            piece = text[done:at].encode("utf-8", "surrogateescape")
            if passed + len(piece) < skip and match.lastgroup == "colon":
                # Its first colon is out; the second one will do.
                at += 1
                piece = text[done:at].encode("utf-8", "surrogateescape")
            passed += len(piece)
            yield piece[max(0, len(piece) - max(0, passed - skip)) :]
            done = at
            if passed >= skip:
                yield b"\\u%04x" % ord(text[at])
                passed += 1
                done += 1
        rest = text[done:].encode("utf-8", "surrogateescape")
        passed += len(rest)
        yield rest[max(0, len(rest) - max(0, passed - skip)) :]
