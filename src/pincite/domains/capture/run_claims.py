"""Sentences that say how a run ended ("all 42 tests pass", "the build succeeds"), and the captured run that shows it.

Only plain statements about a run that took place count. Questions, orders, wishes, conditions, negations and what will
or should be are none; nor is a test that passes a value to a function.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ...text.markdown import fences
from ...text.sentences import split_sentences
from .view import command_line, describe_ending, find_matches, format_citation, last_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...store.captures import CapturedRun, Captures

_MOST_TEXT = 256 * 1024
"""Characters of a message that are looked at."""
_MOST_RUNS = 20
_MOST_OUTPUT = 4 * 1024 * 1024
"""Bytes of a run's output that are searched."""

_ADVERBS = r"(?:(?:now|all|still|again|also|both|currently|successfully)\s+)*"
_BEHIND = r"""
    (?=\s*(?:[.,;:!)\]*_—–✅✓🎉【(]|-{1,2}\s|\Z|\n
    |(?:and|but|now|again|locally|cleanly|successfully|without|too|so|after|under|afterwards|today|here|there)\b
    |with\s(?:no|zero|0|the\snew|this|these)\b|as\s(?:well|expected|before)\b
    |in\s(?:[0-9]|ci\b|both|all\b|under|about|less)|on\s(?:ci\b|all\b|both|python|linux|macos|windows)))
"""
"""What may follow the verb: not an object, since a test also passes values, and not a condition."""
_TESTS = rf"""
    (?:(?<![\w.,])(?P<count>[0-9][0-9,_]{{0,12}})\s+(?:\w+\s){{0,2}})?
    \b(?:tests?|test\s(?:suite|cases?|files?|run)|suites?|specs?|unit\stests|checks|assertions)
    (?:\s\([^()\n]{{1,40}}\)|\s(?:in|for|of|under)\s[^\s,;:]{{1,80}})?\s+{_ADVERBS}(?:continue(?:s|d)?\sto\s)?
    (?:pass|passes|passed|(?:are|is|were)\s+{_ADVERBS}(?:passing|green)|ha(?:ve|s)\spassed|succeed|succeeds|succeeded)
    {_BEHIND}
    |(?<![\w.,])(?P<bare>[0-9][0-9,_]{{0,12}})\s+(?:of\s[0-9]+\s)?(?:passed|passing){_BEHIND}
    |\b(?:tests?|suite)\s+{_ADVERBS}(?:run|runs|ran)\s+(?:green|clean|cleanly){_BEHIND}
"""
_BUILDS = rf"""
    \b(?:build|compilation|type[\s-]?check(?:s|ing|er)?|lint(?:s|er|ing)?|ci|pipeline|mypy|ruff|eslint|tsc|clippy)
    \s+{_ADVERBS}
    (?:succeeds|succeeded|passes|passed|ha(?:s|ve)\s(?:passed|succeeded)|pass
    |(?:is|are|was|were|comes\sback|came\sback)\s+{_ADVERBS}(?:green|clean|successful|passing)
    |finish(?:es|ed)\s(?:successfully|cleanly|without\serrors)|reports?(?:ed)?\sno\s(?:errors|issues|problems|warnings))
    {_BEHIND}
    |\b(?:project|code|crate|package|app|application|workspace|everything|it)\s+{_ADVERBS}
    (?:compile[sd]|builds|built)(?:\s(?:cleanly|successfully|fine|without\s(?:any\s)?(?:errors|warnings)))?
    (?=\s*(?:[.!)✅✓]|\Z|,?\s(?:and|but)\b))
"""
_COMMANDS = rf"""
    `(?P<command>[^`\n]{{1,120}})`\s+{_ADVERBS}(?:passes|passed|succeeds|succeeded|is\s+{_ADVERBS}(?:green|clean))
    {_BEHIND}
"""
_CLAIM = re.compile(
    # Examples: `All 42 tests pass`, `The build succeeded`, `` `make test` passes ``.
    rf"(?P<tests>{_TESTS})|(?P<build>{_BUILDS})|(?P<named>{_COMMANDS})",
    re.IGNORECASE | re.VERBOSE,
)
_RUNNER = re.compile(
    r"\b(?:test|tests|pytest|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest|cargo|go|make|ninja|gradle|mvn|npm|pnpm|yarn"
    r"|just|build|lint|mypy|ruff|tsc|eslint|check|unittest)\b",
    re.IGNORECASE,
)
_NOT_PLAIN = re.compile(
    # What makes the sentence no statement about a run that took place, wherever it stands before the claim.
    r"""
    \b(?:if|unless|until|whether|should|would|will|shall|must|may|might|could|ought|cannot|expect(?:s|ed)?|hope[sd]?|want
    |wants|needs?|require[sd]?|assum(?:e|es|ed|ing)|suppose[ds]?|please|let\sme|let's|let\sus|going\sto|try|likely
    |probably|presumably|ideally|unclear|unsure|so\sthat|ensur(?:e|es|ed|ing)|guarantee[sd]?|mak(?:e|es|ing)\ssure
    |previously|used\sto|formerly|supposedly|claim(?:s|ed)?|pretend(?:s|ed)?|imagine|in\stheory|todo|example|e\.g|how|why
    |can(?!\s(?:confirm|report))|waiting|wait|when(?:ever)?\sall|not\s(?:sure|certain|verified|checked|run)
    |believes?|thinks?|guess|unable|according\sto|such\sas|sa(?:ys|id)|reads|means|goals?|criteri(?:a|on)
    |before\s(?:the|my|this|these|your)\s(?:\w+\s)?(?:change|fix|commit|edit|patch|update|upgrade)s?
    |to\s(?:see|check|verify|confirm|ensure|prove|show|know|be\ssure|test|find\sout|make|get|keep))\b
    |^\W*(?:(?:exit|code|status|returns?)\s+)*`?(?:[0-9]+|success)`?\s*[=:—–-]   # a list of exit codes
    |(?:'|’)(?:ll|d)\b|\b(?:haven|hasn|didn|don|doesn|couldn|can|won|wasn|weren|isn|aren)['’]t\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CLAUSE_IS_NONE = re.compile(
    # The same within the clause of the claim alone.
    r"""
    \b(?:not|never|no|none|neither|nor|hardly|barely|nothing|few|some|most|half|only|almost|nearly|when|once|after|before
    |while|without|as\slong\sas|a|an|any|each|which|whose|fail(?:s|ed)?\sto)\b|n['’]t\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LATER = re.compile(
    r"""
    \s*(?:only\s)?(?:if|when|once|unless|until|whenever|before\s(?:the|my|this|i)\b|on\s(?:main|master)\b|upstream|last\s)
    |[\s,:;(—–-]*(?:not\s(?:verified|checked|confirmed|tested|run)|un(?:verified|checked|confirmed|tested|known)|pending
    |to\sbe\s|or\sso\s|i\s(?:assume|believe|think|guess|hope|expect|suppose)|presumably|probably|supposedly)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ORDER = re.compile(
    r"""[\s>*_#-]*(?:\d+[.)]\s+|\[[\ xX]?\]\s+)?(?:then\s|next,?\s|now\s|and\s|please\s)*
    (?:run|check|verify|confirm|see|rerun|re-run|wait|fix|ensure|repeat|test|assert|say|report|merge|ship|commit)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_OPEN_TASK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[\s?\]\s")
"""A box that is not ticked: `- [ ] All tests pass` is still to be done."""
_INDENTED_CODE = re.compile(r"(?:[ ]{4}|\t)\s*(?![-*+\s]|\d+[.)])")
_CLAUSE_END = re.compile(r"[,;:—–()]|\s(?:and|but|so|then|because|since)\s", re.IGNORECASE)
_CITED = re.compile(r"【[0-9a-f]{6,64}†")
_QUOTED = re.compile(r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”")
_PASSED_LINE = re.compile(
    r"\b[0-9][0-9,]*\s+(?:\w+\s+){0,2}(?:passed|passing|ok|succeeded)\b|^OK\b|\btest result: ok\b|^ok\s|^PASS\b"
    r"|\bpassed[ :=]+[0-9]|\b0 fail(?:ed|ures)\b",
    re.IGNORECASE,
)
_TEST_WORDS = re.compile(
    r"\b(?:test|tests|pytest|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest|unittest|check|checks)\b", re.IGNORECASE
)
_BUILD_WORDS = re.compile(
    r"\b(?:build|compile|make|ninja|cmake|gradle|mvn|tsc|cargo|lint|ruff|mypy|eslint|clippy|check)\b", re.IGNORECASE
)


class RunClaim(Struct, frozen=True):
    """A sentence that says how a run ended."""

    words: str
    kind: str
    """`tests`, `build`, or the command itself in the words of the sentence."""
    count: str = ""
    """The number that it names."""


class RunEvidence(Struct, frozen=True):
    """A captured run that a claim may be about, and the line that shows how it ended."""

    citation: str
    line: str
    run: str
    """The run's number and command."""
    ending: str
    supports: bool


def find_run_claims(text: str) -> list[RunClaim]:
    """The claims about runs in a message that cite no captured run, in order, each wording once."""
    text = _blank_fences(text[:_MOST_TEXT])
    found: dict[str, RunClaim] = {}
    for paragraph in re.split(r"\n[ \t]*\n", text):
        if _CITED.search(paragraph):
            continue
        for claim in _claims_of(paragraph):
            found.setdefault(claim.words.lower(), claim)
    return list(found.values())


def _blank_fences(text: str) -> str:
    parts, at = [], 0
    for region in fences(text):
        parts += [text[at : region.start], "\n\n"]
        at = region.end
    return "".join((*parts, text[at:]))


def _claims_of(paragraph: str) -> Iterator[RunClaim]:
    if _INDENTED_CODE.match(paragraph):
        return
    for line in paragraph.split("\n"):
        if line.lstrip().startswith(">") or _OPEN_TASK.match(line):
            continue
        for begin, end in split_sentences(line):
            sentence = line[begin:end]
            claim = None if sentence.rstrip("*_ ✅").endswith("?") else _read_claim(sentence)
            if claim is not None:
                yield claim


def _read_claim(sentence: str) -> RunClaim | None:
    if _ORDER.match(sentence):
        return None
    quoted = [match.span() for match in _QUOTED.finditer(sentence)]
    for match in _CLAIM.finditer(sentence):
        if any(start <= match.start() < end for start, end in quoted):
            continue
        if match["command"] and not _RUNNER.search(match["command"]):
            continue
        if not _is_plain(sentence, match):
            continue
        count = match["count"] or match["bare"] or ""
        kind = "tests" if match["tests"] else "build" if match["build"] else match["command"]
        return RunClaim(" ".join(match[0].split()).strip(" *_"), kind, re.sub(r"[,_]", "", count))
    return None


def _is_plain(sentence: str, match: re.Match[str]) -> bool:
    before = sentence[: match.start()]
    clause = before
    for end in _CLAUSE_END.finditer(before):
        clause = before[end.end() :]
    if _NOT_PLAIN.search(before) or _CLAUSE_IS_NONE.search(clause) or _NOT_PLAIN.search(match[0]):
        return False
    return not _LATER.match(sentence, match.end())


def find_run_evidence(captures: Captures, claim: RunClaim) -> RunEvidence | None:
    """The newest captured run that a claim may be about; None where there is none. Raises StoreTrouble."""
    from ...store.captures import FROM_TEAM

    for run in captures.runs(_MOST_RUNS):
        if run.state != "ended" or run.origin == FROM_TEAM or not _is_about(run, claim):
            continue
        evidence = _read_evidence(captures, run, claim)
        if evidence is not None:
            return evidence
    return None


def _is_about(run: CapturedRun, claim: RunClaim) -> bool:
    command = " ".join(run.command)
    if claim.kind == "tests":
        return True
    if claim.kind == "build":
        return bool(_BUILD_WORDS.search(command))
    return " ".join(claim.kind.split()) in command


def _read_evidence(captures: Captures, run: CapturedRun, claim: RunClaim) -> RunEvidence | None:
    chunks = captures.chunks(run.id)
    if not chunks or sum(chunk.length for chunk in chunks) > _MOST_OUTPUT:
        return None
    place = None
    counted = not claim.count
    if claim.kind == "tests":
        for match in find_matches(captures, chunks, _PASSED_LINE):
            for number, line in enumerate(match.lines, match.first):
                has_count = bool(claim.count) and re.search(rf"(?<![\d.]){claim.count}(?![\d.])", line.replace(",", ""))
                if has_count or not (counted and claim.count):
                    place = (match.digest, number, line)
                    counted = counted or bool(has_count)
        if place is None and not _TEST_WORDS.search(" ".join(run.command)):
            return None
    if place is None:
        last = last_lines(captures, run.id, 1)
        if last is None:
            return None
        place = (last.digest, last.last, last.lines[-1])
        counted = counted and claim.kind != "tests"
    citation = format_citation(captures, place[0], place[1], place[1])
    supports = run.code == 0 and counted
    name = f"run {run.id} ({command_line(run)})"
    return RunEvidence(citation, place[2].strip(), name, describe_ending(run), supports)
