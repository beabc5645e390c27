"""The pages of a site as files that need no server: for a build's artifacts, or a web host such as GitHub Pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct, ValidationError, convert

from ...core.errors import Blocked, Missing, PinciteError
from ...engine.run import Run
from ...safe.escape import json_text
from .check_worker import make_request
from .checked_documents import CheckedDocuments
from .evidence import EvidenceView, load_evidence
from .exported_links import EVIDENCE, MOST_INLINE, ExportedLinks, ExportedPage, ExportTable, make_evidence_page
from .links import read_asset
from .records import CitationRow, ErrorRecord
from .rendering import render
from .routes import NotFound, PageContext, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .site import Site

    Add = Callable[[str, bytes], None]
    Step = Callable[[int, int], None]

_SECOND_FRAGMENT = re.compile(rb'(href="[^"#]*#evidence-[0-9a-f]+)#[^"]*"')
"""A template may add the place in the text to a link; the evidence, which an export has on the same page, counts."""


class ExportedPanel(Struct, frozen=True):
    """A citation with its evidence, as an export shows it beside the document."""

    citation: CitationRow
    evidence: EvidenceView


class ExportedEvidence(Struct, frozen=True):
    """The evidence of citations of a document."""

    document: str
    number: int
    """Which page of evidence of the document this is, from 1."""
    pages: int
    panels: tuple[ExportedPanel, ...]


def check_site(site: Site, jobs: int, step: Step) -> None:
    """Check all documents once; raises PinciteError."""
    with site.open() as project:
        run = Run(project.root, make_request(project, jobs))
        reports = {report.document: report for report in run.reports(step)}
        # The same tree gives the same pages, however long it took.
        run.summary.seconds = 0.0
        git = project.git()
        site.keeper.head = (git.head() if git is not None else None) or ""
    site.keeper.current = CheckedDocuments(1, reports, run.summary, True)


def export_site(site: Site, add: Add, step: Step) -> int:
    """Add every page to a folder; gives how many there are."""
    export = _SiteExport(site, add)
    export.list_first()
    done = 0
    while export.table.waiting:
        export.write(export.table.waiting.popleft())
        done += 1
        step(done, len(export.table))
    for name in sorted(export.table.assets):
        add(f"assets/{name}", read_asset(name))
    # GitHub Pages would leave files out whose names begin with an underscore.
    add(".nojekyll", b"")
    return done


class _SiteExport:
    """Writes one page after the other; those that they link to are written after them."""

    def __init__(self, site: Site, add: Add) -> None:
        self._site = site
        self._add = add
        self.table = ExportTable(site)

    def list_first(self) -> None:
        """Begin with the pages that need no values, every document and every cited file."""
        for page in self.table.pages.values():
            self._want(page.name)
        for name in self._site.documents.names():
            self._want("document", document=name)
        for path in self._site.documents.citing.paths():
            self._want("source", path=path)

    def _want(self, name: str, **values: str) -> None:
        wanted = self.table.find_page(name, values)
        if wanted is not None:
            self.table.name_page(wanted)

    def write(self, wanted: ExportedPage) -> None:
        """Write a page and its JSON, or a file; what is not there becomes a page that says so."""
        try:
            if wanted.kind == "file":
                self._write_file(wanted)
            elif wanted.kind == EVIDENCE:
                self._write_evidence(wanted)
            else:
                self._write_page(wanted)
        except (NotFound, Refusal, PinciteError) as error:
            if wanted.kind != "file":
                record = self._describe_failure(error)
                self._add_page(wanted, record, "error.html", ExportedLinks(self.table, wanted))

    def _write_page(self, wanted: ExportedPage) -> None:
        page = self.table.pages[wanted.name]
        values = dict(wanted.values)
        links = ExportedLinks(self.table, wanted)
        record = page.load(PageContext(self._site, links), convert(values, page.query, strict=False))
        if wanted.name != "document":
            self._add_page(wanted, record, page.template, links)
            return
        document = values["document"]
        rows = self._site.documents.rows(document)
        is_inline = len(rows) <= MOST_INLINE
        panels = self._load_panels(rows) if is_inline else ()
        self._add_page(wanted, record, "exported_document.html", links, panels=panels)
        if len(values) == 1 and is_inline and rows:
            evidence = ExportedEvidence(document, 1, 1, panels)
            stem = self.table.reserve_name(make_evidence_page(document, 1))
            self._add(f"{stem}.json", json_text(evidence).encode())
        elif len(values) == 1:
            for number in range(-(-len(rows) // MOST_INLINE)):
                self.table.name_page(make_evidence_page(document, number + 1))

    def _write_evidence(self, wanted: ExportedPage) -> None:
        values = dict(wanted.values)
        document, number = values["document"], int(values["number"])
        rows = self._site.documents.rows(document)
        panels = self._load_panels(rows[(number - 1) * MOST_INLINE : number * MOST_INLINE])
        record = ExportedEvidence(document, number, -(-len(rows) // MOST_INLINE), panels)
        links = ExportedLinks(self.table, wanted)
        others = [
            links.relate(self.table.path_of(make_evidence_page(document, one + 1))) for one in range(record.pages)
        ]
        self._add_page(wanted, record, "exported_evidence.html", links, others=others)

    def _write_file(self, wanted: ExportedPage) -> None:
        file = self.table.files[wanted.name]
        links = ExportedLinks(self.table, wanted)
        try:
            query = convert(dict(wanted.values), file.query, strict=False)
        except ValidationError:
            raise NotFound(wanted.name) from None
        self._add(self.table.path_of(wanted), file.load(PageContext(self._site, links), query))

    def _load_panels(self, rows: Sequence[CitationRow]) -> tuple[ExportedPanel, ...]:
        return tuple(ExportedPanel(row, load_evidence(self._site, row)) for row in rows)

    def _add_page(self, wanted: ExportedPage, record: Struct, template: str, links: ExportedLinks, **more: Any) -> None:
        html = render(template, record, self._site, links, here=wanted.name, **more)
        self._add(self.table.path_of(wanted), _SECOND_FRAGMENT.sub(rb'\1"', html))
        self._add(self.table.path_of(wanted, ".json"), json_text(record).encode())

    def _describe_failure(self, error: Exception) -> ErrorRecord:
        if isinstance(error, Refusal):
            return ErrorRecord(error.status, str(error))
        status = 404 if isinstance(error, NotFound | Missing) else 403 if isinstance(error, Blocked) else 400
        return ErrorRecord(status, self._site.describe_error(error) if isinstance(error, PinciteError) else str(error))
