"""Commands that a client runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from support_lsp import ask

pytestmark = pytest.mark.asyncio


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
