"""Which sentences of a document could bear a citation, and where it would be put."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.model import Span
from pincite.search.claims.terms import terms_of
from pincite.text.document import Document
from pincite.write.suggest.contradictions import states_fact
from pincite.write.suggest.document_sentences import find_units


def said(text: str, path: str = "a.md") -> list[str]:
    return [unit.text for unit in find_units(Document(path, text), [])]


def test_sentences_of_paragraphs_and_items() -> None:
    text = "# Title of it all\n\nThe first one says this. The second says\nthat too.\n\n- An item says more\n- Short\n"
    assert said(text) == ["The first one says this.", "The second says\nthat too.", "An item says more"]


@pytest.mark.parametrize(
    "text",
    [
        "# A heading of five words\n",
        "A heading of five words\n=======================\n",
        "```\nsome code that is long enough\n```\n",
        "---\ntitle: some words that are many\n---\n",
        "<!-- a comment with many words in it -->\n",
        "[label]: https://example.org some words here\n",
        "| Name of it | What it is |\n| --- | --- |\n",
        "| a | b c |\n",
        "Three words only.\n",
        "See `a/long/path/to/some/file.py` there.\n",
        "src/a/very/long/path/with/words.py\n",
    ],
)
def test_what_states_nothing_is_no_unit(text: str) -> None:
    assert said(text) == []


def test_a_row_is_one_unit_and_its_citation_goes_into_its_last_cell() -> None:
    text = "| Name | What |\n| --- | --- |\n| `MOST` | how many there may be |\n"
    (unit,) = find_units(Document("a.md", text), [])
    assert text[: unit.at].endswith("how many there may be")
    assert unit.line == 3


def test_a_sentence_with_a_citation_is_left_out_and_its_neighbour_is_not() -> None:
    text = "The first one says this.【F:a.py†L1】 The second one says that.\n"
    start = text.index("【")
    units = find_units(Document("a.md", text), [Span(start, text.index("】") + 1)])
    assert [unit.text for unit in units] == ["The second one says that."]


def test_heading_introduction_and_what_came_before_are_known() -> None:
    text = "## In `store.py`\n\nThe store does these things:\n\n- It keeps all the entries. It drops the old ones.\n"
    *_, last = find_units(Document("a.md", text), [])
    assert last.heading == "In `store.py`"
    assert "these things" in last.before and "keeps all" in last.before


def test_crlf_keeps_offsets() -> None:
    text = "The first one says this.\r\n\r\nThe second one says that.\r\n"
    units = find_units(Document("a.md", text), [])
    assert [text[unit.span.start : unit.span.end] for unit in units] == [unit.text for unit in units]
    assert len(units) == 2


@given(st.text(alphabet="ab .|#-\n\r`*[](){}:【】†x", max_size=300))
def test_every_unit_is_text_of_the_document(text: str) -> None:
    units = find_units(Document("a.md", text), [])
    assert all(text[unit.span.start : unit.span.end] == unit.text for unit in units)
    assert all(unit.span.start <= unit.at <= unit.span.end for unit in units)
    ends = [unit.span.end for unit in units]
    assert ends == sorted(ends)


@pytest.mark.parametrize(
    "sentence",
    [
        "Does `load` retry three times?",
        "TODO: say how `load` retries",
        "There is no such file and it does not exist.",
        "The translator at ; matches some variants.",
        "It is called from () in the loop.",
        "`load` is never called by anyone.",
        "All of the tests call `load` twice.",
        "Run `load` before anything else.",
        "**Step 4:** Rename `load` in all files.",
        "In `store.py`, add the field to `Entry`.",
        "`load` should raise an error then.",
        "The handlers (`,,`) use `load` twice.",
        "It is done by `load`, ) twice a day.",
    ],
)
def test_no_fact(sentence: str) -> None:
    assert not states_fact(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "`load` retries three times.",
        "It is called (twice) in the loop.",
        "`load()` calls `save()`, `drop` and `keep`.",
        "It calls `load(a, )` and load() twice.",
        "`tests/test_load.py` tests `load` twice.",
    ],
)
def test_a_fact(sentence: str) -> None:
    assert states_fact(sentence)


@pytest.mark.parametrize(
    "piece",
    [
        "aaB",
        "a/",
        "`a",
        "](",
        "|-",
        "(,",
        "in ",
        "test",
        "a_",
        ", add ",
        "- ",
        "> ",
        "a. ",
        '"a',
        "--a",
        "npm run ",
        "x.y/",
    ],
)
def test_time_grows_no_faster_than_the_text(piece: str) -> None:
    def spent(times: int) -> float:
        text = piece * times + "é\n\n"
        start = process_time()
        units = find_units(Document("a.md", text * 3), [])
        assert all(terms_of(unit.text) for unit in units if states_fact(unit.text))
        terms_of(text[:1500])
        states_fact(text[:1500])
        return process_time() - start

    spent(100)
    # The best of three: a busy machine makes a run longer and never shorter.
    long, short = (min(spent(size) for _ in range(3)) for size in (16_000, 2_000))
    assert long < 40 * max(short, 0.01)


def test_what_stands_under_tests_is_about_tests() -> None:
    assert not states_fact("`load` raises an error then.", "TEST_INDEX.md Loading")
    assert states_fact("`load` raises an error then.", "latest.md Loading")


def test_code_above_a_sentence_hides_no_line_below_it() -> None:
    text = "The list:\n\n```text\none\ntwo\nthree\n```\n\nThe cache keeps forty entries per worker.\n"
    assert said(text) == ["The cache keeps forty entries per worker."]
