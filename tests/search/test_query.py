"""Any text is a query, and none of it is syntax."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pincite.search.index import Index
from pincite.search.query import MOST_WORDS, Query, parse


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    top = tmp_path_factory.mktemp("query")
    (top / "a.md").write_text("# Title\n\nNEAR and AND or NOT: text, read_text(x)\n", encoding="utf-8")
    (top / "b.py").write_text("def readText():\n    return 'HTTPServer'\n", encoding="utf-8")
    with Index.open(top) as opened:
        opened.refresh()
        yield opened


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("", Query()),
        ("...", Query()),
        ('"" "', Query()),
        ("*", Query()),
        ("the of", Query(words=("the", "of"))),
        ("the lamp", Query(words=("lamp",))),
        ("Lamp oil", Query(words=("Lamp", "oil"))),
        ('"as it stands"', Query(phrases=("as it stands",))),
        ("“as it stands” now oil", Query(words=("oil",), phrases=("as it stands",))),
        ("migr*", Query(prefixes=("migr",))),
        ("a*", Query(words=("a",))),
        ("migr* lamp", Query(words=("lamp",), prefixes=("migr",))),
        ("read_text", Query(words=("read", "text"), names=("read text",))),
        ("readText", Query(words=("readText", "read", "Text"), names=("read Text",))),
        ("utf8Decoder", Query(words=("utf8Decoder", "utf", "Decoder"), names=("utf 8 Decoder",))),
        ("日本", Query(words=("日", "本"))),
        ('"日本"', Query(phrases=("日 本",))),
        ("re\u0301sume\u0301", Query(words=("résumé",))),
        ("a\0lamp", Query(words=("lamp",))),
        ("Spain's lamps", Query(words=("Spain", "lamps"))),
        ("We’ve lamps, e.g. oil", Query(words=("lamps", "oil"))),
        ("lamps that don't burn", Query(words=("lamps", "burn"))),
        ("don't", Query(words=("don", "t"))),
        ("O'Neil won", Query(words=("O", "Neil", "won"))),
        ("lamps without oil -oil NOT oil", Query(words=("lamps", "oil", "oil", "oil"))),
        ("lamp: oil", Query(words=("lamp", "oil"))),
        ("„wie es steht“ Lampe", Query(words=("Lampe",), phrases=("wie es steht",))),
        ("« tel quel » lampe", Query(words=("lampe",), phrases=("tel quel",))),
        ("»wie es steht« Lampe", Query(words=("Lampe",), phrases=("wie es steht",))),
        ("次の「鍵束」", Query(words=("次", "の"), phrases=("鍵 束",))),
        ("『鍵束』", Query(phrases=("鍵 束",))),
        ('("as it stands") [“so be it”]', Query(phrases=("as it stands", "so be it"))),
        ("«lamp oil", Query(words=("lamp", "oil"))),
        ("lamp» 5« oil」", Query(words=("lamp", "5", "oil"))),
    ],
)
def test_what_is_typed_and_what_is_meant(text: str, parsed: Query) -> None:
    assert parse(text) == parsed


def test_a_phrase_has_to_be_there_and_other_words_only_count() -> None:
    assert parse('"a b" lamp').match == '("a b") OR (("a b") AND ("lamp"))'


@pytest.mark.parametrize(
    ("text", "loose", "parsed"),
    [
        ('"oil lamp"', ["oil lamp"], Query(words=("oil", "lamp"), names=("oil lamp",))),
        ('"the lamp" oil', ["the lamp"], Query(words=("lamp", "oil"), names=("the lamp",))),
        ('"lamp" oil', ["lamp"], Query(words=("lamp", "oil"))),
        ('"oil lamp" "brass hook"', ["oil lamp"], Query(("oil", "lamp"), ("oil lamp",), ("brass hook",))),
        ('"don\'t"', ["don t"], Query(words=("don", "t"), names=("don t",))),
    ],
)
def test_a_loose_phrase_counts_and_is_not_required(text: str, loose: list[str], parsed: Query) -> None:
    assert parse(text, loose) == parsed


def test_more_phrases_than_are_read_are_words() -> None:
    text = " ".join(f'"a{at} b"' for at in range(MOST_WORDS + 1))
    assert len(parse(text).phrases) == MOST_WORDS
    assert parse(text, parse(text).phrases).phrases == ()


def test_bounds() -> None:
    found = parse(" ".join(f"word{at} "[:7] for at in range(5000)))
    assert len(found.words) == MOST_WORDS
    assert max(len(word) for word in parse("x" * 5000).words) == 100


def _accepted(text: str) -> bool:
    """Whether bare FTS5 takes what a text becomes."""
    match = parse(text).match
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE passage USING fts5 (text)")
        connection.execute("INSERT INTO passage VALUES ('one')")
        if match:
            connection.execute("SELECT rowid FROM passage WHERE passage MATCH ?", (match,)).fetchall()
    finally:
        connection.close()
    return True


_SYNTAX = st.lists(
    st.sampled_from(
        ['"', "(", ")", "*", "^", "+", "-", ":", "{", "}", ",", "AND", "OR", "NOT", "NEAR", "text:", "rowid:", "a", "é"]
        + ["\0", "\ud800", "“", "日", " ", "\n", "_", "aB", "1", "²", "\u0301", "ſ", "İ"]
    ),
    max_size=30,
).map("".join)


@given(st.one_of(st.text(st.characters(exclude_categories=()), max_size=60), _SYNTAX))
@example("NEAR(a b, 5)")
@example('text:"a" AND names:b')
@example("{text names}:a")
@example("^a")
@example('"' * 1001)
@example("(" * 1000)
@example("a " * 50_000)
@example('"a" ' * 25_000)
@example('"' + "a " * 50_000 + '"')
@example("a* " * 33_000)
@example("aB" * 50_000)
@settings(max_examples=400)
def test_any_text_is_a_query_for_fts5(text: str) -> None:
    assert _accepted(text)


@given(text=st.one_of(st.text(st.characters(exclude_categories=()), max_size=40), _SYNTAX))
@example(text="a" * 100_000)
@example(text="text: NEAR AND OR NOT")
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_a_query_for_the_index(index: Index, text: str) -> None:
    for hit in index.search(text, 5, path=text[:5], heading=text[5:9]):
        assert hit.chunk.content


@pytest.mark.parametrize("word", ["AND", "OR", "NOT", "NEAR", "near", "text:", "(read_text)", "text-read", "^read"])
def test_words_of_other_syntaxes_are_words(index: Index, word: str) -> None:
    assert "a.md" in {Path(hit.document.file_path).name for hit in index.search(word)}


@pytest.mark.parametrize("mark", ["«", "»", "「", '"a', "„", "»«", "『「", "("])
def test_marks_that_never_close_cost_no_more_than_words(mark: str) -> None:
    def cost(text: str) -> float:
        started = process_time()
        parse(text)
        return process_time() - started

    # The best of three: a busy machine makes a run longer and never shorter.
    long, short = (min(cost(mark * count) for _ in range(3)) for count in (20_000, 2_500))
    assert long < 8 * 4 * max(short, 0.002)
