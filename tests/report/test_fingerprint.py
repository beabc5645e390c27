"""Fingerprints: stable, distinct, and free of line numbers."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pincite.report._fingerprint import Fingerprints

TEXT = st.text(st.characters(exclude_categories=()), max_size=5)


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=12))
def test_every_finding_gets_its_own_and_the_same_again(findings: list[tuple[str, str, str]]) -> None:
    first, second = Fingerprints(), Fingerprints()
    given_out = [first.of(*finding) for finding in findings]
    assert given_out == [second.of(*finding) for finding in findings]
    assert len(set(given_out)) == len(findings)
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in given_out)


def test_equal_findings_are_numbered_apart_from_others() -> None:
    prints = Fingerprints()
    one, other, again = (prints.of("a.md", check, "x:1") for check in ("c", "d", "c"))
    assert len({one, other, again}) == 3
    fresh = Fingerprints()
    assert [fresh.of("a.md", "c", "x:1"), fresh.of("a.md", "c", "x:1")] == [one, again]


def test_fields_do_not_run_into_one_another() -> None:
    assert Fingerprints().of("a", "bc", "d") != Fingerprints().of("ab", "c", "d")


def test_the_name_of_a_finding_never_changes() -> None:
    assert Fingerprints().of("docs/guide.md", "file-not-found", "src/load.py:4") == "c45f35e3ba013220"
