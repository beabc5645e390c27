"""Everyday edits of real sentences: those that keep the meaning, and for each kind those that only look like it.

    python bench/everyday.py FILE... [--most N] [--seed N] [--show]

A file is JSONL with `evidence`, or plain text with a blank line between pieces. Each kind of edit is measured twice: how
often the judge calls the harmless edits *high*, and how often the hostile ones, which make the same movement and change
what is said. The words here are not those of the judge: what it knows must not decide what it is asked.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from everyday_words import (
    ABBREVIATED,
    ASIDES,
    BRITISH,
    CLOSED,
    COMPOUNDS,
    HOSTILE_ASIDES,
    LEADS,
    LOOKALIKES,
    MONTHS,
    PREFIXES,
    SHORT,
    TAKING_BACK,
    WORDS,
)
from perturb import evidences_of, sentences

from pincite.ground.offline import Offline

Pair = tuple[str, str]
"""A claim and its quote."""
_MONTH = "|".join(MONTHS)
_CLAUSE = re.compile(
    r"\b(?:that|which|who|whose|when|while|because|if|unless|although|though|but|before|after|until|since|where|as|said"
    r"|says|told|than|whether|to|so|how|and|or|not|no|never|only|n['’]t|might|may|would|could|should|claimed|claims|planned|expected"
    r"|according)\b|n['’]t\b|[;:()\"“”]",
    re.IGNORECASE,
)
_TIME = rf"(?:in|on|by|since|during) (?:(?:early|late|mid) )?(?:\d{{4}}|(?:{_MONTH})(?: \d{{1,2}})?(?:,? \d{{4}})?|\d{{1,2}} (?:{_MONTH})(?: \d{{4}})?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)"


def _lower(text: str) -> str:
    """A sentence's beginning as it stands inside one; names keep their capital."""
    first = text.split(" ", 1)[0]
    common = first in ("The", "A", "An", "It", "He", "She", "They", "We", "This", "These", "Its", "His", "Her", "Their")
    return text[0].lower() + text[1:] if common else text


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _swap(text: str, table: dict[str, str]) -> Iterator[str]:
    for match in re.finditer(r"(?<![\w'’-])[A-Za-z]+(?:[ -][a-z]+)?(?![\w'’-])", text):
        for word in (match[0], match[0].split(" ")[0]):
            other = table.get(word.lower())
            if other:
                new = _upper(other) if word[0].isupper() else other
                yield text[: match.start()] + new + text[match.start() + len(word) :]


def spelling(text: str) -> Iterator[Pair]:
    """`colour` and `color`."""
    for claim in _swap(text, BRITISH):
        yield claim, text


def spelling_hostile(text: str) -> Iterator[Pair]:
    """`county` for `country`."""
    for claim in _swap(text, LOOKALIKES):
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
        if match[1] in COMPOUNDS and match[2] in ("term", "known", "time", "scale", "year", "level", "quality", "based"):
            yield f"{text[: match.start()]}{match[1]}-{match[2]}{text[match.end() :]}", text


def hyphens_hostile(text: str) -> Iterator[Pair]:
    """`profit` for `non-profit`, and the other way round."""
    for match in re.finditer(r"(?<![\w-])([A-Za-z]+)-(?=[a-z]{3,})", text):
        if match[1].lower() in PREFIXES:
            yield _upper(text[: match.start()] + text[match.end() :]), text
    for match in re.finditer(r"\b(?:the|a) (?=(?:members?|leaders?|president|wife|husband|native|profit|violent)\b)", text):
        prefix = "non-" if re.match(r"native|profit|violent|members?", text[match.end() :]) else "ex-"
        yield f"{text[: match.end()]}{prefix}{text[match.end() :]}", text


def percent(text: str) -> Iterator[Pair]:
    """`10 %`, `10%`, `10 percent`, `10 per cent`, `ten percent`."""
    for match in re.finditer(r"(?<![\w.,-])(\d+(?:\.\d+)?)( ?%| percent| per cent)(?![\w-]| point)", text):
        for new in ("%", " %", " percent", " per cent", " pct"):
            if new != match[2]:
                yield text[: match.start()] + match[1] + new + text[match.end() :], text
        if match[1] in WORDS:
            yield f"{text[: match.start()]}{WORDS[match[1]]} percent{text[match.end() :]}", text


def percent_hostile(text: str) -> Iterator[Pair]:
    """`10 percentage points`, `1.0 %` for `10 %`."""
    for match in re.finditer(r"(?<![\w.,-])(\d+(?:\.\d+)?)( ?%| percent| per cent)(?![\w-]| point)", text):
        yield f"{text[: match.start()]}{match[1]} percentage points{text[match.end() :]}", text
        yield f"{text[: match.start()]}{match[1]}0 percent{text[match.end() :]}", text
        yield text[: match.start()] + match[1] + text[match.end() :], text


_OWNED = re.compile(r"\b([Tt]he) ([a-z]+)['’]s ((?:new |own )?[a-z]{4,})(?=[.,]| (?:is|are|was|were|in|on|at|for|has|had)\b)")
_OF = re.compile(r"\b([Tt]he) ([a-z]{4,}) of the ([a-z]{4,})(?=[.,]| (?:is|are|was|were|in|on|at|for|has|had)\b)")
_QUANTITIES = "number|rest|part|most|half|majority|group|end|top|kind|type|form|beginning|middle|one|some|all|percent|lack|north|south|east|west"


def genitive(text: str) -> Iterator[Pair]:
    """`the company's profit` and `the profit of the company`."""
    for match in _OWNED.finditer(text):
        if " own" not in match[0]:
            yield f"{text[: match.start()]}{match[1]} {match[3]} of the {match[2]}{text[match.end() :]}", text
    for match in _OF.finditer(text):
        if not re.fullmatch(_QUANTITIES, match[2]) and not match[3].endswith("s"):
            yield f"{text[: match.start()]}{match[1]} {match[3]}'s {match[2]}{text[match.end() :]}", text


def genitive_hostile(text: str) -> Iterator[Pair]:
    """`the company of the profit`: who has what is exchanged."""
    for match in _OWNED.finditer(text):
        yield f"{text[: match.start()]}{match[1]} {match[2]} of the {match[3]}{text[match.end() :]}", text
        yield f"{text[: match.start()]}{match[1]} {match[3]}'s {match[2]}{text[match.end() :]}", text
    for match in _OF.finditer(text):
        yield f"{text[: match.start()]}{match[1]} {match[3]} of the {match[2]}{text[match.end() :]}", text
        yield f"{text[: match.start()]}{match[1]} {match[2]}'s {match[3]}{text[match.end() :]}", text


def adverbial(text: str) -> Iterator[Pair]:
    """`In 2019, X did Y` and `X did Y in 2019`, in a sentence of one clause."""
    first = re.match(rf"{_TIME},? (?=[A-Z\w])", text, re.IGNORECASE)
    if first:
        rest = text[first.end() :]
        if not _CLAUSE.search(rest) and "," not in rest and not re.search(r"\d{4}|day\b", rest):
            when = first[0].strip(" ,")
            yield f"{_upper(rest[:-1])} {when[0].lower()}{when[1:]}.", text
            if "," in first[0]:
                yield text.replace(",", "", 1) if first[0].count(",") == 1 else text, text
    last = re.search(rf" ({_TIME})\.$", text)
    if last and not _CLAUSE.search(text[: last.start()]) and "," not in text[: last.start()]:
        if not re.search(r"\d{4}|day\b| of$", text[: last.start()]):
            yield f"{_upper(last[1])}, {_lower(text[: last.start()])}.", text


def adverbial_hostile(text: str) -> Iterator[Pair]:
    """The time of one clause said of another, or of what is denied."""
    first = re.match(rf"{_TIME}, (?=[A-Z\w])", text, re.IGNORECASE)
    inner = r"\b(?:said|says|announced|that|which|who|because|before|after|until|while|when|but|not)\b"
    if first:
        rest = text[first.end() :]
        when = first[0].strip(" ,")
        if re.search(inner, rest) and not re.search(r"\d{4}", rest):
            yield f"{_upper(rest[:-1])} {when[0].lower()}{when[1:]}.", text
    last = re.search(rf" ({_TIME})\.$", text)
    if last and re.search(inner, text[: last.start()]):
        yield f"{_upper(last[1])}, {_lower(text[: last.start()])}.", text


def contraction(text: str) -> Iterator[Pair]:
    """`do not` and `don't`."""
    for long, short in SHORT:
        for one, other in ((long, short), (short, long)):
            match = re.search(rf"\b{one}\b(?= [a-z])", text, re.IGNORECASE)
            if match and not (one == "it's" and re.match(r" (?:been|had|\w+ed\b)", text[match.end() :])):
                new = _upper(other) if match[0][0].isupper() else other
                yield text[: match.start()] + new + text[match.end() :], text


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


def lead(text: str, rng: Random) -> Iterator[Pair]:
    """`Notably,` and its like left out."""
    if re.match(r"(?:The|A|An|It|He|She|They|We|This|These|[A-Z][a-z]+ (?:is|was|has|had)) ?", text) and "," not in text[:25]:
        yield text, f"{rng.choice(LEADS)} {_lower(text)}"
    for match in re.finditer(r", (?:however|therefore|for example|of course|in fact|too|moreover|indeed|though), ", text):
        yield f"{text[: match.start()]} {text[match.end() :]}", text


def lead_hostile(text: str, rng: Random) -> Iterator[Pair]:
    """`Allegedly,` and its like left out."""
    if re.match(r"(?:The|A|An|It|He|She|They|We|This|These|[A-Z][a-z]+ (?:is|was|has|had)) ?", text) and "," not in text[:25]:
        yield text, f"{rng.choice(TAKING_BACK)} {_lower(text)}"


def aside(text: str, rng: Random) -> Iterator[Pair]:
    """`, which is …,` left out."""
    match = re.search(r", which (?:is|are|was|were|has|have|had|lies|began|opened|includes|can) [^,]{8,80}(?:, (?=[a-z])|\.$)", text)
    barred = r"\b(?:not|no|only|if|unless|until|may|might|could|would|claims?|claimed|said|alleged\w*|believed|or|but|n't)\b"
    if match and not re.search(barred, match[0]):
        yield f"{text[: match.start()]}{'.' if match[0].endswith('.') else ' '}{text[match.end() :]}".strip(), text
    named = re.match(r"(The [a-z]+|[A-Z][a-z]+(?: [A-Z][a-z]+)?) (?=(?:is|was|has|had|were|are|will|became) )", text)
    if named and not re.search(r"\b(?:not|no|only|all|n't)\b", text):
        yield text, f"{named[1]}, {rng.choice(ASIDES)}, {text[named.end() :]}"


def aside_hostile(text: str, rng: Random) -> Iterator[Pair]:
    """A remark left out that takes the sentence back, or bounds it."""
    named = re.match(r"(The [a-z]+|[A-Z][a-z]+(?: [A-Z][a-z]+)?) (?=(?:is|was|has|had|were|are|will|became) )", text)
    if named:
        yield text, f"{named[1]}, {rng.choice(HOSTILE_ASIDES)}, {text[named.end() :]}"
    match = re.search(r"\b([Tt]he [a-z]+s) (?:that|who) ([^,.]{8,60}?) (?=(?:were|are|have|had|will) )", text)
    if match:
        yield f"{text[: match.end(1)]} {text[match.end() :]}", text


def relative(text: str) -> Iterator[Pair]:
    """`which` and `that`, where the clause says which one is meant."""
    for match in re.finditer(r"(?<=[a-z]) (which|that) (?=(?:is|are|was|were|has|have|had|can|will|[a-z]{3,}(?:ed|es)) )", text):
        if re.search(r"\b(?:said|says|so|show\w*|found|believe\w*|of|in|for|to|on|from|by|with|at|fact|claims?|is|was|ensure|say|added|told \w+|mean\w*|and|all|think|know\w*|suggest\w*|hope\w*|evidence|clear|likely|decided)$", text[: match.start()]):
            continue
        yield f"{text[: match.start()]} {'that' if match[1] == 'which' else 'which'} {text[match.end() :]}", text


def relative_hostile(text: str) -> Iterator[Pair]:
    """What picks out a part made a remark on all, and a remark on all left to pick."""
    for match in re.finditer(r"(?<=[a-z]s) (which|that|who) ((?:are|were|have|had) [^,.]{8,60}?) (?=(?:are|were|have|will) )", text):
        word = "who" if match[1] == "who" else "which"
        yield f"{text[: match.start()]}, {word} {match[2]}, {text[match.end() :]}", text


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
        dated = re.match(rf" (?:of )?(?:{_MONTH})\b", text[match.end() :], re.IGNORECASE) or _upper(before[0]) in MONTHS
        if match[1] in WORDS and not dated and not before[0][:1].isupper() and before[0] not in ("of", "to", "and", "$"):
            yield text[: match.start()] + WORDS[match[1]] + text[match.end() :], text


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


_SHORT_FORM = re.compile(r"\b((?:[A-Z][a-z]+ (?:(?:of|for|and|the) )*){1,5}[A-Z][a-z]+) \(([A-Z]{2,6})\)")


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split() if word[0].isupper())


def abbreviation(text: str) -> Iterator[Pair]:
    """`World Health Organization (WHO)` as one or the other."""
    for match in _SHORT_FORM.finditer(text):
        words = match[1].split()
        while words and _initials(" ".join(words)) != match[2]:
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


def abbreviation_hostile(text: str) -> Iterator[Pair]:
    """Another body's letters."""
    for match in _SHORT_FORM.finditer(text):
        letters = match[2]
        other = letters[:-1] + chr((ord(letters[-1]) - 60) % 26 + 65)
        yield f"{text[: match.start()]}{other}{text[match.end() :]}", text
    for one, other in (("U.S.", "U.K."), ("US", "UK"), ("United States", "UK"), ("EU", "UN"), ("UN", "EU"), ("NATO", "NASA")):
        match = re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)
        if match:
            yield text[: match.start()] + other + text[match.end() :], text


def dates(text: str) -> Iterator[Pair]:
    """`14 March 2026`, `March 14, 2026`, `14th of March 2026`, `Mar. 14, 2026`."""
    for match in re.finditer(rf"\b(?:(\d{{1,2}}) ({_MONTH})|({_MONTH}) (\d{{1,2}}),) (\d{{4}})\b,?", text):
        day, month, year = match[1] or match[4], match[2] or match[3], match[5]
        forms = (f"{day} {month} {year}", f"{month} {day}, {year}", f"{day}th of {month} {year}", f"{month[:3]}. {day}, {year}")
        for form in forms:
            if form not in match[0] and not ("th of" in form and day[-1] in "123"):
                yield text[: match.start()] + form + text[match.end() :], text


def dates_hostile(text: str) -> Iterator[Pair]:
    """Day and month exchanged, or another year."""
    for match in re.finditer(rf"\b(?:(\d{{1,2}}) ({_MONTH})|({_MONTH}) (\d{{1,2}}),) (\d{{4}})\b,?", text):
        day, month, year = int(match[1] or match[4]), match[2] or match[3], match[5]
        if day <= 12 and MONTHS[day - 1] != month:
            yield f"{text[: match.start()]}{MONTHS.index(month) + 1} {MONTHS[day - 1]} {year}{text[match.end() :]}", text
        yield f"{text[: match.start()]}{day} {month} {int(year) + 10}{text[match.end() :]}", text


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


def marks_hostile(text: str) -> Iterator[Pair]:
    """An item of a list or a mark of quotation lost, where that changes who or what is meant."""
    match = re.search(r"\b(?:only|no|not|never|neither|without) [^,.]{3,60}, ([a-z]+) (?:and|or) ", text)
    if match:
        yield text[: match.start(1) - 2] + text[match.end(1) :], text
    match = re.search(r"\b([A-Z][a-z]+), ([A-Z][a-z]+),? and ([A-Z][a-z]+)\b", text)
    if match:
        yield text[: match.start()] + f"{match[1]} {match[2]} and {match[3]}" + text[match.end() :], text
        yield text[: match.start()] + f"{match[1]}, {match[2]} or {match[3]}" + text[match.end() :], text


KINDS: dict[str, tuple[Callable[..., Iterator[Pair]], Callable[..., Iterator[Pair]]]] = {
    "spelling": (spelling, spelling_hostile),
    "hyphens": (hyphens, hyphens_hostile),
    "percent": (percent, percent_hostile),
    "genitive": (genitive, genitive_hostile),
    "moved time": (adverbial, adverbial_hostile),
    "contraction": (contraction, contraction_hostile),
    "leading phrase dropped": (lead, lead_hostile),
    "which clause dropped": (aside, aside_hostile),
    "which and that": (relative, relative_hostile),
    "figures": (figures, figures_hostile),
    "abbreviation": (abbreviation, abbreviation_hostile),
    "dates": (dates, dates_hostile),
    "marks": (marks, marks_hostile),
}
_RANDOM = (lead, lead_hostile, aside, aside_hostile)


def made(texts: list[str], most: int, seed: int) -> dict[str, tuple[list[Pair], list[Pair]]]:
    """Harmless and hostile edits by kind, of each sentence at most one of a kind."""
    rng = Random(seed)
    stated = list(dict.fromkeys(one for text in texts for one in sentences(" ".join(text.split()))))
    rng.shuffle(stated)
    found: dict[str, tuple[list[Pair], list[Pair]]] = defaultdict(lambda: ([], []))
    for text in stated:
        for kind, makers in KINDS.items():
            for maker, kept in zip(makers, found[kind], strict=True):
                if len(kept) < most:
                    ways = list(maker(text, rng)) if maker in _RANDOM else list(maker(text))
                    ways = [way for way in ways if way[0] != way[1]]
                    kept += [rng.choice(ways)] if ways else []
    return found


def main() -> int:
    """Measure and print; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--most", type=int, default=60, help="edits of each kind at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what was answered wrongly")
    given = parser.parse_args()
    judge = Offline()
    totals = [[0, 0], [0, 0]]
    print("| kind | harmless | high | hostile | high |\n|---|---:|---:|---:|---:|")
    texts = [text for path in given.files for text in evidences_of(path)]
    wrong: list[str] = []
    for kind, sides in made(texts, given.most, given.seed).items():
        cells = []
        for side, pairs in enumerate(sides):
            answers = [judge.assess(claim, quote) for claim, quote in pairs]
            high = sum(answer.level == "high" for answer in answers)
            totals[side][0] += len(pairs)
            totals[side][1] += high
            cells += [str(len(pairs)), f"{100 * high / max(1, len(pairs)):.1f} %"]
            for (claim, quote), answer in zip(pairs, answers, strict=True):
                if (answer.level == "high") is bool(side):
                    rule = answer.reasons[0].rule if answer.reasons else ""
                    wrong.append(f"{kind}, {'hostile' if side else 'harmless'}: {answer.level} ({rule})\n  C {claim}\n  Q {quote}")
        print(f"| {kind} | {' | '.join(cells)} |")
    shares = [100 * high / max(1, many) for many, high in totals]
    print(f"| all | {totals[0][0]} | {shares[0]:.1f} % | {totals[1][0]} | {shares[1]:.1f} % |")
    if given.show:
        print("\n".join(wrong))
    return 1 if shares[0] < 95 or shares[1] > 0.5 else 0


if __name__ == "__main__":
    sys.exit(main())
