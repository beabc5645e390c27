"""Files that define what commands name: targets, scripts, recipes, tasks, environments. One kind of file per module.

A module here has

    FILES     the names such a file goes by, those first that the tool looks for first
    read      (key, text, load) -> DefinedNames; `load` gives the text of another file, or None

What a file defines may depend on what cannot be seen: variables, what is included from elsewhere, what a tool adds.
Then `unknown` says why, and nothing is said of a name that is not found.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from msgspec import Struct

from ...core.errors import Refused
from ...core.model import Obstacle
from ...text.lines import decode

if TYPE_CHECKING:
    from collections.abc import Callable

    from .. import World

    Load = Callable[[str], str | None]

LARGEST = 1024 * 1024
"""Characters beyond which a file is not read for what it defines."""
_MOST_FILES = 200
"""Files of one kind beyond which not all of them are read."""
_MOST_PATTERNS = 200


class DefinedNames(Struct):
    """What a file defines, as far as it can be told."""

    names: dict[str, None]
    patterns: tuple[str, ...] = ()
    """Names with `%` for anything: pattern rules, and names with parts that are not known."""
    unknown: str = ""
    """Why there may be more; empty where these are all."""
    owner: str = ""
    """What the project or package is called, where the file says it."""
    absent: bool = False
    """Whether the file is about other things, and has no such definitions at all."""
    files: tuple[str, ...] = ()
    """The files that were looked at."""

    def has(self, name: str) -> bool | None:
        """Whether it defines a name; None where that cannot be told."""
        if name in self.names:
            return True
        if self.unknown or len(self.patterns) > _MOST_PATTERNS:
            return None
        return None if any(_matches(pattern, name) for pattern in self.patterns) else False


def _matches(pattern: str, name: str) -> bool:
    """Whether a name fits a pattern; `%` stands for any text, also for none."""
    first, *rest = pattern.split("%")
    if not name.startswith(first):
        return False
    at = len(first)
    for number, part in enumerate(rest):
        if number == len(rest) - 1:
            return len(name) - at >= len(part) and name.endswith(part)
        at = name.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return at == len(name)


class DefinitionModule(Protocol):
    """What a module in this folder offers."""

    FILES: tuple[str, ...]

    def read(self, key: str, text: str, load: Load) -> DefinedNames:
        """What a file defines."""


@cache
def get_module(kind: str) -> DefinitionModule:
    """The module of one kind of file."""
    return cast("DefinitionModule", import_module(f"{__name__}.{kind}"))


class DefinitionFiles:
    """What the files of a repository define; each is read once in a run."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: dict[tuple[str, str], DefinedNames] = {}

    def find(self, kind: str, folder: str) -> tuple[str, DefinedNames] | None:
        """The file of a kind in a folder, and what it defines; None where there is none."""
        prefix = f"{folder}/" if folder else ""
        for name in get_module(kind).FILES:
            key = prefix + name
            self._world.touched[key] = None
            if self._world.root.is_file(key) and not (found := self.read(kind, key)).absent:
                return key, found
        return None

    def find_all(self, kind: str) -> list[str] | None:
        """Every file of a kind; None where there are too many."""
        ends = tuple(f"/{name}" for name in get_module(kind).FILES)
        found = [key for key in self._world.tree.paths() if f"/{key}".endswith(ends)]
        return found if len(found) <= _MOST_FILES else None

    def read(self, kind: str, key: str) -> DefinedNames:
        """What a file defines."""
        known = self._known.get((kind, key))
        if known is None:
            files: dict[str, None] = {}
            text = self._load(key, files)
            if text is None:
                known = DefinedNames({}, (), "it cannot be read")
            else:
                try:
                    known = get_module(kind).read(key, text, lambda other: self._load(other, files))
                except (ValueError, RecursionError, Refused):
                    known = DefinedNames({}, (), "it cannot be parsed")
            known.files = tuple(files)
            self._known[kind, key] = known
        self._world.touched.update(dict.fromkeys(known.files))
        return known

    def _load(self, key: str, files: dict[str, None]) -> str | None:
        """The text of a file; None where there is none that can be read."""
        files[key] = None
        found = self._world.file(key)
        if isinstance(found, Obstacle):
            return None
        try:
            text = decode(found.data)
        except Refused:
            return None
        return text if len(text) <= LARGEST else None


def read_indented_keys(text: str, top: str) -> list[tuple[str, str]]:
    """The keys right below a key at the margin of a YAML file, each with the text below it; comments are left out."""
    begin = re.search(rf"^{top}:[ \t]*(?:#[^\n]*)?$", text, re.MULTILINE)
    if begin is None:
        return []
    found: list[tuple[str, list[str]]] = []
    indent = ""
    for line in text[begin.end() :].splitlines():
        bare = line.strip()
        if not bare or bare[0] == "#":
            continue
        spaces = line[: len(line) - len(line.lstrip())]
        if not spaces:
            break
        indent = indent or spaces
        key = _KEY.match(bare) if spaces == indent else None
        if key is not None:
            found.append((key[2], [bare[key.end() :]]))
        elif found:
            found[-1][1].append(bare)
    return [(key, "\n".join(lines)) for key, lines in found]


_KEY = re.compile(r"""(["']?)([^"'\s#{}\[\]][^"'#{}\[\]]*?)\1:(?=\s|\Z)""")
