"""The settings in one file of git, read without git: nothing that the file names is opened, included or run."""

from __future__ import annotations

import re

from ..core.errors import Refused, UsageError
from ..core.limits import LIMITS
from .files import read_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\\n]|\\.)*)")?\s*\]')
"""Example: `[remote "origin"]`."""
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_BLANKS = " \t\r\v\f"
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}


def read_settings(path: str) -> list[tuple[str, str]]:
    """The settings of a file as `remote.origin.url` and value, in order; raises UsageError where git would refuse it.

    A file that is not there has none.
    """
    try:
        data = read_path(path, LIMITS.config_bytes)
    except Refused as error:
        if error.kind == "file-not-found":
            return []
        raise UsageError(f"{path}: cannot be read ({error}); restore it") from None
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    try:
        return list(_parse(text))
    except ValueError as error:
        line = text.count("\n", 0, int(str(error))) + 1
        raise UsageError(f"{path}:{line}: not a setting of git; correct it") from None


def _parse(text: str) -> Iterator[tuple[str, str]]:
    """Each setting; raises ValueError with the place where there is none."""
    at, section = 0, ""
    while at < len(text):
        char = text[at]
        if char in _BLANKS or char == "\n":
            at += 1
        elif char in "#;":
            at = _end_of_line(text, at)
        elif char == "[":
            match = _SECTION.match(text, at)
            if match is None:
                raise ValueError(at)
            section = match[1].lower()
            if match[2] is not None:
                section += "." + re.sub(r"\\(.)", r"\1", match[2])
            at = match.end()
        else:
            match = _KEY.match(text, at)
            if match is None or not section:
                raise ValueError(at)
            at = _skip_blanks(text, match.end())
            value = "true"
            if text[at : at + 1] == "=":
                value, at = _read_value(text, at + 1)
            elif text[at : at + 1] not in ("", "\n", "#", ";"):
                raise ValueError(at)
            yield f"{section}.{match[0].lower()}", value


def _read_value(text: str, at: int) -> tuple[str, int]:
    """A value up to the end of its line, and the place of that."""
    pieces: list[str] = []
    quoted = False
    kept = 0
    """How many pieces count whatever follows: blanks at the end of a value do not."""
    at = _skip_blanks(text, at)
    while at < len(text) and text[at] != "\n":
        char = text[at]
        if char == "\\":
            follower = text[at + 1 : at + 2]
            if text.startswith("\r\n", at + 1):
                follower, at = "\n", at + 1
            if follower != "\n":
                if follower not in _ESCAPES or not follower:
                    raise ValueError(at)
                pieces.append(_ESCAPES[follower])
                kept = len(pieces)
            at += 2
            continue
        if char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            at = _end_of_line(text, at)
            break
        else:
            pieces.append(char)
            if quoted or char not in _BLANKS:
                kept = len(pieces)
        at += 1
    if quoted:
        raise ValueError(at)
    return "".join(pieces[:kept]), at


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def quote_value(value: str) -> str:
    """A value as a file of settings holds it."""
    for char, name in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("\b", "\\b")):
        value = value.replace(char, name)
    return f'"{value}"'
