"""Is every sentence of a report grounded? Each is traced to a validated citation, or said to be without one.

Those that nothing carries can be marked in the report.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...judge.model import CONTRADICTED, LEVELS, QuotedEvidence, Reason
from ...text.lines import shorten
from ...text.sentences import NEEDED
from .audit_evidence import AuditEvidence, EvidenceIndex
from .audit_result import (
    GROUNDED,
    HIGH,
    MEDIUM,
    ON_TRUST,
    READER,
    UNCITED,
    UNSUPPORTED,
    AuditedSentence,
    ReportAudit,
    SkippedText,
    needs_reader,
)
from .escape_markdown import url_key
from .grounding import make_evidence
from .kept_edits import fits_seal
from .sentences import ReportReading
from .statements import CLOSING, LABELS, WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...judge.model import Assessment, Judge
    from .model import GroundedClaim
    from .sentences import ReportSentence

__all__ = [
    "GROUNDED",
    "READER",
    "UNCITED",
    "UNSUPPORTED",
    "AuditEvidence",
    "AuditedSentence",
    "ReportAudit",
    "SkippedText",
    "audit",
]

_LOW = LEVELS[0]
_SHOWN = 80
"""Characters of a quote that are shown."""
_FEWEST_WORDS = 2
"""Of what is left of a sentence without the words of its links, for it to say something."""
_MARKED = re.compile(rf"\s*{re.escape(NEEDED)}")
# Alone on its line it ends a sentence; with a mark behind it, it would begin an item of a list.
_BARE = re.compile(r"\n[ \t>]*(?:\d{1,9}[.)]|[-+*]|#{1,6})[ \t]*\Z")
_REACH = 40
_AS_CODE = ("code", "front", "seal")
"""Where a mark would be code, or the sentence is none."""


def audit(text: str, grounds: AuditEvidence, judge: Judge, least: str = HIGH) -> ReportAudit:
    """Trace every sentence of a markdown report that claims something; `least` is the level that counts."""
    reading = ReportReading(text, ((one.page_title, one.source_url) for one in grounds.citations if one.validated))
    known = EvidenceIndex(grounds)
    found: dict[int, AuditedSentence] = {}
    waiting: list[tuple[int, ReportSentence]] = []
    skipped: list[SkippedText] = []
    recognised = 0
    sentences = reading.sentences
    edited = any(one.kind == "seal" for one in sentences) and not fits_seal(text)
    for at, sentence in enumerate(sentences):
        if sentence.kind == "seal":
            if edited:
                found[at] = _audit_edited(sentence)
        elif _is_recorded(sentence, known):
            # What was edited is not ours any more, and its form does not show which parts are unchanged.
            if edited:
                skipped.append(SkippedText(sentence.line, "record", " | ".join(sentence.text.split("\n"))))
            else:
                recognised += 1
        elif sentence.kind == "record":
            found[at] = _audit_unrecorded(sentence)
        elif (same := _as_grounded(reading, at, known)) is not None:
            first, claim = same
            for index in range(first, at + 1):
                found[index] = _audit_restated(sentences[index], claim)
        elif at not in found and sentence.claims:
            if not sentence.marks:
                found[at] = _audit_uncited(sentence, known)
            elif any(known.citations_of(url) for url in _urls(sentence)):
                waiting.append((at, sentence))
            else:
                found[at] = _audit_unvalidated(sentence, known)
        elif at not in found and WORD.search(sentence.text):
            skipped.append(_make_skipped(sentence))
    for at, judged in _judge(waiting, known, judge).items():
        found.setdefault(at, judged)
    _hold_to_quotes(found, sentences, known)
    counted = sorted(
        (_require_reader(one, least, grounds.unseen) for one in found.values()), key=lambda one: (one.start, one.end)
    )
    return ReportAudit(tuple(counted), tuple(sorted(skipped, key=lambda one: one.line)), recognised)


def _hold_to_quotes(
    found: dict[int, AuditedSentence], sentences: Sequence[ReportSentence], known: EvidenceIndex
) -> None:
    """A sentence whose quoted words were not found in its sources needs a reader, whatever else is supported."""
    for at, one in found.items():
        urls = _urls(sentences[at]) or ((one.citation_url,) if one.citation_url else ())
        unseen = known.find_unseen_quote(one.text, urls) if one.state == GROUNDED else ""
        if unseen:
            told = Reason(
                "quote-not-seen", f"“{shorten(unseen, _SHOWN)}” stands neither in a validated quote nor there"
            )
            remedy = "Quote what the page says, or take the quotation marks away."
            found[at] = replace(one, state=READER, reasons=(*one.reasons, told), remedy=remedy)


def _is_recorded(sentence: ReportSentence, known: EvidenceIndex) -> bool:
    """Whether a line says what the stages recorded: of a source, of a claim, or how many there are."""
    if sentence.kind == "record":
        return known.is_record(sentence.text, _urls(sentence))
    if sentence.kind in ("source", "label"):
        return known.is_fact(sentence.text, _urls(sentence))
    return sentence.kind == "text" and not sentence.marks and known.is_tally(sentence.text)


def _audit_edited(sentence: ReportSentence) -> AuditedSentence:
    reason = Reason("edited", "edited since it was written: the sum in its last line is that of another text")
    remedy = "Write it again (`pincite research report`), or remove this line: then it is audited as any report."
    return _make_audited(replace(sentence, text="the report as a whole"), UNSUPPORTED, reason, remedy=remedy)


def _audit_unrecorded(sentence: ReportSentence) -> AuditedSentence:
    reason = Reason("not-as-recorded", "no grounded claim is recorded with these words, source, confidence and quote")
    said = " | ".join(sentence.text.split("\n"))
    remedy = "Write the report again (`pincite research report`), or take the row out."
    return _make_audited(replace(sentence, text=said), UNSUPPORTED, reason, remedy=remedy)


def _make_skipped(sentence: ReportSentence) -> SkippedText:
    kind = sentence.kind
    if sentence.text.rstrip(CLOSING).endswith(("?", "？")):
        kind = "question"
    elif kind not in (*LABELS, "comment"):
        kind = "label"
    return SkippedText(sentence.line, kind, sentence.text)


def _require_reader(one: AuditedSentence, least: str, unseen: frozenset[int]) -> AuditedSentence:
    """A sentence that is only strongly implied needs a reader, unless that is enough or a person has read it.

    So does one that rests on a file which came with a clone, where no snapshot shows the quote.
    """
    if one.state == GROUNDED and one.citation_id in unseen:
        told = Reason(ON_TRUST, "its quote was not looked for here: there is no snapshot of the page")
        remedy = "Run `pincite research validate`, which fetches the page and checks it."
        return replace(one, state=READER, reasons=(*one.reasons, told), remedy=remedy)
    if one.state != GROUNDED or not needs_reader(one.level, one.attested, least):
        return one
    remedy = "Read the quote: say what it states, have a person vouch for the claim, or pass --least medium."
    return replace(one, state=READER, remedy=remedy)


def _urls(sentence: ReportSentence) -> tuple[str, ...]:
    return tuple(dict.fromkeys(url for mark in sentence.marks for url in mark.urls))


def _as_grounded(reading: ReportReading, at: int, known: EvidenceIndex) -> tuple[int, GroundedClaim] | None:
    """The grounded claim that a cited sentence is, alone or with uncited ones before it, and the first of them."""
    last = reading.sentences[at]
    urls = {url_key(url) for url in _urls(last)}
    first = at
    found: tuple[int, GroundedClaim] | None = None
    while urls:
        text = reading.text_between(reading.sentences[first], last)
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


def _audit_restated(sentence: ReportSentence, claim: GroundedClaim) -> AuditedSentence:
    return replace(
        _make_audited(sentence, GROUNDED, *claim.reasons),
        citation_id=claim.citation_id,
        citation_url=claim.citation_url,
        quote=claim.citation_quote,
        level=claim.confidence,
        claim_id=claim.claim_id,
        judge=claim.judge,
        attested=claim.attested,
    )


def _audit_uncited(sentence: ReportSentence, known: EvidenceIndex) -> AuditedSentence:
    same = known.claims(sentence.text)
    remedy = "Cite a validated source behind it, or leave it out."
    if same:
        remedy = f"It is grounded claim {same[0].claim_id}: cite {same[0].citation_url} behind it."
    reason = Reason("uncited", "nothing behind the sentence says where it comes from")
    return _make_audited(sentence, UNCITED, reason, remedy=remedy)


def _audit_unvalidated(sentence: ReportSentence, known: EvidenceIndex) -> AuditedSentence:
    """A sentence none of whose sources was validated."""
    reasons = [*_find_unlisted_sources(sentence), *(_explain_unvalidated(url, known) for url in _urls(sentence))]
    return _make_audited(sentence, UNSUPPORTED, *reasons, remedy="Validate the source, or cite another one.")


def _find_unlisted_sources(sentence: ReportSentence) -> list[Reason]:
    names = dict.fromkeys(name for mark in sentence.marks for name in mark.missing)
    return [Reason("source-not-listed", f"{name} is not in the report's list of sources") for name in names]


def _explain_unvalidated(url: str, known: EvidenceIndex) -> Reason:
    why = known.rejection(url)
    if why:
        return Reason("citation-rejected", f"{url}: the citation was rejected: {why}")
    return Reason("source-never-validated", f"{url}: source never validated")


def _judge(
    waiting: Sequence[tuple[int, ReportSentence]], known: EvidenceIndex, judge: Judge
) -> dict[int, AuditedSentence]:
    """What a judge says of sentences in words of their own: first of the quotes they cite, then of the pages."""
    asked = [(at, sentence, _quotes(sentence, known)) for at, sentence in waiting]
    found, rest = _ask_judge(asked, known, judge)
    again = [(at, sentence, _passages(sentence, known)) for at, sentence, _ in rest]
    more, left = _ask_judge(again, known, judge)
    low = {at: best for at, _, best in rest}
    for at, sentence, best in left:
        # What the quote itself says weighs more than that no other sentence of the page helps.
        more[at] = _audit_judged(sentence, low[at] or best, UNSUPPORTED, known)
    return found | more


def _without_link_words(asked: Sequence[tuple[ReportSentence, _Asked]], judge: Judge) -> list[Assessment | None]:
    """What a judge says of sentences without the words of their links, which could carry what stands beside them.

    Where the quote states all of a sentence, or nothing is left of it, there is nothing to ask.
    """
    rows = [
        at
        for at, (one, best) in enumerate(asked)
        if best.assessment.level == MEDIUM and len(WORD.findall(one.rest)) >= _FEWEST_WORDS
    ]
    pairs = [(asked[at][0].rest, asked[at][1].evidence) for at in rows]
    answers: list[Assessment | None] = [None] * len(asked)
    for at, answer in zip(rows, judge.assess_all(pairs) if pairs else [], strict=True):
        answers[at] = answer
    return answers


class _Asked(Struct, frozen=True):
    """A piece of evidence and what was said of it."""

    citation_id: int
    evidence: QuotedEvidence
    assessment: Assessment


def _ask_judge(
    asked: list[tuple[int, ReportSentence, list[tuple[int, QuotedEvidence]]]], known: EvidenceIndex, judge: Judge
) -> tuple[dict[int, AuditedSentence], list[tuple[int, ReportSentence, _Asked | None]]]:
    """Sentences that the evidence supports, and those it does not with the best of what there is."""
    pairs = [(sentence.text, evidence) for _, sentence, all_ in asked for _, evidence in all_]
    answers = iter(judge.assess_all(pairs) if pairs else [])
    found: dict[int, AuditedSentence] = {}
    good: list[tuple[int, ReportSentence, _Asked]] = []
    rest: list[tuple[int, ReportSentence, _Asked | None]] = []
    for at, sentence, all_ in asked:
        best: _Asked | None = None
        for number, evidence in all_:
            answer = _Asked(number, evidence, next(answers))
            best = answer if best is None or _rank(answer) > _rank(best) else best
        if best is not None and best.assessment.level != _LOW:
            good.append((at, sentence, best))
        else:
            rest.append((at, sentence, best))
    bare = _without_link_words([(sentence, best) for _, sentence, best in good], judge)
    for (at, sentence, best), without in zip(good, bare, strict=True):
        if without is not None and without.level == _LOW:
            told = Reason("link-text", "without the words of its links, the source does not say it")
            lowered = replace(without, reasons=(told, *without.reasons))
            rest.append((at, sentence, replace(best, assessment=lowered)))
        else:
            found[at] = _audit_judged(sentence, best, GROUNDED, known)
    return found, rest


def _rank(one: _Asked) -> tuple[int, bool, float]:
    # Of evidence that does not support a sentence, the one that says otherwise tells most.
    said = one.assessment
    return LEVELS.index(said.level), said.verdict == CONTRADICTED, said.score


def _quotes(sentence: ReportSentence, known: EvidenceIndex) -> list[tuple[int, QuotedEvidence]]:
    ids = dict.fromkeys(number for url in _urls(sentence) for number in known.nearest(url, sentence.text))
    return [(number, make_evidence(known.grounds.citations[number - 1])) for number in ids]


def _passages(sentence: ReportSentence, known: EvidenceIndex) -> list[tuple[int, QuotedEvidence]]:
    found: list[tuple[int, QuotedEvidence]] = []
    for url in _urls(sentence):
        ids = known.citations_of(url)
        near = known.near(known.grounds.citations[ids[0] - 1].source_url) if ids else None
        if near is not None:
            title = known.grounds.citations[ids[0] - 1].page_title
            found += [(ids[0], replace(one, title=title)) for one in near.best(sentence.text)]
    return found


def _audit_judged(sentence: ReportSentence, best: _Asked | None, state: str, known: EvidenceIndex) -> AuditedSentence:
    if best is None:
        return _audit_unvalidated(sentence, known)
    citation = known.grounds.citations[best.citation_id - 1]
    said = best.assessment
    if sentence.elided and said.level == HIGH:
        told = Reason("no-subject", "the clause leaves its subject to the one before it, which cites another source")
        said = replace(said, level=MEDIUM, reasons=(*said.reasons, told))
    others = [_explain_unvalidated(url, known) for url in _urls(sentence) if not known.citations_of(url)]
    remedy = ""
    if state != GROUNDED:
        remedy = "Say what the source says, or cite a passage that says this."
        if said.verdict == CONTRADICTED:
            remedy = "The source says otherwise: correct the sentence."
    reasons = (*said.reasons, *_find_unlisted_sources(sentence), *others)
    return replace(
        _make_audited(sentence, state, *reasons, remedy=remedy),
        citation_id=best.citation_id,
        citation_url=citation.source_url,
        quote=best.evidence.text,
        level=said.level,
        judge=said.judge,
    )


def _make_audited(sentence: ReportSentence, state: str, *reasons: Reason, remedy: str = "") -> AuditedSentence:
    """What an audit says of a sentence, and where it stands; the source is the first that it cites."""
    place = sentence.start, sentence.end, sentence.tail, sentence.line, sentence.text
    url = next(iter(_urls(sentence)), "")
    return AuditedSentence(*place, state, citation_url=url, reasons=reasons, remedy=remedy, kind=sentence.kind)


def mark(text: str, audit: ReportAudit) -> str:
    """The report with `[citation needed]` behind every sentence that is not grounded; all else stays byte for byte."""
    places: set[int] = set()
    for sentence in audit.sentences:
        if sentence.state not in (UNSUPPORTED, UNCITED) or sentence.kind in _AS_CODE:
            # What needs a reader has its citation.
            continue
        end = sentence.tail
        if (bare := _BARE.search(text, max(sentence.start, end - _REACH), end)) is not None:
            end = bare.start()
        if not _MARKED.match(text, end) and not text.endswith(NEEDED, 0, end):
            places.add(end)
    pieces: list[str] = []
    at = 0
    for end in sorted(places):
        pieces += text[at:end], f" {NEEDED}"
        at = end
    return "".join([*pieces, text[at:]])
