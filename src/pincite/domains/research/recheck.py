"""Looks again at what stage files say that this user's pincite did not write: their quotes, and their claims.

Such files came with a clone, or were edited; they can say what they like. Where a snapshot of the page is there, it
decides. Nothing is fetched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import convert

from ...core.model import Severity
from ...judge.model import LEVELS
from .grounding import make_evidence
from .model import ExtractedCitation, StageProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...safe.files import Root
    from .model import GroundedClaim, ValidatedCitation
    from .quote_lookup import SnapshotPlace
    from .stage_file import StageFile
    from .stages import TopicContext
    from .topic import Topic


def validate_again(
    work: TopicContext, citations: Sequence[ValidatedCitation]
) -> tuple[tuple[ValidatedCitation, ...], frozenset[int]]:
    """What the snapshots say of validated citations; one that its snapshot contradicts is rejected.

    With the ids of those of whose pages there is no snapshot that can be read: they rest on the file's word alone.
    """
    from .stages import validate

    asked = [at for at, one in enumerate(citations) if one.validated]
    fresh = validate(work, [convert(citations[at], ExtractedCitation, from_attributes=True) for at in asked]).citations
    found = list(citations)
    unseen: set[int] = set()
    for at, one in zip(asked, fresh, strict=True):
        if one.validation_details.quote_found is None:
            unseen.add(at + 1)
        else:
            found[at] = one
    return tuple(found), frozenset(unseen)


def judge_again(
    work: TopicContext, claims: Sequence[GroundedClaim], citations: Sequence[ValidatedCitation]
) -> list[GroundedClaim]:
    """The claims of which the judge here, or a person, says at least what the file says of them."""
    standing = [
        claim
        for claim in claims
        if 0 < claim.citation_id <= len(citations)
        and citations[claim.citation_id - 1].validated
        and citations[claim.citation_id - 1].quote == claim.citation_quote
    ]
    vouched = work.attestations()
    pairs = [(claim.claim, make_evidence(citations[claim.citation_id - 1])) for claim in standing]
    found = []
    for claim, said in zip(standing, work.judge.assess_all(pairs) if pairs else [], strict=True):
        attested = vouched.claim(claim.claim, claim.citation_quote)
        if claim.attested and claim.attested != attested:
            continue
        if vouched.rejection(claim.claim, claim.citation_quote):
            continue
        if (attested and claim.confidence != LEVELS[-1]) or LEVELS.index(said.level) >= LEVELS.index(claim.confidence):
            found.append(claim)
    return found


def find_contradictions(root: Root, topic: Topic, validated: StageFile, most_bytes: int) -> list[StageProblem]:
    """Validated citations whose quotes are not in the snapshots of their pages, in a file we did not write."""
    from ...store.cache_folder import is_own
    from ...store.warc import Snapshots
    from .page_fetching import PageReader, held_page
    from .quote_lookup import QuoteFinder

    if is_own(root, validated.digest) or not root.names(topic.snapshots):
        return []
    asked = [
        (index, one)
        for index, one in enumerate(validated.items)
        if one.validated and one.validation_details.quote_verbatim
    ]
    snapshots = Snapshots(root, topic.snapshots)
    held = {one.source_url: held_page(snapshots, one.source_url) for _, one in asked}
    finder = QuoteFinder(PageReader(most_bytes))
    problems = []
    for index, one in asked:
        place = finder.find(held[one.source_url], one.quote)
        if place.found is not None and not place.found.verbatim:
            problems.append(_make_contradiction(validated, index, place))
    return problems


def _make_contradiction(validated: StageFile, index: int, place: SnapshotPlace) -> StageProblem:
    file = place.snapshot.file if place.snapshot is not None else ""
    reason = place.found.reason if place.found is not None else ""
    return StageProblem(
        "quote-not-in-snapshot",
        validated.key,
        validated.path(index, "quote"),
        validated.line(index, "quote"),
        f"it is called validated, and the snapshot {file} does not hold it: {reason}",
        "run `pincite research validate`, which checks it again",
        Severity.WARNING,
    )
