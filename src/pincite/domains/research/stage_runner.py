"""The stages over a topic's files, and the run that chains them.

Every stage reads the file of the stage before it, refuses what breaks a rule, does its work, and writes its own file
whole or not at all. What a file was made from is written into it, so that a run that was interrupted goes on behind
the last stage that is up to date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Unreadable
from ...core.model import Severity
from ...store.cache_folder import is_own
from ...text.lines import format_count
from .audit_result import MEDIUM, count_levels, needs_reader
from .grounding import Grounding, read_mapped_claims
from .kept_edits import put_report
from .model import EXTRACT, GROUND, MADE, SEARCH, STAGES, VALIDATE, Aborted, MissingStageFile, StageInputError
from .stage_joins import join
from .stage_rules import shortfalls
from .stage_writer import OURS, add_seal, dump, is_edited, made_grounded, made_validated, name_maker, save
from .stages import ground, report, validate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .grounding import ClaimCandidate
    from .model import ExtractedCitation, RejectedClaim, SearchResult, ValidatedCitation
    from .stage_file import StageFile
    from .stages import StageValidation, TopicContext

REPORT = "report"
_OTHERS = ((VALIDATE, "quotes were not looked for", "validate"), (GROUND, "claims were not judged", "ground"))
"""What is unverified in the file of a stage that we did not write, and the command that verifies it."""
_JUDGE = "Run `pincite research ground` first; it judges what is mapped there."
_READ = "Read it and sign (`pincite research ground {} --accept …`), reword it, or accept it with --least medium."


class StageStep(Struct, frozen=True):
    """A stage of a run, and what it gave."""

    stage: str
    state: str
    """`given` (its file was there), `kept` (nothing it is made from changed) or `done`."""
    count: int
    """How many items passed."""
    total: int
    file: str
    high: int = 0
    """Of grounded claims, those that their quotes state."""
    medium: int = 0
    """Those that rest on *medium* alone, and need a reader."""
    attested: int = 0
    """Those for which a person vouches."""
    kept: str = ""
    """Where the report before this one is kept, if it was edited."""
    page: str = ""
    """The report as an HTML page."""
    kept_page: str = ""
    """Where the page before this one is kept, if it was edited."""


class Stages(Struct, frozen=True):
    """The stages of a run; an orchestrator may replace any of them by a function of its own.

    Without `search` and `extract`, the files of those stages have to be there. `ground` is given the claims besides
    where another tool mapped them. What a function gives has to follow the rules of its stage to be written.
    """

    search: Callable[[TopicContext], Sequence[SearchResult]] | None = None
    extract: Callable[[TopicContext, Sequence[SearchResult]], Sequence[ExtractedCitation]] | None = None
    validate: Callable[[TopicContext, Sequence[ExtractedCitation]], StageValidation] = validate
    ground: Callable[..., Grounding] = ground
    report: Callable[[TopicContext, Grounding, Sequence[ValidatedCitation]], str] = report


_OWN = Stages()


def validate_topic(
    work: TopicContext, stage: Callable[[TopicContext, Sequence[ExtractedCitation]], StageValidation] = validate
) -> StageValidation:
    """The third stage from its input file to its output file; raises Aborted and writes nothing where it fails."""
    given = read_stage(work, EXTRACT)
    found = stage(work, given.items)
    scores = [one.credibility_score for one in found.citations]
    _require_threshold(VALIDATE, found, len(found.citations), sum(one.validated for one in found.citations), scores)
    made = add_seal(made_validated(work, stage), VALIDATE, found.citations)
    _save(work, VALIDATE, stage, found.citations, extra={MADE: made})
    return found


def ground_topic(
    work: TopicContext,
    wanted: Sequence[ClaimCandidate] | None = None,
    claims_from: str = "",
    stage: Callable[..., Grounding] = ground,
) -> tuple[Grounding, Sequence[ValidatedCitation]]:
    """The fourth stage from its input file to its output file; raises Aborted and writes nothing where it fails.

    Claims come from the argument, else from a foreign mapping in the output file, else from the
    citations.
    """
    citations = read_stage(work, VALIDATE).items
    if wanted is None:
        wanted, claims_from = read_mapped_claims(work)
    found = stage(work, citations) if wanted is None else stage(work, citations, wanted)
    least = work.settings.least or MEDIUM
    standing = [one for one in found.grounded if not needs_reader(one.confidence, one.attested, least)]
    _require_threshold(GROUND, found, len({" ".join(one.claim.split()).casefold() for one in standing}))
    made = add_seal(made_grounded(work, claims_from, stage), GROUND, found.grounded, found.rejected)
    _save(work, GROUND, stage, found.grounded, found.rejected, {MADE: made})
    return found, citations


def _save(
    work: TopicContext,
    stage: str,
    by: Callable[..., object] | None,
    items: Sequence[Struct],
    rejected: Sequence[RejectedClaim] = (),
    extra: dict[str, dict[str, str]] | None = None,
) -> None:
    """Write what a stage gave; raises Broken, and writes nothing, where a foreign function breaks a rule."""
    if by is None or name_maker(by) != OURS:
        key = work.topic.path(stage)
        data = dump(stage, items, rejected, extra, "json" if key.endswith(".json") else "yaml")
        _refuse(work, stage, work.parse_stage(data, key, stage))
    save(work.root, work.topic, stage, items, rejected, extra)


def _require_threshold(stage: str, result: object, entries: int, passed: int = 0, scores: Sequence[int] = ()) -> None:
    """Raise Aborted, with what was found, where a stage misses a threshold."""
    for short in shortfalls(stage, entries, passed, scores):
        error = Aborted(stage, short.found, short.needed, f"{short.remedy[:1].upper()}{short.remedy[1:]}.")
        error.result = result
        raise error


def report_topic(
    work: TopicContext, stage: Callable[..., str] = report
) -> tuple[str, Grounding, Sequence[ValidatedCitation]]:
    """The report from the files of the stages; raises Aborted where not every sentence is grounded. Writes nothing."""
    citations = read_stage(work, VALIDATE).items
    loaded = read_stage(work, GROUND)
    if MADE not in loaded.extra:
        raise Aborted(GROUND, f"{loaded.key} is a mapping that was not judged", "a claim counts once it was", _JUDGE)
    found = Grounding(loaded.items, loaded.rejected)
    waiting = [
        one for one in found.grounded if needs_reader(one.confidence, one.attested, work.settings.least or MEDIUM)
    ]
    if waiting:
        raise Aborted(
            REPORT,
            f"{format_count(len(waiting), 'claim')} of {len(found.grounded)} only implied (medium): "
            f"“{waiting[0].claim}”",
            "with `least = high` every claim has to be stated, or vouched for by a person",
            _READ.format(work.topic.name),
        )
    return stage(work, found, citations), found, citations


def run(work: TopicContext, stages: Stages = _OWN) -> Iterator[StageStep]:
    """All stages in order, each reported when it is done; raises Aborted at the first threshold that is missed."""
    yield from _run_given_stages(work, stages)
    yield _run_validation(work, stages)
    yield _run_grounding(work, stages)
    yield _run_report(work, stages)


def _run_given_stages(work: TopicContext, stages: Stages) -> Iterator[StageStep]:
    """The stages that other tools do."""
    results: Sequence[SearchResult] = ()
    for stage in (SEARCH, EXTRACT):
        key = work.topic.path(stage)
        state = "given"
        if not work.root.is_file(key):
            items: Sequence[SearchResult | ExtractedCitation] = ()
            if stage == SEARCH and stages.search is not None:
                items = stages.search(work)
            elif stage == EXTRACT and stages.extract is not None:
                items = stages.extract(work, results)
            if items:
                _save(work, stage, None, tuple(items))
                state = "done"
        loaded = read_stage(work, stage)
        results = loaded.items if stage == SEARCH else results
        yield StageStep(stage, state, len(loaded.items), len(loaded.items), key)


def _run_validation(work: TopicContext, stages: Stages) -> StageStep:
    known = None if work.refresh else _load_current(work, VALIDATE, made_validated(work, stages.validate))
    items = validate_topic(work, stages.validate).citations if known is None else known.items
    passed = sum(one.validated for one in items)
    return StageStep(VALIDATE, "done" if known is None else "kept", passed, len(items), work.topic.path(VALIDATE))


def _run_grounding(work: TopicContext, stages: Stages) -> StageStep:
    wanted, claims_from = read_mapped_claims(work)
    known = _load_current(work, GROUND, made_grounded(work, claims_from, stages.ground))
    if known is None:
        found, _ = ground_topic(work, wanted, claims_from, stages.ground)
    else:
        found = Grounding(known.items, known.rejected)
    passed, total = len(found.grounded), len(found.grounded) + len(found.rejected)
    levels = count_levels(found.grounded)
    return StageStep(GROUND, "done" if known is None else "kept", passed, total, work.topic.path(GROUND), *levels)


def _run_report(work: TopicContext, stages: Stages) -> StageStep:
    """Both forms of the report; nothing is written before both are made."""
    text, found, citations = report_topic(work, stages.report)
    page = page_key = kept_page = ""
    if name_maker(stages.report) == OURS:
        # The page shows what our report says; of another one it would show something else.
        from .report_writer import render_html

        page, page_key = render_html(work.topic.name, found.grounded, citations, found.rejected), work.topic.report_html
    changed, kept = put_report(work.root, work.topic.report, text)
    if page:
        other, kept_page = put_report(work.root, page_key, page)
        changed = changed or other
    total, levels = len(found.grounded), count_levels(found.grounded)
    state = "done" if changed else "kept"
    return StageStep(REPORT, state, total, total, work.topic.report, *levels, kept, page_key, kept_page)


def _load_current(work: TopicContext, stage: str, made: dict[str, str]) -> StageFile | None:
    """The file of a stage, where we made it, it is whole, follows its rules and was made from what is there now."""
    if not work.root.is_file(work.topic.path(stage)) or not is_made_here(work, stage):
        return None
    loaded = work.load_stage(stage)
    same = loaded.ok and loaded.extra.get(MADE) == add_seal(made, stage, loaded.items, loaded.rejected)
    return loaded if same else None


def read_stage(work: TopicContext, stage: str) -> StageFile:
    """The file of a stage, refused where it or its join with the stages before it breaks a rule."""
    key = work.topic.path(stage)
    if not work.root.is_file(key):
        if key.rpartition("/")[2] in work.root.names(key.rpartition("/")[0]):
            raise Unreadable(f"{key}: is no regular file inside {work.root.path}; put one there")
        raise MissingStageFile(
            stage, f"{key} is missing", "every stage starts from the file of the one before", _remedy(stage)
        )
    loaded = _refuse(work, stage, work.load_stage(stage))
    if is_edited(loaded):
        remedy = f"{_remedy(stage).replace(' first.', ' again')}, or take `{MADE}` out of it if all of it is your word."
        raise Aborted(
            stage,
            f"{key} was edited since it was made, or made by another version",
            "what was found counts as it was found",
            remedy,
        )
    return loaded


def on_trust(work: TopicContext, again: bool = False) -> str:
    """What a reader should know where the validations come from a foreign file; empty where we validated ourselves.

    With `again`, they were compared with the snapshots, and count as far as these bear them out.
    """
    for stage, done, command in _OTHERS:
        key = work.topic.path(stage)
        if work.root.is_file(key) and not is_made_here(work, stage):
            weight = "it counts as far as snapshots bear it out" if again else f"its {done} here"
            return (
                f"{key} was not written by this user's pincite: {weight}; `pincite research {command}` checks it again"
            )
    return ""


def is_made_here(work: TopicContext, stage: str) -> bool:
    """Whether this user's pincite wrote the file of a stage: one that came with a clone can say what it likes."""
    return is_own(work.root, work.digest(work.topic.path(stage)))


def _refuse(work: TopicContext, stage: str, last: StageFile) -> StageFile:
    """What a stage gave, refused where it, what it comes from, or their join breaks a rule."""
    before = STAGES[: STAGES.index(stage) + 1]
    found = {name: work.load_stage(name) for name in before[:-1] if work.root.is_file(work.topic.path(name))} | {
        stage: last
    }
    problems = [*(problem for one in found.values() for problem in one.problems), *join(found)]
    wrong = [problem for problem in problems if problem.severity == Severity.ERROR]
    if wrong:
        raise StageInputError(stage, wrong)
    return last


def _remedy(stage: str) -> str:
    made = {VALIDATE: "pincite research validate", GROUND: "pincite research ground"}
    return f"Run `{made[stage]}` first." if stage in made else "Have the search and the extraction write it first."
