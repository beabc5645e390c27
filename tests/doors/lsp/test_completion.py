"""What is offered while a citation is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from support_lsp import CODE, PAPER, Editor, ask, make_repository

from pincite.doors.lsp.completion import find_context

pytestmark = pytest.mark.asyncio


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


@pytest.mark.parametrize(
    ("before", "kind", "typed", "path"),
    [
        ("x 【F:", "paths", "", ""),
        ("x 【F:a b/c", "paths", "a b/c", ""),
        ("【F:a.py†", "lines", "", "a.py"),
        ("【F:a.py†L1", "lines", "L1", "a.py"),
        ("see [R", "papers", "R", ""),
        ("see [REF-0", "papers", "REF-0", ""),
        ("[see @a; @b", "entries", "b", ""),
        ("path: 'sr", "paths", "sr", ""),
        ("in src/a.py:1", "lines", "1", "src/a.py"),
        ("(docs/a.md#L", "lines", "", "docs/a.md"),
        ("in src/a", "paths", "src/a", ""),
    ],
)
async def test_what_is_written_is_seen(before: str, kind: str, typed: str, path: str) -> None:
    found = find_context(before)
    assert found is not None
    assert (found.kind, found.typed, found.path) == (kind, typed, path)


@pytest.mark.parametrize("before", ["", "words", "http://x", "【F:a.py†L1】", "Note:", "12:30", "a@b"])
async def test_nothing_is_offered_for_other_words(before: str) -> None:
    assert find_context(before) is None
