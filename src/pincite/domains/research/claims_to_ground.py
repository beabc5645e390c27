"""The claims that are to be grounded: those of a foreign mapping, or of the user's own file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import Unreadable, UsageError
from ...core.model import Severity
from ...judge.model import LEVELS
from .grounding import ClaimCandidate, given_number
from .model import GROUND, VALIDATE, Broken, RejectedClaim
from .provenance import MADE
from .stage_values import CONTROL, HIGHEST_ID

if TYPE_CHECKING:
    from .stages import Work

_CLAIMS_BYTES = 4 * 1024 * 1024
_JUDGED_HERE = ("low-confidence", "too-few-grounded", "not-sequential")
"""What a foreign mapping may break: the stage itself says so, claim by claim."""


def read_mapped_claims(work: Work) -> tuple[list[ClaimCandidate] | None, str]:
    """The claims of a foreign mapping, as it was given; None where there is none."""
    key = work.topic.path(GROUND)
    if not work.root.is_file(key):
        return None, VALIDATE
    loaded = work.load_stage(GROUND)
    made = loaded.extra.get(MADE)
    ours = isinstance(made, dict)
    origin = made.get("claims_from") if isinstance(made, dict) else GROUND
    if origin == VALIDATE:
        return None, VALIDATE
    if isinstance(made, dict) and isinstance(origin, str) and origin != GROUND and work.root.is_file(origin):
        # Only a file that this one was really made from: a tree may come from anyone, and name any file in it.
        if work.digest(origin) != made.get("claims"):
            again = f"pincite research ground {work.topic.name} --claims {origin}"
            raise UsageError(f"{origin}: changed since claims were taken from it; run `{again}`")
        return claims_file(work, origin), origin
    broken = [problem for problem in loaded.problems if problem.severity == Severity.ERROR]
    if broken and not all(problem.rule in _JUDGED_HERE for problem in broken):
        raise Broken(GROUND, [problem for problem in broken if problem.rule not in _JUDGED_HERE])
    wanted = [
        ClaimCandidate(
            one.claim,
            given_number(one) if ours else one.citation_id,
            one.given_confidence or (None if ours or isinstance(one, RejectedClaim) else one.confidence),
            one.section,
        )
        for one in (*loaded.items, *loaded.rejected)
    ]
    return wanted, GROUND


def claims_file(work: Work, key: str) -> list[ClaimCandidate]:
    """The claims in a file of one's own, by its path from the root; raises Refused or UsageError."""
    from ...text.lines import decode

    try:
        return read_claims(decode(work.root.read(key, _CLAIMS_BYTES)), key)
    except Unreadable as error:
        raise Unreadable(f"{key}: {error}") from None


def read_claims(text: str, name: str) -> list[ClaimCandidate]:
    """Claims from a file of one's own: one a line, or YAML with `claims`; raises UsageError."""
    found = _read_claims(text, name)
    for number, one in enumerate(found, 1):
        if not one.claim.strip() or CONTROL.search(f"{one.claim}{one.section or ''}"):
            raise UsageError(f"{name}: claim {number} is empty or holds a control character; correct it")
        if one.confidence is not None and one.confidence not in LEVELS:
            raise UsageError(f"{name}: claim {number}: its confidence is none of {', '.join(LEVELS)}")
        if one.section is not None and not one.section.strip():
            raise UsageError(f"{name}: claim {number}: its section is empty; leave it out")
        if not 0 <= one.citation_id <= HIGHEST_ID:
            raise UsageError(f"{name}: claim {number}: its citation_id is not between 1 and {HIGHEST_ID:,}")
    return found


def _read_claims(text: str, name: str) -> list[ClaimCandidate]:
    from ...text.yaml import FrontmatterError
    from .attestations import plain

    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not any(line.startswith(("claims:", "{")) for line in lines[:3]):
        return [ClaimCandidate(line.removeprefix("- ")) for line in lines if not line.startswith("#")]
    from msgspec import ValidationError, convert

    try:
        data = plain(text)
        given = data.get("claims") if isinstance(data, dict) else None
        if not isinstance(given, list):
            raise TypeError("`claims` is no list")
        return [ClaimCandidate(one) if isinstance(one, str) else convert(one, ClaimCandidate) for one in given]
    except (FrontmatterError, ValidationError, TypeError) as error:
        raise UsageError(f"{name}: {error}; expected one claim a line, or `claims:` with a list") from None
