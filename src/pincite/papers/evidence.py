"""The evidence behind a citation of a paper: the file that lists it, and a reader for all that the paper holds."""

from __future__ import annotations

from ..core.model import Citation, SourceRef
from ..text.evidence import Evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from ..quotes.lookup import QuotePassage, QuoteSource
    from .model import Paper, PdfText

    class PaperReader(Protocol):
        """Who reads papers when a citation asks for more than that they exist."""

        pages: bool
        """Whether pages, sections and quotes are to be held against the paper."""
        allowed: frozenset[str]
        """The forms in which papers may be cited."""
        receipts: bool
        """Whether a citation needs a receipt."""
        partial: bool
        """Whether time was up before every paper was looked through for words that are not in the cited one."""

        def pdf(self, paper: Paper) -> PdfText | None:
            """What the paper's PDF holds; None where there is none to read."""

        def trouble(self, paper: Paper) -> str:
            """Why there is no text of the paper to look into; empty where there is."""

        def pdf_data(self, paper: Paper) -> bytes:
            """The bytes of the paper's PDF, empty where it has none; raises Refused."""

        def file_digest(self, paper: Paper) -> tuple[str, str]:
            """The PDF that was read and the SHA-256 of its bytes; empty where none was."""

        def words(self, paper: Paper) -> QuoteSource | None:
            """The paper's text by page; None where there is none."""

        def elsewhere(self, paper: Paper, quote: str) -> tuple[Paper, QuotePassage, str] | None:
            """Another paper that holds the quote word for word, where, and on which printed page."""

        def receipt(self, paper: Paper, citation: Citation) -> str:
            """Empty where a receipt for the citation is at hand, else what is missing."""


class PaperEvidence(Evidence):
    """A paper that may be cited: the file that says so, and through its reader all that the paper holds."""

    __slots__ = ("answers", "paper", "reader")

    def __init__(self, source: SourceRef, data: bytes, paper: Paper, reader: PaperReader, digest: str = "") -> None:
        """`digest` stands for bytes that many entries of one file share and that none of them keeps."""
        super().__init__(source, data, [])
        self._digest = digest
        self.paper = paper
        self.reader = reader
        self.answers: dict[Any, Any] = {}
        """What was found out about citations of it; kept by the caller."""
