"""What a page offers to programs, and the pages without a server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from support_browser import BrowserVisit
    from support_web import WebServer

    OpenBrowser = Callable[..., BrowserVisit]

FETCH = """async ([address, tag]) => {
  const answer = await fetch(address, {cache: 'no-store', headers: tag ? {'If-None-Match': tag} : {}});
  const text = await answer.text();
  return {status: answer.status, tag: answer.headers.get('etag'), kind: answer.headers.get('content-type'), text};
}"""


def test_a_page_gives_its_record_to_a_script(own_server: WebServer, open_browser: OpenBrowser) -> None:
    visit = open_browser(own_server)
    page = visit.page
    page.locator("#listed").get_by_role("link", name="docs/design.md").click()
    visit.see("docs/design.md", where="h1")
    shown = page.locator("#citations ol.list li").count()
    record = page.evaluate("fetch(`${location.pathname}.json`).then((answer) => answer.json())")
    assert record["document"] == "docs/design.md" and len(record["citations"]) == shown == 8
    first = page.evaluate(FETCH, ["/index.json", ""])
    assert first["status"] == 200 and first["kind"] == "application/json" and first["tag"]
    again = page.evaluate(FETCH, ["/index.json", first["tag"]])
    assert again["status"] == 304 and again["text"] == ""
    visit.go_to("API")
    address = page.get_by_role("link", name="The same as OpenAPI 3.1").get_attribute("href")
    described = json.loads(page.evaluate(FETCH, [address, ""])["text"])
    assert address == "/openapi.json"
    assert described["openapi"].startswith("3.1") and "/d/{document}.json" in described["paths"]


@pytest.fixture
def exported(built_playground: Path, tmp_path: Path) -> Path:
    """The pages of the example repository as files."""
    words = ["report", "--html", str(tmp_path / "pages")]
    subprocess.run(
        [sys.executable, "-m", "pincite", *words], cwd=built_playground, check=True, stdout=subprocess.DEVNULL
    )
    return tmp_path / "pages"


@pytest.fixture
def file_visit(browser: Any, exported: Path) -> Iterator[BrowserVisit]:
    """A window without scripts; the test fails where it asks for anything but a file of the report."""
    from support_browser import BrowserVisit, BrowserWatch
    from support_web import PATIENCE

    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(PATIENCE * 1000)
    watch = BrowserWatch(context, f"file://{exported}")
    context.on("requestfailed", lambda request: watch.problems.append(f"no file {request.url}"))
    yield BrowserVisit(context.new_page(), watch)
    context.close()
    assert watch.problems == []


def test_a_report_is_read_from_files_without_scripts(exported: Path, file_visit: BrowserVisit) -> None:
    visit, file_page = file_visit, file_visit.page
    file_page.goto(f"file://{exported}/index.html")
    visit.see("13 citations in 3 documents", "docs/background.md")
    assert file_page.locator("form, button, script").count() == 0
    file_page.get_by_role("link", name="docs/design.md").click()
    visit.see("docs/design.md", where="h1")
    file_page.locator("#text").get_by_role("link", name="src/gauge.py L3").click()
    visit.see("lines-edited", "LIMIT = 100", "LIMIT = 250")
    file_page.get_by_role("link", name="Who cites src/gauge.py").filter(visible=True).first.click()
    visit.see("3 citations in 1 document", "Cited lines")
    file_page.locator(".margin").get_by_role("link", name="docs/design.md").first.click()
    visit.see("docs/design.md", "A new gauge starts at zero.")
    visit.go_to("Sources")
    visit.see("4 cited files", "src/report.py")
    visit.go_to("Overview")
    file_page.get_by_role("link", name="docs/background.md").click()
    file_page.locator("#text").get_by_role("link", name="REF-001, p.82").click()
    visit.see("quote-altered", "they agreed on 97% of them")
    assert file_page.locator("img.page:visible").first.evaluate("(image) => image.naturalWidth") > 0
