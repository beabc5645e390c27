"""What a sentence names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search.claims.definitions import STRONG, WEAK, defines
from pincite.search.claims.terms import find_terms, is_path, may_name, stem_of, terms_of, weight_of


def test_everything_that_can_be_looked_for() -> None:
    terms = terms_of(
        "`src/app.py` sets `MAX_RETRIES` to 5, reads --dry-run, runs `npm run build:all` and says “cannot be read”."
    )
    assert terms.paths == ("src/app.py",)
    assert "MAX_RETRIES" in terms.names
    assert "--dry-run" in terms.literals
    assert "cannot be read" in terms.literals
    assert terms.targets == ("build:all",)
    assert terms.numbers == ("5",)


def test_names_in_prose_need_to_be_joined_words() -> None:
    terms = terms_of("The LedgerStore and the old_entry and the Gauge are there.")
    assert set(terms.names) == {"LedgerStore", "old_entry"}


def test_a_link_to_prose_is_not_what_a_sentence_rests_on() -> None:
    assert terms_of("See [the guide](docs/guide.md) and [the code](src/app.py).").paths == ("src/app.py",)


@pytest.mark.parametrize("text", ["https://example.org/a.py", "`0bfb90713` is a commit", "`4a729b65`"])
def test_addresses_and_commits_name_nothing(text: str) -> None:
    terms = terms_of(text)
    assert terms.paths == () and not terms.names


@pytest.mark.parametrize("text", ["a/b.py", "app.py", "src/app", ".github/workflows/ci.yml"])
def test_paths(text: str) -> None:
    assert is_path(text)


@pytest.mark.parametrize("text", ["1.5", "a b.py", "and/", "/api/v1", "x", "f(a.b)", "http://a/b.py", "a:b/c.py"])
def test_no_paths(text: str) -> None:
    assert not is_path(text)


def test_stems_and_weights() -> None:
    assert stem_of("retries") == stem_of("retried")
    assert stem_of("the") == ""
    assert weight_of("load_all_entries", True) > weight_of("entries", True) > weight_of("of", False)


@given(st.text(max_size=1500))
def test_any_text_can_be_read(text: str) -> None:
    terms = terms_of(text)
    assert all(0 <= weight <= 1 for weight in (*terms.names.values(), *terms.literals.values()))


@pytest.mark.parametrize(
    ("line", "name", "sure"),
    [
        ("def load(path):", "load", STRONG),
        ("func (s *Store) Load(path string) error {", "Load", STRONG),
        ("pub fn load(path: &str) -> Entry {", "load", STRONG),
        ("MOST = 5", "MOST", STRONG),
        ("export const most = 5;", "most", STRONG),
        ("    public async Task<Entry> Load(string path)", "Load", STRONG),
        ("  load(path) {", "load", STRONG),
        ('  "most": 5,', "most", WEAK),
        ("  timeout: 30", "timeout", WEAK),
        ("CREATE TABLE IF NOT EXISTS entries (", "entries", STRONG),
        ("#define MOST 5", "MOST", STRONG),
        ("    return load(path)", "load", 0),
        ("    if load(path):", "load", 0),
        ("    x = load(path)", "load", 0),
        ("from store import load", "load", 0),
        ("    load(path);", "load", 0),
        ("# load is called later", "load", 0),
        ("if MOST == 5:", "MOST", 0),
    ],
)
def test_which_lines_define_a_name(line: str, name: str, sure: int) -> None:
    at = line.index(name)
    assert defines(line, at, at + len(name)) == sure


_PIECES = st.sampled_from(
    [
        "the ",
        "word ",
        "`",
        "`a.b()` ",
        "read_file ",
        "readFile ",
        "HTTPServer ",
        "--dry-run ",
        "-- ",
        '"',
        "“",
        "” ",
        "1",
    ]
    + ["12", "123 ", "0.25 ", "١٢٣ ", "é", "A", "b", "_", ".", ", ", "\n", "Session.read_file "]
)


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_a_text_that_may_name_nothing_names_nothing(text: str) -> None:
    """The look that is a hundred times cheaper misses nothing."""
    assert may_name(text) or not find_terms(text)


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_without_words_the_same_names_are_found(text: str) -> None:
    assert [term for term in find_terms(text, (0, len(text))) if term[2] != "word"] == find_terms(text)


@given(st.lists(_PIECES, max_size=14).map("".join), st.tuples(st.integers(0, 40), st.integers(0, 40)))
def test_the_words_of_a_part_are_those_that_stand_within_it(text: str, cut: tuple[int, int]) -> None:
    left, right = sorted(min(one, len(text)) for one in cut)
    within = [term for term in find_terms(text, (0, len(text))) if left <= term[0] and term[1] <= right]
    assert [term for term in within if term[2] == "word"] == [
        term for term in find_terms(text, (left, right)) if term[2] == "word"
    ]


def test_a_plain_sentence_names_nothing_at_a_glance() -> None:
    assert not may_name("The reader skips the buffer at 12:30, with a ratio of 3:1 – unless it’s closed.")
