"""What is true of every page in a real browser: anyone can use it, at any size, and it keeps to itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from pincite.doors.web.routes import list_pages
from support_browser import GATE, NARROW, WIDE, ZOOMED

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer

    OpenBrowser = Callable[..., BrowserVisit]
    Addresses = dict[str, list[str]]

every_page = pytest.mark.parametrize("name", [page.name for page in list_pages()])
MOST_STOPS = 600
"""Times that the tabulator is pressed before a page counts as one that keeps the focus."""

LIST_STOPS = """() => {
  const found = [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((element) =>
      element.checkVisibility({checkVisibilityCSS: true}) && !element.disabled && element.type !== 'hidden'
      && element.tabIndex >= 0);
  const groups = new Set();
  window.pinciteStops = found.filter((element) => {
    if (element.type !== 'radio') return true;
    // Of a group of radio buttons the tabulator reaches one; the arrow keys the others.
    const first = !groups.has(element.name);
    groups.add(element.name);
    return first;
  });
  return window.pinciteStops.map((element) => element.outerHTML.slice(0, 160));
}"""
FIND_FOCUS = """() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const shows = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  return {stop: window.pinciteStops.findIndex((one) => one === element
      || (one.type === 'radio' && element.type === 'radio' && one.name === element.name)),
    end: element === document.body, shows: shows, html: element.outerHTML.slice(0, 160)};
}"""
FIND_OVERFLOW = """() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  return [...document.body.querySelectorAll('*')].filter((element) =>
    element.getBoundingClientRect().right > wide + 1 && !element.closest('.scroll'))
    .slice(0, 5).map((element) => element.outerHTML.slice(0, 160)).concat('the page scrolls sideways');
}"""
READ_MAIN = """() => {
  const buttons = 'main button, main [role="button"], main [data-size], main [data-zoom-help]';
  for (const element of document.querySelectorAll(buttons)) element.remove();
  return document.querySelector('main').innerText.split('\\n').map((line) => line.trim()).filter(Boolean);
}"""
"""The lines of a page, without the buttons: some do what only a script can do."""


@pytest.fixture
def shown(addresses: Addresses, name: str) -> list[str]:
    """The addresses of a page, one of them at the gate; a page that no link and no list leads to fails the test."""
    assert addresses[name], f"nothing leads to the page {name}"
    return addresses[name][:1] if GATE else addresses[name]


@every_page
def test_axe_finds_nothing_in_either_colour_scheme(visit: BrowserVisit, axe: str, shown: list[str]) -> None:
    for address in shown:
        visit.page.emulate_media(color_scheme="light")
        visit.open(address)
        assert visit.run_axe(axe) == [], address
        visit.page.emulate_media(color_scheme="dark")
        assert visit.run_axe(axe) == [], f"{address} in the dark"


@every_page
def test_a_page_has_its_landmarks_and_scrolls_sideways_at_no_size(visit: BrowserVisit, shown: list[str]) -> None:
    marks = ("h1", "main", "body > header", "body > footer")
    for address in shown:
        visit.open(address)
        assert [(mark, visit.page.locator(mark).count()) for mark in marks] == [(mark, 1) for mark in marks], address
        assert " · pincite" in visit.page.title()
        ids = visit.page.evaluate("[...document.querySelectorAll('[id]')].map((element) => element.id)")
        assert [id for id, count in Counter(ids).items() if count > 1] == [], f"{address}: an id names two elements"
        # A window of 1280 points at 400 % is as wide as a phone, and lower.
        for width, height in (WIDE, NARROW, ZOOMED):
            visit.page.set_viewport_size({"width": width, "height": height})
            assert visit.page.evaluate(FIND_OVERFLOW) == [], f"{address} at {width} by {height}"


@every_page
def test_the_keyboard_reaches_everything_and_shows_where_it_is(visit: BrowserVisit, shown: list[str]) -> None:
    # A page that is fetched again meanwhile has other elements than those that were listed.
    visit.page.add_init_script("delete window.EventSource")
    for address in shown[:2]:
        visit.open(address)
        stops = visit.page.evaluate(LIST_STOPS)
        reached: set[int] = set()
        for _ in range(MOST_STOPS):
            visit.page.keyboard.press("Tab")
            focus: dict[str, Any] = visit.page.evaluate(FIND_FOCUS)
            if focus["stop"] in reached or len(reached) == len(stops):
                break
            # A page may begin with a field that has the focus: then the end of the page comes before its beginning.
            assert focus["shows"] or focus["end"], f"{address}: the focus is not seen on {focus['html']}"
            if focus["stop"] >= 0:
                reached.add(focus["stop"])
        assert [html for index, html in enumerate(stops) if index not in reached] == [], address


@every_page
def test_a_page_says_everything_without_script(server: WebServer, open_browser: OpenBrowser, shown: list[str]) -> None:
    scripted, bare = open_browser(server), open_browser(server, java_script_enabled=False)
    for address in shown:
        scripted.open(address)
        bare.open(address)
        assert bare.page.evaluate(READ_MAIN) == scripted.page.evaluate(READ_MAIN) != [], address
