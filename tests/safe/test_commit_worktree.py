"""The files of a commit of a mirror, with a git that works there."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.safe.commit_worktree import check_out, remove_leftovers
from pincite.safe.git import Git
from pincite.safe.git_mirror import MirrorDamaged, take_local
from pincite.safe.local_repository import LocalRepository


@pytest.fixture
def make_mirror(tmp_path: Path) -> Callable[[Any], tuple[str, str]]:
    """Makes the mirror of a repository: its path and the commit of its HEAD."""

    def make(source: Any) -> tuple[str, str]:
        place = str(tmp_path / f"{source.path.name}.git")
        return place, take_local(place, LocalRepository(str(source.path)), 1 << 30).head

    return make


def list_files(folder: str) -> dict[str, bytes]:
    found = {}
    for path in Path(folder).rglob("*"):
        if path.name != ".git" and (path.is_symlink() or path.is_file()):
            data = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
            found[os.path.relpath(path, folder)] = data
    return found


@pytest.mark.parametrize("memory", ["", "/dev/shm"])
def test_the_files_of_a_commit_and_its_history(
    repository: Any, make_mirror: Callable[..., tuple[str, str]], memory: str
) -> None:
    first = repository.commit({"docs/a.md": "one\n", "src/x.py": "x = 1\n", "odd\nname \udcff.md": "odd\n"})
    os.symlink("../src/x.py", repository.path / "docs/link.py")
    os.symlink("/etc/passwd", repository.path / "out")
    os.chmod(repository.path / "src/x.py", 0o755)
    repository.commit({"docs/a.md": "two\n"})
    mirror, head = make_mirror(repository)
    with check_out(mirror, head, memory=memory) as place:
        assert list_files(place) == {
            "docs/a.md": b"two\n",
            "src/x.py": b"x = 1\n",
            "odd\nname \udcff.md": b"odd\n",
            "docs/link.py": b"../src/x.py",
            "out": b"/etc/passwd",
        }
        git = Git.find(place)
        assert git is not None and git.head() == head and git.common_dir == os.path.realpath(mirror)
        assert git.dirty(60.0) is False
        assert git.is_ancestor(first, head)
        assert git.list_documents((".md",)) == sorted(["docs/a.md", "odd\nname \udcff.md"])
        git.close()
        with check_out(mirror, first, memory=memory) as other:
            assert list_files(other)["docs/a.md"] == b"one\n"
        assert os.path.isdir(place)
    assert not os.path.exists(place) and not os.path.exists(other)
    assert os.listdir(os.path.join(mirror, "worktrees")) == []


def test_files_that_are_too_large_are_there_without_their_content(
    repository: Any, make_mirror: Callable[..., tuple[str, str]]
) -> None:
    repository.commit({"a.md": "one\n", "big/b.bin": bytes(5_000_000), "big/c.md": "text\n"})
    mirror, head = make_mirror(repository)
    with check_out(mirror, head, largest=1_000_000) as place:
        info = os.stat(os.path.join(place, "big/b.bin"))
        assert (info.st_size, info.st_blocks) == (5_000_000, 0)
        assert list_files(place)["big/c.md"] == b"text\n"
        git = Git.find(place)
        assert git is not None and git.dirty(60.0) is False


def test_too_many_files_and_bytes_are_refused(repository: Any, make_mirror: Callable[..., tuple[str, str]]) -> None:
    repository.commit({f"{number}.md": "x" * 100 for number in range(20)})
    mirror, head = make_mirror(repository)
    with pytest.raises(UsageError, match="more than 10 files"), check_out(mirror, head, most_files=10):
        pass
    with pytest.raises(UsageError, match="more than 1,000 bytes"), check_out(mirror, head, most_bytes=1000):
        pass


def test_filters_and_attributes_of_the_commit_run_nothing(
    repository: Any, make_mirror: Callable[..., tuple[str, str]], tmp_path: Path
) -> None:
    repository.commit(
        {
            ".gitattributes": "*.md filter=evil\n*.txt text eol=crlf\n",
            "a.md": "one\n",
            "b.txt": "two\n",
            ".gitmodules": f'[submodule "s"]\n\tpath = s\n\turl = ext::sh -c "touch {tmp_path}/pwned"\n',
        }
    )
    (tmp_path / "smudge").write_text(f"#!/bin/sh\ntouch {tmp_path}/pwned\ncat\n")
    (tmp_path / "smudge").chmod(0o755)
    repository.git("config", "filter.evil.smudge", str(tmp_path / "smudge"))
    repository.git("config", "filter.evil.required", "true")
    mirror, head = make_mirror(repository)
    with check_out(mirror, head) as place:
        assert list_files(place)["a.md"] == b"one\n"
        # As in any clone: this is what the commit says of its own line ends.
        assert list_files(place)["b.txt"] == b"two\r\n"
    assert not (tmp_path / "pwned").exists()


def write_tree(repository: Any, entries: list[tuple[str, str, str]]) -> str:
    """A commit with a tree that no index would make."""
    data = "".join(f"{mode} {name}\0" + bytes.fromhex(blob).decode("latin-1") for mode, name, blob in entries)
    done = subprocess.run(
        ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        cwd=repository.path,
        input=data.encode("latin-1"),
        capture_output=True,
        check=True,
    )
    commit: str = repository.git("commit-tree", "-m", "odd", done.stdout.decode().strip())
    repository.git("update-ref", "refs/heads/main", commit)
    return commit


@pytest.mark.parametrize("name", [".git", "..", ".GIT", "git~1"])
def test_trees_with_names_of_git_are_refused(
    repository: Any, make_mirror: Callable[..., tuple[str, str]], name: str
) -> None:
    repository.commit({"a.md": "#!/bin/sh\n"})
    write_tree(repository, [("40000", name, repository.git("rev-parse", "HEAD^{tree}"))])
    mirror, head = make_mirror(repository)
    with pytest.raises(UsageError, match="cannot be checked out"), check_out(mirror, head):
        pass
    assert not os.path.exists(os.path.join(mirror, "worktrees", "a.md"))


def test_nothing_is_written_through_a_link_of_the_commit(
    repository: Any, make_mirror: Callable[..., tuple[str, str]], tmp_path: Path
) -> None:
    repository.commit({"a.md": "#!/bin/sh\n"})
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "link").write_text(str(target))
    link = repository.git("hash-object", "-w", str(tmp_path / "link"))
    write_tree(repository, [("120000", "d", link), ("40000", "d", repository.git("rev-parse", "HEAD^{tree}"))])
    mirror, head = make_mirror(repository)
    with check_out(mirror, head) as place:
        assert os.path.lexists(os.path.join(place, "d"))
        assert os.listdir(target) == []


def test_missing_objects_are_damage(repository: Any, make_mirror: Callable[..., tuple[str, str]]) -> None:
    repository.commit({"a.md": "one\n"})
    mirror, head = make_mirror(repository)
    blob = repository.git("rev-parse", "HEAD:a.md")
    os.unlink(os.path.join(mirror, "objects", blob[:2], blob[2:]))
    with pytest.raises(MirrorDamaged), check_out(mirror, head):
        pass
    with pytest.raises(MirrorDamaged), check_out(mirror, "0" * 40):
        pass
    with pytest.raises(UsageError), check_out(mirror, "--help"):
        pass


def test_a_partial_clone_lacks_some_files(repository: Any, make_mirror: Callable[..., tuple[str, str]]) -> None:
    repository.commit({"a.md": "one\n", "b.md": "two\n"})
    mirror, head = make_mirror(repository)
    blob = repository.git("rev-parse", "HEAD:a.md")
    os.unlink(os.path.join(mirror, "objects", blob[:2], blob[2:]))
    with check_out(mirror, head, is_partial=True) as place:
        assert sorted(os.listdir(place)) == [".git", "b.md"]
        git = Git.find(place)
        assert git is not None
        # As in a sparse work tree: part of the repository, and not checked out.
        assert git.run("ls-files", "-t", "-z") == b"S a.md\0H b.md\0"
        assert git.run("status", "--porcelain") == b""
        git.close()


def test_leftovers_of_killed_processes_are_removed(
    repository: Any, make_mirror: Callable[..., tuple[str, str]], tmp_path: Path
) -> None:
    repository.commit({"a.md": "one\n"})
    mirror, head = make_mirror(repository)
    left = os.path.join(mirror, "worktrees", "left")
    os.makedirs(os.path.join(left, "logs"))
    held = os.path.join(mirror, "worktrees", "held")
    os.makedirs(held)
    file = os.open(held, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        with check_out(mirror, head) as place:
            assert not os.path.exists(left) and os.path.exists(held)
            remove_leftovers(os.path.dirname(place))
            assert os.path.exists(place)
    finally:
        os.close(file)


def test_many_at_once_do_not_take_one_another_for_leftovers(
    repository: Any, make_mirror: Callable[..., tuple[str, str]]
) -> None:
    repository.commit({"a.md": "one\n"})
    mirror, head = make_mirror(repository)

    def work(_: int) -> bool:
        with check_out(mirror, head) as place:
            return Path(place, "a.md").read_text() == "one\n" and Git.find(place) is not None

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(80)))
    assert os.listdir(os.path.join(mirror, "worktrees")) == []


def test_a_folder_in_memory_that_is_not_ours_is_not_used(
    repository: Any, make_mirror: Callable[..., tuple[str, str]], tmp_path: Path
) -> None:
    repository.commit({"a.md": "one\n"})
    mirror, head = make_mirror(repository)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    memory = tmp_path / "memory"
    memory.mkdir()
    (memory / f"pincite-{os.geteuid()}").symlink_to(elsewhere)
    with check_out(mirror, head, memory=str(memory)) as place:
        assert place.startswith(os.path.realpath(mirror))
    os.unlink(memory / f"pincite-{os.geteuid()}")
    with check_out(mirror, head, memory=str(memory)) as place:
        assert place.startswith(str(memory))
