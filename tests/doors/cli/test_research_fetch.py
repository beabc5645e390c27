"""From addresses to validated citations, with the real fetcher and a server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite.domains.research.model import VALIDATE
from pincite.safe.fetch import Fetcher, FetchPolicy, TestOnly
from pincite.safe.fetch import hosts as fetch_hosts

TESTS = Path(__file__).parents[2]
OLD, GONE, PAPER, SECRET = (
    "https://old.example/moon",
    "https://tides.example/gone",
    "https://weir.example/paper.pdf",
    "https://harbour.example/private/plan",
)


def _loaded(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


made = _loaded("support_research", TESTS / "support_research.py")


@pytest.fixture(scope="module")
def site() -> Iterator[Any]:
    """One server for all names."""
    loopback = _loaded("fetch_loopback", TESTS / "safe" / "fetch" / "loopback.py")
    found = loopback.Site(("tides.example", "harbour.example", "weir.example", "old.example"))
    for url, body in made.PAGES.items():
        found.answers[url.removeprefix("https://")] = loopback.page(body, content_type="text/html; charset=utf-8")
    found.answers["old.example/moon"] = loopback.page(b"", "301 Moved", location=made.TIDES)
    found.answers["tides.example/gone"] = loopback.page(b"nothing here", "404 Not Found")
    rules = b"User-agent: *\nDisallow: /private/\n"
    found.answers["harbour.example/robots.txt"] = loopback.page(rules, content_type="text/plain")
    yield found
    found.close()


def test_fetched_kept_and_repeated_offline(
    site: Any,
    tmp_path: Path,
    in_folder: Callable[..., tuple[int, str, str]],
    make_pdf: Callable[..., bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paper = make_pdf(["A paper", "Eels climb it as well."], title="Eels")
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: {len(paper)}\r\n\r\n"
    site.answers["weir.example/paper.pdf"] = head.encode() + paper
    made.stand_in(monkeypatch)
    monkeypatch.setattr(fetch_hosts, "BACK_OFF", 0.02)

    def new(policy: FetchPolicy) -> Fetcher:
        return Fetcher(policy, test_only=TestOnly(site.hosts, site.ca_pem))

    monkeypatch.setattr("pincite.safe.fetch.fetcher.new_fetcher", new)
    rows = [
        *made.ROWS,
        ("It was here before.", "The moon raises two tides a day.", OLD),
        ("It is gone.", "Nothing is left of it.", GONE),
        ("Eels climb it.", "Eels climb it as well.", PAPER),
        ("It is secret.", "Nobody may read this.", SECRET),
    ]
    bed = made.Bed(tmp_path).given(rows)
    code, out, _ = in_folder("research", "validate", "tides", "--format", "json")
    assert code == 0
    found = json.loads(out)["citations"]
    checks = [(one["validated"], *list(one["validation_details"].values())[:3]) for one in found]
    assert checks[:7] == [(True, True, True, True)] * 7
    assert checks[7:] == [(False, False, None, None), (False, True, True, True), (False, None, None, None)]
    assert (found[6]["evidence"]["final_url"], found[8]["evidence"]["page"]) == (made.TIDES, 2)
    assert "404 Not Found" in found[7]["rejection_reason"] and "robots" in found[9]["rejection_reason"]
    assert "/private/plan" not in site.paths()
    assert len(list((bed.folder / "snapshots").iterdir())) == 6
    first = bed.file(VALIDATE).read_bytes()
    asked = len(site.asked)
    assert in_folder("research", "validate", "tides", "--offline")[0] == 0
    assert len(site.asked) == asked
    # Only what was never fetched, because the site forbids it, is told in other words.
    again = bed.file(VALIDATE).read_bytes()
    begin, end = b"validated_citations:", b"It is secret."
    assert again.partition(begin)[2].partition(end)[0] == first.partition(begin)[2].partition(end)[0]
    bed.given(rows[:-1])
    assert in_folder("research", "validate", "tides")[0] == 0
    online = bed.file(VALIDATE).read_bytes()
    assert in_folder("research", "validate", "tides", "--offline")[0] == 0
    assert bed.file(VALIDATE).read_bytes() == online
    assert in_folder("research", "run", "tides", "--offline")[0] == 0
    assert (bed.folder / "report.md").is_file()
