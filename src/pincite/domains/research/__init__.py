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
    from .report_audit import Audited, Grounds, ReportAudit, audit
    from .stage_check import StageCheck, check
    from .stage_runner import Stages, StageStep, ground_topic, report_topic, run, validate_topic
    from .stages import StageValidation, Work, ground, open_topic, report, validate

_HOMES = {
    **dict.fromkeys(("ReportAudit", "Audited", "Grounds", "audit"), "report_audit"),
    **dict.fromkeys(("StageCheck", "check"), "stage_check"),
    **dict.fromkeys(("ClaimCandidate", "Grounding"), "grounding"),
    **dict.fromkeys(
        (
            *(
                "Aborted",
                "Details",
                "ExtractedCitation",
                "GroundedClaim",
                "StageProblem",
                "RejectedClaim",
                "SearchResult",
            ),
            *("SeenEvidence", "ValidatedCitation"),
        ),
        "model",
    ),
    **dict.fromkeys(("Stages", "StageStep", "ground_topic", "report_topic", "run", "validate_topic"), "stage_runner"),
    **dict.fromkeys(("StageValidation", "Work", "ground", "open_topic", "report", "validate"), "stages"),
}

__all__ = [
    "Aborted",
    "Audited",
    "ClaimCandidate",
    "Details",
    "ExtractedCitation",
    "GroundedClaim",
    "Grounding",
    "Grounds",
    "RejectedClaim",
    "ReportAudit",
    "SearchResult",
    "SeenEvidence",
    "StageCheck",
    "StageProblem",
    "StageStep",
    "StageValidation",
    "Stages",
    "ValidatedCitation",
    "Work",
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
    return sorted(__all__)
