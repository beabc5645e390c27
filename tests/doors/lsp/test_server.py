"""The server as editors meet it: three kinds of clients, who count columns differently and ask or are told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from support_lsp import Editor, git, make_repository, stop_editor

pytestmark = pytest.mark.asyncio
COLUMNS = {"visual_studio_code": (10, 30), "neovim@v0.11.0": (13, 39), "emacs": (9, 29)}
"""Where `【F:src/gauge.py†L40】` stands in `😀 Résets 【…`, in UTF-16 units, in bytes and in code points."""


@pytest.mark.parametrize("profile", COLUMNS)
async def test_problems_stand_where_the_client_counts(profile: str, repository: Path, start: Any) -> None:
    editor: Editor = await start(repository, profile)
    editor.open("docs/guide.md")
    assert editor.capabilities is not None
    assert editor.capabilities.diagnostic_provider is None
    (problem,) = await editor.wait_for_codes("docs/guide.md", "line-out-of-range")
    assert (problem.range.start.line, problem.range.end.line) == (4, 4)
    assert (problem.range.start.character, problem.range.end.character) == COLUMNS[profile]
    assert problem.severity == types.DiagnosticSeverity.Error
    assert problem.source == "pincite"


async def test_a_client_that_asks_is_sent_nothing(repository: Path, start: Any) -> None:
    editor = await start(repository, "neovim@v0.11.0", pulls=True)
    editor.open("docs/guide.md")
    first = await editor.ask(editor.pull("docs/guide.md"))
    again = await editor.ask(editor.pull("docs/guide.md", first.result_id))
    assert again.kind == "unchanged"
    editor.change("docs/guide.md", "【F:nowhere.py†L1】\n")
    changed = await editor.ask(editor.pull("docs/guide.md", first.result_id))
    assert [one.code for one in changed.items] == ["file-not-found"]
    assert editor.client.diagnostics == {}


async def test_the_evidence_is_named_where_the_client_shows_it(repository: Path, start: Any) -> None:
    editor = await start(repository, "visual_studio_code")
    editor.open("docs/guide.md", "【F:src/gauge.py†L40】\n")
    (problem,) = await editor.wait_for_codes("docs/guide.md", "line-out-of-range")
    assert [one.location.uri for one in problem.related_information or ()] == [editor.uri("src/gauge.py")]
    editor.change("docs/guide.md", "【F:src/gone.py†L1】\n")
    (problem,) = await editor.wait_for_codes("docs/guide.md", "file-not-found")
    assert list(problem.tags or ()) == [types.DiagnosticTag.Deprecated]
    assert problem.related_information is None


async def test_unsaved_text_counts_and_the_latest_wins(repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open("docs/guide.md")
    await editor.wait_for_codes("docs/guide.md", "line-out-of-range")
    for number in range(20):
        editor.change("docs/guide.md", f"【F:src/none{number}.py†L1】\n")
    version = editor.change("docs/guide.md", "Fine. 【F:src/gauge.py†L2】\n\n【F:src/last.py†L1】\n")
    (problem,) = await editor.wait_for_codes("docs/guide.md", "file-not-found")
    assert "last.py" in problem.message
    assert problem.range.start.line == 2
    assert version == 22


async def test_incremental_edits_reach_the_check(repository: Path, start: Any) -> None:
    editor = await start(repository, "emacs")
    text = "It is 250 😀 【F:src/gauge.py†L2】"
    editor.open("docs/guide.md", f"{text}\x0cend\n")
    await editor.wait_for_codes("docs/guide.md")
    place = types.Range(types.Position(0, len(text) - 2), types.Position(0, len(text) - 1))
    editor.edit("docs/guide.md", types.TextDocumentContentChangePartial(place, "40"))
    (problem,) = await editor.wait_for_codes("docs/guide.md", "line-out-of-range")
    assert problem.range == types.Range(types.Position(0, text.index("【")), types.Position(0, len(text) + 1))


async def test_history_is_merged_and_does_not_flicker(tmp_path: Path, start: Any) -> None:
    code = "\n".join(f"value_{number} = {number}" for number in range(30)) + "\n"
    document = "Twenty. 【F:src/a.py†L21】\n"
    root = make_repository(tmp_path / "r", {"src/a.py": code, "docs/d.md": document})
    (root / "src/a.py").write_text("# one\n# two\n" + code)
    git(root, "commit", "-qam", "shift")
    editor = await start(root)
    editor.open("docs/d.md")
    (problem,) = await editor.wait_for_codes("docs/d.md", "lines-moved")
    assert "L23" in problem.message
    shown = len(editor.client.log_messages)
    editor.change("docs/d.md", "# Title\n\n" + document)
    await editor.wait(lambda: [one.range.start.line for one in editor.shown("docs/d.md")] == [2])
    assert [one.code for one in editor.shown("docs/d.md")] == ["lines-moved"]
    assert len(editor.client.log_messages) == shown


async def test_a_client_that_asks_is_asked_to_ask_again(tmp_path: Path, start: Any) -> None:
    code = "\n".join(f"value_{number} = {number}" for number in range(30)) + "\n"
    root = make_repository(tmp_path / "r", {"src/a.py": code, "docs/d.md": "Twenty. 【F:src/a.py†L21】\n"})
    (root / "src/a.py").write_text("# one\n# two\n" + code)
    git(root, "commit", "-qam", "shift")
    editor = await start(root, "emacs", pulls=True)
    editor.open("docs/d.md")
    first = await editor.ask(editor.pull("docs/d.md"))
    if not first.items:
        await editor.wait(lambda: editor.refreshed)
        first = await editor.ask(editor.pull("docs/d.md", first.result_id))
    assert [one.code for one in first.items] == ["lines-moved"]
    refreshed = editor.refreshed
    (root / "pincite.toml").write_text('ignore = ["lines-moved"]\n')
    changed = types.FileEvent(editor.uri("pincite.toml"), types.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    await editor.wait(lambda: editor.refreshed > refreshed)
    assert (await editor.ask(editor.pull("docs/d.md"))).items == ()
    assert editor.client.diagnostics == {}


async def test_a_saved_source_file_changes_the_verdict_of_an_open_document(repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open("docs/guide.md", "It is 250. 【F:src/gauge.py†L6】\n")
    editor.open("src/gauge.py", language="python")
    await editor.wait_for_codes("docs/guide.md")
    (repository / "src/gauge.py").write_text("x = 1\n")
    editor.change("src/gauge.py", "x = 1\n")
    editor.save("src/gauge.py")
    await editor.wait(lambda: "line-out-of-range" in [one.code for one in editor.shown("docs/guide.md")])


async def test_settings_count_as_soon_as_they_are_saved(repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open("docs/guide.md")
    await editor.wait_for_codes("docs/guide.md", "line-out-of-range")
    (repository / "pincite.toml").write_text('ignore = ["line-out-of-range"]\n')
    changed = types.FileEvent(editor.uri("pincite.toml"), types.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    await editor.wait_for_codes("docs/guide.md")
    (repository / "pincite.toml").write_text("ignore = 3\n")
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    await editor.wait(lambda: any("pincite.toml" in one.message for one in editor.client.log_messages))


@pytest.mark.parametrize("name", ["notes.xyz", "node_modules/a.md", "vendor/x.min.js", ".git/description.md"])
async def test_what_check_does_not_read_is_not_checked(name: str, repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open(name, "【F:nowhere.py†L1】\n")
    editor.open("docs/guide.md", "【F:nowhere.py†L1】\n")
    await editor.wait_for_codes("docs/guide.md", "file-not-found")
    assert editor.shown(name) == []


async def test_a_closed_document_shows_nothing(repository: Path, start: Any) -> None:
    editor = await start(repository)
    editor.open("docs/guide.md")
    await editor.wait_for_codes("docs/guide.md", "line-out-of-range")
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(editor.identify("docs/guide.md")))
    await editor.wait_for_codes("docs/guide.md")


async def test_an_untitled_draft_is_checked(repository: Path, start: Any) -> None:
    editor = await start(repository)
    item = types.TextDocumentItem("untitled:Untitled-1", "markdown", 1, "【F:src/gauge.py†L99】\n")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await editor.wait(
        lambda: [one.code for one in editor.client.diagnostics.get(item.uri, ())] == ["line-out-of-range"]
    )


async def test_two_servers_in_one_repository_agree(repository: Path, start: Any) -> None:
    editors = await asyncio.gather(start(repository), start(repository))
    for editor in editors:
        editor.open("docs/guide.md")
    found = [await editor.wait_for_codes("docs/guide.md", "line-out-of-range") for editor in editors]
    assert found[0] == found[1]
    assert [await stop_editor(editor) for editor in editors] == [0, 0]
