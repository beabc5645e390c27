"""Fixtures for the tests of the language server: the server is a real process, the client is pytest-lsp's."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

sys.path.insert(0, str(Path(__file__).parent))

from support_lsp import CODE, VALUES, Editor, git, make_repository, start_editor, stop_editor

StartEditor = Callable[..., Awaitable[Editor]]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One source file, and a document with a citation that holds, one that does not, and one after an emoji."""
    text = "# Guide\n\nIt is 250. 【F:src/gauge.py†L2】\n\n😀 Résets 【F:src/gauge.py†L40】 and src/gauge.py:5.\n"
    return make_repository(tmp_path / "repository", {"src/gauge.py": CODE, "docs/guide.md": text})


@pytest_asyncio.fixture
async def start() -> AsyncIterator[StartEditor]:
    """Starts editors; those that still run at the end are stopped, in an orderly way."""
    started: list[Editor] = []

    async def begin(root: Path, profile: str = "neovim@v0.8.0", **more: Any) -> Editor:
        editor = await start_editor(root, profile, **more)
        started.append(editor)
        return editor

    yield begin
    for editor in started:
        if editor.server is not None and editor.server.returncode is None:
            assert await stop_editor(editor) == 0


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
