"""Verifying memories: every citation through the shared engine, the answer in this domain's words.

Memories cite the same files again and again, so their citations are sorted by file: each is read once, and let go when
all that cite it have been answered. What plainly holds needs no more than a look; the engine has the rest.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Refused
from ...core.model import Obstacle, Severity, SourceRef, target_of
from ...sources import World
from ...text.evidence import Evidence
from ...text.lines import decode, split_lines
from ...text.snippets import has_snippet
from .model import BrokenMemoryCitation, MemoryResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.pipeline import Engine
    from ...safe.files import Root
    from .graph import BrokenLink
    from .model import Memories, Memory

    Asked = tuple[int, int, int | None, str | None]
    """A citation of a file: number of the memory, number of the citation in it, line and snippet."""
    Answer = tuple[int, str | None, list[str]]
    """What is wrong with a citation: its number, why it is stale, if it is, and what is doubtful."""


class Verifier:
    """Verifies memories; what they cite is read once."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._world = World(root, lambda: None)

    def verify(self, memory: Memory) -> MemoryResult:
        """What is true of a memory's citations; its confidence is the share that holds, as stated where it has none."""
        return self.verify_all((memory,))[0]

    def verify_all(self, memories: Sequence[Memory]) -> list[MemoryResult]:
        """What is true of the citations of each memory, in the same order."""
        asked: dict[str, list[Asked]] = {}
        for number, memory in enumerate(memories):
            for index, (path, line, snippet) in enumerate(memory.places):
                if path in asked:
                    asked[path].append((number, index, line, snippet))
                else:
                    asked[path] = [(number, index, line, snippet)]
        answers: dict[int, list[Answer]] = {}
        for path, entries in asked.items():
            for number, index in self._doubtful(path, entries):
                answer = self._ask(memories[number], index)
                if answer is not None:
                    answers.setdefault(number, []).append(answer)
            self._world.sources.pop(path, None)
        return [_result(memory, answers.get(number)) for number, memory in enumerate(memories)]

    def _doubtful(self, path: str, entries: list[Asked]) -> list[tuple[int, int]]:
        """The citations of one file of which a look does not show that they hold."""
        last = 0
        for entry in entries:
            line = entry[2]
            if line is not None and line > last:
                last = line
        if not last:
            # Without lines to look at, the file need only exist.
            there = self._world.exists(path) is None
            return [
                (number, index)
                for number, index, line, words in entries
                if words is not None or line is not None or not there
            ]
        try:
            data = self._world.read(path)
            text = decode(data)
            # There may be more lines behind the last one that is cited.
            lines = text.split("\n", last) if "\r" not in text else split_lines(text)
        except Refused:
            return [(number, index) for number, index, _, _ in entries]
        doubtful = [(number, index) for number, index, line, words in entries if not _shows(lines, line, words)]
        if doubtful:
            # The engine will want it.
            self._world.sources[path] = Evidence(SourceRef("file", path), data)
        return doubtful

    def _ask(self, memory: Memory, index: int) -> Answer | None:
        """What the engine has to say about one citation; None where it holds after all."""
        document = memory.document
        if document is None:
            return index, f"Cannot read file: {memory.key}", []
        engine = self._engine
        citation = memory.citations[index]
        settled = engine.settle(citation, document)
        if settled is None:
            settled = citation, Obstacle("file-not-found", citation.source.key)
        reason = None
        warnings: list[str] = []
        for finding in engine.verify(document, *settled):
            # Without a line a file only has to exist: a snippet that could not be looked for is a mere warning.
            doubtful = citation.lines is None and finding.check == "file-unreadable"
            if finding.severity is Severity.ERROR and not doubtful:
                reason = reason or finding.message
            elif finding.severity >= Severity.WARNING:
                warnings.append(f"{target_of(citation)}: {finding.message}")
        return (index, reason, warnings) if reason is not None or warnings else None

    @cached_property
    def _engine(self) -> Engine:
        """The engine; it looks at the files that were read already."""
        from ...engine.pipeline import Engine

        engine = Engine(self._root)
        engine.share(self._world)
        return engine


def _shows(lines: list[str], line: int | None, words: str | None) -> bool:
    """Whether a line is there and carries the words, or anything but white space."""
    if line is None:
        return words is None
    if not 0 < line <= len(lines):
        return False
    found = lines[line - 1]
    if words is not None:
        return has_snippet(words, found) and bool(words.strip())
    return bool(found) and not found.isspace()


def _result(memory: Memory, answers: list[Answer] | None) -> MemoryResult:
    """A memory's result; without answers everything it cites holds."""
    if answers is None and memory.outline is not None:
        return MemoryResult(memory.id, memory.key, (True,) * len(memory.outline.cited), 1.0)
    places = memory.places
    if not places:
        return MemoryResult(memory.id, memory.key, (), memory.confidence, (), tuple(memory.warnings))
    if answers is None:
        return MemoryResult(memory.id, memory.key, (True,) * len(places), 1.0, (), tuple(memory.warnings))
    holds = [True] * len(places)
    stale: list[BrokenMemoryCitation] = []
    warnings = [*memory.warnings]
    for index, reason, doubts in sorted(answers):
        warnings += doubts
        if reason is not None:
            holds[index] = False
            stale.append(BrokenMemoryCitation(*places[index], reason))
    return MemoryResult(memory.id, memory.key, tuple(holds), sum(holds) / len(holds), tuple(stale), tuple(warnings))


class Health(Struct):
    """Everything there is to know about a folder of memories."""

    memories: Memories
    results: list[MemoryResult]
    """Of those that cite."""
    broken_links: list[BrokenLink]
    obsolete: dict[str, tuple[str, ...]]
    cycles: tuple[tuple[str, ...], ...]

    @property
    def stale(self) -> list[MemoryResult]:
        """Those of which not every citation holds."""
        return [result for result in self.results if not result.valid]

    @property
    def citations(self) -> int:
        """How many citations were verified."""
        return sum(result.total for result in self.results)

    @property
    def holding(self) -> int:
        """How many of them hold."""
        return sum(result.valid_count for result in self.results)

    @property
    def exit_code(self) -> int:
        """2 something cannot be parsed or distinguished, 1 something is stale or leads nowhere, else 0."""
        if self.memories.unparsable or self.memories.clashes:
            return 2
        return int(bool(self.stale or self.broken_links or self.cycles))


def examine(memories: Memories, verifier: Verifier) -> Health:
    """Verify every memory that cites and follow every link."""
    from .graph import build_graph, find_broken_links, find_obsolete

    results = verifier.verify_all(memories.cited)
    return Health(memories, results, find_broken_links(memories), find_obsolete(memories), build_graph(memories).cycles)
