"""Which sentences say how a run ended, and which captured run shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.domains.capture.run_claims import find_run_claims, find_run_evidence
from pincite.safe.files import Root
from pincite.store.captures import Captures

CLAIMS = """\
All tests pass.
All 42 tests pass.
All tests pass now.
The tests pass.
The full test suite passes.
All tests are passing.
42 tests passed.
42 passed in 3.1 s.
42 passed, 0 failed.
All 1,204 tests passed successfully.
The build succeeds.
The build succeeded and the docs are up to date.
The build is green.
CI is green.
I ran the suite and all tests passed.
After the fix, all tests pass.
I verified that all tests pass.
I can confirm all tests pass.
Verified: all tests pass.
Done! All tests pass ✅
**All tests pass.**
- All unit tests pass
I fixed the limit, and the tests pass again.
`make test` passes.
`cargo build` succeeded.
`npm run build` succeeds, and the page loads.
The project compiles without errors.
The code now compiles.
It builds cleanly.
Everything builds and the tests are green.
Type checking passes.
mypy passes.
The linter reports no errors.
The test suite is green.
Both tests pass.
The new test passes, and so do the others.
Unit tests and the integration tests all pass.
All 12 specs passed in 0.4 seconds.
There were no errors and all tests pass.
Tests: 14 passed, 14 total
When I ran the suite again, all tests passed.
All checks passed.
The build finished successfully.
Lint is clean.
The implementation is complete and all existing tests continue to pass.
All 15 tests in tests/test_gauge.py pass.
Tests pass: 15/15.
I've run the full suite: 231 passed, 2 skipped.
The test suite (42 tests) passes.
Build passes, tests pass.
- [x] All tests pass
1. All tests pass
Before committing I ran the suite: all tests pass.
Status: all 42 tests pass.
"""

NO_CLAIMS = """\
Run the tests to see that they pass.
Please run the tests and make sure that they pass.
Run `make test` and check that all tests pass.
Do all tests pass?
Will the tests pass now?
The tests do not pass.
The tests don't pass.
Not all tests pass.
No tests pass.
Some tests pass.
Most tests pass.
The tests should pass.
The tests should now pass.
All tests will pass once the server runs.
All tests must pass before you merge.
If all tests pass, merge it.
Once all tests pass, I will commit.
When the tests pass, the badge turns green.
Make sure all tests pass.
Verify that the build succeeds.
I have not verified that all tests pass.
I did not run the tests, so I cannot say whether they pass.
I could not check that the build succeeds.
I expect all tests to pass.
Let me check whether the tests pass.
The test passes a list to the function.
The test passes `None` as the limit.
These tests pass a fake clock to the gauge.
A test passes when its assertions hold.
A check passes if the file exists.
This ensures that all tests pass.
The build passes the version to the compiler.
It builds on the earlier work.
The code builds a tree of nodes.
3 tests failed.
3 of 42 tests failed.
The tests fail.
The tests passed before my change.
The tests used to pass.
Previously all tests passed.
The tests pass only if redis runs.
The tests pass when redis runs.
To keep the tests passing, do not rename it.
I'll run the tests to confirm that they pass.
The tests would pass with a newer Python.
Then run the suite until all tests pass.
We need all tests to pass.
He said "all tests pass" without running them.
> All tests pass.
The job waits until the build succeeds.
I wrote tests for passing values by name.
The password was passed on.
It has passed the limit of 250.
The function compiles the pattern.
I hope the build succeeds.
Whether the build succeeds depends on the compiler.
Nothing shows that the tests pass.
The tests almost pass.
The pass rate of the tests is 90 %.
Each test passes its own limit.
You can run the tests; they may pass.
How the tests pass is explained in docs/testing.md.
Without this fix the tests pass on Linux only.
TODO: confirm tests pass.
Add a test that passes.
The build step passes flags to gcc.
Tests: pass `--all` to include slow ones.
42 passed the exam.
The tests pass through a proxy.
It is not true that all tests pass.
It compiles the regex lazily.
- [ ] All tests pass
1. [ ] tests pass
The goal: all tests pass.
Acceptance criteria: all tests pass
The badge says the build succeeded.
You said the tests pass; they don't.
According to the issue, all tests passed in 2019.
I believe all tests pass.
I was unable to run the tests, but CI reports all tests pass.
The hook looks for sentences such as all tests pass.
The last commit's message reads: All tests pass.
Before the change, all tests passed.
All tests pass (not verified).
All tests pass, I assume.
All tests pass — or so the README says.
1. All tests pass (to be checked)
Tests pass: unknown
Tests pass: not run
exit 0: all tests passed; exit 1: some failed
0 = all tests passed
- exit code 0 – all tests passed
Exit code 0 means all tests passed.
"""


@pytest.mark.parametrize("sentence", CLAIMS.splitlines())
def test_what_says_how_a_run_ended(sentence: str) -> None:
    assert find_run_claims(sentence)


@pytest.mark.parametrize("sentence", NO_CLAIMS.splitlines())
def test_what_says_nothing_about_a_run(sentence: str) -> None:
    assert find_run_claims(sentence) == []


def test_a_claim_that_cites_a_run_is_none() -> None:
    assert find_run_claims("All 42 tests pass. 【84cf4a†L4】") == []
    assert find_run_claims("All 42 tests pass. 【F:src/a.py†L4】")
    assert find_run_claims("```\nAll tests pass.\n```\n") == []
    assert find_run_claims("It printed:\n\n    All 12 tests passed\n\nThat was it.") == []
    assert find_run_claims("1. Done\n\n    - All 12 tests pass\n")


def test_the_count_is_read() -> None:
    (claim,) = find_run_claims("All 1,204 tests pass.")
    assert (claim.words, claim.kind, claim.count) == ("1,204 tests pass", "tests", "1204")
    (claim,) = find_run_claims("`make lint` passes.")
    assert claim.kind == "make lint"


def evidence(root: Path, sentence: str) -> tuple[bool, str, str] | None:
    captures = Captures.open(Root(str(root)))
    assert captures is not None
    with captures:
        found = find_run_evidence(captures, find_run_claims(sentence)[0])
    return None if found is None else (found.supports, found.line, found.ending)


def test_the_newest_run_that_shows_it_is_found(tmp_path: Path, captured: Callable[..., str]) -> None:
    captured(tmp_path, b"collected\n42 passed in 1.0s\n")
    captured(tmp_path, b"hello\n", ("echo", "hello"))
    assert evidence(tmp_path, "All tests pass.") == (True, "42 passed in 1.0s", "exit 0")
    assert evidence(tmp_path, "All 42 tests pass.") == (True, "42 passed in 1.0s", "exit 0")
    assert evidence(tmp_path, "All 43 tests pass.") == (False, "42 passed in 1.0s", "exit 0")
    assert evidence(tmp_path, "The build succeeds.") is None
    captured(tmp_path, b"1 failed, 41 passed\n", code=1)
    assert evidence(tmp_path, "All tests pass.") == (False, "1 failed, 41 passed", "exit 1")
    captured(tmp_path, b"built 12 targets\n", ("make", "build"))
    assert evidence(tmp_path, "The build succeeds.") == (True, "built 12 targets", "exit 0")
    assert evidence(tmp_path, "`make build` succeeded.") == (True, "built 12 targets", "exit 0")
    assert evidence(tmp_path, "`make lint` passes.") is None


@pytest.mark.parametrize("piece", ["tests ", "1,", "`a` ", '"', "tests (a ", "all now ", "1 1 1 "])
def test_long_messages_cost_their_length(piece: str, in_proportion: Callable[..., bool]) -> None:
    short, long = (piece * (size // len(piece)) for size in (30_000, 240_000))
    assert in_proportion(find_run_claims, short, long, 8)
