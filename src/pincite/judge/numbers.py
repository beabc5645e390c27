"""Numbers, amounts and dates as values: `1.5 million`, `10 %`, `four`, `3 March 2017`, one word each."""

from __future__ import annotations

import re

from msgspec import Struct

from ..text.number_words import MONTH_NAMES, MONTHS, NUMBER_WORDS, ORDINALS, SCALES, WEEKDAYS, read_number_words


class JudgeToken(Struct):
    """A word, number, date or sign of a text."""

    text: str
    low: str
    """What it is compared by."""
    start: int
    end: int
    lead: str
    """What stands between the word before and this one."""
    kind: str = "w"
    """`w` a word, `n` a number, `o` a place in a row (third), `d` a date, `s` a sign."""
    alt: str = ""
    """What else it may be compared by."""
    suffix: str = ""
    value: float = 0.0
    unit: str = ""
    date: tuple[int, int, int] = (0, 0, 0)
    """Year, month and day; 0 where not given."""

    @property
    def is_year(self) -> bool:
        """Whether it is a number without a unit that may be a year."""
        return self.kind == "n" and not self.unit and 1000 <= self.value < 2100


def covers(claim: JudgeToken, quote: JudgeToken) -> bool:
    """Whether a date of the quote states a coarser one of the claim: 2017 in March 2017, never the reverse."""
    if claim.kind == "d":
        # A day without its year is not stated by another; a year or month may be left out from the fine end only.
        (year, month, day), (seen_year, seen_month, seen_day) = claim.date, quote.date
        if year and year != seen_year:
            return False
        if (month or day) and month != seen_month:
            return False
        return not day or day == seen_day
    return claim.kind == "n" and not claim.unit and bool(quote.date[0]) and claim.low == str(quote.date[0])


_SCALES = SCALES | {"k": 1_000, "mn": 10**6, "bn": 10**9, "tn": 10**12, "m": 10**6, "b": 10**9}
_MOST_NUMBER_WORDS = 24
"""More words than any number has that a text spells out."""
_UNITS = (
    "mm m .001 millimeter millimetre|cm m .01 centimeter centimetre|metre m 1 meter|km m 1000 kilometer kilometre|"
    "inch in 1 inches|foot ft 1 feet ft|yard yd 1 yd|mile mi 1|mg g .001 milligram|gram g 1 gm|kg g 1000 kilogram kilo|"
    "tonne t 1|ton ton 1|lb lb 1 lbs|ounce oz 1 oz|ms s .001 millisecond|second s 1 sec|minute s 60 min mins|"
    "hour s 3600 hr hrs|day s 86400|week s 604800|month mo 1|year mo 12 yr yrs|decade mo 120|century mo 1200 centuries|"
    "kb b 1e3 kilobyte|mb b 1e6 megabyte|gb b 1e9 gigabyte|tb b 1e12 terabyte|byte b 1|bit bit 1|"
    "hz hz 1 hertz|khz hz 1e3|mhz hz 1e6 megahertz|ghz hz 1e9 gigahertz|watt w 1|kw w 1e3 kilowatt|mw w 1e6 megawatt|"
    "gw w 1e9 gigawatt|volt v 1|litre l 1 liter|ml l .001 milliliter millilitre|gallon gal 1|barrel bbl 1|acre acre 1|"
    "hectare ha 1|mph mph 1|celsius c 1|fahrenheit f 1|kelvin k 1|degree deg 1|calorie cal 1|ppm ppm 1|"
    "dollar $ 1 usd|euro € 1 eur|pound £ 1 gbp|yen ¥ 1 jpy|rupee ₹ 1 inr|cent cent 1|% % 1 percent pct|times x 1"
)
_CASED = {name: (name, 1.0) for name in ("Mb", "Gb", "Tb", "Kb", "mW", "Mg", "Ms", "mHz")}
"""Units that differ from another by a capital only."""
_AFTER_METRES = frozenset(
    "high tall long wide deep thick above below of from away in by and to at across apart on or under over is".split()
)
_DEGREES = frozenset(("°", "degree", "degrees"))
_TEMPERATURES = frozenset("celsius fahrenheit c f".split())
_TIMES = frozenset(("s", "mo"))
_MONEY = frozenset("$€£¥₹")
_LETTERS = frozenset("BCDEFGHJKLMNPQRSTVWXYZ")
"""After a number a capital letter is a unit of its own: 10 m, 10 M."""
_AMOUNT = re.compile(r"([-−+]?)(\d{1,3}(?:[, \u00a0\u202f\u2009'’]\d{3})+|\d+)([.·]\d+)?(?:[eE]([+-]?\d{1,2}))?$")
_GROUPED = re.compile(r"[, \u00a0\u202f\u2009'’]")
_WRITTEN = re.compile(r"[-−+]?0\d|.*[.·]\d*0$")
"""007 and 3.10: of equal value with 7 and 3.1, and yet perhaps another code or version."""
_LONGEST = 24
"""Digits beyond which a number is compared as it is written."""


def _unit_table() -> dict[str, tuple[str, float]]:
    table: dict[str, tuple[str, float]] = {}
    for row in _UNITS.split("|"):
        name, unit, factor, *others = row.split()
        for word in (name, *others):
            table[word] = table[word + "s"] = (unit, float(factor))
    return table


UNITS = _unit_table()
"""Word to unit and how many of it one is."""
_GLUED = frozenset(
    "mm cm km kg mg ml ms kb mb gb tb hz khz mhz ghz kw mw gw mph ft lb lbs oz yr hrs hr min sec".split()
)


def format_value_key(value: float, unit: str = "") -> str:
    """A value as a key: the same for 1,500,000 and 1.5 million."""
    return f"{value:.12g}{unit}"


def _set_token_value(token: JudgeToken) -> bool:
    """Give a token of digits its value; false where it is not one number (1.2.3, 4x4)."""
    suffix = token.suffix.lower()
    body = token.text[: len(token.text) - len(token.suffix)] if suffix else token.text
    match = _AMOUNT.match(body) if len(body) <= _LONGEST else None
    token.low = token.text.lower()
    token.kind = "w"
    if match is None or (suffix and body[-1:] in ".,"):
        return False
    value = float(_GROUPED.sub("", match[2]) + (match[3] or "").replace("·", "."))
    if match[4]:
        value *= 10.0 ** int(match[4])
    if match[1] in ("-", "−"):
        value = -value
    if suffix in ("st", "nd", "rd", "th"):
        token.kind, token.value = "o", value
        token.low = "#" + format_value_key(value)
        return False
    if suffix and suffix not in _SCALES and suffix not in _GLUED:
        if suffix == "s" and len(body) == 4:
            token.low = body + "s"
        return False
    token.kind, token.value = "n", value
    if suffix in _SCALES:
        token.value *= _SCALES[suffix]
        token.suffix = ""
    token.low = format_value_key(token.value)
    if _WRITTEN.match(body):
        token.alt = body.replace("·", ".")
    return True


def _parse_number_words(tokens: list[JudgeToken], at: int) -> tuple[float, int] | None:
    """The value of number words from here, and where they end."""
    end = at + 1
    while end < len(tokens) and end - at < _MOST_NUMBER_WORDS and tokens[end].lead.strip() in ("", "-"):
        end += 1
    found = read_number_words([token.low for token in tokens[at:end]])
    return (float(found[0]), at + found[1]) if found else None


def _join_tokens(parts: list[JudgeToken], key: str, kind: str) -> JudgeToken:
    """Several tokens as one; its text keeps only its ends, the spans tell the rest."""
    first, last = parts[0], parts[-1]
    text = first.text if first is last else " ".join(part.text for part in parts)
    return JudgeToken(text, key, first.start, last.end, first.lead, kind=kind)


def _parse_amount(tokens: list[JudgeToken], at: int) -> tuple[JudgeToken, int] | None:
    """A number with its scale and unit from here, and where it ends."""
    index = at
    money = ""
    if tokens[at].low[-1:] in _MONEY and at + 1 < len(tokens) and not tokens[at + 1].lead.strip():
        money, index = tokens[at].low, at + 1
    token = tokens[index]
    if token.kind == "n":
        if not _set_token_value(token):
            return None
        value, index = token.value, index + 1
        glued = token.suffix.lower()
    elif not money and (found := _parse_number_words(tokens, at)):
        value, index = found
        glued = ""
    else:
        return None
    if not glued and index < len(tokens):
        scale, lead = tokens[index].low, tokens[index].lead
        if (scale in SCALES and lead.strip() in ("", "-")) or (scale in ("bn", "mn", "tn") and lead.isspace()):
            value *= _SCALES[scale]
            index += 1
    unit, factor = (money, 1.0) if money else _CASED.get(token.suffix) or UNITS.get(glued, ("", 1.0))
    if not unit:
        unit, factor, index = _parse_unit(tokens, index)
    joined = _join_tokens(tokens[at:index], "", "n")
    joined.value, joined.unit = value * factor, unit
    joined.low = format_value_key(joined.value, unit)
    if token.kind == "n" and token.alt:
        joined.low += "=" + token.alt
    return joined, index


def _parse_unit(tokens: list[JudgeToken], index: int) -> tuple[str, float, int]:
    """The unit that stands here, what one of it is, and where it ends."""
    if index >= len(tokens) or tokens[index].lead.strip() not in ("", "-"):
        return "", 1.0, index
    word = tokens[index].low
    following = tokens[index + 1].low if index + 1 < len(tokens) else ""
    if word == "per" and following == "cent":
        word, index = "%", index + 1
        following = tokens[index + 1].low if index + 1 < len(tokens) else ""
    if word in _DEGREES and following in _TEMPERATURES and (word != "°" or len(following) == 1):
        return following[0], 1.0, index + 2
    if word in ("percentage", "%", "percent") and following in ("point", "points"):
        return "pp", 1.0, index + 2
    if tokens[index].text in _CASED:
        return *_CASED[tokens[index].text], index + 1
    if tokens[index].text == "m" and tokens[index].lead.isspace():
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        # Metres are meant, and not millions of something.
        if after is None or after.lead.strip() or after.low in _AFTER_METRES:
            return "m", 1.0, index + 1
    if word in UNITS and not (word == "second" and tokens[index].lead.strip() == ""):
        return *UNITS[word], index + 1
    return "", 1.0, index


def _number_of(token: JudgeToken, most: int) -> int:
    """A whole number up to a bound written in digits or as a place (3, 3rd); 0 for anything else."""
    text = token.text
    if token.kind not in ("n", "o") or not text[:1].isdigit():
        return 0
    digits = text[:-2] if text[-2:].lower() in ("st", "nd", "rd", "th") else text
    return int(digits) if digits.isdecimal() and len(digits) <= 4 and int(digits) <= most else 0


def _parse_year(tokens: list[JudgeToken], index: int) -> int:
    if index >= len(tokens):
        return 0
    # The dot of `Mar. 2017` parts nothing; the one of `in March. 2017 was` does.
    short = tokens[index - 1].low in MONTHS and tokens[index - 1].low not in MONTH_NAMES
    if tokens[index].lead.strip() in ("", ",", "." if short else "") and len(tokens[index].text) == 4:
        year = _number_of(tokens[index], 2999)
        return year if year >= 1000 else 0
    return 0


def _parse_date(tokens: list[JudgeToken], at: int) -> tuple[JudgeToken, int] | None:
    """A date from here, and where it ends."""
    token = tokens[at]
    if token.kind == "d":
        year, month, day = (int(part) for part in token.text.split("-"))
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        return _make_date_token([token], year, month, day), at + 1
    index, day = at, 0
    if token.low not in MONTHS:
        day, index = _number_of(token, 31), at + 1
        if index < len(tokens) and tokens[index].low == "of":
            index += 1
        if (
            not day
            or index >= len(tokens)
            or tokens[index].low not in MONTHS
            or tokens[index].lead.strip() not in ("", ".")
        ):
            return None
    month = MONTHS[tokens[index].low]
    name, index = tokens[index], index + 1
    if not day and index < len(tokens) and tokens[index].lead.strip() in ("", "."):
        day = _number_of(tokens[index], 31)
        if day and len(tokens[index].text) > 2 and tokens[index].text.isdecimal():
            day = 0
        index += bool(day)
    year = _parse_year(tokens, index)
    index += bool(year)
    if not day and not year:
        # `May` and `march` are words; alone, only a month that is nothing else and is written as one counts.
        if name.low in ("may", "mar", "march", "jun", "dec", "sept", "sep", "oct") or not name.text[:1].isupper():
            return None
        if name.low not in MONTH_NAMES:
            return None
    return _make_date_token(tokens[at:index], year, month, day), index


def _make_date_token(parts: list[JudgeToken], year: int, month: int, day: int) -> JudgeToken:
    joined = _join_tokens(parts, f"@{year}-{month}-{day}", "d")
    joined.date = (year, month, day)
    return joined


def merge(tokens: list[JudgeToken]) -> list[JudgeToken]:
    """The same words with every number, amount and date as one of them."""
    out: list[JudgeToken] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        found = None
        low = token.low
        if token.kind in ("n", "d") or low in MONTHS:
            if token.kind == "n" and token.suffix.lower() in ("st", "nd", "rd", "th"):
                _set_token_value(token)
            found = _parse_date(tokens, at)
        if low == "a" and at + 1 < len(tokens) and _is_one(tokens, at):
            # `a thousand` is one thousand.
            token.low = "one"
            found = _parse_amount(tokens, at)
        if found is None and (token.kind == "n" or low[-1:] in _MONEY or low in NUMBER_WORDS):
            found = _parse_amount(tokens, at)
        if found is not None:
            out.append(found[0])
            at = found[1]
            if at < len(tokens) and tokens[at].text in _LETTERS and tokens[at].lead.isspace():
                tokens[at].low = tokens[at].text
            continue
        if token.kind == "w" and low in ORDINALS:
            token.kind, token.value = "o", float(ORDINALS[low])
            token.low = f"#{ORDINALS[low]}"
        out.append(token)
        at += 1
    return _share_range_units(_merge_durations(out))


def _is_one(tokens: list[JudgeToken], at: int) -> bool:
    """Whether `a` counts what follows: `a thousand`, and not `half a million` or `a hundred-year flood`."""
    spelled = tokens[at + 1].low in SCALES and tokens[at + 1].lead.isspace()
    joined = at + 2 < len(tokens) and tokens[at + 2].lead == "-"
    return spelled and not joined and not (at and tokens[at - 1].low in ("half", "quarter", "of"))


def _merge_durations(tokens: list[JudgeToken]) -> list[JudgeToken]:
    """The same with `2 hours 9 minutes` as one time."""
    out: list[JudgeToken] = []
    for token in tokens:
        before = out[-1] if out else None
        timed = token.kind == "n" and token.unit in _TIMES and token.lead.isspace()
        if timed and before is not None and before.unit == token.unit and 0 < token.value < before.value:
            value = before.value + token.value
            out[-1] = joined = _join_tokens([before, token], format_value_key(value, token.unit), "n")
            joined.value, joined.unit = value, token.unit
        else:
            out.append(token)
    return out


def _has_date_at(tokens: list[JudgeToken], at: int) -> bool:
    """Whether a date stands here, by itself or after an article or the day of the week."""
    if at < len(tokens) and (tokens[at].low == "the" or tokens[at].low in WEEKDAYS):
        at += 1
    return at < len(tokens) and tokens[at].kind == "d"


def _share_range_units(tokens: list[JudgeToken]) -> list[JudgeToken]:
    """Give the first number of `10–20 %` the unit of the second, and dates the same preposition."""
    for at in range(len(tokens) - 1, -1, -1):
        token = tokens[at]
        if token.low == "on" and _has_date_at(tokens, at + 1):
            token.low = "in"
        between = token.low == "and" and at > 1 and tokens[at - 2].low == "between"
        if (token.low != "to" and not between) or not 0 < at < len(tokens) - 1:
            continue
        before, following = tokens[at - 1], tokens[at + 1]
        if before.kind == following.kind == "n" and following.unit and not before.unit and before.value < 1000:
            word = following.text.rsplit(" ", 1)[-1].lower()
            before.value *= UNITS[word][1] if word in UNITS else 1.0
            before.unit = following.unit
            before.low = format_value_key(before.value, before.unit)
    return tokens
