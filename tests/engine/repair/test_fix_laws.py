"""What holds of every fix, whatever stands around the citation: only its bytes change, and nothing else is said."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.core.model import (
    Citation,
    Edit,
    Finding,
    Lines,
    Outcome,
    Pages,
    Place,
    Report,
    Safety,
    Severity,
    Span,
    Verdict,
)
from pincite.dialects import dialects, extract, get_dialect
from pincite.engine.repair.draft_engine import DraftEngine
from pincite.engine.repair.edits import SpanMap, apply_edits, fitting
from pincite.engine.repair.fix import DocumentFixes, Fix, Fixer, patch, write
from pincite.engine.repair.patch import patch_lines
from pincite.engine.run import Request, Run
from pincite.safe.files import Root
from pincite.text.document import Document
from pincite.text.lines import decode
from support_fixes import find_fixes

EXAMPLES = int(os.environ.get("PINCITE_LAWS", "40"))
LIMIT = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FRONT = "citations:\n  - path: 'src/app.py' # why\n    line: 3\n    snippet: \"row 7 is here\"\n---\n"
CITED = {
    "bracket": "【F:src/app.py†L3-L4】",
    "path-line": "`src/app.py:3`",
    "line-phrase": "`src/app.py`, line 3",
    "link": "[a](src/app.py#L3 't')",
    "cite": "[cite:file](src/app.py:3)",
    "footnote": "\n\n[^1a2b3c4d]: src/app.py:3\n\n",
    "permalink": "https://github.com/o/r/blob/main/src/app.py#L3",
    "section": "[notes.md, §Intro]",
    "ref": "[REF-001, p.3]",
    "key": "[@smith2020, p. 3]",
    "memory": "---\n" + FRONT,
    "symbol": "`src/mod.py::read`",
    "tex-cite": "\\cite[p.~3]{smith2020}",
    "tex-path": "src/an\\_app.py:3",
    "org-link": "[[file:src/app.py::3][a]]",
    "instruction": "`src/mod.py`",
}
PAPERS = ("ref", "key", "tex-cite")
PLACES = {
    "symbol": Place("src/other.py", None),
    "section": Place("other.md", None),
    "ref": Place("REF-001", None, Pages("7", "7")),
    "key": Place("smith2020", None, Pages("7", "7")),
    "tex-cite": Place("smith2020", None, Pages("7", "7")),
    "tex-path": Place("src/an_app.py", Lines(7, 8)),
    "org-link": Place("src/app.py", Lines(7, 7)),
    "instruction": Place("src/other.py", None),
}
ELSEWHERE = Place("src/app.py", Lines(7, 8))
ODD = st.lists(
    st.sampled_from(
        (
            *(
                "\r\n",
                "\n",
                "\r",
                "\n\n",
                "\t",
                "  ",
                " ",
                "word ",
                "Text. ",
                "\x00",
                "\u2028",
                "\x85",
                "\x0c",
                "\x1b[31m",
            ),
            *(
                "e\u0301",
                "👩‍🔬",
                "𝔘",
                "\u202e",
                "`",
                "``",
                "```\n",
                "~~~\n",
                "*",
                "> ",
                "- ",
                "| a | b |\n",
                "# T\n",
                "<!-- c -->",
            ),
            *(
                "【F:src/app.py†L9】",
                "src/app.py:5-6",
                "[b](src/app.py#L2)",
                "【F:gone.py†L1】",
                "【",
                "†",
                "](",
                "---\n",
                ":",
            ),
        )
    ),
    max_size=8,
).map("".join)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Root]:
    path = tmp_path_factory.mktemp("tree")
    (path / "src").mkdir()
    (path / "src/app.py").write_text("".join(f"row {number} is here\n" for number in range(1, 31)))
    (path / "src/an_app.py").write_text("".join(f"row {number} is here\n" for number in range(1, 31)))
    for name in ("mod", "other"):
        (path / f"src/{name}.py").write_text("def read():\n    pass\n")
    (path / "notes.md").write_text("# Intro\n")
    (path / "other.md").write_text("# Intro\n")
    (path / "refs.bib").write_text("@article{smith2020, title={T}, author={A. Smith}, year={2020}, pages={1--20}}\n")
    with Root(str(path)) as opened:
        yield opened


def document_for(name: str) -> str:
    """The name of a document that the dialect reads."""
    return getattr(get_dialect(name), "PATH", "doc.md") if name != "key-quote" else "doc.md"


def offered(name: str, path: str, data: bytes, safety: Safety = Safety.SAFE) -> Report:
    """A report that offers another place to every citation of one dialect that points at the one in `CITED`."""
    document = Document(path, decode(data))
    verdicts = []
    for item in extract(document, dialects()):
        if not isinstance(item, Citation) or item.dialect != name:
            continue
        place = PLACES.get(name, ELSEWHERE)
        if name == "memory":
            place = Place("src/app.py", Lines(7, 7))
        edit = get_dialect(name).repoint(document, item, place)
        if edit is not None and edit.replacement != document.text[edit.span.start : edit.span.end]:
            finding = Finding(
                "lines-moved", Outcome.MOVED, Severity.WARNING, "Moved", edit=replace(edit, safety=safety)
            )
            verdicts.append(Verdict(item, *document.position(item.span.start), (finding,)))
    return Report(path, tuple(verdicts))


def composed(name: str, before: str, between: str, after: str, bom: bool) -> bytes:
    cited = CITED[name]
    text = f"{cited}{between}{after}" if name == "memory" else f"{before}{cited}{between}{cited}{after}"
    return (b"\xef\xbb\xbf" if bom else b"") + text.encode()


def said(report: Report) -> Counter[tuple[str, str]]:
    found = [(finding.check, verdict.citation.raw) for verdict in report.verdicts for finding in verdict.findings]
    return Counter([*found, *(("malformed", defect.malformed.raw) for defect in report.malformed)])


def fix_of(root: Root, name: str, data: bytes) -> tuple[DraftEngine, DocumentFixes | None, Fix | None]:
    engine = DraftEngine(root, every=True)
    fixer = Fixer(root, lambda: engine)
    offers = fixer.offers(offered(name, document_for(name), data), data)
    return engine, offers, fixer.fix(offers, offers.changes) if offers is not None else None


@pytest.mark.parametrize("name", CITED)
def test_a_plain_example_is_fixed(root: Root, name: str) -> None:
    data = composed(name, "It says so ", " and then\n\nagain ", " there.\n", False)
    _, offers, fix = fix_of(root, name, data)
    assert offers is not None and fix is not None
    if name in PAPERS:
        # Without a corpus nobody can say that the new page is right; it is a change all the same.
        assert len(fix.changes) + len(fix.left) == len(offers.changes)
    else:
        assert [change.reason for change in fix.left] == []
        assert len(fix.changes) == len(offers.changes) > 0


def test_every_dialect_that_can_be_repointed_is_tried() -> None:
    silent = {"habit", "key-quote"}  # These have no place that could be another one.
    silent |= {"repository-path"}  # Read only where another repository is at hand.
    assert {dialect.NAME for dialect in dialects()} - silent <= set(CITED)


@pytest.mark.parametrize("name", CITED)
@LIMIT
@given(before=ODD, between=ODD, after=ODD, bom=st.booleans())
def test_only_the_edited_bytes_change_and_nothing_else_is_said(
    root: Root, name: str, before: str, between: str, after: str, bom: bool
) -> None:
    data = composed(name, before, between, after, bom)
    engine, offers, fix = fix_of(root, name, data)
    if offers is None or fix is None:
        return
    # Outside the edits every byte is the same.
    at, old, new = 0, decode(fix.old), decode(fix.new)
    pieces = []
    for change in fix.changes:
        pieces += [old[at : change.edit.span.start], change.edit.replacement]
        at = change.edit.span.end
    assert "".join([*pieces, old[at:]]) == new
    assert fix.new.startswith(b"\xef\xbb\xbf") == bom
    # Read again, there are the same citations, and only those that were changed differ.
    was, now = (engine.check_bytes(document_for(name), data) for data in (fix.old, fix.new))
    assert len(was.verdicts) == len(now.verdicts)
    changed = {change.verdict.citation.span for change in fix.changes}
    for old_one, new_one in zip(was.verdicts, now.verdicts, strict=True):
        if old_one.citation.span not in changed:
            assert replace(new_one.citation, span=old_one.citation.span) == old_one.citation
        elif PLACES.get(name, ELSEWHERE).lines is not None:
            assert new_one.citation.lines in (ELSEWHERE.lines, Lines(7, 7))
    # Nothing is said that was not said before.
    renamed = {verdict.citation.raw for verdict in now.verdicts} - {verdict.citation.raw for verdict in was.verdicts}
    assert {raw for _, raw in said(now) - said(was)} <= renamed
    assert sum(said(now).values()) <= sum(said(was).values())
    # Whatever was not made is named.
    assert len(fix.changes) + len(fix.left) == len(offers.changes)
    # The same again changes nothing.
    again = offered(name, document_for(name), fix.new)
    done = {now.verdicts[at].citation.span for at, one in enumerate(was.verdicts) if one.citation.span in changed}
    assert not {verdict.citation.span for verdict in again.verdicts} & done


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="ab\r\né𝔘", max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 6), st.text(alphabet="xy\n", max_size=3)), max_size=6),
)
def test_of_overlapping_edits_the_first_wins(text: str, given_edits: list[tuple[int, int, str]]) -> None:
    edits = [Edit(Span(start, start + size), new, Safety.SAFE) for start, size, new in given_edits]
    kept = fitting(len(text), edits)
    assert all(one.span.end <= two.span.start for one, two in pairwise(kept))
    assert apply_edits(text, edits) == apply_edits(text, kept)
    for edit in edits:
        overlaps = any(one.span.start < edit.span.end and edit.span.start < one.span.end for one in kept)
        assert (
            edit in kept
            or overlaps
            or edit.span.end > len(text)
            or any(one.span.start <= edit.span.start < one.span.end or one.span == edit.span for one in kept)
        )
    gaps = [Span(one.span.end, two.span.start) for one, two in pairwise(kept)]
    new = apply_edits(text, kept)
    moves = SpanMap(kept)
    for gap in gaps:
        moved = moves.move(gap)
        if gap.end > gap.start:
            assert new[moved.start : moved.end] == text[gap.start : gap.end]


def test_patches_are_taken_by_git(tmp_path: Path) -> None:
    """Lone CR, CRLF, BOM, NUL, no final line end, odd names: git makes the very bytes that a fix would write."""
    texts = {
        "plain.md": "a\nb\nc\n",
        "crlf.md": "a\r\nb\r\nc\r\n",
        "cr.md": "a\rb\rc",
        "unended.md": "a\nb",
        "bom.md": "\ufeffa\nb\n",
        "nul.md": "a\0\nb\n\0c\n",
        "with space.md": "a\nb\n",
        'quo"te\\tab\t.md': "a\nb\n",
        "ünïcode/ö.md": "a\n" * 30 + "b\n",
        "line\nbreak.md": "b",
    }
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    rows: list[str] = []
    for name, text in texts.items():
        place = tmp_path / name
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(text.encode())
        at = text.index("b")
        edits = [Edit(Span(at, at + 1), "B!", Safety.SAFE), Edit(Span(0, 0), "", Safety.SAFE)]
        if "a" in text:
            edits.append(Edit(Span(text.index("a"), text.index("a") + 1), "é", Safety.SAFE))
        rows += patch_lines(name, text, edits)
    data = "".join(f"{row}\n" for row in rows).encode("utf-8", "surrogateescape")
    subprocess.run(["git", "apply", "-p1", "-"], cwd=tmp_path, input=data, check=True)
    for name, text in texts.items():
        expected = text.replace("b", "B!", 1).replace("a", "é", 1).encode()
        assert (tmp_path / name).read_bytes() == expected, name


@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet="ab\n\r", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9), st.text(alphabet="xy\n", max_size=4)), max_size=5),
)
def test_a_patch_says_exactly_what_changes(text: str, given_edits: list[tuple[int, int, str]]) -> None:
    edits = [Edit(Span(start, start + size), new, Safety.SAFE) for start, size, new in given_edits]
    new = apply_edits(text, edits)
    rows = list(patch_lines("a.md", text, edits))
    assert bool(rows) == (new != text)
    assert applied(text, rows) == new


def applied(text: str, rows: list[str]) -> str:
    """What a patch makes of a text, made by hand; every line it names must be there."""
    old = [line + "\n" for line in text.split("\n")]
    old[-1] = old[-1][:-1]
    old = [line for line in old if line]
    new: list[str] = []
    at = 0
    for number, row in enumerate(rows):
        bare = number + 1 < len(rows) and rows[number + 1].startswith("\\ No newline")
        line = row[1:] + ("" if bare else "\n")
        if row.startswith("@@"):
            first, _, count = row.split()[1][1:].partition(",")
            start = int(first) - (0 if count == "0" else 1)
            new += old[at:start]
            at = start
        elif number > 1 and row[0] in " -":
            assert old[at] == line
            at += 1
            new += [line] if row[0] == " " else []
        elif number > 1 and row[0] == "+":
            new.append(line)
    return "".join(new + old[at:])


def test_a_patch_of_a_fix_has_the_byte_order_mark(root: Root) -> None:
    data = b"\xef\xbb\xbf" + CITED["bracket"].encode() + b"\r\nmore"
    _, _, fix = fix_of(root, "bracket", data)
    assert fix is not None
    assert applied(data.decode(), list(patch(fix))).encode() == fix.new


def test_making_a_patch_takes_time_in_proportion(in_proportion: Callable[..., bool]) -> None:
    def work(given: tuple[str, list[Edit]]) -> object:
        return list(patch_lines("a.md", *given))

    def made(size: int) -> tuple[str, list[Edit]]:
        text = "same\n" * size
        return text, [Edit(Span(at * 5, at * 5 + 4), "else", Safety.SAFE) for at in range(0, size, 3)]

    assert in_proportion(work, made(3000), made(30000), 10)


_NUMBERS = count()
WRITTEN = (
    "- src/app.py:{}",
    "Said `src/app.py:{}` so.",
    "Said. 【F:src/app.py†L{}】",
    "[x](src/app.py#L{}) y [z](src/app.py#L2)",
)


@settings(
    max_examples=max(8, EXAMPLES // 5), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    cited=st.lists(st.tuples(st.integers(1, 20), st.sampled_from(WRITTEN)), min_size=1, max_size=8),
    changed=st.lists(st.tuples(st.integers(0, 19), st.sampled_from("+-~")), min_size=1, max_size=4),
)
def test_in_history_safe_fixes_lead_to_what_was_cited_and_are_made_once(
    make_repository: Callable[..., Any],
    cited: list[tuple[int, str]],
    changed: list[tuple[int, str]],
) -> None:
    """Whatever became of the file: a fixed citation has the words it had, and a second run leaves it alone."""
    repo = make_repository(f"law-{next(_NUMBERS)}")
    then = [f"value_{number} = measure({number * 37})" for number in range(1, 21)]
    document = "".join(form.format(number) + "\n\n" for number, form in cited)
    repo.commit({"src/app.py": "\n".join(then) + "\n", "a.md": document})
    now = list(then)
    for at, what in changed:
        at = min(at, len(now) - 1)
        now[at : at + 1] = {"+": ["# new", "# lines", now[at]], "-": [], "~": [now[at] + " + 1"]}[what] if now else []
    repo.commit({"src/app.py": "".join(f"{line}\n" for line in now)})
    with Root(str(repo.path)) as opened:
        for fix in find_fixes(opened, Run(opened, Request(cache=False)).reports()):
            for change in fix.changes:
                old = change.verdict.citation.lines
                after = Document("a.md", change.edit.replacement)
                (new,) = (item for item in extract(after, dialects()) if isinstance(item, Citation))
                assert old is not None and new.lines is not None
                assert then[old.first - 1] == now[new.lines.first - 1]
            write(opened, fix)
    with Root(str(repo.path)) as opened:
        fixed = (repo.path / "a.md").read_bytes()
        assert [fix.new for fix in find_fixes(opened, Run(opened, Request(cache=False)).reports())] == []
        assert (repo.path / "a.md").read_bytes() == fixed


def test_a_neighbour_in_a_renamed_file_is_not_forgotten(make_repository: Callable[..., Any]) -> None:
    """Once its line is rewritten, the other citation would lead to the line of the same number."""
    repo = make_repository()
    lines = "".join(f"def unique_{at}(): return {at}\n" for at in range(1, 41))
    repo.commit({"src/uniq.py": lines, "b.md": "See `uniq.py:5` and `uniq.py:7`, `:8`.\n"})
    repo.commit({"src/uniq.py": "import os\n" + lines})
    repo.git("mv", "src/uniq.py", "src/unique.py")
    repo.commit()
    with Root(str(repo.path)) as root:
        assert list(find_fixes(root, Run(root, Request(cache=False)).reports())) == []
