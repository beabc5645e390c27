"""Only what the index adds is held to the corpus."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite.domains.corpus.audit import open_validator
from pincite.domains.corpus.staged import StagedChange, validate_staged
from pincite.project.config import Config
from pincite.safe.files import Root
from pincite.safe.git import Git

if TYPE_CHECKING:
    from conftest import Repository

CORPUS = ".aiwg/research/corpus"
PAPER = "---\ntitle: Voice\ntotal_pages: 9\n---\n"
GOOD, BAD = "It rises [REF-001].\n", "It falls [REF-099].\n"


def look(folder: Path, config: Config | None = None) -> StagedChange:
    """What the index of a repository adds."""
    config = config or Config()
    with Root(str(folder)) as root:
        git = Git.find(str(folder))
        assert git is not None
        try:
            return validate_staged(open_validator(root, config, lambda: git), git, config)
        finally:
            git.close()


def told(found: StagedChange) -> list[tuple[str, int, str, str]]:
    return [(one.result.document, one.result.line, one.result.ref_id, one.result.status) for one in found.details]


@pytest.fixture
def project(repository: Repository) -> Repository:
    """A repository whose first commit has a corpus of one paper and a document with one bad citation."""
    repository.commit({f"{CORPUS}/REF-001-voice.md": PAPER, "doc.md": f"{GOOD}\n{BAD}"})
    return repository


def test_first_commit(repository: Repository) -> None:
    repository.write(f"{CORPUS}/REF-001-voice.md", PAPER)
    repository.write("doc.md", GOOD + BAD)
    repository.git("add", "-A")
    found = look(repository.path)
    assert told(found) == [("doc.md", 1, "REF-001", "valid"), ("doc.md", 2, "REF-099", "invalid")]
    assert found.warnings == ()


def test_first_commit_with_long_ids(make_repository: Callable[..., Repository]) -> None:
    repository = make_repository("long", "--object-format=sha256")
    repository.write(f"{CORPUS}/REF-001-voice.md", PAPER)
    repository.write("doc.md", BAD)
    repository.git("add", "-A")
    assert told(look(repository.path)) == [("doc.md", 1, "REF-099", "invalid")]


def test_nothing_staged(project: Repository) -> None:
    found = look(project.path)
    assert (found.documents, found.changed, found.warnings) == ((), 0, ())


def test_bad_line_that_stays_is_not_reported(project: Repository) -> None:
    project.write("doc.md", f"New words.\n{GOOD}\n{BAD}More [REF-001, p.3].\n")
    project.git("add", "-A")
    found = look(project.path)
    assert told(found) == [("doc.md", 5, "REF-001", "valid")]
    assert found.changed == 1


def test_deleting_a_bad_citation_passes(project: Repository) -> None:
    project.write("doc.md", GOOD)
    project.git("add", "-A")
    assert told(look(project.path)) == []


def test_deleted_document_is_no_document(project: Repository) -> None:
    project.git("rm", "-q", "doc.md")
    found = look(project.path)
    assert (found.documents, found.changed) == ((), 0)


def test_index_counts_and_not_the_work_tree(project: Repository) -> None:
    project.write("doc.md", f"{GOOD}\n{BAD}Staged [REF-098].\n")
    project.git("add", "-A")
    project.write("doc.md", "Work tree [REF-097].\n")
    assert told(look(project.path)) == [("doc.md", 4, "REF-098", "invalid")]


def test_rename_adds_only_what_changed(project: Repository) -> None:
    lines = "".join(f"Line {number} of this document.\n" for number in range(30))
    project.commit({"long.md": lines + BAD})
    project.git("mv", "long.md", "docs.md")
    assert told(look(project.path)) == []
    project.write("docs.md", lines + BAD + "And [REF-098].\n")
    project.git("add", "-A")
    assert told(look(project.path)) == [("docs.md", 32, "REF-098", "invalid")]


def test_mode_change_adds_nothing(project: Repository) -> None:
    project.git("update-index", "--chmod=+x", "doc.md")
    assert told(look(project.path)) == []


def test_links_and_submodules_are_no_documents(project: Repository) -> None:
    (project.path / "link.md").symlink_to("[REF-099]")
    head = project.git("rev-parse", "HEAD")
    project.git("update-index", "--add", "--cacheinfo", f"160000,{head},sub.md")
    project.git("add", "link.md")
    assert look(project.path).documents == ()


def test_link_that_becomes_a_document_is_new(project: Repository) -> None:
    (project.path / "link.md").symlink_to("doc.md")
    project.commit()
    (project.path / "link.md").unlink()
    project.write("link.md", BAD)
    project.git("add", "-A")
    assert told(look(project.path)) == [("link.md", 1, "REF-099", "invalid")]


def test_attributes_hide_nothing(project: Repository) -> None:
    project.commit({".gitattributes": "*.md binary -diff diff=none\n"})
    project.git("config", "diff.none.command", "false")
    project.git("config", "diff.none.textconv", "false")
    project.git("config", "diff.none.binary", "true")
    project.write("doc.md", f"{GOOD}\n{BAD}Then [REF-098].\n")
    project.git("add", "-A")
    assert told(look(project.path)) == [("doc.md", 4, "REF-098", "invalid")]


def test_other_line_ends_are_counted_as_git_counts_them(project: Repository) -> None:
    old = "\ufeffOne\rtwo [REF-099]\r\nthree\r\n"
    project.commit({"crlf.md": old.encode()})
    project.write("crlf.md", (old + "four\rfive [REF-098]\r\n").encode())
    project.git("add", "-A")
    assert told(look(project.path)) == [("crlf.md", 5, "REF-098", "invalid")]


def test_last_line_without_end(project: Repository) -> None:
    project.commit({"end.md": "One [REF-099]"})
    project.write("end.md", "One [REF-099] more\n@@ -0,0 +1,9 @@\nindex 0..1\n+++ b/x\nTwo [REF-001]")
    project.git("add", "-A")
    assert told(look(project.path)) == [("end.md", 1, "REF-099", "invalid"), ("end.md", 5, "REF-001", "valid")]


@pytest.mark.parametrize(
    "name", ["a b.md", "ü.md", "new\nline.md", 'quo"te.md', "-dash.md", "*.md", ":(top)x.md", "a\\b.md"]
)
def test_any_name(project: Repository, name: str) -> None:
    project.write(name, BAD)
    project.git("add", "-A")
    assert told(look(project.path)) == [(name, 1, "REF-099", "invalid")]


@pytest.mark.skipif(sys.platform == "darwin", reason="names are UTF-8 there")
def test_name_that_is_not_utf8(project: Repository) -> None:
    name = os.fsdecode(b"caf\xe9.md")
    project.write(name, BAD)
    project.git("add", "-A")
    assert told(look(project.path)) == [(name, 1, "REF-099", "invalid")]


def test_other_endings_and_excluded_documents_are_left_out(project: Repository) -> None:
    for name in ("x.wiki", "old/x.md", "x.md"):
        project.write(name, BAD)
    project.git("add", "-A")
    assert [row[0] for row in told(look(project.path, Config(exclude=("old",))))] == ["x.md"]
    assert [row[0] for row in told(look(project.path, Config(documents=(".wiki",))))] == ["x.wiki"]


def test_merge_adds_what_is_in_no_parent(project: Repository) -> None:
    project.git("checkout", "-q", "-b", "side")
    project.commit({"side.md": "Side [REF-098].\n", "both.md": "a\n\n\nb\n"})
    project.git("checkout", "-q", "main")
    project.commit({"main.md": "Main [REF-097].\n"})
    project.git("merge", "-q", "--no-commit", "--no-ff", "side")
    assert told(look(project.path)) == []
    project.write("both.md", "a\n\n\nb [REF-096]\n")
    project.git("add", "-A")
    assert told(look(project.path)) == [("both.md", 4, "REF-096", "invalid")]


def test_unmerged_document_is_said(project: Repository) -> None:
    project.git("checkout", "-q", "-b", "side")
    project.commit({"doc.md": "Side [REF-098].\n"})
    project.git("checkout", "-q", "main")
    project.commit({"doc.md": "Main [REF-097].\n"})
    project.git("merge", "-q", "side", check=False)
    found = look(project.path)
    assert told(found) == []
    assert found.warnings == ("doc.md: not merged yet, so not checked",)


def test_paper_added_with_the_commit_counts(project: Repository) -> None:
    project.write("new.md", "See it [REF-002].\n")
    project.git("add", "-A")
    assert told(look(project.path)) == [("new.md", 1, "REF-002", "invalid")]
    project.write(f"{CORPUS}/REF-002-tone.md", PAPER)
    found = look(project.path)
    assert told(found) == [("new.md", 1, "REF-002", "valid")]
    assert found.warnings == (f"{CORPUS}/REF-002-tone.md: cited, but not part of the commit; add it with `git add`",)
    project.git("add", "-A")
    assert look(project.path).warnings == ()


def test_corpus_that_git_does_not_have_is_said_once(repository: Repository) -> None:
    repository.write(".gitignore", ".aiwg/\n")
    repository.write(f"{CORPUS}/REF-001-voice.md", PAPER)
    repository.write("doc.md", GOOD)
    repository.git("add", "-A")
    (warning,) = look(repository.path).warnings
    assert "no file of the corpus is in git" in warning


def test_unreadable_document_counts_where_it_cites(project: Repository) -> None:
    project.commit({"latin.md": b"caf\xe9 [REF-099]\n"})
    project.write("latin.md", b"caf\xe9 [REF-099]\nmore\n")
    project.git("add", "-A")
    assert look(project.path).documents == ()
    project.write("latin.md", b"caf\xe9 [REF-099]\nmore [REF-001]\n")
    project.git("add", "-A")
    (found,) = look(project.path).documents
    assert "not UTF-8" in found.error


def test_root_below_the_top(project: Repository) -> None:
    project.write(f"sub/{CORPUS}/REF-005-x.md", PAPER)
    project.write("sub/doc.md", "A [REF-005]. B [REF-001].\n")
    project.write("top.md", BAD)
    project.git("add", "-A")
    found = look(project.path / "sub")
    assert told(found) == [("doc.md", 1, "REF-005", "valid"), ("doc.md", 1, "REF-001", "invalid")]
    assert found.warnings == ()


def test_a_line_that_gets_an_end_is_none_that_was_added(project: Repository) -> None:
    project.commit({"end.md": "One\nTwo [REF-099]"})
    project.write("end.md", "One\nTwo [REF-099]\nThree [REF-098]")
    project.git("add", "-A")
    assert told(look(project.path)) == [("end.md", 3, "REF-098", "invalid")]


def test_what_a_merge_has_from_either_parent_is_not_its_own(project: Repository) -> None:
    lines = [f"Line {number}.\n" for number in range(9)]
    project.commit({"both.md": "".join(lines)})
    project.git("checkout", "-q", "-b", "side")
    project.commit({"both.md": "".join(["Side [REF-098].\n", *lines])})
    project.git("checkout", "-q", "main")
    project.commit({"both.md": "".join([*lines, "Main [REF-097].\n"])})
    project.git("merge", "-q", "--no-commit", "--no-ff", "side")
    assert told(look(project.path)) == []
    project.write("both.md", "".join(["Side [REF-098].\n", *lines, "Own [REF-096].\n", "Main [REF-097].\n"]))
    project.git("add", "-A")
    assert told(look(project.path)) == [("both.md", 11, "REF-096", "invalid")]
