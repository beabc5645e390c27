"""Cited words that are not in their file any more, looked for in all other files: what is left where no history tells.

The witness is a snippet, or lines that were locked. That the same words stand elsewhere does not show that they are
meant, so whatever is offered needs a reader. All files are read once, when something is first looked for; where they
are too many or too large in all, nothing is offered.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ...checks.wording import add_candidates, add_same_words
from ...core.errors import Refused, Unreadable
from ...core.model import Lines, Place
from ...history import find_block
from ...history.likeness import weight
from ...history.model import CitedPassage, FollowedText, TraceResult
from ...history.tree_files import TreeFiles
from ...history.without_history import find, stem
from ...store import ACCEPTED, LOCK
from ...text.document import is_in_memories
from ...text.evidence import Evidence
from ...text.lines import decode, format_count, join, split_lines
from ...text.snippets import has_snippet
from .lines import PAST_END, find_new_place, strip_white_space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...checks import CheckedCitation
    from ...core.model import Citation, Finding, Obstacle
    from ...sources import World
    from ...store.lock_entry import LockedLines
    from ...text.document import Document

_LOST = frozenset(("file-not-found", "snippet-mismatch", "lines-deleted", "lines-edited", *PAST_END))
_LEAST = 10
"""Letters and digits that a snippet must have: what is shorter stands anywhere."""
_MOST_PLACES = 200
_MOST_KEPT = 10_000
_MOST_FILES = 5
"""Files of one name beyond which the name says nothing."""
_RAREST = 5
_WORD = re.compile(r"\w+")
# Where another memory cites the same words, they are no evidence.
_CITED = re.compile(r"""[\s\-{,]*["']?snippet["']?\s*:""")


class Bounds(Struct, frozen=True):
    """How much is looked through."""

    files: int = 20_000
    bytes: int = 256 * 1024 * 1024
    largest: int = 1024 * 1024
    """A larger file is left out."""
    searched: int = 32 * 1024 * 1024 * 1024
    """Bytes that are looked through in all, each time they are."""


class OtherFileMatch(Struct, frozen=True):
    """What was found out about lost words."""

    why: str
    places: tuple[Place, ...] = ()
    """One is an answer, several are candidates."""


class Searcher:
    """Looks for the lost words of one document after another."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        self._bounds = bounds or Bounds()
        self._data: dict[str, bytes] | None = None
        self._size = self._too_large = 0
        self._searched = 0
        self._stems: dict[str, list[str]] = {}
        self._holding = lru_cache(_MOST_KEPT)(self._search)
        self._found: dict[tuple[str, str, str], OtherFileMatch | None] = {}

    def follow(
        self, document: Document, rows: Sequence[CheckedCitation], locked: dict[int, LockedLines], world: World
    ) -> None:
        """Add to findings about lost words where these stand now; `locked` has what rows rested on, by identity."""
        for row in rows:
            citation, evidence, findings = row.citation, row.evidence, row.findings
            if citation.source.scheme != "file" or not _is_lost(findings):
                continue
            known = locked.get(id(row))
            if citation.quote is not None:
                found = self._words(document, citation, evidence, world)
            elif known is not None and known.sure:
                found = self._lines(document, evidence, known, world)
            else:
                continue
            if found is not None:
                at = next(at for at, finding in enumerate(findings) if finding.check in _LOST)
                then = [citation.quote.exact] if citation.quote is not None else _get_locked_lines(known)
                added = _add_found_places(document, citation, findings[at], found, then, world)
                row.findings = (*findings[:at], added, *findings[at + 1 :])

    def _words(
        self, document: Document, citation: Citation, evidence: Evidence | Obstacle, world: World
    ) -> OtherFileMatch | None:
        """Where a snippet stands."""
        words = citation.quote.exact if citation.quote is not None else ""
        at_home = isinstance(evidence, Evidence)
        if weight(words) < _LEAST or (
            isinstance(evidence, Evidence) and any(has_snippet(words, line) for line in evidence.lines)
        ):
            return None
        every = self._holding(words) if self._read(world) is not None else []
        if len(every) > _MOST_PLACES:
            return None
        held = [
            Place(path, Lines(number, number))
            for path, number, line in every
            if path not in (document.path, LOCK, ACCEPTED)
            and not is_in_memories(path, document.memories)
            and not _CITED.match(line)
        ]
        if len(held) > 1 and not at_home:
            name = citation.source.key.rpartition("/")[2]
            namesakes = [place for place in held if place.path.rpartition("/")[2] == name]
            if len(namesakes) == 1:
                return OtherFileMatch(
                    "of all files of that name, the same words stand only in this one", (namesakes[0],)
                )
        return self._elsewhere(held)

    def _elsewhere(self, held: Sequence[Place]) -> OtherFileMatch | None:
        if not held:
            return None
        if len(held) > 1:
            return OtherFileMatch("the same words stand at several places", tuple(held))
        skipped = f"; {format_count(self._too_large, 'large file')} not looked at" if self._too_large else ""
        return OtherFileMatch(f"the same words stand only there{skipped}", (held[0],))

    def _lines(
        self, document: Document, evidence: Evidence | Obstacle, locked: LockedLines, world: World
    ) -> OtherFileMatch | None:
        """Where locked lines stand between the lines that were around them."""
        key = (document.path, locked.id, locked.digest)
        self._read(world)
        if key not in self._found:
            if len(self._found) > _MOST_KEPT:
                self._found.clear()
            path = join("", evidence.source.key) if isinstance(evidence, Evidence) else locked.path
            self._found[key] = self._find(document, path, locked, world)
        return self._found[key]

    def _find(self, document: Document, path: str, locked: LockedLines, world: World) -> OtherFileMatch | None:
        # Of very many lines only the first were kept; whether the rest follows, the digest says.
        text = tuple(_get_locked_lines(locked))
        first = locked.lines.first
        after = locked.after if locked.text else ()
        passage = CitedPassage(Lines(first, first + len(text) - 1), text, locked.before, after, path)
        data = self._read(world)
        paths = self._likely(passage, data, {document.path, LOCK, ACCEPTED}) if data is not None and text else []
        files = TreeFiles(paths, lambda some: [_text(data[path]) for path in some] if data is not None else [])
        files.expect([passage])
        answer = find(passage, files) if paths else FollowedText(TraceResult.AMBIGUOUS)
        if (
            answer.became is TraceResult.AMBIGUOUS
            and answer.candidates
            and all(one.path != path for one in answer.candidates)
        ):
            return self._elsewhere(answer.candidates)
        place = answer.place
        if answer.became is TraceResult.GONE and len(text) > 1 and not (locked.before or locked.after):
            # All of a file was cited: there are no neighbours to ask.
            return self._elsewhere(_copies(passage, paths, files)) if locked.text else None
        if place is None or place.lines is None or place.path == path:
            return None
        if not locked.text:
            place = Place(place.path, Lines(place.lines.first, place.lines.first + locked.lines.last - first))
        now = files.text(place.path)
        block = now.lines[place.lines.first - 1 : place.lines.last] if now is not None and place.lines else []
        same = strip_white_space(block) == strip_white_space(text) if locked.text else locked.is_same(block)
        return self._elsewhere((place,)) if same else None

    def _likely(self, passage: CitedPassage, data: dict[str, bytes], hidden: set[str]) -> list[str]:
        """The file a passage stood in, those of its name, and all that have a word of each of its lines."""
        lines = sorted((line for line in passage.text if weight(line) > 2), key=weight, reverse=True)[:_RAREST]
        needles = [max(_WORD.findall(line), key=len).encode(errors="surrogatepass") for line in lines]
        if not needles or not self._may_search(len(data)):
            return []
        namesakes = self._stems.get(stem(passage.path), [])
        paths = {passage.path, *(namesakes if len(namesakes) <= _MOST_FILES else ())}
        paths.update(path for path, text in data.items() if all(needle in text for needle in needles))
        paths = {path for path in paths if path in data} - hidden
        if passage.path not in paths and sum(path in paths for path in namesakes) > _MOST_FILES:
            return []
        return sorted(paths)

    def _search(self, words: str) -> list[tuple[str, int, str]]:
        """The lines of all files that hold some words: path, number and text."""
        data = self._data or {}
        if not self._may_search(len(data)):
            return []
        found: list[tuple[str, int, str]] = []
        needle = words.encode(errors="surrogatepass")
        for path, text in data.items():
            if needle in text:
                lines = split_lines(_text(text) or "")
                found += [(path, number, line) for number, line in enumerate(lines, 1) if has_snippet(words, line)]
                if len(found) > _MOST_PLACES:
                    break
        return found[: _MOST_PLACES + 1]

    def _may_search(self, files: int) -> bool:
        """Count one more pass over all files; whether it is still within bounds."""
        self._searched += self._size + files
        return self._searched <= self._bounds.searched

    def _read(self, world: World) -> dict[str, bytes] | None:
        """All texts by path; None where they are too many or too large in all."""
        names = world.tree.paths()
        if self._data is None:
            self._data = {}
            if len(names) <= self._bounds.files:
                self._take_in(names, world)
                # The first question makes the answers depend on every file; see `Tree`.
                world.touched.update(dict.fromkeys(names))
        return self._data or None

    def _take_in(self, names: Sequence[str], world: World) -> None:
        data: dict[str, bytes] = {}
        known: dict[tuple[int, int], str] = {}
        root, bounds = world.root, self._bounds
        for name in names:
            info = root.stat(name)
            if info is not None and info.st_size > bounds.largest:
                self._too_large += 1
                continue
            try:
                text, info = root.take(name, bounds.largest)
                path = root.locate(name) if (info.st_dev, info.st_ino) in known else name
            except Refused:
                continue
            if b"\0" in text:
                continue
            # One file under two names, by a link, is one place.
            earlier = known.get((info.st_dev, info.st_ino))
            if earlier is not None:
                self._size -= len(data.pop(earlier))
            known[info.st_dev, info.st_ino] = path
            data[path] = text
            self._size += len(text)
            if self._size > bounds.bytes:
                return
        for path in data:
            self._stems.setdefault(stem(path), []).append(path)
        self._data = data


def _is_lost(findings: Sequence[Finding]) -> bool:
    """Whether words are not where they were and nothing says yet where they are."""
    lost = [finding for finding in findings if finding.check in _LOST]
    return bool(lost) and all(finding.edit is None and finding.place is None for finding in findings)


def _add_found_places(
    document: Document, citation: Citation, finding: Finding, found: OtherFileMatch, then: list[str], world: World
) -> Finding:
    """A finding with where its words stand now, and the edit for a reader where that is one place."""
    if len(found.places) > 1:
        return add_candidates(finding, found.why, found.places)
    (place,) = found.places
    there = world.file(place.path)
    lines = there.block(place.lines) if isinstance(there, Evidence) and place.lines is not None else []
    to = find_new_place(document, citation, place, True) if lines else None
    return finding if to is None or to.edit is None else add_same_words(finding, found.why, then, lines, to)


def _copies(passage: CitedPassage, paths: Sequence[str], files: TreeFiles) -> list[Place]:
    """Every place in other files where a passage stands letter by letter."""
    whole = Lines(1, len(passage.text))
    found: list[Place] = []
    for path in paths:
        now = files.text(path) if path != passage.path else None
        if now is not None:
            found += [Place(path, lines) for lines in find_block([*passage.text], whole, now.lines).places]
    return found


def _get_locked_lines(locked: LockedLines | None) -> list[str]:
    """The lines that are known of a locked passage: all, or the first few."""
    return [] if locked is None else [*(locked.text or locked.ends[0])]


def _text(data: bytes) -> str | None:
    try:
        return decode(data)
    except Unreadable:
        return None
