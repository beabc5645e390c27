"""`pincite check --staged`: the documents of a commit, and what it does to the citations of all others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Pincite = Callable[..., tuple[int, str, str]]
SOURCE = "one = 1\ntwo = 2\nthree = 3\n"


@pytest.fixture
def repo(make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, in_folder: Pincite) -> Any:
    made = make_repository()
    made.commit({"app.py": SOURCE, "a.md": "Two is there 【F:app.py†L2】.\n", "b.md": "Three 【F:app.py†L3】.\n"})
    monkeypatch.chdir(made.path)
    return made


def stage(repo: Any, name: str, text: str) -> None:
    repo.write(name, text)
    repo.git("add", name)


def test_nothing_staged(repo: Any, in_folder: Pincite) -> None:
    assert in_folder("check", "--staged", "--quiet") == (0, "", "")
    code, out, err = in_folder("check", "--staged")
    assert (code, err) == (0, "")
    assert out == "No documents found: nothing was checked.\n"


def test_the_documents_that_are_staged_are_checked_and_no_others(repo: Any, in_folder: Pincite) -> None:
    repo.write("c.md", "Gone 【F:gone.py†L1】.\n")
    stage(repo, "d.md", "Gone too 【F:gone.py†L2】.\n")
    code, out, _ = in_folder("check", "--staged")
    assert code == 1
    assert "d.md:1" in out
    assert "c.md" not in out


def test_drift_in_documents_that_are_not_staged_is_listed(repo: Any, in_folder: Pincite) -> None:
    stage(repo, "app.py", "zero = 0\n" + SOURCE)
    code, out, _ = in_folder("check", "--staged", "--quiet")
    assert code == 0
    assert out.splitlines() == [
        "⚠ This commit changes what 2 citations rest on, in 2 documents:",
        "a.md:1:14  moves  【F:app.py†L2】",
        "  now app.py:3",
        "  fix 【F:app.py†L3】",
        "b.md:1:7  moves  【F:app.py†L3】",
        "  now app.py:4",
        "  fix 【F:app.py†L4】",
        "  moved: `pincite fix --write a.md b.md` lets the citations follow; then `git add` them",
    ]
    assert in_folder("check", "--staged", "--quiet", "--strict")[0] == 1


def test_what_the_check_prints_is_not_listed_again(repo: Any, in_folder: Pincite) -> None:
    stage(repo, "app.py", "zero = 0\n" + SOURCE)
    stage(repo, "a.md", "Two is there 【F:app.py†L2】.\n\nMore.\n")
    out = in_folder("check", "--staged")[1]
    assert out.count("a.md:1:14") == 1
    assert "This commit changes what 1 citation rests on, in 1 document:" in out
    assert "b.md:1:7  moves" in out


def test_many_are_counted(repo: Any, in_folder: Pincite) -> None:
    for number in range(7):
        repo.write(f"m{number}.md", "".join(f"Claim {at} 【F:app.py†L2】.\n\n" for at in range(4)))
    repo.commit()
    stage(repo, "app.py", "zero = 0\n" + SOURCE)
    out = in_folder("check", "--staged", "--quiet")[1]
    assert "30 citations rest on, in 9 documents" in out
    assert out.count("  moves  ") == 20
    assert "and 10 more: `pincite affected --staged` lists all" in out
    assert "`pincite fix --write` lets" in out


def test_other_formats_keep_their_shape(repo: Any, in_folder: Pincite) -> None:
    stage(repo, "app.py", "zero = 0\n" + SOURCE)
    code, out, err = in_folder("check", "--staged", "--format", "json")
    assert code == 0
    assert json.loads(out)["citations"] == []
    assert "This commit changes what 2 citations rest on" in err


def test_a_hostile_name_is_quoted(repo: Any, in_folder: Pincite) -> None:
    name = "x `touch pwned`; $(id)\x1b[31m.md"
    repo.commit({name: "Two 【F:app.py†L2】.\n"})
    stage(repo, "app.py", "zero = 0\n" + SOURCE)
    out = in_folder("check", "--staged", "--quiet")[1]
    assert "\x1b" not in out
    assert "3 citations rest on" in out


def test_affected_takes_an_acceptance_for_read(repo: Any, in_folder: Pincite) -> None:
    stage(repo, "app.py", SOURCE.replace("two = 2", "two = 22"))
    assert in_folder("affected", "--staged")[0] == 1
    assert in_folder("accept", "a.md:1")[0] == 0
    assert in_folder("affected", "--staged")[0] == 1, "the acceptance is not staged yet"
    repo.git("add", ".pincite-accepted")
    code, out, _ = in_folder("affected", "--staged")
    assert (code, "edits (ignored)" in out) == (0, True)
    assert in_folder("check", "--staged", "--quiet")[1] == ""
    stage(repo, "app.py", SOURCE.replace("two = 2", "two = 23"))
    assert in_folder("affected", "--staged")[0] == 1


def test_it_needs_a_repository_and_files(in_folder: Pincite) -> None:
    code, _, err = in_folder("check", "--staged")
    assert (code, "--staged needs a git repository" in err) == (2, True)
    code, _, err = in_folder("check", "--staged", "-")
    assert code == 2


def test_lines_that_were_edited_on_the_way_need_both_shown(repo: Any, in_folder: Pincite) -> None:
    text = "".join(f"line_{number} = {number}\n" for number in range(9))
    repo.commit({"long.py": text, "c.md": "Four 【F:long.py†L4-L6】.\n"})
    stage(repo, "long.py", "import os\n" + text.replace("line_4 = 4", "line_4 = 44"))
    out = in_folder("check", "--staged", "--quiet")[1]
    assert "c.md:1:6  edits  【F:long.py†L4-L6】\n  now long.py:5-7" in out
    assert "edited and moved: `pincite fix --interactive c.md` shows" in out
    assert "pincite accept" not in out


def test_a_file_that_was_invented_in_the_commit_fails_it(repo: Any, in_folder: Pincite) -> None:
    """What stood there before is another project's file, for all that is known."""
    repo.commit({"c.md": "As lib/other.py:4 does.\n"})
    stage(repo, "c.md", "As lib/other.py:4 does.\nSee src/nope.py:9 too.\n")
    code, out, _ = in_folder("check", "--staged")
    assert code == 1
    assert out.splitlines()[-3:] == [
        "✗ This commit cites what is not there: 1 citation",
        "c.md:2:5  new, missing  src/nope.py:9",
        "  File not found: src/nope.py",
    ]


def test_comments_of_staged_code_are_checked(repo: Any, in_folder: Pincite) -> None:
    stage(repo, "q.rs", "// See app.py:900 for more.\n")
    code, out, _ = in_folder("check", "--staged")
    assert (code, "q.rs:1:8  missing  line-out-of-range" in out) == (1, True)
