"""Writing corpus files: a new one from what is known, and the marks that a validation leaves in an old one."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..text.frontmatter_edit import append_to, apply, quote_scalar, replace_scalar, replace_value
from ..text.markdown import frontmatter_span
from ..text.yaml import FrontmatterError, Mapping, Scalar, YamlList, load
from .corpus_file import ID, read_paper
from .corpus_frontmatter import PAPER_LIMITS
from .ids import HIGHEST

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence as Several

    from ..text.frontmatter_edit import Change
    from .model import KeyQuote, Paper

BODY = "## Notes\n\n## Key quotes\n"
_INTEGER = re.compile(r"[1-9][0-9]{0,8}")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_BETWEEN = re.compile(r"[^a-z0-9]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONGEST = 60


def render_paper(paper: Paper, body: str = "") -> str:
    """A corpus file from which `read_paper` reads the same paper; `body` stands below its heading."""
    rows = ["---", f"id: {_scalar(paper.id)}"]
    rows += _pair("title", paper.title)
    rows += _list("authors", [_scalar(name) for name in paper.authors])
    rows += _pair("year", paper.year, number=True)
    rows += _pair("doi", paper.doi)
    rows += _pair("url", paper.url)
    rows += [f"total_pages: {paper.total_pages}"] if paper.total_pages is not None else []
    rows += _pair("page_range", paper.page_range)
    rows += _list(
        "sections", [_join_rows(_pair("name", one.name) + _pair("pages", one.pages)) for one in paper.sections]
    )
    rows += _list("key_quotes", [_join_rows(_quote(quote)) for quote in paper.key_quotes])
    rows += _pair("pdf", paper.pdf)
    rows += _pair("relevance", paper.relevance)
    rows += [f"unsure: [{', '.join(paper.unsure)}]"] if paper.unsure else []
    title = _UNSEEN.sub(" ", _SURROGATE.sub("\ufffd", " ".join(paper.title.split()))).strip()
    heading = f"# {paper.id}: {title}" if title else f"# {paper.id}"
    return "\n".join((*rows, "---", "", heading, "", body or BODY))


def slug(title: str) -> str:
    """A title as part of a file name: ASCII letters, digits and hyphens, at most 60; `untitled` where none are left."""
    plain = unicodedata.normalize("NFKD", title[:1000]).encode("ascii", "ignore").decode().lower()
    text = _BETWEEN.sub("-", plain).strip("-")
    if len(text) > _LONGEST:
        cut = text[: _LONGEST + 1].rpartition("-")[0]
        text = (cut or text)[:_LONGEST].strip("-")
    return text or "untitled"


def next_id(ids: Iterable[str]) -> str | None:
    """The first free id after the highest one, `REF-001` for none; `REF-1000` follows `REF-999`."""
    highest = max((int(one.removeprefix("REF-")) for one in ids if ID.fullmatch(one)), default=0)
    return f"REF-{highest + 1:03d}" if highest < HIGHEST else None


def mark_validated(
    text: str, paper: Paper, indexes: Several[int], date: str, validator: str
) -> tuple[str, tuple[int, ...]]:
    """The file with those key quotes marked validated, every other byte kept, and which of them could be marked.

    Quotes in the plain form have no place for marks, and a mark needs both a date and a name. Where the file would then
    say anything else than intended, nothing is changed.
    """
    nodes = _quote_nodes(text) if date and validator else {}
    changes: list[Change] = []
    marked: list[int] = []
    for index in sorted(set(indexes)):
        quote = paper.key_quotes[index] if 0 <= index < len(paper.key_quotes) else None
        node = nodes.get(quote.span.start) if quote is not None and quote.span is not None else None
        fields = ("validated", "validation_date", "validator")
        if node is not None and all(isinstance(node.values.get(name), Scalar | None) for name in fields):
            marked.append(index)
            _set(changes, text, node, "validated", None)
            _set(changes, text, node, "validation_date", date)
            _set(changes, text, node, "validator", validator)
    new = apply(text, changes)
    return (new, tuple(marked)) if _is_intended_change(text, new, paper, marked, date, validator) else (text, ())


def _quote_nodes(text: str) -> dict[int, Mapping]:
    """The key quotes in the frontmatter by where they begin."""
    span = frontmatter_span(text)
    if span is None:
        return {}
    try:
        tree = load(text[span.start : span.end], span.start, 2, PAPER_LIMITS)
    except FrontmatterError:
        return {}
    quotes = tree.values.get("key_quotes") if isinstance(tree, Mapping) else None
    items = quotes.items if isinstance(quotes, YamlList) else ()
    return {item.start: item for item in items if isinstance(item, Mapping)}


def _set(changes: list[Change], text: str, node: Mapping, key: str, value: str | None) -> None:
    """Give a key a text, or `true` for None; nothing where it says so already."""
    old = node.values.get(key)
    if not isinstance(old, Scalar):
        changes.append(append_to(text, node, key, "true" if value is None else quote_scalar(value)))
    elif value is not None:
        if old.text != value:
            changes.append(replace_value(text, old, value))
    elif old.style or old.text.lower() != "true":
        changes.append(replace_scalar(text, replace(old, style=""), "true"))


def _is_intended_change(text: str, new: str, paper: Paper, marked: list[int], date: str, validator: str) -> bool:
    """Whether the new text says what the old one said, but for the marks."""
    before, after = read_paper(paper.path, text), read_paper(paper.path, new)
    if len(before.key_quotes) != len(paper.key_quotes):
        return False
    wanted = _without_places(before)
    for at in marked:
        wanted[at] = replace(wanted[at], validated=True, validation_date=date, validator=validator)
    sound = len(after.problems) <= len(before.problems)
    return sound and wanted == _without_places(after) and _rest(before) == _rest(after)


def _without_places(paper: Paper) -> list[KeyQuote]:
    return [replace(quote, span=None) for quote in paper.key_quotes]


def _rest(paper: Paper) -> Paper:
    return replace(paper, key_quotes=(), problems=())


def _quote(quote: KeyQuote) -> list[str]:
    rows = _pair("quote", quote.quote) + _pair("page", quote.page, number=True) + _pair("section", quote.section)
    rows.append(f"validated: {'true' if quote.validated else 'false'}")
    return rows + _pair("validation_date", quote.validation_date) + _pair("validator", quote.validator)


def _pair(key: str, value: str, number: bool = False) -> list[str]:
    """`key: value`, or nothing for an empty value; whole numbers stay numbers where the schema wants them."""
    if not value:
        return []
    return [f"{key}: {value if number and _INTEGER.fullmatch(value) else _scalar(value)}"]


def _list(key: str, items: list[str]) -> list[str]:
    return [f"{key}:", *(f"  - {item}" for item in items)] if items else []


def _join_rows(rows: list[str]) -> str:
    return "\n    ".join(rows)


def _scalar(text: str) -> str:
    return quote_scalar(_SURROGATE.sub("\ufffd", text))
