"""Which kind of source a host is, and files that say so."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.domains.research.source_kinds import SourceKinds, load_table
from pincite.pages import domains
from pincite.pages.domains import clean_host, host_of

CASES = [
    tuple(part.strip() for part in line.split("|"))
    for line in (Path(__file__).parent / "hosts.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
TABLE = load_table()


def test_there_are_many_cases() -> None:
    assert len(CASES) >= 150


@pytest.mark.parametrize(("url", "kind", "how", "rule"), CASES)
def test_the_most_specific_rule_wins(url: str, kind: str, how: str, rule: str) -> None:
    found = TABLE.find(url)
    assert (found.kind, found.how or "-", found.rule) == (kind, how, rule)


def test_kinds_have_the_scores_and_types_of_the_ruling() -> None:
    scores = {name: (kind.score, kind.source_type) for name, kind in TABLE.kinds.items()}
    assert scores == {
        "government": (10, "primary"),
        "education": (10, "primary"),
        "standards": (9, "primary"),
        "documentation": (9, "primary"),
        "news-1": (8, "secondary"),
        "journal": (8, "secondary"),
        "analyst": (7, "secondary"),
        "expert": (7, "secondary"),
        "news-2": (6, "tertiary"),
        "encyclopedia": (5, "tertiary"),
        "forum": (3, "tertiary"),
        "user-generated": (1, "tertiary"),
        "blog-host": (None, "tertiary"),
        "unknown": (None, "tertiary"),
    }


@pytest.mark.parametrize(
    ("url", "organisation"),
    [
        ("https://docs.python.org/", "Python Software Foundation"),
        ("https://www.w3.org/", "World Wide Web Consortium"),
        ("https://science.nasa.gov/", "nasa.gov"),
        ("https://www.cs.kent.ac.uk/", "kent.ac.uk"),
        ("https://gov.uk/", "gov.uk"),
        ("https://www.nytimes.com/", ""),
        ("https://en.wikipedia.org/", ""),
        ("https://example.com/", ""),
    ],
)
def test_an_organisation_stands_behind_primary_sources_only(url: str, organisation: str) -> None:
    assert TABLE.find(url).organisation == organisation


@pytest.mark.parametrize(
    ("host", "registered"),
    [
        ("www.example.co.uk", "example.co.uk"),
        ("a.b.github.io", "b.github.io"),
        ("city.kawasaki.jp", "city.kawasaki.jp"),
        ("a.foo.bar.ck", "foo.bar.ck"),
        ("a.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("www.a.unknown", "a.unknown"),
        ("co.uk", ""),
    ],
)
def test_the_registered_part_of_a_host(host: str, registered: str) -> None:
    assert domains.registered_domain(host) == registered


def test_a_suffix_of_a_company_is_none_of_a_registry() -> None:
    assert domains.is_registry("ac.uk") and domains.is_registry("any.ck")
    assert not any(map(domains.is_registry, ("github.io", "www.ck", "example.uk", "a.unknown")))


@given(st.text(max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_text_is_an_address_of_some_kind(text: str) -> None:
    for url in (text, f"https://{text}", f"https://{text}.gov.uk/", f"https://nasa.gov@{text}/"):
        host = host_of(url)
        assert host == clean_host(host) and host == host.lower()
        found = TABLE.find(url)
        assert found.kind in TABLE.kinds
        assert host or found.kind == "unknown"


def test_a_missing_list_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "publicsuffixlist", None)
    domains.suffix_list.cache_clear()
    try:
        with pytest.raises(UsageError, match=r"pip install --force-reinstall publicsuffixlist"):
            TABLE.find("https://example.com/")
    finally:
        domains.suffix_list.cache_clear()


OWN = b"""---
kinds:
  partner: {score: 8, type: secondary, called: partner}
  encyclopedia: {score: 4}
hosts:
  partner:
    - Partner.example.com
  documentation:
    docs.example.org: Example Inc
    other.example.org: {organisation: Other Inc, score: 7, type: secondary}
  user-generated: [bbc.co.uk]
suffixes:
  news-2: [press]
"""


def own(data: bytes = OWN) -> SourceKinds:
    return load_table(data, "sources.yaml")


@pytest.mark.parametrize(
    ("url", "kind", "base", "source_type"),
    [
        ("https://partner.example.com/", "partner", 8, "secondary"),
        ("https://a.partner.example.com/", "partner", 8, "secondary"),
        ("https://example.com/", "unknown", None, "tertiary"),
        ("https://docs.example.org/", "documentation", 9, "primary"),
        ("https://other.example.org/", "documentation", 7, "secondary"),
        ("https://news.bbc.co.uk/", "user-generated", 1, "tertiary"),
        ("https://www.bbc.com/", "news-1", 8, "secondary"),
        ("https://daily.press/", "news-2", 6, "tertiary"),
        ("https://en.wikipedia.org/", "encyclopedia", 4, "tertiary"),
        ("https://nasa.gov/", "government", 10, "primary"),
    ],
)
def test_the_users_file_goes_first(url: str, kind: str, base: int | None, source_type: str) -> None:
    found = own().find(url)
    assert (found.kind, found.base, found.source_type) == (kind, base, source_type)


def test_the_users_file_may_replace_the_table() -> None:
    table = own(b"replace: true\nhosts:\n  expert: [example.com]\n")
    assert table.find("https://example.com/").base == 7
    assert table.find("https://nasa.gov/").kind == "unknown"
    assert table.find("https://docs.python.org/").kind == "unknown"


def test_an_empty_file_changes_nothing() -> None:
    assert own(b"").find("https://nasa.gov/") == TABLE.find("https://nasa.gov/")


def test_pages_can_be_rated_otherwise() -> None:
    found = own(b"pages: {signed: 3, unseen: 2}\n").find("https://example.com/")
    assert (found.pages.signed, found.pages.unseen, found.pages.signed_technical) == (3, 2, 5)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("hosts:\n  news-3: [a.com]\n", 2, "unknown kind 'news-3'"),
        ("hosts:\n  expert: [a.com, a.com]\n", 2, "'a.com' is given twice"),
        ("hosts:\n  expert: [a.com]\n  forum:\n    - www.A.com\n", 4, "'a.com' is given twice"),
        ("hosts:\n  expert:\n    - https://a.com/\n", 3, "is an address"),
        ("hosts:\n  expert: ['*.a.com']\n", 2, "has a star"),
        ("hosts:\n  expert: [com]\n", 2, "is no host"),
        ("hosts:\n  expert: ['a b.com']\n", 2, "is no host"),
        ("hosts:\n  expert: [192.0.2.1]\n", 2, "is no host"),
        ("hosts:\n  expert: a.com\n", 2, "is no list of names"),
        ("hosts: [a.com]\n", 1, "'hosts' is no map"),
        ("hosts:\n  expert:\n    a.com: {score: 11}\n", 3, "no whole number from 1 to 10"),
        ("hosts:\n  expert:\n    a.com: {score: true}\n", 3, "no whole number from 1 to 10"),
        ("hosts:\n  expert:\n    a.com: {weight: 3}\n", 3, "unknown key 'weight'"),
        ("hosts:\n  expert:\n    a.com: {type: best}\n", 3, "unknown type"),
        ("kinds:\n  partner: {score: 8}\n", 2, "no score or no type"),
        ("kinds:\n  partner: 8\n", 2, "is no map"),
        ("kinds:\n  expert: {score: 7.5}\n", 2, "no whole number from 1 to 10"),
        ("pages: {signed: page}\n", 1, "no whole number from 1 to 10"),
        ("pages: {best: 3}\n", 1, "unknown key 'best'"),
        ("replace: 'yes'\n", 1, "neither true nor false"),
        ("suffixes:\n  news-2: {press: x}\n", 2, "has a value"),
        ("suffixes:\n  news-2: ['a..b']\n", 2, "cannot be part of a name"),
        ("second-level:\n  education: [ac.uk]\n", 2, "cannot be part of a name"),
        ("labels:\n  forum: [talk, talk]\n", 2, "'talk' is given twice"),
        ("host:\n  expert: [a.com]\n", 1, "unknown key 'host'"),
        ("- a\n", 1, "the file is no map"),
        ("hosts: &a\n", 1, "anchors"),
        ("hosts:\n  expert: [\n", 3, ""),
        ("---\nhosts:\n  no: [a.com]\n", 3, "unknown kind"),
    ],
)
def test_what_cannot_be_obeyed_names_file_and_line(text: str, line: int, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        own(text.encode())
    message = str(caught.value)
    assert message.startswith(f"sources.yaml:{line}: ") and problem in message and "; " in message


@pytest.mark.parametrize("data", [b"\xff\xfeh", b"\x80", b"hosts: \x00", b"- " * 50_000, b"[" * 5000, b"#" * 2_000_000])
def test_hostile_files_are_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match=r"sources\.yaml"):
        own(data)


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_a_table_or_refused(data: bytes) -> None:
    try:
        table = own(data)
    except UsageError as error:
        assert "sources.yaml" in str(error)
    else:
        assert table.find("https://example.com/").kind in table.kinds
