"""The graph in a real browser: buttons, keys, the wheel and dragging change what is seen; without script it scrolls."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from support_browser import NARROW, WIDE, read
from support_web import wait_until

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer

    OpenBrowser = Callable[..., BrowserVisit]

SEEN = "(({x, y, width, height}) => [x, y, width, height])(document.querySelector('svg.drawing').viewBox.baseVal)"


def see(page: Any) -> list[float]:
    """What part of the drawing is seen: left, top, width, height."""
    seen: list[float] = page.evaluate(SEEN)
    return seen


def open_graph(visit: BrowserVisit, server: WebServer) -> Any:
    wait_until(lambda: json.loads(read(server, "/index.json"))["is_complete"])
    visit.open("/graph")
    visit.page.locator("#graph.zoomable").wait_for()
    return visit.page


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_buttons_and_keys_change_what_is_seen(
    server: WebServer, open_browser: OpenBrowser, size: tuple[int, int]
) -> None:
    page = open_graph(open_browser(server, size), server)
    start = see(page)
    page.get_by_role("button", name="Larger").click()
    near = see(page)
    assert near[2] < start[2]
    page.get_by_role("button", name="Smaller").click()
    assert see(page)[2] == pytest.approx(start[2], rel=0.01)
    page.locator("#graph").focus()
    page.keyboard.press("+")
    assert see(page)[2] == pytest.approx(near[2], rel=0.01)
    page.keyboard.press("0")
    whole = see(page)
    assert whole[0] <= 0 and whole[1] <= 0
    for key in ("Control+ArrowDown", "x", "j"):
        page.keyboard.press(key)
        assert see(page) == whole


def test_no_key_and_no_button_leaves_the_drawing(server: WebServer, open_browser: OpenBrowser) -> None:
    page = open_graph(open_browser(server), server)
    page.locator("#graph").focus()
    for key in ["+"] * 30 + ["ArrowRight", "ArrowDown"] * 60 + ["-"] * 60 + ["ArrowLeft", "ArrowUp"] * 60:
        page.keyboard.press(key)
        _, _, width, height = see(page)
        assert width > 0 and height > 0
    page.keyboard.press("0")
    assert page.locator("svg.drawing a").first.is_visible()


def test_a_drag_moves_and_follows_no_link(server: WebServer, open_browser: OpenBrowser) -> None:
    page = open_graph(open_browser(server), server)
    for _ in range(4):
        page.get_by_role("button", name="Larger").click()
    before, address = see(page), page.url
    box = page.locator("#graph").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] + 150, steps=4)
    page.mouse.up()
    assert see(page)[0] != before[0] or see(page)[1] != before[1]
    assert page.url == address


def test_the_wheel_scrolls_the_page_until_the_drawing_has_the_focus(
    server: WebServer, open_browser: OpenBrowser
) -> None:
    page = open_graph(open_browser(server), server)
    box = page.locator("#graph").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    before = see(page)
    page.mouse.wheel(0, -100)
    page.wait_for_function(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    )
    assert see(page) == before
    page.locator("#graph").focus()
    page.mouse.wheel(0, -100)
    page.wait_for_function(f"{SEEN}[2] < {before[2]}")


def test_a_node_is_a_link(server: WebServer, open_browser: OpenBrowser) -> None:
    page = open_graph(open_browser(server), server)
    link = page.locator("svg.drawing a").first
    address = link.get_attribute("href")
    link.click()
    page.wait_for_url(f"**{address}")


def test_without_script_links_change_the_size(server: WebServer, open_browser: OpenBrowser) -> None:
    wait_until(lambda: json.loads(read(server, "/index.json"))["is_complete"])
    visit = open_browser(server, java_script_enabled=False)
    visit.open("/graph")
    page = visit.page
    before = page.locator("svg.drawing").bounding_box()
    page.get_by_role("link", name="200 %").click()
    after = page.locator("svg.drawing").bounding_box()
    assert before is not None and after is not None and after["width"] > 1.5 * before["width"]
    assert page.get_by_role("button", name="Larger").count() == 0
