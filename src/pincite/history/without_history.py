"""Where lines that were seen stand now, found by their words and the words around them alone: no history.

First in the file they were seen in, then in files that share lines with them. Every place gets a score by what speaks
for and against it, and so does the possibility that the lines are gone. Together these are probabilities. The most
probable answer is given if it is more probable than all others together; else it is ambiguous.
"""

from __future__ import annotations

import re
from math import exp
from typing import TYPE_CHECKING

from ..core.model import Lines, Place
from .likeness import weight
from .model import FollowedText, TraceResult
from .passage_match import PassageMatch, SearchedFile, SearchedPassage
from .step import FileVersion

if TYPE_CHECKING:
    from .model import CitedPassage
    from .tree_files import TreeFiles

_PROBABLE = 0.45
"""How probable an answer must be."""
_RIVAL = 0.5
"""How probable a place is that is named beside the best one, compared with it."""
_AHEAD = 0.01
"""How much more like what was seen the best place must be than another one, or its neighbours,"""
_CLOSE = 2.0
"""unless that one is much less likely by all else."""
_MOST_PLACES = 12
_MOST_FILES = 5
_COMMON = 200
"""Places beyond which a line says nothing about where it belongs."""
_EVERYWHERE = 50
"""How many files are taken to have the lines of a passage that says nothing."""
_NO_WORD = re.compile(r"[\W_]+")


def find(passage: CitedPassage, files: TreeFiles) -> FollowedText:
    """Where a passage stands now."""
    if not passage.text or not any(map(str.strip, passage.text)):
        return FollowedText(TraceResult.AMBIGUOUS, why="blank lines can be anywhere")
    sought = SearchedPassage(passage)
    home = files.text(passage.path)
    gone = sought.rate_gone(home)
    matches = sought.find_matches(SearchedFile(passage.path, home)) if home is not None else []
    ranked = _rank(matches, gone)
    if not ranked or ranked[0][0] < _PROBABLE:
        stays = home is not None and any(line in home.where for line in sought.lines)
        others = _find_elsewhere(sought, stays, files)
        matches += others
        ranked = _rank(matches, gone) if others else ranked
    if ranked and ranked[0][0] >= _PROBABLE and not _has_equal(ranked):
        return _answer(passage, ranked[0][1], files)
    if not ranked or 1 - sum(share for share, _ in ranked) >= _PROBABLE:
        return FollowedText(TraceResult.GONE, why="neither its words nor its neighbours stand together anywhere")
    rivals = [match for share, match in ranked if share >= _RIVAL * ranked[0][0] or _is_equal(match, ranked[0][1])]
    why = "several places are as likely" if len(rivals) > 1 else "what is most like it may be something else"
    return FollowedText(TraceResult.AMBIGUOUS, candidates=tuple(map(_place, rivals[:_MOST_PLACES])), why=why)


def stem(path: str) -> str:
    """The name of a file without folder and ending, letters and digits alone: `a/thread-list.js` is `threadlist`."""
    return _NO_WORD.sub("", path.rpartition("/")[2].partition(".")[0]).lower()


def _rank(matches: list[PassageMatch], gone: float) -> list[tuple[float, PassageMatch]]:
    """Each place with how probable it is, the best first."""
    scores = [match.score for match in matches]
    most = max((gone, *scores))
    shares = [exp(score - most) for score in scores]
    total = sum(shares) + exp(gone - most)
    ranked = [(share / total, match) for share, match in zip(shares, matches, strict=True)]
    return sorted(ranked, key=lambda one: (-one[0], one[1].path, one[1].region.first))


def _has_equal(ranked: list[tuple[float, PassageMatch]]) -> bool:
    """Whether nothing but its distance tells the best place from another one."""
    return any(_is_equal(match, ranked[0][1]) for _, match in ranked[1:])


def _is_equal(match: PassageMatch, best: PassageMatch) -> bool:
    return (
        match.exact >= best.exact
        and match.signs.unlike < best.signs.unlike + _AHEAD
        and match.signs.beside > best.signs.beside - _AHEAD
        and match.score > best.score - _CLOSE
    )


def _find_elsewhere(sought: SearchedPassage, leaves_home: bool, files: TreeFiles) -> list[PassageMatch]:
    """The places in other files: those of the same name, and those that share lines with what was seen."""
    path = sought.passage.path
    namesakes = [other for other in files.find_by_stem(stem(path)) if other != path][:_MOST_FILES]
    spread = min((_count_files(line, files) for line in sought.keys if line in sought.lines), default=_EVERYWHERE)
    found: list[PassageMatch] = []
    for other in dict.fromkeys((*namesakes, *_find_sharing_files(sought, files))):
        text = files.text(other)
        if text is not None:
            namesake = other in namesakes
            found += sought.find_matches(SearchedFile(other, text, False, leaves_home, spread, namesake))
    return found


def _count_files(line: str, files: TreeFiles) -> int:
    return len({path for path, _ in files.holding(line)})


def _find_sharing_files(sought: SearchedPassage, files: TreeFiles) -> list[str]:
    """Other files in which lines that were seen stand, those with most and rarest first."""
    own = sought.passage.path
    scores: dict[str, float] = {}
    for line in sought.lines if files.known != {own} else ():
        places = files.holding(line)
        holders = {path for path, _ in places if path != own}
        if len(places) <= _COMMON:
            for path in holders:
                scores[path] = scores.get(path, 0.0) + (min(weight(line), 30) + 1) / (1 + len(holders)) ** 0.5
    return sorted(scores, key=lambda path: (-scores[path], path))[:_MOST_FILES]


def _place(match: PassageMatch) -> Place:
    return Place(match.path, Lines(match.region.first + 1, match.region.last + 1))


def _answer(passage: CitedPassage, match: PassageMatch, files: TreeFiles) -> FollowedText:
    """What the chosen place means."""
    if match.words_lost:
        return FollowedText(TraceResult.GONE, why="its line is there, the words are not")
    place, region = _place(match), match.region
    columns = (region.left, region.right) if passage.columns is not None else None
    now = files.text(match.path) or FileVersion("")
    if tuple(now.lines[region.first : region.last + 1]) != passage.text:
        return FollowedText(TraceResult.CHANGED, place, why="the place most like it", columns=columns)
    same = place.lines == passage.lines and match.path == passage.path
    became = TraceResult.SAME if same else TraceResult.MOVED
    return FollowedText(became, place, why="the same words between the same lines", columns=columns)
