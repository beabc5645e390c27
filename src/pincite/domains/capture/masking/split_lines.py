"""Secrets that a line end cuts: a wrapped token, a string that goes on in the next line, a variable's value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .credential_kinds import FOLDED, URL, CredentialShape
from .cut_literals import REACH, list_cut_line_ends, list_cut_literals
from .environment import LEAST_CUT
from .plausibility import is_machine_made
from .rewrites import Edit, MaskingOutcome, Span, apply_edits, map_back

if TYPE_CHECKING:
    from .literals import Hit
    from .search import FoundSecrets, SecretSearch

MOST_LINES = 64
"""A secret that goes on over more lines is not put together."""
_TAIL = 12
"""How much of the last line is remembered: more than stands before a cut."""
_MOST_HEADS = 4
_LONGEST = 8192
_REGION = 2048
"""How far around a part of a value the rest of it is looked for."""
_RUN = re.compile(rb"(?:[A-Za-z0-9_.+/:~%@!#$^*?&-]++(?:=(?!=?[ \t]*\r?\n))*+)*+")
# The same quote on both sides, as of a string that is continued; or none.
_JOINT_SOURCE = (
    rb"(?:([\"'`])[ \t]{0,4}+(?:[+&.\\]|\|\|)?[ \t]{0,8}+\r?\n[ \t]{0,64}+(?:(?:[+.&]|\|\|)[ \t]{1,4}+)?[bfru]?\1"
    rb"|\r?\n[ \t]{0,64}+(?:[|>] ?)?|=\r?\n|[ \t]{0,8}+\\\r?\n[ \t]{0,64}+)"
)
_JOINT = re.compile(_JOINT_SOURCE)
_CUT = re.compile(rb"(?:[\"'`][ \t]{0,4}+(?:[+&.\\]|\|\|)?[ \t]{0,8}+)?\r?\n\Z")
"""What may turn out to be a joint when the next line is there."""
_HALF = re.compile(rb"(?:[^\r\n\"']{0,40}+[\"']){1,4}[^\r\n\"']{1,400}+\r?\n")
_SHORT = re.compile(rb"[A-Za-z_]{2,24}+[\"']?[ \t]{0,4}+[=:][ \t]{0,4}+[A-Za-z0-9+/_-]{1,3}+\r?\n")
_BEGUN = re.compile(rb"(?:[=: >\t]|[\"'`])[A-Za-z0-9+/_!#-]{1,400}\Z")
"""How the beginning of a value looks that is too short to be one."""
_VALUE = re.compile(rb"[A-Za-z0-9+/_.~!#$%^*@-]++(?:={1,2}(?=[\"'`;,&)\s]|\Z))?")
_CLOSERS = tuple(bytes((byte,)) for byte in b"\"'`;&,)<")
_JUNK = b"\"'`+&.\\= \t\r\n"
_SPLIT = re.compile(rb"[-_.:/+]")


class Chains:
    """Puts together what line ends cut, and remembers the end of the last line in case it cut a literal."""

    def __init__(self, search: SecretSearch) -> None:
        self._search = search
        self.before = b""
        """The end of the last line, where it may be the beginning of a literal."""

    def read(self, block: bytes, begin: int, found: FoundSecrets, out: MaskingOutcome, last: bool) -> None:
        """Adds to what was found in whole lines; says where a secret begins that may go on after the last of them."""
        if found.heads:
            self._read_heads(block, begin, found, out, last)
        self._read_crossings(block, begin, found.cut, out, last)
        if self._search.whole:
            self._read_values(block, found.hints, out, last)

    def _read_heads(self, block: bytes, begin: int, found: FoundSecrets, out: MaskingOutcome, last: bool) -> None:
        ends: dict[int, list[tuple[CredentialShape, int]]] = {}
        run_end = line_end = -1
        for start, _, shape in sorted((start, number, shape) for number, (shape, start) in enumerate(found.heads)):
            if start < begin:
                continue
            if start >= run_end:
                run = _RUN.match(block, start)
                run_end = run.end() if run is not None else start
            stop = run_end
            if _match_joint(block, stop, last) is None:
                if shape.judge is None:
                    continue
                if start >= line_end:
                    line_end = block.find(b"\n", start)
                    line_end = len(block) if line_end < 0 else line_end
                stop = _text_end(block, start, line_end, last)
                if stop < 0 or not _may_go_on(block, shape, start, stop):
                    continue
            if stop - start < _LONGEST:
                ends.setdefault(stop, []).append((shape, start))
        for stop, heads in ends.items():
            # So many secrets do not end with one line: the rest is no more than an attempt to cost time.
            for shape, start in heads if len(heads) <= 2 * _MOST_HEADS else heads[:_MOST_HEADS] + heads[-_MOST_HEADS:]:
                self._follow(block, shape, start, stop, out, last)

    def _read_crossings(self, block: bytes, begin: int, hits: list[Hit], out: MaskingOutcome, last: bool) -> None:
        """Literals that a line end cuts, also the last one of the lines before; `hits` are those in the block."""
        before = self.before
        moved = begin - len(before) if before else 0
        if before:
            seam = before + block[begin : begin + REACH]
            hits = [(index, start - moved, end - moved) for index, start, end in hits if start >= begin]
            hits += (hit for hit in self._search.find_cut_literals(seam) if hit[1] < len(before))
        end = block[max(begin if before else 0, len(block) - _TAIL) :]
        if len(end) < _TAIL:
            end = before + end
        self.before = end[-_TAIL:] if end.endswith(list_cut_line_ends()) else b""
        if not hits:
            return
        text = before + block[begin:] if before else block
        owners = [*list_cut_literals().values()]
        for start, index in sorted((start, index) for index, start, _ in hits):
            for shape, at in owners[index]:
                head = start + 1 - at
                if head >= 0:
                    joined = text[head : start + 1] + text[start + 2 : start + 2 + 32]
                    if joined.startswith(shape.literals):
                        self._cross(text, shape, head, start + 1, moved, out, last)

    def _cross(
        self, text: bytes, shape: CredentialShape, head: int, stop: int, moved: int, out: MaskingOutcome, last: bool
    ) -> None:
        """A literal that a line end cuts: what stands before the line end is known to all, and stays."""
        inner = MaskingOutcome()
        self._follow(text, shape, head, stop, inner, last)
        out.spans += [(start + moved, end + moved, name) for start, end, name in inner.spans if start >= stop]
        out.links += [(max(start, stop + 1) + moved, end + moved) for start, end in inner.links]
        if inner.open >= 0:
            out.open_at(max(0, stop + 1 + moved))

    def _follow(
        self, block: bytes, shape: CredentialShape, start: int, stop: int, out: MaskingOutcome, last: bool
    ) -> None:
        """Joins the rest of a line with the runs that begin the next ones, as long as they are part of the secret."""
        context = block[max(0, start - 40) : start]
        context = context[context.rfind(b"\n") + 1 :]
        pieces = [(len(context), start, stop - start)]
        joined = context + block[start:stop]
        place, kept, closing = stop, 0, b""
        match = shape.match(joined, len(context))
        satisfied = bool(
            match is not None and match.lastgroup != "open" and shape.spans(match) and match.end() == len(joined)
        )
        if not satisfied and _is_keyed(shape) and not _BEGUN.search(joined):
            return
        for _ in range(MOST_LINES):
            joint = _match_joint(block, place, last)
            if joint is None:
                break
            if joint.end() == len(block) and not last:
                if len(joined) < _LONGEST and (not satisfied or _can_grow(shape, joined, len(context))):
                    out.open_at(start)
                break
            run = (_VALUE if _is_keyed(shape) and shape is not URL else _RUN).match(block, joint.end())
            piece = run[0] if run is not None else b""
            # Another secret of the same kind begins anew; after a dot it is the next part of this one.
            anew = piece.startswith(shape.literals) and not joined.endswith(b".")
            if not piece or len(joined) > _LONGEST or anew:
                break
            whole = _JOINT.match(block, joint.end() + len(piece)) is not None or joint.end() + len(piece) == len(block)
            if not self._goes_on(shape, piece, satisfied, whole, block, joint):
                break
            tail = block[joint.end() + len(piece) : joint.end() + len(piece) + 1] if not whole else b""
            match = shape.match(joined + piece + tail, len(context))
            fits = match is not None and match.lastgroup != "open" and bool(shape.spans(match))
            if satisfied and (not fits or match is None or match.end() < len(joined) + 1):
                break
            pieces.append((len(joined), joint.end(), len(piece)))
            joined += piece
            if fits:
                satisfied, kept, closing = True, len(pieces), tail
            place = joint.end() + len(piece)
        if kept:
            self._hide(shape, joined, closing, len(context), pieces[:kept], out)

    @staticmethod
    def _goes_on(
        shape: CredentialShape, piece: bytes, satisfied: bool, whole: bool, block: bytes, joint: re.Match[bytes]
    ) -> bool:
        """Whether a run at the beginning of a line may be the rest of what the line before ends with."""
        if shape is URL:
            return (b"@" in piece or whole) and _is_machine_made_part(piece)
        if _is_keyed(shape):
            closed = whole or block[joint.end() + len(piece) : joint.end() + len(piece) + 1] in _CLOSERS
            return closed and _is_machine_made_part(piece)
        return not satisfied or _is_machine_made_part(piece)

    @staticmethod
    def _hide(
        shape: CredentialShape,
        joined: bytes,
        closing: bytes,
        at: int,
        pieces: list[tuple[int, int, int]],
        out: MaskingOutcome,
    ) -> None:
        end = pieces[-1][0] + pieces[-1][2]
        match = shape.match(joined[:end] + closing, at)
        if (
            match is None
            or match.lastgroup == "open"
            or (not is_machine_made(joined[at:end].replace(b"_", b"")[3:]) and shape.judge is None)
        ):
            return
        out.links.append((pieces[0][1], pieces[-1][1] + pieces[-1][2]))
        for first, stop in shape.spans(match):
            for offset, place, size in pieces:
                low, high = max(first, offset), min(stop, offset + size)
                if low < high:
                    out.spans.append((place + low - offset, place + high - offset, shape.name))

    def _read_values(self, block: bytes, hints: list[int], out: MaskingOutcome, last: bool) -> None:
        """Values of variables over line ends: around each part of one, and at the end of what is there."""
        done = 0
        for hint in hints:
            if hint < done:
                continue
            start = max(done, hint - _REGION)
            done = min(len(block), hint + _REGION)
            edits, squeezed = _take_joints_out(block[start:done])
            spans: list[Span] = []
            for value, name in self._search.whole.items():
                at = squeezed.find(value)
                while at >= 0:
                    spans.append((at, at + len(value), f"env:{name}"))
                    at = squeezed.find(value, at + len(value))
            found = [(start + low, start + high, name) for low, high, name in map_back(edits, spans)]
            found = [(_skip_short_line(block, low), high, name) for low, high, name in found]
            out.spans += found
            out.links += [(low, high) for low, high, _ in found]
        if not last:
            self._open_value(block, out)

    def _open_value(self, block: bytes, out: MaskingOutcome) -> None:
        start = max(0, len(block) - 3 * max(map(len, self._search.whole)) - 256)
        edits, squeezed = _take_joints_out(block[start:])
        for value in self._search.whole:
            for text in (squeezed, squeezed.rstrip(_JUNK)):
                sizes = range(min(len(value) - 1, len(text)), LEAST_CUT - 1, -1)
                size = next((size for size in sizes if text.endswith(value[:size])), 0)
                if size:
                    place = map_back(edits, [(len(text) - size, len(text) - size, "")])[0][0]
                    out.open_at(start + place)


def _skip_short_line(block: bytes, place: int) -> int:
    """The place, or the line after it where all but nothing stands before the line end: that much stays."""
    end = block.find(b"\n", place, place + LEAST_CUT + 1)
    text = block[place:end].rstrip(_JUNK) if end >= 0 else b""
    return end + 1 if end >= 0 and len(text) < LEAST_CUT else place


def _take_joints_out(text: bytes) -> tuple[list[Edit], bytes]:
    """What joins lines in a text, and the text without it."""
    edits = [(*joint.span(), b"") for joint in _JOINT.finditer(text) if b"\n" in joint[0]]
    return edits, apply_edits(text, edits)


def _match_joint(block: bytes, place: int, last: bool) -> re.Match[bytes] | None:
    """What stands between two lines of one text, as far as it is there."""
    return _JOINT.match(block, place) or (None if last else _CUT.match(block, place))


def _text_end(block: bytes, start: int, line_end: int, last: bool) -> int:
    """Where a line's text ends, if the next line may continue it; else -1."""
    low = max(start, line_end - 16)
    stop = low + len(block[low:line_end].rstrip(b" \t\r\\=+&."))
    if block[stop - 1 : stop] in (b'"', b"'", b"`") and stop - 1 > start and _match_joint(block, stop - 1, last):
        return stop - 1  # A quote that closes here is part of the joint where the next line opens one again.
    stop = low + len(block[low:line_end].rstrip(b" \t\r\\="))
    return stop if _JOINT.match(block, stop) else -1


def _may_go_on(block: bytes, shape: CredentialShape, start: int, stop: int) -> bool:
    """Whether the value after a key ends with the line, or does not end there."""
    match = shape.match(block, start)
    if match is not None and match.lastgroup != "open":
        return match.end() >= stop - 1
    return _HALF.match(block, start) is not None or _SHORT.match(block, start) is not None


def _is_keyed(shape: CredentialShape) -> bool:
    """Whether a shape is known by what stands before the secret alone."""
    return shape.judge is not None and shape not in FOLDED


def _is_machine_made_part(piece: bytes) -> bool:
    """Whether a part of a run between marks is no word and no number."""
    return (piece.isdigit() and len(piece) > 7) or any(
        len(part) > 3 and is_machine_made(part) for part in _SPLIT.split(piece)
    )


def _can_grow(shape: CredentialShape, joined: bytes, at: int) -> bool:
    """Whether the shape would take more, were there more."""
    match = shape.match(joined + b"a0", at)
    return match is not None and match.end() > len(joined)
