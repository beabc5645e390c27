"""Where evidence stands, and who cites it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from support_lsp import ask, hover

from support_mirrors import CODE, NAME, SHIFTED, MirroredPair

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


async def test_files_of_other_repositories_are_shown_and_lead_nowhere_below_the_root(
    make_repository: Callable[..., Any], tmp_path: Path, start: Any
) -> None:
    pair = MirroredPair(make_repository, tmp_path)
    pair.publish(1, {"src/a.py": CODE})
    pair.cite(2, "It multiplies: other/name:src/a.py:6 does.\n\nIt begins at other/name:src/a.py:3.\n")
    pair.publish(20, {"src/a.py": SHIFTED})
    editor = await start(pair.here.path, "visual_studio_code", PINCITE_MIRRORS=str(pair.folder))
    editor.open("doc.md")
    (found, *_) = await editor.wait_for_codes("doc.md", "lines-moved", "lines-moved")
    assert not found.related_information
    assert f"{NAME}:src/a.py, line 6" in (await hover(editor, "doc.md", 0, 20)).replace("\\", "")
    asked = types.DefinitionParams(editor.identify("doc.md"), types.Position(0, 20))
    assert not await ask(editor, "text_document_definition", asked)
    links = await ask(editor, "text_document_document_link", types.DocumentLinkParams(editor.identify("doc.md")))
    assert not links
