"""JSON-LD, as it should be and as it is."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.pages.head import read_linked


def names(*blocks: str, url: str = "") -> list[str]:
    return [one.name for one in read_linked(blocks, url).authors("author")]


@pytest.mark.parametrize(
    "author, expected",
    [
        ('"Jane Doe"', ["Jane Doe"]),
        ('{"name": "Jane Doe"}', ["Jane Doe"]),
        ('[{"name": "Jane Doe"}, "John Roe"]', ["Jane Doe", "John Roe"]),
        ('{"name": ["Jane Doe", "J. D."]}', ["Jane Doe"]),
        ('{"name": {"@value": "Jane Doe", "@language": "en"}}', ["Jane Doe"]),
        ('{"givenName": "Jane", "familyName": "Doe"}', ["Jane Doe"]),
        ('"Jane Doe &amp; John Roe"', ["Jane Doe", "John Roe"]),
        ('"https://example.org/jane"', []),
        ('{"@id": "#nobody"}', []),
        ("null", []),
        ("7", []),
        ("[[[[[[]]]]]]", []),
        ('""', []),
    ],
)
def test_authors_in_many_forms(author: str, expected: list[str]) -> None:
    assert names(f'{{"@type": "Article", "author": {author}}}') == expected


def test_an_author_by_reference_and_in_another_block() -> None:
    article = '{"@type": "NewsArticle", "headline": "T", "author": {"@id": "#p"}}'
    assert names(article, '{"@type": "Person", "@id": "#p", "name": "Jane Doe"}') == ["Jane Doe"]


def test_of_several_articles_the_one_at_this_address() -> None:
    one = '{"@type": "Article", "headline": "A", "url": "https://e.org/a", "author": "Jane Doe"}'
    two = '{"@type": "Article", "headline": "B", "url": "https://e.org/b/", "author": "John Roe"}'
    assert names(one, two, url="https://www.e.org/b?x=1") == ["John Roe"]
    assert names(one, two, url="https://e.org/") == []


def test_what_a_page_mentions_is_not_what_it_is() -> None:
    text = '{"@type": "WebPage", "hasPart": {"@type": "Article", "author": "Jane Doe"}}'
    assert names(text) == []
    assert names('{"@type": "ItemList", "author": "Jane Doe"}') == []


@pytest.mark.parametrize(
    "block",
    [
        "",
        "{",
        "[" * 200_000,
        '{"a":' * 100_000,
        '{"@type": "Article", "author": ' + "9" * 100_000 + "}",
        '{"@type": "Article", "author": NaN, "headline": Infinity}',
        '{"@type": ["Article", 1, null, {}], "author": {"name": "\\ud800"}}',
        '{"@type": "Article", "author": "\\u0000\\u0001"}',
        '{"@graph": {"@graph": {"@graph": {"@graph": {"@graph": {"@graph": []}}}}}}',
        '{"@id": [], "@type": {"a": 1}, "author": {"@id": ["x"]}}',
        "\x00",
        "null",
        '"text"',
        "<!-- {} -->",
    ],
)
def test_blocks_that_say_nothing(block: str) -> None:
    linked = read_linked([block])
    assert linked.authors("author") == []
    assert linked.text("headline") == ""


def test_forgiven_mistakes() -> None:
    text = '//<![CDATA[\n{"@type": "Article", "author": "Jane Doe", "headline": "one\ntwo"};\n//]]>'
    assert names(text) == ["Jane Doe"]
    assert read_linked([text]).text("headline") == "one two"
    assert names('{"@type": "Article", "author": "John Roe", "author": "Jane Doe"}') == ["Jane Doe"]


def test_lists_in_lists_take_time_in_proportion(in_proportion: Callable[..., bool]) -> None:
    rows = ",".join([f"[{'1,' * 199}1]"] * 100)

    def read(count: int) -> object:
        return read_linked([f"[{','.join([f'[{rows}]'] * count)}]"])

    assert in_proportion(read, 2, 12, 6)


def test_only_so_much_is_read() -> None:
    article = '{"@type": "Article", "author": "Jane Doe"}'
    assert names(*["{}"] * 100_000, article) == []
    assert names(json.dumps({"pad": "x" * 3_000_000}), article) == []


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from("@type @id @graph author name url mainEntity x".split()), inner, max_size=6)
    ),
    max_leaves=20,
)


@given(_VALUES)
def test_any_json_is_borne(value: object) -> None:
    linked = read_linked([json.dumps(value)], "https://example.org/")
    for one in linked.authors("author"):
        one.name.encode()
    assert isinstance(linked.text("headline", "name"), str)


def test_of_several_articles_the_one_with_the_title_of_the_page() -> None:
    blocks = ['{"@type":"Article","headline":"One","author":"Jane Doe"}', '{"@type":"Article","headline":"Two"}']
    assert read_linked(blocks).main == {}
    assert read_linked(blocks, "", ["One!"]).main["author"] == "Jane Doe"
