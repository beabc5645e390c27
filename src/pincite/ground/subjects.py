"""Who `it` is at the beginning of a quote: the page's title, or what the sentence before speaks of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import structs

from .tokens import Sentence, scan
from .words import ARTICLES, AUXILIARIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .numbers import Token

_PRONOUNS = frozenset("it he she they this".split())
_PARTS = re.compile(r"\s[-|–—·]\s|[:(|]")
_LONGEST = 8


def _bare(tokens: list[Token]) -> list[Token]:
    """Without an article at the beginning."""
    return tokens[1:] if tokens and tokens[0].low in ARTICLES else tokens


def _begins(claim: list[Token], name: list[Token]) -> int:
    """How many words of the claim are this name, from its beginning; 0 where it does not begin with it."""
    skipped = len(claim) - len(_bare(claim))
    words = _bare(claim)
    if not name or len(name) > _LONGEST or len(words) <= len(name):
        return 0
    same = all(one.low == two.low for one, two in zip(words, name, strict=False))
    return skipped + len(name) if same else 0


def _subject(before: Sentence, claim: list[Token], pronoun: str) -> int:
    """How many words at the claim's beginning are what the sentence before is about."""
    words = _bare(before.tokens)
    own = _bare(claim)
    shared = 0
    while shared < min(len(words), len(own), _LONGEST) and words[shared].low == own[shared].low:
        if words[shared].low in AUXILIARIES:
            break
        shared += 1
    if not shared or shared >= len(words):
        return 0
    # The whole subject was met: a verb follows it. And nobody else is named whom the pronoun could mean.
    if words[shared].low not in ("is", "was", "are", "were", "has", "have"):
        return 0
    others = [token for token in words[shared:] if token.text[:1].isupper()]
    defined = pronoun == "it" and words[shared].low in ("is", "was")
    return shared + len(claim) - len(own) if defined or not others else 0


def stand_ins(
    claim: Sentence, sentence: Sentence, before: Sentence | None, title: str
) -> Iterator[tuple[Sentence, str, str]]:
    """The claim with the pronoun that begins the sentence for its subject; and whose name it was, from where."""
    pronoun = sentence.tokens[0]
    if pronoun.low not in _PRONOUNS or (
        len(sentence.tokens) > 1 and pronoun.low == "this" and _noun(sentence.tokens[1])
    ):
        return
    tokens = claim.tokens
    if tokens[0].low == pronoun.low:
        return
    if before is not None and (length := _subject(before, tokens, pronoun.low)):
        yield _replaced(claim, length, pronoun), _text(tokens[:length]), "the sentence before"
    if title and _spoken_of(before, title):
        for part in _PARTS.split(title[:300]):
            name = _bare(scan(part)[0])
            if length := _begins(tokens, name):
                yield _replaced(claim, length, pronoun), _text(tokens[:length]), "the page's title"
                return


def _noun(token: Token) -> bool:
    return token.low not in AUXILIARIES and not token.low.endswith("s")


def _spoken_of(before: Sentence | None, title: str) -> bool:
    """Whether the sentence before leaves the title's name in place as the subject."""
    if before is None or before.tokens[0].low in _PRONOUNS:
        return True
    names = {token.low for token in scan(title[:300])[0]}
    return any(token.low in names for token in _bare(before.tokens)[:3])


def _replaced(claim: Sentence, length: int, pronoun: Token) -> Sentence:
    first = claim.tokens[0]
    stand = structs.replace(first, text=pronoun.text, low=pronoun.low, end=claim.tokens[length - 1].end, kind="w")
    return Sentence([stand, *claim.tokens[length:]], claim.tail)


def _text(tokens: list[Token]) -> str:
    return " ".join(token.text for token in tokens)
