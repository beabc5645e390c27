"""Why a citation is suggested, in a sentence a reader can check: what it quotes stands in the cited lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...search.claims.definitions import STRONG, definition
from ...search.claims.terms import number_places, stands, stem_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...search.claims.terms import Terms
    from .rank import FileCandidate

_LONGEST = 60
_MOST = 4
_MOST_DEFINED = 2
_FEWEST_WORDS = 3
"""Plain words that must be shared where nothing else is; of a sentence of few words half of them."""
_WORD = re.compile(r"(?<!\w)[^\W\d_]{3,40}(?!\w)")
_FIRM = ("definition", "use", "literal", "target")
_DEFINED = {
    "definition": "{} is defined there",
    "one of definitions": "{} is defined there, as in other files",
    "around definition": "{}, named before the sentence, is defined there",
}


def reason_for(one: FileCandidate, evidence: Sequence[str], terms: Terms) -> str | None:
    """What ties the sentence to the file and to the lines; None where the lines hold nothing to show."""
    text = "\n".join(evidence)
    named: list[str] = []
    ties: list[str] = []
    for kind, term, _ in sorted(one.why, key=lambda sign: -sign[2]):
        is_defined = kind in _DEFINED and len(ties) < _MOST_DEFINED and definition(text, term)[0] == STRONG
        if is_defined and (quoted := _quote_new(term, text, named)):
            ties.append(_DEFINED[kind].format(quoted))
    for hit in one.hits:
        if hit.kind == "target" and (quoted := _quote_new(hit.term, text, named)):
            ties.append(f"{quoted} is what the command runs, and it is set there")
            break
    firm = sorted((hit for hit in one.hits if hit.kind in _FIRM), key=lambda hit: -hit.worth)
    standing = [quoted for hit in firm if (quoted := _quote_new(hit.term, text, named))][:_MOST]
    if standing:
        ties.append(f"{', '.join(standing)} {'stands' if len(standing) == 1 else 'stand'} there")
    about = _about(one)
    numbers = [hit.term for hit in one.hits if hit.kind == "number" and number_places(text, hit.term, 1)][:_MOST]
    if not ties and not about:
        return None
    if not ties and not numbers:
        words = _words(one, text)
        # The file is known then, and its lines are not.
        if len(words) < max(2, min(_FEWEST_WORDS, len(terms.words) / 2)):
            return None
        ties.append(f"the lines hold the words {', '.join(words)}")
    if numbers:
        ties.append(f"the lines hold the {'value' if len(numbers) == 1 else 'values'} {', '.join(numbers)}")
    return ", and ".join([*about, *ties])


def _about(one: FileCandidate) -> list[str]:
    """What says which file is meant, and nothing of its lines."""
    kinds = {kind for kind, _, _ in one.why}
    said: list[str] = []
    if "path" in kinds:
        said.append(
            "the sentence names the file, or one called the same" if one.shared else "the sentence names the file"
        )
    elif "around path" in kinds and not one.shared:
        said.append("what stands before the sentence names the file")
    if "script" in kinds:
        said.append("a command in the sentence runs the file")
    return said


def _words(one: FileCandidate, text: str) -> list[str]:
    """Words of the lines that are forms of words of the sentence."""
    wanted = {hit.term for hit in one.hits if hit.kind == "word"}
    found: dict[str, str] = {}
    for word in _WORD.findall(text):
        stem = stem_of(word)
        if stem in wanted:
            found.setdefault(stem, _quote_term(word))
    return list(found.values())[:_MOST]


def _quote_new(term: str, text: str, named: list[str]) -> str:
    """A term quoted, where it stands in the lines and says more than what was `named`; else empty."""
    if "`" in term or any(term in other or other in term for other in named) or not stands(text, term):
        return ""
    named.append(term)
    return _quote_term(term)


def _quote_term(term: str) -> str:
    return f"`{term}`" if len(term) <= _LONGEST else f"`{term[:_LONGEST]}`…"
