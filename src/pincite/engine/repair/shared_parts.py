"""One object for equal parts of many verdicts: a document may offer a hundred thousand changes, and all are held."""

from typing import TypeVar

from msgspec.structs import replace

from ...core.model import Finding, Verdict

Part = TypeVar("Part")
_MOST = 20_000
"""Parts that are remembered; beyond this the pool starts anew."""


class Pool:
    """Parts of verdicts that were seen before: paths, lines, excerpts, messages."""

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: dict[object, object] = {}

    def share(self, verdict: Verdict) -> Verdict:
        """The same verdict, made of parts that others are made of too."""
        citation = verdict.citation
        return replace(
            verdict,
            citation=replace(
                citation,
                source=self._of(citation.source),
                lines=self._of(citation.lines),
                alternate=self._of(citation.alternate),
            ),
            findings=tuple(map(self._share_finding, verdict.findings)),
            seen=self._of(verdict.seen),
            excerpt=self._of(verdict.excerpt),
        )

    def _share_finding(self, finding: Finding) -> Finding:
        return replace(
            finding,
            message=self._of(finding.message),
            then=self._of(finding.then),
            now=self._of(finding.now),
            place=self._of(finding.place),
        )

    def _of(self, part: Part) -> Part:
        if len(self._parts) > _MOST:
            self._parts.clear()
        known = self._parts.setdefault((type(part), part), part)
        return known  # type: ignore[return-value]
