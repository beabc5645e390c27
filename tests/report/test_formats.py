"""Laws for every format in the folder: complete, parsable, and safe whatever the documents hold."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite import report
from pincite.core.errors import UsageError
from pincite.core.model import (
    Citation,
    Defect,
    Edit,
    EvidenceStamp,
    Finding,
    Lines,
    Malformed,
    Outcome,
    Quote,
    Report,
    Safety,
    Severity,
    SourceRef,
    Span,
    Summary,
    Verdict,
)
from pincite.report import load, names

Render = Callable[..., str]

FORBIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
HOSTILE = (
    "\x1b[2J\x1b]0;title\x07",
    "\u202egnp.exe\u2066",
    "zero\u200bwidth\ufeff",
    "]]> --> <script>alert(1)</script>",
    "-- | `code` | **bold** ~~gone~~",
    "line\nbreak\r\n::error::injected",
    "::add-mask::secret",
    "##[group]hidden",
    "lone \udcff surrogate \ud83d",
    "![x](http://evil.example/a.png) [y](1) www.evil.example @everyone #12",
    "%0A%3A, %",
    "\"quotes' & <tags/> \\ \\u{1b}",
    "$math$ <!-- comment",
    "\t tab",
    "",
)
TEXTS = st.lists(
    st.sampled_from(HOSTILE) | st.text(st.characters(exclude_categories=()), max_size=8), min_size=1, max_size=3
).map("".join)


def hostile_run(text: str) -> tuple[Report, Summary]:
    """One document in which every free text is the given one."""
    raw = text or "x"
    citation = Citation("path", Span(7, 7 + len(raw)), raw, SourceRef("file", text), Lines(3, 4), Quote(text))
    finding = Finding(
        "lines-moved",
        Outcome.MOVED,
        Severity.ERROR,
        text,
        f"-{text}\n+{text} \n{text}",
        Edit(Span(7, 8), text, Safety.SAFE),
    )
    other = Finding("odd-check", Outcome.AMBIGUOUS, Severity.WARNING, text, text)
    verdict = Verdict(citation, 2, 3, (finding, other), EvidenceStamp(text, "00" * 32, 1.5), (text,))
    defect = Defect(Malformed("path", Span(0, 1), text, text), 9, 1)
    document = Report(text, (verdict,), (defect,), 1, error=text)
    counts = dict.fromkeys((outcome.label for outcome in Outcome), 0) | {"moved": 1, "holds": 1}
    summary = Summary(1, 2, counts, 1, 1, 0, 1, unreadable=bool(text), drift=text, exit_code=1)
    return document, summary


def check_text(out: str, text: str) -> None:
    for line in out.splitlines():
        assert not line.lstrip().startswith("::")
        assert "##[" not in line


def check_json(out: str, text: str) -> None:
    data = json.loads(out)
    if not re.search("[\ud800-\udfff]", text):
        assert data["citations"][0]["document"] == text
        assert data["citations"][0]["findings"][0]["message"] == text
        assert data["citations"][0]["quote"] == text


def check_sarif(out: str, text: str) -> None:
    results = json.loads(out)["runs"][0]["results"]
    assert len(results) == (4 if text else 3)
    for result in results:
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].isascii()
        assert not FORBIDDEN.search(result["message"]["text"])
        assert not re.search(r"(?<!\\)\]\(", result["message"]["text"])


def check_junit(out: str, text: str) -> None:
    suites = ElementTree.fromstring(out)
    for suite in suites:
        assert int(suite.attrib["tests"]) == len(suite)
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert not any(FORBIDDEN.search(value) for node in suite.iter() for value in node.attrib.values())
    assert {node.tag for node in suites.iter()} <= {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "error",
        "skipped",
        "system-out",
    }


def check_github(out: str, text: str) -> None:
    lines = out.splitlines()
    assert all(re.match(r"::(error|warning|notice) [^:\n]*::", line) for line in lines)
    assert [line.split(" ")[0] for line in lines].count("::notice") == 1
    assert len(lines) == (5 if text else 4)


def check_markdown(out: str, text: str) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(out)
    assert sum(token.type == "tr_open" for token in tokens) == (4 if text else 3)
    assert sum(token.type == "td_open" for token in tokens) == (12 if text else 8)
    # Markdown drops surplus cells silently, so the bars are counted too.
    assert {line.count("|") for line in out.splitlines() if line.startswith("|")} == {5}
    inline = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in inline} <= {"text", "html_inline", "code_inline"}
    tags = {child.content for child in inline if child.type == "html_inline"}
    assert tags <= {"<code>", "</code>", "<br>", "<!-- -->"}
    assert not any(token.type == "html_block" for token in tokens)
    assert not re.search(r"://|www\.|@\w|#\w", out.replace("&#", ""))


class Tags(HTMLParser):
    """Gathers the tags and attributes of a page, and whether tags are closed as they were opened."""

    VOID = ("meta", "input", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


HTML_TAGS = frozenset(
    "html head meta title style body header main h1 h2 h3 p ul li b figure figcaption svg desc rect span div table"
    " thead tbody tr th td code a input label section article pre details summary".split()
)
HTML_ATTRIBUTES = frozenset(
    "lang charset http-equiv content name class viewbox preserveaspectratio role aria-labelledby id x y width height"
    " href type checked for".split()
)


def check_html(out: str, text: str) -> None:
    tags = Tags()
    tags.feed(out)
    tags.close()
    assert tags.open == []
    assert {tag for tag, _ in tags.found} <= HTML_TAGS
    assert {name for _, given in tags.found for name in given} <= HTML_ATTRIBUTES
    assert all(re.fullmatch(r"#d[0-9]+", given["href"] or "") for _, given in tags.found if "href" in given)
    assert sum(tag == "article" for tag, _ in tags.found) == (3 if text else 2)
    assert sum(tag == "section" for tag, _ in tags.found) == 1


CHECKS = {
    "html": check_html,
    "text": check_text,
    "json": check_json,
    "sarif": check_sarif,
    "junit": check_junit,
    "github": check_github,
    "markdown": check_markdown,
}


def test_the_folder_is_the_list_of_formats() -> None:
    assert names() == ("github", "html", "json", "junit", "markdown", "sarif", "text")
    assert set(CHECKS) == set(names())


@pytest.mark.parametrize("name", names())
def test_a_format_documents_itself(name: str) -> None:
    module = load(name)
    assert module.__doc__ is not None
    assert module.__doc__.startswith("For ")
    assert isinstance(module.NEEDS_ALL, bool)


def test_an_unknown_format_is_a_usage_error_that_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown format 'pdf'; choose one of: github, html"):
        load("pdf")
    with pytest.raises(UsageError, match=r"\\x1b"):
        load("\x1b_words")


def test_only_the_format_asked_for_is_imported() -> None:
    code = """if True:
        import sys
        sys.path.insert(0, sys.argv[1])
        import pincite.report
        pincite.report.load("text")
        print(*(name for name in sys.modules if name.startswith("pincite.report.")))
    """
    source = str(Path(report.__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", code, source], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.split()}
    assert loaded & set(names()) == {"text"}


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", names())
def test_hostile_text_is_harmless(name: str, text: str, render: Render) -> None:
    document, summary = hostile_run(text)
    out = render(name, [document], summary)
    assert FORBIDDEN.search(out) is None
    CHECKS[name](out, text)


@pytest.mark.parametrize("name", names())
@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_any_text_is_harmless(name: str, text: str, render: Render) -> None:
    document, summary = hostile_run(text)
    out = render(name, [document], summary)
    assert FORBIDDEN.search(out) is None
    CHECKS[name](out, text)


@pytest.mark.parametrize("name", names())
def test_zero_documents_is_a_whole_report(name: str, render: Render, clean: Any) -> None:
    reports, summary = clean(0, documents=0)
    out = render(name, reports, summary)
    assert out.endswith("\n")
    if name == "json":
        data = json.loads(out)
        assert (data["citations"], data["malformed"], data["errors"]) == ([], [], [])
    elif name == "sarif":
        assert [run["results"] for run in json.loads(out)["runs"]] == [[]]
    else:
        assert "nothing was checked" in out


@pytest.mark.parametrize("name", sorted(set(names()) - {"json"}))
def test_a_holding_citation_with_its_verdict_changes_nothing(name: str, render: Render, sample: Any, cite: Any) -> None:
    reports, summary = sample
    before = render(name, reports, summary)
    guide = reports[1]
    guide.verdicts = (Verdict(cite("src/a.py:1", "src/a.py", 1), 1, 1), *guide.verdicts)
    assert render(name, reports, summary) == before


@pytest.mark.parametrize("name", names())
def test_every_problem_is_reported(name: str, render: Render, sample: Any) -> None:
    out = render(name, *sample)
    for message in ("File not found: src/load.py", "Path traversal blocked", "The range ends before it begins"):
        assert message in out
    assert "byte 0xe9 at offset 12" in out
    assert "15-" in out


@pytest.mark.parametrize("name", names())
def test_the_reference_page_has_a_section_for_every_format(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs/reference/formats.md").read_text(encoding="utf-8")
    assert f"\n## {name}\n" in page
