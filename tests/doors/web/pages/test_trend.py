"""Outcomes over time: recorded with every check, and looked for in older commits on request."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.project.project import open_project
from pincite.store.check_trend import TrendPoint, record_check, record_commit
from support_overview import BROKEN, change, commit
from support_web import Web, open_web


def load(web: Web) -> dict[str, list[Any]]:
    return {series["name"]: series["points"] for series in web.get("/trend.json").json()["series"]}


def wait_for_work(web: Web, location: str) -> Any:
    web.wait(lambda: web.get(f"{location}.json").json()["state"] != "running")
    return web.get(f"{location}.json").json()


def test_every_check_is_recorded(web: Web) -> None:
    web.wait(lambda: load(web)["checks"])
    assert load(web)["checks"][-1]["outcomes"] == {"holds": 2, "missing": 1}
    change(web, "docs/b.md", BROKEN)
    web.wait(lambda: load(web)["checks"][-1]["outcomes"] == {"holds": 2, "missing": 3})


def test_a_read_only_server_records_nothing_and_shows_the_present(repository: Path) -> None:
    with open_web(repository, read_only=True) as web:
        assert load(web)["checks"][0]["outcomes"] == {"holds": 2, "missing": 1}
        assert "Check them" not in web.get("/trend").text
        assert web.post("/trend/check").status_code == 403
    with open_project(repository, option="") as project:
        from pincite.store.check_trend import load_checks

        assert load_checks(project.root) == []


def test_two_points_are_a_plot_with_a_table(repository: Path) -> None:
    with open_project(repository, option="") as project:
        for time in range(2):
            record_check(project.root, TrendPoint("a" * 40, time * 10**6, 1, {"holds": 9, "moved": time}))
    with open_web(repository) as web:
        page = web.get("/trend").text
        assert '<svg class="plot" role="img"' in page and "<desc" in page and "1970-01-12" in page
        assert "<style" not in page and ' style="' not in page


def test_a_commit_that_claims_an_impossible_time_is_shown(repository: Path) -> None:
    with open_project(repository, option="") as project:
        for time in (-(10**17), 10**17):
            record_commit(project.root, TrendPoint("<b>", time, 1, {"<img>": 1, "missing": 1}))
            record_commit(project.root, TrendPoint(f"{time}", time, 1, {"missing": 2}))
    with open_web(repository) as web:
        page = web.get("/trend").text
        assert str(10**17) in page and "<b>" not in page and "<img>" not in page


def test_every_id_stands_once(repository: Path) -> None:
    commit(repository)
    with open_web(repository) as web:
        page = web.get("/trend").text
        ids = re.findall(r'\sid="([^"]+)"', page)
        assert "Check them" in page and len(ids) == len(set(ids)), "a label must lead to its field, not to a heading"


def test_older_commits_are_checked_and_kept(repository: Path) -> None:
    first = commit(repository)
    (repository / "docs" / "b.md").write_text(BROKEN)
    second = commit(repository)
    (repository / "docs" / "a.md").write_text("Not committed: nothing is cited.\n")
    with open_web(repository) as web:
        answer = web.post("/trend/check", {"commits": "5"})
        assert answer.status_code == 303
        work = wait_for_work(web, answer.headers["location"])
        assert (work["state"], work["message"], work["location"]) == ("done", "2 commits checked", "/trend")
        points = {point["commit"]: point["outcomes"] for point in load(web)["commits"]}
        assert points == {first: {"holds": 2, "missing": 1}, second: {"holds": 2, "missing": 3}}
        again = wait_for_work(web, web.post("/trend/check").headers["location"])
        assert again["message"] == "0 commits checked", "what is known is not looked for again"
        assert (repository / "docs" / "a.md").read_text() == "Not committed: nothing is cited.\n"


@pytest.mark.parametrize("commits", ["0", "-1", "61", "x", "1e9", ""])
def test_a_number_of_commits_that_is_out_of_bounds_is_refused(web: Web, commits: str) -> None:
    answer = web.post("/trend/check.json", {"commits": commits})
    assert answer.status_code == 422 and "commits" in answer.json()["error"]


def test_without_a_repository_there_are_no_older_commits(web: Web) -> None:
    answer = web.post("/trend/check.json")
    assert answer.status_code == 400 and "git repository" in answer.json()["error"]
    assert "Check them" not in web.get("/trend").text


def test_the_label_of_the_number_of_commits_belongs_to_its_field(repository: Path) -> None:
    commit(repository)
    with open_web(repository) as web:
        html = web.get("/trend").text
    name = re.search(r'<label for="([^"]+)">Commits, evenly spread', html)
    assert name is not None and f'<input id="{name[1]}" name="commits"' in html
    assert html.count(f'id="{name[1]}"') == 1


def test_nothing_is_checked_by_get(web: Web) -> None:
    assert web.get("/trend/check").status_code == 405


def test_the_search_can_be_stopped_and_what_was_found_stays(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(repository)

    def never_end(project: object, git: object, commit: str, time: int, step: Any) -> None:
        while True:
            step()

    monkeypatch.setattr("pincite.doors.web.pages.trend.check_commit", never_end)
    with open_web(repository) as web:
        location = web.post("/trend/check").headers["location"]
        web.post(f"{location}/stop")
        assert wait_for_work(web, location)["state"] == "stopped"
        assert load(web)["commits"] == []


def test_a_commit_that_cannot_be_checked_is_named_and_the_others_are_checked(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repository)
    (repository / "docs" / "b.md").write_text(BROKEN)
    head = commit(repository)
    from pincite.engine.past_commits import check_commit as check

    def refuse_old(project: Any, git: Any, commit: str, time: int, step: Any) -> TrendPoint:
        if commit != head:
            raise UsageError("too large")
        return check(project, git, commit, time, step)

    monkeypatch.setattr("pincite.doors.web.pages.trend.check_commit", refuse_old)
    with open_web(repository) as web:
        work = wait_for_work(web, web.post("/trend/check").headers["location"])
        assert work["message"] == "1 commit checked; others were left out: too large"
        assert [point["commit"] for point in load(web)["commits"]] == [head]
