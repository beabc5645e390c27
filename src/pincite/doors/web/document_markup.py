"""A document as a reader sees it: its Markdown as HTML, or its lines with numbers, in parts, each citation marked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from markupsafe import Markup

from ...core.errors import PinciteError
from ...core.limits import LIMITS
from ...safe.files import Root
from ...text.document import Document
from ...text.lines import decode, join
from ...text.markdown import unify_line_ends
from .citation_marks import make_mark, mark_text
from .document_cuts import cut_lines, cut_markdown
from .markdown_blocks import MarkdownWriter, read_definitions
from .markdown_inline import MarkdownReader

if TYPE_CHECKING:
    from ...core.model import Report
    from .citation_marks import CitationMark
    from .document_cuts import DocumentPart
    from .links import Links
    from .records import CitationRow
    from .site import Site

_KEPT = "document views"
_MOST_VIEWS = 16
_MOST_CHARS = 32 * 1024 * 1024
"""All texts that are kept."""
_MOST_MADE = 2 * 1024 * 1024
"""All HTML that is kept of one text."""
_MOST_MARKDOWN = 8 * 1024 * 1024
"""Code points of a document that is read as Markdown; a longer one is shown in lines."""


class DocumentView:
    """One text of a document with the citations that were found in it."""

    def __init__(self, document: Document, rows: tuple[CitationRow, ...], report: Report) -> None:
        self.document = document.path
        self.rows = rows
        self._text = unify_line_ends(document.written).replace("\0", "\ufffd")
        self._placed, self.changed = _place_rows(document.text, rows, report)
        """`changed` are the citations that do not stand where the check found them: the file changed since."""
        self._starts = [start for start, _, _ in self._placed]
        self._is_markdown = document.is_markdown and len(self._text) <= _MOST_MARKDOWN
        self._body = _find_body(document) if self._is_markdown else 0
        self._references = read_definitions(_make_reader(), self._text) if self._is_markdown else {}
        self._parts = (
            cut_markdown(self._text, self._starts, self._body)
            if self._is_markdown
            else cut_lines(self._text, self._starts)
        )
        self._part_starts = [part.start for part in self._parts]
        self._made: dict[tuple[int, int], str] = {}

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self._parts)

    @property
    def size(self) -> int:
        """How long the text is, in code points."""
        return len(self._text)

    def find_part(self, id: str) -> int:
        """The part, from 1, in which a citation stands; 0 where it stands nowhere."""
        start = next((start for start, _, row in self._placed if row.id == id), None)
        return 0 if start is None else max(1, bisect_right(self._part_starts, start))

    def render(self, number: int, site: Site, links: Links, open_id: str = "") -> Markup:
        """The HTML of a part; the open citation is marked as the current one."""
        version = site.documents.version
        html = self._made.get((version, number)) if not links.is_static else None
        if html is None:
            html = self._render_part(number, site, links)
            if not links.is_static:
                self._keep_made(version, number, html)
        if open_id:
            # Quotation marks of the document are escaped: this can only be a mark.
            named = f'id="c-{open_id}"'
            html = html.replace(named, f'{named} aria-current="true"', 1)
        return Markup(html)  # noqa: S704 - made of escaped text and of elements of our own

    def _keep_made(self, version: int, number: int, html: str) -> None:
        kept = {key: made for key, made in tuple(self._made.items()) if key[0] == version}
        # Another thread may do the same: then one of the two parts is made again.
        self._made = {**(kept if sum(map(len, kept.values())) < _MOST_MADE else {}), (version, number): html}

    def _render_part(self, number: int, site: Site, links: Links) -> str:
        part = self._parts[number - 1]
        if not self._is_markdown:
            return _write_lines(self._text, part, self._marks(part.start, part.end, links))
        head = ""
        if number == 1 and self._body:
            text = mark_text(self._text[: self._body].rstrip("\n"), self._marks(0, self._body, links))
            head = f'<pre class="frontmatter">{text}</pre>\n'
        shift = len(part.before) - part.start
        marks = [mark.move(mark.start + shift, mark.end + shift) for mark in self._marks(part.start, part.end, links)]
        text = f"{part.before}{self._text[part.start : part.end]}{part.after}"
        known = set(site.documents.names())
        folder = self.document.rpartition("/")[0]

        def find_page(path: str) -> str:
            target = join(folder, path)
            return links.page("document", document=target) if target in known else ""

        first_line = part.first_line - part.before.count("\n")
        return head + MarkdownWriter(_make_reader(), text, marks, self._references, find_page).write(first_line)

    def _marks(self, start: int, end: int, links: Links) -> list[CitationMark]:
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return [make_mark(row, begin, stop, links) for begin, stop, row in self._placed[first:last]]


class ViewCache:
    """The views of the documents that were looked at last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._views: OrderedDict[str, tuple[object, Report, DocumentView]] = OrderedDict()

    def find(self, document: str, stamp: object, report: Report) -> DocumentView | None:
        """The view of a document whose file and whose report are still the same."""
        with self._lock:
            kept = self._views.get(document)
            if kept is None or kept[0] != stamp or kept[1] is not report:
                return None
            self._views.move_to_end(document)
            return kept[2]

    def keep(self, document: str, stamp: object, report: Report, view: DocumentView) -> None:
        """Keep a view, and let go of those that were not looked at for longest."""
        with self._lock:
            self._views.pop(document, None)
            self._views[document] = stamp, report, view
            while len(self._views) > 1 and (len(self._views) > _MOST_VIEWS or self._count() > _MOST_CHARS):
                self._views.popitem(last=False)

    def _count(self) -> int:
        return sum(view.size for _, _, view in self._views.values())


def open_view(site: Site, document: str, report: Report) -> DocumentView:
    """A document as it is now; raises PinciteError where it cannot be read."""
    views: ViewCache = site.kept.setdefault(_KEPT, ViewCache())
    with Root(site.root) as root:
        status = root.stat(document)
        stamp = (status.st_ino, status.st_size, status.st_mtime_ns) if status is not None else None
        view = views.find(document, stamp, report)
        if view is None:
            text = decode(root.read(document, LIMITS.document_bytes))
            view = DocumentView(Document(document, text), site.documents.rows(document), report)
            views.keep(document, stamp, report, view)
    return view


def try_view(site: Site, document: str, report: Report) -> tuple[DocumentView | None, str]:
    """The same, or why the document cannot be shown."""
    try:
        return open_view(site, document, report), ""
    except PinciteError as error:
        return None, site.describe_error(error)


@cache
def _make_reader() -> MarkdownReader:
    return MarkdownReader()


def _place_rows(
    text: str, rows: tuple[CitationRow, ...], report: Report
) -> tuple[list[tuple[int, int, CitationRow]], tuple[CitationRow, ...]]:
    """Where each citation stands, in order, and those that do not stand where they were found."""
    spans = {(one.line, one.column, one.citation.raw): one.citation.span for one in report.verdicts}
    for defect in (*report.malformed, *report.silenced):
        spans[defect.line, defect.column, defect.malformed.raw] = defect.malformed.span
    placed: list[tuple[int, int, CitationRow]] = []
    changed: list[CitationRow] = []
    for row in rows:
        span = spans.get((row.line, row.column, row.raw))
        if span is not None and span.start < span.end and text[span.start : span.end] == row.raw:
            placed.append((span.start, span.end, row))
        else:
            changed.append(row)
    placed.sort(key=lambda one: (one[0], -one[1]))
    return placed, tuple(changed)


def _find_body(document: Document) -> int:
    """Where the text behind the frontmatter begins."""
    front = document.frontmatter
    if front is None:
        return 0
    end = unify_line_ends(document.text).find("\n", front.end)
    return end + 1 if end >= 0 else len(document.text)


def _write_lines(text: str, part: DocumentPart, marks: list[CitationMark]) -> str:
    """Lines with their numbers. A mark goes no further than its line."""
    pieces = [f'<ol class="lines" start="{part.first_line}">']
    at, first = part.start, 0
    lines = text[part.start : part.end].removesuffix("\n").split("\n")
    for number, line in enumerate(lines, part.first_line):
        last = first
        while last < len(marks) and marks[last].start <= at + len(line):
            last += 1
        pieces.append(f'<li id="text-L{number}">{mark_text(line, marks[first:last], at)}</li>')
        at, first = at + len(line) + 1, last
    return "\n".join((*pieces, "</ol>\n"))
