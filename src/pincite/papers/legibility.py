"""Whether the text of a PDF page is what a reader sees on it.

A scan has no text, and a font that does not say which letters it shows gives other signs in their place. Nothing can be
looked up on such a page, so what is quoted from it is unchecked.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from ..text.lines import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST = 16
"""Characters on a page below which it counts as a picture of text."""
_ENOUGH_SIGNS = 60
_UNMAPPED = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff\x00-\x08\x0e-\x1f]")
_MOST_UNMAPPED = 0.15
_PAIR = re.compile(r"(?=([a-z]{2}))")
# The pairs of letters that are most frequent in 34 languages in Latin letters, accents off. Of all pairs they are 58 %
# in Welsh, 64 % in Polish, 79 % in English and at least 66 % on every page of 90 papers; where letters stand in
# another's place they are 49 % of a page at most, and below 48 % in 999 of 1,000 stretches.
_COMMON_PAIRS = frozenset(
    "ab ac ad ag ai ak al am an ap ar as at au av ba be bi bu ca ce ch ci co da de di do ea ec ed eg ei ek el em en "
    "er es et fi fo ga ge gi ha he hi ho ia ic id ie ig ik il im in io ir is it ja je ka ke ki ko ks ku la le li ll "
    "lo lu ma me mi mo na nd ne ng ni no ns nt nu oc od og ok ol om on op or os ot ou ov pa pe pi po pr ra re ri ro "
    "rt ru sa se si sk so sp st su ta te th ti to tr tt tu ul um un ur us ut va ve vi za ze".split()
)
_FEWEST_COMMON = 0.48
_STRETCH = 200
"""Pairs that are looked at together: a page may have one font that can be read and one that cannot."""
_MOST_SCRAMBLED = 0.2
_LEADERS = str.maketrans("", "", " \n\t\r.-_=|·…–—*")
_ENOUGH_BARE = 100
_FEWEST_LETTERS = 0.35
"""Letters and digits among the signs of a page, rows of dots aside; pages of formulas have half, others most."""
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
_WAYS_OUT = {
    "no-text": "`pincite corpus add --ocr` with its PDF recognises text",
    "glyphs": "`pincite corpus add --ocr` with its PDF recognises text",
    "placeholder": "print it to a PDF with the program that shows it, and add that",
}
REMEDY = "add the paper again with `pincite corpus add --ocr`, or a PDF with readable text"
AFTER_OCR = "OCR found no text either; add a better scan, or a PDF with readable text"
_SOME_PAGES = 5


@lru_cache(2048)
def find_page_fault(page: str) -> str:
    """Why nothing can be looked up on a page: `no-text`, `glyphs` or `placeholder`; empty where it can."""
    signs = len(page) - sum(map(page.count, " \n\t"))
    if signs < FEWEST:
        return "no-text"
    if signs >= _ENOUGH_SIGNS and len(_UNMAPPED.findall(page)) > _MOST_UNMAPPED * signs:
        return "glyphs"
    if len(page) < _SHORT_PAGE and _PLACEHOLDER.search(page):
        return "placeholder"
    return "glyphs" if _is_scrambled(page) or _has_few_letters(page) else ""


def _is_scrambled(page: str) -> bool:
    """Whether Latin letters stand in the place of others: their pairs are those of no language."""
    plain = normalize("NFKD", page).encode("ascii", "ignore").decode().lower()
    pairs = [pair in _COMMON_PAIRS for pair in _PAIR.findall(plain)]
    stretches = [pairs[at : at + _STRETCH] for at in range(0, len(pairs), _STRETCH)]
    stretches = [one for one in stretches if len(one) * 2 >= _STRETCH]
    scrambled = sum(sum(one) < _FEWEST_COMMON * len(one) for one in stretches)
    return scrambled > _MOST_SCRAMBLED * len(stretches)


def _has_few_letters(page: str) -> bool:
    """Whether signs stand in the place of letters."""
    bare = page.translate(_LEADERS)
    return len(bare) >= _ENOUGH_BARE and sum(map(str.isalnum, bare)) < _FEWEST_LETTERS * len(bare)


def describe_fault(fault: str) -> str:
    """What is said of a page with such a fault, behind its number."""
    return _FAULTS[fault]


def describe_unread(page: str, number: int) -> str:
    """What is said of a page of a paper that cannot be read, and the way out."""
    fault = find_page_fault(page)
    return f"page {number} of the PDF {_FAULTS[fault]}; {_WAYS_OUT[fault]}"


@lru_cache(4)
def find_gap(pages: tuple[str, ...]) -> str:
    """Why a PDF may hold words that are not in its text; empty where nearly all of its pages can be read."""
    bad = [at for at, page in enumerate(pages) if find_page_fault(page)]
    if len(bad) * _SOME_PAGES <= len(pages):
        return ""
    fault = _FAULTS[find_page_fault(pages[bad[0]])]
    return f"{len(bad)} of {format_count(len(pages), 'page')} cannot be read: page {bad[0] + 1} {fault}"


def describe_faults(pages: Sequence[str], remedy: str = REMEDY) -> str:
    """What is said of a whole PDF some of whose pages cannot be read; empty where nearly all can."""
    faults = [find_page_fault(page) for page in pages]
    bad = [at for at, fault in enumerate(faults) if fault]
    if not bad or (len(bad) * _SOME_PAGES <= len(pages) and all(faults[at] == "no-text" for at in bad)):
        # A few pages without text are blank, or pictures.
        return ""
    kinds = " or ".join(dict.fromkeys(_FAULTS[faults[at]] for at in bad))
    if all(faults[at] == "placeholder" for at in bad):
        remedy = _WAYS_OUT["placeholder"]
    if len(bad) == len(pages):
        return f"no page can be read: the PDF {kinds}; quotes cannot be looked up in it: {remedy}"
    which = f"{len(bad)} of {len(pages)} pages (the first: {bad[0] + 1})"
    return f"{which} cannot be read: each {kinds}; quotes from them stay unchecked: {remedy}"
