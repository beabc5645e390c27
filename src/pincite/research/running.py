"""The stages over a topic's files, and the run that chains them.

Every stage reads the file of the stage before it, refuses what breaks a rule, does its work, and writes its own file
whole or not at all. What a file was made from is written into it, so that a run that was interrupted goes on behind
the last stage that is up to date.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct, json

from ..errors import Refused, Unreadable, UsageError
from ..ground.model import LEVELS
from ..model import Severity
from .files import load, load_bytes
from .grounding import Candidate, Grounding, given_number
from .joins import join
from .model import EXTRACT, GROUND, SEARCH, STAGES, VALIDATE, Aborted, RejectedClaim
from .rules import shortfalls
from .values import HIGHEST_ID
from .workflow import Validation, ground, report, validate
from .writing import dump, save

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .files import Loaded
    from .model import ExtractedCitation, Problem, SearchResult, ValidatedCitation
    from .workflow import Work

REPORT = "report"
MADE = "made"
"""Under which key a file says what it was made from."""
_OURS = "pincite"
_CLAIMS_BYTES = 4 * 1024 * 1024
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Broken(Aborted):
    """The input of a stage breaks rules; `problems` names them one by one."""

    def __init__(self, stage: str, problems: Sequence[Problem]) -> None:
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        where = f"{first.file}:{first.line}: {first.path}: " if first.path else f"{first.file}: "
        super().__init__(stage, f"{where}{first.message}{more}", "its input has to follow every rule", first.remedy)
        self.problems = tuple(problems)


class Absent(Aborted):
    """There is no file for a stage to start from."""

    exit_code = 2


class Step(Struct, frozen=True):
    """A stage of a run, and what it gave."""

    stage: str
    state: str
    """`given` (its file was there), `kept` (nothing it is made from changed) or `done`."""
    count: int
    """How many items passed."""
    total: int
    file: str


class Stages(Struct, frozen=True):
    """The stages of a run; an orchestrator may replace any of them by a function of its own.

    Without `search` and `extract`, the files of those stages have to be there. `ground` is given the claims besides
    where somebody else mapped them. What a function gives has to follow the rules of its stage to be written.
    """

    search: Callable[[Work], Sequence[SearchResult]] | None = None
    extract: Callable[[Work, Sequence[SearchResult]], Sequence[ExtractedCitation]] | None = None
    validate: Callable[[Work, Sequence[ExtractedCitation]], Validation] = validate
    ground: Callable[..., Grounding] = ground
    report: Callable[[Work, Grounding, Sequence[ValidatedCitation]], str] = report


_OWN = Stages()


def validate_topic(
    work: Work, stage: Callable[[Work, Sequence[ExtractedCitation]], Validation] = validate
) -> Validation:
    """The third stage from its input file to its output file; raises Aborted and writes nothing where it fails."""
    given = read_stage(work, EXTRACT)
    found = stage(work, given.items)
    scores = [one.credibility_score for one in found.citations]
    _hold(VALIDATE, found, len(found.citations), sum(one.validated for one in found.citations), scores)
    _save(work, VALIDATE, stage, found.citations, extra={MADE: made_validated(work, stage)})
    return found


def ground_topic(
    work: Work,
    wanted: Sequence[Candidate] | None = None,
    claims_from: str = "",
    stage: Callable[..., Grounding] = ground,
) -> tuple[Grounding, Sequence[ValidatedCitation]]:
    """The fourth stage from its input file to its output file; raises Aborted and writes nothing where it fails.

    Claims come from the argument, else from a mapping that somebody else wrote into the output file, else from the
    citations.
    """
    citations = read_stage(work, VALIDATE).items
    if wanted is None:
        wanted, claims_from = mapped(work)
    found = stage(work, citations) if wanted is None else stage(work, citations, wanted)
    _hold(GROUND, found, len(found.grounded))
    made = made_grounded(work, claims_from, stage)
    _save(work, GROUND, stage, found.grounded, found.rejected, {MADE: made})
    return found, citations


def _save(
    work: Work,
    stage: str,
    by: Callable[..., object] | None,
    items: Sequence[Struct],
    rejected: Sequence[RejectedClaim] = (),
    extra: dict[str, dict[str, str]] | None = None,
) -> None:
    """Write what a stage gave; raises Broken, and writes nothing, where a function of somebody else breaks a rule."""
    if by is None or _name(by) != _OURS:
        key = work.topic.path(stage)
        data = dump(stage, items, rejected, extra, "json" if key.endswith(".json") else "yaml")
        _refuse(work, stage, load_bytes(data, key, stage, work.settings.required_checks))
    save(work.root, work.topic, stage, items, rejected, extra)


def _hold(stage: str, result: object, entries: int, passed: int = 0, scores: Sequence[int] = ()) -> None:
    """Raise Aborted, with what was found, where a stage misses a threshold."""
    for short in shortfalls(stage, entries, passed, scores):
        error = Aborted(stage, short.found, short.needed, f"{short.remedy[:1].upper()}{short.remedy[1:]}.")
        error.result = result
        raise error


def mapped(work: Work) -> tuple[list[Candidate] | None, str]:
    """The claims of a mapping that somebody else wrote, as it was given; None where there is none."""
    key = work.topic.path(GROUND)
    if not work.root.is_file(key):
        return None, VALIDATE
    loaded = load(work.root, key, GROUND)
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
        Candidate(
            one.claim,
            given_number(one) if ours else one.citation_id,
            one.given_confidence or (None if ours or isinstance(one, RejectedClaim) else one.confidence),
            one.section,
        )
        for one in (*loaded.items, *loaded.rejected)
    ]
    return wanted, GROUND


_JUDGED_HERE = ("low-confidence", "too-few-grounded", "not-sequential")
"""What a mapping of somebody else's may break: the stage itself says so, claim by claim."""


def report_topic(work: Work, stage: Callable[..., str] = report) -> tuple[str, Grounding, Sequence[ValidatedCitation]]:
    """The report from the files of the stages; raises Aborted where not every sentence is grounded. Writes nothing."""
    citations = read_stage(work, VALIDATE).items
    loaded = read_stage(work, GROUND)
    found = Grounding(loaded.items, loaded.rejected)
    return stage(work, found, citations), found, citations


def run(work: Work, stages: Stages = _OWN) -> Iterator[Step]:
    """All stages in order, each told as it is done; raises Aborted at the first threshold that is missed."""
    yield from _given(work, stages)
    yield _validated(work, stages)
    yield _grounded(work, stages)
    text, found, _ = report_topic(work, stages.report)
    old = work.root.read(work.topic.report) if work.root.is_file(work.topic.report) else b""
    state = "kept" if old == text.encode() else "done"
    if state == "done":
        from ..safe.write import put

        put(work.root, work.topic.report, text.encode())
    yield Step(REPORT, state, len(found.grounded), len(found.grounded), work.topic.report)


def _given(work: Work, stages: Stages) -> Iterator[Step]:
    """The stages that somebody else does."""
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
        yield Step(stage, state, len(loaded.items), len(loaded.items), key)


def _validated(work: Work, stages: Stages) -> Step:
    key = work.topic.path(VALIDATE)
    if not work.refresh and (known := _current(work, VALIDATE, made_validated(work, stages.validate))) is not None:
        return Step(VALIDATE, "kept", sum(one.validated for one in known.items), len(known.items), key)
    found = validate_topic(work, stages.validate).citations
    return Step(VALIDATE, "done", sum(one.validated for one in found), len(found), work.topic.path(VALIDATE))


def _grounded(work: Work, stages: Stages) -> Step:
    key = work.topic.path(GROUND)
    wanted, claims_from = mapped(work)
    known = _current(work, GROUND, made_grounded(work, claims_from, stages.ground))
    if known is not None:
        total = len(known.items) + len(known.rejected)
        return Step(GROUND, "kept", len(known.items), total, key)
    found, _ = ground_topic(work, wanted, claims_from, stages.ground)
    total = len(found.grounded) + len(found.rejected)
    return Step(GROUND, "done", len(found.grounded), total, work.topic.path(GROUND))


def _current(work: Work, stage: str, made: dict[str, str]) -> Loaded | None:
    """The file of a stage, where it is whole, follows its rules and was made from what is there now."""
    if not work.root.is_file(work.topic.path(stage)):
        return None
    loaded = load(work.root, work.topic.path(stage), stage, work.settings.required_checks)
    return loaded if loaded.ok and loaded.extra.get(MADE) == made else None


def made_validated(work: Work, by: Callable[..., object] = validate) -> dict[str, str]:
    """What the third stage's file is made from."""
    return {
        "by": _name(by),
        EXTRACT: work.digest(work.topic.path(EXTRACT)),
        "attestations": work.digest(work.topic.attestations),
        "snapshots": _digest(list(_snapshots(work))),
        "settings": _digest([work.settings.required_checks, _table(work)]),
    }


def made_grounded(work: Work, claims_from: str, by: Callable[..., object] = ground) -> dict[str, str]:
    """What the fourth stage's file is made from."""
    origin = claims_from or VALIDATE
    own = {} if origin in STAGES else {"claims": work.digest(origin)}
    return {
        "by": _name(by),
        "claims_from": origin,
        **own,
        VALIDATE: work.digest(work.topic.path(VALIDATE)),
        "attestations": work.digest(work.topic.attestations),
        "judge": work.judge.name,
    }


def _snapshots(work: Work) -> Iterator[tuple[str, str]]:
    """Each snapshot, and the digest of its file: one that was altered since is another one."""
    for name in work.root.names(work.topic.snapshots):
        if not name.startswith("."):
            try:
                yield name, work.digest(f"{work.topic.snapshots}/{name}")
            except Refused:
                yield name, ""


def _table(work: Work) -> str:
    try:
        return work.digest(work.settings.sources) if work.settings.sources else ""
    except Refused:
        # Whoever asks the table says why.
        return ""


def _name(function: Callable[..., object]) -> str:
    module = getattr(function, "__module__", "") or ""
    return _OURS if module.startswith("pincite.") else f"{module}.{getattr(function, '__qualname__', '')}"


def _digest(value: object) -> str:
    return sha256(json.encode(value)).hexdigest()[:32]


def read_stage(work: Work, stage: str) -> Loaded:
    """The file of a stage, refused where it or its join with the stages before it breaks a rule."""
    key = work.topic.path(stage)
    if not work.root.is_file(key):
        if key.rpartition("/")[2] in work.root.names(key.rpartition("/")[0]):
            raise Unreadable(f"{key}: is no regular file inside {work.root.path}; put one there")
        raise Absent(stage, f"{key} is missing", "every stage starts from the file of the one before", _remedy(stage))
    return _refuse(work, stage, load(work.root, key, stage, work.settings.required_checks))


def _refuse(work: Work, stage: str, last: Loaded) -> Loaded:
    """What a stage gave, refused where it, what it comes from, or their join breaks a rule."""
    before = STAGES[: STAGES.index(stage) + 1]
    found = {
        name: load(work.root, work.topic.path(name), name, work.settings.required_checks)
        for name in before[:-1]
        if work.root.is_file(work.topic.path(name))
    } | {stage: last}
    problems = [*(problem for one in found.values() for problem in one.problems), *join(found)]
    wrong = [problem for problem in problems if problem.severity == Severity.ERROR]
    if wrong:
        raise Broken(stage, wrong)
    return last


def _remedy(stage: str) -> str:
    made = {VALIDATE: "pincite research validate", GROUND: "pincite research ground"}
    return f"Run `{made[stage]}` first." if stage in made else "Have the search and the extraction write it first."


def claims_file(work: Work, key: str) -> list[Candidate]:
    """The claims in a file of one's own, by its path from the root; raises Refused or UsageError."""
    from ..text import decode

    try:
        return read_claims(decode(work.root.read(key, _CLAIMS_BYTES)), key)
    except Unreadable as error:
        raise Unreadable(f"{key}: {error}") from None


def read_claims(text: str, name: str) -> list[Candidate]:
    """Claims from a file of one's own: one a line, or YAML with `claims`; raises UsageError."""
    found = _read_claims(text, name)
    for number, one in enumerate(found, 1):
        if not one.claim.strip() or _CONTROL.search(f"{one.claim}{one.section or ''}"):
            raise UsageError(f"{name}: claim {number} is empty or holds a control character; correct it")
        if one.confidence is not None and one.confidence not in LEVELS:
            raise UsageError(f"{name}: claim {number}: its confidence is none of {', '.join(LEVELS)}")
        if one.section is not None and not one.section.strip():
            raise UsageError(f"{name}: claim {number}: its section is empty; leave it out")
        if not 0 <= one.citation_id <= HIGHEST_ID:
            raise UsageError(f"{name}: claim {number}: its citation_id is not between 1 and {HIGHEST_ID:,}")
    return found


def _read_claims(text: str, name: str) -> list[Candidate]:
    from ..yaml12 import FrontmatterError
    from .attestations import plain

    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not any(line.startswith(("claims:", "{")) for line in lines[:3]):
        return [Candidate(line.removeprefix("- ")) for line in lines if not line.startswith("#")]
    from msgspec import ValidationError, convert

    try:
        data = plain(text)
        given = data.get("claims") if isinstance(data, dict) else None
        if not isinstance(given, list):
            raise TypeError("`claims` is no list")
        return [Candidate(one) if isinstance(one, str) else convert(one, Candidate) for one in given]
    except (FrontmatterError, ValidationError, TypeError) as error:
        raise UsageError(f"{name}: {error}; expected one claim a line, or `claims:` with a list") from None
