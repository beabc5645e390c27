"""Who cites the lines of a document: such a line is evidence, and rewriting it changes what is cited."""

import os
import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from urllib.parse import unquote_to_bytes

from msgspec import Struct

from ...core.errors import Refused
from ...core.model import CURRENT_REVISIONS, Citation, Obstacle, Outcome
from ...text.evidence import Evidence
from ...text.lines import join
from ..pipeline import VerifiedDocument
from .draft_engine import DraftEngine

_MOST_NAMES = 200
# A character by its number, as YAML and HTML write it: what it stands for is not to be seen.
_CODED = re.compile(rb"\\[xuU][0-9A-Fa-f]|&#")
_PERCENT = re.compile(rb"%[0-9A-Fa-f]{2}")


class CitingPlace(Struct, frozen=True, gc=False):
    """A citation of some lines, and where it stands."""

    first: int
    last: int
    document: str
    line: int
    column: int


class _Reach:
    """Cited lines of one document, to be asked whether some of them are among given ones."""

    def __init__(self, places: Iterable[CitingPlace]) -> None:
        known = sorted(places, key=lambda one: one.first)
        self._firsts = [one.first for one in known]
        self._furthest = list(accumulate(known, _further))
        """Of all citations that begin no later, the one that reaches furthest."""

    def of(self, first: int, last: int) -> CitingPlace | None:
        """A citation of one of these lines; None where there is none."""
        at = bisect_right(self._firsts, last) - 1
        return self._furthest[at] if at >= 0 and self._furthest[at].last >= first else None


class CitingPlaces:
    """The citations that lead to lines of certain documents and hold, or may do so."""

    def __init__(self, engine: DraftEngine) -> None:
        self._engine = engine
        self._known: dict[str, list[CitingPlace]] = {}
        self._places: dict[str, set[tuple[int, int]]] = {}
        """Where such citations begin in the documents that have them: lines and columns."""
        self._all: dict[str, _Reach] = {}
        self._holding: dict[str, _Reach] = {}
        self._broken: dict[str, set[tuple[int, int]]] = {}

    def find(self, paths: Iterable[str], documents: Iterable[str]) -> None:
        """Look through documents for citations of lines of these paths."""
        engine = self._engine
        wanted, root = frozenset(paths), engine.world.root
        names = tuple({os.fsencode(_stem(path)) for path in wanted})
        if not names:
            return
        for document in documents:
            try:
                data = root.read(document, root.limits.document_bytes)
            except Refused:
                continue
            if len(names) <= _MOST_NAMES and not _may_name(data, names):
                continue
            for found in engine.examine_parts(document, data):
                self._take(found, wanted)

    def _take(self, found: VerifiedDocument, wanted: frozenset[str]) -> None:
        document = found.document
        for row in found.rows:
            citation = row.citation
            path, lines = _path(citation, row.evidence), citation.lines
            if path in wanted and lines is not None:
                at = document.position(citation.span.start)
                self._known.setdefault(path, []).append(CitingPlace(lines.first, lines.last, document.path, *at))
                self._places.setdefault(document.path, set()).add(at)

    def of(self, path: str, first: int, last: int) -> CitingPlace | None:
        """A citation of one of these lines; None where there is none. What does not hold has nothing to lose."""
        known = self._known.get(path)
        if known is None:
            return None
        if path not in self._all:
            self._all[path] = _Reach(known)
        if self._all[path].of(first, last) is None:
            return None
        if path not in self._holding:
            broken = self._find_broken(dict.fromkeys(one.document for one in known))
            self._holding[path] = _Reach([one for one in known if (one.line, one.column) not in broken[one.document]])
        return self._holding[path].of(first, last)

    def _find_broken(self, documents: Iterable[str]) -> dict[str, set[tuple[int, int]]]:
        """Where those of these citations stand that do not hold, by their documents."""
        new = {document: self._places[document] for document in documents if document not in self._broken}
        self._broken.update((document, set()) for document in new)
        for report in self._engine.check_some(new) if new else ():
            self._broken[report.document].update(
                (verdict.line, verdict.column) for verdict in report.verdicts if verdict.outcome > Outcome.UNCHECKED
            )
        return self._broken


def _further(one: CitingPlace, other: CitingPlace) -> CitingPlace:
    return other if other.last > one.last else one


def _stem(path: str) -> str:
    """What every way to write a path holds."""
    name = path.rpartition("/")[2]
    dot = name.find(".", 1)
    return name if dot < 0 else name[:dot]


def _may_name(data: bytes, names: tuple[bytes, ...]) -> bool:
    """Whether a document may hold one of these names, also written with escapes."""
    if any(name in data for name in names) or _CODED.search(data):
        return True
    # A percent sign is mostly one: decoding all of a document costs ten times as much as looking for a code.
    coded = _PERCENT.search(data) is not None
    if not coded and b"\\" not in data:
        return False
    plain = (unquote_to_bytes(data) if coded else data).replace(b"\\", b"")
    return any(name in plain for name in names)


def _path(citation: Citation, evidence: Evidence | Obstacle) -> str:
    """The file that a citation leads to; empty where it is none of the work tree."""
    if isinstance(evidence, Evidence) and evidence.source.scheme == "file":
        return join("", evidence.source.key)
    if citation.source.scheme == "permalink":
        revision, _, path = citation.source.key.partition("@")[2].partition(":")
        return path if revision in CURRENT_REVISIONS else ""
    return join("", citation.source.key) if citation.source.scheme == "file" else ""
