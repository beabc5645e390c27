"""The report as one HTML page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ...text.html_page import make_page
from .escape_markdown import COLUMNS, show_on_one_line
from .report_markdown import render as render_markdown
from .report_parts import TITLE, add_full_stop, gather, make_heading
from .report_records import judged_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import GroundedClaim, RejectedClaim, ValidatedCitation
    from .report_parts import ListedSource, ReportContents

_STYLE = """
body { max-width: 50rem; font: 1rem/1.6 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0.5rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
a { color: var(--link); } li { margin: 0.35rem 0; }
sup a { text-decoration: none; padding: 0 0.1em; } :target { background: var(--card); outline: 2px solid var(--line); }
.sources li { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.5rem 0.75rem;
  margin-bottom: 0.6rem; } .sources p { margin: 0.1rem 0; font-size: 0.9rem; color: var(--soft); }
table { font-size: 0.9rem; } .high { color: var(--good); } .medium { color: var(--poor); }
@media print { body { max-width: none; } .sources li { break-inside: avoid; } a { color: inherit; } }
"""


def render(
    topic: str,
    claims: Sequence[GroundedClaim],
    citations: Sequence[ValidatedCitation],
    rejected: Sequence[RejectedClaim] = (),
    date: str = "",
) -> str:
    """The report as a page; raises Aborted where the same report in markdown would not be grounded to 100 %."""
    render_markdown(topic, claims, citations, rejected, date)
    contents = gather(topic, claims, citations, rejected, date)
    title = _text(make_heading(topic) or TITLE)
    main = (
        *(line for name, grouped in contents.sections for line in _section(name, grouped)),
        '<h2>Sources</h2><ol class="sources">',
        *(_source(source) for source in contents.sources),
        "</ol>",
        *_table(contents),
        f'<p class="soft">{_text(contents.tally)}</p>',
    )
    dated = (f'<p class="soft">{_text(date)}</p>',) if date else ()
    return make_page(title, _STYLE, (f"<h1>{title}</h1>", *dated), main)


def _section(name: str, grouped: Sequence[tuple[GroundedClaim, ListedSource]]) -> list[str]:
    items = [f"<li>{_text(add_full_stop(claim.claim))} {_mark(source)}</li>" for claim, source in grouped]
    return [f"<h2>{_text(name)}</h2>", "<ul>", *items, "</ul>"]


def _mark(source: ListedSource) -> str:
    return f'<sup><a href="#source-{source.number}">[{source.number}]</a></sup>'


def _source(source: ListedSource) -> str:
    title = _text(source.citation.page_title) or "Untitled"
    facts = "".join(f"<p>{_text(fact)}</p>" for fact in source.facts)
    link = f'<a href="{source.target}" rel="noopener noreferrer">{title}</a>'
    return f'<li id="source-{source.number}">{link}{facts}</li>'


def _table(contents: ReportContents) -> list[str]:
    heads = "".join(f"<th>{name}</th>" for name in COLUMNS)
    rows = []
    for claim, source in contents.claims:
        level = _text(claim.confidence)
        rows.append(
            f"<tr><td>{claim.claim_id}</td><td>{_text(claim.claim)}</td><td>{_mark(source)}</td>"
            f'<td class="{level}">{level}</td><td>“{_text(claim.citation_quote)}”</td>'
            f"<td>{_text(judged_by(claim))}</td></tr>"
        )
    head = f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>'
    return ["<h2>Grounded claims</h2>", head, *rows, "</tbody></table></div>"]


def _text(text: str) -> str:
    """Text that can only be text."""
    return escape(show_on_one_line(text))
