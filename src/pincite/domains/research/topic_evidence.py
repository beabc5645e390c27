"""What the report of a topic may rest on: what its stages found, and the pages that its snapshots hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.web import FetchFailure
from ...store.warc import Snapshots
from .audit_evidence import AuditEvidence
from .model import GROUND, MADE, VALIDATE
from .page_fetching import OK, PageReader
from .recheck import judge_again, validate_again
from .stage_runner import is_made_here, read_stage

if TYPE_CHECKING:
    from .stages import TopicContext


def gather_evidence(work: TopicContext) -> AuditEvidence:
    """What the stages of a topic found; what this user's pincite did not write is looked at again."""
    has = {stage: work.root.is_file(work.topic.path(stage)) for stage in (VALIDATE, GROUND)}
    citations = read_stage(work, VALIDATE).items if has[VALIDATE] else ()
    mapping = read_stage(work, GROUND) if has[GROUND] and has[VALIDATE] else None
    # A mapping that was never judged grounds nothing: its sentences are judged here.
    claims = mapping.items if mapping is not None and MADE in mapping.extra else ()
    unseen: frozenset[int] = frozenset()
    if has[VALIDATE] and not is_made_here(work, VALIDATE):
        citations, unseen = validate_again(work, citations)
    if claims and not (is_made_here(work, VALIDATE) and is_made_here(work, GROUND)):
        claims = tuple(judge_again(work, claims, citations))
    snapshots, reader = Snapshots(work.root, work.topic.snapshots), PageReader(work.most_bytes)

    def texts(url: str) -> tuple[str, ...] | None:
        for one in reversed(snapshots.history(url)):
            if one.visit.status == OK and not one.damaged:
                try:
                    return reader.read(one).texts
                except FetchFailure:
                    continue
        return None

    return AuditEvidence(claims, citations, texts, len(mapping.rejected) if mapping is not None else 0, unseen)
