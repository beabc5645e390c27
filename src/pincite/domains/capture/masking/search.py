"""Finds credentials in a block of bytes: all opening literals at once, then one bounded pattern where one stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from .credential import build_automata, build_automaton
from .credential_kinds import FOLDED, PRIVATE_KEY, SHAPES, URL, CredentialShape
from .cut_literals import list_cut_literals
from .encoded import list_encoded_forms
from .environment import LEAST
from .literals import Hit, LiteralSearch
from .rewrites import RewrittenLines, Span

if TYPE_CHECKING:
    from .next_line import Opened

_NOTHING: Mapping[bytes, str] = {}
_DENSE = 256
"""More than one literal of a shape in so many bytes: its pattern is run over the whole block instead."""
_DENSE_BYTES = 64 * 1024 * 1024
"""How long a shape stays that way before its literals are tried again."""
# Never in any text, each with another beginning: they keep the automaton from skipping by a letter that is everywhere.
_RARE = tuple(bytes((byte, 0xFF, byte, 0xFE, 0xC0, 0xC1, 0xFF, byte)) for byte in range(0xF8, 0xFD))

_HINT = 5
_INSIDE = re.compile(rb"[A-Za-z0-9_]")
"""Beside a short value: it is part of a longer word."""


class FoundSecrets(Struct):
    """What was found in a block: secrets in no order and perhaps overlapping, and where others may begin."""

    spans: list[Span] = []
    keys: list[int] = []
    """Places of `PRIVATE KEY`."""
    opened: list[Opened] = []
    """Keys at the end of a line."""
    heads: list[tuple[CredentialShape, int]] = []
    """Where a shape may begin that goes on in the next line."""
    hints: list[int] = []
    """Where a part of a variable's value stands."""
    encoded: list[Hit] = []
    """Where `list_encoded_forms` stand."""
    cut: list[Hit] = []
    """Where `list_cut_literals` stand."""

    def add(self, shape: CredentialShape, match: re.Match[bytes]) -> None:
        """Takes what a shape matched."""
        if shape is PRIVATE_KEY:
            self.keys.append(match.start())
        elif match.lastgroup == "open":
            self.opened.append((shape, match))
        else:
            self.spans += [(*span, shape.name) for span in shape.spans(match)]


class _Lane:
    """Shapes whose literals are looked for together, and those of them whose literals are too many to."""

    def __init__(self, shapes: Sequence[CredentialShape]) -> None:
        self._shapes = shapes
        self.dense: dict[CredentialShape, int] = {}
        """Shapes with too many literals to list, each with the bytes for which it stays so."""
        self._build()

    def _build(self) -> None:
        pairs = [(literal, shape) for shape in self._shapes if shape not in self.dense for literal in shape.literals]
        # Of two literals that start at the same place the long one is taken.
        pairs.sort(key=lambda pair: -len(pair[0]))
        self._owners = [shape for _, shape in pairs]
        self.literals = [literal for literal, _ in pairs]

    def find(self, block: bytes, hits: list[Hit], found: FoundSecrets, near: RewrittenLines | None = None) -> None:
        """Adds what is found at the places of the literals, in the lines that `near` holds."""
        if len(hits) > 64 and len(hits) * _DENSE > len(block):
            hits = self._thin(hits, len(block))
        if near is not None and hits:
            hits = [hit for hit in hits if near.hold(hit[1]) or self._owners[hit[0]] is PRIVATE_KEY]
        done: dict[CredentialShape, int] = {}
        for index, start, _ in hits:
            shape = self._owners[index]
            if start >= done.get(shape, 0):
                match = shape.match(block, start)
                if match is not None:
                    done[shape] = match.end()
                    found.add(shape, match)
                if shape.splits:
                    found.heads.append((shape, start))
        if self.dense:
            self._sweep(block, found, near)

    def _thin(self, hits: list[Hit], size: int) -> list[Hit]:
        """Takes shapes out whose literals cost more to list than to search for; the hits that remain."""
        owners = self._owners
        for shape, number in Counter(owners[hit[0]] for hit in hits).items():
            # A pattern that begins with a literal is searched for faster than one that does not.
            quick = shape.judge is None or shape.source.startswith(shape.literals)
            if number * (_DENSE if quick else _DENSE // 4) > size:
                self.dense[shape] = _DENSE_BYTES
        hits = [hit for hit in hits if owners[hit[0]] not in self.dense]
        kept = {id(shape): index for index, shape in reversed([*enumerate(s for s in owners if s not in self.dense)])}
        hits = [(kept[id(owners[index])], start, end) for index, start, end in hits]
        self._build()
        return hits

    def _sweep(self, block: bytes, found: FoundSecrets, near: RewrittenLines | None) -> None:
        """Searches for the shapes that were taken out, and puts back those that had their time."""
        for shape in list(self.dense):
            for match in shape.pattern.finditer(block):
                # What the automaton would not have begun at is not begun at here.
                if block.startswith(shape.literals, match.start()) and (near is None or near.hold(match.start())):
                    found.add(shape, match)
            if shape.splits:
                heads = (head.start() for head in shape.at_line_end.finditer(block))
                found.heads += [(shape, head) for head in heads if near is None or near.hold(head)]
            self.dense[shape] -= len(block)
            if self.dense[shape] <= 0:
                del self.dense[shape]
                self._build()


class _Values:
    """The values of secret variables, in all their forms."""

    def __init__(self, values: Mapping[bytes, str], whole: Mapping[bytes, str]) -> None:
        ordered = sorted(values, key=len, reverse=True)
        self._names = [f"env:{values[value]}" for value in ordered]
        self._all = build_automaton(ordered, overlapping=True)
        parts = {part for value in whole for part in _parts(value)} - {*values}
        searched = [*((value, False) for value in ordered), *((part, True) for part in sorted(parts))]
        self._automata = build_automata(searched, _RARE)

    def find(self, block: bytes, found: FoundSecrets) -> None:
        """Adds every value in the block; in a line that has one, those that overlap too."""
        spans = found.spans
        lines: dict[int, int] = {}
        for automaton, parts in self._automata:
            done = -1
            for index, start, end in automaton.find_matches_as_indexes(block):
                if index < len(parts) and parts[index]:
                    found.hints.append(start)
                elif start > done:
                    found.hints.append(start)
                    stop = block.find(b"\n", end)
                    done = len(block) if stop < 0 else stop
                    lines[block.rfind(b"\n", 0, start) + 1] = done
        found.hints.sort()
        for first, last in lines.items():
            line = block[first:last]
            for index, start, end in self._all.find_matches_as_indexes(line, overlapping=True):
                if end - start >= LEAST or not _INSIDE.search(line[max(0, start - 1) : start] + line[end : end + 1]):
                    spans.append((first + start, first + end, self._names[index]))


def _parts(value: bytes) -> list[bytes]:
    """Parts of a value, of which one is left whole where a line end stands somewhere in it."""
    size = len(value)
    if size < 2 * _HINT:
        return []
    return [value[at : at + _HINT] for at in (0, (size - _HINT) // 2, size - _HINT)]


class SecretSearch:
    """Every shape, and the values of one environment."""

    def __init__(self, values: Mapping[bytes, str], whole: Mapping[bytes, str] = _NOTHING) -> None:
        shapes = (PRIVATE_KEY, *SHAPES, *FOLDED)
        lanes = sorted({shape.lane for shape in shapes})
        self._lanes = [_Lane([shape for shape in shapes if shape.lane == lane]) for lane in lanes]
        self._lanes.append(_Lane([URL]))
        self._searched: list[list[bytes]] = []
        self.whole = whole
        """Values of variables as they are, each with the name of its variable."""
        self._values = _Values(values, whole) if values else None

    @property
    def _literals(self) -> LiteralSearch:
        """What looks for all literals; another one where those of a lane are no longer the same."""
        wanted = [lane.literals for lane in self._lanes]
        if wanted != self._searched:
            self._searched = wanted
            self._literal_search = LiteralSearch([*wanted, [*list_encoded_forms()], [*list_cut_literals()]])
        return self._literal_search

    def find(self, block: bytes, near: RewrittenLines | None = None) -> FoundSecrets:
        """The secrets in a block, or in the lines of it that `near` holds."""
        hits = self._literals.find(block)
        last = len(self._lanes)
        found = FoundSecrets(encoded=hits.all_of(last), cut=hits.all_of(last + 1))
        for number, lane in enumerate(self._lanes):
            places = hits.apart(number)
            if places or lane.dense:
                lane.find(block, places, found, near)
        if self._values is not None:
            self._values.find(block, found)
        return found

    def find_cut_literals(self, text: bytes) -> list[Hit]:
        """Where a line end cuts a literal in a text."""
        return self._literals.find(text).all_of(len(self._lanes) + 1)


_RANKS = {name: rank for rank, name in reversed([*enumerate(shape.name for shape in (PRIVATE_KEY, *SHAPES))])}


def disjoint(spans: list[Span]) -> list[Span]:
    """The spans in order, those that overlap made one that bears the most telling of their names."""
    merged: list[Span] = []
    for start, end, name in sorted(spans):
        if merged and start < merged[-1][1]:
            first, last, known = merged[-1]
            merged[-1] = first, max(last, end), min(known, name, key=lambda name: _RANKS.get(name, -1))
        else:
            merged.append((start, end, name))
    return merged
