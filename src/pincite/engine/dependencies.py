"""An engine that says of every verdict what it rests on: the paths that were looked at for it."""

from collections.abc import Iterator

from msgspec.structs import replace

from .. import checks as verify
from ..core.model import Citation, Finding, Obstacle, Report
from ..dialects import Dialect
from ..text.document import Document
from ..text.evidence import Evidence
from .pipeline import Engine, VerifiedDocument

Rests = list[dict[str, None]]


class TracedEngine(Engine):
    """Keeps apart what is looked at for each citation, and hands it on to the document as usual."""

    def __init__(self, *given: object, **more: object) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]
        self._rests: Rests = []
        self._own: dict[str, None] = {}
        self._of: dict[int, Rests] = {}
        """What the citations rest on that are examined and not yet followed, by their rows."""

    def settle(self, citation: Citation, document: Document | None) -> tuple[Citation, Evidence | Obstacle] | None:
        """A citation with its evidence, and what was looked at for it."""
        with self.world.record() as self._own:
            return super().settle(citation, document)

    def verify(self, document: Document, citation: Citation, evidence: Evidence | Obstacle) -> list[Finding]:
        """What the checks say of a citation that was settled just before."""
        with self.world.record() as looked:
            found = super().verify(document, citation, evidence)
        self._own.update(looked)
        self._rests.append(self._own)
        return found

    def _examine(
        self, document: Document, using: tuple[Dialect, ...], commented: bool, part: int
    ) -> Iterator[VerifiedDocument]:
        self._rests = []
        for found in super()._examine(document, using, commented, part):
            # The last citation that was looked at may begin the next part.
            rests, self._rests = self._rests[: len(found.rows)], self._rests[len(found.rows) :]
            _share(found, rests)
            self._of[id(found.rows)] = rests
            yield found

    def follow(self, found: VerifiedDocument) -> None:
        """Follow a document's citations; those with something to say rest on what was looked at for it.

        Also where following adds nothing: lines that are found nowhere now may have been found there before.
        """
        before = [row.findings for row in found.rows]
        with self.world.record() as looked:
            super().follow(found)
        for row, had, keys in zip(found.rows, before, self._of[id(found.rows)], strict=True):
            if row.findings != had or (row.findings and self._was_followed(row.citation, row.evidence)):
                # For which of them a path was looked at is not told apart.
                keys.update(looked)

    def _was_followed(self, citation: Citation, evidence: Evidence | Obstacle) -> bool:
        """Whether history was asked what became of the cited lines: their file is there, or was."""
        scheme, key = citation.source.scheme, citation.source.key
        if scheme not in ("file", "symbol"):
            return False
        return not isinstance(evidence, Obstacle) or (
            self._follower is not None and self._follower.has_existed(key.partition("::")[0])
        )

    def conclude(self, found: VerifiedDocument) -> Report:
        """Follow what moved, and report."""
        report = super().conclude(found)
        rests = zip(found.rows, self._of.pop(id(found.rows), ()), strict=True)
        kept = (tuple(keys) for row, keys in rests if id(row) not in found.others)
        keys = [self._looked.setdefault(one, one) for one in kept]
        report.verdicts = tuple(
            [replace(verdict, rests_on=one) for verdict, one in zip(report.verdicts, keys, strict=True)]
        )
        return report


def _share(found: VerifiedDocument, rests: Rests) -> None:
    """Have citations that were compared with one another rest on what each of them does."""
    rows = found.rows
    captured = any(row.citation.source.scheme == "chunk" for row in rows)
    for at in range(1, len(rows)):
        before, last = rows[at - 1].citation, rows[at].citation
        chained = captured and verify.are_chained(found.document.text, before, last)
        if chained or (last.quote is not None and last.quote is before.quote):
            rests[at - 1].update(rests[at])
            rests[at] = rests[at - 1]
