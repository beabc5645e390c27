"""Names of people and organisations: whether two of them are one, and whether a line names a person."""

from __future__ import annotations

import re

from .short_text import bare, tidy

MOST = 100
"""How many authors of a page are read."""
_LONGEST = 120
_LONGEST_PERSON = 60
_PERSON = re.compile(r"[^\W\d_](?:[^\W\d_]|[ .,'’‘`´‐-])+")
_WORD = re.compile(r"[^\W\d_]+(?:['’‐-][^\W\d_]+)*")
_BY = re.compile(
    r"""
      (?:(?:written|posted|published|reported|created|submitted|contributed|words|story|article|report|analysis)\s+)?
      by[:\s]\s*                                                                         # Written by Jo Doe
    | (?:(?:ein|eine)\s+\w{4,20}\s+von                                                   # Ein Kommentar von Jo Doe
        |(?:geschrieben|verfasst|veröffentlicht|erstellt|gespeichert|eingestellt|gepostet
          |publiziert|text|bericht|beitrag|artikel)\s+von
        |(?:(?:écrit|publié|rédigé|posté|article|propos\ recueillis)\s+)?par             # Publié par Jo Doe
        |(?:(?:escrito|publicado|redactado|texto|postado|criado)\s+)?por                 # Por Jo Doe
        |(?:scritto|pubblicato|a\ cura|articolo)\s+d[ia]                                 # A cura di Jo Doe
        |(?:(?:geschreven|geplaatst|gepubliceerd)\s+)?door                               # Door Jo Doe
        |(?:napisał|opublikowane|dodane)\s+przez                                         # Dodane przez Jo Doe
        |(?:skriven|publicerad)\s+av                                                     # Skriven av Jo Doe
        |(?:skrevet)\s+a[vf])[:\s]\s*                                                    # Skrevet af Jo Doe
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SAYING = {
    *re.findall(r"[^\W\d_]+", _BY.pattern.casefold()),
    *"von vom di da de av af autor autorin autoren autores 作者 记者 記者 文".split(),
}
"""All words that a byline may begin with, and some more."""
_LABELLED = 40
_GLUED_TO = ("Von", "Par", "Por", "文/", "文／", "作者/", "记者/")
_OF = re.compile(r"(?:[Vv]on|VON|[Vv]om|Di|DI|Da|DA|De|DE|Av|Af)[:\s]\s*")
"""Words before a name that may as well be part of it: von Neumann."""
_CLOSE = re.compile(r"(?:By|Von|Par|Por)(?=[^\W\d_a-z][a-zà-ÿ]+\s)")
"""Where the markup alone separates them: `ByJo Doe`."""
_LABEL = re.compile(
    r"(?:authors?|editors?|contributors?|writers?|creator|reporter|autor(?:in|en|es|as?|i)?|autore|auteure?s?|verfasser(?:in)?"
    r"|texte?|texto|testo|tekst|redaktion|redazione|redactie|rédaction|redacción|interview|recherche|forfatter|skribent"
    r"|författare|kirjoittaja|szerző|автор[ы]?|текст|yazar|yazan|作者|记者|記者|撰文|撰稿|著者|執筆者?|筆者|文|글)"
    r"\s*[:：]\s*|(?:作者|记者|記者|文)\s*[/／|]\s*|autor(?:in|en|es)?\s+(?=[A-ZÄÖÜÉ])",
    re.IGNORECASE,
)
_ENDS = re.compile(
    # Where a name ends: `Jo Doe | Daily News`, `Jo Doe on Monday`, `Jo Doe, 3 May`, `Jo Doe Sept. 3`.
    r"""\s*(?:
      [|·•»(\n@]|\s[-–—/]\s|/(?=[A-Z]{2})                                                # a mark
      |\s(?:on|in|at|for|published|updated|posted|edited|reviewed|translated|with|am     # a word that goes on
        |um|vor|mit|le|el|il|op|à|em|veröffentlicht|aktualisiert|publié|publicado
        |pubblicato|photo|foto|fotos|bild|bilder|photos|ist|is|und\s(?:afp|dpa|ap))\s
      |,\s(?:\d|(?:photo|foto|bild|text)\w{0,3}\b)|\d                                    # a number, another's part
      |\s(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?\s\d          # a day
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHERS = re.compile(
    r"(?:übersetzt|übersetzung|translat\w*|edited|photos?|fotos?|bild(?:er)?|illustration\w*|traduction|traducción|traduzione"
    r"|reviewed|medically|fact|mehr von|more (?:by|from)|alle beiträge|all posts)\b",
    re.IGNORECASE,
)
"""How lines begin that name another person."""
_GLUED = re.compile(
    r"(?<=[a-zà-ÿ])(?:Updated|Published|Posted|Follow|Staff|Senior|Reporter|Contributor|Veröffentlicht)\b.*"
)
_BETWEEN = re.compile(r",?\s+(?:and|und|et|y|e|en|i|og|och|ja|ve|и|та|a)\s+|\s+[&/+]\s+|,\s+|、|，")
_TITLES = frozenset(
    "dr prof professor mr mrs ms miss sir dame lord rev phd md msc bsc mba jr sr ii iii esq frs".split()
)
_PARTICLES = frozenset("van von der den de da del della di du la le el al bin ibn ten ter zu y e dos do af".split())
_NO_PERSON = frozenset(
    "admin administrator anonymous author authors webmaster user guest unknown none null undefined na root staff editor"
    " editors wordpress default team test superuser owner me us website noauthor redaktion redaktionsteam redaction"
    " rédaction redacción redaccion redazione redactie redakcja редакция agencies agency autor auteur wordpressadmin"
    " wpadmin siteadmin webadmin adminadmin webredaktion onlineredaktion followauthor aboutus".split()
)
_ORGANISED = frozenset(
    "university institute department inc ltd llc gmbh news team foundation agency office ministry council press group"
    " association society company project developers contributors editors staff committee service services"
    " organization organisation corporation college school centre center laboratory laboratories bureau commission"
    " authority federation union network magazine journal times post community documentation docs support research"
    " labs software systems technologies solutions media board editorial wiki blog online magazin redaktion zeitung"
    " nachrichten verlag verband stiftung verein agentur presse pressestelle gesellschaft universität hochschule"
    " institut ministerium rundfunk fernsehen radio tv bundesverband landesverband kammer partei"
    " fraktion rédaction agence"
    " fondation université ministère association société redacción agencia diario periódico noticias universidad"
    " ministerio fundación redazione agenzia giornale università ministero fondazione redactie universiteit redakcja"
    " fundacja редакция агентство министерство университет haber ajansı gazetesi üniversitesi the daily gazette tribune"
    " herald today afp dpa apa reuters ag kg se ev mbh verbraucher club".split()
)
_OFFICES = frozenset("writer reporter correspondent columnist editor analyst senior chief contributor director".split())
_UNNAMED = frozenset(
    "read more share comment comments home about contact menu login subscribe follow article articles page search"
    " sign view all click here mehr lesen teilen kommentar kommentare kommentieren artikel seite drucken min minuten"
    " lesezeit lesedauer uhr lire partager suite leer compartir ver leggi condividi lees delen print email your our my"
    " this that it was is are how why what when where who to in on at with from not you we a an and or und der die das"
    " ein eine mit für auf im am zum zur nach bei aus photo foto bild image video advertisement anzeige werbung new"
    " breaking latest top last updated update published posted politics sports business world politik sport wirtschaft"
    " kultur reise leben gesundheit wissen reviewed privacy policy cookie terms related january february"
    " july september october november december januar februar märz oktober dezember monday tuesday"
    " wednesday thursday friday saturday sunday second follow connect directly ingredient publicado el nota da barrio"
    " projektleiter projektleiterin leiter leiterin pressesprecher pressesprecherin beiträge alle von".split()
)
"""Words that no name has; titles and menus have them."""
_EASTERN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff々·]{2,8}|[\uac00-\ud7af]{2,5}")
_HOSTED = re.compile(
    r"\.(?:com|org|net|de|at|ch|fr|it|es|nl|pl|ru|uk|info|io|tv|eu|be|dk|se|no|fi|br|cl|mx|ar|in|jp|cn)\b", re.I
)
_LEGAL = frozenset("inc ltd llc gmbh co corp plc sa ag limited incorporated".split())


def words_of(name: str) -> list[str]:
    """The words of a name, given names first, without titles; accents as they are."""
    if name.count(",") == 1:
        family, given = name.split(",")
        if family.strip() and given.strip() and not set(_lower(given)) <= _TITLES | _LEGAL:
            name = f"{given} {family}"
    found = _lower(name)
    return [word for word in found if word not in _TITLES] or found


def _lower(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def same_name(one: str, other: str) -> bool:
    """Whether two names are one person's or one organisation's: initials will do where the family name is the same."""
    ours, theirs = words_of(one), words_of(other)
    if not ours or not theirs:
        return False
    if ours == theirs:
        return True
    if bare(one) == bare(other):
        return True
    if is_organisation(one) or is_organisation(other):
        return _strip_legal_forms(ours) == _strip_legal_forms(theirs)
    if len(ours) < 2 or len(theirs) < 2 or ours[-1] != theirs[-1]:
        return False
    given = (sorted(pair, key=len) for pair in zip(ours[:-1], theirs[:-1], strict=False))
    return all(short == long or (len(short) == 1 and long.startswith(short)) for short, long in given)


def _strip_legal_forms(words: list[str]) -> list[str]:
    kept = [word for word in words if word not in _LEGAL]
    return kept[1:] if kept[:1] == ["the"] else kept


def names_in(name: str, text: str) -> bool:
    """Whether a short text names this person or organisation, in any order of its words that is used for names."""
    sought = words_of(name)
    if not sought:
        return False
    found = _lower(text[:2000])
    forms = [sought]
    if len(sought) > 1 and not is_organisation(name):
        given, family = sought[:-1], sought[-1]
        forms += [
            [given[0], family],
            [family, *given],
            [family, given[0]],
            [given[0][0], family],
            [family, given[0][0]],
        ]
        if len(given) > 1:
            forms.append([given[0], given[1][0], family])
    return any(_holds(found, form) for form in forms)


def _holds(words: list[str], run: list[str]) -> bool:
    size = len(run)
    return any(words[at] == run[0] and words[at : at + size] == run for at in range(len(words) - size + 1))


def is_organisation(name: str) -> bool:
    """Whether a name reads like that of an organisation."""
    words = _lower(name)
    if not _ORGANISED.isdisjoint(words) or "of" in words or "for" in words or any(sign.isdigit() for sign in name):
        return True
    return _HOSTED.search(name) is not None or name.rstrip(". ").endswith(("e. V", "e.V", "GmbH"))


def is_personal_name(name: str) -> bool:
    """Whether a name reads like that of a person: a few words with capitals."""
    words = _WORD.findall(name)
    if _EASTERN.fullmatch(name.strip()):
        return True
    if not 2 <= len(words) <= 5 or len(name) > _LONGEST_PERSON or is_organisation(name):
        return False
    if not is_name(name) or not _PERSON.fullmatch(name):
        return False
    return all(word[0].isupper() or not word[0].islower() or word.casefold() in _PARTICLES for word in words)


def is_name(text: str) -> bool:
    """Whether no word of a text is one that menus and titles have, and names have not."""
    return _UNNAMED.isdisjoint({word.casefold() for word in _WORD.findall(text)} - _PARTICLES)


def clean_name(text: object) -> str:
    """A name as it may be shown; empty where it is an address, a handle, or no particular person."""
    name = _collapse_repeated_name(_strip_author_label(tidy(text)).strip(" ,;:|·•-–—"))
    if not name or len(name) > _LONGEST or name.startswith("/"):
        return ""
    if any(sign in name for sign in ("@", "://", "www.", "[at]", "{", "}", "<", ">")):
        return ""
    if not any(sign.isalpha() for sign in name) or bare(name) in _NO_PERSON or len(bare(name)) < 2:
        return ""
    return name


def _may_label(line: str) -> bool:
    """Whether the first words may be those of a byline; most lines are decided by that, and quickly."""
    start = line[:_LABELLED]
    if ":" in start or "：" in start or line[:3] in _GLUED_TO or line[:2] == "By":
        return True
    return start.split(None, 1)[0].casefold() in _SAYING if start.strip() else False


def is_explicit_byline(line: str) -> bool:
    """Whether a line says in so many words that it names the author: more than `by`, which menus have too."""
    if not _may_label(line):
        return False
    found = _LABEL.match(line) or _BY.match(line)
    return found is not None and (":" in found[0] or "：" in found[0] or len(found[0].split()) > 1)


def _collapse_repeated_name(name: str) -> str:
    """A name that stands there twice, as in a picture and below it."""
    words = name.split()
    half = len(words) // 2
    return " ".join(words[:half]) if half and words[:half] == words[half:] else name


def _strip_author_label(text: str, line: bool = False) -> str:
    """A text without the `by` or `Author:` that it begins with; inside of a name, as in Bobby, they are letters.

    In a line that readers see, `Von` and its like are such words too.
    """
    for label in (_BY, _LABEL, _CLOSE):
        found = label.match(text)
        text = text[found.end() :] if found is not None else text
    found = _OF.match(text) if line else None
    if found is not None:
        rest = text[found.end() :].strip()
        first = rest.split(" ", 1)[0].casefold()
        text = rest if first not in _PARTICLES and is_personal_name(_BETWEEN.split(rest)[0]) else text
    return text


def split_people(text: object) -> list[str]:
    """The names that a field holds: one, or several with semicolons, commas or `and` between them."""
    whole = _strip_author_label(tidy(text))
    if ";" in whole:
        parts = whole.split(";")
    else:
        parts = _BETWEEN.split(whole)
        if len(parts) < 2 or not all(is_personal_name(part) for part in parts if _OFFICES.isdisjoint(_lower(part))):
            parts = [whole]
        parts = [part for at, part in enumerate(parts) if not at or _OFFICES.isdisjoint(_lower(part))]
    return [name for part in parts[:MOST] if (name := clean_name(part))]


def parse_byline(line: str) -> list[str]:
    """The people whom a byline names; none where it does not read like one."""
    text = " ".join(line[:300].replace("\xad", "").split()).lstrip(" /|·•–—-*>")
    if _OTHERS.match(text):
        return []
    text = _GLUED.sub("", _strip_author_label(text, line=True))
    end = _ENDS.search(text)
    text = text[: end.start()] if end is not None else text
    found = [name for name in split_people(text) if is_personal_name(name)]
    if len(found) < 2 and "," in text:
        # What stands behind the first comma is an office or a place.
        found = [name for name in split_people(text.split(",")[0]) if is_personal_name(name)] or found
    return found


def begins_byline(line: str) -> bool:
    """Whether a line of text says that it names who wrote."""
    line = line.lstrip(" /|·•–—-*>")
    if not _may_label(line):
        return False
    if any(label.match(line) is not None for label in (_BY, _LABEL, _CLOSE)):
        return True
    found = _OF.match(line)
    return found is not None and bool(parse_byline(line[found.end() :]))
