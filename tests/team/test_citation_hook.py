"""Commits are refused for what they add, by the plain script and by pre-commit."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from conftest import Scratch

TOP = Path(__file__).resolve().parents[2]
HOOK: dict[str, Any] = next(
    hook for hook in yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text()) if hook["id"] == "pincite-citations"
)
PAPER = "---\ntitle: Voice\ntotal_pages: 9\n---\n"
FILE = ".aiwg/research/corpus/REF-001-voice.md"
GOOD, BAD = "It rises [REF-001].\n", "It falls [REF-099].\n"
POLICY = """\
version: 1.0.0
retrieval_first_policy: {}
whitelist_enforcement:
  enforcement_levels:
    commit_level:
      enabled: false
page_validation: {}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Scratch, str], None]:
    """Sets a repository up, (scratch, way): the first of each way by the hook's own tools, the others as its copies."""
    first: dict[str, Path] = {}

    def make(scratch: Scratch, way: str) -> None:
        if way in first:
            shutil.rmtree(scratch.path)
            shutil.copytree(first[way], scratch.path, symlinks=True)
        else:
            set_up(scratch, way)
            first[way] = tmp_path_factory.mktemp("first") / "repository"
            shutil.copytree(scratch.path, first[way], symlinks=True)

    return make


def set_up(scratch: Scratch, way: str) -> None:
    """A corpus of one paper, a hook, and a document with one citation that is not committed yet."""
    scratch.write(FILE, PAPER)
    if way == "script":
        installed = scratch.run("pincite", "corpus", "staged", "--install-hook")
    else:
        hook = {**HOOK, "language": "system"}
        del hook["minimum_pre_commit_version"]
        scratch.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]}))
        installed = scratch.run("pre-commit", "install")
    assert installed.returncode == 0, installed.stdout
    scratch.write("doc.md", GOOD)


@pytest.fixture(params=["script", "pre-commit"])
def guarded(request: pytest.FixtureRequest, scratch: Scratch, made: Callable[[Scratch, str], None]) -> Scratch:
    """A repository with a corpus of one paper, whose commits are looked at."""
    made(scratch, request.param)
    return scratch


def commits(scratch: Scratch) -> int:
    done = scratch.run("git", "rev-list", "--count", "HEAD")
    return int(done.stdout) if done.returncode == 0 else 0


def test_good_citation_is_committed_and_bad_one_refused(guarded: Scratch) -> None:
    first = guarded.run("git", "commit", "-m", "first")
    assert first.returncode == 0, first.stdout
    guarded.write("doc.md", GOOD + BAD)
    refused = guarded.run("git", "commit", "-m", "second")
    assert refused.returncode == 1, refused.stdout
    assert "doc.md:2:10: [REF-099]: critical: Citation not in corpus whitelist" in refused.stdout
    assert commits(guarded) == 1


def test_first_commit_is_looked_at(guarded: Scratch) -> None:
    guarded.write("doc.md", BAD)
    refused = guarded.run("git", "commit", "-m", "first")
    assert refused.returncode == 1, refused.stdout
    assert commits(guarded) == 0


def test_deleting_a_bad_citation_passes(guarded: Scratch) -> None:
    guarded.write("doc.md", GOOD + BAD + "It stands.\n")
    assert guarded.run("git", "commit", "--no-verify", "-m", "first").returncode == 0
    guarded.write("doc.md", GOOD + BAD + "It stands still.\n")
    beside = guarded.run("git", "commit", "-m", "second")
    assert beside.returncode == 0, beside.stdout
    guarded.write("doc.md", GOOD)
    done = guarded.run("git", "commit", "-m", "third")
    assert done.returncode == 0, done.stdout
    assert commits(guarded) == 3


@pytest.mark.parametrize("words", [("-a",), ("doc.md",), ("-o", "doc.md")])
def test_commit_that_makes_its_own_index(guarded: Scratch, words: tuple[str, ...]) -> None:
    assert guarded.run("git", "commit", "--no-verify", "-m", "first").returncode == 0
    (guarded.path / "doc.md").write_text(GOOD + BAD)
    refused = guarded.run("git", "commit", "-m", "second", *words)
    assert refused.returncode == 1, refused.stdout
    assert "REF-099" in refused.stdout
    assert commits(guarded) == 1


def test_commit_of_other_files_is_not_held_up(guarded: Scratch) -> None:
    assert guarded.run("git", "commit", "--no-verify", "-m", "first").returncode == 0
    guarded.write("doc.md", GOOD + BAD)
    (guarded.path / "src.py").write_text("pass\n")
    guarded.git("add", "-N", "src.py")
    done = guarded.run("git", "commit", "-m", "second", "src.py")
    assert done.returncode == 0, done.stdout


def test_linked_work_tree(guarded: Scratch, tmp_path: Path) -> None:
    assert guarded.run("git", "commit", "--no-verify", "-m", "first").returncode == 0
    other = tmp_path / "other"
    guarded.git("worktree", "add", "--quiet", str(other))
    (other / "doc.md").write_text(GOOD + BAD)
    refused = guarded.run("git", "-C", str(other), "commit", "-a", "-m", "second")
    assert refused.returncode == 1, refused.stdout
    assert "REF-099" in refused.stdout


def staged(scratch: Scratch, *words: str) -> tuple[int, str]:
    done = scratch.run("pincite", "corpus", "staged", *words)
    return done.returncode, done.stdout


@pytest.fixture
def project(scratch: Scratch) -> Scratch:
    """A repository with a corpus of one paper and nothing that looks at commits."""
    scratch.write(FILE, PAPER)
    return scratch


def test_nothing_added_says_so(project: Scratch) -> None:
    assert staged(project) == (0, "pincite: 1 staged document, no citation added\n")


def test_policy_switches_it_off(project: Scratch) -> None:
    project.write("citation-integrity.yaml", POLICY)
    project.write("doc.md", BAD)
    code, text = staged(project)
    assert code == 0
    assert text == "pincite: the policy switches the commit level off; nothing was checked\n"
    assert staged(project, "--format", "json")[1].endswith("[]\n")
    project.write("citation-integrity.yaml", POLICY.replace("false", "true"))
    assert staged(project)[0] == 1


def test_warnings_fail_when_strict(project: Scratch) -> None:
    project.write("doc.md", "It rises [REF-001, p.12].\n")
    code, text = staged(project)
    assert code == 0
    assert "1 warning" in text
    assert staged(project, "--strict")[0] == 1


def test_paper_that_is_not_staged_is_a_warning(project: Scratch) -> None:
    (project.path / ".aiwg/research/corpus/REF-002-tone.md").write_text(PAPER)
    project.write("doc.md", "It rises [REF-002].\n")
    code, text = staged(project)
    assert code == 0
    assert "REF-002-tone.md: cited, but not part of the commit" in text
    assert staged(project, "--strict")[0] == 1


def test_results_as_json(project: Scratch) -> None:
    project.write("doc.md", GOOD + BAD)
    done = project.run("sh", "-c", "pincite corpus staged --format json 2>/dev/null")
    assert done.returncode == 1
    rows = json.loads(done.stdout)
    assert [(row["ref_id"], row["status"], row["line"]) for row in rows] == [
        ("REF-001", "valid", 1),
        ("REF-099", "invalid", 2),
    ]


def test_hostile_name_is_shown_harmless(project: Scratch) -> None:
    project.write("a\x1b[31m\nb.md", BAD)
    code, text = staged(project)
    assert code == 1
    assert "a\\u{1b}[31m\\u{a}b.md:1:10" in text


def test_document_that_cannot_be_read(project: Scratch) -> None:
    (project.path / "doc.md").write_bytes(b"caf\xe9 [REF-001]\n")
    project.git("add", "-A")
    code, text = staged(project)
    assert code == 2
    assert "not UTF-8" in text


def test_outside_a_repository(project: Scratch, tmp_path: Path) -> None:
    code, text = staged(project, "--root", str(tmp_path / "home"))
    assert code == 2
    assert "no git repository" in text


def test_printed_hook_is_what_is_installed(project: Scratch) -> None:
    code, script = staged(project, "--print-hook", "--strict")
    assert code == 0
    assert script.startswith("#!/bin/sh\n")
    assert script.endswith("exec pincite corpus staged --strict\n")
    assert staged(project, "--install-hook", "--strict")[0] == 0
    hook = project.path / ".git/hooks/pre-commit"
    assert hook.read_text() == script
    assert os.access(hook, os.X_OK)


def test_existing_hook_is_kept(project: Scratch) -> None:
    hook = project.path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n")
    code, text = staged(project, "--install-hook")
    assert code == 2
    assert "exists already; nothing was written" in text
    assert hook.read_text() == "#!/bin/sh\n"


def test_hooks_folder_inside_the_repository_is_used(project: Scratch) -> None:
    project.git("config", "core.hooksPath", ".githooks")
    assert staged(project, "--install-hook")[0] == 0
    assert (project.path / ".githooks/pre-commit").is_file()
    project.write("doc.md", BAD)
    assert project.run("git", "commit", "-m", "first").returncode == 1


@pytest.mark.parametrize("place", ["../hooks", "link/hooks", "~/hooks"])
def test_hooks_folder_outside_is_refused(project: Scratch, tmp_path: Path, place: str) -> None:
    (project.path / "link").symlink_to(tmp_path)
    project.git("config", "core.hooksPath", place)
    code, text = staged(project, "--install-hook")
    assert code == 2
    assert "leads out of the repository" in text
    assert not list(tmp_path.rglob("pre-commit"))


def test_script_without_pincite_says_so(project: Scratch, tmp_path: Path) -> None:
    script = tmp_path / "hook"
    script.write_text(staged(project, "--print-hook")[1])
    done = project.run("/bin/sh", str(script), env={"PATH": "/nowhere"})
    assert done.returncode == 1
    assert "pincite is not installed" in done.stdout


def test_hook_runs_for_documents_alone() -> None:
    assert HOOK["entry"] == "pincite corpus staged"
    assert HOOK["pass_filenames"] is False
    assert HOOK["stages"] == ["pre-commit"]
    pattern = next(
        hook["files"]
        for hook in yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text())
        if hook["id"] == "pincite"
    )
    assert HOOK["files"] == pattern.replace("^[^-].*", "")
