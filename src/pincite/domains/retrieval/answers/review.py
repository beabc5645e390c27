"""Reads a citation together with its sentence of the answer and with what stands around the cited words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.model import Span
from .context import find_surroundings
from .names import fold_words
from .support import Doubt, find_difference, find_doubt, find_taken_back
from .verdicts import make_doubtful, make_unchecked, name_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .compare import Place, Try
    from .documents import AnswerDocument
    from .model import Answer, AnswerCitation, CitationCheck
    from .sentences import Sentences

_MOST_REVIEWED = 4_000_000
"""How many characters of answers and cited texts are read together for one answer."""
_LONGEST = 20_000


class Reviewer:
    """Reviews the citations of one answer; what was said about the same words once is not found anew."""

    def __init__(self, answer: Answer, sentences: Sentences) -> None:
        self._sentences = sentences
        self._spans = sorted({(one.start, one.end) for one in map(sentences.claim_of, answer.citations) if one})
        self._passages: dict[tuple[int, int], list[str]] = {}
        """What the citations of the same words quote, together."""
        for one in answer.citations:
            claim = sentences.claim_of(one)
            if claim is not None and (one.quote or one.carried):
                self._passages.setdefault((claim.start, claim.end), []).append(one.quote or one.carried)
        self._known: dict[tuple[tuple[str, ...], str, str], Doubt | None] = {}
        self._asked = fold_words((answer.asked,)) or frozenset()
        self._left = _MOST_REVIEWED

    def review(self, checked: CitationCheck, found: Try, words: str, place: Place) -> CitationCheck:
        """A citation whose words are there, unless what surrounds them, or its own sentence, speaks against it."""
        citation = checked.citation
        claim = self._sentences.claim_of(citation)
        statements = self._statements(citation, claim)
        if self._is_too_much(words, statements):
            message = f"Not compared with its sentence: more than {_MOST_REVIEWED:,} characters are cited"
            return make_unchecked(citation, message, "check the answer in parts", claim=checked.claim)
        said = " ".join(statements)
        around = self._sentences.around(claim) if claim is not None else ("", "")
        doubt = find_taken_back(found.document, words, place, said, around)
        if doubt is None and claim is not None and len(words) <= _LONGEST:
            doubt = self._find_doubt(statements, claim, found, words, place)
        return make_doubtful(checked, doubt, name_place(found)) if doubt is not None else checked

    def _find_doubt(self, statements: Sequence[str], claim: Span, found: Try, words: str, place: Place) -> Doubt | None:
        passages = self._passages.get((claim.start, claim.end), [])
        passages = passages if words in passages else [*passages, words]
        key = tuple(statements), "\n".join(passages)[:_LONGEST], found.document.path
        if key not in self._known:
            context = ["".join(parts[0]) for parts in find_surroundings(found.document, words, place)]
            self._known[key] = find_doubt(statements, passages, found.document, context, self._asked)
        return self._known[key]

    def review_own(
        self, checked: CitationCheck, documents: Sequence[AnswerDocument], nearest: Try | None
    ) -> CitationCheck:
        """A citation without a cited text, whose sentence stands in no source word for word: does it say otherwise?"""
        statements = self._statements(checked.citation, checked.claim)
        if self._is_too_much("", statements):
            return checked
        best: Doubt | None = None
        place = ""
        for document in documents:
            near = [nearest.look.passages[0].text] if nearest and nearest.look and nearest.look.passages else []
            near = near if nearest is not None and nearest.document is document else []
            spots = [document.nearest(statement) for statement in statements]
            near += [spot.text for spot in spots if spot is not None]
            doubt = find_difference(statements, near, document, self._asked)
            if doubt is None:
                return checked
            spot = next((one for one in spots if one is not None), None)
            if best is None:
                best, place = doubt, spot.label if spot is not None else document.path
        return make_doubtful(checked, best, place) if best is not None else checked

    def _statements(self, citation: AnswerCitation, claim: Span | None) -> list[str]:
        """The sentences of the answer that a citation supports, as far as no other citation does."""
        if claim is None:
            return []
        if citation.is_mark:
            return [self._sentences.words(claim)]
        others = (Span(*one) for one in self._spans if one != (claim.start, claim.end))
        return self._sentences.statements(claim, others)

    def _is_too_much(self, words: str, statements: Sequence[str]) -> bool:
        self._left -= len(words) + sum(map(len, statements))
        return self._left < 0
