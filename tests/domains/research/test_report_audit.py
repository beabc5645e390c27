"""Audits of reports: which sentences are grounded, and how the others are marked."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.domains.research.kept_edits import seal
from pincite.domains.research.model import Details, GroundedClaim, SeenEvidence, ValidatedCitation
from pincite.domains.research.report_audit import (
    GROUNDED,
    READER,
    UNCITED,
    UNSUPPORTED,
    AuditEvidence,
    ReportAudit,
    audit,
    mark,
)
from pincite.domains.research.report_writer import render_markdown
from pincite.domains.research.sentences import ReportReading
from pincite.judge.model import Assessment, QuotedEvidence

EXAMPLES = int(os.environ.get("PINCITE_EXAMPLES", "40"))
A, B, C = "https://a.example.org/one", "https://b.example.org/two", "https://c.example.org/rejected"


class Verbatim:
    """A judge for whom only the words of the quote count."""

    name = "verbatim"

    def __init__(self) -> None:
        self.asked = 0

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        self.asked += 1
        text = evidence if isinstance(evidence, str) else evidence.text
        words = re.findall(r"\w+", claim.casefold())
        there = re.findall(r"\w+", text.casefold())
        if " ".join(words) in " ".join(there):
            return Assessment("high", "stated", 1.0, (), self.name)
        # The text of a link at the end may be one letter.
        if len(words) > 4 and " ".join(words[:-1]) in " ".join(there):
            return Assessment("medium", "implied", 0.7, (), self.name)
        return Assessment("low", "not shown", 0.0, (), self.name)

    def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
        return [self.assess(claim, evidence) for claim, evidence in pairs]


def citation(url: str, quote: str, validated: bool = True, final: str = "", title: str = "Page") -> ValidatedCitation:
    details = Details(True, True, True, "2026-01-02", "Ada", True, True)
    reason = None if validated else "credibility 3 is below 5"
    return ValidatedCitation(
        "c",
        quote,
        url,
        "primary",
        title,
        "2026-08-31",
        validated,
        9,
        details,
        reason,
        evidence=SeenEvidence(final_url=final),
    )


CITATIONS = (
    citation(A, "WebAssembly currently supports C, C++, Rust, and AssemblyScript."),
    citation(
        B, "Rust was first released in 2015 by Mozilla.", final="https://b.example.org/moved/", title="A page about it"
    ),
    citation(C, "Go is a language.", validated=False),
    citation(A, "The sandbox limits memory access."),
)
CLAIMS = (
    GroundedClaim(1, "WebAssembly supports 4 languages", 1, A, CITATIONS[0].quote, "high"),
    GroundedClaim(
        2, "Rust appeared in 2015", 2, B, CITATIONS[1].quote, "medium", attested="attested by Bo on 2026-01-01"
    ),
    GroundedClaim(
        3, "Memory access is limited by the sandbox. It cannot be widened.", 4, A, CITATIONS[3].quote, "medium"
    ),
    GroundedClaim(4, "Go is a language.", 3, C, "Go is a language.", "high"),
)
PAGES = {A: ("Modules run in browsers. Every module is validated before it runs. Nothing else happens.",)}
GROUNDS = AuditEvidence(CLAIMS, CITATIONS, PAGES.get)


def cases() -> list[tuple[str, str, list[tuple[str, int | None, str]]]]:
    text = (Path(__file__).parent / "audit_cases.txt").read_text(encoding="utf-8")
    found = []
    for part in text.split("=== ")[1:]:
        name, _, rest = part.partition("\n")
        report, _, expected = rest.rpartition("---\n")
        rows = []
        for line in expected.strip().splitlines():
            state, _, said = line.partition(" | ")
            word, _, number = state.partition(" ")
            rows.append((word, int(number) if number else None, said))
        found.append((name, report, rows))
    return found


CASES = cases()


@pytest.mark.parametrize(("name", "report", "expected"), CASES, ids=[case[0] for case in CASES])
def test_every_sentence_is_traced(name: str, report: str, expected: list[tuple[str, int | None, str]]) -> None:
    found = audit(report, GROUNDS, Verbatim(), "medium")
    assert [(one.state, one.text) for one in found.sentences] == [(state, text) for state, _, text in expected]
    for one, (_, number, _) in zip(found.sentences, expected, strict=True):
        assert number is None or one.citation_id == number
        assert (one.state == GROUNDED) == (one.level in ("high", "medium"))
        assert one.state == GROUNDED or one.remedy
        assert report[one.start : one.end].split()[0] in report
    assert found.ok == (bool(expected) and all(state == GROUNDED for state, _, _ in expected))


def test_most_cases_are_not_grounded() -> None:
    bad = sum(any(state != GROUNDED for state, _, _ in rows) or not rows for _, _, rows in CASES)
    assert len(CASES) >= 40 and bad / len(CASES) >= 0.6


@pytest.mark.parametrize(
    ("grounded", "loose", "said", "ok"),
    [
        (3, 0, "100 %", True),
        (999, 1, "99.9 %", False),
        (9999, 1, "99.9 %", False),
        (1, 2, "33.3 %", False),
        (0, 1, "0 %", False),
    ],
)
def test_grounding_is_never_rounded(grounded: int, loose: int, said: str, ok: bool) -> None:
    one = audit("Rust is loved by all.", AuditEvidence(), Verbatim()).sentences[0]
    found = ReportAudit((*[replace(one, state=GROUNDED)] * grounded, *[replace(one, state=UNCITED)] * loose))
    assert (found.percentage, found.ok) == (said, ok)


def test_nothing_claimed_is_not_all_grounded() -> None:
    found = audit("# Title\n", GROUNDS, Verbatim())
    assert (found.total, found.ok, found.percentage) == (0, False, "nothing claimed")


def test_an_uncited_claim_is_told_what_to_cite() -> None:
    found = audit("Rust appeared in 2015.", GROUNDS, Verbatim()).sentences[0]
    assert found.state == UNCITED and B in found.remedy and "claim 2" in found.remedy


def test_reasons_name_what_is_wrong_with_a_source() -> None:
    found = audit(f"It is new. [1](https://x.example.org/) [3]({C}) [8]", GROUNDS, Verbatim()).sentences[0]
    assert [reason.rule for reason in found.reasons] == [
        "source-not-listed",
        "source-never-validated",
        "citation-rejected",
    ]
    assert "credibility 3 is below 5" in found.reasons[2].text


def test_a_restated_claim_keeps_who_vouches_for_it() -> None:
    found = audit(f"Rust appeared in 2015. [2]({B})", GROUNDS, Verbatim()).sentences[0]
    assert (found.claim_id, found.level, found.attested) == (2, "medium", "attested by Bo on 2026-01-01")


def test_a_restated_claim_needs_no_judge() -> None:
    judge = Verbatim()
    audit(f"Rust appeared in 2015. [2]({B})", GROUNDS, judge)
    assert judge.asked == 0


def test_lines_are_counted_with_any_line_end() -> None:
    found = audit("# T\r\n\r\nRust is loved.\r\n\r\nGo is loved.\r", GROUNDS, Verbatim())
    assert [one.line for one in found.sentences] == [3, 5]


def test_marking_adds_nothing_but_marks() -> None:
    report = (
        f"# T\r\n\r\nRust is loved. [9](https://x.org/) Rust appeared in 2015. [2]({B})\r\n\r\n- **Go is loved.**\r\n"
    )
    marked = mark(report, audit(report, GROUNDS, Verbatim()))
    assert marked == (
        f"# T\r\n\r\nRust is loved. [9](https://x.org/) [citation needed] Rust appeared in 2015. [2]({B})\r\n\r\n"
        "- **Go is loved.** [citation needed]\r\n"
    )


PARTS = st.sampled_from(
    [
        *(
            "Rust is loved. ",
            "Rust appeared in 2015. ",
            f"[2]({B}) ",
            "[1]",
            "**",
            "_",
            "`",
            "```\n",
            "\n",
            "\n\n",
            "- ",
            "> ",
            "| ",
        ),
        *(
            "|---|\n",
            "# Head\n",
            "[citation needed]",
            " ",
            "(Source: x) ",
            "[^1]",
            "[^1]: https://x.org\n",
            "https://x.org ",
            "<!-- ",
        ),
        *(
            "-->",
            "## Sources\n",
            "1. ",
            "\r\n",
            "---\n",
            "。",
            "Is it so? ",
            "\\",
            "[a](",
            ")",
            "[",
            "]",
            "\0",
            "\u2028",
            "Sie: ja",
        ),
    ]
)


@given(st.lists(PARTS, max_size=25).map("".join))
@settings(max_examples=3 * EXAMPLES, deadline=None)
def test_any_report_can_be_audited_and_marking_it_twice_changes_nothing(report: str) -> None:
    found = audit(report, GROUNDS, Verbatim())
    for one in found.sentences:
        assert 0 <= one.start < one.end <= one.tail <= len(report)
        assert one.state in (GROUNDED, READER, UNSUPPORTED, UNCITED)
    marked = mark(report, found)
    assert marked.replace(" [citation needed]", "") == report.replace(" [citation needed]", "")
    again = audit(marked, GROUNDS, Verbatim())
    assert [(one.state, one.text) for one in again.sentences] == [(one.state, one.text) for one in found.sentences]
    assert mark(marked, again) == marked


@given(st.text(max_size=300))
@settings(max_examples=2 * EXAMPLES, deadline=None)
def test_any_text_can_be_audited(report: str) -> None:
    found = audit(report, GROUNDS, Verbatim())
    assert found.count(GROUNDED) <= found.total


@pytest.mark.parametrize("row", ["| one two three four | https://a.example.org/one ", "| one two three four "])
def test_a_long_row_takes_time_in_proportion(row: str, in_proportion: Callable[..., bool]) -> None:
    def read(count: int) -> object:
        return ReportReading(row * count + "| https://a.example.org/one " * count)

    assert in_proportion(read, 40, 320, 8)


def test_cells_borrow_the_marks_of_their_row() -> None:
    found = audit(f"| Rust was first released in 2015 | by Mozilla long ago now | [B]({B}) |", GROUNDS, Verbatim())
    assert [(one.state, one.citation_url) for one in found.sentences] == [(GROUNDED, B), (UNSUPPORTED, B)]


def test_the_judge_is_told_the_sentence_before_the_quote() -> None:
    told: list[QuotedEvidence] = []

    class Told(Verbatim):
        def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
            assert isinstance(evidence, QuotedEvidence)
            told.append(evidence)
            return super().assess(claim, evidence)

    one = replace(citation(A, "It limits memory access."), evidence=SeenEvidence(before="The sandbox is small."))
    audit(f"The sandbox limits memory access. [1]({A})", AuditEvidence((), (one,)), Told())
    assert told[0] == QuotedEvidence("It limits memory access.", "Page", "The sandbox is small.")


def test_of_many_quotes_of_a_page_those_that_share_most_are_asked_about() -> None:
    quotes = [citation(A, f"Module {number} is old.") for number in range(300)]
    grounds = AuditEvidence((), (*quotes, citation(A, "The sandbox limits memory access.")))
    judge = Verbatim()
    found = audit(f"The sandbox limits memory access. [1]({A})", grounds, judge).sentences[0]
    assert (found.state, found.citation_id) == (GROUNDED, 301)
    assert judge.asked < 30


@pytest.mark.parametrize(
    "unit",
    [
        *("[", "(", "[a](", "[a](x ", "<!--", "<a ", "**", "`", "> ", "| ", "- ", "\n", " ", "[1]", "[1] ", "https://"),
        *(
            "&amp;",
            "\\",
            "Rust is loved. ",
            f"Rust is loved. [2]({B}) ",
            "![",
            "[[",
            "a.",
            "(Source: ",
            "#",
            "# ",
            "=\n",
        ),
        *("1. a\n", "\t", "【1", "~~~\n", "[^1]: a\n", "Memory access is limited by the sandbox. "),
    ],
)
def test_time_grows_with_the_length_of_a_report(unit: str) -> None:
    def taken(size: int) -> float:
        report = "Rust is loved. " + unit * (size // len(unit)) + "."
        began = time.process_time()
        audit(report, GROUNDS, Verbatim())
        return time.process_time() - began

    small, large = min(taken(2_000) for _ in range(3)), min(taken(16_000) for _ in range(2))
    assert large < 30 * max(small, 0.002), (small, large)


@pytest.mark.parametrize("bare", ["3.", "2019."])
def test_a_number_alone_on_its_line_is_marked_once(bare: str) -> None:
    report = f"It supports many languages\n{bare}\nAnd more of them come."
    marked = mark(report, audit(report, GROUNDS, Verbatim()))
    assert marked.count("[citation needed]") == 2
    assert mark(marked, audit(marked, GROUNDS, Verbatim())) == marked


MEDIUM_REPORT = (
    f"WebAssembly supports 4 languages. [1]({A}) Rust appeared in 2015. [2]({B}) "
    f"Memory access is limited by the sandbox. It cannot be widened. [1]({A})"
)


def test_what_is_only_implied_needs_a_reader() -> None:
    found = audit(MEDIUM_REPORT, GROUNDS, Verbatim())
    assert [one.state for one in found.sentences] == [GROUNDED, GROUNDED, READER, READER]
    assert (found.ok, found.percentage, found.medium, found.attested) == (False, "50 %", 2, 1)
    assert all("--least medium" in one.remedy for one in found.sentences if one.state == READER)


class Yes(Verbatim):
    """A judge who finds everything stated."""

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        return Assessment("high", "stated", 1.0, (), self.name)


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("It says that “the sandbox widens memory access”", READER),
        ("It says that ``the sandbox widens memory access''", READER),
        ("It says that “sandbox limits memory access” and “never looks back again”", READER),
        ("It says that “sandbox limits memory access”", GROUNDED),
        ("It says that “module is validated before it runs”", GROUNDED),
        ("It speaks of a “sandbox” for memory", GROUNDED),
    ],
)
def test_quoted_words_must_stand_in_a_source_of_the_sentence(said: str, state: str) -> None:
    (one,) = audit(f"{said} [docs]({A}).\n", GROUNDS, Yes()).sentences
    assert one.state == state
    assert (state == READER) == any(reason.rule == "quote-not-seen" for reason in one.reasons)


def test_medium_counts_where_that_is_said() -> None:
    found = audit(MEDIUM_REPORT, GROUNDS, Verbatim(), "medium")
    assert (found.ok, found.percentage, found.medium, found.attested) == (True, "100 %", 2, 1)


def test_a_sentence_that_needs_a_reader_is_not_marked() -> None:
    assert mark(MEDIUM_REPORT, audit(MEDIUM_REPORT, GROUNDS, Verbatim())) == MEDIUM_REPORT


def test_a_clause_without_a_subject_is_not_stated() -> None:
    report = f"Rust appeared in 2015 [2]({B}) and limits memory access [1]({A})."
    found = audit(report, GROUNDS, Verbatim())
    assert [(one.text, one.state, one.level) for one in found.sentences] == [
        ("Rust appeared in 2015", GROUNDED, "medium"),
        ("limits memory access.", READER, "medium"),
    ]
    assert found.sentences[1].reasons[-1].rule == "no-subject"


def test_what_is_not_judged_is_counted() -> None:
    report = f"""\
---
layout: wide
---
# On Rust

Is it fast? <!-- a note to nobody -->

- Yes

```
x = rust(12)
```

WebAssembly supports 4 languages. [1]({A})

## Sources
1. One, {A}
"""
    found = audit(report, GROUNDS, Verbatim())
    assert found.ok and found.recognised == 0
    assert [(one.line, one.kind) for one in found.skipped] == [
        (2, "front"),
        (4, "heading"),
        (6, "question"),
        (6, "comment"),
        (8, "label"),
        (11, "code"),
        (17, "source"),
    ]


def test_many_clauses_rows_and_captions_cost_in_proportion() -> None:
    def seconds(number: int) -> float:
        report = "".join(
            f"Rust was first released [2]({B}), and it is loved by all [1]({A}); ![It is {at} %](a.png)\n| a | {at} |\n"
            for at in range(number)
        )
        best = 1e9
        for _ in range(3):
            start = time.process_time()
            audit(report, GROUNDS, Verbatim())
            best = min(best, time.process_time() - start)
        return best

    assert seconds(600) < 9 * seconds(150)


GROUND = f"WebAssembly supports 4 languages. [1]({A})"


@pytest.mark.parametrize("said", ["The pier collapsed in 2020", "The club hates women", "Nobody may swim"])
@pytest.mark.parametrize(
    "form",
    [
        "## {s}",
        "{s}\n---",
        "![{s}](a.png)",
        '![a](a.png "{s}")',
        '[here](https://x.example.org "{s}")',
        "```\n{s}\n```",
        "Text\n\n    {s}",
        '[ref]: https://x.example.org "{s}"',
        "| {s} | b |\n|---|---|\n| a | c |",
        "| a | b |\n|---|---|\n| {s} | c |",
        '<iframe srcdoc="{s}."></iframe>',
        '<iframe srcdoc="<p>{s}.</p>"></iframe>',
        "## Sources\n\n1. [A page](https://x.example.org), {s}",
        "## Sources\n\n1. [{s}](https://x.example.org)",
    ],
)
def test_a_sentence_without_a_source_is_found_wherever_it_stands(form: str, said: str) -> None:
    found = audit(f"{GROUND}\n\n{form.format(s=said)}\n", GROUNDS, Verbatim())
    assert not found.ok and any(said in one.text for one in found.sentences if one.state != GROUNDED)


@pytest.mark.parametrize("said", ["Swimming causes cancer", "The mayor died", "Nobody may swim"])
def test_a_short_cell_beside_a_grounded_one_is_judged(said: str) -> None:
    row = f"| WebAssembly supports 4 languages [1]({A}) | {said} |"
    found = audit(f"| Claim | More |\n|---|---|\n{row}\n", GROUNDS, Verbatim())
    assert [one.state for one in found.sentences if said in one.text] == [UNCITED]


def test_two_words_of_a_callout_and_frontmatter_are_judged() -> None:
    assert not audit(f"{GROUND}\n\n> [!NOTE] Pier burned\n", GROUNDS, Verbatim()).ok
    assert not audit(f"---\ntitle: The pier collapsed in 2020\n---\n{GROUND}\n", GROUNDS, Verbatim()).ok


WRITTEN = tuple(
    GroundedClaim(number, CITATIONS[at].quote, at + 1, CITATIONS[at].source_url, CITATIONS[at].quote, "high")
    for number, at in enumerate((0, 1, 3, 0, 1), 1)
)
REPORTED = AuditEvidence(WRITTEN, CITATIONS)


def sealed() -> str:
    return seal(render_markdown("rust", WRITTEN, CITATIONS)).decode()


def test_a_report_as_it_was_written_is_recognised() -> None:
    for text in (sealed(), sealed().replace("\n", "\r\n"), sealed().rstrip()):
        found = audit(text, REPORTED, Verbatim())
        assert found.ok and found.recognised and not any(one.kind == "seal" for one in found.sentences)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ada", "Bob"),
        ("published 2026-01-02", "published 2019-01-02"),
        ("accessed 2026-08-31", "accessed 2026-09-01"),
        ("A page about it", "Another page"),
        ("# ", "# On "),
        ("sha256:", "sha256:0"),
        ("-->\n", "-->\n\nMore\n"),
    ],
)
def test_a_report_that_was_edited_says_so(old: str, new: str) -> None:
    text = sealed()
    assert old in text
    found = audit(text.replace(old, new, 1), REPORTED, Verbatim())
    (told,) = [one for one in found.sentences if one.kind == "seal"]
    assert told.state == UNSUPPORTED and told.reasons[0].rule == "edited" and "research report" in told.remedy
    assert not found.ok and not found.recognised
    assert mark(text, found).count("[citation needed] -->") == 0


def test_a_row_taken_out_of_a_report_is_an_edit() -> None:
    lines = sealed().splitlines(keepends=True)
    row = next(line for line in lines if line.startswith("| 1 "))
    found = audit("".join(line for line in lines if line != row), REPORTED, Verbatim())
    assert [one.kind for one in found.sentences if one.kind == "seal"] == ["seal"]


def test_without_its_seal_a_report_is_audited_as_any() -> None:
    text = sealed().replace("Ada", "Bob")
    found = audit(text[: text.index("<!-- made by")], REPORTED, Verbatim())
    assert not any(one.kind == "seal" for one in found.sentences)
