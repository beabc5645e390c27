"""Edits as a patch that `git apply` and `patch` take: unified, with the bytes as they are."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import cast

from ...core.model import Edit
from ...text.lines import split_lines
from .edits import apply_edits, fitting

Block = tuple[int, int, int, int]
"""Old lines from, to, and the new ones in their place; 0-based, half open."""

CONTEXT = 3
_LINE = re.compile(r"[^\n]*+\n|[^\n]++")
_UNENDED = "\\ No newline at end of file"


def patch_lines(path: str, text: str, edits: Iterable[Edit]) -> Iterator[str]:
    """The patch that makes some edits to a text, row by row without line ends; nothing where nothing changes.

    Lines end at LF alone, as they do for git: a CR is part of its line. The cost grows with the text and no faster.
    """
    made = fitting(len(text), edits)
    old = _lines(text)
    new = _lines(apply_edits(text, made))
    yield from _format_unified_diff(path, old, new, list(_blocks(text, old, made)))


def patch_between(path: str, old: str, new: str) -> Iterator[str]:
    """The patch from one text to another of which no edits are known."""
    from difflib import SequenceMatcher

    before, after = _lines(old), _lines(new)
    # Mostly little changed: what is the same at both ends need not be compared with everything else.
    head, tail = _same_ends(before, after)
    middle = before[head : len(before) - tail], after[head : len(after) - tail]
    changes = SequenceMatcher(None, *middle).get_opcodes()
    blocks = [tuple(head + at for at in change[1:]) for change in changes if change[0] != "equal"]
    yield from _format_unified_diff(path, before, after, cast("list[Block]", blocks))


def changed_lines(text: str, edit: Edit) -> tuple[list[str], list[str]]:
    """The lines that one edit touches, before and after."""
    starts = _find_line_starts(_lines(text))
    first, last = _find_touched_lines(starts, edit)
    begin, end = starts[first], starts[last + 1]
    before = text[begin:end]
    after = before[: edit.span.start - begin] + edit.replacement + before[edit.span.end - begin :]
    return split_lines(before), split_lines(after)


def _blocks(text: str, old: list[str], edits: Sequence[Edit]) -> Iterator[Block]:
    """The runs of whole lines that edits change."""
    starts = _find_line_starts(old)
    shift = at = 0
    while at < len(edits):
        first, last = _find_touched_lines(starts, edits[at])
        together = [edits[at]]
        at += 1
        while at < len(edits) and _find_touched_lines(starts, edits[at])[0] <= last + 1:
            together.append(edits[at])
            last = max(last, _find_touched_lines(starts, edits[at])[1])
            at += 1
        begin, end = starts[first], starts[last + 1]
        pieces: list[str] = []
        for edit in together:
            pieces += (text[begin : edit.span.start], edit.replacement)
            begin = edit.span.end
        before, after = old[first : last + 1], _lines("".join(pieces) + text[begin:end])
        head, tail = _same_ends(before, after)
        if head < max(len(before), len(after)):
            yield first + head, last + 1 - tail, first + shift + head, first + shift + len(after) - tail
            shift += len(after) - len(before)


def _same_ends(before: list[str], after: list[str]) -> tuple[int, int]:
    """How many lines are the same at the start and, of the others, at the end."""
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    return head, tail


def _format_unified_diff(path: str, old: list[str], new: list[str], blocks: Sequence[Block]) -> Iterator[str]:
    if not blocks:
        return
    yield f"--- {_quote_path('a/' + path)}"
    yield f"+++ {_quote_path('b/' + path)}"
    for group in _group_blocks(blocks):
        first, last = max(0, group[0][0] - CONTEXT), min(len(old), group[-1][1] + CONTEXT)
        start, end = group[0][2] - (group[0][0] - first), group[-1][3] + (last - group[-1][1])
        yield f"@@ -{_format_range(first, last)} +{_format_range(start, end)} @@"
        at = first
        for block in group:
            yield from _rows(" ", old[at : block[0]])
            yield from _rows("-", old[block[0] : block[1]])
            yield from _rows("+", new[block[2] : block[3]])
            at = block[1]
        yield from _rows(" ", old[at:last])


def _group_blocks(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks whose surroundings touch, together."""
    group: list[Block] = []
    for block in blocks:
        if group and block[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(block)
    yield group


def _rows(sign: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if line.endswith("\n"):
            yield sign + line[:-1]
        else:
            yield sign + line
            yield _UNENDED


def _format_range(first: int, last: int) -> str:
    # Of no lines at all, the line before them is named.
    count = last - first
    return f"{first + 1}" if count == 1 else f"{first + 1 if count else first},{count}"


def _quote_path(path: str) -> str:
    """A path as git writes it: in quotes where a byte could be misread, with a tab behind where a space is in it."""
    if any(char < " " or char in '"\\\x7f' for char in path) or not path.isprintable():
        data = path.encode("utf-8", "surrogateescape")
        return '"' + "".join(_quote_byte(byte) for byte in data) + '"'
    return path + "\t" if " " in path else path


def _quote_byte(byte: int) -> str:
    if byte in b'"\\':
        return "\\" + chr(byte)
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _lines(text: str) -> list[str]:
    """The lines with their ends; only LF ends one."""
    return _LINE.findall(text)


def _find_line_starts(lines: list[str]) -> list[int]:
    """Where each line begins, and where the text ends."""
    return list(accumulate(map(len, lines or [""]), initial=0))


def _find_touched_lines(starts: list[int], edit: Edit) -> tuple[int, int]:
    """The first and the last line an edit touches."""
    rows = len(starts) - 2
    first = min(rows, bisect_right(starts, edit.span.start) - 1)
    return first, min(rows, bisect_right(starts, edit.span.end) - 1)
