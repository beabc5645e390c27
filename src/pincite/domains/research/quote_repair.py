"""Quotes of web pages that are not what the pages say, or stand on another page of the topic: the edit that is due.

Only the file of the extracted citations is changed, and only what it quotes or where from: that is its author's to say,
so every edit needs a reader. Pages are read from their snapshots; nothing is fetched. What was made from the old words,
the later stages and the report, has to be made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec import Struct
from msgspec.structs import replace

from ...checks.papers import quote_altered, quote_misattributed, quote_not_found, quote_unchecked
from ...core.errors import Refused, UsageError
from ...core.limits import LIMITS
from ...core.model import Citation, Edit, Finding, Place, Quote, Report, Safety, SourceRef, Span, Verdict
from ...quotes.rewording import is_shown, json_string, scalar_wordings
from ...text.frontmatter_edit import replace_value
from ...text.lines import decode, line_starts, position, shorten
from ...text.yaml import FrontmatterError, Mapping, Scalar, YamlList, load, value_of
from .model import EXTRACT, MADE, SEARCH, VALIDATE
from .page_fetching import held_page
from .quote_lookup import QuoteFinder
from .stage_file import load as load_stage
from .stage_file import load_bytes
from .stage_parser import load_json, stage_bytes
from .stage_values import wrong_with
from .topic import topics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...safe.files import Root
    from .quote_lookup import SnapshotPlace as Found
    from .stage_file import StageFile
    from .topic import Topic

DIALECT = "research"
"""What the citations of a stage's file are called in reports."""
_LIKE = 0.75
_MOST_PAGES = 200
"""Pages of a topic on which a quote is looked for that its own page does not have."""
_MEGABYTE = 1024 * 1024


class _Source(Struct, frozen=True):
    """What the search said about a page."""

    source_type: str
    page_title: str


def topics_below(root: Root, keys: Iterable[str]) -> list[Topic]:
    """The topics that lie below some paths from the root, or that hold them; the empty path is the root."""
    asked = [f"{key.strip('/')}/" for key in keys]
    return [
        topic
        for topic in topics(root)
        if any(key == "/" or f"{topic.folder}/".startswith(key) or key.startswith(f"{topic.folder}/") for key in asked)
    ]


def describe_next_step(topic: Topic) -> str:
    """What is left to do once the quotes of a topic were changed; empty where nothing was made from them yet."""
    if not topic.has(VALIDATE):
        return ""
    return f"{topic.folder}: its later stages were made from the old words; run `pincite research run {topic.name}`"


class Quotes:
    """Looks the quotes of a topic up. It stands where an engine does: what it says of a file is a report."""

    locks: None = None
    """Nothing of a topic is locked."""

    def __init__(self, root: Root, topic: Topic, megabytes: int = 16) -> None:
        from ...store.warc import Snapshots
        from .page_fetching import PageReader

        self._root = root
        self._topic = topic
        self._snapshots = Snapshots(root, topic.snapshots)
        self._finder = QuoteFinder(PageReader(megabytes * _MEGABYTE))
        self._known: dict[str, _Source] | None = None
        self._looked: dict[tuple[str, str], Found] = {}
        self._elsewhere: dict[tuple[str, str], list[str]] = {}

    def close(self) -> None:
        """Nothing is kept open."""

    def report(self) -> tuple[Report, bytes]:
        """What is true of the topic's file, and its bytes, none where there is no such file; raises PinciteError."""
        path = self._topic.path(EXTRACT)
        data = stage_bytes(self._root, path) if self._topic.has(EXTRACT) else b""
        return self.check_bytes(path, data) if data else Report(path), data

    def check_bytes(self, path: str, data: bytes) -> Report:
        """Every citation of the file with what is wrong with its quote, and the edit where there is one."""
        try:
            loaded = load_bytes(data, path, EXTRACT)
            text = decode(data)
        except Refused as error:
            return Report(path, error=str(error))
        top = loaded.tree.top if loaded.tree is not None else None
        entries = top.values.get(loaded.name) if isinstance(top, Mapping) else None
        if not isinstance(entries, YamlList):
            return Report(path)
        starts = line_starts(text)
        verdicts: list[Verdict] = []
        for item, number in zip(loaded.items, loaded.positions, strict=True):
            node = cast("Mapping", entries.items[number - 1])
            span = Span(node.start, node.end)
            source = SourceRef("url", item.source_url)
            citation = Citation(DIALECT, span, text[span.start : span.end], source, None, Quote(item.quote))
            findings = self._findings(_Entry(text, path, node, span), citation, loaded)
            verdicts.append(Verdict(citation, *position(starts, span.start), tuple(findings)))
        return Report(path, tuple(verdicts))

    def check_touched(self, path: str, data: bytes, touched: object, edits: bool = True) -> tuple[Report, ...]:
        """The same of a text that is not on disk, in parts; here it is always one, with every citation."""
        return (self.check_bytes(path, data),)

    def _findings(self, entry: _Entry, citation: Citation, loaded: StageFile) -> Iterator[Finding]:
        quote = citation.quote.exact if citation.quote is not None else ""
        url = citation.source.key
        place = self._find(url, quote)
        if place.found is not None and place.found.verbatim:
            return
        if place.found is None:
            yield quote_unchecked.make_finding(place.trouble)
            return
        # A file that a program sealed is refused once a quote of it is changed.
        sealed = MADE in loaded.extra
        there = self._others(url, quote, loaded)
        if there:
            finding = quote_misattributed.make_page_finding(url, there)
            edit = entry.move_quote(there[0], self._pages(loaded)[there[0]]) if len(there) == 1 and not sealed else None
            yield _add_edit(finding, edit, (url,), (there[0],), there[0])
            return
        yield self._near(entry, url, quote, place, sealed)

    def _near(self, entry: _Entry, url: str, quote: str, place: Found, sealed: bool) -> Finding:
        """What the page has instead of the quote."""
        page, found = place.page, place.found
        look = self._finder.nearest(page, quote) if page is not None else None
        if look is None or look.kind != "altered" or page is None:
            return quote_not_found.make_page_finding(url, found.reason if found else "")
        finding = quote_altered.make_finding(look.edits)
        words = look.passages[0].text if len(look.passages) == 1 else ""
        if sealed or look.similarity < _LIKE or len(words) >= LIMITS.shown_chars or not is_shown(words):
            return finding
        for edit, value in entry.reword_quote(words):
            if self._finder.look(page, value).verbatim:
                return _add_edit(finding, edit, (quote,), (value,), url)
        return finding

    def _find(self, url: str, quote: str) -> Found:
        known = self._looked.get((url, quote))
        if known is None:
            known = self._looked[url, quote] = self._finder.find(held_page(self._snapshots, url), quote)
        return known

    def _others(self, url: str, quote: str, loaded: StageFile) -> list[str]:
        """The other pages that have the quote word for word; none where there are too many to look at all."""
        others = [other for other in self._pages(loaded) if other != url]
        known = self._elsewhere.get((url, quote))
        if known is None:
            within = others if len(others) <= _MOST_PAGES else []
            known = [other for other in within if self._finder.has(held_page(self._snapshots, other), quote)]
            self._elsewhere[url, quote] = known
        return known

    def _pages(self, loaded: StageFile) -> dict[str, _Source]:
        """The pages that may be cited and of which there are snapshots: those that the search found, else the cited."""
        if self._known is None:
            kept = set(self._snapshots.urls())
            found = self._search_quote()
            if found is None:
                found = {one.source_url: _Source(one.source_type, one.page_title) for one in loaded.items}
            self._known = {url: said for url, said in found.items() if url in kept}
        return self._known

    def _search_quote(self) -> dict[str, _Source] | None:
        if not self._topic.has(SEARCH):
            return None
        try:
            loaded = load_stage(self._root, self._topic.path(SEARCH), SEARCH)
        except (Refused, UsageError):
            return {}
        return {one.url: _Source(one.source_type, one.title) for one in loaded.items}


class _Entry(Struct, frozen=True):
    """One citation as it stands in its file."""

    text: str
    path: str
    node: Mapping
    span: Span

    @property
    def json(self) -> bool:
        """Whether the file is JSON."""
        return self.path.endswith(".json")

    def reword_quote(self, words: str) -> Iterator[tuple[Edit, str]]:
        """Edits that put other words in place of the quote, and what is quoted then, the closest first."""
        old = self.node.values.get("quote")
        if not isinstance(old, Scalar):
            return
        for change in scalar_wordings(self.text, old, words, self.json):
            edit = Edit(Span(*change[:2]), change[2], Safety.UNSAFE)
            again = self._again(edit)
            new = again.values.get("quote") if again is not None else None
            if not isinstance(new, Scalar) or _get_other_fields(self.node, ("quote",)) != _get_other_fields(
                again, ("quote",)
            ):
                continue
            if not any(True for _ in wrong_with(new, "quote")):
                yield edit, new.text

    def move_quote(self, url: str, known: _Source) -> Edit | None:
        """The edit that makes the quote one of another page, with what the search said about that."""
        fields = {"source_url": url, "source_type": known.source_type, "page_title": known.page_title}
        for plainly in (True, False):
            edit = self._fill_fields(fields, plainly)
            again = self._again(edit) if edit is not None else None
            same = _get_other_fields(self.node, tuple(fields)) == _get_other_fields(again, tuple(fields))
            if same and all(_text(again, field) == value for field, value in fields.items()):
                return edit
        return None

    def _fill_fields(self, fields: dict[str, str], plainly: bool) -> Edit | None:
        """One edit that gives fields other values, the text between them kept; `plainly`, plain ones stay plain."""
        changes: list[tuple[int, int, str]] = []
        for field, value in fields.items():
            old = self.node.values.get(field)
            if not isinstance(old, Scalar) or old.style in ("|", ">") or not is_shown(value):
                return None
            if old.text == value:
                continue
            if self.json:
                changes.append((old.start, old.end, json_string(value)))
            elif plainly and not old.style:
                changes.append((old.start, old.end, value))
            else:
                changes.append(replace_value(self.text, old, value))
        changes.sort()
        pieces: list[str] = []
        at = changes[0][0] if changes else 0
        for first, last, new in changes:
            pieces += self.text[at:first], new
            at = last
        return Edit(Span(changes[0][0], at), "".join(pieces), Safety.UNSAFE) if changes else None

    def _again(self, edit: Edit) -> Mapping | None:
        """The entry as it is read once an edit is made; None where it is none then."""
        start, end = self.span.start, self.span.end
        raw = self.text[start : edit.span.start] + edit.replacement + self.text[edit.span.end : end]
        try:
            if self.json:
                tree = load_json(raw)
            else:
                # What follows a dash stands as far to the right as all that belongs to it.
                column = start - max(self.text.rfind("\n", 0, start), self.text.rfind("\r", 0, start)) - 1
                tree = load(" " * column + raw + "\n", start - column)
        except FrontmatterError:
            return None
        return tree if isinstance(tree, Mapping) else None


def _text(node: Mapping | None, field: str) -> str:
    value = node.values.get(field) if node is not None else None
    return value.text if isinstance(value, Scalar) else ""


def _get_other_fields(node: Mapping | None, without: tuple[str, ...]) -> list[tuple[str, object]]:
    """What an entry says beside some of its fields."""
    values = node.values.items() if node is not None else ()
    return [(key, value_of(one) if isinstance(one, Scalar) else type(one)) for key, one in values if key not in without]


def _add_edit(finding: Finding, edit: Edit | None, then: tuple[str, ...], now: tuple[str, ...], url: str) -> Finding:
    if edit is None:
        return finding
    shown = [tuple(shorten(one, LIMITS.shown_chars) for one in side) for side in (then, now)]
    return replace(finding, edit=edit, then=shown[0], now=shown[1], place=Place(url, None))
