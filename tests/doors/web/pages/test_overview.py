"""The first page: what is new first, facets, search, two lists."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.web.long_work import RUNNING
from pincite.doors.web.overview_memory import memory_of
from support_overview import BROKEN, change, commit
from support_web import Web, open_web


@pytest.fixture
def committed(repository: Path) -> Iterator[Web]:
    """The repository with a commit of Ada and one of Grace."""
    commit(repository)
    (repository / "docs" / "b.md").write_text(BROKEN)
    commit(repository, "Grace")
    with open_web(repository) as web:
        yield web


def load(web: Web, **query: object) -> Any:
    answer = web.get("/index.json", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def load_when_ready(web: Web, **query: object) -> Any:
    """The page once what it looks for is found."""
    found: list[Any] = []

    def is_ready() -> bool:
        found[:] = [load(web, **query)]
        return found[0]["authors"] is None and found[0]["new"]["work"] is None

    web.wait(is_ready)
    return found[0]


def counts(record: Any, name: str) -> dict[str, int]:
    return next(
        {one["value"]: one["count"] for one in facet["values"]} for facet in record["facets"] if facet["name"] == name
    )


def test_every_document_is_counted(web: Web) -> None:
    record = load(web)
    assert record["outcomes"] == {"holds": 2, "missing": 1}
    assert [row["document"] for row in record["documents"]] == ["docs/a.md"]
    assert "3 citations in 1 document" in web.get("/").text


def test_what_was_not_looked_at_is_said(web: Web) -> None:
    (note,) = load(web)["notes"]
    assert note.startswith("Not compared with history: "), "without git, everything that moved seems to hold"
    assert note in html.unescape(web.get("/").text)


def test_nothing_is_said_where_everything_was_looked_at(committed: Web) -> None:
    assert load(committed)["notes"] == []


def test_what_a_comment_ignores_is_said_as_the_command_line_says_it(repository: Path) -> None:
    commit(repository)
    with open_web(repository) as web:
        assert load(web)["notes"] == []
        with (repository / "docs" / "a.md").open("a") as document:
            document.write("\nNothing. 【F:src/gone.py†L9】 <!-- pincite: ignore file-not-found it is made later -->\n")
        web.wait(lambda: load(web)["notes"] == ["1 ignored by a comment"])


def test_an_unchanged_page_is_not_sent_again(web: Web) -> None:
    tag = web.get("/").headers["etag"]
    assert web.get("/", headers={"if-none-match": tag}).status_code == 304
    assert web.get("/", headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [("page", "x"), ("list", "everything"), ("by", "reviewer"), ("new", "yes"), ("unheard", "1"), ("outcomes", "x")],
)
def test_what_cannot_be_asked_is_refused_with_its_name(web: Web, field: str, value: str) -> None:
    answer = web.get("/index.json", params={field: value})
    assert answer.status_code == 422
    assert field in answer.json()["error"]


@pytest.mark.parametrize("page", ["-5", "0", "99999999999"])
def test_a_page_that_there_is_not_is_the_nearest(web: Web, page: str) -> None:
    assert load(web, page=page)["paging"]["page"] == 1


def test_facets_combine_and_every_one_can_be_removed(committed: Web) -> None:
    record = load(committed, outcome="missing", folder="docs", list="citations")
    assert {one["citation"]["document"] for one in record["rows"]} == {"docs/a.md", "docs/b.md"}
    assert counts(record, "outcome") == {"holds": 2, "missing": record["matching"]}
    page = committed.get("/?outcome=missing&folder=docs&list=citations").text
    assert 'href="/?folder=docs&amp;list=citations" aria-label="Remove Outcome"' in page
    assert 'href="/?outcome=missing&amp;list=citations" aria-label="Remove Folder"' in page


def test_a_citation_of_the_list_leads_to_its_document(web: Web) -> None:
    row = next(one["citation"] for one in load(web, list="citations", q="gone")["rows"])
    assert f'href="/d/docs/a.md?c={row["id"]}"' in web.get("/?list=citations&q=gone").text


def test_search_looks_at_paths_citations_and_messages(web: Web) -> None:
    assert load(web, q="DOCS/A")["matching"] == 3
    assert load(web, q="src/gone.py†L3")["matching"] == 1
    assert load(web, q="not found")["matching"] == 1
    empty = load(web, q="nothing has this")
    assert (empty["matching"], empty["documents"]) == (0, [])
    assert "Nothing matches" in web.get("/?q=nothing+has+this").text


@pytest.mark.parametrize("field", ["q", "outcome", "check", "dialect", "folder", "scheme", "source", "author", "since"])
def test_hostile_choices_are_only_text(web: Web, field: str) -> None:
    hostile = '"><script>alert(1)</script>\u202e'
    page = web.get("/", params={field: hostile}).text
    assert "<script>alert" not in page
    # A form sends back what was chosen, as it was; what is shown has nothing invisible in it.
    assert "\u202e" not in re.sub(r'value="[^"]*"', "", page)


def test_a_document_that_cannot_be_read_is_listed_until_citations_are_chosen(repository: Path) -> None:
    (repository / "docs" / "link.md").symlink_to("/etc/hostname")
    with open_web(repository) as web:
        listed = {row["document"]: (row["worst"], row["citations"]) for row in load(web)["documents"]}
        assert listed["docs/link.md"] == ("unreadable", 0)
        assert "leads outside the root" in web.get("/").text
        assert "docs/link.md" in {row["document"] for row in load(web, folder="docs", q="LINK")["documents"]}
        for choice in ({"outcome": "holds"}, {"q": "gauge"}, {"folder": "src"}, {"new": 1}):
            assert "docs/link.md" not in {row["document"] for row in load(web, **choice)["documents"]}


def test_nothing_is_new_before_the_first_mark(web: Web) -> None:
    assert load(web)["new"] == {"since": "", "is_revision": False, "count": 0, "work": None}
    change(web, "docs/b.md", BROKEN)
    assert load(web)["new"]["count"] == 0


def test_what_comes_after_a_mark_is_new_and_comes_first(web: Web) -> None:
    assert web.post("/seen").status_code == 303
    assert load(web)["new"]["count"] == 0
    change(web, "docs/z.md", BROKEN)
    record = load(web)
    assert [(row["document"], row["new"]) for row in record["documents"]] == [("docs/z.md", 2), ("docs/a.md", 0)]
    rows = load(web, list="citations")["rows"]
    assert [one["is_new"] for one in rows] == [True, True, False, False, False]
    assert {one["citation"]["document"] for one in load(web, new=1, list="citations")["rows"]} == {"docs/z.md"}


def test_a_mark_outlives_the_server(repository: Path) -> None:
    with open_web(repository) as web:
        web.post("/seen")
    (repository / "docs" / "b.md").write_text(BROKEN)
    with open_web(repository) as web:
        assert load(web)["new"]["count"] == 2


def test_lines_that_move_make_no_finding_new(web: Web) -> None:
    web.post("/seen")
    place = Path(web.site.root) / "docs" / "a.md"
    change(web, "docs/a.md", "\n\n\n" + place.read_text())
    assert load(web)["new"]["count"] == 0


def test_looking_changes_nothing(web: Web) -> None:
    change(web, "docs/b.md", BROKEN)
    for path in ("/", "/?new=1", "/index.json"):
        web.get(path)
    assert memory_of(web.site).seen() is None
    assert web.get("/seen").status_code == 405


def test_a_mark_for_what_the_user_did_not_see_is_refused(web: Web) -> None:
    version = load(web)["version"]
    change(web, "docs/b.md", BROKEN)
    answer = web.post("/seen.json", {"version": version})
    assert answer.status_code == 409 and "changed" in answer.json()["error"]
    assert memory_of(web.site).seen() is None


def test_a_read_only_server_marks_nothing(repository: Path) -> None:
    with open_web(repository, read_only=True) as web:
        assert web.post("/seen").status_code == 403
        assert "Mark all as seen" not in web.get("/").text
        assert memory_of(web.site).seen() is None


def test_a_mark_from_another_site_is_refused(web: Web) -> None:
    answer = web.client.post("/seen", headers={"sec-fetch-site": "cross-site", "origin": "http://evil.example"})
    assert answer.status_code == 403 and memory_of(web.site).seen() is None


def test_a_mark_that_cannot_be_kept_says_so(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE", "relative")
    answer = web.post("/seen.json")
    assert answer.status_code == 400 and "PINCITE_CACHE" in answer.json()["error"]
    assert load(web)["new"]["since"] == ""


def test_new_since_a_revision_is_what_check_since_reports(committed: Web) -> None:
    record = load_when_ready(committed, since="HEAD~1", new=1, list="citations")
    printed = subprocess.run(
        [sys.executable, "-m", "pincite", "check", "--since", "HEAD~1", "--format", "json", "--root", "."],
        cwd=committed.site.root,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    shown = sorted((one["citation"]["document"], one["citation"]["raw"]) for one in record["rows"])
    assert len(shown) == record["new"]["count"] == 2
    assert {document for document, _ in shown} == {"docs/b.md"}
    assert all(raw.strip("`") in printed for _, raw in shown) and "src/gone.py" not in printed


@pytest.mark.parametrize("revision", ["no-such-branch", "-x", "--output=x", "HEAD~99", "a\nb", "0" * 40])
def test_a_bad_revision_has_the_message_of_the_command_line(committed: Web, revision: str) -> None:
    answer = committed.get("/index.json", params={"since": revision})
    assert answer.status_code == 400
    assert "unknown revision" in answer.json()["error"]


def test_outside_a_repository_there_is_no_revision(web: Web) -> None:
    answer = web.get("/index.json", params={"since": "HEAD"})
    assert answer.status_code == 400 and "needs a git repository" in answer.json()["error"]
    answer = web.get("/index.json", params={"by": "author"})
    assert answer.status_code == 400 and "git repository" in answer.json()["error"]


def test_authors_of_citing_lines_are_a_facet_on_request(committed: Web) -> None:
    assert "author" not in [facet["name"] for facet in load(committed)["facets"]]
    record = load_when_ready(committed, by="author")
    assert counts(record, "author") == {"Ada": 3, "Grace": 2}
    rows = load_when_ready(committed, author="Grace", list="citations")["rows"]
    assert {one["citation"]["document"] for one in rows} == {"docs/b.md"}
    assert load_when_ready(committed, author="Eve")["matching"] == 0


def test_a_name_of_an_author_is_only_text(repository: Path) -> None:
    commit(repository, "<img src=x onerror=alert(1)>")
    with open_web(repository) as web:
        record = load_when_ready(web, by="author")
        assert sum(counts(record, "author").values()) == 3
        assert "<img" not in web.get("/?by=author").text


def test_what_is_stopped_says_so_and_can_be_started_again(committed: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def never_end(project: object, lines: object, progress: Any) -> None:
        while True:
            progress(0, 10)

    monkeypatch.setattr("pincite.doors.web.overview_memory.find_line_authors", never_end)
    work = load(committed, by="author")["authors"]
    assert work["state"] == RUNNING
    assert "is under way" in committed.get("/?by=author").text
    committed.post(f"/work/{work['id']}/stop")
    committed.wait(lambda: load(committed, by="author")["authors"]["state"] == "stopped")
    assert "was stopped" in committed.get("/?by=author").text
    monkeypatch.undo()
    assert committed.post("/again", {"by": "author"}).headers["location"] == "/?by=author"
    assert counts(load_when_ready(committed, by="author"), "author")


def test_lists_are_cut_into_pages_that_keep_the_choice(repository: Path) -> None:
    (repository / "docs" / "many.md").write_text("".join(f"Gone {at} 【F:gone{at}.py†L1】.\n\n" for at in range(250)))
    with open_web(repository) as web:
        record = load(web, list="citations", outcome="missing", page=3)
        assert (record["paging"]["pages"], record["paging"]["total"], len(record["rows"])) == (3, 251, 51)
        page = web.get("/?list=citations&outcome=missing&page=2").text
        assert 'href="/?page=3&amp;outcome=missing&amp;list=citations"' in page
