"""Fixes change the bytes of the citation and nothing else, and only where the evidence moved unchanged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pincite.core.errors import Conflict
from pincite.core.model import (
    Citation,
    Edit,
    Finding,
    Lines,
    Outcome,
    Report,
    Safety,
    Severity,
    SourceRef,
    Span,
    Verdict,
)
from pincite.engine.repair.draft_engine import DraftEngine
from pincite.engine.repair.fix import DocumentFixes, Fix, Fixer, make_fix_diff, write
from pincite.engine.run import Request, Run
from pincite.safe.files import Root
from support_fixes import find_fixes

BODY = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 31))


def fixes(path: Path, unsafe: bool = False) -> list[Fix]:
    """The fixes a run proposes for a tree."""
    with Root(str(path)) as root:
        return list(find_fixes(root, Run(root, Request(cache=False)).reports(), unsafe))


def apply(path: Path) -> int:
    found = fixes(path)
    with Root(str(path)) as root:
        for fix in found:
            write(root, fix)
    return len(found)


CITED = {
    "bracket": ("See. 【F:src/app.py†L3-L4】\n", "See. 【F:src/app.py†L5-L6】\n"),
    "variant": ("See. 【F:src/app.py†L3–4】\n", "See. 【F:src/app.py†L5-L6】\n"),
    "colon": ("See `src/app.py:3`.\n", "See `src/app.py:5`.\n"),
    "colon range": ("See src/app.py:3-4, or not.\n", "See src/app.py:5-6, or not.\n"),
    "column": ("See src/app.py:3:7 there.\n", "See src/app.py:5:7 there.\n"),
    "hash": ("See src/app.py#L3-L4.\n", "See src/app.py#L5-L6.\n"),
    "link": ("See [a b](../src/app.py#L3 'title').\n", "See [a b](../src/app.py#L5 'title').\n"),
    "angled link": ("See [a](<../src/app.py#L3-L4>).\n", "See [a](<../src/app.py#L5-L6>).\n"),
    "root link": ("See [a](/src/app.py#L3).\n", "See [a](/src/app.py#L5).\n"),
    "cite": ("See [cite:file](src/app.py:3).\n", "See [cite:file](src/app.py:5).\n"),
    "address": ("See [a b](file://{root}/src/app.py#L3-L4).\n", "See [a b](file://{root}/src/app.py#L5-L6).\n"),
    "footnote": ("[^1a2b3c4d]: src/app.py:3\n", "[^1a2b3c4d]: src/app.py:5\n"),
    "absolute footnote": ("[^1a2b3c4d]: {root}/src/app.py:3\n", "[^1a2b3c4d]: {root}/src/app.py:5\n"),
}


@pytest.mark.parametrize("name", CITED)
def test_a_shift_is_followed_in_every_dialect(name: str, make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    before, after = (text.replace("{root}", str(repo.path)) for text in CITED[name])
    repo.commit({"src/app.py": BODY, "docs/a.md": before})
    repo.commit({"src/app.py": "# one\n# two\n" + BODY})
    assert apply(repo.path) == 1
    assert (repo.path / "docs/a.md").read_text() == after
    assert apply(repo.path) == 0


@pytest.mark.parametrize("name", CITED)
def test_a_rename_is_followed_in_every_dialect(name: str, make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    before = CITED[name][0].replace("{root}", str(repo.path))
    repo.commit({"src/app.py": BODY, "docs/a.md": before})
    repo.git("mv", "src/app.py", "src/core.py")
    repo.commit()
    assert apply(repo.path) == 1
    expected = before.replace("app.py", "core.py").replace("L3–4", "L3-L4")
    assert (repo.path / "docs/a.md").read_text() == expected


def test_a_document_cited_by_a_heading_is_followed_to_its_new_name(make_repository: Callable[..., Any]) -> None:
    """Only where the heading is still there."""
    repo = make_repository()
    text = "# Intro\n\n" + BODY
    repo.commit(
        {
            "docs/a.md": text,
            "docs/b.md": "# Other\n" + text[::-1],
            "x.md": "[docs/a.md, §Intro]\n\n[docs/b.md, §Other]\n",
        }
    )
    repo.git("mv", "docs/a.md", "docs/c.md")
    repo.git("mv", "docs/b.md", "docs/d.md")
    repo.commit({"docs/d.md": "# Another\n" + text[::-1]})
    assert apply(repo.path) == 1
    assert (repo.path / "x.md").read_text() == "[docs/c.md, §Intro]\n\n[docs/b.md, §Other]\n"


def test_a_heading_written_otherwise_is_shown_and_not_changed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# First Steps\n")
    (tmp_path / "x.md").write_text("[a.md, §first steps]\n")
    assert fixes(tmp_path) == []
    with Root(str(tmp_path)) as root:
        (report,) = Run(root, Request(cache=False)).reports()
    edit = report.verdicts[0].findings[0].edit
    assert edit is not None
    assert edit.replacement == "[a.md, §First Steps]"


def test_a_memory_gets_its_line_and_keeps_every_other_byte(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text("# one\n# two\n" + BODY)
    text = (
        "---\r\n# kept\r\nid: m1   # too\r\ncitations:\r\n  - path: 'src/app.py'\r\n    line: 3 # here\r\n"
        '    snippet: "step_3 = prepare(3)"\r\n---\r\n\r\nBody  \r\nno end'
    )
    (tmp_path / "m.md").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert apply(tmp_path) == 1
    assert (tmp_path / "m.md").read_bytes() == b"\xef\xbb\xbf" + text.replace("line: 3 #", "line: 5 #").encode()


def test_nothing_is_offered_where_the_text_changed_or_stands_twice(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "One. 【F:src/app.py†L3】\n", "b.md": "Two. 【F:src/app.py†L9】\n"})
    twice = BODY.replace("step_3 = prepare(3)", "step_3 = prepare(4)") + "step_9 = prepare(9)\n"
    repo.commit({"src/app.py": "# moved\n" + twice.replace("step_8 = prepare(8)\n", "").replace("step_10", "step_x")})
    assert fixes(repo.path) == []


def test_the_diff_shows_what_would_change(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "One. 【F:src/app.py†L3】\nTwo.\n"})
    repo.commit({"src/app.py": "# first\n" + BODY})
    (fix,) = fixes(repo.path)
    assert make_fix_diff(fix) == [
        "--- a/a.md",
        "+++ b/a.md",
        "@@ -1,2 +1,2 @@",
        "-One. 【F:src/app.py†L3】",
        "+One. 【F:src/app.py†L4】",
        " Two.",
    ]
    assert (repo.path / "a.md").read_text() == "One. 【F:src/app.py†L3】\nTwo.\n"


def test_a_document_that_changed_meanwhile_is_refused(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "One. 【F:src/app.py†L3】\n"})
    repo.commit({"src/app.py": "# first\n" + BODY})
    (fix,) = fixes(repo.path)
    repo.write("a.md", "Someone else wrote this.\n")
    with Root(str(repo.path)) as root, pytest.raises(Conflict, match="changed since it was read"):
        write(root, fix)
    assert (repo.path / "a.md").read_text() == "Someone else wrote this.\n"
    assert sorted(path.name for path in repo.path.iterdir()) == [".git", "a.md", "src"]


def test_a_neighbour_whose_evidence_changed_keeps_its_line(make_repository: Callable[..., Any]) -> None:
    """Rewriting the line would make history forget that change: only a reader may do it, and is told."""
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "Both. 【F:src/app.py†L3】【F:src/app.py†L20】\n"})
    edited = "# first\n" + BODY.replace("step_10 = prepare(10)\n", "").replace("prepare(20)", "prepare(99)")
    repo.commit({"src/app.py": edited})
    assert fixes(repo.path) == []
    assert fixes(repo.path, unsafe=True) == []
    with Root(str(repo.path)) as root:
        run = Run(root, Request(cache=False))
        (report,) = run.reports()
        fixer = Fixer(root, run.engine)
        offers = fixer.offers(report)
        assert offers is not None
        fix = fixer.fix(offers, offers.changes, forget=True)
        run.close()
    assert [verdict.citation.raw for verdict in fix.forgotten] == ["【F:src/app.py†L20】"]


DOCUMENT = "Intro.\n\nIt is 【F:src/app.py†L3】.\n\nEnd.\n"
CITERS = {
    "the line": ("b.md", "See docs/a.md:3.\n", False),
    "lines around it": ("b.md", "See docs/a.md:1-5.\n", False),
    "a link": ("docs/b.md", "See [it](a.md#L2-L4).\n", False),
    "an escaped link": ("docs/b.md", "See [it](%61.md#L3).\n", False),
    "the document itself": ("docs/a.md", DOCUMENT + "See docs/a.md:3.\n", False),
    "lines before it": ("b.md", "See docs/a.md:1.\n", True),
    "lines after it": ("b.md", "See docs/a.md:5.\n", True),
    "another document": ("b.md", "See docs/c.md:3.\n", True),
}


@pytest.mark.parametrize("name", CITERS)
def test_a_line_that_is_cited_itself_is_left_to_a_reader(name: str, make_repository: Callable[..., Any]) -> None:
    """Whoever cites it would be told that it was edited: a fix never adds a finding in any document."""
    path, text, made = CITERS[name]
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "docs/a.md": DOCUMENT, "docs/c.md": "1\n2\n3\n"} | {path: text})
    repo.commit({"src/app.py": "# one\n" + BODY})
    with Root(str(repo.path)) as root:
        before = {report.document for report in Run(root, Request(cache=False)).reports()}
    assert before == {"docs/a.md"}
    assert apply(repo.path) == made
    with Root(str(repo.path)) as root:
        after = {report.document for report in Run(root, Request(cache=False)).reports()}
    assert after == (set() if made else before)


def test_a_citer_that_does_not_hold_anyway_keeps_nothing_back(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "docs/a.md": DOCUMENT, "b.md": "See docs/a.md:2-3.\n"})
    repo.commit({"src/app.py": "# one\n" + BODY, "docs/a.md": "Title\n" + DOCUMENT})
    assert apply(repo.path) == 2
    assert (repo.path / "docs/a.md").read_text() == "Title\n" + DOCUMENT.replace("L3", "L4")
    assert (repo.path / "b.md").read_text() == "See docs/a.md:3-4.\n"
    with Root(str(repo.path)) as root:
        assert list(Run(root, Request(cache=False)).reports()) == []


def test_blank_lines_that_moved_are_not_offered(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    body = BODY.replace("step_4 = prepare(4)\n", "\n")
    repo.commit({"src/app.py": body, "a.md": "See 【F:src/app.py†L4】.\n"})
    repo.commit({"src/app.py": "# one\n" + body})
    with Root(str(repo.path)) as root:
        (report,) = Run(root, Request(cache=False)).reports()
    assert [(one.check, one.edit) for one in report.verdicts[0].findings] == [("lines-moved", None)]


def test_a_neighbour_that_was_edited_and_moved_is_offered_to_a_reader(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "Both. 【F:src/app.py†L3】【F:src/app.py†L20】\n"})
    repo.commit({"src/app.py": "# first\n" + BODY.replace("prepare(20)", "prepare(99)")})
    assert fixes(repo.path) == []
    (fix,) = fixes(repo.path, unsafe=True)
    assert fix.new.decode() == "Both. 【F:src/app.py†L4】【F:src/app.py†L21】\n"


def test_a_line_is_rewritten_where_all_of_it_is_fixed(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "a.md": "Both. 【F:src/app.py†L3】【F:src/app.py†L20】 and `src/app.py:25-26`\n"})
    repo.commit({"src/app.py": "# first\n" + BODY})
    (fix,) = fixes(repo.path)
    assert fix.new.decode() == "Both. 【F:src/app.py†L4】【F:src/app.py†L21】 and `src/app.py:26-27`\n"
    assert (fix.left, fix.forgotten, len(fix.changes)) == ((), (), 3)


def moved_to(raw: str, start: int, new: str, safety: Safety = Safety.SAFE) -> Verdict:
    """A verdict that offers other words for a citation."""
    span = Span(start, start + len(raw))
    citation = Citation("bracket", span, raw, SourceRef("file", "src/app.py"), Lines(3, 3))
    finding = Finding("lines-moved", Outcome.MOVED, Severity.WARNING, "Moved", edit=Edit(span, new, safety))
    return Verdict(citation, 1, start + 1, (finding,))


def tried(path: Path, data: bytes, *verdicts: Verdict) -> tuple[Fixer, DocumentFixes]:
    (path / "src").mkdir(exist_ok=True)
    (path / "src/app.py").write_text(BODY)
    root = Root(str(path))
    fixer = Fixer(root, lambda: DraftEngine(root, every=True))
    offers = fixer.offers(Report("a.md", verdicts), data)
    assert offers is not None
    return fixer, offers


HARMFUL = {
    "no citation any more": "nothing here",
    "another citation": "【F:src/app.py†L4】【F:src/app.py†L6】",
    "malformed": "【F:src/app.py†L4-L2】",
    "past the end": "【F:src/app.py†L99】",
    "missing": "【F:src/none.py†L1】",
    "outside": "【F:../x†L1】",
    "swallows what follows": "`",
}


@pytest.mark.parametrize("name", HARMFUL)
def test_an_edit_that_would_do_harm_is_left_out(name: str, tmp_path: Path) -> None:
    """Whoever offers an edit may be wrong: it is tried, and those that do no harm are made all the same."""
    raw = "【F:src/app.py†L3】"
    data = f"A {raw} b {raw} `c` {raw}\n".encode()
    text = data.decode()
    at = [place for place in range(len(text)) if text.startswith(raw, place)]
    bad, good = moved_to(raw, at[0], HARMFUL[name]), moved_to(raw, at[2], "【F:src/app.py†L7】")
    fixer, offers = tried(tmp_path, data, bad, good)
    fix = fixer.fix(offers, offers.changes)
    assert [left.change.verdict for left in fix.left] == [bad]
    assert fix.left[0].reason.startswith("then ")
    assert fix.new.decode() == f"A {raw} b {raw} `c` 【F:src/app.py†L7】\n"


def test_of_edits_that_overlap_the_first_is_made_and_the_other_named(tmp_path: Path) -> None:
    raw = "【F:src/app.py†L3】"
    one, two = moved_to(raw, 0, "【F:src/app.py†L4】"), moved_to(raw, 0, "【F:src/app.py†L5】")
    fixer, offers = tried(tmp_path, raw.encode(), one, two)
    assert [left.reason for left in offers.left] == ["another edit changes the same text"]
    assert fixer.fix(offers, offers.changes).new.decode() == "【F:src/app.py†L4】"


def test_an_edit_does_not_fit_a_document_that_changed_since(tmp_path: Path) -> None:
    fixer, offers = tried(tmp_path, b"Other words.", moved_to("【F:src/app.py†L3】", 0, "【F:src/app.py†L4】"))
    assert (offers.changes, [left.reason for left in offers.left]) == (
        (),
        ["the document changed since it was checked"],
    )
    fix = fixer.fix(offers, offers.changes)
    assert (fix.new, fix.changes) == (b"Other words.", ())


def test_silenced_findings_offer_nothing(tmp_path: Path) -> None:
    verdict = moved_to("【F:src/app.py†L3】", 0, "【F:src/app.py†L4】")
    quiet = replace(verdict, findings=(), silenced=verdict.findings)
    with Root(str(tmp_path)) as root:
        fixer = Fixer(root, lambda: DraftEngine(root, every=True))
        assert fixer.offers(Report("a.md", (quiet,)), b"") is None


def test_trying_many_harmful_edits_takes_time_in_proportion(tmp_path: Path, in_proportion: Callable[..., bool]) -> None:
    raw = "【F:src/app.py†L3】"

    def work(count: int) -> object:
        text = f"{raw}\n" * count
        verdicts = [moved_to(raw, at * (len(raw) + 1), "no" if at % 2 else "【F:none†L1】") for at in range(count)]
        fixer, offers = tried(tmp_path, text.encode(), *verdicts)
        fix = fixer.fix(offers, offers.changes)
        assert len(fix.left) == count
        return fix

    assert in_proportion(work, 60, 600, 10)


def test_a_draft_without_edits_finds_the_same_and_offers_nothing(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "docs/a.md": "See src/app.py:3.\n"})
    repo.commit({"src/app.py": f"new\n{BODY}"})
    with Root(str(repo.path)) as root:
        run = Run(root, Request(cache=False))
        engine = run.engine()
        data = root.read("docs/a.md", 10_000)
        told = [next(iter(engine.draft_parts("docs/a.md", data, edits=wanted))).verdicts for wanted in (True, False)]
        engine.close()
        run.close()
    (with_edit,), (without,) = ([finding for verdict in verdicts for finding in verdict.findings] for verdicts in told)
    assert with_edit.edit is not None
    assert without.edit is None
    assert replace(with_edit, edit=None) == without
