"""The review queue: what waits, in which order, and where it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support_review import (
    AMBIGUOUS,
    EDITED,
    MISSING,
    MOVED,
    TWICE,
    list_waiting_raws,
    make_review_repository,
    read_digests,
)
from support_web import Web, open_web


@pytest.fixture
def root(make_repository: Callable[..., Any]) -> Path:
    return make_review_repository(make_repository("queue"))


@pytest.fixture
def web(root: Path) -> Iterator[Web]:
    with open_web(root) as web:
        yield web


def test_what_waits_is_listed_in_the_order_of_documents_and_lines(web: Web) -> None:
    assert list_waiting_raws(web) == [EDITED, MOVED, TWICE, AMBIGUOUS, MOVED]
    # A file that is gone without a trace is for the author.
    assert MISSING in [row.raw for row in web.site.documents.all_rows()]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"outcome": "moved"}, [MOVED, TWICE, MOVED]),
        ({"check": "lines-edited"}, [EDITED]),
        ({"folder": "docs/deep"}, [MOVED]),
        ({"folder": "docs/deep/"}, [MOVED]),
        ({"folder": "docs", "outcome": "ambiguous"}, [AMBIGUOUS]),
        ({"folder": "doc"}, []),
        ({"folder": "../docs"}, []),
        ({"outcome": "holds"}, []),
        ({"check": "<b>"}, []),
    ],
)
def test_a_part_of_the_queue(web: Web, query: dict[str, str], expected: list[str]) -> None:
    assert list_waiting_raws(web, **query) == expected
    page = web.get("/review", params=query)
    assert page.status_code == 200 and "<b>" not in page.text
    assert ("Nothing of this kind waits" in page.text) == (not expected)


def test_old_and_new_stand_beside_each_other(web: Web) -> None:
    item = web.get("/review.json", params={"at": web.id_of(EDITED)}).json()["item"]
    (finding,) = item["findings"]
    assert finding["then"] == ["LIMIT = 40"] and finding["now"] == ["LIMIT = 250"]
    assert finding["new"] == "【F:src/gauge.py†L3】" and not finding["is_safe"]
    assert item["claim"] == f"The limit is 40 {EDITED}" and item["can_fix"] and item["can_accept"]
    page = web.get("/review", params={"at": web.id_of(EDITED)}).text
    assert "Cited then" in page and "LIMIT = 40" in page and "needs a reader" in page


def test_candidates_lead_to_their_diff(web: Web) -> None:
    page = web.get("/review", params={"at": web.id_of(AMBIGUOUS)}).text
    assert "lib/util.py:2" in page and f"/c/{web.id_of(AMBIGUOUS)}/fix?to=2&amp;review=1" in page


def test_keys_are_links(web: Web) -> None:
    page = web.get("/review", params={"at": web.id_of(MOVED)}).text
    assert [key for key in "fajkoc" if f'data-key="{key}"' in page] == list("fajkoc")
    first = web.get("/review").text
    assert 'data-key="k"' not in first and 'data-key="j"' in first


def test_the_queue_goes_on_with_the_next_one_after_a_write(web: Web) -> None:
    rows = web.get("/review.json").json()["rows"]
    id, following = rows[1]["id"], rows[2]["id"]
    plan = web.get(f"/c/{id}/fix.json", params={"review": 1, "folder": "docs"}).json()
    answer = web.post(f"/c/{id}/fix", {**read_digests(plan), "review": "1", "folder": "docs"})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/review?folder=docs&at={following}&n=1"
    after = web.get(answer.headers["location"].replace("/review", "/review.json")).json()
    assert after["item"]["citation"]["raw"] == TWICE
    # What was just settled does not come back before its document was checked again.
    assert id not in [row["id"] for row in after["rows"]]


def test_the_last_one_ends_the_queue(web: Web) -> None:
    last = web.get("/review.json").json()["rows"][-1]["id"]
    plan = web.get(f"/c/{last}/fix.json").json()
    answer = web.post(f"/c/{last}/fix", {**read_digests(plan), "review": "1"})
    page = web.get(answer.headers["location"]).text
    assert "That was the last one. 4 citations of this part of the queue still wait" in page


def test_a_citation_that_is_gone_gives_way_to_what_stands_there_now(web: Web) -> None:
    record = web.get("/review.json", params={"at": "0" * 16, "n": 1}).json()
    assert record["item"]["citation"]["raw"] == MOVED
    assert web.get("/review.json", params={"at": "0" * 16, "n": -5}).json()["item"] is None
    assert web.get("/review.json", params={"at": "0" * 16, "n": 99}).json()["item"] is None


@pytest.mark.parametrize("query", [{"n": "x"}, {"unknown": "1"}, {"at": "\x00"}])
def test_what_cannot_be_asked_is_refused(web: Web, query: dict[str, str]) -> None:
    assert web.get("/review.json", params=query).status_code == 422


def test_a_read_only_server_offers_no_buttons(root: Path) -> None:
    with open_web(root, read_only=True) as web:
        page = web.get("/review").text
        assert "/fix" not in page and "/accept" not in page and 'data-key="j"' in page


def test_a_document_that_changed_meanwhile_is_still_shown(web: Web, root: Path) -> None:
    """The sentence is read from the document, whose text may be another one than was checked."""
    id = web.id_of(MOVED)
    row = web.site.documents.find(id)
    (root / "docs" / "a.md").write_text("Something else.\n")
    from pincite.doors.web.pages.review import _load_item

    assert row is not None and _load_item(web.site, row).claim == MOVED


def test_hostile_text_is_only_text(make_repository: Callable[..., Any]) -> None:
    repository = make_repository("hostile")
    cited = "<script>alert(1)</script>\n\u202eback = 1\nplain = 2\n"
    repository.commit(
        {"pincite.toml": "", "src/<b>.py": cited, "docs/<img src=x>.md": "<i>It</i> is so 【F:src/<b>.py†L1-L2】.\n"}
    )
    repository.commit({"src/<b>.py": "first = 0\n" + cited})
    with open_web(repository.path) as web:
        (row,) = [row for row in web.site.documents.all_rows() if row.outcome == "moved"]
        for path in ("/review", f"/c/{row.id}/fix", f"/c/{row.id}/accept?reason=<script>"):
            page = web.get(path)
            assert page.status_code == 200
            assert "<script>alert" not in page.text and "<img" not in page.text and "\u202e" not in page.text
            assert "<i>It" not in page.text and "<b>" not in page.text and 'value="<script>' not in page.text
