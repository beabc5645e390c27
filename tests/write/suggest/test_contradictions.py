"""What a sentence says and lines do not: then they are not cited for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.doors.cli.suggest import command
from pincite.project.config import Config
from pincite.safe.files import Root
from pincite.search.claims.terms import stands
from pincite.write.suggest.contradictions import find_unsupported_part, names_elsewhere
from pincite.write.suggest.model import Confidence, SuggestOptions
from pincite.write.suggest.propose import suggest
from pincite.write.suggest.tree import is_document, is_offered
from pincite.write.suggest.values import given_to, lone_numbers, said_numbers

LIMITS = """MAX_RETRIES = 5
TIMEOUT_SECONDS = 30
BUDGET = 10000
RATIO = 0.75
MODE = "strict"
CACHE_SIZE = 1_000
MAX_AGE = 60 * 60
ALLOW_NEGATIVE = -5
HEX_MASK = 0xFF
RETRY_DELAYS = (1, 2, 4)
MIN_POOL = 2; MAX_POOL = 64
"""
POOL = """DEFAULTS = {
    "idle_timeout": 300,
    "verify_tls": True,
    "backend": "sqlite",
}
SIZE = os.environ.get("POOL_SIZE", "16")
class ConnectionPool:
    def acquire(self, timeout=5.0):
        if timeout < 0:
            raise TimeoutError("negative timeout")
    def release(self, conn):
        self._free.append(conn)
"""
FALSE = [
    "`MAX_RETRIES` is 30 and `TIMEOUT_SECONDS` is 5 in all.",
    "Both `MAX_RETRIES` and `TIMEOUT_SECONDS` are 30 by default.",
    "`MAX_RETRIES` and `TIMEOUT_SECONDS` are 30 and 5 here.",
    "5 is the value of `TIMEOUT_SECONDS`, 30 that of `MAX_RETRIES`.",
    "`MAX_RETRIES` is more than 5 in this program.",
    "The `backend`: `postgres` in this program.",
    "`MIN_POOL` is 64 and `MAX_POOL` is 2 in the pool.",
    "`MAX_POOL` is 2 in every pool of connections.",
    "There are at most 2 connections in a pool (`MAX_POOL`).",
    "`RETRY_DELAYS` are 1, 2 and 8 seconds in the pool.",
    "`RETRY_DELAYS` has four entries, 1 and 2 among them.",
    "The environment variable `POOL_SIZE` defaults to 32 here.",
    "`ALLOW_NEGATIVE` is 5 in the command line program.",
    "`MAX_AGE` is 60 seconds in this program.",
    "At most 60 seconds pass in this program (`MAX_AGE`).",
    "The `TIMEOUT_SECONDS` is 30 minutes here.",
    "The `BUDGET` is limited to 1,000 euros in total.",
    "The `RATIO` is 57% by default always.",
    "The `RATIO` is 0.7 by default always.",
    "`HEX_MASK` is 0xFE in the command line program.",
    "A call is made again at most seven times (`MAX_RETRIES`).",
    "The setting `MAX_RETRIES = 7` is what counts here.",
    'The `MODE` is "lenient" in this program.',
    "The `MODE` is `lenient` in this program.",
    "The `MODE` is lenient in this program.",
    "The `verify_tls` setting is `False` by default.",
    "The `verify_tls` setting is off by default.",
    "With `verify_tls` disabled the pool is used.",
    "The `backend` is postgres by default.",
    "The `backend` is `postgres` by default.",
    "The `idle_timeout` setting is 5 minutes by default.",
    '`TimeoutError` is raised with the message "timeout exceeded" by `acquire`.',
    "`ConnectionPool.acquire` raises `ValueError` when the timeout is negative.",
    "`acquire` calls `release` and then the timeout is negative.",
    "`MAX_RETRIES` used to be 5 in older versions.",
    "`MAX_RETRIES` was 5 in older versions.",
    "If `MAX_RETRIES` is 5, then the pool fails.",
    "`MAX_RETRIES` will be 5 in the next version.",
    "`ConnectionPool` cannot `acquire` connections.",
    "Neither `acquire` nor `release` exists on `ConnectionPool`.",
    "`ConnectionPool` isn't able to `release` a connection.",
    "`acquire` does not raise `TimeoutError` at any time.",
    "`acquire` works without `TimeoutError` at any time.",
    "`ConnectionPool` has version 1.4.2 since 2019.",
]
TRUE = [
    "`acquire` raises `TimeoutError` for a timeout below 0 here.",
    "`MAX_RETRIES` is 5 and `TIMEOUT_SECONDS` is 30 in all.",
    "`MAX_RETRIES` is 5 in this program.",
    "`MAX_RETRIES` and `TIMEOUT_SECONDS` are 5 and 30 here.",
    "There are 5 calls (`MAX_RETRIES`) and 30 seconds (`TIMEOUT_SECONDS`).",
    "`MIN_POOL` is 2 and `MAX_POOL` is 64 in the pool.",
    "There are at most 64 connections in a pool (`MAX_POOL`).",
    "`RETRY_DELAYS` are 1, 2 and 4 seconds in the pool.",
    "The environment variable `POOL_SIZE` defaults to 16 here.",
    "`ALLOW_NEGATIVE` is -5 in the command line program.",
    "`MAX_AGE` is `60 * 60` in this program.",
    "The `TIMEOUT_SECONDS` is 30 seconds here.",
    "The `BUDGET` is limited to 10,000 euros in total.",
    "The `RATIO` is 75% by default always.",
    "The `RATIO` is 0.75 by default always.",
    "`HEX_MASK` is 255 in the command line program.",
    "The cache `CACHE_SIZE` holds 1000 entries at most.",
    "A call is made again at most five times (`MAX_RETRIES`).",
    "The setting `MAX_RETRIES = 5` is what counts here.",
    'The `MODE` is "strict" in this program.',
    "The `MODE` is `strict` in this program.",
    "The `MODE` is strict in this program.",
    "The `verify_tls` setting is `True` by default.",
    "The `verify_tls` setting is on by default.",
    "The `backend` is sqlite by default.",
    "The `idle_timeout` setting is 300 seconds by default.",
    '`TimeoutError` is raised with the message "negative timeout" by `acquire`.',
    "`ConnectionPool.acquire` raises `TimeoutError` when the timeout is negative.",
]
LINES = (LIMITS + POOL).splitlines()


@pytest.mark.parametrize("said", FALSE)
def test_what_the_lines_refute_is_noticed(said: str) -> None:
    assert find_unsupported_part(said, LINES) != ""


@pytest.mark.parametrize("said", TRUE)
def test_what_the_lines_say_is_left_alone(said: str) -> None:
    assert find_unsupported_part(said, LINES) == ""


def test_a_document_gets_suggestions_for_what_is_true_only(tmp_path: Path) -> None:
    put(tmp_path, "src/limits.py", LIMITS)
    put(tmp_path, "src/pool.py", POOL)
    put(tmp_path, "docs/a.md", "\n\n".join((*FALSE, "The `BUDGET` of 10000 stands in `src/pool.py` for all.")))
    put(tmp_path, "docs/b.md", "\n\n".join(TRUE[:4]))
    with Root(str(tmp_path)) as root:
        asked = SuggestOptions(most=0, least=Confidence.LOW)
        false, true = suggest(root, Config(), lambda: None, ["docs/a.md", "docs/b.md"], asked)
    assert [one.sentence for one in false.suggestions] == []
    assert "`MAX_RETRIES` is 5 in this program." in [one.sentence for one in true.suggestions]


def test_a_name_that_is_nowhere_is_noticed() -> None:
    said = "The `ConnectionPool` has an `E1001` of its own."
    assert "nowhere" in find_unsupported_part(said, LINES, lambda name: False)
    assert find_unsupported_part(said, LINES, lambda name: True) == ""


def test_a_path_that_is_named_is_the_one_that_is_cited() -> None:
    def meant(written: str) -> list[str]:
        return [written] if written == "src/a.py" else []

    assert names_elsewhere(("src/a.py",), "src/b.py", meant)
    assert names_elsewhere(("src/gone.py",), "src/b.py", meant)
    assert not names_elsewhere(("src/a.py", "src/gone.py"), "src/a.py", meant)
    assert not names_elsewhere(("self.free", "read/write"), "src/b.py", meant)


def test_part_of_a_longer_word_is_not_the_word() -> None:
    assert not stands("run 0xgen-perf-metrics now", "perf-metrics")
    assert stands("run perf-metrics now", "perf-metrics")
    assert find_unsupported_part("The tool `perf-metrics` is run here.", ["run: 0xgen-perf-metrics"]) != ""


def test_numbers_are_read_whole() -> None:
    assert [str(one.value) for one in said_numbers("1, 2 and 10,000 of -5 in SHA-256, v2 and 1.50")] == [
        *("1", "2", "10000", "-5", "1.50")
    ]
    assert [str(one.value) for one in lone_numbers("a = 60 * 60; b1 = -5; c = n - 3; d = '16'; e = 1.2.3")] == [
        *("-5", "3", "16", "1.2.3")
    ]


def test_a_value_belongs_to_its_own_assignment() -> None:
    own = given_to("f(a=1, retries=3, b=7)  # retries=9", "retries")
    assert own is not None and [one.value for one in own.numbers] == [3]
    assert given_to("max_retries = 3", "retries") is None


@settings(max_examples=100, deadline=None)
@given(st.text("`\"'0x_1,.-%\x01\x02\0 abAB=:*;()[]{}\n", max_size=80), st.text("ab01_=;\"'()*-,.:#/ \n", max_size=80))
def test_nothing_written_makes_it_fail(said: str, line: str) -> None:
    assert isinstance(find_unsupported_part(f"`ab` is {said}", [line]), str)


def test_what_is_no_document_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "src/limits.py", "# A call is made again at most 5 times (`MAX_RETRIES`).\n" + LIMITS)
    before = (tmp_path / "src/limits.py").read_bytes()
    path = str(tmp_path / "src/limits.py")
    outcome = CliRunner().invoke(command, ["--root", str(tmp_path), "--write", path])
    assert outcome.exit_code == 2 and "is not a document" in outcome.output
    assert (tmp_path / "src/limits.py").read_bytes() == before
    assert is_document("README", ()) and is_document("a.md", ()) and not is_document("Makefile", ())


def test_plain_text_is_looked_at_only_where_it_is_named(tmp_path: Path) -> None:
    put(tmp_path, "src/limits.py", LIMITS)
    put(tmp_path, "notes.txt", "`MAX_RETRIES` is 5 in this program.\n")
    runner = CliRunner()
    silent = runner.invoke(command, ["--root", str(tmp_path), str(tmp_path)])
    named = runner.invoke(command, ["--root", str(tmp_path), str(tmp_path / "notes.txt")])
    assert "src/limits.py" not in silent.output
    assert "src/limits.py" in named.output
    assert not is_offered("vendor/x/a.md") and not is_offered("docs/api.gen.md") and is_offered("docs/a.md")


def test_what_is_generated_is_not_cited(tmp_path: Path) -> None:
    for path in ("src/limits.gen.py", "src/limits_pb2.py", "dist/limits.py", "vendor/limits.py"):
        put(tmp_path, path, LIMITS)
    put(tmp_path, "docs/a.md", "`MAX_RETRIES` is 5 in this program.\n")
    with Root(str(tmp_path)) as root:
        (found,) = suggest(root, Config(), lambda: None, ["docs/a.md"], SuggestOptions(least=Confidence.LOW))
    assert found.suggestions == []


def test_a_long_line_is_looked_at_up_to_a_bound(tmp_path: Path) -> None:
    put(tmp_path, "src/limits.py", LIMITS)
    put(tmp_path, "docs/a.md", "So `X_Y` is what it is. " * 2500)
    with Root(str(tmp_path)) as root:
        (found,) = suggest(root, Config(), lambda: None, ["docs/a.md"])
    assert found.sentences == 2000


def put(top: Path, path: str, text: str) -> None:
    place = top / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8", newline="")
