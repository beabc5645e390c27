"""Checks the stages of a topic, or one file with what stands beside it: every rule, and the joins between them."""

from __future__ import annotations

from difflib import get_close_matches
from time import gmtime, strftime
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Refused, UsageError
from ...core.model import Severity
from ...text.lines import shorten
from ...text.yaml import Mapping
from .model import CHECKS, MADE, STAGES, VALIDATE, StageProblem
from .stage_file import StageFile, load, load_bytes, stage_of
from .stage_joins import check_types, join
from .stage_parser import read_tree, stage_bytes
from .topic import ENDINGS, OUTPUTS, SNAPSHOTS, find_topic, keys_of, one_of, stage_files

if TYPE_CHECKING:
    from collections.abc import Mapping as Mapped
    from collections.abc import Sequence

    from ...safe.files import Root
    from .source_kinds import SourceKinds
    from .topic import Topic

_MOST_BYTES = 16 * 1024 * 1024
"""The largest page that is read where the settings do not say it."""
_ALIKE = 0.75
"""How much of a stage's name a misspelt one has to share."""
__all__ = ["StageCheck", "check", "stage_of"]


class StageCheck(Struct, frozen=True):
    """What checking showed."""

    given: str
    """The topic's name, or the file from the root."""
    loaded: tuple[StageFile, ...]
    """The stages that were seen, in order."""
    problems: tuple[StageProblem, ...]
    """By stage and line."""

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages that were seen."""
        return tuple(one.stage for one in self.loaded)

    @property
    def counts(self) -> dict[str, int]:
        """How many entries each stage has."""
        return {one.stage: one.total for one in self.loaded}

    @property
    def ok(self) -> bool:
        """Whether no rule is broken; warnings and notes are none."""
        return all(problem.severity is not Severity.ERROR for problem in self.problems)


def check(
    root: Root,
    given: str,
    required: Sequence[str] = CHECKS,
    today: str | None = None,
    table: SourceKinds | None = None,
    most_bytes: int = _MOST_BYTES,
) -> StageCheck:
    """Everything wrong with a topic (by name, or its folder) or a stage's file; raises PinciteError where unreadable.

    `today` is the day in UTC where it is not given; empty leaves days of the future alone. With a table, source types
    are compared with what it says of their hosts. Quotes of a topic whose files came with a clone are looked up in the
    snapshots of pages of at most `most_bytes`.
    """
    day = strftime("%Y-%m-%d", gmtime()) if today is None else today
    key = next((key for key in keys_of(root, given) if root.is_file(key)), "")
    if key:
        return _check_file(root, key, required, day, table)
    topic = find_topic(root, given)
    _refuse_misnamed(root, given, topic)
    if not topic.found:
        names = ", ".join(f"{stage}.yaml" for stage in STAGES)
        raise UsageError(f"{topic.folder}: no stage has a file yet; write {names} into {topic.folder}/{OUTPUTS}")
    found = {stage: load(root, topic.path(stage), stage, required, day) for stage in STAGES if topic.has(stage)}
    problems = [problem for one in found.values() for problem in (*one.problems, *_check_edited(one))]
    problems += [problem for one in found.values() for problem in check_types(one, table)]
    if VALIDATE in found:
        from .recheck import find_contradictions

        problems += find_contradictions(root, topic, found[VALIDATE], most_bytes)
    return StageCheck(topic.name, tuple(found.values()), _sort_problems([*problems, *join(found)], found))


def _refuse_misnamed(root: Root, given: str, topic: Topic) -> None:
    """Raise UsageError for a file that is not there, and for one that is nearly called like a stage without a file."""
    for key in keys_of(root, given):
        inside = key.removeprefix(f"{topic.folder}/")
        if inside != key and inside not in ("", OUTPUTS, SNAPSHOTS):
            near = get_close_matches(inside.rpartition("/")[2], [f"{stage}.yaml" for stage in STAGES], 1)
            hint = f"; did you mean {topic.outputs}/{near[0]}?" if near else ""
            raise UsageError(f"{shorten(given, 200)}: there is no such file{hint}")
    missing = [stage for stage in STAGES if not topic.has(stage)]
    for name in root.names(topic.outputs):
        stem, dot, ending = name.rpartition(".")
        if f".{ending}".lower() not in ENDINGS or not dot or stem in STAGES:
            continue
        near = get_close_matches(stem.lower().replace("_", "-"), missing, 1, _ALIKE)
        if near:
            raise UsageError(f"{topic.outputs}/{name}: no stage has this name; is it {near[0]}{ENDINGS[0]}? Rename it")


def _check_file(root: Root, key: str, required: Sequence[str], today: str, table: SourceKinds | None) -> StageCheck:
    """One file by its own rules, and against the stages beside it, whose own defects are left to them."""
    data = stage_bytes(root, key)
    stage = stage_of(key)
    if not stage:
        top = read_tree(data, key).top
        stage = stage_of("", tuple(top.values) if isinstance(top, Mapping) else ())
    if not stage:
        raise UsageError(f"{key}: no stage's file; name it after one of {', '.join(STAGES)}, or give it the key of one")
    one = load_bytes(data, key, stage, required, today)
    found = {stage: one}
    problems = [*one.problems, *_check_edited(one), *check_types(one, table)]
    for other, files in stage_files(root, key.rpartition("/")[0]).items():
        if other == stage:
            continue
        try:
            found[other] = load(root, one_of(files, other), other, required, today)
        except (Refused, UsageError) as error:
            text = f"not compared with {other}: {error}"
            problems.append(StageProblem("not-joined", key, "", 1, text, f"correct {files[0]}", Severity.WARNING))
    found = {name: found[name] for name in STAGES if name in found}
    problems += [problem for problem in join(found) if _concerns(problem, one, found)]
    return StageCheck(key, (one,), _sort_problems(problems, found))


def _check_edited(one: StageFile) -> list[StageProblem]:
    """Whether what a stage found was changed by hand."""
    from .stage_writer import is_edited

    if not is_edited(one):
        return []
    remedy = f"let the stage make it again, or take `{MADE}` out if all of it is your word"
    return [
        StageProblem("edited", one.key, MADE, 1, "it was edited since it was made, or made by another version", remedy)
    ]


def _concerns(problem: StageProblem, one: StageFile, found: Mapped[str, StageFile]) -> bool:
    """Whether a difference is between two files: reported at the file itself, or in the stage that follows it."""
    if problem.file == one.key:
        return True
    order = list(found)
    at = order.index(one.stage)
    following = [found[name].key for name in order[at + 1 : at + 2]]
    before = [found[name].key for name in order[max(0, at - 1) : at]]
    return problem.rule not in ("not-joined", "source-type-changed") and (
        problem.file in following or (problem.rule == "citation-lost" and problem.file in before)
    )


def _sort_problems(problems: list[StageProblem], found: Mapped[str, StageFile]) -> tuple[StageProblem, ...]:
    """By stage, line and place; what looks at a whole file first."""
    ranks = {one.key: rank for rank, one in enumerate(found.values())}
    return tuple(sorted(problems, key=lambda problem: (ranks[problem.file], problem.line, problem.path)))
