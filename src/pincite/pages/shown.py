"""Days that the visible text of a page names where readers look for its date: near the title, or after a label."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from .dates import dates_within, has_date, lines_with_date
from .tidy import bare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Of lines in lower case: patterns that ignore case are many times slower.
_LABEL = re.compile(
    r"(?:first |originally |date |article |news )?(?:published|posted|publi(?:cation|shing) date|pubdate"
    r"|date posted|issued"
    r"|released|release date|written|created|filed|submitted|added|uploaded|date)\b"
    r"|veröffentlicht|publiziert|erstellt|erschienen|verfasst|geschrieben|eingestellt|online seit|datum"
    r"|vom\b|artikel vom"
    r"|beitrag vom|publié|publie le|mis en ligne|paru|rédigé|date de publication|le\b|publicado"
    r"|publicación|fecha|creado"
    r"|pubblicato|data|scritto|inserito|del\b|gepubliceerd|geplaatst|publicatiedatum|op\b|publicada|postado|em\b|criado"
    r"|opublikowan[oay]|data publikacji|dodano|utworzono|opublikowany|опубликован[оа]?|размещено|дата публикации|дата"
    r"|добавлен[оа]|опубліковано|дата публікації|yayınlanma|yayınlandı|yayın tarihi|eklenme|oluşturulma|giriş|tarih"
    r"|julkaistu|publicerad|publicerat|publiceret|publisert|udgivet|zveřejněno|publikováno|vydáno|vydané"
    r"|publicat|data publicării"
    r"|megjelent|közzétéve|objavljeno|objavljen[oa]?|發布|发布|发表|發表|日期|时间|時間|公開日?|掲載|投稿日?|更新日?|등록|입력|게시|작성",
)
_CLEARLY = re.compile(
    r"published|posted|publication date|publishing date|released|veröffentlicht|publiziert|erstellt am|erschienen"
    r"|verfasst|geschrieben|online seit|artikel vom|beitrag vom|publié|mis en ligne|paru le|date de publication"
    r"|publicad[oa]|fecha de publicación|pubblicato|gepubliceerd|geplaatst|postado em|opublikowan|data publikacji"
    r"|опубликован|дата публикации|опубліковано|yayınlan|yayın tarihi|julkaistu|publicer|publisert|zveřejněno"
    r"|publikováno|megjelent|közzétéve|objavljen|發布|发布|发表|發表|公開日|掲載|投稿日|등록|입력|게시",
)
_CHANGE = re.compile(
    r"\b(?:updated?|modified|changed|revised|edited|last (?:update|change|edit|review)\w*|reviewed"
    r"|aktualisiert|geändert"
    r"|bearbeitet|überarbeitet|stand|letzte änderung|mis à jour|mise à jour|modifié|actualizad[oa]|última actualización"
    r"|aggiornat[oa]|ultimo aggiornamento|modificat[oa]|bijgewerkt|gewijzigd|laatst|atualizad[oa]|última atualização"
    r"|zaktualizowan[oay]|aktualizacja|modyfikacja|обновлен[оа]?|изменен[оа]?|оновлено|güncelle\w*|päivitetty|uppdaterad"
    r"|opdateret|oppdatert|aktualizováno|actualizat)\b|最終更新|更新|수정",
)
_ELSEWHERE = re.compile(
    r"©|\(c\)|copyright|all rights|\b(?:retrieved|accessed|abgerufen|expires?|deadline|until|bis zum|born|geboren|died"
    r"|gestorben|joined|member since|registered|dabei seit|version|cookie|valid|gültig|doi|vol|issn|isbn"
    r"|pp|findet|statt)\b",
)
_NUMBERS = re.compile(r"\d[/.-] ?\d\d?[/.-]")
_RANGE = re.compile(
    r"\d{1,2}\.?[^\W\d]{0,10}\.?\s?(?:[-–—/&+]|bis|to|till|und|and|au|al|a|e|y|tot|do|по|до)\s?\Z", re.IGNORECASE
)
_BEFORE, _AFTER = 8, 25
_CLOSE = 4
_LONGEST_LINE = 240
_LONGEST_TITLE = 400
_LONGEST_DATED = 2000
_SHORTEST_TITLE = 4
_MOST_TITLES = 12
_REPEATED = 6
_ROOM = 90
_SHORT = 40
_START = 3
_BEGINNING = 50
_MOST_LINES = 4000
_FIRST_YEAR = "1991"


def change_in(lines: Lines, order: str) -> str:
    """The day of the last change, where a short line says that it is one; empty where none does."""
    for line in lines.dated:
        low = line.lower()
        if len(line) <= _ROOM and _CHANGE.search(low):
            for day, start in dates_within(line, order):
                before = " ".join(line.split())[:start][-30:].lower()
                if day >= _FIRST_YEAR and _CHANGE.search(before) and not _ELSEWHERE.search(low):
                    return day
    return ""


class Shown(Struct, frozen=True):
    """A day in the text."""

    day: str
    place: str
    clear: bool
    """Whether its line has hardly anything else, or says that something was published then."""


class Lines:
    """The lines of a text that have anything in them, and which of them is its title."""

    __slots__ = ("_at", "_dated", "all")

    def __init__(self, text: str, titles: Sequence[str]) -> None:
        self.all = [line for line in text.split("\n", _MOST_LINES)[:_MOST_LINES] if line.strip()]
        self._at = _title_at(self.all, titles)
        self._dated: list[str] | None = None

    @property
    def dated(self) -> list[str]:
        """The lines that may have a date."""
        if self._dated is None:
            self._dated = list(lines_with_date("\n".join(self.all)))
        return self._dated

    @property
    def title(self) -> str:
        """The line that is the title; empty where there is none."""
        return self.all[self._at] if self._at is not None else ""

    def around(self, below: int, above: int) -> tuple[list[str], list[str]]:
        """The lines below the title and those above it, the nearest first; none where no line is the title."""
        at = self._at
        return (
            (self.all[at + 1 : at + 1 + below], self.all[max(0, at - above) : at][::-1]) if at is not None else ([], [])
        )


def day_beside(lines: Lines, order: str) -> Shown | None:
    """The day that stands beside the title, the nearest first; below it sooner than above."""
    below, above = lines.around(_AFTER, _BEFORE)
    near = [*below[:_CLOSE], *above[:_CLOSE], *below[_CLOSE : 2 * _CLOSE], *above[_CLOSE:], *below[2 * _CLOSE :]]
    return _first([*near, lines.title], order)


def has_numbers(lines: Lines) -> bool:
    """Whether a line beside the title has a date in numbers, whose order has to be known."""
    below, above = lines.around(_AFTER, _BEFORE)
    return any(
        _NUMBERS.search(line[: _LONGEST_LINE if len(line) <= 2 * _ROOM else _BEGINNING]) for line in (*below, *above)
    )


def day_elsewhere(lines: Lines, order: str) -> Shown | None:
    """A day after a word that says that something was published then; else the only one that the text names."""
    dated = lines.dated
    labelled = _labelled(dated, order)
    if labelled is not None:
        return labelled
    days = {day for line in dated for day, _ in dates_within(line[:_LONGEST_DATED], order) if day >= _FIRST_YEAR}
    return Shown(days.pop(), "text", clear=False) if len(days) == 1 else None


def is_change(text: str) -> bool:
    """Whether a line says that something was changed."""
    return _CHANGE.search(text.lower()) is not None


def _title_at(lines: list[str], titles: Iterable[str]) -> int | None:
    """The number of the line that is the title; of a longer one, that of the line that begins it."""
    given = list(dict.fromkeys(title for title in titles if len(title) >= _SHORTEST_TITLE))[:_MOST_TITLES]
    for title in given:
        # Most stand there letter by letter; comparing bare letters takes longer.
        if title in lines:
            return _not_path(lines, title, lines.index(title))
    sought = list(dict.fromkeys(one for title in given if len(one := bare(title[:_LONGEST_TITLE])) >= _SHORTEST_TITLE))
    if not sought:
        return None
    longest = 2 * max(map(len, sought)) + 20
    shortest = max(min(map(len, sought)) // 2, _SHORTEST_TITLE)
    bares = [(number, bare(line)) for number, line in enumerate(lines) if shortest <= len(line) <= longest]
    known: dict[str, int] = {}
    for number, line in bares:
        known.setdefault(line, number)
    found = next((known[one] for one in sought if one in known), None)
    if found is not None:
        return found
    for one in sought:
        for number, line in bares:
            if len(line) >= _SHORTEST_TITLE * 3 and 2 * len(line) > len(one) and one.startswith(line):
                return number
    return None


def _not_path(lines: list[str], title: str, at: int) -> int:
    """The number of the next line that is the title, where the first is the end of a path above it."""
    after = lines[at + 1 : at + 1 + _REPEATED]
    return at + 1 + after.index(title) if title in after else at


def _first(lines: list[str], order: str) -> Shown | None:
    """The first day in lines that have little else, or begin with it, or label it."""
    for line in lines:
        if len(line) > _LONGEST_LINE * 4:
            continue
        # Of a paragraph only what it begins with.
        short = " ".join(line[: _LONGEST_LINE if len(line) <= 2 * _ROOM else _BEGINNING].split())
        if not has_date(short):
            continue
        for day, start in dates_within(short, order):
            before = short[:start][-30:].lower()
            if day < _FIRST_YEAR or _CHANGE.search(before) or _ELSEWHERE.search(short.lower()) or _RANGE.search(before):
                continue
            if len(line) <= _ROOM or start < _START or _LABEL.search(before):
                clear = len(line) <= _SHORT or _CLEARLY.search(before) is not None
                return Shown(day, "beside the title", clear)
    return None


def _labelled(lines: list[str], order: str) -> Shown | None:
    """The first day after a word that says that something was published then; in a short line."""
    for line in lines:
        low = line.lower()
        if len(line) > _LONGEST_LINE or _CLEARLY.search(low) is None or _ELSEWHERE.search(low):
            continue
        for day, start in dates_within(line, order):
            before = " ".join(line.split())[:start][-30:].lower()
            if day >= _FIRST_YEAR and _CLEARLY.search(before) and not _CHANGE.search(before):
                return Shown(day, "labelled in the text", clear=True)
    return None
