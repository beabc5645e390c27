"""What was typed, to the place it means: `path:12-34`, `path#L12`, `path::name`, a path alone, or words to look for."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...checks.wording import format_line_range
from ...core.errors import Unreadable, UsageError
from ...core.model import Lines, Obstacle
from ...sources import World
from ...text.evidence import Evidence
from ...text.lines import format_count, shorten
from .model import CandidatePlace, CiteTarget, Uncitable
from .text_search import LARGEST, MOST, find_alike, find_places, list_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...safe.files import Root
    from ...safe.git import Git

_COLON = re.compile(r"(.+?):(\d{1,9})(?:[-–](\d{1,9}))?(?::\d{1,9})?\Z", re.DOTALL)
_COLON_LAST = re.compile(r"(.+):(\d{1,9})(?:[-–](\d{1,9}))?\Z", re.DOTALL)
_HASH = re.compile(r"(.+)#L(\d{1,9})(?:C\d{1,9})?(?:[-–]L?(\d{1,9})(?:C\d{1,9})?)?\Z", re.DOTALL)
# What is a path even where no such file is: no space in it, and a folder before it, or an ending behind it that files
# here have; `self.value` is more likely words.
_PATH = re.compile(r"(?:[^\s/:]*/)+[^\s/:]*\Z|[^\s/:]*[^\s/:.]\.[A-Za-z][A-Za-z0-9_]{0,9}\Z")
_OUTSIDE = re.compile(r"(?:\.\./|/)\S*\Z")
_SHOWN = 80
_COMPARED = 5000
"""Names that are looked through for one alike."""


class _Reading(Struct, frozen=True):
    """One way to read what was typed."""

    path: str
    lines: Lines | None = None
    symbol: str = ""


def find_target(
    root: Root,
    text: str,
    git: Callable[[], Git | None] = lambda: None,
    within: str = "",
    folder: str = "",
    without: Sequence[str] = (),
    only_words: bool = False,
) -> CiteTarget:
    """The place that `text` means; raises Uncitable where there is none, several, or one that would not hold.

    Paths are tried from `folder` (a key below the root) and then from the root. Words are looked for below the key
    `within`, and never in the files `without`. With `only_words`, `text` is words whatever it looks like.
    """
    world = World(root, git)
    if not text.strip():
        raise Uncitable("text-not-found", "nothing to cite: give a path with lines, or words to look for")
    known: dict[_Reading, None] = {}
    likely = ""
    for reading in () if only_words else _readings(text):
        key = _existing(root, reading.path, folder)
        if key is not None:
            known[replace(reading, path=key)] = None
        elif _PATH.match(reading.path) or _OUTSIDE.match(reading.path):
            likely = likely or reading.path
    if len(known) > 1:
        places = (
            f"the file {one.path}" if one.lines is None else f"line {one.lines.first} of {one.path}" for one in known
        )
        raise Uncitable("target-ambiguous", f"{text}: could be {' or '.join(places)}; write it as PATH#L<line>")
    for reading in known:
        return _read(world, reading)
    ending = likely[likely.rfind(".") :]
    if "/" in likely or (likely and any(name.endswith(ending) for name in list_files(root, git()))):
        raise _no_file(world, likely, folder)
    return _by_words(world, text, within, without)


def _readings(text: str) -> Iterator[_Reading]:
    yield _Reading(text)
    for pattern in (_COLON, _COLON_LAST, _HASH):
        match = pattern.match(text)
        if match is not None:
            first = int(match[2])
            yield _Reading(match[1], Lines(first, first if match[3] is None else int(match[3])))
    path, colons, name = text.partition("::")
    if colons and path and name.strip(":"):
        # Shells have functions that are called `a::b`: what separates the parts is for the file to say.
        yield _Reading(path, symbol=name.strip(":"))


def _existing(root: Root, path: str, folder: str) -> str | None:
    """The key under which a path as typed is there, file or folder; from where one stands first, then from the root."""
    for key in _keys(root, path, folder):
        if root.stat(key or ".") is not None:
            return key
    return None


def _keys(root: Root, path: str, folder: str) -> list[str]:
    if "\0" in path or not path:
        return []
    tops = [root.path] if os.path.isabs(path) or not folder else [os.path.join(root.path, folder), root.path]
    keys = []
    if os.path.isabs(path):
        # The last part is not resolved: a link is read through the root, which looks where it leads.
        path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    for top in tops:
        whole = os.path.normpath(os.path.join(top, path))
        inside = os.path.relpath(whole, root.path).replace(os.sep, "/")
        if inside != ".." and not inside.startswith("../"):
            keys.append("" if inside == "." else inside)
    return keys


def _no_file(world: World, path: str, folder: str) -> Uncitable:
    """Why a path that was surely meant as one cannot be cited."""
    from difflib import get_close_matches

    root = world.root
    keys = _keys(root, path, folder)
    if not keys:
        return Uncitable("path-blocked", f"{path}: outside the root {root.path}; pass a higher folder with --root")
    files = list_files(root, world.git())
    name = keys[0].rpartition("/")[2]
    close = [path for path in files if path.rpartition("/")[2] == name][:3]
    close = close or get_close_matches(keys[0], files[:_COMPARED], 3, 0.75)
    hint = f"did you mean {' or '.join(close)}?" if close else "name one that is there."
    return Uncitable("file-not-found", f"{keys[0]}: no such file; {hint} If these are words to look for, pass --in .")


def _evidence(world: World, path: str) -> Evidence:
    if path == "" or os.path.isdir(os.path.join(world.root.path, path)):
        raise Uncitable("file-not-found", f"{path or '.'}: a folder; name a file in it")
    found = world.file(path)
    if isinstance(found, Obstacle):
        said = {
            "path-blocked": "leads outside the root; only what lies below it can be cited",
            "file-not-found": "no such file; name one that is there",
        }.get(found.kind, f"cannot be read ({found.detail}); cite something that is text")
        raise Uncitable(found.kind, f"{path}: {said}")
    if b"\0" in found.data:
        raise Uncitable("file-unreadable", f"{path}: binary; cite something that is text")
    return found


def _read(world: World, reading: _Reading) -> CiteTarget:
    evidence = _evidence(world, reading.path)
    if reading.symbol:
        return _by_symbol(evidence, reading.path, reading.symbol)
    if reading.lines is None:
        if not any(line and not line.isspace() for line in evidence.lines):
            raise Uncitable("blank-range", f"{reading.path}: empty; cite a file that says something")
        return CiteTarget(reading.path, None, "", (), evidence.digest)
    return _lines_of(evidence, reading.path, reading.lines)


def _lines_of(evidence: Evidence, path: str, cited: Lines, symbol: str = "", telling: int = 0) -> CiteTarget:
    lines, first, last = evidence.lines, cited.first, cited.last
    place = f"{path}:{format_line_range(cited)}"
    if first < 1 or last < 1:
        raise Uncitable("line-invalid", f"{place}: lines are counted from 1; there is no line 0")
    if last < first:
        raise Uncitable("line-invalid", f"{place}: the range ends before it starts; write {path}:{last}-{first}")
    if last > len(lines):
        kind = "line-out-of-range" if first > len(lines) else "range-past-end"
        raise Uncitable(kind, f"{place}: the file has {format_count(len(lines), 'line')}; cite lines that are there")
    text = tuple(lines[first - 1 : last])
    if not any(line and not line.isspace() for line in text):
        near = _near(lines, first, last)
        hint = f"; the nearest line that says something is {near}" if near else ""
        raise Uncitable("blank-range", f"{place}: nothing but white space, which proves nothing{hint}")
    return CiteTarget(path, cited, symbol, text, evidence.digest, telling)


def _near(lines: Sequence[str], first: int, last: int) -> int:
    """The line closest to a blank range that is not blank; 0 where there is none within reach."""
    for step in range(1, 50):
        for number in (last + step, first - step):
            if 0 < number <= len(lines) and lines[number - 1].strip():
                return number
    return 0


def _by_symbol(evidence: Evidence, path: str, name: str) -> CiteTarget:
    from ... import symbols

    if not symbols.language_of(path):
        raise Uncitable("symbol-unchecked", f"{path}: definitions are not supported in files of this kind; cite lines")
    try:
        found = symbols.find(path, evidence.data, name)
    except Unreadable as error:
        raise Uncitable("symbol-unchecked", f"{path}::{name}: {error}") from None
    doubt = "" if found else symbols.find_doubt(path, evidence.data)
    if doubt:
        raise Uncitable("symbol-unchecked", f"{path}: no definition of {name} was found, but {doubt}; cite lines")
    if not found:
        close = symbols.find_close(path, evidence.data, name)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        raise Uncitable("symbol-not-found", f"{path}: defines no {name}{hint}")
    if len(found) > 1:
        lines = evidence.lines
        places = tuple(
            CandidatePlace(path, Lines(one.first, one.last), shorten(lines[one.line - 1].strip(), _SHOWN), one.name)
            for one in found[:MOST]
        )
        raise Uncitable(
            "symbol-ambiguous",
            f"{path}::{name}: defined {format_count(len(found), 'time')}; say which",
            places,
            max(0, len(found) - MOST),
        )
    (one,) = found
    return _lines_of(evidence, path, Lines(one.first, one.last), one.name, one.line)


def find_symbol_target(root: Root, target: CiteTarget) -> CiteTarget:
    """The target by the name of the definition that begins at its first line; raises Uncitable where none does."""
    from ... import symbols

    if target.symbol or target.lines is None:
        return target
    evidence = _evidence(World(root, lambda: None), target.path)
    try:
        found = symbols.at_line(target.path, evidence.data, target.lines.first)
    except Unreadable as error:
        raise Uncitable("symbol-unchecked", f"{target.path}: {error}") from None
    if found is None:
        raise Uncitable(
            "symbol-not-found", f"{target.path}:{target.lines.first}: no definition begins there; give PATH::NAME"
        )
    return _by_symbol(evidence, target.path, found.name)


def _by_words(world: World, words: str, within: str, without: Sequence[str]) -> CiteTarget:
    root, shown = world.root, shorten(words.strip(), _SHOWN)
    files = list_files(root, world.git())
    if within:
        # A file that is named is looked through even where git ignores it.
        files = [within] if root.is_file(within) else [path for path in files if path.startswith(within + "/")]
    files = [path for path in files if path not in without]
    where = f"in {within}" if within else f"in the {format_count(len(files), 'file')} here"
    found = find_places(root, files, words)
    large = f" ({format_count(found.skipped, 'file')} above {LARGEST >> 20} MB not searched)" if found.skipped else ""
    if not found.places:
        alike = find_alike(root, files, words)
        hint = "there is something alike, if case and white space are left aside"
        hint = hint if alike else "give the words as they stand, or PATH:LINE"
        raise Uncitable("text-not-found", f"{shown!r}: not found {where}{large}; {hint}", (alike,) if alike else ())
    if len(found.places) > 1:
        number = len(found.places) + found.more
        times = f"{number:,} times" if number < 1000 else "a thousand times or more"
        raise Uncitable(
            "text-ambiguous", f"{shown!r}: found {times} {where}{large}; say which", tuple(found.places), found.more
        )
    (place,) = found.places
    return _lines_of(_evidence(world, place.path), place.path, place.lines)


def within_key(root: Root, path: str, folder: str) -> str:
    """The key of a file or folder that a search is narrowed to; raises UsageError where there is none."""
    key = _existing(root, path, folder)
    if key is None:
        raise UsageError(f"{path}: no such file or folder below {root.path}")
    return key
