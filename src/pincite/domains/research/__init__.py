"""From search results to a report in which every sentence can be traced.

from pincite.domains.research import Stages, open_topic, run
work = open_topic("tides", offline=True)
for step in run(work, Stages(search=find_pages)):
    print(step.stage, step.state, step.count)
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .grounding import ClaimCandidate, Grounding
    from .model import (
        Aborted,
        Details,
        ExtractedCitation,
        GroundedClaim,
        RejectedClaim,
        SearchResult,
        SeenEvidence,
        StageProblem,
        ValidatedCitation,
    )
    from .report_audit import AuditedSentence, AuditEvidence, ReportAudit, audit
    from .stage_check import StageCheck, check
    from .stage_runner import Stages, StageStep, ground_topic, report_topic, run, validate_topic
    from .stages import StageValidation, TopicContext, ground, open_topic, report, validate

_NAMES = {
    "grounding": "ClaimCandidate Grounding",
    "model": "Aborted Details ExtractedCitation GroundedClaim RejectedClaim SearchResult SeenEvidence StageProblem"
    " ValidatedCitation",
    "report_audit": "AuditEvidence AuditedSentence ReportAudit audit",
    "stage_check": "StageCheck check",
    "stage_runner": "StageStep Stages ground_topic report_topic run validate_topic",
    "stages": "StageValidation TopicContext ground open_topic report validate",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = [
    "Aborted",
    "AuditEvidence",
    "AuditedSentence",
    "ClaimCandidate",
    "Details",
    "ExtractedCitation",
    "GroundedClaim",
    "Grounding",
    "RejectedClaim",
    "ReportAudit",
    "SearchResult",
    "SeenEvidence",
    "StageCheck",
    "StageProblem",
    "StageStep",
    "StageValidation",
    "Stages",
    "TopicContext",
    "ValidatedCitation",
    "audit",
    "check",
    "ground",
    "ground_topic",
    "open_topic",
    "report",
    "report_topic",
    "run",
    "validate",
    "validate_topic",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{home}", __name__), name)


def __dir__() -> list[str]:
    return __all__
