"""One model for the answers of every provider: what was said, what it cites, and what is wrong with the response."""

from __future__ import annotations

from msgspec import Struct

from ....core.model import EvidenceStamp, Outcome, Span


class Chars(Struct, frozen=True, gc=False):
    """A place in a document: code points, half open."""

    start: int
    end: int

    @property
    def text(self) -> str:
        """As messages name it."""
        return f"characters {self.start}-{self.end}"


class PageSpan(Struct, frozen=True, gc=False):
    """A place in a document: pages counted from 1, both ends included."""

    first: int
    last: int

    @property
    def text(self) -> str:
        """As messages name it."""
        return f"page {self.first}" if self.first == self.last else f"pages {self.first}-{self.last}"


class BlockRange(Struct, frozen=True, gc=False):
    """A place in a document that was sent in blocks: counted from 0, half open."""

    start: int
    end: int

    @property
    def text(self) -> str:
        """As messages name it."""
        return f"block {self.start}" if self.end == self.start + 1 else f"blocks {self.start}-{self.end - 1}"


class NamedDocument(Struct, frozen=True, gc=False):
    """What a citation says of the document that it means; empty where it says nothing."""

    index: int | None = None
    """Its number among the documents that were sent, from 0."""
    title: str = ""
    filename: str = ""
    uri: str = ""
    id: str = ""

    @property
    def text(self) -> str:
        """The name that tells a reader most."""
        number = f"document {self.index}" if self.index is not None else ""
        return self.filename or self.title or self.uri or self.id or number or "an unnamed document"

    @property
    def is_web(self) -> bool:
        """Whether a page of the web is meant."""
        return self.uri[:8].lower().startswith(("http://", "https://"))


class EmbeddedDocument(Struct, frozen=True, gc=False):
    """A document whose text came with the response or with its request."""

    path: str
    """Its JSON path."""
    name: NamedDocument
    text: str = ""
    blocks: tuple[str, ...] = ()
    """Its text in the blocks it was sent in; empty where it was sent as one text."""
    pdf: str = ""
    """The PDF that it is, in base64."""


class AnswerCitation(Struct, frozen=True, gc=False):
    """One citation of an answer, of any provider."""

    provider: str
    path: str
    """Its JSON path in the response: `content[1].citations[0]`."""
    span: Span | None
    """The words of the answer that it belongs to, in code points; None where the response does not say."""
    document: NamedDocument
    quote: str = ""
    """The cited text; empty where the provider gives none."""
    place: Chars | PageSpan | BlockRange | None = None
    is_mark: bool = False
    """Whether the span is where the citation's own mark stands, behind or inside the words that it supports."""
    quotes: bool = False
    """Whether this kind of citation has a cited text of its own."""
    carried: str = ""
    """What the response itself gives as the source's text."""
    embedded: int | None = None
    """Which of the answer's embedded documents it means."""


class AnswerDefect(Struct, frozen=True, gc=False):
    """Something that is wrong in the response itself."""

    path: str
    kind: str
    """Among others: missing-field, wrong-type, offset-out-of-range, offset-reversed, text-differs, duplicate-key."""
    message: str


class Answer(Struct, frozen=True):
    """A response in the form that fits every provider: its text, its citations, its documents, its defects."""

    provider: str
    text: str
    citations: tuple[AnswerCitation, ...] = ()
    documents: tuple[EmbeddedDocument, ...] = ()
    defects: tuple[AnswerDefect, ...] = ()
    marks: tuple[Span, ...] = ()
    """Where the text holds marks of citations rather than words."""
    asked: str = ""
    """What the user asked, where the request came along."""


class DocumentPlace(Struct, frozen=True, gc=False):
    """A place in a document as a reader finds it."""

    path: str
    line: int | None = None
    page: int | None = None
    start: int | None = None
    """In code points of the document's text; None for a PDF."""
    end: int | None = None
    text: str = ""
    """The words there, on one line."""

    @property
    def label(self) -> str:
        """`path:line`, or `path, p.3`."""
        if self.page is not None:
            return f"{self.path}, p.{self.page}"
        return f"{self.path}:{self.line}" if self.line is not None else self.path


class CitationCheck(Struct, frozen=True, kw_only=True):
    """What became of one citation."""

    citation: AnswerCitation
    outcome: Outcome
    message: str
    claim: Span | None = None
    """The words of the answer that were compared, where the citation has no cited text."""
    where: DocumentPlace | None = None
    """Where the words stand."""
    nearest: DocumentPlace | None = None
    """What comes nearest where they do not stand anywhere: a hint, never a proof."""
    diff: tuple[str, str] | None = None
    """Cited text and passage, with the words that differ marked."""
    changes: str = ""
    """The same in words."""
    place_held: bool | None = None
    """Whether the stated offsets, pages or blocks are right; None where there are none, or none could be checked."""
    notes: tuple[str, ...] = ()
    remedy: str = ""
    seen: EvidenceStamp | None = None
    """The document that the verdict rests on."""


class Uncited(Struct, frozen=True, gc=False):
    """A sentence of the answer that states something and carries no citation."""

    start: int
    end: int
    line: int
    text: str


class AnswerReport(Struct, frozen=True, kw_only=True):
    """One response, checked."""

    source: str
    """The file, with the line where it holds several responses."""
    provider: str = ""
    text: str = ""
    citations: tuple[CitationCheck, ...] = ()
    defects: tuple[AnswerDefect, ...] = ()
    uncited: tuple[Uncited, ...] = ()
    sentences: tuple[Span, ...] = ()
    """Where its sentences stand in the text."""
    claims: tuple[Span | None, ...] = ()
    """For each citation the words of the answer that it supports; None where the response does not say."""
    documents: tuple[EmbeddedDocument, ...] = ()
    """The documents that came with the response."""
    error: str = ""
    """Why it could not be read; nothing was checked then."""

    def exit_code(self, strict: bool = False) -> int:
        """0 all holds; 1 something does not; 2 it could not be read. What could not be checked fails when strict."""
        if self.error:
            return 2
        worst = max((one.outcome for one in self.citations), default=Outcome.HOLDS)
        if self.defects or worst > Outcome.UNCHECKED:
            return 1
        return int(strict and (worst > Outcome.HOLDS or bool(self.uncited)))
