"""A reader's way through documents: a claim, its evidence of every kind, its source, and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer

    OpenBrowser = Callable[..., BrowserVisit]

PANEL = "#panel"
IS_LOADED = "(image) => image.decode().then(() => image.naturalWidth > 0)"
COUNT_MARKED = """(image) => {
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  const drawing = canvas.getContext('2d');
  drawing.drawImage(image, 0, 0);
  const bytes = drawing.getImageData(0, 0, canvas.width, canvas.height).data;
  let marked = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    if (bytes[at] - bytes[at + 2] > 60) marked += 1;
  }
  return marked;
}"""
"""Pixels of a picture that are yellow: what was quoted is marked so on a page of black and white."""


def open_document(visit: BrowserVisit, name: str) -> Any:
    """Open a document from the overview."""
    visit.go_to("Overview")
    visit.page.locator("#listed").get_by_role("link", name=name).click()
    visit.see(name, where="h1")
    return visit.page


def test_a_reader_walks_through_a_document_by_keys(own_server: WebServer, open_browser: OpenBrowser) -> None:
    visit = open_browser(own_server)
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_document(visit, "docs/design.md")
    visit.see("A new gauge starts at zero. src/gauge.py L7-L9", "All tests pass.", where="#text")
    assert page.inner_text("#text").count("【F:") == 1, "what cannot be read is shown as it is written"
    visit.press("j")
    visit.see("src/gauge.py L7-L9", "holds", where=PANEL)
    visit.press("j")
    visit.see("src/gauge.py L3", "mismatch", "lines-edited", "What the author saw in", where=PANEL)
    visit.see("LIMIT = 100", where=f"{PANEL} .changes del, {PANEL} .changes .removed")
    visit.see("LIMIT = 250", where=f"{PANEL} .changes ins, {PANEL} .changes .added")
    visit.press("j")
    visit.see("src/gauge.py L15-L16", "moved", "L16-L17", "Where it stands now", where=PANEL)
    visit.press("k")
    visit.see("src/gauge.py L3", where=PANEL)
    page.keyboard.press("c")
    visit.see("The citation is copied.", where="#said")
    assert page.evaluate("navigator.clipboard.readText()") == "【F:src/gauge.py†L3】"

    page.keyboard.press("?")
    visit.see("next, previous citation", where="#keys")
    visit.press("j")
    page.keyboard.press("Escape")
    assert not page.is_visible("#keys")
    visit.see("src/gauge.py L3", where=PANEL)
    page.keyboard.press("o")
    visit.see("src/gauge.py", where="h1")


def test_keys_type_letters_in_a_field(own_server: WebServer, open_browser: OpenBrowser) -> None:
    visit = open_browser(own_server)
    page = visit.page
    visit.go_to("Review")
    visit.see("Review: 4 citations to read", "1 of 4")
    page.keyboard.press("a")
    visit.see("Accept REF-001, p.82", where="h1")
    address = page.url
    field = page.get_by_label("Why it is still true")
    field.press_sequentially("jkofac?")
    assert field.input_value() == "jkofac?" and page.url == address


def test_a_reader_sees_the_page_of_a_paper_and_what_a_command_printed(
    own_server: WebServer, open_browser: OpenBrowser
) -> None:
    visit = open_browser(own_server)
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_document(visit, "docs/background.md")
    visit.press("j")
    visit.see(
        "REF-001, p.83", "holds", "Resetting Gauges Without Losing Counts", "Page 83, page 3 of the PDF", where=PANEL
    )
    picture = page.locator(f"{PANEL} img.page")
    assert picture.evaluate(IS_LOADED) is True
    assert picture.evaluate(COUNT_MARKED) > 500
    page.locator(PANEL).get_by_text("The text of the page").click()
    visit.see("lost the same share of their counts", where=f"{PANEL} .text mark")
    visit.press("J")
    visit.see("REF-001, p.82", "quote-altered", "the number 79% is 97% there", where=PANEL)
    page.locator(PANEL).get_by_text("The text of the page").click()
    visit.see("they agreed on 97% of them", where=f"{PANEL} .text mark")
    visit.press("J")
    visit.press("J")
    visit.see("REF-002, p.3", "missing", "not-in-corpus", where=PANEL)

    page = open_document(visit, "docs/status.md")
    visit.press("j")
    visit.see("holds", "src/check.py", "432", where=PANEL)
    raw = page.locator(f"{PANEL} [data-copied]").inner_text()
    page.keyboard.press("c")
    visit.see("The citation is copied.", where="#said")
    assert page.evaluate("navigator.clipboard.readText()") == raw
    assert raw.startswith("【") and "†" in raw


def test_a_reader_goes_from_a_document_to_its_source_and_back(
    own_server: WebServer, playground: Path, open_browser: OpenBrowser
) -> None:
    visit = open_browser(own_server)
    page = open_document(visit, "docs/design.md")
    page.locator("#text").get_by_role("link", name="src/gauge.py L7-L9").click()
    visit.see("Who cites src/gauge.py", where=PANEL)
    page.get_by_role("link", name="Who cites src/gauge.py").click()
    visit.see("src/gauge.py", "3 citations in 1 document", "1 mismatch", "1 moved", "1 holds", "Cited lines")
    margin = page.locator(".lines-block", has=page.locator("#L7")).locator(".margin")
    assert "L7–L9" in margin.inner_text() and "holds" in margin.inner_text()
    for line in (playground / "src/gauge.py").read_text(encoding="utf-8").splitlines()[6:9]:
        assert line.strip() in page.inner_text(".source")
    margin.get_by_role("link", name="docs/design.md").filter(visible=True).first.click()
    visit.see("docs/design.md", where="h1")
    visit.see("src/gauge.py L", where=PANEL)
    assert page.locator("#text [data-item][aria-current]").count() == 1
    visit.go_to("Sources")
    page.get_by_label("Outcome").select_option("missing")
    visit.see("1 file of 4", "src/store.py", where="#sources")
