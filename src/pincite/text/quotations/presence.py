"""Whether a text could quote anything at all: most have no quotation mark and no block quote, and cost no more.

A cold check of 20,000 citations of papers takes 1.3 times the CPU without this question (`bench/run.py --only corpus`).
"""

from __future__ import annotations

import re

from ..markdown import unify_line_ends
from .block_quotes import has_block, has_line_label
from .formats import find_blocks
from .mark_pairs import MARKS, is_coded
from .tables import find_tables, find_tagged_rows

# Every alternative begins with its sign: a search is quick only then. What may not stand before it is asked second.
_TYPED = re.compile(r"`(?<![\w`].)[^\s`'][^`']{1,3000}+'|,,\S|<<\S|´´|´(?<!\w.)\S|’(?<!\w.)\S|′′\S")
_TYPED_SIGNS = (",,", "<<", "´", "’", "′′")
"""What stands for a quotation mark in some places, and for something else in most."""


def has_no_quotes(text: str, path: str = "") -> bool:
    """Whether nothing in a text could be a quotation: no marks, no block quote, no table of quotes."""
    if '"' in text:
        return False
    if "'" in text and ("''" in text or text[0] == "'" or any(f"{before}'" in text for before in " \n\r\t(*[|")):
        return False
    if has_block(text) or is_coded(text):
        return False
    if not text.isascii() and any(mark in text for mark in MARKS):
        return False
    typed = any(sign in text for sign in _TYPED_SIGNS) or ("`" in text and "'" in text)
    if typed and _TYPED.search(text):
        return False
    text = unify_line_ends(text)
    return not (find_tables(text) or find_tagged_rows(text) or find_blocks(text, path) or has_line_label(text))
