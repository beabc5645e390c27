"""What a client is answered: hover, definition, links, references, lenses, actions, completion, renames, commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from support_lsp import CODE, Editor, git, make_repository

pytestmark = pytest.mark.asyncio
PAPER = """---
ref: REF-001
title: "Needles and gauges"
authors: ["A. Author"]
year: 2020
---

# Needles
"""
VALUES = "\n".join(f"value_{number} = {number}" for number in range(30)) + "\n"


async def ask(editor: Editor, method: str, params: Any) -> Any:
    return await editor.ask(getattr(editor.client, f"{method}_async")(params))


async def hover(editor: Editor, name: str, line: int, character: int) -> str:
    asked = types.HoverParams(editor.identify(name), types.Position(line, character))
    answer = await ask(editor, "text_document_hover", asked)
    return answer.contents.value if answer is not None else ""


async def list_actions(editor: Editor, name: str, line: int, *only: str) -> list[types.CodeAction]:
    place = types.Range(types.Position(line, 0), types.Position(line, 200))
    context = types.CodeActionContext([], only=list(only) or None)
    answer = await ask(
        editor, "text_document_code_action", types.CodeActionParams(editor.identify(name), place, context)
    )
    return list(answer or ())


def apply(text: str, action: types.CodeAction) -> str:
    """A text of one encoding unit per character after an action."""
    assert action.edit is not None
    changes = action.edit.document_changes or ()
    edits = [edit for change in changes for edit in change.edits]
    edits += [edit for some in (action.edit.changes or {}).values() for edit in some]
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        line = lines[edit.range.start.line]
        lines[edit.range.start.line] = (
            line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
        )
    return "\n".join(lines)


@pytest.fixture
def moved(tmp_path: Path) -> Path:
    """A repository whose documents cite lines that moved since, and lines that were edited."""
    documents = {
        "docs/d.md": "Twenty. 【F:src/a.py†L21】\n\nTen. 【F:src/a.py†L11】\n",
        "docs/e.md": "Three is 3. 【F:src/b.py†L4】\n",
    }
    root = make_repository(tmp_path / "r", {"src/a.py": VALUES, "src/b.py": VALUES, **documents})
    (root / "src/a.py").write_text("# one\n# two\n" + VALUES)
    (root / "src/b.py").write_text(VALUES.replace("value_3 = 3\n", "value_3 = 3333\n"))
    git(root, "commit", "-qam", "change")
    return root


async def test_hover_shows_the_verdict_and_the_lines(repository: Path, start: Any) -> None:
    editor = await start(repository, "visual_studio_code")
    editor.open("docs/guide.md")
    said = await hover(editor, "docs/guide.md", 2, 15)
    assert "holds" in said
    assert "```py\n    return min(value, 250)\n```" in said
    assert "`line-out-of-range`" in await hover(editor, "docs/guide.md", 4, 15)
    assert await hover(editor, "docs/guide.md", 0, 2) == ""


async def test_hover_shows_what_changed(moved: Path, start: Any) -> None:
    editor = await start(moved)
    editor.open("docs/e.md")
    await editor.wait_for_codes("docs/e.md", "lines-edited")
    said = await hover(editor, "docs/e.md", 0, 15)
    assert "```diff" in said
    assert "-value_3 = 3\n+value_3 = 3333" in said


async def test_hostile_lines_stay_in_their_fence(tmp_path: Path, start: Any) -> None:
    hostile = "x = 1  # ```\u202e\x1b[31m\n# ````\n"
    root = make_repository(tmp_path / "r", {"a.py": hostile, "d.md": "See 【F:a.py†L1-L2】\n"})
    editor = await start(root)
    editor.open("d.md")
    said = await hover(editor, "d.md", 0, 8)
    assert "`````py\n" in said
    assert "\u202e" not in said
    assert "\x1b" not in said


async def test_definition_leads_to_the_evidence(repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open("docs/guide.md", "It is 250. 【F:src/gauge.py†L2】 src/gauge.py::reset\n")
    for column, lines in ((14, (1, 2)), (40, (4, 6))):
        asked = types.DefinitionParams(editor.identify("docs/guide.md"), types.Position(0, column))
        (place,) = await ask(editor, "text_document_definition", asked)
        assert place.uri == editor.uri("src/gauge.py")
        assert (place.range.start.line, place.range.end.line) == lines


async def test_definition_of_moved_lines_is_where_they_are_now(moved: Path, start: Any) -> None:
    editor = await start(moved)
    editor.open("docs/d.md")
    await editor.wait_for_codes("docs/d.md", "lines-moved", "lines-moved")
    asked = types.DefinitionParams(editor.identify("docs/d.md"), types.Position(0, 12))
    (place,) = await ask(editor, "text_document_definition", asked)
    assert place.range.start.line == 22


async def test_papers_are_found(tmp_path: Path, start: Any) -> None:
    corpus = ".aiwg/research/corpus/REF-001-needles.md"
    root = make_repository(tmp_path / "r", {corpus: PAPER, "d.md": "Needles stick. [REF-001]\n"})
    editor = await start(root)
    editor.open("d.md")
    asked = types.DefinitionParams(editor.identify("d.md"), types.Position(0, 18))
    (place,) = await ask(editor, "text_document_definition", asked)
    assert place.uri == editor.uri(corpus)
    assert "Needles and gauges" in await hover(editor, "d.md", 0, 18)


async def test_links_lead_to_the_cited_lines(repository: Path, start: Any) -> None:
    editor = await start(repository, "visual_studio_code")
    editor.open("docs/guide.md")
    links = await ask(editor, "text_document_document_link", types.DocumentLinkParams(editor.identify("docs/guide.md")))
    assert [link.target.rpartition("/")[2] for link in links] == ["gauge.py#L2", "gauge.py#L40", "gauge.py#L5"]


async def find_references(editor: Editor, name: str, line: int, character: int = 0) -> list[tuple[str, int]]:
    context = types.ReferenceContext(include_declaration=False)
    asked = types.ReferenceParams(context, editor.identify(name), types.Position(line, character))
    found = await ask(editor, "text_document_references", asked)
    return [(one.uri.rpartition("/")[2], one.range.start.line) for one in found or ()]


async def test_cited_lines_know_who_cites_them(repository: Path, start: Any) -> None:
    (repository / "docs/other.md").write_text("Also 250. src/gauge.py:1-2\n")
    editor = await start(repository)
    editor.open("src/gauge.py", language="python")
    assert await find_references(editor, "src/gauge.py", 1) == [("guide.md", 2), ("other.md", 0)]
    assert await find_references(editor, "src/gauge.py", 0) == [("other.md", 0)]
    assert await find_references(editor, "src/gauge.py", 2) == []
    editor.open("docs/guide.md")
    assert await find_references(editor, "docs/guide.md", 2, 15) == [("guide.md", 2), ("other.md", 0)]


async def test_lenses_follow_unsaved_edits(repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open("src/gauge.py", language="python")
    await find_references(editor, "src/gauge.py", 1)
    asked = types.CodeLensParams(editor.identify("src/gauge.py"))
    lenses = await ask(editor, "text_document_code_lens", asked)
    assert [(one.range.start.line, one.command.title) for one in lenses] == [
        (1, "cited by 1 document"),
        (4, "cited by 1 document"),
    ]
    editor.change("src/gauge.py", "# new\n# lines\n" + CODE)
    lenses = await ask(editor, "text_document_code_lens", asked)
    assert [one.range.start.line for one in lenses] == [3, 6]
    assert await find_references(editor, "src/gauge.py", 3) == [("guide.md", 2)]
    assert await find_references(editor, "src/gauge.py", 1) == []


async def test_unsaved_citations_count_for_references(repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open("src/gauge.py", language="python")
    assert await find_references(editor, "src/gauge.py", 5) == []
    editor.open("docs/new.md", "Zero. 【F:src/gauge.py†L6】\n")
    await editor.wait_for_codes("docs/new.md")
    assert await find_references(editor, "src/gauge.py", 5) == [("new.md", 0)]


async def test_moved_lines_are_repaired(moved: Path, start: Any) -> None:
    editor = await start(moved, "emacs")
    editor.open("docs/d.md")
    await editor.wait_for_codes("docs/d.md", "lines-moved", "lines-moved")
    text = (moved / "docs/d.md").read_text()
    actions = await list_actions(editor, "docs/d.md", 0)
    (repair,) = [one for one in actions if one.is_preferred]
    assert apply(text, repair) == text.replace("L21", "L23")
    (everything,) = await list_actions(editor, "docs/d.md", 0, "source.fixAll")
    assert everything.kind == "source.fixAll.pincite"
    assert apply(text, everything) == text.replace("L21", "L23").replace("L11", "L13")
    (ignored,) = [one for one in actions if one.title.startswith("Ignore")]
    assert "【F:src/a.py†L21】 <!-- pincite: ignore lines-moved -->\n" in apply(text, ignored)


async def test_edited_lines_are_for_a_reader_to_accept(moved: Path, start: Any) -> None:
    editor = await start(moved)
    editor.open("docs/e.md")
    await editor.wait_for_codes("docs/e.md", "lines-edited")
    actions = await list_actions(editor, "docs/e.md", 0)
    assert not [one for one in actions if one.is_preferred]
    (accept,) = [one for one in actions if one.title.startswith("Accept")]
    assert accept.command is not None
    editor.change("docs/e.md", "x" + (moved / "docs/e.md").read_text())
    run = types.ExecuteCommandParams(accept.command.command, accept.command.arguments)
    with pytest.raises(JsonRpcException, match="save the document"):
        await ask(editor, "workspace_execute_command", run)
    editor.change("docs/e.md", (moved / "docs/e.md").read_text())
    said = await ask(editor, "workspace_execute_command", run)
    assert said == "recorded in .pincite-accepted; commit it"
    assert "still true" in (moved / ".pincite-accepted").read_text()
    await editor.wait_for_codes("docs/e.md")


async def test_candidates_can_be_chosen(tmp_path: Path, start: Any) -> None:
    files = {"a/core.py": CODE, "b/core.py": CODE, "d.md": "It is 250. core.py:2\n"}
    editor = await start(make_repository(tmp_path / "r", files))
    editor.open("d.md")
    await editor.wait_for_codes("d.md", "file-ambiguous")
    actions = await list_actions(editor, "d.md", 0)
    chosen = [apply(files["d.md"], one) for one in actions if one.title.startswith("Choose")]
    assert chosen == ["It is 250. a/core.py:2\n", "It is 250. b/core.py:2\n"]


async def complete(editor: Editor, name: str, text: str) -> list[types.CompletionItem]:
    editor.change(name, text)
    row = text.count("\n")
    asked = types.CompletionParams(editor.identify(name), types.Position(row, len(text.rpartition("\n")[2])))
    found = await ask(editor, "text_document_completion", asked)
    return list(found.items) if found is not None else []


async def test_completion_offers_paths_lines_papers_and_entries(tmp_path: Path, start: Any) -> None:
    corpus = ".aiwg/research/corpus"
    files = {
        "src/gauge.py": CODE,
        "docs/guide.md": "x\n",
        f"{corpus}/REF-001-needles.md": PAPER,
        f"{corpus}/all.bib": "@book{knuth84, title={Literate programming}, year={1984}}\n",
    }
    editor = await start(make_repository(tmp_path / "r", files), "emacs")
    editor.open("docs/guide.md")
    name = "docs/guide.md"
    assert [one.label for one in await complete(editor, name, "x 【F:src/")] == ["src/gauge.py"]
    assert [one.label for one in await complete(editor, name, "x 【F:gau")] == ["src/gauge.py"]
    assert [one.label for one in await complete(editor, name, "x 【F:src/gauge.py†L")] == ["L1-L2", "L5-L6"]
    assert [one.label for one in await complete(editor, name, "see src/gauge.py:")] == ["1-2", "5-6"]
    assert [one.label for one in await complete(editor, name, "---\ncitations:\n  - path: src")] == ["src/gauge.py"]
    (paper,) = await complete(editor, name, "so [REF-")
    assert (paper.label, paper.detail) == ("REF-001", "Needles and gauges")
    (entry,) = await complete(editor, name, "so [@kn")
    assert (entry.label, entry.detail) == ("knuth84", "Literate programming")
    assert entry.text_edit == types.TextEdit(types.Range(types.Position(0, 5), types.Position(0, 7)), "knuth84")
    assert await complete(editor, name, "plain words: and") == []


async def test_a_rename_takes_citations_along(repository: Path, start: Any) -> None:
    editor = await start(repository, "visual_studio_code")
    editor.open("docs/guide.md", "New. 【F:src/gauge.py†L2】\n")
    renames = types.RenameFilesParams([types.FileRename(editor.uri("src/gauge.py"), editor.uri("lib/meter.py"))])
    edit = await ask(editor, "workspace_will_rename_files", renames)
    action = types.CodeAction("", edit=edit)
    assert apply("New. 【F:src/gauge.py†L2】\n", action) == "New. 【F:lib/meter.py†L2】\n"
    folder = types.RenameFilesParams([types.FileRename(editor.uri("src"), editor.uri("lib"))])
    edit = await ask(editor, "workspace_will_rename_files", folder)
    assert apply("New. 【F:src/gauge.py†L2】\n", types.CodeAction("", edit=edit)) == "New. 【F:lib/gauge.py†L2】\n"


async def test_a_selection_is_cited(repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open("src/gauge.py", language="python")

    async def copy(**more: Any) -> Any:
        given = {"uri": editor.uri("src/gauge.py"), **more}
        return await ask(
            editor, "workspace_execute_command", types.ExecuteCommandParams("pincite.copyCitation", [given])
        )

    place = {"start": {"line": 0, "character": 3}, "end": {"line": 2, "character": 0}}
    assert await copy(range=place) == "【F:src/gauge.py†L1-L2】"
    assert await copy(lines=[2, 2], style="colon") == "src/gauge.py:2"
    assert "../src/gauge.py#L2" in await copy(lines=[2, 2], style="link", into=editor.uri("docs/guide.md"))
    for wrong, why in (
        ({"lines": [90, 91]}, "6 lines"),
        ({"lines": [2, 2], "style": "nonsense"}, "not known"),
        ({"lines": "all"}, "wrong arguments"),
        ({}, "say which lines"),
    ):
        with pytest.raises(JsonRpcException, match=why):
            await copy(**wrong)


async def test_references_can_be_shown_by_command(repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open("src/gauge.py", language="python")
    given = {"uri": editor.uri("src/gauge.py"), "position": {"line": 1, "character": 0}}
    found = await ask(
        editor, "workspace_execute_command", types.ExecuteCommandParams("pincite.showReferences", [given])
    )
    assert [one["uri"] if isinstance(one, dict) else one.uri for one in found] == [editor.uri("docs/guide.md")]
