"""The published hooks, run by pre-commit in a real repository.

The definitions come from `.pre-commit-hooks.yaml` as they are; only the language is changed, so that pre-commit builds
no environment of its own and the tests need no network.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from conftest import Scratch

TOP = Path(__file__).resolve().parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text())
SOURCE = "def area(r):\n    return 3.14159 * r * r\n\n\ndef side(a):\n    return a**0.5\n"
HOLDING = "# Guide\n\nThe area is computed here 【F:src/shapes.py†L1-L2】.\n"


def configured(scratch: Scratch, *ids: str, args: tuple[str, ...] = ()) -> None:
    """Commit sources, a document that cites them, and a configuration with the named hooks, then install it."""
    chosen = [
        {**hook, "language": "system", **({"args": list(args)} if args else {})} for hook in HOOKS if hook["id"] in ids
    ]
    for hook in chosen:
        del hook["minimum_pre_commit_version"]
    config = yaml.safe_dump({"repos": [{"repo": "local", "hooks": chosen}]})
    scratch.write(".pre-commit-config.yaml", config)
    scratch.write(".gitignore", ".pincite/\n")
    scratch.write("src/shapes.py", SOURCE)
    scratch.write("docs/guide.md", HOLDING)
    installed = scratch.run("pre-commit", "install")
    assert installed.returncode == 0, installed.stdout


def test_hooks_are_those_we_document() -> None:
    check = "pincite check --quiet --base=HEAD --staged"
    entries = {"pincite": check, "pincite-all": f"{check} .", "pincite-citations": "pincite corpus staged"}
    assert {hook["id"]: hook["entry"] for hook in HOOKS} == entries
    assert all(hook["language"] == "python" for hook in HOOKS)
    page = (TOP / "docs/how-to/pre-commit.md").read_text()
    assert all(f"`{name}`" in page for name in entries)


def test_extras_that_the_page_names_are_those_of_the_package() -> None:
    page = (TOP / "docs/how-to/pre-commit.md").read_text()
    known = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = re.findall(r'additional_dependencies: \["\.\[([a-z,]+)\]"\]', page)
    assert named
    assert {name for some in named for name in some.split(",")} <= set(known)


def test_changed_documents_are_what_check_reads() -> None:
    from pincite.project.config import DOCUMENTS

    pattern = HOOKS[0]["files"]
    assert all(re.search(pattern, f"docs/a{ending}") for ending in DOCUMENTS)
    assert re.search(pattern, "docs/README.MD")
    assert re.search(r"\((md.*)\)\$$", pattern)[1].split("|") == [ending[1:] for ending in DOCUMENTS]
    assert not re.search(pattern, "src/a.py")


def test_manifest_is_valid() -> None:
    from pre_commit.clientlib import load_manifest

    known = {hook["id"] for hook in load_manifest(str(TOP / ".pre-commit-hooks.yaml"))}
    assert known == {"pincite", "pincite-all", "pincite-citations"}


def test_holding_citations_are_committed(scratch: Scratch) -> None:
    configured(scratch, "pincite", "pincite-all")
    done = scratch.run("git", "commit", "-m", "first")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Passed") == 2
    assert scratch.git("rev-list", "--count", "HEAD").strip() == "1"


def test_broken_document_is_refused(scratch: Scratch) -> None:
    configured(scratch, "pincite")
    assert scratch.run("git", "commit", "-m", "first").returncode == 0
    scratch.write("docs/guide.md", HOLDING + "\nThe volume is here 【F:src/solids.py†L1-L2】.\n")
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 1, done.stdout
    assert "docs/guide.md:5" in done.stdout
    assert "src/solids.py" in done.stdout
    assert scratch.git("rev-list", "--count", "HEAD").strip() == "1"


def test_code_change_breaks_untouched_document(scratch: Scratch) -> None:
    configured(scratch, "pincite", "pincite-all")
    assert scratch.run("git", "commit", "-m", "first").returncode == 0
    scratch.git("mv", "src/shapes.py", "src/forms.py")
    scratch.write("src/forms.py", "pass\n")
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 1, done.stdout
    changed, everything = (line for line in done.stdout.splitlines() if line.startswith("check "))
    assert "Passed" in changed
    assert "Failed" in everything
    assert "docs/guide.md:3" in done.stdout


@pytest.mark.parametrize(("args", "status"), [((), 0), (("--strict",), 1)])
def test_arguments_reach_the_command(scratch: Scratch, args: tuple[str, ...], status: int) -> None:
    configured(scratch, "pincite-all", args=args)
    first = scratch.run("git", "commit", "-m", "first")
    assert first.returncode == 0, first.stdout
    scratch.write("src/shapes.py", SOURCE.replace("3.14159", "math.pi"))
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == status, done.stdout


def test_file_name_is_never_an_option(scratch: Scratch) -> None:
    configured(scratch, "pincite")
    name = "--output=README.md"
    scratch.write("README.md", "untouched\n")
    scratch.write(name, HOLDING)
    done = scratch.run("git", "commit", "-m", "first")
    assert done.returncode == 0, done.stdout
    assert (scratch.path / "README.md").read_text() == "untouched\n"


def test_names_with_spaces_and_other_letters(scratch: Scratch) -> None:
    configured(scratch, "pincite")
    scratch.write("docs/über uns/a b.md", "Nothing there 【F:src/gone.py†L1】.\n")
    done = scratch.run("git", "commit", "-m", "first")
    assert done.returncode == 1, done.stdout
    assert "docs/über uns/a b.md:1" in done.stdout


def test_only_documents_are_passed(scratch: Scratch) -> None:
    configured(scratch, "pincite")
    assert scratch.run("git", "commit", "-m", "first").returncode == 0
    scratch.write("src/other.py", "text = 'see 【F:src/gone.py†L1】'\n")
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 0, done.stdout
    assert "Passed" in done.stdout
    assert "gone.py" not in done.stdout
    scratch.write("src/third.py", "# see 【F:src/gone.py†L1】\n")
    done = scratch.run("git", "commit", "-m", "third")
    assert (done.returncode, "src/third.py:1:7  new, missing" in done.stdout) == (1, True)


def guide(count: int) -> str:
    """A document with some citations of one function."""
    return "# Guide\n\n" + "".join(f"Claim {number} 【F:src/shapes.py†L1-L2】.\n\n" for number in range(count))


@pytest.mark.parametrize("hook", ["pincite", "pincite-all"])
def test_a_commit_that_moves_citations_lists_them_with_the_command_that_repairs(scratch: Scratch, hook: str) -> None:
    configured(scratch, hook)
    scratch.write("docs/guide.md", guide(9))
    assert scratch.run("git", "commit", "-m", "first").returncode == 0
    scratch.write("src/shapes.py", "import math\n\n" + SOURCE)
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 0, done.stdout
    assert "This commit changes what 9 citations rest on, in 1 document:" in done.stdout
    assert done.stdout.count("fix 【F:src/shapes.py†L3-L4】") == 9
    assert "moved: `pincite fix --write docs/guide.md` lets the citations follow" in done.stdout
    repaired = scratch.run("pincite", "fix", "--write", "docs/guide.md")
    assert "Fixed 9 citations in 1 document." in repaired.stdout
    scratch.git("add", "docs/guide.md")
    done = scratch.run("git", "commit", "-m", "third")
    assert done.returncode == 0, done.stdout
    assert "rest on" not in done.stdout


def test_a_commit_that_edits_cited_lines_names_the_citation_to_accept(scratch: Scratch) -> None:
    configured(scratch, "pincite-all")
    assert scratch.run("git", "commit", "-m", "first").returncode == 0
    scratch.write("src/shapes.py", SOURCE.replace("3.14159", "math.pi"))
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 0, done.stdout
    assert "This commit changes what 1 citation rests on, in 1 document:" in done.stdout
    assert "docs/guide.md:3:27  edits  【F:src/shapes.py†L1-L2】" in done.stdout
    assert "run `pincite accept docs/guide.md:3` if it is still true" in done.stdout


def test_a_commit_with_its_acceptance_lists_nothing(scratch: Scratch) -> None:
    configured(scratch, "pincite-all")
    assert scratch.run("git", "commit", "-m", "first").returncode == 0
    scratch.write("src/shapes.py", SOURCE.replace("3.14159", "math.pi"))
    accepted = scratch.run("pincite", "accept", "docs/guide.md:3", "--reason", "still the area")
    assert accepted.returncode == 0, accepted.stdout
    scratch.git("add", ".pincite-accepted")
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 0, done.stdout
    assert "rests on" not in done.stdout
    assert "This change accepts 1 citation as still true" in done.stdout
    assert scratch.run("pincite", "check", "--strict").returncode == 0


def test_a_commit_that_only_deletes_what_is_cited_is_looked_at(scratch: Scratch) -> None:
    configured(scratch, "pincite")
    assert scratch.run("git", "commit", "-m", "first").returncode == 0
    scratch.git("rm", "--quiet", "src/shapes.py")
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 0, done.stdout
    assert "docs/guide.md:3:27  deletes  【F:src/shapes.py†L1-L2】" in done.stdout
    assert "pincite accept" not in done.stdout


def test_what_is_not_staged_is_no_part_of_the_commit(scratch: Scratch) -> None:
    configured(scratch, "pincite-all")
    assert scratch.run("git", "commit", "-m", "first").returncode == 0
    scratch.write("src/other.py", "pass\n")
    (scratch.path / "src/shapes.py").write_text("import math\n\n" + SOURCE)
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 0, done.stdout
    assert "rests on" not in done.stdout


def test_all_files_are_checked_where_that_is_asked_for(scratch: Scratch) -> None:
    configured(scratch, "pincite")
    scratch.write("docs/bad.md", "Nothing there 【F:src/never.py†L1】.\n")
    scratch.git("commit", "--quiet", "--no-verify", "-m", "first")
    done = scratch.run("pre-commit", "run", "--all-files")
    assert done.returncode == 1, done.stdout
    assert "docs/bad.md:1" in done.stdout


def test_strict_fails_on_drift_in_documents_that_are_not_staged(scratch: Scratch) -> None:
    configured(scratch, "pincite", args=("--strict",))
    first = scratch.run("git", "commit", "-m", "first")
    assert first.returncode == 0, first.stdout
    scratch.write("src/shapes.py", "import math\n\n" + SOURCE)
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 1, done.stdout
    assert "This commit changes what 1 citation rests on" in done.stdout


def test_what_the_commit_hides_is_told_although_nothing_fails(scratch: Scratch) -> None:
    configured(scratch, "pincite-all")
    first = scratch.run("git", "commit", "-m", "first")
    assert first.returncode == 0, first.stdout
    scratch.write("docs/new.md", "Nothing there 【F:src/gone.py†L1】.\n")
    scratch.write("pincite.toml", 'exclude = ["docs/new.md"]\n')
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 0, done.stdout
    assert "This change excludes 1 document (docs/new.md) and alters the settings exclude" in done.stdout


def test_an_ignored_finding_of_a_changed_document_is_told(scratch: Scratch) -> None:
    configured(scratch, "pincite")
    assert scratch.run("git", "commit", "-m", "first").returncode == 0
    scratch.write("docs/guide.md", HOLDING + "\nGone 【F:src/gone.py†L1】. <!-- pincite: ignore file-not-found -->\n")
    done = scratch.run("git", "commit", "-m", "second")
    assert done.returncode == 0, done.stdout
    assert "This change ignores 1 finding" in done.stdout
