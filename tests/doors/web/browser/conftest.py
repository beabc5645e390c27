"""A real browser and a real server. Without Playwright, Chromium or axe-core each test is skipped by name."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer


# One browser per module, not per session: while Playwright runs, its event loop counts as running in this thread, and
# tests of other folders that start one of their own would fail.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from support_browser import find_chromium

    path = find_chromium()
    with playwright.sync_playwright() as driver:
        # Chromium's own sandbox does not start for root, or in containers.
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def built_playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example repository, for tests that only read it."""
    from support_browser import build_playground

    folder = tmp_path_factory.mktemp("playground") / "gauge"
    build_playground(folder)
    return folder


@pytest.fixture
def playground(built_playground: Path, tmp_path: Path) -> Path:
    """A copy of the example repository, for a test that writes."""
    return Path(shutil.copytree(built_playground, tmp_path / "gauge", symlinks=True))


@pytest.fixture(scope="module")
def used_playground(built_playground: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example repository as the tests of one module see it, after some use."""
    return Path(shutil.copytree(built_playground, tmp_path_factory.mktemp("used") / "gauge", symlinks=True))


@pytest.fixture(scope="module")
def server(browser: Any, used_playground: Path) -> Iterator[WebServer]:
    """A server of the example repository, for tests that only read."""
    from support_web import WebServer

    server = WebServer(used_playground)
    yield server
    server.stop()


@pytest.fixture
def own_server(browser: Any, playground: Path) -> Iterator[WebServer]:
    """A server of a copy of the example repository, whose first check is done, for a test that writes."""
    from support_browser import wait_for_work
    from support_web import WebServer

    server = WebServer(playground)
    wait_for_work(server)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def addresses(server: WebServer, used_playground: Path) -> dict[str, list[str]]:
    """Addresses of every page of the example repository, by the page's name."""
    from support_browser import find_addresses, use_site
    from support_pdf import make_pdf

    paper = make_pdf(["Gauges that count twice\nby A. Author\n2024"], title="Gauges that count twice")
    return find_addresses(server, used_playground, extra=use_site(server, used_playground, paper, "reset"))


@pytest.fixture
def open_browser(browser: Any) -> Iterator[Callable[..., BrowserVisit]]:
    """Opens a window with the session of a server, with options of Playwright's `new_context`.

    The test fails where a page of it fails, breaks the content security policy, or asks another host for anything.
    """
    from support_browser import WIDE, BrowserVisit, BrowserWatch
    from support_web import PATIENCE

    contexts: list[tuple[Any, BrowserWatch]] = []

    def open_one(server: WebServer, size: tuple[int, int] = WIDE, **options: Any) -> BrowserVisit:
        viewport = {"width": size[0], "height": size[1]}
        # Without motion a page is complete when it has loaded.
        context = browser.new_context(viewport=viewport, service_workers="block", reduced_motion="reduce", **options)
        watch = BrowserWatch(context, server.base)
        contexts.append((context, watch))
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.goto(server.address, wait_until="load")
        return BrowserVisit(page, watch)

    yield open_one
    for context, _ in contexts:
        context.close()
    assert [problem for _, watch in contexts for problem in watch.problems] == []


@pytest.fixture
def visit(server: WebServer, open_browser: Callable[..., BrowserVisit]) -> BrowserVisit:
    """A window of usual size."""
    return open_browser(server)


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core's script."""
    from support_browser import read_axe

    return read_axe()
