"""SARIF: the shape, places, fixes, fingerprints, and GitHub's limits."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from pincite.core.model import (
    Defect,
    Finding,
    HiddenFindings,
    Malformed,
    Outcome,
    Report,
    Severity,
    SilencedBy,
    SourceRef,
    Span,
    Summary,
    Verdict,
)
from pincite.report import sarif

Render = Callable[..., str]
IN_USE = json.loads(Path(__file__).with_name("sarif-in-use.schema.json").read_text(encoding="utf-8"))
OFFICIAL = os.environ.get("PINCITE_SARIF_SCHEMA", "")


def parsed(render: Render, run: Any, **options: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(render("sarif", *run, **options))
    Draft202012Validator(IN_USE, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(data)
    if OFFICIAL:
        schema = json.loads(Path(OFFICIAL).read_text(encoding="utf-8"))
        validator_for(schema)(schema).validate(data)
    return data


def results(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [result for run in data["runs"] for result in run["results"]]


def by_rule(data: dict[str, Any], rule: str) -> dict[str, Any]:
    return next(result for result in results(data) if result["ruleId"] == rule)


def test_only_problems_the_gravest_first(render: Render, sample: Any) -> None:
    data = parsed(render, sample)
    assert [(result["level"], result["properties"]["outcome"]) for result in results(data)] == [
        ("error", "blocked"),
        ("error", "malformed"),
        ("error", "unreadable"),
        ("error", "missing"),
        ("error", "mismatch"),
        ("warning", "mismatch"),
        ("warning", "mismatch"),
        ("warning", "moved"),
    ]


def test_rule_indices_lead_to_their_rules(render: Render, sample: Any) -> None:
    data = parsed(render, sample)
    rules = data["runs"][0]["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in results(data))


def test_rules_carry_the_pages_of_their_checks(render: Render, sample: Any) -> None:
    def pages(check: str) -> str:
        return f"The check {check}.\n\nWhy it matters."

    rules = parsed(render, sample, pages=pages)["runs"][0]["tool"]["driver"]["rules"]
    rule = next(rule for rule in rules if rule["id"] == "lines-moved")
    assert rule["shortDescription"]["text"] == "The check lines-moved."
    assert rule["help"]["text"] == "The check lines-moved.\n\nWhy it matters."
    malformed = next(rule for rule in rules if rule["id"] == "malformed-citation")
    assert malformed["shortDescription"]["text"].startswith("Text that is meant as a citation")


def test_places_are_one_based_with_an_exclusive_end(render: Render, sample: Any) -> None:
    data = parsed(render, sample)
    region = by_rule(data, "lines-moved")["locations"][0]["physicalLocation"]["region"]
    raw = "【F:src/app/server.py†L12-L14】"
    assert region == {"startLine": 12, "startColumn": 5, "endLine": 12, "endColumn": 5 + len(raw)}


def test_a_citation_over_several_lines(render: Render, sample: Any) -> None:
    region = by_rule(parsed(render, sample), "snippet-mismatch")["locations"][0]["physicalLocation"]["region"]
    end = len("    snippet: if ($x)") + 1
    assert region == {"startLine": 4, "startColumn": 5, "endLine": 6, "endColumn": end}


def test_the_evidence_is_a_related_location(render: Render, sample: Any) -> None:
    (related,) = by_rule(parsed(render, sample), "lines-edited")["relatedLocations"]
    assert related["physicalLocation"] == {
        "artifactLocation": {"uri": "src/app/config.py", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 8, "endLine": 8},
    }


def test_missing_evidence_is_no_related_location(render: Render, sample: Any) -> None:
    assert "relatedLocations" not in by_rule(parsed(render, sample), "file-not-found")


def test_the_fix_names_the_same_characters_twice(render: Render, sample: Any) -> None:
    (fix,) = by_rule(parsed(render, sample), "lines-moved")["fixes"]
    (change,) = fix["artifactChanges"]
    (replacement,) = change["replacements"]
    assert change["artifactLocation"]["uri"] == "docs/guide.md"
    assert replacement == {
        "deletedRegion": {
            "charOffset": 121,
            "charLength": 7,
            "startLine": 12,
            "startColumn": 26,
            "endLine": 12,
            "endColumn": 33,
        },
        "insertedContent": {"text": "L15-L17"},
    }


@pytest.mark.parametrize("path", ["a b/c#d?.md", "100%/ä:漢.md", "x\udcff.md", "a\u202eb.md", "c:/x.md"])
def test_paths_are_percent_encoded_and_come_back(path: str, render: Render, cite: Any, clean: Any) -> None:
    finding = Finding("file-not-found", Outcome.MISSING, Severity.ERROR, "gone")
    report = Report(path, (Verdict(cite("a:1", "a", 1), 1, 1, (finding,)),))
    (result,) = results(parsed(render, ((report,), clean(1)[1])))
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri, errors="surrogateescape") == path
    assert not set(uri) & set(" #?:<>\"'")


def test_fingerprints_survive_line_shifts_and_tell_equals_apart(render: Render, cite: Any, clean: Any) -> None:
    finding = Finding("file-not-found", Outcome.MISSING, Severity.ERROR, "gone")

    def prints(*lines: int) -> list[str]:
        report = Report("a.md", tuple(Verdict(cite("a:1", "a", 1), line, 1, (finding,)) for line in lines))
        data = parsed(render, ((report,), clean(1)[1]))
        return [result["partialFingerprints"]["pincite/v1"] for result in results(data)]

    assert prints(3, 9) == prints(13, 90)
    assert len(set(prints(3, 9, 12))) == 3


def test_a_link_in_a_message_is_text(render: Render, cite: Any, clean: Any) -> None:
    finding = Finding("file-not-found", Outcome.MISSING, Severity.ERROR, "cited [text](path#L1)")
    report = Report("a.md", (Verdict(cite("a:1", "a", 1), 1, 1, (finding,)),))
    (result,) = results(parsed(render, ((report,), clean(1)[1])))
    assert result["message"]["text"] == "cited [text\\](path#L1)"


def test_evidence_in_another_revision_is_not_passed_off_as_a_file(render: Render, sample: Any, cite: Any) -> None:
    verdict = sample[0][1].verdicts[1]
    citation = cite("link", "abc:src/app/config.py", 8, source=SourceRef("git", "abc:src/app/config.py"))
    report = Report("a.md", (Verdict(citation, 1, 1, verdict.findings, verdict.seen, verdict.excerpt),))
    assert "relatedLocations" not in results(parsed(render, ((report,), sample[1])))[0]


def many(cite: Any, errors: int, warnings: int) -> Report:
    def verdict(line: int, severity: Severity) -> Verdict:
        outcome = Outcome.MISSING if severity is Severity.ERROR else Outcome.MISMATCH
        return Verdict(cite("a:1", "a", 1), line, 1, (Finding("some-check", outcome, severity, "m"),))

    kinds = [Severity.WARNING] * warnings + [Severity.ERROR] * errors
    return Report("a.md", tuple(verdict(line, kind) for line, kind in enumerate(kinds, 1)))


def test_the_limits_are_those_of_github() -> None:
    assert (sarif.RESULTS_PER_RUN, sarif.RUNS) == (5_000, 20)


def test_more_results_than_a_run_shows_are_split(render: Render, cite: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "RESULTS_PER_RUN", 3)
    data = parsed(render, ((many(cite, 2, 5),), Summary(1, 7, exit_code=1)))
    assert [len(run["results"]) for run in data["runs"]] == [3, 3, 1]
    assert [result["level"] for result in results(data)] == ["error"] * 2 + ["warning"] * 5
    ids = [run.get("automationDetails", {}).get("id", "") for run in data["runs"]]
    assert len(set(ids)) == 3
    (notice,) = data["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert "split over 3 runs" in notice["message"]["text"]


def test_what_no_file_can_hold_is_counted_and_the_gravest_stay(
    render: Render, cite: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sarif, "RESULTS_PER_RUN", 2)
    monkeypatch.setattr(sarif, "RUNS", 2)
    data = parsed(render, ((many(cite, 3, 9),), Summary(1, 12, exit_code=1)))
    assert [result["level"] for result in results(data)] == ["error", "error", "error", "warning"]
    notices = data["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert "8 of 12 results" in notices[1]["message"]["text"]


def test_five_thousand_results_are_one_run_without_notice(render: Render, cite: Any) -> None:
    data = json.loads(render("sarif", [many(cite, 0, 5_000)], Summary(1, 5_000)))
    (run,) = data["runs"]
    assert len(run["results"]) == 5_000
    assert run["invocations"][0]["toolExecutionNotifications"] == []


@pytest.mark.parametrize("fails", [False, True])
def test_what_a_change_hides_is_a_notification(render: Render, sample: Any, fails: bool) -> None:
    reports, summary = sample
    summary.hidden = HiddenFindings("main", ("docs/\udce9.md", "a](b.md"), 2, 1, ("exclude",), fails)
    notice = parsed(render, (reports, summary))["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]
    assert notice["level"] == ("error" if fails else "warning")
    assert "excludes 2 documents" in notice["message"]["text"]
    assert "](" not in notice["message"]["text"].replace("\\](", "")
    found = notice["properties"]["hidden"]
    assert (found["since"], found["ignored_findings"], found["baselined_findings"]) == ("main", 2, 1)
    assert (len(found["excluded_documents"]), found["settings"]) == (2, ["exclude"])


def test_a_change_that_hides_nothing_is_no_notification(render: Render, sample: Any) -> None:
    reports, summary = sample
    summary.hidden = HiddenFindings("main")
    assert parsed(render, (reports, summary))["runs"][0]["invocations"][0]["toolExecutionNotifications"] == []


def gone_file(silenced_by: SilencedBy | None = None) -> Finding:
    return Finding("file-not-found", Outcome.MISSING, Severity.ERROR, "gone", silenced_by=silenced_by)


def told_once(cite: Any, line: int, by: SilencedBy | None = None, raw: str = "a:1") -> Verdict:
    findings = (gone_file(by),)
    return Verdict(cite(raw, "a", 1), line, 1, *(((), None, (), findings) if by else (findings,)))


def states(data: dict[str, Any]) -> list[tuple[str | None, list[str] | None]]:
    """The baseline state and the kinds of suppression of every result."""
    return [
        (
            result.get("baselineState"),
            [one["kind"] for one in result["suppressions"]] if "suppressions" in result else None,
        )
        for result in results(data)
    ]


def prints(data: dict[str, Any]) -> list[str]:
    return [result["partialFingerprints"]["pincite/v1"] for result in results(data)]


def test_what_is_silenced_is_suppressed_by_its_kind(render: Render, cite: Any) -> None:
    bad = Defect(Malformed("bracket", Span(1, 2), "x", "why"), 9, 1, SilencedBy.COMMENT)
    verdicts = (
        told_once(cite, 1, SilencedBy.COMMENT, "a:1"),
        told_once(cite, 2, SilencedBy.SETTINGS, "a:2"),
        told_once(cite, 3, SilencedBy.BASELINE, "a:3"),
        told_once(cite, 4, None, "a:4"),
    )
    data = parsed(render, ((Report("a.md", verdicts, silenced=(bad,)),), Summary(1, 4, exit_code=1)))
    # What is open comes first; SARIF wants the property on all results of a run or on none.
    assert states(data) == [
        (None, []),
        (None, ["inSource"]),
        (None, ["inSource"]),
        (None, ["external"]),
        (None, ["external"]),
    ]
    why = [result["suppressions"][0]["justification"] for result in results(data)[1:]]
    assert ["comment" in why[0], "comment" in why[1], "settings" in why[2], "baseline" in why[3]] == [True] * 4
    assert all(one["status"] == "accepted" for result in results(data) for one in result["suppressions"])


def test_nothing_silenced_and_no_baseline_is_the_report_it_always_was(render: Render, sample: Any) -> None:
    assert {key for result in results(parsed(render, sample)) for key in result} == {
        "ruleId",
        "ruleIndex",
        "level",
        "message",
        "locations",
        "partialFingerprints",
        "properties",
        "relatedLocations",
        "fixes",
    }


def test_suppressed_results_may_be_left_out(render: Render, cite: Any) -> None:
    report = Report("a.md", (told_once(cite, 1, SilencedBy.COMMENT), told_once(cite, 2)))
    summary = Summary(1, 2, exit_code=1)
    baseline = {"0" * 16: "b.md: file-not-found b:1"}
    left = parsed(render, ((report,), summary), suppressed=False, complete=True, baseline=baseline)
    assert states(left) == [("new", None)]


def test_a_finding_has_its_fingerprint_whatever_is_silenced_beside_it(render: Render, cite: Any) -> None:
    summary = Summary(1, 1, exit_code=1)
    alone = parsed(render, ((Report("a.md", (told_once(cite, 7),)),), summary))
    ignored = Report("a.md", (told_once(cite, 3, SilencedBy.COMMENT), told_once(cite, 7)))
    data = parsed(render, ((ignored,), summary))
    assert prints(data)[0] == prints(alone)[0]
    assert len(set(prints(data))) == 2


def test_a_baseline_tells_new_from_unchanged_by_the_names_it_has(render: Render, cite: Any) -> None:
    from pincite.report._fingerprint import Fingerprints

    name = Fingerprints().of("a.md", "file-not-found", "a:1")
    report = Report("a.md", (told_once(cite, 3, SilencedBy.BASELINE), told_once(cite, 7)))
    data = parsed(render, ((report,), Summary(1, 2, exit_code=1)), baseline={name: ""})
    assert states(data) == [("new", []), ("unchanged", ["external"])]
    assert prints(data)[1] == name != prints(data)[0]


GONE = {
    "1" * 16: "b.md: lines-moved src/load.py:4",
    "2" * 16: "no meaning",
    "3" * 16: "a](b.md: lines-moved [x](y)\u202e",
}


def test_what_the_baseline_has_and_the_run_has_not_is_absent(render: Render, clean: Any) -> None:
    data = parsed(render, clean(1), baseline=GONE, complete=True)
    assert states(data) == [("absent", ["external"])] * 2
    first, second = results(data)
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "b.md"
    assert (first["ruleId"], first["partialFingerprints"]["pincite/v1"]) == ("lines-moved", "1" * 16)
    assert "](" not in second["message"]["text"].replace("\\](", "")
    rules = data["runs"][0]["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in (first, second)] == ["lines-moved"] * 2


def test_nothing_is_absent_where_not_everything_was_looked_at(render: Render, clean: Any) -> None:
    assert results(parsed(render, clean(1), baseline=GONE)) == []
    reports, summary = clean(1)
    summary.unreadable = 1
    assert results(parsed(render, (reports, summary), baseline=GONE, complete=True)) == []


def test_what_a_comment_silences_now_is_not_absent_from_the_baseline(render: Render, cite: Any) -> None:
    from pincite.report._fingerprint import Fingerprints

    name = Fingerprints().of("a.md", "file-not-found", "a:1")
    report = Report("a.md", (told_once(cite, 3, SilencedBy.COMMENT),))
    known = {name: "a.md: file-not-found a:1"}
    data = parsed(render, ((report,), Summary(1, 1)), baseline=known, complete=True)
    assert states(data) == [("new", ["inSource"])]


def test_suppressed_results_never_displace_open_ones(
    render: Render, cite: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sarif, "RESULTS_PER_RUN", 2)
    monkeypatch.setattr(sarif, "RUNS", 2)
    verdicts = [told_once(cite, line, SilencedBy.COMMENT) for line in range(1, 9)]
    warning = Finding("some-check", Outcome.MISMATCH, Severity.WARNING, "m")
    verdicts += [Verdict(cite("a:1", "a", 1), 20, 1, (warning,))]
    data = parsed(render, ((Report("a.md", tuple(verdicts)),), Summary(1, 9)))
    assert [result["level"] for result in results(data)] == ["warning", "error", "error", "error"]
    # Each run is complete in itself.
    for run in data["runs"]:
        assert all("suppressions" in result for result in run["results"])
