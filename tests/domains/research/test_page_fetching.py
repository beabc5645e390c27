"""Pages behind addresses: from snapshots, or fetched once and kept; and how their bytes become pages."""

from __future__ import annotations

from collections.abc import Callable
from gzip import compress
from pathlib import Path
from typing import Any

import pytest

from pincite.core.web import FetchFailure
from pincite.domains.research.page_fetching import KnownPage, PageReader, read_page
from pincite.domains.research.page_fetching import obtain as obtain_pages
from pincite.safe.files import Root
from pincite.store.warc import Snapshots


@pytest.fixture
def obtain(bed: Any) -> Callable[..., dict[str, KnownPage]]:
    """What is held of addresses afterwards: (urls, fetcher, refresh)."""

    def work(urls: Any, fetcher: Any = None, refresh: bool = False) -> dict[str, KnownPage]:
        root = Root(str(bed.top))
        return obtain_pages(Snapshots(root, ".research/tides/snapshots"), urls, fetcher, refresh=refresh)

    return work


def test_what_is_held_is_not_fetched(made: Any, bed: Any, obtain: Any) -> None:
    bed.snapshots()
    held = obtain(made.PAGES, made.no_fetcher)
    assert {url: one.snapshots[0].visit.answer.body for url, one in held.items()} == made.PAGES
    assert all(one.trouble is None and one.fetched is None for one in held.values())


def test_what_is_not_held_is_fetched_once_and_kept(made: Any, bed: Any, obtain: Any) -> None:
    bed.snapshots({made.TIDES: made.PAGES[made.TIDES]})
    fetcher = made.Fetching()
    held = obtain([made.TIDES, made.WEIR, made.WEIR], fetcher)
    assert fetcher.asked == [made.WEIR]
    assert held[made.WEIR].fetched == held[made.WEIR].snapshots[0]
    assert obtain([made.WEIR])[made.WEIR].snapshots == held[made.WEIR].snapshots


def test_offline_says_what_is_missing(made: Any, obtain: Any) -> None:
    trouble = obtain([made.TIDES])[made.TIDES].trouble
    assert trouble is not None and trouble.kind == "offline"
    assert made.TIDES in str(trouble) and "--offline" in str(trouble)


def test_trouble_with_one_page_leaves_the_others(made: Any, bed: Any, obtain: Any) -> None:
    fetcher = made.Fetching({made.TIDES: FetchFailure("timeout", "too slow"), made.WEIR: made.PAGES[made.WEIR]})
    held = obtain([made.TIDES, made.WEIR], fetcher)
    assert (held[made.TIDES].snapshots, str(held[made.TIDES].trouble)) == ((), "too slow")
    assert held[made.WEIR].snapshots and held[made.WEIR].trouble is None


def test_another_status_is_asked_for_again(made: Any, bed: Any, obtain: Any) -> None:
    bed.keep(made.visit(made.TIDES, b"", made.THEN, 404))
    held = obtain([made.TIDES], made.Fetching(at=made.NOW))[made.TIDES]
    assert [one.visit.status for one in held.snapshots] == [200, 404]
    assert obtain([made.TIDES], made.no_fetcher)[made.TIDES].snapshots == held.snapshots


def test_a_refresh_asks_for_everything(made: Any, bed: Any, obtain: Any) -> None:
    bed.snapshots()
    held = obtain(made.PAGES, made.Fetching(at=made.NOW), refresh=True)
    assert all([one.visit.retrieved for one in found.snapshots] == [made.NOW, made.THEN] for found in held.values())
    assert all([one.visit.retrieved for one in found.known] == [made.THEN] for found in held.values())


@pytest.mark.parametrize("later", ["2030-01-01T00:00:00Z", "2026-09-01T08:00:01Z"])
def test_what_is_held_now_is_what_a_repetition_sees(made: Any, bed: Any, obtain: Any, later: str) -> None:
    # A clock that went back, and a page that another one leads to.
    old = "https://old.example/moon"
    bed.keep(made.visit(made.TIDES, made.html("On tides", ["Later."]), later, 404))
    fetcher = made.Fetching(
        {
            made.TIDES: made.visit(made.TIDES, made.PAGES[made.TIDES], made.NOW),
            old: made.visit(made.TIDES, made.PAGES[made.TIDES] + b" ", "2026-09-01T08:00:02Z", via=old),
        }
    )
    held = obtain([made.TIDES, old], fetcher)
    again = obtain([made.TIDES, old])
    assert {url: one.snapshots for url, one in held.items()} == {url: one.snapshots for url, one in again.items()}
    assert held[old].fetched is not None and held[old].fetched.visit.final_url == made.TIDES


def test_a_folder_that_cannot_be_written_ends_it(made: Any, bed: Any, obtain: Any, tmp_path: Path) -> None:
    (bed.folder / "snapshots").write_text("no folder")
    with pytest.raises(Exception, match="is no folder") as caught:
        obtain([made.TIDES], made.Fetching())
    assert getattr(caught.value, "exit_code", 0) == 2


def page_of(made: Any, body: bytes, type_: str, **more: str) -> Any:
    headers = (("Content-Type", type_), *((name.replace("_", "-"), value) for name, value in more.items()))
    return read_page(made.visit(made.TIDES, body, headers=headers), 1 << 20)


def test_kinds_of_pages(made: Any, make_pdf: Callable[..., bytes]) -> None:
    html = page_of(made, made.PAGES[made.TIDES], "text/html")
    assert (html.kind, html.title, html.author.value) == ("html", "On tides", "Mira Holt")
    text = page_of(made, b"Plain words.\nMore of them.", "text/plain; charset=utf-8")
    assert (text.kind, text.texts) == ("text", ("Plain words.\nMore of them.",))
    pdf = page_of(made, make_pdf(["One page.", "Another page."], title="A paper on tides"), "application/pdf")
    assert (pdf.kind, len(pdf.texts), pdf.title) == ("pdf", 2, "A paper on tides")


def test_compressed_pages(made: Any) -> None:
    packed = page_of(made, compress(made.PAGES[made.TIDES]), "text/html", Content_Encoding="gzip")
    assert packed.title == "On tides"
    with pytest.raises(FetchFailure) as caught:
        read_page(
            made.visit(made.TIDES, compress(b"<p>" + b"a " * 10**6), headers=(("Content-Encoding", "gzip"),)), 1 << 20
        )
    assert caught.value.kind == "too-large"
    with pytest.raises(FetchFailure) as caught:
        page_of(made, b"no gzip", "text/html", Content_Encoding="gzip")
    assert caught.value.kind == "encoding"


@pytest.mark.parametrize(
    ("body", "type_"),
    [(b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "image/png"), (b"PK\x03\x04" + b"\0" * 40, "application/zip")],
)
def test_what_is_no_page_says_so(made: Any, body: bytes, type_: str) -> None:
    with pytest.raises(FetchFailure) as caught:
        page_of(made, body, type_)
    assert caught.value.kind == "type" and made.TIDES in str(caught.value)


@pytest.mark.parametrize("body", [b"%PDF-1.7\n" + b"rubbish" * 50, b"%PDF-1.4"])
def test_a_broken_pdf_says_so(made: Any, body: bytes) -> None:
    with pytest.raises(FetchFailure) as caught:
        page_of(made, body, "application/pdf")
    assert caught.value.kind == "type" and "PDF" in str(caught.value)


def test_a_locked_pdf_says_so(made: Any, make_pdf: Callable[..., bytes]) -> None:
    with pytest.raises(FetchFailure) as caught:
        page_of(made, make_pdf(["words"], encrypted=True), "application/pdf")
    assert caught.value.kind == "type"


def test_each_content_is_read_once(made: Any, bed: Any, obtain: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bed.snapshots()
    reader = PageReader(1 << 20)
    snapshot = obtain([made.TIDES])[made.TIDES].snapshots[0]
    first = reader.read(snapshot)
    monkeypatch.setattr("pincite.domains.research.page_fetching.read_page", made.no_fetcher)
    assert reader.read(snapshot) is first


def test_the_same_bytes_under_another_type_are_another_page(made: Any, bed: Any) -> None:
    kinds = ("text/plain", "text/html")
    days = (made.THEN, made.NOW)
    for kind, day in zip(kinds, days, strict=True):
        bed.keep(made.visit(made.TIDES, b"<p>Tides &amp; moons", day, headers=(("Content-Type", kind),)))
    reader = PageReader(1 << 20)
    history = Snapshots(Root(str(bed.top)), ".research/tides/snapshots").history(made.TIDES)
    assert [reader.read(one).kind for one in history] == ["text", "html"]


def test_the_server_says_when_a_page_changed_last(made: Any) -> None:
    headers = (("Content-Type", "text/html"), ("Last-Modified", "Sat, 31 Jan 2026 10:00:00 GMT"))
    page = read_page(made.visit(made.TIDES, b"<!doctype html><p>Words.</p>", headers=headers), 1 << 20)
    assert page.published is not None and page.changed_last
    assert (page.published.value, page.published.place) == ("2026-01-31", "Last-Modified (last change)")
