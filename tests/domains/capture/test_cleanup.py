"""What goes and what stays: never a text that a document cites, wherever that document is."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.domains.capture.cleanup import Cleaning, carry_out, cited_texts, plan
from pincite.project.config import CaptureSettings
from pincite.safe import search_git
from pincite.safe.files import Root
from pincite.safe.git import Git
from pincite.safe.search_git import cited_ids
from pincite.store.maintenance import Upkeep

Captured = Callable[..., str]
NOW = 1_800_000_000.0
DAY = 86_400.0


def cleaned(folder: Path, days: int = 30, megabytes: int = 1000, git: bool = False) -> Cleaning:
    """Clean the store below a folder as the command does."""
    with Root(str(folder)) as root:
        captures = Upkeep.open(root, write=True)
        assert captures is not None
        with captures:
            captures.recover()
            cited = cited_texts(captures, cited_ids(root, Git.find(str(folder)) if git else None))
            cleaning = plan(captures, cited, CaptureSettings(keep_days=days, keep_megabytes=megabytes), NOW)
            carry_out(captures, cleaning)
            return cleaning


def left(folder: Path) -> set[str]:
    """The digests that are in the store."""
    with Root(str(folder)) as root:
        captures = Upkeep.open(root)
        assert captures is not None
        with captures:
            return {digest for digest, _ in captures.digests()}


def test_what_is_old_goes(tmp_path: Path, captured: Captured) -> None:
    captured(tmp_path, b"long ago\n", started=NOW - 31 * DAY)
    new = captured(tmp_path, b"new\n", started=NOW - 29 * DAY)
    cleaning = cleaned(tmp_path)
    assert [(one.run.id, one.why) for one in cleaning.dropped] == [(1, "older than 30 days")]
    assert left(tmp_path) == {new}
    assert not any(b"long ago" in path.read_bytes() for path in (tmp_path / ".pincite").rglob("*") if path.is_file())


def test_the_oldest_go_until_the_store_is_small_enough(tmp_path: Path, captured: Captured) -> None:
    sizes = [captured(tmp_path, bytes([65 + n]) * 600_000 + b"\n", started=NOW - n * DAY) for n in (3, 2, 1)]
    cleaned(tmp_path, megabytes=2)
    assert left(tmp_path) == set(sizes)
    cleaned(tmp_path, megabytes=1)
    assert left(tmp_path) == set(sizes[2:])
    cleaned(tmp_path, megabytes=0)
    assert left(tmp_path) == set()


@pytest.mark.parametrize("name", ["a.md", "src/app.py", "deep/er/notes.txt", "data.bin", "no ending", ".hidden"])
def test_what_any_file_cites_stays(tmp_path: Path, captured: Captured, name: str) -> None:
    digest = captured(tmp_path, b"old\n", started=0.0)
    captured(tmp_path, b"older\n", started=0.0)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(b"\0\xff" + f"【{digest[:6]}†L1】".encode())
    cleaned(tmp_path)
    assert left(tmp_path) == {digest}


def test_of_a_run_only_the_cited_chunks_stay(tmp_path: Path, captured: Captured) -> None:
    first = captured(tmp_path, b"1\n2\n3\n4\n5\n6\n", started=0.0, chunk_lines=2)
    (tmp_path / "a.md").write_text(f"【{first}†L1】", encoding="utf-8")
    cleaning = cleaned(tmp_path)
    (one,) = cleaning.dropped
    assert [(chunk.digest, place) for chunk, place in one.kept] == [(first, "a.md")]
    assert len(one.chunks) == 2
    assert left(tmp_path) == {first}
    with Root(str(tmp_path)) as root:
        captures = Upkeep.open(root)
        assert captures is not None
        with captures:
            (run,) = captures.runs()
            assert run.command == ("pytest", "-q")
            assert captures.text(first) == b"1\n2\n"
    assert cleaned(tmp_path).dropped == []


def test_every_meaning_of_an_ambiguous_id_stays(tmp_path: Path, captured: Captured) -> None:
    texts = {
        captured(tmp_path, data, given=given, started=0.0) for data, given in ((b"a", "abc1234"), (b"b", "abc1235"))
    }
    captured(tmp_path, b"c", given="abc999", started=0.0)
    (tmp_path / "a.md").write_text("【abc123†L1】", encoding="utf-8")
    cleaned(tmp_path)
    assert left(tmp_path) == texts


def test_a_text_that_a_younger_run_printed_too_stays(tmp_path: Path, captured: Captured) -> None:
    captured(tmp_path, b"same\n", started=0.0)
    digest = captured(tmp_path, b"same\n", started=NOW)
    assert len(cleaned(tmp_path).dropped) == 1
    assert left(tmp_path) == {digest}


def test_a_recording_that_goes_on_is_not_touched(tmp_path: Path, captured: Captured) -> None:
    captured(tmp_path, b"old\n", started=0.0)
    with Root(str(tmp_path)) as root:
        captures = Upkeep.open(root, write=True)
        assert captures is not None
        with captures, captures.output() as output:
            from msgspec.structs import replace

            from pincite.domains.capture.start import attempt

            run = captures.begin(replace(attempt("run", ("sleep",), ".", "", None), started=0.0, file=output.name))
            output.write([b"so far\n"])
            cleaned(tmp_path, 0, 0)
            assert [(one.id, one.state) for one in captures.runs()] == [(run, "running")]
            assert output.read(0, 99) == b"so far\n"


def test_a_run_whose_file_is_gone_is_not_running_for_ever(tmp_path: Path, captured: Captured) -> None:
    captured(tmp_path, b"x\n")
    with Root(str(tmp_path)) as root:
        captures = Upkeep.open(root, write=True)
        assert captures is not None
        with captures:
            from msgspec.structs import replace

            from pincite.domains.capture.start import attempt

            captures.begin(replace(attempt("run", ("x",), ".", "", None), file="0" * 16))
            assert captures.recover() == 1
            assert [one.state for one in captures.runs()] == ["lost", "ended"]


# With git: everywhere a document can be.


@pytest.fixture
def cited(repository: Any, captured: Captured) -> tuple[Any, str, str]:
    """A repository with an old text that is to be cited, and another old one that never is."""
    repository.commit({"a.md": "nothing\n"})
    digest = captured(repository.path, b"old\n", started=0.0)
    captured(repository.path, b"other\n", started=0.0)
    return repository, digest, f"【{digest[:6]}†L1】\n"


def committed(repo: Any, text: str) -> None:
    repo.commit({"b.md": text})


def staged(repo: Any, text: str) -> None:
    repo.write("b.md", text)
    repo.git("add", "-A")
    (repo.path / "b.md").unlink()


def untracked(repo: Any, text: str) -> None:
    repo.write("new.py", text)


def on_a_branch(repo: Any, text: str) -> None:
    repo.git("checkout", "-q", "-b", "other")
    repo.commit({"b.md": text})
    repo.git("checkout", "-q", "main")


def stashed(repo: Any, text: str) -> None:
    repo.write("a.md", text)
    repo.git("stash")
    repo.write("a.md", "nothing else\n")
    repo.git("stash")


def stashed_untracked(repo: Any, text: str) -> None:
    repo.write("new.md", text)
    repo.git("stash", "--include-untracked")


def detached(repo: Any, text: str) -> None:
    repo.git("checkout", "-q", "--detach")
    repo.commit({"b.md": text})
    repo.git("rm", "-q", "b.md")


def excluded(repo: Any, text: str) -> None:
    repo.commit({"pincite.toml": 'exclude = ["b.md"]\n', "b.md": text})


def binary(repo: Any, text: str) -> None:
    repo.commit({".gitattributes": "*.bin binary\n", "b.bin": b"\0" + text.encode()})


@pytest.mark.parametrize(
    "place", [committed, staged, untracked, on_a_branch, stashed, stashed_untracked, detached, excluded, binary]
)
def test_what_the_repository_cites_stays(cited: tuple[Any, str, str], place: Callable[[Any, str], None]) -> None:
    repository, digest, text = cited
    place(repository, text)
    cleaned(repository.path, git=True)
    assert left(repository.path) == {digest}


def test_what_is_ignored_or_no_branch_has_any_more_is_not_cited(cited: tuple[Any, str, str]) -> None:
    repository, _, text = cited
    repository.commit({".gitignore": "build/\n", "b.md": text})
    repository.commit({"b.md": "no more\n"})
    repository.write("build/b.md", text)
    cleaned(repository.path, git=True)
    assert left(repository.path) == set()


def test_names_that_are_hard_to_print_are_no_obstacle(cited: tuple[Any, str, str]) -> None:
    repository, digest, text = cited
    repository.commit({"a\nb 【ffffff†.md": text, "-x:【eeeeee†": "none"})
    repository.git("config", "grep.lineNumber", "true")
    repository.git("config", "grep.column", "true")
    repository.git("config", "color.ui", "always")
    with Root(str(repository.path)) as root:
        found = dict(cited_ids(root, Git.find(str(repository.path))))
    assert found[digest[:6]]
    cleaned(repository.path, git=True)
    assert left(repository.path) == {digest}


def test_a_root_below_the_top_counts_the_whole_repository(repository: Any, captured: Captured) -> None:
    repository.commit({"sub/x": "x", "a.md": "x"})
    digest = captured(repository.path / "sub", b"old\n", started=0.0)
    repository.write("a.md", f"【{digest[:6]}†L1】")
    with Root(str(repository.path / "sub")) as root:
        assert dict(cited_ids(root, Git.find(root.path))) == {digest[:6]: "a.md"}


def test_what_cannot_be_searched_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("x")
    with Root(str(tmp_path)) as root:
        assert list(cited_ids(root, None)) == []
        (tmp_path / ".git").mkdir()
        monkeypatch.setattr(search_git, "find_program", lambda name: None)
        with pytest.raises(UsageError, match="git is not installed"):
            list(cited_ids(root, None))


def test_pipes_and_links_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    with Root(str(tmp_path)) as root:
        assert list(cited_ids(root, None)) == []


def test_a_file_that_a_recorder_holds_is_known_to_be(tmp_path: Path) -> None:
    from pincite.store.output_files import is_held

    (tmp_path / ".pincite/output").mkdir(parents=True)
    file = tmp_path / ".pincite/output" / ("a" * 16)
    file.write_bytes(b"")
    with Root(str(tmp_path)) as root, file.open() as stream:
        assert is_held(root, "a" * 16) is False
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert is_held(root, "a" * 16) is True
        assert is_held(root, "b" * 16) is None
        assert is_held(root, "../store.db") is None
