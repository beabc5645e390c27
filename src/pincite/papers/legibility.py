"""Whether the text of a PDF page is what a reader sees on it.

A scan has no text, and a font that does not say which letters it shows gives other signs in their place. Nothing can be
looked up on such a page, so what is quoted from it is unchecked.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ..text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST = 16
"""Characters on a page below which it counts as a picture of text."""
_ENOUGH_SIGNS = 60
_UNMAPPED = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff\x00-\x08\x0e-\x1f]")
_MOST_UNMAPPED = 0.15
_WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ]+")
_ENOUGH_LETTERS = 200
_VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýāăąēĕėęěĩīĭįıōŏőũūŭůűųAEIOUYÀÁÂÃÄÅÆÈÉÊËÌÍÎÏÒÓÔÕÖØŒÙÚÛÜÝ")
# Vowels are 35 to 50 % of the letters of every language in Latin letters; letters in another's place are rarely so.
_FEWEST_VOWELS, _MOST_VOWELS = 0.26, 0.62
# One of these is every fifth word of prose in one of the larger languages; in tables and code a few of a hundred are.
_FREQUENT = frozenset(
    "the of and to in is for that with on as are by be this we it an at or from not can was which have has"
    " der die das und ist von zu den mit ein eine des im nicht auf le la les de et des un une en est pour que dans du"
    " el los las y del se por con una es il di che e per non della o da do os para com em uma um het een van dat op te"
    " w i na z nie do jest og af til som det att och ett på ja on ei se että ve bir bu da a".split()
)
_FEWEST_FREQUENT = 0.02
_PLACEHOLDER = re.compile(
    r"please wait\.\.\.[^\0]{0,200}(?:adobe|pdf viewer)|(?:upgrade|download|install)[^\0]{0,80}adobe reader",
    re.IGNORECASE,
)
_SHORT_PAGE = 1500
_FAULTS = {
    "no-text": "holds no text (a scan?)",
    "glyphs": "has a font that does not say which letters it shows",
    "placeholder": "holds only a notice that another program is needed to show it",
}
REMEDY = "add the paper again with `pincite corpus add --ocr`, or a PDF with readable text"
_SOME_PAGES = 5


def find_page_fault(page: str) -> str:
    """Why nothing can be looked up on a page: `no-text`, `glyphs` or `placeholder`; empty where it can."""
    signs = len(page) - sum(map(page.count, " \n\t"))
    if signs < FEWEST:
        return "no-text"
    if signs >= _ENOUGH_SIGNS and len(_UNMAPPED.findall(page)) > _MOST_UNMAPPED * signs:
        return "glyphs"
    if len(page) < _SHORT_PAGE and _PLACEHOLDER.search(page):
        return "placeholder"
    return "glyphs" if _is_scrambled(page) else ""


def _is_scrambled(page: str) -> bool:
    """Whether Latin letters stand in the place of others: neither vowels nor words are those of a language."""
    words = _WORD.findall(page)
    letters = sum(map(len, words))
    if letters < _ENOUGH_LETTERS:
        return False
    frequent = sum(word.lower() in _FREQUENT for word in words)
    if frequent >= _FEWEST_FREQUENT * len(words):
        return False
    vowels = sum(letter in _VOWELS for word in words for letter in word)
    return not _FEWEST_VOWELS * letters <= vowels <= _MOST_VOWELS * letters


def describe_fault(fault: str) -> str:
    """What is said of a page with such a fault, behind its number."""
    return _FAULTS[fault]


@lru_cache(4)
def find_gap(pages: tuple[str, ...]) -> str:
    """Why a PDF may hold words that are not in its text; empty where nearly all of its pages can be read."""
    bad = [at for at, page in enumerate(pages) if find_page_fault(page)]
    if len(bad) * _SOME_PAGES <= len(pages):
        return ""
    fault = _FAULTS[find_page_fault(pages[bad[0]])]
    return f"{len(bad)} of {counted(len(pages), 'page')} cannot be read: page {bad[0] + 1} {fault}"


def describe_faults(pages: Sequence[str]) -> str:
    """What is said of a whole PDF some of whose pages cannot be read; empty where nearly all can."""
    faults = [find_page_fault(page) for page in pages]
    bad = [at for at, fault in enumerate(faults) if fault]
    if not bad or (len(bad) * _SOME_PAGES <= len(pages) and all(faults[at] == "no-text" for at in bad)):
        # A few pages without text are blank, or pictures.
        return ""
    kinds = " or ".join(dict.fromkeys(_FAULTS[faults[at]] for at in bad))
    if len(bad) == len(pages):
        return f"no page can be read: the PDF {kinds}; quotes cannot be looked up in it: {REMEDY}"
    which = f"{len(bad)} of {len(pages)} pages (the first: {bad[0] + 1})"
    return f"{which} cannot be read: each {kinds}; quotes from them stay unchecked: {REMEDY}"
