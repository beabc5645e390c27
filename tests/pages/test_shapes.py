"""What pages say of themselves, on the shapes that publishers use; the shapes and the answers are data."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.pages.model import Page, PageStatement
from pincite.pages.read import read_html


def _shapes() -> dict[str, tuple[dict[str, str], str]]:
    found: dict[str, tuple[dict[str, str], str]] = {}
    text = Path(__file__).with_name("shapes.txt").read_text(encoding="utf-8")
    for part in text.split("=== ")[1:]:
        name, _, rest = part.partition("\n")
        lines = rest.split("\n")
        first = next(at for at, line in enumerate(lines) if line.startswith("<"))
        found[name] = dict(line.split(": ", 1) for line in lines[:first]), "\n".join(lines[first:])
    return found


SHAPES = _shapes()


def _said(value: PageStatement | None) -> str:
    return f"{value.value} ({value.place})" if value is not None else "-"


def _answers(page: Page) -> dict[str, str]:
    return {
        "title": page.title,
        "author": _said(page.author),
        "confirmed": page.author_confirmed.place if page.author_confirmed is not None else "-",
        "published": _said(page.published),
        "site": page.site.value if page.site is not None else "-",
        "references": f"{page.references} {page.references_from}",
        "kind": page.signed_kind,
    }


def test_there_are_enough_shapes() -> None:
    assert len(SHAPES) >= 30


@pytest.mark.parametrize("name", SHAPES)
def test_a_page_of_this_shape_is_read_right(name: str) -> None:
    expected, html = SHAPES[name]
    page = read_html(html.encode(), "utf-8", expected.pop("url"))
    assert {key: _answers(page)[key] for key in expected} == expected
    assert not page.needs_script
