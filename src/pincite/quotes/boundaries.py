"""Where a quote in a script without spaces may begin and end.

There is no space to tell where a word ends, so a quote may begin between any two letters but for those that it would
split: numbers, what a negation negates, words in katakana.
"""

from __future__ import annotations

import re

from ..text.unspaced_scripts import NUMERALS
from .fold import LOOSE

# Begins of numbers that a quote must not leave behind: a minus, the point of a decimal, the sign of an ordinal.
_BEFORE_NUMBER = re.compile(r"(?:负|負|マイナス|第|[0-9一二三四五六七八九十百千万零〇][点點])\Z")
_NEGATED = re.compile(r"(?:[不没沒無无未非勿莫毋弗]|ไม่|ไร้|ບໍ່|មិន|မ)\Z")
# Endings of a verb that turn it round, where the quote stops before them.
_NEGATING = re.compile(r"な(?:い|かった?|く|ければ?|し)|ず|ぬ|ませ(?:ん|ぬ)?|まい|ねば")
_SCALE = re.compile(r"[点點][0-9〇零一二三四五六七八九]|[成割倍折]|分之|パーセント|ポイント|个百分点|個百分點")
# Hours and points of decimals, which what follows goes on with.
_HOUR = re.compile(f"[0-9{NUMERALS}][点點时時]\\Z")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]")
_SMALL = frozenset("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー々ゝゞヽヾ")


def parts_before(before: str, begins: str) -> bool:
    """Whether a quote that begins so may begin behind this, where a letter of such a script is on either side."""
    before = before.replace(LOOSE, "")
    last, first = before[-1:], begins[:1]
    if first.isnumeric() and (last.isnumeric() or _BEFORE_NUMBER.search(before)):
        return False
    return not (_NEGATED.search(before) or _tears(last, first))


def parts_after(ends: str, after: str) -> bool:
    """Whether a quote that ends so may end in front of this."""
    after = after.replace(LOOSE, "")
    last, following = ends[-1:], after[:1]
    if last.isnumeric() and (following.isnumeric() or _SCALE.match(after)):
        return False
    if _HOUR.search(ends[-2:]) and (following.isnumeric() or following == "半"):
        return False
    return not (_NEGATING.match(after) or _tears(last, following))


def find_negation(before: str, after: str) -> str:
    """What turns round a quote between these and was left out at its edge; empty where nothing does."""
    found = _NEGATED.search("".join(before.split())) or _NEGATING.match("".join(after.split()))
    return found[0] if found is not None else ""


def _tears(one: str, other: str) -> bool:
    """Whether two letters belong to one word: a sign that repeats or lengthens, or katakana on both sides."""
    return other in _SMALL or (_KATAKANA.match(one) is not None and _KATAKANA.match(other) is not None)
