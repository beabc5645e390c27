"""Whether a sentence states a fact, and says nothing checkable that lines do not: else they are no evidence for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...search.claims.terms import is_path, stands
from .values import AssignedValues, given_to, given_words, is_given, lone_numbers, plural_units, said_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .values import Number

_LONGEST = 4000
"""Characters of the cited lines that are compared."""
_CODE = re.compile(r"(`{1,4})(?!`)([^`]{1,300})\1")
_LINK = re.compile(r"\]\([^()\n]{0,300}\)|\bhttps?://[^\s<>()]{1,300}")
_QUOTED = re.compile(r"\"([^\"\n]{1,200})\"|“([^“”\n]{1,200})”")
# What is denied, past, wished for or conditional cannot be shown by lines that merely hold its words.
_UNREAL = re.compile(
    r"(?<![\w-])(?:not|never|no|none|nothing|nobody|neither|nor|cannot|without|lacks?|unable|used to|was|were|had|if"
    r"|unless|would|should|could|might|shall|will|planned|previously|formerly|originally|todo|fixme)(?![\w-])"
    r"|n['’]t\b|['’]ll\b",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?:true|false|none|null|nil|undefined|yes|no|on|off)\Z|(\"[^\"]*\"|'[^']*')\Z", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*(?:\(\))?\Z")
_SETS = re.compile(r"([A-Za-z_$][\w.$-]{0,120})\s*(?:=|:)\s*(\S.{0,120})\Z", re.DOTALL)
_KEBAB = re.compile(r"(?:--?)?\w+(?:-\w+)+\Z")
_DOES = re.compile(
    r"""
    \b(?:rais(?:es|ed|ing)|throw(?:s|n|ing)|return(?:s|ed|ing)|inherit(?:s|ing)?\ from|extend(?:s|ing)
    |subclass(?:es)?
    |implement(?:s|ing)|override?s?|overriding|call(?:s|ing)|import(?:s|ing)|emit(?:s|ting)|catch(?:es|ing))
    (?:\ (?:a|an|the|its|to|for|with|error|exception|class|method|function)){0,3}\ \x01(\d+)\x02
    """,
    re.VERBOSE,
)
_DONE = re.compile(r"\x01(\d+)\x02 (?:is|are|gets?) (?:raised|thrown|returned|called|emitted|overridden|implemented)\b")
_DEFINED = re.compile(r"\b(?:def|func|fn|function|class|fun|sub|interface|struct)[ \t]+\w+")
_RUNS = re.compile(r"\x02 (?:runs|executes|invokes|starts) ([A-Za-z][\w.-]{1,60})(?![\w.-]*\x01)")
# How many there are of something is counted, not read.
_COUNT = re.compile(
    # Example: `three arguments`.
    r"""
    (?<![\w-])(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\ (?:[a-z]+\ ){0,2}(?:entries
    |arguments
    |parameters|items|values|fields|methods|functions|elements|keys|members|steps|classes|options|modes|kinds)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COMPARED = re.compile(
    # Example: `more than 5`.
    r"""
    \b(?:twice|double|half|thrice|(?:more|less|fewer|greater|larger|smaller|higher|lower)\ than|above|below|over
    |under
    |exceeds|times)\ (?:the\ )?(?=[-−]?\d)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COMPARING = re.compile(r"[<>]=?[ \t]{0,9}-?\d[\w.]{0,40}")
_TRUE = re.compile(r"(?<![\w-])(?:true|enable[sd]?|enabling)(?![\w-])", re.IGNORECASE)
_FALSE = re.compile(r"(?<![\w-])(?:false|off|disable[sd]?|disabling)(?![\w-])", re.IGNORECASE)
# `NAME`, a few words, what joins it to a value, a few words, the value.
_PAIR = re.compile(
    # Example: `MAX_RETRIES` and `LIMIT` settings are both set to 5 and 7
    r"""
    (?<![\w\x01])
    ((?:(?:\x01\d+\x02|[A-Za-z_]\w{1,60}+)(?:,[ ]and[ ]|,[ ]|[ ]and[ ]|[ ]or[ ])){0,8}   # names,
      (?:\x01\d+\x02|[A-Za-z_]\w{1,60}+))
    (?:[ ](?:setting|option|constant|value|variable|key|field|flag|parameter|argument    # what they are,
      |property|attribute|limit|in[ ]\x01\d+\x02)){0,3}
    (?P<join>[ ]?[=:][ ]?                                                                # what joins,
      |[ ](?:both[ ]|all[ ]|each[ ])?
       (?:is|are|of|equals?|defaults?[ ]to|holds|has|reads|stays|remains|uses)\b[ ]?
      |[ ]?\((?=[^()]{1,40}\)))
    (?P<fill>(?:(?:set|limited|capped|fixed|defaulted|equal|to|at|most|least|about       # words that say no value,
      |exactly|only|just|always|currently|now|by[ ]default|up|hard-coded|is
      |a[ ]value[ ]of|the[ ]value|the[ ]string)\b[ ]?){0,4})
    (?P<value>(?:[-−+]?\d[\w.,%]*|\x01\d+\x02|"[^"]{1,200}"|[A-Za-z][\w-]{0,60})         # and the values
      (?:(?:,[ ]and[ ]|,[ ]|[ ]and[ ]|[ ]or[ ]|[ ]to[ ])
         (?:[-−+]?\d[\w.,%]*|\x01\d+\x02(?![ ](?:is|are|=)))){0,20})
    """,
    re.VERBOSE,
)
_ITEM = re.compile(r"\x01(\d+)\x02|\"([^\"]{1,200})\"|([-−+]?\d(?:[\d.,_]*\d)?%?)|([A-Za-z][\w-]*)")
_ENDS = "\"' ;,"
_ARTICLES = frozenset(("a", "an", "the", "its", "their", "in", "by", "what", "where", "how", "used", "read", "one"))
# Nothing can be pinned to what is not there.
_ABSENT = re.compile(
    r"\b(?:do(?:es)? not exist|doesn't exist|absent|missing|not yet|no longer|never|removed|deleted|lacks?|without"
    r"|not implemented|unimplemented|nowhere|no (?:caller|test|such))\b",
    re.IGNORECASE,
)
# Something was left out: a word that wants another behind it ends the sentence, or brackets by themselves hold nothing.
_HOLE = re.compile(
    # Examples: `defined in .`, `( , )`.
    r"""
    \b(?:at|in|on|from|by|via|per|of|and|with|to|see|through|against)(?:[ \t]*[,;.:)|]|[ \t]{2,}\S|\s*\Z)
    |(?<![\w>\]])\([\s,;]*\)|[,;]\s*\)|\s's\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Tests are cited only where they are named, so a sentence about tests that names none rests on nothing to cite.
_TESTED = re.compile(r"\b(?:tests?|tested|testing|specs?|pytest|assert(?:s|ions?)?)\b", re.IGNORECASE)
_NAMED_TEST = re.compile(r"(?:tests?|spec)[\w.-]{0,80}(?:/\w|\.[a-z]{1,4}\b)", re.IGNORECASE)
_DOING = (
    r"(?:add|apply|bump|call|change|check|confirm|consider|convert|copy|create|delete|document|ensure|execute|expose"
    r"|extend|extract|fix|implement|introduce|make|mirror|modify|move|read|refactor|remove|rename|replace|restore|rerun"
    r"|run|see|set|update|use|verify|wire|write)"
)
# What is still to do is no fact yet.
_DEMAND = re.compile(
    rf"\A\W{{0,6}}(?:(?:step|task)\s+\d+\W{{0,6}})?{_DOING}\b|[,:;—|]\s+\**{_DOING}\s|\b(?:should|shall)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\?[\"'”’)\]*_ ]{0,6}\Z|\A\W{0,6}(?:todo|fixme|tbd)\b", re.IGNORECASE)


class _Said:
    """A sentence with its code taken out: `\\1n\\2` stands for the n-th span."""

    def __init__(self, said: str) -> None:
        self.code: list[str] = []
        bare = _LINK.sub(" ", re.sub(r"[\x00-\x02]", " ", said))
        bare = _CODE.sub(self._keep, bare).replace("**", "").replace("__", "")
        self.bare = re.sub(r"\A\|?\s*\d{1,9}\s*\|", " ", " ".join(bare.split()))
        """What is left; the number of a row of a table is not said of anything."""
        self.plain = _QUOTED.sub(" ", re.sub(r"\x01\d+\x02", " ", self.bare))
        self.quoted = [(a or b).strip(" .,;:!?") for a, b in _QUOTED.findall(self.bare)]

    def _keep(self, match: re.Match[str]) -> str:
        self.code.append(" ".join(match[2].split()))
        return f"\x01{len(self.code) - 1}\x02"


def states_fact(said: str, about: str = "") -> bool:
    """Whether a sentence says how something is: whole, and no question or demand.

    What says that something is missing has no lines that would falsify it. `about` is what it stands under.
    """
    bare = _CODE.sub(lambda code: "code" if any(map(str.isalnum, code[2])) else " ()", said)
    if _ASKED.search(said) or _DEMAND.search(said) or _ABSENT.search(said) or _HOLE.search(bare.strip()):
        return False
    tested = _TESTED.search(said) or _TESTED.search(about.replace("_", " ").replace("-", " "))
    return tested is None or _NAMED_TEST.search(said) is not None


def find_unsupported_part(said: str, evidence: Sequence[str], known: Callable[[str], bool] | None = None) -> str:
    """What a sentence says and the lines do not, in a few words; empty where they say all that can be checked.

    `known` tells whether a name from code stands anywhere.
    """
    text = "\n".join(evidence)[:_LONGEST]
    stated = _Said(said)
    unreal = _UNREAL.search(stated.plain)
    if unreal is not None:
        return f"it is denied, past or conditional: {unreal[0]}"
    flat = " ".join(text.split())
    return (
        next((f"the quotation {one}" for one in stated.quoted if one and one not in flat), "")
        or _find_missing_code(stated, text, flat, known)
        or _find_missing_relation(stated, text)
        or _find_missing_number(stated, text, flat)
        or _find_polarity_conflict(stated, text)
        or _find_wrong_assignment(stated, text, flat)
    )


def names_elsewhere(paths: Sequence[str], path: str, meant: Callable[[str], list[str]]) -> bool:
    """Whether a sentence names files and the one to be cited is none of them."""
    found = False
    for written in paths:
        files = meant(written)
        if path in files:
            return False
        found = found or bool(files) or ("/" in written and "." in written.rpartition("/")[2])
    return found


def _find_missing_code(stated: _Said, text: str, flat: str, known: Callable[[str], bool] | None) -> str:
    """A value written as code that the lines lack, a name that is nowhere, or a part of a longer word."""
    for code in stated.code:
        value = _VALUE.match(code)
        if value is not None:
            inner = code[1:-1] if value[1] else code
            if not (inner and stands(text, inner)) and not (not value[1] and stands(text.lower(), code.lower())):
                return f"the value {code}"
        elif _KEBAB.match(code):
            if code in text and not re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", text):
                return f"{code} by itself"
        elif _NAME.match(code) and known is not None and not is_path(code):
            last = _last(code)
            if len(last) > 2 and not stands(text, last) and not known(last):
                return f"{code}, which is nowhere"
    return ""


def _find_missing_relation(stated: _Said, text: str) -> str:
    """What something is said to raise, call, return or extend, which the lines do not name."""
    # Where something is defined it is not yet used.
    used = _DEFINED.sub(" ", text)
    for pattern in (_DOES, _DONE):
        for match in pattern.finditer(stated.bare):
            code = stated.code[int(match[1])]
            if _NAME.match(code) and not stands(used, _last(code)):
                return code
    for match in _RUNS.finditer(stated.bare):
        if match[1].lower() not in _ARTICLES and not stands(text, match[1]):
            return match[1]
    return ""


def _find_missing_number(stated: _Said, text: str, flat: str) -> str:
    """A number that the lines do not hold."""
    # An expression that stands there as it is says all its numbers.
    spans = [code for code in stated.code if not (len(code) > 3 and code in flat)]
    said = said_numbers(stated.plain) + [one for code in spans if not _is_name(code) for one in said_numbers(code)]
    said += [one for quoted in stated.quoted if quoted not in flat for one in said_numbers(quoted)]
    counted = _COUNT.search(stated.plain)
    if counted is not None:
        return counted[0]
    if not said:
        return ""
    there = lone_numbers(text)
    for one in said:
        if not any(one.is_same(other) for other in there):
            return one.written
    return _find_wrong_comparison(stated, text) or _find_foreign_number(stated, text, said)


def _is_name(code: str) -> bool:
    return bool(_NAME.match(code) or _KEBAB.match(code) or is_path(code) or re.match(r"[A-Za-z_$@.]\S*\Z", code)) and (
        "=" not in code
    )


def _find_wrong_comparison(stated: _Said, text: str) -> str:
    """A number that something is said to be above or below, and that the lines compare nothing with."""
    there = [one for match in _COMPARING.finditer(text) for one in lone_numbers(match[0])]
    for match in _COMPARED.finditer(stated.plain):
        said = said_numbers(stated.plain[match.end() : match.end() + 40])[:1]
        if said and not any(said[0].is_same(other) for other in there):
            return f"{match[0]}{said[0].written}"
    return ""


def _find_foreign_number(stated: _Said, text: str, said: list[Number]) -> str:
    """A name that the lines give numbers, none of which the sentence says: its numbers are another's."""
    owners: list[AssignedValues] = []
    for code in stated.code:
        name = _last(code)
        given = given_to(text, name) if _NAME.match(code) else None
        if given is not None and given.is_simple and given.numbers:
            owners.append(given)
            if not any(one.is_same(other) for one in said for other in given.numbers):
                return f"another value of {name}"
            unit = next((one.unit for one in said if one.unit and any(one.is_same(o) for o in given.numbers)), "")
            if unit and plural_units(name) not in ("", unit):
                return f"{name} in {unit}"
    # As many numbers as names that have one: each is said of the name at its turn.
    if len(owners) == len(said) > 1:
        for one, given in zip(said, owners, strict=True):
            if not any(one.is_same(other) for other in given.numbers):
                return f"{one.written} at its turn"
    return ""


def _find_polarity_conflict(stated: _Said, text: str) -> str:
    """What is said to be on where the lines only say off, or the other way round."""
    yes, no = _TRUE.search(stated.plain), _FALSE.search(stated.plain)
    if (yes is None) == (no is None):
        return ""
    values = {word.lower() for word in re.findall(r"(?i)(?<![\w-])(?:true|false)(?![\w-])", text)}
    wanted = "true" if yes else "false"
    return wanted if values and wanted not in values else ""


def _find_wrong_assignment(stated: _Said, text: str, flat: str) -> str:
    """A value that is said of a name and that its own assignment does not give it."""
    for code in stated.code:
        sets = _SETS.match(code)
        # A piece of code that stands there as it is has been shown.
        if sets is not None and code not in flat and not is_given(given_to(text, _last(sets[1])), sets[2].strip(_ENDS)):
            return code
    at = 0
    while (match := _PAIR.search(stated.bare, at)) is not None:
        at = match.start("value") if match.start("value") > at else at + 1
        names = [
            stated.code[int(n)] if n else word for n, word in re.findall(r"\x01(\d+)\x02|([A-Za-z_]\w+)", match[1])
        ]
        coded = "\x01" in match[1]
        owners = [(name, given_to(text, _last(name))) for name in names if name not in ("and", "or")]
        owners = [
            one for one in owners if one[1] is not None or (coded and _NAME.match(one[0]) and one[0] in stated.code)
        ]
        if not owners:
            continue
        wrong = _find_mispaired_value(stated, owners, match)
        if wrong:
            return wrong
    return ""


def _find_mispaired_value(stated: _Said, owners: list[tuple[str, AssignedValues | None]], match: re.Match[str]) -> str:
    """The first name whose own value is not the one that is said of it."""
    items = [
        (stated.code[int(n)] if n else quoted or number or word, bool(word))
        for n, quoted, number, word in _ITEM.findall(match["value"])
    ]
    items = [item for item in items if item[0] not in ("and", "or", "to")]
    loose = match["join"].strip() not in ("=", ":", "is", "are", "equals", "equal", "defaults to", "default to")
    for turn, (name, given) in enumerate(owners):
        mine = [items[turn]] if len(items) == len(owners) > 1 else items
        for value, is_word in mine:
            if is_word:
                wrong = given_words(given, value) if value.lower() not in _ARTICLES and not loose else False
            elif re.match(r"[-−+]?\d", value) or _VALUE.match(value):
                wrong = not is_given(given, value.strip("\"'"))
            else:
                wrong = given is not None and given.is_simple and not loose and not is_given(given, value.strip("\"'"))
            if wrong:
                return f"{name} {value}"
    return ""


def _last(code: str) -> str:
    """The last part of a dotted name."""
    return re.split(r"\.|::|->|#", code.removesuffix("()"))[-1]
