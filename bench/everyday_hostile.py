"""Edits that look like everyday ones and change what a sentence says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from everyday_light import MONTH, OF, OWNED, SHORT_FORM, TIME, Pair, lower, swap, upper
from everyday_words import HOSTILE_ASIDES, LOOKALIKES, MONTHS, PREFIXES, SHORT, TAKING_BACK


def spelling_hostile(text: str) -> Iterator[Pair]:
    """`county` for `country`."""
    for claim in swap(text, LOOKALIKES):
        yield claim, text


def hyphens_hostile(text: str) -> Iterator[Pair]:
    """`profit` for `non-profit`, and the other way round."""
    for match in re.finditer(r"(?<![\w-])([A-Za-z]+)-(?=[a-z]{3,})", text):
        if match[1].lower() in PREFIXES:
            yield upper(text[: match.start()] + text[match.end() :]), text
    for match in re.finditer(
        r"\b(?:the|a) (?=(?:members?|leaders?|president|wife|husband|native|profit|violent)\b)", text
    ):
        prefix = "non-" if re.match(r"native|profit|violent|members?", text[match.end() :]) else "ex-"
        yield f"{text[: match.end()]}{prefix}{text[match.end() :]}", text


def percent_hostile(text: str) -> Iterator[Pair]:
    """`10 percentage points`, `1.0 %` for `10 %`."""
    for match in re.finditer(r"(?<![\w.,-])(\d+(?:\.\d+)?)( ?%| percent| per cent)(?![\w-]| point)", text):
        yield f"{text[: match.start()]}{match[1]} percentage points{text[match.end() :]}", text
        yield f"{text[: match.start()]}{match[1]}0 percent{text[match.end() :]}", text
        yield text[: match.start()] + match[1] + text[match.end() :], text


def genitive_hostile(text: str) -> Iterator[Pair]:
    """`the company of the profit`: who has what is exchanged."""
    for match in OWNED.finditer(text):
        yield f"{text[: match.start()]}{match[1]} {match[2]} of the {match[3]}{text[match.end() :]}", text
        yield f"{text[: match.start()]}{match[1]} {match[3]}'s {match[2]}{text[match.end() :]}", text
    for match in OF.finditer(text):
        yield f"{text[: match.start()]}{match[1]} {match[3]} of the {match[2]}{text[match.end() :]}", text
        yield f"{text[: match.start()]}{match[1]} {match[2]}'s {match[3]}{text[match.end() :]}", text


def adverbial_hostile(text: str) -> Iterator[Pair]:
    """The time of one clause said of another, or of what is denied."""
    first = re.match(rf"{TIME}, (?=[A-Z\w])", text, re.IGNORECASE)
    inner = r"\b(?:said|says|announced|that|which|who|because|before|after|until|while|when|but|not)\b"
    if first:
        rest = text[first.end() :]
        when = first[0].strip(" ,")
        if re.search(inner, rest) and not re.search(r"\d{4}", rest):
            yield f"{upper(rest[:-1])} {when[0].lower()}{when[1:]}.", text
    last = re.search(rf" ({TIME})\.$", text)
    if last and re.search(inner, text[: last.start()]):
        yield f"{upper(last[1])}, {lower(text[: last.start()])}.", text


def contraction_hostile(text: str) -> Iterator[Pair]:
    """The same, with the `not` lost or won."""
    for long, short in SHORT:
        if long.endswith(" not"):
            for form in (long, short):
                match = re.search(rf"\b{form}\b(?= [a-z])", text, re.IGNORECASE)
                if match:
                    yield text[: match.start()] + match[0].split()[0].split("n'")[0] + text[match.end() :], text
    match = re.search(r"\b(is|are|was|were|does|did|has|have|will|would)\b(?! n[o']t)(?= [a-z])", text)
    if match:
        yield f"{text[: match.start()]}{match[1]}n't{text[match.end() :]}", text


def lead_hostile(text: str, rng: Random) -> Iterator[Pair]:
    """`Allegedly,` and its like left out."""
    if (
        re.match(r"(?:The|A|An|It|He|She|They|We|This|These|[A-Z][a-z]+ (?:is|was|has|had)) ?", text)
        and "," not in text[:25]
    ):
        yield text, f"{rng.choice(TAKING_BACK)} {lower(text)}"


def aside_hostile(text: str, rng: Random) -> Iterator[Pair]:
    """A remark left out that takes the sentence back, or bounds it."""
    named = re.match(r"(The [a-z]+|[A-Z][a-z]+(?: [A-Z][a-z]+)?) (?=(?:is|was|has|had|were|are|will|became) )", text)
    if named:
        yield text, f"{named[1]}, {rng.choice(HOSTILE_ASIDES)}, {text[named.end() :]}"
    match = re.search(r"\b([Tt]he [a-z]+s) (?:that|who) ([^,.]{8,60}?) (?=(?:were|are|have|had|will) )", text)
    if match:
        yield f"{text[: match.end(1)]} {text[match.end() :]}", text


def relative_hostile(text: str) -> Iterator[Pair]:
    """What picks out a part made a remark on all, and a remark on all left to pick."""
    for match in re.finditer(
        r"(?<=[a-z]s) (which|that|who) ((?:are|were|have|had) [^,.]{8,60}?) (?=(?:are|were|have|will) )", text
    ):
        word = "who" if match[1] == "who" else "which"
        yield f"{text[: match.start()]}, {word} {match[2]}, {text[match.end() :]}", text


def figures_hostile(text: str) -> Iterator[Pair]:
    """The comma, the scale or a digit moved."""
    for match in re.finditer(r"(?<![\w.,$€£-])(\d{1,3}),(\d{3})(?![\w,]|\.\d)", text):
        yield f"{text[: match.start()]}{match[1]}.{match[2]}{text[match.end() :]}", text
        yield f"{text[: match.start()]}{match[1]}0,{match[2]}{text[match.end() :]}", text
    for match in re.finditer(r"(\d) (million|billion)\b", text):
        other = "billion" if match[2] == "million" else "million"
        yield f"{text[: match.start(2)]}{other}{text[match.end() :]}", text
    for match in re.finditer(r"\b(1[3-9])\b(?! [A-Z])(?![,.]\d)", text):
        yield f"{text[: match.start()]}{match[1][1]}0{text[match.end() :]}", text


def abbreviation_hostile(text: str) -> Iterator[Pair]:
    """Another body's letters."""
    for match in SHORT_FORM.finditer(text):
        letters = match[2]
        other = letters[:-1] + chr((ord(letters[-1]) - 60) % 26 + 65)
        yield f"{text[: match.start()]}{other}{text[match.end() :]}", text
    for one, other in (
        ("U.S.", "U.K."),
        ("US", "UK"),
        ("United States", "UK"),
        ("EU", "UN"),
        ("UN", "EU"),
        ("NATO", "NASA"),
    ):
        match = re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)
        if match:
            yield text[: match.start()] + other + text[match.end() :], text


def dates_hostile(text: str) -> Iterator[Pair]:
    """Day and month exchanged, or another year."""
    for match in re.finditer(rf"\b(?:(\d{{1,2}}) ({MONTH})|({MONTH}) (\d{{1,2}}),) (\d{{4}})\b,?", text):
        day, month, year = int(match[1] or match[4]), match[2] or match[3], match[5]
        if day <= 12 and MONTHS[day - 1] != month:
            yield (
                f"{text[: match.start()]}{MONTHS.index(month) + 1} {MONTHS[day - 1]} {year}{text[match.end() :]}",
                text,
            )
        yield f"{text[: match.start()]}{day} {month} {int(year) + 10}{text[match.end() :]}", text


def marks_hostile(text: str) -> Iterator[Pair]:
    """An item of a list or a mark of quotation lost, where that changes who or what is meant."""
    match = re.search(r"\b(?:only|no|not|never|neither|without) [^,.]{3,60}, ([a-z]+) (?:and|or) ", text)
    if match:
        yield text[: match.start(1) - 2] + text[match.end(1) :], text
    match = re.search(r"\b([A-Z][a-z]+), ([A-Z][a-z]+),? and ([A-Z][a-z]+)\b", text)
    if match:
        yield text[: match.start()] + f"{match[1]} {match[2]} and {match[3]}" + text[match.end() :], text
        yield text[: match.start()] + f"{match[1]}, {match[2]} or {match[3]}" + text[match.end() :], text
