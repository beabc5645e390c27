"""Whether the answer says what its source says: numbers, negations and names that differ, words that are taken back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ....judge.model import CONTRADICTED, QuotedEvidence
from ....judge.page_context import explain_retraction
from ....quotes.lookup import LONGEST, QuoteSource, describe
from .context import find_surroundings
from .figures import Figures, differ, find_lacking, is_in_digits, name_figures, read_figures, separate_figures
from .name_swaps import find_swap
from .names import find_opposite, find_strange_names, fold_words
from .sentences import is_statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....quotes.lookup import WordChange
    from .compare import Place
    from .documents import AnswerDocument

_MOST_JUDGED = 12_000
"""Characters of a claim or its passages beyond which they are not judged."""
_SAME_TOPIC = 0.6
"""The share of a statement's long words that a passage has where both speak of the same thing."""
_FEWEST = 3
"""Words that a statement has at least."""
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


class Doubt(Struct, frozen=True):
    """What stands between an answer and its source."""

    is_conflict: bool
    """Whether the source says otherwise; else it only does not say it."""
    text: str
    said: str
    """The words of the answer."""
    there: str
    """The words of the source."""


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
                doubt = _check_opposite(statement, passage)
            if doubt is None and _measure_shared_words(statement, passage) >= _SAME_TOPIC:
                doubt = _check_contradiction(statement, passage)
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
    if (
        judged.reasons
        and judged.reasons[0].rule.startswith("number")
        and not find_lacking(statement, Figures((passage,)))
    ):
        # A rounded number, and said to be one.
        return None
    if judged.reasons and judged.reasons[0].rule == "negation" and _OPPOSED.search(statement):
        # `Rejected` may be what `did not approve` says: only the meaning of the words would show it.
        return Doubt(False, judged.reasons[0].text, statement, passage[:2000])
    return Doubt(True, judged.reasons[0].text if judged.reasons else "it says otherwise", statement, passage[:2000])


def _measure_shared_words(statement: str, passage: str) -> float:
    ours, theirs = ({word.casefold() for word in _WORD.findall(text)} for text in (statement, passage))
    return len(ours & theirs) / len(ours) if ours else 0.0


def _figures(document: AnswerDocument) -> Figures:
    if document.figures is None:
        document.figures = Figures(document.pages)
    return document.figures
