"""Git is asked carefully: nothing of the repository runs, and its answers are about our root."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.core.limits import Limits
from pincite.safe.child import Child, ChildFailed, find_program, stream
from pincite.safe.git import Git
from pincite.safe.git_objects import Objects


def found(path: Path, **limits: Any) -> Git:
    git = Git.find(str(path), Limits(**limits))
    assert git is not None
    return git


# Finding


def test_no_repository(tmp_path: Path) -> None:
    assert Git.find(str(tmp_path)) is None


def test_no_repository_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    assert Git.find(str(tmp_path)) is None


def test_no_git(repository: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Git.find(str(repository.path)) is None


def test_a_program_in_the_tree_is_not_git(repository: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = repository.path / "git"
    fake.write_text("#!/bin/sh\ntouch pwned\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(repository.path)
    assert find_program("git") not in (None, "./git", str(fake))
    found(repository.path)
    assert not (repository.path / "pwned").exists()


def test_before_the_first_commit(repository: Any) -> None:
    git = found(repository.path)
    assert git.head() is None
    assert git.resolve_commit("HEAD") is None


def test_head_and_prefix(repository: Any) -> None:
    commit = repository.commit({"a/b/c.md": "x\n"})
    git = found(repository.path / "a" / "b")
    assert (git.head(), git.prefix, git.top) == (commit, "a/b/", str(repository.path))
    assert found(repository.path).prefix == ""


def test_broken_repository(repository: Any) -> None:
    (repository.path / ".git" / "HEAD").write_text("nonsense")
    with pytest.raises(UsageError, match="not a git repository"):
        Git.find(str(repository.path))


@pytest.mark.parametrize("text", ["", "gitdir: nowhere", "gitdir: ../../../../etc", "\0\0", "gitdir:"])
def test_broken_git_file(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text)
    with pytest.raises(UsageError, match="git cannot be used here"):
        Git.find(str(tmp_path))


def test_empty_git_folder_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert Git.find(str(tmp_path)) is None


def test_a_repository_of_another_user(repository: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit({"a.md": "x\n"})
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    for folder, folders, files in os.walk(repository.path):
        for name in (*folders, *files):
            os.chown(os.path.join(folder, name), 12345, 12345)
    os.chown(repository.path, 12345, 12345)
    monkeypatch.setenv("HOME", str(repository.path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    with pytest.raises(UsageError, match="dubious ownership"):
        Git.find(str(repository.path))


def test_linked_work_tree(repository: Any, tmp_path: Path) -> None:
    repository.commit({"a.md": "x\n"})
    repository.git("worktree", "add", "-q", str(tmp_path / "other"))
    git = found(tmp_path / "other")
    assert git.head() == repository.git("rev-parse", "HEAD")
    assert git.common_dir == str(repository.path / ".git") != git.git_dir
    assert git.list_documents((".md",)) == ["a.md"]


def test_submodule(make_repository: Callable[..., Any]) -> None:
    inner = make_repository("inner")
    inner.commit({"a.md": "x\n"})
    outer = make_repository("outer")
    outer.commit({"b.md": "x\n"})
    outer.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(inner.path), "sub.md")
    outer.commit()
    assert found(outer.path / "sub.md").list_documents((".md",)) == ["a.md"]
    assert found(outer.path).list_documents((".md",)) == ["b.md", "sub.md"]
    assert found(outer.path).tree(outer.git("rev-parse", "HEAD")).keys() == {"b.md", ".gitmodules"}


@pytest.mark.parametrize("kind", ["file", "link", "commondir"])
def test_borrowed_history_is_refused(make_repository: Callable[..., Any], tmp_path: Path, kind: str) -> None:
    victim = make_repository("victim")
    victim.commit({"secret.md": "x\n"})
    if kind == "commondir":
        thief = make_repository("thief").path
        (thief / ".git" / "commondir").write_text(str(victim.path / ".git"))
    else:
        thief = tmp_path / "thief"
        thief.mkdir()
        if kind == "file":
            (thief / ".git").write_text(f"gitdir: {victim.path}/.git\n")
        else:
            (thief / ".git").symlink_to(victim.path / ".git")
    with pytest.raises(UsageError, match="does not name"):
        Git.find(str(thief))


def test_separate_git_dir_counts_once_tied(repository: Any, tmp_path: Path) -> None:
    repository.commit({"a.md": "x\n"})
    repository.git("init", "-q", "--separate-git-dir", str(tmp_path / "elsewhere.git"))
    with pytest.raises(UsageError, match=r"core\.worktree"):
        Git.find(str(repository.path))
    repository.git("config", "core.worktree", str(repository.path))
    assert found(repository.path).list_documents((".md",)) == ["a.md"]


# Nothing of the repository runs


def changed_since(git: Git, revision: str) -> set[str]:
    """Everything that differs from a revision: in the work tree, in the index, or not tracked."""
    commit = git.commit_named(revision)
    return git.list_changed_paths(commit) | git.list_changed_paths(commit, staged=True) | git.list_untracked()


def exercise(git: Git) -> None:
    """Call everything that could make git look at settings."""
    head = git.head()
    assert head is not None
    git.list_documents((".md",))
    git.list_untracked()
    changed_since(git, "HEAD~1")
    git.renames(head)
    git.tree(head)
    git.resolve_commit("HEAD@{upstream}")
    git.run("log", "-p", "-U0", "-M", "--no-ext-diff", "--no-textconv", "--format=%x00%H", head, "--", "*.md")
    assert git.blame(head, "a.md", [1, 2]) == {1: git.resolve_commit("HEAD~1"), 2: head}
    git.objects().blobs([(head, "a.md"), (head, "gone.md"), "f" * 40, f"{head}:a.md"], 1 << 20)
    git.close()


ATTACKS = {
    "external diff": ("[diff]\n\texternal = {run}\n", ""),
    "diff driver": ('[diff "evil"]\n\tcommand = {run}\n\ttextconv = {run}\n', "*.md diff=evil\n"),
    "monitor": ("[core]\n\tfsmonitor = {run}\n", ""),
    "pager": ("[core]\n\tpager = {run}\n[pager]\n\tlog = {run}\n\tdiff = {run}\n", ""),
    "signature": ("[gpg]\n\tprogram = {run}\n[log]\n\tshowSignature = true\n", ""),
    "hooks": ("[core]\n\thooksPath = {folder}\n", ""),
    "filter": ('[filter "evil"]\n\tclean = {run}\n\tsmudge = {run}\n\trequired = true\n', "*.md filter=evil\n"),
    "filter process": ('[filter "evil"]\n\tprocess = {run}\n', "*.md filter=evil\n"),
    "filter, dotted": ('[filter "e.v.il"]\n\tclean = {run}\n', "*.md filter=e.v.il\n"),
    "alias": ("[alias]\n\tls-files = !{run}\n\tlog = !{run}\n\tdiff = !{run}\n", ""),
    "editor": ("[core]\n\teditor = {run}\n[sequence]\n\teditor = {run}\n", ""),
    "ssh": (
        "[core]\n\trepositoryformatversion = 1\n\tsshCommand = {run}\n[extensions]\n\tpartialClone = origin\n"
        '[remote "origin"]\n\turl = ssh://example.invalid/x\n\tpromisor = true\n\tpartialclonefilter = blob:none\n',
        "",
    ),
    "remote helper": (
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n"
        '[remote "origin"]\n\turl = ext::{run}\n\tpromisor = true\n[protocol]\n\tallow = always\n',
        "",
    ),
    "upload pack": (
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n"
        '[remote "origin"]\n\turl = {folder}\n\tuploadpack = {run}\n\tpromisor = true\n',
        "",
    ),
    "work tree": ("[core]\n\tworktree = {folder}\n", ""),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_configuration_runs_nothing(repository: Any, tmp_path: Path, attack: str) -> None:
    first = repository.commit({"a.md": "one\ntwo\n", "gone.md": "see a.md:1\n"})
    (repository.path / "gone.md").unlink()
    repository.commit({"a.md": "one\nthree\n"})
    mark = tmp_path / "pwned"
    folder = tmp_path / "hooks"
    folder.mkdir()
    run = tmp_path / "run"
    run.write_text(f"#!/bin/sh\necho $0 $@ >> {mark}\ncat\n")
    run.chmod(0o755)
    for hook in ("post-index-change", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"):
        (folder / hook).write_text(f"#!/bin/sh\necho {hook} >> {mark}\n")
        (folder / hook).chmod(0o755)
    settings, attributes = ATTACKS[attack]
    with (repository.path / ".git" / "config").open("a") as config:
        config.write(settings.format(run=run, folder=folder))
    repository.write(".gitattributes", attributes)
    repository.write("a.md", "one\nfour\n")
    repository.write("new.md", "x\n")
    if "promisor" in settings:
        # A blob that is not here is what a lazy fetch would ask the remote for.
        blob = repository.git("rev-parse", f"{first}:gone.md")
        (repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    git = found(repository.path)
    try:
        exercise(git)
    except ChildFailed:
        assert "promisor" in settings
    assert not mark.exists(), mark.read_text()
    if attack == "work tree":
        assert git.list_documents((".md",)) == ["a.md", "new.md"]


def test_the_attacks_are_real(repository: Any, tmp_path: Path) -> None:
    repository.commit({"a.md": "one\n"})
    mark = tmp_path / "pwned"
    run = tmp_path / "run"
    run.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    run.chmod(0o755)
    repository.git("config", "filter.evil.clean", str(run))
    repository.write(".gitattributes", "*.md filter=evil\n")
    repository.write("a.md", "two\n")
    repository.git("diff", "--name-only")
    assert mark.exists()


def test_a_filter_that_cannot_be_named_is_refused(repository: Any) -> None:
    repository.commit({"a.md": "x\n"})
    with (repository.path / ".git" / "config").open("a") as config:
        config.write('[filter "a=b"]\n\tclean = false\n')
    with pytest.raises(UsageError, match="cannot be switched off"):
        found(repository.path).list_documents((".md",))


def test_submodule_settings_run_nothing(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    inner = make_repository("inner")
    inner.commit({"a.md": "x\n"})
    outer = make_repository("outer")
    outer.commit({"b.md": "x\n"})
    outer.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(inner.path), "sub")
    outer.commit()
    mark = tmp_path / "pwned"
    run = tmp_path / "run"
    run.write_text(f"#!/bin/sh\ntouch {mark}\n")
    run.chmod(0o755)
    outer.git("-C", "sub", "config", "core.fsmonitor", str(run))
    outer.write("sub/a.md", "changed\n")
    assert changed_since(found(outer.path), "HEAD") == set()
    assert not mark.exists()


def test_the_environment_is_not_passed_on(repository: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    repository.commit({"a.md": "x\n"})
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "nonsense")
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    assert found(repository.path).list_documents((".md",)) == ["a.md"]
    assert not (tmp_path / "trace").exists()


# Answers


def test_list_documents(repository: Any) -> None:
    repository.commit({"a.md": "x", "b.txt": "x", "docs/c.md": "x", ".gitignore": "build/\n", "with space.md": "x"})
    repository.write("new.md", "x")
    repository.write("build/ignored.md", "x")
    (repository.path / "a.md").unlink()
    git = found(repository.path)
    assert git.list_documents((".md",)) == ["a.md", "docs/c.md", "new.md", "with space.md"]
    assert git.list_documents((".md", ".txt")) == ["a.md", "b.txt", "docs/c.md", "new.md", "with space.md"]
    assert git.list_untracked() == {"new.md"}
    assert found(repository.path / "docs").list_documents((".md",)) == ["c.md"]


@pytest.mark.parametrize("name", ["*", "a[b]", ":(top)", "-x", "a\\b", "ü", "a\nb"])
def test_roots_with_odd_names(repository: Any, name: str) -> None:
    repository.commit({f"{name}/in.md": "x:1\n", "out.md": "x\n", "ab/out.md": "x\n", "a/out.md": "x\n"})
    git = found(repository.path / name)
    repository.write(f"{name}/in.md", "y\n")
    assert git.prefix == f"{name}/"
    assert git.list_documents((".md",)) == ["in.md"]
    assert changed_since(git, "HEAD") == {"in.md"}
    assert git.tree("HEAD").keys() == {"in.md"}


def test_names_that_are_no_unicode(repository: Any) -> None:
    name = os.fsdecode(b"\xff.md")
    commit = repository.commit({name: "x\n"})
    git = found(repository.path)
    assert git.list_documents((".md",)) == [name]
    assert git.objects().blob((commit, name), 10) == b"x\n"
    git.close()


def test_changed(repository: Any) -> None:
    repository.commit(
        {"same.md": "x\n" * 20, "edited.md": "x\n", "staged.md": "x\n", "old.md": "y\n" * 20, "gone.md": "z\n"}
    )
    repository.git("mv", "old.md", "new.md")
    repository.commit({"later.md": "x\n"})
    repository.write("edited.md", "changed\n")
    repository.write("staged.md", "changed\n")
    repository.git("add", "staged.md")
    repository.write("staged.md", "x\n")
    repository.write("untracked.md", "x\n")
    (repository.path / "gone.md").unlink()
    os.utime(repository.path / "same.md", (1, 1))
    git = found(repository.path)
    names = {"edited.md", "staged.md", "old.md", "new.md", "gone.md", "later.md", "untracked.md"}
    assert changed_since(git, "HEAD~1") == names
    assert changed_since(git, "HEAD") == names - {"old.md", "new.md", "later.md"}


@pytest.mark.parametrize(
    "revision", ["nope", "", "-x", "--output=x", "HEAD:a.md", "a\nb", "HEAD..HEAD", "\ud800", "x\0"]
)
def test_unknown_revisions(repository: Any, revision: str) -> None:
    repository.commit({"a.md": "x\n"})
    git = found(repository.path)
    assert git.resolve_commit(revision) is None
    with pytest.raises(UsageError, match="unknown revision"):
        git.commit_named(revision)
    assert not (repository.path / "x").exists()


def test_resolve_commit(repository: Any) -> None:
    commit = repository.commit({"a.md": "x\n"})
    repository.git("tag", "-a", "-m", "x", "v1")
    git = found(repository.path)
    assert {git.resolve_commit(name) for name in ("HEAD", "main", "v1", commit[:8], commit)} == {commit}
    assert git.is_ancestor(commit, commit)
    assert not git.is_ancestor("0" * 40, commit)


def test_remotes_format_and_depth(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    first = make_repository("first")
    first.commit({"a.md": "x\n"})
    tip = first.commit({"a.md": "y\n"})
    first.git("clone", "-q", "--depth=1", f"file://{first.path}", str(tmp_path / "second"))
    git = found(tmp_path / "second")
    assert git.remotes() == (f"file://{first.path}",)
    assert git.boundary() == {tip}
    assert found(first.path).boundary() == frozenset()
    assert git.object_format == "sha1"
    assert found(make_repository("third", "--object-format=sha256").path).object_format == "sha256"


def test_staged_renames(repository: Any) -> None:
    repository.commit({"a b.py": "content\n" * 5, "x.py": "other\n"})
    repository.git("mv", "a b.py", "c d.py")
    assert found(repository.path).renames("HEAD") == {"a b.py": "c d.py"}


# Objects


def test_objects(repository: Any) -> None:
    first = repository.commit({"a.py": "one\n", "dir/b.py": "b" * 100, "dir/empty": b""})
    second = repository.commit({"a.py": "two\n"})
    git = found(repository.path)
    with closing(Objects(git)) as objects:
        ids = objects.blob_ids([(first, "a.py"), (second, "a.py"), (second, "none.py"), (second, "dir")])
        assert ids[:2] == [repository.git("rev-parse", f"{commit}:a.py") for commit in (first, second)]
        assert ids[2:] == [None, None]
        assert objects.blob(ids[0] or "", 100) == b"one\n"
        assert objects.blob(f"{second}:a.py", 100) == b"two\n"
        assert objects.blob((second, "dir/b.py"), 99) is None
        assert objects.blob((second, "dir/b.py"), 100) == b"b" * 100
        assert objects.blob((second, "dir/empty"), 100) == b""
        assert objects.blob((f"{second}^", "a.py"), 100) == b"one\n"


ODD = ["a\nb", "a\r", "", "/a.py", "a.py/", "./a.py", "../a.py", "dir/../a.py", "a\0", "\ud800", "a.py\n" + "f" * 40]


@pytest.mark.parametrize("path", ODD)
def test_names_that_would_confuse_the_protocol(repository: Any, path: str) -> None:
    commit = repository.commit({"a.py": "one\n", "dir/b.py": "two\n"})
    with closing(Objects(found(repository.path))) as objects:
        asked = [(commit, "a.py"), (commit, path), (commit, "dir/b.py")]
        assert objects.blobs(asked, 100) == [b"one\n", None, b"two\n"]


@pytest.mark.parametrize("commit", ["HEAD", "", "main", "--help", ":", "@{-1}", "0" * 40, "0" * 39])
def test_only_full_ids_are_asked_for(repository: Any, commit: str) -> None:
    repository.commit({"a.py": "one\n"})
    with closing(Objects(found(repository.path))) as objects:
        assert objects.blob_ids([(commit, "a.py")]) == [None]
        assert objects.blob(commit, 100) is None


def test_links_inside_the_tree_are_followed(repository: Any) -> None:
    os.symlink("real.py", repository.path / "link.py")
    os.symlink("/etc/passwd", repository.path / "out.py")
    os.symlink("loop.py", repository.path / "loop.py")
    os.symlink("none.py", repository.path / "dangling.py")
    commit = repository.commit({"real.py": "one\n"})
    with closing(Objects(found(repository.path))) as objects:
        names = ("link.py", "out.py", "loop.py", "dangling.py", "real.py/x", "real.py")
        asked = [(commit, name) for name in names]
        assert objects.blobs(asked, 100) == [b"one\n", None, None, None, None, b"one\n"]


def test_many_at_once(repository: Any) -> None:
    files = {f"{'d' * 200}/{'n' * 180}{number}.py": f"{number}\n" for number in range(300)}
    commit = repository.commit(files)
    with closing(Objects(found(repository.path))) as objects:
        asked = [(commit, name) for name in files] + [(commit, "x" * 1000)] * 300
        expected = [text.encode() for text in files.values()] + [None] * 300
        assert objects.blobs(asked, 100) == expected


def test_a_process_of_their_own_says_the_same(repository: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    os.symlink("real.py", repository.path / "link.py")
    os.symlink("/etc/passwd", repository.path / "out.py")
    os.symlink("none.py", repository.path / "dangling.py")
    os.symlink("dir", repository.path / "folder")
    files: dict[str, str | bytes] = {
        "real.py": "one\n",
        "dir/b c.py": "two\n",
        ".hidden/ü.py": b"",
        "big.py": "x" * 300_000,
    }
    commit = repository.commit(files)
    paths = [*files, "link.py", "out.py", "dangling.py", "folder/b c.py", "dir", "none 1 2.py", "real.py/x", *ODD]
    asked: list[str | tuple[str, str]] = [*((commit, path) for path in paths), "0" * 40, commit, "nonsense"]
    with closing(Objects(found(repository.path))) as objects:
        one_by_one = [(objects.stat([name])[0], objects.blob(name, 400_000)) for name in asked]
        monkeypatch.setattr("pincite.safe.git_objects._MANY", 1)
        assert list(zip(objects.stat(asked), objects.blobs(asked, 400_000), strict=True)) == one_by_one
        assert objects.blobs(asked, 100)[3] is None
    assert [text for _, text in one_by_one[:4]] == [b"one\n", b"two\n", b"", b"x" * 300_000]
    assert [text for _, text in one_by_one[4:8]] == [b"one\n", None, None, b"two\n"]
    assert [text for _, text in one_by_one[8:]] == [None] * (len(asked) - 8)


def test_a_process_of_their_own_that_fails_is_told(repository: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = repository.commit({"a.py": "one\n"})
    monkeypatch.setattr("pincite.safe.git_objects._MANY", 1)
    git = found(repository.path)
    git.git_dir = str(repository.path / "none")
    with pytest.raises(ChildFailed):
        Objects(git).stat([(commit, "a.py")])


def test_below_a_prefix(repository: Any) -> None:
    commit = repository.commit({"a.py": "top\n", "sub/a.py": "below\n"})
    with closing(Objects(found(repository.path / "sub"))) as objects:
        assert objects.blob((commit, "a.py"), 100) == b"below\n"
        assert objects.blob((commit, "../a.py"), 100) is None
        assert objects.blob(f"{commit}:a.py", 100) == b"top\n"


def test_a_forked_worker_has_pipes_of_its_own(repository: Any) -> None:
    commit = repository.commit({"a.py": "one\n"})
    git = found(repository.path)
    assert git.objects().blob((commit, "a.py"), 100) == b"one\n"
    worker = os.fork()
    if worker == 0:
        same = all(git.objects().blob((commit, "a.py"), 100) == b"one\n" for _ in range(50))
        git.close()
        os._exit(0 if same else 1)
    for _ in range(50):
        assert git.objects().blob((commit, "a.py"), 100) == b"one\n"
    assert os.waitpid(worker, 0)[1] == 0
    git.close()


# Children


def test_a_child_that_does_not_answer_is_ended(tmp_path: Path) -> None:
    sleep = find_program("sleep")
    assert sleep is not None
    child = Child([sleep, "1000"], str(tmp_path), {}, 0.05)
    with pytest.raises(ChildFailed, match=r"did not answer within 0\.05 seconds"):
        child.read()
    assert child.close() < 0


def test_leaving_a_stream_ends_the_child(tmp_path: Path) -> None:
    yes = find_program("yes")
    assert yes is not None
    pieces = stream([yes], str(tmp_path), {}, 10)
    assert next(pieces).startswith(b"y\ny\n")
    pieces.close()  # type: ignore[attr-defined]
    assert list(pieces) == []


def test_a_lot_of_complaint_does_not_block(tmp_path: Path) -> None:
    shell = find_program("sh")
    assert shell is not None
    script = "i=0; while [ $i -lt 20000 ]; do echo 'a long complaint' >&2; i=$((i+1)); done; echo out; exit 3"
    with pytest.raises(ChildFailed, match="a long complaint"):
        list(stream([shell, "-c", script], str(tmp_path), {}, 60))
    assert b"".join(stream([shell, "-c", script], str(tmp_path), {}, 60, (3,))) == b"out\n"


def test_a_lot_of_input_does_not_block(tmp_path: Path) -> None:
    cat = find_program("cat")
    assert cat is not None
    given = b"".join(b"%d\n" % number for number in range(600_000))
    assert b"".join(stream([cat], str(tmp_path), {}, 60, given=given)) == given
    assert b"".join(stream([cat], str(tmp_path), {}, 60)) == b""


def test_output_in_small_pieces_comes_whole(tmp_path: Path) -> None:
    shell = find_program("sh")
    assert shell is not None
    script = "i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i+1)); done"
    expected = b"".join(b"%d\n" % number for number in range(3000))
    assert b"".join(stream([shell, "-c", script], str(tmp_path), {}, 60)) == expected


def test_what_cannot_start(tmp_path: Path) -> None:
    with pytest.raises(ChildFailed, match="cannot run nothing"):
        Child([str(tmp_path / "nothing")], str(tmp_path), {}, 1)
    with pytest.raises(ChildFailed, match="cannot run nothing"):
        Child([str(tmp_path / "nothing")], str(tmp_path), {}, 1, given=b"something")


def test_a_program_that_does_not_answer_is_ended(tmp_path: Path) -> None:
    program = find_program("sleep")
    assert program is not None
    with pytest.raises(ChildFailed, match="sleep did not answer within"):
        list(stream([program, "600"], str(tmp_path), {}, 0.05))
