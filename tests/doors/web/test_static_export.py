"""The pages as files: whole, linked relatively, the same bytes for the same tree, with names that every disk takes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from msgspec.json import decode

from pincite.doors.web.exported_links import MARKER, ExportedLinks, ExportedPage, ExportTable, escape_name
from pincite.doors.web.routes import list_pages
from pincite.doors.web.site import Site
from pincite.doors.web.static_export import check_site, export_site

LINK = re.compile(r'\s(?:href|src)="([^"]*)"')
ID = re.compile(r'\sid="([^"]*)"')


def ignore(done: int, total: int) -> None:
    pass


def make_site(root: Path) -> Site:
    site = Site(str(root), read_only=True)
    check_site(site, 1, ignore)
    return site


def export(root: Path) -> dict[str, bytes]:
    """The files of an export by their paths."""
    found: dict[str, bytes] = {}

    def add(path: str, data: bytes) -> None:
        assert path not in found
        found[path] = data

    export_site(make_site(root), add, ignore)
    return found


def find_dead_links(files: dict[str, bytes]) -> list[str]:
    """Links that lead to nothing in the export, or out of it."""
    dead = []
    for path, data in files.items():
        if not path.endswith(".html"):
            continue
        for link in LINK.findall(data.decode()):
            address, _, fragment = unescape(link).partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), unquote(address))) if address else path
            if target not in files or (fragment and fragment not in ID.findall(files[target].decode())):
                dead.append(f"{path}: {link}")
    return dead


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pincite", "report", *words], cwd=cwd, capture_output=True, text=True, timeout=120
    )


def test_every_document_and_source_has_its_page_and_json(repository: Path) -> None:
    files = export(repository)
    assert {"index.html", "index.json", "d/docs/a.md.html", "d/docs/a.md.json", "s/src/gauge.py.html"} <= set(files)
    assert decode(files["index.json"])["citations"] == 3
    assert all(f"{path.removesuffix('.html')}.json" in files for path in files if path.endswith(".html"))
    assert find_dead_links(files) == []


def test_the_evidence_of_every_citation_is_on_the_page_of_its_document(repository: Path) -> None:
    site, files = make_site(repository), export(repository)
    page = files["d/docs/a.md.html"].decode()
    for row in site.documents.rows("docs/a.md"):
        assert f'id="evidence-{row.id}"' in page and f'href="a.md.html#evidence-{row.id}"' in page
    assert "LIMIT = 40" in re.sub("<[^>]*>", "", page)
    evidence = decode(files["d/docs/a.md~evidence-1.json"])
    assert [panel["citation"]["outcome"] for panel in evidence["panels"]] == ["holds", "holds", "missing"]


def test_nothing_needs_a_server_a_network_or_a_script(repository: Path) -> None:
    for path, data in export(repository).items():
        if path.endswith(".html"):
            text = data.decode()
            assert "<script" not in text and "<form" not in text and "http:" not in text and 'href="/' not in text
            for page in list_pages():
                if page.title and not page.is_static:
                    assert f">{page.title}<" not in text


def test_pages_that_need_a_server_are_left_out(repository: Path) -> None:
    files = export(repository)
    assert not [path for path in files if path.startswith(("work", "api", "openapi"))]
    assert {page.name for page in list_pages() if not page.is_static} >= {"api", "work", "works"}


def test_the_same_tree_gives_the_same_bytes(repository: Path, tmp_path: Path) -> None:
    for number in range(30):
        (repository / "docs" / f"{number}.md").write_text(f"See 【F:src/gauge.py†L{number}】 and `src/gauge.py:2`.\n")
    first = export(repository)
    for folder in ("one", "two"):
        done = run("--html", str(tmp_path / folder), cwd=repository)
        assert done.returncode == 0, done.stderr
    one, two = (
        {
            str(path.relative_to(tmp_path / folder)): path.read_bytes()
            for path in (tmp_path / folder).rglob("*")
            if path.is_file()
        }
        for folder in ("one", "two")
    )
    assert one == two
    assert {path: one[path] for path in first} == first and set(one) - set(first) == {MARKER}


def test_a_document_with_many_citations_has_its_evidence_on_pages_of_a_hundred(repository: Path) -> None:
    (repository / "docs" / "many.md").write_text("\n".join(f"{n} 【F:src/gauge.py†L{n % 6 + 1}】" for n in range(1050)))
    files = export(repository)
    pages = [path for path in files if path.startswith("d/docs/many.md~evidence") and path.endswith(".html")]
    assert len(pages) == 11 and len(files) < 200
    assert len(files["d/docs/many.md.html"]) < 1_000_000
    assert 'class="panel"' not in files["d/docs/many.md.html"].decode()
    assert find_dead_links(files) == []
    last = decode(files["d/docs/many.md~evidence-11.json"])
    assert (last["number"], last["pages"], len(last["panels"])) == (11, 11, 50)


def test_lists_are_exported_with_all_their_parts(repository: Path) -> None:
    for number in range(250):
        (repository / "docs" / f"n{number}.md").write_text("【F:src/gauge.py†L1】\n")
    files = export(repository)
    assert {"index.html", "index~page-2.html", "index~page-3.html"} <= set(files)
    assert "index~page-1.html" not in files and "index~page-4.html" not in files
    assert find_dead_links(files) == []


HOSTILE = [
    "<img src=x onerror=alert(1)>.md", "a b#c?d%25.md", "CON.md", "nul", "Ünïcode—汉字.md", "A.md", "trailing.", " .md",
    "index.html", "x.json", "x.html", "~7E.md", "javascript:alert(1).md", "--.md", "d" * 230 + ".md", '"quotes\'.md',
    "back\\slash.md", "new\nline.md", "\u202egpj.md", "aux.txt.md", "COM1.x.md",
]  # fmt: skip


def test_hostile_names_become_names_that_every_disk_takes(repository: Path) -> None:
    for name in HOSTILE:
        name = name if name.endswith(".md") else f"{name}.md"
        (repository / "docs" / name).write_text("It is 【F:src/gauge.py†L1】 【F:src/<b>gone</b>.py†L3】.\n")
    (repository / os.fsdecode(b"docs/caf\xe9.md")).write_text("It is 【F:src/gauge.py†L1】.\n")
    (repository / "docs" / "a.html.md").mkdir()
    (repository / "docs" / "a.html.md" / "x.md").write_text("It is 【F:src/gauge.py†L1】.\n")
    files = export(repository)
    assert sum(path.startswith("d/") and path.endswith(".html") for path in files) == len(HOSTILE) + 3
    assert find_dead_links(files) == []
    folders = {os.path.dirname(path).lower() for path in files}
    for path in files:
        assert re.fullmatch(r"[A-Za-z0-9._~/-]+", path) and len(path) <= 200
        for part in path.split("/"):
            assert not re.match(r"(?i)(con|nul|aux|prn|com\d)(\.|$)", part) and not part.endswith(".")
            assert part not in ("", ".", "..") and (not part.startswith(".") or path == ".nojekyll")
    assert len({path.lower() for path in files}) == len(files), "no two names differ in capital letters only"
    assert not {path.lower() for path in files} & folders, "no file is a folder as well"
    everything = b"".join(data for path, data in files.items() if path.endswith(".html"))
    assert b"<img src=x" not in everything and b"<b>gone" not in everything


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("docs/a.md", "docs/a.md"), ("../../etc/passwd", "~2E~2E/~2E~2E/etc/passwd"), ("/etc", "~/etc"),
        (".hidden", "~2Ehidden"), ("a.", "a~2E"), (".", "~2E"), ("", "~"), ("a b", "a~20b"), ("~", "~7E"),
        ("%41", "~2541"), ("a//b", "a/~/b"),
        ("con", "~con"), ("CON.txt", "~CON.txt"), ("console", "console"), ("é", "~C3~A9"), ("\udce9", "~E9"),
        ("a\\..\\b", "a~5C..~5Cb"), ("\0", "~00"), ("a\n", "a~0A"),
    ],
)  # fmt: skip
def test_names_are_escaped(text: str, name: str) -> None:
    assert escape_name(text) == name


def links_of(repository: Path) -> tuple[ExportTable, ExportedLinks]:
    table = ExportTable(make_site(repository))
    return table, ExportedLinks(table, ExportedPage("page", "document", (("document", "docs/a.md"),)))


def test_links_that_would_make_too_many_pages_lead_to_the_page_without_them(repository: Path) -> None:
    table, links = links_of(repository)
    before = len(table)
    assert links.page("source", path="src/gauge.py") == "../../s/src/gauge.py.html"
    assert links.page("source", path="src/gauge.py", line=3, q="x") == "../../s/src/gauge.py.html"
    assert links.page("overview", q="anything", folder="docs") == "../../index.html"
    assert links.page("overview", page=1) == "../../index.html"
    assert links.page("overview", page=2) == "../../index~page-2.html"
    assert links.json("overview", page=2) == "../../index~page-2.json"
    assert len(table) - before == 3


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("works", {}), ("work", {"id": "x"}), ("api", {}), ("nothing", {}), ("document", {}),
        ("document", {"document": ""}),
        ("citation", {"id": "none"}), ("citation", {}), ("overview", {"page": "x"}), ("search", {"q": "x"}),
    ],
)  # fmt: skip
def test_a_link_to_what_is_not_exported_leads_to_the_overview(
    repository: Path, name: str, values: dict[str, Any]
) -> None:
    assert links_of(repository)[1].page(name, **values) == "../../index.html"


def test_a_citation_that_is_gone_leads_to_its_document(repository: Path) -> None:
    assert links_of(repository)[1].page("document", document="docs/a.md", c="none") == "a.md.html"


def test_forms_lead_nowhere(repository: Path) -> None:
    assert links_of(repository)[1].action("stop", id="x") == "#"


def test_a_link_to_what_is_not_there_becomes_a_page_that_says_so(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_site(repository)
    monkeypatch.setattr(type(site.documents.citing), "paths", lambda index: ["src/none.py"])
    files: dict[str, bytes] = {}
    export_site(site, files.__setitem__, ignore)
    assert "no document cites it" in files["s/src/none.py.html"].decode()
    assert decode(files["s/src/none.py.json"])["status"] == 404


def test_fragments_of_templates_give_way_to_the_evidence(repository: Path) -> None:
    from pincite.doors.web.static_export import _SECOND_FRAGMENT

    page = b'<a href="a.html#evidence-0a#c-0a">x</a> #evidence-0a#c <a href="b#c">'
    assert _SECOND_FRAGMENT.sub(rb'\1"', page) == b'<a href="a.html#evidence-0a">x</a> #evidence-0a#c <a href="b#c">'
