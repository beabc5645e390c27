"""The first page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from support_web import Web


def test_every_document_is_counted(web: Web) -> None:
    record = web.get("/index.json").json()
    assert record["outcomes"] == {"holds": 2, "missing": 1}
    assert [row["document"] for row in record["documents"]] == ["docs/a.md"]
    assert "3 citations in 1 document" in web.get("/").text


def test_an_unchanged_page_is_not_sent_again(web: Web) -> None:
    tag = web.get("/").headers["etag"]
    assert web.get("/", headers={"if-none-match": tag}).status_code == 304
    assert web.get("/", headers={"if-none-match": '"other"'}).status_code == 200


def test_what_cannot_be_asked_is_refused_with_its_name(web: Web) -> None:
    answer = web.get("/index.json", params={"page": "x"})
    assert answer.status_code == 422
    assert "page" in answer.json()["error"]
