"""The page of a document."""

from __future__ import annotations

import os
import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite.core.errors import Unreadable
from support_web import open_web

if TYPE_CHECKING:
    from support_web import Web

GONE = "【F:src/gone.py†L3】"
HELD = "【F:src/gauge.py†L1】"


def test_each_citation_is_marked_by_its_verdict(web: Web) -> None:
    html = web.get("/d/docs/a.md").text
    assert re.findall(r'<a class="cited (\w+)"', html) == ["holds", "holds", "missing"]
    assert f'id="c-{web.id_of(GONE)}"' in html
    assert f'data-raw="{GONE}"' in html and ">src/gone.py L3</a>" in html
    assert "<h2>Gauge</h2>" in html
    assert "Choose a citation" in html


def test_the_open_citation_has_its_evidence_beside_it(web: Web) -> None:
    id = web.id_of(HELD)
    html = web.get("/d/docs/a.md", params={"c": id}).text
    assert f'id="c-{id}" aria-current="true"' in html
    panel = html[html.index('<aside id="panel"') :]
    assert "LIMIT = 40" in re.sub("<[^>]*>", "", panel) and 'href="/s/src/gauge.py"' in panel
    record = web.get("/d/docs/a.md.json", params={"c": id}).json()
    assert record["open"]["id"] == id and record["evidence"]["kind"] == "code"
    assert record["has_source"] is True and record["evidence"]["findings"] == []


def test_the_findings_of_the_open_citation_are_listed(web: Web) -> None:
    record = web.get("/d/docs/a.md.json", params={"c": web.id_of(GONE)}).json()
    findings = record["evidence"]["findings"]
    assert [finding["outcome"] for finding in findings] == ["missing"]
    assert findings[0]["message"] in web.get("/d/docs/a.md", params={"c": web.id_of(GONE)}).text


def test_the_list_begins_with_what_is_wrong_and_can_be_narrowed(web: Web) -> None:
    record = web.get("/d/docs/a.md.json").json()
    assert [row["outcome"] for row in record["citations"]] == ["missing", "holds", "holds"]
    assert record["outcomes"] == {"missing": 1, "holds": 2}
    assert (record["part"], record["parts"], record["paging"]["total"]) == (1, 1, 3)
    missing = web.get("/d/docs/a.md.json", params={"outcome": "missing"}).json()
    assert [row["raw"] for row in missing["citations"]] == [GONE]
    assert "html" not in str(record.keys())


@pytest.mark.parametrize(
    "query", [{"outcome": "nice"}, {"part": "x"}, {"page": "x"}, {"unknown": "1"}, {"outcome": "<script>"}]
)
def test_what_cannot_be_asked_is_refused(web: Web, query: dict[str, str]) -> None:
    answer = web.get("/d/docs/a.md", params=query)
    assert answer.status_code == 422
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize("name", ["docs/none.md", "../outside.md", "%2e%2e/outside.md", "/etc/passwd", "src/gauge.py"])
def test_what_is_no_document_is_not_found(web: Web, name: str) -> None:
    assert web.get(f"/d/{name}").status_code == 404


@pytest.mark.parametrize(("query", "part"), [({"part": -3}, 1), ({"part": 99}, 1), ({"page": 99}, 1)])
def test_parts_beyond_the_end_are_the_nearest(web: Web, query: dict[str, int], part: int) -> None:
    assert web.get("/d/docs/a.md.json", params=query).json()["part"] == part


@pytest.mark.parametrize("id", ["0000000000000000", '"><script>alert(1)</script>', "x" * 4000])
def test_a_citation_that_is_gone_is_told(web: Web, id: str) -> None:
    answer = web.get("/d/docs/a.md", params={"c": id})
    assert answer.status_code == 200
    assert "no longer has the citation" in answer.text
    assert "<script>alert" not in answer.text
    assert web.get("/d/docs/a.md.json", params={"c": id}).json()["open"] is None


def test_a_changed_text_shows_although_no_verdict_changed(web: Web, repository: Path) -> None:
    web.get("/d/docs/a.md")
    with (repository / "docs" / "a.md").open("a") as file:
        file.write("\nA new sentence.\n")
    assert "A new sentence." in web.get("/d/docs/a.md").text


def test_citations_that_moved_since_the_check_are_listed_and_not_marked(web: Web, repository: Path) -> None:
    """The check may be slower than the page: a mark at a place where other text stands would be wrong."""
    from pincite.doors.web.document_markup import open_view

    site = web.site
    report = site.documents.report("docs/a.md")
    assert report is not None
    path = repository / "docs" / "a.md"
    path.write_text("New first line.\n\n" + path.read_text())
    view = open_view(site, "docs/a.md", report)
    assert len(view.changed) == 3


def test_a_document_that_vanished_has_its_list_and_says_so(web: Web, repository: Path) -> None:
    report = web.site.documents.report("docs/a.md")
    assert report is not None
    (repository / "docs" / "a.md").unlink()
    from pincite.doors.web.document_markup import try_view

    view, error = try_view(web.site, "docs/a.md", report)
    assert view is None and "docs/a.md" in error


def test_a_link_that_leads_outside_is_not_followed(web: Web, repository: Path) -> None:
    from pincite.doors.web.document_markup import try_view

    report = web.site.documents.report("docs/a.md")
    assert report is not None
    outside = repository.parent / "secret.md"
    outside.write_text("secret")
    (repository / "docs" / "a.md").unlink()
    os.symlink(outside, repository / "docs" / "a.md")
    view, error = try_view(web.site, "docs/a.md", report)
    assert view is None and error


def test_a_document_that_cannot_be_read_says_why(repository: Path) -> None:
    (repository / "docs" / "bad.md").write_bytes(b"\xff\xfe" + "see 【F:src/gauge.py†L1】".encode("utf-16-le"))
    with open_web(repository) as web:
        html = web.get("/d/docs/bad.md").text
        assert '<p role="alert">' in html and "UTF-16" in html


def test_malformed_citations_are_marked_and_listed(repository: Path) -> None:
    (repository / "docs" / "a.md").write_text("It is 【F:src/gauge.py†Lx】 and 【F:src/gauge.py†L1】.\n")
    with open_web(repository) as web:
        record = web.get("/d/docs/a.md.json").json()
        assert record["outcomes"] == {"malformed": 1, "holds": 1}
        id = record["citations"][0]["id"]
        html = web.get("/d/docs/a.md", params={"c": id}).text
        assert f'<a class="cited malformed" id="c-{id}"' in html
        assert record["citations"][0]["message"] in unescape(html)
        # There is no page that would fix it, or accept it.
        assert 'data-key="f"' not in html and 'data-key="a"' not in html


def test_a_long_document_opens_the_part_with_the_citation(repository: Path) -> None:
    lines = [f"Sentence {number} rests on `src/gauge.py:{number % 7 + 1}`.\n\n" for number in range(1500)]
    (repository / "docs" / "long.md").write_text("".join(lines) + f"The last one is {GONE}.\n")
    with open_web(repository) as web:
        record = web.get("/d/docs/long.md.json").json()
        assert record["parts"] > 3 and record["part"] == 1
        assert len(record["citations"]) == record["paging"]["per_page"] < record["paging"]["total"]
        id = record["citations"][0]["id"]
        last = web.get("/d/docs/long.md", params={"c": id}).text
        assert f'id="c-{id}" aria-current="true"' in last
        assert f"Part {record['parts']} of {record['parts']}" in last
        assert f'id="c-{id}"' not in web.get("/d/docs/long.md").text
        assert "Sentence 0 " in web.get("/d/docs/long.md", params={"part": 1, "c": id}).text


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("docs/a.txt", "see 【F:src/gauge.py†L1】\n<b>\n", '<li id="text-L2">&lt;b&gt;</li>'),
        ("docs/a.rst", "Title\n=====\n\nsee 【F:src/gauge.py†L1】\n", '<li id="text-L2">=====</li>'),
        ("src/other.py", "# see src/gauge.py:1\nx = '<script>'\n", "x = &#x27;&lt;script&gt;&#x27;</li>"),
    ],
)
def test_other_documents_are_shown_in_lines(repository: Path, name: str, text: str, shown: str) -> None:
    (repository / name).write_text(text)
    with open_web(repository) as web:
        html = web.get(f"/d/{name}").text
        assert shown in html
        assert '<a class="cited holds"' in html


def test_names_and_words_of_documents_are_only_text(repository: Path) -> None:
    name = "<img src=x onerror=alert(1)>'\"&.md"
    (repository / "docs" / name).write_text(
        "<script>alert(1)</script> [x](javascript:alert(1)) 【F:src/<b>gone</b>.py†L3】 \u202e\u200b\n"
    )
    with open_web(repository) as web:
        row = next(row for row in web.site.documents.all_rows() if row.document.endswith("&.md"))
        answer = web.get(f"/d/docs/{name}".replace("%", "%25"), params={"c": row.id})
        assert answer.status_code == 200
        for bad in ("<script>alert", "<img", "<b>", 'href="javascript', "\u202e", "\u200b"):
            assert bad not in answer.text


@pytest.mark.parametrize("read_only", [False, True])
def test_a_citation_can_be_fixed_and_accepted_where_the_server_writes(repository: Path, read_only: bool) -> None:
    with open_web(repository, read_only) as web:
        html = web.get("/d/docs/a.md", params={"c": web.id_of(GONE)}).text
        assert [f'data-key="{key}"' in html for key in "fa"] == [not read_only, not read_only]


def test_evidence_that_cannot_be_loaded_leaves_the_rest_of_the_page(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(site: object, row: object) -> None:
        raise Unreadable("the source cannot be read \x1b")

    monkeypatch.setattr("pincite.doors.web.pages.document.load_evidence", fail)
    answer = web.get("/d/docs/a.md", params={"c": web.id_of(GONE)})
    assert answer.status_code == 200
    assert "the source cannot be read \\u{1b}" in answer.text and "<h2>Gauge</h2>" in answer.text
    record = web.get("/d/docs/a.md.json", params={"c": web.id_of(GONE)}).json()
    assert record["evidence"] is None and "cannot be read" in record["evidence_error"]


def test_views_are_kept_while_nothing_changes_and_are_few(web: Web, repository: Path) -> None:
    from pincite.doors.web.document_markup import _MOST_VIEWS, ViewCache, open_view

    report = web.site.documents.report("docs/a.md")
    assert report is not None
    view = open_view(web.site, "docs/a.md", report)
    assert open_view(web.site, "docs/a.md", report) is view
    views = ViewCache()
    for number in range(3 * _MOST_VIEWS):
        views.keep(str(number), 0, report, view)
    assert views.find("0", 0, report) is None
    assert views.find(str(3 * _MOST_VIEWS - 1), 0, report) is view
    assert views.find(str(3 * _MOST_VIEWS - 1), 1, report) is None


def test_a_text_that_changes_where_no_verdict_does_is_shown(web: Web, repository: Path) -> None:
    document = repository / "docs" / "a.md"
    assert "An afterthought" not in web.get("/d/docs/a.md").text
    version = web.site.documents.version
    document.write_text(document.read_text() + "\nAn afterthought.\n")
    assert "An afterthought" in web.get("/d/docs/a.md").text
    assert web.site.documents.version == version
