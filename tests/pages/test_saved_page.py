"""Files in which people save pages: what form, from where, which day; what the file does not say stays empty."""

from __future__ import annotations

import time

import pytest

from pincite.core.errors import Unreadable
from pincite.pages.saved_page import HTML, MHTML, PDF, SINGLE_FILE, TEXT, read_saved_page, read_time

BROWSER = b"<!DOCTYPE html>\n<!-- saved from url=(0026)https://tides.example/moon -->\n<html><p>Two tides a day."
SINGLE = (
    b"<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n url: https://tides.example/moon#x \n"
    b" saved date: Fri May 01 2026 10:00:00 GMT+0200 (Central European Summer Time)\n--><meta charset=utf-8>\n<p>Two"
)


def test_a_page_saved_by_a_browser_names_its_address_and_no_day() -> None:
    found = read_saved_page(BROWSER)
    assert (found.form, found.url, found.saved) == (HTML, "https://tides.example/moon", "")
    assert (found.content_type, found.body) == ("text/html", BROWSER)


def test_a_page_of_single_file_names_address_and_time() -> None:
    found = read_saved_page(SINGLE)
    assert (found.form, found.url, found.saved) == (SINGLE_FILE, "https://tides.example/moon", "2026-05-01T08:00:00Z")
    old = SINGLE.replace(b"Page saved with", b"Archive processed by")
    assert read_saved_page(old).saved == found.saved
    undated = SINGLE.replace(b" saved date:", b" info:")
    assert (read_saved_page(undated).url, read_saved_page(undated).saved) == (found.url, "")


def test_hyphens_that_no_comment_can_hold_are_given_back() -> None:
    found = read_saved_page(BROWSER.replace(b"/moon", b"/a%2D%2Db?x=1&copy=2"))
    assert found.url == "https://tides.example/a--b?x=1&copy=2"


def test_utf_16_is_read_by_its_mark() -> None:
    found = read_saved_page(BROWSER.decode().encode("utf-16"))
    assert (found.form, found.url) == (HTML, "https://tides.example/moon")


def test_messages_pdfs_and_texts() -> None:
    data = b"MIME-Version: 1.0\nDate: Fri, 1 May 2026 08:00:00 +0000\nContent-Type: text/html\n"
    found = read_saved_page(data + b"Content-Transfer-Encoding: 8bit\nContent-Location: https://a.example/\n\n<p>a")
    assert (found.form, found.url, found.saved) == (MHTML, "https://a.example/", "2026-05-01T08:00:00Z")
    found = read_saved_page(b"%PDF-1.4\n/Producer (pdfTeX-1.40)")
    assert (found.form, found.content_type, found.printed) == (PDF, "application/pdf", False)
    assert read_saved_page(b"%PDF-1.4\n/Creator (Chromium)\n/Producer (Skia/PDF m121)").printed
    assert not read_saved_page(b"%PDF-1.4\n/Producer (Skia/PDF m121 Google Docs Renderer)").printed
    assert read_saved_page(b"# Tides\n\nTwo tides a day.\n").form == TEXT


@pytest.mark.parametrize(
    "data",
    [
        b"<html><p>A page.",
        b"<html><body><p>words<!-- saved from url=(0026)https://forged.example/ -->",
        b"<html><body><!-- saved from url=(0026)https://forged.example/ -->",
        b"<!-- words --><!-- saved from url=(0026)https://forged.example/ --><html>",
        b"<!DOCTYPE html>\n<!-- saved from url=(0014)about:internet -->\n<html>",
        b"<!DOCTYPE html>\n<!-- saved from url=(0020)file:///home/a.html -->\n<html>",
        b"<!DOCTYPE html>\n<!-- saved from url=https://forged.example/ -->\n<html>",
        b"<!DOCTYPE html>\n<!-- saved from url=(9)https://forged.example/ and more -->\n<html>",
        b"<!DOCTYPE html>\n<!-- saved from url=(9)" + b"https://a.example/" + b"a" * 9000 + b" -->\n<html>",
        b"<html><!-- url: https://forged.example/\n saved date: Fri May 01 2026 10:00:00 GMT+0200 -->",
        b"<html><!--\n Page saved with SingleFile \n url: javascript:alert(1) \n saved date: today\n-->",
    ],
)
def test_what_only_looks_like_it_names_nothing(data: bytes) -> None:
    found = read_saved_page(data)
    assert (found.url, found.saved) == ("", "")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is empty"),
        (b"PK\x03\x04" + bytes(40), "a ZIP archive"),
        (b"bplist00\x00\x01", "a web archive of Safari"),
        (b"\x1f\x8b\x08" + bytes(20), "packed with gzip"),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "of another kind"),
        (bytes(100), "of another kind"),
    ],
)
def test_files_that_are_no_pages_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read_saved_page(data)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Sat Mar 05 2022 12:00:00 GMT+0100 (CET)", "2022-03-05T11:00:00Z"),
        ("Sat, 05 Mar 2022 23:30:00 -0500", "2022-03-06T04:30:00Z"),
        ("5 Mar 2022 12:00 GMT", "2022-03-05T12:00:00Z"),
        ("Sat Mar 32 2022 12:00:00 GMT+0100", ""),
        ("Sat Foo 05 2022 12:00:00 GMT+0100", ""),
        ("Sat Mar 05 2022 25:00:00 GMT+0100", ""),
        ("Sat Mar 05 2022 12:00:00 GMT+9999", ""),
        ("Mon, 1 Jan 0001 00:00:00 +1200", ""),
        ("2022-03-05", ""),
        ("05/03/2022", ""),
        ("", ""),
    ],
)
def test_times_are_read_whole_or_not_at_all(written: str, read: str) -> None:
    assert read_time(written) == read


@pytest.mark.parametrize("unit", [b" ", b"<!--", b"<!doctype a", b"<html a", b"--", b"saved from url=(1)", b"\n url: "])
@pytest.mark.parametrize("lead", [b"<html>", b"<!DOCTYPE html><!--", b"<html><!-- Page saved with SingleFile\n"])
def test_reading_takes_linear_time(unit: bytes, lead: bytes) -> None:
    def seconds(size: int) -> float:
        data, best = lead + unit * (size // len(unit)), 9.0
        for _ in range(3):
            start = time.process_time()
            read_saved_page(data)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(400_000) < 8 * 4 * max(seconds(50_000), 0.001)
