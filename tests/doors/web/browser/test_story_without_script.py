"""The same ways with scripts switched off: links and forms lead everywhere; and long work that is stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support_browser import wait_for_work
from support_review import DOCUMENT, MOVED, make_review_repository
from support_web import WebServer, wait_until

if TYPE_CHECKING:
    from support_browser import BrowserVisit

    OpenBrowser = Callable[..., BrowserVisit]

PANEL = "#panel"
MANY = 6000
"""Documents whose first check takes long enough to be stopped."""


@pytest.fixture
def root(make_repository: Callable[..., Any]) -> Path:
    return make_review_repository(make_repository("queue"))


@pytest.fixture
def queue_server(browser: Any, root: Path) -> Iterator[WebServer]:
    server = WebServer(root)
    wait_for_work(server)
    yield server
    server.stop()


@pytest.fixture
def large_server(browser: Any, tmp_path: Path) -> Iterator[WebServer]:
    """A server whose first check has just begun."""
    top = tmp_path / "large"
    (top / "docs").mkdir(parents=True)
    (top / "pincite.toml").write_text("")
    (top / "code.py").write_text("x = 1\n" * 50)
    text = "".join(f"Line {number} says it. 【F:code.py†L{number}】\n" for number in range(1, 40))
    for number in range(MANY):
        (top / f"docs/{number:04}.md").write_text(text, encoding="utf-8")
    server = WebServer(top)
    yield server
    server.stop()


def look_until(visit: BrowserVisit, text: str) -> None:
    """Follow the page's own link to a newer state until it shows a text."""

    def is_shown() -> bool:
        again = visit.page.get_by_role("link", name="Look again")
        if text not in visit.page.inner_text("main") and again.count():
            again.click()
        return text in visit.page.inner_text("main")

    wait_until(is_shown)


def test_the_overview_and_the_trend(own_server: WebServer, playground: Path, open_browser: OpenBrowser) -> None:
    visit = open_browser(own_server, java_script_enabled=False)
    page = visit.page
    visit.see("13 citations in 3 documents", "2 missing")
    page.locator("#facet-outcome").get_by_role("link", name="missing").click()
    page.get_by_role("link", name="Citations", exact=True).click()
    page.get_by_label("Search paths, citations and messages").fill("whitelist")
    page.get_by_role("button", name="Search").click()
    visit.see("REF-002, p.3", where="#listed tbody")
    assert page.locator("#listed tbody tr").count() == 1
    visit.go_to("Overview")
    page.get_by_role("button", name="Mark all as seen").click()
    (playground / "docs/zebra.md").write_text("Stripes are counted. 【F:src/stripes.py†L1】\n", encoding="utf-8")

    def is_new() -> bool:
        visit.go_to("Overview")
        return "1 new finding since" in page.inner_text("main")

    wait_until(is_new)
    visit.see("1 new docs/zebra.md", where="#listed tbody tr:first-child")
    visit.go_to("Trend")
    page.get_by_label("Commits, evenly spread").fill("2")
    page.get_by_role("button", name="Check them").click()
    look_until(visit, "done: ")
    page.get_by_role("link", name="Show what came of it").click()
    page.locator("section[aria-labelledby=commits] summary").click()
    assert page.locator("section[aria-labelledby=commits] tbody tr").count() == 2
    visit.go_to("Graph")
    page.get_by_role("link", name="200 %").click()
    visit.see("docs/design.md", "cites", "src/gauge.py", where="table")


def test_a_document_its_evidence_and_its_source(own_server: WebServer, open_browser: OpenBrowser) -> None:
    visit = open_browser(own_server, java_script_enabled=False)
    page = visit.page
    page.locator("#listed").get_by_role("link", name="docs/background.md").click()
    page.locator("#text").get_by_role("link", name="REF-001, p.82").click()
    visit.see("quote-altered", "the number 79% is 97% there", "Page 82, page 2 of the PDF", where=PANEL)
    visit.see("they agreed on 79% of them", "[REF-001, p.82]", where="#text")
    box = page.locator(f"{PANEL} img.page").bounding_box()
    assert box is not None and box["height"] > 100
    visit.go_to("Overview")
    page.locator("#listed").get_by_role("link", name="docs/design.md").click()
    page.locator("#text").get_by_role("link", name="src/gauge.py L3").click()
    visit.see("lines-edited", "What the author saw in", "LIMIT = 100", "LIMIT = 250", where=PANEL)
    page.get_by_role("link", name="Who cites src/gauge.py").click()
    visit.see("3 citations in 1 document", "Cited lines")
    page.locator(".margin").get_by_role("link", name="docs/design.md").first.click()
    visit.see("src/gauge.py L", where=PANEL)


def test_the_review_queue(queue_server: WebServer, root: Path, open_browser: OpenBrowser) -> None:
    visit = open_browser(queue_server, java_script_enabled=False)
    page = visit.page
    visit.go_to("Review")
    page.get_by_label("Outcome").select_option("ambiguous")
    page.get_by_role("button", name="Show these").click()
    page.locator("ol.choices").get_by_role("link", name="src/util.py").click()
    visit.see("What would be written", "+The helper is in src/util.py:2")
    page.get_by_role("button", name="Write this").click()
    visit.see("Nothing of this kind waits.")
    page.get_by_role("link", name="Show everything that waits").click()
    visit.see("1 of 4: src/gauge.py L1")
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="Fix").click()
    page.get_by_role("button", name="Write this").click()
    visit.see("Review: 3 citations to read")
    fixed = DOCUMENT.replace(MOVED, "【F:src/gauge.py†L7-L8】")
    assert (root / "docs/a.md").read_text(encoding="utf-8") == fixed.replace("util.py:2", "src/util.py:2")
    page.get_by_role("link", name="What this server wrote").click()
    page.get_by_role("link", name="Take back: Fix src/gauge.py").click()
    page.get_by_role("button", name="Take back").click()
    visit.see("taken back")
    assert (root / "docs/a.md").read_text(encoding="utf-8") == DOCUMENT.replace("util.py:2", "src/util.py:2")


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_the_first_check_of_a_large_repository_is_stopped_and_goes_on(
    large_server: WebServer, open_browser: OpenBrowser, has_script: bool
) -> None:
    visit = open_browser(large_server, java_script_enabled=has_script)
    page = visit.page
    visit.see("The first check is under way: more may follow.")
    page.get_by_role("link", name="Show its progress").first.click()
    assert page.get_by_role("button", name="Check the documents").count() == 0, "it runs already"
    page.get_by_role("link", name="First check").click()
    page.get_by_role("button", name="Stop").click()
    visit.see("stopped: what was checked until then is shown")
    visit.go_to("Overview")
    visit.see("The first check was stopped: not every document is checked.")
    assert f"in {MANY} documents" not in page.inner_text("h1")
    page.get_by_role("link", name="Go on with it").click()
    page.get_by_role("button", name="Check the documents").click()
    visit.see("First check: running")
