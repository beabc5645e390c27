"""What was changed between a passage and its quote, word by word, the gravest first; and which part of both to show."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from msgspec import Struct

from ..text.lines import shorten
from ..text.unspaced_scripts import LETTERS, MARKS, count_letters, count_words, join_words
from .fold import LOOSE, SOFT, are_forms_equal, form_of, key_lines, key_of, normalize_text
from .weighty_words import OPENERS, classify_word_change, core, has_negation_change, is_name, is_unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_BEFORE = 24
"""Characters that are shown in front of the first change."""
_FITS = 60
"""Characters in front of a change that are shown with it, where it stands no further on."""
_MOST_NAMED = 3
# Words end at white space and at long dashes; a hyphen at the end of a line does not end one.
_TOKEN = re.compile("(?:[\u00ad\x02\ufffe][^\\S\n]*\n\\s*|(?<=\\w)[-\u2010][^\\S\n]*\n\\s*|[^\\s\u2014\u2015])+")
# Letters of scripts without spaces are words of their own, with the signs around them.
_OPENS, _ENDS = "「『《〈（【［〔“‘(\\[\"'", "，。、；：？！」』》〉）】］〕”’…,.;:?!)\\]\"'"
_LETTER_TOKEN = re.compile(
    f"[{_OPENS}]*[{LETTERS}][{MARKS}]*[{_ENDS}]*"
    f"|(?:[\u00ad\x02\ufffe][^\\S\n]*\n\\s*|(?<=\\w)[-\u2010][^\\S\n]*\n\\s*|[^\\s\u2014\u2015{LETTERS}「『《〈（【［〔])+"
)
_DASHES = "-‐‑‒–—―−"
_FIGURE = re.compile(r"[^\w.,%‰±+\-/:^°]")
_OPENING = "('[{<《〈【〔" + '"'
_CLOSING = ".,;:!?)]}>'。、》〉】〕" + '"'
_BROKEN = re.compile(f"(?<=[^\\W\\d_]){SOFT}(?=[^\\W\\d_])")
_MARK = re.compile(f"[{MARKS}]")
_NUMERAL = re.compile("[0-9]")
_AROUND = "()[]{}.,;:!?'。、" + '"'
_GRAVITY = {"number": 0, "negation": 1, "name": 2}
_MOST = 40
_SMALL = 200
_FEW = 3


def show_first_change(quoted: str, there: str, limit: int) -> tuple[str, str]:
    """Two texts, each at most `limit` characters, from a little in front of where they begin to differ."""
    at = next((at for at, (one, other) in enumerate(zip(quoted, there, strict=False)) if one != other), None)
    at = min(len(quoted), len(there)) if at is None else at
    words = quoted[:at].split()
    return shorten(_cut(quoted, words), limit), shorten(_cut(there, words), limit)


def show_marked_change(quoted: str, there: str, limit: int) -> tuple[str, str]:
    """A quote and its passage with marks around what changed, each from a little in front of the first mark."""
    places = [(line, at) for line, mark in ((quoted, "{+"), (there, "[-")) if (at := line.find(mark)) >= 0]
    if not places:
        return shorten(quoted, limit), shorten(there, limit)
    # Up to the first change both have the same words, whatever their signs.
    words = min((line[:at].split() for line, at in places), key=len)
    return shorten(_cut(quoted, words), limit), shorten(_cut(there, words), limit)


def _cut(line: str, before: list[str]) -> str:
    """A line from some words in front of its change on; `before` has all words in front of it."""
    size = sum(map(len, before)) + len(before)
    if size <= _FITS:
        return line
    kept = len(before)
    size = 0
    while kept and size + len(before[kept - 1]) < _BEFORE:
        kept -= 1
        size += len(before[kept]) + 1
    rest = line.split(" ", kept)
    return f"…{rest[kept]}" if len(rest) > kept else line


def name_hidden(quoted: str, there: str) -> str:
    """What distinguishes two texts that look the same, by name; empty where a reader sees it."""
    ours, theirs = set(quoted) - set(there), set(there) - set(quoted)
    if ours and theirs and len(quoted) == len(there):
        pairs = dict.fromkeys((one, other) for one, other in zip(quoted, there, strict=True) if one != other)
        if all(_is_twin(one, other) for one, other in pairs):
            named = [f"{_name(one)} for {_name(other)}" for one, other in list(pairs)[:_MOST_NAMED]]
            return ", ".join(named)
    hidden = sorted(sign for sign in ours | theirs if _is_hidden(sign))
    if not hidden or "".join(filter(_is_seen, quoted)) != "".join(filter(_is_seen, there)):
        return ""
    sides = [f"{_name(sign)} {'in the quote' if sign in ours else 'there'}" for sign in hidden[:_MOST_NAMED]]
    return ", ".join(sides)


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cf", "Cc", "Mn", "Zs", "Zl", "Zp") and sign != " "


def _is_seen(sign: str) -> bool:
    return not _is_hidden(sign) and sign != " "


def _is_twin(one: str, other: str) -> bool:
    """Whether two letters are of different alphabets, so that they may look alike."""
    if not (one.isalpha() and other.isalpha()):
        return False
    return unicodedata.name(one, "").partition(" ")[0] != unicodedata.name(other, "").partition(" ")[0]


def _name(sign: str) -> str:
    return f"U+{ord(sign):04X} {unicodedata.name(sign, 'without a name')}"


class WordChange(Struct, frozen=True):
    """One change: the words in the quote and what stands there; either may be empty."""

    kind: str
    """number, negation, name, word, omitted, added, case or punctuation."""
    quoted: str
    there: str


class QuoteToken(Struct, frozen=True):
    """A word with the signs around it, and where it stands."""

    text: str
    form: str
    id: bytes
    numeric: bool
    start: int
    end: int


def words(text: str) -> tuple[list[tuple[int, int]], list[bytes]]:
    """Where the words of a text stand, and what they are known by: letters and digits, else their signs."""
    # A dash alone parts words as a long one does, and long ones are no words either.
    pattern = _LETTER_TOKEN if count_letters(text) else _TOKEN
    spans = [match.span() for match in pattern.finditer(text) if match[0].strip(_DASHES)]
    names = key_lines("\n".join([text[start:end].replace("\n", "") for start, end in spans])) if spans else []
    for at, name in enumerate(names):
        if not name:
            names[at] = form_of(text[slice(*spans[at])]).encode("utf-8", "surrogatepass")
    return spans, names


def tokens(text: str) -> list[QuoteToken]:
    """The words of a text, each with its form."""
    found: list[QuoteToken] = []
    for (start, end), name in zip(*words(text), strict=True):
        form = form_of(text[start:end]).replace(LOOSE, "").strip(" ")
        found.append(QuoteToken(text[start:end], form, name, _numeric(form), start, end))
    return found


Pair = tuple[QuoteToken | None, QuoteToken | None]
"""A word of the quote and the word there; one of them may be missing."""


def align(quoted: Sequence[QuoteToken], there: Sequence[QuoteToken]) -> list[Pair]:
    """Both in order, words that are alike side by side, as many as can be."""
    from rapidfuzz.distance import Levenshtein

    pairs: list[Pair] = []
    i = j = 0
    changes = Levenshtein.opcodes([token.id for token in quoted], [token.id for token in there])
    for same in changes.as_matching_blocks():
        pairs += _pair_changed_words(quoted[i : same.a], there[j : same.b])
        i, j = same.a + same.size, same.b + same.size
        pairs += zip(quoted[same.a : i], there[same.b : j], strict=True)
    return pairs


def _pair_changed_words(quoted: Sequence[QuoteToken], there: Sequence[QuoteToken]) -> list[Pair]:
    """Words that have no equal, each beside the one it most likely replaced."""
    if not quoted or not there or len(quoted) * len(there) > _SMALL:
        size = min(len(quoted), len(there))
        rest: list[Pair] = [(token, None) for token in quoted[size:]]
        rest += [(None, token) for token in there[size:]]
        return [*zip(quoted[:size], there[:size], strict=True), *rest]
    width = len(there) + 1
    cost = [[float(j) for j in range(width)]]
    for i, one in enumerate(quoted, 1):
        row = [float(i)]
        for j, other in enumerate(there, 1):
            row.append(min(cost[i - 1][j] + 1, row[j - 1] + 1, cost[i - 1][j - 1] + 1 + _unlike(one, other)))
        cost.append(row)
    pairs: list[Pair] = []
    i, j = len(quoted), len(there)
    while i or j:
        if i and j and cost[i][j] == cost[i - 1][j - 1] + 1 + _unlike(quoted[i - 1], there[j - 1]):
            i, j = i - 1, j - 1
            pairs.append((quoted[i], there[j]))
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
            pairs.append((quoted[i], None))
        else:
            j -= 1
            pairs.append((None, there[j]))
    return pairs[::-1]


def _unlike(one: QuoteToken, other: QuoteToken) -> float:
    """From 0 to 0.9: how little two different words have in common, by their ends."""
    a, b = one.id, other.id
    size = min(len(a), len(b))
    ahead = next((at for at in range(size) if a[at] != b[at]), size)
    behind = next((at for at in range(size - ahead) if a[-1 - at] != b[-1 - at]), size - ahead)
    share = (ahead + behind) / max(len(a), len(b))
    return 0.9 * (1 - share) * (0.5 if one.numeric and other.numeric else 1.0)


def _numeric(text: str) -> bool:
    return _NUMERAL.search(text) is not None or (not text.isascii() and any(sign.isnumeric() for sign in text))


def compare(quoted: Sequence[QuoteToken], there: Sequence[QuoteToken]) -> tuple[tuple[WordChange, ...], float]:
    """The changes, gravest first, and how alike both are, from 0 to 1."""
    pairs = align(quoted, there)
    edits: list[WordChange] = []
    loss = 0.0
    begins = True
    run: list[Pair] = []
    for at, pair in enumerate(pairs):
        one, other = pair
        if run and ((one is not None and other is not None) or (run[0][0] is None) != (one is None)):
            edits.append(_alone(run))
            run = []
        if one is None or other is None:
            run.append(pair)
            loss += 1
        else:
            edit = _edit(one, other, begins, at == 0, at == len(pairs) - 1)
            if edit is not None:
                loss += 0.1 if edit.kind in ("case", "punctuation") else 0.4 + 0.6 * _unlike(one, other)
                edits.append(edit)
        begins = (other or one or quoted[0]).form.endswith((".", "!", "?", ":", ".'"))
    if run:
        edits.append(_alone(run))
    return by_gravity(edits)[:_MOST], max(0.0, 1 - loss / max(len(quoted), len(there), 1))


def by_gravity(edits: Iterable[WordChange]) -> tuple[WordChange, ...]:
    """Numbers, negations and names first, the rest as it comes."""
    return tuple(sorted(edits, key=lambda edit: _GRAVITY.get(edit.kind, 3)))


def differ(one: QuoteToken, other: QuoteToken, first: bool, last: bool) -> bool:
    """Whether two words that stand side by side are not the same; at the ends of a quote its own signs count less."""
    return _edit(one, other, False, first, last) is not None


def _edit(one: QuoteToken, other: QuoteToken, begins: bool, first: bool, last: bool) -> WordChange | None:
    """The change between two words that stand side by side; None where there is none."""
    quoted, there = one.form, other.form
    if are_forms_equal(there, quoted):
        return None
    if first and not quoted.startswith(tuple(_OPENING)):
        there = there.lstrip(_OPENING) or there
    if last:
        if not quoted.endswith(tuple(_CLOSING)):
            there = there.rstrip(_CLOSING) or there
        elif not are_forms_equal(there, quoted):
            quoted = quoted.rstrip(".,;") or quoted
            there = there.rstrip(_CLOSING) or there
    if are_forms_equal(there, quoted):
        return None
    shown = _plain(quoted), _plain(there)
    if shown[0] == shown[1]:
        # They differ by a hyphen that ends a line, or by where a line may end.
        shown = _show_line_breaks(quoted), _show_line_breaks(there)
    return WordChange(_kind(one, other, *shown, begins), *shown)


def _kind(one: QuoteToken, other: QuoteToken, quoted: str, there: str, begins: bool) -> str:
    if one.id == other.id:
        if _numeric(quoted):
            shapes = [_FIGURE.sub("", text).strip(".,:").lower() for text in (quoted, there)]
            return "number" if shapes[0] != shapes[1] else "case" if quoted.lower() == there.lower() else "punctuation"
        if is_unit(quoted) and len(core(quoted)) > 1:
            # Milli and mega differ by nothing else.
            return "number"
        if has_negation_change(quoted, there):
            return "negation"
        if count_letters(quoted) and _MARK.findall(quoted) != _MARK.findall(there):
            # Vowels and tones are signs on their letters.
            return "word"
        return (
            "case"
            if key_of(quoted) == key_of(there) and _keep_letters(quoted) != _keep_letters(there)
            else "punctuation"
        )
    kind = classify_word_change(quoted, there)
    if kind == "name" and begins and not (is_name(quoted) and is_name(there) and _proper(quoted) and _proper(there)):
        return "word"
    return kind or "word"


def _proper(text: str) -> bool:
    """Whether a word at the beginning of a sentence has its capital of its own, as far as a short list can tell."""
    return core(text).lower() not in OPENERS


def _keep_letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _alone(run: Sequence[Pair]) -> WordChange:
    """Words that only one side has; a few that weigh are reported by what they weigh."""
    quoted = join_words([_plain(one.form) for one, _ in run if one is not None])
    there = join_words([_plain(other.form) for _, other in run if other is not None])
    text = quoted or there
    kind = classify_word_change(quoted, there) if len(run) <= _FEW or count_words(text) <= _FEW else ""
    if kind == "name" and len(run) > 1:
        kind = ""
    if not kind and not core(text):
        kind = "punctuation"
    return WordChange(kind or ("added" if quoted else "omitted"), quoted, there)


def _plain(form: str) -> str:
    """A form for people: a hyphen at a line's end shows where it must belong to the word."""
    return _BROKEN.sub("", form.replace(LOOSE, "")).replace(SOFT, "-")


def _show_line_breaks(form: str) -> str:
    """A form for people in which hyphens and gaps at the ends of lines show."""
    return form.replace(SOFT, "-").replace(LOOSE, " ").strip()


def describe(edits: Sequence[WordChange]) -> str:
    """The changes on one line, as they come."""
    return "; ".join(map(_describe_change, edits))


def _describe_change(edit: WordChange) -> str:
    # Without the signs around both, where that is not all that differs.
    quoted, there = (text.strip(_AROUND) or text for text in (edit.quoted, edit.there))
    if quoted == there:
        quoted, there = edit.quoted, edit.there
    weighty = f"the {edit.kind} " if edit.kind in _GRAVITY else ""
    if not there:
        return f"{weighty}“{quoted}” is added"
    if not quoted:
        return f"{weighty}“{there}” is left out"
    if edit.kind == "negation":
        return f"the negation changed: {quoted} is {there} there"
    hidden = f" ({names})" if (names := name_hidden(quoted, there)) else ""
    return f"{weighty}{quoted} is {there} there{hidden}" if weighty else f"“{quoted}” is “{there}” there{hidden}"


def mark_changes(quote: str, passage: str, edits: Sequence[WordChange]) -> tuple[str, str]:
    """Quote and passage on one line each, changed words in the quote as `{+new+}`, in the passage as `[-old-]`."""
    quote, passage = (" ".join(normalize_text(text).split()) for text in (quote, passage))
    pairs = align(tokens(quote), tokens(passage))
    quoted = {core(word.form) for edit in edits for word in tokens(edit.quoted)}
    there = {core(word.form) for edit in edits for word in tokens(edit.there)}
    ours = [(one, other) for one, other in pairs if one is not None]
    theirs = [(other, one) for one, other in pairs if other is not None]
    return _line(quote, ours, quoted, ("{+", "+}")), _line(passage, theirs, there, ("[-", "-]"))


def _line(
    text: str, pairs: Sequence[tuple[QuoteToken, QuoteToken | None]], changed: set[str], marks: tuple[str, str]
) -> str:
    """A text with marks around its changed words."""
    shown: list[str] = []
    at = 0
    for token, other in pairs:
        if (other is None or not are_forms_equal(token.form, other.form)) and core(_plain(token.form)) in changed:
            shown += [text[at : token.start], marks[0], token.text, marks[1]]
            at = token.end
    return "".join([*shown, text[at:]]).replace(f"{marks[1]} {marks[0]}", " ").replace(marks[1] + marks[0], "")
