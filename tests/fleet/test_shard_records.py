from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.msgpack import decode, encode

from pincite.core.model import Outcome
from pincite.fleet.shard_records import (
    MALFORMED,
    ShardBatch,
    ShardHead,
    ShardReply,
    ShardResult,
    ShardRow,
    ShardTask,
    citation_id,
    shorten,
)

TEXTS = st.text(max_size=20)


@given(TEXTS, TEXTS, st.integers(0, 50), TEXTS, TEXTS, st.integers(0, 50))
def test_a_citation_has_a_number_of_its_own(a: str, b: str, m: int, c: str, d: str, n: int) -> None:
    first, second = citation_id(a, b, m), citation_id(c, d, n)
    assert (first == second) == ((a, b, m) == (c, d, n))
    assert -(1 << 63) <= first < 1 << 63


def test_the_number_of_a_citation_stays_the_same_between_versions() -> None:
    # Stores hold it: another formula would make every citation a new one.
    assert citation_id("docs/a.md", "src/x.py:1", 0) == citation_id("docs/a.md", "src/x.py:1", 0)
    assert citation_id("docs/a.md", "src/x.py:1", 0) == -2813972892788004648


@given(st.text(min_size=0, max_size=700))
def test_shortened_texts_are_bounded_and_stay_different(text: str) -> None:
    short = shorten(text)
    assert len(short) <= 300
    assert (short == text) == (len(text) <= 300)
    assert shorten(text + "x" * 400) != shorten(text + "y" * 400)


def test_records_travel() -> None:
    row = ShardRow("a.md", 1, "x:1", 0, "path", int(Outcome.MOVED), "lines-moved", "why", 1)
    for reply in (ShardHead("c", 1), ShardBatch([row], True), ShardResult("c", 1, 2, [row], {"a": "b"}, trouble="t")):
        assert decode(encode(reply), type=ShardReply) == reply
    assert MALFORMED == 7


def test_a_task_does_not_show_credentials() -> None:
    assert "secret" not in repr(ShardTask("n", "https://user:secret@host/x"))
