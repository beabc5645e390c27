"""Is every sentence of a report grounded? Each is traced to a validated citation, or said to be without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..ground.model import CONTRADICTED, LEVELS, Quoted, Reason
from .grounding import quoted
from .grounds import Grounds, Known
from .sentences import Reading
from .written import url_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ground.model import Assessment, Judge
    from .model import GroundedClaim
    from .sentences import Sentence

__all__ = ["GROUNDED", "UNCITED", "UNSUPPORTED", "Audit", "Audited", "Grounds", "audit"]

GROUNDED, UNSUPPORTED, UNCITED = "grounded", "unsupported", "uncited"
_LOW = LEVELS[0]


class Audited(Struct, frozen=True):
    """A sentence of a report, and what it rests on."""

    start: int
    end: int
    tail: int
    """Behind the marks that follow the sentence."""
    line: int
    text: str
    state: str
    """GROUNDED, UNSUPPORTED or UNCITED."""
    citation_id: int = 0
    citation_url: str = ""
    """For a grounded sentence the source that carries it, else the first that it cites."""
    quote: str = ""
    level: str = ""
    claim_id: int = 0
    """The grounded claim that it is, word for word."""
    judge: str = ""
    attested: str = ""
    reasons: tuple[Reason, ...] = ()
    remedy: str = ""


class Audit(Struct, frozen=True):
    """What became of the sentences that claim something."""

    sentences: tuple[Audited, ...]

    @property
    def total(self) -> int:
        """How many sentences claim something."""
        return len(self.sentences)

    def count(self, state: str) -> int:
        """How many sentences are in a state."""
        return sum(one.state == state for one in self.sentences)

    @property
    def ok(self) -> bool:
        """Whether there are claims and all of them are grounded; 99.9 % are not all."""
        return bool(self.sentences) and self.count(GROUNDED) == self.total

    @property
    def percentage(self) -> str:
        """How much is grounded, cut and never rounded: only all of it is `100 %`."""
        if not self.sentences:
            return "nothing claimed"
        tenths = 1000 * self.count(GROUNDED) // self.total
        return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def audit(text: str, grounds: Grounds, judge: Judge) -> Audit:
    """Trace every sentence of a markdown report that claims something."""
    reading = Reading(text, ((one.page_title, one.source_url) for one in grounds.citations if one.validated))
    known = Known(grounds)
    found: dict[int, Audited] = {}
    waiting: list[tuple[int, Sentence]] = []
    sentences = reading.sentences
    for at, sentence in enumerate(sentences):
        same = _as_grounded(reading, at, known)
        if same is not None:
            first, claim = same
            for index in range(first, at + 1):
                found[index] = _restated(sentences[index], claim)
        elif at not in found and sentence.claims:
            if not sentence.marks:
                found[at] = _uncited(sentence, known)
            elif any(known.citations_of(url) for url in _urls(sentence)):
                waiting.append((at, sentence))
            else:
                found[at] = _unvalidated(sentence, known)
    for at, judged in _judge(waiting, known, judge).items():
        found.setdefault(at, judged)
    return Audit(tuple(found[at] for at in sorted(found)))


def _urls(sentence: Sentence) -> tuple[str, ...]:
    return tuple(dict.fromkeys(url for mark in sentence.marks for url in mark.urls))


def _as_grounded(reading: Reading, at: int, known: Known) -> tuple[int, GroundedClaim] | None:
    """The grounded claim that a cited sentence is, alone or with uncited ones before it, and the first of them."""
    last = reading.sentences[at]
    urls = {url_key(url) for url in _urls(last)}
    first = at
    found: tuple[int, GroundedClaim] | None = None
    while urls:
        text = reading.between(reading.sentences[first], last)
        # One claim may end as another does: the longest is what was written.
        same = (claim for claim in known.claims(text) if url_key(claim.citation_url) in urls)
        if (claim := next(same, None)) is not None:
            found = first, claim
        first -= 1
        if first < 0 or len(text) > known.longest:
            break
        before = reading.sentences[first]
        if before.block != last.block or before.marks:
            break
    return found


def _restated(sentence: Sentence, claim: GroundedClaim) -> Audited:
    return _audited(
        sentence,
        GROUNDED,
        claim.citation_id,
        claim.citation_url,
        claim.citation_quote,
        claim.confidence,
        claim.claim_id,
        claim.judge,
        claim.attested,
        claim.reasons,
    )


def _uncited(sentence: Sentence, known: Known) -> Audited:
    same = known.claims(sentence.text)
    remedy = "Cite a validated source behind it, or leave it out."
    if same:
        remedy = f"It is grounded claim {same[0].claim_id}: cite {same[0].citation_url} behind it."
    reason = Reason("uncited", "nothing behind the sentence says where it comes from")
    return _audited(sentence, UNCITED, reasons=(reason,), remedy=remedy)


def _unvalidated(sentence: Sentence, known: Known) -> Audited:
    """A sentence none of whose sources was validated."""
    reasons = [*_unlisted(sentence), *(_never(url, known) for url in _urls(sentence))]
    url = next(iter(_urls(sentence)), "")
    remedy = "Validate the source, or cite another one."
    return _audited(sentence, UNSUPPORTED, citation_url=url, reasons=tuple(reasons), remedy=remedy)


def _unlisted(sentence: Sentence) -> list[Reason]:
    names = dict.fromkeys(name for mark in sentence.marks for name in mark.missing)
    return [Reason("source-not-listed", f"{name} is not in the report's list of sources") for name in names]


def _never(url: str, known: Known) -> Reason:
    why = known.rejection(url)
    if why:
        return Reason("citation-rejected", f"{url}: the citation was rejected: {why}")
    return Reason("source-never-validated", f"{url}: source never validated")


def _judge(waiting: Sequence[tuple[int, Sentence]], known: Known, judge: Judge) -> dict[int, Audited]:
    """What a judge says of sentences in words of their own: first of the quotes they cite, then of the pages."""
    asked = [(at, sentence, _quotes(sentence, known)) for at, sentence in waiting]
    found, rest = _asked(asked, known, judge)
    again = [(at, sentence, _passages(sentence, known)) for at, sentence, _ in rest]
    more, left = _asked(again, known, judge)
    low = {at: best for at, _, best in rest}
    for at, sentence, best in left:
        # What the quote itself says weighs more than that no other sentence of the page helps.
        more[at] = _judged(sentence, low[at] or best, UNSUPPORTED, known)
    return found | more


class _Asked(Struct, frozen=True):
    """A piece of evidence and what was said of it."""

    citation_id: int
    evidence: Quoted
    assessment: Assessment


def _asked(
    asked: list[tuple[int, Sentence, list[tuple[int, Quoted]]]], known: Known, judge: Judge
) -> tuple[dict[int, Audited], list[tuple[int, Sentence, _Asked | None]]]:
    """Sentences that the evidence supports, and those it does not with the best of what there is."""
    pairs = [(sentence.text, evidence) for _, sentence, all_ in asked for _, evidence in all_]
    answers = iter(judge.assess_all(pairs) if pairs else [])
    found: dict[int, Audited] = {}
    rest: list[tuple[int, Sentence, _Asked | None]] = []
    for at, sentence, all_ in asked:
        best: _Asked | None = None
        for number, evidence in all_:
            answer = _Asked(number, evidence, next(answers))
            best = answer if best is None or _rank(answer) > _rank(best) else best
        if best is not None and best.assessment.level != _LOW:
            found[at] = _judged(sentence, best, GROUNDED, known)
        else:
            rest.append((at, sentence, best))
    return found, rest


def _rank(one: _Asked) -> tuple[int, bool, float]:
    # Of evidence that does not support a sentence, the one that says otherwise tells most.
    said = one.assessment
    return LEVELS.index(said.level), said.verdict == CONTRADICTED, said.score


def _quotes(sentence: Sentence, known: Known) -> list[tuple[int, Quoted]]:
    ids = dict.fromkeys(number for url in _urls(sentence) for number in known.nearest(url, sentence.text))
    return [(number, quoted(known.grounds.citations[number - 1])) for number in ids]


def _passages(sentence: Sentence, known: Known) -> list[tuple[int, Quoted]]:
    found: list[tuple[int, Quoted]] = []
    for url in _urls(sentence):
        ids = known.citations_of(url)
        near = known.near(known.grounds.citations[ids[0] - 1].source_url) if ids else None
        if near is not None:
            title = known.grounds.citations[ids[0] - 1].page_title
            found += [(ids[0], Quoted(one.text, title, one.before)) for one in near.best(sentence.text)]
    return found


def _judged(sentence: Sentence, best: _Asked | None, state: str, known: Known) -> Audited:
    if best is None:
        return _unvalidated(sentence, known)
    citation = known.grounds.citations[best.citation_id - 1]
    said = best.assessment
    others = [_never(url, known) for url in _urls(sentence) if not known.citations_of(url)]
    remedy = ""
    if state != GROUNDED:
        remedy = "Say what the source says, or cite a passage that says this."
        if said.verdict == CONTRADICTED:
            remedy = "The source says otherwise: correct the sentence."
    return _audited(
        sentence,
        state,
        best.citation_id,
        citation.source_url,
        best.evidence.text,
        said.level,
        0,
        said.judge,
        reasons=(*said.reasons, *_unlisted(sentence), *others),
        remedy=remedy,
    )


def _audited(
    sentence: Sentence,
    state: str,
    citation_id: int = 0,
    citation_url: str = "",
    quote: str = "",
    level: str = "",
    claim_id: int = 0,
    judge: str = "",
    attested: str = "",
    reasons: tuple[Reason, ...] = (),
    remedy: str = "",
) -> Audited:
    return Audited(
        sentence.start,
        sentence.end,
        sentence.tail,
        sentence.line,
        sentence.text,
        state,
        citation_id,
        citation_url,
        quote,
        level,
        claim_id,
        judge,
        attested,
        reasons,
        remedy,
    )
