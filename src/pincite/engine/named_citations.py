"""Citations as people name them: by where they stand, as they are written, or by the place they cite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import UsageError
from ..core.model import Verdict, target_of
from ..project.documents import root_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..core.model import Report
    from ..safe.files import Root

_PLACE = re.compile(r"(.{1,4096}?):([1-9][0-9]{0,8})(?::([1-9][0-9]{0,8}))?\Z", re.DOTALL)


class NamedCitation(Struct, frozen=True):
    """A citation that fits a name."""

    document: str
    verdict: Verdict

    @property
    def place(self) -> str:
        """Where it stands: a name that fits no other citation."""
        return f"{self.document}:{self.verdict.line}:{self.verdict.column}"


class CitationName:
    """What was typed for a citation: `docs/a.md:3`, `docs/a.md:3:17`, the citation as written, or `src/app.py:12`."""

    def __init__(self, root: Root, typed: str) -> None:
        self.typed = typed
        self._words = " ".join(typed.split())
        self.document = ""
        """The document it may stand in; empty where no such file is named."""
        match = _PLACE.match(typed)
        if match is not None:
            try:
                key = root_key(root, match[1])
            except UsageError:
                key = ""
            self.document = key if key and root.is_file(key) else ""
            self._line, self._column = int(match[2]), int(match[3] or 0)

    def stands_at(self, document: str, verdict: Verdict) -> bool:
        """Whether the name says where a citation stands."""
        if not self.document or document != self.document or verdict.line != self._line:
            return False
        return not self._column or verdict.column == self._column

    def names(self, verdict: Verdict) -> bool:
        """Whether the name is a citation as it is written, or the place it cites."""
        citation, seen = verdict.citation, verdict.seen
        if self._words in (" ".join(citation.raw.split()), target_of(citation)):
            return True
        return seen is not None and citation.lines is not None and self._words == f"{seen.path}:{citation.lines.text}"


def find_standing(name: CitationName, reports: Iterable[Report]) -> list[NamedCitation]:
    """The citations that stand where a name says."""
    return [
        NamedCitation(report.document, verdict)
        for report in reports
        for verdict in report.verdicts
        if name.stands_at(report.document, verdict)
    ]


def find_named(name: CitationName, reports: Iterable[Report]) -> list[NamedCitation]:
    """The citations that a name is the text of, or the place that they cite."""
    return [
        NamedCitation(report.document, verdict)
        for report in reports
        for verdict in report.verdicts
        if name.names(verdict)
    ]
