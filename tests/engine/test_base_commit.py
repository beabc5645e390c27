"""A change that hides what it breaks says so: excluded documents, ignored findings, a longer baseline, settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode

from pincite.core.model import HiddenFindings, Lines, Summary
from pincite.engine.run import Request, Run
from pincite.project.config import load_config
from pincite.safe.files import Root
from pincite.store.lock_entry import HEAD, entry_of

BROKEN = "Gone. 【F:src/gone.py†L1】\n"


def summed(path: Path, **wishes: Any) -> Summary:
    with Root(str(path)) as root:
        run = Run(root, Request(config=load_config(str(path))[0], **wishes))
        for _ in run.reports():
            pass
        return run.summary


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    made = make_repository()
    made.commit({"a.md": BROKEN, "b.md": "Fine.\n", "docs/c.md": "Fine.\n", "known": ""})
    made.git("tag", "base")
    return made


def hidden(repo: Any, **wishes: Any) -> HiddenFindings:
    found = summed(repo.path, base="base", **wishes).hidden
    assert found is not None
    return found


def test_without_a_commit_to_compare_with_nothing_is_said(repo: Any) -> None:
    assert summed(repo.path).hidden is None
    assert not hidden(repo)


@pytest.mark.parametrize(
    ("setting", "lost"),
    [
        ('exclude = ["a.md"]\n', ("a.md",)),
        ('exclude = ["docs", "b.md"]\n', ("b.md", "docs/c.md")),
        ('documents = [".rst"]\n', ("a.md", "b.md", "docs/c.md")),
    ],
)
def test_documents_that_settings_exclude(repo: Any, setting: str, lost: tuple[str, ...]) -> None:
    (repo.path / "pincite.toml").write_text(setting)
    found = hidden(repo)
    assert found.documents == lost
    assert found.settings == (setting.partition(" ")[0],)


def test_documents_that_come_with_their_own_exclusion(repo: Any) -> None:
    (repo.path / "new.md").write_text(BROKEN)
    (repo.path / "pincite.toml").write_text('exclude = ["new.md"]\n')
    assert hidden(repo).documents == ("new.md",)


def test_documents_that_git_is_told_to_ignore(repo: Any) -> None:
    repo.git("rm", "-q", "--cached", "a.md")
    (repo.path / ".gitignore").write_text("a.md\n")
    assert hidden(repo).documents == ("a.md",)


@pytest.mark.parametrize(("name", "told"), [("a.html", ("a.html",)), ("x/a.bak", ("x/a.bak",)), ("c.md", ())])
@pytest.mark.parametrize("committed", [False, True])
def test_documents_whose_new_name_is_no_documents(repo: Any, name: str, told: tuple[str, ...], committed: bool) -> None:
    (repo.path / "x").mkdir()
    repo.git("mv", "a.md", name)
    if committed:
        repo.commit({"src/app.py": "changed\n"})
    assert hidden(repo).documents == told


def test_documents_that_were_deleted_are_not_hidden(repo: Any) -> None:
    repo.git("rm", "-q", "a.md")
    assert not hidden(repo)


@pytest.mark.parametrize("warm", [False, True])
def test_findings_that_a_comment_ignores(repo: Any, warm: bool) -> None:
    (repo.path / "a.md").write_text(f"{BROKEN.strip()} <!-- pincite: ignore file-not-found -->\n")
    if warm:
        summed(repo.path)
    assert hidden(repo).ignored == 1
    repo.git("add", "-A")
    repo.git("commit", "-qm", "ignored")
    repo.git("tag", "-f", "base")
    assert hidden(repo).ignored == 0


def test_a_comment_that_was_there_before_and_one_that_is_copied(repo: Any) -> None:
    line = "Gone. 【F:src/gone.py†L1】 <!-- pincite: ignore all -->\n"
    repo.commit({"a.md": line})
    repo.git("tag", "-f", "base")
    (repo.path / "a.md").write_text(f"More text.\n\n{line}")
    assert hidden(repo).ignored == 0
    (repo.path / "a.md").write_text(f"{line}\n{line}")
    assert hidden(repo).ignored == 1


def test_findings_that_settings_ignore(repo: Any) -> None:
    (repo.path / "pincite.toml").write_text('ignore = ["file-not-found"]\n')
    found = hidden(repo)
    assert (found.ignored, found.settings) == (1, ("ignore",))


def test_findings_that_are_added_to_the_baseline(repo: Any) -> None:
    names = frozenset({"0123456789abcdef", "1123456789abcdef"})
    assert hidden(repo, baseline="known", known=names).baselined == 2
    repo.commit({"known": "0123456789abcdef  # one\n"})
    repo.git("tag", "-f", "base")
    assert hidden(repo, baseline="known", known=names).baselined == 1


def test_strict_fails_on_what_is_hidden_and_so_do_settings_that_were_strict(repo: Any) -> None:
    (repo.path / "pincite.toml").write_text('exclude = ["a.md"]\n')
    assert summed(repo.path, base="base").exit_code == 0
    assert summed(repo.path, since="base").exit_code == 0
    assert summed(repo.path, base="base", strict=True).exit_code == 1
    repo.commit({"pincite.toml": "strict = true\n"})
    repo.git("tag", "-f", "base")
    (repo.path / "pincite.toml").write_text('exclude = ["a.md"]\n')
    assert summed(repo.path, base="base").exit_code == 1


def test_settings_that_check_nothing_about_documents_are_not_named(repo: Any) -> None:
    (repo.path / "pincite.toml").write_text("[capture]\nmask = true\nkeep-days = 3\n")
    assert not hidden(repo)


@pytest.mark.parametrize("name", ["README.MD", "notes.TXT", "a.Markdown", "b.Md", "c.RST"])
def test_the_case_of_an_ending_hides_no_document(repo: Any, name: str) -> None:
    before = summed(repo.path, cache=False)
    (repo.path / name).write_text(BROKEN)
    assert summed(repo.path, cache=False).errors == before.errors + 1
    repo.git("add", "-A")
    assert summed(repo.path, cache=False).errors == before.errors + 1


def test_what_stands_below_a_fence_that_is_never_closed_is_counted(repo: Any) -> None:
    (repo.path / "b.md").write_text(f"Text.\n\n```\n{BROKEN}{BROKEN}")
    assert summed(repo.path, cache=False).skipped == 2
    (repo.path / "b.md").write_text(f"Text.\n\n```\n{BROKEN}```\n")
    assert summed(repo.path, cache=False).skipped == 0


@pytest.mark.parametrize(
    "text",
    [
        "```a`b\n{}",
        "text\n\n    ```\n\n{}",
        "text\n    ```\n{}",
        "\t```\n\n{}",
        "- item\n\n      ```\n\n{}",
        "- item\n\n  ```\n  code\n{}",
        "> ```\n> code\n\n{}",
        "<div>\n```\n</div>\n\n{}",
        "<pre>\n```\n</pre>\n\n{}",
        "<!--\n```\n-->\n\n{}",
        "```\ncode\n```\n    ```\n\n{}",
        "1. item\n   ```\n   x\n{}",
        "[it][r]\n\n[r]: src/gone.py#L9\n",
        "[r]: <src/gone.py#L9> 'Title'\n",
        "> [r]: ../src/gone.py#L9\n",
        "So. 【src/gone.py†L9】\n",
        "So. 【src/deep/gone.tsx†L9-L12】\n",
    ],
)
def test_no_form_hides_a_citation_of_what_is_missing(repo: Any, text: str) -> None:
    before = summed(repo.path, cache=False).errors
    (repo.path / "docs/c.md").write_text(text.replace("{}", BROKEN))
    assert summed(repo.path, cache=False).errors == before + 1


@pytest.mark.parametrize("name", ["citation-integrity.yaml", ".aiwg/citation-integrity.yaml"])
def test_a_policy_that_a_change_adds_is_named(make_repository: Any, name: str) -> None:
    repository = make_repository()
    repository.commit({"d.md": "x\n"})
    policy = (
        "version: 1.0.0\nretrieval_first_policy: {enabled: false}\nwhitelist_enforcement: {}\npage_validation: {}\n"
    )
    repository.commit({name: policy})
    assert hidden_since(repository.path, "HEAD~1") == (name,)


def test_a_lock_that_a_change_takes_away_is_named(make_repository: Any) -> None:
    repository = make_repository()
    repository.commit({"d.md": "x\n", "pincite.lock": "# pincite.lock 1\n"})
    (repository.path / "pincite.lock").unlink()
    assert hidden_since(repository.path, "HEAD") == ("pincite.lock",)


def hidden_since(path: Path, revision: str) -> tuple[str, ...]:
    hidden = summed(path, base=revision).hidden
    assert hidden is not None
    return hidden.settings


LOCKED = "It is two. 【F:src/f.py†L2】\n"
THEN = "one\ntwo\nthree\n"
NOW = "one\n2\nthree\n"


def locks(*cited: tuple[str, int, str]) -> str:
    """A lock with entries of these documents, for these lines of a text of `src/f.py`."""
    entries = [entry_of(path, "src/f.py", Lines(at, at), text.split("\n"), 1) for path, at, text in cited]
    return "\n".join((HEAD.decode(), *(encode(entry).decode() for entry in entries), ""))


@pytest.fixture
def locked(make_repository: Callable[..., Any]) -> Any:
    """A repository in which `d.md` cites a locked line."""
    made = make_repository()
    made.commit({"src/f.py": THEN, "d.md": LOCKED, "e.md": "Fine.\n", "pincite.lock": locks(("d.md", 2, THEN))})
    made.git("tag", "base")
    return made


def test_lock_entries_that_are_renewed_with_the_evidence(locked: Any) -> None:
    locked.commit({"src/f.py": NOW, "pincite.lock": locks(("d.md", 2, NOW))})
    assert hidden(locked).locked == ("src/f.py:2 in d.md renewed",)
    assert summed(locked.path, base="base", strict=True).exit_code == 1
    assert summed(locked.path, base="base").exit_code == 0


def test_lock_entries_that_are_removed_with_the_evidence(locked: Any) -> None:
    locked.commit({"src/f.py": NOW, "pincite.lock": locks()})
    assert hidden(locked).locked == ("src/f.py:2 in d.md removed",)


def test_lock_entries_that_are_added_for_old_citations(locked: Any) -> None:
    locked.commit({"pincite.lock": locks()})
    locked.git("tag", "-f", "base")
    locked.commit({"src/f.py": NOW, "pincite.lock": locks(("d.md", 2, NOW))})
    assert hidden(locked).locked == ("src/f.py:2 in d.md added",)


def test_a_first_lock_says_what_it_takes_as_read(make_repository: Callable[..., Any]) -> None:
    made = make_repository()
    made.commit({"src/f.py": THEN, "d.md": LOCKED})
    made.git("tag", "base")
    made.commit({"pincite.lock": locks(("d.md", 2, THEN))})
    assert hidden(made).locked == ("src/f.py:2 in d.md added",)


def test_lock_entries_of_new_citations_accept_nothing(locked: Any) -> None:
    new = locks(("d.md", 2, THEN), ("e.md", 3, THEN))
    locked.commit({"e.md": "It is three. 【F:src/f.py†L3】\n", "pincite.lock": new})
    assert not hidden(locked)


def test_lock_entries_that_went_with_their_citation_accept_nothing(locked: Any) -> None:
    locked.commit({"d.md": "Nothing.\n", "pincite.lock": locks()})
    assert not hidden(locked)


def test_lock_entries_that_follow_moved_lines_accept_nothing(locked: Any) -> None:
    moved = f"zero\n{THEN}"
    locked.commit({"src/f.py": moved, "d.md": LOCKED.replace("L2", "L3"), "pincite.lock": locks(("d.md", 3, moved))})
    assert not hidden(locked)


@pytest.mark.parametrize(("text", "told"), [(NOW, ("src/f.py:2 in d.md renewed",)), (THEN, ())])
def test_lock_entries_under_another_name_of_the_document(locked: Any, text: str, told: tuple[str, ...]) -> None:
    locked.git("mv", "d.md", "g.md")
    locked.commit({"src/f.py": text, "pincite.lock": locks(("g.md", 2, text))})
    assert hidden(locked).locked == told
