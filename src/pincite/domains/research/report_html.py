"""The report as one HTML page that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from .escape_markdown import COLUMNS, show_on_one_line
from .report_markdown import render as render_markdown
from .report_parts import TITLE, add_full_stop, gather, make_heading
from .report_records import judged_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import GroundedClaim, RejectedClaim, ValidatedCitation
    from .report_parts import ListedSource, ReportContents

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light dark; --page: #fff; --ink: #1c1c1e; --soft: #5b5b60; --line: #d8d8dc; --card: #f6f6f8;
  --good: #1a7f37; --poor: #9a6700; --link: #0a58ca; }
@media (prefers-color-scheme: dark) { :root { --page: #16161a; --ink: #ececf0; --soft: #a5a5ad; --line: #38383f;
  --card: #202026; --good: #3fb950; --poor: #d29922; --link: #6ea8fe; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 50rem; padding: 1rem; background: var(--page); color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; margin: 0.5rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
a { color: var(--link); } .soft { color: var(--soft); } li { margin: 0.35rem 0; }
sup a { text-decoration: none; padding: 0 0.1em; } :target { background: var(--card); outline: 2px solid var(--line); }
.sources li { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.5rem 0.75rem;
  margin-bottom: 0.6rem; } .sources p { margin: 0.1rem 0; font-size: 0.9rem; color: var(--soft); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--line); }
th { color: var(--soft); white-space: nowrap; } .high { color: var(--good); } .medium { color: var(--poor); }
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
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{title}</h1>",
        *([f'<p class="soft">{_text(date)}</p>'] if date else []),
        "</header>",
        "<main>",
        *(line for name, grouped in contents.sections for line in _section(name, grouped)),
        '<h2>Sources</h2><ol class="sources">',
        *(_source(source) for source in contents.sources),
        "</ol>",
        *_table(contents),
        f'<p class="soft">{_text(contents.tally)}</p>',
        "</main>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(parts)


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
