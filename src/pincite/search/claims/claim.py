"""The words that belong to a citation: its clause, its sentence, and what stands around them.

Prose is read by paragraphs, items and rows of tables; source code by comments and docstrings, whose marks are left out.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from string import ascii_uppercase
from typing import TYPE_CHECKING

from msgspec import Struct

from .terms import find_terms, may_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .terms import PlacedTerm

    Zone = tuple[int, int]
    """Where something begins and ends in the words around a citation."""
    Block = tuple[str, str, Callable[[], str]]
    """The text before a citation, the text from it on, and what says what stands around them."""

PROSE = (".md", ".markdown", ".mdx", ".mdc", ".rst", ".txt", ".adoc", ".org", ".tex", ".html", ".htm", ".ipynb")
NEAR, SENTENCE, AROUND = range(3)
"""How far from the citation a term stands: in its clause, in its sentence, in the text or the code around it."""
ABOVE, BELOW = 60, 10
"""Lines around the citing one that are looked at."""
PARAGRAPH_ABOVE, _PARAGRAPH_BELOW = 14, 8
_INTRODUCED_ABOVE = 30
"""Lines above an item in which the words stand that introduce its list."""
_LONGEST = 1000
"""Code points on each side of a citation."""
_MOST_JOINED = 20
"""Citations in a row that share the words before the first."""
_LESS = 0.7
"""What a term of the code or the heading around is worth, against one of the text."""

# `# `, `// `, `/// `, ` * `, `-- `, `/** `
_LEADER = re.compile(r"[ \t]*+(?:#++!?|//[/!]?|\*++(?!/)|--|;++|/\*++!?|<!--|%++)[ \t]?")
_TRAILING = re.compile(r"[ \t](?:#|//|/\*)[ \t]")
_ITEM = re.compile(r"[ \t>]*+(?:[-*+•]|\d{1,3}[.)]|\([a-z0-9]{1,2}\))[ \t]")
_ITEM_MARK = re.compile(r"[ \t>]*+(?:(?:[-*+•]|\d{1,3}[.)])[ \t]++)?(?:\[[ xX]\][ \t])?")
_HEADING = re.compile(r"[ \t]*+#{1,6}[ \t]")
_DOCSTRING = re.compile(r"\"\"\"|'''")
_HEADER = re.compile(
    # `async def read(self):`, `pub fn read(`, `export class Reader`
    r"""
    [ \t]*+(?:(?:export|default|pub(?:\([a-z]{1,20}\))?|public|private|protected|internal|static|final|abstract|async
    |override|unsafe|const|inline|virtual)[ \t]++){0,6}
    (?:def|class|fn|func|fun|function|struct|enum|trait|impl|interface|type|mod|module|namespace|contract)\b
    """,
    re.VERBOSE,
)
_CITATION = re.compile(
    # `core.py:12-14,20`, `core.py#L12`, and `:196` which goes on with the file before it
    r"""
    (?<![\w./@+-])[\w./@+-]{1,160}\.[A-Za-z][A-Za-z0-9]{0,5}
    (?:[:]L?\d{1,7}(?:[-–]L?\d{1,7})?(?:,[ ]?:?\d{1,7}(?:[-–]\d{1,7})?){0,20}|\#L\d{1,7}(?:-L?\d{1,7})?)
    |(?<![\w:])[:]\d{1,7}(?:[-–]\d{1,7})?\b
    |【[^【】\n]{1,300}】
    """,
    re.VERBOSE,
)
_BRACKET = re.compile("【[^【】\\n]{1,300}】")
"""The same where no line number stands behind a colon or `#`: a tenth of the work."""
_NUMBERED = re.compile(r"[:#]L?\d")
# Looking back comes second: a search is quick only where the pattern begins with what it looks for.
_STOP = re.compile(r"[.!?](?<![.!?].)[\"'”’)\]*_`]{0,4}(?=\s+[A-Z`(\[*\"“_])")
_BEGINS, _ENDS = frozenset(f'{ascii_uppercase}`([*"“_'), frozenset(".!?")
"""What begins a sentence behind a full stop, and what may not stand before it."""
_OLD_ANCHOR = re.compile(
    r"\b(?:stale|outdated|re-?anchor(?:ed|ing|s)?|old (?:anchor|line|cite|citation)s?|drifted|shifted"
    r"|actual (?:[\w-]{1,30} )?(?:anchor|line|is)|cites? [^.]{0,120}; actual)\b",
    re.IGNORECASE,
)
_OLD_SIGNS = ("tale", "outdated", "anchor", "old ", "fted", "actual")
"""Of which one is in every text that says so. They have no `i`, `k` or `s`, which letters of other alphabets equal."""
# `core.py:12` → `:40`
_ARROW = re.compile(r"[`)\]*_]{0,4} ?(?:→|->|=>)")
_JOINING = re.compile(r"\b(?:and|vs|or|also|see|plus)\b")
_OPEN = re.compile(r"[(\[][^()\[\]]{0,300}\Z")
_WORD = re.compile(r"[A-Za-z]{3}")


class ClaimTerm(Struct, frozen=True, gc=False):
    """Something that the words of a citation name."""

    kind: str
    term: str
    zone: int
    weight: float


class Claim:
    """What is said where a citation stands. What it names is looked for when it is asked for."""

    def __init__(
        self, text: str, sentence: Zone, clause: Zone, context: Callable[[], str], is_mention: Callable[[], bool]
    ) -> None:
        self._text = text
        """The words around the citation, without the citations among them."""
        self._is_mention = is_mention
        self._sentence = sentence
        self._clause = clause
        self._context = context
        """What the code or the headings around say."""

    def __eq__(self, other: object) -> bool:
        """Whether the same is said: then the same is named."""
        if not isinstance(other, Claim):
            return NotImplemented
        mine, its = ((one._text, one._sentence, one._clause) for one in (self, other))
        return mine == its and self._context() == other._context() and self.is_mention == other.is_mention

    __hash__ = None  # type: ignore[assignment]

    @property
    def clause(self) -> str:
        """The words that the citation belongs to most closely."""
        return self._text[slice(*self._clause)].strip()

    @cached_property
    def is_mention(self) -> bool:
        """Whether it is said of the citation itself that it is old: then it is no pointer any more."""
        return self._is_mention()

    @cached_property
    def names(self) -> tuple[ClaimTerm, ...]:
        """What clause and sentence name that can be looked for letter by letter."""
        return tuple(term for term in self._place(find_terms(self._text)).values() if term.zone != AROUND)

    @property
    def names_something(self) -> bool:
        """Whether clause or sentence name anything that can be looked for letter by letter."""
        return bool(self.names) and not self.is_mention

    @cached_property
    def terms(self) -> tuple[ClaimTerm, ...]:
        """All that is named, what stands around too, and the plain words of the clause."""
        found = self._place(find_terms(self._text, self._clause))
        context = self._context()
        spoken = _blank(context, _find_citations(context))
        for _, _, kind, term, weight in find_terms(spoken):
            found.setdefault((kind, term), ClaimTerm(kind, term, AROUND, weight * _LESS))
        return tuple(found.values())

    def _place(self, terms: Iterable[PlacedTerm]) -> dict[tuple[str, str], ClaimTerm]:
        """Terms with how far from the citation they stand, each where it is nearest."""
        (first, last), (left, right) = self._sentence, self._clause
        found: dict[tuple[str, str], ClaimTerm] = {}
        for start, end, kind, term, weight in terms:
            zone = AROUND
            if left <= start and end <= right:
                zone = NEAR
            elif first <= start and end <= last:
                zone = SENTENCE
            known = found.get((kind, term))
            if known is None or zone < known.zone:
                found[kind, term] = ClaimTerm(kind, term, zone, weight)
        return found


@lru_cache(maxsize=64)
def _is_prose(path: str) -> bool:
    """Whether a document is prose; asked of every citation in it."""
    return path == "-" or path.lower().endswith(PROSE)


def is_without_names(path: str, text: str, start: int, end: int) -> bool:
    """Whether the sentence around a citation plainly names nothing: then its claim need not be read.

    A little more than the sentence is looked at: what cannot be told at a glance may be part of it.
    """
    if not _is_prose(path):
        return False
    first = text.rfind("\n\n", max(0, start - _LONGEST), start)
    last = text.find("\n\n", end, end + _LONGEST)
    if (first < 0 and start > _LONGEST) or (last < 0 and len(text) > end + _LONGEST):
        return False
    first, last = max(0, first), last if last >= 0 else len(text)
    at = max(0, start - 1)
    while (at := text.rfind(". ", first, at)) >= 0:
        if text[at + 2] in _BEGINS and text[at - 1] not in _ENDS:
            first = at + 2
            break
        at += 1
    at = end - 1
    while (at := text.find(". ", at + 1, last)) >= 0:
        if text[at + 2 : at + 3] in _BEGINS and text[at - 1] not in _ENDS:
            last = at
            break
    return not may_name(text[first:start]) and not may_name(text[end:last])


def may_introduce(path: str, line: str) -> bool:
    """Whether a line farther above a citation than its paragraph can belong to what is said around the citation."""
    if path != "-" and not path.lower().endswith(PROSE):
        return True
    return bool(_HEADING.match(line)) or line.rstrip().endswith(":")


def read_claim(path: str, lines: Sequence[str], row: int, column: int, length: int) -> Claim:
    """What is said around the citation of that length at a column of `lines[row]`; all count from 0."""
    before, after, context = _find_block(path, lines, row, column)
    before = _unify_space(before[-_LONGEST:])
    after = _unify_space(after[: _LONGEST + length])
    text, start = before + after, len(before)
    end = start + length
    first, last = _find_sentence(text, start, end)
    cited = _find_citations(text)
    clause = _find_clause(text, start, end, first, last, cited)
    spoken = _blank(text, [*cited, (start, end)])
    return Claim(spoken, (first, last), clause, context, lambda: _is_called_old(text, first, last, end))


def _unify_space(text: str) -> str:
    """The text with one blank for each run of white space."""
    words = " ".join(text.split())
    if not words:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{words}{' ' if text[-1].isspace() else ''}"


def _find_citations(text: str) -> list[Zone]:
    """Where the citations of a text stand."""
    pattern = _CITATION if _NUMBERED.search(text) else _BRACKET if "【" in text else None
    return [match.span() for match in pattern.finditer(text)] if pattern is not None else []


def _is_called_old(text: str, first: int, last: int, end: int) -> bool:
    """Whether a sentence says of its citation that it is old, and not of the lines what they say."""
    said = text[first:last]
    lower = said.lower()
    may_say = any(sign in lower for sign in _OLD_SIGNS)
    return bool((may_say and _OLD_ANCHOR.search(said)) or _ARROW.match(text, end))


def _find_sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence around a citation begins and ends."""
    first = max((match.end() for match in _STOP.finditer(text, 0, start)), default=0)
    stop = _STOP.search(text, end)
    return first, stop.end() if stop else len(text)


def _find_clause(
    text: str, start: int, end: int, first: int, last: int, cited: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """Where the words begin and end that belong to this citation and to no other one of its sentence."""
    ends = [after for before, after in cited if first <= before and after < start]
    right = min((before for before, _ in cited if end <= before < last), default=last)
    left = ends.pop() if ends else first
    for _ in range(_MOST_JOINED):
        # In `(a.py:1, b.py:2)` the words before the first belong to both.
        if left == first or _WORD.search(_JOINING.sub("", text[left:start])):
            break
        left = ends.pop() if ends else first
    opened = text[max(0, start - 300) : start].rstrip("`\"' ")
    if opened.endswith("—") or _OPEN.search(opened):
        # What stands in brackets belongs to the words before them.
        closed = re.search(r"[)\]]", text[end:right])
        right = end + closed.end() if closed else right
    return left, right


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without citations: what they are called says nothing of their lines."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _find_block(path: str, lines: Sequence[str], row: int, column: int) -> Block:
    """The text before a citation, the text from it on, and what the code or the headings around it say."""
    line = lines[row]
    if _is_prose(path):
        return _find_paragraph(lines, row, column)
    leader = _LEADER.match(line)
    if leader is not None and leader.end() <= column:
        return _find_comment(lines, row, column)
    *_, trailing = None, *_TRAILING.finditer(line, 0, column)
    if trailing is not None and line[: trailing.start()].strip():
        below = "\n".join(_strip_leaders(_go_on(lines, row, 4, lambda line: _LEADER.match(line) is not None)))
        return line[trailing.end() : column], f"{line[column:]}\n{below}", lambda: line[: trailing.start()]
    return _find_docstring(lines, row, column)


def _go_on(lines: Sequence[str], row: int, most: int, belongs: Callable[[str], bool], step: int = 1) -> list[str]:
    """The lines that follow a row, or precede it, as long as they belong to it; in the order of the text."""
    found: list[str] = []
    at = row + step
    while 0 <= at < len(lines) and len(found) < most and belongs(lines[at]):
        found.append(lines[at])
        at += step
    return found[::step]


def _find_paragraph(lines: Sequence[str], row: int, column: int) -> Block:
    """A paragraph, an item or the row of a table; the heading and what introduces the list are around it."""
    line = lines[row]
    if line.lstrip(" >").startswith("|"):
        return line[:column], line[column:], lambda: _find_heading(lines, row)

    def goes_on(line: str) -> bool:
        return bool(line.strip()) and not _HEADING.match(line) and not line.lstrip().startswith(("|", "```"))

    above: list[str] = []
    if not _ITEM.match(line):
        above = _go_on(lines, row, PARAGRAPH_ABOVE, goes_on, -1)
        begin = max((at for at, line in enumerate(above) if _ITEM.match(line)), default=0)
        above = above[begin:]
    below = _go_on(lines, row, _PARAGRAPH_BELOW, lambda line: goes_on(line) and not _ITEM.match(line))
    marks = _ITEM_MARK.match(line)
    begin = min(marks.end() if marks else 0, column)
    before = "\n".join([*map(_strip_item, above), line[begin:column]])

    def say_around() -> str:
        introduced = ""
        if _ITEM.match(above[0] if above else line):
            top = row - len(above) - 1
            earlier = lines[max(0, top + 1 - _INTRODUCED_ABOVE) : max(0, top + 1)]
            introduced = next((line for line in reversed(earlier) if line.rstrip().endswith(":")), "")
        return f"{_find_heading(lines, row)} {introduced}"

    return before, "\n".join([line[column:], *map(_strip_item, below)]), say_around


def _find_heading(lines: Sequence[str], row: int) -> str:
    """The heading above a row, or the row itself where it is one."""
    return next((line for line in reversed(lines[: row + 1]) if "#" in line and _HEADING.match(line)), "")


def _find_comment(lines: Sequence[str], row: int, column: int) -> Block:
    """Lines of comments with the same mark; the code below them is around it."""
    line = lines[row]
    mark = line.lstrip()[:1]

    def belongs(line: str) -> bool:
        leader = _LEADER.match(line)
        return leader is not None and line.lstrip()[:1] == mark and bool(line[leader.end() :].strip(" #*/-="))

    above = _go_on(lines, row, PARAGRAPH_ABOVE, belongs, -1)
    below = _go_on(lines, row, _PARAGRAPH_BELOW, belongs)
    leader = _LEADER.match(line)
    before = "\n".join([*_strip_leaders(above), line[leader.end() if leader else 0 : column]])
    after = "\n".join([line[column:], *_strip_leaders(below)])
    code = lines[row + len(below) + 1 : row + len(below) + 4]
    return before, after, lambda: " ".join([line for line in code if line.strip() and not _LEADER.match(line)][:2])


def _find_docstring(lines: Sequence[str], row: int, column: int) -> Block:
    """A paragraph of a docstring; the header of what it describes is around it."""
    line = lines[row]
    above: list[str] = []
    if not _DOCSTRING.search(line[:column]):
        above = _go_on(lines, row, PARAGRAPH_ABOVE, lambda line: bool(line.strip()), -1)
        begin = max((at for at, line in enumerate(above) if _DOCSTRING.search(line)), default=0)
        above = above[begin:]
    below: list[str] = []
    if not _DOCSTRING.search(line[column:]):
        below = _go_on(lines, row, _PARAGRAPH_BELOW, lambda line: bool(line.strip()))
        end = next((at + 1 for at, line in enumerate(below) if _DOCSTRING.search(line)), len(below))
        below = below[:end]
    before = "\n".join([*(line.strip().lstrip("\"'") for line in above), line[:column].lstrip().lstrip("\"'")])
    earlier = row - len(above) + 1
    return (
        before,
        "\n".join([line[column:], *(line.strip() for line in below)]),
        lambda: next((line for line in reversed(lines[:earlier]) if _HEADER.match(line)), ""),
    )


def _strip_item(line: str) -> str:
    """A line of prose without the mark of a list."""
    marks = _ITEM_MARK.match(line)
    return line[marks.end() :] if marks else line


def _strip_leaders(lines: Sequence[str]) -> Iterator[str]:
    """Lines of comments without their marks."""
    for line in lines:
        leader = _LEADER.match(line)
        yield line[leader.end() :] if leader else line
