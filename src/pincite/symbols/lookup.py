"""The outline of a file, kept while a run lasts, and what is asked of it."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec.msgpack import decode, encode

from ..core.errors import Unreadable
from ..core.limits import LIMITS
from ..safe.sandbox import run_in_child
from ..text.lines import BOM
from . import Symbol
from .grammar import TANGLED, load
from .model import Definition
from .reading import read_definitions
from .runs import merge_definitions

_LONE_RETURN = re.compile(rb"\r(?!\n)")
# Words that C does not have and headers of C++ can hardly do without.
_CPP = re.compile(rb"^[ \t]*(?:class|namespace|template|using|public|private|protected)\b|\bstd::", re.MULTILINE)
_SEPARATORS = re.compile(r"::|(?<=.)#(?=[^\W\d])|\\")
_KEPT_BYTES = 16 * 1024 * 1024
_MOST_COMPARED = 1000
_MOST_MISSED = 50

_Answer = tuple[str, list[Definition], str]

_kept: dict[tuple[str, bytes], Outline | Unreadable] = {}
_kept_bytes = 0


class Outline:
    """The definitions of one file, by name and by line."""

    def __init__(self, definitions: list[Definition], doubt: str = "") -> None:
        self.definitions = definitions
        self.doubt = doubt
        """Why the file may have definitions that are not among these; empty where it has none."""
        self._by_name: dict[str, list[Definition]] = {}
        self._by_leaf: dict[str, dict[str, None]] = {}
        """The last part of a name to the whole names that end in it."""
        self.find = lru_cache(_MOST_COMPARED)(self._find_any)
        self._missed: dict[str, tuple[str, ...]] = {}
        for definition in definitions:
            name = definition.symbol.name
            self._by_name.setdefault(name, []).append(definition)
            self._by_leaf.setdefault(name.rpartition(".")[2], {})[name] = None

    def _find_any(self, name: str) -> tuple[Symbol, ...]:
        """What a name means: exactly that, else whatever ends in it."""
        return self._find(name) or self._find(normalize_symbol_name(name))

    def _find(self, name: str) -> tuple[Symbol, ...]:
        exact = self._by_name.get(name)
        if exact:
            return tuple(merge_definitions(exact, self.definitions))
        names = [whole for whole in self._by_leaf.get(name.rpartition(".")[2], ()) if whole.endswith(f".{name}")]
        # A constructor has the name of its class: the class is meant.
        there = set(names)
        names = [whole for whole in names if whole.rpartition(".")[0] not in there]
        found = [symbol for whole in names for symbol in merge_definitions(self._by_name[whole], self.definitions)]
        return tuple(sorted(found, key=lambda symbol: (symbol.first, symbol.line)))

    def at_line(self, line: int) -> Symbol | None:
        """The one definition that is named on a line, else the one that begins there."""
        for place in ("line", "first"):
            found = {definition.symbol for definition in self.definitions if getattr(definition.symbol, place) == line}
            if found:
                return found.pop() if len(found) == 1 else None
        return None

    def close(self, name: str) -> tuple[str, ...]:
        """Up to three names spelled much alike."""
        known = self._missed.get(name)
        if known is None:
            if len(self._missed) >= _MOST_MISSED:
                # Where so many names are missing, more of them do not help.
                return ()
            known = self._missed[name] = self._close(normalize_symbol_name(name))
        return known

    def _close(self, name: str) -> tuple[str, ...]:
        from difflib import get_close_matches

        if len(name) > 100:
            return ()
        wholes = list(self._by_name)[:_MOST_COMPARED]
        leaf = name.rpartition(".")[2].lower()
        spellings: dict[str, dict[str, None]] = {}
        for whole in wholes:
            spellings.setdefault(whole.lower(), {})[whole] = None
            last = whole.rpartition(".")[2].lower()
            if "." not in name or last == leaf:
                spellings.setdefault(last, {})[whole] = None
        wanted = [name.lower()] if "." not in name else [name.lower(), leaf]
        found: dict[str, None] = {}
        for word in wanted:
            for match in get_close_matches(word, spellings, 3, 0.7):
                found.update(spellings[match])
        return tuple(list(found)[:3])


def normalize_symbol_name(name: str) -> str:
    """A name as outlines have it: what separates its parts is a dot, and no brackets follow it."""
    return _SEPARATORS.sub(".", name.strip().removesuffix("()")).strip(".")


def outline_of(language: str, path: str, data: bytes) -> Outline:
    """The outline of a file's bytes, read once however often it is asked for; raises Unreadable."""
    global _kept_bytes
    grammar = _grammar(language, path, data)
    known = _kept.get((grammar, data))
    if known is None:
        try:
            known = _read(grammar, data)
        except Unreadable as error:
            known = error
        _kept_bytes += len(data) + 1000
        if _kept_bytes > _KEPT_BYTES:
            _kept.clear()
            _kept_bytes = len(data) + 1000
        _kept[grammar, data] = known
    if isinstance(known, Unreadable):
        raise Unreadable(str(known))
    return known


def _grammar(language: str, path: str, data: bytes) -> str:
    if language == "typescript":
        return "tsx" if path.lower().endswith("x") else language
    if language == "shell":
        return "bash"
    if language == "c" and path.lower().endswith(".h") and _CPP.search(data):
        return "cpp"
    return language


def _read(grammar: str, data: bytes) -> Outline:
    if len(data) > LIMITS.outline_bytes:
        raise Unreadable(f"it is larger than {LIMITS.outline_bytes // 1024 // 1024} MB, too large to be looked through")
    data = data.removeprefix(BOM)
    if b"\r" in data:
        # Grammars know no line that ends in a lone carriage return.
        data = _LONE_RETURN.sub(b"\n", data)
    load(grammar)
    answer = run_in_child(lambda: _answer(grammar, data), LIMITS.outline_memory, LIMITS.outline_seconds)
    trouble, definitions, doubt = decode(answer, type=_Answer) if answer is not None else (TANGLED, [], "")
    if trouble:
        raise Unreadable(trouble)
    return Outline(definitions, doubt)


def _answer(grammar: str, data: bytes) -> bytes:
    """What a process of its own says: on broken code parsers can take more time and memory than there is."""
    try:
        return encode(("", *read_definitions(grammar, data)))
    except Unreadable as error:
        return encode((str(error), [], ""))
