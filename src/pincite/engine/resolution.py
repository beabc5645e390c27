"""Citations to evidence: which of the readings of a citation leads to something, and what is none after all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from .. import checks
from ..core.model import Citation, Obstacle, SourceRef
from ..text.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..checks import CheckedCitation
    from ..sources import World
    from ..text.document import Document
    from .drift.follow import Follower

    Settled = tuple[Citation, Evidence | Obstacle]

THERE = ("file-unreadable", "symbol-not-found", "symbol-ambiguous", "symbol-unchecked")
"""What stands in the way though the file is there."""
ADDRESSES = ("permalink", "repository")
"""What names a repository with the file: this one, or another one that may have a mirror."""


class Resolver:
    """Finds the evidence of citations: by path, by the other path that may be meant, by history, by a path's end."""

    def __init__(self, world: World, follower: Follower | None) -> None:
        self._world = world
        self._follower = follower
        self.refuses_invented = False
        """Whether the text is new: then a file that neither is nor was is missing, and not another project's."""

    def settle(self, citation: Citation, document: Document | None) -> Settled | None:
        """A citation of a document with its evidence; None where the words turn out to be no citation."""
        world = self._world
        if world.others is not None and citation.source.scheme in ADDRESSES:
            located = world.others.locate(citation)
            if located is None:
                return None
            citation, obstacle = located
            if obstacle is not None:
                return citation, obstacle
        if citation.source.scheme == "file" and citation.lines is not None:
            found: Evidence | Obstacle | None = world.file(citation.source.key)
        else:
            found = world.find(citation, document)
        if found is None:
            return None
        if type(found) is Obstacle and found.kind == "file-ambiguous" and citation.section:
            found = checks.ask_namesakes(citation, found, world.find_namesakes(citation))
        if type(found) is Obstacle and found.kind != "file-unreadable":
            return self._second_try(citation, document, found)
        if citation.source.scheme == "section" and type(found) is Evidence:
            # Only a name may have been cited; what was found has a path.
            return replace(citation, source=SourceRef("section", found.source.key)), found
        return citation, found

    def _second_try(self, citation: Citation, document: Document | None, found: Obstacle) -> Settled | None:
        """Read the path the other way; drop what is neither a file nor ever was one."""
        if citation.alternate and citation.source.scheme != "path":
            other = replace(citation, source=SourceRef(citation.source.scheme, citation.alternate))
            elsewhere = self._world.find(other, document)
            there = isinstance(elsewhere, Obstacle) and elsewhere.kind in THERE and found.kind not in THERE
            if elsewhere is not None and (there or isinstance(elsewhere, Evidence)):
                return other, elsewhere
        scheme = citation.source.scheme
        if scheme == "path" and found.kind == "file-not-found":
            return self._follower.look_back_at_path(citation) if self._follower is not None else None
        if scheme not in ("file", "symbol") or found.kind in THERE:
            return citation, found
        if found.kind == "file-not-found" and (left_out := self._world.find_left_out(citation)) is not None:
            return left_out
        if not citation.tentative:
            return citation, found
        if (past := self._look_further(citation)) is not None:
            return past
        return (citation, found) if self.refuses_invented and self._world.names_a_file(citation) else None

    def _look_further(self, citation: Citation) -> Settled | None:
        """What was a file once, or is named by the end of its path."""
        follower = self._follower
        past: Settled | None = follower.look_back(citation) if follower is not None else None
        # What a path with folders in it was once, it was meant to be; a name alone stands for any file of that name.
        if past is None or "/" not in past[0].source.key or getattr(past[1], "kind", "") == "existence-unknown":
            past = self._world.find_by_end(citation) or past
        return follower.look_back_by_end(citation) if past is None and follower is not None else past

    def find_others(self, rows: Iterable[CheckedCitation]) -> dict[int, tuple[Citation, str]]:
        """The rows that name a file by its end, and a line that it has not and had not when it was cited.

        Another file is meant, of the language or of another project. New text has no such excuse.
        """
        if self.refuses_invented:
            return {}
        return {
            id(row): (row.citation, finding.message)
            for row in rows
            if row.citation.by_end and not row.was_there
            for finding in row.findings
            if finding.check == "line-out-of-range" and finding.edit is None
        }
