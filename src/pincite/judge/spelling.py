"""British spellings as American ones: `colour`, `organise`, `centre`, `travelled`."""

from __future__ import annotations

import re
from functools import lru_cache

_OUR = re.compile(
    r"(?P<head>\w*(?:arb|ard|arm|behavi|cand|clam|col|endeav|fav|ferv|flav|glam|harb|hon|hum|lab|neighb|od|parl|ranc|rig"
    r"|rum|sav|splend|tum|val|vap|vig))our(?P<tail>\w*)"
)
_ISE = re.compile(r"(?P<head>\w{2,}[^aeiou])is(?P<tail>e|ed|es|ing|er|ers|able|ation|ations|ational)")
_NOT_ISE = re.compile(
    r"(?:ad|re|super|tele|impro|de)vis|exercis|(?:pro|com|compro|pre|de)mis|(?:com|sur|re|enter|ap)?pris|otherwis|likewis"
    r"|(?:en)?franchis|despis|concis|precis|expertis|excis|incis|treatis|paradis|merchandis|chastis|circumcis|dis"
)
_DOUBLED = re.compile(r"(?P<head>\w*[aeiou]\w*[^aeiou\W][aeiou])ll(?P<tail>ed|ing|er|ers)")
_ENDINGS = (
    ("yse", "yze"), ("ysed", "yzed"), ("yses", "yzes"), ("ysing", "yzing"), ("tre", "ter"), ("tres", "ters"),
    ("bre", "ber"), ("bres", "bers"), ("ogue", "og"), ("ogues", "ogs"), ("fence", "fense"), ("fences", "fenses"),
    ("licence", "license"), ("pretence", "pretense"), ("ulfil", "ulfill"), ("ulfils", "ulfills"), ("enrol", "enroll"),
    ("ilful", "illful"), ("dgement", "dgment"), ("dgements", "dgments"),
)  # fmt: skip
_WORDS = dict(
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
_SHORTEST, _LONGEST = 5, 24
_GREEK = re.compile(r"^(an|h|p|gyn|leuk|isch|arch)ae|^(f|oes|hom|di|am)oe|^oe")


@lru_cache(maxsize=16384)
def american(word: str) -> str:
    """The American spelling of a British word; nothing for any other word."""
    if word in _WORDS:
        return _WORDS[word]
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha():
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
    for one, other in _ENDINGS:
        if word.endswith(one):
            return word[: len(word) - len(one)] + other
    return ""
