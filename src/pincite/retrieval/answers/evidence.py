"""Holds the citations of an answer against documents: there, elsewhere, altered, nowhere, or not to be told."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING

from ...model import Outcome, Seen, Span
from ...quoting.exact import phrase
from ...quoting.look import LONGEST, Source, describe, marked
from ...text import shorten
from .compare import RANKS, Try, compare
from .documents import Document, Library, Meant, embedded_document
from .model import AnswerCitation, AnswerReport, Checked, Named, PageSpan, Spot
from .sentences import Sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .compare import Place
    from .model import Answer

_MOST_HINTED = 40
"""How many documents are looked through for a hint."""
_HALF = 0.5
_LONGEST_CLAIM = 10_000
"""How many characters of an answer one citation may support to be looked up."""
_MOST_COMPARED = 20_000_000
"""How many characters of different cited texts are compared for one answer."""
_QUOTE_IT = "quote the passage as it stands, or take the citation out"
_DROP = "take the citation out, or add the document that holds these words to --docs"
_ADD = "name the documents with --docs"


def check_answer(answer: Answer, library: Library, source: str) -> AnswerReport:
    """Every citation of an answer held against the documents, and the sentences without one."""
    sentences = Sentences(answer)
    checker = _Checker(answer, library, sentences)
    checked = tuple(map(checker.check, answer.citations))
    claims = [claim for one in answer.citations if (claim := checker.claim(one)) is not None]
    return AnswerReport(
        source=source,
        provider=answer.provider,
        text=answer.text,
        citations=checked,
        defects=answer.defects,
        uncited=sentences.uncited(claims),
    )


class _Checker:
    """Checks the citations of one answer; what was compared once is not compared again."""

    def __init__(self, answer: Answer, library: Library, sentences: Sentences) -> None:
        self._answer = answer
        self._library = library
        self._sentences = sentences
        self._embedded: dict[int, Document | None] = {}
        self._tried: dict[tuple[str, Document, Place], Try] = {}
        self._left = _MOST_COMPARED

    def claim(self, citation: AnswerCitation) -> Span | None:
        """The words of the answer that a citation supports."""
        if citation.span is None:
            return None
        return self._sentences.claim_at(citation.span, citation.is_mark)

    def check(self, citation: AnswerCitation) -> Checked:
        """What is true of one citation."""
        self._left -= len(citation.quote) + len(citation.carried)
        if self._left < 0:
            said = f"Not compared: the answer cites more than {_MOST_COMPARED:,} characters"
            return _unchecked(citation, said, "check the answer in parts")
        return self._quoted(citation) if citation.quotes else self._unquoted(citation)

    def _quoted(self, citation: AnswerCitation) -> Checked:
        """A citation with a cited text: it stands where it says, or not."""
        quote = citation.quote
        if phrase(quote[:LONGEST]) is None or len(quote) > LONGEST:
            said = "it has no words" if len(quote) <= LONGEST else f"it has more than {LONGEST:,} characters"
            return _unchecked(citation, f"The cited text was not compared: {said}", "")
        own = self._own(citation)
        place = citation.place
        held: bool | None = None
        if own is not None:
            checked = self._told(citation, self._try(quote, own, place), Meant((own,), True))
            if checked.outcome is not Outcome.HOLDS or not self._library.documents:
                return checked
            # Offsets and blocks count in the text that was sent; what is at hand may be another edition of it.
            place = place if isinstance(place, PageSpan) else None
            held = checked.place_held
        if not self._library.documents:
            return _unchecked(citation, "The cited text was not compared: there are no documents", _ADD)
        meant = self._library.meant(citation.document)
        if meant.absent:
            return self._astray(citation, quote, meant)
        found = self._against(citation, quote, place, meant)
        if held and found.outcome is Outcome.HOLDS and found.place_held is None:
            # The text that was sent has it there.
            from msgspec.structs import replace

            found = replace(found, place_held=held)
        return found

    def _own(self, citation: AnswerCitation) -> Document | None:
        """The document that came with the response, if it did and can be read."""
        at = citation.embedded
        if at is None or not 0 <= at < len(self._answer.documents):
            return None
        if at not in self._embedded:
            self._embedded[at] = embedded_document(self._answer.documents[at])
        return self._embedded[at]

    def _try(self, quote: str, document: Document, place: Place) -> Try:
        key = quote, document, place
        known = self._tried.get(key)
        if known is None:
            known = self._tried[key] = compare(quote, document, place)
            self._library.used(document)
        return known

    def _may_hold(self, document: Document, words: str) -> bool:
        found = not document.trouble and document.share(words) >= _HALF
        self._library.used(document)
        return found

    def _likely(self, words: str, documents: Iterable[Document]) -> list[Document]:
        """Which of many documents to compare with: those that hold the words, else those that share most of them."""
        likely = [one for one in documents if one.trouble or self._may_hold(one, words)]
        if len(likely) <= _MOST_HINTED:
            return likely
        holding = []
        for one in likely:
            if not one.trouble and one.holds(words):
                holding.append(one)
            self._library.used(one)
        unread = [one for one in likely if one.trouble]
        return holding or [*nlargest(_MOST_HINTED, likely, key=lambda one: _share(one, words)), *unread[:1]]

    def _against(self, citation: AnswerCitation, quote: str, place: Place, meant: Meant) -> Checked:
        """The words held against the documents that may be meant, then against all the others."""
        likely = meant.documents if meant.sure else self._likely(quote, meant.documents)
        tries = [self._try(quote, one, place) for one in likely]
        tries = tries or [Try("absent", meant.documents[0])]
        best = min(tries, key=lambda one: RANKS.index(one.kind))
        if best.kind in ("held", "moved"):
            return self._told(citation, best, meant)
        other = self._elsewhere(quote, meant.documents)
        if other is not None:
            return self._told(citation, other, meant, stray=True)
        if best.kind == "absent":
            trouble = next((one for one in self._unreadable() if one is not best.document), None)
            if trouble is not None and not meant.sure:
                best = Try("unread", trouble, note=trouble.trouble)
        return self._told(citation, best, meant)

    def _unreadable(self) -> list[Document]:
        return [one for one in self._library.documents if one.trouble]

    def _elsewhere(self, quote: str, searched: Iterable[Document]) -> Try | None:
        """Another document in which the words stand."""
        known = set(searched)
        for document in self._library.documents:
            if document in known or not self._may_hold(document, quote):
                continue
            holds = document.holds(quote)
            self._library.used(document)
            found = self._try(quote, document, None) if holds else None
            if found is not None and found.kind == "held":
                return found
        return None

    def _astray(self, citation: AnswerCitation, quote: str, meant: Meant) -> Checked:
        """The document that is named is not at hand: its words may be in another."""
        found = self._elsewhere(quote, ())
        if citation.document.is_web:
            hint = found.spot if found is not None else None
            said = f"; the same words stand in {hint.label}" if hint is not None else ""
            message = f"Not compared: {shorten(citation.document.uri, 200)} is not among --docs{said}"
            return _unchecked(citation, message, "save the page and name it with --docs", nearest=hint)
        if found is not None:
            return self._told(citation, found, meant, stray=True)
        unread = self._unreadable()
        if unread:
            message = f"Not found, and {unread[0].path} could not be read: {unread[0].trouble}"
            return _unchecked(citation, message, "save it in a form that can be read", notes=_notes(meant.note))
        message = "The cited text stands in none of the documents"
        return Checked(
            citation=citation, outcome=Outcome.MISSING, message=message, remedy=_DROP, notes=_notes(meant.note)
        )

    def _told(self, citation: AnswerCitation, found: Try, meant: Meant, stray: bool = False) -> Checked:
        """What was found, as a verdict."""
        document, look = found.document, found.look
        notes = _notes(meant.note, found.note)
        seen = Seen(
            document.path, document.digest, document.retrieved, look.folded if look is not None else found.folded
        )
        label = found.spot.label if found.spot is not None else document.path
        if found.kind == "unread":
            message = f"Not compared: {document.path}: {found.note}"
            return _unchecked(citation, message, "save it in a form that can be read", notes=_notes(meant.note))
        if found.kind == "held" and not stray:
            message = f"The cited text stands in {label}"
            return Checked(
                citation=citation,
                outcome=Outcome.HOLDS,
                message=message,
                where=found.spot,
                place_held=found.place_held,
                notes=notes,
                seen=seen,
            )
        if found.kind in ("held", "moved"):
            said = citation.place.text if citation.place is not None and not stray else citation.document.text
            said = meant.documents[0].path if stray and meant.sure else said
            return Checked(
                citation=citation,
                outcome=Outcome.MOVED,
                message=f"The cited text stands in {label}, not in {shorten(said, 200)}",
                where=found.spot,
                place_held=False if not stray else None,
                notes=notes,
                remedy=f"cite {_exact(found.spot) or label}",
                seen=seen,
            )
        return _differs(citation, found, notes, seen, _DROP)

    def _unquoted(self, citation: AnswerCitation) -> Checked:
        """A citation without a cited text: its source must be at hand, and the answer's own words may stand in it."""
        claim = self.claim(citation)
        is_short = claim is not None and claim.end - claim.start <= _LONGEST_CLAIM
        words = self._sentences.words(claim) if claim is not None and is_short else ""
        if not self._library.documents:
            said = " beside what the response itself carries" if citation.carried else ""
            return _unchecked(citation, f"Not compared: there are no documents{said}", _ADD, claim=claim)
        meant = self._library.meant(citation.document)
        if meant.absent and citation.document.is_web and not citation.carried:
            message = f"Not compared: {shorten(citation.document.uri, 200)} is not among --docs"
            return _unchecked(citation, message, "save the page and name it with --docs", claim=claim)
        if citation.carried.strip():
            chunk = self._carried(citation, meant)
            if chunk.outcome is not Outcome.HOLDS:
                return chunk
            held_in = next(
                (one for one in self._library.documents if chunk.where and one.path == chunk.where.path), None
            )
            meant = Meant((held_in,), True, meant.note) if held_in is not None else meant
            if claim is not None and words and Source((citation.carried,)).verbatim(words) is not None:
                message = f"The words stand in {chunk.where.label if chunk.where else 'the source'}"
                return _with(chunk, claim, message)
        elif meant.absent:
            message = f"The cited document is not among --docs: {shorten(citation.document.text, 200)}"
            return Checked(
                citation=citation, outcome=Outcome.MISSING, message=message, claim=claim, remedy="add it to --docs"
            )
        if citation.document == Named():
            found = self._elsewhere(words, ()) if words else None
            hint = f"; the answer's words stand in {_label(found)}" if found is not None else ""
            message = f"Not compared: the citation names no document{hint}"
            return _unchecked(citation, message, "", nearest=found.spot if found is not None else None, claim=claim)
        if claim is None or phrase(words[:LONGEST]) is None:
            message = "Not compared: the response does not say which words the citation supports"
            if claim is not None and not is_short:
                message = f"Not compared: the citation supports more than {_LONGEST_CLAIM:,} characters of the answer"
            return _unchecked(citation, message, "", notes=_notes(meant.note))
        return self._own_words(citation, claim, words, meant)

    def _carried(self, citation: AnswerCitation, meant: Meant) -> Checked:
        """The source's text as the response gives it, held against the documents."""
        if len(citation.carried) > LONGEST:
            return _unchecked(citation, f"Not compared: the source has more than {LONGEST:,} characters", "")
        if meant.absent:
            checked = self._astray(citation, citation.carried, meant)
        else:
            checked = self._against(citation, citation.carried, citation.place, meant)
        message = checked.message.replace("The cited text", "The source's text as the response gives it", 1)
        return _with(checked, self.claim(citation), message)

    def _own_words(self, citation: AnswerCitation, claim: Span, words: str, meant: Meant) -> Checked:
        """The answer's own words: they stand in the source word for word, or nobody can say; likeness is no proof."""
        nearest: Try | None = None
        unread: Document | None = None
        for document in meant.documents if meant.sure else self._likely(words, meant.documents):
            if document.trouble:
                unread = unread or document
                continue
            found = self._try(words, document, None)
            if found.kind == "held":
                return _with(self._told(citation, found, meant), claim, f"The words stand in {_label(found)}")
            if found.kind == "altered" and nearest is None:
                nearest = found
        spot = nearest.spot if nearest is not None else _hint(words, meant.documents)
        hint = f"; nearest passage: {spot.label}" if spot is not None else ""
        if unread is not None and nearest is None:
            message = f"Not compared: {unread.path}: {unread.trouble}"
        else:
            message = f"The answer's words do not stand in the source word for word, and it quotes nothing{hint}"
        remedy = "read the passage, or ask for an answer that quotes" if spot is not None else "read the source"
        return _unchecked(citation, message, remedy, nearest=spot, notes=_notes(meant.note), claim=claim)


def _differs(citation: AnswerCitation, found: Try, notes: tuple[str, ...], seen: Seen, remedy: str) -> Checked:
    """Words that do not stand there: with what comes nearest, if anything does."""
    look = found.look
    if found.kind == "absent" or look is None:
        message = "The cited text stands in none of the documents"
        return Checked(citation=citation, outcome=Outcome.MISSING, message=message, notes=notes, remedy=remedy)
    passage = look.passages[0].text if look.passages else ""
    said = citation.quote or citation.carried
    if look.edits:
        diff, changes = marked(shorten(said, 2000), passage, look.edits), describe(look.edits[:5])
    else:
        diff, changes = (shorten(" ".join(said.split()), 300), shorten(passage, 300)), ""
    return Checked(
        citation=citation,
        outcome=Outcome.MISMATCH,
        message=f"The cited text differs from {_label(found)}",
        nearest=found.spot,
        diff=diff,
        changes=changes,
        notes=notes,
        remedy=_QUOTE_IT,
        seen=seen,
    )


def _share(document: Document, words: str) -> float:
    return 0.0 if document.trouble else document.share(words)


def _label(found: Try) -> str:
    return found.spot.label if found.spot is not None else found.document.path


def _exact(spot: Spot | None) -> str:
    if spot is None or spot.start is None:
        return ""
    return f"{spot.label} (characters {spot.start}-{spot.end})"


def _hint(words: str, documents: Iterable[Document]) -> Spot | None:
    """The sentence that shares most words with a claim, in the first document that has one."""
    for document, _ in zip(documents, range(_MOST_HINTED), strict=False):
        spot = document.nearest(words) if not document.trouble else None
        if spot is not None:
            return spot
    return None


def _with(checked: Checked, claim: Span | None, message: str) -> Checked:
    from msgspec.structs import replace

    return replace(checked, claim=claim, message=message)


def _notes(*said: str) -> tuple[str, ...]:
    return tuple(one for one in dict.fromkeys(said) if one)


def _unchecked(
    citation: AnswerCitation,
    message: str,
    remedy: str,
    nearest: Spot | None = None,
    notes: tuple[str, ...] = (),
    claim: Span | None = None,
) -> Checked:
    return Checked(
        citation=citation,
        outcome=Outcome.UNCHECKED,
        message=message,
        claim=claim,
        nearest=nearest,
        notes=notes,
        remedy=remedy,
    )
