"""One small change that makes a claim say something its evidence does not.

Each gives every sentence it can make of one, with the way it was made. What would still follow from the evidence is
left out: `more than 80` where there were more than 100, `some` where it was all, `before 1995` where before 1990.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random

from perturb_words import (
    ADJECTIVES,
    AUXILIARIES,
    DAYS,
    FUNCTION,
    IDIOMS,
    MONTHS,
    OPPOSITES,
    PHRASED,
    PREPOSITIONS,
    QUANTIFIERS,
    SMALL,
    TENS,
    UNITS,
)

Changed = list[tuple[str, str]]
Change = Callable[[str, str, Sequence[str], Random], Changed]

_NUMBER = re.compile(r"(?<![\w.,/:#-])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w/:]|[.,]\d|-\w)")
_YEAR = re.compile(r"(?<![\w.,/:$€£-])(1[5-9]\d\d|20\d\d)(?![\w/:%]|[.,]\d|-\w)")
_MONTH = "|".join(MONTHS)
_SPELLED = {word: value for value, word in enumerate(SMALL, 2)} | dict(zip(TENS, range(30, 100, 10), strict=True))
_NEGATED = re.compile(
    r"\b(?:no|not|never|none|neither|nor|without|if|unless|whether|cannot|or|nobody|nothing|rarely|seldom|hardly|few"
    r"|\w+n['’]t)\b",
    re.IGNORECASE,
)
# What is more than five is more than four: behind such words only one direction is a change.
_UP = re.compile(
    r"\b(?:at least|more than|over|above|exceed\w*|minimum of|greater than|larger than|longer than|no fewer than"
    r"|no less than|upwards of|beyond|older than)(?: \w+)?\s*[$€£]?$",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:at most|less than|fewer than|under|below|up to|maximum of|no more than|within|smaller than|shorter than"
    r"|younger than)(?: \w+)?\s*[$€£]?$",
    re.IGNORECASE,
)
_ROUGH = re.compile(r"\b(?:about|approximately|around|roughly|some|nearly|almost|circa|estimated)\s*[$€£]?$", re.I)
_OPEN = re.compile(r"^\s*(?:\+|or (?:more|less|fewer|so|older|younger|above|below)|and (?:over|under|above))")
_NAME = re.compile(r"(?<![\w'’-])[A-Z][\w'’-]*(?:(?: (?:of|the|de|van|von|of the|del|la))? [A-Z][\w'’-]*)*(?![\w'’-])")
_NO_NAMES = frozenset(
    (
        *MONTHS,
        *DAYS,
        *(
            "The A An I It He She They We You This That These Those There In On At For By With From To As And But "
            "Or If When While After Before Although However Since Because During Most Many Some All Both Each "
            "Every No Not Its His Her Their Our My Your One Two Three Four Five Six Seven Eight Nine Ten Several "
            "Few More Other Another Only Also Such First Second Third What Which Who Where Why How Then Thus Here "
            "Now Today Under Over Between Among Through Despite According Until Unlike Like Later Earlier Mr Mrs "
            "Ms Dr Prof Sir Lord Lady King Queen President"
        ).split(),
    )
)
_ALIAS = re.compile(
    r"\b(?:also known|known as|formerly|called|named|nicknamed|aka|born|real name|short for|abbreviated|renamed|alias"
    r"|stage name|pen name|referred to)\b",
    re.IGNORECASE,
)
_SYMMETRIC = re.compile(
    r"\b(?:and|or|with|met|meets|meet|married|marries|wed|between|versus|vs|against|played|same|similar|equals?|cousins?"
    r"|siblings?|brothers?|sisters?|twin|border\w*|neighbou?r\w*|together|both|joined|differ\w*|near|beside|adjacent"
    r"|next|opposite|alongside|identical|friends?|partners?|drew|tied|shared?|also|like|as well|merged?|resembl\w*"
    r"|connect\w*|links?|linked|linking|joins|including|such as|correspond\w*|allied|divorced|dated|adjoins)\b",
    re.IGNORECASE,
)


def _put(sentence: str, start: int, end: int, new: str) -> str:
    if start == 0:
        new = new[:1].upper() + new[1:]
    return sentence[:start] + new + sentence[end:]


def _values(text: str) -> set[float]:
    """Every number of a text, whatever it counts."""
    found = {float(match[0].replace(",", "")) for match in re.finditer(r"\d+(?:,\d{3})*(?:\.\d+)?", text)}
    return found | {float(value) for word, value in _SPELLED.items() if re.search(rf"\b{word}\b", text, re.I)}


def _sense(before: str) -> int:
    """1 where only more is a change, -1 where only less is, 0 where either is."""
    return 1 if _UP.search(before) else -1 if _DOWN.search(before) else 0


def _number(sentence: str, evidence: str, _: Sequence[str], rng: Random) -> Changed:
    if _NEGATED.search(sentence):
        return []
    there, found = _values(evidence), []
    for match in _NUMBER.finditer(sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        if _YEAR.match(sentence, match.start()) or _OPEN.match(after) or re.search(rf"(?:{_MONTH}) $", before):
            continue
        if re.match(rf" (?:{_MONTH})\b", after) or re.search(
            r"\b(?:between|before|after|by year|since|until) $", before
        ):
            continue
        value = float(match[0].replace(",", ""))
        ways = {"a little": value + rng.choice((-1, 1)), "doubled": value * 2, "tenfold": value * 10}
        ways |= {"halved": value // 2, "other": value + rng.randint(2, 9), "turned": _turned(match[1])}
        for how, new in ways.items():
            if how == "a little" and (_ROUGH.search(before) or value > 400):
                continue
            if new <= 0 or new in there or (sense := _sense(before)) * (new - value) < 0 or (sense and new == value):
                continue
            whole = f"{int(new):,}" if "," in match[0] else str(int(new))
            found.append((_put(sentence, match.start(), match.end(), whole + (match[2] or "")), how))
    for match in re.finditer(r"(?<![\w-])[A-Za-z]+(?![\w-])", sentence):
        value = _SPELLED.get(match[0].lower(), 0)
        if value and not _OPEN.match(sentence[match.end() :]):
            sense = _sense(sentence[: match.start()])
            others = [w for w, v in _SPELLED.items() if v not in there and sense * (v - value) >= 0]
            if others:
                found.append((_put(sentence, match.start(), match.end(), rng.choice(others)), "spelled"))
    return found


def _turned(digits: str) -> float:
    """The number with two digits exchanged; 0 where that changes nothing."""
    plain = digits.replace(",", "")
    turned = plain[1::-1] + plain[2:]
    return float(turned) if turned != plain and turned[0] != "0" else 0.0


def _date(sentence: str, evidence: str, _: Sequence[str], rng: Random) -> Changed:
    if _NEGATED.search(sentence):
        return []
    there, found = _values(evidence), []
    for match in _YEAR.finditer(sentence):
        year, before = int(match[0]), sentence[: match.start()].lower()
        if re.search(r"\b(?:between|around|about|circa|or|and) $", before):
            continue
        signs = (-1, 1)
        if re.search(r"\b(?:before|by|since|from|early as|prior to)(?: \w+ \d{1,2},?| \d{1,2} \w+| \w+)? $", before):
            signs = (-1,)
        elif re.search(r"\b(?:after|until|till|to|through)(?: \w+ \d{1,2},?| \d{1,2} \w+| \w+)? $", before):
            signs = (1,)
        new = year + rng.choice(signs) * rng.randint(1, 15)
        if new not in there:
            found.append((_put(sentence, match.start(), match.end(), str(new)), "year"))
    for match in re.finditer(rf"\b(?:({_MONTH}) (\d{{1,2}})|(\d{{1,2}}) ({_MONTH}))\b(?!\d)", sentence):
        group = 2 if match[2] else 3
        new = rng.randint(1, 28)
        if new not in there and not re.search(r"\b(?:before|after|by|until|since) $", sentence[: match.start()]):
            found.append((_put(sentence, match.start(group), match.end(group), str(new)), "day"))
    for match in re.finditer(rf"\b(?:{_MONTH})\b", sentence):
        around = sentence[max(0, match.start() - 8) : match.start()] + sentence[match.end() : match.end() + 6]
        if re.search(r"\b(?:before|after|by|until|since)\b", sentence[: match.start()][-12:]) or (
            not re.search(r"\d|\bin $|\bof $", around)
        ):
            continue
        others = [month for month in MONTHS if month not in evidence]
        found.append((_put(sentence, match.start(), match.end(), rng.choice(others)), "month"))
    for match in re.finditer(rf"\b(?:{'|'.join(DAYS)})\b", sentence):
        others = [day for day in DAYS if day not in evidence]
        if others:
            found.append((_put(sentence, match.start(), match.end(), rng.choice(others)), "weekday"))
    return found


def _unit(sentence: str, evidence: str, _: Sequence[str], rng: Random) -> Changed:
    if _NEGATED.search(sentence):
        return []
    found = []
    for group in UNITS:
        names = "|".join(map(re.escape, group))
        amount = r"(?:\d[\d,.]*|" + "|".join(_SPELLED) + r"|one|an?|several)"
        for match in re.finditer(rf"\b({amount})([ -]?)({names})(?![\w/²³])", sentence):
            sense = _sense(sentence[: match.start()])
            at = group.index(match[3])
            others = [
                unit
                for place, unit in enumerate(group)
                if place != at and sense * (place - at) >= 0 and f"{match[1]}{match[2]}{unit}" not in evidence
            ]
            if match[1].endswith(("a", "an")) and group[0] != "second":
                continue
            if others and not _OPEN.match(sentence[match.end() :]):
                found.append((_put(sentence, match.start(3), match.end(3), rng.choice(others)), group[0]))
    for match in re.finditer(r"[$€£](?=\d)", sentence):
        others = [sign for sign in "$€£" if sign not in evidence]
        if others:
            found.append((_put(sentence, match.start(), match.end(), rng.choice(others)), "currency"))
    return found


def _negation(sentence: str, _: str, __: Sequence[str], rng: Random) -> Changed:
    found: Changed = []
    if re.search(r"\b(?:whether|if|unless|until|doubt\w*|wonder\w*|question\w*|than|as \w+ as)\b", sentence, re.I):
        return []
    negated = re.search(
        r"\b(?:no|not|never|nobody|none|nothing|neither|nor|hardly|\w+n['’]t)\b", sentence, re.IGNORECASE
    )
    for match in re.finditer(rf"\b({'|'.join(AUXILIARIES)}) (?=([a-z]+))", sentence if not negated else ""):
        auxiliary, following = match[1], match[2]
        if following in ("not", "only", "also", "no", "never", "neither", "both", "either", "hardly", "n't", "nothing"):
            continue
        if auxiliary in ("has", "have", "had", "do", "does", "did") and not re.fullmatch(
            r"been|\w+(?:ed|en)|become|made|held|won|led|grown|shown|had|sold|built|lost|come|gone", following
        ):
            continue
        # Two of them in one clause, as in a row of things: the second may not be the one that carries it.
        new = rng.choice(("not", "never")) if auxiliary in ("was", "were", "has", "have", "had") else "not"
        found.append((_put(sentence, match.end(), match.end(), f"{new} "), f"{new} added"))
    for match in re.finditer(
        r"\b(?:(is|are|was|were|has|have|had|can|could|will|would|should|must) (?:not|never) )", sentence
    ):
        if not re.match(r"(?:only|just|all|every|necessarily|both)\b", sentence[match.end() :]):
            found.append((_put(sentence, match.start(), match.end(), f"{match[1]} "), "not dropped"))
    for match in re.finditer(r"\b(is|are|was|were|has|have|had|could|would|should)n['’]t ", sentence):
        found.append((_put(sentence, match.start(), match.end(), f"{match[1]} "), "not dropped"))
    return found


def _comparative(sentence: str, _: str, __: Sequence[str], ___: Random) -> Changed:
    if re.search(rf"\b(?:{IDIOMS})\b", sentence, re.IGNORECASE):
        return []
    found = []
    for match in re.finditer(r"(?<![\w-])[A-Za-z]+(?![\w-])", sentence):
        new = OPPOSITES.get(match[0].lower())
        if new is None or (match[0] != match[0].lower() and match.start()):
            continue
        if match[0] in ("after", "before", "above", "below") and sentence[match.start() - 2 : match.start()] == ", ":
            continue
        found.append((_put(sentence, match.start(), match.end(), new), match[0].lower()))
    for one, other in (("at least", "at most"), ("at most", "at least"), ("up to", "at least")):
        for match in re.finditer(rf"\b{one}(?= (?:[$€£]?\d|{'|'.join(SMALL)}))", sentence, re.IGNORECASE):
            found.append((_put(sentence, match.start(), match.end(), other), one))
    for match in re.finditer(r"\b(over|under)(?= [$€£]?\d)", sentence):
        found.append(
            (_put(sentence, match.start(), match.end(), {"over": "under", "under": "over"}[match[1]]), match[1])
        )
    return found


def _quantifier(sentence: str, _: str, __: Sequence[str], rng: Random) -> Changed:
    found: Changed = []
    for one, other in PHRASED:
        for match in re.finditer(rf"\b{one} (?=\w)", sentence, re.IGNORECASE):
            if not re.search(r"\b(?:quite|not only|if|unless) $", sentence[: match.start()], re.IGNORECASE):
                found.append((_put(sentence, match.start(), match.end() - 1, other), one))
    if _NEGATED.sub("", sentence) != sentence and not re.search(r"\b(?:never|no|none|nobody)\b", sentence, re.I):
        return found
    for match in re.finditer(r"(?<![\w-])[A-Za-z]+(?![\w-])", sentence):
        word = match[0].lower()
        before, after = sentence[: match.start()].lower(), sentence[match.end() :]
        if word not in QUANTIFIERS or re.search(
            r"\b(?:almost|nearly|not|a|at|how|as|too|so|very|above|after|in|for|if|next|last|past|first) $", before
        ):
            continue
        if word == "every" and re.match(rf" (?:\d|other|{'|'.join(SMALL)})", after):
            continue
        if re.match(
            r" (?:a |more|one|longer|doubt|matter|but|over|right|other|\d|sudden|too|of (?:a|this|that)\b)|[-.,]", after
        ):
            continue
        if word in ("all", "both") and not re.match(r" (?:of )?(?:the|its|his|her|their|these|those|\w+s)\b", after):
            continue
        for new in QUANTIFIERS[word]:
            if new == "no" and after.startswith(" of "):
                new = "none"
            if new.endswith(" of"):
                new = new.removesuffix(" of") if after.startswith(" of ") else new
                new = new if re.match(r" (?:of|the|its|his|her|their|these|those)\b", after) else f"{new} the"
            found.append((_put(sentence, match.start(), match.end(), new), word))
    return rng.sample(found, len(found))


def _only(sentence: str, _: str, __: Sequence[str], rng: Random) -> Changed:
    if re.search(r"\b(?:only|solely|exclusively|just|alone|not|no|never)\b", sentence, re.IGNORECASE):
        return []
    found = []
    word = rng.choice(("only", "only", "solely", "exclusively"))
    for match in re.finditer(rf"\b[a-z]{{3,}}(?:ed|s|en|ing|ble) (?=(?:{'|'.join(PREPOSITIONS)}) )", sentence):
        found.append((_put(sentence, match.end(), match.end(), f"{word} "), "before a phrase"))
    if re.match(r"(?:The|A|An|Its|His|Her|Their|This|These|It|He|She|They|You|We) [a-z]", sentence):
        found.append((f"Only {sentence[0].lower()}{sentence[1:]}", "before the subject"))
    elif re.match(r"[A-Z]\w+ (?:[A-Z]\w+ )?(?:is|was|has|can|will|\w+ed)\b", sentence):
        found.append((f"Only {sentence}", "before the subject"))
    return found


def names_of(text: str) -> Iterator[tuple[int, int, str]]:
    """Where names stand; a lone word at the beginning of a sentence is none unless it is one elsewhere."""
    spans = []
    for match in _NAME.finditer(text):
        start, end = match.span()
        words = match[0].split(" ")
        while words and words[0] in _NO_NAMES:
            start += len(words.pop(0)) + 1
        if not words or words[0].islower() or words[-1] in _NO_NAMES or re.fullmatch(r"[IVX]+|[A-Z]", words[-1]):
            continue
        name = " ".join(words)
        if name.endswith(("'s", "’s")):
            end, name = end - 2, name[:-2]
        if text[end : end + 1] == "." and len(words[-1]) <= 3:
            continue
        if re.search(r"n['’]t|['’](?:m|re|ve|ll|d)\b", name) or (" " in name and name.isupper()):
            continue
        spans.append((start, end, name, start == 0 or text[start - 2 : start] in (". ", "! ", "? ", ".”", '."')))
    inside = {name for _, _, name, first in spans if not first}
    for start, end, name, first in spans:
        if len(name) > 2 and (not first or " " in name or name in inside or name.isupper()):
            yield start, end, name


def _alike(one: str, other: str) -> bool:
    """Whether two names could be of one thing: a word in common, or one the first letters of the other."""
    parts, others = set(re.findall(r"\w+", one.lower())), set(re.findall(r"\w+", other.lower()))
    if any(a[:4] == b[:4] for a in parts for b in others if len(a) > 2 and len(b) > 2):
        return True
    letters = ["".join(word[0] for word in name.split() if word[0].isupper()) for name in (one, other)]
    return one.replace(".", "") == letters[1] or other.replace(".", "") == letters[0] or one in other or other in one


def _shape(name: str) -> str:
    return "letters" if name.isupper() else "several" if " " in name else "one"


def _in_a_row(sentence: str, start: int, end: int) -> bool:
    """Whether a name stands beside another one, joined or in apposition."""
    return bool(
        re.search(r"(?:\band|\bor|,|\(|&|/|-|\bas) ?$", sentence[:start])
        or re.match(r" ?(?:and\b|or\b|,|\(|&|/|-|as\b)", sentence[end:])
    )


def _name_elsewhere(sentence: str, evidence: str, pool: Sequence[str], rng: Random) -> Changed:
    found = []
    for start, end, name in names_of(sentence):
        for _ in range(20):
            other = rng.choice(pool) if pool else name
            if _shape(other) == _shape(name) and not _alike(name, other) and other.lower() not in evidence.lower():
                if not re.fullmatch(r"\w+(?:ish|ese|ian|ean|can)", other):
                    found.append((_put(sentence, start, end, other), "from elsewhere"))
                break
    return found


def _name_same(sentence: str, evidence: str, _: Sequence[str], rng: Random) -> Changed:
    if _ALIAS.search(evidence):
        return []
    found = []
    there = [name for _, _, name in names_of(evidence)]
    for start, end, name in names_of(sentence):
        others = [other for other in dict.fromkeys(there) if other not in sentence and not _alike(name, other)]
        others = [other for other in others if _shape(other) == _shape(name)]
        if others:
            found.append((_put(sentence, start, end, rng.choice(others)), "from another sentence"))
            continue
        if _in_a_row(sentence, start, end) or _SYMMETRIC.search(sentence):
            continue
        # From the same sentence: what then stands there twice says something about itself.
        inside = [other for other in dict.fromkeys(there) if other in sentence and not _alike(name, other)]
        inside = [other for other in inside if _shape(other) == _shape(name)]
        if inside:
            found.append((_put(sentence, start, end, rng.choice(inside)), "from the same sentence"))
    return found


def _role_swap(sentence: str, evidence: str, _: Sequence[str], __: Random) -> Changed:
    found: Changed = []
    if _ALIAS.search(sentence):
        return found
    names = list(names_of(sentence))
    for (start, end, one), (begin, stop, other) in pairwise(names):
        between = sentence[end:begin]
        plain = re.fullmatch(r"(?:\W|\b(?:is|was|are|were|the|a|an|of|'s|’s|in|at)\b)*", between)
        if plain or _SYMMETRIC.search(between) or _alike(one, other) or sentence[stop : stop + 2] in ("'s", "’s"):
            continue
        if between.startswith((",", "'", "’")) or _in_a_row(sentence, begin, stop) or _in_a_row(sentence, start, end):
            continue
        # The names have to stand around a verb or a comparison, or go from one to the other.
        if not re.search(
            r"\b(?:\w+(?:ed|es|s)|than|to|won|beat|led|made|sold|built|wrote|took|gave|sent|bought)\b", between
        ):
            continue
        found.append((f"{sentence[:start]}{other}{between}{one}{sentence[stop:]}", "names"))
    match = re.match(
        r"(A|An|The|One) ([a-z]+) ((?:is|was) [a-z]+ing|[a-z]{3,}ed) (a|an|the) ([a-z]+)(?=[ .,]|$)", sentence
    )
    if match and match[2] != match[5] and not _SYMMETRIC.search(match[3]):
        swapped = f"{match[4]} {match[5]} {match[3]} {match[1].lower()} {match[2]}"
        found.append((swapped[:1].upper() + swapped[1:] + sentence[match.end() :], "nouns"))
    return found


def _cut(sentence: str, _: str, __: Sequence[str], ___: Random) -> Changed:
    """Words left out without which it says more: a condition, a doubt, a speaker, an exception, an alternative."""
    found: Changed = []
    if match := re.match(r"(?:If|Unless|Had|Were) [^,]{5,120}, (?=\w)", sentence):
        found.append((_capital(sentence[match.end() :]), "condition"))
    for match in re.finditer(r",? (?:if|unless|provided that|except|as long as) [^.]{5,120}(?=\.$)", sentence):
        found.append((_put(sentence, match.start(), match.end(), ""), "condition"))
    for match in re.finditer(r"\b(?:may|might|could) be\b", sentence):
        found.append((_put(sentence, match.start(), match.end(), "is"), "doubt"))
    for match in re.finditer(
        r"\b(?:allegedly|reportedly|possibly|probably|supposedly|apparently|potentially) ", sentence
    ):
        rest = sentence[match.end() :]
        found.append((_put(sentence, match.start(), match.end(), "") if match.start() else _capital(rest), "doubt"))
    speech = r"said|says|claims|claimed|believes?|believed|argued|argues|denied|hopes?|hoped|fears?|suggests?|suggested"
    if match := re.match(rf"[A-Z][^,.]{{2,60}} (?:{speech}) that (?=\w)", sentence):
        found.append((_capital(sentence[match.end() :]), "speaker"))
    match = re.search(r" or (?!more|less|so|older|younger|fewer|her|his|any)[^,.]{2,40}(?=\.$)", sentence)
    # What can be this or that can be this; and sometimes they are two names of one thing.
    if match and not re.search(
        r"\b(?:whether|either|neither|not|no|never|without|can|could|may|might|like|called|known|than)\b", sentence
    ):
        found.append((_put(sentence, match.start(), match.end(), ""), "alternative"))
    adjectives = "|".join(sorted(ADJECTIVES))
    scope = r"[Aa]ll(?: of the)?|[Ee]very|[Nn]o|[Ee]ach|[Oo]nly|not an?"
    for match in re.finditer(rf"\b({scope}) ((?:{adjectives}) )(?=([a-z]{{3,}}))", sentence):
        if match[3] not in FUNCTION:
            found.append((_put(sentence, match.start(2), match.end(2), ""), "within a scope"))
    return [(claim, how) for claim, how in found if len(claim.split()) >= 4]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


FALSE: dict[str, Change] = {
    "number": _number,
    "date": _date,
    "unit": _unit,
    "negation": _negation,
    "comparative": _comparative,
    "quantifier": _quantifier,
    "only": _only,
    "name-elsewhere": _name_elsewhere,
    "name-same-quote": _name_same,
    "role-swap": _role_swap,
    "cut": _cut,
}
