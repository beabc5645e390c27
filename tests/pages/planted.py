"""Quotes planted in real pages: what a reader sees comes from the standard library's parser, not from ours."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from html import escape
from html.parser import HTMLParser
from importlib.metadata import distributions
from random import Random
from typing import NamedTuple

_INLINE = frozenset(
    "a abbr acronym b big bdi bdo cite code data del dfn em font i img ins kbd mark s samp small span strike strong sub"
    " time tt u var wbr".split()
)
_UNSEEN = frozenset("script style title noscript template select textarea svg math object iframe video audio".split())
_PARAGRAPHS = frozenset("p li dd dt blockquote h1 h2 h3 h4 td".split())
_VOID = frozenset("img br hr meta link input wbr area base col embed source track".split())
_VERBS = ("is", "are", "was", "can", "will", "should", "must", "may", "has", "does")
_NAMES = ("Anders", "Beatrix", "Kowalski", "Oyelaran", "Tanaka")
_CURLY = str.maketrans({"'": "’", "-": "‑"})
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "‑": "-"})


class Planted(NamedTuple):
    """A quote, whether it stands there word for word, and how it was made."""

    quote: str
    verbatim: bool
    how: str


class _Seen(HTMLParser):
    """The paragraphs of a page, and the page again with its words dressed in other markup."""

    def __init__(self, random: Random) -> None:
        super().__init__(convert_charrefs=True)
        self.random = random
        self.paragraphs: list[str] = []
        self.out: list[str] = []
        self._open: list[str] = []
        self._text: list[str] = []
        self._kept = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.out.append(self.get_starttag_text() or "")
        if tag == "sup" or (tag == "img" and dict(attrs).get("alt")):
            self._kept = False
        if tag not in _INLINE:
            self._close()
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.out.append(f"</{tag}>")
        if tag not in _INLINE:
            self._close()
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if "script" in self._open or "style" in self._open:
            self.out.append(data)
            return
        holder = next((tag for tag in reversed(self._open) if tag not in _INLINE), "")
        prose = holder in _PARAGRAPHS and _UNSEEN.isdisjoint(self._open) and "code" not in self._open
        self.out.append("".join(self._dressed(data)) if prose else escape(data))
        if holder in _PARAGRAPHS and _UNSEEN.isdisjoint(self._open):
            self._text.append(data)

    def handle_comment(self, data: str) -> None:
        self.out.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.out.append(f"<!{decl}>")

    def _close(self) -> None:
        text = " ".join("".join(self._text).split())
        if text and self._kept:
            self.paragraphs.append(text)
        self._text, self._kept = [], True

    def _dressed(self, data: str) -> Iterator[str]:
        """The same words as a browser shows them, in other markup."""
        for word in re.split(r"(\s+)", data):
            chance = self.random.random()
            if chance > 0.25 or len(word) < 4 or not word.isalpha():
                yield escape(word)
                continue
            at = self.random.randrange(1, len(word) - 1)
            begin, end = word[:at], word[at:]
            yield self.random.choice(
                (
                    f"<b>{begin}</b>{end}",
                    f"{begin}<wbr>{end}",
                    f"{begin}&shy;{end}",
                    f"{begin}<!-- not -->{end}",
                    f'{word}<span hidden="">never</span>',
                    f'{word}<span style="display: none">not</span>',
                    f"{word}<script>var no = 1;</script>",
                    "".join(f"&#{ord(sign)};" for sign in word),
                    f"<em><span>{word}</span></em>",
                )
            )


def dress(html: str, random: Random) -> tuple[str, list[str]]:
    """A page in other markup that shows the same, and its paragraphs as the standard library's parser sees them."""
    seen = _Seen(random)
    seen.feed(html)
    seen.close()
    seen._close()
    return "".join(seen.out), seen.paragraphs


def readmes() -> Iterator[tuple[str, str]]:
    """The descriptions of the packages installed here as pages, by their names."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    for package in sorted(distributions(), key=lambda one: one.metadata["Name"] or ""):
        text = package.metadata.json.get("description")
        kind = package.metadata.json.get("description_content_type")
        if isinstance(text, str) and "markdown" in str(kind) and len(text) > 2000:
            yield package.metadata["Name"], f"<!doctype html><body>{markdown.render(text)}</body>"


def quotes(paragraphs: list[str], count: int, random: Random) -> Iterator[Planted]:
    """As many quotes word for word as altered ones."""
    truth = "\n".join(paragraphs)
    letters = _letters(truth)
    rich = [words for text in paragraphs if len(words := text.split()) >= 8]
    made = {True: 0, False: 0}
    for _ in range(count * 60 if rich else 0):
        words = random.choice(rich)
        size = random.randint(7, min(30, len(words) - 1))
        start = random.randrange(len(words) - size)
        run = words[start : start + size]
        if not (run[0][0].isalnum() and run[-1][-1].isalnum()) or any(sign in "".join(run) for sign in "…[]<>"):
            continue
        if made[True] < count:
            made[True] += 1
            how = random.choice(list(_DAMAGES))
            yield Planted(_DAMAGES[how](" ".join(run), random), True, how)
        if made[False] < count:
            how = random.choice(list(_CHANGES))
            new = _CHANGES[how](run, random)
            if new is None or " ".join(new) in truth or (how != "case" and _letters(" ".join(new)) in letters):
                continue
            made[False] += 1
            yield Planted(" ".join(new), False, how)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def _broken(quote: str, random: Random) -> str:
    """A word divided at the end of a line."""
    words = quote.split(" ")
    places = [at for at, word in enumerate(words) if len(word) > 6 and word.isalpha() and word.islower()]
    if not places:
        return quote.replace(" ", "\n", 1)
    at = random.choice(places)
    words[at] = f"{words[at][:3]}-\n{words[at][3:]}"
    return " ".join(words)


def _soft(quote: str, random: Random) -> str:
    words = quote.split(" ")
    at = random.randrange(len(words))
    words[at] = f"{words[at][:2]}\u00ad{words[at][2:]}" if len(words[at]) > 3 and words[at].isalpha() else words[at]
    return " ".join(words)


_DAMAGES: dict[str, Callable[[str, Random], str]] = {
    "as it is": lambda quote, random: quote,
    "lines": lambda quote, random: "".join(random.choice(" \n") if sign == " " else sign for sign in quote),
    "spaces": lambda quote, random: quote.replace(" ", random.choice(("  ", "\u00a0", "\t"))),
    "curly": lambda quote, random: quote.translate(_CURLY),
    "straight": lambda quote, random: quote.translate(_PLAIN),
    "decomposed": lambda quote, random: unicodedata.normalize("NFD", quote),
    "divided": _broken,
    "soft hyphen": _soft,
    "quoted": lambda quote, random: quote if set(quote) & set("“”„\"‘’'") else f"“{quote}”",
}


def _number(words: list[str], random: Random) -> list[str] | None:
    places = [at for at, word in enumerate(words) if re.search(r"\d", word)]
    if not places:
        return None
    at = random.choice(places)
    new = re.sub(r"\d", lambda found: str((int(found[0]) + random.randint(1, 8)) % 10), words[at], count=1)
    return [*words[:at], new, *words[at + 1 :]]


def _negation(words: list[str], random: Random) -> list[str] | None:
    if "not" in words[1:-1]:
        at = words.index("not", 1)
        return [*words[:at], *words[at + 1 :]]
    places = [at for at, word in enumerate(words[:-1]) if word in _VERBS]
    if not places:
        return None
    at = random.choice(places) + 1
    return [*words[:at], "not", *words[at:]]


def _name(words: list[str], random: Random) -> list[str] | None:
    places = [at for at, word in enumerate(words) if at and word[:1].isupper() and word.isalpha() and len(word) > 2]
    if not places:
        return None
    at = random.choice(places)
    return [*words[:at], random.choice(_NAMES), *words[at + 1 :]]


def _word(words: list[str], random: Random) -> list[str] | None:
    at = random.randrange(1, len(words) - 1)
    return random.choice(([*words[:at], *words[at + 1 :]], [*words[:at], "rather", *words[at:]]))


def _order(words: list[str], random: Random) -> list[str] | None:
    at = random.randrange(1, len(words) - 2)
    return [*words[:at], words[at + 1], words[at], *words[at + 2 :]] if words[at] != words[at + 1] else None


def _case(words: list[str], random: Random) -> list[str] | None:
    places = [at for at, word in enumerate(words) if at and len(word) > 3 and word.isalpha() and word.islower()]
    if not places:
        return None
    at = random.choice(places)
    return [*words[:at], words[at].upper(), *words[at + 1 :]]


_CHANGES: dict[str, Callable[[list[str], Random], list[str] | None]] = {
    "number": _number,
    "negation": _negation,
    "name": _name,
    "word": _word,
    "order": _order,
    "case": _case,
}
