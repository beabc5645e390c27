"""Holds the citations of an answer against documents: there, elsewhere, altered, nowhere, or unknown."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....core.model import Outcome, Span
from ....quotes.exact_match import phrase
from ....quotes.lookup import LONGEST, QuoteSource
from ....text.lines import shorten
from .compare import RANKS, ComparisonResult, compare
from .library import CandidateDocuments, DocumentLibrary, RequestDocuments
from .model import AnswerCitation, AnswerReport, CitationCheck, DocumentPlace, NamedDocument, PageSpan
from .sentences import Sentences
from .support import Reviewer
from .verdicts import list_notes, make_unchecked, make_verdict, name_place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .compare import Place
    from .documents import AnswerDocument
    from .model import Answer

_MOST_HINTED = 40
"""How many documents are looked through for a hint."""
_HALF = 0.5
_LONGEST_CLAIM = 10_000
"""How many characters of an answer one citation may support to be looked up."""
_MOST_COMPARED = 20_000_000
"""How many characters of different cited texts are compared for one answer."""
_FEWEST = 3
"""Words that a sentence has at least to be distinguished from any other that reads the same."""
_DROP = "take the citation out, or add the document that holds these words to --docs"
_ADD = "name the documents with --docs"
_UNREADABLE = "save it in a form that can be read"


def check_answer(answer: Answer, library: DocumentLibrary, source: str) -> AnswerReport:
    """Every citation of an answer held against the documents, and the sentences without one."""
    sentences = Sentences(answer)
    checker = _Checker(answer, library, sentences)
    checked = tuple(map(checker.check, answer.citations))
    claims = tuple(map(sentences.claim_of, answer.citations))
    return AnswerReport(
        source=source,
        provider=answer.provider,
        text=answer.text,
        citations=checked,
        defects=answer.defects,
        uncited=sentences.find_uncited(claim for claim in claims if claim is not None),
        sentences=sentences.spans,
        claims=claims,
        documents=answer.documents,
    )


class _Checker:
    """Checks the citations of one answer; what was compared once is not compared again."""

    def __init__(self, answer: Answer, library: DocumentLibrary, sentences: Sentences) -> None:
        self._library = library
        self._sentences = sentences
        self._sent = RequestDocuments(answer.documents)
        self._reviewer = Reviewer(answer, sentences)
        self._tried: dict[tuple[str, AnswerDocument, Place], ComparisonResult] = {}
        self._left = _MOST_COMPARED

    def check(self, citation: AnswerCitation) -> CitationCheck:
        """What is true of one citation."""
        self._left -= len(citation.quote) + len(citation.carried)
        if self._left < 0:
            said = f"Not compared: the answer cites more than {_MOST_COMPARED:,} characters"
            return make_unchecked(citation, said, "check the answer in parts")
        found = self._check_quoted(citation) if citation.quotes else self._check_unquoted(citation)
        return self._limit_to_repository(citation, found) if self._library.is_assumed else found

    def _limit_to_repository(self, citation: AnswerCitation, found: CitationCheck) -> CitationCheck:
        """What the files of the repository show: against a document that is none of them they show nothing."""
        if found.outcome in (Outcome.HOLDS, Outcome.UNCHECKED):
            return found
        meant = self._meant(citation)[1]
        if meant is not None and meant.sure and meant.named:
            return found
        notes = list_notes(*found.notes, found.message)
        hint = found.where or found.nearest
        said = "Not compared: which document was sent is not known, and no file of the repository goes by its name"
        return make_unchecked(citation, said, _ADD, nearest=hint, notes=notes, claim=found.claim)

    def _documents(self) -> list[AnswerDocument]:
        """Everything that is at hand: what was sent, then what was named."""
        return [*self._sent.documents, *self._library.documents]

    def _meant(self, citation: AnswerCitation) -> tuple[AnswerDocument | None, CandidateDocuments | None]:
        """The document of the request that a citation means, and those of `--docs`; None where there are none such."""
        at = citation.embedded if citation.embedded is not None else self._sent.find(citation.document)
        own = self._sent.read(at)
        name = citation.document
        if at is not None and len(self._sent):
            name = self._sent.name(at, name)
            if own is None and name.index is not None:
                name = replace(name, index=self._sent.number(at, len(self._library.documents)))
        if not self._library.documents:
            return own, None
        meant = self._library.meant(name)
        if own is not None and not meant.named:
            # A number counts what was sent: the file that has it here is the same only where it has the same words.
            return own, meant if meant.sure else None
        return own, meant

    def _check_quoted(self, citation: AnswerCitation) -> CitationCheck:
        """A citation with a cited text: it stands where it says, or not."""
        quote = citation.quote
        if phrase(quote[:LONGEST]) is None or len(quote) > LONGEST:
            said = "it has no words" if len(quote) <= LONGEST else f"it has more than {LONGEST:,} characters"
            return make_unchecked(citation, f"The cited text was not compared: {said}", "")
        return self._held_against(citation, quote, citation.place)

    def _held_against(self, citation: AnswerCitation, quote: str, place: Place) -> CitationCheck:
        """Cited words held against what was sent and what was named; both have to have them where both are the same."""
        own, meant = self._meant(citation)
        held: CitationCheck | None = None
        if own is not None:
            held = self._against(citation, quote, place, CandidateDocuments((own,), True))
            if held.outcome is not Outcome.HOLDS or meant is None:
                return held
            # Offsets and blocks count in the text that was sent; what is at hand may be another edition of it.
            place = place if isinstance(place, PageSpan) else None
        elif not self._documents():
            return make_unchecked(citation, "The cited text was not compared: there are no documents", _ADD)
        elif meant is None:
            meant = self._all_documents(citation)
        if meant.absent:
            return self._astray(citation, quote, meant)
        found = self._against(citation, quote, place, meant, own)
        if held is None:
            return found
        if found.outcome is Outcome.HOLDS:
            # The text that was sent has it there.
            return replace(found, place_held=held.place_held) if found.place_held is None else found
        return found if meant.named else held

    def _all_documents(self, citation: AnswerCitation) -> CandidateDocuments:
        """All documents of the request, where a citation names none of them and there are no others."""
        sent = tuple(self._sent.documents)
        said = shorten(citation.document.text, 200)
        if citation.document.filename or citation.document.is_web:
            return CandidateDocuments(sent, False, f"{said} is not among the documents of the request", absent=True)
        return CandidateDocuments(sent, False, f"it is unclear which document {said} is; all were searched")

    def _try(self, quote: str, document: AnswerDocument, place: Place) -> ComparisonResult:
        key = quote, document, place
        known = self._tried.get(key)
        if known is None:
            known = self._tried[key] = compare(quote, document, place)
            self._library.note_use(document)
        return known

    def _may_hold(self, document: AnswerDocument, words: str) -> bool:
        found = not document.trouble and document.share(words) >= _HALF
        self._library.note_use(document)
        return found

    def _likely(self, words: str, documents: Iterable[AnswerDocument]) -> list[AnswerDocument]:
        """Which of many documents to compare with: those that hold the words, else those that share most of them."""
        likely = [one for one in documents if one.trouble or self._may_hold(one, words)]
        if len(likely) <= _MOST_HINTED:
            return likely
        holding = [one for one in likely if self._holds(one, words)]
        unread = [one for one in likely if one.trouble]
        shares = nlargest(_MOST_HINTED, likely, key=lambda one: 0.0 if one.trouble else one.share(words))
        return holding or [*shares, *unread[:1]]

    def _holds(self, document: AnswerDocument, words: str) -> bool:
        """Whether the words stand in it word for word, which is faster than a search for the nearest."""
        found = not document.trouble and document.look_up().verbatim(words) is not None
        self._library.note_use(document)
        return found

    def _against(
        self,
        citation: AnswerCitation,
        quote: str,
        place: Place,
        meant: CandidateDocuments,
        own: AnswerDocument | None = None,
    ) -> CitationCheck:
        """The words held against the documents that may be meant, then against all others but the one that was sent."""
        likely = meant.documents if meant.sure else self._likely(quote, meant.documents)
        tries = [self._try(quote, one, place) for one in likely]
        tries = tries or [ComparisonResult("absent", meant.documents[0])]
        best = min(tries, key=lambda one: RANKS.index(one.kind))
        if best.kind == "held":
            return self._reviewer.review(make_verdict(citation, best, meant), best, quote, place)
        if best.kind == "moved":
            return make_verdict(citation, best, meant)
        other = self._elsewhere(quote, (*meant.documents, *([own] if own is not None else [])))
        if other is not None:
            return make_verdict(citation, other, meant, stray=True)
        if best.kind == "absent":
            trouble = next((one for one in self._unreadable() if one is not best.document), None)
            if trouble is not None and not meant.sure:
                best = ComparisonResult("unread", trouble, note=trouble.trouble)
        return make_verdict(citation, best, meant)

    def _unreadable(self) -> list[AnswerDocument]:
        return [one for one in self._library.documents if one.trouble]

    def _elsewhere(self, quote: str, searched: Iterable[AnswerDocument]) -> ComparisonResult | None:
        """Another document in which the words stand."""
        known = set(searched)
        for document in self._documents():
            if document in known or not self._may_hold(document, quote) or not self._holds(document, quote):
                continue
            found = self._try(quote, document, None)
            if found.kind == "held":
                return found
        return None

    def _astray(self, citation: AnswerCitation, quote: str, meant: CandidateDocuments) -> CitationCheck:
        """The document that is named is not at hand: its words may be in another."""
        found = self._elsewhere(quote, ())
        if citation.document.is_web:
            hint = found.spot if found is not None else None
            said = f"; the same words stand in {hint.label}" if hint is not None else ""
            message = f"Not compared: {shorten(citation.document.uri, 200)} is not among --docs{said}"
            return make_unchecked(citation, message, "save the page and name it with --docs", nearest=hint)
        if found is not None:
            return make_verdict(citation, found, meant, stray=True)
        notes = list_notes(meant.note)
        unread = self._unreadable()
        if unread:
            message = f"Not found, and {unread[0].path} could not be read: {unread[0].trouble}"
            return make_unchecked(citation, message, _UNREADABLE, notes=notes)
        message = "The cited text stands in none of the documents"
        return CitationCheck(citation=citation, outcome=Outcome.MISSING, message=message, remedy=_DROP, notes=notes)

    def _check_unquoted(self, citation: AnswerCitation) -> CitationCheck:
        """A citation without a cited text: its source must be at hand, and the answer's own words may stand in it."""
        claim = self._sentences.claim_of(citation)
        is_short = claim is not None and claim.end - claim.start <= _LONGEST_CLAIM
        words = self._sentences.words(claim) if claim is not None and is_short else ""
        if not self._documents():
            said = " beside what the response itself carries" if citation.carried else ""
            return make_unchecked(citation, f"Not compared: there are no documents{said}", _ADD, claim=claim)
        own, named = self._meant(citation)
        meant = named or self._all_documents(citation)
        if own is not None:
            # Both have to have the words where the file that was named is the same document.
            meant = CandidateDocuments((own, *(meant.documents if meant.named and meant.sure else ())), True)
        if meant.absent and citation.document.is_web and not citation.carried:
            message = f"Not compared: {shorten(citation.document.uri, 200)} is not among --docs"
            return make_unchecked(citation, message, "save the page and name it with --docs", claim=claim)
        if citation.carried.strip():
            chunk = self._check_carried_text(citation)
            if chunk.outcome is not Outcome.HOLDS:
                return chunk
            held_in = next((one for one in self._documents() if chunk.where and one.path == chunk.where.path), None)
            meant = CandidateDocuments((held_in,), True, meant.note) if held_in is not None else meant
            if claim is not None and words and QuoteSource((citation.carried,)).verbatim(words) is not None:
                message = f"The words stand in {chunk.where.label if chunk.where else 'the source'}"
                return replace(chunk, claim=claim, message=message)
        elif meant.absent:
            return self._check_unsourced(citation, claim, words, meant)
        if citation.document == NamedDocument():
            found = self._elsewhere(words, ()) if words else None
            hint = f"; the answer's words stand in {name_place(found)}" if found is not None else ""
            message = f"Not compared: the citation names no document{hint}"
            return make_unchecked(citation, message, "", nearest=found.spot if found is not None else None, claim=claim)
        if claim is None or phrase(words[:LONGEST]) is None:
            message = "Not compared: the response does not say which words the citation supports"
            if claim is not None and not is_short:
                message = f"Not compared: the citation supports more than {_LONGEST_CLAIM:,} characters of the answer"
            return make_unchecked(citation, message, "", notes=list_notes(meant.note))
        return self._own_words(citation, claim, words, meant)

    def _check_unsourced(
        self, citation: AnswerCitation, claim: Span | None, words: str, meant: CandidateDocuments
    ) -> CitationCheck:
        """The document that is named is not at hand, and nothing is quoted from it."""
        found = self._elsewhere(words, ()) if len(words.split()) >= _FEWEST else None
        elsewhere = f"; the words stand elsewhere: in {name_place(found)}" if found is not None else ""
        return CitationCheck(
            citation=citation,
            outcome=Outcome.MISSING,
            message=f"The cited document is not among --docs: {shorten(citation.document.text, 200)}{elsewhere}",
            claim=claim,
            nearest=found.spot if found is not None else None,
            notes=list_notes(meant.note),
            remedy="add it to --docs" if found is None else f"add it to --docs, or cite {name_place(found)}",
        )

    def _check_carried_text(self, citation: AnswerCitation) -> CitationCheck:
        """The source's text as the response gives it, held against the documents."""
        if len(citation.carried) > LONGEST:
            return make_unchecked(citation, f"Not compared: the source has more than {LONGEST:,} characters", "")
        checked = self._held_against(citation, citation.carried, citation.place)
        message = checked.message.replace("The cited text", "The source's text as the response gives it", 1)
        return replace(checked, claim=self._sentences.claim_of(citation), message=message)

    def _own_words(self, citation: AnswerCitation, claim: Span, words: str, meant: CandidateDocuments) -> CitationCheck:
        """The answer's own words: they stand in the source word for word, or differ, or it is unknown."""
        nearest: ComparisonResult | None = None
        unread: AnswerDocument | None = None
        held: CitationCheck | None = None
        likely = meant.documents if meant.sure else self._likely(words, meant.documents)
        for document in likely:
            if document.trouble:
                unread = unread or document
                continue
            found = self._try(words, document, None)
            if found.kind == "held":
                checked = replace(
                    make_verdict(citation, found, meant), claim=claim, message=f"The words stand in {name_place(found)}"
                )
                held = self._reviewer.review(checked, found, words, None)
                if not meant.sure or held.outcome is not Outcome.HOLDS or document is likely[-1]:
                    return held
            elif found.kind == "altered" and nearest is None:
                nearest = found
        other = self._elsewhere(words, meant.documents) if len(words.split()) >= _FEWEST and unread is None else None
        if other is not None and held is None:
            checked = make_verdict(citation, other, meant, stray=True)
            return replace(
                checked, claim=claim, message=checked.message.replace("The cited text stands", "The words stand", 1)
            )
        spot = nearest.spot if nearest is not None else _hint(words, meant.documents)
        hint = f"; nearest passage: {spot.label}" if spot is not None else ""
        if unread is not None and nearest is None:
            message = f"Not compared: {unread.path}: {unread.trouble}"
        else:
            message = f"The answer's words do not stand in the source word for word, and it quotes nothing{hint}"
        remedy = "read the passage, or ask for an answer that quotes" if spot is not None else "read the source"
        notes = list_notes(meant.note)
        checked = make_unchecked(citation, message, remedy, nearest=spot, notes=notes, claim=claim)
        if unread is not None:
            return checked
        return self._reviewer.review_own(checked, likely if meant.sure else [*meant.documents][:_MOST_HINTED], nearest)


def _hint(words: str, documents: Iterable[AnswerDocument]) -> DocumentPlace | None:
    """The sentence that shares most words with a claim, in the first document that has one."""
    for document, _ in zip(documents, range(_MOST_HINTED), strict=False):
        spot = document.nearest(words) if not document.trouble else None
        if spot is not None:
            return spot
    return None
