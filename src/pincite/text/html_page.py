"""One HTML page that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light dark; --page: #fff; --ink: #1c1c1e; --soft: #5b5b60; --line: #d8d8dc; --card: #f6f6f8;
  --good: #1a7f37; --poor: #9a6700; --bad: #cf222e; --none: #6c6c74; --link: #0a58ca; }
@media (prefers-color-scheme: dark) { :root { --page: #16161a; --ink: #ececf0; --soft: #a5a5ad; --line: #38383f;
  --card: #202026; --good: #3fb950; --poor: #d29922; --bad: #f85149; --none: #92929c; --link: #6ea8fe; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; background: var(--page); color: var(--ink); overflow-wrap: anywhere; }
.soft { color: var(--soft); } .wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--line); }
th { color: var(--soft); white-space: nowrap; }
"""


def make_page(title: str, style: str, header: Iterable[str], main: Iterable[str]) -> str:
    """A page of lines of HTML, which the caller has escaped, the title too; `style` adds to what all pages share."""
    lines = (
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}{style.lstrip()}</style>",
        "</head>",
        "<body>",
        *("<header>", *header, "</header>"),
        *("<main>", *main, "</main>"),
        "</body>",
        "</html>",
        "",
    )
    return "\n".join(lines)
