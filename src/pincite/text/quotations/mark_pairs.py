"""Quotation marks: which stand in pairs, what stands between them, and whether that is enough to be a quotation."""

from __future__ import annotations

import re

from ..unspaced_scripts import LETTERS, count_letters, join_lines

MARKS = '"“”„‟⹂«»‘‚‛‹›「」『』《》〈〉〝〞〟｢｣﹁﹂﹃﹄＂❝❞❛❜❮❯″‶ʺ״≪≫⟪⟫'
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
    rf"""
      “((?:[^“”\0]++|“[^“”\0]{{1,300}}”)++)”                                            # “English”, one pair inside
    | [„⹂]([^„⹂“”‟\0]++)[“”‟]                                                           # „German“
    | «([^«»\0]++)»                                                                     # «French»
    | ‟([^“”‟\0]++)[”“‟] | ❝([^❝❞\0]++)❞ | ❛([^❛❜\0]++)❜ | ❮([^❮❯\0]++)❯                # ‟ornaments”
    # Primes stand for marks where no number is in front of the first: `5″` is a measure.
    | (?<![\w″‶ʺ])[″‶ʺ](?=[^\s″‶ʺ])([^″‶ʺ\0]++)(?<!\s)[″ʺ](?!\w)                        # ″primes″
    | (?<!\w)״(?=[^\s״])([^״\0]++)(?<!\s)״(?!\w)                                        # ״Hebrew״
    # Two marks that open, or one that closes and one that opens.
    | (?<!\w)“(?=\w)([^“”\0]++)(?<!\s)“(?!\w)                                           # “words“
    | [“„‟⹂](?=\w)([^“”„‟⹂"\0]++)(?<!\s)"(?!\w)                                         # “words"
    | (?<![\w"])"(?=\w)([^"“”„\0]++)(?<!\s)”(?!\w)                                      # "words”
    | (?<!\w)”(?=\w)([^“”\0]++)(?<!\s)“(?!\w)                                           # ”words“
    | (?<!\w)´´?(?=[^\s´])([^´\0]++)´´?(?!\w)                                           # ´words´
    | (?<![\w′])′′(?=[^\s′])([^′\0]++)′′(?!\w)                                          # ′′words′′
    | (?<!\w)’(?=\w)((?:[^‘’\0]++|{_APOSTROPHE})++)(?<=[\w.,!?\x01])’(?!\w)             # ’it’s words’
    | {_FREE_BEFORE}(?<!")"(?=[^\s"])([^"\0]++)(?<![\s(\[])"{_FREE_AFTER}               # "words"
    # Straight ones with a space inside, as French writes them or a hand slips.
    | (?<![^\s(\[])"[ ]?(?=[^\s"])([^"\0]++)(?<=\s)"(?![^\s.,;:!?)\]])                  # " words "
    | (?<![^\s(\[])[”»](?=\w)([^“”«»\0]++)(?<!\s)[”«](?!\w)                             # »words«, ”Swedish”
    | {_FREE_BEFORE}[‘‚‹‛]((?:[^‘’‚‹›‛\0]++|{_APOSTROPHE})++)[’‘›]{_FREE_AFTER}         # ‘words’
    | (?<![^\s(\[*|])'(?!(?:tis|twas|em|til|cause|n|\d\ds?)\b)(?=[\w“"])                # 'words', and not 'tis
      ((?:[^'"“”\0]++|“[^“”'\0]{{1,300}}”|"[^"'\0]{{1,300}}"|(?<=\w)'(?=\w))++)(?<=[\w.,!?”"])'(?!\w)
    | (?<!['\w])''(?=[^\s'])((?:[^'\0]++|'(?!'))++)''(?!['\w])                          # ''words''
    # As LaTeX, old manuals and a typewriter write them.
    | (?<!`)``(?=[^\s`])([^`"\0]{{1,3000}}?)(?:''|´´)                                   # ``words''
    | (?<![\w,]),,(?=[^\s,])((?:[^`',\0]|'(?!')|,(?!,)){{1,3000}}+)(?:''|``)(?!\w)      # ,,words''
    | (?<![\w`])`(?=[^\s`])((?:[^`'\0]|(?<=\w)'(?=\w)){{1,3000}}+)(?<=[\w.,!?])'(?!\w)  # `words'
    # East Asian marks, and those of titles.
    | 「((?:[^「」\0]++|「[^「」\0]{{1,300}}」)++)」 | 『([^『』\0]++)』 | 〝([^〝〞〟\0]++)[〞〟] | ｢([^｢｣\0]++)｣
    | ﹁([^﹁﹂\0]++)﹂ | ﹃([^﹃﹄\0]++)﹄ | ＂([^＂\0]++)＂ | 《([^《》\0]++)》 | 〈([^〈〉\0]++)〉
    | ≪([^≪≫\0]++)≫ | ⟪([^⟪⟫\0]++)⟫
    | (?<![\w<])<<(?=[^\s<>])([^<>\0]{{1,3000}}+)>>(?![\w>])                            # <<words>>
    """,
    re.VERBOSE,
)
_TITLES = "《〈<≪⟪’"
"""They open a title, an inequality or a reference more often than a quotation, or are an apostrophe."""
# A quote that is still open where its citation stands, what then closes it at once, and what does so further on.
OPENED = re.compile(rf"(?:[“„‟⹂«「『❝]|{_FREE_BEFORE}(?<!\")\")(?=[^\s\"])([^“”„‟⹂«»\"「」『』❝❞\0]{{6,{_MOST}}})\Z")
CLOSED = re.compile(r"[\s.,;:!?)。，]{0,3}[”“»\"」』❞](?!\w)")
CLOSES_LATER = re.compile(rf"[^“”„‟⹂«»\"「」『』❝❞\0]{{0,{_MOST}}}?(?<![\s(\[])([”“»\"」』❞]){_FREE_AFTER}")
# A mark that closes what nothing opened; behind a number it stands for inches.
CLOSES_ALONE = re.compile(rf"(?<=[^\W\d_]|[.,!?。！？])[”»\"」』❞]{_FREE_AFTER}")
# A mark that is part of no pair. Behind a number it stands for inches, and between spaces for an arrow.
STRAY = re.compile(r"(?<![\d\0\x04])[\"“”„‟⹂«»「」『』❝❞＂″ʺ‹›](?:(?<!\s.)|(?!\s))")
_CODED = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,31});|</?q(?:\s[^<>\0]{0,200})?>", re.IGNORECASE)
# Where marks belong to markup: in tags, and around the title of a link.
_MARKED_UP = re.compile(
    r"""<[a-z][\w-]{0,30}+
    (?:\s{1,20}+[\w:@.-]{1,60}+(?:\s?=\s?(?:"[^"<>\0]{0,1000}"|'[^'<>\0]{0,1000}'|[^\s"'=<>`\0]{1,500}+))?){1,20}+\s{0,20}/?>
    |\]\([^()\s\0]{1,500}+[ \t\n]{1,3}"[^"\0]{0,500}"\)""",
    re.IGNORECASE | re.VERBOSE,
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
    return pair[0][0] in _TITLES


def is_coded(text: str) -> bool:
    """Whether a text has quotation marks that are written as HTML."""
    return ("&" in text or "<" in text) and any(len(_decode(found)) == 1 for found in _CODED.finditer(text))


def _decode(found: re.Match[str]) -> str:
    """The mark that an entity or a tag stands for; what was found where it stands for none."""
    if found[0][0] != "&":
        return "”" if found[0][1] == "/" else "“"
    from html import unescape

    sign = unescape(found[0]).replace("'", "’")
    return sign if sign in _CODABLE else found[0]


_CODABLE = frozenset((*MARKS, "’", "`", "´"))


def decode_marks(text: str) -> str:
    """The text with marks that are written as HTML in one character each, everything where it was.

    Those that belong to markup are hidden.
    """
    if "<" in text or "](" in text:
        text = _MARKED_UP.sub(lambda found: found[0].replace('"', PAD), text) if '"' in text else text
    if "&" not in text and "<" not in text:
        return text
    return _CODED.sub(lambda found: _decode(found).rjust(len(found[0]), PAD), text)


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
    """Whether words in quotation marks are enough for a quotation, not a term or a title."""
    if len(words) >= _FEWEST_CHARACTERS and len(_WORD.findall(words)) >= _FEWEST_WORDS:
        return True
    return count_letters(words) >= _FEWEST_LETTERS
