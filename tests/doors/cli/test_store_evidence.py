"""`pincite store push` and `pull`: a colleague's captured output makes a citation hold."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.store.accepted_file import Acceptance, render
from pincite.store.receipts import Receipt, keep_receipt
from support_store import make_store

Pincite = Callable[..., tuple[int, str, str]]
OUTPUT = b"42 passed in 1.2s\n"


@pytest.fixture
def two(
    tmp_path: Path,
    captured: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    make_repository: Callable[..., Any],
) -> tuple[Path, Path, str]:
    """Two clones of one project, one of them with captured output, and the store that they share."""
    make_store(f"sqlite://{tmp_path}/store.db").close()
    monkeypatch.setenv("PINCITE_DATABASE", f"{tmp_path}/store.db")
    one = tmp_path / "one"
    make_repository("one").git("remote", "add", "origin", "https://ada:secret@github.com/Team/Name.git")
    digest = captured(one, OUTPUT)
    captured(one, b"private\n", ("cat", "private"))
    (one / "doc.md").write_text(f"All pass 【{digest[:8]}†L1】.\n", encoding="utf-8")
    two = tmp_path / "two"
    shutil.copytree(one, two, ignore=shutil.ignore_patterns(".pincite"))
    return one, two, digest


def test_a_citation_of_a_colleagues_output_holds(
    two: tuple[Path, Path, str], pincite_in: Callable[..., Pincite]
) -> None:
    one, other, _ = two
    here, there = pincite_in(one), pincite_in(other)
    assert here("check", "doc.md")[0] == 0
    assert "unchecked" in there("check", "doc.md")[1]
    code, out, error = here("store", "push")
    assert (code, out, error) == (0, "github.com/team/name: sent to team default: 1 text, 1 run, 18 bytes\n", "")
    assert here("store", "push")[1] == "github.com/team/name: sent to team default: nothing new\n"
    code, out, error = there("store", "pull")
    assert (code, out, error) == (0, "github.com/team/name: brought from team default: 1 text, 1 run, 18 bytes\n", "")
    assert "it holds" in there("check", "doc.md")[1]
    assert "brought from team default: nothing that was missing" in there("store", "pull")[1]
    found = json.loads(here("store", "push", "--all", "--format", "json")[1])
    assert (found["schema"], found["texts"], found["skipped"]) == ("pincite.store-push/1", 1, [])
    found = json.loads(there("store", "pull", "--all", "--format", "json")[1])
    assert (found["schema"], found["texts"], found["written"]) == ("pincite.store-pull/1", 1, False)


def test_a_changed_text_is_left_out_with_1(
    two: tuple[Path, Path, str], pincite_in: Callable[..., Pincite], tmp_path: Path
) -> None:
    one, other, digest = two
    assert pincite_in(one)("store", "push")[0] == 0
    with make_store(f"sqlite://{tmp_path}/store.db") as store:
        store.backend.run("UPDATE evidence SET data = ? WHERE kind = 'text'", (b"43 passed in 1.2s\n",))
    code, _, error = pincite_in(other)("store", "pull")
    assert (code, error) == (
        1,
        f"pincite: captured output {digest[:12]}: changed in the store; it is not brought\n",
    )
    assert "unchecked" in pincite_in(other)("check", "doc.md")[1]


def test_what_git_tracks_is_shown_and_written_when_asked(
    two: tuple[Path, Path, str], pincite_in: Callable[..., Pincite]
) -> None:
    from pincite.safe.files import Root

    one, other, _ = two
    accepted = Acceptance("doc.md", "a.py:1", "a.py:1", "a" * 64, "b" * 16, "read again")
    (one / ".pincite-accepted").write_bytes(render([accepted]))
    receipt = Receipt(
        created="2026-01-01T00:00:00Z", claim="c", ref="REF-1", citation="[REF-1, p.2]", passage="p", source="x.pdf",
        digest="d" * 64,
    )  # fmt: skip
    keep_receipt(Root(str(one)), ".aiwg/research/receipts", receipt)
    assert "1 receipt, 1 accepted finding" in pincite_in(one)("store", "push")[1]
    there = pincite_in(other)
    code, out, _ = there("store", "pull")
    assert code == 0
    assert "would write .aiwg/research/receipts/REF-1-" in out and "([REF-1, p.2])" in out
    assert "+++ b/.pincite-accepted" in out and '+{"document":"doc.md"' in out
    assert out.endswith("nothing was written into the work tree; --write does it\n")
    assert not (other / ".pincite-accepted").exists() and not (other / ".aiwg").exists()
    code, out, _ = there("store", "pull", "--write")
    assert (code, "wrote .aiwg/research/receipts/REF-1-" in out) == (0, True)
    assert (other / ".pincite-accepted").read_bytes() == (one / ".pincite-accepted").read_bytes()
    assert [file.name for file in (other / ".aiwg/research/receipts").iterdir()] == [
        file.name for file in (one / ".aiwg/research/receipts").iterdir()
    ]
    code, out, _ = there("store", "pull")
    assert (code, out.count("\n")) == (0, 1)


def test_a_folder_outside_git_needs_a_name(tmp_path: Path, pincite_in: Callable[..., Pincite]) -> None:
    make_store(f"sqlite://{tmp_path}/store.db").close()
    folder = tmp_path / "plain"
    folder.mkdir()
    plain = pincite_in(folder)
    for command in ("push", "pull"):
        code, _, error = plain("store", command, "--database", f"{tmp_path}/store.db")
        assert (code, "name the project with --project" in error) == (2, True)
        code, out, _ = plain("store", command, "--database", f"{tmp_path}/store.db", "--project", "mine")
        assert (code, out.startswith("mine: ")) == (0, True)
    code, _, error = plain("store", "pull", "--database", f"{tmp_path}/store.db", "--project", "mine", "--team", "x")
    assert (code, "there is none that you may see" in error) == (2, True)


@pytest.fixture
def pincite_in(
    in_folder: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Path], Pincite]:
    """Runs commands in a folder."""

    def at(folder: Path) -> Pincite:
        def run(*arguments: str) -> tuple[int, str, str]:
            monkeypatch.chdir(folder)
            return in_folder(*arguments)

        return run

    return at
