"""An open page stays true: it shows what became of its citations when files change on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support_browser import wait_for_work
from support_web import PATIENCE, WebServer

if TYPE_CHECKING:
    from support_browser import BrowserVisit

LONG = PATIENCE * 1000
DESIGN = "/d/docs/design.md"


@pytest.fixture
def live(playground: Path, browser: Any) -> Iterator[WebServer]:
    """A server of a repository that the test changes."""
    server = WebServer(playground)
    wait_for_work(server)
    yield server
    server.stop()


def count(outcome: str, number: int) -> str:
    """A condition: how many citations of the page have an outcome."""
    return f"() => document.querySelectorAll('main a.cited.{outcome}').length === {number}"


def test_a_document_shows_the_new_verdict_when_a_source_changes(
    live: WebServer, playground: Path, open_browser: Callable[..., BrowserVisit]
) -> None:
    visit = open_browser(live)
    visit.open(DESIGN)
    visit.page.wait_for_function(count("missing", 1), timeout=LONG)
    (playground / "src/store.py").write_text("row = 1\n" * 20)
    visit.page.wait_for_function(count("missing", 0), timeout=LONG)
    (playground / "src/store.py").unlink()
    visit.page.wait_for_function(count("missing", 1), timeout=LONG)


def test_a_document_shows_what_was_written_into_it(
    live: WebServer, playground: Path, open_browser: Callable[..., BrowserVisit]
) -> None:
    visit = open_browser(live)
    visit.open(DESIGN)
    document = playground / "docs/design.md"
    document.write_text(document.read_text() + "\nOne more. 【F:src/nowhere.py†L1】\n")
    visit.page.wait_for_function(count("missing", 2), timeout=LONG)
    assert "One more." in visit.page.inner_text("main")


def test_the_overview_follows(live: WebServer, playground: Path, open_browser: Callable[..., BrowserVisit]) -> None:
    visit = open_browser(live)
    (playground / "docs/new.md").write_text("It never exceeds 250. 【F:src/gauge.py†L3】\n")
    visit.page.wait_for_function("() => document.body.innerText.includes('docs/new.md')", timeout=LONG)


def test_what_the_user_types_is_left_alone(
    live: WebServer, playground: Path, open_browser: Callable[..., BrowserVisit]
) -> None:
    visit = open_browser(live)
    field = visit.page.locator("main input[type=search], main input[type=text]").first
    field.fill("not sent yet")
    (playground / "docs/new.md").write_text("It never exceeds 250. 【F:src/gauge.py†L3】\n")
    watching = open_browser(live)
    watching.page.wait_for_function("() => document.body.innerText.includes('docs/new.md')", timeout=LONG)
    assert field.input_value() == "not sent yet"


def test_a_server_that_is_gone_leaves_the_page_readable(
    live: WebServer, playground: Path, open_browser: Callable[..., BrowserVisit]
) -> None:
    visit = open_browser(live)
    visit.open(DESIGN)
    shown = visit.page.inner_text("main h1")
    live.stop()
    assert visit.page.inner_text("main h1") == shown
    # The browser itself notes that the stream of events has ended.
    visit.watch.problems = [one for one in visit.watch.problems if "ERR_" not in one]
