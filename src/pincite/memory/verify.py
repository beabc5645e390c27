"""Verifying memories: every citation through the shared engine, the answer in this domain's words.

Memories cite the same files again and again, so their citations are sorted by file: each is read once, and let go when
all that cite it have been answered. What plainly holds needs no more than a look; the engine has the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..evidence import Evidence
from ..model import target_of
from ..resolve import World
from .model import Result, Stale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..pipeline import Engine
    from ..safe.files import Root
    from .model import Memory

    Asked = tuple[int, int, int | None, str | None]
    """A citation of a file: number of the memory, number of the citation in it, line and snippet."""
    Answer = tuple[int, str | None, list[str]]
    """What is wrong with a citation: its number, why it is stale, if it is, and what is doubtful."""


class Verifier:
    """Verifies memories; what they cite is read once."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._world = World(root, lambda: None)
        self._engine: Engine | None = None

    def verify(self, memory: Memory) -> Result:
        """What is true of a memory's citations; its confidence is the share that holds, as stated where it has none."""
        return self.verify_all((memory,))[0]

    def verify_all(self, memories: Sequence[Memory]) -> list[Result]:
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
        if all(line is None for _, _, line, _ in entries):
            # The file need only exist, as long as no words are to be looked for.
            if self._world.exists(path) is None:
                return [(number, index) for number, index, _, snippet in entries if snippet]
            return [(number, index) for number, index, _, _ in entries]
        evidence = self._world.file(path)
        if type(evidence) is not Evidence:
            return [(number, index) for number, index, _, _ in entries]
        lines = evidence.lines
        count = len(lines)
        doubtful = []
        for number, index, line, snippet in entries:
            if line is None:
                if not snippet:
                    continue
            elif 0 < line <= count:
                if snippet:
                    if snippet in lines[line - 1]:
                        continue
                elif lines[line - 1] and not lines[line - 1].isspace():
                    continue
            doubtful.append((number, index))
        return doubtful

    def _ask(self, memory: Memory, index: int) -> Answer | None:
        """What the engine has to say about one citation; None where it holds after all."""
        from ..model import Obstacle, Severity

        document = memory.document
        if document is None:
            return None
        engine = self._started()
        citation = memory.citations[index]
        settled = engine.settle(document, citation)
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

    def _started(self) -> Engine:
        """The engine; it looks at the files that were read already."""
        if self._engine is None:
            from ..pipeline import Engine

            self._engine = Engine(self._root)
            self._engine.world = self._world
        return self._engine


def _result(memory: Memory, answers: list[Answer] | None) -> Result:
    """A memory's result; without answers everything it cites holds."""
    places = memory.places
    if not places:
        return Result(memory.id, memory.key, (), memory.confidence, (), tuple(memory.warnings))
    if answers is None:
        return Result(memory.id, memory.key, (True,) * len(places), 1.0, (), tuple(memory.warnings))
    holds = [True] * len(places)
    stale: list[Stale] = []
    warnings = [*memory.warnings]
    for index, reason, doubts in sorted(answers):
        warnings += doubts
        if reason is not None:
            holds[index] = False
            stale.append(Stale(*places[index], reason))
    return Result(memory.id, memory.key, tuple(holds), sum(holds) / len(holds), tuple(stale), tuple(warnings))
