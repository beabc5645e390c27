"""Makes papers as PDFs whose every word and page is known: columns, hyphens, ligatures, footnotes, running heads.

The words come from a small grammar and a seed, so that no two sentences are alike and nothing is taken from anywhere.
"""

from __future__ import annotations

import io
import os
import re
from random import Random
from typing import NamedTuple

import reportlab
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

NAMES = (
    "Albers Brandt Castillo Dvorak Eriksen Fontaine Gupta Haddad Ivanova Jensen Kowalski Lindqvist Moreau Nakamura"
    " Okafor Petrov Quintana Rossi Schmidt Tanaka Ueda Vargas Whitfield Yamada Zielinski Smith Hoffmann"
).split()
NOUNS = (
    "classification reflection infiltration efficiency workflow coefficient specification definition finding baseline"
    " benchmark annotation dictionary compression verification configuration influence profile filter retrieval"
    " evaluation conflict fluctuation confidence measurement experiment approximation difference"
).split()
ADJECTIVES = (
    "significant reliable well-known state-of-the-art first-order efficient sufficient different difficult inflexible"
    " official fluent affine stable unstable long-term simplified final modified unaffected"
).split()
VERBS = "confirm reflect influence identify specify exceed approximate verify simplify modify differ suffice".split()
UNITS = "ms s percent % km kg GB samples participants dB".split()
FURTHER = (
    "under controlled conditions|in a follow-up study|across all configurations|for the remaining profiles"
    "|after the first modification|with sufficient confidence|in every official release|without any filtering"
).split("|")


class Word(NamedTuple):
    """A word as the author wrote it, its paragraph, and the footnote that hangs on it."""

    text: str
    paragraph: int
    note: str = ""
    set: str = ""
    """How it is set, where raised references hang on it."""


class Paper(NamedTuple):
    """A PDF with the truth about it."""

    name: str
    data: bytes
    words: list[Word]
    pages: list[int]
    """For each word the page it begins on, counted from 0."""


class Style(NamedTuple):
    """How a paper is set."""

    name: str
    columns: int = 1
    ligatures: bool = False
    hyphens: bool = True
    notes: bool = False
    heads: bool = True
    first_page: int = 1
    by_rows: bool = False
    """Columns drawn line by line across the page, as some programs do."""
    justified: bool = True
    references: bool = False
    """Raised numbers on words and behind stops, and exponents on numbers and units."""
    floats: bool = False
    """Figures and tables at the top and at the foot of columns, with captions in the size of the text."""


STYLES = (
    Style("one column, plain", hyphens=False, heads=False, justified=False),
    Style("one column, hyphens"),
    Style("one column, hyphens, ligatures", ligatures=True),
    Style("one column, footnotes", notes=True),
    Style("one column, footnotes, ligatures, journal pages", notes=True, ligatures=True, first_page=81),
    Style("two columns", columns=2),
    Style("two columns, ligatures", columns=2, ligatures=True),
    Style("two columns, footnotes, journal pages", columns=2, notes=True, first_page=215),
    Style("two columns, drawn by rows", columns=2, by_rows=True),
    Style("two columns, everything", columns=2, notes=True, ligatures=True, first_page=1017),
    Style("one column, raised references", references=True),
    Style("two columns, raised references, footnotes", columns=2, notes=True, references=True),
    Style("two columns, drawn by rows, raised references", columns=2, by_rows=True, references=True),
    Style("two columns, raised references, ligatures", columns=2, references=True, ligatures=True),
    Style("one column, floats", floats=True),
    Style("two columns, floats", columns=2, floats=True),
    Style("two columns, floats, footnotes, journal pages", columns=2, floats=True, notes=True, first_page=301),
)
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RUN = re.compile("([⁰¹²³⁴-⁹]+(?:[,–][⁰¹²³⁴-⁹]+)*)")


def sentence(random: Random) -> str:
    """One sentence, with a number, a name or a negation in most."""
    noun, other = random.sample(NOUNS, 2)
    adjective, verb, name, second = (random.choice(words) for words in (ADJECTIVES, VERBS, NAMES, NAMES))
    further, unit = random.choice(FURTHER), random.choice(UNITS)
    number = random.choice(
        [
            str(random.randint(2, 99)),
            f"{random.randint(0, 9)}.{random.randint(1, 99)}",
            f"{random.randint(1, 99)},{random.randint(100, 999)}",
        ]
    )
    amount = f"{number}%" if unit == "%" else f"{number} {unit}"
    negation = random.choice(["did not", "did never", "could not", "cannot", "didn’t"])
    year, few, many, last = (random.randint(*span) for span in ((1950, 2024), (3, 60), (100, 400), (0, 19)))
    return random.choice(
        [
            f"The {adjective} {noun} {negation} {verb} the {other} by {amount} {further}.",
            f"{name} and {second} report a {noun} of {amount}, which is not {adjective} {further}.",
            f"In {year}, {name} showed that no {adjective} {other} can {verb} the {noun} of {amount}.",
            f"We find “{adjective} {noun}” – as {name} calls it – at −{amount} {further}, without any {other}.",
            f"A {noun} of {amount} (see {name}) is {adjective}; the {other} was neither {ADJECTIVES[last]} nor stable.",
            f"Between {number} and {many} {noun}s {verb} {further}, but {few} of them {negation}.",
        ]
    )


def powers(words: list[str], random: Random) -> list[str]:
    """The words of a sentence with exponents on some of its numbers and units."""
    made = []
    for at, word in enumerate(words):
        if word.isdecimal() and random.random() < 0.3:
            word = "10" + str(random.randint(2, 19)).translate(_RAISED)
        elif word in ("km", "s") and at and words[at - 1][-1:].isdecimal():
            word += random.choice("²³")
        made.append(word)
    return made


def referred(word: str, count: int, random: Random) -> str:
    """A word with references on it, in front of its stop or behind."""
    more = random.choice(["", "", f",{count + 1}", f"–{count + 3}", f",{count + 1},{count + 4}"])
    signs = f"{count}{more}".translate(_RAISED)
    if word[-1] in ".,;" and random.random() < 0.5:
        return f"{word[:-1]}{signs}{word[-1]}"
    return word + signs


def prose(random: Random, sentences: int, notes: bool, references: bool = False) -> list[Word]:
    """Paragraphs of a few sentences."""
    words: list[Word] = []
    paragraph = count = cited = 0
    left = random.randint(4, 7)
    for _ in range(sentences):
        text = sentence(random).split()
        if references:
            text = powers(text, random)
        if notes and random.random() < 0.06:
            # Nobody hangs a footnote on a number or an article.
            places = [place for place, word in enumerate(text) if len(word) > 4 and not any(map(str.isdigit, word))]
            at = random.choice([places[-1], random.choice(places)])
            count += 1
        else:
            at = -1
        words += [
            Word(word, paragraph, f"{count} {sentence(random)}" if place == at else "")
            for place, word in enumerate(text)
        ]
        if references and random.random() < 0.6:
            first = len(words) - len(text)
            places = [
                place
                for place, word in enumerate(words[first:], first)
                if len(word.text) > 4 and not any(map(str.isdigit, word.text)) and not word.note
            ]
            for place in random.sample(places, min(2, len(places))):
                cited += random.randint(1, 2)
                words[place] = words[place]._replace(set=referred(words[place].text, cited % 90 + 1, random))
        left -= 1
        if not left:
            paragraph, left = paragraph + 1, random.randint(4, 7)
    return words


class Setter:
    """Sets words into lines, columns and pages."""

    def __init__(self, style: Style, random: Random) -> None:
        self.style, self.random = style, random
        self.font, self.size = ("Vera", 9.0) if style.ligatures else ("Times-Roman", 10.5)
        if style.ligatures:
            folder = os.path.join(os.path.dirname(reportlab.__file__), "fonts")
            pdfmetrics.registerFont(TTFont("Vera", os.path.join(folder, "Vera.ttf")))
        self.left, self.top, self.bottom = 60.0, 770.0, 70.0
        gutter = 24.0
        self.width = (595.0 - 2 * self.left - gutter * (style.columns - 1)) / style.columns
        self.step = self.size * 1.25
        self.lefts = [self.left + column * (self.width + gutter) for column in range(style.columns)]

    def drawn(self, text: str) -> str:
        """The text with the signs that the font has for pairs of letters."""
        return text.replace("fi", "ﬁ").replace("fl", "ﬂ") if self.style.ligatures else text

    def measure(self, text: str, size: float = 0.0) -> float:
        """How wide a text is."""
        size = size or self.size
        pieces = _RUN.split(text)
        wide = sum(float(pdfmetrics.stringWidth(self.drawn(piece), self.font, size)) for piece in pieces[::2])
        small = (piece.translate(_LOWERED) for piece in pieces[1::2])
        return wide + sum(float(pdfmetrics.stringWidth(piece, self.font, size * 0.6)) for piece in small)

    def out(self, text: object, piece: str) -> None:
        """Draw a word, what is raised in it smaller and above the line."""
        for at, part in enumerate(_RUN.split(piece)):
            if at % 2:
                self.sign(text, part.translate(_LOWERED))
            elif part:
                text.textOut(self.drawn(part))  # type: ignore[attr-defined]

    def lines(self, words: list[Word]) -> list[tuple[list[tuple[str, str]], list[int], bool]]:
        """Lines of pieces (text, note sign), the words that begin in each, and whether it ends a paragraph."""
        done: list[tuple[list[tuple[str, str]], list[int], bool]] = []
        pieces: list[tuple[str, str]] = []
        begun: list[int] = []
        used = 0.0
        space = self.measure(" ")
        for at, word in enumerate(words):
            rest, sign = word.set or word.text, word.note.split(" ")[0] if word.note else ""
            begun.append(at)
            room = self.width - used
            if used and self.measure(rest) + 6 > room:
                head = self.broken(rest, room)
                if head:
                    pieces.append((head, ""))
                    rest = rest[len(head.rstrip("\0")) :] if head.endswith("\0") else rest[len(head) - 1 :]
                    pieces[-1] = (head.rstrip("\0"), "")
                else:
                    begun.pop()
                done.append((pieces, begun, False))
                pieces, begun, used = [], [] if head else [at], 0.0
            pieces.append((rest, sign))
            used += self.measure(rest) + space + (4 if sign else 0)
            if at + 1 == len(words) or words[at + 1].paragraph != word.paragraph:
                done.append((pieces, begun, True))
                pieces, begun, used = [], [], 0.0
        return done

    def broken(self, word: str, room: float) -> str:
        """The part of a word that still fits, with its hyphen; NUL behind it says that it is the word's own."""
        if not self.style.hyphens:
            return ""
        if "-" in word[2:-2]:
            head = word[: word.index("-", 2) + 1]
            return head + "\0" if self.measure(head) < room else ""
        if len(word) < 7 or not word.isalpha() or self.random.random() < 0.3:
            return ""
        for at in range(len(word) - 3, 2, -1):
            if self.measure(word[:at] + "-") < room:
                return word[:at] + "-"
        return ""

    def paper(self, words: list[Word]) -> Paper:
        """The whole paper."""
        target = io.BytesIO()
        canvas = Canvas(target, pagesize=(595, 842), pageCompression=1)
        lines = self.lines(words)
        pages = [0] * len(words)
        per_column = int((self.top - self.bottom) / self.step)
        page = at = 0
        while at < len(lines):
            columns: list[tuple[list[int], list[str]]] = []
            floats: list[tuple[float, list[tuple[float, str]]]] = []
            for _ in range(self.style.columns):
                taken: list[int] = []
                notes: list[str] = []
                floats.append(self.floating(page))
                room = float(per_column) - len(floats[-1][1]) - 2 * bool(floats[-1][1])
                while at < len(lines):
                    new = [note for index in lines[at][1] if (note := words[index].note)]
                    wanted = [row for note in new for row in self.wrapped(note)]
                    if taken and room < 1 + 0.85 * len(wanted) + (1 if wanted and not notes else 0):
                        break
                    room -= 1 + 0.85 * len(wanted) + (1 if wanted and not notes else 0)
                    notes += wanted
                    taken.append(at)
                    for index in lines[at][1]:
                        pages[index] = page
                    at += 1
                columns.append((taken, notes))
            self.page(canvas, page, columns, lines, floats)
            page += 1
        canvas.save()
        return Paper(self.style.name, target.getvalue(), words, pages)

    def floating(self, page: int) -> tuple[float, list[tuple[float, str]]]:
        """A figure or a table for a column: how far the text is moved down, and its lines with their sizes; or none."""
        if not self.style.floats or self.random.random() < 0.4:
            return 0.0, []
        kind = self.random.choice(("Figure", "Table"))
        labels = [(0.7, " ".join(self.random.sample(NOUNS, 2))) for _ in range(self.random.randint(2, 5))]
        words = f"{kind} {page + 1}: {sentence(self.random)}".split()
        caption, row = [], ""
        for word in words:
            if row and self.measure(f"{row} {word}") > self.width:
                caption.append((1.0, row))
                row = word
            else:
                row = f"{row} {word}".strip()
        rows = [*labels, *caption, (1.0, row)] if kind == "Figure" else [*caption, (1.0, row), *labels]
        # At the top of the column, or at its foot.
        return (len(rows) + 2) * self.step * self.random.randint(0, 1), rows

    def wrapped(self, note: str) -> list[str]:
        """A footnote in lines."""
        rows, row = [], ""
        for word in note.split():
            if row and self.measure(f"{row} {word}", self.size * 0.8) > self.width:
                rows.append(row)
                row = word
            else:
                row = f"{row} {word}".strip()
        return [*rows, row]

    def page(
        self,
        canvas: Canvas,
        page: int,
        columns: list[tuple[list[int], list[str]]],
        lines: list[tuple[list[tuple[str, str]], list[int], bool]],
        floats: list[tuple[float, list[tuple[float, str]]]],
    ) -> None:
        """Draw one page."""
        number = self.style.first_page + page
        canvas.setFont(self.font, self.size * 0.85)
        if self.style.heads:
            if page % 2:
                canvas.drawString(self.left, 800, f"{number}")
                canvas.drawRightString(595 - self.left, 800, self.drawn("Albers et al."))
            elif page:
                canvas.drawString(self.left, 800, self.drawn("On the reflection of findings"))
                canvas.drawRightString(595 - self.left, 800, f"{number}")
        order = [(column, row) for column, (taken, _) in enumerate(columns) for row in range(len(taken))]
        if self.style.by_rows:
            order.sort(key=lambda place: (place[1], place[0]))
        previous = 0
        for column, row in order:
            if column != previous and not self.style.by_rows:
                self.notes(canvas, previous, columns[previous][1])
            previous = column
            top = self.top - floats[column][0]
            self.line(canvas, self.lefts[column], top - row * self.step, *lines[columns[column][0][row]][::2])
            if row + 1 == len(columns[column][0]):
                below = top - (row + 2) * self.step
                self.float(canvas, column, self.top if floats[column][0] else below, floats[column][1])
        for column in range(len(columns)) if self.style.by_rows else [previous]:
            self.notes(canvas, column, columns[column][1])
        if self.style.heads:
            canvas.setFont(self.font, self.size * 0.85)
            canvas.drawCentredString(297, 40, self.drawn(f"Journal of Artificial Examples, volume 12, page {number}"))
        canvas.showPage()

    def line(self, canvas: Canvas, x: float, y: float, pieces: list[tuple[str, str]], last: bool) -> None:
        """Draw one line, its words spread over the width of the column."""
        text = canvas.beginText(x, y)
        text.setFont(self.font, self.size)
        width = self.measure(" ".join(piece for piece, _ in pieces)) + sum(4 for _, sign in pieces if sign)
        gaps = len(pieces) - 1
        extra = (self.width - width) / gaps if gaps and self.style.justified and not last else 0.0
        if self.font == "Vera":
            # Word spacing does not work for this kind of font: each word is placed.
            at = x
            for piece, sign in pieces:
                text.setTextOrigin(at, y)
                self.out(text, piece)
                at += self.measure(piece)
                if sign:
                    at += self.sign(text, sign)
                at += self.measure(" ") + max(0.0, extra)
        else:
            text.setWordSpace(max(0.0, extra))
            for place, (piece, sign) in enumerate(pieces):
                self.out(text, piece)
                if sign:
                    self.sign(text, sign)
                if place < gaps:
                    text.textOut(" ")
        canvas.drawText(text)

    def float(self, canvas: Canvas, column: int, y: float, rows: list[tuple[float, str]]) -> None:
        """Draw a figure or a table."""
        for at, (size, row) in enumerate(rows):
            canvas.setFont(self.font, self.size * size)
            canvas.drawString(self.lefts[column] + (20 if size < 1 else 0), y - at * self.step, self.drawn(row))

    def sign(self, text: object, sign: str) -> float:
        """Draw the sign of a footnote, small and raised."""
        text.setFont(self.font, self.size * 0.6)  # type: ignore[attr-defined]
        text.setRise(3.5)  # type: ignore[attr-defined]
        text.textOut(sign)  # type: ignore[attr-defined]
        text.setRise(0)  # type: ignore[attr-defined]
        text.setFont(self.font, self.size)  # type: ignore[attr-defined]
        return self.measure(sign, self.size * 0.6)

    def notes(self, canvas: Canvas, column: int, rows: list[str]) -> None:
        """Draw the footnotes of a column at its foot."""
        canvas.setFont(self.font, self.size * 0.8)
        for place, row in enumerate(rows):
            y = self.bottom + (len(rows) - 1 - place) * self.step * 0.85
            canvas.drawString(self.lefts[column], y, self.drawn(row))


def papers(seed: int, sentences: int) -> list[Paper]:
    """One paper of each style."""
    made = []
    for place, style in enumerate(STYLES):
        random = Random(seed * 1000 + place)
        made.append(Setter(style, random).paper(prose(random, sentences, style.notes, style.references)))
    return made
