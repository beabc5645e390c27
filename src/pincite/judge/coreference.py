"""Who `it` is at the beginning of a quote: the page's title, or what the sentence before speaks of."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from msgspec import structs

from .containment import SUBJECTS, key
from .lexicon import ARTICLES, AUXILIARIES, FUNCTION
from .model import Reason
from .tokens import WordSentence, scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .containment import ClaimCoverage
    from .numbers import JudgeToken

_PRONOUNS = frozenset("it he she they this".split())
_WHERE = frozenset("in near at on from".split())
"""Before a name that only tells where something is."""
_EMPTY = frozenset("rains raining snows snowing seems appears takes took turns".split())
_THAT = frozenset("that to whether who how why if when".split())
_FINITE = frozenset("is was are were has have".split())
_REACH = 6
"""Words within which `that` shows that an `it` before has no referent."""
_PARTS = re.compile(r"\s[-|–—·]\s|[:(|]")
_LONGEST = 8


def _strip_article(tokens: list[JudgeToken]) -> list[JudgeToken]:
    """Without an article at the beginning."""
    return tokens[1:] if tokens and tokens[0].low in ARTICLES else tokens


def _count_name_words(claim: list[JudgeToken], name: list[JudgeToken]) -> int:
    """How many words of the claim are this name, from its beginning; 0 where it does not begin with it."""
    words = _strip_article(claim)
    if not 0 < len(name) <= min(_LONGEST, len(words) - 1):
        return 0
    same = all(one.low == two.low for one, two in zip(words, name, strict=False))
    return len(claim) - len(words) + len(name) if same else 0


def _count_subject_words(before: WordSentence, claim: list[JudgeToken], pronoun: str) -> int:
    """How many words at the claim's beginning are what the sentence before is about."""
    words, own = _strip_article(before.tokens), _strip_article(claim)
    pairs = zip(words[:_LONGEST], own, strict=False)
    shared = sum(1 for _ in takewhile(lambda two: two[0].low == two[1].low and two[0].low not in AUXILIARIES, pairs))
    # The whole subject was met: a verb follows it. And no other person is named whom the pronoun could mean.
    if not shared or shared >= len(words) or words[shared].low not in _FINITE:
        return 0
    defined = pronoun == "it" and words[shared].low in ("is", "was")
    return 0 if _has_other_names(words[shared:], defined) else shared + len(claim) - len(own)


def _has_other_names(words: Sequence[JudgeToken], defined: bool) -> bool:
    """Whether another person is named; a place does not count where the sentence says what the subject is."""
    place = False
    for at, token in enumerate(words):
        if not token.text[:1].isupper() or token.kind != "w":
            place = False
        elif not place:
            place = defined and at > 0 and words[at - 1].low in _WHERE
            if not place:
                return True
    return False


def _is_empty_subject(tokens: Sequence[JudgeToken]) -> bool:
    """Whether `it` has no referent: `it is known that`, `it is raining`."""
    if tokens[0].low != "it":
        return False
    words = [token.low for token in tokens[1:_REACH]]
    return not _EMPTY.isdisjoint(words) or (bool(words) and words[0] in AUXILIARIES and not _THAT.isdisjoint(words))


def context(before: WordSentence | None, title: str) -> frozenset[str]:
    """What is named just before the quote."""
    tokens = scan(title[:300])[0] if title else []
    return frozenset(key(token) for token in [*tokens, *(before.tokens if before else ())] if token.low not in FUNCTION)


def find_unknown_subject(
    claim: Sequence[JudgeToken], quote: Sequence[WordSentence], seen: ClaimCoverage, named: frozenset[str]
) -> Reason | None:
    """A claim about a name, where the quote speaks of `it` and nothing before says that this is its name."""
    sentence = quote[seen.best].tokens
    if sentence[0].low not in SUBJECTS:
        return None
    first = next((at for at, token in enumerate(claim) if token.low not in FUNCTION), len(claim))
    if first == len(claim) or any(token.low in SUBJECTS for token in claim[:first]):
        return None
    name = []
    for at in range(first, len(claim)):
        if at > first and not claim[at].text[:1].isupper():
            break
        name.append(claim[at])
        if seen.anywhere[at] or (key(claim[at]) in named and not _is_empty_subject(sentence)):
            return None
    if name[0].kind != "w" or not (first == 0 or name[0].text[:1].isupper()):
        return None
    text = f"nothing says that “{sentence[0].text}” is {_text(name)}"
    return Reason("subject-unknown", text, ((sentence[0].start, sentence[0].end),))


def substitute_pronouns(
    claim: WordSentence, sentence: WordSentence, before: WordSentence | None, title: str
) -> Iterator[tuple[WordSentence, str, str]]:
    """The claim with the pronoun that begins the sentence for its subject; and whose name it was, from where."""
    pronoun = sentence.tokens[0]
    after = sentence.tokens[1].low if len(sentence.tokens) > 1 else "is"
    names_thing = pronoun.low == "this" and after not in AUXILIARIES and not after.endswith("s")
    if pronoun.low not in _PRONOUNS or names_thing:
        return
    tokens = claim.tokens
    if tokens[0].low == pronoun.low or _is_empty_subject(sentence.tokens):
        return
    if before is not None and (length := _count_subject_words(before, tokens, pronoun.low)):
        yield _replace_subject(claim, length, pronoun), _text(tokens[:length]), "the sentence before"
    if title and _is_title_subject(before, title):
        for part in _PARTS.split(title[:300]):
            name = _strip_article(scan(part)[0])
            if length := _count_name_words(tokens, name):
                yield _replace_subject(claim, length, pronoun), _text(tokens[:length]), "the page's title"
                return


def _is_title_subject(before: WordSentence | None, title: str) -> bool:
    """Whether the sentence before leaves the title's name in place as the subject."""
    if before is None or before.tokens[0].low in _PRONOUNS:
        return True
    names = {token.low for token in scan(title[:300])[0]}
    words = _strip_article(before.tokens)
    if not any(token.low in names for token in words[:3]):
        return False
    return not _has_other_names([token for token in words if token.low not in names], defined=True)


def _replace_subject(claim: WordSentence, length: int, pronoun: JudgeToken) -> WordSentence:
    first = claim.tokens[0]
    stand = structs.replace(first, text=pronoun.text, low=pronoun.low, end=claim.tokens[length - 1].end, kind="w")
    return WordSentence([stand, *claim.tokens[length:]], claim.tail)


def _text(tokens: Sequence[JudgeToken]) -> str:
    return " ".join(token.text for token in tokens)
