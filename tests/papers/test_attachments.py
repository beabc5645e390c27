"""What the `file` field of a bibliography names, in the shapes that reference managers write."""

from __future__ import annotations

import json
from time import process_time

import pytest

from pincite.papers.attachments import MOST_FILES, attached_pdfs, is_absolute
from pincite.papers.bibliography import read_bibliography


@pytest.mark.parametrize(
    ("field", "paths"),
    [
        ("x.pdf", ["x.pdf"]),
        ("./papers/x.PDF", ["papers/x.PDF"]),
        # Zotero
        ("Full Text:files/12/Smith 2020.pdf:application/pdf", ["files/12/Smith 2020.pdf"]),
        ("Smith 2020.pdf:files/12/Smith 2020.pdf:application/pdf", ["files/12/Smith 2020.pdf"]),
        ("Snapshot:files/9/s.html:text/html;PDF:files/12/a.pdf:application/pdf", ["files/12/a.pdf"]),
        ("A\\: B\\; C:files/1/A\\: B\\; C.pdf:application/pdf", ["files/1/A: B; C.pdf"]),
        (
            "Full Text:/home/ann/Zotero/storage/AB12CD34/Smith.pdf:application/pdf",
            ["/home/ann/Zotero/storage/AB12CD34/Smith.pdf"],
        ),
        # Better BibTeX
        (
            "/home/ann/Zotero/storage/AB12CD34/Smith.pdf;/home/ann/b.pdf",
            ["/home/ann/Zotero/storage/AB12CD34/Smith.pdf", "/home/ann/b.pdf"],
        ),
        ("attachments:Smith/2020.pdf", ["Smith/2020.pdf"]),
        # JabRef, Mendeley
        (":papers/smith.pdf:PDF", ["papers/smith.pdf"]),
        (":papers/a.pdf:PDF;:papers/b.pdf:PDF", ["papers/a.pdf", "papers/b.pdf"]),
        (":Users/ann/smith.pdf:pdf", ["Users/ann/smith.pdf"]),
        # Windows
        ("C\\:\\\\Users\\\\ann\\\\x.pdf", ["C:/Users/ann/x.pdf"]),
        ("C:\\Users\\ann\\x.pdf", ["C:/Users/ann/x.pdf"]),
        ("PDF:C\\:\\\\Zotero\\\\storage\\\\AB12CD34\\\\x.pdf:application/pdf", ["C:/Zotero/storage/AB12CD34/x.pdf"]),
        ("PDF:C:\\Zotero\\x.pdf:application/pdf", ["C:/Zotero/x.pdf"]),
        ("file:///home/ann/a%20b.pdf", ["/home/ann/a b.pdf"]),
        # Dots lead nowhere else than they seem to.
        ("/repo/../etc/x.pdf", ["/etc/x.pdf"]),
        ("../x.pdf", ["../x.pdf"]),
    ],
)
def test_paths_that_are_named(field: str, paths: list[str]) -> None:
    assert list(attached_pdfs(field)) == paths


@pytest.mark.parametrize(
    "field",
    [
        *("", ";", ":", ":::", ".pdf", "x.txt", "x.pdf.exe", "a\x00.pdf", "a\x1b[2J.pdf", "~/x.pdf", "~root/x.pdf"),
        *("https://x.org/y.pdf", "PDF:https://x.org/y.pdf:application/pdf", "ftp://x/y.pdf", "zotero://open/y.pdf"),
        *("file://server/share/x.pdf", "internal-pdf://1/x.pdf", "x" * 2000 + ".pdf", "\\", "a\u2028.pdf"),
    ],
)
def test_what_names_no_pdf(field: str) -> None:
    assert attached_pdfs(field) == ()


def test_a_list_without_end_is_bounded_and_linear() -> None:
    assert len(attached_pdfs(";".join(f"{number}.pdf" for number in range(100_000)))) == MOST_FILES
    costs = []
    for size in (10_000, 20_000):
        began = process_time()
        for mark in ("\\", ":", ";", "\\;", "a:", ":/", "\\\\:", "C:\\"):
            attached_pdfs(mark * (size // len(mark)) + ".pdf")
        costs.append(process_time() - began)
    assert costs[1] < max(costs[0] * 8, 0.5)


@pytest.mark.parametrize(("path", "whether"), [("/a.pdf", True), ("C:/a.pdf", True), ("a.pdf", False), ("", False)])
def test_which_paths_begin_at_a_disk(path: str, whether: bool) -> None:
    assert is_absolute(path) == whether


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.bib", "@article{k, file = {PDF:files/1/a.pdf:application/pdf;Other:/z/b.pdf:application/pdf}}"),
        ("a.ris", "TY  - JOUR\nID  - k\nL1  - files/1/a.pdf\nL1  - /z/b.pdf\nER  - \n"),
        ("a.json", json.dumps([{"id": "k", "file": "files/1/a.pdf;/z/b.pdf"}])),
        ("b.json", json.dumps([{"id": "k", "attachments": [{"path": "files/1/a.pdf"}, {"path": "/z/b.pdf"}, 3]}])),
    ],
)
def test_every_kind_of_bibliography_names_them(name: str, text: str) -> None:
    (entry,) = read_bibliography(name, text.encode()).entries
    assert (entry.pdf, entry.files) == ("files/1/a.pdf", ("/z/b.pdf",))


@pytest.mark.parametrize("value", [{}, [], [1], [{}], [{"path": {}}], "x", 3, None, [{"path": "a;b:c\\.pdf"}]])
def test_attachments_of_any_shape_are_read_without_harm(value: object) -> None:
    found = read_bibliography("a.json", json.dumps([{"id": "k", "attachments": value, "file": value}]).encode())
    assert [entry.id for entry in found.entries] == ["k"]
