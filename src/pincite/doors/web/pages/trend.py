"""Outcomes over time: of the checks of this server, and of older commits where that was asked for."""

from __future__ import annotations

from collections import Counter
from functools import partial
from time import time
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from ....core.errors import PinciteError, UsageError
from ....engine.past_commits import check_commit, sample_commits
from ....store.check_trend import TrendPoint, load_checks, load_commits, record_commit
from ....text.lines import format_count
from ....text.trend_plot import draw_trend, format_date
from ..records import Redirect
from ..rendering import OUTCOMES
from ..routes import ActionRoute, PageRoute

if TYPE_CHECKING:
    from ....text.trend_plot import TrendPlot
    from ..long_work import LongWork
    from ..routes import PageContext
    from ..site import Site

_NO_HISTORY = "older commits need a git repository with a commit; there is none around the root"
_USUAL_COMMITS = 12
_MOST_COMMITS = 60


class TrendQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to choose."""


class TrendSeries(Struct, frozen=True):
    """Points of one kind, the oldest first."""

    name: str
    """`checks` of this server, or older `commits`, which were checked without drift."""
    points: tuple[TrendPoint, ...]

    @property
    def plot(self) -> TrendPlot | None:
        """The points as a drawing."""
        return draw_trend(self.points, OUTCOMES)

    @property
    def labels(self) -> list[str]:
        """The outcomes that occur, the gravest first."""
        return [label for label in OUTCOMES if any(point.outcomes.get(label) for point in self.points)]

    @property
    def rows(self) -> list[tuple[str, TrendPoint]]:
        """The points with their dates, the newest first."""
        return [(format_date(point.time), point) for point in reversed(self.points)]


class TrendRecord(Struct, frozen=True):
    """Outcomes over time."""

    series: tuple[TrendSeries, ...]
    has_git: bool
    """Whether there are commits to look at."""


class PastForm(Struct, frozen=True, forbid_unknown_fields=True):
    """How many commits are looked at."""

    commits: Annotated[int, Meta(ge=1, le=_MOST_COMMITS)] = _USUAL_COMMITS


def load_trend(context: PageContext, query: TrendQuery) -> TrendRecord:
    """What was recorded so far."""
    site = context.site
    with site.open() as project:
        checks, commits = load_checks(project.root), load_commits(project.root)
    if not checks and site.documents.is_complete and not context.links.is_static:
        # A server that writes nothing, or has no cache folder, knows the present at least. An export has no present:
        # the same tree gives the same pages.
        outcomes = dict(Counter(row.outcome for row in site.documents.all_rows()))
        checks = [TrendPoint(site.keeper.head, int(time()), len(site.documents.names()), outcomes)]
    series = (TrendSeries("checks", tuple(checks)), TrendSeries("commits", tuple(commits)))
    return TrendRecord(series, bool(site.keeper.head))


def check_past(context: PageContext, form: PastForm) -> Redirect:
    """Check older commits, as long work."""
    site, location = context.site, context.links.page("trend")
    with site.open() as project:
        git = project.git()
        if git is None or git.head() is None:
            raise UsageError(_NO_HISTORY)

    def perform(work: LongWork) -> tuple[str, str]:
        return _check_commits(site, form.commits, work), location

    return Redirect(context.links.page("work", id=site.works.start("Check older commits", perform).id))


def _check_commits(site: Site, most: int, work: LongWork) -> str:
    """Check sampled commits that were not checked before, the newest first; says what came of it."""
    failed = ""
    done = 0
    with site.open() as project:
        git = project.git()
        if git is None:
            raise UsageError(_NO_HISTORY)
        known = {point.commit for point in load_commits(project.root)}
        commits = [one for one in sample_commits(git, most) if one[0] not in known]
        for number, (commit, when) in enumerate(reversed(commits)):
            try:
                point = check_commit(project, git, commit, when, partial(work.step, number, len(commits)))
            except PinciteError as error:
                failed = failed or str(error)
                continue
            if not record_commit(project.root, point):
                raise UsageError("what was found cannot be kept; set PINCITE_CACHE to a folder that is yours alone")
            done += 1
        work.step(len(commits), len(commits))
    message = f"{format_count(done, 'commit')} checked"
    return f"{message}; others were left out: {failed}" if failed else message


PAGES = (
    PageRoute(
        "trend", "/trend", "Outcomes over time", TrendQuery, TrendRecord, load_trend, "trend.html", title="Trend"
    ),
)
ACTIONS = (
    ActionRoute("check-past", "/trend/check", "Check older commits, without drift", PastForm, Redirect, check_past),
)
