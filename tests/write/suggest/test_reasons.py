"""A reason says what is in the cited lines, and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search.claims.terms import is_in_comment, number_places, places, stands, terms_of
from pincite.write.suggest.line_selection import ReadFile, narrow
from pincite.write.suggest.rank import FileCandidate
from pincite.write.suggest.reasons import reason_for

QUOTED = re.compile(r"`([^`]*)`(…?)")
VALUES = re.compile(r"the lines hold the values? ([\d., ]+)")
GEO = """fn call(name: &str) {
    // geof:within and geof:intersects are told from their addresses.
    one();
    two();
    three();
    four();
    five();
    six();
    seven();
    eight();
    nine();
    ten();
    eleven();
    // v0.56.0 L-1.1: geof:buffer, geof:convexHull, geof:envelope
    done();
}
"""


def untrue(reason: str, evidence: tuple[str, ...]) -> list[str]:
    """What a reason says of lines that is not so."""
    text = "\n".join(evidence)
    wrong = [term for term, cut in QUOTED.findall(reason) if not (term in text if cut else stands(text, term))]
    numbers = [number for match in VALUES.findall(reason) for number in match.split(", ") if number]
    return wrong + [number for number in numbers if not number_places(text, number)]


def test_what_stands_elsewhere_in_the_file_is_not_said() -> None:
    terms = terms_of(
        "GeoSPARQL 1.1: filter by `geof:within` and `geof:intersects`; compute `geof:buffer`, `geof:convexHull` and "
        "`geof:envelope` there."
    )
    source, one = ReadFile("geo.rs", GEO.encode()), FileCandidate("geo.rs")
    for literal in terms.literals:
        one.add("literal", literal, 2.0 if literal == "geof:intersects" else 1.0)
    one.narrowed = narrow(source, terms)
    assert one.narrowed is not None
    lines = one.narrowed.lines
    assert lines.first == lines.last == 14
    reason = reason_for(one, source.lines[lines.first - 1 : lines.last], terms)
    assert reason == "`geof:convexHull`, `geof:envelope`, `geof:buffer` stand there"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("MAX_RETRIES = 5", "`MAX_RETRIES` is defined there, and the lines hold the value 5"),
        ("    limit(MAX_RETRIES: 5)", "`MAX_RETRIES` stands there, and the lines hold the value 5"),
        ("    MAX_RETRIES: 5,", "`MAX_RETRIES` stands there, and the lines hold the value 5"),
        ("MAX_RETRIES = load()  # 5 of them", "`MAX_RETRIES` is defined there"),
        ("MAX_RETRIES = load('v1.5')", "`MAX_RETRIES` is defined there"),
        ("MAX_RETRIES_ALL = 5", None),
        ("most = 5", None),
    ],
)
def test_what_a_line_is_said_to_do(line: str, reason: str | None) -> None:
    assert told(line, "At most 5 calls are made (`MAX_RETRIES`).", "definition", "MAX_RETRIES") == reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("# the oldest line drops", None),
        ("# keeps all entries and drops the oldest", "`keeps`, `entries`, `drops`, `oldest`"),
        ("theoldest_entries_are_dropped()", None),
    ],
)
def test_a_file_that_is_only_named_needs_lines_that_share_words(line: str, reason: str | None) -> None:
    said = "In `ledger.py` the store keeps many entries, drops the oldest, writes a summary, and then waits."
    whole = None if reason is None else f"the sentence names the file, and the lines hold the words {reason}"
    assert told(line, said, "path", "ledger.py") == whole


def told(line: str, sentence: str, kind: str, term: str) -> str | None:
    """The reason for citing a file of one line, to which one sign points."""
    terms, source, one = terms_of(sentence), ReadFile("a.py", line.encode()), FileCandidate("a.py")
    one.add(kind, term, 1.0)
    one.narrowed = narrow(source, terms)
    return reason_for(one, [line], terms)


WORDS = st.sampled_from(
    "MAX_RETRIES max_retries MAX_RETRIES_ALL LedgerStore LedgerStores --dry --dry-run geof:within geof:withinAll 1.1 "
    "11.1 1.1.2 250 1,250 1250 5 15 L-5 sha-256 256 load loading retries store. = : def class # // ( ) { } ` ``".split()
)
LINES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=30)
KINDS = (
    "definition",
    "one of definitions",
    "around definition",
    "literal",
    "use",
    "target",
    "path",
    "around path",
    "script",
)


@given(LINES, st.lists(st.tuples(WORDS, st.booleans()), min_size=1, max_size=8), st.sets(st.sampled_from(KINDS)))
def test_every_quoted_term_is_in_the_evidence(lines: list[str], words: list[tuple[str, bool]], kinds: set[str]) -> None:
    sentence = " ".join(f"`{word}`" if code else word for word, code in words)
    terms = terms_of(sentence)
    source = ReadFile("a.py", "\n".join(lines).encode())
    one = FileCandidate("a.py")
    # Every sign there can be, true or not.
    for term in (*terms.names, *terms.literals):
        for kind in sorted(kinds):
            one.add(kind, term, 1.0)
    for named in (False, True):
        one.narrowed = narrow(source, terms, named)
        if one.narrowed is not None:
            evidence = tuple(source.lines[one.narrowed.lines.first - 1 : one.narrowed.lines.last])
            reason = reason_for(one, evidence, terms)
            assert reason is None or untrue(reason, evidence) == []
            assert reason is None or QUOTED.search(reason) or VALUES.search(reason)


def test_lines_that_only_sound_like_it_give_way_to_those_that_hold_what_is_named() -> None:
    source = ReadFile("a.py", b"".join((b"LedgerStore = make()\n", b"x\n" * 40, b"the oldest entries drop first\n")))
    terms = terms_of("The oldest entries drop first in a `LedgerStore`.")
    named = narrow(source, terms, named=True)
    assert named is not None and named.lines.first == named.lines.last == 1


@pytest.mark.parametrize(
    ("text", "term", "there"),
    [
        ("a load b", "load", True),
        ("reload", "load", False),
        ("load_all", "load", False),
        ("f(load)", "load", True),
        ("--dry-run", "--dry", False),
        ("---dry", "--dry", False),
        ("x --dry", "--dry", True),
        ("geof:within(a)", "geof:within", True),
        ("xgeof:within", "geof:within", False),
        ("geof:withinAll", "geof:within", False),
        ("/api/v1/users", "/api/v1", True),
        ("/api/v10", "/api/v1", False),
        ("éload", "load", False),
        ("", "load", False),
        ("load", "", False),
    ],
)
def test_whole_terms(text: str, term: str, there: bool) -> None:
    assert stands(text, term) is there


@pytest.mark.parametrize(
    ("text", "number", "there"),
    [
        ("x = 1.1", "1.1", True),
        ("11.1", "1.1", False),
        ("1.1.2", "1.1", False),
        ("1.11", "1.1", False),
        ("L-1.1:", "1.1", False),
        ("sha-256", "256", False),
        ("2024-12-05", "12", False),
        ("x = -5", "5", True),
        ("1_000", "1,000", True),
        ("1000", "1,000", True),
        ("1,250", "250", False),
        ("1,250", "1", False),
        ("f(1, 250)", "250", True),
        ("[10,20]", "10", True),
        ("[5,0]", "50", False),
        ("1,234,567.5", "1234567.5", True),
        ("30s", "30", True),
        ("0x30", "30", False),
        ("5e3", "5", False),
    ],
)
def test_whole_numbers(text: str, number: str, there: bool) -> None:
    assert bool(number_places(text, number)) is there


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("// at most ", True),
        ("    # at most ", True),
        ("x = 1  // or ", True),
        (" * at most ", True),
        ("-- at most ", True),
        ("#define MOST ", False),
        ("MOST = ", False),
        ("run --most ", False),
        ('"http://a:', False),
        ("*most = ", False),
    ],
)
def test_what_is_in_a_comment(before: str, told: bool) -> None:
    assert is_in_comment(before) is told


@given(st.text(alphabet="ab_-. 1", max_size=40), st.text(alphabet="ab_-. 1", min_size=1, max_size=4))
def test_places_are_places(text: str, term: str) -> None:
    assert all(text.startswith(term, at) for at in places(text, term))
