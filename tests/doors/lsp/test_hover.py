"""What is shown under the cursor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from support_lsp import PAPER, ask, hover, make_repository

pytestmark = pytest.mark.asyncio


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


async def test_papers_are_found(tmp_path: Path, start: Any) -> None:
    corpus = ".aiwg/research/corpus/REF-001-needles.md"
    root = make_repository(tmp_path / "r", {corpus: PAPER, "d.md": "Needles stick. [REF-001]\n"})
    editor = await start(root)
    editor.open("d.md")
    asked = types.DefinitionParams(editor.identify("d.md"), types.Position(0, 18))
    (place,) = await ask(editor, "text_document_definition", asked)
    assert place.uri == editor.uri(corpus)
    assert "Needles and gauges" in await hover(editor, "d.md", 0, 18)
