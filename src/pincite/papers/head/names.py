"""Names of people as title pages write them: what may be one, what cannot, and how a line of them parts."""

from __future__ import annotations

import re
import unicodedata

from ...text.number_words import MONTHS, WEEKDAYS

MARK = "\x1f"
"""A raised sign in a line of the head."""
_PARTICLES = frozenset(
    "van von de der den del della delle di da dos das do du la le ten ter zu zur zum af bin ibn al el y e vom".split()
)
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.IGNORECASE)
# Degrees, offices and memberships that follow a name.
_TITLES = re.compile(
    # Examples: `Ph.D.`, `Senior Member`, `Prof.`.
    r"""
    (?:ph\.?\ ?d\.?|m\.?\ ?d\.?|m\.?\ ?sc\.?|b\.?\ ?sc\.?|m\.?\ ?s\.?|m\.?\ ?a\.?|m\.?b\.?a\.?|esq\.?|f[ac]as|acas
    |p\.?e\.?
    |(?:(?:student|senior|life|associate|graduate\ student)\s)?(?:member|fellow)|ieee|acm
    |(?:corresponding\ )?authors?
    |dr\.?|prof\.?|professor|editors?|eds?\.?|shepherd)\.?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LEADING_TITLE = re.compile(r"\A(?:dr|prof|professor|mr|mrs|ms|by|and|with)\.?:?\s+(?=[^\W\d_])", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_a-zß-öø-ÿ]\.?-?){1,3}\.?|[^\W\d_]h\.")
_WORD = re.compile(r"[^\W\d_]+(?:['’`‘ʼ.-][^\W\d_]+)*\.?")
# d'Amorim, al-Khwarizmi, deGroot
_SMALL_START = re.compile(r"(?:d['’]|al-|el-|de|di|van|von|ter|le|la|mac|mc|o['’])[^\W\d_a-z][^\W\d_'’.-]*")
_CJK = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\u3041-\u30ff]{2,5}")
_SIGNS = re.compile(
    rf"(?:[\ue000-\uf8ff{MARK}*∗⁎†‡§¶‖∥⋆★☆⊥#♦♠♣✉✝⋄◇△▽⊕○●¹²³⁰⁴-⁹ªº]|\([0-9a-z](?:, ?[0-9a-z]){{0,9}}\)|\[[0-9a-z]\])+"
)
_BRACKETS = re.compile(r"\([^()]{0,80}\)|\[[^\[\]]{0,40}\]")
_NUMBERS = re.compile(r"(?<=[^\W\d_.])[ ,]?[0-9]{1,2}(?:[ ,][0-9]{1,2}){0,9}+(?![0-9\w])|(?<![\w.])[0-9]{1,2}(?![\w.])")
_INITIAL_END = re.compile(r"(?:\b[^\W\d_]|Jr|Sr)\.[ ,;:]{0,9}$")
# "THM Friedberg" is a school: no person's name has three capitals and no vowel.
_ACRONYM = re.compile(r"[B-DF-HJ-NP-TV-Z]{3,6}")
_TOWNS = re.compile(r"\bhong kong\b", re.IGNORECASE)
# Meng-Day (Mandel) Yu: the nickname stands amid the name.
_CALLED = re.compile(
    r"((?:^|[,;&]|\band)\s{0,3}[^\W\d_][^\W\d_'’.-]{0,30}(?:-[^\W\d_]{1,30})?)\s{1,3}\([A-Z][a-z]{1,20}\)\s{1,3}(?=[A-Z][a-z])"
)
# A dagger that a scan or a font without a map gives as another sign.
_LOST_SIGN = re.compile(r"(?<=[^\W\d_]{2})\ufffd{1,3}(?=[\s,;]|$)|(?<=[^\W\d_]{2})\s[tf](?=\s{0,3}(?:[,;]|$))")
_WIDE = re.compile(r"\s{2,}")
_SPLIT_NAME = re.compile(r"(?:^|\s)[^\W\d_]\.?$")
_BETWEEN = re.compile(r"\s*[,;|·•‧∙/]\s*|\s+[-–—]\s+|\s+(?:and|AND|And|&|und|et|y|with)\s+|^(?:and|AND|And|&)\s+")
_LONGEST = 60

_COMBINING = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c", "¸": "\u0327",
    "˚": "\u030a", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307", "˝": "\u030b",
}  # fmt: skip
ACCENTS = frozenset(_COMBINING)
"""Accents as signs of their own, which some fonts draw beside the letter."""
_DOTTED = {"ı": "i", "ȷ": "j"}
_ACCENT = re.compile("[´¨ˆ˜ˇ¸˚¯˘˙˝]|(?<=[^\\W\\d_])`(?=[^\\W\\d_])")
_ACCENTED = re.compile("([^\\W\\d_]?)([´`¨ˆ˜ˇ¸˚¯˘˙˝])( ?)([^\\W\\d_]?)")

# No part of anyone's name in the heads of papers: bodies, places, kinds of text, and the small words of titles.
_NEVER = frozenset(
    """
    abstract academic academy access acm administration advanced advisor ag agency air akademia akademie alto
    america american amherst amsterdam analysis analytics and angeles annual appeared application applications
    applied approach arbor argonne article arts asia associate association at at&t australia austria author authors
    avenue aviv bangalore barcelona based bbn beijing belgium berkeley box brazil broadway building bureau business
    ca california caltech campus canada capital carnegie cellular center centre centrum chapter chicago chief china
    citations city clinic cmu cnrs co college colorado commerce committee communication communications community company
    computation computational computer computers computing comsoc conference congress consultant consulting
    copenhagen copyright cornell corp corporate corporation council country cs csail cse data database databases
    date dec delhi denmark departement department dept design deutschland development digital director discussion
    dissertation distributed district division dr draft ecole economic economics edinburgh edition education eecs
    effect eindhoven electrical electronic electronics email energy engineer engineering engineers england
    enterprise environment epfl eth europe european evaluation executive expert extended facebook facility faculte
    faculty fakultat fax federal finance financial finland fondazione for foundation founder france from functional fund
    gatsby general germany global gmbh google government graduate greece group haven health heights hewlett
    hochschule hogskola holdings holmdel hospital hotel hp ibm icml icsi ieee illinois imperial in inc india indian
    industries informatics informatik information inria institut institute institution insurance intel intelligence
    interactive international internet introduction invited ireland israel issue italia italy japan jolla joint journal
    keywords kingdom korea lab laboratoire laboratories laboratory labs lafayette language languages las laude
    lausanne learning lecture letters library limited link linkedin linux livermore los ltd machine management
    manager manuscript maryland massachusetts mathematical mathematics md medical medicine melbourne mellon member
    memorial menlo method methods michigan microsoft microsystems minnesota mit model modeling models mountain msr
    mumbai munchen munich nasa nation national nec netherlands network networks neural new news no norway notes ntt
    nvidia of office officer on open openai operations oracle oregon our pages palo paper papers parallel parc paris
    peking pennsylvania performance permanent philadelphia physics pittsburgh plc poland policy politecnica
    politecnico politics polytechnic polytechnique portland portugal position practice preliminary preprint
    president princeton private proceedings processing product products professor profile program programming
    programs project public publication published purdue quantum queen reads received redmond redwood report reports
    representative research review road room royal russia san sandia santa school science sciences scientific
    scotland scuola seattle security seminar senior seoul server service services shanghai sigmod singapore society
    software solutions spain special sports stanford state states statistical statistics stockholm street structure
    student students studies study submitted suite summary supported sweden switzerland symposium system systems
    taipei taiwan team tech technical technion technische technologies technology tekniska telecommunications
    telefonica texas the theory thesis to tokyo toronto transactions trust tutorial twitter uc ucla ucsb ucsd uiuc
    uk united univ universidad universidade universita universitat universite universiteit universitet universitetet
    university univerzita uniwersytet unix unpublished usa usenix using ut utah version via vice vienna vmware wien
    wisconsin with work working workshop xerox yahoo year york yorktown zealand zurich
    """.split()
)
_DATE_WORDS = frozenset((*MONTHS, *WEEKDAYS))


def compose_accents(text: str) -> str:
    """A text in which accents that stand beside their letter are on it: `Rakamari´c`, `Rakamarić`."""
    return text if _ACCENT.search(text) is None else _ACCENTED.sub(_compose_accent, text)


def _compose_accent(found: re.Match[str]) -> str:
    before, accent, after = found[1], found[2], found[4]
    mark = _COMBINING[accent]
    if after:
        whole = unicodedata.normalize("NFC", _DOTTED.get(after, after) + mark)
        if len(whole) == 1:
            return before + whole
    # A font that draws the letter first.
    whole = unicodedata.normalize("NFC", _DOTTED.get(before, before) + mark)
    if not before or len(whole) > 1:
        return before + found[3] + after
    return whole + (after if after.islower() else found[3] + after)


def is_never_name(word: str) -> bool:
    """Whether a word stands in no person's name on a title page."""
    bare = word.strip(".,:;!()'’\"").casefold()
    if not bare.isascii():
        bare = "".join(char for char in unicodedata.normalize("NFKD", bare) if not unicodedata.combining(char))
    return bare in _NEVER or bare.removesuffix("’s").removesuffix("'s") in _NEVER


def is_name(text: str) -> bool:
    """Whether a text may be the whole name of one person."""
    text = text.strip()
    if _CJK.fullmatch(text):
        return True
    words = text.replace(".", ". ").split()
    if len(text) > _LONGEST or not 2 <= len(words) <= 7:
        return False
    while len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        words.pop()
    if all(word.casefold() in _DATE_WORDS for word in words) or _ACRONYM.fullmatch(words[0]) or _TOWNS.search(text):
        return False
    whole = 0
    for at, word in enumerate(words):
        if is_never_name(word):
            return False
        if _INITIALS.fullmatch(word):
            continue
        if word.casefold() in _PARTICLES and at < len(words) - 1:
            continue
        if _WORD.fullmatch(word) is None or not _is_capitalised(word):
            return False
        whole += len(word.strip(".")) > 1
    # One word at least is written out, and a family name is not all initials.
    return whole >= 1


def _is_capitalised(word: str) -> bool:
    first = word[0]
    if first.isupper() or not (first.isupper() or first.islower()):
        return True
    return _SMALL_START.fullmatch(word) is not None


def split_names(line: str) -> tuple[list[str], list[str]]:
    """The names in a line of a title page, and the parts that are none; marks of affiliations are taken away."""
    names: list[str] = []
    others: list[str] = []
    text = _CALLED.sub(r"\1 ", _LOST_SIGN.sub(" , ", compose_accents(line)))
    text = _BRACKETS.sub(" , ", _SIGNS.sub(" , ", text))
    text = _NUMBERS.sub(" , ", text)
    for part in _parts(text):
        # The point of an initial at the end stays.
        end = "." if _INITIAL_END.search(part) else ""
        part = _LEADING_TITLE.sub("", part.strip(" ,.;:") + end).strip(" ,;:")
        if not part or _TITLES.fullmatch(part):
            continue
        if names and _SUFFIX.fullmatch(part):
            names[-1] += f" {part}"
        elif is_name(part):
            names.append(_tidy(part))
        else:
            others.append(part)
    return names, others


def _parts(text: str) -> list[str]:
    """A line parted at its signs, and at wide gaps unless they split a name."""
    done: list[str] = []
    for part in _BETWEEN.split(text):
        begun = len(done)
        for piece in _WIDE.split(part.strip()):
            if len(done) > begun and (" " not in piece or " " not in done[-1] or _SPLIT_NAME.search(done[-1])):
                done[-1] += f" {piece}"
            else:
                done.append(piece)
    return done


def _tidy(name: str) -> str:
    """A name on one line; one in capitals only is written as names are."""
    words = name.split()
    letters = [char for char in name if char.isalpha()]
    if (
        len(letters) > 4
        and all(char.isupper() or not char.islower() for char in letters)
        and any(map(str.isupper, letters))
    ):
        words = [word if _is_short(word) else _capitalise_name(word) for word in words]
    return " ".join(words)


def _is_short(word: str) -> bool:
    """Whether a word in capitals stands for several: `K.`, `JJ`, but not `ADA`."""
    return "." in word[:-1] or len(word.strip(".")) == 1 or (len(word) == 2 and not set(word) & set("AEIOUY"))


def _capitalise_name(word: str) -> str:
    """`OUSTERHOUT` as `Ousterhout`, `O'BRIEN` as `O'Brien`, `MCCARTHY` as `McCarthy`."""
    word = "-".join(
        "'".join(part.capitalize() for part in half.replace("’", "'").split("'")) for half in word.split("-")
    )
    return "Mc" + word[2:].capitalize() if word.startswith("Mc") and len(word) > 4 else word


def count_words(name: str) -> int:
    """How many words of a name are written out; particles and initials do not count."""
    words = [word for word in name.split() if word.casefold() not in _PARTICLES and not _SUFFIX.fullmatch(word)]
    return sum(_INITIALS.fullmatch(word) is None for word in words)


def is_common(name: str, common: frozenset[str], least: int = 0) -> bool:
    """Whether the words of a name are ordinary words of the text: more than half of them, or `least`."""
    words = [word.strip(".").casefold() for word in name.replace("-", " ").split() if len(word.strip(".")) > 2]
    return bool(words) and sum(word in common for word in words) >= (least or len(words) // 2 + 1)
