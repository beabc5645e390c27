"""A real browser for tests of `pincite serve`: what it is started with, what it must never do, and what it is shown."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from pincite.doors.web.links import ServedLinks
from pincite.doors.web.routes import list_pages
from support_web import PATIENCE, WebServer, open_web, wait_until

TOP = Path(__file__).resolve().parents[1]
NAMES = ("chromium", "chromium-browser", "google-chrome")
AXE = TOP / "build/axe/node_modules/axe-core/axe.min.js"
GATE = bool(os.environ.get("CI"))
"""At the gate the browser looks at fewer addresses of each page: `make test-browser` looks at all."""
WIDE, NARROW, ZOOMED = (1280, 900), (320, 640), (320, 256)
"""Widths of windows: a screen, a telephone, and a screen of 1280 by 1024 at 400 %."""
MOST_OF_A_KIND = 4
"""Addresses that are tried of each page."""


def find_chromium() -> str:
    """The browser of this machine; skips the test where there is none."""
    found = os.environ.get("PINCITE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium is installed: `make browser` installs it, or set PINCITE_CHROMIUM")
    return found


def read_axe() -> str:
    """The script that looks for what keeps people out; skips the test where it is not installed."""
    path = Path(os.environ.get("PINCITE_AXE") or AXE)
    if not path.is_file():
        pytest.skip("axe-core is not installed: `make browser` installs it, or set PINCITE_AXE")
    return path.read_text(encoding="utf-8")


class BrowserWatch:
    """Notes what a page must never do: fail, break its own rules, open a dialog, or ask another host for anything."""

    def __init__(self, context: Any, base: str) -> None:
        self.problems: list[str] = []
        self.base = base
        context.on("console", self._hear)
        context.on("weberror", lambda error: self.problems.append(f"script failed: {error.error}"))
        context.on("request", self._note_request)
        context.on("dialog", self._refuse_dialog)

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console {message.type}: {message.text} {message.location.get('url', '')}")

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith((f"{self.base}/", "data:image/")):
            self.problems.append(f"request to {request.url[:200]}")

    def _refuse_dialog(self, dialog: Any) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()


class BrowserVisit:
    """A window that has the session's cookie."""

    def __init__(self, page: Any, watch: BrowserWatch) -> None:
        self.page = page
        self.watch = watch

    def open(self, address: str) -> None:
        """Show an address of the server; fails for one that is not there."""
        answer = self.page.goto(self.watch.base + address, wait_until="load")
        assert answer is not None and answer.status == 200, f"{address}: {answer.status if answer else 'nothing'}"

    def go_to(self, title: str) -> None:
        """Follow a link of the navigation."""
        self.page.get_by_label("Pages", exact=True).get_by_role("link", name=title, exact=True).click()

    def see(self, *texts: str, where: str = "main") -> None:
        """Wait until a part of the page shows texts, in their order; fails where they do not come."""
        last = ""

        def is_shown() -> bool:
            nonlocal last
            last = shown = " ".join(self.page.inner_text(where).split())
            for text in texts:
                _, found, shown = shown.partition(text)
                if not found:
                    return False
            return True

        try:
            wait_until(is_shown)
        except AssertionError:
            raise AssertionError(f"{self.page.url} does not show {texts}: {last[:3000]}") from None
        # Keys work once the scripts have run.
        self.page.wait_for_load_state("load")

    def press(self, key: str) -> None:
        """Press a key, and wait until the panel of a document shows what it opened."""
        self.page.keyboard.press(key)
        wait_until(lambda: self.page.locator("#panel[aria-busy]").count() == 0)

    def forgive(self, status: int) -> None:
        """The browser noted one answer with this status, and it was wanted."""
        wait_until(lambda: self.page.evaluate("true") and any(f" {status} " in one for one in self.watch.problems))
        wanted = [one for one in self.watch.problems if f" {status} " in one]
        assert len(wanted) == 1, self.watch.problems
        self.watch.problems.remove(wanted[0])

    def run_axe(self, script: str) -> list[str]:
        """What axe-core finds wrong, one line each."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Runtime.evaluate", {"expression": script})
        rules = "{resultTypes: ['violations'], reporter: 'v2'}"
        found = session.send(
            "Runtime.evaluate",
            {
                "expression": f"axe.run(document, {rules}).then(found => found.violations)",
                "awaitPromise": True,
                "returnByValue": True,
            },
        )
        session.detach()
        return [
            f"{rule['id']}: {node['html'][:200]} {'; '.join(one['message'] for one in node['any'])[:300]}"
            for rule in found["result"]["value"]
            for node in rule["nodes"]
        ]


class _LinkReader(HTMLParser):
    """Collects the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        target = dict(attributes).get("href") if tag == "a" else None
        if target is not None:
            self.found.append(target)


def find_addresses(
    server: WebServer, root: Path, most: int = MOST_OF_A_KIND, extra: Sequence[str] = ()
) -> dict[str, list[str]]:
    """Addresses of every page of a server: those that need no field, a citation of each kind, `extra` ones, and what
    these pages link to."""
    wait_for_work(server)
    known: dict[str, dict[str, None]] = {page.name: {} for page in list_pages()}
    waiting = [*_list_starts(root), *extra]
    first = set(waiting)
    seen = set(waiting)
    for address in waiting:
        name = _name_page(address)
        if name is None or (address not in first and len(known[name]) >= most):
            continue
        known[name][address] = None
        fresh = [link for link in _list_links(read(server, address)) if link not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return {name: list(found) for name, found in known.items()}


def read(server: WebServer, address: str) -> str:
    """What a server answers to a program."""
    answer = httpx.get(server.base + address, headers=server.bearer, timeout=PATIENCE)
    assert answer.status_code == 200, f"{address}: {answer.status_code}"
    return answer.text


def wait_for_work(server: WebServer) -> None:
    """Wait until the documents are checked, and everything else that takes long is done."""
    wait_until(lambda: all(work["state"] != "running" for work in json.loads(read(server, "/work.json"))["work"]))


def use_site(server: WebServer, root: Path, paper: bytes, query: str) -> list[str]:
    """Do what leads to further pages: index, search, begin to add a paper, fix a citation. Gives their addresses."""
    links = ServedLinks()
    wait_for_work(server)
    post(server, links.action("build_index"), {"q": query})
    staged = post(server, links.action("stage_paper"), {}, {"pdf": ("other.pdf", paper, "application/pdf")})
    with open_web(root) as web:
        fixable = [row.id for row in web.site.documents.all_rows() if row.fixable]
    for id in fixable[:1]:
        fields = re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)">', read(server, links.page("fix", id=id)))
        post(server, links.action("fix", id=id), dict(fields))
    wait_for_work(server)
    return [links.page("search", q=query), staged]


def post(server: WebServer, address: str, fields: dict[str, str], files: Any = None) -> str:
    """Send a form; gives where it leads to."""
    answer = httpx.post(server.base + address, data=fields, files=files, headers=server.bearer, timeout=PATIENCE)
    assert answer.status_code in (200, 303), answer.text[:2000]
    return str(answer.headers.get("location", address))


def _list_starts(root: Path) -> list[str]:
    links = ServedLinks()
    found = [links.page(page.name) for page in list_pages() if "{" not in page.path]
    kinds: set[tuple[str, str]] = set()
    with open_web(root) as web:
        for row in web.site.documents.all_rows():
            if (row.scheme, row.outcome) not in kinds:
                kinds.add((row.scheme, row.outcome))
                found.append(links.page("citation", id=row.id))
                found.append(links.page("document", document=row.document, c=row.id))
    return list(dict.fromkeys(found))


def _name_page(address: str) -> str | None:
    """The page that an address belongs to; None for a file, JSON or something else."""
    path = urlsplit(address).path
    if path.endswith(".json"):
        return None
    for page in list_pages():
        pattern = re.sub(r"\\\{\w+:path\\\}", "(.+)", re.escape(page.path))
        if re.fullmatch(re.sub(r"\\\{\w+\\\}", "([^/]+)", pattern), path.removesuffix(".html")):
            return page.name
    return None


def _list_links(html: str) -> list[str]:
    reader = _LinkReader()
    reader.feed(html)
    return [link.partition("#")[0] for link in reader.found if link.startswith("/") and not link.startswith("//")]


def build_playground(folder: Path) -> None:
    """The example repository with evidence of every kind: code, a paper, captured output, a research topic."""
    run = [sys.executable, str(TOP / "examples/demo.py"), "--playground", str(folder)]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    _run_pincite(folder, "corpus", "add", "gauges.pdf")
    (folder / "docs/background.md").write_text(BACKGROUND, encoding="utf-8")
    found = _run_pincite(folder, "run", "--cite", "passed", "--", sys.executable, "src/check.py")
    citation = re.search(r"【\w+†[^】]*】", found)
    assert citation is not None, found
    (folder / "docs/status.md").write_text(f"All 432 checks pass. {citation[0]}\n", encoding="utf-8")
    for words in (("validate", "lanternfish", "--offline"), ("ground", "lanternfish"), ("report", "lanternfish")):
        _run_pincite(folder, "research", *words)


BACKGROUND = """\
They "lost the same share of their counts, although the larger ones were reset half as often" [REF-001, p.83].
The judges were two: "they agreed on 79% of them" [REF-001, p.82].
It is cheap: "Keeping the peak costs one number per gauge" [REF-001, p.83].
Peaks drift with age [REF-002, p.3].
"""


def _run_pincite(folder: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "pincite", *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout + done.stderr
