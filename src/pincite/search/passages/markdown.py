"""Markdown: ATX and setext headings, not those in code, comments or front matter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...core.limits import LIMITS
from ...text.markdown import fences, frontmatter_span, unify_line_ends
from .cut import cut, sections, shown_title
from .model import DocumentReading, Heading

if TYPE_CHECKING:
    from .cut import Block

NAME = "markdown"
ENDINGS = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".mdc", ".qmd", ".rmd")

# Lines are found by the line end before them, and recognised by their first character: that makes the search fast.
_LINE = re.compile(r"\n(?=[ #=-]) {0,3}+(?:(#{1,6}+)(?:[ \t]++([^\n]*+))?+(?![^\n])|(=++|-++)[ \t]*+(?![^\n]))")
_RAW = re.compile(r"\n {0,3}+<(?:(!--)|(pre|script|style|textarea)(?=[\s>]))", re.IGNORECASE)
_RAW_ENDS = {
    "!--": re.compile("-->"),
    **{tag: re.compile(f"</{tag}>", re.IGNORECASE) for tag in ("pre", "script", "style", "textarea")},
}
# What holds the lines below it too, up to a blank one: an item or a quote.
_HOLDER = re.compile(r" {0,3}+(?:>|[-*+](?=[ \t\n])|\d{1,9}[.)](?=[ \t\n]))")
_INDENTED = re.compile(r" {0,3}+\t| {4}")
# What begins a paragraph that is no heading: table, HTML, the definition of a link.
_OTHER = re.compile(r" {0,3}+(?:\||</?[A-Za-z!]|\[[^\]\n]{1,200}\]:)")
_USUAL = 200
_HIGHEST = 8
"""The most lines a setext heading may have."""
_ROUNDS = 8
"""How often comments and fences that are in one another's way are sorted out."""
_KEY = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?\n)*+[\w\"'.-]++[\w \"'.-]{0,60}:(?=[ \t\n]|\Z)|\s*+\Z")
_TITLE = re.compile(r"(?:^|\n)title:[^\n]*+(?:\n[ \t]++[^\n]*+)*+")


def outline(text: str, path: str = "") -> list[Heading]:
    """The headings, in order; titles as written, inline markup and all."""
    whole = unify_line_ends(text)
    start, _ = _front(whole)
    return [heading for heading, _ in _headings(whole, start, _find_hidden_blocks(whole, start))]


def read(text: str, path: str = "") -> DocumentReading:
    """The passages of a document without its front matter; its title is the front matter's."""
    whole = unify_line_ends(text)
    start, title = _front(whole)
    hidden = _find_hidden_blocks(whole, start)
    parts = sections(_headings(whole, start, hidden), start)
    return DocumentReading(text, tuple(cut(whole, parts, len(text), hidden)), title)


def _front(text: str) -> tuple[int, str]:
    """Where the text begins behind the front matter, and the title that it gives."""
    if not text.startswith("---"):
        return 0, ""
    span = frontmatter_span(text)
    if span is None or span.end - span.start > LIMITS.frontmatter_bytes:
        return 0, ""
    inner = text[span.start : span.end]
    if _KEY.match(inner) is None:
        # Two rules with text between them.
        return 0, ""
    after = text.find("\n", span.end) + 1 or len(text)
    found = _TITLE.search(inner)
    return after, _title(found[0].strip()) if found else ""


def _title(line: str) -> str:
    """The title that one key of front matter gives."""
    from ...text.yaml import FrontmatterError, Mapping, Scalar, is_null, load

    try:
        tree = load(line)
    except FrontmatterError:
        return ""
    node = tree.values.get("title") if isinstance(tree, Mapping) else None
    return " ".join(node.text.split()) if isinstance(node, Scalar) and not is_null(node) else ""


def _find_hidden_blocks(text: str, start: int) -> list[Block]:
    """Where headings are not looked for: fenced code, comments and other raw HTML; ascending, disjoint."""
    code = _code(text, start)
    raw = _raw(text, start, code) if "<" in text else []
    for _ in range(_ROUNDS):
        if not raw or not _overlap(raw, code):
            break
        # A fence in a comment is none: look again without what is in comments.
        pieces: list[str] = []
        at = 0
        for first, end in raw:
            pieces += (text[at:first], "\n" * (end - first))
            at = end
        code = _code("".join((*pieces, text[at:])), start)
        raw = _raw(text, start, code)
    return sorted(code + raw) if raw else code


def _code(text: str, start: int) -> list[Block]:
    """Fenced blocks, ascending."""
    if "```" not in text and "~~~" not in text:
        return []
    return [(region.start, region.end) for region in fences(text, start)]


def _raw(text: str, start: int, code: list[Block]) -> list[Block]:
    """HTML that runs to its end mark, however many blank lines it has; not what begins in code."""
    found: list[Block] = []
    turn, until = 0, start
    ends: dict[str, int] = {}
    for match in _RAW.finditer("\n" + text, start):
        first = match.start()
        while turn < len(code) and code[turn][1] <= first:
            turn += 1
        if first < until or (turn < len(code) and code[turn][0] <= first):
            continue
        mark = (match[1] or match[2]).lower()
        if ends.get(mark, 0) <= first:
            end = _RAW_ENDS[mark].search(text, first)
            # None is found once only: what is open then is open to the end.
            ends[mark] = end.end() if end else len(text)
        until = ends[mark]
        found.append((first, until))
    return found


def _overlap(one: list[Block], other: list[Block]) -> bool:
    """Whether any two stretches of two ascending lists have something in common."""
    turn = 0
    for start, end in one:
        while turn < len(other) and other[turn][1] <= start:
            turn += 1
        if turn < len(other) and other[turn][0] < end:
            return True
    return False


def _headings(text: str, start: int, hidden: list[Block]) -> list[tuple[Heading, int]]:
    """Headings with the offsets of what follows them."""
    found: list[tuple[Heading, int]] = []
    size = len(text)
    turn, blocks = 0, len(hidden)
    floor = start
    """A setext heading's text does not reach above this."""
    # Searched is a text with one more line end before it, so that the offset of that line end is the line's start.
    for match in _LINE.finditer("\n" + text, start):
        first = match.start()
        while turn < blocks and hidden[turn][1] <= first:
            floor = hidden[turn][1]
            turn += 1
        if turn < blocks and hidden[turn][0] <= first:
            continue
        marks, words, rule = match.groups()
        after = match.end()
        if after > size:
            after = size
        if rule is None:
            title = words.strip() if words else ""
            if title[-1:] == "#":
                bare = title.rstrip("#")
                title = bare.rstrip() if not bare or bare[-1] in " \t" else title
            if title:
                if len(title) > _USUAL or "  " in title or "\t" in title:
                    title = shown_title(title)
                found.append((Heading(first, len(marks), title), after))
            floor = after
        else:
            top = _setext(text, floor, first)
            if top >= 0:
                title = shown_title(text[top : first - 1])
                found.append((Heading(top, 1 if rule[0] == "=" else 2, title), after))
            if top >= 0 or (rule[0] == "-" and len(rule) != 2):
                # What underlines nothing is a rule, an empty item, or text like any other.
                floor = after
    return found


def _setext(text: str, floor: int, rule: int) -> int:
    """Where the heading begins that a line of `=` or `-` underlines; -1 where it underlines none."""
    line = rule
    for _ in range(_HIGHEST):
        if line <= floor:
            break
        above = text.rfind("\n", floor, line - 1) + 1 or floor
        if above >= line - 1 or text[above : line - 1].isspace():
            break
        line = above
        if _HOLDER.match(text, line):
            return -1
    else:
        return -1
    while line < rule and _INDENTED.match(text, line):
        line = text.find("\n", line) + 1
    return line if line < rule and _OTHER.match(text, line) is None else -1
