"""The pictures in the documentation: each shows a page that still looks as it is described.

Pixels differ from machine to machine, so headings and landmarks are compared. `make screenshots` takes the pictures.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from pincite.doors.web.links import ServedLinks
from support_browser import TOP, post, wait_for_work
from support_web import WebServer, open_web

if TYPE_CHECKING:
    from support_browser import BrowserVisit

IMAGES = TOP / "docs/assets"
RECORD = IMAGES / "serve.json"
SIZE = (1200, 760)
LINKS = ServedLinks()
DESCRIBE = """() => ({
  headings: [...document.querySelectorAll('h1, h2')].filter((one) => one.checkVisibility())
    .map((one) => `${one.localName} ${one.innerText.trim().replace(/\\s+/g, ' ')}`),
  landmarks: [...document.querySelectorAll(
    'header, nav, main, search, aside, footer, [role=search], section[aria-label]')]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.localName, one.getAttribute('aria-label')].join(' ').trim()),
})"""


class Picture(NamedTuple):
    """A picture, the page that it shows, and of which citation."""

    name: str
    page: str
    fields: dict[str, str]
    cited: str = ""


PICTURES = (
    Picture("serve-overview", "overview", {}),
    Picture("serve-document", "document", {"document": "docs/design.md"}, "【F:src/gauge.py†L3】"),
    Picture("serve-paper", "document", {"document": "docs/background.md"}, "[REF-001, p.82]"),
    Picture("serve-review", "review", {}),
    Picture("serve-fix", "fix", {}, "【F:src/gauge.py†L15-L16】"),
    Picture("serve-source", "source", {"path": "src/gauge.py"}),
    Picture("serve-search", "search", {"q": "what does a reset keep"}),
    Picture("serve-research", "topic", {"topic": "lanternfish"}),
    Picture("serve-corpus", "corpus", {}),
    Picture("serve-answers", "answers", {}),
    Picture("serve-graph", "graph", {}),
)


@pytest.fixture(scope="module")
def shown_server(browser: Any, built_playground: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """A server of the example repository, with an index to search in."""
    folder = Path(shutil.copytree(built_playground, tmp_path_factory.mktemp("shown") / "gauge", symlinks=True))
    server = WebServer(folder)
    wait_for_work(server)
    post(server, LINKS.action("build_index"), {"q": ""})
    wait_for_work(server)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def ids(built_playground: Path) -> dict[str, str]:
    """The ids of citations, by how these are written."""
    with open_web(built_playground) as web:
        return {row.raw: row.id for row in web.site.documents.all_rows()}


def name_address(picture: Picture, ids: dict[str, str]) -> str:
    """The address of what a picture shows."""
    if not picture.cited:
        return LINKS.page(picture.page, **picture.fields)
    field = "c" if picture.page == "document" else "id"
    return LINKS.page(picture.page, **picture.fields, **{field: ids[picture.cited]})


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_shows_the_page_as_it_is(
    shown_server: WebServer, open_browser: Callable[..., BrowserVisit], ids: dict[str, str], picture: Picture
) -> None:
    visit = open_browser(shown_server, SIZE)
    visit.open(name_address(picture, ids))
    found = {"page": picture.page, "size": list(SIZE), **visit.page.evaluate(DESCRIBE)}
    if os.environ.get("PINCITE_SCREENSHOTS"):
        take_picture(visit, picture, found)
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    assert recorded[picture.name] == found, "the page changed: `make screenshots` takes the pictures anew"
    assert list(read_size(IMAGES / f"{picture.name}.png")) == recorded[picture.name]["size"]


def take_picture(visit: BrowserVisit, picture: Picture, found: dict[str, Any]) -> None:
    """Write the picture, and what it shows."""
    visit.page.mouse.move(0, 0)
    visit.page.screenshot(path=IMAGES / f"{picture.name}.png")
    recorded = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    recorded[picture.name] = found
    RECORD.write_text(json.dumps(recorded, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def read_size(path: Path) -> tuple[int, int]:
    """The width and height of a PNG."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height
