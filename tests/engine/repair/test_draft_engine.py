"""Trying a fix out follows only the citations that its edits can matter to, and finds what following all would."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.engine.drift.follow import Follower
from pincite.engine.repair.draft_engine import DraftEngine, TouchedLines
from pincite.engine.repair.plan import FixPlanner
from pincite.engine.run import Request, Run
from pincite.history.trace import Tracer, TraceRequest
from pincite.safe.files import Root

EXAMPLES = int(os.environ.get("PINCITE_LAWS", "40")) // 2
BODY = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 401))
NUMBERS = count()
LINES = (
    "Calls `prepare` for step_3, see src/app.py:3.",
    "And src/app.py:9, where step_9 is.",
    "src/app.py:20 prepares step_21 and src/app.py:30.",
    "# About step_5",
    "- `step_7` at 【F:src/app.py†L7】:",
    "  src/app.py:11",
    "> step_3 = prepare(3)",
    "[there](src/app.py#L3)",
    "<!-- pincite: ignore -->",
    "The old line src/app.py:12 is stale.",
    "a.md:2",
    "\n" * 20,
    "",
    "```",
)
DOCUMENT = st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)
CHANGE = st.sampled_from(
    ("# new\n" + BODY, "# new\n" + BODY.replace("prepare(20)", "other(1)"), BODY[600:] + BODY[:600])
)


def plan(root: Root, request: Request | None = None) -> list[tuple[Any, ...]]:
    """All that a plan says."""
    run = Run(root, request or Request(cache=False))
    reports = [report for report in run.reports() if any(one.edit for v in report.verdicts for one in v.findings)]
    planner = FixPlanner(run)
    plans = [one.fix for one in planner.plan(reports) if one.fix is not None]
    planner.close()
    run.close()
    return [(fix.document, fix.new, [(one.change.verdict.citation, one.reason) for one in fix.left]) for fix in plans]


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=DOCUMENT, other=DOCUMENT, change=CHANGE)
def test_a_plan_is_what_following_every_citation_gives(
    make_repository: Callable[..., Any], one: str, other: str, change: str
) -> None:
    repo = make_repository(f"r{next(NUMBERS)}")
    repo.commit({"src/app.py": BODY, "a.md": one, "b.md": other})
    repo.commit({"src/app.py": change})
    with Root(str(repo.path)) as root, pytest.MonkeyPatch.context() as patch:
        partly = plan(root)
        patch.setattr(TouchedLines, "concern", lambda *_: True)
        assert plan(root) == partly


def count_followed(repo: Any) -> tuple[int, int]:
    """How many citations a run follows, and how many the plan of its fixes."""
    found: list[int] = []
    follow = Follower.follow

    def counted(self: Follower, document: Any, rows: list[Any], world: Any) -> None:
        found.append(len(rows))
        follow(self, document, rows, world)

    with Root(str(repo.path)) as root, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Follower, "follow", counted)
        list((run := Run(root, Request(cache=False))).reports())
        checked, found = sum(found), []
        run.close()
        assert len(plan(root)) == 1
        return checked, sum(found) - checked


def test_the_work_of_a_plan_does_not_grow_with_the_citations_it_leaves_alone(
    make_repository: Callable[..., Any],
) -> None:
    repo = make_repository()
    # One in a hundred moved; the others stand in a file that nobody changed.
    lines = [f"Line {at} is about src/other.py:{at + 1}.\n\n" for at in range(300)]
    for at in range(0, 300, 100):
        lines[at] = f"For step_{at + 5} see src/app.py:{at + 5}.\n\n"
    repo.commit({"src/app.py": BODY, "src/other.py": BODY.replace("step", "stage"), "a.md": "".join(lines)})
    repo.commit({"src/app.py": "# new\n" + BODY, "src/other.py": "# new\n" + BODY.replace("step", "stage") + "\n"})
    repo.git("revert", "--no-edit", "HEAD")
    repo.commit({"src/app.py": "# new\n" + BODY})
    checked, planned = count_followed(repo)
    assert checked == 300
    # Three edits, of which each is judged before and after.
    assert planned <= 12


def test_history_is_asked_once_about_the_same_lines(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan asks about what the run asked about: the trail is not followed anew."""
    repo = make_repository()
    text = "".join(f"For step_{at} see src/app.py:{at}.\n\n" for at in range(3, 60))
    repo.commit({"src/app.py": BODY, "a.md": text, "b.md": "See a.md:1 and src/app.py:60-70.\n"})
    repo.commit({"src/app.py": "".join(f"{line}\n" * (1 + at % 2) for at, line in enumerate(BODY.splitlines()))})
    asked: list[TraceRequest] = []
    trace = Tracer._trace

    def traced(self: Tracer, asks: Any) -> Any:
        asked.extend(asks)
        return trace(self, asks)

    monkeypatch.setattr(Tracer, "_trace", traced)
    with Root(str(repo.path)) as root:
        assert plan(root)
    assert asked
    assert len(asked) == len(set(asked))


def test_the_files_of_a_run_are_not_read_again_for_its_plan(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repository()
    repo.commit({"app.conf": BODY, "a.md": "For step_3 see app.conf:3.\n"})
    repo.commit({"app.conf": "# new\n" + BODY})
    read: list[str] = []
    take = Root.read

    def reading(self: Root, key: str, *more: Any) -> bytes:
        read.append(key)
        return take(self, key, *more)

    monkeypatch.setattr(Root, "read", reading)
    with Root(str(repo.path)) as root:
        assert len(plan(root)) == 1
    assert read.count("app.conf") == 1


def test_an_edit_that_adds_a_line_may_matter_to_every_citation() -> None:
    from pincite.core.model import Citation, Edit, Lines, Safety, SourceRef, Span
    from pincite.text.document import Document

    text = "See a.py:1.\n\n\nSee a.py:2.\n"
    citation = Citation("path-line", Span(18, 24), "a.py:2", SourceRef("file", "a.py"), Lines(2, 2))
    for new, touched in (("a.py:7", False), ("a.py\n:7", True)):
        lines = TouchedLines("a.md", text, [Edit(Span(4, 10), new, Safety.SAFE)])
        assert lines.concern(Document("a.md", text), citation) is touched


def test_what_was_accepted_is_matched_with_all_citations(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "For step_3 see src/app.py:3.\n\n\nSee src/app.py:9.\n"})
    repo.commit({"src/app.py": "# new\n" + BODY})
    with Root(str(repo.path)) as root:
        run = Run(root, Request(cache=False))
        engine = run.engine()
        assert isinstance(engine, DraftEngine)
        data = (repo.path / "a.md").read_bytes()
        none = TouchedLines("a.md", data.decode(), [])
        (partly,) = engine.check_touched("a.md", data, none)
        assert not any(verdict.findings for verdict in partly.verdicts)
        engine._has_records = lambda path: True  # type: ignore[method-assign]
        (wholly,) = engine.check_touched("a.md", data, none)
        assert all(verdict.findings for verdict in wholly.verdicts)
        run.close()
