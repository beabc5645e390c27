"""Which files hold and define what documents name: one pass over the tree, for the names that are asked for."""

from __future__ import annotations

import re
from math import log
from typing import TYPE_CHECKING

from ...core.errors import Refused
from .definition_lines import STRONG, defines
from .terms import is_path
from .tree import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .terms import Terms
    from .tree import CitableFiles

_TOKEN = re.compile(rb"[A-Za-z_$][A-Za-z0-9_$]{2,}")
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{2,}")
_MOST_DEFINED = 400
"""Files that hold a name beyond which the definition is not looked for."""
_MOST_COMMON = 30
"""The same for a plain word."""
_MOST_LOOKED = 30
_SMALL = 200
"""In a tree of fewer files a name in two of them is as telling as in one of so many."""
_MOST_ALIKE = 50
"""Literals that are looked for by one and the same name in them."""
_MOST_TARGETS = 500
_TELLING = 0.5
_SCRIPTS = (
    "package.json",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
    "Taskfile.yml",
    "Rakefile",
    "composer.json",
)


class NameIndex:
    """Holders and definers of wanted names and literals, by path."""

    def __init__(self) -> None:
        self.holders: dict[str, list[str]] = {}
        self.definers: dict[str, dict[str, int]] = {}
        self.literals: dict[str, list[str]] = {}
        self.targets: dict[str, list[str]] = {}
        self.scripts: dict[str, list[str]] = {}
        """Files that the target of a command runs."""
        self.files = 0

    def rarity(self, name: str) -> float:
        """From 1, where only one file holds a name, down to 0, where nearly all do."""
        held = len(self.holders.get(name, ()))
        return max(0.0, 1 - log(max(held, 1)) / log(max(self.files, _SMALL))) if held else 0.0


def build(tree: CitableFiles, wanted: Iterable[Terms], progress: Callable[[int, int], None] | None = None) -> NameIndex:
    """Read every searched file once, and note where the wanted things are."""
    names: dict[bytes, int] = {}
    literals: dict[bytes, list[tuple[str, bytes]]] = {}
    targets: dict[str, None] = {}
    for terms in wanted:
        for name, weight in terms.names.items():
            most = _MOST_DEFINED if weight > _TELLING else _MOST_COMMON
            token = name.encode()
            names[token] = max(names.get(token, 0), most)
        targets.update(dict.fromkeys(terms.targets))
        for literal in terms.literals:
            anchors = _NAME.findall(literal)
            if anchors:
                anchor = max(anchors, key=len).encode()
                held = literals.setdefault(anchor, [])
                if len(held) < _MOST_ALIKE and all(one[0] != literal for one in held):
                    held.append((literal, literal.encode()))
    asked = frozenset((*names, *literals))
    index = NameIndex()
    for number, path in enumerate(tree.searched):
        if progress is not None:
            progress(number, len(tree.searched))
        try:
            data = tree.root.read(path, LARGEST)
        except Refused:
            continue
        if b"\0" in data[:8000]:
            continue
        index.files += 1
        _note(index, path, data, asked.intersection(_TOKEN.findall(data)), names, literals)
        if targets and path.rpartition("/")[2] in _SCRIPTS:
            for target in list(targets)[:_MOST_TARGETS]:
                where = target_line(data, path, target)
                if where is not None:
                    index.targets.setdefault(target, []).append(path)
                    index.scripts.setdefault(target, []).extend(_run_by(data, where, path, tree))
    for token, most in names.items():
        # Who defines a name that so many files hold was not asked to the end: nothing is known of it.
        if len(index.holders.get(token.decode(), ())) > most:
            index.definers.pop(token.decode(), None)
    return index


def _note(
    index: NameIndex,
    path: str,
    data: bytes,
    found: frozenset[bytes],
    names: dict[bytes, int],
    literals: dict[bytes, list[tuple[str, bytes]]],
) -> None:
    """Enter what one file holds."""
    for token in found:
        if token in names:
            name = token.decode()
            holders = index.holders.setdefault(name, [])
            holders.append(path)
            if len(holders) <= names[token]:
                sure = definition(data, token)[0]
                if sure:
                    index.definers.setdefault(name, {})[path] = sure
        for literal, needle in literals.get(token, ()):
            if _stands(data, needle):
                index.literals.setdefault(literal, []).append(path)


def definition(data: bytes, token: bytes) -> tuple[int, int]:
    """How surely a file defines a name, and the offset at which it does so best; (0, -1) where it does not."""
    best, where = 0, -1
    at = -1
    for _ in range(_MOST_LOOKED):
        at = data.find(token, at + 1)
        if at < 0:
            break
        end = at + len(token)
        if _is_word(data[at - 1 : at]) or _is_word(data[end : end + 1]):
            continue
        start = data.rfind(b"\n", max(0, at - 1000), at) + 1
        stop = data.find(b"\n", end, end + 1000)
        line = data[start : stop if stop >= 0 else end + 1000]
        sure = defines(line, at - start, end - start)
        if sure > best:
            best, where = sure, at
            if best == STRONG:
                break
    return best, where


def target_line(data: bytes, path: str, target: str) -> int | None:
    """The offset at which a file of scripts says what a target does."""
    if target.encode() not in data:
        return None
    wanted = re.escape(target.encode())
    if path.endswith(".json"):
        match = re.search(rb"\"" + wanted + rb"\"[ \t]*:[ \t]*\"", data)
    else:
        match = re.search(rb"(?m)^" + wanted + rb"(?![\w.-])[^\n:=]{0,200}:(?!=)", data)
    return match.start() if match else None


def _run_by(data: bytes, at: int, path: str, tree: CitableFiles) -> list[str]:
    """The files that a target's line, and the lines below that belong to it, name."""
    end = data.find(b"\n", at)
    while end >= 0 and data[end + 1 : end + 2] in (b"\t", b" ") and not path.endswith(".json"):
        end = data.find(b"\n", end + 1)
    said = data[at : end if 0 <= end < at + 2000 else at + 2000].decode(errors="replace")
    found: list[str] = []
    for word in re.split(r"[\s\"'=;&|]+", said):
        if is_path(word):
            found += [meant for meant in tree.meant(word, path.rpartition("/")[0])[:1] if meant != path]
    return found[:2]


def _stands(data: bytes, needle: bytes) -> bool:
    """Whether a text stands in a file, its ends not inside words."""
    at = -1
    for _ in range(_MOST_DEFINED):
        at = data.find(needle, at + 1)
        if at < 0:
            return False
        end = at + len(needle)
        if not (
            (_is_word(needle[:1]) and _is_word(data[at - 1 : at]))
            or (_is_word(needle[-1:]) and _is_word(data[end : end + 1]))
        ):
            return True
    return False


def _is_word(byte: bytes) -> bool:
    return byte.isalnum() or byte in (b"_", b"$")
