"""Which claims a person may sign, and with what name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.domains.research.attestations import Attestations, ClaimAttestation
from pincite.domains.research.grounding import Grounding, make_claim_handle
from pincite.domains.research.model import GroundedClaim, RejectedClaim
from pincite.domains.research.signed_claims import SignableClaims, check_name, sign_author, sign_claim
from support_research import TIDES, Bed

STATED = GroundedClaim(1, "A.", 1, TIDES, "A.", "high")
IMPLIED = GroundedClaim(2, "B.", 2, TIDES, "B, perhaps.", "medium")
ATTESTED = GroundedClaim(3, "C.", 3, TIDES, "C, perhaps.", "medium", attested="attested by Ada on 2026-01-01")
UNSHOWN = RejectedClaim(1, "D.", "not shown", 4, TIDES, "E.")
DENIED = RejectedClaim(2, "F.", "contradicted", 5, TIDES, "Not F.")
CALLED_LOW = RejectedClaim(3, "G.", "not shown", 6, TIDES, "H.", given_confidence="low")
CLAIMS = SignableClaims(Grounding((STATED, IMPLIED, ATTESTED), (UNSHOWN, DENIED, CALLED_LOW)))


def handle(claim: GroundedClaim | RejectedClaim) -> str:
    return make_claim_handle(claim.claim, claim.citation_quote)


@pytest.mark.parametrize("name", ["1", "R1", handle(UNSHOWN)])
def test_what_is_not_shown_can_be_accepted(name: str) -> None:
    assert CLAIMS.find_acceptable(name) is UNSHOWN


def test_what_is_implied_can_be_accepted_by_its_short_name() -> None:
    assert CLAIMS.find_acceptable(handle(IMPLIED)) is IMPLIED


@pytest.mark.parametrize(
    "name", ["2", "R2", "3", "4", "", "RR1", handle(STATED), handle(ATTESTED), handle(DENIED), "x" * 500]
)
def test_nothing_else_can_be_accepted(name: str) -> None:
    with pytest.raises(UsageError) as error:
        CLAIMS.find_acceptable(name)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(("name", "found"), [("1", STATED), ("3", ATTESTED), (handle(IMPLIED), IMPLIED)])
def test_what_is_grounded_can_be_rejected(name: str, found: GroundedClaim) -> None:
    assert CLAIMS.find_rejectable(name) is found


@pytest.mark.parametrize("name", ["R1", "4", "", handle(UNSHOWN), handle(DENIED)])
def test_nothing_else_can_be_rejected(name: str) -> None:
    with pytest.raises(UsageError):
        CLAIMS.find_rejectable(name)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\x1bb", "a\u200bb", "a\u202eb", "\ud800", "a\x00", "a" * 201])
def test_what_is_no_name_signs_nothing(name: str) -> None:
    with pytest.raises(UsageError):
        check_name(name)
    with pytest.raises(UsageError):
        sign_claim(UNSHOWN, name)


@pytest.mark.parametrize("note", ["a\x07", "\ud800", "a" * 2001])
def test_a_note_that_is_no_text_is_refused(note: str) -> None:
    with pytest.raises(UsageError):
        sign_claim(UNSHOWN, "Ada", note)


@pytest.mark.parametrize(
    "url", ["", "http://tides.example/moon", "javascript:x", "https://other.example/", f"{TIDES}/"]
)
def test_an_author_is_signed_for_only_where_a_citation_has_the_page(url: str, tmp_path: Path) -> None:
    work = Bed(tmp_path).given().work()
    with pytest.raises(UsageError):
        sign_author(work, url, "Jo", "Ada")
    assert sign_author(work, TIDES, " Jo ", " Ada ").author == "Jo"


def test_of_a_claim_and_its_quote_the_last_word_counts() -> None:
    accepted = ClaimAttestation("D.", "E.", "Ada", "2026-01-01")
    rejected = ClaimAttestation("D.", "E.", "Jo", "2026-01-02")
    both = Attestations().add_claim(accepted).add_rejection(rejected)
    assert (both.claims, both.rejections) == ((), (rejected,))
    assert both.rejection("D.", "E.") == "rejected by Jo on 2026-01-02" and both.claim("D.", "E.") == ""
    again = both.add_claim(accepted)
    assert (again.claims, again.rejections) == ((accepted,), ())
    assert again.rejection("D.", "other") == ""
