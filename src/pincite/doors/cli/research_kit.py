"""What the research commands share: opening a topic, saying what a stage broke, writing text and JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from ...project.project import open_project
from ...safe.escape import escape_text
from . import kit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

    from ...domains.research.model import Aborted, StageProblem
    from ...domains.research.stages import TopicContext
    from ...project.config import ResearchSettings

_Found = TypeVar("_Found")
at_topics = kit.root_option("Folder that topics are below")
fetch_options = kit.join_options(
    click.option("--offline", is_flag=True, help="Use snapshots alone; fetch nothing."),
    click.option(
        "--refresh",
        is_flag=True,
        help="Fetch every page again, and say what changed on it and whether the quote survived.",
    ),
)
least_option = click.option(
    "--least", type=click.Choice(("high", "medium")), help="What counts as grounded (default: as the settings say)."
)


class JudgeWishes(Struct, frozen=True):
    """Who judges, and what counts as grounded; a project has no say in who judges."""

    least: str | None = None
    judge: str | None = None
    model: str | None = None
    provider: str | None = None

    def apply(self, settings: ResearchSettings) -> ResearchSettings:
        """The settings with these wishes on top."""
        from ...judge.judges import choose_judge

        chosen = choose_judge(settings, self.judge, self.model, self.provider)
        return chosen if self.least is None else replace(chosen, least=self.least)


judge_options = kit.gather_options(
    JudgeWishes,
    "wishes",
    least_option,
    click.option(
        "--judge",
        type=click.Choice(("offline", "nli", "llm")),
        help="Who judges (default: PINCITE_JUDGE, else offline).",
    ),
    click.option("--model", metavar="NAME|DIR", help="The model of the judge: a folder (nli) or a name (llm)."),
    click.option("--provider", type=click.Choice(("openai", "anthropic")), help="Whose protocol the judge llm speaks."),
)
_DEFAULT = JudgeWishes()


def open_work(
    topic: str, root: str | None, wishes: JudgeWishes = _DEFAULT, *, offline: bool = False, refresh: bool = False
) -> TopicContext:
    """A topic ready to be worked on."""
    from ...domains.research.stages import TopicContext
    from ...domains.research.topic import find_topic

    if offline and refresh:
        raise click.UsageError("--refresh fetches and --offline forbids it; choose one")
    project = open_project(root)
    found, settings = project.root, wishes.apply(project.config.research)
    lines: dict[str, kit.Progress] = {}

    def progress(doing: str, done: int, total: int) -> None:
        what = "pages" if doing == "fetching" else "claims"
        line = lines.setdefault(doing, kit.Progress(True, what, doing))
        line.step(done, total)
        if done == total:
            line.clear()

    return TopicContext(found, find_topic(found, topic), settings, offline=offline, refresh=refresh, progress=progress)


class Ink:
    """Colours where they are wanted; every text is made harmless before."""

    def __init__(self) -> None:
        self._on = kit.wants_color()

    def __call__(self, text: str, style: str = "") -> str:
        """Text in a style: `good`, `bad`, `warn`, `dim`, `bold` or as it is."""
        return kit.paint(escape_text(text), _STYLES.get(style, ""), self._on)


_SEVERE = {"error": "bad", "warning": "warn", "note": "dim"}
_STYLES = {"good": "32", "bad": "31", "warn": "33", "dim": "2", "bold": "1", "place": "36"}


def emit(lines: Iterable[str]) -> None:
    """Lines to standard output."""
    for line in lines:
        # Whether there are colours has been decided; they are not taken out again on the way to a pipe.
        click.echo(line.rstrip(), color=True)


def problem_lines(problems: Iterable[StageProblem], ink: Ink) -> Iterable[str]:
    """Each broken rule: where, what, and what to do."""
    for problem in problems:
        style = _SEVERE[problem.severity.label]
        where = f"{problem.file}:{problem.line}" if problem.line else problem.file
        path = f"  {problem.path}" if problem.path else ""
        yield f"{ink(where, 'bold')}{ink(path)}"
        yield f"  {ink(problem.severity.label, style)} {ink(problem.rule, 'dim')}  {ink(problem.message)}"
        if problem.remedy:
            yield f"  {ink('→ ' + problem.remedy, 'place')}"


def tell_trust(work: TopicContext, again: bool = False) -> None:
    """Say on standard error where a result rests on foreign validations, compared again or not."""
    from ...domains.research.stage_runner import on_trust

    if note := on_trust(work, again):
        kit.complain(note, "warning")


def tell_medium(high: int, medium: int, attested: int) -> str:
    """On what claims rest, in words."""
    parts = [f"{high} high"]
    parts += [f"{attested} attested"] if attested else []
    parts += [f"{medium} medium ({'needs' if medium == 1 else 'need'} a reader)"] if medium else []
    return ", ".join(parts)


def refuse(error: Aborted, format_: str) -> NoReturn:
    """Say why a stage gave up, and end; nothing was written."""
    if format_ == "text":
        emit(problem_lines(getattr(error, "problems", ()), Ink()))
    kit.say(f"aborted at {error}", err=True)
    kit.say(f"{error.stage}: nothing was written", err=True)
    sys.exit(error.exit_code)


def salvage_result(error: Aborted, kind: type[_Found], schema: str, work: TopicContext, format_: str) -> _Found:
    """What a stage had found when it missed a threshold; ends here where it had not come that far."""
    if isinstance(error.result, kind):
        return error.result
    if format_ == "json":
        kit.print_json({"schema": schema, "topic": work.topic.name, "aborted": aborted_json(error)})
    refuse(error, format_)


def aborted_json(error: Aborted | None) -> dict[str, object] | None:
    """Why a stage gave up, for programs."""
    if error is None:
        return None
    problems = [problem_json(problem) for problem in getattr(error, "problems", ())]
    return {**kit.pick_fields(error, "stage found needed remedy"), "problems": problems}


def problem_json(problem: StageProblem) -> dict[str, object]:
    """One broken rule, for programs."""
    where = kit.pick_fields(problem, "file path line message remedy")
    return {"rule": problem.rule, "severity": problem.severity.label, **where}
