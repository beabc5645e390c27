"""A tree may come from anyone: its links move neither what is read nor what is written out of the root."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import pincite
from pincite.core.errors import UsageError

TOP = Path(__file__).resolve().parents[3]
SECRET = "the-secret-of-the-user"


class Place(NamedTuple):
    """A repository, and a folder of the user outside it."""

    tree: Path
    home: Path

    def run(self, *words: str, cwd: Path | None = None, given: str = "") -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": str(TOP / "src"), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        command = [sys.executable, "-m", "pincite", *words]
        folder = cwd or self.tree
        return subprocess.run(
            command, cwd=folder, env=env, input=given, capture_output=True, encoding="utf-8", timeout=60, check=False
        )

    def state(self) -> dict[str, bytes]:
        """Every file of the user's folder with its content."""
        return {str(path): path.read_bytes() for path in sorted(self.home.rglob("*")) if path.is_file()}


def make_place(folder: Path) -> Place:
    tree, home = folder / "tree", folder / "home"
    for one in (tree / "docs", home / "notes"):
        one.mkdir(parents=True)
    (tree / "a.py").write_text("x = 1\n")
    (tree / "d.md").write_text("One. 【F:a.py†L1】 Two. 【F:no.py†L1】\n", encoding="utf-8")
    (home / "profile").write_text(f"{SECRET}\n")
    (home / "notes/n.md").write_text(f"{SECRET} 【F:profile†L1】 【F:gone.py†L3】\n", encoding="utf-8")
    (home / "paper.pdf").write_text(SECRET)
    (home / "answer.json").write_text(json.dumps({"type": "message", "content": [{"type": "text", "text": SECRET}]}))
    return Place(tree, home)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = make_place(tmp_path)
    subprocess.run(["git", "init", "-q", str(made.tree)], check=True)
    return made


@pytest.fixture(params=["repository", "plain folder"])
def either(tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    made = make_place(tmp_path)
    if request.param == "repository":
        subprocess.run(["git", "init", "-q", str(made.tree)], check=True)
    return made


# What is written

WRITERS = {
    "report": ("check", "--no-cache", "--format=sarif", "--output={}"),
    "baseline": ("check", "--no-cache", "--baseline={}", "--update-baseline"),
    "audit": ("corpus", "citation-audit", "--no-save", "--output={}"),
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    ("link", "target", "name"),
    [
        ("out", "{home}/profile", "out"),
        ("out", "{home}/new", "out"),
        ("out", "../home/profile", "out"),
        ("out", "middle", "out"),
        ("out", "{home}", "out/profile"),
        ("docs/out", "../../home", "docs/out/new"),
        ("out", "{home}/profile", "./docs/../out"),
        ("out", "{home}/profile", "{tree}/out"),
        ("out", "/dev/stdout", "out"),
        ("out", "out", "out"),
    ],
)
def test_no_output_leaves_the_tree(place: Place, writer: str, link: str, target: str, name: str) -> None:
    (place.tree / "middle").symlink_to(place.home / "profile")
    names = {"home": place.home, "tree": place.tree}
    (place.tree / link).symlink_to(target.format(**names))
    before = place.state()
    done = place.run(*(word.format(name.format(**names)) for word in WRITERS[writer]))
    assert done.returncode == 2, done.stdout
    assert name.format(**names) in done.stderr
    assert "Traceback" not in done.stderr
    assert place.state() == before
    assert (place.tree / link).is_symlink()
    assert not list(place.tree.rglob(".pincite-*~"))


@pytest.mark.parametrize("name", [".git/config", ".GIT/config", ".git/new", "docs/../.git/hooks/pre-commit", "git~1/x"])
def test_no_output_goes_into_git(place: Place, name: str) -> None:
    (place.tree / "git~1").mkdir()
    (place.tree / ".GIT").mkdir(exist_ok=True)
    before = {path: path.read_bytes() for path in place.tree.rglob("*") if path.is_file()}
    assert place.run("check", "--no-cache", "--output", name).returncode == 2
    assert {path: path.read_bytes() for path in place.tree.rglob("*") if path.is_file()} == before


def test_a_link_to_git_is_no_output(place: Place) -> None:
    (place.tree / ".git").mkdir(exist_ok=True)
    (place.tree / ".git/mine").write_text("untouched")
    (place.tree / "out").symlink_to(".git/mine")
    (place.tree / "hooks").symlink_to(".git")
    for name in ("out", "hooks/mine", "hooks/new"):
        assert place.run("check", "--no-cache", "--output", name).returncode == 2
    assert (place.tree / ".git/mine").read_text() == "untouched"


def test_the_tree_around_the_working_folder_counts_besides_the_root(either: Place) -> None:
    (either.tree / "out").symlink_to(either.home / "profile")
    before = either.state()
    assert either.run("check", "--no-cache", "--root", "docs", "--output", "out").returncode == 2
    assert (
        either.run(
            "check", "--no-cache", "--root", str(either.tree), "--output", "../tree/out", cwd=either.home
        ).returncode
        == 2
    )
    assert either.state() == before


def test_a_bundle_does_not_leave_the_tree(place: Place) -> None:
    assert place.run("run", "--", "printf", "hello").returncode == 0
    name = place.run("log", "--format=json").stdout
    chunk = json.loads(name)["runs"][0]["chunks"][0]["id"] if '"runs"' in name else ""
    if not chunk:
        chunk = place.run("grep", "hello").stdout.partition("【")[2].partition("†")[0]
    (place.tree / "out").symlink_to(place.home)
    for target in ("out", "out/new", "out/notes/deep/er"):
        done = place.run("export", chunk, "-o", target)
        assert (done.returncode, "leads outside the root" in done.stderr) == (2, True), done.stderr
    assert sorted(os.listdir(place.home)) == ["answer.json", "notes", "paper.pdf", "profile"]
    assert place.run("export", chunk, "-o", "docs/new/er").returncode == 0
    assert place.run("export", chunk, "-o", str(place.home / "mine")).returncode == 0


def test_outputs_that_the_user_chose_still_work(either: Place) -> None:
    words = ("check", "--no-cache", "--format=json", "--output")
    for name in ("-", "/dev/stdout", "/dev/fd/1"):
        done = either.run(*words, name)
        assert (done.returncode, json.loads(done.stdout)["summary"]["citations"]) == (1, 2)
    assert either.run(*words, "/dev/null").returncode == 1
    assert json.loads(either.run(*words, "/dev/stderr").stderr)["summary"]["citations"] == 2
    assert either.run(*words, str(either.home / "r.json")).returncode == 1
    assert either.run(*words, "../home/s.json").returncode == 1
    for name in ("r.json", "s.json"):
        assert json.loads((either.home / name).read_text())["summary"]["citations"] == 2
    os.link(either.home / "profile", either.tree / "hard")
    assert either.run(*words, "hard").returncode == 1
    assert (either.home / "profile").read_text() == f"{SECRET}\n"
    assert either.run(*words, "docs").returncode == 2


def test_a_pipe_that_nobody_reads_does_not_hang(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.safe import report_output

    os.mkfifo(place.tree / "pipe")
    monkeypatch.setattr(report_output, "_PIPE_TRIES", 2)
    monkeypatch.chdir(place.tree)
    with pytest.raises(UsageError, match="a pipe without a reader"), report_output.output_to("pipe", str(place.tree)):
        pass


def test_the_way_to_the_tree_may_be_a_link(either: Place, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(either.tree)
    way = tmp_path / "way"
    for cwd in (way, way / "docs", either.home):
        done = either.run(
            "check",
            "--no-cache",
            "--root",
            str(way),
            "--format=json",
            "--output",
            f"{way}/r.json",
            f"{way}/d.md",
            cwd=cwd,
        )
        assert done.returncode == 1, done.stderr
        assert json.loads((either.tree / "r.json").read_text())["summary"]["citations"] == 2
        (either.tree / "r.json").unlink()
    assert either.run("check", "--no-cache", "d.md", "docs", cwd=way).returncode == 1
    (either.tree / "out").symlink_to(either.home / "profile")
    words = ("check", "--no-cache", "--root", str(way), "--output", f"{way}/out")
    assert either.run(*words, cwd=either.home).returncode == 2
    assert (either.home / "profile").read_text() == f"{SECRET}\n"


# What is read

READERS = {
    "check": ("check", "--no-cache", "{}"),
    "check cached": ("check", "{}"),
    "check --fix": ("check", "--fix", "{}"),
    "fix": ("fix", "--write", "{}"),
    "list": ("list", "{}"),
    "lock": ("lock", "{}"),
    "suggest": ("suggest", "{}"),
    "index": ("index", "{}"),
    "affected": ("affected", "./{}"),
    "export": ("export", "{}", "-o", "-"),
    "inline": ("export", "--inline", "{}"),
    "validate": ("corpus", "validate-citations", "{}"),
    "audit": ("corpus", "citation-audit", "{}"),
    "research audit": ("research", "audit", "{}"),
    "into": ("cite", "a.py:1", "--into", "{}"),
    "stdin name": ("check", "-", "--stdin-name", "{}"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("link", "target", "name"),
    [("in", "{home}/notes", "in/n.md"), ("in.md", "../home/notes/n.md", "in.md"), ("in", "{home}/notes", "in")],
)
def test_a_named_path_does_not_move_the_root(place: Place, reader: str, link: str, target: str, name: str) -> None:
    (place.tree / link).symlink_to(target.format(home=place.home))
    before = place.state()
    done = place.run(*(word.format(name) for word in READERS[reader]), given="x\n")
    assert done.returncode == 2, done.stdout + done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert place.state() == before
    assert sorted(os.listdir(place.home)) == ["answer.json", "notes", "paper.pdf", "profile"]
    if name != "in" or reader not in ("inline", "into", "affected"):
        assert "--root" in done.stderr or "git repository" in done.stderr, done.stderr


FILES = {
    "verify-answer": ("verify-answer", "{home}/answer.json"),
    "docs": ("verify-answer", "fine.json", "--docs", "{home}/notes"),
    "baseline": ("check", "--baseline", "{home}/profile"),
    "policy": ("policy", "check", "{home}/profile"),
    "capture": ("capture", "{home}/profile"),
    "transcript": ("capture", "--transcript", "{home}/profile"),
    "paper": ("corpus", "add", "{home}/paper.pdf"),
    "root": ("check", "--root", "{home}/notes"),
    "repo root": ("memory", "verify-all", "--repo-root", "{home}/notes", "--dir", "."),
}


@pytest.mark.parametrize("reader", FILES)
def test_a_file_in_the_tree_that_leads_out_is_not_read(place: Place, reader: str) -> None:
    (place.tree / "fine.json").write_text(json.dumps({"type": "message", "content": [{"type": "text", "text": "x"}]}))
    (place.tree / "way").symlink_to(place.home)
    done = place.run(*(word.format(home="way") for word in FILES[reader]))
    assert done.returncode == 2, done.stdout
    assert "leads outside the root" in done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert not (place.home / "notes/.pincite").exists()
    told = place.run(*(word.format(home=str(place.home)) for word in FILES[reader]))
    assert "leads outside the root" not in told.stderr


def test_a_path_elsewhere_brings_the_folder_around_it_as_root(either: Place) -> None:
    done = either.run("check", str(either.home / "notes/n.md"))
    assert f"root: {either.home / 'notes'}, around what was named; --root takes another" in done.stderr
    # What it cites lies above that root, and is not read.
    assert (done.returncode, SECRET in done.stdout) == (1, False), done.stdout
    assert "2 missing" in done.stdout
    assert either.run("check", "--root", str(either.home), str(either.home / "notes/n.md")).returncode == 1


def test_a_link_of_another_repository_brings_no_root(either: Place) -> None:
    other = either.home.parent / "other"
    other.mkdir()
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    (other / "in").symlink_to(either.home / "notes")
    (other / "in.md").symlink_to(either.home / "notes/n.md")
    for name in ("in/n.md", "in.md"):
        done = either.run("check", str(other / name))
        assert (done.returncode, SECRET in done.stdout + done.stderr) == (2, False), done.stdout
        assert "outside" in done.stderr and "--root" in done.stderr, done.stderr


def test_the_library_refuses_the_same(either: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(either.tree)
    (either.tree / "in").symlink_to(either.home / "notes")
    for paths in (["in"], ["in/n.md"], [either.home / "notes"]):
        with pytest.raises(UsageError, match="outside the root"):
            pincite.check(paths)
    assert pincite.check(["d.md"]).summary.citations == 2
    assert pincite.check([either.home / "notes"], root=either.home).summary.citations == 2


def test_links_inside_are_followed(either: Place) -> None:
    (either.tree / "docs/e.md").write_text("One. 【F:a.py†L1】\n", encoding="utf-8")
    (either.tree / "same").symlink_to("docs")
    (either.tree / "same.md").symlink_to("docs/e.md")
    for name in ("same/e.md", "same.md"):
        assert "it holds" in either.run("check", "--no-cache", name).stdout, name
