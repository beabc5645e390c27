"""From the commit that knew some lines to the one that is checked out, on real histories; nothing is made up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.core.limits import LIMITS
from pincite.core.model import Finding, Safety
from pincite.history.step import TextRegion
from pincite.history.trace import Tracer, TraceRequest
from pincite.safe.git import Git
from pincite.store.trails import KeptEnd

BODY = "".join(f"step_{at} = prepare({at})\n" for at in range(1, 21))
SAVE = "def save(path, values):\n    text = render_all(values)\n    path.write_bytes(text)\n"


@pytest.fixture
def repo(make_repository: Callable[..., Any]) -> Any:
    return make_repository()


def traced(path: Path, *asked: tuple[str, str, int], limit: int = LIMITS.source_bytes) -> Iterator[str]:
    """Where lines of files in commits stand in HEAD: `path:line`, `*` if edited; `gone`, `undecided` or `unknown`."""
    git = Git.find(str(path))
    assert git is not None
    blobs = git.objects().blob_ids([(commit, name) for commit, name, _ in asked])
    asks = [
        TraceRequest(commit, name, blob or "", TextRegion(line - 1, line - 1))
        for (commit, name, line), blob in zip(asked, blobs, strict=True)
    ]
    for stop in Tracer(git, git.head() or "", limit).trace(asks):
        if stop is None:
            yield "unknown"
        elif stop.region is None:
            yield "undecided" if stop.undecided else "gone"
        else:
            yield f"{stop.path}:{stop.region.first + 1}{'*' if stop.edited else ''}"
    git.close()


def test_one_pass_serves_commits_near_and_far(repo: Any) -> None:
    commits = [repo.commit({"a.py": f"# {at}\n" * at + BODY}) for at in range(4)]
    asked = [(commit, "a.py", at + 5) for at, commit in enumerate(commits)]
    assert list(traced(repo.path, *asked)) == ["a.py:8"] * 4
    assert list(traced(repo.path)) == []


def test_what_was_followed_is_not_followed_again(repo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    commits = [repo.commit({"a.py": f"# {at}\n" * at + BODY}) for at in range(3)]
    git = Git.find(str(repo.path))
    assert git is not None
    blobs = git.objects().blob_ids([(commit, "a.py") for commit in commits])
    asks = [
        TraceRequest(commit, "a.py", blob or "", TextRegion(4, 4)) for commit, blob in zip(commits, blobs, strict=True)
    ]
    tracer = Tracer(git, git.head() or "", LIMITS.source_bytes)
    found = tracer.trace(asks[:2])
    asked = list[int]()
    follow = Tracer._trace
    monkeypatch.setattr(Tracer, "_trace", lambda self, some: asked.append(len(some)) or follow(self, some))
    assert tracer.trace([asks[1], asks[0], asks[2], asks[2]])[:2] == found[::-1]
    assert asked == [1]
    git.close()


def test_through_a_rename_with_edits(repo: Any) -> None:
    old = repo.commit({"a.py": BODY})
    repo.git("mv", "a.py", "b.py")
    repo.commit({"b.py": "# top\n" + BODY.replace("prepare(7)", "prepare(70)")})
    assert list(traced(repo.path, (old, "a.py", 7), (old, "a.py", 9))) == ["b.py:8*", "b.py:10"]


def test_lines_known_only_beside_the_branch(repo: Any) -> None:
    """The commit that wrote them came in by a merge; from there on they go with the branch."""
    repo.commit({"a.py": BODY, "b.py": "x\n"})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit({"a.py": BODY + SAVE})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": "# main\n" + BODY})
    repo.clock += 60
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    assert list(traced(repo.path, (side, "a.py", 22))) == ["a.py:23"]
    repo.commit({"a.py": "# more\n# main\n" + BODY + SAVE.replace("render_all", "render_each")})
    assert list(traced(repo.path, (side, "a.py", 22), (side, "a.py", 23))) == ["a.py:24*", "a.py:25"]


def test_what_the_merge_left_out_is_gone(repo: Any) -> None:
    repo.commit({"a.py": BODY})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit({"a.py": BODY + SAVE})
    repo.git("checkout", "-q", "main")
    repo.commit({"b.py": "x\n"})
    repo.clock += 60
    repo.git("merge", "-q", "--no-ff", "-s", "ours", "-m", "merge", "side")
    assert list(traced(repo.path, (side, "a.py", 22))) == ["gone"]


def test_a_commit_that_is_not_in_this_history_tells_nothing(repo: Any) -> None:
    repo.commit({"a.py": BODY})
    repo.git("checkout", "-q", "-b", "apart")
    apart = repo.commit({"a.py": BODY + SAVE})
    repo.git("checkout", "-q", "main")
    own = repo.commit({"a.py": "# top\n" + BODY})
    assert list(traced(repo.path, (apart, "a.py", 22), ("0" * 40, "a.py", 1), (own, "a.py", 5))) == [
        "unknown",
        "unknown",
        "a.py:5",
    ]


def test_a_shallow_clone_knows_what_it_has_and_no_more(repo: Any, tmp_path: Path) -> None:
    old = repo.commit({"a.py": BODY})
    middle = repo.commit({"a.py": "# one\n" + BODY})
    repo.commit({"a.py": "# one\n# two\n" + BODY})
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.path}", str(clone))
    assert list(traced(clone, (old, "a.py", 5), (middle, "a.py", 6))) == ["unknown", "a.py:7"]


def test_history_that_is_missing_is_unknown_and_no_error(repo: Any) -> None:
    old = repo.commit({"a.py": BODY})
    middle = repo.commit({"a.py": "# one\n" + BODY})
    repo.commit({"a.py": "# one\n# two\n" + BODY})
    (repo.path / ".git/objects" / middle[:2] / middle[2:]).unlink()
    assert list(traced(repo.path, (old, "a.py", 5))) == ["unknown"]


def test_versions_that_are_too_large_or_no_text_are_not_read(repo: Any) -> None:
    old = repo.commit({"a.py": BODY, "b.py": BODY})
    repo.commit({"a.py": b"\x00\xff\xfe\x00", "b.py": BODY + "#" * 5000 + "\n"})
    repo.commit({"a.py": BODY, "b.py": "# top\n" + BODY})
    found = list(traced(repo.path, (old, "a.py", 5), (old, "b.py", 5), limit=4000))
    assert found == ["undecided", "undecided"]


def only(path: Path) -> Finding:
    """The one finding on the one citation of a tree."""
    (verdict,) = pincite.check(root=path).verdicts
    (finding,) = verdict.findings
    return finding


def test_edits_in_the_work_tree_on_top_of_history(repo: Any) -> None:
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L7】\n"})
    repo.commit({"a.py": "# one\n" + BODY.replace("prepare(7)", "prepare(7, 7)")})
    repo.write("a.py", "# one\n# two\n" + BODY.replace("prepare(7)", "prepare(7, 7, 7)"))
    found = only(repo.path)
    assert (found.check, found.then, found.now) == (
        "lines-edited",
        ("step_7 = prepare(7)",),
        ("step_7 = prepare(7, 7, 7)",),
    )
    assert found.edit is not None
    assert (found.edit.replacement, found.edit.safety) == ("【F:a.py†L9】", Safety.UNSAFE)


def test_a_rename_that_is_not_committed(repo: Any) -> None:
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L7】\n"})
    repo.commit({"a.py": "# one\n" + BODY})
    repo.git("mv", "a.py", "b.py")
    found = only(repo.path)
    assert found.check == "file-renamed"
    assert found.edit is not None and found.edit.replacement == "【F:b.py†L8】"


def test_deleted_in_the_work_tree(repo: Any) -> None:
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L7】\n"})
    repo.commit({"a.py": "# one\n" + BODY})
    repo.write("a.py", "# one\n" + BODY.replace("step_7 = prepare(7)\n", ""))
    found = only(repo.path)
    assert (found.check, found.edit) == ("lines-deleted", None)


def test_a_shallow_clone_is_unknown_and_offers_nothing(repo: Any, tmp_path: Path) -> None:
    repo.commit({"a.py": BODY, "doc.md": "Said. 【F:a.py†L7】\n"})
    repo.commit({"a.py": "# one\n" + BODY})
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(clone))
    found = only(clone)
    assert (found.check, found.edit) == ("drift-unknown", None)


def test_line_ends_of_any_kind_count_alike(repo: Any) -> None:
    """What is a line to a citation is a line to history: a form feed or a line separator is none of their ends."""
    body = "one = 'a\x0cb\u2028c\x85d'\n" + BODY
    repo.commit({"a.py": body, "doc.md": "Said. 【F:a.py†L8】\n"})
    repo.commit({"a.py": "# top\r\n" + body.replace("\n", "\r\n").replace("prepare(7)", "prepare(7, 7)")})
    found = only(repo.path)
    assert found.check == "lines-edited"
    assert found.edit is not None and found.edit.replacement == "【F:a.py†L9】"


class Runs:
    """One run after the other over a repository that changes, each going on from what the last one kept."""

    def __init__(self, repo: Any, commit: str, line: int) -> None:
        self.repo = repo
        self.kept: list[KeptEnd] = []
        self.asked = commit, line
        self.steps: list[int] = []
        """How many changes of the file each run looked at."""

    def run(self) -> str:
        """Where the line stands, for one that goes on and for one that begins anew."""
        commit, line = self.asked
        (fresh,) = traced(self.repo.path, (commit, "a.py", line))
        git = Git.find(str(self.repo.path))
        assert git is not None
        (blob,) = git.objects().blob_ids([(commit, "a.py")])
        ask = TraceRequest(commit, "a.py", blob or "", TextRegion(line - 1, line - 1))
        tracer = Tracer(git, git.head() or "", LIMITS.source_bytes, lambda: self.kept)
        (stop,) = tracer.trace([ask])
        self.steps.append(len(tracer._trail) if tracer._trail is not None else 0)
        self.kept = tracer.kept() or self.kept
        git.close()
        place = stop and (f"{stop.path}:{stop.region.first + 1}{'*' if stop.edited else ''}" if stop.region else "gone")
        assert place == fresh
        return fresh


def test_a_new_commit_is_gone_on_from(repo: Any) -> None:
    runs = Runs(repo, repo.commit({"a.py": BODY}), 12)
    for at in range(30):
        repo.commit({"a.py": f"# {at}\n" * at + BODY})
    assert [runs.run(), runs.run()] == ["a.py:41"] * 2
    repo.commit({"a.py": "# more\n" * 40 + BODY})
    assert runs.run() == "a.py:52"
    assert runs.steps[0] >= 30
    assert runs.steps[1] == 0, "nothing is read where the commit is the same"
    assert runs.steps[2] <= 16


def test_another_branch_begins_where_it_must(repo: Any) -> None:
    runs = Runs(repo, repo.commit({"a.py": BODY}), 12)
    repo.commit({"a.py": "# one\n" + BODY})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.py": "# one\n# two\n" + BODY.replace("step_12 = ", "step_12 = 1 + ")})
    assert runs.run() == "a.py:14*"
    repo.git("checkout", "-q", "-")
    repo.commit({"b.py": "x\n"})
    assert runs.run() == "a.py:13"
    repo.git("checkout", "-q", "side")
    assert runs.run() == "a.py:14*"


def test_what_is_gone_stays_gone_until_its_commit_is(repo: Any) -> None:
    runs = Runs(repo, repo.commit({"a.py": BODY}), 12)
    repo.commit({"a.py": "".join(line for line in BODY.splitlines(True) if "step_12 " not in line)})
    assert runs.run() == "gone"
    repo.commit({"b.py": "x\n"})
    assert runs.run() == "gone"
    assert runs.steps[-1] == 0
    repo.git("reset", "-q", "--hard", "HEAD~2")
    repo.commit({"a.py": "# top\n" + BODY})
    assert runs.run() == "a.py:13"


def test_a_version_that_is_lost_leaves_the_answer_open_and_is_not_kept(repo: Any) -> None:
    repo.commit({"a.py": BODY})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit({"a.py": "# side\n" + BODY})
    repo.git("checkout", "-q", "-")
    repo.commit({"b.py": "x\n"})
    repo.git("merge", "-q", "--no-commit", "--no-ff", "side")
    repo.commit({"a.py": "# side\n# merged\n" + BODY})
    lost = repo.git("rev-parse", "HEAD:a.py")
    repo.commit({"a.py": "# other\n" + BODY})
    (repo.path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    git = Git.find(str(repo.path))
    assert git is not None
    (blob,) = git.objects().blob_ids([(side, "a.py")])
    tracer = Tracer(git, git.head() or "", LIMITS.source_bytes)
    (stop,) = tracer.trace([TraceRequest(side, "a.py", blob or "", TextRegion(5, 5))])
    git.close()
    assert stop is not None and stop.region is None and stop.undecided, "gone would be a guess"
    assert tracer.kept() is None
