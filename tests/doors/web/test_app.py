"""What every address answers: tags, methods, unknown addresses, names that are no text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite.doors.web.links import ServedLinks
from support_web import PORT, open_web

if TYPE_CHECKING:
    from support_web import Web


@pytest.mark.parametrize("address", ["/", "/index.json", "/d/docs/a.md", "/d/docs/a.md.json"])
def test_a_client_that_has_the_page_is_not_sent_it_again(web: Web, address: str) -> None:
    tag = web.get(address).headers["etag"]
    assert tag.startswith('"')
    for header in (tag, f"W/{tag}", f'"other", {tag}', f'"other",W/{tag}', "*", f' "a" ,  {tag} '):
        answer = web.get(address, headers={"if-none-match": header})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag), header
    for header in ("", '"other"', tag.strip('"'), f'"x{tag[1:]}', 'W/"*"', "W/*", ",,,"):
        assert web.get(address, headers={"if-none-match": header}).status_code == 200, header


@pytest.mark.parametrize("address", ["/", "/index.json", "/work.json", "/d/docs/a.md"])
def test_head_says_what_get_would(web: Web, address: str) -> None:
    head, got = web.client.head(address), web.get(address)
    assert head.status_code == 200
    for name in ("content-type", "content-length", "etag"):
        assert head.headers[name] == got.headers[name]


@pytest.mark.parametrize(
    ("method", "address", "allowed"),
    [
        ("POST", "/index.json", "GET"),
        ("PUT", "/d/docs/a.md.json", "GET"),
        ("DELETE", "/", "GET"),
        ("OPTIONS", "/", "GET"),
        ("GET", "/work/x/stop.json", "POST"),
        ("HEAD", "/work/x/stop", "POST"),
    ],
)
def test_another_method_is_refused_with_those_there_are(web: Web, method: str, address: str, allowed: str) -> None:
    answer = web.client.request(method, address, headers={"sec-fetch-site": "same-origin"})
    assert answer.status_code == 405 and allowed in answer.headers["allow"]
    if address.endswith(".json"):
        assert answer.json() == {"status": 405, "error": "Method Not Allowed", "exit_code": 2}


@pytest.mark.parametrize(
    "path", ["nothing", "d/", "d/none.md", "c/none", "work/", "work/none", "s/none", "d/%00", "d/%ff", "%2e%2e/x", "d"]
)
def test_what_is_not_there_is_said_as_json_to_programs(web: Web, path: str) -> None:
    base = f"http://127.0.0.1:{PORT}/"
    answer = web.get(f"{base}{path}.json")
    assert answer.status_code in (404, 422) and answer.json()["status"] == answer.status_code
    assert answer.headers["content-type"] == "application/json"
    page = web.get(f"{base}{path}")
    assert page.status_code == answer.status_code and "text/html" in page.headers["content-type"]


@pytest.mark.parametrize("path", ["/index.json", "/nothing.json"])
def test_who_may_not_ask_is_told_so_as_json(web: Web, path: str) -> None:
    web.client.cookies.clear()
    for headers, status in (({}, 403), ({"host": "evil.example"}, 421), ({"authorization": "Bearer x"}, 403)):
        answer = web.get(path, headers=headers)
        assert answer.status_code == status == answer.json()["status"]
        assert answer.headers["content-type"] == "application/json"


def test_a_document_whose_name_is_no_text_has_its_page(repository: Path) -> None:
    (repository / os.fsdecode(b"docs/caf\xe9 #1?.md")).write_text("It is 【F:src/gauge.py†L1】.\n")
    with open_web(repository) as web:
        assert web.site.keeper.error == ""
        name = "docs/caf\\udce9 #1?.md"
        assert name in web.site.documents.names(), "bytes that are no text are spelt out"
        for make in (ServedLinks().page, ServedLinks().json):
            answer = web.get(f"http://127.0.0.1:{PORT}{make('document', document=name)}")
            assert answer.status_code == 200, answer.text
