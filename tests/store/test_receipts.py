"""Receipts: what was retrieved covers just that, as long as nothing changed."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from pincite.core.errors import Refused
from pincite.core.model import Citation, Pages, Quote, SourceRef, Span
from pincite.papers.model import Paper
from pincite.safe.files import Root
from pincite.store.receipts import Receipt, Receipts, digest_of, keep_receipt

FOLDER = ".aiwg/research/receipts"
PAPER = Paper(id="REF-043", path="papers/REF-043-voice.md")
SOURCE = b"Readers rated the steady drafts 15 points higher.\n"
RECEIPT = Receipt(
    created="2026-01-25T12:00:00Z",
    claim="steady drafts are rated higher",
    ref="REF-043",
    citation="[REF-043, p.15]",
    page="15",
    section="Results",
    passage="Readers rated the steady drafts 15 points higher.",
    source="papers/REF-043-voice.md",
    digest=sha256(SOURCE).hexdigest(),
)


def cite(first: str = "", last: str = "", section: str = "", quote: str = "") -> Citation:
    pages = Pages(first, last or first) if first else None
    words = Quote(quote) if quote else None
    return Citation("ref", Span(0, 1), "x", SourceRef("ref", "REF-043"), None, words, "", False, pages, section)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers/REF-043-voice.md").write_bytes(SOURCE)
    with Root(str(tmp_path)) as opened:
        yield opened


def find_receipt(root: Root, folder: str, paper: Paper, citation: Citation) -> str:
    return Receipts(root, folder).missing(paper, citation)


def place(root: Root, key: str) -> Path:
    return Path(root.path) / key


def test_a_receipt_is_named_after_its_paper_and_content(root: Root) -> None:
    key = keep_receipt(root, FOLDER, RECEIPT)
    assert key == f"{FOLDER}/REF-043-{digest_of(RECEIPT)[:12]}.json"
    before = place(root, key).read_bytes()
    assert keep_receipt(root, FOLDER, RECEIPT) == key
    assert place(root, key).read_bytes() == before
    assert len(list(place(root, FOLDER).iterdir())) == 1


@pytest.mark.parametrize(
    "citation",
    [
        *(cite(), cite("15"), cite(section="Results"), cite("15", section="Methods"), cite(section="Section Results")),
        cite("15", quote="rated the steady drafts 15 points"),
        cite(quote="the steady drafts 15 points higher"),
    ],
)
def test_what_was_retrieved_is_covered(root: Root, citation: Citation) -> None:
    keep_receipt(root, FOLDER, RECEIPT)
    assert find_receipt(root, FOLDER, PAPER, citation) == ""


@pytest.mark.parametrize(
    "citation",
    [
        *(cite("14"), cite("15", "16"), cite("14", "15"), cite("xv"), cite("150"), cite("1"), cite(section="Methods")),
    ],
)
def test_what_was_not_retrieved_is_not_covered(root: Root, citation: Citation) -> None:
    keep_receipt(root, FOLDER, RECEIPT)
    assert find_receipt(root, FOLDER, PAPER, citation) == "receipts of REF-043 cover only [REF-043, p.15]"


@pytest.mark.parametrize(
    "citation",
    [cite("15", quote="rated the steady drafts 25 points"), cite(quote="whales sing to their young")],
)
def test_other_words_of_the_page_are_not_covered(root: Root, citation: Citation) -> None:
    keep_receipt(root, FOLDER, RECEIPT)
    said = find_receipt(root, FOLDER, PAPER, citation)
    assert said == "what was retrieved as [REF-043, p.15] does not hold the quoted words"


def test_words_across_a_page_break_cover_both_pages(root: Root) -> None:
    keep_receipt(root, FOLDER, replace(RECEIPT, page="15-17", citation="[REF-043, pp.15-17]"))
    for citation in (cite("15", "17"), cite("15"), cite("16"), cite("16", "17")):
        assert find_receipt(root, FOLDER, PAPER, citation) == ""
    for citation in (cite("14"), cite("15", "18"), cite("18")):
        assert "cover only [REF-043, pp.15-17]" in find_receipt(root, FOLDER, PAPER, citation)


def test_without_a_receipt_nothing_was_retrieved(root: Root) -> None:
    assert find_receipt(root, FOLDER, PAPER, cite("15")) == "nothing was retrieved from REF-043"
    keep_receipt(root, FOLDER, replace(RECEIPT, ref="REF-044"))
    assert find_receipt(root, FOLDER, PAPER, cite("15")) == "nothing was retrieved from REF-043"


def test_a_changed_source_voids_the_receipt(root: Root) -> None:
    keep_receipt(root, FOLDER, RECEIPT)
    place(root, RECEIPT.source).write_bytes(SOURCE + b"And more.\n")
    stale = "papers/REF-043-voice.md changed since it was retrieved on 2026-01-25"
    assert find_receipt(root, FOLDER, PAPER, cite("15")) == stale
    place(root, RECEIPT.source).unlink()
    assert find_receipt(root, FOLDER, PAPER, cite("15")) == stale
    place(root, RECEIPT.source).write_bytes(SOURCE)
    assert find_receipt(root, FOLDER, PAPER, cite("15")) == ""


def test_a_newer_receipt_replaces_a_stale_one(root: Root) -> None:
    keep_receipt(root, FOLDER, replace(RECEIPT, digest="0" * 64))
    assert "changed since" in find_receipt(root, FOLDER, PAPER, cite("15"))
    keep_receipt(root, FOLDER, RECEIPT)
    assert find_receipt(root, FOLDER, PAPER, cite("15")) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"page": "15"', '"page": "16"'),
        ("15 points", "25 points"),
        ('"version": 1', '"version": 2'),
        ('"ref": "REF-043"', '"ref": "REF-044"'),
        ('"claim"', '"other": 1, "claim"'),
        ("{", "[[[["),
        ('"digest"', '"digset"'),
    ],
)
def test_an_altered_receipt_does_not_count(root: Root, old: str, new: str) -> None:
    path = place(root, keep_receipt(root, FOLDER, RECEIPT))
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    for citation in (cite("15"), cite("16"), cite()):
        assert find_receipt(root, FOLDER, PAPER, citation) == "nothing was retrieved from REF-043"


def test_a_receipt_under_another_name_does_not_count(root: Root) -> None:
    path = place(root, keep_receipt(root, FOLDER, RECEIPT))
    path.rename(path.with_name("REF-043-000000000000.json"))
    assert find_receipt(root, FOLDER, PAPER, cite("15")) == "nothing was retrieved from REF-043"


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"[" * 60_000, b"{}" + b" " * 70_000, b'{"version":1}', b"\0" * 100]
)
def test_hostile_receipts_are_passed_over(root: Root, content: bytes) -> None:
    keep_receipt(root, FOLDER, RECEIPT)
    place(root, f"{FOLDER}/REF-043-aaaaaaaaaaaa.json").write_bytes(content)
    assert find_receipt(root, FOLDER, PAPER, cite("15")) == ""


def test_a_source_outside_the_root_is_not_read(root: Root) -> None:
    outside = Path(root.path).parent / "outside.txt"
    outside.write_bytes(SOURCE)
    keep_receipt(root, FOLDER, replace(RECEIPT, source="../outside.txt"))
    for paper in (PAPER, replace(PAPER, path="../outside.txt")):
        assert find_receipt(root, FOLDER, paper, cite("15")) != ""


def test_a_receipt_of_another_file_does_not_count(root: Root) -> None:
    place(root, "papers/other.pdf").write_bytes(SOURCE)
    keep_receipt(root, FOLDER, replace(RECEIPT, source="papers/other.pdf"))
    said = "papers/other.pdf, from which it was retrieved, is not the source of REF-043"
    assert Receipts(root, FOLDER).missing(PAPER, cite("15"), "papers/REF-043-voice.pdf") == said
    assert Receipts(root, FOLDER).missing(PAPER, cite("15"), "papers/other.pdf") == ""


def test_receipts_and_their_sources_are_read_once(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        keep_receipt(root, FOLDER, replace(RECEIPT, claim=f"claim {number}"))
    asked: list[str] = []
    read = Root.read
    monkeypatch.setattr(Root, "read", lambda self, key, *rest: asked.append(key) or read(self, key, *rest))
    receipts = Receipts(root, FOLDER)
    for page in range(50):
        assert (receipts.missing(PAPER, cite(str(page))) == "") == (page == 15)
    assert len(asked) == len(set(asked)) == 21


def test_a_folder_of_receipts_outside_the_root_is_refused(root: Root) -> None:
    with pytest.raises(Refused):
        keep_receipt(root, "../receipts", RECEIPT)
    assert find_receipt(root, "../receipts", PAPER, cite("15")) == "nothing was retrieved from REF-043"
