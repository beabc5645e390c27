"""Records of DOIs and arXiv ids: asked for only when a command says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite.domains.corpus.lookup import parse_identifier
from pincite.safe.fetch import Fetcher, FetchPolicy, TestOnly

TESTS = Path(__file__).parents[2]
CROSSREF, DATACITE, ARXIV = "api.crossref.org", "api.datacite.org", "export.arxiv.org"
RECORD = {
    "message": {
        "DOI": "10.1000/tea",
        "title": ["Green tea and sleep"],
        "author": [
            {"given": "Ada", "family": "Lovelace"},
            {"given": "Jan", "family": "Berg", "dropping-particle": "van"},
        ],
        "issued": {"date-parts": [[2021]]},
        "page": "81-97",
    }
}
DATA = {
    "data": {
        "attributes": {
            "doi": "10.5072/data",
            "titles": [{"title": "Leaves"}],
            "creators": [{"name": "Lovelace, Ada", "givenName": "Ada", "familyName": "Lovelace"}],
            "publicationYear": 2020,
        }
    }
}
FEED = (
    b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/1706.03762v5</id>'
    b"<published>2017-06-12T00:00:00Z</published><title>Attention</title><author><name>Ada Lovelace</name></author>"
    b"</entry></feed>"
)
Run = Callable[..., tuple[int, str, str]]


def _loaded(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site() -> Iterator[Any]:
    """One server for the three services."""
    loopback = _loaded("fetch_loopback", TESTS / "safe" / "fetch" / "loopback.py")
    found = loopback.Site((CROSSREF, DATACITE, ARXIV))
    kind = "application/json"
    found.answers[f"{CROSSREF}/works/10.1000/tea"] = loopback.page(json.dumps(RECORD).encode(), content_type=kind)
    for service in (f"{CROSSREF}/works", f"{DATACITE}/dois"):
        found.answers[f"{service}/10.1000/none"] = loopback.page(b"", "404 Not Found")
    found.answers[f"{CROSSREF}/works/10.5072/data"] = loopback.page(b"", "404 Not Found")
    found.answers[f"{CROSSREF}/works/10.1000/busy"] = loopback.page(b"", "403 Forbidden")
    found.answers[f"{DATACITE}/dois/10.5072/data"] = loopback.page(json.dumps(DATA).encode(), content_type=kind)
    found.answers[f"{ARXIV}/api/query?id_list=1706.03762"] = loopback.page(FEED, content_type="application/atom+xml")
    yield found
    found.close()


@pytest.fixture
def online(site: Any, monkeypatch: pytest.MonkeyPatch, in_folder: Run, tmp_path: Path) -> Run:
    """A project whose fetcher reaches the server on loopback and nothing else."""
    (tmp_path / "pincite.toml").write_text("")
    only = TestOnly(site.hosts, site.ca_pem)
    monkeypatch.setattr(
        "pincite.safe.fetch.fetcher.new_fetcher", lambda policy: Fetcher(policy or FetchPolicy(), test_only=only)
    )
    return in_folder


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("10.1000/TEA", "doi", "10.1000/tea"),
        ("https://doi.acm.org/10.1145/12.34", "doi", "10.1145/12.34"),
        ("arXiv:1706.03762v5", "arxiv", "1706.03762v5"),
        ("https://arxiv.org/abs/1706.03762", "arxiv", "1706.03762"),
        ("10.48550/arXiv.1706.03762", "arxiv", "1706.03762"),
        ("math/0405482", "arxiv", "math/0405482"),
        ("paper.pdf", "", ""),
        ("../x", "", ""),
    ],
)
def test_what_is_an_identifier(text: str, kind: str, name: str) -> None:
    assert parse_identifier(text) == (kind, name)


@pytest.mark.parametrize("source", ["10.1000/tea", "arXiv:1706.03762"])
def test_without_lookup_nothing_is_asked_and_the_remedy_is_named(
    source: str, in_folder: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(policy: FetchPolicy) -> Fetcher:
        raise AssertionError("asked the network")

    monkeypatch.setattr("pincite.safe.fetch.fetcher.new_fetcher", refuse)
    (tmp_path / "pincite.toml").write_text("")
    code, _, err = in_folder("corpus", "add", source)
    assert code == 2
    assert "add --lookup" in err and "save its record (https://" in err


def test_a_doi_of_crossref(online: Run) -> None:
    code, out, err = online("corpus", "add", "https://doi.org/10.1000/tea", "--lookup")
    assert (code, err) == (0, "")
    assert "REF-001  Green tea and sleep" in out
    shown = json.loads(online("corpus", "show", "REF-001", "--format", "json")[1])
    assert (shown["authors"], shown["year"], shown["doi"]) == (["Ada Lovelace", "Jan van Berg"], "2021", "10.1000/tea")
    assert shown["unsure"] == []


def test_a_doi_that_datacite_has(online: Run) -> None:
    assert online("corpus", "add", "10.5072/data", "--lookup")[0] == 0
    assert "Leaves" in online("corpus", "list")[1]


def test_an_arxiv_id(online: Run) -> None:
    assert online("corpus", "add", "1706.03762", "--lookup")[0] == 0
    assert "2017" in online("corpus", "list")[1]


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [("10.1000/none", 1, "neither Crossref nor DataCite"), ("10.1000/busy", 2, "status 403")],
)
def test_what_no_agency_knows(online: Run, source: str, code: int, said: str) -> None:
    found, _, err = online("corpus", "add", source, "--lookup")
    assert found == code
    assert said in err


def test_records_in_files(online: Run, tmp_path: Path) -> None:
    (tmp_path / "crossref.json").write_text(json.dumps(RECORD))
    (tmp_path / "datacite.json").write_text(json.dumps(DATA))
    (tmp_path / "arxiv.xml").write_bytes(FEED)
    code, out, _ = online("corpus", "add", "crossref.json", "datacite.json", "arxiv.xml")
    assert code == 0
    assert "3 of 3 papers added." in out
