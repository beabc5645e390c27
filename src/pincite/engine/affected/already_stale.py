"""Citations that were stale before the change: where the lines go that they name now is not where they belong."""

from collections.abc import Iterable
from contextlib import closing

from msgspec.structs import replace

from ...project.config import Config
from ...report._problems import ReportedProblem, format_repair, problems
from ...safe.files import Root
from ..run import Request, Run
from .model import AffectedCitation, AffectedResult, Effect

_STALE = ("lines-edited", "lines-deleted", "lines-ambiguous")
_WHY = "stale before the change: history shows that what was cited reads differently; read it again"


def compare_with_history(result: AffectedResult, root: Root, config: Config, cache: bool = True) -> None:
    """Hold the corrections to what `check` knows of the work tree, which has to be the new side of the change."""
    moved = [item for item in result.items if item.effect is Effect.MOVES]
    if not moved or not config.drift:
        return
    places: dict[str, set[tuple[int, int]]] = {}
    for item in moved:
        if root.is_file(item.document):
            places.setdefault(item.document, set()).add((item.line, item.column))
    if not places:
        return
    known: dict[tuple[str, int, int, str], list[ReportedProblem]] = {}
    run = Run(root, Request(tuple(places), config, cache=cache))
    with closing(run), closing(run.engine()) as engine:
        for report in engine.check_some(places):
            for problem in problems(report):
                known.setdefault((problem.document, problem.line, problem.column, problem.raw), []).append(problem)
        run.keep_history()
    result.items = [
        _set_correction(item, known.get((item.document, item.line, item.column, item.raw), ()))
        if item.effect is Effect.MOVES
        else item
        for item in result.items
    ]


def _set_correction(item: AffectedCitation, found: Iterable[ReportedProblem]) -> AffectedCitation:
    """The item with the correction that `fix` would make, or none where it would make none."""
    for problem in found:
        if problem.check in _STALE:
            return replace(item, why=_WHY, fix="")
        if problem.edit is not None:
            return replace(item, fix=format_repair(problem))
    return item
