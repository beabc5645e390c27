"""The commands over citations of papers: what they print, how they end, and what they write where."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from reportlab.pdfgen.canvas import Canvas

EXAMPLE = Path(__file__).resolve().parents[3] / "examples/voice"
GUIDE = "docs/voice-framework/technical-guide.md"
REPORT = """\
================================================================================
                       CITATION INTEGRITY AUDIT
================================================================================

Document: docs/voice-framework/technical-guide.md
Date: 2026-01-25
Auditor: writing-validator

SUMMARY:
  Total Citations: 15
  Valid: 12
  Warnings: 2
  Errors: 1

DETAILS:

✓ [REF-043, p.15] - Valid
  - In corpus: Yes
  - Page valid: Yes (1-24 range)
  - Section consistent: Yes (Results)

⚠ [REF-018, p.8] - Warning
  - In corpus: Yes
  - Page valid: Yes
  - Section consistent: No (cited as Introduction, actually Methods)

✗ [REF-099] - Error
  - In corpus: No
  - Action: Remove citation or add REF-099 to corpus

⚠ [REF-021, p.45] - Warning
  - In corpus: Yes
  - Page valid: No (document has 32 pages)
  - Action: Verify correct page number

RECOMMENDATIONS:
1. Remove or add REF-099 to corpus
2. Verify REF-018 section reference
3. Correct REF-021 page number
"""
PAGES = (
    "Introduction\nTides were measured at four harbours for one year.",
    "Methods\nEvery gauge was read twice a day by two observers.",
    "Results\nThe mean range was 4.2 metres and it did not change with the season.",
)
PAPER = """---
# Kept as it is.
title: Tides
total_pages: 3
sections:
  - {name: Methods, pages: 2}
key_quotes:
  - quote: Every gauge was read twice a day by two observers.
    page: 2
    section: Methods
  - quote: The mean range was 4.7 metres and it did not change with the season.
    page: 3
  - quote: Tides were measured at four harbours for one year.
    page: 3
    validated: false
---
- "Tides were measured at four harbours for one year" (p. 1)
"""
Run = Callable[..., tuple[int, str, str]]


def pdf() -> bytes:
    out = BytesIO()
    canvas = Canvas(out)
    for page in PAGES:
        for row, line in enumerate(page.split("\n")):
            canvas.drawString(72, 750 - 16 * row, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.fixture
def corpus(in_folder: Run, tmp_path: Path) -> Run:
    """Runs `pincite corpus` in a folder with one paper and its PDF."""
    folder = tmp_path / ".aiwg/research/corpus"
    folder.mkdir(parents=True)
    (folder / "REF-001-tides.md").write_text(PAPER)
    (folder / "REF-001-tides.pdf").write_bytes(pdf())

    def run(*arguments: str) -> tuple[int, str, str]:
        return in_folder("corpus", *arguments)

    return run


def write(folder: Path, text: str | bytes, name: str = "a.md") -> None:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())


def give(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=BytesIO(data), isatty=lambda: False))


# The example


def test_the_shipped_corpus_gives_the_documented_report(in_folder: Run, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    code, out, err = in_folder("corpus", "validate-citations", GUIDE, "--date", "2026-01-25")
    assert out == REPORT
    assert (code, err) == (1, "")


def test_the_audit_of_the_example_adds_its_blocks_behind_the_report(in_folder: Run, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    code, out, err = in_folder("corpus", "citation-audit", "--date", "2026-01-25")
    assert code == 1
    assert out.startswith(REPORT + "\nCORPUS COVERAGE:\n  Papers in corpus: 3\n  Papers cited: 3 (100%)\n")
    titles = [line for line in out.split("\n") if line.isupper() and line.endswith(":")]
    assert titles[-3:] == ["CORPUS COVERAGE:", "PAGE VALIDATION:", "QUOTE VERIFICATION:"]
    kept = [*(tmp_path / ".aiwg/reports/citation-audit").iterdir()]
    assert [place.read_text() for place in kept] == [out]
    assert kept[0].name.startswith("2026-01-25-") and kept[0].suffix == ".txt"
    assert f"Report kept: .aiwg/reports/citation-audit/{kept[0].name}" in err


# validate-citations


@pytest.mark.parametrize(
    ("text", "code", "strict"),
    [
        ("No citation.", 0, 0),
        ("Good [REF-001, p.2].", 0, 0),
        ("Doubtful [REF-001, p.4].", 0, 1),
        ("In the Introduction [REF-001, Discussion, p.2].", 0, 1),
        ("As others say (Smith et al., 2023).", 0, 1),
        ("“Every gauge was read twice a day by two observers” [REF-001, p.3].", 0, 1),
        ("“Every gauge was read once a day by two observers” [REF-001, p.2].", 1, 1),
        ("Absent [REF-099].", 1, 1),
        ("Malformed [REF-0012].", 1, 1),
        ("Malformed [REF-001, p.].", 1, 1),
    ],
)
def test_exit_codes(corpus: Run, tmp_path: Path, text: str, code: int, strict: int) -> None:
    write(tmp_path, text)
    assert corpus("validate-citations", "a.md", "--no-log")[0] == code
    assert corpus("validate-citations", "a.md", "--strict", "--no-log")[0] == strict


def test_results_in_the_documented_shape(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "One\ntwo [REF-099].")
    code, out, _ = corpus("validate-citations", "a.md", "--format", "json")
    (result,) = msgspec.json.decode(out)
    assert code == 1
    assert list(result) == ["ref_id", "status", "checks", "issues", "citation", "document", "line", "column"]
    assert result == {
        "ref_id": "REF-099",
        "status": "invalid",
        "checks": {"in_corpus": False, "page_valid": None, "section_consistent": None, "quote_verified": None},
        "issues": [
            {
                "severity": "critical",
                "message": "Citation not in corpus whitelist",
                "suggestion": "Remove citation or add source to corpus first",
            }
        ],
        "citation": "[REF-099]",
        "document": "a.md",
        "line": 2,
        "column": 5,
    }


def test_no_citations_are_an_empty_array(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "Plain.")
    assert corpus("validate-citations", "a.md", "--format", "json")[:2] == (0, "[]\n")


def test_sarif_names_the_checks(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-099]. B [REF-001, p.9].")
    code, out, _ = corpus("validate-citations", "a.md", "--format", "sarif")
    (run,) = msgspec.json.decode(out)["runs"]
    assert code == 1
    assert [result["ruleId"] for result in run["results"]] == ["not-in-corpus", "page-out-of-range"]
    assert run["invocations"][0]["exitCode"] == 1


def test_standard_input(corpus: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, b"A [REF-099].")
    code, out, _ = corpus("validate-citations", "-", "--format", "json")
    assert (code, msgspec.json.decode(out)[0]["document"]) == (1, "-")


def test_several_files_are_a_block_each(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001].")
    write(tmp_path, "B [REF-099].", "b.md")
    code, out, _ = corpus("validate-citations", "a.md", "b.md", "./a.md")
    assert code == 1
    assert [line for line in out.split("\n") if line.startswith("Document:")] == ["Document: a.md", "Document: b.md"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("absent.md",), "no such file"),
        (("../outside.md", "--root", "."), "outside the root"),
        (("bad.md",), "UTF-8"),
        (("link.md",), "outside the root"),
        ((), "Missing argument"),
        (("a.md", "--date", "2026-13-01"), "is no date"),
        (("a.md", "--date", "20260101"), "is no date"),
        (("a.md", "--date", "../../x"), "is no date"),
        (("a.md", "--format", "html"), "Invalid value"),
        (("a.md", "--yes"), "--yes belongs to --fix"),
        (("-", "--fix"), "standard input cannot be rewritten"),
        (("a.md", "--root", "nowhere"), "no such folder"),
    ],
)
def test_what_cannot_be_done_ends_in_2(corpus: Run, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    write(tmp_path, "A [REF-001].")
    write(tmp_path, b"A [REF-001] \xff.", "bad.md")
    os.symlink("/etc/hostname", tmp_path / "link.md")
    code, _, err = corpus("validate-citations", *arguments)
    assert code == 2
    assert said in err


def test_one_unreadable_file_does_not_hide_the_others(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-099].")
    code, out, err = corpus("validate-citations", "absent.md", "a.md")
    assert code == 2
    assert "✗ [REF-099] - Error" in out
    assert "absent.md: no such file" in err


def test_receipts_are_demanded_on_request(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001, p.2].")
    assert corpus("validate-citations", "a.md")[0] == 0
    code, out, _ = corpus("validate-citations", "a.md", "--require-receipts")
    assert code == 1
    assert "- Retrieved: No (No receipt" in out


def test_a_project_without_a_corpus_is_told_so(in_folder: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001].")
    code, out, err = in_folder("corpus", "validate-citations", "a.md")
    assert code == 1
    assert "  - In corpus: No\n" in out
    assert "there is no corpus at .aiwg/research/corpus: nothing may be cited" in err
    code, out, _ = in_folder("corpus", "corpus-check")
    assert (code, out.split("\n")[-2]) == (1, "✗ 1 citation in 1 document: 1 not in the corpus")
    assert sorted(os.listdir(tmp_path)) == ["a.md"]


def test_escape_sequences_do_not_reach_the_terminal(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001, p.\x1b[31m2] and [REF-099].")
    _, out, _ = corpus("validate-citations", "a.md", "--auditor", "x\x1b]0;y\x07\nz")
    assert "\x1b" not in out and "\x07" not in out
    assert "Auditor: x\\u{1b}" in out


# --fix


def test_a_fix_is_shown_and_written_only_with_yes(corpus: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "Good [REF-001, p.2] and bad [REF-099].\n")
    give(monkeypatch, b"")
    code, out, _ = corpus("validate-citations", "a.md", "--fix")
    assert code == 1
    assert "-Good [REF-001, p.2] and bad [REF-099]." in out
    assert "[REF-099]" in (tmp_path / "a.md").read_text()
    code, _, _ = corpus("validate-citations", "a.md", "--fix", "--yes")
    assert code == 0
    assert "[REF-099]" not in (tmp_path / "a.md").read_text()
    assert "[REF-001, p.2]" in (tmp_path / "a.md").read_text()


def test_a_fix_does_not_mix_its_diff_into_json(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "Good [REF-001, p.2] and bad [REF-099].\n")
    code, out, err = corpus("validate-citations", "a.md", "--fix", "--yes", "--format", "json")
    assert code == 0
    assert len(msgspec.json.decode(out)) == 2
    assert "+++" in err


# Logs and reports


def log_lines(folder: Path) -> list[dict[str, object]]:
    places = sorted((folder / ".aiwg/logs/citation-validation").glob("*"))
    return [msgspec.json.decode(line) for place in places for line in place.read_text().splitlines()]


def test_every_run_is_one_line_of_the_log(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-099]. B [REF-001].")
    corpus("validate-citations", "a.md", "--date", "2026-01-25", "--auditor", "ann")
    corpus("validate-citations", "a.md", "--date", "2026-01-25", "--strict")
    corpus("validate-citations", "a.md", "--date", "2026-01-26", "--no-log")
    assert os.listdir(tmp_path / ".aiwg/logs/citation-validation") == ["2026-01-25.jsonl"]
    first, second = log_lines(tmp_path)
    assert (first["auditor"], first["exit_code"], first["strict"]) == ("ann", 1, False)
    assert second["strict"] is True
    assert first["documents"] == [
        {
            "document": "a.md",
            "error": "",
            "total": 2,
            "valid": 1,
            "warnings": 0,
            "errors": 1,
            "problems": [{"ref_id": "REF-099", "status": "invalid", "line": 1, "column": 3}],
        }
    ]


@pytest.mark.parametrize("place", [".aiwg/logs", ".aiwg/logs/citation-validation", ".aiwg/reports"])
def test_nothing_is_written_through_a_link_that_leads_out(
    corpus: Run, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, place: str
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    write(tmp_path, "A [REF-001, p.2].")
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    os.symlink(outside, tmp_path / place)
    code, _, err = corpus("validate-citations", "a.md")
    audited, out, said = corpus("citation-audit", "a.md")
    assert (code, audited) == (0, 1)
    assert "CITATION INTEGRITY AUDIT" in out
    assert "not written" in err or "not kept" in said
    assert os.listdir(outside) == []


def test_a_log_that_is_a_link_or_a_pipe_is_left_alone(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001, p.2].")
    folder = tmp_path / ".aiwg/logs/citation-validation"
    folder.mkdir(parents=True)
    write(tmp_path, "kept", "target.txt")
    os.symlink(tmp_path / "target.txt", folder / "2026-01-25.jsonl")
    os.mkfifo(folder / "2026-01-26.jsonl")
    for date in ("2026-01-25", "2026-01-26"):
        code, _, err = corpus("validate-citations", "a.md", "--date", date)
        assert code == 0
        assert "the log was not written" in err
    assert (tmp_path / "target.txt").read_text() == "kept"


def test_a_file_in_place_of_the_folder_is_no_reason_to_fail(in_folder: Run, tmp_path: Path) -> None:
    write(tmp_path, "no folder", ".aiwg")
    write(tmp_path, '[corpus]\npath = "papers"\n', "pincite.toml")
    write(tmp_path, PAPER, "papers/REF-001-tides.md")
    write(tmp_path, "A [REF-001, p.2].")
    code, out, err = in_folder("corpus", "citation-audit", "a.md")
    assert (code, err) == (0, "pincite: the report was not kept: .aiwg: it is no folder\n")
    assert "Papers cited: 1 (100%)" in out
    assert (tmp_path / ".aiwg").read_text() == "no folder"


def test_reports_of_one_second_do_not_replace_each_other(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001, p.2].")
    for _ in range(3):
        corpus("citation-audit", "--format", "json")
    assert len(os.listdir(tmp_path / ".aiwg/reports/citation-audit")) == 3


def test_no_save_keeps_nothing_and_output_is_a_file(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001, p.2].")
    _, out, err = corpus("citation-audit", "--no-save", "--format", "html", "--output", "audit.html")
    assert (out, err) == ("", "")
    assert (tmp_path / "audit.html").read_text().startswith("<!doctype html>")
    assert not (tmp_path / ".aiwg/reports").exists()


def test_a_second_audit_does_not_audit_the_first(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-099].")
    first = corpus("citation-audit", "--date", "2026-01-25")[1]
    assert corpus("citation-audit", "--date", "2026-01-25")[1] == first
    corpus("citation-audit", "--format", "markdown")
    assert corpus("corpus-check")[1].count("REF-099") == 1


def test_a_project_that_keeps_no_such_things_gets_none(in_folder: Run, tmp_path: Path) -> None:
    write(tmp_path, "Plain.")
    code, _, err = in_folder("corpus", "citation-audit")
    assert (code, err.count("\n")) == (0, 1)
    assert "there is no corpus" in err
    assert os.listdir(tmp_path) == ["a.md"]


# corpus-check


def test_absent_papers_are_listed_with_place_and_action(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001, p.99].\nB [REF-099]; C [REF-0012].", "docs/a.md")
    code, out, _ = corpus("corpus-check")
    assert code == 1
    assert out.split("\n")[:2] == [
        "docs/a.md:2:3: REF-099: Citation not in corpus whitelist. Remove citation or add source to corpus first",
        "docs/a.md:2:16: REF-0012: is no id of a paper"
        " (expected REF- and three digits, or four and more from REF-1000 on). "
        "Write REF- and three digits (more from REF-1000 on), with p.XX for pages",
    ]
    assert "✗ 3 citations in 2 documents: 2 not in the corpus\n" in out
    data = msgspec.json.decode(corpus("corpus-check", "docs", "--format", "json")[1])
    assert (data["documents"], data["citations"], len(data["absent"])) == (1, 3, 2)


def test_a_check_of_nothing_looks_like_one(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "Plain.", "docs/a.md")
    code, out, _ = corpus("corpus-check", "docs")
    assert (code, out) == (0, "– No citations found in 1 document: nothing was checked.\n")
    (tmp_path / "empty").mkdir()
    assert corpus("corpus-check", "empty")[1] == "– No documents found: nothing was checked.\n"


def test_a_check_that_passes_says_how_much_it_saw(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001]. B [REF-001, p.2].", "docs/a.md")
    assert corpus("corpus-check", "docs")[:2] == (0, "✓ 2 citations in 1 document: all in the corpus\n")


def test_a_document_that_cannot_be_read_is_no_pass(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, b"A [REF-001] \xff", "docs/a.md")
    code, _, err = corpus("corpus-check", "docs")
    assert code == 2
    assert "docs/a.md" in err


# page-validate


def test_a_paper_is_held_against_its_pdf(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-001, p.2]. B [REF-001, p.7]. C [REF-099].")
    code, out, _ = corpus("page-validate", "REF-001")
    assert code == 1
    assert "PDF: .aiwg/research/corpus/REF-001-tides.pdf (3 pages)" in out
    assert "✓ Methods (2)" in out
    assert re.search(r"Quote verified: No \(misquoted \(page 3\): .*4\.7.*4\.2", out)
    assert "Quote verified: No (it stands on page 1)" in out
    assert "✓ a.md:1:3 [REF-001, p.2] - page valid: Yes" in out
    assert "⚠ a.md:1:21 [REF-001, p.7] - page valid: No (document has 3 pages)" in out
    assert "REF-099" not in out


def test_marking_signs_what_was_seen_and_nothing_else(corpus: Run, tmp_path: Path) -> None:
    place = tmp_path / ".aiwg/research/corpus/REF-001-tides.md"
    code, out, err = corpus(
        *("page-validate", "REF-001", "--mark", "--validator", "@ann", "--date", "2026-02-03", "--format", "json")
    )
    data = msgspec.json.decode(out)
    assert data["marked"] == [1]
    assert [quote["kind"] for quote in data["key_quotes"]] == ["verbatim", "altered", "elsewhere", "verbatim"]
    assert "key quote 1 of REF-001" in err
    assert "2 key quotes not found" in err and "1 key quote outside the frontmatter" in err
    text = place.read_text()
    mark = '    section: Methods\n    validated: true\n    validation_date: 2026-02-03\n    validator: "@ann"\n'
    assert text == PAPER.replace("    section: Methods\n", mark)
    corpus("page-validate", "REF-001", "--mark", "--validator", "ann", "--date", "2026-02-03")
    assert place.read_text() == text
    assert code == 1


def test_without_a_pdf_nothing_is_marked(corpus: Run, tmp_path: Path) -> None:
    (tmp_path / ".aiwg/research/corpus/REF-001-tides.pdf").unlink()
    _, out, err = corpus("page-validate", "REF-001", "--mark", "--validator", "@ann")
    assert "PDF: not read (there is no PDF beside" in out
    assert "Not checked" in out
    assert "not marked: 4 key quotes" in err
    assert (tmp_path / ".aiwg/research/corpus/REF-001-tides.md").read_text() == PAPER


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("REF-099",), 1, "Citation not in corpus whitelist: REF-099"),
        (("REF-0012",), 2, "is no id of a paper"),
        (("ref-001",), 2, "is no id of a paper"),
        (("../REF-001",), 2, "is no id of a paper"),
        (("REF-001\n",), 2, "is no id of a paper"),
        (("REF-001", "--mark"), 2, "a person has to sign"),
        (("REF-001", "--mark", "--validator", "a b"), 2, "is no name"),
        (("REF-001", "--mark", "--validator", '"x\n'), 2, "is no name"),
        (("REF-001", "--validator", "@ann"), 2, "belongs to --mark"),
        (("REF-001", "--date", "yesterday"), 2, "is no date"),
    ],
)
def test_what_is_no_paper_is_refused(corpus: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    ended, out, err = corpus("page-validate", *arguments)
    assert (ended, out) == (code, "")
    assert said in err


def test_two_files_for_one_id_are_named(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, PAPER, ".aiwg/research/corpus/REF-001-other.md")
    code, _, err = corpus("page-validate", "REF-001")
    assert code == 1
    assert "REF-001-other.md" in err and "REF-001-tides.md" in err


def test_what_the_settings_ignore_is_not_reported_of_key_quotes(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, 'ignore = ["quote-altered", "quote-elsewhere"]\n', "pincite.toml")
    code, out, _ = corpus("page-validate", "REF-001", "--format", "json")
    assert code == 0
    quotes = msgspec.json.decode(out)["key_quotes"]
    assert [quote["status"] for quote in quotes] == ["valid"] * 4
    assert [quote["checks"]["quote_verified"] for quote in quotes] == [True, False, False, True]


def test_a_pdf_that_cannot_be_read_is_named_and_nothing_is_verified(corpus: Run, tmp_path: Path) -> None:
    (tmp_path / ".aiwg/research/corpus/REF-001-tides.pdf").write_bytes(b"%PDF-1.7 broken")
    code, out, _ = corpus("page-validate", "REF-001", "--format", "json")
    data = msgspec.json.decode(out)
    assert "damaged" in data["pdf_trouble"]
    assert {quote["checks"]["quote_verified"] for quote in data["key_quotes"]} == {None}
    assert code == 0


# citation-audit


@pytest.mark.parametrize("format_", ["text", "markdown", "json", "sarif", "html"])
def test_every_format_is_kept_under_its_own_ending(corpus: Run, tmp_path: Path, format_: str) -> None:
    write(tmp_path, "A [REF-001, p.2]. B [REF-099].")
    code, out, _ = corpus("citation-audit", "--format", format_)
    (place,) = (tmp_path / ".aiwg/reports/citation-audit").iterdir()
    assert code == 1
    assert place.read_text() == out
    assert place.suffix == {"text": ".txt", "markdown": ".md"}.get(format_, f".{format_}")
    assert "REF-099" in out


def test_sarif_of_an_audit_holds_the_key_quotes_too(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "A [REF-099].")
    _, out, _ = corpus("citation-audit", "--format", "sarif", "--no-save")
    (run,) = msgspec.json.decode(out)["runs"]
    found = {
        (result["ruleId"], result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        for result in run["results"]
    }
    assert ("not-in-corpus", "a.md") in found
    assert ("quote-altered", ".aiwg/research/corpus/REF-001-tides.md") in found


def test_warnings_fail_an_audit_only_strictly(corpus: Run, tmp_path: Path) -> None:
    bare = "---\ntitle: Tides\ntotal_pages: 3\n---\n"
    write(tmp_path, bare, ".aiwg/research/corpus/REF-001-tides.md")
    write(tmp_path, "A [REF-001, p.9].")
    assert corpus("citation-audit", "--no-save")[0] == 0
    assert corpus("citation-audit", "--no-save", "--strict")[0] == 1


def test_a_field_of_a_corpus_file_that_means_nothing_is_no_citation(corpus: Run, tmp_path: Path) -> None:
    write(tmp_path, "---\ntitle: x\npdf: /etc/passwd\n---\n", ".aiwg/research/corpus/REF-002-x.md")
    write(tmp_path, "Good [REF-001, p.2], [REF-002].")
    assert corpus("corpus-check")[:2] == (0, "✓ 2 citations in 3 documents: all in the corpus\n")
    code, out, _ = corpus("validate-citations", ".aiwg/research/corpus/REF-002-x.md", "--no-log")
    assert (code, out.rstrip().split("\n")[-1]) == (1, "1. Correct the corpus file of REF-002")
    code, out, _ = corpus("citation-audit", "--no-save")
    assert (code, "  ✗ REF-002 - line 3: pdf: expected a path relative to this file" in out) == (1, True)


def test_a_corpus_outside_the_root_is_named_and_nothing_is_allowed(in_folder: Run, tmp_path: Path) -> None:
    (tmp_path / ".aiwg/research").mkdir(parents=True)
    (tmp_path / ".aiwg/research/corpus").symlink_to("/")
    write(tmp_path, "Told [REF-001].")
    for command in (
        ("list",),
        ("check",),
        ("search", "x"),
        ("cite", "x y"),
        ("show", "REF-001"),
        ("add", "--title", "x"),
    ):
        code, out, err = in_folder("corpus", *command)
        assert (code, out) == (2, "")
        assert err == "pincite: .aiwg/research/corpus: the corpus cannot be read: it lies outside the root\n"
    assert in_folder("corpus", "validate-citations", "a.md", "--no-log")[0] == 1
    assert in_folder("check", "a.md")[0] == 1
