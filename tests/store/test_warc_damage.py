"""Damaged snapshots: whatever byte is changed or missing, nothing else is ever believed to have been answered."""

from __future__ import annotations

import gzip
import os
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from pincite.core.web import Exchange, Visit
from pincite.store.warc_read import read_file
from pincite.store.warc_write import warc_bytes

spec = spec_from_file_location("support_warc", Path(__file__).parents[1] / "support_warc.py")
assert spec is not None and spec.loader is not None
support_warc = module_from_spec(spec)
spec.loader.exec_module(support_warc)
read_warc = support_warc.read_warc

# Every byte with several changes on request; a sample of them every day.
STEP = 1 if os.environ.get("PINCITE_CAMPAIGN") else 5
MOVED = Exchange("https://example.org/old", 301, "Moved", (("Location", "/tides"),), b"moved", (("Host", "x"),))
PAGE = Exchange(
    url="https://example.org/tides",
    status=200,
    reason="OK",
    headers=(("Content-Type", "text/html"), ("Transfer-Encoding", "chunked"), ("Content-Length", "34")),
    body=b"<p>The tide turns twice a day.</p>\n" * 3 + bytes(range(256)),
    address="192.0.2.7",
)
VISIT = Visit("https://example.org/old#part", "2026-01-31T23:59:59Z", (MOVED, PAGE))
PACKED = warc_bytes(VISIT)
PLAIN = gzip.decompress(PACKED)
ONE_MEMBER = gzip.compress(PLAIN, mtime=0)
FORMS = {"packed": PACKED, "plain": PLAIN, "one member": ONE_MEMBER}


def told(data: bytes) -> set[tuple[str, str, tuple[Exchange, ...]]]:
    """What is believed of a file: addresses, times and answers; what was asked is no evidence."""
    return {
        (
            found.visit.url.partition("#")[0],
            found.visit.retrieved,
            tuple(replace(one, request_headers=()) for one in found.visit.exchanges),
        )
        for found in read_warc(data)
        if not found.damaged
    }


WHOLE = told(PACKED)
# A visit of which the end is missing is still a redirect that was seen.
PARTS = {(url, when, answers[:count]) for url, when, answers in WHOLE for count in range(1, len(answers) + 1)}


@pytest.mark.parametrize("form", FORMS)
def test_a_changed_byte_is_never_believed(form: str) -> None:
    data = FORMS[form]
    assert told(data) == WHOLE
    assert len(WHOLE) == 2
    chance = Random(6)
    silent = 0
    for at in range(chance.randrange(STEP), len(data), STEP):
        changed = bytearray(data)
        changed[at] ^= 1 << chance.randrange(8) if at % 2 else chance.randrange(1, 256)
        believed = told(bytes(changed))
        assert believed <= PARTS, at
        silent += believed == WHOLE and not read_file(bytes(changed), "x").problems
    # Some bytes say nothing about the page: the system a gzip member was made on, the name of the writer.
    assert silent < len(data) / STEP * (0.7 if form == "plain" else 0.1)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_missing_at_the_end_is_never_made_up(form: str) -> None:
    data = FORMS[form]
    whole = 0
    for end in range(0, len(data), STEP):
        cut = data[:end]
        believed = told(cut)
        assert believed <= PARTS, end
        if believed == WHOLE:
            whole += 1
        else:
            assert read_file(cut, "x").problems or believed
    # What comes after the last answer only tells how the answers belong together.
    assert whole * STEP < len(data) / 2


def test_what_stands_before_the_cut_is_used() -> None:
    two = replace(VISIT, url=PAGE.url, exchanges=(replace(PAGE, body=b"second"),), retrieved="2026-02-01T00:00:00Z")
    packed = warc_bytes(two)
    plain = gzip.decompress(packed)
    for data in (
        PACKED + packed[: packed.rindex(b"\x1f\x8b\x08") - 9],
        PLAIN + plain[: plain.index(b"second") + 2],
    ):
        assert told(data) >= WHOLE
        assert [found.visit.retrieved for found in read_warc(data) if found.damaged] == [two.retrieved]
        assert read_file(data, "x").problems


def test_pieces_that_were_exchanged_are_not_believed() -> None:
    other = replace(VISIT, exchanges=(MOVED, replace(PAGE, body=PAGE.body.replace(b"twice", b"never"))))
    for old, new in ((b"twice", b"never"), (b"192.0.2.7", b"192.0.2.8"), (b"2026-01-31", b"2016-01-31")):
        believed = told(gzip.compress(PLAIN.replace(old, new)))
        assert believed == set() or believed <= PARTS
    # An answer of another visit, whole as it is, is not the one that this visit names.
    mine, others = PLAIN.split(b"WARC/1.1\r\n"), gzip.decompress(warc_bytes(other)).split(b"WARC/1.1\r\n")
    mixed = b"WARC/1.1\r\n".join([*mine[:5], others[5], *mine[6:]])
    assert not any(PAGE.body in [one.body for one in answers] for _, _, answers in told(mixed))
    assert any("names answers that are not here" in problem for problem in read_file(mixed, "x").problems)
