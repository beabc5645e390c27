"""Figures of claims beside the output that is cited for them: alarms that must come, and those that must not."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checks import CheckedCitation
from pincite.checks.output._figures import ShownFigures, find_claimed_figures
from pincite.checks.output.figure_not_found import FigureComparison
from pincite.core.model import Citation, Finding, Lines, Malformed, Obstacle, Outcome, Severity, SourceRef
from pincite.dialects import bracket
from pincite.text.document import Document
from pincite.text.evidence import CaptureRecord, Evidence

PYTEST = (
    "collected 212 items\n"
    "tests/test_a.py ......F. [ 97%]\n"
    "211 passed, 1 failed, 3 warnings in 3.42s\n"
    "wrote 1,234 records (1.17 MB) to out.db\n"
    "coverage 87.46 of 100\n"
    "real 1m23.4s\n"
    "two files skipped\n"
    "delta -17\n"
    "took 3170 ms, 12 345 678 steps, ratio 0.853\n"
    "chunk 5 of 0:02:05\n"
)
FILE = "limit = 640\nretries = 9\n"


def rows_of(text: str, outputs: dict[str, str] | None = None) -> tuple[Document, list[CheckedCitation]]:
    """The citations of a text, each with its evidence: the output above, whatever its id, or the file."""
    document = Document("x.md", text)
    known = {"aaaaaa": PYTEST, **(outputs or {})}
    kept = {key: _evidence("chunk", key, value) for key, value in known.items()}
    rows: list[CheckedCitation] = []
    for item in bracket.extract(document):
        if isinstance(item, Malformed):
            continue
        if item.source.scheme == "file":
            rows.append(CheckedCitation(item, _evidence("file", item.source.key, FILE)))
        else:
            rows.append(CheckedCitation(item, kept.get(item.source.key) or Obstacle("command-not-captured")))
    return document, rows


def _evidence(scheme: str, key: str, text: str) -> Evidence:
    found = Evidence(SourceRef(scheme, key), text.encode(), text.splitlines())
    found.record = CaptureRecord() if scheme == "chunk" else None
    return found


def findings(text: str, outputs: dict[str, str] | None = None) -> list[Finding]:
    """Everything said about the figures of a text."""
    document, rows = rows_of(text, outputs)
    FigureComparison(document).compare(rows)
    return [finding for row in rows for finding in row.findings]


def missing(claim: str, lines: str = "L1-L10") -> str:
    """The figures that are said to be missing, as the message names them; empty where none is."""
    found = findings(f"{claim} 【aaaaaa†{lines}】")
    assert len(found) <= 1
    return found[0].message.partition(" not in the cited lines")[0].rsplit(" ", 1)[0] if found else ""


@pytest.mark.parametrize(
    ("claim", "figures"),
    [
        ("All 210 tests pass.", "210"),
        ("210 passed and 2 failed in 3.42 s.", "210, 2"),
        ("It collects **213** items.", "213"),
        ('It says "213 items".', "213"),
        ("It says `213 passed`.", "213"),
        ("It says `213 passed, 1 failed in 3.42s`.", "213"),
        ("The run took 3.5 s.", "3.5"),
        ("The run took 4.42s.", "4.42"),
        ("The run took 3.420001 s.", "3.420001"),
        ("Coverage is 88 %.", "88%"),
        ("Coverage is 87.4%.", "87.4%"),
        ("Coverage is 87.6%.", "87.6%"),
        ("It wrote 1,235 records.", "1,235"),
        ("It wrote 1 235 records.", "1 235"),
        ("It wrote 1_235 records.", "1_235"),
        ("It wrote 1.5 MB.", "1.5"),
        ("It wrote 1.3k records.", "1.3"),
        ("It did 13 million steps.", "13"),
        ("It took 84 s.", "84"),
        ("It fell by 18.", "18"),
        ("It changed by -18.", "18"),
        ("It changed by −18.", "18"),
        ("210/212 tests pass.", "210"),
        ("210 of 213 tests pass.", "210, 213"),
        ("About 300 tests pass.", "300"),
        ("~300 tests pass.", "300"),
        ("4 warnings are left (see below).", "4"),
        ("In CI 213 tests pass.", "213"),
        ("On Python 3.12, 213 tests pass.", "213"),
        ("With 9 workers, 213 tests pass.", "213"),
        ("With exit code 0, 213 tests pass.", "213"),
        ("In step 99 and 213 more.", "213"),
        ("It did 13 345 678 steps.", "13 345 678"),
        ("~~212~~ 213 tests pass.", "213"),
        ("- 213 tests pass", "213"),
        ("1. 213 tests pass", "213"),
        ("| run | 213 pass", "213"),
        ("# 213 tests pass", "213"),
        ("Fine. 213 tests pass.", "213"),
        ("Overhead is 1.4×.", "1.4"),
        ("It took 2e7 steps.", "2e7"),
        ("Nearly 60 files are skipped; 213 pass.", "60, 213"),
        ("[213 tests](https://example.org/7) pass.", "213"),
        ("See the log: 213 tests pass.", "213"),
        ("> 213 tests pass", "213"),
    ],
)
def test_a_figure_that_is_not_there(claim: str, figures: str) -> None:
    assert missing(claim) == figures


@pytest.mark.parametrize(
    "claim",
    [
        *("212 items are collected.", "**211** passed.", "211 passed, 1 failed, 3 warnings.", "It says `211 passed`."),
        *("It took 3.42 s.", "It took 3.4 s.", "It took 3.420 s.", "It took 3 s.", "It took 3 seconds."),
        *("It took 3.2 s per step.", "It took 3170 ms.", "It took 83.4 s.", "It took 1.4 minutes.", "It took 125 s."),
        *("1234 records.", "1 234 records.", "1_234 records.", "1.2k records.", "1.2 MB written.", "1.17 MiB written."),
        *(
            "Coverage is 87.46 %.",
            "Coverage is 87.5%.",
            "Coverage is 87 %.",
            "It is 85.3 % of it.",
            "It is 85 percent.",
        ),
        *("It changed by -17.", "It changed by −17.", "It fell by 17.", "12,345,678 steps.", "12.3 million steps."),
        *(
            "About 210 tests pass.",
            "~200 tests pass.",
            "2 files are skipped.",
            "10 lines are printed.",
            "211/212 pass.",
        ),
        *("0 errors remain.", "100 % of it is green.", "211 of 212 pass.", "Ratio 0.85.", "3,42 s were enough."),
    ],
)
def test_a_figure_that_is_there(claim: str) -> None:
    assert missing(claim) == ""


@pytest.mark.parametrize(
    "claim",
    [
        *(
            "It ran on 2026-11-16.",
            "It ran on 16.11.2026.",
            "It ran on 16 November 2026.",
            "It ran on November 16, 2026.",
        ),
        *(
            "It ran at 14:31.",
            "It ran at 9 pm.",
            "Since 2024, nothing fails.",
            "It is old (2019).",
            "In March 2025 it ran.",
        ),
        *("Python 3.14 passes.", "It passes on Python 3.13 and 3.14.", "pytest 8 is used.", "`pytest` 8 is used."),
        *(
            "It is v2.1.",
            "It is 2.1.7.",
            "It needs Foo 4.4.",
            "It is version 44.",
            "Node 20 is used.",
            "HTTP/2 is used.",
        ),
        *(
            "It closes #45.",
            "It closes issue 45.",
            "See PR 45.",
            "GH-45 is closed.",
            "Step 45 passes.",
            "RFC 4545 holds.",
        ),
        *("See line 45.", "See lines 45 and 46.", "See lines 45, 46.", "See L45.", "See L45-L46.", "Table 45 says so."),
        *("The 45th run passes.", "It is 64-bit.", "A 45-line file.", "It is utf8 and x86_64.", "sha256 and py311."),
        *("Commit 45afc3 passes.", "It is in `src/a45.py`.", "It is in src/45/a.py.", "See https://example.org/45."),
        *("See [it](docs/45.md).", "It listens on localhost:4545.", "It listens on port 4545.", "Runs with `-n 45`."),
        *(
            "It exits with 45.",
            "The exit code is 45.",
            "Exit status 45.",
            "It was killed by signal 45.",
            "Error 404 is gone.",
        ),
        *("Runs with --jobs 45 now.", "With 45 workers it passes.", "The first 45 lines.", "(1) it passes, (45) too."),
        *(
            "As said [45].",
            "As said [^45].",
            "More than 45 pass.",
            "At least 45 pass.",
            "Under 45 s.",
            "<45 s.",
            "Up to 45 MB.",
        ),
        *(
            "Between 45-46 s.",
            "45–46 tests.",
            "It runs 24/7.",
            "It costs $45.",
            "Three of four pass.",
            "Variable x=45.",
        ),
        *("Set `limit = 45`.", "It is 45 there. Nothing fails.", "45\n\nNothing fails.", "- 45\n- Nothing fails."),
        *(
            "| 45 | nothing fails",
            "```\n45\n```\nNothing fails.",
            "45 【F:a.py†L99】 nothing fails.",
            "seed 45 is used.",
            "第45行。",
        ),
    ],
)
def test_what_is_no_figure(claim: str) -> None:
    assert missing(claim) == ""


SUMMARY = {"bbbbbb": "211 passed, 1 failed, 3 skipped in 3.42s\ncoverage: 87%\nused 12.5 MB\n"}


@pytest.mark.parametrize(
    "claim",
    [
        *(
            "0 tests failed.",
            "0 failures.",
            "`0` failures.",
            "Failures: 0.",
            "No tests failed.",
            "There are no failures.",
        ),
        *("Zero failures.", "Coverage is 0%.", "0 tests passed."),
    ],
)
def test_none_is_compared_like_any_figure(claim: str) -> None:
    assert len(findings(f"{claim} 【bbbbbb†L1-L3】", SUMMARY)) == 1


@pytest.mark.parametrize("claim", ["0 errors.", "No warnings.", "0% of the time is lost.", "Zero errors remain."])
def test_none_of_what_no_line_speaks_of_is_not_missed(claim: str) -> None:
    assert findings(f"{claim} 【bbbbbb†L1-L3】", SUMMARY) == []


@pytest.mark.parametrize(
    "claim", ["It took 3.42 minutes.", "It took 3.42 ms.", "It used 12.5 GB.", "It used 87 MB.", "It took 87 seconds."]
)
def test_a_figure_with_another_unit_is_another(claim: str) -> None:
    assert len(findings(f"{claim} 【bbbbbb†L1-L3】", SUMMARY)) == 1


@pytest.mark.parametrize(
    "claim", ["It took 3420 ms.", "It took 0.057 minutes.", "It used 12500 KB.", "It used 12.5 MiB."]
)
def test_a_unit_may_be_written_as_another(claim: str) -> None:
    assert findings(f"{claim} 【bbbbbb†L1-L3】", SUMMARY) == []


@pytest.mark.parametrize(
    ("claim", "is_there"),
    [
        *(("`450` tests pass.", False), ("４５０ tests pass.", False), ("450tests pass.", False)),
        *(("Four hundred fifty tests pass.", False), ("Four hundred and fifty tests pass.", False)),
        *(("Two tests failed.", False), ("`211` tests pass.", True), ("２１１ tests pass.", True)),
        *(("211tests pass.", True), ("Two hundred and eleven tests pass.", True), ("One test failed.", True)),
    ],
)
def test_numbers_are_read_however_they_are_written(claim: str, is_there: bool) -> None:
    assert (findings(f"{claim} 【bbbbbb†L1-L3】", SUMMARY) == []) is is_there


@pytest.mark.parametrize(
    "claim", ["211 tests failed.", "3 tests failed.", "1 test passed.", "Failed: 211.", "211 of 211 tests failed."]
)
def test_a_number_of_something_else_is_not_the_one(claim: str) -> None:
    assert len(findings(f"{claim} 【bbbbbb†L1-L3】", SUMMARY)) == 1


def test_what_several_runs_count_may_be_added_up() -> None:
    two = {"bbbbbb": "200 passed\n232 passed\nall 432 done\n"}
    assert findings("432 tests pass. 【bbbbbb†L1-L3】", two) == []
    assert len(findings("433 tests pass. 【bbbbbb†L1-L3】", two)) == 1


def said_of_a_failed_run(claim: str, code: int | None) -> list[tuple[str, Outcome]]:
    document, rows = rows_of(f"{claim} 【bbbbbb†L1】", {"bbbbbb": "432 checks, exit 3\n"})
    assert isinstance(rows[0].evidence, Evidence)
    rows[0].evidence.record = CaptureRecord(code=code)
    FigureComparison(document).compare(rows)
    return [(finding.check, finding.outcome) for finding in rows[0].findings]


def test_a_failed_command_does_not_show_that_all_passes() -> None:
    for claim in ("All 432 checks pass.", "The suite passes.", "The build is green.", "Everything succeeds."):
        assert said_of_a_failed_run(claim, 3) == [("command-failed", Outcome.UNCHECKED)], claim
    assert said_of_a_failed_run("432 checks pass.", 3) == [("command-failed", Outcome.HOLDS)]


def test_nothing_is_said_of_other_claims_and_runs() -> None:
    for claim in ("432 checks pass, but the run fails.", "It passes the flag on.", "It prints 432."):
        assert said_of_a_failed_run(claim, 3) == [], claim
    for code in (0, None):
        assert said_of_a_failed_run("All 432 checks pass.", code) == []


def test_the_message_says_what_the_lines_hold() -> None:
    (found,) = findings("All 212 pass. 【aaaaaa†L3】")
    assert found.message == "212 is not in the cited lines (L3 holds: 211, 1, 3, 3.42)"
    assert (found.outcome, found.severity) == (Outcome.UNCHECKED, Severity.WARNING)
    (found,) = findings("All 213 pass. 【aaaaaa†L1-L2】")
    assert found.message == "213 is not in the cited lines (L1-L2 hold: 212, 97)"
    (found,) = findings("All 213 pass. 【aaaaaa†L7】")
    assert found.message == "213 is not in the cited lines (L7 holds no figure)"


def test_a_message_stays_short() -> None:
    (found,) = findings(
        "Found " + " ".join(f"{n} a," for n in range(50, 99)) + " 【bbbbbb†L1】", {"bbbbbb": "7" * 9999}
    )
    assert "50, 51, 52, 53, 54, 55, … are not" in found.message
    assert len(found.message) < 200


def test_a_chain_shares_its_claim() -> None:
    other = {"bbbbbb": "built 40 parts\n"}
    assert findings("211 pass in 40 parts. 【aaaaaa†L3】【bbbbbb†L1】", other) == []
    assert findings("211 pass in 40 parts. 【aaaaaa†L3】\n【bbbbbb†L1】", other) == []
    assert findings("211 pass in 40 parts. 【aaaaaa†L3】, 【bbbbbb†L1】", other) == []
    assert findings("211 pass in 40 parts. 【aaaaaa†L3】 and 【bbbbbb†L1】", other) == []
    assert findings("211 pass with a limit of 640. 【F:a.py†L1】【aaaaaa†L3】") == []
    assert len(findings("211 pass in 41 parts. 【aaaaaa†L3】【bbbbbb†L1】", other)) == 1


def test_the_finding_is_on_the_first_chunk_of_the_chain() -> None:
    document, rows = rows_of("213 pass. 【F:a.py†L1】【aaaaaa†L3】【aaaaaa†L1】")
    FigureComparison(document).compare(rows)
    assert [len(row.findings) for row in rows] == [0, 1, 0]


def test_two_chains_in_one_sentence_have_a_part_each() -> None:
    document, rows = rows_of("213 pass 【aaaaaa†L3】 and 1 fails. 【aaaaaa†L3】")
    FigureComparison(document).compare(rows)
    assert [len(row.findings) for row in rows] == [1, 0]


def test_a_blank_line_parts_a_chain() -> None:
    other = {"bbbbbb": "built 40 parts\n"}
    assert len(findings("40 parts pass. 【aaaaaa†L3】\n\n【bbbbbb†L1】", other)) == 1


@pytest.mark.parametrize(
    "after",
    ["【cccccc†L1】", " 【cccccc†L1】", "【4:0†source】", "【gone†L1】", "【abc12†L1】", " 【no/file.py†all】"],
)
def test_with_part_of_the_evidence_unknown_nothing_is_said(after: str) -> None:
    assert findings(f"213 tests pass. 【aaaaaa†L3】{after}") == []


def test_a_worse_finding_is_enough() -> None:
    document, rows = rows_of("213 tests pass. 【aaaaaa†L3】")
    rows[0].findings = (Finding("blank-range", Outcome.UNCHECKED, Severity.WARNING, ""),)
    FigureComparison(document).compare(rows)
    assert len(rows[0].findings) == 1


def test_a_note_does_not_silence_it() -> None:
    document, rows = rows_of("213 tests pass. 【aaaaaa†L3】")
    rows[0].findings = (Finding("external-id", Outcome.HOLDS, Severity.NOTE, ""),)
    FigureComparison(document).compare(rows)
    assert [finding.check for finding in rows[0].findings] == ["external-id", "figure-not-found"]


def test_files_alone_are_not_compared() -> None:
    assert findings("The limit is 641. 【F:a.py†L1】") == []


def test_a_citation_without_lines_may_hold_anything() -> None:
    document, rows = rows_of("213 tests pass. 【aaaaaa†L3】")
    citation = rows[0].citation
    whole = Citation(citation.dialect, citation.span, citation.raw, citation.source)
    rows = [CheckedCitation(whole, rows[0].evidence)]
    FigureComparison(document).compare(rows)
    assert rows[0].findings == ()


def test_very_much_cited_text_is_not_searched() -> None:
    assert findings("213 tests pass. 【bbbbbb†L1-L2】", {"bbbbbb": "x 1\n" + "y" * 300_000}) == []


def test_many_chains_cost_no_more_than_their_number() -> None:
    def spent(count: int) -> float:
        document, rows = rows_of("213 tests pass 【aaaaaa†L3】 and so " * count)
        document.prose  # noqa: B018 - worked out once, and not what is measured
        start = process_time()
        FigureComparison(document).compare(rows)
        assert sum(len(row.findings) for row in rows) == count
        return process_time() - start

    # The best of three: a busy machine makes a run longer and never shorter.
    many, few = (min(spent(count) for _ in range(3)) for count in (5000, 500))
    assert many < 40 * few


def seconds(text: str) -> float:
    """What comparing thirty such claims costs, at best."""
    spent = []
    for _ in range(4):
        document, rows = rows_of(f"{text} 7 【aaaaaa†L3】\n\n" * 30)
        start = process_time()
        FigureComparison(document).compare(rows)
        spent.append(process_time() - start)
    return min(spent)


@pytest.mark.parametrize(
    "piece",
    [
        "<!--",
        "【a†",
        "1,",
        "1 ",
        "1 234 ",
        "a.b. ",
        "a. A",
        "|",
        "9",
        "](",
        "~~",
        "~~1 ",
        "1/",
        "<br",
        "*",
        ">",
        "`1 a",
    ],
)
def test_time_grows_with_the_claim_and_no_faster(piece: str) -> None:
    few = 240 // len(piece)
    assert seconds(piece * few * 8) < 32 * seconds(piece * few)


def test_a_long_quote_in_code_is_read_once() -> None:
    assert seconds("`1 " + "a, " * 24 + "!`") < 40 * seconds("`1 a, a, !`")


@given(st.text(alphabet="0123456789.,'_ eE+-−/%~<>abkmMsxGB:()[]\n", max_size=60))
def test_what_is_claimed_and_shown_alike_is_there(text: str) -> None:
    shown = ShownFigures([text])
    assert [figure.raw for figure in find_claimed_figures(text) if not figure.implied and not shown.has(figure)] == []


@given(st.text(max_size=80), st.text(max_size=80))
def test_nothing_ever_raises(claim: str, output: str) -> None:
    findings(f"{claim} 【bbbbbb†L1】", {"bbbbbb": output + "\nx"})
    assert isinstance(ShownFigures([output]).raw, tuple)


@given(st.integers(1, 10**9), st.sampled_from([",", "_", " ", "'"]))
def test_separators_of_thousands_do_not_matter(number: int, mark: str) -> None:
    written = f"{number:,}".replace(",", mark)
    for claim, output in ((written, str(number)), (str(number), written)):
        (figure,) = find_claimed_figures(f"exactly {claim} things")
        assert ShownFigures([f"got {output} things"]).has(figure)
        assert not ShownFigures([f"got {number + 1} things"]).has(figure) or number < 1000


def test_lines_that_are_cited_are_read_once() -> None:
    document, rows = rows_of("213 pass. 【aaaaaa†L3】 And 214 too. 【aaaaaa†L3】")
    assert rows[0].citation.lines == Lines(3, 3)
    FigureComparison(document).compare(rows)
    assert [len(row.findings) for row in rows] == [1, 1]


@pytest.mark.parametrize(
    "claim",
    [
        "All tests pass.",
        "The test suite passes.",
        "Tests pass.",
        "Every test passed.",
        "All 211 tests pass.",
        "The build succeeded.",
        "CI is green.",
    ],
)
def test_all_pass_is_not_shown_by_lines_that_count_failures(claim: str) -> None:
    assert missing(claim, "L3") == "0 failed (all pass)"


@pytest.mark.parametrize(
    "claim",
    [
        "All tests pass but one.",
        "211 tests pass.",
        "Not all tests pass.",
        "All tests pass except for one.",
        "It passes.",
    ],
)
def test_a_claim_that_does_not_say_that_all_pass(claim: str) -> None:
    assert missing(claim, "L3") == ""


def test_all_pass_is_shown_by_lines_without_failures() -> None:
    outputs = {"bbbbbb": "432 passed in 3.42s\n12 passed; 0 failed\n"}
    assert findings("All tests pass. 【bbbbbb†L1】", outputs) == []
    assert findings("All tests pass. 【bbbbbb†L1-L2】", outputs) == []


@pytest.mark.parametrize(
    "claim",
    [
        "テストは421件成功した。",
        "テストは４２１件成功した。",
        "테스트 421건이 통과했다.",
        "421个测试通过。",
        "<b>421</b> tests pass.",
        "421widgets were made.",
    ],
)
def test_a_figure_beside_unspaced_letters_or_tags_is_compared(claim: str) -> None:
    assert missing(claim) == "421"


@pytest.mark.parametrize(
    "claim",
    [
        "テストは211件成功した。",
        "2024年3月5日に211件成功した。",
        "211個のテストが3.42秒で成功した。",
        "ステップ9では211件成功した。",
        "10行目を見よ。",
        "第9章",
        "<b>211</b> tests pass.",
        "1,234records were written.",
    ],
)
def test_figures_and_places_beside_unspaced_letters_that_are_no_alarm(claim: str) -> None:
    assert missing(claim) == ""


def test_a_difference_is_not_shown_by_a_value() -> None:
    outputs = {"bbbbbb": "TOTAL coverage 87.5%\n", "cccccc": "coverage fell by 87.5 points\nmean 3.4 s, 2.1x\n"}
    (found,) = findings("Coverage is 87.5 points lower. 【bbbbbb†L1】", outputs)
    assert found.message.startswith("87.5 (as a difference) is not in the cited lines")
    assert findings("Coverage is 87.5 %. 【bbbbbb†L1】", outputs) == []
    assert findings("Coverage is 87.5 points lower. 【cccccc†L1】", outputs) == []
    assert findings("It is 2.1x faster. 【cccccc†L2】", outputs) == []
