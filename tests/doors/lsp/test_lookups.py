"""Where evidence stands, and who cites it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from support_lsp import ask

pytestmark = pytest.mark.asyncio


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


async def test_links_lead_to_the_cited_lines(repository: Path, start: Any) -> None:
    editor = await start(repository, "visual_studio_code")
    editor.open("docs/guide.md")
    links = await ask(editor, "text_document_document_link", types.DocumentLinkParams(editor.identify("docs/guide.md")))
    assert [link.target.rpartition("/")[2] for link in links] == ["gauge.py#L2", "gauge.py#L40", "gauge.py#L5"]
