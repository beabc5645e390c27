"""`pincite grep`: from words to citations."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

Grep = Callable[..., tuple[int, str, str]]


@pytest.fixture
def grep(in_folder: Callable[..., tuple[int, str, str]]) -> Grep:
    """Runs the command in the test's folder: arguments -> exit code, output, errors."""
    return partial(in_folder, "grep")


def test_citations_of_matching_lines(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    old = captured(tmp_path, b"a 1\nb\na 2\na 3\n", ("make",), 0, started=1.7e9)
    new = captured(tmp_path, b"\x1b[1ma\x1b[0m 4\n", ("make", "x"), 2, started=1.7e9 + 1)
    code, out, err = grep(r"a \d")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "run 2: make x (exit 2, 1.5 s, 2023-11-14T22:13:21+00:00)",
        f"【{new[:6]}†L1】  a 4",
        "",
        "run 1: make (exit 0, 1.5 s, 2023-11-14T22:13:20+00:00)",
        f"【{old[:6]}†L1】  a 1",
        f"【{old[:6]}†L3-L4】  a 2",
        "                  a 3",
    ]
    assert grep("--run", "1", "a 4")[0] == 1
    assert grep("--run", "1", "a 1")[0] == 0


def test_a_text_printed_twice_is_found_once(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    digest = captured(tmp_path, b"same\n", ("first",))
    captured(tmp_path, b"same\n", ("second",))
    rows = grep("same")[1].splitlines()
    assert (rows[0].startswith("run 2: second"), rows[1:]) == (True, [f"【{digest[:6]}†L1】 2×  same"])


def test_case_and_plain_text(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    captured(tmp_path, b"Total (a+b)\n")
    assert [grep(*words)[0] for words in (("total",), ("-i", "TOTAL"), ("-F", "(a+b)"), ("-F", "a.b"))] == [1, 0, 0, 1]


def test_nothing_to_search(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    code, out, err = grep("x")
    assert (code, out, "pincite run -- COMMAND" in err) == (1, "", True)
    captured(tmp_path, b"y\n")
    assert grep("x") == (1, "", "")
    code, _, err = grep("--run", "5", "y")
    assert (code, "there is no run 5" in err) == (1, True)


@pytest.mark.parametrize("pattern", ["a(b", "[", "*", "a{2,1}", "(?P<", "(" * 5000])
def test_a_bad_pattern(tmp_path: Path, grep: Grep, pattern: str) -> None:
    code, out, err = grep(pattern)
    assert (code, out, "not a regular expression" in err) == (2, "", True)


def test_a_bad_pattern_says_where(grep: Grep) -> None:
    assert "at position 1" in grep("a(b")[2]


def test_a_doubtful_pattern_is_taken_as_it_is(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    captured(tmp_path, b"[\n")
    code, _, err = grep("[[]")
    assert (code, err) == (0, "")


def test_bounds(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    captured(tmp_path, b"a\nb\n" * 150)
    code, out, err = grep("a")
    assert (code, out.count("【"), "there are more" in err) == (0, 100, True)
    code, out, err = grep("-n", "0", "a")
    assert (out.count("【"), err) == (150, "")
    captured(tmp_path, b"long\n" * 30)
    assert grep("long")[1].splitlines()[-1].strip() == "… 20 more lines"


def test_damage_is_told_and_the_rest_searched(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    captured(tmp_path, b"a 1\na 2\n", chunk_lines=1)
    (file,) = (tmp_path / ".pincite/output").iterdir()
    file.write_bytes(b"x 1\na 2\n")
    code, out, err = grep("a")
    assert (code, out.count("【"), err.count("gone or changed")) == (0, 1, 1)


def test_json(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    digest = captured(tmp_path, b"x\na\na\n", ("make", "all"))
    code, out, _ = grep("a", "--format", "json")
    assert (code, json.loads(out)) == (
        0,
        {
            "citation": f"【{digest[:6]}†L2-L3】",
            "digest": digest,
            "lines": [2, 3],
            "text": ["a", "a"],
            "run": 1,
            "command": ["make", "all"],
            "printed": 1,
        },
    )


def test_what_is_found_is_escaped(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    captured(tmp_path, "a\u202eb\n".encode() + b"a\xff\n", ("\x1b[2J",))
    out = grep("a")[1]
    assert ("\u202e" in out, "\x1b" in out, "a\\u{202e}b" in out, "a\\xff" in out) == (False, False, True, True)


def test_it_looks_as_it_did(
    tmp_path: Path, captured: Callable[..., str], terminal: Callable[..., str], snapshot: Callable[[str, str], None]
) -> None:
    captured(tmp_path, b"collected 212 items\n\n212 passed in 3.1s\n", ("pytest", "-q"), 0, started=1.7e9)
    captured(tmp_path, b"1 failed\n211 passed\n", ("pytest", "-q"), 1, started=1.7e9 + 60)
    words = [sys.executable, "-m", "pincite", "grep", r"\d+ (passed|failed)"]
    snapshot("grep-coloured", terminal(words, tmp_path, TZ="UTC"))


def test_a_pattern_that_would_never_end_is_given_up(
    tmp_path: Path, captured: Callable[..., str], grep: Grep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.domains.capture.view._PATIENCE", 0.2)
    captured(tmp_path, b"a" * 60 + b"b\n", ("make",), 0, started=1.7e9)
    code, out, err = grep("(a+)+$")
    assert (code, out) == (2, "")
    assert "takes too long" in err
    assert grep("a+b$")[0] == 0


def test_tabs_are_shown_as_space(tmp_path: Path, captured: Callable[..., str], grep: Grep) -> None:
    captured(tmp_path, b"ok\tpkg\t0.1s\n", ("go", "test"), 0, started=1.7e9)
    assert grep(r"ok\tpkg")[1].endswith("  ok      pkg     0.1s\n")
