"""A target to the text that cites it, in any style; what would be read back as something else is refused."""

from __future__ import annotations

import re
from contextlib import suppress

from ...checks.wording import format_line_range
from ...core.model import Citation, Lines, Malformed, Quote, SourceRef, Span
from ...dialects import dialects, extract, get_capabilities, get_dialect
from ...dialects._relative import make_relative_path
from ...safe.escape import escape_text
from ...text.document import Document
from ...text.yaml import FORBIDDEN
from .model import STYLES, CiteTarget, Uncitable

CLAIM = "What is cited shows this."
"""A sentence for a citation to stand behind while it is looked at."""
_LONGEST_SNIPPET = 160
_WORDY = re.compile(r"[^\W_]{3}")
# Lines that say little of what follows them: comments, decorators, attributes.
_LEADING = re.compile(r"\s*(?:#(?!include|define)|//|/\*|\*|@|--|\"\"\"|'''|<!--|\[)")
_MARKS = re.compile(r"[\[\]\\`<]|^\^")
_WIDELY_ABLE = ("bracket", "link", "cite", "frontmatter")
"""Styles that are offered where another cannot write a path."""
_RST_STYLES = ("bracket", "colon", "link", "permalink", "symbol")
"""Styles that reStructuredText has a form for."""


def write(target: CiteTarget, style: str, into_path: str = "") -> str:
    """The citation of a target as a document at `into_path` would hold it; raises Uncitable where the style cannot.

    What is given was read back: extraction finds one citation in it, of exactly the target.
    """
    text = _write_citation(target, style, into_path)
    if text is not None:
        return text
    hint = "rename the file to cite it"
    for other in _WIDELY_ABLE:
        with suppress(Uncitable):
            if other != style and _write_citation(target, other, into_path) is not None:
                hint = f"use --style {other}"
                break
    if style not in _RST_STYLES and Document(into_path, "").is_rst:
        raise Uncitable("style-unfit", f"{into_path}: --style {style} has no form in reStructuredText; {hint}")
    raise Uncitable("style-unfit", f"{target.path}: --style {style} cannot write such a path; {hint}")


def _write_citation(target: CiteTarget, style: str, into_path: str) -> str | None:
    """The citation; None where it would be read back as something else."""
    wanted = as_citation(target, style)
    if style == "frontmatter":
        text = "- " + "\n  ".join(f"{key}: {value}" for key, value in fields_of(wanted))
        texts = [text]
    elif style == "link":
        texts = _links(target, wanted, into_path)
    else:
        texts = [get_dialect(wanted.dialect).render(wanted)]
    if Document(into_path, "").is_rst:
        texts = [rendered for text in texts if (rendered := _as_rst(text, style))]
    return next((text for text in texts if _reads_as(text, wanted, into_path)), None)


def _as_rst(text: str, style: str) -> str:
    """A citation as reStructuredText shows it; empty where it has no form for the style.

    Paths stand in literals, where `_` and `*` mean nothing.
    """
    if style in ("colon", "symbol"):
        return f"``{text}``" if "`" not in text else ""
    if style == "link":
        label, _, address = text[1:-1].partition("](")
        return f"`{label} <{address}>`__" if not re.search(r"[`<>\\]", text) else ""
    return text if style in _RST_STYLES else ""


def as_citation(target: CiteTarget, style: str) -> Citation:
    """What a target is to be read back as; raises Uncitable where the style has no way to say it."""
    known = STYLES.get(style)
    if known is None:
        raise Uncitable("style-unknown", f"style {style!a} is not known; choose from: {', '.join(STYLES)}")
    symbolic = style == "symbol" or (style == "cite" and target.symbol)
    if symbolic and not target.symbol:
        raise Uncitable("style-unfit", f"{target.path}: --style symbol needs a name: PATH::NAME")
    if target.lines is None and not known.whole:
        able = ", ".join(name for name, one in STYLES.items() if one.whole)
        raise Uncitable(
            "style-unfit",
            f"{target.path}: --style {style} cites lines; give some ({target.path}:1-20), or use --style {able}",
        )
    lines: Lines | None = target.lines
    source, quote = SourceRef("file", target.path), None
    if symbolic:
        source, lines = SourceRef("symbol", f"{target.path}::{target.symbol}"), None
    elif style == "permalink":
        if not target.pinned:
            raise Uncitable("not-committed", f"{target.path}: no commit holds it that a permalink could name")
        source = SourceRef("permalink", target.pinned + target.path)
    elif style == "frontmatter" and lines is not None:
        number, words = telling_line(target)
        lines, quote = Lines(number, number), Quote(words) if words else None
    return Citation(known.dialect, Span(0, 0), "", source, lines, quote)


def telling_line(target: CiteTarget) -> tuple[int, str]:
    """The one line of a target that says most, and the words of it that a snippet keeps."""
    lines = target.lines or Lines(1, 1)
    number = target.telling
    if not lines.first <= number <= lines.last:
        numbered = list(enumerate(target.text, lines.first))
        telling = [at for at, line in numbered if _WORDY.search(line)]
        saying = [at for at in telling if not _LEADING.match(target.text[at - lines.first])]
        filled = [at for at, line in numbered if line.strip()]
        number = (saying or telling or filled)[0]
    pieces = FORBIDDEN.split(target.text[number - lines.first])
    words = max(pieces, key=lambda piece: len(piece.strip())).strip()
    if len(words) > _LONGEST_SNIPPET:
        cut = words[:_LONGEST_SNIPPET]
        words = cut.rpartition(" ")[0].strip() or cut.rstrip("0123456789.,_") or cut
    return number, words


def _reads_as(text: str, wanted: Citation, into_path: str) -> bool:
    """Whether a text, behind a sentence, is read as the wanted citation and as nothing else."""
    path = into_path or "document.md"
    if wanted.dialect == "memory":
        path, made = "memory.md", memory_with(text)
    else:
        made = f"{CLAIM} {text}\n"
    if any(escape_text(row) != row for row in text.split("\n")):
        # What cannot be seen cannot be printed as it is, nor copied.
        return False
    using = tuple(dialect for dialect in dialects() if not get_capabilities(dialect.NAME).needs)
    found = extract(Document(path, made), using)
    one = found[0] if len(found) == 1 else None
    if one is None or isinstance(one, Malformed):
        return False
    return one.dialect == wanted.dialect and one.lines == wanted.lines and _means(one, wanted)


def memory_with(item: str) -> str:
    """A memory that holds just this item."""
    rows = "\n".join(f"  {row}" for row in item.split("\n"))
    return f"---\ncitations:\n{rows}\n---\n{CLAIM}\n"


def _means(one: Citation, wanted: Citation) -> bool:
    # A path is read from the document's folder or from the root; which of the two is there, the proof says.
    named = one.source.scheme == wanted.source.scheme and wanted.source.key in (one.source.key, one.alternate)
    return named and one.quote == wanted.quote and not one.pages and not one.section


def _links(target: CiteTarget, wanted: Citation, into_path: str) -> list[str]:
    """A link whose text is the place as people type it; and a plain one, where that would be read as more."""
    from urllib.parse import quote

    lines = wanted.lines or Lines(1, 1)
    relative = make_relative_path(into_path.rpartition("/")[0], target.path)
    # No colon stays as it is: in the first part it would be read as a scheme.
    address = quote(relative.encode("utf-8", "surrogateescape"), safe="/-_.~!$&'*+,;=@")
    labels = (_MARKS.sub(lambda mark: f"\\{mark[0]}", f"{target.path}:{format_line_range(lines)}"), "source")
    return [f"[{label}]({address}#L{format_line_range(lines, 'L')})" for label in labels]


def fields_of(wanted: Citation) -> list[tuple[str, str]]:
    """The keys of a memory's item with their values as YAML writes them."""
    from ...text.frontmatter_edit import quote_scalar

    fields = [("path", quote_scalar(wanted.source.key))]
    if wanted.lines is not None:
        fields.append(("line", str(wanted.lines.first)))
    if wanted.quote is not None:
        fields.append(("snippet", quote_scalar(wanted.quote.exact)))
    return fields
