"""A text as words that can be compared: what was between them, where sentences end, and what is short for what."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

from ..text.sentences import SHORT_WORDS
from .numbers import JudgeToken, merge

_EXTRA = "\u0300-\u036f\u00ad\u200b-\u200d\ufeff"
_PIECE = re.compile(
    rf"""
    (?P<day>\d{{4}}-\d\d-\d\d(?![\w-]))
  | (?P<clock>\d{{1,2}}:\d\d(?::\d\d)?(?!\d))
  | (?P<part>\d+(?:/\d+){{1,2}}(?!\w))
  | (?P<number>(?:(?<![\w)\]%])[-−+](?=\d))?(?:\d{{1,3}}(?:[\u00a0\u202f\u2009'’]\d{{3}}(?!\d)){{1,5}}
      |\d{{1,3}}(?:\ \d{{3}}(?!\d)){{2,5}}|\d{{1,3}}\ 000(?!\d)|\d+)(?:[.,·]\d+)*
      (?:[eE][+-]?\d+(?!\w))?)(?P<suffix>[\w{_EXTRA}]*)
  | (?P<dotted>(?:[^\W\d_]\.){{2,}}(?:[^\W\d_](?!\w))?)
  | (?P<money>(?:\b[A-Z]{{1,3}})?\$|[€£¥₹])
  | (?P<word>[\w{_EXTRA}]+(?:['’ʼ][^\W\d_]+)*(?:\+\+|\#(?!\w))?)
  | (?P<percent>[%‰])
  | (?P<sign>[<>=≤≥≠≈±×÷°^~&@+*|\\]|(?<=\d)[–—-](?=\d))
    """,
    re.VERBOSE,
)
_DROP = re.compile("[\u00ad\u200b-\u200d\ufeff]")
_CLITIC = re.compile(r"(n['’ʼ]t|['’ʼ](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_CLITICS = {"re": "are", "ve": "have", "ll": "will", "d": "would", "m": "am", "s": "'s"}
_IRREGULAR = {"wo": "will", "ca": "can", "sha": "shall", "ai": "is"}
_BARE_NOT = {
    word + "nt": word for word in "do does did is are was were have has had could would should must ca".split()
} | {"cannot": "can"}
_PRONOUNS = frozenset("it he she that there here what who where this everyone everything".split())
_MAY_END = frozenset("etc inc ltd co corp al jr sr ft".split())
"""Words cut short whose stop ends a sentence where a capital follows."""
_SAME = {
    "us": "us", "toward": "towards", "approximately": "about", "roughly": "about", "circa": "about", "okay": "ok",
    "whilst": "while", "amongst": "among", "somebody": "someone", "everybody": "everyone", "anybody": "anyone",
    "&": "and", "percent": "%", "until": "till", "versus": "vs",
}  # fmt: skip
_NAMES = {
    ("United", "States"): "u.s.", ("United", "Kingdom"): "u.k.", ("United", "Nations"): "un",
    ("European", "Union"): "eu", ("no", "one"): "nobody", ("No", "one"): "nobody",
}  # fmt: skip
_HEADS = frozenset(first for first, _ in _NAMES)
_TITLES = dict(
    pair.split("/")
    for pair in (
        "mt/mount prof/professor dr/doctor st/saint gov/governor gen/general sen/senator capt/captain lt/lieutenant "
        "sgt/sergeant rev/reverend mr/mister"
    ).split()
)
"""Before a name, these are short for a word."""
_ALSO_WORDS = frozenset("st gen sen rev gov".split())
_DAYS = {
    **{day[:3]: day for day in "monday tuesday wednesday thursday friday saturday sunday".split()},
    "tues": "tuesday", "thur": "thursday", "thurs": "thursday",
}  # fmt: skip
_LONGEST_TITLE = 6
_DECADE = re.compile(r"\d{3}0")
_END = re.compile(r"[.!?。！？…]")
_BLANK = re.compile(r"\n[ \t\r]*\n|\n[ \t]*(?:[-*•‣]|\d{1,3}[.)])[ \t]")


# British spellings as American ones: `colour`, `organise`, `centre`, `travelled`.
_OUR = re.compile(
    # Examples: `colour`, `neighbourhood`.
    r"""
    (?P<head>\w*(?:arb|ard|arm|behavi|cand|clam|col|endeav|fav|ferv|flav|glam|harb|hon|hum|lab|neighb|od|parl|ranc
    |rig
    |rum|sav|splend|tum|val|vap|vig))our(?P<tail>\w*)
    """,
    re.VERBOSE,
)
_ISE = re.compile(r"(?P<head>\w{2,}[^aeiou])is(?P<tail>e|ed|es|ing|er|ers|able|ation|ations|ational)")
_NOT_ISE = re.compile(
    r"(?:ad|re|super|tele|impro|de)vis|exercis|(?:pro|com|compro|pre|de)mis|(?:com|sur|re|enter|ap)?pris|otherwis|likewis"
    r"|(?:en)?franchis|despis|concis|precis|expertis|excis|incis|treatis|paradis|merchandis|chastis|circumcis|dis"
)
_DOUBLED = re.compile(r"(?P<head>\w*[aeiou]\w*[^aeiou\W][aeiou])ll(?P<tail>ed|ing|er|ers)")
_BRITISH_ENDINGS = (
    ("yse", "yze"), ("ysed", "yzed"), ("yses", "yzes"), ("ysing", "yzing"), ("tre", "ter"), ("tres", "ters"),
    ("bre", "ber"), ("bres", "bers"), ("ogue", "og"), ("ogues", "ogs"), ("fence", "fense"), ("fences", "fenses"),
    ("licence", "license"), ("pretence", "pretense"), ("ulfil", "ulfill"), ("ulfils", "ulfills"), ("enrol", "enroll"),
    ("ilful", "illful"), ("dgement", "dgment"), ("dgements", "dgments"),
)  # fmt: skip
_AMERICAN = dict(
    pair.split("/")
    for pair in (
        "programme/program programmes/programs grey/gray greyish/grayish tyre/tire tyres/tires aluminium/aluminum "
        "ageing/aging sceptic/skeptic sceptics/skeptics sceptical/skeptical scepticism/skepticism plough/plow "
        "ploughs/plows mould/mold moulds/molds moustache/mustache aeroplane/airplane aeroplanes/airplanes "
        "learnt/learned burnt/burned spelt/spelled dreamt/dreamed jewellery/jewelry pyjamas/pajamas "
        "orientated/oriented encyclopaedia/encyclopedia mum/mom sulphur/sulfur cosy/cozy artefact/artifact "
        "artefacts/artifacts draught/draft kerb/curb axe/ax yoghurt/yogurt"
    ).split()
)
_SHORTEST_BRITISH, _LONGEST_BRITISH = 5, 24
_GREEK = re.compile(r"^(an|h|p|gyn|leuk|isch|arch)ae|^(f|oes|hom|di|am)oe|^oe")


class WordSentence(Struct, frozen=True):
    """The words of one sentence, and what follows its last word."""

    tokens: list[JudgeToken]
    tail: str
    """Marks after the last word."""

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return "?" in self.tail or "？" in self.tail


@lru_cache(maxsize=16384)
def american(word: str) -> str:
    """The American spelling of a British word; nothing for any other word."""
    if word in _AMERICAN:
        return _AMERICAN[word]
    if not _SHORTEST_BRITISH <= len(word) <= _LONGEST_BRITISH or not word.isalpha():
        return ""
    found = _OUR.fullmatch(word)
    if found:
        return f"{found['head']}or{found['tail']}"
    found = _ISE.fullmatch(word)
    if found and not _NOT_ISE.match(word):
        return f"{found['head']}iz{found['tail']}"
    found = _DOUBLED.fullmatch(word)
    if found:
        return f"{found['head']}l{found['tail']}"
    if _GREEK.match(word):
        return _GREEK.sub(lambda part: part[0].replace("ae", "e").replace("oe", "e"), word)
    for one, other in _BRITISH_ENDINGS:
        if word.endswith(one):
            return word[: len(word) - len(one)] + other
    return ""


def _fold(text: str) -> str:
    """One spelling of a word: composed, without invisible characters, in lower case."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", _DROP.sub("", text)).replace("’", "'").replace("ʼ", "'").casefold()


def _word(found: str, start: int, lead: str, out: list[JudgeToken]) -> None:
    """Split a word at its clitics."""
    end = start + len(found)
    clitic = _CLITIC.search(found) if ("'" in found or "’" in found or "ʼ" in found) else None
    if clitic and clitic.start():
        stem, rest = found[: clitic.start()], clitic[1].lower()
        base = _fold(stem)
        middle = start + len(stem)
        if rest.startswith("n"):
            out.append(JudgeToken(stem, _IRREGULAR.get(base, base), start, middle, lead))
            out.append(JudgeToken(found[len(stem) :], "not", middle, end, ""))
            return
        key, alt = _CLITICS[rest[1:]], "had" if rest[1:] == "d" else ""
        if rest[1:] == "s" and base in _PRONOUNS:
            key, alt = "is", "has"
        out.append(JudgeToken(stem, _SAME.get(base, base), start, middle, lead))
        out.append(JudgeToken(found[len(stem) :], key, middle, end, "", alt=alt))
        return
    base = _fold(found)
    if base in _BARE_NOT:
        verb = _BARE_NOT[base]
        cut = start + len(found) - (3 if base == "cannot" else 2)
        out.append(JudgeToken(found[: cut - start], {"ca": "can"}.get(verb, verb), start, cut, lead))
        out.append(JudgeToken(found[cut - start :], "not", cut, end, ""))
        return
    key = "u.s." if found == "US" else "u.k." if found == "UK" else _SAME.get(base, base)
    out.append(JudgeToken(found, key, start, end, lead, alt=american(key)))


def scan(text: str) -> tuple[list[JudgeToken], str]:
    """The words of a text in order, numbers and dates made one, and the marks after the last."""
    out: list[JudgeToken] = []
    last = 0
    for match in _PIECE.finditer(text):
        start, end = match.span()
        lead, kind, found = text[last:start], match.lastgroup, match[0]
        last = end
        if found == "s" and lead in ("'", "’") and out and _DECADE.fullmatch(out[-1].text):
            # `the 1990's`
            before = out.pop()
            out.append(JudgeToken(before.text + "s", before.low, before.start, end, before.lead, kind="n", suffix="s"))
        elif kind == "suffix" or kind == "number":
            out.append(JudgeToken(found, found, start, end, lead, kind="n", suffix=match["suffix"]))
        elif kind == "word":
            _word(found, start, lead, out)
        elif kind == "dotted":
            key = _fold(found).rstrip(".")
            out.append(
                JudgeToken(found, {"u.s": "u.s.", "u.k": "u.k."}.get(key, key.replace(".", "")), start, end, lead)
            )
        elif kind == "sign" and found in "–—-":
            out.append(JudgeToken(found, "to", start, end, lead, kind="s"))
        elif kind == "day":
            out.append(JudgeToken(found, found, start, end, lead, kind="d"))
        else:
            mark = {"US$": "$"}.get(found, found.lower())
            out.append(
                JudgeToken(found, "and" if mark == "&" else mark, start, end, lead, kind="w" if mark == "&" else "s")
            )
    return merge(_shorten(out)), text[last:]


def _shorten(tokens: list[JudgeToken]) -> list[JudgeToken]:
    """The same words with names of two as their letters: `United States` as `US`."""
    for at, token in enumerate(tokens):
        if token.text[0].isupper() and len(token.text) < _LONGEST_TITLE:
            _spell_out(tokens, at)
    if not any(token.text in _HEADS for token in tokens):
        return tokens
    out: list[JudgeToken] = []
    for token in tokens:
        before = out[-1] if out else None
        letters = _NAMES.get((before.text, token.text)) if before is not None and token.lead.isspace() else None
        if before is not None and letters:
            out[-1] = JudgeToken(f"{before.text} {token.text}", letters, before.start, token.end, before.lead)
        else:
            out.append(token)
    return out


def _spell_out(tokens: list[JudgeToken], at: int) -> None:
    """Give `Mt Erebus` and `on Mon.` the words that they are short for."""
    token = tokens[at]
    if token.low in _TITLES:
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        named = following is not None and following.text[:1].isupper() and not following.lead.strip(" .")
        if named or token.low not in _ALSO_WORDS:
            token.low = _TITLES[token.low]
    elif token.low in _DAYS and at and tokens[at - 1].low in ("on", "last", "next", "every"):
        token.low = _DAYS[token.low]


def _breaks(tokens: list[JudgeToken], index: int, lower: bool) -> bool:
    """Whether a new sentence begins at this token."""
    token, before = tokens[index], tokens[index - 1]
    lead = token.lead
    if "\n" in lead and _BLANK.search(lead + " "):
        return True
    end = _END.search(lead)
    # An abbreviation with dots has swallowed the full stop of its sentence.
    if end is None and not (before.text.endswith(".") and lead[:1].isspace()):
        return False
    if end is not None and end[0] in "。！？":
        return True
    if end is not None and not any(char.isspace() for char in lead[end.start() :]):
        return False
    if end is not None and end[0] in "!?":
        return True
    first = token.text[:1]
    if before.text.endswith("."):
        return first.isupper() and before.low not in ("eg", "ie", "u.s.", "u.k.")
    short = before.text.lower()
    if short in _MAY_END:
        return first.isupper()
    if short in SHORT_WORDS and not (short == "no" and first.isupper()):
        return False
    if len(before.text) == 1 and before.text.isupper() and first.isupper():
        return not (index < 2 or tokens[index - 2].text[:1].isupper() or tokens[index - 2].lead[:1] in ".")
    return lower or not first.islower() or len(before.text) > 3


def sentences(text: str) -> list[WordSentence]:
    """A text cut at the ends of its sentences; none is empty."""
    tokens, tail = scan(text)
    if not tokens:
        return []
    lower = text.islower()
    out, first = [], 0
    for index in range(1, len(tokens)):
        if tokens[index].lead.isspace() and not tokens[index - 1].text.endswith(".") and "\n" not in tokens[index].lead:
            continue
        if _breaks(tokens, index, lower):
            lead = tokens[index].lead
            cut = _END.search(lead)
            out.append(WordSentence(tokens[first:index], lead[: cut.end() + 1] if cut else lead))
            first = index
    out.append(WordSentence(tokens[first:], tail))
    return out
