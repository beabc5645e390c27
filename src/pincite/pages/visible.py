"""The text of a page as its reader sees it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .tag_scan import ALIEN, BESIDE, OTHERS

if TYPE_CHECKING:
    from turbohtml import Document
    from turbohtml import Element as Tag

    from .model import Page
    from .tag_scan import TagScan

REFERENCE_MARK, QUOTATION_MARK, READING = "reference mark", "quotation mark", "reading"

_UNSEEN = (
    "script style template noscript iframe noembed noframes object video audio canvas select datalist rp map annotation"
    " annotation-xml head del s strike"
).split()
"""What a reader does not see, or sees taken back."""
_HIDDEN = "[hidden], [style]"
_HIDING = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!|;|$)", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# Blocks that the renderer takes for words within a line.
_BLOCKS = "center dir fieldset form hgroup legend search dialog optgroup option marquee".split()
_TYPED = "listing xmp plaintext".split()
_TABLES = "table thead tbody tfoot tr td th".split()
_IN_CELLS = (
    ":is(td, th) :is(p, div, ul, ol, dl, table, pre, blockquote, h1, h2, h3, h4, h5, h6, section, article, figure)"
)
_SEPARATE = ("button", "textarea")
_MARK = "data-pincite-mark"
_RULES = {f"#{_MARK}={kind.replace(' ', '-')}": [kind] for kind in (REFERENCE_MARK, QUOTATION_MARK, READING)}
_KINDS = (OTHERS, ALIEN)
_RULES |= {f"#{BESIDE}={kind}": [kind] for kind in _KINDS}
_NOTED = re.compile(
    # Examples: `[12]`, `[citation needed]`, `note 3`.
    r"""
    [\[(]?\s*(?:\d{1,4}(?:\s*[,;–-]\s*\d{1,4}){0,12}|[a-z]{1,3}|[*†‡§¶]{1,3}|(?:note|nb|n|fn)\.?\s?\d{1,3}
    |citation\ needed|clarification\ needed|better\ source\ needed|when\?|who\?|by\ whom\?|which\?|dubious
    |failed\ verification)
    \s*[\])]?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_POWER = re.compile(r"[+\-−–]?\d{1,4}")
_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_MARKING = frozenset("reference footnote-ref footnote-reference footnote noprint citation cite ref xref bibr".split())
_LONGEST_MARK = 60

Marks = tuple[tuple[int, int, str], ...]


def remove_hidden_tags(document: Document) -> None:
    """Removes what a reader does not see; call it after everything was read that only machines see."""
    unseen = [tag for name in _UNSEEN for tag in document.select(name)]
    unseen += [tag for tag in document.select("dialog") if tag.attr("open") is None]
    unseen += document.select("svg title, svg desc") if document.select_one("svg") is not None else []
    unseen += [tag for tag in document.select(_HIDDEN) if _is_hidden(tag)]
    for tag in unseen:
        tag.extract()


def _is_hidden(tag: Tag) -> bool:
    if tag.tag in ("html", "body"):
        # A script shows the whole page once it is ready.
        return False
    hidden = tag.attr("hidden")
    if hidden is not None and hidden.strip().lower() != "until-found":
        return True
    return _HIDING.search(_COMMENT.sub("", tag.attr("style") or "")) is not None


def extract_visible_text(document: Document, scan: TagScan) -> tuple[str, Marks, Marks]:
    """The text of a page that was passed to `show`, what in it a quote may leave out, and what stands beside it.

    The last are spans as OTHERS and ALIEN in `scan`, those of a kind disjoint. The tree is used up.
    """
    from turbohtml import Element, PlainText

    # The tree has an index by tag, which every change to it throws away: first all questions, then all changes.
    lettered = document.select("sup"), document.select("rt"), document.select("q")
    _lay_out(document)
    for tag in document.select(f"[{_MARK}]"):
        # Only we say what may be left out.
        del tag.attrs[_MARK]
    _respell(*lettered, scan.by["handle"])
    for tag in document.select(f"li[{BESIDE}]"):
        # The renderer says where everything is but items of lists.
        tag.wrap_children(Element("span", {BESIDE: tag.attr(BESIDE) or ""}))
    text, spans = document.to_annotated_text(_RULES, PlainText(bullet=""))
    marks = sorted((start, end, kind) for start, end, kind in spans if start < end and kind not in _KINDS)
    separate = [span for kind in _KINDS for span in _merge_spans(sorted(span for span in spans if span[2] == kind))]
    return text, tuple(marks), tuple(separate)


def _merge_spans(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Spans in order that do not overlap."""
    joined: list[tuple[int, int, str]] = []
    for start, end, kind in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1]), kind
        else:
            joined.append((start, end, kind))
    return joined


def without_marks(page: Page) -> tuple[str, ...]:
    """The texts of a page without reference marks and what else a quote may leave out."""
    if not page.marks:
        return page.texts
    text = page.texts[0]
    kept: list[str] = []
    at = 0
    for start, end, _ in page.marks:
        if start >= at:
            kept.append(text[at:start])
            at = end
    return ("".join([*kept, text[at:]]), *page.texts[1:])


def _respell(raised: list[Tag], read: list[Tag], said: list[Tag], handles: list[Tag]) -> None:
    """Makes visible in the letters what is visible in their place: marks, powers, readings, quotation."""
    from turbohtml import Element, Text

    for tag in raised:
        _raise(tag)
    for tag in read:
        tag.set_text(f"({tag.text})")
        _mark(tag, READING)
    for tag in said:
        first, last = (Element("span", None, [Text(sign)]) for sign in "“”")
        _mark(first, QUOTATION_MARK)
        _mark(last, QUOTATION_MARK)
        tag.insert(0, first)
        tag.append(last)
    for tag in handles:
        # What shows only while the pointer is on a heading.
        if tag.tag == "a" and not any(sign.isalnum() for sign in tag.text[:_LONGEST_MARK]):
            tag.extract()


def _mark(tag: Tag, kind: str) -> None:
    tag.attrs[_MARK] = kind.replace(" ", "-")


def _raise(tag: Tag) -> None:
    """A mark that refers to a note becomes one that can be left out; digits become raised digits."""
    text = tag.text
    if len(text) > _LONGEST_MARK:
        return
    text = text.strip()
    if _NOTED.fullmatch(text) and _refers(tag):
        if _POWER.fullmatch(text):
            tag.set_text(text.translate(_RAISED))
        _mark(tag, REFERENCE_MARK)
    elif _POWER.fullmatch(text):
        tag.set_text(text.translate(_RAISED))


def _refers(tag: Tag) -> bool:
    """Whether a raised piece of text is a link to a note, or is called one."""
    from turbohtml import Element

    if tag.select_one('a[href*="#"], a[role=doc-noteref], a[rel~=footnote]') is not None:
        return True
    around = tag.parent
    if isinstance(around, Element) and around.tag == "a" and "#" in (around.attr("href") or ""):
        return True
    return not _MARKING.isdisjoint((tag.attr("class") or "").lower().split())


def _lay_out(document: Document) -> None:
    """Turns what the renderer would join, number or leave out into blocks of its own."""
    from turbohtml import Text

    captions = [(tag, tag.closest("table")) for tag in document.select("caption")]
    renamed = [(tag, "div") for name in ("caption", *_BLOCKS) for tag in document.select(name)]
    # Numbers of items are no words of the text.
    renamed += [(tag, "ul") for tag in document.select("ol")]
    renamed += [(tag, "pre") for name in _TYPED for tag in document.select(name)]
    if document.select_one("td") is not None and document.select_one(_IN_CELLS) is not None:
        renamed += [(tag, "div") for name in _TABLES for tag in document.select(name)]
    separate = [tag for name in _SEPARATE for tag in document.select(name)]
    separate += document.select("svg text, svg tspan") if document.select_one("svg") is not None else []
    broken = document.select("pre br") if document.select_one("pre") and document.select_one("br") else []
    for caption, table in captions:
        if table is not None:
            table.insert_before(caption)
    for tag, name in renamed:
        tag.tag = name
    for tag in separate:
        tag.insert(0, Text(" "))
        tag.append(Text(" "))
    for tag in broken:
        tag.insert_before(Text("\n"))
