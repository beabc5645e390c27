"""What stands around a quote reaches whoever judges it, from the page through the stage's file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pincite.domains.research.audit_evidence import AuditEvidence, NearSentences
from pincite.domains.research.grounding import make_evidence
from pincite.domains.research.model import VALIDATE
from pincite.domains.research.page_context import surround
from pincite.domains.research.report_audit import audit
from pincite.domains.research.stage_runner import ground_topic, read_stage, validate_topic
from pincite.judge.model import Assessment, QuotedEvidence
from pincite.judge.offline import Offline

DENIED = "We found no evidence that Firefox leaks memory. It was tested for a year."
CLAIM = "Firefox leaks memory"


def denied(made: Any, bed: Any) -> Any:
    """A topic of which one page denies what is quoted from it."""
    pages = {**made.PAGES, made.WEIR: made.html("Fish at the weir", [DENIED, made.FISH], "Ana Ruiz")}
    return bed.given([*made.ROWS, (CLAIM, CLAIM, made.WEIR)]).snapshots(pages)


def test_a_stage_file_keeps_what_stands_around_a_quote(made: Any, bed: Any) -> None:
    work = denied(made, bed).work(offline=True)
    validate_topic(work)
    last = read_stage(work, VALIDATE).items[-1]
    assert last.validated
    assert last.evidence.before.endswith("\nWe found no evidence that ")
    assert last.evidence.after.startswith(". It was tested for a year.\n")
    assert make_evidence(last) == QuotedEvidence(CLAIM, last.page_title, last.evidence.before, last.evidence.after)


@pytest.mark.parametrize("left_out", [("before", "after"), ("after",)])
def test_a_stage_file_without_it_still_works(made: Any, bed: Any, left_out: tuple[str, ...]) -> None:
    from msgspec.structs import replace

    work = denied(made, bed).work(offline=True)
    validate_topic(work)
    old = [
        replace(one, evidence=replace(one.evidence, **dict.fromkeys(left_out, "")))
        for one in read_stage(work, VALIDATE).items
    ]
    bed.write(VALIDATE, old)
    found, _ = ground_topic(bed.work(offline=True))
    assert len(found.grounded) >= 6


def test_what_its_sentence_takes_back_is_not_stated(made: Any, bed: Any) -> None:
    work = denied(made, bed).work(offline=True, judge=Offline())
    validate_topic(work)
    found, _ = ground_topic(work)
    assert CLAIM not in [one.claim for one in found.grounded if one.confidence == "high"]


def test_sentences_of_a_page_come_with_their_neighbours() -> None:
    (one,) = NearSentences(("The following\nis false. Firefox leaks\nmemory. None of it is true.",)).best(CLAIM)[:1]
    assert one == QuotedEvidence("Firefox leaks memory.", "", "The following is false. ", " None of it is true.")


def test_an_audit_hands_the_neighbours_on(made: Any, bed: Any) -> None:
    told: list[QuotedEvidence] = []

    class Told(made.Literal):  # type: ignore[misc]
        def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
            told.extend(evidence for _, evidence in pairs)
            return [Assessment("low", "not shown", 0.0, (), "told") for _ in pairs]

    work = denied(made, bed).work(offline=True)
    found = validate_topic(work)
    grounds = AuditEvidence((), found.citations, lambda url: (DENIED,))
    audit(f"Firefox leaks memory. [1]({made.WEIR})", grounds, Told())
    assert (
        QuotedEvidence(
            "We found no evidence that Firefox leaks memory.", "Fish at the weir", "", " It was tested for a year."
        )
        in told
    )
    assert any(one.before.endswith("We found no evidence that ") for one in told if one.text == CLAIM)


def test_breaks_between_blocks_are_kept_as_line_ends() -> None:
    text = "A heading\n\nOne  two\nthree four.  Five.\n\n\nSix."
    at = text.index("three")
    assert surround(text, at, at + 11) == ("A heading\nOne two ", " Five.\nSix.")
