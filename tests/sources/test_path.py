"""Paths of instruction files: where they may lead, when they are missing, when nothing is said."""

from __future__ import annotations

from collections.abc import Callable
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
        (top / name).write_text("x\n")


def ask(top: Path, path: str, document: str = "AGENTS.md", tentative: bool = False, text: str = "") -> str | None:
    """The path that was found, what is missing, or None."""
    with Root(str(top)) as root:
        git = Git.find(str(top))
        world = World(root, lambda: git)
        cited = Citation("instruction", Span(0, 0), path, SourceRef("path", path), None, None, "", tentative)
        found = world.find(cited, Document(document, text))
        if git is not None:
            git.close()
    if isinstance(found, Evidence):
        return found.source.key
    return found.kind if isinstance(found, Obstacle) else None


@pytest.mark.parametrize(
    ("path", "document", "expected"),
    [
        ("src/a.py", "AGENTS.md", "src/a.py"),
        ("src/", "AGENTS.md", "src"),
        ("src/b.py", "web/deep/AGENTS.md", "web/src/b.py"),
        ("deep/c.py", "AGENTS.md", "web/deep/c.py"),
        ("web/deep/", "AGENTS.md", "web/deep"),
        ("src/gone.py", "AGENTS.md", "path-not-found"),
        ("src/gone/", "AGENTS.md", "path-not-found"),
        ("lib/gone.py", "AGENTS.md", "file-not-found"),
        ("gone/", "AGENTS.md", "file-not-found"),
        (".claude/gone.md", "AGENTS.md", "file-not-found"),
        (".github/gone.md", "AGENTS.md", "file-not-found"),
        (".github/workflows/gone.yml", "AGENTS.md", "path-not-found"),
        ("src/gone.py", ".claude/skills/x/SKILL.md", "file-not-found"),
        ("../x/a.py", "AGENTS.md", None),
    ],
)
def test_where_a_path_leads(tmp_path: Path, path: str, document: str, expected: str | None) -> None:
    """`file-not-found` leaves the last word to history."""
    put(tmp_path, "src/a.py", "web/src/b.py", "web/deep/c.py", ".claude/x.md", ".github/workflows/ci.yml")
    assert ask(tmp_path, path, document) == expected


def test_in_doubt_only_history_can_miss_it(tmp_path: Path) -> None:
    """What is there holds all the same."""
    put(tmp_path, "src/a.py")
    assert ask(tmp_path, "src/gone.py", tentative=True) == "file-not-found"
    assert ask(tmp_path, "src/a.py", tentative=True) == "src/a.py"
    assert ask(tmp_path, "src/gone/", tentative=True) is None
    assert ask(tmp_path, "src/gone.py", "skills/x/SKILL.md", tentative=True) is None


def test_what_git_ignores_is_not_judged(make_repository: Callable[..., Any]) -> None:
    """It may be on another machine."""
    repository = make_repository()
    top = Path(repository.path)
    put(top, "src/a.py")
    (top / ".gitignore").write_text("*.local.py\n/src/made/\n")
    assert ask(top, "src/x.local.py") is None
    assert ask(top, "src/made/") is None
    assert ask(top, "src/gone.py") == "path-not-found"


def test_a_document_about_another_tree_is_not_judged(tmp_path: Path) -> None:
    """Where most of its paths are not here."""
    put(tmp_path, "src/a.py")
    foreign = " ".join(f"`src/p{number}/x.ts`" for number in range(6))
    assert ask(tmp_path, "src/p1/x.ts", text=foreign) == "file-not-found"
    assert ask(tmp_path, "src/p1/x.ts", text="`src/a.py` `src/p1/x.ts`") == "path-not-found"


def test_a_link_out_of_the_root_is_not_judged(tmp_path: Path) -> None:
    """What lies there is not looked at."""
    top = tmp_path / "top"
    put(top, "src/a.py")
    (top / "src" / "out").symlink_to("/")
    assert ask(top, "src/out/etc.py") is None


def test_the_answer_is_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that comes, anywhere, and a target that comes change the stored answer."""
    put(tmp_path, "src/a.py")
    (tmp_path / "AGENTS.md").write_text("See `src/b.py`, run `make lint`.\n")
    (tmp_path / "Makefile").write_text("test:\n")
    monkeypatch.chdir(tmp_path)

    def check() -> int:
        try:
            main(["check", "--strict"])
        except SystemExit as end:
            return int(end.code or 0)
        return 0

    assert check() == 1
    assert check() == 1
    put(tmp_path, "lib/src/b.py")
    assert check() == 1
    (tmp_path / "Makefile").write_text("test:\nlint:\n")
    assert check() == 0
    (tmp_path / "lib/src/b.py").unlink()
    assert check() == 1
