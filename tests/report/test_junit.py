"""JUnit XML: what passes, fails, errs and is skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from pincite.core.model import Defect, HiddenFindings, Malformed, Report, Span

Render = Callable[..., str]


def suites(render: Render, run: Any, **options: Any) -> dict[str, ElementTree.Element]:
    return {suite.attrib["name"]: suite for suite in ElementTree.fromstring(render("junit", *run, **options))}


def counts(suite: ElementTree.Element) -> tuple[int, ...]:
    return tuple(int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped"))


def test_a_suite_for_each_document(render: Render, sample: Any) -> None:
    found = suites(render, sample)
    assert {name: counts(suite) for name, suite in found.items()} == {
        ".serena/memories/auth.md": (3, 2, 0, 0),
        "docs/guide.md": (7, 2, 0, 1),
        "notes/latin1.md": (1, 0, 1, 0),
    }


def test_warnings_fail_under_strict(render: Render, sample: Any) -> None:
    assert counts(suites(render, sample, strict=True)["docs/guide.md"]) == (7, 5, 0, 1)


def test_holding_citations_share_a_case(render: Render, sample: Any) -> None:
    case = suites(render, sample)["docs/guide.md"][0]
    assert case.attrib["name"] == "8 citations hold"
    assert len(case) == 0


def test_a_failure_tells_place_message_and_evidence(render: Render, sample: Any) -> None:
    failure = suites(render, sample)[".serena/memories/auth.md"].find("testcase/failure")
    assert failure is not None
    assert failure.attrib["type"] == "snippet-mismatch"
    assert failure.text == (
        ".serena/memories/auth.md:4:5: mismatch (snippet-mismatch)\n"
        "Snippet mismatch at line 42. Expected 'if ($x)', got 'if ($y)'\n-if ($x)\n+if ($y)"
    )


def test_a_document_that_cannot_be_parsed_is_an_error(render: Render, sample: Any) -> None:
    bad = Malformed("memory", Span(0, 3), "---", "line 2: duplicate key", fatal=True)
    report = Report("m.md", malformed=(Defect(bad, 2, 1),))
    assert counts(suites(render, ((report,), sample[1]))["m.md"]) == (1, 0, 1, 0)


def test_nothing_found_is_a_skipped_case(render: Render, clean: Any) -> None:
    (suite,) = suites(render, clean(0)).values()
    assert counts(suite) == (1, 0, 0, 1)
    skipped = suite.find("testcase/skipped")
    assert skipped is not None
    assert skipped.attrib["message"] == "No citations found in 4 documents: nothing was checked."


@pytest.mark.parametrize("fails", [False, True])
def test_what_a_change_hides_is_a_case_with_properties(render: Render, sample: Any, fails: bool) -> None:
    reports, summary = sample
    summary.hidden = HiddenFindings("main", ("docs/<a>.md", "b.md"), 2, 1, ("exclude",), fails)
    suite = suites(render, (reports, summary))["what this change hides"]
    assert counts(suite) == (1, int(fails), 0, 0)
    properties = {one.attrib["name"]: one.attrib["value"] for one in suite.iter("property")}
    assert properties == {
        "hidden.since": "main",
        "hidden.excluded_documents": "docs/<a>.md, b.md",
        "hidden.ignored_findings": "2",
        "hidden.baselined_findings": "1",
        "hidden.accepted_citations": "0",
        "hidden.lock_entries": "",
        "hidden.settings": "exclude",
    }
    said = suite.find("testcase/failure" if fails else "testcase/system-out")
    assert said is not None
    assert "ignores 2 findings" in (said.text or "")


def test_a_change_that_hides_nothing_is_no_case(render: Render, sample: Any) -> None:
    reports, summary = sample
    summary.hidden = HiddenFindings("main")
    assert "what this change hides" not in suites(render, (reports, summary))
