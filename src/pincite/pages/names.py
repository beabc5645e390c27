"""Names of people and organisations: whether two of them are one, and whether a line names somebody."""

from __future__ import annotations

import re

from .tidy import bare, tidy

MOST = 100
"""How many authors of a page are read."""
_LONGEST = 120
_WORD = re.compile(r"[^\W\d_]+(?:['’‐-][^\W\d_]+)*")
_BY = re.compile(r"(?:(?:written|posted|published|reported|words|story|article)\s+)?by[:\s]\s*", re.IGNORECASE)
_LABEL = re.compile(r"(?:authors?|editors?|contributors?|writer|creator)\s*:\s*", re.IGNORECASE)
_ENDS = re.compile(
    r"\s*(?:[|·•»(\n]|\s[-–—]\s|\s(?:on|in|at|for|published|updated|posted|edited|reviewed|translated|with)\s|\d"
    r"|\s(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?\s\d)",
    re.IGNORECASE,
)
_TITLES = frozenset(
    "dr prof professor mr mrs ms miss sir dame lord rev phd md msc bsc mba jr sr ii iii esq frs".split()
)
_PARTICLES = frozenset("van von der den de da del della di du la le el al bin ibn ten ter zu y e dos do af".split())
_NOBODY = frozenset(
    "admin administrator anonymous author authors webmaster user guest unknown none null undefined na root staff editor"
    " editors wordpress default team test superuser owner me us website".split()
)
_ORGANISED = frozenset(
    "university institute department inc ltd llc gmbh news team foundation agency office ministry council press group"
    " association society company project developers contributors editors staff committee service services"
    " organization organisation corporation college school centre center laboratory laboratories bureau commission"
    " authority federation union network magazine journal times post community documentation docs support research"
    " labs software systems technologies solutions media board editorial wiki".split()
)
_OFFICES = frozenset("writer reporter correspondent columnist editor analyst senior chief contributor director".split())
_LEGAL = frozenset("inc ltd llc gmbh co corp plc sa ag limited incorporated".split())


def words_of(name: str) -> list[str]:
    """The words of a name, given names first, without titles; accents as they are."""
    if name.count(",") == 1:
        family, given = name.split(",")
        if family.strip() and given.strip() and not set(_lower(given)) <= _TITLES | _LEGAL:
            name = f"{given} {family}"
    found = _lower(name)
    return [word for word in found if word not in _TITLES] or found


def _lower(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def same_name(one: str, other: str) -> bool:
    """Whether two names are one person's or one organisation's: initials will do where the family name is the same."""
    ours, theirs = words_of(one), words_of(other)
    if not ours or not theirs:
        return False
    if ours == theirs:
        return True
    if bare(one) == bare(other):
        return True
    if organised(one) or organised(other):
        return _unlegal(ours) == _unlegal(theirs)
    if len(ours) < 2 or len(theirs) < 2 or ours[-1] != theirs[-1]:
        return False
    given = list(zip(ours[:-1], theirs[:-1], strict=False))
    return all(_akin(a, b) for a, b in given)


def _unlegal(words: list[str]) -> list[str]:
    kept = [word for word in words if word not in _LEGAL]
    return kept[1:] if kept[:1] == ["the"] else kept


def _akin(one: str, other: str) -> bool:
    """Whether two given names may be one: the same, or one the initial of the other."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) == 1 and long.startswith(short))


def names_in(name: str, text: str) -> bool:
    """Whether a short text names this person or organisation, in any order of its words that is used for names."""
    sought = words_of(name)
    if not sought:
        return False
    found = _lower(text[:2000])
    forms = [sought]
    if len(sought) > 1 and not organised(name):
        given, family = sought[:-1], sought[-1]
        forms += [
            [given[0], family],
            [family, *given],
            [family, given[0]],
            [given[0][0], family],
            [family, given[0][0]],
        ]
        if len(given) > 1:
            forms.append([given[0], given[1][0], family])
    return any(_holds(found, form) for form in forms)


def _holds(words: list[str], run: list[str]) -> bool:
    size = len(run)
    return any(words[at] == run[0] and words[at : at + size] == run for at in range(len(words) - size + 1))


def organised(name: str) -> bool:
    """Whether a name reads like that of an organisation."""
    words = _lower(name)
    return not _ORGANISED.isdisjoint(words) or "of" in words or "for" in words or any(sign.isdigit() for sign in name)


def personal(name: str) -> bool:
    """Whether a name reads like that of a person: a few words with capitals."""
    words = _WORD.findall(name)
    if not 2 <= len(words) <= 5 or organised(name):
        return False
    return all(word[0].isupper() or not word[0].islower() or word.casefold() in _PARTICLES for word in words)


def cleaned(text: object) -> str:
    """A name as it may be shown; empty where it is an address, a handle, or nobody in particular."""
    name = _unlabelled(tidy(text)).strip(" ,;:|·•-–—")
    if not name or len(name) > _LONGEST or "@" in name or "://" in name or "www." in name or name.startswith("/"):
        return ""
    if not any(sign.isalpha() for sign in name) or bare(name) in _NOBODY or len(bare(name)) < 2:
        return ""
    return name


def _unlabelled(text: str) -> str:
    """A text without the `by` or `Author:` that it begins with; inside of a name, as in Bobby, they are letters."""
    for label in (_BY, _LABEL):
        found = label.match(text)
        text = text[found.end() :] if found is not None else text
    return text


def people(text: object) -> list[str]:
    """The names that a field holds: one, or several with semicolons, commas or `and` between them."""
    whole = _unlabelled(tidy(text))
    if ";" in whole:
        parts = whole.split(";")
    else:
        parts = re.split(r",\s+and\s+|\s+and\s+|\s+&\s+|,\s+", whole)
        if len(parts) < 2 or not all(personal(part) for part in parts):
            parts = [whole]
        parts = [part for at, part in enumerate(parts) if not at or _OFFICES.isdisjoint(_lower(part))]
    return [name for part in parts[:MOST] if (name := cleaned(part))]


def signed(line: str) -> list[str]:
    """The people whom a byline names; none where it does not read like one."""
    text = " ".join(line[:300].split())
    begins = _BY.match(text) or _LABEL.match(text)
    if begins is not None:
        text = text[begins.end() :]
    end = _ENDS.search(text)
    text = text[: end.start()] if end is not None else text
    found = [name for name in people(text) if personal(name)]
    if not found and "," in text:
        # What stands behind the first comma is an office or a place.
        found = [name for name in people(text.split(",")[0]) if personal(name)]
    return found


def begins_byline(line: str) -> bool:
    """Whether a line of text says that it names who wrote."""
    line = line.lstrip(" /|·•–—-*>")
    return _BY.match(line) is not None or _LABEL.match(line) is not None
