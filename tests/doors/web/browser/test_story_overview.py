"""A user's way through the overview: what is there, what is new, what became of it over time, and what cites what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer

    OpenBrowser = Callable[..., BrowserVisit]

ROWS = "#listed tbody tr"


def test_a_user_finds_what_is_new(own_server: WebServer, playground: Path, open_browser: OpenBrowser) -> None:
    visit = open_browser(own_server)
    page = visit.page
    assert own_server.token not in page.url
    visit.see("13 citations in 3 documents", "2 missing", "4 holds", "Nothing is marked as seen yet")
    page.locator("#facet-outcome").get_by_role("link", name="missing").click()
    visit.see("Outcome: missing", where=".chips")
    page.get_by_role("link", name="Citations", exact=True).click()
    visit.see("src/store.py L1-L20", where="#listed")
    assert page.locator(ROWS).count() == 2
    page.get_by_label("Search paths, citations and messages").fill("whitelist")
    page.get_by_role("button", name="Search").click()
    visit.see("Search: whitelist", where=".chips")
    visit.see("REF-002, p.3", "docs/background.md:4", where=ROWS)
    assert page.locator(ROWS).count() == 1
    page.get_by_role("link", name="Remove all").click()
    page.get_by_role("link", name="Documents", exact=True).click()
    visit.see("docs/background.md", "docs/design.md", "docs/status.md", where="#listed table")

    page.get_by_role("button", name="Mark all as seen").click()
    visit.see("0 new findings since")
    (playground / "docs/zebra.md").write_text("Stripes are counted. 【F:src/stripes.py†L1】\n", encoding="utf-8")
    visit.see("1 new finding since")
    visit.see("1 new docs/zebra.md", where=f"{ROWS}:first-child")
    page.get_by_role("link", name="Show them").click()
    visit.see("new src/stripes.py L1", "File not found", where=ROWS)
    assert page.locator(ROWS).count() == 1

    page.get_by_label("New since revision").fill("HEAD~1")
    page.get_by_role("button", name="Compare").click()
    visit.see("that changes since HEAD~1 could have affected")
    page.get_by_label("New since revision").fill("no-such-branch")
    page.get_by_role("button", name="Compare").click()
    visit.see("400", "no-such-branch")
    visit.forgive(400)


def test_a_user_looks_at_the_past(own_server: WebServer, open_browser: OpenBrowser) -> None:
    visit = open_browser(own_server)
    page = visit.page
    visit.go_to("Trend")
    visit.see("Checks of this server", "One point so far", "Older commits", "None was checked yet")
    page.get_by_label("Commits, evenly spread").fill("2")
    page.get_by_role("button", name="Check them").click()
    visit.see("done: ")
    page.get_by_role("link", name="Show what came of it").click()
    visit.see("Older commits", "The figures as a table")
    page.locator("section[aria-labelledby=commits] summary").click()
    figures = page.locator("section[aria-labelledby=commits] tbody tr")
    assert figures.count() == 2
    assert figures.last.inner_text().split()[-1] != "0"
    assert page.locator("section[aria-labelledby=commits] svg.plot").is_visible()


def test_a_user_goes_through_the_graph(own_server: WebServer, open_browser: OpenBrowser) -> None:
    visit = open_browser(own_server)
    page = visit.page
    visit.go_to("Graph")
    page.locator("#graph.zoomable").wait_for()
    name = page.locator("svg.drawing").locator("text", has_text="src/gauge.py")
    start = name.bounding_box()
    page.get_by_role("button", name="Larger").click()
    near = name.bounding_box()
    assert start is not None and near is not None and near["height"] > start["height"]
    page.locator("#graph").focus()
    page.keyboard.press("-")
    far = name.bounding_box()
    assert far is not None and far["height"] < near["height"]
    page.keyboard.press("0")
    visit.see("docs/design.md", "cites", "src/gauge.py", "mismatch", where="table")
    page.locator("table").get_by_role("link", name="src/gauge.py").click()
    visit.see("src/gauge.py", "3 citations in 1 document")
