"""What a block quote begins with: the mark of a callout, or a label that says whose words follow."""

from __future__ import annotations

import re

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
_LABEL = re.compile(
    rf"\s*{_BOLD}[^\s*_<>][^*_<>\n]{{0,60}}(?:[:：][ \t]?{_UNBOLD}|{_UNBOLD}[ \t]?[:：])[ \t]*"
    rf"|\s*(?:{_NOTICE})[ \t]?[:：][ \t]+",
    re.IGNORECASE,
)
# A picture in front of a text: the writer's, and no word of it.
_PICTURE = re.compile("\\s*[\u2139\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0e\ufe0f]?[ \\t]*")

# `Quote: …`, `- **Key quote** (p. 3): …` at the beginning of a line.
LINE_LABEL = re.compile(
    r"(?:\A|\n)[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?[*_]{0,3}(?:(?:key|direct|supporting|exact|original)[ \t])?"
    r"(?:quote|quotation|verbatim|excerpt|zitat|wortlaut|引用|原文)[*_]{0,3}(?:[ \t]?[(\[][^()\n]{0,80}[)\]]{1,2})?"
    r"[*_]{0,3}[ \t]?[:：][*_]{0,3}",
    re.IGNORECASE,
)


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
    found = _LABEL.match(words) or _PICTURE.match(words)
    return ("", words[found.end() :], False) if found is not None else ("", words, True)
