"""Saved pages as visits: who named the address, who named the day, and what is neither."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.domains.research.saved_files import BY_CHANGE, BY_FILE, BY_USER, read_saved_file

URL = "https://weir.example/eels"
CHANGED = 1_777_622_400
"""2026-05-01."""


@pytest.fixture
def printed(tmp_path: Path, make_pdf: Callable[..., bytes]) -> Path:
    """A page that a browser printed to a PDF on 2026-04-30."""
    data = make_pdf(["Eels climb the weir."], title="Eels")
    trailer = data.rindex(b"trailer")
    number = data.count(b" obj\n") + 1
    at = len(data)
    # A second edition of the file, as programs append it, with the record of who made it.
    update = (
        f"{number} 0 obj\n<</Creator (Chromium)/Producer (Skia/PDF m121)/CreationDate (D:20260430120000+00'00')>>\n"
        f"endobj\nxref\n{number} 1\n{at:010} 00000 n \ntrailer\n<</Size {number + 1}/Root 1 0 R/Info {number} 0 R"
        f"/Prev {data.rindex(b'xref', 0, trailer)}>>\nstartxref\n"
    )
    place = at + update.index("xref")
    path = tmp_path / "eels.pdf"
    path.write_bytes(data + f"{update}{place}\n%%EOF\n".encode())
    os.utime(path, (CHANGED, CHANGED))
    return path


def test_a_pdf_that_a_browser_printed_has_its_day(printed: Path) -> None:
    found = read_saved_file(str(printed), URL)
    assert (found.visit.retrieved[:10], found.day_from, found.visit.url) == ("2026-04-30", BY_FILE, URL)
    assert found.visit.saved == "PDF; its day: as the file says; file: eels.pdf"


def test_a_pdf_of_the_site_was_made_before_it_was_saved(printed: Path) -> None:
    found = read_saved_file(str(printed), f"{URL}.pdf")
    assert (found.visit.retrieved[:10], found.day_from) == ("2026-05-01", BY_CHANGE)
    found = read_saved_file(str(printed), f"{URL}.pdf", "2026-04-29")
    assert (found.visit.retrieved, found.day_from) == ("2026-04-29T00:00:00Z", BY_USER)


def test_a_pdf_needs_an_address(printed: Path) -> None:
    with pytest.raises(UsageError, match=r"PDF\) does not say where it comes from; pass --url"):
        read_saved_file(str(printed))


def test_names_of_files_are_one_line_without_their_folders(tmp_path: Path) -> None:
    for name in ("a\nb.html", "x; its day: as the file says.html", b"\xff\xfe.html", "n" * 200 + ".html"):
        path = os.fsencode(tmp_path) + b"/" + os.fsencode(name)
        Path(os.fsdecode(path)).write_bytes(b"<html><p>words")
        note = read_saved_file(os.fsdecode(path), URL).visit.saved
        assert note.startswith(f"HTML saved by a browser; its day: {BY_CHANGE}; file: ") and note.isprintable()
        assert str(tmp_path) not in note and len(note) < 250


def test_a_last_change_before_all_time_is_no_day(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"<html><p>words")
    os.utime(path, (0, 0))
    assert read_saved_file(str(path), URL).visit.retrieved == "1970-01-01T00:00:00Z"
    os.utime(path, (-10_000_000_000, -10_000_000_000))
    try:
        found = read_saved_file(str(path), URL)
    except UsageError as error:
        assert "pass --saved" in str(error)
    else:
        assert found.day_from == BY_CHANGE


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.store.warc.LARGEST_FILE", 10)
    (tmp_path / "a.html").write_bytes(b"<html><p>words")
    with pytest.raises(UsageError, match="exceed the limit"):
        read_saved_file(str(tmp_path / "a.html"), URL)
