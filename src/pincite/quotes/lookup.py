"""Looks a quote up in a paper: word for word, nearly, stitched together, or not there."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.limits import LIMITS
from ..text.lines import shorten
from ..text.unspaced_scripts import is_unspaced, join_lines
from .declared_changes import OMISSION, PhraseChain, chains, find_chain_matches
from .exact_match import Phrase, PhraseMatch, extend_to_signs, find_needed_foldings, find_negation, matches, phrase
from .fold import key_of, normalize_text
from .furniture import MARK, find_marks, running_text, without_marks
from .nearest import NearestPassage, find_stitched_pieces, nearest
from .pdf_damage import find_damaged, lost_ligatures
from .reading_flow import find_flow, find_possible_join, fold_pieces
from .seams import may_be_seam
from .searchable_text import Layer
from .word_changes import WordChange, by_gravity, describe, mark_changes, show_first_change

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .page_blocks import PageBlock
    from .seams import LineSeams

__all__ = [
    "LONGEST",
    "MOST_PLACES",
    "LookupResult",
    "QuotePassage",
    "QuoteSource",
    "WordChange",
    "describe",
    "mark_changes",
]

MOST_PLACES = 20
"""How many places of a quote are reported."""
LONGEST = 100_000
"""How many characters a quote may have to be looked up."""
_CLOSE = 0.7
_VERY_CLOSE = 0.85
_SURE = 0.97
_MOST_BESIDE = 3
_ENCLOSED = re.compile(
    "[“„\"]([^“”„\"]+)[”“\"]|«([^«»]+)»|[‘‚']([^‘’‚']+)[’‘']|「([^「」]+)」|『([^『』]+)』|〝([^〝〞〟]+)[〞〟]"
)
_BROKEN = re.compile("[\u00ad\x02\ufffe][^\\S\n]*\n\\s*")
_BROKEN_HYPHEN = re.compile("(?<=\\w)([-\u2010])[^\\S\n]*\n\\s*")


class QuotePassage(Struct, frozen=True):
    """A stretch of the source: its pages, counted from 0, and its words on one line."""

    page: int
    end_page: int
    text: str


class LookupResult(Struct, frozen=True):
    """What looking for a quote showed."""

    kind: str
    """verbatim, altered, stitched, parted, absent or too-short (no letter and no digit).

    parted: its words stand on both sides of a break, and nothing says whether they follow one another."""
    passages: tuple[QuotePassage, ...] = ()
    """verbatim: where it stands, in order; altered: the nearest; stitched: its pieces in the order of the quote;
    parted: from its first to its last word."""
    edits: tuple[WordChange, ...] = ()
    """What the quote changed in the nearest passage, gravest first."""
    folded: tuple[str, ...] = ()
    """What had to be folded for the quote to be verbatim, at any of its places."""
    similarity: float = 0.0


class QuoteSource:
    """The text of a paper by pages, or of anything else as one page; folded once, when first asked."""

    def __init__(self, pages: Sequence[str], boxes: Sequence[bytes] = (), may_be_damaged: bool = False) -> None:
        """What was taken out of a PDF may be damaged: it may lack ligatures and spaces that its pages show."""
        self._pages = pages
        self._boxes = boxes
        self._may_be_damaged = may_be_damaged
        self._pieces: list[tuple[int, str, int]] = []
        self._marks: list[tuple[int, str]] = []
        """The reference marks that the text without any has lost, and where."""
        self._blocks: list[PageBlock] = []
        self._seams: LineSeams | None = None

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The text as it stands, and without what interrupts it at the edges of pages where there is such a thing."""
        pages = [normalize_text(page) for page in self._pages]
        layers = [Layer(list(enumerate(pages)))]
        pieces = running_text(pages)
        if any(piece[2] for piece in pieces):
            gaps = [(at, *gap) for at, piece in enumerate(pieces) for gap in piece[2]]
            texts = [(page, text) for page, text, *_ in pieces]
            layers.append(Layer(texts, gaps, layers[0].line_keys, [piece[3] for piece in pieces]))
        if "[" in layers[0].text:
            self._pieces = [(page, text, first) for page, text, _, first in pieces]
        if not self._boxes:
            layers[0].line_keys = {}
        return tuple(layers)

    @cached_property
    def bare(self) -> tuple[Layer, ...]:
        """The running text without reference marks in brackets; none where it has no such marks."""
        if not find_marks(self.layers[0].text):
            return ()
        pieces = [(page, *without_marks(text)) for page, text, _ in self._pieces]
        gaps = [(at, place, MARK) for at, piece in enumerate(pieces) for place, _ in piece[2]]
        layer = Layer([(page, text) for page, text, _ in pieces], gaps, None, [piece[2] for piece in self._pieces])
        marks = [mark for piece in pieces for _, mark in piece[2]]
        self._marks = [(place, mark) for (place, _), mark in zip(layer.gaps, marks, strict=True)]
        return (layer,)

    @cached_property
    def lost(self) -> frozenset[str]:
        """The pairs of letters that the text has lost as ligatures."""
        return lost_ligatures("\n".join(self._pages)) if self._may_be_damaged else frozenset()

    @cached_property
    def flow(self) -> tuple[Layer, ...]:
        """The running text across columns and pages by where lines stand; made when the other texts do not do."""
        if not self._boxes:
            return ()
        flow = find_flow([normalize_text(page) for page in self._pages], self._boxes)
        known = self.layers[0].line_keys
        self._blocks, self._seams = flow.blocks, flow.seams
        folded = tuple(fold_pieces(pieces, known) for pieces in (flow.pieces, flow.joins) if pieces)
        self.layers[0].line_keys = {}
        return folded

    def every_layer(self) -> Iterator[Layer]:
        """All texts in which words may stand, those that cost more last."""
        yield from self.layers
        yield from self.flow

    def look(self, quote: str, everywhere: bool = False) -> LookupResult:
        """Where the quote stands, or what comes nearest to it; never raises.

        A quote that stands somewhere without a break is looked for across breaks only if it is sought everywhere.
        """
        sought = phrase(quote[:LONGEST])
        if sought is None:
            return LookupResult("too-short")
        if len(quote) > LONGEST:
            return LookupResult("absent")
        found, sought, declared = self._exact(sought, everywhere)
        return found if found is not None else self._approximate(sought, declared)

    def verbatim(self, quote: str) -> LookupResult | None:
        """Where the quote stands word for word; None where it does not, and nothing else is looked for."""
        sought = phrase(quote) if len(quote) <= LONGEST else None
        return self._exact(sought)[0] if sought is not None else None

    def first_place(self, quote: str) -> tuple[str, int, int] | None:
        """The running text in which the quote stands word for word, and where it begins and ends in it."""
        sought = phrase(quote) if len(quote) <= LONGEST else None
        for part in filter(None, (sought, _unquote(sought) if sought is not None else None)):
            place = next(self._verbatim(part), None)
            if place is not None:
                layer, hit, _ = place
                return layer.text, *extend_to_signs(layer, part, hit)
        return None

    def _exact(self, sought: Phrase, everywhere: bool = False) -> tuple[LookupResult | None, Phrase, list[PhraseChain]]:
        """The answer for a quote that stands somewhere, the words that were looked for, and what it declares."""
        places = list(self._verbatim(sought, everywhere))
        if not places and (inner := _unquote(sought)) is not None:
            # The marks around the whole are the quoter's own.
            sought = inner
            places = list(self._verbatim(sought))
        declared: list[PhraseChain] = []
        if not places:
            declared = chains(sought.text)
            places = [place for chain in declared for place in self._find_chain(chain)]
        if not places and self._may_be_damaged:
            damaged = [(layer, *found) for layer in self.layers for found in find_damaged(layer, sought, self.lost)]
            places = [place for place in damaged if not self._find_seam(*place[:2])]
        return _build_verbatim_answer(places) if places else None, sought, declared

    def _verbatim(
        self, sought: Phrase, everywhere: bool = False
    ) -> Iterator[tuple[Layer, PhraseMatch, tuple[str, ...]]]:
        found = False
        for place in self._as_it_stands(sought, everywhere):
            found = True
            yield place
        if not found:
            yield from self._find_without_marks(sought)

    def _find_without_marks(self, sought: Phrase) -> Iterator[tuple[Layer, PhraseMatch, tuple[str, ...]]]:
        """Places where the quote stands but for reference marks that it leaves out; those it has must be there."""
        for layer in self.bare:
            text, marks = without_marks(sought.text)
            bare = phrase(text) if marks else sought
            for hit in islice(matches(layer, bare), MOST_PLACES) if bare is not None else ():
                begin = layer.place(hit.start)
                there = {(layer.place(at) - begin, mark) for at, mark in self._marks if hit.start < at <= hit.end}
                own = {(len(key_of(text[:at])), mark) for at, mark in marks}
                if bare is not None and there and own <= there and not self._find_seam(layer, hit):
                    yield layer, hit, (*find_needed_foldings(layer, bare, hit), MARK)

    def _as_it_stands(self, sought: Phrase, everywhere: bool) -> Iterator[tuple[Layer, PhraseMatch, tuple[str, ...]]]:
        found = False
        for at, layer in enumerate(self.layers):
            for hit in _hits((layer,), sought, crossing=at > 0):
                if not self._find_seam(layer, hit[1]):
                    found = True
                    yield hit
        if everywhere or not found:
            yield from _hits(self.flow, sought, crossing=True)

    def _find_seam(self, layer: Layer, hit: PhraseMatch) -> int:
        """Where a line begins in a passage that only the order of the file puts behind the one before; 0: nowhere."""
        if not self._boxes or "\n" not in layer.text[hit.start : hit.end]:
            return 0
        lines = layer.lines(hit.start, hit.end)
        if not may_be_seam(self._boxes, lines) or not self.flow or self._seams is None:
            return 0
        line = self._seams.find(lines)
        return line.start if line is not None else 0

    def _answer_for_joined(self, sought: Phrase) -> LookupResult | None:
        """The answer for a quote whose words follow one another in the file and not on the page."""
        for layer in self.layers if self._boxes else ():
            for hit in matches(layer, sought):
                seam = self._find_seam(layer, hit)
                if seam:
                    parts = PhraseMatch(hit.start, len(layer.text[:seam].rstrip())), PhraseMatch(seam, hit.end)
                    return LookupResult("stitched", tuple(_passage(layer, part) for part in parts), similarity=1.0)
        return None

    def _find_chain(self, chain: PhraseChain) -> Iterator[tuple[Layer, PhraseMatch, tuple[str, ...]]]:
        for at, layer in enumerate((*self.layers, *self.flow, *self.bare)):
            own = layer not in self.flow
            seamless = (lambda hit, layer=layer: not self._find_seam(layer, hit)) if own else None
            for hit, folded in islice(find_chain_matches(layer, chain, seamless), MOST_PLACES):
                if not at or layer.left_out(hit.start, hit.end):
                    yield layer, hit, folded

    def _approximate(self, sought: Phrase, declared: list[PhraseChain]) -> LookupResult:
        """The answer for a quote that stands nowhere as it is."""
        running = self.flow[:1]
        sewn = self._answer_for_joined(sought)
        if sewn is not None:
            return sewn
        parted = find_possible_join(self._blocks, sought)
        if parted is not None:
            return LookupResult("parted", (_passage(*parted),), similarity=1.0)
        parts: tuple[Phrase, ...] = (sought,)
        near = [self._nearest(sought)]
        if declared:
            # What it declares is not held against it; where it then is close to nothing, its pieces may be.
            for tried in (tuple(filter(None, (phrase(declared[0].text),))), declared[0].pieces):
                found = [self._nearest(part) for part in tried]
                if not _are_all_close(near) or (
                    _are_all_close(found) and len(tried) == 1 and _likeness(found) > _likeness(near)
                ):
                    parts, near = tried, found
        weights = [len(part.key) for part in parts]
        similarity = sum(
            found[1].similarity * weight for found, weight in zip(near, weights, strict=True) if found is not None
        ) / sum(weights)
        close = _are_all_close(near)
        if not (close and similarity >= _VERY_CLOSE) and not any(OMISSION in chain.kinds for chain in declared):
            for layer in reversed((*self.layers, *running)):
                pieces = find_stitched_pieces(layer, sought)
                if pieces:
                    return LookupResult(
                        "stitched", tuple(_passage(layer, hit) for hit in pieces), similarity=similarity
                    )
        if not close:
            return LookupResult("absent", similarity=min(similarity, _CLOSE))
        known = [found for found in near if found is not None]
        # All of it, so that the place is among it where the quote departs from it.
        passages = tuple(_passage(layer, PhraseMatch(found.start, found.end), LONGEST) for layer, found in known)
        edits = by_gravity([*_find_cut_negations(known), *(edit for _, found in known for edit in found.edits)])
        if not edits and len(known) > 1:
            # Its pieces are there, but not one after the other.
            return LookupResult("stitched", passages, similarity=similarity)
        if not edits:
            # Its words are all there, and yet it is not what stands there: parted or joined in another way, or cut.
            there = _beside(*known[0]) or passages[0].text
            edits = (WordChange("punctuation", *show_first_change(" ".join(sought.text.split()), there, 200)),)
        return LookupResult("altered", passages, edits, similarity=similarity)

    def _nearest(self, part: Phrase) -> tuple[Layer, NearestPassage] | None:
        best: tuple[Layer, NearestPassage] | None = None
        for layer in (*self.layers, *self.flow[:1], *self.bare):
            found = nearest(layer, part)
            if found is not None and (best is None or found.similarity > best[1].similarity):
                best = layer, found
            # What interrupts the text lies at the edges of pages and in the signs of footnotes: elsewhere, what the
            # running text has is the same.
            if best is None or not (
                any(edit.kind == "number" for edit in best[1].edits)
                or (best[1].crossing and best[1].similarity <= _SURE)
            ):
                break
        return best


def _unquote(sought: Phrase) -> Phrase | None:
    """What stands between the marks around a whole quote; None where it has none."""
    enclosed = _ENCLOSED.fullmatch(sought.text)
    return phrase(enclosed[enclosed.lastindex or 0]) if enclosed is not None else None


def _find_cut_negations(known: Sequence[tuple[Layer, NearestPassage]]) -> Iterator[WordChange]:
    """Negations that stand right beside a passage in a script without spaces."""
    for layer, near in known:
        text = layer.text
        if is_unspaced(text[near.start]) or is_unspaced(text[near.end - 1]):
            negation = find_negation(text[max(0, near.start - 6) : near.start], text[near.end : near.end + 6])
            if negation:
                yield WordChange("negation", "", negation)


def _beside(layer: Layer, near: NearestPassage) -> str:
    """A passage in a script without spaces with the letters beside it, from which it cannot be parted."""
    start, end = near.start, near.end
    while start and near.start - start < _MOST_BESIDE and is_unspaced(layer.text[start - 1]):
        start -= 1
    while end < len(layer.text) and end - near.end < _MOST_BESIDE and is_unspaced(layer.text[end]):
        end += 1
    return join_lines(layer.text[start:end]) if end - start > near.end - near.start else ""


def _hits(
    layers: Sequence[Layer], sought: Phrase, crossing: bool = False
) -> Iterator[tuple[Layer, PhraseMatch, tuple[str, ...]]]:
    """Places of a phrase and what they need; of a running text only those that go on across something left out."""
    for layer in layers:
        hits = (hit for hit in matches(layer, sought) if not crossing or layer.left_out(hit.start, hit.end))
        for hit in islice(hits, MOST_PLACES):
            yield layer, hit, find_needed_foldings(layer, sought, hit)


def _likeness(near: Sequence[tuple[Layer, NearestPassage] | None]) -> float:
    return min((found[1].similarity if found else 0.0 for found in near), default=0.0)


def _are_all_close(near: Sequence[tuple[Layer, NearestPassage] | None]) -> bool:
    return all(found is not None and found[1].similarity >= _CLOSE for found in near)


def _build_verbatim_answer(places: list[tuple[Layer, PhraseMatch, tuple[str, ...]]]) -> LookupResult:
    """The answer for a quote that stands there; what was folded is reported for all places together."""
    passages: dict[QuotePassage, None] = {}
    folded: dict[str, None] = {}
    placed = [(_passage(layer, hit), layer, hit, names) for layer, hit, names in places]
    placed.sort(key=lambda place: (place[0].page, place[0].end_page))
    plain = {(passage.page, passage.end_page) for passage, layer, *_ in placed if not layer.gaps}
    for passage, layer, hit, names in placed[:MOST_PLACES]:
        if layer.gaps and (passage.page, passage.end_page) in plain:
            continue
        passages[passage] = None
        folded |= dict.fromkeys(names)
        if passage.page != passage.end_page:
            folded["page break"] = None
        folded |= dict.fromkeys(layer.left_out(hit.start, hit.end))
    return LookupResult("verbatim", tuple(passages), folded=tuple(folded), similarity=1.0)


def _passage(layer: Layer, hit: PhraseMatch, limit: int = LIMITS.shown_chars) -> QuotePassage:
    text = _BROKEN_HYPHEN.sub(r"\1", _BROKEN.sub("", layer.text[hit.start : hit.end][: limit * 2]))
    return QuotePassage(
        layer.page_at(hit.start),
        layer.page_at(max(hit.start, hit.end - 1)),
        shorten(join_lines(text), limit),
    )
