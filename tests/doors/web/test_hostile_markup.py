"""The same hostile repository and the seeds of every fuzzer, without a browser: no page has a foreign element."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from pincite.doors.web.links import ServedLinks
from pincite.doors.web.routes import list_pages
from support_hostile import EVALUATED, PAYLOADS, build_hostile, find_foreign_elements, list_fuzz_seeds, make_answer
from support_web import Web, open_web

LINKS = ServedLinks()
PER_DOCUMENT = 25
"""Seeds that share a document."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which everything is hostile."""
    folder = tmp_path_factory.mktemp("hostile") / "<b class=evil>root"
    build_hostile(folder)
    return folder


@pytest.fixture(scope="module")
def hostile_web(hostile: Path) -> Iterator[Web]:
    """A site of it."""
    with open_web(hostile) as web:
        yield web


def look_at(web: Web, address: str) -> None:
    """Show a page: whatever its status is, its elements are ours."""
    answer = web.get(address)
    assert answer.status_code < 500, f"{address}: {answer.text[-300:]}"
    assert find_foreign_elements(answer.text) == [], address
    assert EVALUATED not in answer.text, address


def test_pages_of_a_hostile_repository_have_only_elements_of_our_own(hostile_web: Web) -> None:
    for page in list_pages():
        if "{" not in page.path:
            look_at(hostile_web, LINKS.page(page.name))
    documents = hostile_web.site.documents
    for name in documents.names():
        look_at(hostile_web, LINKS.page("document", document=name))
    rows = list(documents.all_rows())
    assert len(rows) > 1000
    for row in rows[::47]:
        for page_name in ("citation", "fix", "accept"):
            look_at(hostile_web, LINKS.page(page_name, id=row.id))
        look_at(hostile_web, LINKS.page("document", document=row.document, c=row.id))
    for path in list(documents.citing.paths())[:60]:
        look_at(hostile_web, LINKS.page("source", path=path))


@pytest.mark.parametrize("number", range(len(PAYLOADS)))
def test_what_a_request_says_is_only_text(hostile_web: Web, number: int) -> None:
    told = PAYLOADS[number].replace("\x00", "")
    for page in list_pages():
        path = page.path
        for name in ("document", "id", "path", "topic", "number", "key"):
            path = path.replace(f"{{{name}}}", quote(told, safe="")).replace(f"{{{name}:path}}", quote(told))
        look_at(hostile_web, path)
        for name in page.query.__struct_fields__:
            if f"{{{name}" not in page.path:
                look_at(hostile_web, f"{path}?{name}={quote(told)}")
        look_at(hostile_web, f"{path}?{quote(told)}=1")


@pytest.mark.parametrize("number", range(len(PAYLOADS)))
def test_an_answer_of_a_model_is_only_text(hostile_web: Web, number: int) -> None:
    sent = {"response": PAYLOADS[number], "paths": "docs/output.md"}
    assert find_foreign_elements(hostile_web.post(LINKS.action("check_answers"), sent).text) == []


def test_an_answer_with_hostile_citations_is_only_text(hostile_web: Web) -> None:
    for sent in ({"response": json.dumps(make_answer())}, {"response": str(make_answer())}):
        answer = hostile_web.post(LINKS.action("check_answers"), sent)
        assert find_foreign_elements(answer.text) == [] and EVALUATED not in answer.text


def test_seeds_of_the_fuzzers_are_shown_as_text(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "plain.py").write_text("LIMIT = 40\n")
    seeds = list_fuzz_seeds()
    for number in range(0, len(seeds), PER_DOCUMENT):
        parts = ["# Seeds 【F:plain.py†L1】".encode(), *seeds[number : number + PER_DOCUMENT]]
        (tmp_path / f"docs/{number}.md").write_bytes(b"\n\nIt is `plain.py:1`.\n\n".join(parts))
    with open_web(tmp_path) as web:
        names = web.site.documents.names()
        assert len(names) >= len(seeds) // PER_DOCUMENT // 2
        for name in names:
            look_at(web, LINKS.page("document", document=name))
        for row in list(web.site.documents.all_rows())[::5]:
            look_at(web, LINKS.page("citation", id=row.id))
            look_at(web, LINKS.page("document", document=row.document, c=row.id))
