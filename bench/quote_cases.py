"""Quotes whose answer is known: taken word for word, changed in one place, put together from two, or made up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from quote_letters import change, take
from quote_pdfs import NAMES, UNITS, Paper, sentence

_DIGIT = re.compile(r"\d")
_SPACE = re.compile(r"\s+")
_POWER = re.compile("[⁰¹²³⁴-⁹]+")
_ON_NUMBER = re.compile("(?<=[0-9])[⁰¹²³⁴-⁹]")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_TURNED = {
    "not": "",
    "never": "",
    "no": "a",
    "cannot": "can",
    "didn’t": "did",
    "without": "with",
    "neither": "both",
    "unstable": "stable",
    "inflexible": "flexible",
    "unaffected": "affected",
    "stable": "unstable",
}
_VERBS = ("is", "was", "are", "can", "could", "will", "should", "must", "may")


class Case(NamedTuple):
    """A quote, what it is, and the pages it stands on, counted from 0; -1 where on none."""

    kind: str
    quote: str
    first: int = -1
    last: int = -1
    how: str = ""


def number(words: list[str], random: Random) -> list[str] | None:
    """Another digit, a digit more, a point for a comma, a sign or a unit lost."""
    places = [at for at, word in enumerate(words) if _DIGIT.search(word)]
    if not places:
        return None
    at = random.choice(places)
    word = words[at]
    digits = [place for place, sign in enumerate(word) if sign.isdecimal()]
    place = random.choice(digits)
    other = str((int(word[place]) + random.randint(1, 9)) % 10)
    ways = [word[:place] + other + word[place + 1 :], word[:place] + other + word[place:]]
    if "," in word[:-1]:
        ways.append(word.replace(",", ".", 1))
    if "." in word[:-1]:
        ways.append(word.replace(".", "", 1))
    if _ON_NUMBER.search(word):
        # Behind a word or a full stop it is the sign of a note, which a quote may leave out.
        ways += [_POWER.sub("", word), word.translate(_LOWERED), _POWER.sub("⁵" if "⁵" not in word else "⁶", word)] * 2
    if "−" in word:
        ways.append(word.replace("−", ""))
    changed = [*words[:at], random.choice(ways), *words[at + 1 :]]
    if at + 1 < len(words) and words[at + 1] in UNITS and random.random() < 0.3:
        changed[at], changed[at + 1] = word, random.choice([unit for unit in UNITS if unit != words[at + 1]])
    return changed


def negation(words: list[str], random: Random) -> list[str] | None:
    """A negation dropped, or one put in."""
    places = [at for at, word in enumerate(words) if word in _TURNED and 0 < at < len(words) - 1]
    verbs = [at for at, word in enumerate(words[:-1]) if word in _VERBS and words[at + 1] != "not"]
    if places and (not verbs or random.random() < 0.8):
        at = random.choice(places)
        return [*words[:at], *filter(None, [_TURNED[words[at]]]), *words[at + 1 :]]
    if verbs:
        at = random.choice(verbs)
        return [*words[: at + 1], "not", *words[at + 1 :]]
    return None


def name(words: list[str], random: Random) -> list[str] | None:
    """Another name, or the same with one letter changed."""
    places = [
        at
        for at, word in enumerate(words)
        if at and word[:1].isupper() and word[1:].islower() and len(word) > 3 and words[at - 1][-1:] not in ".!?:"
    ]
    if not places:
        return None
    at = random.choice(places)
    word = words[at]
    place = random.randint(1, len(word) - 1)
    letter = random.choice([sign for sign in "aeiouy" if sign != word[place]])
    new = random.choice(
        [random.choice([one for one in NAMES if one != word]), word[:place] + letter + word[place + 1 :]]
    )
    return [*words[:at], new, *words[at + 1 :]]


def wording(words: list[str], random: Random) -> list[str] | None:
    """A word dropped, doubled, or two changed about."""
    at = random.randint(1, len(words) - 3)
    # Words may be missing where an ellipsis stands, also where it is the paper's own.
    if words[at] == words[at + 1] or any("..." in word or "…" in word for word in words):
        return None
    return random.choice(
        [
            [*words[:at], *words[at + 1 :]],
            [*words[:at], "very", *words[at:]],
            [*words[:at], words[at + 1], words[at], *words[at + 2 :]],
        ]
    )


CHANGES: tuple[tuple[str, Callable[[list[str], Random], list[str] | None]], ...] = (
    ("number", number),
    ("negation", negation),
    ("name", name),
    ("wording", wording),
)


def plain(text: str) -> str:
    """A text on one line."""
    return _SPACE.sub(" ", text).strip()


def dressed(quote: str, random: Random) -> str:
    """The quote as a person would type it: straight quotes and hyphens, or as they stand, perhaps over two lines."""
    if random.random() < 0.5:
        quote = quote.replace("“", '"').replace("”", '"').replace("’", "'").replace("−", "-")
    if random.random() < 0.2:
        at = quote.find(" ", len(quote) // 2)
        quote = f"{quote[:at]}\n{quote[at + 1 :]}" if at > 0 else quote
    if random.random() < 0.1 and quote[-1:].isalpha():
        quote += random.choice(",.")
    return quote


def changed(
    truth: str, spans: Callable[[], tuple[list[str], int, int] | None], count: int, random: Random
) -> Iterator[Case]:
    """Quotes with one change that stand nowhere in the text."""
    for at in range(count):
        how, change = CHANGES[at % len(CHANGES)]
        for _ in range(40):
            span = spans()
            new = change(span[0], random) if span else None
            if span is None or new is None or " ".join(new) in truth:
                continue
            yield Case("altered", dressed(" ".join(new), random), span[1], span[2], how)
            break


def planted(paper: Paper, count: int, random: Random) -> Iterator[Case]:
    """Quotes from a made paper, by what its author wrote; those across pages and columns are not left out."""
    texts = [word.text for word in paper.words]
    truth = " ".join(texts)
    breaks = [at for at in range(1, len(texts)) if paper.pages[at] != paper.pages[at - 1]]

    def span() -> tuple[list[str], int, int] | None:
        size = random.randint(6, 45)
        start = random.randrange(max(1, len(texts) - size))
        if random.random() < 0.25 and breaks:
            start = max(0, random.choice(breaks) - random.randint(2, size - 2))
        end = min(len(texts), start + size)
        while paper.words[end - 1].paragraph != paper.words[start].paragraph:
            end -= 1
        if end - start < 6 or not texts[start][-1:].isalnum():
            return None
        return texts[start:end], paper.pages[start], paper.pages[end - 1]

    made = 0
    while made < count * 2:
        found = span()
        if found is None or truth.count(" ".join(found[0])) != 1:
            continue
        kind = "verbatim" if made < count else "moved"
        yield Case(kind, dressed(" ".join(found[0]), random), found[1], found[2])
        made += 1
    yield from changed(truth, span, count * 3, random)
    yield from _elsewhere(truth, span, count // 2, random)


def _elsewhere(
    truth: str, spans: Callable[[], tuple[list[str], int, int] | None], count: int, random: Random
) -> Iterator[Case]:
    """Quotes put together from two places, and quotes that nobody wrote."""
    made = 0
    for _ in range(count * 200):
        one, other = spans(), spans()
        if one is None or other is None:
            continue
        first, second = one[0][:14], other[0][-14:]
        quote = " ".join([*first, *second])
        begins, goes_on = truth.find(" ".join(first)), truth.find(" ".join(second))
        if abs(begins - goes_on) > 600 and quote not in truth and abs(len(first) - len(second)) < 6:
            yield Case("stitched", dressed(quote, random), one[1], other[2])
            made += 1
            if made == count:
                break
    for _ in range(count):
        yield Case("absent", dressed(invented(random), random))


def invented(random: Random) -> str:
    """A sentence about other things."""
    text = sentence(random)
    for word, other in zip(
        ("the", "of", "report", "find", "showed", "that", "is", "which", "and", "by"),
        ("their", "beyond", "announce", "praise", "denied", "whether", "became", "who", "against", "near"),
        strict=True,
    ):
        text = re.sub(rf"\b{word}\b", other, text)
    words = text.split()
    random.shuffle(words)
    return " ".join(words)


def lettered(texts: Sequence[str]) -> Iterator[Case]:
    """Quotes in a script without spaces: the texts, their clauses, and each with one change."""
    for text in texts:
        yield from (Case("verbatim", quote, 0, 0) for quote in take(text))
        yield from (Case("altered", quote, 0, 0, how) for how, quote in change(text))


def blocks(count: int, random: Random) -> tuple[str, list[tuple[str, str]]]:
    """A text with words in quotation marks, and block quotes of it: kind, and how a document has them."""
    texts: list[str] = []
    for _ in range(count):
        words = sentence(random).split()
        at = random.randrange(1, max(2, len(words) - 3))
        size = random.randint(1, 3)
        texts.append(" ".join([*words[:at], "“" + " ".join(words[at : at + size]) + "”", *words[at + size :]]))
    made: list[tuple[str, str]] = []
    truth = " ".join(texts)
    for text in texts:
        made.append(("verbatim", _block(text, random)))
        for how, turn in CHANGES:
            new = turn(text.split(), random)
            if new is not None and " ".join(new) not in truth:
                made.append((how, _block(" ".join(new), random)))
        # Words that nobody wrote, around some that the paper has.
        known = text[text.index("“") : text.index("”") + 1]
        other = invented(random).split()
        at = len(other) // 2
        made.append(("invented", _block(" ".join([*other[:at], known, *other[at:]]), random)))
    return truth, made


def _block(text: str, random: Random) -> str:
    """A block quote in one of the ways to write it."""
    if random.random() < 0.5:
        text = text.replace("“", '"').replace("”", '"')
    ways = (
        f"> {text} [REF-001]",
        f"> {text}\n> — [REF-001]",
        f"> {text}\n\n— [REF-001]",
        f"As [REF-001] says:\n\n> {text}\n",
        f"- > {text} [REF-001]",
        f"> {text}[^1]\n\n[^1]: [REF-001]",
        f"<blockquote>\n<p>{text}</p>\n<footer>— [REF-001]</footer>\n</blockquote>",
    )
    return random.choice(ways)


def drawn(pages: Sequence[str], count: int, random: Random) -> Iterator[Case]:
    """Quotes from a paper that others made: all that is known of it is its text as extracted, page by page."""
    lines = [plain(re.sub("(?:\u00ad|(?<=\\w)\u2010)\\s*\n\\s*", "", page)) for page in pages]
    truth = plain(" ".join(lines))
    rich = [at for at, line in enumerate(lines) if len(re.findall(r"[a-z]{4,} [a-z]{2,} [a-z]{3,}", line)) > 20]
    if not rich:
        return

    def span() -> tuple[list[str], int, int] | None:
        page = random.choice(rich)
        words = lines[page].split(" ")
        size = random.randint(7, 40)
        start = random.randrange(max(1, len(words) - size - 12))
        run = words[start : start + size]
        prose = sum(1 for word in run if re.fullmatch(r"[A-Za-z][a-z’'-]*[.,;:]?", word))
        # Tables, rules of dots and formulas are not what anybody quotes.
        if len(run) < 7 or prose < len(run) * 0.85 or not run[-1][-1:].isalnum() or not run[0][:1].isalnum():
            return None
        return (run, page, page) if truth.count(" ".join(run)) == 1 else None

    made = tries = 0
    while made < count * 2 and tries < count * 200:
        tries += 1
        found = span()
        if found is not None:
            yield Case("verbatim" if made < count else "moved", dressed(" ".join(found[0]), random), *found[1:])
            made += 1
    if made:
        yield from changed(truth, span, count * 3, random)
        yield from _elsewhere(truth, span, count // 2, random)
