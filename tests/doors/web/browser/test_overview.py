"""The overview in a real browser: a page that stays true keeps the focus and what is folded; work shows its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support_browser import read
from support_overview import BROKEN, commit
from support_web import wait_until

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer

    OpenBrowser = Callable[..., BrowserVisit]

FOCUSED = "document.activeElement.textContent"


@pytest.fixture
def live(browser: Any, repository: Path) -> Iterator[WebServer]:
    """A server of two commits."""
    from support_web import WebServer

    commit(repository)
    (repository / "docs" / "b.md").write_text(BROKEN)
    commit(repository, "Grace")
    server = WebServer(repository)
    wait_until(lambda: json.loads(read(server, "/index.json"))["is_complete"])
    yield server
    server.stop()


def test_a_mark_and_a_comparison_are_one_press_each(live: WebServer, open_browser: OpenBrowser) -> None:
    page = open_browser(live).page
    page.get_by_role("button", name="Mark all as seen").click()
    page.get_by_text("0 new findings since").wait_for()
    page.get_by_label("New since revision").fill("HEAD~1")
    page.get_by_role("button", name="Compare").click()
    page.get_by_text("2 findings that changes since").wait_for()
    page.get_by_role("link", name="Show them").click()
    page.wait_for_url("**new=1**")
    assert page.locator("#listed tbody tr").count() == 2


def test_authors_appear_in_an_open_page_once_they_are_found(live: WebServer, open_browser: OpenBrowser) -> None:
    page = open_browser(live).page
    page.get_by_role("link", name="Show authors").click()
    page.locator("#facet-author").get_by_role("link", name="Grace").click()
    page.wait_for_url("**author=Grace**")
    page.get_by_text("2 citations", exact=True).wait_for()


def test_a_change_keeps_the_focus_and_what_is_folded(
    live: WebServer, open_browser: OpenBrowser, repository: Path
) -> None:
    page = open_browser(live).page
    page.click("#facet-outcome summary")
    page.click("#facet-dialect summary")
    page.locator("#listed").get_by_role("link", name="docs/b.md").focus()
    (repository / "docs" / "c.md").write_text(BROKEN)
    page.get_by_role("link", name="docs/c.md").wait_for()
    assert page.evaluate(FOCUSED) == "docs/b.md"
    folds = {name: page.evaluate(f"document.getElementById('facet-{name}').open") for name in ("outcome", "dialect")}
    assert folds == {"outcome": False, "dialect": True}


def test_a_change_does_not_take_what_is_being_typed(
    live: WebServer, open_browser: OpenBrowser, repository: Path
) -> None:
    page = open_browser(live).page
    page.locator("#q").press_sequentially("half a wo")
    (repository / "docs" / "c.md").write_text(BROKEN)
    wait_until(lambda: "docs/c.md" in read(live, "/index.json"))
    page.locator("#q").press_sequentially("rd")
    assert page.input_value("#q") == "half a word"


def test_without_script_everything_is_a_link_or_a_form(live: WebServer, open_browser: OpenBrowser) -> None:
    page = open_browser(live, java_script_enabled=False).page
    page.locator("#q").fill("other")
    page.get_by_role("button", name="Search").click()
    page.locator("#listed").get_by_role("link", name="file-not-found").click()
    page.get_by_role("link", name="Citations", exact=True).click()
    assert page.locator("#listed tbody tr").count() == 1
    page.get_by_role("link", name="Remove all").click()
    assert page.locator("#listed tbody tr").count() == 5
