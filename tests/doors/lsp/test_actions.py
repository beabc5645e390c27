"""What can be done about a problem."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from support_lsp import CODE, VALUES, Editor, apply, ask, git, make_repository

pytestmark = pytest.mark.asyncio


async def list_actions(editor: Editor, name: str, line: int, *only: str) -> list[types.CodeAction]:
    place = types.Range(types.Position(line, 0), types.Position(line, 200))
    context = types.CodeActionContext([], only=list(only) or None)
    answer = await ask(
        editor, "text_document_code_action", types.CodeActionParams(editor.identify(name), place, context)
    )
    return list(answer or ())


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


async def test_a_longer_name_can_be_chosen(tmp_path: Path, start: Any) -> None:
    code = "class A:\n    def go(self):\n        return 1\n\n\nclass B:\n    def go(self):\n        return 2\n"
    text = "It goes. `a.py::go`\n"
    editor = await start(make_repository(tmp_path / "r", {"a.py": code, "d.md": text}))
    editor.open("d.md")
    await editor.wait_for_codes("d.md", "symbol-ambiguous")
    chosen = [apply(text, one) for one in await list_actions(editor, "d.md", 0) if one.title.startswith("Choose")]
    assert chosen == ["It goes. `a.py::A.go`\n", "It goes. `a.py::B.go`\n"]


async def test_what_would_harm_is_not_offered_as_safe(tmp_path: Path, start: Any) -> None:
    text = "Twenty and ten. 【F:src/a.py†L21】 【F:src/b.py†L4】\n"
    root = make_repository(tmp_path / "r", {"src/a.py": VALUES, "src/b.py": VALUES, "d.md": text})
    (root / "src/a.py").write_text("# one\n# two\n" + VALUES)
    (root / "src/b.py").write_text(VALUES.replace("value_3 = 3\n", "value_3 = 3333\n"))
    git(root, "commit", "-qam", "change")
    editor = await start(root)
    editor.open("d.md")
    await editor.wait_for_codes("d.md", "lines-moved", "lines-edited")
    actions = await list_actions(editor, "d.md", 0)
    assert not [one for one in actions if one.is_preferred or one.kind == "source.fixAll.pincite"]
    assert [one for one in actions if "needs a reader" in one.title]
