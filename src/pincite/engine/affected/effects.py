"""What became of one cited place between two texts of its file."""

from __future__ import annotations

from msgspec import Struct

from ... import history
from ...checks.wording import diff, format_first_rows, format_line_range
from ...core.model import Citation, Lines, Place
from ...history.model import Became, FollowedText
from ...text.snippets import has_snippet
from .model import Effect


class EffectEvidence(Struct, frozen=True):
    """An effect, with what shows it."""

    effect: Effect
    why: str = ""
    detail: str = ""
    place: Place | None = None


def find_effect(citation: Citation, then: list[str], now: list[str], path: str, renamed: bool) -> EffectEvidence:
    """What became of the cited lines or words; `path` is the file as it is called now."""
    quote = citation.quote
    found = (
        _follow_lines(citation.lines, then, now)
        if quote is None
        else _follow_words(quote.exact, citation.lines, then, now)
    )
    place = found.place
    if place is not None:
        place = Place(path, place.lines)
    if renamed and found.effect is Effect.UNAFFECTED:
        return EffectEvidence(Effect.MOVES, found.why, "", place or Place(path, citation.lines))
    return EffectEvidence(found.effect, found.why, found.detail, place)


def _follow_lines(lines: Lines | None, then: list[str], now: list[str]) -> EffectEvidence:
    """What became of whole lines."""
    if lines is None:
        return EffectEvidence(Effect.UNAFFECTED)
    if not 1 <= lines.first <= lines.last or lines.first > len(then):
        return EffectEvidence(Effect.UNAFFECTED, "the cited lines were not there before the change either")
    if lines.last > len(then):
        if then[lines.first - 1 :] == now[lines.first - 1 : lines.last]:
            return EffectEvidence(Effect.UNAFFECTED, "the cited range runs past the end of the file, as before")
        return EffectEvidence(Effect.UNKNOWN, "the cited range ran past the end of the file before the change")
    return _make_effect(history.follow_between(then, lines, now), lines, then, now)


def _follow_words(quote: str, lines: Lines | None, then: list[str], now: list[str]) -> EffectEvidence:
    """What became of quoted words: they may stand where the line around them changed."""
    if lines is None:
        if any(has_snippet(quote, line) for line in now):
            return EffectEvidence(Effect.UNAFFECTED)
        held = [number for number, line in enumerate(then, 1) if has_snippet(quote, line)]
        if not held:
            return EffectEvidence(Effect.UNAFFECTED, "the quoted words were not there before the change either")
        found = _follow_lines(Lines(held[0], held[0]), then, now)
        return found if found.effect is Effect.DELETES else EffectEvidence(Effect.EDITS, "", found.detail, found.place)
    if 1 <= lines.first <= len(now) and has_snippet(quote, now[lines.first - 1]):
        return EffectEvidence(Effect.UNAFFECTED)
    if not 1 <= lines.first <= len(then) or not has_snippet(quote, then[lines.first - 1]):
        return EffectEvidence(Effect.UNAFFECTED, "the quoted words were not on that line before the change either")
    cited = Lines(lines.first, lines.first)
    answer = history.follow_between(then, cited, now)
    where = answer.lines
    if where is not None and 1 <= where.first <= len(now) and has_snippet(quote, now[where.first - 1]):
        return EffectEvidence(Effect.MOVES, "", "", Place("", where))
    return _make_effect(answer, cited, then, now)


def _make_effect(answer: FollowedText, lines: Lines, then: list[str], now: list[str]) -> EffectEvidence:
    """The answer of the engine in the words of a change."""
    block = then[lines.first - 1 : lines.last]
    if answer.became is Became.SAME:
        return EffectEvidence(Effect.UNAFFECTED)
    if answer.became is Became.MOVED:
        return EffectEvidence(Effect.MOVES, "", "", answer.place)
    if answer.became is Became.GONE:
        return EffectEvidence(Effect.DELETES, "", format_first_rows([f"-{line}" for line in block]))
    if answer.became is Became.AMBIGUOUS:
        places = [f"lines {format_line_range(place.lines)}" for place in answer.candidates if place.lines is not None]
        return EffectEvidence(
            Effect.UNKNOWN, answer.why or "the cited text stands at several places now", "\n".join(places)
        )
    where = answer.lines
    if where is None:
        # What stands at the old place may have nothing to do with it.
        return EffectEvidence(Effect.EDITS, answer.why, format_first_rows([f"-{line}" for line in block]))
    return EffectEvidence(Effect.EDITS, "", diff(block, now[where.first - 1 : where.last]), answer.place)
