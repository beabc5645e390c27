"""
A claim says that something passes, and the cited output is of a command that failed.

Why: part of what a failing command prints looks as it does when all is well. Its exit code, which was recorded with the
output, says otherwise.

Example: `All 432 checks pass. 【a1b2c3†L9】` where the command that printed this line ended with exit code 3.

Remedy: say what failed, or run the command again until it succeeds and cite that run. A claim that gives only how many
passed (`431 checks pass`) holds, with a note. A text that also a successful run printed, or a run without a
known end, is not reported.
"""

import re

from ...core.model import Finding, Outcome, Severity

# The cited text was seen; that the command succeeded is not shown by it.
OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.WARNING

_SUCCESS = re.compile(
    # Examples: `the tests pass`, `successfully`.
    r"""
    \b(?:pass(?:es|ed|ing)?(?![ \t]+(?:the|an?|its?|to|through|over|via|as|`|-))
    |succeed(?:s|ed)?|successful(?:ly)?|green|ok)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RESERVED = re.compile(
    # Examples: `only`, `doesn't`.
    r"""
    \b(?:fail\w*|errors?|errored|except|but|not|never|no|exit\w*|non-?zero|broken|breaks?|crash\w*|abort\w*|only
    |until|
    before|if|should|\w+n['’]t)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WHOLE = re.compile(r"\b(?:all|every\w*|whole|entire|full|suite|build|green|ok|succe\w+)\b", re.IGNORECASE)
_NUMBER = re.compile("[0-9]")
_ALL = re.compile(r"\b(?:all|every\w*|whole|entire|full|suite|build)\b", re.IGNORECASE)
_TESTS = re.compile(r"\b(?:tests|checks|specs|suites?|cases|assertions|builds?|pipeline|ci)\b", re.IGNORECASE)


def says_all_pass(claim: str) -> bool:
    """Whether a claim says that all tests pass: so it does where it gives no number of them."""
    if not _SUCCESS.search(claim) or _RESERVED.search(claim):
        return False
    return _ALL.search(claim) is not None or (_TESTS.search(claim) is not None and not _NUMBER.search(claim))


def judge(claim: str, codes: list[int | None]) -> Finding | None:
    """What to say of a claim, and the exit codes of all that is cited for it; None for an unknown one."""
    failed = [code for code in codes if code]
    if not failed or len(failed) < len(codes) or not _SUCCESS.search(claim) or _RESERVED.search(claim):
        return None
    message = f"The command that printed the cited lines failed: exit code {failed[0]}"
    if _NUMBER.search(claim) and not _WHOLE.search(claim):
        return Finding("command-failed", Outcome.HOLDS, Severity.NOTE, message)
    return Finding("command-failed", OUTCOME, SEVERITY, message)
