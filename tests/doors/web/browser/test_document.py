"""The document page in a real browser: keys, copying, the panel, and a page that stays where it is while it changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support_browser import NARROW, read
from support_web import wait_until

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer

    OpenBrowser = Callable[..., BrowserVisit]

PAGE = "/d/docs/long.md"
SENTENCE = "Sentence {0} rests on 【F:src/gauge.py†L{1}】 and on `src/gauge.py:{1}`.\n\n"
CURRENT = "document.querySelector('[data-item][aria-current]')?.id ?? ''"
TOP_OF_CURRENT = "document.querySelector('[data-item][aria-current]').getBoundingClientRect().top"


@pytest.fixture
def live(browser: Any, tmp_path: Path) -> Iterator[WebServer]:
    """A server of a document with many citations, one of them missing, and of one in two parts."""
    from support_web import WebServer

    for folder in ("src", "docs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "src/gauge.py").write_text("".join(f"x{number} = {number}\n" for number in range(200)))
    text = "".join(SENTENCE.format(number, number + 1) for number in range(60))
    (tmp_path / "docs/long.md").write_text(f"{text}Nothing is here 【F:src/gone.py†L3】.\n", encoding="utf-8")
    parts = "".join(SENTENCE.format(number, number % 200 + 1) for number in range(200))
    (tmp_path / "docs/parts.md").write_text(f"# Parts\n\n{parts}", encoding="utf-8")
    server = WebServer(tmp_path)
    wait_until(lambda: json.loads(read(server, "/index.json"))["is_complete"])
    yield server
    server.stop()


def open_document(visit: BrowserVisit, address: str = PAGE) -> Any:
    visit.open(address)
    assert visit.page.locator("#text a.cited").count() > 0
    return visit.page


def press(page: Any, key: str) -> str:
    """Press a key, and wait until the panel shows what it opened; returns the id of the current mark."""
    page.keyboard.press(key)
    wait_until(lambda: not page.evaluate("document.querySelector('#panel[aria-busy]') !== null"))
    current: str = page.evaluate(CURRENT)
    return current


def test_keys_go_through_the_citations_in_order(live: WebServer, open_browser: OpenBrowser) -> None:
    page = open_document(open_browser(live))
    marks = page.evaluate("[...document.querySelectorAll('#text [data-item]')].map((one) => one.id)")
    assert [press(page, key) for key in "jjk"] == [marks[0], marks[1], marks[0]]
    assert page.evaluate("document.activeElement.id") == marks[0]
    assert page.url.endswith(f"?c={marks[0][2:]}#{marks[0]}")
    assert "x0 = 0" in page.inner_text("#panel")
    assert "src/gauge.py L1: holds" in page.inner_text("#said")
    assert press(page, "J") == marks[-1]
    assert "missing" in page.inner_text("#panel")
    assert press(page, "j") == marks[-1]
    assert press(page, "K") == marks[-1]


@pytest.mark.parametrize("chord", ["Control+j", "Alt+j", "Meta+j", "x", "1"])
def test_other_keys_do_nothing(live: WebServer, open_browser: OpenBrowser, chord: str) -> None:
    page = open_document(open_browser(live))
    before = press(page, "j")
    assert press(page, chord) == before


def test_keys_do_nothing_while_typing_and_below_a_dialog(live: WebServer, open_browser: OpenBrowser) -> None:
    page = open_document(open_browser(live))
    before = press(page, "j")
    page.evaluate("document.body.append(Object.assign(document.createElement('input'), {id: 'field'}))")
    page.focus("#field")
    assert press(page, "j") == before and page.input_value("#field") == "j"
    page.evaluate("document.getElementById('field').remove()")
    page.keyboard.press("?")
    assert page.is_visible("#keys")
    assert press(page, "j") == before
    page.keyboard.press("Escape")
    assert not page.is_visible("#keys")
    page.click("#show-keys")
    assert page.is_visible("#keys")


def test_citations_are_copied_as_they_are_written(live: WebServer, open_browser: OpenBrowser) -> None:
    visit = open_browser(live)
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_document(visit)
    press(page, "j")
    page.keyboard.press("c")
    wait_until(lambda: "copied" in page.inner_text("#said"))
    assert page.evaluate("navigator.clipboard.readText()") == "【F:src/gauge.py†L1】"
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#text p'))")
    page.keyboard.press("Control+c")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == "Sentence 0 rests on 【F:src/gauge.py†L1】 and on src/gauge.py:1."


def test_the_list_opens_a_citation_without_a_new_page(live: WebServer, open_browser: OpenBrowser) -> None:
    page = open_document(open_browser(live))
    page.evaluate("window.isSamePage = true")
    page.click("#citations summary")
    page.click("#citations .list li:first-child a")
    wait_until(lambda: "src/gone.py L3" in page.inner_text("#panel"))
    assert page.evaluate("window.isSamePage") is True
    assert page.evaluate(CURRENT) == page.evaluate("document.activeElement.id")


@pytest.mark.parametrize("size", [(1280, 900), NARROW], ids=["wide", "narrow"])
def test_the_panel_is_in_view_beside_a_mark(live: WebServer, open_browser: OpenBrowser, size: tuple[int, int]) -> None:
    page = open_document(open_browser(live, size))
    for _ in range(30):
        press(page, "j")
    assert 0 <= page.evaluate(TOP_OF_CURRENT) < size[1]
    panel = page.locator("#panel").bounding_box()
    assert panel is not None and 0 <= panel["y"] < size[1]
    mark = page.locator("[data-item][aria-current]").bounding_box()
    assert mark is not None
    assert mark["x"] + mark["width"] <= panel["x"] or mark["y"] + mark["height"] <= panel["y"]


def test_a_change_keeps_the_place_and_the_open_citation(
    live: WebServer, open_browser: OpenBrowser, tmp_path: Path
) -> None:
    page = open_document(open_browser(live))
    page.click("#citations summary")
    for _ in range(40):
        current = press(page, "j")
    before = page.evaluate(TOP_OF_CURRENT)
    path = tmp_path / "docs/long.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"# New\n\nSee 【F:src/nothing.py†L1】.\n\n{'More.' * 20}\n\n{text}", encoding="utf-8")
    wait_until(lambda: "src/nothing.py L1" in page.inner_text("#text") and "2 missing" in page.inner_text("#citations"))
    assert page.evaluate(CURRENT) == current == page.evaluate("document.activeElement.id")
    assert abs(page.evaluate(TOP_OF_CURRENT) - before) < 3
    assert page.evaluate("document.querySelector('#citations > details').open") is True


def test_keys_go_on_in_the_next_part(live: WebServer, open_browser: OpenBrowser) -> None:
    page = open_document(open_browser(live), "/d/docs/parts.md")
    assert page.locator("a[data-after]").count() == 2
    marks = page.evaluate("[...document.querySelectorAll('#text [data-item]')].map((one) => one.id)")
    page.click(f"#{marks[-1]}")
    wait_until(lambda: page.evaluate(CURRENT) == marks[-1])
    page.keyboard.press("j")
    page.get_by_text("Part 2 of 2").first.wait_for()
    page.locator("#text [data-item][aria-current]").wait_for()
    assert page.evaluate(CURRENT) not in marks
    page.keyboard.press("k")
    page.locator(f"#{marks[-1]}[aria-current]").wait_for()


def test_without_script_a_mark_opens_its_page(live: WebServer, open_browser: OpenBrowser) -> None:
    page = open_document(open_browser(live, java_script_enabled=False))
    mark = page.locator("#text a.cited").nth(4)
    id = mark.get_attribute("id")
    mark.click()
    page.wait_for_url(f"**#{id}")
    assert "x2 = 2" in page.inner_text("#panel")
    assert page.locator(f"#{id}").get_attribute("aria-current") == "true"
    page.click("#show-keys")
    assert page.is_visible("#keys")
    page.click("#keys a")
    assert not page.is_visible("#keys")
    page.click("#panel [data-key=o]")
    page.wait_for_url("**/s/src/gauge.py**")
