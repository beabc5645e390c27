"""Block quotes: where they are, what they begin with, which words are quoted, and where a writer speaks in one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..unspaced_scripts import count_letters
from .formats import EDGES, HEADS
from .mark_pairs import CODE, PAIR, clean, inner_span, is_quotation, without_citations

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUOTING = "quote|quotes|quotation|cite|citation|zitat|excerpt|epigraph|verbatim"
_NOTICE = (
    "note|notes|nota|nb|warning|caution|tip|tips|important|hint|info|information|danger|attention|todo|fixme|disclaimer"
    "|update|edit|remark|aside|summary|tldr|tl;dr|takeaway|key takeaway|key point|key insight|bottom line|reminder"
    "|example|see also|hinweis|achtung|warnung|wichtig|anmerkung|bemerkung|remarque|importante?|attenzione|atención"
    "|advertencia|observação|aviso|注意|注|提示|警告|说明|備考|重要"
)
_BOLD, _UNBOLD = r"(?:\*{2,3}|__|<(?:b|strong)>)", r"(?:\*{2,3}|__|</(?:b|strong)>)"
_SIGN = r"(?:[^\w\s*<>\[\"'“”„«»‘’(…—–-]{1,6}[ \t]{0,3})?"
# `[!NOTE] …`; `**Note** …`, `⚠️ **Note for readers:** …`, `*Note:* …`.
_IS_NOTICE = re.compile(
    rf"[ \t]*{_SIGN}(?:\[!(?!(?:{_QUOTING})\b)"
    rf"|{_BOLD}{_SIGN}(?:{_NOTICE})(?:{_UNBOLD}"
    rf"|(?:[ \t]{{1,3}}[^\s*<>:]{{1,20}}){{0,3}}[ \t]?(?:[:：.!][ \t]?{_UNBOLD}|{_UNBOLD}[ \t]?[:：—–-]))"
    rf"|[*_]{_SIGN}(?:{_NOTICE})(?:[ \t]{{1,3}}[^\s*<>:]{{1,20}}){{0,3}}[ \t]?(?:[:：][*_]|[*_][ \t]?[:：]))",
    re.IGNORECASE,
)
_CALLOUT = re.compile(rf"\s*\[!(?:{_QUOTING})\b[^\]\n]{{0,60}}\][+-]?([^\n]*)", re.IGNORECASE)
_SAYS_QUOTE = re.compile(rf"\s*[*_]{{0,3}}(?:{_QUOTING})[*_]{{0,3}}[ \t]?[:：][*_]{{0,3}}[ \t]*", re.IGNORECASE)
_SPEAKER = re.compile(
    rf"\s*{_BOLD}[^\s*_<>][^*_<>\n]{{0,60}}(?:[:：][ \t]?{_UNBOLD}|{_UNBOLD}[ \t]?[:：])[ \t]*"
    rf"|\s*(?:{_NOTICE})[ \t]?[:：][ \t]+",
    re.IGNORECASE,
)
# A picture in front of a text: the writer's, and no word of it.
_PICTURE = re.compile("\\s*[\u2139\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0e\ufe0f]?[ \\t]*")

# `Quote: …`, `- **Key quote** (p. 3): …` at the beginning of a line.
LINE_LABEL = re.compile(
    # Example: `- **Key quote (p. 3):**`.
    r"""
    (?:\A|\n)[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?[*_]{0,3}(?:(?:key|direct|supporting|exact|original)[ \t])?
    (?:quote|quotation|verbatim|excerpt|zitat|wortlaut|引用|原文)[*_]{0,3}(?:[ \t]?[(\[][^()\n]{0,80}[)\]]{1,2})?
    [*_]{0,3}[ \t]?[:：][*_]{0,3}
    """,
    re.IGNORECASE | re.VERBOSE,
)
LINE = re.compile(r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+>[ \t>]*+")
"""The marks in front of a line of a block quote, which may stand in a list."""
BELOW_LINE = re.compile(rf"\n{LINE.pattern}")
_TAG = re.compile(r"<(/?)blockquote(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_BREAKING = re.compile(r"</?(?:p|div|footer|br|li)(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
"""Tags that begin or end a line of a block quote."""
# A line that goes on with the paragraph of a block quote has no marks of its own, unless it begins something else.
_BEGINS = re.compile(
    r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\||\Z|\0|\[\^[^\]\n]{1,60}\]:|</?blockquote)", re.IGNORECASE
)
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t][^\n]*$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)", re.MULTILINE)
_BREAK = re.compile(r"\n[ \t>]*(?:\n|(?:[-*+]|\d{1,9}[.)])[ \t])")
"""Where a paragraph or an item of a block quote ends."""
_ONLY_CODE = re.compile(rf"[\s\0{CODE}]*")
# Who said it: a line that begins with a dash, or what follows one behind the end of a sentence, or a name behind one.
_ATTRIBUTION = re.compile(
    # Examples: `— Jo Doe`, `Source: the guide`.
    r"""
    (?:^|\n|(?<=[.!?…"”’'»)*_。」])[ \t])[ \t]*(?:—|–|--|<footer>|<cite>)[ \t]*[^\n]{0,200}\Z
    |[ \t](?:—|–|--)[ \t]*(?:[*_]{0,3}[^\Wa-z\d_][^\n—–]{0,60})?\Z
    |(?:^|\n)[ \t*_]*(?:Source|From|Quelle)[*_]{0,3}:[^\n]{0,200}\Z
    """,
    re.VERBOSE,
)
_LABEL = re.compile(r"(?:Source|From|Quelle)[*_]{0,3}:")
_AROUND_NAME = " \t\n—–-*_<>"
# A word of a name or of a place in a text: a capital, a number, or what joins them.
_NAMED = re.compile(
    r"[\"'“”‘’(\[*_]*(?:[^\W\da-z_][\w.'’&-]*|[\d.,:–-]+|(?:in|of|the|and|et|al|p|pp|from|see|by|a|an|to|on|at|for|von"
    r"|van|de|der|den|di|da|du|la|le|und|ed|eds|vol|no|ch|sec|footer|cite|cf|quoted|cited)\.?|&|§+|/)"
    r"[\"'“”‘’)\]*_.,;:]*"
)
_DASHED = re.compile(r"[ \t*_]*(?:—|–|--|<footer>|<cite>|(?:Source|From|Quelle)[*_]{0,3}:)", re.IGNORECASE)
_LEFT_OPEN = " \t\n(["
_SAID = (
    r"(?:say|state|write|report|note|argue|claim|conclude|find|show|observe|call|describe|put|explain|add|warn|suggest"
    r"|admit|insist|remark|declare|comment|mention|emphasi[sz]e|stress|reply|ask|answer|continue|believe|maintain"
    r"|announce|acknowledge|assert|point(?:s|ed)?[ \t]out)(?:s|d|ed|es|ing)?|said|wrote|found|put|shown|written"
    r"|argu(?:es|ed|ing)|not(?:es|ed|ing)|according[ \t]to|in[ \t]the[ \t]words[ \t]of|quot(?:es?|ed|ing)"
    r"|sagt|sagte|schreibt|schrieb|dit|écrit|dice|escribe"
)
SAYING = re.compile(rf"\b(?:{_SAID})\b|[说說写寫认認]为?|指出|表示|写道|述べ|という|と言", re.IGNORECASE)
"""A verb of saying."""
# What introduces words in quotation marks and no more: a few words that end in a verb of saying, or a name and `:`.
_INTRODUCES = re.compile(
    # Examples: `Smith writes:`, `according to Smith, `.
    rf"""
    \s*+(?:[^\s.!?:,;]++\s++){{0,5}}?(?:{_SAID})(?:\s++(?:that|how|why))?\s*+[:,]?\s*+
    |\s*+(?:according\s++to|in\s++the\s++words\s++of)\s++(?:[^\s!?:,;]++\s*+){{1,4}},?\s*+
    """,
    re.IGNORECASE | re.VERBOSE,
)
_INTRODUCES_NAME = re.compile(r"\s*+(?:[^\W\da-z_][^\s:]*+\s*+|et\s++al\.?\s*+|and\s++|&\s*+){1,5}:\s*+")
_FOLLOWS = re.compile(
    rf"[\s.,;:!?]*+(?:(?:[^\s.!?]++\s++){{0,3}}?(?:{_SAID})(?:\s++[^\s.!?]++){{0,3}}[\s.]*+)?", re.IGNORECASE
)


_EDGE_SIGNS = ("#+", "____", '""', "[quote", "[verse", ".. ", "\\begin{", "\\end{")


def has_line_label(text: str) -> bool:
    """Whether a line of a text says that a quote follows."""
    return any(sign in text for sign in _LABEL_SIGNS) and LINE_LABEL.search(text) is not None


_LABEL_SIGNS = ("uot", "UOT", "erbatim", "xcerpt", "itat", "ortlaut", "引用", "原文")


def is_notice(text: str) -> bool:
    """Whether a block quote that begins so, without the marks of its lines, is a notice: the writer's own."""
    return _IS_NOTICE.match(text) is not None


def is_callout(text: str) -> bool:
    """Whether a text begins with the mark of a callout that quotes."""
    return _CALLOUT.match(text) is not None


def split_label(words: str) -> tuple[str, str, bool]:
    """The title of a block quote, its words without title and label, and whether nothing makes them doubtful.

    A label may name a speaker or say what the writer means by it: `**Donovan:** …`, `**Finding:** …`.
    """
    callout = _CALLOUT.match(words)
    if callout is not None:
        return callout[1].strip(), words[callout.end() :], True
    said = _SAYS_QUOTE.match(words)
    if said is not None:
        return "", words[said.end() :], True
    found = _SPEAKER.match(words) or _PICTURE.match(words)
    return ("", words[found.end() :], False) if found is not None else ("", words, True)


class QuotedWords(NamedTuple):
    """Quoted words; not `sure` where they may be the writer's own, or another person's."""

    text: str
    sure: bool = True


def find_tagged(text: str) -> list[tuple[int, int]]:
    """Where HTML block quotes begin and end, tags included; those in others belong to them."""
    found: list[tuple[int, int]] = []
    depth = start = 0
    for tag in _TAG.finditer(text) if "<" in text else ():
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                found.append((start, tag.end()))
    if depth:
        found.append((start, len(text)))
    return found


def has_block(text: str) -> bool:
    """Whether a text has block quotes."""
    if ">" not in text:
        return False
    if LINE.match(text) or BELOW_LINE.search(text) or ("\r" in text and BELOW_LINE.search(text.replace("\r", "\n"))):
        return True
    return _TAG.search(text) is not None


def line_start(text: str, at: int) -> int:
    """Where the line begins that holds a place."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Where the line ends that holds a place."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def find_start(text: str, first: int, plain: tuple[int, int]) -> int:
    """Where the block quote by `>` begins that holds a line; below zero where none does.

    Lines without a mark belong to the paragraph above them. None of the `plain` lines is in a block quote.
    """
    start = -1
    while True:
        if LINE.match(text, first):
            start = first
        elif plain[0] <= first <= plain[1] or _is_blank(text, first) or _starts(text, first):
            break
        if not first:
            break
        first = line_start(text, first - 1)
    return start if start >= 0 else -first - 1


def find_end(text: str, at: int) -> int:
    """Where the block quote ends whose lines hold a place."""
    end = line_end(text, at)
    while end < len(text):
        if not LINE.match(text, end + 1) and (_is_blank(text, end + 1) or _starts(text, end + 1)):
            break
        end = line_end(text, end + 1)
    return end


def _starts(text: str, at: int) -> bool:
    return _BEGINS.match(text, at, line_end(text, at)) is not None


def _is_blank(text: str, at: int) -> bool:
    return not text[at : line_end(text, at)].strip()


def find_break(text: str, start: int, end: int) -> int:
    """Where the paragraph or item of a block quote ends that holds a place; below zero where it goes on."""
    found = _BREAK.search(text, start, end)
    return found.start() if found is not None else -1


def bare_lines(text: str) -> str:
    """A stretch of a block quote without the marks of its lines; a blank line stays one."""
    if "<" in text:
        text = _BREAKING.sub("\n", _TAG.sub("", text))
    if any(sign in text for sign in _EDGE_SIGNS):
        text = EDGES.sub("", text)
    return "\n".join(map(bare_line, text.split("\n")))


def bare_line(line: str) -> str:
    """A line without the marks of block quotes in front of it."""
    marks = LINE.match(line)
    return line[marks.end() :] if marks is not None else line


def split_attribution(words: str) -> tuple[str, str]:
    """The words of a block quote without who said them, and what may be that or words of the quote.

    Behind a dash within a line only names and places of a text say who said it; a line of its own may say it in words.
    """
    words = words.rstrip(_LEFT_OPEN)
    found = _ATTRIBUTION.search(words)
    while found is not None:
        said = found[0].strip(_AROUND_NAME)
        labelled = _LABEL.match(said)
        named = not is_quotation(said) or (not count_letters(said) and all(map(_NAMED.fullmatch, said.split())))
        if labelled or named:
            return words[: found.start()].strip(), ""
        if not found.start() or words[found.start()] == "\n":
            return words[: found.start()].strip(), said
        found = _ATTRIBUTION.search(words, found.start() + 1)
    return words.strip(), ""


def is_attributed(line: str) -> bool:
    """Whether a line up to its citation says who said it, and no more."""
    return HEADS.match(line) is not None or _DASHED.match(_BREAKING.split(bare_line(line))[-1]) is not None


def read_block(words: str) -> Iterator[QuotedWords]:
    """What is quoted by the words of a block quote, item by item, the last one first."""
    if _ONLY_CODE.fullmatch(words):
        return
    title, words, sure = split_label(words)
    titles = [clean(title), *map(clean, _HEADING.findall(words))]
    for part in reversed(_ITEM.split(_HEADING.sub("", words))):
        yield from (QuotedWords(one.text, one.sure and sure) for one in _read_part(part.strip()))
    # A heading may be the paper's or the writer's.
    yield from (QuotedWords(title.lstrip("# "), False) for title in titles if title)


def _read_part(part: str) -> Iterator[QuotedWords]:
    """A block quote is quoted as a whole, unless a writer speaks in it and quotes others."""
    pairs = list(PAIR.finditer(part))
    if len(pairs) == 1 and not part[: pairs[0].start()].strip(" *_") and not part[pairs[0].end() :].strip(" *_.,;:"):
        inner = clean(part[slice(*inner_span(pairs[0]))])
        if inner:
            yield QuotedWords(inner)
        return
    whole = clean(without_citations(part))
    inner_words = [(pair, words) for pair in pairs if (words := clean(part[slice(*inner_span(pair))]))]
    if not whole:
        return
    outside = PAIR.sub(" ", part)
    if not inner_words or not (SAYING.search(outside) or _INTRODUCES_NAME.match(part[: inner_words[0][0].start()])):
        yield QuotedWords(whole)
        return
    yield from (QuotedWords(words) for _, words in inner_words)
    if not _is_introduced(part, [pair for pair, _ in inner_words]):
        yield QuotedWords(whole, False)


def _is_introduced(part: str, pairs: list[re.Match[str]]) -> bool:
    """Whether all that stands beside the words in quotation marks says who said them."""
    before, after = part[: pairs[0].start()], part[pairs[0].end() :]
    if len(pairs) != 1 or count_letters(before + after):
        return False
    if not before.strip(" \n*_"):
        return _FOLLOWS.fullmatch(after) is not None and is_quotation(pairs[0][0])
    named = _INTRODUCES_NAME.fullmatch(before) or _INTRODUCES.fullmatch(before)
    return named is not None and not after.strip(" \n.,;:!?*_")
