"""One paragraph, heading or cell of Markdown as HTML, with its citations marked.

Markdown says nothing of where its text stood in the source. Signs that the text does not have are therefore put around
each citation before it is parsed, and become links afterwards. Where such a sign would change what the text means, it
is taken out again, and the mark stands behind the text.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from unicodedata import category
from urllib.parse import unquote

from markdown_it import MarkdownIt
from msgspec import Struct

from .citation_marks import CitationMark, escape_shown, mark_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

MOST_NESTING = 20
"""Levels of Markdown inside one another; below them text is not read as Markdown."""
MOST_INLINE = 16 * 1024
"""Code points of one paragraph; a longer one is shown as it is written."""
_MOST_TRIES = 40
"""How often a paragraph is parsed to find the marks that would change it."""
_SIGNS = re.compile("[\U000f0000-\U000ffffd]")
_FIRST_SIGN, _LAST_SIGN = 0xF0000, 0xFFFFD
# Emphasis begins and ends by whether its neighbours are punctuation; rare punctuation stands in for that of a citation.
_PUNCTUATION = "\U00010a7f\U00010af0\U00010af1\U00011047\U0001104a\U000110be"
_KEPT_SCHEME = re.compile(r"(?:https?://|mailto:)[^\s]+\Z", re.IGNORECASE)
_ANY_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_TAGS = {"em_open": "em", "strong_open": "strong", "s_open": "s"}


class MarkdownReader(MarkdownIt):
    """CommonMark with tables and strikethrough and without HTML; addresses stay as they are written."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False, "maxNesting": MOST_NESTING})
        self.enable(["table", "strikethrough"])
        define = next(rule.fn for rule in self.block.ruler.__rules__ if rule.name == "reference")

        def define_no_footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
            # `[^1]: src/a.py` is a footnote; as a definition it would vanish from the page.
            at = state.bMarks[start] + state.tShift[start]
            return not state.src.startswith("[^", at) and define(state, start, end, silent)

        self.block.ruler.at("reference", define_no_footnote)

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link


class _Frame(Struct):
    """An element that is open."""

    close: str
    at: int
    """How many pieces there were when it was opened."""
    mark: CitationMark | None = None
    is_element: bool = True
    """Whether Markdown says where it ends; else the end of the citation does."""
    is_ending: bool = False
    """Whether the text of the mark is over, and only elements inside it are still open."""


class InlineWriter:
    """Turns the text of one paragraph into HTML. `find_page` gives the page of a relative address, or nothing."""

    def __init__(self, reader: MarkdownReader, env: dict[str, Any], find_page: Callable[[str], str]) -> None:
        self._reader = reader
        self._env = env
        self._find_page = find_page

    def write(self, content: str, marks: Sequence[CitationMark]) -> str:
        """The HTML of a text whose marks have their places in it, in order."""
        if len(content) > MOST_INLINE:
            return mark_text(content, marks)
        plain = self._parse(content)
        if not marks:
            return _InlineText({}, "", self._find_page).write(plain)
        signs = _Signs(content, marks)
        tokens, good = plain, list[CitationMark]()
        wanted, tries = [list(marks)], 0
        describe = _describe(plain, signs)
        while wanted:
            group = wanted.pop(0)
            tries += 1
            trial = sorted((*good, *group), key=lambda mark: mark.start) if tries <= _MOST_TRIES else []
            parsed = self._parse(signs.insert(trial)) if trial else []
            if trial and _describe(parsed, signs) == describe and signs.are_all_in(parsed, trial):
                tokens, good = parsed, trial
            elif len(group) > 1 and tries <= _MOST_TRIES:
                half = len(group) // 2
                wanted[:0] = [group[:half], group[half:]]
        text = _InlineText(signs.meaning, signs.stand_in, self._find_page)
        html = text.write(tokens)
        left = [mark for mark in marks if mark.id not in text.placed]
        return html + "".join(mark.aside() for mark in left)

    def _parse(self, content: str) -> list[Token]:
        tokens: list[Token] = []
        self._reader.inline.parse(content, self._reader, self._env, tokens)
        return tokens


class _Signs:
    """Signs around the citations of a text that has none of them."""

    def __init__(self, content: str, marks: Sequence[CitationMark]) -> None:
        self._content = content
        taken = set(_SIGNS.findall(content))
        free = (chr(code) for code in range(_FIRST_SIGN, _LAST_SIGN + 1) if chr(code) not in taken)
        self.meaning: dict[str, tuple[CitationMark, bool]] = {}
        """What a sign stands for: a citation, and whether it begins there."""
        self._around: dict[str, tuple[str, str]] = {}
        self.stand_in = next((sign for sign in _PUNCTUATION if sign not in content), "")
        for mark in marks:
            begin, end = next(free), next(free)
            self.meaning[begin], self.meaning[end] = (mark, True), (mark, False)
            inner = content[mark.start : mark.end]
            before = self.stand_in if _is_punctuation(inner[:1]) else ""
            after = self.stand_in if _is_punctuation(inner[-1:]) else ""
            self._around[mark.id] = before + begin, end + after

    def insert(self, marks: Iterable[CitationMark]) -> str:
        """The text with the signs of some marks."""
        places: list[tuple[int, int, str]] = []
        for mark in marks:
            begin, end = self._around[mark.id]
            # Where one citation ends and the next begins, the end comes first.
            places += (mark.start, 1, begin), (mark.end, 0, end)
        pieces: list[str] = []
        at = 0
        for place, _, sign in sorted(places):
            pieces += self._content[at:place], sign
            at = place
        return "".join((*pieces, self._content[at:]))

    def are_all_in(self, tokens: Iterable[Token], marks: Iterable[CitationMark]) -> bool:
        """Whether tokens have the signs of all these marks where they are looked for: titles of links are not shown."""
        seen = "".join(f"{token.content}{token.attrs.get('href', '')}{token.attrs.get('src', '')}" for token in tokens)
        found = set(_SIGNS.findall(seen))
        wanted = {mark.id for mark in marks}
        return all(sign in found for sign, (mark, _) in self.meaning.items() if mark.id in wanted)

    def remove(self, text: str) -> str:
        """The text without signs."""
        text = text.replace(self.stand_in, "") if self.stand_in else text
        return _SIGNS.sub(lambda sign: "" if sign[0] in self.meaning else sign[0], text)


def _is_punctuation(letter: str) -> bool:
    return bool(letter) and category(letter)[0] in "PS"


def _describe(tokens: Iterable[Token], signs: _Signs) -> list[tuple[str, str, str]]:
    """What tokens say and how, without signs; two texts with the same description look alike."""
    found: list[tuple[str, str, str]] = []
    for token in tokens:
        kind = "text" if token.type == "text_special" else token.type
        content = signs.remove(token.content)
        address = signs.remove(str(token.attrs.get("href", token.attrs.get("src", ""))))
        if kind == "text" and found and found[-1][0] == "text":
            found[-1] = kind, found[-1][1] + content, ""
        elif kind != "text" or content:
            found.append((kind, content, address))
    return found


class _InlineText:
    """The HTML of one text, while it is written. One mark is open at a time: links hold no links."""

    def __init__(
        self, meaning: dict[str, tuple[CitationMark, bool]], stand_in: str, find_page: Callable[[str], str]
    ) -> None:
        self.placed: set[str] = set()
        """The ids of the citations that have their mark."""
        self._meaning = meaning
        self._stand_in = stand_in
        self._find_page = find_page
        self._pieces: list[str] = []
        self._open: list[_Frame] = []
        self._marked: _Frame | None = None
        self._is_silent = False
        """Whether a mark shows other words than what is written."""

    def write(self, tokens: Sequence[Token]) -> str:
        """The HTML of tokens."""
        for at, token in enumerate(tokens):
            match token.type:
                case "softbreak":
                    self._add("\n")
                case "hardbreak":
                    self._add("<br>\n")
                case "code_inline":
                    self._begin("code")
                    self._text(token.content)
                    self._end()
                case "em_open" | "strong_open" | "s_open":
                    self._begin(_TAGS[token.type])
                case "em_close" | "strong_close" | "s_close" | "link_close":
                    self._end()
                case "link_open":
                    self._link(str(token.attrs.get("href", "")), tokens, at)
                case "image":
                    self._text(token.content)
                    self._text(f" ({token.attrs.get('src', '')})" if token.attrs.get("src") else "")
                case _:
                    self._text(token.content)
        while self._open:
            self._end(self._open[-1])
        return "".join(self._pieces)

    def _text(self, text: str) -> None:
        if self._stand_in:
            text = text.replace(self._stand_in, "")
        at = 0
        for sign in _SIGNS.finditer(text) if self._meaning else ():
            known = self._meaning.get(sign[0])
            if known is None:
                continue
            self._add(escape_shown(text[at : sign.start()]))
            at = sign.end()
            mark, begins = known
            if begins:
                self._begin_mark(mark)
            elif self._marked is not None and self._marked.mark is mark:
                self._end_mark(self._marked)
        self._add(escape_shown(text[at:]))

    def _add(self, html: str) -> None:
        if html and not self._is_silent:
            self._pieces.append(html)

    def _begin(self, tag: str, open_tag: str = "") -> None:
        self._pieces.append(open_tag or f"<{tag}>")
        self._open.append(_Frame(f"</{tag}>", len(self._pieces)))

    def _end(self, frame: _Frame | None = None) -> None:
        """Close the innermost element that is no mark, or the given one, with what is open inside it."""
        frame = frame or next(one for one in reversed(self._open) if one.is_element)
        again: CitationMark | None = None
        while self._open[-1] is not frame:
            inner = self._open[-1]
            if inner.mark is not None and inner.at == len(self._pieces):
                # Nothing of the citation stands before the end of this element: its mark begins behind it.
                again = inner.mark
                self._drop(inner.mark)
            else:
                self._close(inner)
        self._close(frame)
        while self._open and self._open[-1].is_ending:
            self._close(self._open[-1])
        if again is not None:
            self._begin_mark(again)

    def _close(self, frame: _Frame) -> None:
        """Close the innermost element."""
        if frame.mark is not None and frame.at == len(self._pieces):
            self._drop(frame.mark)
            return
        self._open.pop()
        self._pieces.append(frame.close)
        if frame is self._marked:
            self._marked, self._is_silent = None, False

    def _drop(self, mark: CitationMark) -> None:
        """Take back a mark around nothing, which is the innermost element."""
        self._open.pop()
        self._pieces.pop()
        self.placed.discard(mark.id)
        self._marked, self._is_silent = None, False

    def _begin_mark(self, mark: CitationMark, is_element: bool = False) -> None:
        if self._marked is not None or mark.id in self.placed:
            return
        self.placed.add(mark.id)
        self._pieces.append(mark.open_tag())
        self._marked = _Frame("</a>", len(self._pieces), mark, is_element)
        self._open.append(self._marked)
        if mark.is_bracketed and not is_element:
            self._pieces.append(escape(mark.shown))
            self._is_silent = True

    def _end_mark(self, frame: _Frame) -> None:
        if self._open[-1] is frame:
            self._close(frame)
        else:
            frame.is_ending = True

    def _link(self, written: str, tokens: Sequence[Token], at: int) -> None:
        """Open a link: to where it leads, or as the mark of a citation in its address, or as nothing but text."""
        end = next(later for later in range(at, len(tokens)) if tokens[later].type == "link_close")
        cited = [self._meaning[sign][0] for sign in _SIGNS.findall(written) if sign in self._meaning]
        address = written.replace(self._stand_in, "") if self._stand_in else written
        address = _SIGNS.sub(lambda sign: "" if sign[0] in self._meaning else sign[0], address)
        has_marks = any(sign in self._meaning for one in tokens[at:end] for sign in _SIGNS.findall(one.content))
        if self._marked is not None or (cited and has_marks):
            if self._marked is not None and self._marked.mark in cited:
                # The citation ends in the address, which is not shown: its mark ends with the link.
                self._marked.is_ending = True
            self._open.append(_Frame("", len(self._pieces)))
        elif cited and cited[0].id not in self.placed:
            self._begin_mark(cited[0], is_element=True)
        elif not has_marks and (target := self._find_target(address)):
            self._begin("a", f'<a href="{escape(target)}" rel="noreferrer noopener nofollow">')
        else:
            shown = f'<span class="address"> ({escape_shown(address)})</span>' if address else ""
            self._open.append(_Frame(shown, len(self._pieces)))

    def _find_target(self, address: str) -> str:
        """Where a link may lead; empty where it must not."""
        if _KEPT_SCHEME.match(address):
            return address
        path = unquote(address.partition("#")[0])
        if not path or _ANY_SCHEME.match(address) or address.startswith(("/", "\\")) or "?" in path:
            return ""
        return self._find_page(path)
