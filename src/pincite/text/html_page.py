"""One HTML page that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


CHART_STYLE = """
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: 0.75rem; padding: 0; }
.tiles li { list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem;
  padding: 0.5rem 0.75rem; } .tiles b { display: block; font-size: 1.5rem; }
figure { margin: 1rem 0; } figcaption { font-weight: 600; } svg { display: block; width: 100%; height: 1.75rem;
  border-radius: 0.35rem; margin: 0.35rem 0; }
.empty { fill: var(--line); } .legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; margin: 0; }
.legend li { list-style: none; } .legend li::before { content: "■ "; } .legend span { color: var(--ink); }
th { font-weight: 600; } td.number, th.number { text-align: right; white-space: nowrap; }
"""
"""The style of tiles, bars and columns of numbers; the page that uses them says which class has which colour."""

ChartPart = tuple[str, str, int]
"""A part of a chart: the class that colours it, what it is, and how many."""


def make_page(title: str, style: str, header: Iterable[str], main: Iterable[str]) -> str:
    """A page of lines of HTML, which the caller has escaped, the title too; `style` adds to what all pages share."""
    return open_page(title, style, header) + "\n".join((*main, close_page()))


def open_page(title: str, style: str, header: Iterable[str]) -> str:
    """The beginning of a page, up to where its contents follow, for a page that is written in pieces."""
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
        "<main>",
        "",
    )
    return "\n".join(lines)


def close_page() -> str:
    """The end of a page."""
    return "</main>\n</body>\n</html>\n"


def render_tiles(parts: Iterable[ChartPart]) -> list[str]:
    """The numbers of some things, large."""
    rows = [f'<li><b class="{kind}">{number:,}</b>{what}</li>' for kind, what, number in parts]
    return ['<ul class="tiles">', *rows, "</ul>"]


def render_bar(name: str, title: str, parts: Sequence[ChartPart]) -> list[str]:
    """A bar whose pieces are as wide as they are many; the legend says the same in words."""
    total = sum(number for _, _, number in parts)
    said = ", ".join(f"{number:,} {what}" for _, what, number in parts) if total else "nothing to show"
    head = f'<svg viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-labelledby="{name}-t {name}-d">'
    lines = [f"<figure><figcaption>{title}</figcaption>", head]
    lines.append(f'<title id="{name}-t">{title}</title><desc id="{name}-d">{said}</desc>')
    if not total:
        lines.append('<rect class="empty" x="0" y="0" width="1000" height="20"/>')
    at = 0.0
    for kind, _, number in parts:
        if number:
            width = 1000 * number / total
            lines.append(f'<rect class="{kind}" x="{at:.2f}" y="0" width="{width:.2f}" height="20"/>')
            at += width
    lines += ["</svg>", '<ul class="legend">']
    lines += [f'<li class="{kind}"><span>{number:,} {what}</span></li>' for kind, what, number in parts if total]
    lines += [] if total else ['<li class="unchecked"><span>nothing to show</span></li>']
    return [*lines, "</ul></figure>"]
