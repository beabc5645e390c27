"""`check` promises what `fix` makes: one plan, whatever stands in the documents."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.core.model import Edit, Report, Safety, Span
from pincite.engine.repair import planned_reports
from pincite.engine.repair.edits import fit_between
from pincite.engine.repair.fix import write
from pincite.engine.repair.plan import FixPlanner, count_fixed
from pincite.engine.run import Request, Run
from pincite.safe.files import Root

EXAMPLES = int(os.environ.get("PINCITE_LAWS", "40")) // 2
BODY = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 31))
CITATIONS = (
    *(f"src/app.py:{line}" for line in (2, 3, 5, 9, 20)),
    *(f"【F:src/app.py†L{line}】" for line in (3, 6, 20)),
    "`src/app.py:3,5`",
    "[src/app.py:4](../src/app.py#L4)",
    "src/old.py:2",
    "[old](../src/old.py#L3)",
    "docs/a.md:1",
    "docs/b.md:1-2",
    "docs/b.md:3",
    "【F:src/gone.py†L1】",
    "<!-- pincite: ignore -->",
    "word",
    "```",
)
DOCUMENT = st.lists(st.lists(st.sampled_from(CITATIONS), max_size=3).map(" ".join), max_size=5).map("\n".join)
CHANGE = st.sampled_from(
    (
        "# new\n# lines\n" + BODY,
        "# new\n" + BODY.replace("prepare(20)", "prepare(99)"),
        BODY.replace("step_3 = prepare(3)\n", "") + "step_3 = prepare(3)\n",
        BODY.replace("prepare(3)", "prepare(33)"),
        "",
    )
)


def check(root: Root, *paths: str, cache: bool = False) -> tuple[int, int, list[Report]]:
    """What `check` promises in its summary, what its findings promise, and the reports."""
    run = Run(root, Request(paths, promises=True, cache=cache))
    reports = list(run.reports())
    promised = [
        verdict
        for report in reports
        for verdict in report.verdicts
        if any(one.edit and one.edit.safety is Safety.SAFE and not one.edit.withheld for one in verdict.findings)
    ]
    return run.summary.fixable, len(promised), reports


def fix(root: Root, *paths: str, written: bool = True) -> int:
    """What `fix` makes."""
    run = Run(root, Request(paths, cache=False, thorough=True))
    reports = [report for report in run.reports() if any(one.edit for v in report.verdicts for one in v.findings)]
    planner = FixPlanner(run)
    plans = list(planner.plan(reports))
    for plan in plans:
        if written and plan.fix is not None and plan.fix.changes:
            write(root, plan.fix)
    planner.close()
    run.close()
    return sum(count_fixed(plan.fix) for plan in plans)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=DOCUMENT, other=DOCUMENT, change=CHANGE, renamed=st.booleans())
def test_check_promises_what_fix_makes(
    make_repository: Callable[..., Any], one: str, other: str, change: str, renamed: bool
) -> None:
    repo = make_repository(f"law{next(NUMBERS)}")
    repo.commit({"src/app.py": BODY, "src/old.py": BODY, "docs/a.md": one, "docs/b.md": other})
    if renamed:
        (repo.path / "src/old.py").rename(repo.path / "src/new.py")
    repo.commit({"src/app.py": change})
    with Root(str(repo.path)) as root:
        for _ in range(3):
            promised, said, _ = check(root)
            assert promised == said == fix(root, written=False)
            # Of each document alone the same is promised, and made.
            alone = [(check(root, path)[0], fix(root, path, written=False)) for path in ("docs/a.md", "docs/b.md")]
            assert [made for made, _ in alone] == [made for _, made in alone]
            assert sum(made for made, _ in alone) == promised
            assert fix(root) == promised
            if not promised:
                break


NUMBERS = count()


def test_what_fix_refuses_is_not_promised_and_says_why(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "See src/app.py:3 and src/app.py:20.\n\nAnd src/app.py:5.\n"})
    repo.commit({"src/app.py": "# one\n" + BODY.replace("prepare(20)", "prepare(99)")})
    with Root(str(repo.path)) as root:
        promised, said, (report,) = check(root)
        assert (promised, said) == (1, 1)
        edits = [finding.edit for verdict in report.verdicts for finding in verdict.findings if finding.edit]
        assert [edit.withheld[:26] for edit in edits if edit.safety is Safety.SAFE] == [
            "its line also cites src/ap",
            "",
        ]
        assert fix(root) == 1
        assert (repo.path / "a.md").read_text().endswith("And src/app.py:6.\n")
        assert check(root)[:2] == (0, 0)
        assert fix(root) == 0


def test_a_citer_counts_also_where_only_the_cited_document_is_checked(make_repository: Callable[..., Any]) -> None:
    """Whether the citer holds was known only of documents of the same run: `fix a.md` made less than `fix`."""
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "See src/app.py:3.\n", "b.md": "Read a.md:1.\n"})
    repo.commit({"a.md": "Now see src/app.py:3.\n"})
    repo.commit({"src/app.py": "# one\n" + BODY})
    with Root(str(repo.path)) as root:
        # What b.md cites was edited before: it has nothing to lose.
        assert check(root)[0] == check(root, "a.md")[0] == fix(root, "a.md", written=False) == fix(root) == 1


def test_one_citation_with_two_edits_is_one(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    memory = "---\ncitations:\n  - path: src/app.py\n    line: 3\n    snippet: step_3 = prepare(3)\n---\nText.\n"
    repo.commit({"src/app.py": BODY, ".serena/memories/m.md": memory})
    repo.commit({"src/app.py": "# one\n" + BODY})
    with Root(str(repo.path)) as root:
        assert check(root)[0] == fix(root) == 1


def test_an_edit_for_a_reader_does_not_keep_a_safe_one_back() -> None:
    safe = [Edit(Span(5, 9), "x", Safety.SAFE)]
    others = [Edit(Span(0, 7), "y", Safety.UNSAFE), Edit(Span(9, 11), "z", Safety.UNSAFE)]
    assert fit_between(20, safe, others) == [others[1]]
    assert fit_between(10, safe, others) == []


def test_reports_wait_only_where_something_can_be_repaired(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "See src/app.py:99.\n", "b.md": "See src/app.py:3.\n"})
    repo.commit({"src/app.py": "# one\n" + BODY})
    with Root(str(repo.path)) as root:
        held = planned_reports.PlannedReports(Run(root, Request(cache=False)))
        stream = held.plan(iter([Report("a.md"), Report("b.md")]))
        assert next(stream).document == "a.md"


def test_many_reports_are_planned_in_turns(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repository()
    texts = {f"{name}.md": "See src/app.py:3.\n" for name in "abcdef"}
    repo.commit({"src/app.py": BODY, **texts})
    repo.commit({"src/app.py": "# one\n" + BODY})
    monkeypatch.setattr(planned_reports, "_MOST_HELD", 4)
    with Root(str(repo.path)) as root:
        assert check(root, cache=True)[:2] == check(root)[:2] == (6, 6)


def test_a_plan_is_kept_with_the_answer_it_rests_on(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "See src/app.py:3.\n\nSee src/app.py:7.\n", "b.md": "Read b.\n"})
    repo.commit({"src/app.py": "# one\n" + BODY})
    for path in repo.path.rglob("*"):
        if ".git" not in path.parts:
            os.utime(path, (1, 1))
    with Root(str(repo.path)) as root:
        wait_until_trusted(repo.path)
        assert check(root, cache=True)[0] == 2
        with monkeypatch.context() as patched:
            patched.setattr(FixPlanner, "plan", lambda self, reports: pytest.fail("tried again"))
            assert check(root, cache=True)[:2] == (2, 2)
        # A document that cites one of the lines makes it evidence.
        (repo.path / "b.md").write_text("Read a.md:1.\n")
        assert check(root, cache=True)[:2] == (1, 1)
        assert fix(root) == 1


def wait_until_trusted(path: Path) -> None:
    """Files that changed a moment ago are never trusted."""
    from time import sleep

    assert path.is_dir()
    sleep(0.1)
