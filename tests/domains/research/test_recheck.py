"""Stage files that this user's pincite did not write are compared with the snapshots beside them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pincite.domains.research.attestations import ClaimAttestation, attest_claim
from pincite.domains.research.model import EXTRACT
from pincite.domains.research.recheck import judge_again, validate_again
from pincite.domains.research.stage_runner import read_stage
from pincite.domains.research.stages import ground, validate


@pytest.fixture
def found(held: Any) -> Any:
    """The work on a topic, its validated citations and its grounded claims."""
    from pincite.judge.offline import Offline

    work = held.work(offline=True, judge=Offline())
    citations = validate(work, read_stage(work, EXTRACT).items).citations
    return work, citations, ground(work, citations).grounded


def test_honest_files_stay_what_they_are(found: Any) -> None:
    work, citations, claims = found
    again, unseen = validate_again(work, citations)
    assert again == tuple(citations) and not unseen
    assert judge_again(work, claims, again) == list(claims)


def test_a_quote_that_no_snapshot_holds_is_rejected(found: Any) -> None:
    work, citations, claims = found
    forged = replace(citations[2], quote=citations[2].quote.replace("14", "15"))
    again, _ = validate_again(work, [*citations[:2], forged, *citations[3:]])
    assert not again[2].validated and again[2].rejection_reason
    assert [one for one in judge_again(work, claims, again) if one.citation_id == 3] == []


def test_what_stands_around_a_quote_is_read_from_the_snapshot(found: Any) -> None:
    work, citations, _ = found
    forged = replace(citations[0], evidence=replace(citations[0].evidence, before="It is certain that ", after=""))
    assert validate_again(work, [forged])[0][0] == citations[0]


def test_a_citation_that_was_rejected_stays_so(found: Any) -> None:
    work, citations, _ = found
    rejected = replace(citations[0], validated=False, rejection_reason="a reader said so")
    assert validate_again(work, [rejected])[0] == (rejected,)


def test_without_a_snapshot_a_citation_is_unseen(found: Any) -> None:
    work, citations, _ = found
    elsewhere = replace(citations[0], source_url="https://nowhere.example/page")
    again, unseen = validate_again(work, [elsewhere, citations[1]])
    assert unseen == {1} and again[0] == elsewhere


def test_a_claim_that_its_quote_does_not_carry_is_left_out(found: Any) -> None:
    work, citations, claims = found
    forged = replace(claims[0], claim="The council hates the moon.", confidence="high")
    assert judge_again(work, [forged, *claims[1:]], citations) == list(claims[1:])
    assert judge_again(work, [replace(forged, citation_id=0)], citations) == []
    assert judge_again(work, [replace(claims[0], citation_quote="Other words.")], citations) == []


def test_a_signature_counts_where_the_attestations_have_it(found: Any) -> None:
    work, citations, claims = found
    signed = replace(claims[0], claim="It is so.", confidence="medium", attested="attested by Jo on 2026-03-01")
    assert judge_again(work, [signed], citations) == []
    entry = ClaimAttestation("It is so.", signed.citation_quote, "Jo", "2026-03-01")
    attest_claim(work.root, work.topic.attestations, entry)
    assert judge_again(work, [signed], citations) == [signed]
