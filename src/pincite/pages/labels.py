"""What the words before a date say that it is the day of: of publication, of a change, or of something else."""

from __future__ import annotations

import re

from msgspec import Struct

from .dates import dates_within

PUBLISHED, CHANGED, OTHER = "published", "changed", "other"

# Of lines in lower case: patterns that ignore case are many times slower.
MAY_LABEL = re.compile(
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
"""What stands before a day of publication, or may do so."""
SAYS_PUBLISHED = re.compile(
    r"published|posted|publication date|publishing date|released|veröffentlicht|publiziert|erstellt am|erschienen"
    r"|verfasst|geschrieben|online seit|artikel vom|beitrag vom|publié|mis en ligne|paru le|date de publication"
    r"|publicad[oa]|fecha de publicación|pubblicato|gepubliceerd|geplaatst|postado em|opublikowan|data publikacji"
    r"|опубликован|дата публикации|опубліковано|yayınlan|yayın tarihi|julkaistu|publicer|publisert|zveřejněno"
    r"|publikováno|megjelent|közzétéve|objavljen|發布|发布|发表|發表|公開日|掲載|投稿日|등록|입력|게시",
)
"""What says that something was published."""
SAYS_CHANGED = re.compile(
    r"\b(?:updated?|modified|changed|revised|edited|last (?:update|change|edit|review)\w*|reviewed"
    r"|aktualisiert|geändert"
    r"|bearbeitet|überarbeitet|stand|letzte änderung|mis à jour|mise à jour|modifié|actualizad[oa]|última actualización"
    r"|aggiornat[oa]|ultimo aggiornamento|modificat[oa]|bijgewerkt|gewijzigd|laatst|atualizad[oa]|última atualização"
    r"|zaktualizowan[oay]|aktualizacja|modyfikacja|обновлен[оа]?|изменен[оа]?|оновлено|güncelle\w*|päivitetty|uppdaterad"
    r"|opdateret|oppdatert|aktualizováno|actualizat)\b|最終更新|更新|수정",
)
"""What says that something was changed."""
_OTHER = re.compile(
    r"\b(?:received|accepted|accessed|retrieved|visited|downloaded|archived|captured|crawled|retracted|withdrawn"
    r"|presented|expir(?:es?|y|ed|ing)|deadline|due|until|till"
    r"|(?:register|apply|submit|reply|respond|rsvp|order|pay|book) by|before|closing|closes|closed|valid|effective"
    r"|in force|next|events?|when|save the date|takes? place|held|starts?|starting|begins?|beginning|ends?|ending"
    r"|opens?|opening|doors|screening|premieres?|airs?|scheduled|webinar|workshop|conference|concert|meeting"
    r"|session|departure|arrival|sale|born|birthday|date of birth|died|joined|member since|since|registered"
    r"|registration|register|apply|applications?|recorded|filmed|photographed|taken|abgerufen|zugriff"
    r"|zuletzt besucht|eingereicht|eingegangen|angenommen|empfangen|zurückgezogen|anmeld\w{0,12}"
    r"|bewerbungs\w{0,10}|einsendeschluss|frist|bis|gültig|termine?|beginn|beginnt|ende|veranstaltung\w{0,8}"
    r"|geboren|gestorben|dabei seit|registriert|mitglied seit|consultée?|reçue?|acceptée?|rétractée?|événement"
    r"|evénement|date limite|jusqu['’]au|valable|débute?|inscription\w?|avant le|née? le|consultado|recibido"
    r"|aceptado|retractado|evento|fecha límite|hasta(?: el)?|válido|plazo|inscripción|nacid[oa]|recebido|aceito"
    r"|acessado|prazo|até|ricevuto|accettato|consultato|ritirato|scadenza|fino al|entro|iscrizion[ei]|nat[oa] il"
    r"|geraadpleegd|ontvangen|geaccepteerd|geldig|uiterlijk|aanmelden"
    r")\b",
)
"""What stands before the days of other things: of a manuscript, a visit, an event, a deadline, a person."""
NAMES_NO_DAY = re.compile(
    r"©|\(c\)|copyright|all rights|\b(?:version|cookie|doi|vol|issn|isbn|pp|findet|statt|rsvp|tickets?)\b",
)
"""What only lines have that name no day of publication."""
_SPANS = re.compile(
    r"\s{0,3}(?:[-–—]|to|until|till|through|bis|und|and|au|al|a|tot|do|по|до)\s{0,3}(?:\w{2,12}[.,]{0,2}\s)?"
)
"""What stands between two dates that are the first and the last day of something."""
_HOURS = re.compile(
    # Examples: `, 10:00 - 12:30`, ` 9 am to 5 pm`, ` 18 bis 20 Uhr`.
    r"""
    \D{0,12}\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?m\.?|uhr|h)?\s?   # from
    (?:[-–—]|to|bis|until)\s?
    \d{1,2}(?:[:.h]\d\d|\s?(?:[ap]\.?m|uhr|h)\b)                # to
    """,
    re.VERBOSE,
)
"""What says behind a date from when to when something takes place."""
_CLOCK = re.compile(r"\D{1,6}\d{1,2}[:.]\d\d(?!\d|[.]\d)")
"""What says behind a date at what time, as lines do that say when something was published."""
_RANGE = re.compile(
    r"\d{1,2}\.?[^\W\d]{0,10}\.?\s?(?:[-–—/&+]|bis|to|till|und|and|au|al|a|e|y|tot|do|по|до)\s?\Z", re.IGNORECASE
)
"""What stands before the last day of something, behind its first one."""
_LABELLING, _ADJACENT = 30, 16
"""How far before a date its label may begin, and end, in signs."""
_PARTS = frozenset("|·•»")
_FIRST_YEAR = "1991"


class NamedDay(Struct, frozen=True):
    """A day that a line names, and what its words say of it."""

    day: str
    start: int
    before: str
    """The words before it, behind the date before it, in lower case."""
    meaning: str
    """As in `labels`; empty where no word tells."""
    timed: bool = False
    """Whether a time of the day follows."""


def meaning_of(before: str) -> str:
    """PUBLISHED, CHANGED or OTHER by the last word before a date that tells, in lower case; empty where none does."""
    text = before[-_LABELLING:]
    told = [
        (found.end(), kind)
        for kind, pattern in ((PUBLISHED, SAYS_PUBLISHED), (CHANGED, SAYS_CHANGED))
        for found in pattern.finditer(text)
    ]
    for found in _OTHER.finditer(text):
        # Words of events are those of headings too: only directly before the date they speak of it.
        rest = text[found.end() :]
        if len(rest) <= _ADJACENT and _PARTS.isdisjoint(rest):
            told.append((found.end(), OTHER))
    return max(told)[1] if told else ""


def named_days(line: str, order: str, above: str = "") -> list[NamedDay]:
    """The days of a line with what is said of them; `above` is what labels a line that says nothing itself.

    Days of other things are among them, as are the first and the last day of something.
    """
    text = " ".join(line.split())
    found = [(day, start, end) for day, start, end in dates_within(text, order) if day >= _FIRST_YEAR]
    named: list[NamedDay] = []
    at = 0
    for number, (day, start, end) in enumerate(found):
        before = text[at:start].lower()
        meaning = meaning_of(before) or (meaning_of(f"{above.lower()} ") if above and not before.strip() else "")
        after = found[number + 1][1] if number + 1 < len(found) else len(text)
        spans = number + 1 < len(found) and _SPANS.fullmatch(text[end:after]) is not None
        if spans or _HOURS.match(text[end : end + 40].lower()) or _RANGE.search(before[-30:]):
            meaning = OTHER
        if number and named[-1].meaning == OTHER and _SPANS.fullmatch(before):
            meaning = OTHER
        named.append(NamedDay(day, start, before, meaning, _CLOCK.match(text[end : end + 12]) is not None))
        at = end
    return named
