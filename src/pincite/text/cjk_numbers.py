"""Numbers in Japanese, Chinese and Korean text, which has no spaces around them: `2019年に421台`."""

from __future__ import annotations

import re

from .number_words import MONTH_NAMES

_SCRIPT = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
_WIDE = {0xFF10 + digit: str(digit) for digit in range(10)} | {0xFF05: "%", 0xFF0E: ".", 0xFF0C: ","}
_ANY = re.compile(rf"[{_SCRIPT}\uff10-\uff19]")
_NUMBER = r"[0-9]{1,30}(?:[.,][0-9]{1,30}){0,10}"
_BESIDE = re.compile(rf"(?<=[{_SCRIPT}])(?=[0-9])|(?<=[0-9%])(?=[{_SCRIPT}])|(?<=[{_SCRIPT}])(?=[A-Za-z])")

_YEAR, _MONTH, _DAY = "[年년]", "[月월]", "[日일]"
_DATE = re.compile(
    # Examples: `2023年11月3日`, `11月3日`.
    rf"""
    ([0-9]{{4}})\s?{_YEAR}(?:\s?([0-9]{{1,2}})\s?{_MONTH}(?:\s?([0-9]{{1,2}})\s?{_DAY})?)?
    |([0-9]{{1,2}})\s?{_MONTH}\s?([0-9]{{1,2}})\s?{_DAY}
    """,
    re.VERBOSE,
)
_CLOCK = re.compile(r"([0-9]{1,2})\s?[時时点點시](?!間|间|간)(?:\s?([0-9]{1,2})\s?[分분])?")
_ORDINAL = re.compile(r"[第제]\s?([0-9]{1,6})")
_SCALES = {"百": 2, "백": 2, "千": 3, "천": 3, "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8, "兆": 12, "조": 12}
_SCALED = re.compile(rf"(?:{_NUMBER}\s?[{''.join(_SCALES)}]{{1,3}}){{1,5}}(?:[0-9]{{1,12}})?")
_SCALED_PART = re.compile(rf"({_NUMBER})\s?([{''.join(_SCALES)}]{{0,3}})")
_UNITS = {
    "ミリ秒": "ms", "毫秒": "ms", "밀리초": "ms", "時間": "hours", "小时": "hours", "小時": "hours", "시간": "hours",
    "分钟": "min", "分鐘": "min", "分": "min", "분": "min", "秒": "s", "초": "s", "倍": "x", "배": "x",
}  # fmt: skip
_UNIT = re.compile(rf"({_NUMBER})\s?({'|'.join(_UNITS)})")
_COUNTER = (
    "件|個|个|箇|か|ヶ|台|人|名|回|本|つ|種|枚|項|项|条|條|例|次|张|位|只|点|點|行(?!目)|%"
    "|テスト|ケース|ファイル|エラー|测试|測試|用例|检查|개|건|대|명|회|종|항|번(?!째)|테스트|케이스"
)
_COUNTED = re.compile(rf"(?<![0-9A-Za-z.,_/#-])({_NUMBER})(?=(?:{_COUNTER})(?!目|째))")


def separate_numbers(text: str) -> str:
    """A text with its numbers split from such letters, and dates, hours and large numbers as English writes them."""
    if _ANY.search(text) is None:
        return text
    text = _ORDINAL.sub(lambda match: f" {match[1]}th ", _CLOCK.sub(_write_clock, _DATE.sub(_write_date, _unify(text))))
    return _BESIDE.sub(" ", _name_units(_SCALED.sub(_write_scaled, text)))


def separate_counts(text: str) -> str:
    """A text with the numbers split off that plainly count or measure; not those in dates and places."""
    if _ANY.search(text) is None:
        return text
    text = _ORDINAL.sub(" ", _CLOCK.sub(" ", _DATE.sub(" ", _unify(text))))
    return _COUNTED.sub(r" \1 ", _name_units(_SCALED.sub(_write_scaled, text)))


def _unify(text: str) -> str:
    return text.translate(_WIDE)


def _name_units(text: str) -> str:
    return _UNIT.sub(lambda match: f" {match[1]} {_UNITS[match[2]]} ", text)


def _write_date(match: re.Match[str]) -> str:
    year, month, day, other_month, other_day = match.groups()
    month, day = month or other_month, day or other_day
    if not month or not 1 <= int(month) <= len(MONTH_NAMES):
        return f" {year} " if year and not month else match[0]
    named = MONTH_NAMES[int(month) - 1].title()
    if year and day:
        return f" {int(day)} {named} {year} "
    return f" {named} {year} " if year else f" {named} {int(day)} "


def _write_clock(match: re.Match[str]) -> str:
    return f" {match[1]}:{int(match[2] or 0):02d} " if int(match[1]) <= 24 else match[0]


def _write_scaled(match: re.Match[str]) -> str:
    """`3億5000万` as 350000000."""
    total = 0.0
    for number, scales in _SCALED_PART.findall(match[0]):
        total += (
            float(number.replace(",", "")) * 10.0 ** sum(map(_SCALES.__getitem__, scales))
            if number.count(".") < 2
            else 0
        )
    return f" {total:.12g} " if total < 1e15 and "e" not in f"{total:.12g}" else f" {total:.0f} "
