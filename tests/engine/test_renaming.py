"""Renames take citations along, or say which they leave."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.core.model import Citation, Outcome
from pincite.dialects import Dialect, dialects, extract
from pincite.engine.draft import check_draft
from pincite.engine.renaming import RenamePlan, plan_rename
from pincite.engine.repair.edits import apply_edits
from pincite.project.project import open_project
from pincite.text.document import Document

CODE = "def main():\n" + "".join(f"    x{number} = {number}\n" for number in range(80))
GUIDE = "# Guide\n\n## Setup\n\nInstall it.\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write(tmp_path, "src/app.py", CODE)
    write(tmp_path, "docs/guide.md", GUIDE)
    return tmp_path


def write(root: Path, key: str, text: str) -> None:
    path = root / key
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def commit(root: Path) -> None:
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    if not (root / ".git").exists():
        subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", *settings, "commit", "-qm", "x"], cwd=root, check=True)


def plan(root: Path, *renames: tuple[str, str], texts: dict[str, str] | None = None) -> RenamePlan:
    with open_project(root, option="") as project:
        return plan_rename(project, renames, texts)


def rename(root: Path, *renames: tuple[str, str]) -> RenamePlan:
    """Make the plan true."""
    made = plan(root, *renames)
    for key, edits in made.edits.items():
        text = (root / key).read_bytes().decode()
        (root / key).write_bytes(apply_edits(text, edits).encode())
    for number, (old, _) in enumerate(renames):
        (root / old).rename(root / f"{number}.tmp")
    for number, (_, new) in enumerate(renames):
        (root / new).parent.mkdir(parents=True, exist_ok=True)
        (root / f"{number}.tmp").rename(root / new)
    return made


def outcomes(root: Path, key: str) -> list[tuple[str, str]]:
    with open_project(root, option="") as project:
        report = check_draft(project, (root / key).read_text(), key).report
        return [(verdict.citation.source.key, verdict.outcome.label) for verdict in report.verdicts]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("See src/app.py:3.", "See lib/core.py:3."),
        ("See src/app.py:3-5, and `src/app.py#L7`.", "See lib/core.py:3-5, and `lib/core.py#L7`."),
        ("See src/app.py:3,7,9.", "See lib/core.py:3,7,9."),
        ("See `src/app.py:3`, `:9`.", "See `lib/core.py:3`, `:9`."),
        ("See ../src/app.py:3.", "See ../lib/core.py:3."),
        ("See app.py:3.", "See lib/core.py:3."),
        ("[here](../src/app.py#L3)", "[here](../lib/core.py#L3)"),
        ("[src/app.py:3](../src/app.py#L3)", "[lib/core.py:3](../lib/core.py#L3)"),
        ("[here](/src/app.py#L3-L4)", "[here](/lib/core.py#L3-L4)"),
        ("[a]: ../src/app.py#L3", "[a]: ../lib/core.py#L3"),
        ("Set. 【F:src/app.py†L3-L5】", "Set. 【F:lib/core.py†L3-L5】"),
        ("It is `src/app.py::main`.", "It is `lib/core.py::main`."),
        ("lines 3, 7 and 9 of src/app.py", "lines 3, 7 and 9 of lib/core.py"),
        ("`src/app.py` (lines 3, 7 and 9)", "`lib/core.py` (lines 3, 7 and 9)"),
        (
            "---\ncitations:\n  - path: src/app.py\n    line: 3\n---\n",
            "---\ncitations:\n  - path: lib/core.py\n    line: 3\n---\n",
        ),
        ("See src/app.py:900.", "See lib/core.py:900."),
        ("[^1a2b3c4d]: src/app.py:3", "[^1a2b3c4d]: lib/core.py:3"),
    ],
)
def test_a_citation_of_a_renamed_file_is_rewritten(tree: Path, written: str, expected: str) -> None:
    write(tree, "docs/x.md", f"{written}\n")
    made = rename(tree, ("src/app.py", "lib/core.py"))
    assert (tree / "docs/x.md").read_text() == f"{expected}\n"
    assert made.left == ()


@pytest.mark.parametrize(
    "written",
    [
        "See gone.py:3.",
        "```\nsrc/app.py:3\n```",
        "`x = src/app.py:3 + 1`",
        "The app.py is small.",
        "See other/app.py:3.",
    ],
)
def test_what_leads_nowhere_or_is_no_citation_stays(tree: Path, written: str) -> None:
    write(tree, "docs/x.md", f"{written}\n")
    made = plan(tree, ("src/app.py", "lib/core.py"))
    assert (made.edits, made.left) == ({}, ())


def test_a_folder_takes_everything_below_it_along(tree: Path) -> None:
    write(tree, "docs/x.md", "src/app.py:3 and [guide.md, §Setup] and [docs/guide.md, §Setup] and [g](guide.md#L3)\n")
    write(tree, "AGENTS.md", "Read `docs/guide.md` and all of `docs/`.\n")
    made = rename(tree, ("docs", "manual/en"))
    assert (tree / "manual/en/x.md").read_text() == (
        "src/app.py:3 and [guide.md, §Setup] and [manual/en/guide.md, §Setup] and [g](guide.md#L3)\n"
    )
    assert (tree / "AGENTS.md").read_text() == "Read `manual/en/guide.md` and all of `manual/en/`.\n"
    assert made.left == ()


def test_a_document_that_moves_keeps_leading_where_it_led(tree: Path) -> None:
    write(tree, "docs/x.md", "[a](../src/app.py#L3) [g](guide.md#L3) src/app.py:4 ../src/app.py:5 guide.md:3\n")
    rename(tree, ("docs/x.md", "a/b/x.md"))
    assert (tree / "a/b/x.md").read_text() == (
        "[a](../../src/app.py#L3) [g](../../docs/guide.md#L3) src/app.py:4 ../../src/app.py:5 ../../docs/guide.md:3\n"
    )
    assert {outcome for _, outcome in outcomes(tree, "a/b/x.md")} == {"holds"}


def test_a_document_and_what_it_cites_move_at_once(tree: Path) -> None:
    write(tree, "docs/x.md", "[a](../src/app.py#L3)\n")
    rename(tree, ("docs/x.md", "x.md"), ("src/app.py", "core/app.py"))
    assert (tree / "x.md").read_text() == "[a](./core/app.py#L3)\n"


def test_swapped_names_are_swapped_in_citations(tree: Path) -> None:
    write(tree, "src/two.py", CODE)
    write(tree, "x.md", "src/app.py:3 and src/two.py:4\n")
    rename(tree, ("src/app.py", "src/two.py"), ("src/two.py", "src/app.py"))
    assert (tree / "x.md").read_text() == "src/two.py:3 and src/app.py:4\n"


def test_a_new_name_that_makes_another_citation_ambiguous_spells_that_one_out(tree: Path) -> None:
    write(tree, "tools/run.py", CODE)
    write(tree, "x.md", "See app.py:3.\n")
    made = plan(tree, ("tools/run.py", "tools/app.py"))
    assert [edit.replacement for edit in made.edits["x.md"]] == ["src/app.py:3"]


def test_a_whole_path_does_not_become_the_end_of_one(tree: Path) -> None:
    write(tree, "Makefile", "all:\n\ttrue\n")
    write(tree, "x.md", "See Makefile:1.\n")
    assert [edit.replacement for edit in plan(tree, ("Makefile", "build/Makefile")).edits["x.md"]] == [
        "build/Makefile:1"
    ]


def test_the_end_of_a_path_stays_where_it_still_fits(tree: Path) -> None:
    write(tree, "x.md", "See app.py:3.\n")
    assert plan(tree, ("src/app.py", "lib/app.py")).edits == {}


def test_a_citation_that_fits_several_files_is_left(tree: Path) -> None:
    write(tree, "lib/app.py", CODE)
    write(tree, "x.md", "See app.py:3.\n")
    (left,) = plan(tree, ("src/app.py", "src/core.py")).left
    assert (left.raw, left.reason) == (
        "app.py:3",
        "it fits several files, of which one is renamed; write the whole path",
    )


def test_only_the_letters_case_changes(tree: Path) -> None:
    write(tree, "x.md", "src/app.py:3\n")
    assert [edit.replacement for edit in plan(tree, ("src/app.py", "src/App.py")).edits["x.md"]] == ["src/App.py:3"]


def test_a_path_that_the_form_cannot_hold_is_left_with_a_reason(tree: Path) -> None:
    write(tree, "x.md", "a\n\nSee src/app.py:3, and [b](src/app.py#L3).\n")
    made = plan(tree, ("src/app.py", "src/my app.py"))
    (left,) = made.left
    assert (left.document, left.line, left.raw) == ("x.md", 3, "src/app.py:3")
    assert left.reason == "the new path cannot be written in this form"
    assert [edit.replacement for edit in made.edits["x.md"]] == ["[b](src/my%20app.py#L3)"]


def test_an_unsaved_text_replaces_what_is_on_disk(tree: Path) -> None:
    write(tree, "x.md", "src/app.py:3\n")
    made = plan(
        tree, ("src/app.py", "src/core.py"), texts={"x.md": "Unsaved: src/app.py:4\n", "new.md": "src/app.py:5\n"}
    )
    assert {key: [edit.replacement for edit in edits] for key, edits in made.edits.items()} == {
        "x.md": ["src/core.py:4"],
        "new.md": ["src/core.py:5"],
    }


def test_offsets_count_code_points_without_a_byte_order_mark(tree: Path) -> None:
    (tree / "x.md").write_bytes("\ufeffÄ🙂 src/app.py:3\r\n".encode())
    (edit,) = plan(tree, ("src/app.py", "src/core.py")).edits["x.md"]
    assert (edit.span.start, edit.replacement) == (3, "src/core.py:3")


def test_a_line_that_cites_what_changed_is_left_for_fix(tree: Path) -> None:
    write(tree, "x.md", "See src/app.py:3.\n\nSee src/app.py:1.\n")
    commit(tree)
    write(tree, "src/app.py", CODE.replace("    x0", "    # new\n    x0"))
    commit(tree)
    made = plan(tree, ("src/app.py", "src/core.py"))
    assert [edit.replacement for edit in made.edits["x.md"]] == ["src/core.py:1"]
    (left,) = made.left
    assert (left.line, "rewriting the line would hide that" in left.reason) == (1, True)
    with open_project(tree, option="") as project:
        forgetful = plan_rename(project, [("src/app.py", "src/core.py")], forget=True)
    assert ([edit.replacement for edit in forgetful.edits["x.md"]], forgetful.left) == (
        ["src/core.py:3", "src/core.py:1"],
        (),
    )


def test_links_into_a_commit_stay_and_links_to_a_branch_follow(tree: Path) -> None:
    write(tree, "pincite.toml", 'repository = "o/n"\n')
    address = "https://github.com/o/n/blob/{}/src/app.py#L3"
    write(tree, "x.md", f"{address.format('main')} {address.format('1f0c9ae2b7d4')}\n")
    made = plan(tree, ("src/app.py", "src/core.py"))
    assert [edit.replacement for edit in made.edits["x.md"]] == ["https://github.com/o/n/blob/main/src/core.py#L3"]


def test_the_address_of_a_file_follows(tree: Path) -> None:
    write(tree, "x.md", f"[whole](file://{tree}/src/app.py) and [lines](file://{tree}/src/app.py#L3)\n")
    rename(tree, ("src/app.py", "src/core.py"))
    assert (
        tree / "x.md"
    ).read_text() == f"[whole](file://{tree}/src/core.py) and [lines](file://{tree}/src/core.py#L3)\n"


def test_a_citation_through_a_link_follows_the_file(tree: Path) -> None:
    (tree / "alias.py").symlink_to("src/app.py")
    write(tree, "x.md", "See alias.py:3.\n")
    assert [edit.replacement for edit in plan(tree, ("src/app.py", "src/core.py")).edits["x.md"]] == ["src/core.py:3"]
    assert [edit.replacement for edit in plan(tree, ("alias.py", "other.py")).edits["x.md"]] == ["other.py:3"]


def test_a_target_that_is_renamed_away_is_left(tree: Path) -> None:
    write(tree, "docs/Makefile", "html:\n\ttrue\n")
    write(tree, "AGENTS.md", "Run `make -C docs html`.\n")
    (left,) = plan(tree, ("docs", "manual")).left
    assert (left.raw, left.reason) == ("make -C docs html", "the new path cannot be written in this form")


@pytest.mark.parametrize(
    ("renames", "said"),
    [
        ([], "nothing to rename"),
        ([("src/app.py", "src/app.py")], "has this name already"),
        ([("src/app.py", "docs/guide.md")], "exists already"),
        ([("src/app.py", "docs")], "exists already"),
        ([("src", "src/old")], "cannot be moved into itself"),
        ([("src/app.py", "src")], "is a folder around"),
        ([("src/none.py", "a.py")], "no such file or folder"),
        ([("src/app.py", "../out.py")], "not a path below the root"),
        ([("/etc/passwd", "a.py")], "not a path below the root"),
        ([("../x", "a.py")], "not a path below the root"),
        ([("src/app.py", "docs/guide.md/a.py")], "is no folder"),
        ([("src/app.py", "a.py"), ("docs/guide.md", "a.py")], "two files would have this name"),
        ([("src/app.py", "a.py"), ("src/app.py", "b.py")], "renamed twice"),
        ([("src", "lib"), ("src/app.py", "b.py")], "with a folder around it"),
        ([("src/app.py", ".git/config")], "belongs to git"),
        ([(".", "a")], "the root itself"),
        ([("docs", "both"), ("src", "both")], "two files would have this name"),
        ([("src/app.py", "a\0b")], "not a path below the root"),
    ],
)
def test_a_rename_that_cannot_be_made_is_refused(tree: Path, renames: list[tuple[str, str]], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        plan(tree, *renames)


def test_a_name_behind_a_link_out_of_the_root_is_refused(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (tree / "out").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    for pair in (("src/app.py", "out/app.py"), ("out/app.py", "a.py")):
        with pytest.raises(UsageError, match="leads outside the root"):
            plan(tree, pair)


def test_two_files_cannot_meet_in_a_folder_that_moves(tree: Path) -> None:
    write(tree, "lib/app.py", CODE)
    with pytest.raises(UsageError, match="exists already"):
        plan(tree, ("lib", "new"), ("src/app.py", "new/app.py"))


def _cites_file(dialect: Dialect) -> bool:
    items = extract(Document(getattr(dialect, "PATH", "docs/x.md"), dialect.EXAMPLE), (dialect,))
    return any(isinstance(item, Citation) and item.source.scheme in _PLACES for item in items)


_PLACES: dict[str, Callable[[str], str]] = {
    "file": str,
    "section": str,
    "symbol": lambda key: key.partition("::")[0],
    "path": str,
}
_FILES = [dialect for dialect in dialects() if _cites_file(dialect)]


@pytest.mark.parametrize("dialect", _FILES, ids=lambda dialect: dialect.NAME)
def test_the_example_of_every_dialect_holds_after_its_file_was_renamed(dialect: Dialect, tmp_path: Path) -> None:
    key = getattr(dialect, "PATH", "docs/x.md")
    (cited,) = extract(Document(key, dialect.EXAMPLE), (dialect,))
    assert isinstance(cited, Citation)
    old = _PLACES[cited.source.scheme](cited.source.key)
    body = GUIDE if old.endswith(".md") else CODE
    snippet = cited.quote.exact if cited.quote is not None else ""
    lines = body.splitlines() if not cited.section else [f"## {cited.section}"]
    around, _, name = cited.source.key.partition("::")[2].rpartition(".")
    if name:
        lines = (
            [f"class {around}:", f"    def {name}(self):", "        pass"] if around else [f"def {name}():", "    pass"]
        )
    if cited.lines is not None:
        lines += ["pass"] * cited.lines.last
        lines[cited.lines.first - 1] = snippet or lines[cited.lines.first - 1]
    write(tmp_path, old, "\n".join(lines) + "\n")
    write(tmp_path, key, dialect.EXAMPLE)
    before = outcomes(tmp_path, key)
    ending = old[old.rfind(".") :]
    made = rename(tmp_path, (old, f"renamed/deep/my_file{ending}"))
    after = outcomes(tmp_path, key)
    assert made.left == ()
    assert [outcome for _, outcome in after] == [outcome for _, outcome in before]
    assert Outcome.MISSING.label not in {outcome for _, outcome in before}
    assert all(f"renamed/deep/my_file{ending}" in place for place, _ in after)


def test_most_dialects_cite_files() -> None:
    assert len(_FILES) >= 9
