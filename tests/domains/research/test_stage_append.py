"""Entries are added to stage files as they are written: nothing else in them changes, or nothing is written."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.core.errors import PinciteError, Unreadable
from pincite.domains.research.model import EXTRACT, SEARCH, StageInputError
from pincite.domains.research.stage_append import append_entries
from pincite.domains.research.stage_file import load_bytes

ONE = (
    '{"result_id": 1, "title": "On tides", "url": "https://a.example/", "snippet": "s", "source_type": "primary",'
    ' "accessed_date": "2026-05-01"}'
)
BLOCK = """\
# what was searched for
query: "tides: how many?"
results:   # found by hand
  - result_id: 1   # the first
    title: On tides
    url: https://a.example/
    snippet: |
      several
      lines
    source_type: primary
    accessed_date: "2026-05-01"
    rank: 7  # of another tool

# how it went
notes: [1, 2]
"""


def added(made: Any, text: str, key: str = "search-agent.yaml", number: int = 2) -> str:
    data = append_entries(text.encode(), key, SEARCH, [made.result(number, made.TIDES)])
    loaded = load_bytes(data, key, SEARCH)
    assert loaded.items[-1] == made.result(number, made.TIDES)
    assert len(loaded.items) == number
    return data.decode()


def test_comments_and_fields_of_others_stay(made: Any) -> None:
    new = added(made, BLOCK)
    first, between, last = BLOCK.partition("    rank: 7  # of another tool\n")
    assert new.startswith(first + between) and new.endswith(last)
    assert new[len(first + between) :].startswith("  - result_id: 2\n")


@pytest.mark.parametrize(
    "text",
    [
        BLOCK.replace("\n", "\r\n"),
        "\ufeff" + BLOCK,
        BLOCK.rstrip().rpartition("\n\n")[0],
        BLOCK.replace("\n  -", "\n-").replace("\n    ", "\n  "),
        BLOCK.replace("  - result_id: 1   # the first\n", "  -\n    result_id: 1\n"),
        f"results:\n  - {ONE}\n",
        f"results: [{ONE}]\n",
        f"results: [\n  {ONE}\n]\n",
        f"{{results: [{ONE}], x: 1}}\n",
        f"---\nresults:\n- {ONE}\n",
    ],
)
def test_every_layout_is_continued(made: Any, text: str) -> None:
    new = added(made, text)
    assert new.startswith("\ufeff") is text.startswith("\ufeff")
    assert ("\r\n" in new) is ("\r\n" in text) and ("\n" in new.replace("\r\n", "")) is ("\r\n" not in text)


@pytest.mark.parametrize(
    "text", ["results: []\n", "results: [ ]  # none yet\n", "# c\nresults: []", "{results: []}", ""]
)
def test_the_first_entry(made: Any, text: str) -> None:
    new = added(made, text, number=1)
    assert ("# c" in new) is ("# c" in text) and ("none yet" in new) is ("none yet" in text)


@pytest.mark.parametrize(
    "text",
    [f'{{"results": [{ONE}]}}', f'{{\n  "results": [\n    {ONE}\n  ],\n  "x": [1]\n}}\n', f'{{"results":[{ONE}  ]}}'],
)
def test_json_is_continued(made: Any, text: str) -> None:
    new = added(made, text, "search-agent.json")
    assert ONE in new


@pytest.mark.parametrize("text", ['{"results": []}', '{"results": [\n]}\n'])
def test_the_first_entry_of_json(made: Any, text: str) -> None:
    added(made, text, "search-agent.json", 1)


def test_the_other_name_of_the_list_is_kept(made: Any) -> None:
    first = append_entries(b"citations: []\n", "citation-extractor.yaml", EXTRACT, [made.citation(*made.ROWS[0])])
    new = append_entries(first, "citation-extractor.yaml", EXTRACT, [made.citation(*made.ROWS[1])])
    assert new.startswith(b"citations:\n") and new.count(b"- claim:") == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("results: none\n", "expected a list"),
        ("results:\n", "expected a list"),
        ("found: []\n", "the list 'results' is missing"),
        ("- result_id: 1\n", "expected a map"),
        (f"results: [{ONE.replace('https', 'http')}]", "only https"),
        (f"results: [{ONE.replace('1,', '2,')}]", "1 was expected"),
        ("results: [}\n", "not YAML|expected|did not find"),
        ("results: &a []\n", "anchors"),
        ("results: []\nresults: []\n", "given twice"),
        ("results: []\n---\n", "more than one YAML document"),
    ],
)
def test_nothing_is_added_to_what_breaks_a_rule(made: Any, text: str, why: str) -> None:
    with pytest.raises(PinciteError, match=why):
        append_entries(text.encode(), "search-agent.yaml", SEARCH, [made.result(2, made.TIDES)])


def test_an_entry_that_breaks_a_rule_is_not_added(made: Any) -> None:
    with pytest.raises(StageInputError, match="2 was expected"):
        append_entries(BLOCK.encode(), "search-agent.yaml", SEARCH, [made.result(7, made.TIDES)])
    with pytest.raises(StageInputError, match="words"):
        long = made.citation("A claim.", "word " * 151, made.TIDES)
        append_entries(b"", "citation-extractor.yaml", EXTRACT, [long])


def test_a_layout_that_would_change_its_meaning_is_refused(made: Any) -> None:
    kept = BLOCK.replace("    rank: 7  # of another tool\n", "    rank: |+\n      7\n").replace("\n# how it went", "\n")
    with pytest.raises(Unreadable, match="one entry below the other"):
        append_entries(kept.encode(), "search-agent.yaml", SEARCH, [made.result(2, made.TIDES)])


@pytest.mark.parametrize(
    "text", ['"', "\\", "\t", "a: b", "- x", "# y", "{", "*a", "\u2028", "\u202e", "%", "---", "\x85"]
)
def test_hostile_text_reads_back_as_it_is(made: Any, text: str) -> None:
    from msgspec.structs import replace

    entry = replace(made.citation(*made.ROWS[0]), section=f"x {text} y")
    for key in ("citation-extractor.yaml", "citation-extractor.json"):
        try:
            data = append_entries(b"", key, EXTRACT, [entry])
        except StageInputError as error:
            assert error.problems[0].rule == "control-character"
            continue
        data = append_entries(data, key, EXTRACT, [entry])
        assert load_bytes(data, key, EXTRACT).items == (entry, entry)
