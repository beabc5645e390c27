"""What may differ between a quote and its source and still be word for word, and nothing else.

Two forms of a text are used. Its *key* has only letters and digits, in lower case: quick to search, too coarse to
believe. Its *form* keeps case, words and every sign; only layout and typography are folded. What the key finds, the
form has to confirm.
"""

from __future__ import annotations

import re
from unicodedata import is_normalized, normalize

from ..text.unspaced_scripts import LETTERS, MARKS, WIDE

SOFT = "\x02"
"""In a form: a hyphen at the end of a line, which may belong to the word or to the line."""
LOOSE = "\x03"
"""In a form: a place where a line may have been broken without a space, so that a space may stand there or not."""

RAISED = "⁰¹²³⁴-⁹"
"""Raised digits, as they stand in a class of characters."""
_PLAIN = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_LOWERED = str.maketrans(_PLAIN)
_RAISED_SIGN = re.compile("[⁰¹²³⁴-⁹⁺⁻]")
# The logarithm to the base of 2 is no square.
_ON_WORD = re.compile(r"(?<!\blo)[^\W\d_][.,;:!?)\]'\"]{0,2}\Z")
_LONGEST_RUN = 24

LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_ACCENTS = dict(
    zip("¨´ˋˆ˜ˇ˝˘˙¯¸˚", "\u0308\u0301\u0300\u0302\u0303\u030c\u030b\u0306\u0307\u0304\u0327\u030a", strict=True)
)
# Behind a digit they stand for primes.
_ACCENTED = re.compile("([¨´ˋˆ˜ˇ˝˘˙¯¸˚])(?<!\\d.)([A-Za-zı])")
# Behind its letter, where no other one follows that could have it: `Stefanovic´`, `Dezˇman`, `Franc¸ois`.
_ACCENT_BEHIND = re.compile("([cC][´¸]|[cnrszCNRSZ]ˇ)")
_DOTLESS = re.compile("ı(?=[\u0300-\u036f])")
# What the fonts of word processors give for two letters that they draw as one: `deϐine`, `addiƟon`, `aƩack`.
_STAND_INS = {"ϐ": "f", "Ɵ": "ti", "Ʃ": "tt"}
_STAND_IN = re.compile("(?<=[a-z])[ϐƟƩ](?![A-Z])|(?<![^\\W\\d_])ϐ(?=[a-z]{2})")
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
# A hyphen that ends a line behind a letter or a digit; what the extractor marked as one may stand anywhere.
_LINE_END = re.compile("(?:[\u00ad\x02\ufffe]|(?<=\\w)[-\u2010])[^\\S\n]*\n\\s*")
# Between letters of scripts without spaces the end of a line stands for nothing, and beside Chinese and Japanese ones
# no white space does.
_UNSPACED_END = re.compile(f"(?<=[{LETTERS}{MARKS}])[^\\S\n]*\n\\s*(?=[{LETTERS}])")
_WIDE_SPACE = re.compile(f"(?<=[{WIDE}])\\s+|\\s+(?=[{WIDE}])")
# What fonts give for letters: radicals, and katakana of half the width with separate signs.
_COMPATIBLE = re.compile("[\u2e9f\u2ef3\u2f00-\u2fd5\uff61-\uff9f]+")
_NARROW: dict[int, str] = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
"""Full-width forms to those of ASCII."""
_DASH_AT_END = re.compile("(?<=[\u2012\u2013/])[^\\S\n]*\n\\s*")
_LONG_DASH = re.compile("\\s*[\u2014\u2015\u2e3a]{1,2}\\s*|(?<=\\w)-{2,3}(?=\\w)|(?<=\\S)\\s-{2,3}\\s(?=\\S)")
# White space that typesetting puts in or leaves out: around brackets, in front of a stop, behind a comma between words,
# behind an apostrophe, between a number and its unit.
_LOOSE_SPACE = re.compile(
    r"""[ ](?=[)\]}(\[{])
    |(?<=[(\[{)\]}])[ ]
    |(?<=\S)[ ](?=[.,;:!?](?:[ )\]}'’”"]|\Z))
    |(?<=[^\W\d_][,;])[ ](?=[^\W\d_])|(?<=['’”")\]][,;])[ ](?=[^\W\d_])
    |(?<=[^\W\d_]['’])[ ](?=(?:s|t|ll|re|ve|d|m)\b)
    |(?<=\d)[ ](?=(?:st|nd|rd|th|[kMGT]?(?:Hz|bps|bit|B)|[kMGT]iB|[nµμm]?s|[cknµμm]?m|[kµμm]?g|m[lL])\b)
    """,
    re.VERBOSE,
)
_SPACE = re.compile(r"\s+")
_QUOTED = re.compile("(?<!\\d)''|(?<!\\d)[\"']|``?")
_SIGNS = _NARROW | str.maketrans(
    {
        **dict.fromkeys("‘’‚‛‹›", "'"),
        **dict.fromkeys("“”„‟«»「」『』〝〞〟﹁﹂﹃﹄＂", '"'),
        "〜": "~",
        "⋯": "...",
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "\u00ad": "",
        "…": "...",
    }
)
_KEYED = _LOWERED | {code: plain.lower() for code, plain in _NARROW.items() if plain.isalnum()}
_NO_WORD = re.compile(r"[^\w\x00-\x7f]+")
_BEYOND = re.compile(rb"[\x80-\xff]+")
_LOWER = bytes(range(256)).lower()
_runs: dict[bytes, bytes] = {}
_DROPPED = bytes(code for code in range(128) if not chr(code).isalnum() and code != 10)
# What is looked for on both sides, to say which folding was needed.
_KINDS = (
    ("line-end hyphen", _LINE_END),
    ("ligature", _LIGATURE),
    ("raised digit", _RAISED_SIGN),
    ("invisible character", re.compile("[\u200b\u200c\u200d\u2060\ufeff]|\u00ad(?!\\s*\n)")),
    ("typographic quote", re.compile("[‘’‚‛‹›“”„‟«»「」『』〝〞〟﹁﹂﹃﹄＂`'\"]")),
    ("full-width form", re.compile("[\uff01-\uff5e]")),
    ("dash", re.compile("[‐‑‒–—―−]|(?<![\\s])-(?!\\s*\n)|(?<=\\s)-")),
    ("ellipsis", re.compile("…|\\.\\.\\.")),
    ("white space", re.compile("(?<![-\u00ad\u2010\x02\ufffe\\s])\\s+")),
)


def normalize_text(text: str) -> str:
    """The text in Unicode NFC; lines end in LF."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    # Fonts of older papers have accents in front of their letters. Looking for a sign costs nothing beside a pattern
    # that begins with letters.
    if any(sign in text for sign in _ACCENTS):
        text = _ACCENTED.sub(_compose_accent, text)
        text = _ACCENT_BEHIND.sub(lambda found: normalize("NFC", found[0][0] + _ACCENTS[found[0][1]]), text)
    if "ı" in text:
        text = _DOTLESS.sub("i", text)
    if any(sign in text for sign in _STAND_INS):
        text = _STAND_IN.sub(lambda found: _STAND_INS[found[0]], text)
    if _COMPATIBLE.search(text):
        text = _COMPATIBLE.sub(lambda run: normalize("NFKC", run[0]), text)
    return text if is_normalized("NFC", text) else normalize("NFC", text)


def _compose_accent(match: re.Match[str]) -> str:
    letter = normalize("NFC", ("i" if match[2] == "ı" else match[2]) + _ACCENTS[match[1]])
    return letter if len(letter) == 1 else match[0]


def expand_ligatures(text: str) -> str:
    """The text with its ligatures split."""
    if not text.isascii() and _LIGATURE.search(text):
        for sign, letters in LIGATURES.items():
            text = text.replace(sign, letters)
    return text


def key_lines(text: str) -> list[bytes]:
    """The key of each line; what is folded is folded character by character, so keys of pieces add up."""
    data = text.encode("utf-8", "surrogatepass").translate(_LOWER, _DROPPED)
    if not text.isascii():
        data = _BEYOND.sub(_fold_run, data)
    return data.split(b"\n")


def _fold_run(match: re.Match[bytes]) -> bytes:
    """The key of a run of characters beyond ASCII; the same few runs make up most of a text."""
    run = match[0]
    if len(run) > 24:
        return _fold_beyond(run)
    known = _runs.get(run)
    if known is None:
        if len(_runs) > 4096:
            _runs.clear()
        known = _runs[run] = _fold_beyond(run)
    return known


def _fold_beyond(run: bytes) -> bytes:
    text = expand_ligatures(run.decode("utf-8", "surrogatepass"))
    # Sigma has two small forms, and which one it gets depends on its neighbours.
    text = _NO_WORD.sub("", text.lower().replace("ς", "σ"))
    return text.translate(_KEYED).encode("utf-8", "surrogatepass")


def key_of(text: str) -> bytes:
    """Letters and digits of a text, in lower case."""
    return b"".join(key_lines(text))


def form_of(text: str) -> str:
    """The text with layout and typography folded, all else as it is."""
    if not text.isascii():
        text = _INVISIBLE.sub("", expand_ligatures(text))
    if "\n" in text:
        text = _DASH_AT_END.sub(LOOSE, _LINE_END.sub(SOFT, text))
        if not text.isascii():
            text = _UNSPACED_END.sub(LOOSE, text)
    # First of all, so that no pattern below meets a long run of it.
    text = _SPACE.sub(" ", text)
    if not text.isascii():
        text = _WIDE_SPACE.sub("", text)
    text = _LONG_DASH.sub(f"{LOOSE}-{LOOSE}", text)
    return _QUOTED.sub("'", _LOOSE_SPACE.sub(LOOSE, text).translate(_SIGNS))


def are_forms_equal(there: str, quoted: str) -> bool:
    """Whether two forms say the same, each hyphen at a line's end and each loose space read as it suits.

    A digit that is raised there may be a plain one in the quote, but not behind a number: 10³ is not 103.
    """
    if there == quoted:
        return True
    lowers = not there.isascii() and _RAISED_SIGN.search(there) is not None
    if not lowers and not any(mark in text for text in (there, quoted) for mark in (SOFT, LOOSE)):
        return False
    i = j = 0
    while i < len(there) or j < len(quoted):
        one, other = there[i : i + 1], quoted[j : j + 1]
        if one == other:
            i, j = i + 1, j + 1
        elif one == SOFT:
            if other == "-":
                j += 1
            elif not _joins(there, i):
                return False
            i += 1
        elif other == SOFT:
            if one == "-":
                i += 1
            elif not _joins(quoted, j):
                return False
            j += 1
        elif one == LOOSE:
            i, j = i + 1, j + (other == " ")
        elif other == LOOSE:
            i, j = i + (one == " "), j + 1
        elif lowers and other and _PLAIN.get(one) == other and _on_word(there, i):
            i, j = i + 1, j + 1
        else:
            return False
    return True


def _joins(text: str, at: int) -> bool:
    """Whether a word may run on across a line-end hyphen: between letters, and not where a new name begins."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return before.isalpha() and after.isalpha() and (before.isupper() or not after.isupper())


def _on_word(text: str, at: int) -> bool:
    """Whether a raised sign belongs to a run of them, with commas and dashes between, that hangs on a word."""
    first = at
    while first and at - first < _LONGEST_RUN:
        if text[first - 1] in _PLAIN:
            first -= 1
        elif first > 1 and text[first - 1] in ",;-" and text[first - 2] in _PLAIN:
            first -= 2
        else:
            break
    return _ON_WORD.search(text, max(0, first - 4), first) is not None


def foldings(there: str, quoted: str) -> tuple[str, ...]:
    """Which foldings make two texts of one form the same."""
    if there == quoted:
        return ()
    return tuple(name for name, pattern in _KINDS if pattern.findall(there) != pattern.findall(quoted))
