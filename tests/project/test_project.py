"""The one opener: the same project from every folder inside it, for the commands, the library and the domains."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pincite
from pincite.core.errors import UsageError
from pincite.domains.research import open_topic
from pincite.project.config import Config
from pincite.project.project import open_project
from pincite.search.index import Index


@pytest.fixture
def below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with settings, a topic, memories and a document; the working folder is a subfolder of it."""
    top = tmp_path.resolve()
    subprocess.run(("git", "init", "-q", top), check=True)
    for folder in ("docs/deep", "src", ".research/tides/agent-outputs", ".serena/memories"):
        (top / folder).mkdir(parents=True)
    (top / "pincite.toml").write_text("strict = true\n")
    (top / "src/app.py").write_text("one\ntwo\n")
    (top / "docs/x.md").write_text("# Tides\n\nSee 【F:src/app.py†L1】.\n")
    (top / ".serena/memories/a.md").write_text("---\nid: a\ncitations:\n  - path: src/app.py\n    line: 1\n---\n")
    monkeypatch.chdir(top / "docs/deep")
    return top


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run((sys.executable, "-m", "pincite", *words), capture_output=True, text=True, check=False)


def test_a_subfolder_opens_the_repository_around_it(below: Path) -> None:
    with open_project() as project:
        assert project.root.path == str(below)
        assert project.config.strict
        git = project.git()
        assert git is not None and git is project.git()


def test_a_folder_elsewhere_opens_the_repository_around_that(
    below: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    os.chdir(tmp_path_factory.mktemp("elsewhere"))
    with open_project(start=str(below / "docs")) as project:
        assert project.root.path == str(below)


def test_a_root_that_is_given_is_the_root_and_takes_the_settings_around_it(below: Path) -> None:
    with open_project(below / "docs") as project:
        assert project.root.path == str(below / "docs")
        assert project.config.strict


def test_settings_that_are_given_replace_those_that_are_written(below: Path) -> None:
    (below / "pincite.toml").write_text("no such thing")
    with open_project(config=Config()) as project:
        assert not project.config.strict


def test_a_path_that_leads_out_does_not_move_the_root(below: Path) -> None:
    with pytest.raises(UsageError, match="outside the root"):
        open_project(paths=("/etc",))
    with open_project(paths=("-", "../x.md")) as project:
        assert project.root.path == str(below)


def test_a_root_that_is_no_folder_is_refused(below: Path) -> None:
    for option, remedy in (("--repo-root", "with --repo-root"), ("", "as root")):
        with pytest.raises(UsageError, match=f"no such folder; pass an existing one {remedy}"):
            open_project(below / "nowhere", option=option)


def test_a_link_that_the_user_typed_as_root_may_not_lead_out(
    below: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (below / "docs/deep/out").symlink_to(tmp_path_factory.mktemp("outside"))
    with pytest.raises(UsageError, match="pass the folder itself with --root"):
        open_project("out")
    with open_project("out", option="") as project:
        assert project.root.path == os.path.realpath("out")


def test_a_topic_is_found_from_a_subfolder(below: Path) -> None:
    work = open_topic("tides", offline=True)
    assert (work.root.path, work.topic.name) == (str(below), "tides")


def test_the_library_reads_paths_from_the_root_that_is_given(below: Path) -> None:
    result = pincite.check(["docs/x.md"], root=below)
    assert [(report.document, len(report.verdicts)) for report in result.reports] == [("docs/x.md", 1)]
    assert result.ok
    assert pincite.check([below / "docs/x.md"], root=below).summary.citations == 1


def test_the_library_reads_paths_from_the_working_folder_without_a_root(below: Path) -> None:
    assert [report.document for report in pincite.check(["../x.md"]).reports] == ["docs/x.md"]


def test_a_path_from_the_root_cannot_leave_it(below: Path) -> None:
    with pytest.raises(UsageError, match="outside the root"):
        pincite.check(["../src/app.py"], root=below / "docs")


def test_an_index_is_the_same_from_a_subfolder(below: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(below.parent / "cache"))
    with Index.open() as index:
        assert index.root.path == str(below)
        index.refresh()
    found = command("search", "--no-refresh", "tides")
    assert (found.returncode, "docs/x.md" in found.stdout) == (0, True)


def test_memories_are_found_from_a_subfolder(below: Path) -> None:
    assert command("memory", "verify", "a").returncode == 0
    assert "1 memor" in command("memory", "verify-all").stdout
    assert command("memory", "verify-all", "--repo-root", ".").returncode == 2


def test_memories_of_the_working_folder_go_before_those_of_the_repository(below: Path) -> None:
    own = below / "docs/deep/.serena/memories"
    own.mkdir(parents=True)
    (own / "b.md").write_text("---\nid: b\ncitations:\n  - path: here.py\n---\n")
    (below / "docs/deep/here.py").write_text("x\n")
    assert command("memory", "verify", "b").returncode == 0
    assert command("memory", "verify", "a").returncode == 2
