"""What a sentence names: paths, names from code, literal text, options, numbers and plain words; and where it stands.

A term stands in a text by itself: not as part of a longer word, option or number.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

from msgspec import Struct

from ...text.stems import stem
from ..query import COMMON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    PlacedTerm = tuple[int, int, str, str, float]
    """Where a term of a sentence begins and ends there, its kind (`name`, `literal` or `word`; a word is cut to its
    stem), the term, and how much it says by itself. Every word is one: a class of its own takes twice the time."""

CODE = re.compile(r"(`{1,4})(?!`)(.{1,300}?)(?<!`)\1(?!`)", re.DOTALL)
_NO_PATH = re.compile(r"[*{}$<>|=\"'`(),;: \n]")
_BROKEN = re.compile(r"[ \t]{0,80}\r?\n[ \t>]{0,80}")
"""A line end inside a code span, which is read as a blank."""
_LINK = re.compile(r"\]\(\s*<?([^()\s<>]{1,300})>?(?:\s+\"[^\"\n]{0,200}\")?\s*\)")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s<>()`]{1,500}", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w./@-])\.{0,2}/?(?:[\w.@+-]{1,80}/){0,15}[\w.@+-]{0,80}[\w@+-](?:/|\.[A-Za-z][\w]{0,9})?(?![\w/])"
)
_NAME = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]{1,120}")
_COMPOUND = re.compile(
    # Examples: `readFile`, `read_file`, `HTTPServer`.
    r"""
    (?<![\w$/.-])(?:[A-Za-z][a-z0-9]++[A-Z][A-Za-z0-9]*+|[A-Z]{2,}+[a-z][A-Za-z0-9]++
    |[A-Za-z][A-Za-z0-9]*+(?:_[A-Za-z0-9]++)++|_{1,2}[A-Za-z]\w+)(?![\w$])
    """,
    re.VERBOSE,
)
_COMPOUND_OR_PART = re.compile(_COMPOUND.pattern.replace("$/.-]", "$/-]"), re.VERBOSE)
"""The same, and the parts of dotted names: `Session.read_file`."""
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]{1,60}(?![\w-])")
_NUMBER = re.compile(r"(?<![\w.$-])\d[\d,_]{0,20}(?:\.\d{1,6})?(?![\w])")
# Numbers that say something by themselves: `32768`, `0.25`.
_FIGURE = re.compile(r"(?<![\w.$#:/-])(?:\d{3,12}|\d{1,6}\.\d{1,6})(?![\w.:/-])")
_NUMBER_WEIGHT = 0.5
_DOTTED = re.compile(r"((?:[A-Za-z_$][\w$]{0,80}\.){1,6}[A-Za-z_$][\w$]{0,80})(?:\(\))?")
_FILE = re.compile(
    r"""\.(?:
      pyi?|[cm]?[jt]sx?|rs|go|java|kts?|scala|cs|c|cc|cpp|cxx|h|hpp|rb|php|swift|m|lua|pl|r|jl|ex|exs|sol|lean|sh|bash
      |ps1|psm1|sql|md|mdx|rst|txt|adoc|org|tex|html?|css|scss|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|xml|csv|log
    )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n`]{4,160})[\"”]")
_COMMAND = re.compile(
    # Examples: `npm run build`, `make test`.
    r"""
    (?:^|[\s;&|$])(?:(?:npm|pnpm|yarn|bun)\s+(?:(?:--prefix|-C|--workspace|-w)[\s=]\S{1,200}\s+){0,3}(?:run\s+)?
    |make\s+(?:-\S{1,80}\s+){0,3}|just\s+|rake\s+|task\s+)([A-Za-z][\w:.-]{1,80})
    """,
    re.VERBOSE,
)
_PROSE = re.compile(r"\.(?:md|markdown|mdx|rst|txt|adoc|html?)(?:[#?].*)?\Z", re.IGNORECASE | re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{3,40}")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
WORD = 0.3
"""How much a plain word says by itself."""
_MOST = 60
"""Of each kind, in one sentence."""
MOST = 400
"""Places of one term in one file that are looked at."""
_MOST_TRIED = 10_000
"""The same with those inside longer words."""
_CLASSES = bytes.maketrans(f"{ascii_lowercase}{ascii_uppercase}0123456789".encode(), b"a" * 26 + b"A" * 26 + b"0" * 10)
_FOREIGN_DIGIT = re.compile(r"[^\D0-9]")
_THREE = re.compile(r"\d{3}(?!\d)")
# What follows is for people, not for a machine. A mark without a blank behind it may be `#define` or `--option`.
_COMMENT = re.compile(r"[ \t]*+(?:/\*|//|\*[ \t]|#[ \t]|--[ \t]|<!--)|.{0,400}?[ \t](?://|/\*|#[ \t]|--[ \t])")


class Terms(Struct):
    """Everything in a sentence that can be looked for in files."""

    paths: tuple[str, ...] = ()
    """Texts that look like paths or file names."""
    names: dict[str, float] = {}
    """Names from code, each with how much it says by itself, from 0 to 1."""
    literals: dict[str, float] = {}
    """Text to be found letter by letter: options, routes, keys, quoted lines."""
    targets: tuple[str, ...] = ()
    """Scripts or targets that a command of the sentence runs."""
    numbers: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Plain words, cut to their stems."""


def terms_of(text: str) -> Terms:
    """What one sentence names."""
    codes = [_BROKEN.sub(" ", match[2]).strip() for match in CODE.finditer(text)]
    links = [match[1] for match in _LINK.finditer(text) if "://" not in match[1]]
    bare = _URL.sub(" ", _LINK.sub("] ", CODE.sub(" ", text)))
    names: dict[str, float] = {}
    literals: dict[str, float] = {}
    paths: list[str] = []
    targets: list[str] = []
    for code in codes:
        _read_code(code, names, literals, paths, targets)
    # A link to prose sends the reader on; it says nothing of what the sentence rests on.
    links = [path for path in links if not _PROSE.search(path)]
    for path in [*links, *(match[0] for match in _PATH.finditer(bare))]:
        if is_path(path):
            paths.append(path)
    for match in _COMPOUND.finditer(bare):
        names.setdefault(match[0], weight_of(match[0], False))
    for match in _OPTION.finditer(bare):
        literals.setdefault(match[0], 0.8)
    for match in _QUOTED.finditer(bare):
        literals.setdefault(match[1].strip(" .,;:"), 0.9 if len(match[1]) > 12 else 0.6)
    targets += (match[1] for match in _COMMAND.finditer(bare) if ":" in match[1])
    numbers = tuple(dict.fromkeys(match[0].rstrip(",") for match in _NUMBER.finditer(_URL.sub(" ", text))))
    words = dict.fromkeys(stem for stem in map(stem_of, _WORD.findall(bare)) if stem)
    return Terms(
        tuple(dict.fromkeys(paths))[:_MOST],
        dict(list(names.items())[:_MOST]),
        dict(list(literals.items())[:_MOST]),
        tuple(dict.fromkeys(targets))[:_MOST],
        numbers[:_MOST],
        tuple(words)[:_MOST],
    )


def find_terms(text: str, words: tuple[int, int] = (0, 0)) -> list[PlacedTerm]:
    """What one sentence names, each with its place; names give the words that they are joined from too.

    Plain words are given where they stand within `words` alone: they are most of the work.
    """
    found: list[PlacedTerm] = []
    left, right = words
    masked = text
    if "`" in text:
        masked = _read_codes(text, found, left, right)
    if may_name(masked):
        for match in _COMPOUND_OR_PART.finditer(masked):
            start, end = match.span()
            name = match[0]
            found.append((start, end, "name", name, weight_of(name, False)))
            if left <= start and end <= right:
                found += [(start, end, "word", part, WORD) for part in parts_of(name)]
        found += [(*match.span(), "literal", match[0], 0.8) for match in _OPTION.finditer(masked)]
        for match in _QUOTED.finditer(masked):
            found.append((*match.span(), "literal", match[1].strip(" .,;:"), 0.9 if len(match[1]) > 12 else 0.6))
        found += [(*match.span(), "literal", match[0], _NUMBER_WEIGHT) for match in _FIGURE.finditer(masked)]
    if right:
        found += _find_words(masked, left, right)
    return found


def _find_words(text: str, left: int, right: int) -> Iterator[PlacedTerm]:
    """The plain words that stand wholly within a part of a text."""
    begin = left
    while begin and text[begin - 1].isalnum():
        # A word that begins before the part is none of it, and neither is its rest.
        begin -= 1
    for match in _WORD.finditer(text, begin):
        start, end = match.span()
        if start >= right:
            break
        if left <= start and end <= right and (stemmed := stem_of(match[0])):
            yield (start, end, "word", stemmed, WORD)


def _read_codes(text: str, found: list[PlacedTerm], left: int, right: int) -> str:
    """Add what code spans name, and give the text without them."""
    pieces: list[str] = []
    at = 0
    for match in CODE.finditer(text):
        start, end = match.span()
        pieces += text[at:start], " " * (end - start)
        at = end
        with_words = left <= start and end <= right
        for kind, term, weight in _read_span(match[2]):
            found.append((start, end, kind, term, weight))
            if with_words and kind == "name":
                found += [(start, end, "word", part, WORD) for part in parts_of(term)]
    pieces.append(text[at:])
    return "".join(pieces)


@lru_cache(maxsize=4096)
def _read_span(text: str) -> tuple[tuple[str, str, float], ...]:
    """What one code span names; documents name the same things again and again."""
    code = _BROKEN.sub(" ", text).strip()
    names: dict[str, float] = {}
    literals: dict[str, float] = {}
    dotted = _DOTTED.fullmatch(code)
    if dotted is not None and not _FILE.search(dotted[1]):
        # `Session.cwd` looks like a file to `is_path`.
        names.update((name, weight_of(name, True)) for name in dotted[1].split(".") if len(name) > 2)
    else:
        _read_code(code, names, literals, [], [])
    literals.update((number, _NUMBER_WEIGHT) for number in _FIGURE.findall(code) if names or literals)
    return (
        *(("name", name, weight) for name, weight in names.items()),
        *(("literal", literal, weight) for literal, weight in literals.items()),
    )


def may_name(text: str) -> bool:
    """Whether a text may name something: a name, an option, a number or quoted words. Most sentences do not, and to
    see that takes a hundredth of the work of finding what they name."""
    if not text.isascii() and ("“" in text or _FOREIGN_DIGIT.search(text)):
        return True
    return bool(_load_signs()(text.encode("ascii", "ignore").translate(_CLASSES)))


@cache
def _load_signs() -> Callable[[bytes], object]:
    """A search for what every name and every literal text holds, in a text whose letters and digits are all one."""
    from ahocorasick_rs import BytesAhoCorasick, Implementation

    signs = [b"`", b'"', b"_", b"aA", b"AA", b"0A", b"--a", b"000", b"0.0"]
    find: Callable[[bytes], object] = BytesAhoCorasick(signs, implementation=Implementation.DFA).find_matches_as_indexes
    return find


def _read_code(
    code: str, names: dict[str, float], literals: dict[str, float], paths: list[str], targets: list[str]
) -> None:
    """Sort what stands in one code span."""
    if "://" in code:
        return
    targets += (match[1] for match in _COMMAND.finditer(code))
    found = [word for word in code.split() if is_path(word.strip("\"'(),;"))]
    paths += (word.strip("\"'(),;") for word in found)
    if is_path(code):
        return
    for option in _OPTION.findall(code):
        literals.setdefault(option, 0.8)
    rest = " ".join(word for word in code.split() if word not in found)
    for match in _NAME.finditer(rest):
        name = match[0]
        if (
            len(name) > 2
            and rest[match.start() - 1 : match.start()] != "-"
            and rest[match.end() : match.end() + 1] != "-"
        ):
            names[name] = max(names.get(name, 0.0), weight_of(name, True) * (1.0 if len(rest) < 60 else 0.7))
    literal = code.rstrip("()").strip()
    if not _NAME.fullmatch(literal) and len(literal) > 3 and not targets and any(map(str.isalnum, literal)):
        literals[literal] = min(1.0, 0.5 + 0.03 * len(literal))


def weight_of(name: str, in_code: bool) -> float:
    """How much a name says by itself: joined words more than one, code more than prose."""
    parts = _HUMP.findall(name)
    length = sum(map(len, parts))
    if len(parts) > 1 and length > 5:
        return min(1.0, 0.7 + 0.1 * (len(parts) - 1)) if in_code else min(1.0, 0.6 + 0.1 * (len(parts) - 1))
    return (0.5 if length > 5 else 0.35) if in_code else 0.25


def is_path(text: str) -> bool:
    """Whether a text looks like the path or name of a file."""
    if not 3 <= len(text) <= 300 or _NO_PATH.search(text) or "://" in text:
        return False
    head, slash, last = text.rstrip("/").rpartition("/")
    stem, dot, ending = last.rpartition(".")
    if dot and stem and 1 <= len(ending) <= 10 and ending[0].isalpha() and ending.isalnum():
        return bool(slash) or not stem.isdigit()
    return bool(slash) and bool(head) and head not in (".", "..") and not text.startswith("/")


@lru_cache(maxsize=16384)
def stem_of(word: str) -> str:
    """A word cut to what its forms share; empty where it says nothing."""
    word = word.lower()
    return "" if word in COMMON or len(word) < 3 else stem(word)


def parts_of(name: str) -> Iterator[str]:
    """The stems of the words that a name is joined from."""
    for part in _HUMP.findall(name):
        stem = stem_of(part)
        if stem and not stem.isdigit():
            yield stem


def places(text: str, term: str, most: int = MOST) -> Iterator[int]:
    """Where a term begins that stands by itself, the first ones."""
    head, tail, option = is_wordy(term[:1]), is_wordy(term[-1:]), term[:1] == "-"
    joined = option or "-" in term
    at, found = -1, 0
    for _ in range(_MOST_TRIED):
        at = text.find(term, at + 1)
        if at < 0 or found == most:
            return
        before, after = text[at - 1 : at] if at else "", text[at + len(term) : at + len(term) + 1]
        if (head or option) and (is_wordy(before) or (joined and before == "-")):
            continue
        if not (tail and (is_wordy(after) or (joined and after == "-"))):
            found += 1
            yield at


def stands(text: str, term: str) -> bool:
    """Whether a term stands by itself anywhere in a text."""
    return bool(term) and any(True for _ in places(text, term, 1))


def number_places(text: str, number: str, most: int = MOST) -> list[int]:
    """Where a number begins that is the same number, with or without marks between its digits.

    No part of a longer number, of a version, of a date, or of a name such as `L-1.1` and `sha-256`.
    """
    plain = number.replace(",", "").replace("_", "")
    size = len(plain.partition(".")[0])
    # A comma parts thousands; elsewhere it parts two numbers.
    digits = "".join(
        ("" if at in (0, size) else "[_,]?" if at < size and (size - at) % 3 == 0 else "_?") + re.escape(char)
        for at, char in enumerate(plain)
    )
    pattern = digits + r"(?![\w.]{0,40}\d)(?!-\d)(?!,\d{3}(?!\d))"
    found: list[int] = []
    # What comes before is looked at last: the search for a digit is quick only where the pattern begins with it.
    for match in re.finditer(pattern, text):
        if _is_begun(text, match.start()):
            continue
        found.append(match.start())
        if len(found) == most:
            break
    return found


def _is_begun(text: str, at: int) -> bool:
    """Whether a number goes on from what comes before it."""
    last, other = text[at - 1 : at] if at else "", text[at - 2 : at - 1] if at > 1 else ""
    if last == "-":
        return is_wordy(other)
    if last == "," and other.isdigit():
        return _THREE.match(text, at) is not None
    return is_wordy(last) or last == "."


def is_in_comment(before: str) -> bool:
    """Whether what comes behind the beginning of a line of code is in a comment."""
    return _COMMENT.match(before) is not None


def is_wordy(char: str) -> bool:
    """Whether a character belongs to words."""
    return char.isalnum() or char == "_"
