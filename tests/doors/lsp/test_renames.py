"""Files that are renamed take their citations along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from support_lsp import apply, ask

pytestmark = pytest.mark.asyncio


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
