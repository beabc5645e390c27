"""Audits as one HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...safe.escape import escape_html
from ...text.html_page import CHART_STYLE, make_page, render_bar, render_tiles
from ...text.lines import format_count
from .entries import MARKS, WORDS, CitationTally, entries, recommendations
from .report_text import NOTHING, UNCHECKED, paper_complaints, quote_complaints

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...text.html_page import ChartPart
    from .audit import CorpusAudit, Counts
    from .entries import CitationEntry
    from .validation import ValidatedDocument

_LONGEST = 500
_CLASSES = {**{mark: status for status, mark in MARKS.items()}, UNCHECKED: "unchecked"}
_NAMES = {**{mark: WORDS[status] for status, mark in MARKS.items()}, UNCHECKED: "Not checked"}
_STYLE = """
body { max-width: 60rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0.5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; } p { margin: 0.4rem 0; }
.valid { color: var(--good); fill: var(--good); } .warning { color: var(--poor); fill: var(--poor); }
.invalid { color: var(--bad); fill: var(--bad); } .unchecked { color: var(--none); fill: var(--none); }
td ul { margin: 0; padding: 0; } td li { list-style: none; } code { font-size: 0.95em; } td:first-child {
  white-space: nowrap; } .prose td:first-child { white-space: normal; }
@media (max-width: 34rem) { .cards thead { display: none; } .cards, .cards tbody, .cards tr, .cards td {
  display: block; width: 100%; } .cards tr { border-bottom: 1px solid var(--line); padding: 0.5rem 0; }
  .cards td { border: 0; padding: 0.1rem 0; } }
"""


def audit_html(audit: CorpusAudit) -> str:
    """The whole audit as a page."""
    tally = audit.tally
    advice = [f"<li>{_text(text)}</li>" for text in recommendations(audit.details)]
    header = (
        "<h1>Citation integrity audit</h1>",
        f'<p class="soft">{_text(audit.date)} · {_text(audit.auditor)} · '
        f"{format_count(audit.looked_at, 'document')}</p>",
    )
    main = (
        *render_tiles((("", "citations", tally.total), *_statuses(tally))),
        *([] if tally.total else [f"<p>{NOTHING}</p>"]),
        *_plots(audit),
        "<h2>Recommendations</h2>",
        *(["<ol>", *advice, "</ol>"] if advice else ["<p>None.</p>"]),
        *_overview(audit),
        *(line for document in audit.documents for line in _document(document)),
        *_coverage(audit),
        *_complaints(audit),
    )
    return make_page(f"Citation integrity audit, {_text(audit.date)}", CHART_STYLE + _STYLE, header, main)


def _plots(audit: CorpusAudit) -> list[str]:
    return [line for name, title, parts in list_charts(audit) for line in render_bar(name, title, parts)]


def list_charts(audit: CorpusAudit) -> tuple[tuple[str, str, tuple[ChartPart, ...]], ...]:
    """The figures of an audit as charts: a name, a title and the parts of each."""
    coverage, tally = audit.coverage, audit.tally
    cited = (("valid", "cited", len(coverage.cited)), ("unchecked", "never cited", len(coverage.never_cited)))
    return (
        ("citations", "Citations", _statuses(tally)),
        ("coverage", "Corpus coverage", (*cited, ("invalid", "cited and absent", len(coverage.absent)))),
        ("pages", "Page validation", _parts(audit.pages)),
        ("quotes", "Quotes beside citations", _parts(audit.quotes)),
        ("key-quotes", "Key quotes", _parts(audit.key_quotes)),
    )


def _statuses(tally: CitationTally) -> tuple[ChartPart, ...]:
    return (
        ("valid", "valid", tally.valid),
        ("warning", "warnings", tally.warnings),
        ("invalid", "errors", tally.errors),
    )


def _parts(counts: Counts) -> tuple[ChartPart, ...]:
    return (
        ("valid", "valid", counts.valid),
        ("invalid", "invalid", counts.invalid),
        ("unchecked", "not checked", counts.unchecked),
    )


def _overview(audit: CorpusAudit) -> list[str]:
    rows = []
    for document in audit.documents:
        name = f"<td><code>{_text(document.document)}</code></td>"
        if document.error:
            rows.append(f'<tr>{name}<td colspan="4" class="invalid">not read: {_text(document.error)}</td></tr>')
            continue
        tally = CitationTally().count(document.details)
        numbers = (tally.total, tally.valid, tally.warnings, tally.errors)
        cells = "".join(f'<td class="number">{number:,}</td>' for number in numbers)
        rows.append(f"<tr>{name}{cells}</tr>")
    if not rows:
        return []
    heads = "".join(f'<th class="number">{what}</th>' for what in ("Citations", "Valid", "Warnings", "Errors"))
    table = f'<table class="prose"><thead><tr><th>Document</th>{heads}</tr></thead><tbody>'
    return ["<h2>Documents</h2>", '<div class="wide">', table, *rows, "</tbody></table></div>"]


def _document(document: ValidatedDocument) -> list[str]:
    if document.error:
        return []
    rows = [_row(entry) for entry in entries(document.details)]
    # Its rows become cards where there is little room.
    head = "<th></th><th>Citation</th><th>Lines</th><th>Result</th>"
    table = f'<table class="cards"><thead><tr>{head}</tr></thead><tbody>'
    return [f"<h3><code>{_text(document.document)}</code></h3>", table, *rows, "</tbody></table>"]


def _row(entry: CitationEntry) -> str:
    said = "".join(f"<li>{asked}: {_text(answer)}</li>" for asked, answer in entry.lines)
    mark = f'<span class="{entry.status}">{entry.mark} {entry.word}</span>'
    return (
        f"<tr><td>{mark}</td><td><code>{_text(entry.citation)}</code></td>"
        f"<td>{entry.shown_places}</td><td><ul>{said}</ul></td></tr>"
    )


def _coverage(audit: CorpusAudit) -> list[str]:
    coverage = audit.coverage
    lines = ["<h2>Corpus coverage</h2>"]
    lines.append(f"<p>{format_count(len(coverage.papers), 'paper')} in the corpus, {len(coverage.cited):,} cited.</p>")
    if coverage.entries:
        lines.append(f"<p>Bibliography entries cited: {len(coverage.entries_cited):,} of {coverage.entries:,}.</p>")
    if coverage.never_cited:
        lines.append(f"<p>Never cited: {_text(', '.join(coverage.never_cited), None)}</p>")
    wrong = [
        (one.ref_id, f"{format_count(one.citations, 'citation')} in {', '.join(one.documents)}")
        for one in coverage.absent
    ]
    rows = [
        f'<tr><td><span class="invalid">{MARKS["invalid"]} {_text(name)}</span></td><td>{_text(why)}</td></tr>'
        for name, why in (*wrong, *audit.broken)
    ]
    return [*lines, *(_table(("Cited and absent", "Where"), rows) if rows else ["<p>Cited and absent: none</p>"])]


def _complaints(audit: CorpusAudit) -> list[str]:
    known = sum(paper.known for paper in audit.papers)
    lines = ["<h2>Page validation</h2>", f"<p>Papers with known pages: {known:,} of {len(audit.papers):,}</p>"]
    rows = [
        f'<tr><td><span class="warning">{MARKS["warning"]} {_text(paper.ref_id)}</span></td><td>{_text(text)}</td></tr>'
        for paper in audit.papers
        for text in paper_complaints(paper)
    ]
    lines += _table(("Paper", "What does not fit"), rows) if rows else []
    lines.append("<h2>Quote verification</h2>")
    rows = [
        f'<tr><td><span class="{_CLASSES[mark]}">{mark} {_NAMES[mark]}</span></td><td>{_text(text)}</td></tr>'
        for mark, text in quote_complaints(audit)
    ]
    kept = [quote.kept for paper in audit.papers for quote in paper.quotes]
    marked = sum(one.validated for one in kept)
    lines.append(f"<p>Key quotes marked as validated: {marked:,} of {len(kept):,}</p>")
    return [*lines, *(_table(("", "Key quote"), rows) if rows else [])]


def _table(heads: Iterable[str], rows: Iterable[str]) -> list[str]:
    head = "".join(f"<th>{what}</th>" for what in heads)
    return [f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>', *rows, "</tbody></table></div>"]


def _text(text: str, limit: int | None = _LONGEST) -> str:
    """Text that can only be text."""
    return escape_html(text, limit)
