"""Everything that a repository brings is only text: no script of it runs, and nothing is asked of another host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pincite.doors.web.routes import list_pages
from support_browser import GATE, find_addresses, use_site
from support_hostile import EVALUATED, PAYLOADS, build_hostile, find_foreign
from support_pdf import make_pdf
from support_web import WebServer

if TYPE_CHECKING:
    from support_browser import BrowserVisit

MOST = 3 if GATE else 12
"""Addresses that are tried of each page."""
LIST_ELEMENTS = """() => [...document.querySelectorAll('*')].map((element) =>
  [element.localName, Object.fromEntries([...element.attributes].map((one) => [one.name, one.value]))])"""
TOUCH_EVERYTHING = """() => {
  for (const element of document.querySelectorAll('main *')) {
    for (const name of ['mouseover', 'mouseenter', 'focus', 'pointerdown', 'toggle', 'load', 'error', 'animationstart'])
      element.dispatchEvent(new Event(name, {bubbles: true}));
  }
}"""


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which everything is hostile."""
    folder = tmp_path_factory.mktemp("hostile") / "<b class=evil>root"
    build_hostile(folder)
    return folder


@pytest.fixture(scope="module")
def hostile_server(browser: Any, hostile: Path) -> Iterator[WebServer]:
    """A server of it."""
    server = WebServer(hostile)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def hostile_addresses(hostile_server: WebServer, hostile: Path) -> dict[str, list[str]]:
    """The addresses of its pages."""
    paper = make_pdf([f"Another paper\n{PAYLOADS[3]}"], title=PAYLOADS[3])
    extra = use_site(hostile_server, hostile, paper, PAYLOADS[0])
    return find_addresses(hostile_server, hostile, MOST, extra)


@pytest.mark.parametrize("name", [page.name for page in list_pages()])
def test_nothing_of_a_repository_runs(
    hostile_server: WebServer,
    open_browser: Callable[..., BrowserVisit],
    hostile_addresses: dict[str, list[str]],
    name: str,
) -> None:
    visit = open_browser(hostile_server)
    shown = hostile_addresses[name]
    if not shown:
        pytest.skip(f"nothing in the hostile repository leads to the page {name}: nothing there can be fixed")
    for address in shown:
        visit.open(address)
        check_page(visit, address)


def check_page(visit: BrowserVisit, address: str) -> None:
    """A page has only elements of our own, and no handler of it does anything."""
    elements = visit.page.evaluate(LIST_ELEMENTS)
    foreign = [problem for tag, attributes in elements for problem in find_foreign(tag, attributes)]
    assert foreign == [], address
    visit.page.evaluate(TOUCH_EVERYTHING)
    assert visit.page.evaluate("() => window.pwned ?? null") is None, address
    assert EVALUATED not in visit.page.content(), address


@pytest.mark.parametrize("selector", ["main a", "main button", "main summary"])
def test_nothing_that_is_clicked_leaves_the_server(
    hostile_server: WebServer,
    open_browser: Callable[..., BrowserVisit],
    hostile_addresses: dict[str, list[str]],
    selector: str,
) -> None:
    visit = open_browser(hostile_server)
    for address in hostile_addresses["document"][:2]:
        visit.open(address)
        own = visit.page.locator(selector)
        for index in range(min(own.count(), 6)):
            target = own.nth(index)
            href = target.get_attribute("href") or ""
            if target.is_visible() and not href.startswith("http"):
                target.click()
                visit.page.wait_for_load_state("load")
                check_page(visit, visit.page.url)
                visit.open(address)
