"""The pages of a fleet in a real browser: anyone can use them, at any size, and they keep to themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pincite.fleet.fleet_report import make_report
from pincite.fleet.fleet_report_html import render_html
from pincite.store.shared.web_records import NewSource
from support_browser import NARROW, WIDE, ZOOMED
from support_fleet_store import DAY, MISSING, add_check, add_repository, fill_fleet, make_verdict, open_filled

from .test_every_page import FIND_FOCUS, FIND_OVERFLOW, LIST_STOPS, MOST_STOPS

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer

    OpenBrowser = Callable[..., BrowserVisit]

HOSTILE = "<img src=x onerror=alert(1)>"
PAGES = {
    "overview": "/fleet",
    "narrowed": "/fleet?team=docs&state=problems&q=beta",
    "nothing": "/fleet?q=nothing",
    "new": "/fleet/new?since=30d",
    "teams": "/fleet/teams",
    "sources": "/fleet/sources",
    "found sources": "/fleet/sources?team=docs&host=example.org&q=a",
    "source": "/fleet/s/1",
    "repository": "/fleet/r/1",
    "chosen": "/fleet/r/1?outcome=moved&check=lines-moved",
    "failed": "/fleet/r/4",
    "hostile": "/fleet/r/6",
    "citation": "/fleet/c/1/1",
    "api": "/api",
}
every_page = pytest.mark.parametrize("name", list(PAGES))


def fill(address: str) -> None:
    """A fleet with names that are long and names that are hostile."""
    with open_filled(address) as store:
        fill_fleet(store)
        long = add_repository(store, f"github.com/{'acme' * 40}/{HOSTILE}", location=f"https://{'x' * 300}/y")
        words = f"{HOSTILE} {'word' * 80}"
        path = f"docs/{'folder/' * 30}{HOSTILE}.md"
        add_check(store, long, "1" * 40, [make_verdict(1, document=path)])
        add_check(store, long, "2" * 40, [make_verdict(1, MISSING, path, message=words, written=words)])
        store.verdicts.record_failure(store.teams.get("default"), long, words, "")
        store.sources.add(
            store.teams.get("docs"), [NewSource(f"https://example.org/{'a' * 300}", "words", "r:docs/a.md")]
        )
        store.backend.run("UPDATE web_quote SET state = 'missing', nearest = ?", (words,))
        store.backend.run("UPDATE web_source SET trouble = ?, failures = 1", (words,))
        store.backend.run("INSERT INTO web_event VALUES (1, 1, 1, 'unchecked', 0, ?)", (words,))
        store.backend.run("INSERT INTO web_snapshot VALUES (1, 1, 1, ?, ?)", ("ab" * 32, f"{'folder/' * 40}a.warc.gz"))


@pytest.fixture(scope="module")
def fleet(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """A server that shows it."""
    from support_web import WebServer

    folder = tmp_path_factory.mktemp("fleet")
    fill(f"sqlite://{folder}/fleet.db")
    server = WebServer(folder, "--database", f"sqlite://{folder}/fleet.db", is_fleet=True)
    yield server
    server.stop()


@pytest.fixture
def visit(fleet: WebServer, open_browser: OpenBrowser) -> BrowserVisit:
    """A window of usual size."""
    return open_browser(fleet)


@every_page
def test_axe_finds_nothing_at_any_width_in_either_colour_scheme(visit: BrowserVisit, axe: str, name: str) -> None:
    for width, height in (WIDE, NARROW):
        visit.page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            visit.page.emulate_media(color_scheme=scheme)
            visit.open(PAGES[name])
            assert visit.run_axe(axe) == [], f"{name}, {width} wide, {scheme}"


@every_page
def test_a_page_has_its_landmarks_and_scrolls_sideways_at_no_size(visit: BrowserVisit, name: str) -> None:
    visit.open(PAGES[name])
    marks = ("h1", "main", "body > header", "body > footer")
    assert [(mark, visit.page.locator(mark).count()) for mark in marks] == [(mark, 1) for mark in marks]
    ids = visit.page.evaluate("[...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert [id for id, count in Counter(ids).items() if count > 1] == []
    for width, height in (WIDE, NARROW, ZOOMED):
        visit.page.set_viewport_size({"width": width, "height": height})
        assert visit.page.evaluate(FIND_OVERFLOW) == [], f"{name} at {width} by {height}"


@every_page
def test_the_keyboard_reaches_everything_and_shows_where_it_is(visit: BrowserVisit, name: str) -> None:
    visit.open(PAGES[name])
    stops = visit.page.evaluate(LIST_STOPS)
    reached: set[int] = set()
    for _ in range(MOST_STOPS):
        visit.page.keyboard.press("Tab")
        focus = visit.page.evaluate(FIND_FOCUS)
        if focus["stop"] in reached or len(reached) == len(stops):
            break
        assert focus["shows"] or focus["end"], f"the focus is not seen on {focus['html']}"
        if focus["stop"] >= 0:
            reached.add(focus["stop"])
    assert [html for index, html in enumerate(stops) if index not in reached] == []


def test_from_the_overview_to_the_history_of_a_citation_without_script(
    fleet: WebServer, open_browser: OpenBrowser
) -> None:
    visit = open_browser(fleet, java_script_enabled=False)
    visit.see("citations in 6 repositories")
    page = visit.page
    page.get_by_label("Search names and failures").fill("alpha")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="github.com/acme/alpha").click()
    visit.see("github.com/acme/alpha", "2 problems", "src/gone.py: no such file")
    page.get_by_role("link", name="moved", exact=True).click()
    visit.see("1 problem", "moved to line 9")
    page.get_by_role("link", name="history of docs/1.md:1").click()
    visit.see("History of a citation", "moved", "it stands", "holds", "until")
    visit.go_to("New")
    visit.see("new problems", "pincite check -- docs/2.md docs/1.md")
    visit.go_to("Teams")
    visit.see("2 teams", "docs")


def test_the_report_as_a_file_is_for_everyone_too(browser: Any, axe: str, tmp_path: Path) -> None:
    from time import time

    from support_browser import BrowserVisit, BrowserWatch

    address, now = f"sqlite://{tmp_path}/fleet.db", int(time())
    fill(address)
    with open_filled(address) as store:
        (tmp_path / "report.html").write_text(render_html(make_report(store, now, now - 30 * DAY)), encoding="utf-8")
    context = browser.new_context(java_script_enabled=True)
    try:
        watch = BrowserWatch(context, f"file://{tmp_path}")
        visit = BrowserVisit(context.new_page(), watch)
        for width, height in (WIDE, NARROW):
            visit.page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                visit.page.emulate_media(color_scheme=scheme)
                visit.page.goto(f"file://{tmp_path}/report.html")
                assert visit.run_axe(axe) == [], f"{width} wide, {scheme}"
                assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
        assert watch.problems == []
    finally:
        context.close()
