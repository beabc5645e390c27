"""Scripts that do not part words by spaces: Chinese, Japanese, Thai, Lao, Khmer, Myanmar. A letter is a word there."""

from __future__ import annotations

import re

CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Chinese and Japanese letters, as they stand in a class of characters. Korean parts its words by spaces."""
WIDE = CJK + "\u3000-\u303f\u30fb\uff00-\uff65\uffe0-\uffe6"
"""The same with the signs that are written among them: white space beside one of these stands for nothing."""
_SOUTHEAST = "\u0e01-\u0e2e\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eae\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf"
_SOUTHEAST += "\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u1780-\u17b3"
MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064"
    "\u1067-\u106d\u1071-\u1074\u1082-\u108d\u17b4-\u17d3\u17dd\ufe00-\ufe0f\U000e0100-\U000e01ef"
)
"""Vowel signs, tones and variants, which belong to the letter before them."""
LETTERS = CJK + _SOUTHEAST
"""Letters of all these scripts, as they stand in a class of characters."""
NUMERALS = "〇零一二三四五六七八九十百千万萬亿億兆两両兩廿卅壱弐参壹贰貳叁參肆伍陆陸柒捌玖拾佰仟"
"""Numbers that are written as letters."""

_LETTER = re.compile(f"[{LETTERS}]")
_RUN = re.compile(f"[{LETTERS}]+")
_MARK = re.compile(f"[{MARKS}]")
_WORD = re.compile(f"[{LETTERS}]|(?:(?![{LETTERS}])[^\\W_])+")
_JOINED = re.compile(f"(?<=[{LETTERS}{MARKS}{WIDE}])[^\\S\n]*\n\\s*(?=[{LETTERS}{WIDE}])")
_GRAM = 3
"""Letters that tell a text as a long word does elsewhere."""
_PER_WORD = 2
"""Letters that weigh as much as a word does elsewhere."""


def is_unspaced(sign: str) -> bool:
    """Whether a character is a letter of such a script, or a sign on one."""
    # An empty text is ASCII.
    return not sign.isascii() and (_LETTER.match(sign) is not None or _MARK.match(sign) is not None)


def is_mark(sign: str) -> bool:
    """Whether a character is a sign on a letter of such a script."""
    return not sign.isascii() and _MARK.match(sign) is not None


def count_letters(text: str) -> int:
    """How many letters of such scripts a text has."""
    return 0 if text.isascii() else len(_LETTER.findall(text))


def count_words(text: str) -> int:
    """How many words a text has; two letters of such a script count as one."""
    if not (letters := count_letters(text)):
        return len(text.split())
    return len(_WORD.findall(text)) - letters + (letters + 1) // _PER_WORD


def split_words(text: str) -> list[str]:
    """The words of a text, each letter of such a script alone."""
    return _WORD.findall(text) if count_letters(text) else text.split()


def find_long_words(text: str, pattern: re.Pattern[str]) -> list[str]:
    """The words that a pattern finds; of letters of such scripts, each three that follow each other."""
    runs = [] if text.isascii() else _RUN.findall(text)
    if not runs:
        return pattern.findall(text)
    grams = [run[at : at + _GRAM] for run in runs for at in range(len(run) - _GRAM + 1)]
    return pattern.findall(_RUN.sub(" ", text)) + grams


def join_lines(text: str) -> str:
    """The text on one line; the end of a line between two letters of such a script stands for nothing."""
    if "\n" in text and not text.isascii():
        text = _JOINED.sub("", text)
    return " ".join(text.split())


def join_words(words: list[str]) -> str:
    """Words as they are written one after the other."""
    pieces: list[str] = []
    for word in words:
        if pieces and word and pieces[-1] and not (is_unspaced(word[0]) and is_unspaced(pieces[-1][-1])):
            pieces.append(" ")
        pieces.append(word)
    return "".join(pieces)
