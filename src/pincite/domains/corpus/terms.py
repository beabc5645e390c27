"""Prose as terms to search by: words without their endings, identifiers whole and in parts, numbers by value.

Terms are made of letters and digits alone, so that no term means anything to a search engine.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

from ...text.number_words import NUMBER_WORDS, SCALES
from ...text.stems import base

_TOKEN = re.compile(r"[0-9][0-9,]{0,30}(?:\.[0-9]{1,20})?(?![^\W\d_])|[^\W_]+(?:_+[^\W_]+){0,20}|[%‰]")
_SIGNS = {"%": ("percent",), "‰": ("permille",)}
_CONTRACTED = re.compile("n['\u2019]t\\b")
_HYPHENATED = re.compile("[\u00ad\x02\ufffe][^\\S\n]*\n\\s*|(?<=[a-z])-\n\\s*(?=[a-z])")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\WA-Za-z0-9_]+")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_LONGEST = 64
_LEAST_STEM = 5
NUMBER = "n"
"""What the term of a number begins with: `n15`, `n0p5`."""
# Of the scales a text has `hundred` and `thousand` alone, and the larger ones behind digits.
_NUMBER_WORDS = NUMBER_WORDS | {word: SCALES[word] for word in ("hundred", "thousand")}
STOP = frozenset(
    "a about above after again all also although am an and any are as at be because been before being below between"
    " both but by can could did do does doing down during each either et etc few for from further had has have having"
    " he her here hers him his how however i if in into is it its itself just may me might more most much must my no"
    " nor not of off on once only or other our ours out over own per rather same she should since so some such than"
    " that the their theirs them then there these they this those through thus to too under until up upon us very via"
    " was we were what when where whether which while who whom whose why will with within without would yet you"
    " your".split()
)
"""Words of grammar."""
WEAK = frozenset(
    "al figure fig table section page pp paper study studies authors author show shows shown showed find finds found"
    " report reports reported suggest suggests according one use uses used using".split()
)
"""Words that say nothing about what a text is about, but may be what a number counts, or what is compared."""


def terms(text: str) -> list[str]:
    """The terms of a text in order; stop words are among them."""
    text = _HYPHENATED.sub("", normalize("NFKC", text) if not text.isascii() else text)
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
    text = _CONTRACTED.sub(" not", text)
    found: list[str] = []
    for token in _TOKEN.findall(text):
        found += _terms_of(token[: _LONGEST * 4])
    return found


def keep_content_terms(found: list[str]) -> list[str]:
    """Terms that say what a text is about, each once, in order."""
    return [
        term
        for term in dict.fromkeys(found)
        if term not in STOP and term not in _WEAK_TERMS and (len(term) > 1 or not term.isascii())
    ]


@lru_cache(maxsize=8192)
def _terms_of(token: str) -> tuple[str, ...]:
    if token in _SIGNS:
        return _SIGNS[token]
    if token[0].isascii() and token[0].isdigit() and (token.replace(",", "").replace(".", "").isdigit()):
        return tuple(map(number_term, _numbers(token)))
    if _WIDE.search(token):
        return tuple(token[at : at + 2] for at in range(len(token) - 1))
    plain = token.isalpha() and (token.islower() or token.isupper() or token.istitle())
    if plain:
        word = _fold_word(token)
        if word in _NUMBER_WORDS and word != "one":
            return (number_term(str(_NUMBER_WORDS[word])),)
        return (term_of(word),)
    whole = _fold_word(token)
    parts = [_fold_word(part) for part in _PARTS.findall(token)]
    if len(parts) < 2:
        return (stem(whole)[:_LONGEST],)
    return (whole[:_LONGEST], *(number_term(part) if part.isdigit() else stem(part)[:_LONGEST] for part in parts))


def _fold_word(word: str) -> str:
    """The word in small letters; folding splits some letters into one and a mark above it, which is no letter."""
    folded = word.casefold()
    return folded if folded.isalnum() else "".join(sign for sign in folded if sign.isalnum())


def _numbers(token: str) -> list[str]:
    """One number with its thousands parted by commas, or several in a row."""
    token = token.strip(",")
    return [token] if "," not in token or _THOUSANDS.fullmatch(token) else [part for part in token.split(",") if part]


def number_term(number: str) -> str:
    """The term of a number: the same for `1,000` and `1000`, for `0.50` and `0.5`."""
    whole, _, rest = number.replace(",", "").partition(".")
    rest = rest.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return NUMBER + (f"{whole}p{rest}" if rest else whole)[:_LONGEST]


def is_number(term: str) -> bool:
    """Whether a term stands for a number."""
    return term[0] == NUMBER and term[1:2].isdigit()


def term_of(word: str) -> str:
    """The term of a word in small letters; words that say nothing stay as they are."""
    return word if word in STOP else stem(word)[:_LONGEST]


def stem(word: str) -> str:
    """An English word without its inflection, `-ment` and `-ly`: `improves` and `improvement` are `improv`.

    No other ending goes: with `text.stems.stem` more claims find their source, and one finds a wrong one.
    """
    if not word.isascii():
        return word
    cut = base(word)
    for ending in ("ment", "li"):
        if cut.endswith(ending) and len(cut) - len(ending) >= _LEAST_STEM:
            cut = cut.removesuffix(ending).removesuffix("e")
    # `noted` must not become `not`.
    return word if cut in STOP else cut


_WEAK_TERMS = frozenset(map(term_of, WEAK))
