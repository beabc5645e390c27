"""Block quotes of formats other than Markdown: reStructuredText, AsciiDoc, Org, and environments of LaTeX."""

from __future__ import annotations

import re
from typing import NamedTuple

_ORG_EDGE = re.compile(r"^[ \t]*#\+(begin|end)_(?:quote|verse)\b[^\n]*$", re.IGNORECASE | re.MULTILINE)
_LATEX_EDGE = re.compile(r"\\(begin|end)\{(?:quote|quotation|displayquote|verse|epigraph)\*?\}")
_ADOC_STYLE = re.compile(r"[ \t]*\[(?:quote|verse)\b[^\n]{0,400}\][ \t]*")
_ADOC_FENCE = re.compile(r'(_{4,}|"")[ \t]*')
_ADOC_CODE = re.compile(r"(-{4,}|\.{4,}|/{4,}|`{3,})[ \t]*")
_RST_QUOTE = re.compile(r"\.\.[ \t]+(?:epigraph|pull-quote|highlights)::", re.IGNORECASE)
_RST_CODE = re.compile(r"\.\.[ \t]+(?:code|code-block|sourcecode|literalinclude|parsed-literal|math|raw)::")
_RST_MARKUP = re.compile(r"\.\.(?:[ \t]|\Z)|:[^:\s][^:]{0,60}:(?:[ \t]|\Z)|\|[ \t]|[-+=]{3,}")
_RST_ITEM = re.compile(r"(?:[-*+•]|\(?(?:\d{1,9}|[A-Za-z#])[.)])[ \t]+")
_ATTRIBUTED = re.compile(r"\n[ \t]*(?:---?|—)[ \t]?\S[^\n]*\s*\Z")
# The lines around a block quote that say that it is one, and who is quoted.
EDGES = re.compile(
    rf"{_ORG_EDGE.pattern}|{_LATEX_EDGE.pattern}|^[ \t]*\[(?:quote|verse)\b[^\n]{{0,400}}\][ \t]*$"
    rf"|^[ \t]*(?:_{{4,}}|\"\")[ \t]*$|^[ \t]*{_RST_QUOTE.pattern}[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
HEADS = re.compile(rf"(?:{_ADOC_STYLE.pattern}|{_ORG_EDGE.pattern}|[ \t]*{_RST_QUOTE.pattern})", re.IGNORECASE)


class Block(NamedTuple):
    """A block quote; not `sure` where the format shows no more than that it is indented."""

    start: int
    end: int
    sure: bool = True


def find_blocks(text: str, path: str) -> list[Block]:
    """The block quotes that a format has besides those of Markdown and HTML, in order, none inside another."""
    found: list[Block] = []
    if "#+" in text:
        found += _between(text, _ORG_EDGE)
    if "\\begin{" in text:
        found += _between(text, _LATEX_EDGE)
    if path.endswith((".adoc", ".asciidoc")):
        found += _find_styled(text)
    elif path.endswith(".rst"):
        found += _find_indented(text)
    found.sort()
    return [block for at, block in enumerate(found) if not at or block.start >= max(one.end for one in found[:at][-4:])]


def _between(text: str, edges: re.Pattern[str]) -> list[Block]:
    """What stands between an edge that begins and the next that ends; to the end of the text where none does."""
    found: list[Block] = []
    start = -1
    for edge in edges.finditer(text):
        begins = edge[1].lower() == "begin"
        if begins and start < 0:
            start = edge.start()
        elif not begins and start >= 0:
            found.append(Block(start, edge.end()))
            start = -1
    return [*found, Block(start, len(text))] if start >= 0 else found


def _find_styled(text: str) -> list[Block]:
    """Quotes of AsciiDoc: between lines of underscores, or a paragraph below `[quote]`."""
    found: list[Block] = []
    start = at = 0
    fence = code = ""
    styled = -1
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        end = at + len(bare)
        if code:
            code = "" if bare.rstrip() == code else code
        elif fence:
            if bare.rstrip() == fence:
                found.append(Block(start, end))
                fence, styled = "", -1
        elif edge := _ADOC_FENCE.fullmatch(bare):
            fence, start = edge[1], styled if styled >= 0 else at
        elif edge := _ADOC_CODE.fullmatch(bare):
            code, styled = edge[1], -1
        elif _ADOC_STYLE.fullmatch(bare):
            styled = at
        elif styled >= 0 and not bare.strip():
            found.append(Block(styled, at))
            styled = -1
        at += len(line)
    if fence or styled >= 0:
        found.append(Block(start if fence else styled, len(text)))
    return found


def _find_indented(text: str) -> list[Block]:
    """Quotes of reStructuredText: what is indented behind a blank line, deeper than the text that holds it."""
    found: list[Block] = []
    lead, base, start = "", 0, -1
    blank = True
    at = last = 0
    for line in [*text.splitlines(keepends=True), "end"]:
        bare = line.strip()
        indent = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip()) if bare else 0
        ends = line == "end" and at == len(text)
        if bare:
            if start >= 0 and (indent <= base or ends):
                found.append(_block(text, start, last, lead))
                start = -1
            if indent <= base or ends:
                lead = bare
                item = _RST_ITEM.match(bare)
                base = indent + (item.end() if item else 0)
            elif start < 0 and blank and not lead.endswith("::") and not _RST_MARKUP.match(lead):
                start = at
            elif start < 0 and blank and _RST_QUOTE.match(lead):
                start = text.rfind("\n", 0, text.rfind(lead, 0, at)) + 1
            elif start < 0 and (not lead.endswith("::") or (lead[:2] == ".." and not _RST_CODE.match(lead))):
                # The body of a definition or a directive: deeper text is a quote in it.
                lead, base = bare, indent
            last = at + len(line.rstrip("\r\n"))
        blank = not bare
        at += len(line)
    return found


def _block(text: str, start: int, end: int, lead: str) -> Block:
    sure = _RST_QUOTE.match(lead) is not None or lead.endswith(":") or _ATTRIBUTED.search(text, start, end) is not None
    return Block(start, end, sure)
