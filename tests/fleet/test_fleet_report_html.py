"""The report as one HTML file: it needs nothing else, and everything foreign in it is text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from time import time

import pytest

from pincite.fleet.fleet_report import make_report
from pincite.fleet.fleet_report_html import render_html
from support_fleet_store import DAY, MISSING, add_check, add_repository, fill_fleet, make_verdict, open_filled
from support_hostile import PAYLOADS


class TagReader(HTMLParser):
    """Collects elements and their attributes, and what is left open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += ((name, value or "") for name, value in attrs)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag


def render(tmp_path: Path, payload: str = "") -> str:
    now = int(time())
    with open_filled(f"sqlite://{tmp_path}/store/fleet.db") as store:
        fill_fleet(store, now)
        if payload:
            number = add_repository(store, payload, location=payload)
            add_check(store, number, "1", [make_verdict(1, document=payload)], now - 2 * DAY)
            add_check(store, number, "2", [make_verdict(1, MISSING, payload, message=payload)])
            store.verdicts.record_failure(store.teams.get("default"), number, payload, "")
        return render_html(make_report(store, now, now - DAY // 2))


def test_it_is_whole_and_needs_nothing_else(tmp_path: Path) -> None:
    html = render(tmp_path)
    page = TagReader(html)
    assert page.open == []
    assert not {"script", "link", "iframe", "img", "form", "a", "object"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href", "style")]
    assert "url(" not in html and "default-src 'none'" in html and "prefers-color-scheme: dark" in html
    for part in (
        "<h1>Citations of the fleet</h1>",
        "github.com/acme/beta",
        "src/gone.py: no such file",
        '<svg class="plot"',
    ):
        assert part in html, part


@pytest.mark.parametrize("payload", PAYLOADS)
def test_everything_foreign_is_text(payload: str, tmp_path: Path) -> None:
    expected, page = (
        TagReader(render(tmp_path / "plain", "x")),
        TagReader(html := render(tmp_path / "hostile", payload)),
    )
    assert page.open == [] and page.tags == expected.tags
    assert [name for name, _ in page.attributes] == [name for name, _ in expected.attributes]
    assert "\u202e" not in html and "\x1b" not in html


def test_long_lists_are_folded(tmp_path: Path) -> None:
    now = int(time())
    with open_filled(f"sqlite://{tmp_path}/store/fleet.db") as store:
        for number in range(30):
            repository = add_repository(store, f"r{number:02d}")
            store.verdicts.record_failure(store.teams.get("default"), repository, "gone", "")
        html = render_html(make_report(store, now, now - DAY))
    # Thirty failures and thirty that never were checked.
    assert html.count("<summary>10 more</summary>") == 2 and TagReader(html).open == []
