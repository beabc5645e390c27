"""Quoted words in a line: any part of it, but never half a number."""

from __future__ import annotations

import pytest

from pincite.text.snippets import find_snippet, has_snippet

CUT = [
    ("MAX_RETRIES = 3", "MAX_RETRIES = 30"),
    ("0", "MAX_RETRIES = 30"),
    ("retries = 3", "retries = 3.5"),
    ("retries = 3.", "retries = 3.5"),
    ("retries = 3", "retries = 3_000"),
    ("limit: 1", "limit: 1,024 bytes"),
    ("024 bytes", "limit: 1,024 bytes"),
    (",024 bytes", "limit: 1,024 bytes"),
    ("python 3.1", "python 3.11"),
    ("python 3", "python 3.11"),
    ("mask = 0x3", "mask = 0x3F"),
    ("mask = 0xF", "mask = 0xFF"),
    ("rate = 3", "rate = 3e5"),
    ("5", "rate = 1e-5"),
    ("timeout = 30", "timeout = 30ms"),
    ("size = 4", "size = 4k"),
    ("size = 1", "size = 1'000"),
    ("5;", "x = -5;"),
    ("5;", "x = .5;"),
    ("１", "最大１２回"),
]
WHOLE = [
    ("our =", "four = 4"),
    ("def handle", "def handle_request(x):"),
    ("3", "30, 3"),
    ("1", "10.1 and 1"),
    ("utf8", "charset = utf8mb4"),
    ("= 30", "x = 30 * 60"),
    ("range(0", "range(0, 10)"),
    ("(0", "for i in (0..10)"),
    ("version 3.", "version 3."),
    ("5", "x = a-5"),
    ("最大3", "最大3回"),
    ("50", "50%"),
    ("0", "pair.0"),
    ("x", "x"),
]


@pytest.mark.parametrize(("words", "line"), CUT)
def test_half_a_number_is_no_match(words: str, line: str) -> None:
    assert words in line
    assert not has_snippet(words, line)
    assert find_snippet(words, line) == -1


@pytest.mark.parametrize(("words", "line"), WHOLE)
def test_a_part_of_a_line_matches(words: str, line: str) -> None:
    assert has_snippet(words, line)
    assert find_snippet(words, line) >= 0


def test_the_first_whole_match_counts() -> None:
    assert find_snippet("3", "30, 31, 3, 3") == 8


def test_a_line_made_of_cut_matches_ends() -> None:
    line = "1 12 " * 200_000
    assert find_snippet("1 12 " * 2_000 + "1 1", line) == -1
