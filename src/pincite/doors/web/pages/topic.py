"""One topic of research: its stages, claims and sources, and the button that runs the stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ....core.errors import PinciteError
from ....core.model import Severity
from ....domains.research.stage_check import check
from ....domains.research.stage_runner import on_trust
from ....domains.research.stage_runner import run as run_stages
from ....store.warc import Snapshots
from ..records import Paging, Redirect, cut_page
from ..routes import ActionRoute, PageRoute, Refusal
from ..topic_view import (
    CONTRADICTS,
    INVALID,
    SUPPORTS,
    UNJUDGED,
    UNSHOWN,
    ClaimView,
    SourceView,
    StageRow,
    describe_stages,
    explain_run,
    list_claims,
    list_sources,
    open_topic_of,
)

if TYPE_CHECKING:
    from ....domains.research.stages import TopicContext
    from ..long_work import LongWork
    from ..routes import PageContext

_CLAIMS_PER_PAGE = 50
_MOST_PROBLEMS = 100
_MOST_SOURCES = 200
_VERDICTS = (SUPPORTS, CONTRADICTS, UNSHOWN, INVALID, UNJUDGED)


class TopicQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which topic, and which of its claims."""

    topic: str
    page: int = 1
    verdict: str = ""
    """Only claims with this verdict."""


class TopicForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which topic."""

    topic: str


class BrokenRuleRow(Struct, frozen=True):
    """A rule that a stage's file breaks."""

    rule: str
    severity: str
    file: str
    path: str
    line: int
    message: str
    remedy: str


class TopicRecord(Struct, frozen=True):
    """All that is known of a topic."""

    topic: str
    folder: str
    stages: tuple[StageRow, ...]
    problems: tuple[BrokenRuleRow, ...]
    """Those of the first hundred rules that are broken."""
    problems_total: int
    trust: str
    """What rests on files that this user's pincite did not write; empty where nothing does."""
    claims: tuple[ClaimView, ...]
    paging: Paging
    verdicts: dict[str, int]
    """How many claims have each verdict."""
    verdict: str
    sources: tuple[SourceView, ...]
    sources_total: int
    has_report: bool
    run_refusal: str
    """Why the stages cannot be run here, and what to type instead; empty where they can."""


def load_topic(context: PageContext, query: TopicQuery) -> TopicRecord:
    """A topic as its files are now."""
    if query.verdict and query.verdict not in _VERDICTS:
        raise Refusal(422, f"verdict: expected one of {', '.join(_VERDICTS)}")
    with open_topic_of(context.site, query.topic) as work:
        claims = list_claims(work)
        counts = {verdict: sum(one.verdict == verdict for one in claims) for verdict in _VERDICTS}
        wanted = [one for one in claims if not query.verdict or one.verdict == query.verdict]
        shown, paging = cut_page(wanted, query.page, _CLAIMS_PER_PAGE)
        held = Snapshots(work.root, work.topic.snapshots).urls()
        sources = list_sources(work, held)
        problems = _list_problems(context, work)
        return TopicRecord(
            work.topic.name,
            work.topic.folder,
            describe_stages(work),
            problems[:_MOST_PROBLEMS],
            len(problems),
            on_trust(work),
            tuple(shown),
            paging,
            {verdict: count for verdict, count in counts.items() if count},
            query.verdict,
            tuple(sources[:_MOST_SOURCES]),
            len(sources),
            work.root.is_file(work.topic.report),
            explain_run(work, held),
        )


def _list_problems(context: PageContext, work: TopicContext) -> tuple[BrokenRuleRow, ...]:
    """The rules that the files of a topic break, as `pincite research check` names them."""
    own = work.settings
    try:
        found = check(work.root, work.topic.name, own.required_checks, table=work.table(), most_bytes=work.most_bytes)
    except PinciteError as error:
        message = context.site.describe_error(error)
        return (BrokenRuleRow("unreadable", Severity.ERROR.label, work.topic.folder, "", 0, message, ""),)
    return tuple(
        BrokenRuleRow(one.rule, one.severity.label, one.file, one.path, one.line, one.message, one.remedy)
        for one in found.problems
    )


def run_topic(context: PageContext, form: TopicForm) -> Redirect:
    """Run the stages from what is on disk: no page is fetched, and the offline judge judges."""
    site = context.site
    with open_topic_of(site, form.topic) as work:
        refusal = explain_run(work, Snapshots(work.root, work.topic.snapshots).urls())
        name = work.topic.name
    if refusal:
        raise Refusal(409, refusal)
    location = context.links.page("topic", topic=name)

    def perform(long_work: LongWork) -> tuple[str, str]:
        def tell(doing: str, done: int, total: int) -> None:
            long_work.step(done, total)

        with open_topic_of(site, name, tell) as work:
            steps = run_stages(work)
            said = []
            while True:
                # Others may write between two stages; a stage writes its file whole or not at all.
                with site.writing:
                    step = next(steps, None)
                if step is None:
                    break
                said.append(f"{step.stage} {step.state} {step.count} of {step.total}")
                long_work.step(len(said), 0)
        site.look_again()
        return "; ".join(said), location

    running = f"Stages of {name}"
    if any(one.title == running and one.state == "running" for one in site.works.list()):
        raise Refusal(409, f"the stages of {name} are running already; wait for them, or stop them")
    return Redirect(context.links.page("work", id=site.works.start(running, perform).id))


PAGES = (
    PageRoute(
        "topic",
        "/research/{topic:path}",
        "A topic: its stages, claims and sources",
        TopicQuery,
        TopicRecord,
        load_topic,
        "topic.html",
    ),
)
ACTIONS = (
    ActionRoute(
        "run_topic",
        "/research/{topic}/run",
        "Run the stages of a topic from its snapshots, judged offline",
        TopicForm,
        Redirect,
        run_topic,
    ),
)
