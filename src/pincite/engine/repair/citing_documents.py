"""Who cites the lines of a document: such a line is evidence, and rewriting it changes what is cited."""

import os
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from msgspec import Struct

from ...core.errors import Refused
from ...core.model import CURRENT_REVISIONS, Citation, Obstacle, Outcome, Report
from ...project.documents import find_documents
from ...safe.git import Git
from ...text.evidence import Evidence
from ...text.lines import join
from ..pipeline import Engine, VerifiedDocument

_MOST_NAMES = 200


class CitingPlace(Struct, frozen=True, gc=False):
    """A citation of some lines, and where it stands."""

    first: int
    last: int
    document: str
    line: int


class CitingPlaces:
    """The citations that lead to lines of certain documents and hold, or may do so."""

    def __init__(self) -> None:
        self._known: dict[str, list[CitingPlace]] = {}
        self._reaching: dict[str, tuple[list[int], list[CitingPlace]]] = {}
        """Of each document the first lines that are cited, in order, and of all citations that begin no later the one
        that reaches furthest."""
        self._broken: dict[str, set[int]] = {}

    def see(self, report: Report) -> None:
        """Remember which citations of a document do not hold anyway: they have nothing to lose."""
        for verdict in report.verdicts:
            if verdict.outcome > Outcome.UNCHECKED:
                self._broken.setdefault(report.document, set()).add(verdict.citation.span.start)

    def find(self, engine: Engine, git: Git | None, paths: Iterable[str]) -> None:
        """Look through all documents of the root for citations of lines of these ones."""
        wanted, root, config = frozenset(paths), engine.world.root, engine.config
        names = tuple({os.fsencode(_stem(path)) for path in wanted})
        if not names:
            return
        for document in find_documents(root, git, (), config.endings, config.exclude).documents:
            try:
                data = root.read(document, root.limits.document_bytes)
            except Refused:
                continue
            # A path may be written with escapes, and then its name is not to be seen.
            plain = len(names) <= _MOST_NAMES and b"%" not in data and b"\\" not in data
            if plain and not any(name in data for name in names):
                continue
            for found in engine.examine_parts(document, data):
                self._take(found, wanted)

    def _take(self, found: VerifiedDocument, wanted: frozenset[str]) -> None:
        document = found.document
        broken = self._broken.get(document.path, set())
        for row in found.rows:
            citation = row.citation
            path, lines = _path(citation, row.evidence), citation.lines
            if path not in wanted or lines is None or citation.span.start in broken:
                continue
            line = document.position(citation.span.start)[0]
            self._known.setdefault(path, []).append(CitingPlace(lines.first, lines.last, document.path, line))

    def of(self, path: str, first: int, last: int) -> CitingPlace | None:
        """A citation of one of these lines; None where there is none."""
        if path not in self._known:
            return None
        if path not in self._reaching:
            known = sorted(self._known[path], key=lambda one: one.first)
            self._reaching[path] = [one.first for one in known], list(accumulate(known, _further))
        firsts, furthest = self._reaching[path]
        at = bisect_right(firsts, last) - 1
        return furthest[at] if at >= 0 and furthest[at].last >= first else None


def _further(one: CitingPlace, other: CitingPlace) -> CitingPlace:
    return other if other.last > one.last else one


def _stem(path: str) -> str:
    """What every way to write a path holds."""
    name = path.rpartition("/")[2]
    dot = name.find(".", 1)
    return name if dot < 0 else name[:dot]


def _path(citation: Citation, evidence: Evidence | Obstacle) -> str:
    """The file that a citation leads to; empty where it is none of the work tree."""
    if isinstance(evidence, Evidence) and evidence.source.scheme == "file":
        return join("", evidence.source.key)
    if citation.source.scheme == "permalink":
        revision, _, path = citation.source.key.partition("@")[2].partition(":")
        return path if revision in CURRENT_REVISIONS else ""
    return join("", citation.source.key) if citation.source.scheme == "file" else ""
