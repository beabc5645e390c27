"""Addresses of pages, and the assets behind them."""

from __future__ import annotations

import pytest

from pincite.core.errors import Missing
from pincite.doors.web.links import ServedLinks, read_asset

LINKS = ServedLinks()


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("docs/a.md", "/d/docs/a.md"),
        ("docs/a b?#%.md", "/d/docs/a%20b%3F%23%25.md"),
        ("data/a.json", "/d/data/a.json.html"),
        ("site/a.html", "/d/site/a.html.html"),
        ("docs/【a】.md", "/d/docs/%E3%80%90a%E3%80%91.md"),
        ("docs/\udcff.md", "/d/docs/%FF.md"),
    ],
)
def test_a_document_has_one_address(document: str, expected: str) -> None:
    assert LINKS.page("document", document=document) == expected


def test_what_is_no_part_of_the_path_becomes_the_query() -> None:
    assert LINKS.page("document", document="a.md", c="1f", page=None) == "/d/a.md?c=1f"
    assert LINKS.json("document", document="a.md") == "/d/a.md.json"
    assert LINKS.json("overview") == "/index.json"


@pytest.mark.parametrize("name", ["", ".", "..", "../app.py", "../templates/base.html", ".hidden", "none.css"])
def test_only_assets_are_served(name: str) -> None:
    with pytest.raises(Missing):
        read_asset(name)
