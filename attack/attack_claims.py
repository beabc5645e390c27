"""False claims beside quotes that nearly say them: exchanged words, units, numbers; pages that take their words back.

The words used here are not those the judge knows: it is measured on what it was not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from campaign import SOURCE, Attempt

ALLOWED = {"exchanged word": 0.03, "opposite": 0.03, "unit": 0.03, "taken back after": 0.1, "taken back before": 0.1}
_TEXT = SOURCE.parent / "bench" / "judge_text.txt"
_WORD = re.compile(r"(?<![\w'’-])[A-Za-z]{4,}(?![\w'’-])")
_COMMON = frozenset(
    "about above after again against along also although among another because been before being below between both "
    "could does down during each every from have here however into itself just less like made make many might more "
    "most much must never only other over same shall should since some such than that their them then there these they "
    "this those through under until upon very were what when where which while whose will with within without would "
    "your".split()
)
_OPPOSITES = [
    pair.split("/")
    for pair in (
        "approved/vetoed upheld/quashed barred/entitled hotter/denser won/forfeited opened/shuttered hired/dismissed "
        "praised/condemned doubled/vanished strengthened/eroded ratified/denounced acquitted/convicted "
        "survived/perished expanded/dwindled solvent/bankrupt vertical/horizontal voluntary/compulsory "
        "domestic/foreign edible/poisonous transparent/opaque male/herbivorous oldest/newest permitted/outlawed "
        "launched/scrapped recovered/relapsed profit/deficit surplus/shortage victory/rout ascent/descent ally/rival "
        "creditor/debtor employer/employee teacher/apprentice victim/culprit plaintiff/defendant buyer/vendor "
        "landlord/tenant predator/prey"
    ).split()
]
_FRAMES = (
    "The committee {} the plan last spring.", "Officials said the northern branch was {} in 2014.",
    "The {} side of the valley is home to nine villages.", "The museum describes the object as {}.",
    "In the final report the engineers called the structure {}.", "Its {} was recorded in the city archive.",
)  # fmt: skip
_UNITS = [
    group.split()
    for group in (
        "kWh MWh GWh Wh", "Mbps Gbps kbps", "mg µg g kg", "mL L dL", "kPa MPa bar psi", "°C °F K", "km/h mph m/s",
        "µm nm mm", "kJ kcal MJ", "ppm ppb", "MiB GiB KiB", "dB Pa", "lumens candela", "newtons joules",
        "acres hectares",
        "euros dollars yen", "weeks months years", "grams ounces", "kV V mV", "mSv Sv", "tonnes kilos",
    )
]  # fmt: skip
_MEASURED = ("The station reported {} {}.", "Each unit is rated at {} {}.", "The limit was set to {} {} in 2012.")
_AFTER = (
    "None of that is accurate.", "Every word of this was invented.", "The paragraph above is untrue.",
    "Later checks showed that this was mistaken.", "This assertion has since been disproven.", "That was a hoax.",
    "The article has been retracted.", "It was a prank.", "This is not the case.", "Nobody could confirm this.",
    "The statement is baseless.", "All of this is made up.", "This is misinformation.", "The findings were fabricated.",
)  # fmt: skip
_BEFORE = (
    "Examples of false statements:", "Myths:", "Untrue, but often repeated:", "Suppose the following.",
    "A fictional scenario:", "Dummy text:", "Sample sentences for testing:", "Satirical news:",
    "In this novel, nothing is real.",
    "The following sentences are not true.", "Imagine this:", "Common misconceptions:",
    "In the video game, the world differs.",
)  # fmt: skip
_INSIDE = (
    ("There is no proof that ", ""), ("It is doubtful whether ", ""), ("Opponents allege that ", ""),
    ("", ", if the rumours are right"),
    ("", ", which is false"), ("Nobody believes that ", ""), ("It is untrue that ", ""), ("She dreamed that ", ""),
    ("", " unless the law changes"), ("Few accept that ", ""),
)  # fmt: skip


def _sentences() -> list[str]:
    text = _TEXT.read_text(encoding="utf-8")
    found = [sentence.strip() for sentence in re.split(r"(?<=[.!?])\s+", text)]
    return [one for one in found if one.endswith(".") and 6 <= len(one.split()) <= 26 and one[0].isupper()]


def _exchanged(random: Random, sentences: list[str], many: int) -> Iterator[tuple[str, str]]:
    pool: dict[tuple[bool, str], list[str]] = {}
    for sentence in sentences:
        for match in list(_WORD.finditer(sentence))[1:]:
            if match[0].lower() not in _COMMON:
                pool.setdefault(_shape(match[0]), []).append(match[0])
    while many:
        sentence = random.choice(sentences)
        places = [m for m in _WORD.finditer(sentence) if m.start() and m[0].lower() not in _COMMON]
        if not places:
            continue
        place = random.choice(places)
        other = random.choice(pool.get(_shape(place[0]), ["turbines"]))
        if other.lower()[:4] == place[0].lower()[:4] or other.lower() in sentence.lower():
            continue
        many -= 1
        yield sentence[: place.start()] + other + sentence[place.end() :], sentence


def _shape(word: str) -> tuple[bool, str]:
    return word[0].isupper(), next((end for end in ("ing", "ed", "ly", "tion", "s") if word.endswith(end)), "")


def attempts(random: Random, scratch: Path, brief: bool) -> Iterator[Attempt]:
    """Each claim is false for its quote, or the page around it takes it back: anything but low is a success."""
    from pincite.judge.model import QuotedEvidence
    from pincite.judge.offline import Offline

    judge = Offline()
    sentences = _sentences()

    def tried(kind: str, claim: str, quoted: QuotedEvidence) -> Attempt:
        found = judge.assess(claim, quoted)
        rule = found.reasons[0].rule if found.reasons else ""
        return Attempt(kind, claim, found.level == "low", f"{found.level} ({rule}): {quoted}")

    for claim, sentence in _exchanged(random, sentences, 300 if brief else 4_000):
        yield tried("exchanged word", claim, QuotedEvidence(sentence))
    for one, other in _OPPOSITES:
        for frame in _FRAMES[:2] if brief else _FRAMES:
            yield tried("opposite", frame.format(other), QuotedEvidence(frame.format(one)))
            yield tried("opposite", frame.format(one), QuotedEvidence(frame.format(other)))
    for group in _UNITS:
        for one in group:
            for other in group:
                for frame in _MEASURED[:1] if brief else _MEASURED:
                    number = random.choice((3, 12, 40, 2.5, 700))
                    if one != other:
                        yield tried("unit", frame.format(number, other), QuotedEvidence(frame.format(number, one)))
    for sentence in random.sample(sentences, min(len(sentences), 20 if brief else 150)):
        for after in _AFTER:
            yield tried("taken back after", sentence, QuotedEvidence(sentence, after=f" {after}"))
        for before in _BEFORE:
            yield tried("taken back before", sentence, QuotedEvidence(sentence, before=f"{before}\n"))
        part = sentence[:-1]
        part = part[0].lower() + part[1:] if part.split()[0].lower() in ("the", "a", "an", "in", "it") else part
        for before, after in _INSIDE:
            yield tried("part of a sentence", sentence, QuotedEvidence(part, before=before, after=f"{after}."))
