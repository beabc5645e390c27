"""Files that are planned before they are written: one file under two names, what is in the way, a failure midway."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.core.errors import Refused, Unreadable
from pincite.domains.agents import planned_files
from pincite.domains.agents.planned_files import PlannedFiles
from pincite.domains.agents.settings import CLIENTS
from pincite.domains.agents.setup import set_up_agents
from pincite.safe.files import Root


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    with Root(str(tmp_path)) as opened:
        yield opened


def test_nothing_is_written_before_all_is_planned(root: Root, tmp_path: Path) -> None:
    files = PlannedFiles(root)
    files.plan("a/b.json", "one")
    assert files.read("a/b.json") == "one" and not list(tmp_path.iterdir())
    files.plan("a/b.json", "two")
    assert files.write(frozenset()) == set()
    assert (tmp_path / "a/b.json").read_text() == "two"


def test_a_link_and_its_target_are_one_file(root: Root, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Mine.\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    steps = set_up_agents(root, [CLIENTS["claude"], CLIENTS["codex"]])
    assert [(step.key, step.outcome) for step in steps if step.what == "instructions"] == [
        ("CLAUDE.md", "added"),
        ("AGENTS.md", "present"),
    ]
    assert (tmp_path / "AGENTS.md").read_text().count("## Citations") == 1
    assert (tmp_path / "CLAUDE.md").is_symlink()


def test_a_folder_behind_a_link_inside_the_root_is_used(root: Root, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / ".claude").symlink_to("shared")
    set_up_agents(root, [CLIENTS["claude"]])
    assert "pincite hook" in (tmp_path / "shared/settings.json").read_text()


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("file", ".claude/settings.json: cannot be made: .claude is no folder; nothing was written. Move .claude away"),
        ("link", ".claude/settings.json: is or lies behind a link that leads to nothing; nothing was written. Remove"),
        ("inner link", ".claude/settings.json: is or lies behind a link that leads to nothing; nothing was written. R"),
        ("pipe", ".claude/settings.json: is not a regular file; nothing was written. Move it away"),
        ("loop", ".claude/settings.json: cannot be read (too many levels of symbolic links); nothing was written. Mak"),
        ("large", ".claude/settings.json: cannot be read (4194305 bytes exceed the limit of 4194304); nothing was wri"),
    ],
)
def test_what_is_in_the_way_is_named(root: Root, tmp_path: Path, kind: str, why: str) -> None:
    top, inner = tmp_path / ".claude", tmp_path / ".claude/settings.json"
    if kind == "file":
        top.write_text("")
    elif kind == "link":
        top.symlink_to("nowhere")
    else:
        top.mkdir()
        if kind == "pipe":
            os.mkfifo(inner)
        elif kind == "large":
            inner.write_bytes(b" " * (4 * 1024 * 1024 + 1))
        else:
            inner.symlink_to("nowhere" if kind == "inner link" else "settings.json")
    with pytest.raises(Refused) as caught:
        set_up_agents(root, [CLIENTS["claude"]])
    assert str(caught.value).startswith(why)
    assert [path.name for path in tmp_path.iterdir()] == [".claude"]


def test_a_failure_midway_names_what_was_written(root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create = planned_files.create

    def fail_at_second(root: Root, key: str, data: bytes) -> None:
        if key == ".mcp.json":
            raise Unreadable(f"{key}: exists already; nothing was written")
        create(root, key, data)

    monkeypatch.setattr(planned_files, "create", fail_at_second)
    with pytest.raises(Unreadable) as caught:
        set_up_agents(root, [CLIENTS["claude"]])
    assert str(caught.value) == (
        ".mcp.json: exists already; written before that: .claude/settings.json. Correct it, then run the command again."
    )
    assert (tmp_path / ".claude/settings.json").exists() and not (tmp_path / "AGENTS.md").exists()


def test_instructions_that_may_not_be_written_are_left_to_a_person(
    root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "AGENTS.md").write_text("Mine.\n")

    def fail(root: Root, key: str, old: bytes, new: bytes) -> None:
        raise Unreadable(f"{key}: cannot be written (Permission denied)")

    monkeypatch.setattr(planned_files, "replace", fail)
    steps = set_up_agents(root, [CLIENTS["claude"]])
    assert [step.outcome for step in steps] == ["wrote", "wrote", "by hand"]
    assert "pincite cite" in steps[-1].text
