"""Terminal text with colors to a small picture that needs nothing but itself.

    pincite check | python tools/terminal_svg.py TITLE > picture.svg

Reads the few escape sequences pincite writes: bold, dim, and the colors red, green, yellow and cyan.
"""

from __future__ import annotations

import re
import sys
from html import escape
from unicodedata import combining, east_asian_width

CELL = 8.4
LINE = 20
SIZE = 14
PAD = 20
BAR = 36
PAPER, INK = "#171b22", "#d5dae2"
HUES = {31: "#ff7b72", 32: "#6fcf7f", 33: "#e3b341", 36: "#67c5d8"}
DOTS = ("#ff5f57", "#febc2e", "#28c840")
_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK JP',monospace"


def cells(text: str) -> int:
    """How many columns of a terminal the text fills."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def render(text: str, title: str) -> str:
    """The picture; the same text gives the same bytes."""
    lines = text.rstrip("\n").split("\n")
    columns = max(cells(_SGR.sub("", line)) for line in lines)
    width = round(columns * CELL + 2 * PAD)
    height = BAR + len(lines) * LINE + PAD
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
    ]
    out += [f'<circle cx="{PAD + 18 * at}" cy="18" r="6" fill="{hue}"/>' for at, hue in enumerate(DOTS)]
    out.append(f'<g font-family="{_FONT}" font-size="{SIZE}" fill="{INK}" xml:space="preserve">')
    for row, line in enumerate(lines):
        out += _row(line, BAR + SIZE + row * LINE)
    return "\n".join([*out, "</g>", "</svg>"]) + "\n"


def _row(line: str, y: int) -> list[str]:
    """One text element per piece of one style, so that no font can push the next piece out of its column."""
    out = []
    column = 0
    style = ""
    for at, piece in enumerate(_SGR.split(line)):
        if at % 2:
            style = _style(piece)
            continue
        for part in re.findall(r"[【】]|[^【】]+", piece):
            if part in "【】":
                out.append(f'<path d="{_bracket(part, PAD + column * CELL, y)}"{style}/>')
            elif part.strip():
                lead = len(part) - len(part.lstrip(" "))
                words = part.strip(" ")
                out.append(
                    f'<text x="{_number(PAD + (column + lead) * CELL)}" y="{y}"'
                    f' textLength="{_number(cells(words) * CELL)}" lengthAdjust="spacingAndGlyphs"{style}>'
                    f"{escape(words, quote=False)}</text>"
                )
            column += cells(part)
    return out


def _bracket(char: str, x: float, y: int) -> str:
    """A lenticular bracket as a shape, because many fonts lack it: a straight back, and a curve towards the text."""
    back, front = (x + CELL, x + 2 * CELL - 1) if char == "【" else (x + CELL, x + 1)
    top, bottom = y - SIZE + 2, y + 3
    curve = f"{_number((back * 2 + front) / 3)} {_number((top + bottom) / 2)}"
    return f"M{_number(back)} {top}H{_number(front)}Q{curve} {_number(front)} {bottom}H{_number(back)}Z"


def _style(codes: str) -> str:
    """Attributes for the codes of one escape sequence."""
    out = ""
    for code in (int(code or 0) for code in codes.split(";")):
        if code == 1:
            out += ' font-weight="bold"'
        elif code == 2:
            out += ' opacity="0.6"'
        elif code in HUES:
            out += f' fill="{HUES[code]}"'
    return out


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


if __name__ == "__main__":
    sys.stdout.write(render(sys.stdin.read(), sys.argv[1] if len(sys.argv) > 1 else "terminal"))
