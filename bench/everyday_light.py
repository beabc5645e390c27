"""Everyday edits that leave what a sentence says as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from everyday_words import ABBREVIATED, ASIDES, BRITISH, CLOSED, COMPOUNDS, LEADS, MONTHS, SHORT, WORDS

Pair = tuple[str, str]
MONTH = "|".join(MONTHS)
CLAUSE = re.compile(
    r"\b(?:that|which|who|whose|when|while|because|if|unless|although|though|but|before|after|until|since|where|as|said"
    r"|says|told|than|whether|to|so|how|and|or|not|no|never|only|n['’]t|might|may|would|could|should|claimed|claims|planned|expected"
    r"|according)\b|n['’]t\b|[;:()\"“”]",
    re.IGNORECASE,
)
TIME = (
    rf"(?:in|on|by|since|during) (?:(?:early|late|mid) )?(?:\d{{4}}|(?:{MONTH})(?: \d{{1,2}})?(?:,? \d{{4}})?"
    rf"|\d{{1,2}} (?:{MONTH})(?: \d{{4}})?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)"
)
OWNED = re.compile(
    r"\b([Tt]he) ([a-z]+)['’]s ((?:new |own )?[a-z]{4,})(?=[.,]| (?:is|are|was|were|in|on|at|for|has|had)\b)"
)
OF = re.compile(r"\b([Tt]he) ([a-z]{4,}) of the ([a-z]{4,})(?=[.,]| (?:is|are|was|were|in|on|at|for|has|had)\b)")
QUANTITIES = (
    "number|rest|part|most|half|majority|group|end|top|kind|type|form|beginning|middle|one|some|all|percent|lack|north"
    "|south|east|west"
)
_STATING = re.compile(
    r"\b(?:said|says|so|show\w*|found|believe\w*|of|in|for|to|on|from|by|with|at|fact|claims?|is|was|ensure|say|added"
    r"|told \w+|mean\w*|and|all|think|know\w*|suggest\w*|hope\w*|evidence|clear|likely|decided|assert\w*|report\w*"
    r"|feels?|states?|stated|assum\w+|observed|but|well|if|than|why|what|not|now|when|because|as|like)$",
    re.IGNORECASE,
)
"""Before `that`, these do not begin a clause that says which one is meant."""
SHORT_FORM = re.compile(r"\b((?:[A-Z][a-z]+ (?:(?:of|for|and|the) )*){1,5}[A-Z][a-z]+) \(([A-Z]{2,6})\)")


def lower(text: str) -> str:
    """A sentence's beginning as it stands inside one; names keep their capital."""
    first = text.split(" ", 1)[0]
    common = first in ("The", "A", "An", "It", "He", "She", "They", "We", "This", "These", "Its", "His", "Her", "Their")
    return text[0].lower() + text[1:] if common else text


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def swap(text: str, table: dict[str, str]) -> Iterator[str]:
    for match in re.finditer(r"(?<![\w'’-])[A-Za-z]+(?:[ -][a-z]+)?(?![\w'’-])", text):
        for word in (match[0], match[0].split(" ")[0]):
            other = table.get(word.lower())
            if other:
                new = upper(other) if word[0].isupper() else other
                yield text[: match.start()] + new + text[match.start() + len(word) :]


def spelling(text: str) -> Iterator[Pair]:
    """`colour` and `color`."""
    for claim in swap(text, BRITISH):
        yield claim, text


def hyphens(text: str) -> Iterator[Pair]:
    """`long-term` and `long term`, `e-mail` and `email`."""
    for match in re.finditer(r"(?<![\w-])([A-Za-z]{2,})-([a-z]{2,})(?![\w-])", text):
        first, second = match[1].lower(), match[2]
        if first in COMPOUNDS:
            yield f"{text[: match.start()]}{match[1]} {second}{text[match.end() :]}", text
        elif first in CLOSED:
            yield f"{text[: match.start()]}{match[1]}{second}{text[match.end() :]}", text
    for match in re.finditer(r"(?<![\w-])([a-z]+) ([a-z]+)(?![\w-])", text):
        if match[1] in COMPOUNDS and match[2] in (
            "term",
            "known",
            "time",
            "scale",
            "year",
            "level",
            "quality",
            "based",
        ):
            yield f"{text[: match.start()]}{match[1]}-{match[2]}{text[match.end() :]}", text


def percent(text: str) -> Iterator[Pair]:
    """`10 %`, `10%`, `10 percent`, `10 per cent`, `ten percent`."""
    for match in re.finditer(r"(?<![\w.,-])(\d+(?:\.\d+)?)( ?%| percent| per cent)(?![\w-]| point)", text):
        for new in ("%", " %", " percent", " per cent", " pct"):
            if new != match[2]:
                yield text[: match.start()] + match[1] + new + text[match.end() :], text
        if match[1] in WORDS:
            yield f"{text[: match.start()]}{WORDS[match[1]]} percent{text[match.end() :]}", text


def genitive(text: str) -> Iterator[Pair]:
    """`the company's profit` and `the profit of the company`."""
    for match in OWNED.finditer(text):
        if " own" not in match[0]:
            yield f"{text[: match.start()]}{match[1]} {match[3]} of the {match[2]}{text[match.end() :]}", text
    for match in OF.finditer(text):
        if not re.fullmatch(QUANTITIES, match[2]) and not match[3].endswith("s"):
            yield f"{text[: match.start()]}{match[1]} {match[3]}'s {match[2]}{text[match.end() :]}", text


def adverbial(text: str) -> Iterator[Pair]:
    """`In 2019, X did Y` and `X did Y in 2019`, in a sentence of one clause."""
    first = re.match(rf"{TIME},? (?=[A-Z\w])", text, re.IGNORECASE)
    if first:
        rest = text[first.end() :]
        if not CLAUSE.search(rest) and "," not in rest and not re.search(r"\d{4}|day\b", rest):
            when = first[0].strip(" ,")
            yield f"{upper(rest[:-1])} {when[0].lower()}{when[1:]}.", text
            if "," in first[0]:
                yield text.replace(",", "", 1) if first[0].count(",") == 1 else text, text
    last = re.search(rf" ({TIME})\.$", text)
    rest = text[: last.start()] if last else ""
    # Behind `of` and the like the time may be that of the last thing named, and the edit would not be harmless.
    elsewhere = r"\d{4}|day\b|,|\b(?:of|for|with|from|at|into|about|following|under|over|in|on)\b"
    if last and not CLAUSE.search(rest) and not re.search(elsewhere, rest):
        yield f"{upper(last[1])}, {lower(rest)}.", text


def contraction(text: str) -> Iterator[Pair]:
    """`do not` and `don't`."""
    for long, short in SHORT:
        for one, other in ((long, short), (short, long)):
            match = re.search(rf"\b{one}\b(?= [a-z])", text, re.IGNORECASE)
            if match and not (one == "it's" and re.match(r" (?:been|had|\w+ed\b)", text[match.end() :])):
                new = upper(other) if match[0][0].isupper() else other
                yield text[: match.start()] + new + text[match.end() :], text


def lead(text: str, rng: Random) -> Iterator[Pair]:
    """`Notably,` and its like left out."""
    if (
        re.match(r"(?:The|A|An|It|He|She|They|We|This|These|[A-Z][a-z]+ (?:is|was|has|had)) ?", text)
        and "," not in text[:25]
    ):
        yield text, f"{rng.choice(LEADS)} {lower(text)}"
    for match in re.finditer(
        r", (?:however|therefore|for example|of course|in fact|too|moreover|indeed|though), ", text
    ):
        yield f"{text[: match.start()]} {text[match.end() :]}", text


def aside(text: str, rng: Random) -> Iterator[Pair]:
    """`, which is …,` left out."""
    match = re.search(
        r", which (?:is|are|was|were|has|have|had|lies|began|opened|includes|can) [^,]{8,80}(?:, (?=[a-z])|\.$)", text
    )
    barred = (
        r"\b(?:not|no|only|if|unless|until|may|might|could|would|claims?|claimed|said|alleged\w*|believed|or|but|n't)\b"
    )
    if match and not re.search(barred, match[0]):
        yield f"{text[: match.start()]}{'.' if match[0].endswith('.') else ' '}{text[match.end() :]}".strip(), text
    named = re.match(r"(The [a-z]+|[A-Z][a-z]+(?: [A-Z][a-z]+)?) (?=(?:is|was|has|had|were|are|will|became) )", text)
    if named and not re.search(r"\b(?:not|no|only|all|n't)\b", text):
        yield text, f"{named[1]}, {rng.choice(ASIDES)}, {text[named.end() :]}"


def relative(text: str) -> Iterator[Pair]:
    """`which` and `that`, where the clause says which one is meant."""
    for match in re.finditer(
        r"(?<=[a-z]) (which|that) (?=(?:is|are|was|were|has|have|had|can|will|[a-z]{3,}(?:ed|es)) )", text
    ):
        if _STATING.search(text[: match.start()]):
            continue
        yield f"{text[: match.start()]} {'that' if match[1] == 'which' else 'which'} {text[match.end() :]}", text


def figures(text: str) -> Iterator[Pair]:
    """`1,000`, `1000`, `one thousand`; `2.5 million` and `2,500,000`."""
    for match in re.finditer(r"(?<![\w.,$€£-])(\d{1,3}),(\d{3})(?![\w,]|\.\d)", text):
        yield text[: match.start()] + match[1] + match[2] + text[match.end() :], text
        if match[2] == "000" and match[1] in WORDS:
            yield f"{text[: match.start()]}{WORDS[match[1]]} thousand{text[match.end() :]}", text
    for match in re.finditer(r"(?<![\w.,$€£-])(\d{1,3})(?:\.(\d))? million\b(?! years)", text):
        yield f"{text[: match.start()]}{match[1]},{match[2] or '0'}00,000{text[match.end() :]}", text
    for match in re.finditer(r"(?<![\w.,$€£:/-])(\d{1,2})(?![\w%°:/–-]|[.,]\d| %| per| [A-Z])", text):
        before = text[: match.start()].split()[-1:] or [""]
        dated = re.match(rf" (?:of )?(?:{MONTH})\b", text[match.end() :], re.IGNORECASE) or upper(before[0]) in MONTHS
        if (
            match[1] in WORDS
            and not dated
            and not before[0][:1].isupper()
            and before[0] not in ("of", "to", "and", "$")
        ):
            yield text[: match.start()] + WORDS[match[1]] + text[match.end() :], text


def initials(name: str) -> str:
    return "".join(word[0] for word in name.split() if word[0].isupper())


def abbreviation(text: str) -> Iterator[Pair]:
    """`World Health Organization (WHO)` as one or the other."""
    for match in SHORT_FORM.finditer(text):
        words = match[1].split()
        while words and initials(" ".join(words)) != match[2]:
            words = words[1:]
        if words:
            name = " ".join(words)
            start = match.start() + len(match[1]) - len(name)
            yield f"{text[:start]}{name}{text[match.end() :]}", text
            yield f"{text[:start]}{match[2]}{text[match.end() :]}", text
    for one, other in ABBREVIATED:
        match = re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)
        if match and not text[match.end() :].startswith(" of Am"):
            yield text[: match.start()] + other + text[match.end() :], text


def dates(text: str) -> Iterator[Pair]:
    """`14 March 2026`, `March 14, 2026`, `14th of March 2026`, `Mar. 14, 2026`."""
    for match in re.finditer(rf"\b(?:(\d{{1,2}}) ({MONTH})|({MONTH}) (\d{{1,2}}),) (\d{{4}})\b,?", text):
        day, month, year = match[1] or match[4], match[2] or match[3], match[5]
        forms = (
            f"{day} {month} {year}",
            f"{month} {day}, {year}",
            f"{day}th of {month} {year}",
            f"{month[:3]}. {day}, {year}",
        )
        for form in forms:
            if form not in match[0] and not ("th of" in form and day[-1] in "123"):
                yield text[: match.start()] + form + text[match.end() :], text


def marks(text: str) -> Iterator[Pair]:
    """Commas before `and`, dashes and quotation marks of another kind."""
    if ", and " in text and text.count(",") >= 2:
        yield text.replace(", and ", " and ", 1), text
    match = re.search(r"(, [a-z]+) and ([a-z]+[ .])", text)
    if match and text.count(",") >= 1:
        yield f"{text[: match.end(1)]}, and {text[match.start(2) :]}", text
    for old, new in (("’", "'"), ("“", '"'), (" – ", " - "), (" — ", ", "), ("'", "’"), ("–", "-")):
        if old in text:
            yield text.replace(old, new).replace("”", '"' if old == "“" else "”"), text
