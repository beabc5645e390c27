"""The audit of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.doors.web.links import ServedLinks
from pincite.doors.web.pages.corpus_audit import NoFields, load_audit
from pincite.doors.web.routes import PageContext
from support_topics import SCRIPT, Markup, add_paper
from support_web import Web, open_web


class ExportedLinks(ServedLinks):
    """Those of an export, as far as the page asks."""

    is_static = True


def audit(web: Web) -> dict[str, object]:
    """Start an audit and wait for it."""
    answer = web.post("/corpus/audit")
    assert answer.status_code == 303
    web.wait(lambda: web.get(f"{answer.headers['location']}.json").json()["state"] != "running")
    found: dict[str, object] = web.get(f"{answer.headers['location']}.json").json()
    return found


def test_the_figures_are_drawn_and_told(repository: Path) -> None:
    add_paper(repository)
    text = '"The lossy reset was seen in every plant" [REF-001, p.1]. Not there [REF-009], nor [REF-001, p.9].\n'
    (repository / "docs" / "p.md").write_text(text)
    before = sorted(map(str, repository.rglob("*")))
    with open_web(repository) as web:
        assert audit(web)["state"] == "done"
        record = web.get("/corpus/audit.json").json()
        charts = {one["name"]: {piece["label"]: piece["count"] for piece in one["pieces"]} for one in record["charts"]}
        assert charts["citations"] == {"valid": 1, "warnings": 1, "errors": 1}
        assert charts["coverage"] == {"cited": 1, "never cited": 0, "cited and absent": 1}
        assert [one["subject"] for one in record["absent"]] == ["REF-009"]
        for chart in record["charts"]:
            assert chart["total"] == 0 or abs(sum(piece["width"] for piece in chart["pieces"]) - 1000) < 0.1
        page = web.get("/corpus/audit").text
        assert "<svg" in page and "cited and absent" in page and 'href="/d/docs/p.md"' in page
    assert sorted(map(str, repository.rglob("*"))) == before, "nothing is written"


def test_before_an_audit_there_is_none(web: Web) -> None:
    assert web.get("/corpus/audit.json").json()["made"] == ""
    assert "No audit was made" in web.get("/corpus/audit").text


def test_without_a_corpus_nothing_may_be_cited(repository: Path) -> None:
    (repository / "docs" / "p.md").write_text("It says so [REF-001].\n")
    with open_web(repository) as web:
        assert audit(web)["state"] == "done"
        assert "errors" in web.get("/corpus/audit").text


def test_hostile_names_are_only_text(repository: Path) -> None:
    add_paper(repository, title=SCRIPT)
    (repository / "docs" / "<img src=x onerror=alert(1)>.md").write_text("See [REF-001] and [REF-008].\n")
    with open_web(repository) as web:
        assert audit(web)["state"] == "done"
        page = web.get("/corpus/audit").text
        assert Markup(page).hostile == [] and "<img" not in page


def test_a_read_only_server_audits_too(repository: Path) -> None:
    add_paper(repository)
    with open_web(repository, read_only=True) as web:
        assert audit(web)["state"] == "done"


@pytest.mark.parametrize("form", [{"paths": "docs"}, {"output": "/etc/passwd"}])
def test_what_cannot_be_asked_is_refused(form: dict[str, str], web: Web) -> None:
    assert web.post("/corpus/audit", form).status_code == 422


def test_nothing_starts_by_a_link(web: Web) -> None:
    web.get("/corpus/audit")
    assert all("Audit" not in one.title for one in web.site.works.list())


def test_an_export_makes_its_own_audit(repository: Path) -> None:
    add_paper(repository)
    with open_web(repository) as web:
        assert load_audit(PageContext(web.site, ExportedLinks()), NoFields()).made
