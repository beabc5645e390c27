"""Sections: which file a name means, and when the answer has to be asked for again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pincite.core.model import Citation, Obstacle, SourceRef, Span
from pincite.doors.cli.main import main
from pincite.safe.files import Root
from pincite.safe.git import Git
from pincite.sources import World
from pincite.text.document import Document
from pincite.text.evidence import Evidence


def put(top: Path, *names: str) -> None:
    for name in names:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("# Intro\n")


def ask(top: Path, name: str, document: str = "x.md", alternate: str = "") -> str | None:
    """The path that was found, the kind of obstacle, or None."""
    with Root(str(top)) as root:
        git = Git.find(str(top))
        world = World(root, lambda: git)
        cited = Citation("section", Span(0, 0), "", SourceRef("section", name), None, None, alternate, section="Intro")
        found = world.find(cited, Document(document, ""))
        if git is not None:
            git.close()
    if isinstance(found, Evidence):
        return found.source.key
    return found.kind if isinstance(found, Obstacle) else None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("top.md", "top.md"),
        ("docs/a.md", "docs/a.md"),
        ("a.md", "docs/a.md"),
        ("./b.md", "docs/b.md"),
        ("../top.md", "top.md"),
        ("deep.md", "lib/deep/deep.md"),
        ("deep/deep.md", "file-not-found"),
        ("both.md", "file-ambiguous"),
        ("gone.md", "file-not-found"),
        ("notes.pdf", "docs/notes.pdf"),
        ("/etc/gone.md", "path-blocked"),
        ("../../etc/gone.md", "path-blocked"),
        ("LICENSE", "LICENSE"),
        ("Makefile", None),
        ("BGB", None),
        ("17 U.S.C.", None),
        ("17 U.S.C", None),
        ("example.com", None),
        ("and/or", None),
        ("v1.2", None),
        (".git/config", None),
        ("config", None),
    ],
)
@pytest.mark.parametrize("in_git", [False, True])
def test_what_a_name_means(
    tmp_path: Path, make_repository: Callable[..., Any], name: str, expected: str | None, in_git: bool
) -> None:
    top = make_repository("root").path if in_git else tmp_path / "root"
    put(top, "top.md", "docs/a.md", "docs/b.md", "lib/deep/deep.md", "one/both.md", "two/both.md", "LICENSE")
    put(top, "docs/notes.pdf")
    assert ask(top, name, "docs/x.md") == expected


def test_the_root_comes_before_the_folder(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "docs/a.md", "lib/a.md")
    assert ask(tmp_path, "a.md", "docs/x.md") == "a.md"


def test_a_percent_sign_is_tried_both_ways(tmp_path: Path) -> None:
    put(tmp_path, "lib/a%20b.md")
    assert ask(tmp_path, "a b.md", alternate="a%20b.md") == "lib/a%20b.md"
    put(tmp_path, "lib/a b.md")
    assert ask(tmp_path, "a b.md", alternate="a%20b.md") == "lib/a b.md"


def test_what_git_ignores_or_tools_make_is_not_looked_for(tmp_path: Path, make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({".gitignore": "build/\n*.tmp.md\n", "docs/a.md": "# Intro\n"})
    put(repo.path, "build/a.md", "build/b.md", "new/c.md", "new/d.tmp.md")
    assert [ask(repo.path, name) for name in ("a.md", "b.md", "c.md", "d.tmp.md")] == [
        "docs/a.md",
        "file-not-found",
        "new/c.md",
        "file-not-found",
    ]
    plain = tmp_path / "plain"
    put(plain, "docs/a.md", "node_modules/x/a.md", ".venv/a.md")
    assert ask(plain, "a.md") == "docs/a.md"


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    put(tmp_path, "secret.md")
    put(root, "docs/a.md")
    (root / "docs/out.md").symlink_to(tmp_path / "secret.md")
    assert ask(root, "docs/out.md") == "path-blocked"
    assert ask(root, "out.md") == "file-not-found"


def outcomes(top: Path, *args: str) -> list[str]:
    report = top.parent / "report.json"
    with suppress(SystemExit):
        main(["check", "--root", str(top), "--format", "json", "--output", str(report), *args])
    return [row["outcome"] for row in json.loads(report.read_text())["citations"]]


@pytest.mark.parametrize("in_git", [False, True])
@pytest.mark.parametrize("partly", [False, True])
def test_a_second_file_of_the_name_is_noticed_by_a_warm_run(
    tmp_path: Path, make_repository: Callable[..., Any], in_git: bool, partly: bool
) -> None:
    """Also in a folder that had no files, and where only some documents are checked."""
    top = make_repository("root").path if in_git else tmp_path / "root"
    args = (str(top / "notes"),) if partly else ()
    put(top, "docs/a.md")
    (top / "empty").mkdir()
    (top / "notes").mkdir()
    (top / "notes/x.md").write_text("One [a.md, §Intro].\n")
    (top / "notes/y.md").write_text("Two [a.md, §Intro].\n")
    assert outcomes(top, *args) == outcomes(top, *args) == ["holds", "holds"]
    put(top, "empty/a.md")
    assert outcomes(top, *args) == outcomes(top, *args) == ["ambiguous", "ambiguous"]
    os.unlink(top / "empty/a.md")
    os.unlink(top / "docs/a.md")
    assert outcomes(top, *args) == outcomes(top, *args) == ["missing", "missing"]
    put(top, "a.md")
    assert outcomes(top, *args) == ["holds", "holds"]


def test_what_is_ignored_from_now_on_is_noticed(make_repository: Callable[..., Any]) -> None:
    repo = make_repository("root")
    repo.commit({"x.md": "[a.md, §Intro]\n", "docs/b.md": "\n", ".gitignore": "\n"})
    put(repo.path, "docs/a.md", "lib/a.md")
    assert outcomes(repo.path) == ["ambiguous"]
    (repo.path / ".gitignore").write_text("lib/\n")
    assert outcomes(repo.path) == ["holds"]


def test_a_changed_file_of_the_name_matters_to_since(make_repository: Callable[..., Any]) -> None:
    repo = make_repository("root")
    repo.commit({"x.md": "[a.md, §Intro]\n\n[b.md, §Intro]\n", "docs/a.md": "# Intro\n", "docs/b.md": "# Intro\n"})
    assert outcomes(repo.path, "--since", "HEAD") == []
    repo.write("lib/a.md", "# Intro\n")
    assert outcomes(repo.path, "--since", "HEAD") == ["ambiguous"]
