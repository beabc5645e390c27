"""Quotation marks: which stand in pairs, what stands between them, and whether that is enough to be a quotation."""

from __future__ import annotations

import re

from ..quoting.scripts import LETTERS, count_letters, join_lines

MARKS = '"“”„«»‘‚‹›「」『』《》〝〞〟｢｣﹁﹂﹃﹄＂'
_MOST = 120_000
"""How long a quote may be: more than is looked up, so that a longer one is reported and not passed over."""
_FEWEST_WORDS, _FEWEST_CHARACTERS = 3, 12
_FEWEST_LETTERS = 6
"""Letters of a script without spaces that make a quotation."""
# In scripts without spaces a mark may touch letters on both sides.
_FREE_BEFORE, _FREE_AFTER = rf"(?<!(?![{LETTERS}])\w)", rf"(?!(?![{LETTERS}])\w)"
# A pair of marks; straight ones open after white space or an opening mark, and close before neither. What closes in one
# language opens in another: there no white space may be inside. An apostrophe within a word closes nothing. Each
# stretch ends at the next mark of its kind, so that all of them together are read once.
_APOSTROPHE = rf"(?<=(?![{LETTERS}])\w)’(?=(?![{LETTERS}])\w)"
PAIR = re.compile(
    r"“((?:[^“”\0]++|“[^“”\0]{1,300}”)++)”|„([^„“”\0]++)[“”]|«([^«»\0]++)»"
    rf"|{_FREE_BEFORE}(?<!\")\"(?=[^\s\"])([^\"\0]++)(?<![\s(\[])\"{_FREE_AFTER}"
    # Straight ones with a space inside, as French writes them or a hand slips.
    r"|(?<![^\s(\[])\"[ ]?(?=[^\s\"])([^\"\0]++)(?<=\s)\"(?![^\s.,;:!?)\]])"
    r"|(?<![^\s(\[])[”»](?=\w)([^“”«»\0]++)(?<!\s)[”«](?!\w)"
    rf"|{_FREE_BEFORE}[‘‚‹]((?:[^‘’‚‹›\0]++|{_APOSTROPHE})++)[’‘›]{_FREE_AFTER}"
    r"|(?<![^\s(\[*|])'(?!(?:tis|twas|em|til|cause|n|\d\ds?)\b)(?=[\w“\"])"
    r"((?:[^'\"“”\0]++|“[^“”'\0]{1,300}”|\"[^\"'\0]{1,300}\"|(?<=\w)'(?=\w))++)(?<=[\w.,!?”\"])'(?!\w)"
    r"|(?<!['\w])''(?=[^\s'])((?:[^'\0]++|'(?!'))++)''(?!['\w])"
    r"|(?<!`)``(?=[^\s`])([^`\"\0]{1,3000}?)''"
    r"|「((?:[^「」\0]++|「[^「」\0]{1,300}」)++)」|『([^『』\0]++)』|〝([^〝〞〟\0]++)[〞〟]|｢([^｢｣\0]++)｣"
    r"|﹁([^﹁﹂\0]++)﹂|﹃([^﹃﹄\0]++)﹄|＂([^＂\0]++)＂|《([^《》\0]++)》"
)
_TITLE = "《"
"""Opens a title more often than a quotation."""
# A quote that is still open where its citation stands, what then closes it at once, and what does so further on.
OPENED = re.compile(rf"(?:[“„«「『]|{_FREE_BEFORE}(?<!\")\")(?=[^\s\"])([^“”„«»\"「」『』\0]{{6,{_MOST}}})\Z")
CLOSED = re.compile(r"[\s.,;:!?)。，]{0,3}[”“»\"」』](?!\w)")
CLOSES_LATER = re.compile(rf"[^“”„«»\"「」『』\0]{{0,{_MOST}}}?(?<![\s(\[])([”“»\"」』]){_FREE_AFTER}")
# A mark that closes what nothing opened; behind a number it stands for inches.
CLOSES_ALONE = re.compile(rf"(?<=[^\W\d_]|[.,!?。！？])[”»\"」』]{_FREE_AFTER}")
_CODED = re.compile(
    r"&(?:quot|[lrb]dquo|[lr]aquo|[lrs]squo|#34|#171|#187|#821[678]|#822[012]|#x(?:22|ab|bb|201[89acde]));"
    r"|</?q(?:\s[^<>\0]{0,200})?>",
    re.IGNORECASE,
)
PAD = "\x01"
"""Fills up the place of a mark that was written in more characters."""
CODE = "\x04"
"""Stands for a character of a code span: no mark, and no end of anything."""
_WORD = re.compile(r"[^\W_]+")
# What a quote carries that is not part of its words: emphasis, escapes, marks of a block quote.
_EMPHASIS = re.compile(r"(?<![\w\\])(\*{1,3}|_{1,3})(?=\S)|(?<=[^\s\\])(\*{1,3}|_{1,3})(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(
    r"<!--[^\0]{0,1000}?-->|</?(?:em|i|b|u|strong|span|mark|sub|sup|small|cite|a)(?:\s[^<>]{0,200})?>", re.IGNORECASE
)
_NEW_LINE = re.compile(r"<br\s{0,3}/?>|</?(?:p|div|li|ul|ol|footer|blockquote)(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_LINK = re.compile(r"(?<![!\\])\[([^\[\]]{1,300})\]\([^()\s]{1,1000}\)|\[\^[^\[\]\s]{1,60}\]")
_HARD_BREAK = re.compile(r"\\\s?\n")
_QUOTE_MARK = re.compile(r"\n[ \t]*>[ \t>]*")
# Citations that stand within a quote.
_CITED = re.compile(
    r"\s?(?:\[[^\[\]\0]{0,200}?(?:REF-[0-9]|@)[^\[\]\0]{0,200}\]|\([^()\0]{0,60}?REF-[0-9][^()\0]{0,200}\))"
)


def inner_span(pair: re.Match[str]) -> tuple[int, int]:
    """Where the words between two marks begin and end."""
    return pair.span(pair.lastindex or 0)


def read_pair(text: str) -> str:
    """What a text quotes that is nothing but words in quotation marks; empty where it is not."""
    pair = PAIR.fullmatch(text)
    return clean(text[slice(*inner_span(pair))]) if pair is not None else ""


def is_title(pair: re.Match[str]) -> bool:
    """Whether the marks are those of a title."""
    return pair[0][0] == _TITLE


def is_coded(text: str) -> bool:
    """Whether a text has quotation marks that are written as HTML."""
    return ("&" in text or "<" in text) and _CODED.search(text) is not None


def decode_marks(text: str) -> str:
    """The text with marks that are written as HTML in one character each, everything where it was."""
    if not is_coded(text):
        return text
    from html import unescape

    def sign(match: re.Match[str]) -> str:
        found = match[0]
        mark = unescape(found) if found[0] == "&" else "”" if found[1] == "/" else "“"
        return PAD * (len(found) - 1) + mark

    return _CODED.sub(sign, text)


def clean(words: str) -> str:
    """The quoted words without markup; empty where they are too few to be a quotation."""
    words = words.replace(PAD, "")
    if "\n" in words:
        # A backslash at the end of a line breaks it.
        words = _QUOTE_MARK.sub("\n", _HARD_BREAK.sub("\n", words))
    if "<" in words:
        words = _TAG.sub("", _NEW_LINE.sub(" ", words))
    if "](" in words or "[^" in words:
        words = _LINK.sub(r"\1", words)
    words = _ESCAPE.sub(r"\1", _EMPHASIS.sub("", words)) if not {"*", "_", "\\"}.isdisjoint(words) else words
    if "&" in words:
        from html import unescape

        words = unescape(words)
    words = join_lines(words.rstrip("\\"))
    return words if is_quotation(words) else ""


def without_citations(words: str) -> str:
    """Quoted words without the citations among them."""
    return _CITED.sub("", words) if "REF-" in words or "@" in words else words


def is_quotation(words: str) -> bool:
    """Whether words in quotation marks are enough to be somebody's, not a term or a title."""
    if len(words) >= _FEWEST_CHARACTERS and len(_WORD.findall(words)) >= _FEWEST_WORDS:
        return True
    return count_letters(words) >= _FEWEST_LETTERS
