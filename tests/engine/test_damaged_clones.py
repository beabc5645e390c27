"""What a clone lacks, or cannot read, costs only the citations it concerns: these say why, all others are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincite.core.model import Finding
from pincite.engine.run import Request, Run
from pincite.safe.files import Root

UNKNOWN = "drift-unknown"
OLD, NEW = "src/{}.py:10", "src/{}.py:15"
"""What the first commit of the documents cites, and what the second one does."""
MOVED = {OLD.format(name): "L13" for name in "ab"} | {NEW.format(name): "L17" for name in "ab"}
"""Where these lines stand now."""
DOCUMENTS = (
    "authorship.History.prepare reads all documents by one `git log -p`: where it fails, no document is compared"
)
WALK = "the walks over commits (History.prepare, Tracer._branch) end at the first commit or tree that cannot be read"


class Damaged:
    """A repository with two documents, each citing a file of its own, and what a check says of it."""

    def __init__(self, repo: Any) -> None:
        self.repo = repo
        texts = {name: [f"{name}_{at} = compute({name}, {at})\n" for at in range(1, 31)] for name in "ab"}
        said = {"one.md": "Old src/a.py:10 here.\n", "two.md": "Old src/b.py:10 here.\n"}
        repo.commit({**self._files(texts), "README.md": "Hello.\n"})
        repo.commit({**said, "README.md": "Hello, world.\n"})
        self.cited = self._push(texts, "a")
        self._push(texts, "b")
        repo.commit(
            {name: f"{text}\nNew src/{'a' if name == 'one.md' else 'b'}.py:15 here.\n" for name, text in said.items()}
        )
        self._push(texts, "ab")
        self._push(texts, "ab")

    @staticmethod
    def _files(texts: dict[str, list[str]]) -> dict[str, str]:
        return {f"src/{name}.py": "".join(lines) for name, lines in texts.items()}

    def _push(self, texts: dict[str, list[str]], names: str) -> None:
        """A commit that puts a line above all that is cited."""
        for name in names:
            texts[name].insert(3, f"top_{len(texts[name])} = {len(texts[name])}\n")
        self.repo.commit(self._files({name: texts[name] for name in names}))

    def spoil(self, name: str, kind: str) -> str:
        """Take an object away, or write other bytes over it; gives its short id."""
        found: str = self.repo.git("rev-parse", name)
        place = self.repo.path / ".git/objects" / found[:2] / found[2:]
        place.chmod(0o644)
        if kind == "missing":
            place.unlink()
        else:
            place.write_bytes(b"garbage" + place.read_bytes()[7:])
        return found[:7]


class Said:
    """What one check says."""

    def __init__(self, path: Path, strict: bool = False, cache: bool = False, paths: tuple[str, ...] = ()) -> None:
        self.findings: dict[str, tuple[Finding, ...]] = {}
        with Root(str(path)) as root:
            run = Run(root, Request(paths=paths, strict=strict, cache=cache))
            for report in run.reports():
                self.findings |= {one.citation.raw: one.findings for one in report.verdicts}
        self.drift, self.code = run.summary.drift, run.summary.exit_code

    def compared(self) -> set[str]:
        """The citations that were compared with what their authors saw, and rightly."""
        return {
            raw
            for raw, findings in self.findings.items()
            if [finding.check for finding in findings] == ["lines-moved"]
            and findings[0].message.startswith(f"Moved to {MOVED[raw]},")
        }

    def unknown(self) -> dict[str, str]:
        """The others, and why they were not."""
        return {raw: some[0].message for raw, some in self.findings.items() if some and some[0].check == UNKNOWN}


@pytest.fixture
def damaged(repository: Any) -> Damaged:
    return Damaged(repository)


@pytest.fixture(params=["missing", "garbled"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_with_nothing_amiss_all_are_compared(damaged: Damaged) -> None:
    said = Said(damaged.repo.path)
    assert (said.compared(), said.unknown(), said.drift, said.code) == (set(MOVED), {}, "", 0)


def test_what_an_author_saw_cannot_be_read(damaged: Damaged, kind: str) -> None:
    name = damaged.spoil("HEAD~5:src/a.py", kind)
    commit = damaged.repo.git("rev-parse", "HEAD~5")
    said = Said(damaged.repo.path)
    assert said.compared() == set(MOVED) - {"src/a.py:10"}
    assert said.unknown() == {
        "src/a.py:10": f"Git cannot read the cited file as it was in {commit[:7]}, when it was cited: "
        f"object {name}, which is missing or damaged (git fetch --refetch, or a new clone)"
    }
    assert said.drift == "1 citation of files whose old versions git cannot read"
    assert said.code == 0
    assert Said(damaged.repo.path, strict=True).code == 1, "the moved ones fail a strict run"


def test_a_file_that_was_absent_is_not_called_unreadable(damaged: Damaged) -> None:
    damaged.repo.commit({"three.md": "See src/late.py:2 there.\n"})
    damaged.repo.commit({"src/late.py": "late_1 = 1\nlate_2 = 2\n"})
    message = Said(damaged.repo.path).unknown()["src/late.py:2"]
    assert message.startswith("The cited file was not there in ")


@pytest.mark.parametrize("version", ["HEAD~4", "HEAD~3", "HEAD~1"])
def test_a_version_between_then_and_now_cannot_be_read(damaged: Damaged, kind: str, version: str) -> None:
    damaged.spoil(f"{version}:src/a.py", kind)
    said = Said(damaged.repo.path)
    assert {"src/b.py:10", "src/b.py:15"} <= said.compared()
    assert said.compared() | set(said.unknown()) == set(MOVED), "an answer is right, or there is none"


def test_an_old_version_of_a_document_cannot_be_read(damaged: Damaged, kind: str) -> None:
    name = damaged.spoil("HEAD~4:one.md", kind)
    said = Said(damaged.repo.path)
    assert said.compared() == {"src/b.py:10", "src/b.py:15"}
    assert set(said.unknown()) == {"src/a.py:10", "src/a.py:15"}
    assert all(f"object {name}" in why and "git fetch --refetch" in why for why in said.unknown().values())
    assert said.code == 0


def test_an_object_that_no_citation_needs_costs_nothing(damaged: Damaged, kind: str) -> None:
    damaged.spoil("HEAD~6:README.md", kind)
    said = Said(damaged.repo.path)
    assert (said.compared(), said.drift) == (set(MOVED), "")


@pytest.mark.parametrize("name", ["HEAD~4:src", "HEAD~4^{tree}", "HEAD~4", "HEAD~6"])
def test_history_ends_where_a_tree_or_commit_cannot_be_read(damaged: Damaged, kind: str, name: str) -> None:
    """Who cited later saw a version that is here, and what came after is here too."""
    short = damaged.spoil(name, kind)
    said = Said(damaged.repo.path)
    assert said.compared() >= {"src/a.py:15", "src/b.py:15"}
    assert said.compared() | set(said.unknown()) == set(MOVED)
    assert all(f"object {short}" in why and "git fetch --refetch" in why for why in said.unknown().values())


@pytest.mark.parametrize(
    "name", ["HEAD~4:one.md", "HEAD~6:README.md", "HEAD~4:src", "HEAD~4^{tree}", "HEAD~4", "HEAD~6"]
)
def test_the_summary_names_the_object_and_the_remedy(damaged: Damaged, kind: str, name: str) -> None:
    short = damaged.spoil(name, kind)
    said = Said(damaged.repo.path)
    if said.drift:
        assert (
            f"git cannot read object {short}, which is missing or damaged (git fetch --refetch, or a new clone)"
            in said.drift
        )
    assert said.compared() | set(said.unknown()) == set(MOVED)
    assert said.code == 0


def test_a_commit_whose_parent_is_missing_did_not_write_everything(damaged: Damaged, kind: str) -> None:
    """A document that is asked for by name is blamed, and blame takes such a commit for the first one."""
    damaged.spoil("HEAD~4", kind)
    said = Said(damaged.repo.path, paths=("one.md",))
    assert "src/a.py:10" in said.unknown()
    assert said.compared() | set(said.unknown()) == {"src/a.py:10", "src/a.py:15"}


def test_the_remedy_helps(damaged: Damaged, kind: str, tmp_path: Path) -> None:
    repo = damaged.repo
    repo.git("clone", "-q", "--bare", "--no-hardlinks", str(repo.path), str(tmp_path / "origin"))
    repo.git("remote", "add", "origin", f"file://{tmp_path / 'origin'}")
    damaged.spoil("HEAD~5:src/a.py", kind)
    assert Said(repo.path).unknown()
    if kind == "missing":
        repo.git("fetch", "-q", "--refetch", "origin")
        assert Said(repo.path).compared() == set(MOVED)
    else:
        # A damaged object stays in the way of a good one.
        repo.git("clone", "-q", str(tmp_path / "origin"), str(tmp_path / "new"))
        assert Said(tmp_path / "new").compared() == set(MOVED)


@pytest.mark.parametrize("name", ["HEAD~5:src/a.py", "HEAD~4:one.md"])
def test_what_comes_back_is_seen_by_the_next_run(damaged: Damaged, name: str) -> None:
    found = damaged.repo.git("rev-parse", name)
    place = damaged.repo.path / ".git/objects" / found[:2] / found[2:]
    place.rename(aside := place.with_name("aside"))
    for _ in range(2):
        assert Said(damaged.repo.path, cache=True).unknown()
    aside.rename(place)
    assert Said(damaged.repo.path, cache=True).compared() == set(MOVED)


@pytest.fixture
def partial(damaged: Damaged, tmp_path: Path) -> Path:
    """A clone that left all contents out but those of HEAD, and whose origin is gone."""
    repo = damaged.repo
    repo.commit({"three.md": "See src/c.py:2 there.\n", "src/c.py": "c_1 = 1\nc_2 = 2\n"})
    repo.commit({"README.md": "Hello again.\n"})
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.path}", str(tmp_path / "clone"))
    repo.path.rename(tmp_path / "gone")
    return tmp_path / "clone"


def test_a_partial_clone_says_what_brings_the_rest(partial: Path) -> None:
    said = Said(partial)
    assert said.compared() == set()
    assert set(said.unknown()) >= set(MOVED)
    assert "which this partial clone left out (git fetch --refetch --no-filter)" in said.drift
    assert said.code == 0


def test_a_partial_clone_compares_what_it_has(partial: Path) -> None:
    """The third document and what it cites are as they were when they came: HEAD has all that is needed."""
    said = Said(partial)
    assert said.findings.get("src/c.py:2", ()) == ()
    assert all("partial clone" in why and "--no-filter" in why for why in said.unknown().values())


def test_a_shallow_clone_compares_what_it_has(damaged: Damaged, tmp_path: Path) -> None:
    repo = damaged.repo
    # The boundary seems to have written everything, so the commit of the new citations must lie above it.
    for depth, compared in ((4, {"src/a.py:15", "src/b.py:15"}), (3, set())):
        repo.git("clone", "-q", f"--depth={depth}", f"file://{repo.path}", str(tmp_path / f"clone{depth}"))
        said = Said(tmp_path / f"clone{depth}")
        assert said.compared() == compared
        assert set(said.unknown()) == set(MOVED) - compared
        assert "this clone is shallow (git fetch --unshallow; in CI fetch-depth: 0)" in said.drift


def test_hostile_bytes_in_place_of_an_object_give_no_traceback(damaged: Damaged) -> None:
    found = damaged.repo.git("rev-parse", "HEAD~4:src/a.py")
    place = damaged.repo.path / ".git/objects" / found[:2] / found[2:]
    for data in (b"", b"x" * 100_000, bytes(range(256))):
        place.chmod(0o644)
        place.write_bytes(data)
        said = Said(damaged.repo.path)
        assert {"src/b.py:10", "src/b.py:15"} <= said.compared()
