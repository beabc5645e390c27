"""Whether the answer says what its source says: numbers, negations and names that differ, words that are taken back.

A citation is read together with its sentence of the answer and with what stands around the cited words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....core.model import Span
from ....judge.model import CONTRADICTED, QuotedEvidence
from ....judge.page_context import explain_retraction
from ....quotes.lookup import LONGEST, QuoteSource, describe
from .compare import find_surroundings
from .figures import (
    Figures,
    differ,
    find_lacking,
    find_opposite,
    is_in_digits,
    name_figures,
    read_figures,
    separate_figures,
)
from .names import find_strange_names, find_swap, fold_words
from .sentences import is_statement
from .verdicts import Doubt, make_doubtful, make_unchecked, name_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....quotes.lookup import WordChange
    from .compare import ComparisonResult, Place
    from .documents import AnswerDocument
    from .model import Answer, AnswerCitation, CitationCheck
    from .sentences import Sentences

_MOST_JUDGED = 12_000
"""Characters of a claim or its passages beyond which they are not judged."""
_SAME_TOPIC = 0.6
"""The share of a statement's long words that a passage has where both speak of the same thing."""
_FEWEST = 3
"""Words that a statement has at least."""
_MOST_REVIEWED = 4_000_000
"""How many characters of answers and cited texts are read together for one answer."""
_LONGEST_CITED = 20_000
_STEM = 4
_WORD = re.compile(r"[^\W_]{4,}")
# Words of an answer that does not simply repeat what its source takes back.
_RESERVED = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|false|untrue|wrong|incorrect|myths?|claim(?:s|ed)?"
    r"|den(?:y|ies|ied)|reject(?:s|ed)?|refut(?:e|es|ed)|debunk(?:s|ed)?|alleg\w*|suppos\w*|fiction\w*|novel|game|film"
    r"|story|retract\w*|withdr\w*|correct(?:s|ed|ion)|if|whether|may|might|could|would|\w+n['’]t)\b",
    re.IGNORECASE,
)

# Words that deny without a `not`.
_OPPOSED = re.compile(
    r"\b(?:reject|refus|declin|oppos|against|fail|lack|block|prevent|prohibit|forbid|forbad|ban(?:ned|s)?\b|bar(?:red|s)?\b"
    r"|den(?:y|ie)|dismiss|overturn|veto|avoid|miss(?:ed|es|ing)?\b|absen|exclud|free of|un\w{4,}|in(?:valid|eligible)"
    r"|im\w{6,}|dis\w{5,})",
    re.IGNORECASE,
)


def find_taken_back(
    document: AnswerDocument, words: str, place: Place, claim: str, around: tuple[str, str]
) -> Doubt | None:
    """What takes the cited words back wherever they stand; None where one place does not, or the answer says so too."""
    first: tuple[str, str] | None = None
    for parts in find_surroundings(document, words, place):
        reasons = (
            (reason, "".join(part).strip()) for part in parts if (reason := explain_retraction(*part)) is not None
        )
        found = next(reasons, None)
        if found is None:
            return None
        first = first or found
    if first is None:
        return None
    reason, there = first
    if len(claim.split()) < _FEWEST and not _measure_shared_words(claim, words):
        # It states nothing.
        return None
    at = claim.casefold().find(words.casefold().strip(" .;,"))
    if at >= 0:
        end = at + len(words.strip(" .;,"))
        if explain_retraction(around[0] + claim[:at], claim[at:end], claim[end:] + around[1]) is not None:
            return None
        return Doubt(True, reason, claim, there)
    return Doubt(_RESERVED.search(claim) is None, reason, claim or words, there)


def find_doubt(
    statements: Sequence[str],
    passages: Sequence[str],
    document: AnswerDocument,
    context: Sequence[str] = (),
    asked: frozenset[str] = frozenset(),
) -> Doubt | None:
    """The first thing in which statements of the answer differ from the passages that they cite; conflicts first."""
    joined = "\n\n".join(dict.fromkeys(passages))
    if not joined.strip() or len(joined) > _MOST_JUDGED or sum(map(len, statements)) > _MOST_JUDGED:
        return None
    source = QuoteSource((joined,))
    near = Figures((joined, *context))
    unsaid: Doubt | None = None
    for statement in statements:
        if source.verbatim(statement) is not None:
            continue
        statement = separate_figures(statement)
        doubt = (
            _check_changed_words(statement, source, near)
            or _check_unknown_names(statement, document, joined, asked)
            or _check_swapped_name(statement, joined, document)
            or _check_opposite(statement, joined)
            or _check_missing_numbers(statement, near, document, joined)
            or _check_contradiction(statement, joined)
            or (_check_unrelated(statement, (joined, *context)) if len(statements) > 1 else None)
        )
        if doubt is not None and doubt.is_conflict:
            return doubt
        unsaid = unsaid or doubt
    return unsaid


def find_difference(
    statements: Sequence[str], near: Sequence[str], document: AnswerDocument, asked: frozenset[str] = frozenset()
) -> Doubt | None:
    """In what statements of the answer differ from a whole document, where some of its passages come near to them."""
    near = [passage for passage in near if passage.strip()]
    for statement in statements:
        if len(statement) > LONGEST:
            continue
        statement = separate_figures(statement)
        for passage in near:
            doubt = _check_changed_words(statement, QuoteSource((passage,))) or _check_swapped_name(
                statement, passage, document
            )
            if doubt is None and _measure_shared_words(statement, passage) >= _SAME_TOPIC:
                doubt = _check_opposite(statement, passage) or _check_contradiction(statement, passage)
            if doubt is not None and doubt.is_conflict:
                return doubt
        whole = "\n\n".join(document.pages) if sum(map(len, document.pages)) <= _MOST_JUDGED else ""
        swapped = _check_swapped_name(statement, whole, document) if whole else None
        if swapped is not None and swapped.is_conflict:
            # The nearest passage may be the one that has the name, and says something else of it.
            return swapped
        renamed = _check_unknown_names(statement, document, near[0] if near else "", asked)
        if renamed is not None:
            return renamed
        lacking = [token for token in find_lacking(statement, _figures(document)) if is_in_digits(token)]
        if lacking:
            return Doubt(True, f"{_number(lacking)} nowhere in it", statement, near[0] if near else "")
    return None


def _check_changed_words(statement: str, source: QuoteSource, near: Figures | None = None) -> Doubt | None:
    """A number, negation or name that differs in a statement that otherwise is nearly what the source says."""
    look = source.look(statement[:LONGEST])
    if look.kind != "altered":
        return None
    grave = [edit for edit in look.edits if _is_grave(edit, statement, near)]
    if not grave:
        return None
    return Doubt(True, describe(grave[:3]), statement, look.passages[0].text if look.passages else "")


def _is_grave(edit: WordChange, statement: str, near: Figures | None) -> bool:
    if edit.kind == "number":
        if near is not None and not read_figures(edit.there) and not find_lacking(edit.quoted, near):
            # It stands in the place of a mere word: `In 1987, …` for `… in 1987`.
            return False
        lead = statement.partition(edit.quoted)[0] if edit.quoted else ""
        return differ(edit.quoted, edit.there, lead)
    names = edit.kind == "name" and edit.quoted[:1].isupper() and edit.there[:1].isupper()
    return names or edit.kind == "negation"


def _check_unknown_names(statement: str, document: AnswerDocument, there: str, asked: frozenset[str]) -> Doubt | None:
    """Names that stand nowhere in the document, its title, or what was asked."""
    if document.words is None:
        document.words = fold_words((*document.pages, document.path, *document.titles)) or frozenset()
    if not document.words:
        return None
    strange = find_strange_names(statement, document.words, asked)
    if not strange:
        return None
    named = ", ".join(dict.fromkeys(strange[:3]))
    what = f"the name {named} stands" if "," not in named else f"the names {named} stand"
    return Doubt(True, f"{what} nowhere in it", statement, there[:2000])


def _check_swapped_name(statement: str, passage: str, document: AnswerDocument) -> Doubt | None:
    """A name where the passage has another one."""
    swap = find_swap(statement, passage, document.pages)
    if swap is None:
        return None
    return Doubt(swap.is_sure, f"the name {swap.said} is {swap.there} there", statement, swap.sentence)


def _check_opposite(statement: str, passage: str) -> Doubt | None:
    said = find_opposite(statement, passage)
    return Doubt(True, said, statement, passage[:2000]) if said else None


def _check_unrelated(statement: str, texts: Sequence[str]) -> Doubt | None:
    """One of several sentences with a single citation that has no word of what is cited."""
    words = {word.casefold()[:_STEM] for word in _WORD.findall(statement)}
    if not words or not is_statement(statement):
        return None
    if any(word.casefold()[:_STEM] in words for text in texts for word in _WORD.findall(text)):
        return None
    return Doubt(False, "no word of this sentence is in the cited words", statement, texts[0][:2000])


def _check_missing_numbers(statement: str, near: Figures, document: AnswerDocument, joined: str) -> Doubt | None:
    """Numbers that the cited words do not give: a conflict where the whole document does not, either."""
    lacking = [token for token in find_lacking(statement, near) if is_in_digits(token)]
    if not lacking:
        return None
    nowhere = find_lacking(statement, _figures(document), near)
    absent = [token for token in lacking if any(token.start == other.start for other in nowhere)]
    where = "nowhere in it" if absent else "not in the cited words"
    return Doubt(bool(absent), f"{_number(absent or lacking)} {where}", statement, joined[:2000])


def _number(tokens: Sequence[object]) -> str:
    named = name_figures(tokens)  # type: ignore[arg-type]
    return f"the number {named} stands" if "," not in named else f"the numbers {named} stand"


def _check_contradiction(statement: str, passage: str) -> Doubt | None:
    """What the judge sees in the passage that contradicts the statement."""
    from ....judge.offline import Offline

    judged = Offline().assess(statement, QuotedEvidence(passage))
    if judged.verdict != CONTRADICTED:
        return None
    reason = judged.reasons[0]
    if reason.rule.startswith("number") and not find_lacking(statement, Figures((passage,))):
        # A rounded number, and said to be one.
        return None
    # `Rejected` may be what `did not approve` says: only the meaning of the words would show it.
    is_conflict = reason.rule != "negation" or _OPPOSED.search(statement) is None
    return Doubt(is_conflict, reason.text, statement, passage[:2000])


def _measure_shared_words(statement: str, passage: str) -> float:
    ours, theirs = ({word.casefold() for word in _WORD.findall(text)} for text in (statement, passage))
    return len(ours & theirs) / len(ours) if ours else 0.0


def _figures(document: AnswerDocument) -> Figures:
    if document.figures is None:
        document.figures = Figures(document.pages)
    return document.figures


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

    def review(self, checked: CitationCheck, found: ComparisonResult, words: str, place: Place) -> CitationCheck:
        """A citation whose words are there, unless what surrounds them, or its own sentence, speaks against it."""
        citation = checked.citation
        claim = self._sentences.claim_of(citation)
        statements = self._statements(citation, claim)
        if self._is_too_much(words, statements):
            message = f"Not compared with its sentence: more than {_MOST_REVIEWED:,} characters are cited"
            return make_unchecked(citation, message, "check the answer in parts", claim=checked.claim)
        said = " ".join(statements)
        around = self._sentences.text_around(claim) if claim is not None else ("", "")
        doubt = find_taken_back(found.document, words, place, said, around)
        if doubt is None and claim is not None and len(words) <= _LONGEST_CITED:
            doubt = self._find_doubt(statements, claim, found, words, place)
        return make_doubtful(checked, doubt, name_place(found)) if doubt is not None else checked

    def _find_doubt(
        self, statements: Sequence[str], claim: Span, found: ComparisonResult, words: str, place: Place
    ) -> Doubt | None:
        passages = self._passages.get((claim.start, claim.end), [])
        passages = passages if words in passages else [*passages, words]
        key = tuple(statements), "\n".join(passages)[:_LONGEST_CITED], found.document.path
        if key not in self._known:
            context = ["".join(parts[0]) for parts in find_surroundings(found.document, words, place)]
            self._known[key] = find_doubt(statements, passages, found.document, context, self._asked)
        return self._known[key]

    def review_own(
        self, checked: CitationCheck, documents: Sequence[AnswerDocument], nearest: ComparisonResult | None
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
