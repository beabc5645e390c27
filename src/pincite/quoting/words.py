"""Words that weigh more than others: numbers, negations, names."""

from __future__ import annotations

import re

NEGATION = re.compile(
    r"\b(?:not|no|non|nor|never|none|nobody|nothing|nowhere|neither|without|hardly|barely|cannot|fails?|failed|lacks?"
    r"|unlike)\b|n['’]t\b|\bnon-",
    re.IGNORECASE,
)
"""A word that turns a sentence round."""
_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "a", "anti", "mis", "non-", "anti-", "de", "de-")
_NUMBER_WORDS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion"
    " half third quarter double twice triple percent dozen".split()
)
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
_CORE = re.compile(r"^[^\w%‰]+|[^\w%‰]+$")


def core(word: str) -> str:
    """A word without the signs around it."""
    return _CORE.sub("", word)


def has_number(text: str) -> bool:
    """Whether digits or a number word are in the text."""
    return any(sign.isnumeric() for sign in text) or any(
        word.lower() in _NUMBER_WORDS for word in re.findall(r"[^\W\d_]+", text)
    )


def weighs(quoted: str, there: str) -> str:
    """`number`, `negation`, `name` or nothing: what a change from one word or stretch to the other is about."""
    if _is_figure(quoted) or _is_figure(there) or (is_unit(quoted) and is_unit(there)):
        return "number"
    if turns(quoted, there):
        return "negation"
    return "name" if is_name(quoted) or is_name(there) else ""


def _is_figure(text: str) -> bool:
    return has_number(text) or any(sign in text for sign in "±%‰")


def is_unit(word: str) -> bool:
    """Whether a word may stand for what is counted behind a number."""
    return core(word).lower() in _UNITS


def turns(quoted: str, there: str) -> bool:
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
