"""LaTeX as bibliographies use it, turned into text: accents, special letters, escaped signs; no macro is executed.

General LaTeX converters take exponential time on `\\sqrt[\\sqrt[…`; this one reads forwards only.
"""

from __future__ import annotations

import re
import unicodedata

_ACCENTS = dict(
    zip(
        "`'^~=.\"uvHrckdb",
        "\u0300\u0301\u0302\u0303\u0304\u0307\u0308\u0306\u030c\u030b\u030a\u0327\u0328\u0323\u0331",
        strict=True,
    )
)
_NAMES = """ss ß ae æ AE Æ oe œ OE Œ aa å AA Å o ø O Ø l ł L Ł i ı j ȷ dh ð DH Ð th þ TH Þ dj đ DJ Đ ldots … dots … S §
textendash – textemdash — textquoteleft ‘ textquoteright ’ textquotedblleft “ textquotedblright ” textdegree °
copyright © textbackslash \\ textasciitilde ~ textasciicircum ^ LaTeX LaTeX TeX TeX""".split()
_LETTERS = dict(zip(_NAMES[::2], _NAMES[1::2], strict=True))
_MACRO = re.compile(
    r"\\(?:([`'^~=.\"])[ ]?(?:\{[ ]?\\?([A-Za-z])[ ]?\}|\\?([A-Za-z]))"
    r"|([uvHrckdb])(?:[ ]?\{[ ]?\\?([A-Za-z])[ ]?\}|[ ]\\?([A-Za-z]))"
    r"|([A-Za-z]{1,40}+)[ ]?(?:\{\})?"
    r"|([^A-Za-z]))"
    r"|(---?)|([{}~])"
)


def to_text(latex: str) -> str:
    """The text that a field of a bibliography means, on one line; what is not known is left out or as it is."""
    text = " ".join(latex.split())
    if not any(char in text for char in "\\{}~") and "--" not in text:
        return text
    return unicodedata.normalize("NFC", " ".join(_MACRO.sub(_one, text).split()))


def _one(found: re.Match[str]) -> str:
    sign, letter = found[1] or found[4], found[2] or found[3] or found[5] or found[6]
    if sign:
        return letter + _ACCENTS[sign]
    if found[7]:
        return _LETTERS.get(found[7], "")
    if found[8]:
        return found[8] if found[8] in "&%$#_{}\\" else " "
    if found[9]:
        return "–" if found[9] == "--" else "—"
    return " " if found[10] == "~" else ""
