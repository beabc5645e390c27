"""What confirms the author of a page, and what only looks as if it did."""

from __future__ import annotations

import json

import pytest

from pincite.pages.authors import is_orcid
from pincite.pages.read import read_html

URL = "https://blog.example/post"
META = '<meta name="author" content="Mira Holt">'


def confirmed(head: str, body: str = "") -> str:
    page = read_html(f"<!doctype html><title>T</title>{head}<body><p>Words.</p>{body}".encode(), "utf-8", URL)
    assert page.author is not None and page.author.value == "Mira Holt"
    return page.author_confirmed.place if page.author_confirmed is not None else ""


def linked(*same_as: str) -> str:
    person = {"@type": "Person", "name": "Mira Holt", "sameAs": list(same_as)}
    return f'<script type="application/ld+json">{json.dumps({"@type": "Article", "author": person})}</script>'


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("https://orcid.org/0000-0002-1825-0097", True),
        ("http://www.orcid.org/0000-0002-1694-233X", True),
        ("0000-0002-1694-233x", True),
        ("https://orcid.org/0000-0000-0000-0000", False),
        ("https://orcid.org/0000-0002-1825-0098", False),
        ("https://orcid.org/0000-0002-1825-00971", False),
        ("https://evil.example/orcid.org/0000-0002-1825-0097", False),
        ("nonsense", False),
        ("", False),
    ],
)
def test_an_orcid_that_somebody_can_have(text: str, valid: bool) -> None:
    assert is_orcid(text) is valid


@pytest.mark.parametrize(
    ("head", "body", "place"),
    [
        (linked("https://social.example/@mira"), "", "JSON-LD sameAs"),
        (linked("https://orcid.org/0000-0002-1825-0097"), "", "ORCID"),
        (linked(URL), "", ""),
        (linked(f"http://www.{URL.removeprefix('https://')}/?a=1#top"), "", ""),
        (linked("https://orcid.org/0000-0000-0000-0000"), "", ""),
        (META, '<p>Mira Holt <a href="https://orcid.org/0000-0002-1825-0097">iD</a></p>', "ORCID"),
        (META, '<p>Mira Holt <a href="https://orcid.org/0000-0002-1825-0090">iD</a></p>', ""),
        (META.replace("author", "citation_author") + '<meta name="citation_author_orcid" content="none">', "", ""),
    ],
)
def test_an_identity_confirms_only_from_elsewhere(head: str, body: str, place: str) -> None:
    assert confirmed(head, body) == place
