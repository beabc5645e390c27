"""Who cites the lines of a file, also while it is edited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from support_lsp import CODE, Editor, ask

pytestmark = pytest.mark.asyncio


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
