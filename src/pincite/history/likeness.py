"""How alike two lines of code or prose are, and what a change between them touches."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_NAME = re.compile(r"[^\W\d_]\w*")
_KEYWORDS = frozenset(
    "return if else elif for while do switch case break continue def class function const let var import from as in not"
    " and or new this self public private protected static final void int long bool boolean string true false null none"
    " nil try except catch finally raise throw throws assert with yield await async lambda export default type"
    " interface extends implements package using namespace struct enum fn pub mut impl use mod".split()
)
_TOKEN = re.compile(r"\w+|[^\w\s]")
LONGEST = 8_000
"""Characters of each of two lines that are compared in full; of longer ones, what is the same at both ends counts."""
_NUMBER = re.compile(r"\d")
_NEGATIONS = frozenset(
    "not no never none without non cannot can't don't doesn't isn't aren't won't != !== ! ~ unless except".split()
)


def weight(line: str) -> int:
    """How much a line says: its letters and digits. Brackets, blank lines and rules say nothing."""
    return sum(map(str.isalnum, line[:400]))


def says(lines: Iterable[str], least: int) -> bool:
    """Whether lines together say so much; no more of them are counted than that takes."""
    total = 0
    for line in lines:
        total += weight(line)
        if total >= least:
            return True
    return False


def likeness(old: str, new: str) -> float:
    """From 0 to 1, for two lines without white space: half how much they share, half how much of the shorter is in
    the longer."""
    if not old or not new:
        return 0.0
    common = _common(old, new)
    return common / (len(old) + len(new)) + 0.5 * common / min(len(old), len(new))


def evenness(old: str, new: str) -> float:
    """From 0 to 1: how much two lines share, measured by both."""
    return 1.0 if old == new else 2 * _common(old, new) / (len(old) + len(new))


def _common(old: str, new: str) -> int:
    """How many characters two lines have in common, in order; of very long ones, that many at least."""
    from rapidfuzz.distance import LCSseq

    if len(old) * len(new) <= LONGEST * LONGEST:
        return LCSseq.similarity(old, new)
    ends = _same(old, new)
    old, new = old[ends:], new[ends:]
    after = _same(old[::-1], new[::-1])
    old, new = old[: len(old) - after], new[: len(new) - after]
    return ends + after + LCSseq.similarity(old[:LONGEST], new[:LONGEST])


def count_common(line: str, others: Sequence[str]) -> list[int]:
    """For each of many lines how many characters it has in common with one, in order."""
    from rapidfuzz import process
    from rapidfuzz.distance import LCSseq

    if len(line) * max(map(len, others), default=0) > LONGEST * LONGEST:
        return [_common(line, other) for other in others]
    common = [0] * len(others)
    for _, shared, at in process.extract(line, others, scorer=LCSseq.similarity, limit=None):
        common[at] = int(shared)
    return common


def _same(old: str, new: str) -> int:
    """How many characters two texts begin with alike, by halving."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def is_keyword(word: str) -> bool:
    """Whether a word is one of a programming language, and no name."""
    return word.lower() in _KEYWORDS


def keeps_names(old: str, new: str) -> bool:
    """Whether at least a fifth of what an old line names is named by a new one; `return` and its like are no names."""
    before, after = _names(old), _names(new)
    total = sum(map(len, before.elements()))
    return sum(map(len, (before & after).elements())) * 5 >= total


def find_names(text: str) -> set[str]:
    """The names and other words of a text; `return` and its like count."""
    return set(_NAME.findall(text))


def _names(text: str) -> Counter[str]:
    return Counter(word for word in _NAME.findall(text) if word.lower() not in _KEYWORDS)


def tokens(text: str) -> list[tuple[int, int, str]]:
    """The words and signs of a text: where each begins and ends, and what it is."""
    return [(match.start(), match.end(), match[0]) for match in _TOKEN.finditer(text)]


def touches_meaning(old: str, new: str) -> bool:
    """Whether a change adds, drops or alters a number or a negation: what a reader has to see."""
    return _marks(old) != _marks(new)


def _marks(text: str) -> list[str]:
    return sorted(token for _, _, token in tokens(text) if _NUMBER.search(token) or token.lower() in _NEGATIONS)
