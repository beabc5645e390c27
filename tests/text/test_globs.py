"""Patterns: the same answers as the standard library's, at a cost that does not depend on what they hold."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase, translate
from random import Random
from time import process_time

import pytest

from pincite.text.globs import Patterns


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("docs", "docs/a.md", True),
        ("docs", "docs.md", False),
        ("docs/", "docs", False),
        ("docs/", "docs/deep/a.md", True),
        ("*.gen.md", "a/b.gen.md", True),
        ("a/[bc]/", "a/b/c.md", True),
        ("a/[!bc]", "a/b", False),
        ("[", "[", True),
        ("[]]", "]", True),
        ("a[!]b", "a[!]b", True),
        ("?", "/", True),
        ("**", "anything/at/all", True),
        ("", "a", False),
    ],
)
def test_a_pattern_takes_in_files_and_what_is_below_folders(pattern: str, path: str, expected: bool) -> None:
    assert Patterns([pattern]).match_within(path) is expected


def test_answers_are_those_of_fnmatch() -> None:
    random = Random(3)
    for _ in range(4000):
        patterns = ["".join(random.choices("ab/*?[]!-^c\\.&~|é", k=random.randint(0, 7))) for _ in range(3)]
        path = "/".join(
            "".join(random.choices("ab.é[]!-", k=random.randint(1, 4))) for _ in range(random.randint(1, 3))
        )
        whole = re.compile("|".join(f"{translate(p)}|{translate(p.rstrip('/') + '/*')}" for p in patterns))
        matcher = Patterns(patterns)
        assert matcher.match_within(path) is (whole.match(path) is not None), (patterns, path)
        assert matcher.match(path) is any(fnmatchcase(path, p) for p in patterns if p[-1:] != "/"), (patterns, path)


def test_more_distinct_characters_than_are_kept_change_no_answer() -> None:
    matcher = Patterns(["*\u4e00[!x]", "\u4e01*"])
    for code in range(0x4E00, 0x4E00 + 2000):
        assert matcher.match_within(f"{chr(code)}\u4e00y")
        assert matcher.match_within(f"{chr(code)}y") is (code in (0x4E00, 0x4E01))


def _seconds(patterns: list[str], paths: list[str]) -> float:
    best = 1e9
    for _ in range(3):
        started = process_time()
        matcher = Patterns(patterns)
        for path in paths:
            matcher.match_within(path)
        best = min(best, process_time() - started)
    return best


@pytest.mark.parametrize("shape", ["dir{}/*.md", "**/x{}/**", "*a*b*c*{}", "[a-z]{}*"])
def test_cost_grows_no_faster_than_the_patterns(shape: str) -> None:
    paths = [f"docs/part{n // 50}/some-file-name-{n}.md" for n in range(300)]
    few = _seconds([shape.format(n) for n in range(500)], paths)
    many = _seconds([shape.format(n) for n in range(5000)], paths)
    assert many < 30 * few


def test_stars_cost_nothing_but_their_length() -> None:
    path = "a" * 1000
    short, long = _seconds(["*a" * 50 + "b"], [path] * 5), _seconds(["*a" * 500 + "b"], [path] * 5)
    assert long < 60 * short
