"""What a page says about the evidence of a citation, and what its JSON is."""

from __future__ import annotations

from msgspec import Struct


class EvidenceLine(Struct, frozen=True, gc=False):
    """One line, without anything invisible in it."""

    number: int
    text: str
    is_cited: bool = False
    is_cut: bool = False
    """Whether the line is longer than what is shown of it."""


class EvidenceExcerpt(Struct, frozen=True):
    """Lines that belong together: the cited ones with their neighbours."""

    title: str
    """Where they stand, in words."""
    name: str
    """The file's name, from which its language can be told; empty where it has none."""
    lines: tuple[EvidenceLine, ...]
    left_out: int = 0
    """Cited lines that are not shown."""


class ChangeLine(Struct, frozen=True, gc=False):
    """A line of a comparison of then and now."""

    kind: str
    """`same`, `added` or `removed`."""
    text: str
    then: int = 0
    """Its number then; 0 for one that was added."""
    now: int = 0
    """Its number now; 0 for one that was removed."""


class LinesThen(Struct, frozen=True):
    """The cited lines as they were when the citation was written."""

    since: str
    """The commit that wrote the citing line, shortened; empty where only a finding remembers the lines."""
    excerpt: EvidenceExcerpt
    changes: tuple[ChangeLine, ...] = ()
    """What is different now; empty where nothing is, and where the lines are gone."""
    left_out: int = 0
    """Lines of the comparison that are not shown."""


class EvidenceFact(Struct, frozen=True, gc=False):
    """Something that is known about the evidence."""

    name: str
    value: str


class EvidenceCandidate(Struct, frozen=True, gc=False):
    """What a citation may mean."""

    name: str
    path: str = ""
    """The file, from the root; empty where it is none."""
    replacement: str = ""
    """The citation that means it; empty where none can be written."""


class FindingView(Struct, frozen=True):
    """What one check says about the citation."""

    check: str
    outcome: str
    severity: str
    message: str
    detail: tuple[str, ...] = ()
    is_change: bool = False
    """Whether the detail is a comparison of lines, `-` for what was and `+` for what is."""
    fix: str = ""
    """The citation as `fix` would write it; empty where it would not."""
    withheld: str = ""
    """Why `fix` leaves that to a reader; empty where it does not."""
    silenced_by: str = ""
    accepted: str = ""
    """Why a reader accepted it."""
    candidates: tuple[EvidenceCandidate, ...] = ()


class TextPiece(Struct, frozen=True, gc=False):
    """A stretch of running text; it may have line ends."""

    text: str
    is_quoted: bool = False


class PaperPage(Struct, frozen=True):
    """A page of a paper."""

    page: int
    """Counted from 1 in the PDF."""
    pages: int
    printed: str
    """What the page is called on paper; empty where that is not known."""
    is_cited: bool
    alt: str
    """The picture in words: what stands around the quote."""
    text: tuple[TextPiece, ...]
    width: int = 0
    height: int = 0
    """Pixels of the picture."""
    marks: tuple[tuple[int, int, int, int], ...] = ()
    """Where the quoted words stand in it: left, top, right, bottom."""
    no_picture: str = ""
    """Why the page cannot be drawn; empty where it can."""


class EvidenceView(Struct, frozen=True):
    """What stands behind a citation now, what its author saw, and what is wrong with it."""

    kind: str
    """`code`, `paper`, `output`, `snapshot`, `passage` or `none`."""
    citation: str
    """The id of the citation; empty where the evidence is shown without one."""
    title: str
    statement: str = ""
    """What can be said where there is nothing to show: that a file exists, or why there is no evidence."""
    path: str = ""
    """The file below the root that documents cite; empty where it is none."""
    address: str = ""
    """Where a web page was fetched; it may be hostile."""
    facts: tuple[EvidenceFact, ...] = ()
    findings: tuple[FindingView, ...] = ()
    excerpt: EvidenceExcerpt | None = None
    """What stands at the cited place now."""
    candidates: tuple[EvidenceCandidate, ...] = ()
    """What may be meant, where there is no evidence."""
    moved: EvidenceExcerpt | None = None
    """The same text at the place where it stands now."""
    then: LinesThen | None = None
    page: PaperPage | None = None
    text: tuple[TextPiece, ...] = ()
    """The text of a web page around the quote."""
    arithmetic: tuple[str, ...] = ()
    """How a web page's credibility adds up, step by step."""
