"""`pincite accept`: read again, still true."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Pincite = Callable[..., tuple[int, str, str]]
FILE = ".pincite-accepted"
SOURCE = "import time\n\nRETRIES = 3\nDELAY = 0.5\n\n\ndef run():\n    return RETRIES\n"
GUIDE = "# Guide\n\nWe try a few times 【F:app.py†L3】.\n\nIt runs there 【F:app.py†L7-L8】.\n"


@pytest.fixture
def repo(make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, in_folder: Pincite) -> Any:
    """A repository in which one cited line was edited after it was cited."""
    made = make_repository()
    made.commit({"app.py": SOURCE, "docs/guide.md": GUIDE})
    made.commit({"app.py": SOURCE.replace("RETRIES = 3", "RETRIES = 5")})
    monkeypatch.chdir(made.path)
    return made


def rows(repo: Any) -> list[dict[str, str]]:
    lines = (repo.path / FILE).read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    return [json.loads(line) for line in lines[1:]]


def found(pincite: Pincite, *arguments: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The citations that are not plainly fine, and the summary."""
    _, out, _ = pincite("check", "--format", "json", *arguments)
    report = json.loads(out)
    return [one for one in report["citations"] if one["findings"] or one["silenced"]], report["summary"]


def test_an_edited_line_is_settled_without_touching_the_citing_line(repo: Any, in_folder: Pincite) -> None:
    assert in_folder("check", "--strict")[0] == 1
    code, out, err = in_folder("accept", "docs/guide.md:3", "--reason", "it says a few")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "docs/guide.md:3:20  accepted  【F:app.py†L3】",
        f"  Edited since {repo.git('rev-parse', '--short=7', 'HEAD~1')}, when it was cited",
        "     3 │ RETRIES = 5",
        "  recorded in .pincite-accepted; commit it",
    ]
    assert (repo.path / "docs/guide.md").read_text(encoding="utf-8") == GUIDE
    (row,) = rows(repo)
    assert (row["document"], row["citation"], row["cites"]) == ("docs/guide.md", "【F:app.py†L3】", "app.py:3")
    assert row["reason"] == "it says a few"
    code, out, _ = in_folder("check", "--strict")
    assert code == 0
    assert "1 accepted by a reader" in out
    (one,), summary = found(in_folder)
    assert one["findings"] == []
    assert one["silenced"][0]["check"] == "lines-edited"
    assert one["silenced"][0]["accepted"] == "it says a few"
    assert one["outcome"] == "mismatch"
    assert (summary["accepted"], summary["warnings"]) == (1, 0)


def test_the_finding_comes_back_when_the_cited_text_changes(repo: Any, in_folder: Pincite) -> None:
    in_folder("accept", "docs/guide.md:3", "--reason", "it says a few")
    repo.write("app.py", SOURCE.replace("RETRIES = 3", "RETRIES = 500"))
    code, out, _ = in_folder("check", "--strict")
    assert code == 1
    assert "accepted before (it says a few), but the cited text has changed since" in out
    repo.write("app.py", SOURCE.replace("RETRIES = 3", "RETRIES = 5"))
    assert in_folder("check", "--strict")[0] == 0


def test_other_lines_of_the_cited_file_do_not_matter(repo: Any, in_folder: Pincite) -> None:
    in_folder("accept", "docs/guide.md:3")
    repo.write("app.py", SOURCE.replace("RETRIES = 3", "RETRIES = 5") + "# more\n")
    assert in_folder("check", "--strict")[0] == 0


def test_another_way_to_write_the_citation_is_not_accepted(repo: Any, in_folder: Pincite) -> None:
    in_folder("accept", "docs/guide.md:3")
    record = (repo.path / FILE).read_text(encoding="utf-8")
    repo.write(FILE, record.replace("【F:app.py†L3】", "app.py:3"))
    code, out, _ = in_folder("check", "--strict")
    assert code == 1
    assert "accepted before, but the citation has changed since" in out


@pytest.mark.parametrize("name", ["docs/guide.md:3", "docs/guide.md:3:20", "【F:app.py†L3】", "app.py:3"])
def test_ways_to_name_a_citation(repo: Any, in_folder: Pincite, name: str) -> None:
    assert in_folder("accept", name)[0] == 0
    assert len(rows(repo)) == 1


def test_a_path_is_relative_to_the_working_folder(
    repo: Any, in_folder: Pincite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path / "docs")
    assert in_folder("accept", "guide.md:3")[0] == 0


def test_one_that_holds_records_nothing(repo: Any, in_folder: Pincite) -> None:
    code, out, _ = in_folder("accept", "docs/guide.md:5")
    assert code == 0
    assert out == "docs/guide.md:5:15  nothing to accept  【F:app.py†L7-L8】\n  it holds\n"
    assert not (repo.path / FILE).exists()


def test_accepting_twice_records_one_line_and_a_new_reason_replaces_the_old(repo: Any, in_folder: Pincite) -> None:
    in_folder("accept", "docs/guide.md:3", "--reason", "one")
    code, out, _ = in_folder("accept", "docs/guide.md:3")
    assert (code, "accepted already" in out) == (0, True)
    assert in_folder("accept", "docs/guide.md:3", "--reason", "two")[0] == 0
    assert [row["reason"] for row in rows(repo)] == ["two"]


def test_what_is_not_there_is_refused(repo: Any, in_folder: Pincite) -> None:
    cases = ["【F:gone.py†L1】", "【F:../../etc/passwd†L1】", "【F:app.py†L99】", "【F:app.py†L7-L99】"]
    repo.write("bad.md", "".join(f"Claim number {number} {one}.\n\n" for number, one in enumerate(cases)))
    for case in cases:
        code, out, _ = in_folder("accept", case)
        assert code == 1, case
        assert "refused" in out
        assert "nothing was recorded" in out
    assert not (repo.path / FILE).exists()


def test_a_name_that_fits_nothing(repo: Any, in_folder: Pincite) -> None:
    for name in ("docs/guide.md:1", "app.py:1", "nothing", "", "x" * 9000, "a\0b:3"):
        code, _, err = in_folder("accept", name)
        assert code == 2
        assert "no citation stands there" in err
        assert "Traceback" not in err


def test_a_name_that_fits_several_lists_them(repo: Any, in_folder: Pincite) -> None:
    repo.commit({"other.md": "As 【F:app.py†L3】 and again 【F:app.py†L3】.\n"})
    repo.commit({"app.py": SOURCE.replace("RETRIES = 3", "RETRIES = 7")})
    code, _, err = in_folder("accept", "app.py:3")
    assert code == 2
    assert "3 citations fit" in err
    for place in ("docs/guide.md:3:20", "other.md:1:4", "other.md:1:28"):
        assert place in err
    code, _, err = in_folder("accept", "other.md:1")
    assert (code, "2 citations fit" in err) == (2, True)
    assert not (repo.path / FILE).exists()
    assert in_folder("accept", "other.md:1:4")[0] == 0


def test_a_document_that_cites_the_line_of_another_is_not_taken_for_it(repo: Any, in_folder: Pincite) -> None:
    repo.commit({"x.md": "See the guide 【F:docs/guide.md†L1】.\n", "docs/more.md": "And 【F:docs/guide.md†L1】.\n"})
    repo.commit({"docs/guide.md": GUIDE.replace("# Guide", "# The guide")})
    code, _, err = in_folder("accept", "docs/guide.md:1")
    assert (code, "2 citations fit" in err) == (2, True)
    assert in_folder("accept", "x.md:1")[0] == 0


def test_the_same_citation_in_another_sentence_stays_open(repo: Any, in_folder: Pincite) -> None:
    repo.commit({"other.md": "First claim 【F:app.py†L3】.\n\nQuite another claim 【F:app.py†L3】.\n"})
    repo.commit({"app.py": SOURCE.replace("RETRIES = 3", "RETRIES = 7")})
    assert in_folder("accept", "other.md:1")[0] == 0
    open_ = [(one["line"], bool(one["findings"])) for one in found(in_folder, "other.md")[0]]
    assert open_ == [(1, False), (3, True)]


def test_a_citation_that_is_copied_to_a_second_sentence_opens_both_but_the_one_that_was_read(
    repo: Any, in_folder: Pincite
) -> None:
    in_folder("accept", "docs/guide.md:3")
    text = GUIDE.replace("# Guide\n", "# Guide\n\nA claim that nobody read 【F:app.py†L3】.\n")
    repo.commit({"docs/guide.md": text})
    # The new line is as young as the text it cites; the old one was accepted.
    citations, _ = found(in_folder)
    assert [(one["line"], len(one["findings"]), len(one["silenced"])) for one in citations] == [(5, 0, 1)]


def test_several_at_once(repo: Any, in_folder: Pincite) -> None:
    repo.commit({"app.py": SOURCE.replace("3", "5").replace("return RETRIES", "return 5")})
    assert in_folder("accept", "docs/guide.md:3", "docs/guide.md:5", "--reason", "both")[0] == 0
    assert len(rows(repo)) == 2
    assert in_folder("check", "--strict")[0] == 0


def test_list_and_prune(repo: Any, in_folder: Pincite) -> None:
    assert in_folder("accept", "--list") == (0, "0 citations accepted, 0 in force.\n", "")
    in_folder("accept", "docs/guide.md:3", "--reason", "it says a few")
    code, out, _ = in_folder("accept", "--list")
    assert code == 0
    assert out.splitlines() == [
        "docs/guide.md  in force  【F:app.py†L3】 → app.py:3  it says a few",
        "1 citation accepted, 1 in force.",
    ]
    assert in_folder("accept", "--prune") == (0, "0 acceptances dropped.\n", "")
    repo.write("app.py", SOURCE.replace("RETRIES = 3", "RETRIES = 9"))
    assert "text changed" in in_folder("accept", "--list")[1]
    repo.write("docs/guide.md", "Nothing.\n")
    assert "citation gone" in in_folder("accept", "--list")[1]
    assert "1 acceptance dropped." in in_folder("accept", "--prune")[1]
    assert in_folder("accept", "--list")[1] == "0 citations accepted, 0 in force.\n"


@pytest.mark.parametrize("words", [(), ("--list", "--prune"), ("--list", "x"), ("--prune", "x")])
def test_wrong_usage(repo: Any, in_folder: Pincite, words: tuple[str, ...]) -> None:
    code, _, err = in_folder("accept", *words)
    assert (code, "name a citation, or give --list or --prune alone" in err) == (2, True)


def test_a_reason_is_one_line_of_text(repo: Any, in_folder: Pincite) -> None:
    assert in_folder("accept", "docs/guide.md:3", "--reason", "a\n\x1b[31mb  ‮c")[0] == 0
    text = (repo.path / FILE).read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert "‮" not in text
    assert len(rows(repo)) == 1
    assert "\x1b" not in in_folder("accept", "--list")[1]
    code, _, err = in_folder("accept", "docs/guide.md:3", "--reason", "x" * 1001)
    assert (code, "--reason: longer than 1000" in err) == (2, True)


def test_a_malformed_file_names_line_problem_and_remedy(repo: Any, in_folder: Pincite) -> None:
    repo.write(FILE, "# ours\n\nnonsense\n")
    for command in (("check",), ("accept", "docs/guide.md:3"), ("accept", "--list"), ("fix",)):
        code, _, err = in_folder(*command)
        assert code == 2
        assert err.startswith("pincite: .pincite-accepted:3: not an acceptance (")
        assert "delete it and run `pincite accept` again" in err


def test_a_change_that_accepts_says_so(repo: Any, in_folder: Pincite) -> None:
    in_folder("accept", "docs/guide.md:3")
    out = in_folder("check", "--base", "HEAD")[1]
    assert "This change accepts 1 citation as still true (compared with HEAD)" in out
    assert in_folder("check", "--base", "HEAD", "--strict")[0] == 1
    hidden = found(in_folder, "--base", "HEAD")[1]["hidden"]
    assert (hidden["accepted_citations"], hidden["ignored_findings"]) == (1, 0)
    repo.commit()
    assert "This change" not in in_folder("check", "--base", "HEAD")[1]


def test_an_acceptance_that_is_taken_back_counts_as_a_change(repo: Any, in_folder: Pincite) -> None:
    in_folder("accept", "docs/guide.md:3")
    repo.commit()
    (repo.path / FILE).unlink()
    assert "lines-edited" in in_folder("check", "--since", "HEAD")[1]


def test_the_lock_records_it_where_there_is_one(repo: Any, in_folder: Pincite) -> None:
    repo.commit({"app.py": SOURCE, "docs/guide.md": GUIDE + "\n"})
    assert in_folder("lock")[0] == 0
    repo.write("app.py", SOURCE.replace("RETRIES = 3", "RETRIES = 5"))
    assert "Edited since it was locked" in in_folder("check")[1]
    code, out, _ = in_folder("accept", "docs/guide.md:3", "--reason", "it says a few")
    assert code == 0
    assert out.endswith("  recorded in pincite.lock; commit it\n")
    assert not (repo.path / FILE).exists()
    assert in_folder("check", "--strict")[0] == 0
    assert in_folder("lock", "--check")[0] == 0
    assert "in force" in in_folder("accept", "--list")[1]
    repo.write("app.py", SOURCE.replace("RETRIES = 3", "RETRIES = 9"))
    code, out, _ = in_folder("check", "--strict")
    assert code == 1
    assert "Edited since it was locked; accepted before (it says a few), but the cited text has changed since" in out
    assert "1 acceptance dropped." in in_folder("accept", "--prune")[1]
    assert "accepted before" not in in_folder("check")[1]


def test_a_citation_that_was_not_locked_gets_an_entry(repo: Any, in_folder: Pincite) -> None:
    in_folder("lock")
    before = (repo.path / "pincite.lock").read_text(encoding="utf-8").splitlines()
    assert len(before) == 2
    assert in_folder("accept", "docs/guide.md:3")[0] == 0
    after = (repo.path / "pincite.lock").read_text(encoding="utf-8").splitlines()
    assert len(after) == 3
    assert set(before) < set(after)
    assert in_folder("check", "--strict")[0] == 0


def test_a_snippet_in_a_project_with_a_lock_goes_to_the_file(repo: Any, in_folder: Pincite) -> None:
    in_folder("lock")
    repo.write("memory/m.md", "---\ncitations:\n  - {path: app.py, line: 3, snippet: RETRIES = 3}\n---\nText.\n")
    repo.write("pincite.toml", 'memories = "memory"\n')
    code, out, _ = in_folder("accept", "memory/m.md:3")
    assert (code, "recorded in .pincite-accepted" in out) == (0, True), out
    assert in_folder("check", "memory")[0] == 0


def test_lock_takes_what_was_accepted(repo: Any, in_folder: Pincite) -> None:
    assert in_folder("lock")[0] == 1
    (repo.path / "pincite.lock").unlink()
    in_folder("accept", "docs/guide.md:3")
    assert in_folder("lock")[0] == 0


def test_fix_leaves_what_was_accepted_alone(repo: Any, in_folder: Pincite) -> None:
    repo.commit({"app.py": SOURCE.replace("def run", "LIMIT = 9\nMORE = 8\ndef run").replace("3", "5")})
    assert "1 citation in 1 document can be fixed" in "".join(in_folder("fix")[1:])
    assert in_folder("accept", "docs/guide.md:5", "--reason", "these lines are meant")[0] == 0
    assert "can be fixed" not in "".join(in_folder("fix")[1:])


def test_a_stored_answer_does_not_outlive_an_acceptance(repo: Any, in_folder: Pincite) -> None:
    assert in_folder("check", "--strict")[0] == 1
    in_folder("accept", "docs/guide.md:3")
    assert in_folder("check", "--strict")[0] == 0
    assert in_folder("check", "--strict")[0] == 0
    (repo.path / FILE).unlink()
    assert in_folder("check", "--strict")[0] == 1


def test_the_baseline_does_not_take_in_what_was_accepted(repo: Any, in_folder: Pincite, tmp_path: Path) -> None:
    in_folder("accept", "docs/guide.md:3")
    known = str(tmp_path / "known")
    _, _, err = in_folder("check", "--baseline", known, "--update-baseline")
    assert "wrote 0 known findings" in err


def test_words_quoted_from_a_paper_are_part_of_what_was_accepted(
    tmp_path: Path, in_folder: Pincite, make_pdf: Callable[..., bytes]
) -> None:
    corpus = tmp_path / ".aiwg/research/corpus"
    corpus.mkdir(parents=True)
    (corpus / "REF-043-voice.md").write_text("---\ntitle: x\n---\n")
    (corpus / "REF-043-voice.pdf").write_bytes(make_pdf(["Readers rated the steady drafts 15 points higher"]))
    wrong = "It is so: “Readers rated the steady drafts 25 points higher” [REF-043, p.1].\n"
    (tmp_path / "a.md").write_text(wrong, encoding="utf-8")
    assert in_folder("check")[0] == 1
    code, out, _ = in_folder("accept", "a.md:1", "--reason", "the erratum says 25")
    assert (code, "accepted" in out) == (0, True), out
    assert in_folder("check")[0] == 0
    (tmp_path / "a.md").write_text(wrong.replace("25", "35"), encoding="utf-8")
    code, out, _ = in_folder("check")
    assert code == 1
    assert "accepted before (the erratum says 25)" in out
    (tmp_path / "a.md").write_text(wrong, encoding="utf-8")
    (corpus / "REF-043-voice.pdf").write_bytes(make_pdf(["Readers rated the steady drafts 16 points higher"]))
    assert in_folder("check")[0] == 1


def test_a_claim_about_captured_output_is_accepted_for_its_sentence(
    tmp_path: Path, in_folder: Pincite, captured: Callable[..., str]
) -> None:
    digest = captured(tmp_path, b"3 passed\n")[:12]
    (tmp_path / "a.md").write_text(f"All 4 tests passed 【{digest}†L1】.\n", encoding="utf-8")
    assert "figure-not-found" in in_folder("check")[1]
    assert in_folder("accept", "a.md:1", "--reason", "one ran elsewhere")[0] == 0
    assert "figure-not-found" not in in_folder("check")[1]
    (tmp_path / "a.md").write_text(f"All 5 tests passed 【{digest}†L1】.\n", encoding="utf-8")
    out = in_folder("check")[1]
    assert "accepted before (one ran elsewhere), but the sentence has changed since" in out


def test_sarif_has_the_reason_and_what_the_baseline_says(repo: Any, in_folder: Pincite) -> None:
    in_folder("check", "--baseline", "known.txt", "--update-baseline")
    in_folder("accept", "docs/guide.md:3", "--reason", "it says a few")
    out = in_folder("check", "--baseline", "known.txt", "--format", "sarif")[1]
    (result,) = json.loads(out)["runs"][0]["results"]
    assert result["baselineState"] == "unchanged"
    assert result["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "it says a few"}]
