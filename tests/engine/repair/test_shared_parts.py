"""Verdicts that are kept in numbers share what is equal in them."""

from __future__ import annotations

from pincite.core.model import (
    Citation,
    Edit,
    Finding,
    Lines,
    Outcome,
    Place,
    Safety,
    Severity,
    SourceRef,
    Span,
    Verdict,
)
from pincite.engine.repair.shared_parts import Pool


def make_verdict(start: int) -> Verdict:
    citation = Citation("path-line", Span(start, start + 4), "a:1", SourceRef("file", "".join("a")), Lines(1, 1))
    edit = Edit(citation.span, "a:2", Safety.SAFE)
    place = Place("a", Lines(2, 2))
    finding = Finding(
        "lines-moved", Outcome.MOVED, Severity.WARNING, f"Moved to {'L2'}", "", edit, ("text",), (), place
    )
    return Verdict(citation, 1, start, (finding,))


def test_a_shared_verdict_is_equal_and_has_the_parts_of_the_first() -> None:
    pool = Pool()
    one, other = pool.share(make_verdict(0)), pool.share(make_verdict(9))
    assert one == make_verdict(0)
    assert other == make_verdict(9)
    assert one.citation.source is other.citation.source
    assert one.citation.lines is other.citation.lines
    assert one.findings[0].place is other.findings[0].place
    assert one.findings[0].message is other.findings[0].message
