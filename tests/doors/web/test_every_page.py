"""What is true of every page: it has HTML and JSON, no inline script or style, and names of documents are only text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from pincite.doors.web.routes import list_pages
from support_web import open_web

HOSTILE = "<img src=x onerror=alert(1)>'\"&.md"


class InlineFinder(HTMLParser):
    """Collects what the policy of our pages forbids: scripts and styles that stand in the page itself."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        self.found += [name for name in names if name.startswith("on") or name == "style"]
        self.found += [value for value in names.values() if (value or "").strip().lower().startswith("javascript:")]
        self.found += [tag] * (tag == "style" or (tag == "script" and "src" not in names))


@pytest.mark.parametrize("page", [page for page in list_pages() if "{" not in page.path], ids=lambda page: page.name)
def test_a_page_without_fields_has_html_and_json(page, repository: Path) -> None:
    (repository / "docs" / HOSTILE).write_text("It is 【F:src/gauge.py†L1】 【F:src/<b>gone</b>.py†L3】.\n")
    with open_web(repository) as web:
        html = web.get(web.site and page.path)
        assert html.status_code == 200, html.text
        assert InlineFinder(html.text).found == []
        assert "<img src=x" not in html.text and "<b>gone" not in html.text
        json = web.get(page.json_path or f"{page.path}.json")
        assert json.headers["content-type"] == "application/json" and json.json() is not None


@pytest.mark.parametrize(
    "html",
    ["<p onclick=x>", "<p style='color:red'>", "<script>x</script>", "<a href=' javascript:x'>", "<style>x</style>"],
)
def test_what_stands_inline_is_noticed(html: str) -> None:
    assert InlineFinder(html).found
