"""Documents: which one a citation means, where words stand in it, and what cannot be read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.domains.retrieval.answers import library as module
from pincite.domains.retrieval.answers.compare import compare
from pincite.domains.retrieval.answers.documents import AnswerDocument, embedded_document
from pincite.domains.retrieval.answers.library import DocumentLibrary
from pincite.domains.retrieval.answers.model import EmbeddedDocument, NamedDocument, PageSpan

FILES = {
    "a/guide.md": "---\ntitle: The Long Guide\n---\n\nLamps burn oil.\n",
    "b/guide.md": "Other words.\n",
    "b/rules.txt": "Doors close at nine.\n",
    "c/page.html": "<title>Tides &amp; winds</title>\n<p>High <b>water</b>\nat noon.</p>",
    ".hidden/x.md": "Secret.\n",
    "c/.y.md": "Secret.\n",
    "c/picture.png": "no text",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def paths(found: tuple[AnswerDocument, ...]) -> list[str]:
    return [one.path for one in found]


def test_folders_give_what_can_be_read_in_order(folder: Path) -> None:
    with DocumentLibrary(["."]) as library:
        assert paths(tuple(library.documents)) == ["a/guide.md", "b/guide.md", "b/rules.txt", "c/page.html"]
        assert not library.is_ordered
    with DocumentLibrary(["b/", "a"]) as library:
        assert paths(tuple(library.documents)) == ["b/guide.md", "b/rules.txt", "a/guide.md"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        (NamedDocument(filename="rules.txt"), "b/rules.txt"),
        (NamedDocument(filename="RULES.TXT"), "b/rules.txt"),
        (NamedDocument(title="rules"), "b/rules.txt"),
        (NamedDocument(uri="gs://bucket/x/rules.txt"), "b/rules.txt"),
        (NamedDocument(uri="https://e.org/c/page.html?x=1#top"), "c/page.html"),
        (NamedDocument(uri="https://e.org/c/page%2Ehtml"), "c/page.html"),
        (NamedDocument(title="a/guide.md"), "a/guide.md"),
        (NamedDocument(title="the long guide"), "a/guide.md"),
        (NamedDocument(title="Tides & winds"), "c/page.html"),
        (NamedDocument(index=2), "b/rules.txt"),
        (NamedDocument(index=1, title="guide.md"), "b/guide.md"),
        (NamedDocument(index=0, title="Whatever it was called"), "a/guide.md"),
    ],
)
def test_a_name_leads_to_one_document(folder: Path, name: NamedDocument, meant: str) -> None:
    with DocumentLibrary(["a/guide.md", "b/guide.md", "b/rules.txt", "c/page.html"]) as library:
        found = library.meant(name)
        assert (paths(found.documents), found.sure, found.absent) == ([meant], True, False)


def test_a_name_of_two_documents_is_said_to_be(folder: Path) -> None:
    with DocumentLibrary(["a", "b"]) as library:
        found = library.meant(NamedDocument(index=0, title="guide.md"))
        assert (paths(found.documents), found.sure) == (["a/guide.md", "b/guide.md"], False)
        assert "2 documents are called guide.md" in found.note


def test_numbers_mean_nothing_in_a_folder(folder: Path) -> None:
    with DocumentLibrary(["a", "b"]) as library:
        found = library.meant(NamedDocument(index=1))
        assert (len(found.documents), found.sure, found.absent) == (3, False, False)


@pytest.mark.parametrize(
    "name",
    [
        NamedDocument(filename="z.pdf"),
        NamedDocument(title="z.pdf"),
        NamedDocument(uri="https://e.org/"),
        NamedDocument(index=9),
    ],
)
def test_a_document_that_is_not_there(folder: Path, name: NamedDocument) -> None:
    with DocumentLibrary(["a/guide.md", "b/rules.txt"]) as library:
        found = library.meant(name)
        assert (found.sure, found.absent, len(found.documents)) == (False, True, 2)


@pytest.mark.parametrize(
    "name",
    [
        NamedDocument(uri="kb://1234"),
        NamedDocument(title="All about Node.js"),
        NamedDocument(id="doc:0"),
        NamedDocument(uri="handbook"),
    ],
)
def test_a_label_of_somebody_s_own_may_mean_any(folder: Path, name: NamedDocument) -> None:
    with DocumentLibrary(["a/guide.md", "b/rules.txt"]) as library:
        found = library.meant(name)
        assert (found.sure, found.absent, len(found.documents)) == (False, False, 2)
        assert "it is unclear" in found.note
        assert library.meant(name) is found


def test_no_such_path_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        DocumentLibrary(["nowhere"])


def test_too_many_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 2)
    with pytest.raises(UsageError, match="more than 2 files"):
        DocumentLibrary(["."])


def test_links_out_of_a_folder_are_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.md"
    outside.write_text("Secret words.\n")
    os.symlink(outside, folder / "a" / "link.md")
    with DocumentLibrary(["a"]) as library:
        link = next(one for one in library.documents if one.path == "a/link.md")
        assert link.trouble
        assert link.pages == ("",)


def test_what_is_no_text_is_a_trouble(folder: Path) -> None:
    (folder / "a/bad.txt").write_bytes(b"\xff\xfe\xfa")
    (folder / "a/bad.pdf").write_bytes(b"no pdf")
    with DocumentLibrary(["a/bad.txt", "a/bad.pdf"]) as library:
        assert all(one.trouble for one in library.documents)


def test_place_in_html_is_told_by_line_of_the_source(folder: Path) -> None:
    with DocumentLibrary(["c/page.html"]) as library:
        (page,) = library.documents
        look = page.look_up().look("High water at noon.")
        assert look.kind == "verbatim"
        assert page.spot(look.passages[0], "High water at noon.").label == "c/page.html:2"


def test_offsets_include_the_signs_around(folder: Path) -> None:
    (folder / "q.txt").write_text("He said: “Stay here!” Then he left.\n")
    with DocumentLibrary(["q.txt"]) as library:
        (page,) = library.documents
        spot = page.spot(page.look_up().look("“Stay here!”").passages[0], "“Stay here!”")
        assert (spot.start, spot.end, spot.line) == (9, 21, 1)


def test_lines_are_right_where_offsets_cannot_be(folder: Path) -> None:
    (folder / "q.txt").write_text("Cafe\u0301.\nThe second line stands here.\n")
    with DocumentLibrary(["q.txt"]) as library:
        (page,) = library.documents
        spot = page.spot(page.look_up().look("The second line").passages[0], "The second line")
        assert (spot.line, spot.start, spot.end) == (2, 7, 22)
        # On the line of what was composed, columns are not those of the file.
        (folder / "r.txt").write_text("Cafe\u0301 and the second place.\n")
    with DocumentLibrary(["r.txt"]) as library:
        (page,) = library.documents
        spot = page.spot(page.look_up().look("the second place").passages[0], "the second place")
        assert (spot.line, spot.start) == (1, None)


def test_offsets_in_files_with_other_line_ends_are_those_of_the_file(folder: Path) -> None:
    text = "One line.\r\nAnother line.\rThe third line stands here.\r\n"
    (folder / "w.txt").write_bytes(text.encode())
    with DocumentLibrary(["w.txt"]) as library:
        (page,) = library.documents
        for words, line in (("Another line.", 2), ("third line stands", 3), ("stands here.", 3)):
            spot = page.spot(page.look_up().look(words).passages[0], words)
            assert spot.start is not None and text[spot.start : spot.end] == words
            assert spot.line == line


def test_texts_beyond_memory_are_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 30)
    with DocumentLibrary(["a/guide.md", "b/rules.txt"]) as library:
        first, second = library.documents
        for one in (first, second):
            assert one.look_up().look("words").kind in ("absent", "verbatim")
            library.note_use(one)
        assert (first.is_held, second.is_held) == (False, True)
        assert first.look_up().look("Lamps burn oil.").kind == "verbatim"


def test_a_document_that_vanished_is_a_trouble(folder: Path) -> None:
    with DocumentLibrary(["b/rules.txt"]) as library:
        (rules,) = library.documents
        assert not rules.is_titled("Rules")
        rules.forget()
        (folder / "b/rules.txt").unlink()
        rules.load()
        assert rules.trouble


def test_words_that_are_not_there_need_no_folding(folder: Path) -> None:
    with DocumentLibrary(["b/rules.txt"]) as library:
        (rules,) = library.documents
        assert rules.share("Doors close") == 1.0
        assert rules.share("Seventeen elephants crossed wooden bridges yesterday evening") == 0.0


def test_words_are_shared_however_they_are_spelt(folder: Path) -> None:
    quote = "Die Zusammenarbeit größerer Gemeinschaften erfordert flexible Übereinkünfte."
    spelt = "Die Zusam-\nmenarbeit gro\u0308ßerer Gemein\u00adschaften erfordert ﬂexible U\u0308bereinku\u0308nfte."
    (folder / "spelt.txt").write_text(spelt, encoding="utf-8")
    with DocumentLibrary(["spelt.txt"]) as library:
        (page,) = library.documents
        assert page.share(quote) == 1.0
        assert page.look_up().verbatim(quote) is not None
        assert page.look_up().verbatim(quote.replace("flexible", "feste")) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.md", "# The Guide\n\nWords.\n"),
        ("t.md", "---\ntitle: The Guide\n---\n# Other\n\nWords.\n"),
        ("t.rst", "The Guide\n=========\n\nWords.\n"),
        ("t.html", "<title>The Guide</title><p>Words.</p>"),
    ],
)
def test_a_title_is_that_of_the_metadata_or_the_first_heading(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    with DocumentLibrary([name]) as library:
        (page,) = library.documents
        assert page.is_titled("the guide")
        assert not page.is_titled("Words.")
        assert not page.is_titled("")


def test_embedded_documents(make_pdf: Callable[..., bytes]) -> None:
    from base64 import b64encode

    paged = embedded_document(
        EmbeddedDocument("p", NamedDocument(), pdf=b64encode(make_pdf(["One here.", "Two there."])).decode())
    )
    assert paged is not None and len(paged.pages) == 2
    assert embedded_document(EmbeddedDocument("p", NamedDocument(), pdf="no base64!")) is None
    assert embedded_document(EmbeddedDocument("p", NamedDocument(), pdf="bm8gcGRm")) is None
    assert embedded_document(EmbeddedDocument("p", NamedDocument(), text=" \n")) is None
    plain = embedded_document(EmbeddedDocument("p", NamedDocument(), text="a\ud800b"))
    assert plain is not None and plain.digest


def test_a_surrogate_does_not_move_offsets() -> None:
    plain = embedded_document(EmbeddedDocument("p", NamedDocument(), text="\ud800 words stand here"))
    assert plain is not None
    assert plain.raw[2:7] == "words"


def test_an_embedded_text_that_begins_with_a_mark_keeps_its_offsets() -> None:
    plain = embedded_document(EmbeddedDocument("p", NamedDocument(), text="\ufeffwords stand here"))
    assert plain is not None
    assert plain.raw[1:6] == "words"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_html_are_those_of_its_source(folder: Path, end: str) -> None:
    rows = [
        f"<p>Cafe\u0301 {at} &amp; co,{end}two cafe\u0301s,{end}then words{at} <b>stand</b>.</p>" for at in range(40)
    ]
    text = end.join(["<title>T</title>", *rows])
    (folder / "p.html").write_bytes(text.encode())
    with DocumentLibrary(["p.html"]) as library:
        (page,) = library.documents
        for at in (0, 17, 39):
            for words, line in ((f"Caf\u00e9 {at}", 2), (f"then words{at} stand", 4)):
                spot = page.spot(page.look_up().look(words).passages[0], words)
                assert spot.line == 3 * at + line
            start = text.index(f"words{at} ")
            assert page.place(start, start + 5, page.raw).line == 3 * at + 4


def test_words_across_a_page_break_are_held_and_a_scan_is_not_read(pdfs: Any) -> None:
    paper = AnswerDocument("p.pdf", kind="pdf")
    paper.take(pdfs.broken_pdf())
    held = compare(f"{pdfs.BROKEN_QUOTE},", paper, PageSpan(1, 2))
    assert (held.kind, held.note, held.spot and held.spot.page) == ("held", "", 1)
    assert compare(pdfs.BROKEN_QUOTE.replace("upside", "right side"), paper, None).kind == "altered"
    scan = AnswerDocument("s.pdf", kind="pdf")
    scan.take(pdfs.make_pdf(["Xqz kvbn wrtp lkjh mnbv cxz qwrt. " * 12]))
    unread = compare(pdfs.BROKEN_QUOTE, scan, None)
    assert (unread.kind, unread.note) == ("unread", "page 1 has a font that does not say which letters it shows")
