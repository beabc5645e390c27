"""Papers: the cited page as a picture, the quoted words marked, and what is said where there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.web.evidence import pictures
from pincite.doors.web.evidence.pictures import KeptPictures
from pincite.safe.pdf import PdfTrouble
from pincite.safe.pdf_picture import PagePicture
from support_evidence import CORPUS, PAPER, PAPER_PAGES
from support_pdf import make_pdf
from support_web import Web, open_web

Show = Callable[..., dict[str, Any]]


def find_id(web: Web, raw: str, nth: int = 0) -> str:
    return [row.id for row in web.site.documents.all_rows() if raw in row.raw][nth]


def test_the_page_with_the_words_is_shown_with_its_marks(show: Show) -> None:
    page = show("[REF-001, p.3]")["page"]
    assert (page["page"], page["pages"], page["printed"], page["is_cited"]) == (3, 3, "3", True)
    assert len(page["marks"]) == 2
    quoted = [piece["text"] for piece in page["text"] if piece["is_quoted"]]
    assert quoted == ["Readers rated the first drafts 15 points high-\ner than the others"]


def test_the_picture_is_a_png_with_the_marks(everything: Web) -> None:
    answer = everything.get(f"/c/{find_id(everything, '[REF-001, p.3]')}/page.png?page=3")
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    plain = everything.get(f"/c/{find_id(everything, '[REF-001, p.2]')}/page.png?page=3")
    assert plain.content != answer.content


def test_the_picture_has_words_for_those_who_do_not_see_it(page: Callable[..., str]) -> None:
    text = page("[REF-001, p.3]")
    assert 'alt="Page 3: Results Readers rated the first drafts 15 points' in text
    assert "<details><summary>The text of the page</summary>" in text


def test_words_that_were_changed_are_marked_as_the_paper_has_them(show: Show) -> None:
    evidence = show("[REF-001, p.3]", 1)
    assert evidence["findings"][0]["check"] == "quote-altered" and evidence["page"]["marks"]
    assert "15 points" in next(piece["text"] for piece in evidence["page"]["text"] if piece["is_quoted"])


def test_other_pages_are_turned_to(show: Show, page: Callable[..., str]) -> None:
    first = show("[REF-001, p.3]", page=1)["page"]
    assert (first["page"], first["is_cited"], first["marks"]) == (1, False, [])
    text = page("[REF-001, p.3]", page=2)
    assert 'rel="prev"' in text and 'rel="next"' in text
    assert 'rel="prev"' not in page("[REF-001, p.3]", page=1) and 'rel="next"' not in page("[REF-001, p.3]", page=3)


@pytest.mark.parametrize("number", [-1, 4, 10**6])
def test_a_page_that_is_not_there_is_the_cited_one(number: int, show: Show) -> None:
    assert show("[REF-001, p.3]", page=number)["page"]["page"] == 3


@pytest.mark.parametrize("number", [-1, 0, 4])
def test_there_is_no_picture_of_it(number: int, everything: Web) -> None:
    assert everything.get(f"/c/{find_id(everything, '[REF-001, p.3]')}/page.png?page={number}").status_code == 404


@pytest.mark.parametrize("raw", ["gauge.py†L3】", "L13-L11", "../../etc/passwd", "[REF-002, p.4]"])
def test_what_is_no_paper_has_no_picture(raw: str, everything: Web) -> None:
    assert everything.get(f"/c/{find_id(everything, raw)}/page.png?page=1").status_code == 404


def test_a_paper_without_a_pdf_says_so(show: Show, page: Callable[..., str]) -> None:
    evidence = show("[REF-002, p.4]")
    assert evidence["page"] is None and "there is no PDF beside" in evidence["statement"]
    assert "there is no PDF beside" in page("[REF-002, p.4]")


def make_site(top: Path, pdf: bytes, text: str = "It asked readers [REF-001, p.2].\n") -> Any:
    (top / CORPUS).mkdir(parents=True)
    (top / CORPUS / "REF-001-voices.md").write_text(PAPER)
    (top / CORPUS / "REF-001-voices.pdf").write_bytes(pdf)
    (top / "a.md").write_text(text)
    return open_web(top)


def test_a_page_that_cannot_be_drawn_says_why_and_has_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> PagePicture:
        raise PdfTrouble("too-slow", "the limit is 15 seconds")

    monkeypatch.setattr(pictures, "draw_page", refuse)
    with make_site(tmp_path, make_pdf(PAPER_PAGES)) as web:
        id = find_id(web, "REF-001")
        page = web.get(f"/c/{id}.json").json()["evidence"]["page"]
        assert "took too long to read (the limit is 15 seconds)" in page["no_picture"]
        text = web.get(f"/c/{id}").text
        assert "The page cannot be drawn: the PDF took too long" in text and "<img" not in text
        assert "240 readers" in text
        assert web.get(f"/c/{id}/page.png?page=2").status_code == 400


@pytest.mark.parametrize("pdf", [b"", b"no PDF", make_pdf(PAPER_PAGES, encrypted=True), make_pdf(PAPER_PAGES)[:300]])
def test_a_damaged_file_has_no_page_and_a_reason(pdf: bytes, tmp_path: Path) -> None:
    with make_site(tmp_path, pdf) as web:
        evidence = web.get(f"/c/{find_id(web, 'REF-001')}.json").json()["evidence"]
        assert evidence["page"] is None and "There is no page to show" in evidence["statement"]


def test_hostile_text_of_a_page_is_text(tmp_path: Path) -> None:
    pages = ["<script>alert(1)</script>", '<b>bold</b> "quoted" words on this page', "end"]
    with make_site(tmp_path, make_pdf(pages), "“words on this page” [REF-001, p.2].\n") as web:
        text = web.get(f"/c/{find_id(web, 'REF-001')}").text
        assert "<script>alert" not in text and "<b>bold" not in text and "&lt;b&gt;bold" in text


def test_pictures_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def draw(data: bytes, page: int, words: object) -> PagePicture:
        drawn.append(page)
        return PagePicture(b"\x89PNG" + bytes(1000), 1, 1, 1)

    monkeypatch.setattr(pictures, "draw_page", draw)
    kept = KeptPictures()
    for _ in range(3):
        kept.draw(b"a", 0, ["x"])
    kept.draw(b"a", 0, ["y"])
    kept.draw(b"b", 0, ["x"])
    assert len(drawn) == 3


def test_few_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "draw_page", lambda *_: PagePicture(b"\x89PNG" + bytes(1000), 1, 1, 1))
    kept = KeptPictures(5000)
    for page in range(20):
        kept.draw(b"a", page, [])
    assert kept._size <= 5000 and len(kept._kept) == 3


def test_what_failed_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def refuse(*_: object) -> PagePicture:
        tried.append(1)
        raise PdfTrouble("crashed", "ended by SIGSEGV")

    monkeypatch.setattr(pictures, "draw_page", refuse)
    kept = KeptPictures()
    for _ in range(3):
        with pytest.raises(PdfTrouble, match="SIGSEGV"):
            kept.draw(b"a", 0, [])
    assert len(tried) == 1
