"""Which words go with a citation that goes: its brackets, the space before them, or one item of a row."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from ..claims import claim_before
from ..document import Document
from ..markup import unified
from ..model import Edit, Safety, Span
from .places import Enclosure, Places, enclosures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .validation import Detail

    Cut = tuple[Edit, tuple[int, ...]]

MARK = "[citation needed]"
"""What stays where a claim loses its only citation."""
_LITERAL = re.compile(re.escape(MARK), re.IGNORECASE)
# What may stand between two citations that are cited for the same words.
_JOINT = re.compile(r"[ \t]*(?:[,;&]|,?[ \t]*(?:and|or)(?=[ \t]))?[ \t]*")
_WORD = re.compile(r"[^\W_]")
_SPACES = " \t\u00a0\u202f"
# After these words a citation is part of the sentence: without it, something else would be missing.
_NOUN = re.compile(
    r"(?:^|[^\w])(?:about|above|according|across|after|against|along|also|alongside|and|as|at|before|below|between"
    r"|both|but|by|cf\.?|cite[sd]?|citing|compare[ds]?|consult|contra|despite|e\.g\.?|either|else|following|for|from"
    r"|given|i\.e\.?|if|in|into|like|neither|nor|of|on|onto|or|over|paper|papers|per|quoting|read|ref|refs|reference"
    r"|references|reviewed|see|source|sources|study|than|that|the|through|to|towards?|under|unlike|until|using|versus"
    r"|via|viz\.?|vs\.?|when|where|which|while|with|within|without)[ \t\u00a0\u202f]*\Z",
    re.IGNORECASE,
)
_STOPPED = re.compile(r"[.!?…][\"'”’»)\]*_~]{0,8}\s+\Z")
_GOES_ON = re.compile(r"[ \t]+[a-zà-öø-ÿ]")
_LOOK_BACK = 40


class Cutter:
    """Finds out for one document which words go with each citation that goes."""

    def __init__(
        self, path: str, text: str, details: Sequence[Detail], condemned: set[int], reasons: dict[int, str]
    ) -> None:
        self._document = Document(path, unified(text))
        self._prose = self._document.prose
        self._details = details
        self._condemned = condemned
        self._reasons = reasons
        self._places = Places(self._document)
        spans = [detail.span for detail in details]
        self._enclosed = enclosures(self._prose, spans, [one.result.ref_id[:1] == "@" for one in details])

    def cuts(self) -> list[Cut]:
        """Each edit with the citations it takes out; for those that stay the reason is noted."""
        found: list[Cut] = []
        whole: set[int] = set()
        """Where the brackets begin that go altogether."""
        for one in dict.fromkeys(self._enclosed):
            if one is None:
                continue
            gone = [item.index for item in one.items if item.index in self._condemned]
            objection = self._places.objection(one.start, one.end) if gone else ""
            if objection:
                self._reasons.update(dict.fromkeys(gone, objection))
            elif len(gone) == len(one.items):
                whole.add(one.start)
            elif gone:
                found += self._from_row(one)
        for number in self._condemned:
            if self._enclosed[number] is None:
                span = self._details[number].span
                kind = self._places.kind(span.start, span.end)
                self._reasons[number] = kind or "it is part of the sentence, which would be broken without it"
        for chain in self._chains(whole):
            found += self._from_chain(chain, whole)
        return found

    def _from_row(self, row: Enclosure) -> list[Cut]:
        """The items that go out of brackets that stay, each with one separator."""
        found: list[Cut] = []
        leading = True
        for at, item in enumerate(row.items):
            if item.index not in self._condemned:
                leading = False
            elif leading:
                found.append((_cut(item.start, row.items[at + 1].start), (item.index,)))
            else:
                found.append((_cut(row.items[at - 1].end, item.end), (item.index,)))
        return found

    def _chains(self, whole: set[int]) -> list[list[Enclosure]]:
        """Brackets that follow one another and hold some that go; marks of lost citations count as brackets."""
        if not whole:
            return []
        members = [one for one in dict.fromkeys(self._enclosed) if one is not None]
        members += [Enclosure(match.start(), match.end(), ()) for match in _LITERAL.finditer(self._prose)]
        members.sort(key=lambda one: one.start)
        chains: list[list[Enclosure]] = []
        for one in members:
            last = chains[-1][-1] if chains else None
            if last is not None and last.end <= one.start and _JOINT.fullmatch(self._prose, last.end, one.start):
                chains[-1].append(one)
            else:
                chains.append([one])
        return [chain for chain in chains if any(one.start in whole for one in chain)]

    def _from_chain(self, chain: list[Enclosure], whole: set[int]) -> list[Cut]:
        staying = [one.start not in whole for one in chain]
        if not any(staying):
            start, end = chain[0].start, chain[-1].end
            numbers = tuple(item.index for one in chain for item in one.items)
            if self._is_supported(start, end):
                clean = self._clean_cut(start, end)
                if clean is not None:
                    return [(clean, numbers)]
            return [(Edit(Span(start, end), MARK, Safety.UNSAFE), numbers)]
        found: list[Cut] = []
        for at, one in enumerate(chain):
            if not staying[at]:
                numbers = tuple(item.index for item in one.items)
                leading = not any(staying[:at])
                cut = _cut(one.start, chain[at + 1].start) if leading else _cut(chain[at - 1].end, one.end)
                found.append((cut, numbers))
        return found

    def _is_supported(self, start: int, end: int) -> bool:
        """Whether the sentence before these brackets has another citation that stays."""
        sentence = self._sentence(start, end)
        for number in self._near(start):
            detail = self._details[number]
            if number in self._condemned or detail.result.checks.in_corpus is not True:
                continue
            one = self._enclosed[number]
            place = (one.start, one.end) if one is not None else (detail.span.start, detail.span.end)
            if self._sentence(*place) == sentence:
                return True
        return False

    def _near(self, start: int) -> list[int]:
        """The citations close enough to be of the same sentence, in a bounded number."""
        at = bisect_left(self._details, start, key=lambda detail: detail.span.start)
        return list(range(max(0, at - _LOOK_BACK), min(len(self._details), at + _LOOK_BACK)))

    def _sentence(self, start: int, end: int) -> int:
        """Where the sentence begins that a citation supports; its own place where it begins one."""
        before = self._prose[max(0, start - _LOOK_BACK) : start]
        if _STOPPED.search(before) and _GOES_ON.match(self._prose, end):
            return start
        claim = claim_before(self._document, start)
        return claim.start if claim is not None else start

    def _clean_cut(self, start: int, end: int) -> Edit | None:
        """The edit that leaves nothing behind; None where the words around would not stand without the brackets."""
        prose = self._prose
        line = self._places.line_before(start)
        if not _WORD.search(line) or _NOUN.search(line[-_LOOK_BACK:]) or claim_before(self._document, start) is None:
            return None
        after = prose[end : end + 1]
        if line[-1] in _SPACES:
            begin = start if after.isalnum() else start - 1
            if not after or after in "\n.,;:!?":
                begin = start - (len(line) - len(line.rstrip(_SPACES)))
            return _cut(begin, end)
        return _cut(start, end) if (line[-1].isalnum() or line[-1] in '.,;:!?"”’»)') and not after.isalnum() else None


def _cut(start: int, end: int) -> Edit:
    return Edit(Span(start, end), "", Safety.UNSAFE)
