"""Repositories that want to harm their reader: each gives a result or says why not.

Nothing of them runs, nothing leaks, and the next repository is checked as ever.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from pincite.core.model import Outcome
from pincite.fleet.shard_records import ShardResult, ShardTask
from pincite.fleet.shard_worker import ShardTrouble, ShardWorker
from support_git_http import GitServer

pytestmark = pytest.mark.asyncio
CODE = "".join(f"line {number}\n" for number in range(1, 20))
SECRET = "a secret outside of the repository"


class Poison:
    """A worker, and what it is given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.worker = ShardWorker()
        self.pwned = folder / "pwned"
        self.program = folder / "program"
        self.program.write_text(f"#!/bin/sh\ntouch {self.pwned}\ncat\n")
        self.program.chmod(0o755)

    def task(self, location: Path | str, **named: Any) -> ShardTask:
        return ShardTask("local/poisoned", str(location), mirrors=str(self.folder / "mirrors"), **named)

    async def check(self, location: Path | str, **named: Any) -> ShardResult:
        """What a check gives, update first."""
        task = self.task(location, **named)
        head = await self.worker.update(task)
        return await self.worker.check(task, head.commit)

    async def refuse(self, location: Path | str, **named: Any) -> str:
        """Why there is no result."""
        with pytest.raises(ShardTrouble) as caught:
            await self.check(location, **named)
        assert "defect" not in str(caught.value)
        return str(caught.value)

    async def expect_unharmed(self, repository: Any) -> None:
        """Nothing ran, nothing is left, and another repository is checked."""
        assert not self.pwned.exists()
        repository.commit({"good.md": "See `good.py:1`.\n", "good.py": "x = 1\n"})
        task = ShardTask("local/good", str(repository.path), mirrors=str(self.folder / "mirrors"))
        result = await self.worker.check(task)
        assert [row.outcome for row in result.rows] == [Outcome.HOLDS]
        left = [path for path in (self.folder / "mirrors").rglob("*") if path.parent.name in ("worktrees", "checkouts")]
        assert left == []


@pytest_asyncio.fixture
async def poison(tmp_path: Path) -> AsyncIterator[Poison]:
    made = Poison(tmp_path)
    yield made
    await made.worker.stop()


@pytest.fixture
def good(make_repository: Callable[..., Any]) -> Any:
    return make_repository("good")


async def test_hostile_settings_and_hooks(repository: Any, good: Any, poison: Poison) -> None:
    repository.commit(
        {"a.md": "See `x.py:3`.\n", "x.py": CODE, ".gitattributes": "* filter=evil diff=evil merge=evil\n"}
    )
    program = poison.program
    for key in (
        *("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.gitProxy"),
        *("core.alternateRefsCommand", "credential.helper", "diff.external", "diff.evil.textconv", "gpg.program"),
        *("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "merge.evil.driver", "sequence.editor"),
        *("uploadpack.packObjectsHook", "remote.origin.uploadpack", "remote.origin.vcs", "gc.recentObjectsHook"),
    ):
        repository.git("config", key, str(program))
    repository.git("config", "core.hooksPath", str(repository.path / "hooks"))
    repository.git("config", "core.worktree", "/")
    repository.git("config", "include.path", str(program))
    for folder in (repository.path / "hooks", repository.path / ".git/hooks"):
        folder.mkdir(exist_ok=True)
        for name in (
            "post-checkout",
            "reference-transaction",
            "pre-auto-gc",
            "post-index-change",
            "fsmonitor-watchman",
        ):
            shutil.copy(program, folder / name)
    result = await poison.check(repository.path)
    assert [row.outcome for row in result.rows] == [Outcome.HOLDS] and result.trouble == ""
    await poison.expect_unharmed(good)


async def test_the_objects_of_another_repository(
    repository: Any, make_repository: Callable[..., Any], good: Any, poison: Poison
) -> None:
    victim = make_repository("victim")
    victim.commit({"secret.py": SECRET + "\n"})
    repository.commit({"a.md": "x\n"})
    tree = victim.git("rev-parse", "HEAD^{tree}")
    store = repository.path / ".git/objects"
    (store / "info/alternates").write_text(f"{victim.path}/.git/objects\n")
    commit = repository.git("commit-tree", "-m", "x", tree)
    repository.git("update-ref", "refs/heads/main", commit)
    message = await poison.refuse(repository.path)
    assert "outside this repository" in message and SECRET not in message
    # Without the list the objects are just missing.
    (store / "info/alternates").unlink()
    assert SECRET not in await poison.refuse(repository.path)
    for name in (tree, victim.git("rev-parse", "HEAD:secret.py")):
        (store / name[:2]).mkdir(exist_ok=True)
        os.symlink(victim.path / ".git/objects" / name[:2] / name[2:], store / name[:2] / name[2:])
    assert SECRET not in await poison.refuse(repository.path)
    await poison.expect_unharmed(good)


async def test_submodules_with_hostile_addresses(repository: Any, good: Any, poison: Poison) -> None:
    repository.commit({"a.md": "See `sub/x.py:3` and [x](sub/x.py#L3).\n"})
    head = repository.git("rev-parse", "HEAD")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    address = f"ext::{poison.program}"
    repository.write(
        ".gitmodules", f'[submodule "sub"]\n\tpath = sub\n\turl = {address}\n\tupdate = !{poison.program}\n'
    )
    repository.git("add", ".gitmodules")
    repository.git("commit", "-q", "-m", "sub")
    result = await poison.check(repository.path)
    assert {row.outcome for row in result.rows} == {Outcome.UNCHECKED}
    await poison.expect_unharmed(good)


async def test_links_out_of_the_tree(repository: Any, good: Any, poison: Poison) -> None:
    (poison.folder / "secret.py").write_text(f"{SECRET}\n" * 5)
    for name, target in (
        ("out.py", str(poison.folder / "secret.py")),
        ("up.py", "../../../secret.py"),
        ("folder", str(poison.folder)),
        ("loop", "loop"),
        ("git", ".git"),
        ("doc.md", str(poison.folder / "secret.py")),
    ):
        os.symlink(target, repository.path / name)
    cited = "".join(f"[x]({name}#L1)\n\n" for name in ("out.py", "up.py", "folder/secret.py", "loop", "git/HEAD"))
    repository.commit({"a.md": cited})
    result = await poison.check(repository.path)
    assert len(result.rows) == 5 and Outcome.HOLDS not in {row.outcome for row in result.rows}
    assert SECRET not in str(result)
    await poison.expect_unharmed(good)


async def test_a_giant_file_that_is_small_in_git(repository: Any, good: Any, poison: Poison) -> None:
    with open(repository.path / "giant.bin", "wb") as file:
        file.truncate(120_000_000)
    repository.git("config", "core.compression", "1")
    repository.commit({"a.md": "[x](giant.bin#L1) and [y](x.py#L2).\n", "x.py": CODE})
    os.unlink(repository.path / "giant.bin")
    result = await poison.check(repository.path, repository_bytes=5_000_000, checkout_bytes=1_000_000)
    # As in a clone, where it is too large to be read.
    assert [row.finding for row in result.rows] == ["file-unreadable", ""]
    assert "120000000 bytes exceed the limit" in result.rows[0].message
    assert result.peak_bytes < 120_000_000
    await poison.expect_unharmed(good)


async def test_a_pack_beyond_the_bound(repository: Any, good: Any, poison: Poison) -> None:
    repository.commit({"random.bin": os.urandom(3_000_000)})
    assert "the limit" in await poison.refuse(repository.path, repository_bytes=1_000_000)
    with GitServer(poison.folder).run() as server:
        address = f"{server.address}/{repository.path.name}/.git"
        assert "more than 1,000,000 bytes, the limit" in await poison.refuse(address, repository_bytes=1_000_000)
    await poison.expect_unharmed(good)


def write_history(path: Path, commits: int) -> None:
    """A long history of one file and one document."""
    pieces = [b"blob\nmark :1\ndata 15\nSee `x.py:3`.\n\n\n"]
    for number in range(1, commits + 1):
        data = b"".join(b"line %d of %d\n" % (at, number) for at in range(40))
        pieces.append(
            b"commit refs/heads/main\ncommitter a <a@b> %d +0000\ndata 1\nx\n" % (1_700_000_000 + number)
            + (b"M 100644 :1 a.md\n" if number == 1 else b"")
            + b"M 100644 inline x.py\ndata %d\n%b\n" % (len(data), data)
        )
    subprocess.run(["git", "fast-import", "--quiet"], cwd=path, input=b"".join(pieces), check=True)


async def test_a_history_that_takes_too_long(
    repository: Any, good: Any, poison: Poison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.fleet.shard_worker._GRACE", 0.0)
    write_history(repository.path, 6000)
    task = poison.task(repository.path)
    head = await poison.worker.update(task)
    with pytest.raises(ShardTrouble, match=r"took longer than 0\.2 s"):
        await poison.worker.check(poison.task(repository.path, seconds=0.2345), head.commit)
    assert len((await poison.worker.check(task, head.commit)).rows) == 1
    await poison.expect_unharmed(good)


def write_bomb(repository: Any, depth: int = 10) -> None:
    """A tree of a few hundred bytes that stands for ten to the power of `depth` files."""
    repository.commit({"a.md": "x\n"})
    entry = f"100644 blob {repository.git('rev-parse', 'HEAD:a.md')}"
    for _ in range(depth):
        listed = "".join(f"{entry}\tf{number}\n" for number in range(10))
        done = subprocess.run(
            ["git", "mktree"], cwd=repository.path, input=listed.encode(), capture_output=True, check=True
        )
        entry = f"040000 tree {done.stdout.decode().strip()}"
    commit = repository.git("commit-tree", "-m", "bomb", entry.rpartition(" ")[2])
    repository.git("update-ref", "refs/heads/main", commit)


async def test_a_tree_of_ten_billion_files(repository: Any, good: Any, poison: Poison) -> None:
    write_bomb(repository)
    assert "more than 1,000 files" in await poison.refuse(repository.path, checkout_files=1000)
    await poison.expect_unharmed(good)


async def test_folders_deeper_than_paths_are_long(repository: Any, good: Any, poison: Poison) -> None:
    name = "d/" * 1900 + "a.md"
    data = b"[x](x.py#L1)\n"
    stream = b"commit refs/heads/main\ncommitter a <a@b> 1700000000 +0000\ndata 1\nx\n"
    for path in (name.encode(), b"b.md"):
        stream += b"M 100644 inline %b\ndata %d\n%b\n" % (path, len(data), data)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repository.path, input=stream, check=True)
    result = await poison.check(repository.path)
    assert [row.document for row in result.rows if row.document == "b.md"] == ["b.md"]
    await poison.expect_unharmed(good)


async def test_repositories_without_commits_and_in_another_format(
    make_repository: Callable[..., Any], good: Any, poison: Poison
) -> None:
    empty = make_repository("empty")
    result = await poison.check(empty.path)
    assert (result.commit, result.rows) == ("", [])
    unborn = make_repository("unborn")
    unborn.commit({"a.md": "x\n"})
    unborn.git("symbolic-ref", "HEAD", "refs/heads/none")
    assert (await poison.check(unborn.path)).trouble == "it has no commit yet"
    longer = make_repository("longer", "--object-format=sha256")
    longer.commit({"a.md": "[x](x.py#L3)\n", "x.py": CODE})
    longer.commit({"x.py": "new\n" + CODE})
    assert [row.outcome for row in (await poison.check(longer.path)).rows] == [Outcome.MOVED]
    await poison.expect_unharmed(good)


@pytest.mark.parametrize("way", ["object", "pack", "index", "config", "head", "refs", "objects", "pipe"])
async def test_corrupt_repositories(repository: Any, good: Any, poison: Poison, way: str) -> None:
    repository.commit({"a.md": "See `x.py:3`.\n", "x.py": CODE})
    repository.commit({"x.py": "new\n" + CODE})
    own = repository.path / ".git"
    if way == "object":
        tree = repository.git("rev-parse", "HEAD^{tree}")
        os.chmod(own / "objects" / tree[:2] / tree[2:], 0o600)
        (own / "objects" / tree[:2] / tree[2:]).write_bytes(b"no object")
    elif way in ("pack", "index"):
        repository.git("repack", "-a", "-d", "-q")
        (broken,) = (own / "objects/pack").glob("*.pack" if way == "pack" else "*.idx")
        os.chmod(broken, 0o600)
        broken.write_bytes(broken.read_bytes()[:50])
    elif way == "config":
        (own / "config").write_text("[core\n")
    elif way == "head":
        (own / "HEAD").write_text("ref: refs/heads/../../../../../etc/passwd\n")
    elif way == "refs":
        (own / "refs/heads/main").write_text("0" * 39 + "1\n")
    elif way == "objects":
        shutil.rmtree(own / "objects")
        (own / "objects").mkdir()
    else:
        os.unlink(own / "HEAD")
        os.mkfifo(own / "HEAD")
    if way == "head":
        assert (await poison.check(repository.path)).commit == ""
    else:
        assert await poison.refuse(repository.path)
    await poison.expect_unharmed(good)


async def test_names_that_are_no_text(repository: Any, good: Any, poison: Poison) -> None:
    names = [
        "line\nend.md",
        "bytes \udcff\udcfe.md",
        "\x1b[31mred.md",
        "tab\there.md",
        "quote\"'`.md",
        "x" * 200 + ".md",
    ]
    repository.commit(dict.fromkeys(names, "See [x](x.py#L3) and [y](none.py#L1).\n") | {"x.py": CODE})
    result = await poison.check(repository.path)
    assert len({row.document for row in result.rows}) == len(names)
    assert {row.outcome for row in result.rows} >= {Outcome.HOLDS}
    str(result).encode()
    await poison.expect_unharmed(good)


async def test_settings_of_the_repository_that_name_other_places(repository: Any, good: Any, poison: Poison) -> None:
    (poison.folder / "secret.md").write_text(f"{SECRET}\n")
    for text in (
        f'baseline = "{poison.folder}/secret.md"\n',
        'baseline = "../../../../../etc/passwd"\n',
        f'[corpus]\nlibrary = ["{poison.folder}"]\n',
        f'[corpus]\npath = "{poison.folder}"\n',
        'plugins = ["no-such-plugin"]\n',
        "x = " + "[" * 5000 + "\n",
        "\0\0\0",
    ):
        repository.commit({"pincite.toml": text, "a.md": "See [x](x.py#L3).\n", "x.py": CODE})
        try:
            said = str(await poison.check(repository.path))
        except ShardTrouble as trouble:
            said = str(trouble)
        assert SECRET not in said and "root:" not in said and "defect" not in said
    await poison.expect_unharmed(good)
