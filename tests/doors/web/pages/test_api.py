"""The page that lists the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pincite.doors.web.openapi import describe_api

if TYPE_CHECKING:
    from support_web import Web


def test_every_address_is_listed_with_its_fields(web: Web) -> None:
    page, record = web.get("/api").text, web.get("/api.json").json()
    assert list(dict.fromkeys(one["address"] for one in record["addresses"])) == list(describe_api()["paths"])
    document = next(one for one in record["addresses"] if one["name"] == "get_document")
    assert [(field["name"], field["place"]) for field in document["fields"]][:1] == [("document", "path")]
    for address in describe_api()["paths"]:
        assert address in page
    assert 'href="/openapi.json"' in page and 'aria-current="page">API' in page


def test_ids_on_the_page_are_unique_and_links_lead_to_them(web: Web) -> None:
    import re

    page = web.get("/api").text
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


@pytest.mark.parametrize("query", ["x=1", "%00=1", "page=1"])
def test_it_takes_no_fields(web: Web, query: str) -> None:
    answer = web.get(f"/api.json?{query}")
    assert answer.status_code == 422 and "no such field; there are none" in answer.json()["error"]
    assert web.get(f"/api?{query}").status_code == 422


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_it_only_reads(web: Web, method: str) -> None:
    assert web.client.request(method, "/api", headers={"sec-fetch-site": "same-origin"}).status_code == 405
