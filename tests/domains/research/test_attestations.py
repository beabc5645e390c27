"""What persons vouch for: kept in a file of their own, read back as it was, refused where it is something else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pincite.core.errors import PinciteError, UsageError
from pincite.domains.research.attestations import (
    Attestations,
    AuthorAttestation,
    ClaimAttestation,
    attest_author,
    attest_claim,
    load_attestations,
)
from pincite.safe.files import Root

KEY = ".research/tides/attestations.yaml"
EXAMPLES = int(os.environ.get("PINCITE_EXAMPLES", "40"))
DAY = "2026-05-03"


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    with Root(str(tmp_path)) as opened:
        yield opened


def test_none_without_a_file(root: Root) -> None:
    assert load_attestations(root, KEY) == Attestations()


def test_what_is_said_again_replaces_what_was_said(root: Root) -> None:
    attest_author(root, KEY, AuthorAttestation("https://a.example/", "Ana", "Jo", DAY))
    attest_author(root, KEY, AuthorAttestation("https://b.example/", "Ben", "Jo", DAY))
    attest_claim(root, KEY, ClaimAttestation("A claim.", "A quote.", "Jo", DAY, "read it"))
    attest_author(root, KEY, AuthorAttestation("https://a.example/", "Ann", "Mo", "2026-05-04"))
    attest_claim(root, KEY, ClaimAttestation("A claim.", "A quote.", "Mo", "2026-05-04"))
    known = load_attestations(root, KEY)
    assert (len(known.authors), len(known.claims)) == (2, 1)
    assert known.author("https://a.example/") == "Ann, attested by Mo on 2026-05-04"
    assert known.author("https://b.example/") == "Ben, attested by Jo on 2026-05-03"
    assert known.author("https://c.example/") == ""
    assert known.claim("A claim.", "A quote.") == "attested by Mo on 2026-05-04"
    assert known.claim("A claim.", "Another quote.") == ""
    assert known.claim("Another claim.", "A quote.") == ""


_TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40) | st.sampled_from(
    [
        "1e3",
        "0o17",
        "0x1F",
        "yes",
        "null",
        "~",
        "2026-01-01",
        "a: b",
        "- x",
        "#",
        "'",
        '"',
        "\x1b[31m",
        " a ",
        "\u2028",
        "=",
        ".5",
    ]
)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_TEXT, _TEXT, _TEXT)
@example("0o17", "1e3", "\x85")
def test_every_text_reads_back_as_it_was(root: Root, one: str, two: str, three: str) -> None:
    Path(root.path, KEY).unlink(missing_ok=True)
    attest_author(root, KEY, AuthorAttestation(one, two, three, DAY, two))
    attest_claim(root, KEY, ClaimAttestation(one, two, three, DAY, one))
    known = load_attestations(root, KEY)
    assert known.authors[-1] == AuthorAttestation(one, two, three, DAY, two)
    assert known.claims[-1] == ClaimAttestation(one, two, three, DAY, one)


def test_what_could_not_be_read_back_is_not_written(root: Root, tmp_path: Path) -> None:
    attest_author(root, KEY, AuthorAttestation("https://a.example/", "Ana", "Jo", DAY))
    before = (tmp_path / KEY).read_bytes()
    with pytest.raises(UsageError, match="nothing was written"):
        attest_claim(root, KEY, ClaimAttestation("x" * 20_000, "q", "Jo", DAY))
    with pytest.raises(UsageError, match="nothing was written"):
        attest_author(root, KEY, AuthorAttestation("", "Ana", "Jo", DAY))
    assert (tmp_path / KEY).read_bytes() == before
    assert sorted(path.name for path in (tmp_path / KEY).parent.iterdir()) == ["attestations.yaml"]


@pytest.mark.parametrize(
    "text",
    [
        "authors: [",
        "authors: 5",
        "- a",
        "other: []",
        "authors:\n  - source_url: u\n    author: a\n    by: b\n",
        "authors:\n  - {source_url: u, author: a, by: b, date: yesterday}\n",
        "authors:\n  - {source_url: u, author: a, by: '', date: '2026-01-01'}\n",
        "claims:\n  - {claim: c, quote: 5, by: b, date: '2026-01-01'}\n",
        "authors: []\nauthors: []\n",
        "a: &a [*a]",
        "\x00",
        "authors: " + "[" * 500,
    ],
)
def test_what_is_no_attestation_is_refused(root: Root, tmp_path: Path, text: str) -> None:
    place = tmp_path / KEY
    place.parent.mkdir(parents=True)
    place.write_text(text)
    with pytest.raises(PinciteError, match=r"attestations\.yaml") as caught:
        load_attestations(root, KEY)
    assert caught.value.exit_code == 2
    with pytest.raises(PinciteError):
        attest_author(root, KEY, AuthorAttestation("https://a.example/", "Ana", "Jo", DAY))
    assert place.read_text() == text


def test_bytes_that_are_no_text_are_refused(root: Root, tmp_path: Path) -> None:
    (tmp_path / KEY).parent.mkdir(parents=True)
    (tmp_path / KEY).write_bytes(b"authors:\n  - \xff")
    with pytest.raises(PinciteError, match=r"attestations\.yaml"):
        load_attestations(root, KEY)
