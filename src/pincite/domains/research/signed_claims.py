"""Which claims of a topic a person may sign, and what is written then: that a quote supports a claim, or does not."""

from __future__ import annotations

from datetime import UTC, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...judge.model import NOT_SHOWN
from ...text.lines import can_encode, shorten
from .attestations import AuthorAttestation, ClaimAttestation
from .grounding import make_claim_handle, read_mapped_claims
from .model import EXTRACT, VALIDATE
from .stage_runner import read_stage
from .stage_values import CONTROL
from .stages import ground

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .grounding import ClaimCandidate, Grounding
    from .model import GroundedClaim, RejectedClaim
    from .stages import TopicContext

_LONGEST_NAME = 200
_LONGEST_NOTE = 2000


class SignableClaims:
    """The claims of a topic as they are judged now, by the names that a person can sign them with."""

    def __init__(self, found: Grounding) -> None:
        self._rejected: dict[str, RejectedClaim] = {}
        self._implied: dict[str, GroundedClaim] = {}
        self._grounded: dict[str, GroundedClaim] = {}
        for one in found.rejected:
            self._rejected[make_claim_handle(one.claim, one.citation_quote)] = one
            self._rejected[str(one.rejected_id)] = one
        for claim in found.grounded:
            handle = make_claim_handle(claim.claim, claim.citation_quote)
            self._grounded[handle] = self._grounded[str(claim.claim_id)] = claim
            if claim.confidence == "medium" and not claim.attested:
                self._implied[handle] = claim

    def find_acceptable(self, name: str) -> GroundedClaim | RejectedClaim:
        """The claim that a person may vouch for; raises UsageError where there is none."""
        if name in self._implied:
            return self._implied[name]
        found = self._rejected.get(name.removeprefix("R"))
        if found is None:
            known = ", ".join(dict.fromkeys(str(one.rejected_id) for one in self._rejected.values())) or "none"
            raise UsageError(f"there is no rejected claim {shorten(name, 40)} (rejected: {known})")
        if found.given_confidence == "low":
            raise UsageError(f"claim {name}: the input itself says low; change it where it was given")
        if found.verdict != NOT_SHOWN:
            raise UsageError(
                f"claim {name} is {found.verdict}, and only what is not shown can be attested; correct the claim, or "
                "cite a passage that states it"
            )
        return found

    def find_rejectable(self, name: str) -> GroundedClaim:
        """The grounded claim that a person may reject; raises UsageError where there is none."""
        found = self._grounded.get(name)
        if found is None:
            known = ", ".join(dict.fromkeys(str(one.claim_id) for one in self._grounded.values())) or "none"
            raise UsageError(f"there is no grounded claim {shorten(name, 40)} (grounded: {known})")
        return found


def judge_signable(work: TopicContext, wanted: Sequence[ClaimCandidate] | None = None) -> SignableClaims:
    """Judge the claims of a topic as `ground` does; nothing is written."""
    if wanted is None:
        wanted, _ = read_mapped_claims(work)
    return SignableClaims(ground(work, read_stage(work, VALIDATE).items, wanted))


def sign_claim(claim: GroundedClaim | RejectedClaim, by: str, note: str = "") -> ClaimAttestation:
    """A person's word on a claim and its quote, of today; raises UsageError for what is no name."""
    return ClaimAttestation(claim.claim, claim.citation_quote, check_name(by), _today(), _check_note(note))


def sign_author(work: TopicContext, url: str, author: str, by: str, note: str = "") -> AuthorAttestation:
    """A person's word on who wrote a page, of today; raises UsageError for a page that no citation has."""
    if not url.startswith("https://"):
        raise UsageError(f"{shorten(url, 200)}: give the page's https:// address, as the citation has it")
    citations = work.topic.path(EXTRACT)
    if work.root.is_file(citations):
        cited = [one.source_url for one in work.load_stage(EXTRACT).items]
        if url not in cited:
            close = get_close_matches(url, cited, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise UsageError(f"{url}: no citation in {citations} has this address{hint}")
    signed = check_name(by)
    return AuthorAttestation(url, check_name(author, "the author"), signed, _today(), _check_note(note))


def check_name(name: str, what: str = "the name") -> str:
    """A name as it is signed with, on one line; raises UsageError."""
    name = name.strip()
    if not name:
        raise UsageError(f"{what} is empty: a person has to sign for it")
    if CONTROL.search(name) or not name.isprintable() or not can_encode(name):
        raise UsageError(f"{what} holds characters that cannot be seen; write it as letters, on one line")
    if len(name) > _LONGEST_NAME:
        raise UsageError(f"{what} is longer than {_LONGEST_NAME} characters; shorten it")
    return name


def _check_note(note: str) -> str:
    note = note.strip()
    if CONTROL.search(note) or not can_encode(note):
        raise UsageError("the note holds control characters; write it as plain text")
    if len(note) > _LONGEST_NOTE:
        raise UsageError(f"the note is longer than {_LONGEST_NOTE} characters; shorten it")
    return note


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
