"""`pincite mv`: the file, its citations, git's index and the records, or nothing at all."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.core.errors import Unreadable
from pincite.doors.cli.main import main
from pincite.engine import rename_writing
from pincite.safe import write
from pincite.safe.git import Git

CODE = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 31))
SCHEMA = json.loads(files("pincite").joinpath("schemas/mv-1.schema.json").read_text(encoding="utf-8"))
TEXTS = {
    "src/app.py": CODE,
    "docs/a.md": "One. 【F:src/app.py†L3】\r\n\r\nTwo `src/app.py:9`.\r\nend",
    "docs/b.md": "[here](../src/app.py#L5)\n",
}
Ran = tuple[int, str, str]


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    made = make_repository()
    made.commit(TEXTS)
    return made


@pytest.fixture
def pincite(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs the command within this process: (folder, *arguments) -> exit code, output, errors."""

    def run(path: Path, *arguments: str) -> Ran:
        monkeypatch.chdir(path)
        monkeypatch.setenv("NO_COLOR", "1")
        with pytest.raises(SystemExit) as ended:
            main([*arguments])
        seen = capsys.readouterr()
        return int(ended.value.code or 0), seen.out, seen.err

    return run


def see(root: Path) -> dict[str, bytes]:
    """Every file outside of git, with its bytes."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def test_a_file_is_renamed_and_its_citations_with_it(repo: Any, pincite: Callable[..., Ran]) -> None:
    code, out, err = pincite(repo.path, "mv", "src/app.py", "lib/core.py")
    assert see(repo.path) == {
        "docs/a.md": "One. 【F:lib/core.py†L3】\r\n\r\nTwo `lib/core.py:9`.\r\nend".encode(),
        "docs/b.md": b"[here](../lib/core.py#L5)\n",
        "lib/core.py": CODE.encode(),
    }
    assert (code, err) == (0, "src/app.py renamed to lib/core.py; 3 citations in 2 documents rewritten.\n")
    assert "+[here](../lib/core.py#L5)" in out.splitlines()
    assert git(repo.path, "diff", "--cached", "--name-status", "-M").split() == ["R100", "src/app.py", "lib/core.py"]
    assert pincite(repo.path, "check")[0] == 0


def test_a_dry_run_shows_the_same_and_writes_nothing(repo: Any, pincite: Callable[..., Ran]) -> None:
    before, index = see(repo.path), git(repo.path, "ls-files", "-s")
    code, shown, err = pincite(repo.path, "mv", "--dry-run", "src/app.py", "lib/core.py")
    assert (see(repo.path), git(repo.path, "ls-files", "-s"), code) == (before, index, 0)
    assert err == "src/app.py would be renamed to lib/core.py; 3 citations in 2 documents would be rewritten.\n"
    assert pincite(repo.path, "mv", "src/app.py", "lib/core.py")[1] == shown


def test_a_name_that_is_a_folder_takes_the_file_in(repo: Any, pincite: Callable[..., Ran]) -> None:
    assert pincite(repo.path / "docs", "mv", "../src/app.py", ".")[0] == 0
    assert (repo.path / "docs/app.py").read_text() == CODE
    assert (repo.path / "docs/b.md").read_text() == "[here](./app.py#L5)\n"
    assert pincite(repo.path, "check")[0] == 0


def test_what_is_staged_stays_staged_under_the_new_name(repo: Any, pincite: Callable[..., Ran]) -> None:
    path = repo.path / "src/app.py"
    path.write_text(CODE + "staged\n")
    git(repo.path, "add", "-A")
    path.write_text(CODE + "staged\nnot staged\n")
    (repo.path / "src/untracked.py").write_text("new\n")
    (repo.path / "src/intended.py").write_text("later\n")
    git(repo.path, "add", "-N", "src/intended.py")
    assert pincite(repo.path, "mv", "src", "lib")[0] == 0
    assert git(repo.path, "show", ":lib/app.py") == CODE + "staged\n"
    assert (repo.path / "lib/app.py").read_text() == CODE + "staged\nnot staged\n"
    assert git(repo.path, "ls-files").split() == ["docs/a.md", "docs/b.md", "lib/app.py", "lib/intended.py"]
    assert git(repo.path, "diff", "--cached", "--name-only", "--no-renames").split() == ["lib/app.py", "src/app.py"]
    assert (repo.path / "lib/untracked.py").read_text() == "new\n"


def test_without_git_a_file_is_renamed_all_the_same(tmp_path: Path, pincite: Callable[..., Ran]) -> None:
    for key, text in TEXTS.items():
        (tmp_path / key).parent.mkdir(exist_ok=True)
        (tmp_path / key).write_bytes(text.encode())
    assert pincite(tmp_path, "mv", "--root", ".", "src", "lib")[0] == 0
    assert b"lib/app.py#L5" in see(tmp_path)["docs/b.md"]
    assert not (tmp_path / "src").exists()


def test_what_is_left_is_named_with_its_reason(repo: Any, pincite: Callable[..., Ran]) -> None:
    code, _, err = pincite(repo.path, "mv", "src/app.py", "src/my app.py")
    assert code == 1
    assert "left  docs/a.md:3  src/app.py:9  (the new path cannot be written in this form)\n" in err
    assert err.endswith("src/app.py renamed to src/my app.py; 2 citations in 2 documents rewritten, 1 left.\n")


def test_a_document_that_cannot_be_read_is_named(repo: Any, pincite: Callable[..., Ran]) -> None:
    repo.commit({"docs/z.md": b"src/app.py:3 \xff\xfe\xfd\x00\n"})
    code, _, err = pincite(repo.path, "mv", "src/app.py", "lib/core.py")
    assert (code, "left  docs/z.md  cannot be read" in err) == (1, True)


def test_json_says_the_same_and_fits_its_schema(repo: Any, pincite: Callable[..., Ran]) -> None:
    code, out, _ = pincite(repo.path, "mv", "src/app.py", "src/my app.py", "--format", "json")
    found = json.loads(out)
    Draft202012Validator(SCHEMA).validate(found)
    assert (code, found["written"], found["left"][0]["target"]) == (1, True, "src/app.py:9")
    assert found["documents"][1]["edits"] == [
        {"start": 0, "end": 24, "old": "[here](../src/app.py#L5)", "new": "[here](../src/my%20app.py#L5)"}
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("src/app.py", "docs/a.md", "exists already"),
        ("src/app.py", "src/app.py", "has this name already"),
        ("src/none.py", "a.py", "no such file or folder"),
        ("src", "src/deep/er", "cannot be moved into itself"),
        ("src/app.py", "../out.py", "outside the root"),
        ("src/app.py", ".git/hooks/x", "git's own files"),
        (".git/config", "x", "git's own files"),
    ],
)
def test_what_cannot_be_renamed_is_refused(
    repo: Any, pincite: Callable[..., Ran], old: str, new: str, said: str
) -> None:
    before, index = see(repo.path), git(repo.path, "ls-files", "-s")
    code, out, err = pincite(repo.path, "mv", old, new)
    assert (code, out, said in err, "Traceback" in err) == (2, "", True, False)
    assert (see(repo.path), git(repo.path, "ls-files", "-s")) == (before, index)


def test_locked_evidence_follows(repo: Any, pincite: Callable[..., Ran]) -> None:
    assert pincite(repo.path, "lock")[0] == 0
    repo.commit({"src/app.py": CODE.replace("prepare(9)", "prepare(99)")})
    assert pincite(repo.path, "accept", "docs/a.md:3", "--reason", "still true")[0] == 0
    assert pincite(repo.path, "check", "--strict")[0] == 0
    code, _, err = pincite(repo.path, "mv", "src/app.py", "lib/core.py")
    assert (code, err.splitlines()[-1]) == (0, "pincite.lock followed; commit it.")
    assert "src/app.py" not in (repo.path / "pincite.lock").read_text()
    assert "in force" in pincite(repo.path, "accept", "--list")[1]
    assert pincite(repo.path, "mv", "docs", "guide")[0] == 0
    assert '"document":"docs/' not in (repo.path / "pincite.lock").read_text()
    assert "in force" in pincite(repo.path, "accept", "--list")[1]
    assert pincite(repo.path, "check", "--strict")[0] == 0
    # The entries still say what was read: a change shows.
    (repo.path / "lib/core.py").write_text(CODE.replace("prepare(3)", "other(3)"))
    code, out, _ = pincite(repo.path, "check", "--strict", "guide/a.md")
    assert (code, "lines-edited" in out) == (1, True)


def test_what_is_locked_for_a_citation_that_is_left_stays(repo: Any, pincite: Callable[..., Ran]) -> None:
    assert pincite(repo.path, "lock")[0] == 0
    assert pincite(repo.path, "mv", "src/app.py", "src/my app.py")[0] == 1
    kept = (repo.path / "pincite.lock").read_text()
    assert ('"cites":"src/app.py:9"' in kept, '"cites":"src/my app.py:5"' in kept) == (True, True)


def test_accepted_evidence_follows(repo: Any, pincite: Callable[..., Ran]) -> None:
    repo.commit({"src/app.py": CODE.replace("prepare(9)", "prepare(99)")})
    assert pincite(repo.path, "accept", "docs/a.md:3", "--reason", "still true")[0] == 0
    code, _, err = pincite(repo.path, "mv", "src/app.py", "lib/core.py")
    assert (code, err.splitlines()[-1]) == (0, ".pincite-accepted followed; commit it.")
    assert '"citation":"lib/core.py:9","cites":"lib/core.py:9"' in (repo.path / ".pincite-accepted").read_text()
    assert pincite(repo.path, "mv", "docs", "guide")[0] == 0
    assert "guide/a.md  in force" in pincite(repo.path, "accept", "--list")[1]


def test_a_lock_that_cannot_be_read_stops_everything(repo: Any, pincite: Callable[..., Ran]) -> None:
    (repo.path / "pincite.lock").write_text("rubbish\n")
    before = see(repo.path)
    code, _, err = pincite(repo.path, "mv", "src/app.py", "lib/core.py")
    assert (code, "pincite.lock:1" in err, see(repo.path)) == (2, True, before)


@pytest.mark.parametrize("failing", range(2))
def test_a_document_that_cannot_be_written_takes_everything_back(
    repo: Any, pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    before, index = see(repo.path), git(repo.path, "ls-files", "-s")
    replace, calls = write.replace, list[str]()

    def refuse(root: Any, key: str, old: bytes, new: bytes) -> None:
        calls.append(key)
        if len(calls) == failing + 1:
            raise Unreadable(f"{key}: cannot be written (No space left on device).")
        replace(root, key, old, new)

    monkeypatch.setattr(write, "replace", refuse)
    code, _, err = pincite(repo.path, "mv", "src/app.py", "lib/deep/core.py")
    assert (code, "No space left" in err, "taken back" in err) == (2, True, True)
    assert (see(repo.path), git(repo.path, "ls-files", "-s")) == (before, index)
    assert not (repo.path / "lib").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_between_two_documents_leaves_no_half_rename(repo: Any, number: signal.Signals) -> None:
    before, index = see(repo.path), git(repo.path, "ls-files", "-s")
    program = (
        "import os, sys\n"
        "from pincite.doors.cli.main import main\n"
        "from pincite.safe import write\n"
        "replace = write.replace\n"
        "def interrupt(*given):\n"
        "    replace(*given)\n"
        f"    os.kill(os.getpid(), {int(number)})\n"
        "write.replace = interrupt\n"
        "main(['mv', 'src/app.py', 'lib/core.py'])\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=repo.path, capture_output=True, check=False)
    assert ran.returncode == (130 if number is signal.SIGINT else -number), ran.stderr
    assert (see(repo.path), git(repo.path, "ls-files", "-s")) == (before, index)
    assert not (repo.path / "lib").exists()
    assert not (repo.path / ".git/index.lock").exists()


def test_a_locked_index_is_told_in_whole_sentences(repo: Any, pincite: Callable[..., Ran]) -> None:
    before = see(repo.path)
    (repo.path / ".git/index.lock").touch()
    code, _, err = pincite(repo.path, "mv", "src/app.py", "lib/core.py")
    assert (code, "nothing was renamed. The rename" in err, see(repo.path)) == (2, True, before)


def test_the_root_is_a_folder_to_move_into(repo: Any, pincite: Callable[..., Ran]) -> None:
    code, _, err = pincite(repo.path, "mv", "src/app.py", ".")
    assert (code, "src/app.py renamed to app.py" in err) == (0, True)
    assert "app.py#L5" in (repo.path / "docs/b.md").read_text()
    assert pincite(repo.path, "mv", "app.py", "")[0] == 2


def test_what_cannot_be_put_back_is_named(
    repo: Any, pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, calls = write.replace, list[str]()

    def refuse(root: Any, key: str, old: bytes, new: bytes) -> None:
        calls.append(key)
        if len(calls) > 1:
            raise Unreadable(f"{key}: cannot be written (Input/output error).")
        replace(root, key, old, new)

    monkeypatch.setattr(write, "replace", refuse)
    code, _, err = pincite(repo.path, "mv", "src/app.py", "lib/core.py")
    assert (code, "These could not be put back: docs/a.md." in err) == (2, True)
    assert (repo.path / "src/app.py").exists()


def test_a_document_that_changes_meanwhile_is_a_conflict(
    repo: Any, pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = rename_writing.RenamedRecords

    def slow(*given: Any) -> Any:
        (repo.path / "docs/b.md").write_text("Other words.\n")
        return records(*given)

    monkeypatch.setattr(rename_writing, "RenamedRecords", slow)
    code, _, err = pincite(repo.path, "mv", "src/app.py", "lib/core.py")
    assert (code, "docs/b.md: changed since it was read; nothing was renamed" in err) == (2, True)
    assert (repo.path / "src/app.py").exists()
    assert (repo.path / "docs/b.md").read_text() == "Other words.\n"


def test_an_index_that_cannot_be_written_takes_the_rename_back(repo: Any, pincite: Callable[..., Ran]) -> None:
    before = see(repo.path)
    (repo.path / ".git/index.lock").write_text("")
    code, _, err = pincite(repo.path, "mv", "src/app.py", "lib/core.py")
    assert (code, "index could not be written" in err, see(repo.path)) == (2, True, before)


def test_an_interrupt_takes_everything_back(
    repo: Any, pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = see(repo.path)

    def interrupt(root: Any, key: str, old: bytes, new: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(write, "replace", interrupt)
    assert pincite(repo.path, "mv", "src/app.py", "lib/core.py")[0] == 130
    assert see(repo.path) == before


def test_an_unfinished_merge_is_refused(repo: Any, pincite: Callable[..., Ran]) -> None:
    blob = git(repo.path, "rev-parse", "HEAD:src/app.py").strip()
    rows = f"0 {'0' * 40}\tsrc/app.py\n100644 {blob} 1\tsrc/app.py\n100644 {blob} 2\tsrc/app.py\n"
    subprocess.run(["git", "update-index", "--index-info"], cwd=repo.path, input=rows, text=True, check=True)
    code, _, err = pincite(repo.path, "mv", "src", "lib")
    assert (code, "its merge is not finished" in err) == (2, True)


def test_a_file_that_appears_at_the_new_name_is_never_replaced(
    repo: Any, pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Git.run

    def slow(self: Git, *given: Any, **more: Any) -> bytes:
        if given[:3] == ("ls-files", "-t", "-s"):
            (repo.path / "src/core.py").write_text("precious\n")
        return run(self, *given, **more)

    monkeypatch.setattr(Git, "run", slow)
    code, _, err = pincite(repo.path, "mv", "src/app.py", "src/core.py")
    assert (code, "appeared meanwhile" in err) == (2, True)
    assert (repo.path / "src/core.py").read_text() == "precious\n"
    assert (repo.path / "src/app.py").read_text() == CODE
