"""A PDF is sent, looked at, corrected, and added."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.web.pages.corpus_add import name_upload
from support_pdf import make_pdf
from support_topics import IMAGE, SCRIPT, Markup
from support_web import OWN, Web, open_web

CORPUS = ".aiwg/research/corpus"
PDF = make_pdf(["Resetting Gauges Without Losing Counts\nNora Lindgren\n2024\n\nGauges are reset."])


def send(web: Web, data: bytes = PDF, name: str = "gauges.pdf", **more: Any) -> Any:
    return web.post("/corpus/add.json", files={"pdf": (name, data, "application/pdf")}, **more)


def stage(web: Web, data: bytes = PDF, name: str = "gauges.pdf") -> str:
    answer = send(web, data, name)
    assert answer.status_code == 200, answer.text
    location: str = answer.json()["location"]
    return location


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in (root / ".aiwg").rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A site without a corpus, for what is refused."""
    top = tmp_path_factory.mktemp("shared")
    with open_web(top) as web:
        yield web


def test_a_paper_is_added_as_it_was_shown_and_begins_the_corpus(web: Web, repository: Path) -> None:
    location = stage(web)
    shown = web.get(f"{location}.json").json()
    assert (shown["id"], shown["pages"], shown["refusal"]) == ("REF-001", 1, "")
    assert files(repository) == [], "looking writes nothing"
    page = web.get(location).text
    assert "Nothing is written yet" in page and f"post {location}" in Markup(page).forms
    form = {
        "title": "Resetting gauges",
        "authors": "N. Lindgren; J. Doe",
        "year": "2023",
        "doi": "",
        "id": "",
        "sure": "1",
    }
    answer = web.post(f"{location}.json", form)
    assert answer.status_code == 200, answer.text
    added = answer.json()
    assert (added["id"], added["example"]) == ("REF-001", "[REF-001, p.1]")
    assert files(repository) == sorted(added["files"])
    text = (repository / added["files"][0]).read_text()
    assert "title: Resetting gauges" in text and "J. Doe" in text and "2023" in text
    assert (repository / added["files"][1]).read_bytes() == PDF
    assert web.get("/corpus.json").json()["papers"][0]["id"] == "REF-001"
    assert web.get("/corpus/REF-001.json", params={"p": "1"}).json()["shown"]["text"]


def test_what_would_be_written_follows_the_fields(web: Web, repository: Path) -> None:
    location = stage(web)
    shown = web.get(f"{location}.json", params={"title": "Other words", "id": "REF-077", "authors": ""}).json()
    assert shown["id"] == "REF-077" and "title: Other words" in shown["text"] and "authors" not in shown["text"]
    assert files(repository) == []


def test_a_field_that_is_left_as_it_was_stays_unsure_unless_the_reader_says_so(web: Web) -> None:
    location = stage(web, make_pdf(["some words that are no title of anything."]), "a_note.pdf")
    shown = web.get(f"{location}.json").json()
    assert "title" in shown["unsure"]
    same = web.get(f"{location}.json", params={"title": shown["title"]}).json()
    assert "title" in same["unsure"]
    assert "title" not in web.get(f"{location}.json", params={"title": shown["title"], "sure": "1"}).json()["unsure"]
    assert "title" not in web.get(f"{location}.json", params={"title": "New"}).json()["unsure"]


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", 422),
        (b"hello", 415),
        (b"PK\x03\x04" + b"\x00" * 100, 415),
        (b"<html><script>alert(1)</script>", 415),
        (b"x" * 5000 + b"%PDF-1.7", 415),
        (b"%PDF-1.7\n", 422),
        (b"%PDF-1.7\n" + bytes(range(256)) * 20, 422),
        (PDF[: len(PDF) // 3], 422),
        (b"%PDF-" + b"[" * 20_000, 422),
    ],
)
def test_what_is_no_pdf_is_refused(data: bytes, status: int, shared: Web) -> None:
    answer = send(shared, data)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]
    assert files(Path(shared.site.root)) == []


def test_a_pdf_that_is_cut_off_never_adds_anything(shared: Web) -> None:
    """A reader of PDFs may repair some of them; what it cannot read is refused."""
    for cut in (len(PDF) // 2, len(PDF) - 40):
        assert send(shared, PDF[:cut]).status_code in (200, 422)
    assert files(Path(shared.site.root)) == []


def test_a_form_without_a_file_is_refused(shared: Web) -> None:
    assert "choose a PDF" in shared.post("/corpus/add.json", {}).json()["error"]
    answer = shared.post("/corpus/add.json", files={"pdf": ("", b"", "application/pdf")})
    assert 400 <= answer.status_code < 500
    assert shared.post("/corpus/add.json", {"pdf": "words"}).status_code == 422
    two = [("pdf", ("a.pdf", PDF, "application/pdf")), ("pdf", ("b.pdf", PDF, "application/pdf"))]
    assert "one PDF at a time" in shared.post("/corpus/add.json", files=two).json()["error"]


def test_more_than_may_be_sent_is_refused_before_it_is_read(shared: Web) -> None:
    headers = {**OWN, "content-type": "multipart/form-data; boundary=x", "content-length": str(65 * 1024 * 1024)}
    answer = shared.client.post("/corpus/add.json", content=b"--x", headers=headers)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../../etc/passwd.pdf", "passwd.pdf"),
        ("..\\..\\evil.pdf", "evil.pdf"),
        ("/abs/olute.pdf", "olute.pdf"),
        ("a\x00b.pdf", "a b.pdf"),
        ("x" * 300 + ".pdf", "x" * 120 + ".pdf"),
        ("..", "paper.pdf"),
        (".pdf", "pdf.pdf"),
        ("a/", "paper.pdf"),
        ("evil.exe", "evil.pdf"),
        ("\u202efdp.exe", "fdp.pdf"),
        ("\x1b[2J.pdf", "[2J.pdf"),
        ("a\nb.pdf", "a b.pdf"),
    ],
)
def test_the_name_of_a_file_that_was_sent_is_no_path(name: str, kept: str) -> None:
    assert name_upload(name) == kept


@pytest.mark.parametrize(
    "name", ["../../../x.pdf", "x" * 300 + ".pdf", f"{IMAGE}.pdf", f"{SCRIPT}.pdf", "a\nb.pdf", "…🐟.pdf"]
)
def test_a_hostile_name_never_leads_anywhere(name: str, web: Web, repository: Path) -> None:
    before = {path for path in repository.parent.rglob("*") if ".aiwg" not in str(path)}
    location = stage(web, name=name)
    page = web.get(location).text
    assert Markup(page).hostile == []
    added = web.post(f"{location}.json", {"title": "T"})
    assert added.status_code == 200, added.text
    assert all(file.startswith(f"{CORPUS}/REF-001") for file in added.json()["files"])
    assert {path for path in repository.parent.rglob("*") if ".aiwg" not in str(path)} == before


@pytest.mark.parametrize(
    ("form", "status", "said"),
    [
        ({"title": ""}, 400, "title"),
        ({"title": "\u200b\u202e"}, 400, "title"),
        ({"title": "x" * 2001}, 400, "longer than"),
        ({"title": "T", "year": "soon"}, 400, "year"),
        ({"title": "T", "doi": "nonsense"}, 400, "doi"),
        ({"title": "T", "id": "../x"}, 400, "an id is"),
        ({"title": "T", "id": "REF-1/../../x"}, 400, "an id is"),
        ({"title": "T", "id": SCRIPT}, 400, "an id is"),
        ({"title": "T", "sure": "perhaps"}, 422, "sure"),
        ({"title": "T", "path": "/etc"}, 422, "path"),
        ({"title": "T\x00"}, 422, "NUL"),
    ],
)
def test_fields_that_cannot_mean_anything_are_refused(
    form: dict[str, str], status: int, said: str, shared: Web
) -> None:
    location = stage(shared)
    answer = shared.post(f"{location}.json", form)
    assert (answer.status_code, said in answer.json()["error"]) == (status, True), answer.text
    assert files(Path(shared.site.root)) == []
    page = shared.get(location, params=form)
    assert page.status_code in (200, 422) and Markup(page.text).hostile == []


@pytest.mark.parametrize("key", ["none", "0" * 16, "..%2f", "<b>", "x" * 400])
def test_a_pdf_that_was_not_sent_cannot_be_added(key: str, shared: Web) -> None:
    assert shared.get(f"/corpus/add/{key}").status_code == 404
    assert shared.post(f"/corpus/add/{key}", {"title": "T"}).status_code in (404, 405)


def test_what_was_added_cannot_be_added_again(web: Web, repository: Path) -> None:
    location = stage(web)
    second = stage(web)
    assert web.post(f"{location}.json", {"title": "T"}).status_code == 200
    before = files(repository)
    assert web.post(f"{location}.json", {"title": "T"}).status_code == 404
    answer = web.post(f"{second}.json", {"title": "T"})
    assert answer.status_code == 409 and "has this PDF already" in answer.json()["error"]
    assert "has this PDF already" in web.get(second).text
    assert send(web).status_code == 409
    assert files(repository) == before


def test_an_id_that_is_taken_is_refused(web: Web, repository: Path) -> None:
    assert web.post(stage(web), {"title": "T", "id": "REF-005"}).status_code == 200
    before = files(repository)
    other = stage(web, make_pdf(["Another one\nby Jo Doe"]), "other.pdf")
    assert web.post(other, {"title": "U", "id": "REF-005"}).status_code == 409
    assert files(repository) == before


def test_a_read_only_server_takes_no_pdf(repository: Path) -> None:
    with open_web(repository, read_only=True) as web:
        assert send(web).status_code == 403
        assert web.post("/corpus/add/0000000000000000", {"title": "T"}).status_code == 403
    assert not (repository / ".aiwg").exists()


def test_other_sites_cannot_send_one(web: Web) -> None:
    answer = web.client.post("/corpus/add", files={"pdf": ("a.pdf", PDF)}, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403


def test_a_program_sends_it_as_json(web: Web) -> None:
    body = {"pdf": [{"name": "a.pdf", "data": b64encode(PDF).decode()}]}
    answer = web.client.post("/corpus/add.json", json=body, headers=OWN)
    assert answer.status_code == 200 and answer.json()["location"].startswith("/corpus/add/")
    for data in ("%%%", 3, None):
        body = {"pdf": [{"name": "a.pdf", "data": data}]}
        assert web.client.post("/corpus/add.json", json=body, headers=OWN).status_code in (400, 422)


def test_a_corpus_that_leads_out_of_the_root_is_not_written_to(web: Web, repository: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (repository / ".aiwg" / "research").mkdir(parents=True)
    (repository / CORPUS).symlink_to(tmp_path / "outside")
    assert 400 <= send(web).status_code < 500
    assert list((tmp_path / "outside").iterdir()) == []
