"""Words that weigh more than others: numbers, negations, names."""

from __future__ import annotations

import re

from ..text.number_words import NUMBER_WORDS, SCALES
from ..text.unspaced_scripts import NUMERALS

NEGATION = re.compile(
    r"\b(?:not|no|non|nor|never|none|nobody|nothing|nowhere|neither|without|hardly|barely|rarely|seldom"
    r"|scarcely|cannot|fails?|failed|lacks?|unlike)\b|n['’]t\b|\bnon-"
    r"|[不没沒無无未非勿莫毋弗否]|ない|なかっ|なく|なけれ|ません|ไม่|ไร้|ບໍ່|មិន|ဘူး",
    re.IGNORECASE,
)
"""A word that turns a sentence round."""
_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "a", "anti", "mis", "non-", "anti-", "de", "de-")
_NUMBER_WORDS = frozenset((*NUMBER_WORDS, *SCALES, *"half third quarter double twice triple percent dozen".split()))
_UNITS = frozenset(
    "ns µs us μs ms s sec min h hr d nm µm μm um mm cm m km mg µg μg g kg t ml l hz khz mhz ghz b kb mb gb tb kib mib"
    " gib tib bit bits byte bytes v mv kv w mw kw a ma k °c °f c f pa kpa mpa db % ‰ pp ppm ppb".split()
)
OPENERS = frozenset(
    "a an the this that these those it its he she they we i you his her their our my in on at by for from of to with as"
    " if when while after before since although though because however moreover thus hence and but or so yet not no all"
    " some many most more few each every both one there here then what which who how why where also".split()
)
"""Words that have a capital only because a sentence begins with them."""
_REFERRING = frozenset(
    "it its itself he him his she her they them their themselves we us our i me my you your this that these those such"
    " who which one ones the a an"
    " 它 它们 他 他们 她 她们 其 这 这些 那 那些 该 此 我们 これ それ あれ この その あの 彼 彼ら 彼女 我々"
    " มัน เขา พวกเขา นี้ นั้น".split()
)
_PRONOUNS = _REFERRING - {"the", "a", "an"}
_AUXILIARIES = tuple(
    frozenset(forms.split())
    for forms in ("be am is are was were been being", "have has had having", "do does did", "will would", "can could")
)
_FIGURE = re.compile(rf"\d+(?:[.,:/]\d+)*|[{NUMERALS}]+(?:[点點][{NUMERALS}]+)?|(?:(?![{NUMERALS}])[^\W\d_])+")
_STEM = 4
_CORE = re.compile(r"^[^\w%‰]+|[^\w%‰]+$")


def core(word: str) -> str:
    """A word without the signs around it."""
    return _CORE.sub("", word)


def has_number(text: str) -> bool:
    """Whether digits or a number word are in the text."""
    return any(sign.isnumeric() for sign in text) or any(
        word.lower() in _NUMBER_WORDS for word in re.findall(r"[^\W\d_]+", text)
    )


def figures(text: str) -> set[str]:
    """The numbers in a text, in digits or as words."""
    words = {word.lower() for word in _FIGURE.findall(text)}
    return {word for word in words if word[0].isnumeric() or word[0] in NUMERALS or word in _NUMBER_WORDS}


def is_referring_word(word: str) -> bool:
    """Whether a word only refers to something: a pronoun or an article."""
    return core(word).lower() in _REFERRING


def replaces(said: str, there: str) -> bool:
    """Whether words in brackets may stand for these: a name for what refers to it, or another form of a word."""
    ours, theirs = ([word.lower() for word in re.findall(r"[^\W_]+", text)] for text in (_remove_brackets(said), there))
    if not theirs:
        return True
    if has_negation_change(_remove_brackets(said), there) or not figures(said) <= figures(there):
        return False
    if theirs[0] in _REFERRING:
        # One thing for another is no name for it.
        return theirs[0] in _PRONOUNS or not ours or ours[0] not in _REFERRING - _PRONOUNS
    return all(word in _PRONOUNS for word in ours) or all(any(_akin(one, word) for one in theirs) for word in ours)


def _remove_brackets(said: str) -> str:
    return said.replace("[", "").replace("]", "")


def _akin(one: str, other: str) -> bool:
    """Whether two words are forms of one, as far as their beginnings tell."""
    if any(one in forms and other in forms for forms in _AUXILIARIES):
        return True
    if NEGATION.search(one) and NEGATION.search(other):
        return True
    return one == other or (len(one) > _STEM - 1 and one[:_STEM] == other[:_STEM])


def classify_word_change(quoted: str, there: str) -> str:
    """`number`, `negation`, `name` or nothing: what a change from one word or stretch to the other is about."""
    if _is_figure(quoted) or _is_figure(there) or (is_unit(quoted) and is_unit(there)):
        return "number"
    if has_negation_change(quoted, there):
        return "negation"
    return "name" if is_name(quoted) or is_name(there) else ""


def _is_figure(text: str) -> bool:
    return has_number(text) or any(sign in text for sign in "±%‰")


def is_unit(word: str) -> bool:
    """Whether a word may stand for what is counted behind a number."""
    return core(word).lower() in _UNITS


def has_negation_change(quoted: str, there: str) -> bool:
    """Whether one of them negates what the other says."""
    if bool(NEGATION.search(quoted)) != bool(NEGATION.search(there)):
        return True
    one, other = sorted((core(quoted).lower(), core(there).lower()), key=len)
    if not one or " " in other:
        return False
    if any(other == prefix + one for prefix in _PREFIXES) and len(one) > 3:
        return True
    return other.endswith("less") and one == other[:-4] + "ful"


def is_name(text: str) -> bool:
    """Whether a word in it is written like a name: a capital first, or capitals inside."""
    return any(word[:1].isupper() or any(sign.isupper() for sign in word[1:]) for word in map(core, text.split()))
