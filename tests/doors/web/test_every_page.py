"""What is true of every page: it has HTML and JSON, no inline script or style, and names of documents are only text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pincite.doors.web.routes import list_pages
from support_web import open_web

HOSTILE = "<img src=x onerror=alert(1)>'\"&.md"
INLINE = re.compile(r"<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=|javascript:", re.IGNORECASE)


@pytest.mark.parametrize("page", [page for page in list_pages() if "{" not in page.path], ids=lambda page: page.name)
def test_a_page_without_fields_has_html_and_json(page, repository: Path) -> None:
    (repository / "docs" / HOSTILE).write_text("It is 【F:src/gauge.py†L1】 【F:src/<b>gone</b>.py†L3】.\n")
    with open_web(repository) as web:
        html = web.get(web.site and page.path)
        assert html.status_code == 200, html.text
        assert INLINE.search(html.text.replace("&lt;img src=x onerror=alert(1)&gt;", "")) is None
        assert "<img src=x" not in html.text and "<b>gone" not in html.text
        json = web.get(page.json_path or f"{page.path}.json")
        assert json.headers["content-type"] == "application/json" and json.json() is not None
