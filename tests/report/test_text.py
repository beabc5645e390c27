"""The text format, as it looks in a terminal. PINCITE_UPDATE_SNAPSHOTS=1 rewrites the pictures."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pincite.core.model import Edit, Finding, HiddenFindings, Outcome, Report, Safety, Severity, Span, Summary, Verdict

Render = Callable[..., str]
SNAPSHOTS = Path(__file__).with_name("snapshots")


def picture(name: str, out: str) -> None:
    """Compare with the stored picture; ESC is stored as a visible sign."""
    path = SNAPSHOTS / f"{name}.txt"
    out = out.replace("\x1b", "␛")
    if os.environ.get("PINCITE_UPDATE_SNAPSHOTS"):
        path.write_text(out, encoding="utf-8", newline="")
    assert out == path.read_text(encoding="utf-8")


def test_problems(render: Render, sample: Any) -> None:
    picture("problems", render("text", *sample))


def test_problems_in_colour(render: Render, sample: Any) -> None:
    out = render("text", *sample, color=True)
    picture("colour", out)
    assert out.count("\x1b[0m") * 2 == out.count("\x1b")


def test_quiet_leaves_what_fails(render: Render, sample: Any) -> None:
    picture("quiet", render("text", *sample, quiet=True))


def test_quiet_and_strict_leaves_warnings_too(render: Render, sample: Any) -> None:
    out = render("text", *sample, quiet=True, strict=True)
    assert "lines-moved" in out
    assert "opaque-source" not in out


def test_all_hold(render: Render, clean: Any) -> None:
    assert render("text", *clean(12)) == "✓ 12 citations in 4 documents: all hold\n"
    assert render("text", *clean(1, documents=1)) == "✓ 1 citation in 1 document: it holds\n"


def test_quiet_says_nothing_when_nothing_is_wrong(render: Render, clean: Any) -> None:
    assert render("text", *clean(12), quiet=True) == ""


def test_nothing_found_looks_like_nothing_was_checked(render: Render, clean: Any) -> None:
    assert render("text", *clean(0)) == (
        "No citations found in 4 documents: nothing was checked. `pincite suggest` proposes some.\n"
    )
    assert render("text", *clean(0, documents=0)) == "No documents found: nothing was checked.\n"


def test_a_run_in_which_nothing_could_be_checked_has_no_tick(render: Render) -> None:
    summary = Summary(documents=1, citations=2, outcomes={"holds": 0, "unchecked": 2}, notes=2)
    assert render("text", (), summary) == "– 2 citations in 1 document: 0 hold, 2 unchecked\n"


def test_drift_and_silenced_findings_are_told(render: Render, clean: Any) -> None:
    reports, summary = clean(5)
    summary.drift, summary.known, summary.ignored = "not a git repository", 2, 1
    picture("asides", render("text", reports, summary))


def noted(cite: Any, number: int) -> tuple[Report, ...]:
    note = Finding("opaque-source", Outcome.UNCHECKED, Severity.NOTE, "Nothing here can show it")
    return (Report("a.md", tuple(Verdict(cite(f"n{i}", "n"), i, 1, (note,)) for i in range(1, number + 1))),)


@pytest.mark.parametrize("number", [3, 4])
def test_few_notes_are_shown_and_many_are_counted(number: int, render: Render, cite: Any) -> None:
    summary = Summary(documents=1, citations=number, outcomes={"holds": 0, "unchecked": number}, notes=number)
    out = render("text", noted(cite, number), summary)
    assert out.count("Nothing here can show it") == (3 if number == 3 else 0)
    assert ("4 notes not shown: `--format json` has them all" in out) == (number == 4)


def test_problems_are_written_as_documents_come(sample: Any) -> None:
    from pincite.report import Options, load

    parts: list[str] = []
    reporter = load("text").Reporter(parts.append, Options())
    reporter.document(sample[0][0])
    assert "Path traversal blocked" in "".join(parts)


def fixable(cite: Any, document: str, safety: Safety = Safety.SAFE, withheld: str = "") -> Report:
    edit = Edit(Span(105, 106), "7", safety, withheld)
    finding = Finding("lines-moved", Outcome.MOVED, Severity.WARNING, "Moved", edit=edit)
    return Report(document, (Verdict(cite("a.py:3", "a.py", 3), 1, 1, (finding,)),))


@pytest.mark.parametrize(
    ("document", "typed"),
    [
        ("docs/a.md", " docs/a.md"),
        ("my notes/it's.md", " 'my notes/it'\\''s.md'"),
        ("-rf.md", " './-rf.md'"),
        ("$(reboot).md", " '$(reboot).md'"),
        ("a\x1b.md", ""),
    ],
)
def test_the_command_to_type_is_safe_to_type(document: str, typed: str, render: Render, cite: Any, clean: Any) -> None:
    out = render("text", [fixable(cite, document)], clean(1)[1])
    assert f"fix    a.py:7  (run `pincite fix --write{typed}`)" in out


def test_an_edit_that_needs_a_reader_is_not_offered_for_writing(render: Render, cite: Any, clean: Any) -> None:
    out = render("text", [fixable(cite, "a.md", Safety.UNSAFE)], clean(1)[1])
    assert "fix    a.py:7  (needs a reader" in out
    assert "can be repaired" not in out


def test_an_edit_that_is_withheld_says_why_and_is_not_promised(render: Render, cite: Any, clean: Any) -> None:
    out = render("text", [fixable(cite, "a.md", withheld="its line is\x1b cited")], clean(1)[1])
    assert "fix    a.py:7  (its line is\\u{1b} cited)" in out
    assert "pincite fix --write" not in out


def test_the_command_that_is_promised_is_the_one_to_type(render: Render, clean: Any) -> None:
    summary = replace(clean(1)[1], fixable=2)
    out = render("text", [], summary, fix="pincite fix --write 'a b.md'")
    assert "  2 can be repaired: `pincite fix --write 'a b.md'` does it\n" in out


def test_a_warning_on_a_citation_that_holds_is_called_a_warning(render: Render, cite: Any, clean: Any) -> None:
    finding = Finding("blank-lines", Outcome.HOLDS, Severity.WARNING, "The cited lines are blank")
    out = render("text", [Report("a.md", (Verdict(cite("a.py:3", "a.py", 3), 1, 1, (finding,)),))], clean(1)[1])
    assert out.startswith("a.md:1:1  warning  blank-lines\n")


def test_findings_on_one_citation_share_a_heading_the_gravest_first(render: Render, cite: Any, clean: Any) -> None:
    findings = (
        Finding("lines-edited", Outcome.MISMATCH, Severity.WARNING, "Second"),
        Finding("line-out-of-range", Outcome.MISSING, Severity.ERROR, "First"),
    )
    out = render("text", [Report("a.md", (Verdict(cite("a.py:3", "a.py", 3), 1, 1, findings),))], clean(1)[1])
    assert out.startswith("a.md:1:1  missing  line-out-of-range, lines-edited\n  First\n  Second\n  cited  a.py:3\n")


def test_white_space_is_marked_where_nothing_else_differs(render: Render, cite: Any, clean: Any) -> None:
    def shown(detail: str) -> str:
        finding = Finding("lines-edited", Outcome.MISMATCH, Severity.WARNING, "Changed", detail)
        return render("text", [Report("a.md", (Verdict(cite("a:1", "a", 1), 1, 1, (finding,)),))], clean(1)[1])

    assert "│ -a··\n    │ +a\n" in shown("-a  \n+a")
    assert "│ -→   x\n    │ +    x\n" in shown("-\tx\n+    x")
    assert "│ -    x\n    │ +    y\n" in shown("-\tx\n+\ty")


def test_long_lines_are_cut_to_the_width(render: Render, cite: Any, clean: Any) -> None:
    finding = Finding("lines-edited", Outcome.MISMATCH, Severity.WARNING, "Changed", "-" + "x" * 500)
    report = Report("a.md", (Verdict(cite("r" * 500, "a", 1), 1, 1, (finding,)),))
    out = render("text", [report], clean(1)[1], width=80)
    assert max(map(len, out.splitlines())) <= 80
    assert "x…" in out


def test_quiet_tells_what_a_change_hides(render: Any) -> None:
    summary = Summary(documents=1, citations=1, outcomes={"holds": 1}, hidden=HiddenFindings("HEAD", ("a.md",)))
    said = render("text", (), summary, quiet=True)
    assert said == "⚠ This change excludes 1 document (a.md) (compared with HEAD)\n"
    summary.hidden = HiddenFindings("HEAD")
    assert render("text", (), summary, quiet=True) == ""


def long_run(cite: Any, documents: int = 9, each: int = 7) -> tuple[list[Report], Summary]:
    """More problems than a reader looks through: the last document has one less, every third problem is an error."""
    gone = Finding("file-not-found", Outcome.MISSING, Severity.ERROR, "File not found: a.py")
    moved = Finding(
        "lines-moved", Outcome.MOVED, Severity.WARNING, "Moved", edit=Edit(Span(105, 106), "7", Safety.SAFE)
    )
    edited = Finding("lines-edited", Outcome.MISMATCH, Severity.WARNING, "Edited")
    reports = []
    for number in range(documents):
        path = f"docs/{'archive' if number < 6 else 'guide'}/{number}.md"
        rows = [(gone, moved, edited)[line % 3] for line in range(each - (number == documents - 1))]
        verdicts = tuple(Verdict(cite("a.py:3", "a.py", 3), line, 1, (one,)) for line, one in enumerate(rows, 1))
        reports.append(Report(path, verdicts))
    total = documents * each - 1
    counts = {"holds": 40, "missing": 26, "mismatch": 18, "moved": 18}
    return reports, Summary(documents, 40 + total, counts, errors=26, warnings=36, exit_code=1)


def same_problem(verdict: Verdict, number: int) -> Report:
    """A document with one problem on every line."""
    return Report("a.md", tuple(Verdict(verdict.citation, line, 1, verdict.findings) for line in range(1, number + 1)))


def closing(out: str) -> list[str]:
    """The lines from the summary on."""
    lines = out.splitlines()
    return lines[max(number for number, line in enumerate(lines) if line[:1] in {"✗", "⚠", "✓"}) :]


def test_a_long_report_ends_in_what_to_do_first(render: Render, cite: Any) -> None:
    reports, summary = long_run(cite)
    summary.fixable = 18
    out = render("text", reports, summary)
    picture("overview", "\n".join(closing(out)) + "\n")
    assert out.count("cited  a.py:3") == 62


def test_a_long_report_ends_in_a_summary_that_fits_a_screen(render: Render, cite: Any) -> None:
    reports, summary = long_run(cite, documents=300, each=40)
    for report in reports:
        report.document = f"{'deep/' * 30}{report.document}"
    summary.outcomes = dict.fromkeys(("holds", "unchecked", "moved", "mismatch", "missing", "blocked"), 12_345)
    summary.malformed, summary.unreadable, summary.ignored, summary.known = 1_234, 123, 1_234, 1_234
    summary.drift = "3,497 citations: unable to read 5e2f0ca898d56a28ed8b33fd3cbe0989293a61e1; 222 paths that may be"
    summary.hidden = HiddenFindings("main", ("docs/one.md", "docs/two.md"), 12)
    lines = closing(render("text", [*reports, *noted(cite, 4)], summary))
    assert sum(-(-len(line) // 80) for line in lines) <= 24
    assert lines[-1].startswith("  All numbers: `--statistics`")


def test_the_next_steps_are_those_that_can_be_taken(render: Render, cite: Any) -> None:
    reports, summary = long_run(cite)
    with_baseline = render("text", reports, summary, baseline={})
    assert "--update-baseline" not in with_baseline
    only_edited = same_problem(reports[0].verdicts[2], 30)
    steps = "\n".join(closing(render("text", [only_edited], summary)))
    assert "can be repaired" not in steps
    assert "an archive" not in steps
    assert "Most by document" not in steps
    assert "1. Read the gravest: `--limit 20`, `pincite explain lines-edited`" in steps


@pytest.mark.parametrize("number", [20, 21])
def test_more_than_twenty_problems_are_many(number: int, render: Render, cite: Any) -> None:
    reports, summary = long_run(cite)
    out = render("text", [same_problem(reports[0].verdicts[0], number)], summary)
    assert ("What to do first" in out) == (number == 21)
    assert "What to do first" not in render("text", reports, summary, quiet=True)
    draft = same_problem(reports[0].verdicts[0], number)
    draft.document = "-"
    assert "What to do first" not in render("text", [draft], summary)


def test_the_overview_is_safe_to_print(render: Render, cite: Any) -> None:
    reports, summary = long_run(cite)
    for number, report in enumerate(reports):
        report.document = f"d\x1b[2J\n::error::x/##[group]{number}.md"
    out = render("text", reports, summary)
    assert "\x1b" not in out and "##[" not in out
    assert not any(line.lstrip().startswith("::") for line in out.splitlines())


@pytest.mark.parametrize("limit", [1, 5, 26, 30, 62, 100])
def test_a_limit_prints_so_many_problems_errors_first(limit: int, render: Render, cite: Any) -> None:
    reports, summary = long_run(cite)
    out = render("text", reports, summary, limit=limit)
    assert out.count("cited  a.py:3") == min(limit, 62)
    assert out.count("  file-not-found\n  File not found") == min(limit, 26)
    more = 62 - limit
    said = f"… and {more} more problem{'s' if more > 1 else ''}: `--limit 0` shows all\n\n✗ 102 citations"
    assert (said in out) == (more > 0)
    assert closing(out) == closing(render("text", reports, summary))


def test_no_limit_and_limit_zero_print_everything(render: Render, cite: Any) -> None:
    reports, summary = long_run(cite)
    assert render("text", reports, summary, limit=0) == render("text", reports, summary)


def test_a_limit_counts_the_few_notes_that_are_shown(render: Render, cite: Any) -> None:
    summary = Summary(documents=1, citations=3, outcomes={"holds": 0, "unchecked": 3}, notes=3)
    out = render("text", noted(cite, 3), summary, limit=2)
    assert out.count("Nothing here can show it") == 2
    assert "… and 1 more problem: `--limit 0` shows all" in out
