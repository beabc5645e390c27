"""Edits that leave a claim as true as it was: each gives every sentence it can make of one."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from perturb_words import ADJECTIVES, ADVERBS, CONTRACTIONS, FUNCTION, MONTHS, SMALL, TENS

# Where one of these stands, leaving words out can make a sentence say more than it did.
_DOWNWARD = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|all|every|each|any|only|few|fewer|fewest|most|many|if"
    r"|unless|when|whenever|until|before|than|less|least|both|half|rarely|seldom|hardly|almost|nearly|at most|up to"
    r"|other|same|different|first|last|second|third|next|exactly|just|too|enough|so|as|like|whether|refused|denied|failed|"
    r"prevent\w*|avoid\w*|cannot|\w+n['’]t|\w{3,}(?<!inter)(?<!for)est)\b",
    re.IGNORECASE,
)
_VALUES = {word: str(value) for value, word in enumerate(SMALL, 2)} | {
    word: str(value) for value, word in zip(range(30, 100, 10), TENS, strict=True)
}
_WORDS = {value: word for word, value in _VALUES.items()}
_MONTH = "|".join(MONTHS)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _article_dropped(sentence: str, _: Random) -> list[str]:
    found = []
    for match in re.finditer(r"\b(the|a|an) (?=([a-z]+))", sentence, re.IGNORECASE):
        following = match[2]
        counting = re.match(
            r"few|little|lot|number|bit|pair|couple|dozen|hundred|thousand|million|billion|majority|minority|third|half"
            r"|quarter|one|other|only|same|first|last|most|least|second|day|week|month|year|while|more|less|\w+est$",
            following,
        )
        before = sentence[: match.start()].lower().split()[-1:] or [""]
        if counting or before[0] in ("not", "no", "of", "all", "half", "only", "both", "such", "what", "once", "as"):
            continue
        if before[0][-1:].isdigit() or re.search(r"\b(?:not|no|never|only|few|if)\b", sentence, re.IGNORECASE):
            continue
        rest = sentence[match.end() :]
        found.append(sentence[: match.start()] + (_capital(rest) if match.start() == 0 else rest))
    return found


def _article_added(sentence: str, _: Random) -> list[str]:
    """`of rivers` to `of the rivers`: only behind a preposition, and not where few or none are spoken of."""
    if _DOWNWARD.search(sentence):
        return []
    found = []
    for match in re.finditer(r"\b(?:in|on|from|by|with|near|through|for) (?=([a-z]{4,}s)\b(?! of\b))", sentence):
        if match[1] not in FUNCTION and not match[1].endswith(("ss", "us", "is", "ous")):
            found.append(f"{sentence[: match.end()]}the {sentence[match.end() :]}")
    return found


def _small_words(sentence: str, _: Random) -> list[str]:
    """`that`, `also` and `and`, put in or left out."""
    found = []
    for match in re.finditer(r"\b(?:shows?|showed|found|reported|announced|confirmed|noted|said|says) that ", sentence):
        found.append(sentence[: match.end() - 5] + sentence[match.end() :])
    for match in re.finditer(
        r"\b(?:showed|found|reported|announced|confirmed|noted|said) (?=(?:the|a|its|his) )", sentence
    ):
        if not re.search(r"\b(?:is|are|was|were|had|has|would|will) ", sentence[match.end() :]):
            continue
        found.append(f"{sentence[: match.end()]}that {sentence[match.end() :]}")
    if " also " in sentence and "not only" not in sentence:
        found.append(sentence.replace(" also ", " ", 1))
    elif match := re.search(r"^[^,]*? (?:is|are|was|were|has|have) (?=[a-z])(?!not|no|never|only|also)", sentence):
        if re.search(r"\b(?:no|not|nobody|none|never|few|only|if|unless|except|\w+n['’]t)\b", sentence, re.IGNORECASE):
            return found
        found.append(f"{sentence[: match.end()]}also {sentence[match.end() :]}")
    if not sentence.startswith(("And ", "But ", "I ")) and re.match(r"(?:The|A|An|In|It|He|She|They) ", sentence):
        found.append(f"And {sentence[0].lower()}{sentence[1:]}")
    elif sentence.startswith("And "):
        found.append(_capital(sentence[4:]))
    return found


def _parenthesis_dropped(sentence: str, _: Random) -> list[str]:
    found = []
    for match in re.finditer(r" \([^()]{2,80}\)", sentence):
        if not re.search(r"\b(?:not|no|except|unless|if|only|or|allegedly|planned|claimed)\b|\?", match[0]):
            found.append(sentence[: match.start()] + sentence[match.end() :])
    return found


def _aside_dropped(sentence: str, _: Random) -> list[str]:
    """A relative clause or apposition between two commas, in front of the verb."""
    if re.search(r"\b(?:if|unless|whether|or)\b", sentence):
        return []
    found = []
    pattern = r", (?:which|who|whose|an?|the|now|then|once|itself|named|built|founded|located|born) [^,]{4,90}, (?=\w)"
    for match in re.finditer(pattern, sentence):
        if re.search(r"\b(?:not|no|except|only|allegedly|planned|claimed|said|believed)\b", match[0]):
            continue
        rest = sentence[match.end() :]
        # Otherwise it may be one of several things in a row.
        if re.match(r"(?:is|are|was|were|has|have|had|can|will|became|[a-z]{3,}ed)\b", rest):
            found.append(f"{sentence[: match.start()]} {rest}")
    return found


def _modifier_dropped(sentence: str, _: Random) -> list[str]:
    """One or two modifiers between a determiner and its noun."""
    if _DOWNWARD.search(sentence):
        return []
    found = []
    determiner = r"(?P<det>[Tt]he|[Aa]n?|[Ii]ts|[Hh]is|[Hh]er|[Tt]heir|[Tt]wo|[Tt]hree)"
    pattern = rf"\b{determiner} (?P<mods>[a-z]+(?: [a-z]+)?) (?P<noun>[a-z]{{3,}})\b"
    for start in range(len(sentence)):
        match = re.compile(pattern).match(sentence, start) if start == 0 or not sentence[start - 1].isalnum() else None
        if match is None or match["noun"] in FUNCTION or match["noun"].endswith(("ed", "ly", "ing")):
            continue
        words = match["mods"].split()
        if match["noun"] in ADJECTIVES | ADVERBS or words[-1] not in ADJECTIVES:
            continue
        if len(words) == 2 and words[0] not in ADVERBS | ADJECTIVES:
            continue
        det = match["det"]
        if det.lower() in ("a", "an"):
            det = ("A" if det[0] == "A" else "a") + ("n" if match["noun"][0] in "aeio" else "")
        found.append(f"{sentence[:start]}{det} {match['noun']}{sentence[match.end() :]}")
    return found


def _digits_and_words(sentence: str, _: Random) -> list[str]:
    found = []
    for match in re.finditer(r"(?<![\w.,/:$€£°–-])\d{1,2}(?![\w%°:/–-]|[.,]\d| %| (?:per|[A-Z]|percent))", sentence):
        before = sentence[: match.start()].split()[-1:] or [""]
        if match[0] in _WORDS and not before[0].lstrip("(")[:1].isupper():
            found.append(sentence[: match.start()] + _WORDS[match[0]] + sentence[match.end() :])
    for match in re.finditer(r"(?<![\w-])[a-z]+(?![\w-])", sentence):
        following = sentence[match.end() :].split()[:1] or [""]
        if match[0] in _VALUES and following[0] not in ("hundred", "thousand", "million", "billion", "of", "or", "to"):
            found.append(sentence[: match.start()] + _VALUES[match[0]] + sentence[match.end() :])
    return found


def _percent(sentence: str, _: Random) -> list[str]:
    found = []
    for match in re.finditer(r"(?<=\d)( ?%)(?= |[.,)]|$)", sentence):
        found.append(f"{sentence[: match.start()]} percent{sentence[match.end() :]}")
    for match in re.finditer(r"(?<=\d) per ?cent\b", sentence):
        found.append(f"{sentence[: match.start()]}%{sentence[match.end() :]}")
    return found


def _date_format(sentence: str, rng: Random) -> list[str]:
    found = []
    for match in re.finditer(rf"\b(\d{{1,2}}) ({_MONTH}) (\d{{4}})\b", sentence):
        other = rng.choice((f"{match[2]} {match[1]}, {match[3]}", _iso(match[3], match[2], match[1])))
        found.append(sentence[: match.start()] + other + sentence[match.end() :])
    for match in re.finditer(rf"\b({_MONTH}) (\d{{1,2}}), (\d{{4}})\b,?", sentence):
        other = rng.choice((f"{match[2]} {match[1]} {match[3]}", _iso(match[3], match[1], match[2])))
        found.append(sentence[: match.start()] + other + sentence[match.end() :])
    return found


def _iso(year: str, month: str, day: str) -> str:
    return f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}"


def _contraction(sentence: str, _: Random) -> list[str]:
    found = []
    for long, short in CONTRACTIONS:
        for one, other in ((long, short), (short, long)):
            match = re.search(rf"\b{one}\b(?=\s\w)", sentence, re.IGNORECASE)
            # `it's` is also `it has`.
            if match and not (one == "it's" and re.match(r" (?:been|had|\w+ed\b)", sentence[match.end() :])):
                new = _capital(other) if match[0][0].isupper() else other
                found.append(sentence[: match.start()] + new + sentence[match.end() :])
    return found


LIGHT: dict[str, Callable[[str, Random], list[str]]] = {
    "article dropped": _article_dropped,
    "article added": _article_added,
    "that, also, and": _small_words,
    "parenthesis dropped": _parenthesis_dropped,
    "aside dropped": _aside_dropped,
    "modifier dropped": _modifier_dropped,
    "digits and words": _digits_and_words,
    "percent": _percent,
    "date format": _date_format,
    "contraction": _contraction,
}
