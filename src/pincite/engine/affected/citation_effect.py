"""What a change does to one citation: from its source to the two texts that are compared."""

from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct

from ... import checks, history
from ...checks.wording import diff, format_first_rows, format_line_range
from ...core.errors import Refused
from ...core.model import CURRENT_REVISIONS, Citation, Finding, Lines, Obstacle, Outcome, Place, Quote
from ...dialects import get_capabilities
from ...history.model import FollowedText, TraceResult
from ...safe.files import Root
from ...symbols import find, find_doubt
from ...text.document import Document
from ...text.evidence import Evidence
from ...text.lines import join
from ...text.snippets import has_snippet
from ..pipeline import Engine
from .model import Effect

CONFLICT = "its merge is not finished; resolve the conflict and `git add` it"
_LISTED = ("ref", "bibliography", "chunk", "target", "path")
"""What is cited by an id: the files that say what it stands for decide."""
_BY_OUTCOME = {
    Outcome.MOVED: Effect.MOVES,
    Outcome.AMBIGUOUS: Effect.UNKNOWN,
    Outcome.MISSING: Effect.DELETES,
    Outcome.UNCHECKED: Effect.DELETES,
}


Findings = Callable[[], tuple[Finding, ...]]
"""Finds what is said of a citation after the change: it costs more than the rest, and most effects do not need it."""


class EffectEvidence(Struct, frozen=True):
    """An effect, with what shows it."""

    effect: Effect
    why: str = ""
    detail: str = ""
    place: Place | None = None


class EffectFinder:
    """Knows both sides of a change, each through its own engine."""

    def __init__(
        self,
        old: Engine,
        new: Engine,
        pairs: list[tuple[str | None, str | None]],
        before: Callable[[Document], Document | None],
        conflicts: frozenset[str] = frozenset(),
    ) -> None:
        """`before` gives a document as it was before the change."""
        self._old = old
        self._before = before
        self._conflicts = conflicts
        """Files of the new side that have no one text, because their merge is not finished."""
        self._new = new
        self._paths = {path for pair in pairs for path in pair if path is not None}
        self._told: dict[tuple[str, str, Lines | None, Quote | None], EffectEvidence] = {}
        """What became of places that were asked about: many documents cite the same ones."""
        self._named: dict[str, list[str]] = {}
        for path in self._paths:
            self._named.setdefault(path.rpartition("/")[2], []).append(path)
        self._home = {before: after for before, after in pairs if before is not None and after is not None}
        self._moved = {before for before, after in self._home.items() if before != after}

    def conflict(self, document: Document, citation: Citation, evidence: Evidence | Obstacle) -> EffectEvidence | None:
        """That nothing can be said of what is cited, where its file is in conflict; else None."""
        if not self._conflicts:
            return None
        if citation.source.scheme in _LISTED:
            known = bool(self._rests_on(document, citation) & self._conflicts)
        else:
            known = not self._conflicts.isdisjoint(self._keys(citation, evidence))
        return EffectEvidence(Effect.UNKNOWN, CONFLICT) if known else None

    def effect(
        self, document: Document, citation: Citation, evidence: Evidence | Obstacle, findings: Findings
    ) -> EffectEvidence | None:
        """What the change does to what is cited; None where it does not touch it. `findings` finds what is said now."""
        scheme = citation.source.scheme
        named = (citation.source.key, citation.alternate) if scheme == "path" else ()
        for one in named:
            if one in self._moved:
                return EffectEvidence(Effect.MOVES, "", "", Place(self._home[one], None))
        if scheme in _LISTED:
            return self._compare_findings(document, citation, findings) if self._rests_on(document, citation) else None
        keys = self._keys(citation, evidence)
        key = self._find_relinked(keys) or next((key for key in keys if key in self._paths), None)
        if key is None:
            return None
        there = self._old.world.exists(key) is None
        if self._new.world.exists(key) is None:
            new = EffectEvidence(Effect.NEW, "the cited file is new")
            return self._follow_part(document, citation, findings, key, key) if there else new
        if not there:
            return None
        path = self._home.get(key)
        if path is None or path == key:
            return EffectEvidence(Effect.DELETES, "the file is deleted")
        return self._follow_part(document, citation, findings, key, path)

    def _find_relinked(self, keys: list[str]) -> str | None:
        """The cited path, where it leads through a link that is another, came or went; then it is followed as it is."""
        for key in keys:
            links = {link for engine in (self._old, self._new) for link in links_on(engine.world.root, key)}
            if links & self._paths and key not in self._moved:
                return key
        return None

    def _follow_part(
        self, document: Document, citation: Citation, findings: Findings, key: str, path: str
    ) -> EffectEvidence:
        """What became of the cited part of a file that is there on both sides."""
        renamed = path != key
        whole = EffectEvidence(Effect.UNAFFECTED)
        if renamed:
            whole = EffectEvidence(Effect.MOVES, "", "", Place(path, citation.lines))
        scheme = citation.source.scheme
        if scheme == "section":
            return (
                self._heading(citation, path) or whole
                if renamed
                else self._compare_findings(document, citation, findings)
            )
        if scheme == "symbol":
            return self._symbol(citation, key, path) or whole
        if citation.lines is None and citation.quote is None:
            return whole
        then, now = self._old.world.file(key), self._new.world.file(path)
        if isinstance(then, Obstacle):
            return EffectEvidence(Effect.UNKNOWN, f"before the change the file cannot be read as text: {then.detail}")
        if isinstance(now, Obstacle):
            return EffectEvidence(Effect.UNKNOWN, f"after the change the file cannot be read as text: {now.detail}")
        if then.data == now.data:
            return whole
        if get_capabilities(citation.dialect).names_passages:
            told = _passage(citation, then, now)
            if told is not None:
                return told
        asked = (key, path, citation.lines, citation.quote)
        if asked not in self._told:
            self._told[asked] = find_effect(citation, then.lines, now.lines, path, renamed)
        return self._told[asked]

    def _heading(self, citation: Citation, path: str) -> EffectEvidence | None:
        """What became of a heading of a renamed file; None where it still has it."""
        now = self._new.world.file(path)
        if isinstance(now, Evidence) and checks.find_heading(now, citation.section).there:
            return None
        return EffectEvidence(Effect.DELETES, f"the file is called {path} now, and has no such heading")

    def _keys(self, citation: Citation, evidence: Evidence | Obstacle) -> list[str]:
        """The paths that a citation of a file may mean, the likeliest first."""
        scheme, key = citation.source.scheme, citation.source.key
        if isinstance(evidence, Evidence) and evidence.source.scheme == "file":
            return self._place_keys([join("", evidence.source.key)])
        if scheme == "permalink":
            revision, _, path = key.partition("@")[2].partition(":")
            return self._place_keys([join("", path)]) if revision in CURRENT_REVISIONS else []
        if scheme not in ("file", "symbol", "section"):
            return []
        keys = [one.partition("::")[0] if scheme == "symbol" else one for one in (key, citation.alternate) if one]
        named = self._named.get(key, []) if scheme == "section" else []
        return self._place_keys([join("", one) for one in keys]) + (named if len(named) == 1 else [])

    def _place_keys(self, keys: list[str]) -> list[str]:
        """The same keys, and where links lead from them before and after the change."""
        found = dict.fromkeys(keys)
        for key in keys:
            for engine in (self._old, self._new):
                with suppress(Refused):
                    found[engine.world.root.locate(key)] = None
        return list(found)

    def _symbol(self, citation: Citation, key: str, path: str) -> EffectEvidence | None:
        """What became of a definition; None where definitions cannot be read."""
        name = citation.source.key.partition("::")[2]
        then, now = self._old.world.file(key), self._new.world.file(path)
        if not name or isinstance(then, Obstacle) or isinstance(now, Obstacle):
            return None
        try:
            had, has = find(key, then.data, name), find(path, now.data, name)
            doubt = find_doubt(path, now.data)
        except Refused:
            return None
        if len(had) != 1:
            return EffectEvidence(
                Effect.UNAFFECTED, "no one definition of that name was there before the change either"
            )
        if not has and doubt:
            return EffectEvidence(Effect.UNKNOWN, f"no definition of {name} was found after the change, but {doubt}")
        if not has:
            return EffectEvidence(Effect.DELETES, f"there is no {name} any more")
        if len(has) > 1:
            places = "\n".join(f"{path}:{format_line_range(Lines(one.first, one.last))}" for one in has[:9])
            return EffectEvidence(Effect.UNKNOWN, f"there are {len(has)} definitions of {name} now", places)
        before, after = (side.block(Lines(one.first, one.last)) for side, one in ((then, had[0]), (now, has[0])))
        if before == after:
            return None
        return EffectEvidence(Effect.EDITS, "", diff(before, after), Place(path, Lines(has[0].first, has[0].last)))

    def _rests_on(self, document: Document, citation: Citation) -> set[str]:
        """The files that changed and that what is said of a paper depends on, on either side."""
        found: set[str] = set()
        if citation.raw.endswith("/"):
            found |= {path for path in self._paths if path.startswith(citation.source.key)}
        for engine in (self._old, self._new):
            with engine.world.record() as touched:
                settled = engine.settle(citation, self._side(engine, document))
                if settled is not None:
                    engine.verify(document, *settled)
                    touched.update(engine.world.keys_of(settled[1]))
            if citation.source.scheme == "chunk":
                # Output may be attached to the document itself.
                touched[document.path] = None
            found |= self._paths & touched.keys()
            for key in touched:
                found |= self._paths.intersection(links_on(engine.world.root, key))
            if found and not self._conflicts:
                break
        return found

    def _side(self, engine: Engine, document: Document) -> Document:
        """A document as one side of the change has it."""
        return (self._before(document) or document) if engine is self._old else document

    def _compare_findings(self, document: Document, citation: Citation, findings: Findings) -> EffectEvidence:
        """What `check` says after the change and did not say before."""
        settled = self._old.settle(citation, self._side(self._old, document))
        before = self._old.verify(document, *settled) if settled is not None else []
        # Output that is no longer at hand is unchecked, and was lost.
        least = Outcome.HOLDS if citation.source.scheme == "chunk" else Outcome.UNCHECKED
        bad = {finding.check for finding in before if finding.outcome > least}
        worse = [one for one in findings() if one.outcome > least]
        if not worse:
            return EffectEvidence(Effect.NEW, "what is cited is new") if bad else EffectEvidence(Effect.UNAFFECTED)
        fresh = [finding for finding in worse if finding.check not in bad]
        if not fresh:
            return EffectEvidence(Effect.UNAFFECTED, "it did not hold before the change either")
        worst = max(fresh, key=lambda finding: finding.outcome)
        return EffectEvidence(_BY_OUTCOME.get(worst.outcome, Effect.EDITS), worst.message, worst.detail)


def links_on(root: Root, key: str) -> list[str]:
    """The links on the way to a key, on one side of a change."""
    return [place for place, kind in root.trace(key) if kind == "link"] if key[:1] != "/" else []


def _passage(citation: Citation, then: Evidence, now: Evidence) -> EffectEvidence | None:
    """What became of a passage that a footnote names by its id; None where it did not name one before."""
    was, line = checks.passage_line(citation, then), checks.passage_line(citation, now)
    if was is None:
        return None
    if line is None:
        cited = citation.lines or Lines(was, was)
        return EffectEvidence(Effect.EDITS, "the passage reads differently", diff(then.block(cited), now.block(cited)))
    if citation.lines is not None and line != citation.lines.first:
        return EffectEvidence(Effect.MOVES, "", "", Place(now.source.key, Lines(line, line)))
    return EffectEvidence(Effect.UNAFFECTED)


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
    if answer.became is TraceResult.SAME:
        return EffectEvidence(Effect.UNAFFECTED)
    if answer.became is TraceResult.MOVED:
        return EffectEvidence(Effect.MOVES, "", "", answer.place)
    if answer.became is TraceResult.GONE:
        return EffectEvidence(Effect.DELETES, "", format_first_rows([f"-{line}" for line in block]))
    if answer.became is TraceResult.AMBIGUOUS:
        places = [f"lines {format_line_range(place.lines)}" for place in answer.candidates if place.lines is not None]
        return EffectEvidence(
            Effect.UNKNOWN, answer.why or "the cited text stands at several places now", "\n".join(places)
        )
    where = answer.lines
    if where is None:
        # What stands at the old place may have nothing to do with it.
        return EffectEvidence(Effect.EDITS, answer.why, format_first_rows([f"-{line}" for line in block]))
    return EffectEvidence(Effect.EDITS, "", diff(block, now[where.first - 1 : where.last]), answer.place)
