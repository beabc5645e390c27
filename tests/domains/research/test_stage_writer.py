"""What is written loads back as it was, in YAML and in JSON, whatever stands in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.domains.research.model import (
    EXTRACT,
    GROUND,
    SEARCH,
    VALIDATE,
    Details,
    ExtractedCitation,
    GroundedClaim,
    RejectedClaim,
    SearchResult,
    SeenEvidence,
    ValidatedCitation,
)
from pincite.domains.research.stage_file import load, load_bytes
from pincite.domains.research.stage_writer import dump, save
from pincite.domains.research.topic import find_topic, topic_named
from pincite.judge.model import Reason
from pincite.safe.files import Root

# Every character that a file can hold, and those that YAML trips over.
ANY = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from(" \"\\:#'-\n\t\r\u2028\x85\ufeff"), max_size=40
)
WORDS = st.lists(st.sampled_from(["null", "yes", "1.5", "-", "#", "a:", "é", "long-word" * 9, "", "“q”"]), max_size=60)
TEXT = ANY | WORDS.map(" ".join)
MAYBE = st.none() | TEXT.filter(bool)
TYPE = st.sampled_from(["primary", "secondary", "tertiary"])
CHECK = st.sampled_from([True, False, None])
REASONS = st.lists(
    st.builds(Reason, TEXT, TEXT, st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=2).map(tuple)),
    max_size=2,
).map(tuple)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
LEVEL = st.sampled_from(["high", "medium", "low", None])
ITEMS: dict[str, st.SearchStrategy[Any]] = {
    SEARCH: st.builds(SearchResult, st.integers(1, 10**6), TEXT, TEXT, TEXT, TYPE, TEXT),
    EXTRACT: st.builds(ExtractedCitation, TEXT, TEXT, TEXT, TYPE, TEXT, TEXT, LEVEL, MAYBE),
    VALIDATE: st.builds(
        ValidatedCitation,
        *(TEXT, TEXT, TEXT, TYPE, TEXT, TEXT, st.booleans(), st.integers(1, 10)),
        st.builds(Details, CHECK, CHECK, CHECK, MAYBE, MAYBE, CHECK, CHECK),
        MAYBE,
        LEVEL,
        MAYBE,
        st.builds(
            SeenEvidence,
            availability=TEXT,
            status=st.integers(0, 599),
            folded=TEXTS,
            nearest=TEXT,
            edits=TEXTS,
            reasons=st.dictionaries(TEXT.filter(bool), TEXT, max_size=2),
            required=TEXTS,
            attested=TEXT,
        ),
    ),
    GROUND: st.builds(
        GroundedClaim,
        *(st.integers(1, 99), TEXT, st.integers(1, 99), TEXT, TEXT, TYPE, LEVEL, MAYBE, TEXT),
        st.floats(0, 1),
        REASONS,
        TEXT,
    ),
}
REJECTED = st.builds(
    RejectedClaim,
    *(st.integers(1, 99), TEXT, TEXT, st.integers(0, 99), TEXT, TEXT, LEVEL, MAYBE, TEXT),
    st.floats(0, 1),
    REASONS,
)
EXTRA = st.dictionaries(
    TEXT.filter(lambda key: key and key not in ("<<", "rejected_claims")),
    st.none() | st.booleans() | st.integers(0, 9) | TEXT | st.lists(TEXT | st.integers(0, 9), max_size=3),
    max_size=3,
)


@pytest.mark.parametrize("form", ["yaml", "json"])
@pytest.mark.parametrize("stage", ITEMS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_is_written_loads_back(stage: str, form: str, data: st.DataObject) -> None:
    items = data.draw(st.lists(ITEMS[stage], max_size=3))
    rejected = data.draw(st.lists(REJECTED, max_size=2)) if stage == GROUND else []
    extra = data.draw(EXTRA)
    found = load_bytes(dump(stage, items, rejected, extra, form), f"x.{form}", stage)
    assert found.items == tuple(items)
    assert found.rejected == tuple(rejected)
    assert found.extra == extra
    assert found.whole


@settings(max_examples=50, deadline=None)
@given(TEXT)
def test_other_readers_read_the_same(text: str) -> None:
    item = SearchResult(1, text, text, text, "primary", "2026-10-20")
    assert yaml.safe_load(dump(SEARCH, [item]))["results"][0]["title"] == text


def test_layout() -> None:
    quote = "The gauge at Brest has recorded the level of the sea since 1807, " * 3
    claim = GroundedClaim(
        *(1, "It runs.", 2, "https://a.example/", quote.strip(), "high"),
        given_confidence="medium",
        reasons=(Reason("stated", 'the words "since 1807"', ((0, 5), (7, 9))),),
    )
    assert dump(GROUND, [claim], extra={"judge": "offline"}).decode() == (
        'judge: "offline"\n'
        "grounded_claims:\n"
        "  - claim_id: 1\n"
        '    claim: "It runs."\n'
        "    citation_id: 2\n"
        '    citation_url: "https://a.example/"\n'
        '    citation_quote: "The gauge at Brest has recorded the level of the sea since 1807, The gauge at Brest has\n'
        "      recorded the level of the sea since 1807, The gauge at Brest has recorded the level of the sea since\n"
        '      1807,"\n'
        '    confidence: "high"\n'
        '    given_confidence: "medium"\n'
        "    reasons:\n"
        '      - rule: "stated"\n'
        '        text: "the words \\"since 1807\\""\n'
        "        spans: [[0, 5], [7, 9]]\n"
    )


def test_checks_that_are_not_known_are_written_as_null() -> None:
    item = ValidatedCitation(
        *("c", "q", "https://a.example/", "primary", "t", "2026-10-20", False, 4), Details(True), "no author"
    )
    text = dump(VALIDATE, [item]).decode()
    assert text.count(": null\n") == 6
    assert "evidence" not in text and "section" not in text


def test_half_a_pair_becomes_the_replacement_character() -> None:
    data = dump(SEARCH, [SearchResult(1, "a\ud800b", "u", "s", "primary", "d")])
    assert load_bytes(data, "x.yaml", SEARCH).items[0].title == "a\ufffdb"


def test_saving_makes_the_folders_and_keeps_the_form(tmp_path: Path) -> None:
    item = SearchResult(1, "t", "https://a.example/", "s", "primary", "2026-10-20")
    with Root(str(tmp_path)) as root:
        key = save(root, topic_named("tides"), SEARCH, [item])
        assert key == ".research/tides/agent-outputs/search-agent.yaml"
        assert load(root, key, SEARCH).items == (item,)
        (tmp_path / key).unlink()
        (tmp_path / key).with_suffix(".json").write_text("{}")
        key = save(root, find_topic(root, "tides"), SEARCH, [item, item])
        assert key.endswith("search-agent.json")
        assert (tmp_path / key).read_bytes().startswith(b"{\n")
        assert load(root, key, SEARCH).items == (item, item)
        assert [path.name for path in (tmp_path / ".research/tides/agent-outputs").iterdir()] == ["search-agent.json"]


def test_two_files_of_a_stage_are_not_written_over(tmp_path: Path) -> None:
    folder = tmp_path / ".research/tides/agent-outputs"
    folder.mkdir(parents=True)
    for ending in ("yaml", "json"):
        (folder / f"search-agent.{ending}").write_text("{}")
    with Root(str(tmp_path)) as root, pytest.raises(UsageError, match="keep one of them"):
        save(root, find_topic(root, "tides"), SEARCH, [])
    assert {path.read_text() for path in folder.iterdir()} == {"{}"}
