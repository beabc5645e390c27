"""Which files hold and define what documents name: one pass over the tree, for the names that are asked for."""

from __future__ import annotations

import re
from math import log
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Refused
from ...search.claims.definitions import definition
from ...search.claims.terms import is_path, stands
from .tree import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ...search.claims.terms import Terms
    from .tree import CitableFiles

_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{2,}")
_MOST_DEFINED = 400
"""Files that hold a name beyond which the definition is not looked for."""
_MOST_COMMON = 30
"""The same for a plain word."""
_SMALL = 200
"""In a tree of fewer files a name in two of them is as telling as in one of so many."""
_MOST_ALIKE = 50
"""Literals that are looked for by one and the same name in them."""
_MOST_TARGETS = 500
_TELLING = 0.5
_SCRIPTS = frozenset(
    "package.json Makefile makefile GNUmakefile justfile Justfile Taskfile.yml Rakefile composer.json".split()
)


class NameIndex(Struct):
    """Holders and definers of wanted names and literals, by path."""

    holders: dict[str, list[str]] = {}
    definers: dict[str, dict[str, int]] = {}
    literals: dict[str, list[str]] = {}
    targets: dict[str, list[str]] = {}
    scripts: dict[str, list[str]] = {}
    """Files that the target of a command runs."""
    files: int = 0

    def rarity(self, name: str) -> float:
        """From 1, where only one file holds a name, down to 0, where nearly all do."""
        held = len(self.holders.get(name, ()))
        return max(0.0, 1 - log(max(held, 1)) / log(max(self.files, _SMALL))) if held else 0.0


def build(tree: CitableFiles, wanted: Iterable[Terms], progress: Callable[[int, int], None] | None = None) -> NameIndex:
    """Read every searched file once, and note where the wanted things are."""
    names: dict[str, int] = {}
    literals: dict[str, dict[str, None]] = {}
    targets: dict[str, None] = {}
    for terms in wanted:
        for name, weight in terms.names.items():
            names[name] = max(names.get(name, 0), _MOST_DEFINED if weight > _TELLING else _MOST_COMMON)
        targets.update(dict.fromkeys(terms.targets))
        for literal in terms.literals:
            anchors = _NAME.findall(literal)
            held = literals.setdefault(max(anchors, key=len), {}) if anchors else {}
            if len(held) < _MOST_ALIKE:
                held[literal] = None
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
        text = data.decode(errors="replace")
        for token in asked.intersection(_NAME.findall(text)):
            if token in names:
                holders = index.holders.setdefault(token, [])
                holders.append(path)
                sure = definition(text, token)[0] if len(holders) <= names[token] else 0
                if sure:
                    index.definers.setdefault(token, {})[path] = sure
            for literal in literals.get(token, ()):
                if stands(text, literal):
                    index.literals.setdefault(literal, []).append(path)
        if targets and path.rpartition("/")[2] in _SCRIPTS:
            for target in list(targets)[:_MOST_TARGETS]:
                where = target_line(text, path, target)
                if where is not None:
                    index.targets.setdefault(target, []).append(path)
                    index.scripts.setdefault(target, []).extend(_run_by(text, where, path, tree))
    for name, most in names.items():
        # Who defines a name that so many files hold was not asked to the end: nothing is known of it.
        if len(index.holders.get(name, ())) > most:
            index.definers.pop(name, None)
    return index


def target_line(text: str, path: str, target: str) -> int | None:
    """The offset at which a file of scripts says what a target does."""
    if target not in text:
        return None
    wanted = re.escape(target)
    if path.endswith(".json"):
        match = re.search(rf'"{wanted}"[ \t]*:[ \t]*"', text)
    else:
        match = re.search(rf"(?m)^{wanted}(?![\w.-])[^\n:=]{{0,200}}:(?!=)", text)
    return match.start() if match else None


def _run_by(text: str, at: int, path: str, tree: CitableFiles) -> list[str]:
    """The files that a target's line, and the lines below that belong to it, name."""
    end = text.find("\n", at)
    while end >= 0 and text[end + 1 : end + 2] in ("\t", " ") and not path.endswith(".json"):
        end = text.find("\n", end + 1)
    said = text[at : end if 0 <= end < at + 2000 else at + 2000]
    found: list[str] = []
    for word in re.split(r"[\s\"'=;&|]+", said):
        if is_path(word):
            found += [meant for meant in tree.meant(word, path.rpartition("/")[0])[:1] if meant != path]
    return found[:2]
