"""`--since` keeps what a change could have affected: what a citation rests on decides, not how it is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pincite.core.model import Report
from pincite.engine.run import Request, Run
from pincite.project.config import load_config
from pincite.safe.files import Root

CODE = "".join(f"value_{number} = compute({number})\n" for number in range(1, 21))
SHORT = "only = 1\n"
SYMBOL = "def start():\n    return 1\n\n\ndef stop():\n    return 2\n"


def found(path: Path, since: str = "") -> set[tuple[str, str, str]]:
    """Every finding: document, check and citation."""
    with Root(str(path)) as root:
        run = Run(root, Request(config=load_config(str(path))[0], since=since, cache=False))
        return {name for report in run.reports() for name in names(report)}


def names(report: Report) -> set[tuple[str, str, str]]:
    verdicts = {
        (report.document, finding.check, one.citation.raw) for one in report.verdicts for finding in one.findings
    }
    bad = {(report.document, "malformed-citation", one.malformed.raw) for one in report.malformed}
    return verdicts | bad


def link(name: str, target: str) -> Callable[[Any], None]:
    return lambda repo: (repo.path / name).symlink_to(target)


def write(name: str, text: str) -> Callable[[Any], None]:
    def act(repo: Any) -> None:
        place = repo.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    return act


def git(*words: str) -> Callable[[Any], None]:
    return lambda repo: repo.git(*words)


def relink(name: str, target: str) -> Callable[[Any], None]:
    def act(repo: Any) -> None:
        (repo.path / name).unlink()
        (repo.path / name).symlink_to(target)

    return act


def remove(name: str) -> Callable[[Any], None]:
    return lambda repo: (repo.path / name).unlink()


PAPER = "---\nref: REF-001\ntitle: A Paper\nauthors: [A. Author]\nyear: 2020\ntotal_pages: 10\n---\n\n# A Paper\n"
OTHER = PAPER.replace("REF-001", "REF-002")
MEMORY = "---\nid: m\ncitations:\n  - path: {}\n    line: 20\n    snippet: compute(20)\n---\n\nText.\n"
SHRINK = write("src/a.py", SHORT)
TWO = CODE.replace("compute", "other")

# name: document, what else there is before, what is done before the first commit, and the change.
FORMS: dict[str, tuple[str, dict[str, str], list[Callable[[Any], None]], list[Callable[[Any], None]]]] = {
    "plain": ("See 【F:src/a.py†L20】\n", {}, [], [SHRINK]),
    "dot": ("See 【F:./src/a.py†L20】\n", {}, [], [SHRINK]),
    "dots": ("See 【F:src/../src/a.py†L20】\n", {}, [], [SHRINK]),
    "double slash": ("See 【F:src//a.py†L20】\n", {}, [], [SHRINK]),
    "inner dot": ("See 【F:src/./a.py†L20】\n", {}, [], [SHRINK]),
    "link with dots": ("See [it](./src/./a.py#L20).\n", {}, [], [SHRINK]),
    "encoded link": ("See [it](src/%61.py#L20).\n", {}, [], [SHRINK]),
    "reference link": ("See [it][r].\n\n[r]: src/a.py#L20\n", {}, [], [SHRINK]),
    "linked file": ("See 【F:alias.py†L20】\n", {}, [link("alias.py", "src/a.py")], [SHRINK]),
    "linked folder": ("See 【F:lib/a.py†L20】\n", {}, [link("lib", "src")], [SHRINK]),
    "chain of links": (
        "See 【F:one.py†L20】\n",
        {},
        [link("one.py", "two.py"), link("two.py", "src/a.py")],
        [SHRINK],
    ),
    "link led elsewhere": (
        "See 【F:alias.py†L20】\n",
        {"src/b.py": SHORT},
        [link("alias.py", "src/a.py")],
        [relink("alias.py", "src/b.py")],
    ),
    "link led out": (
        "See 【F:alias.py†L20】\n",
        {},
        [link("alias.py", "src/a.py")],
        [relink("alias.py", "/nonexistent/a.py")],
    ),
    "folder link led elsewhere": (
        "See 【F:lib/a.py†L20】\n",
        {"old/a.py": SHORT},
        [link("lib", "src")],
        [relink("lib", "old")],
    ),
    "file became a link": (
        "See 【F:src/a.py†L20】\n",
        {"src/b.py": SHORT},
        [],
        [remove("src/a.py"), link("src/a.py", "b.py")],
    ),
    "folder became a link": (
        "See 【F:src/a.py†L20】\n",
        {"old/a.py": SHORT},
        [],
        [lambda repo: (repo.path / "src").rename(repo.path / "away"), link("src", "old")],
    ),
    "linked document": (
        "nothing here\n",
        {"notes.inc": "See 【F:src/a.py†L20】\n"},
        [link("n.md", "notes.inc")],
        [write("notes.inc", "See 【F:src/a.py†L99】\n")],
    ),
    "memory with dots": ("x\n", {".serena/memories/m.md": MEMORY.format("./src/../src/a.py")}, [], [SHRINK]),
    "memory through a link": (
        "x\n",
        {".serena/memories/m.md": MEMORY.format("alias.py")},
        [link("alias.py", "src/a.py")],
        [SHRINK],
    ),
    "symbol with dots": (
        "See `./src/s.py::stop`.\n",
        {"src/s.py": SYMBOL},
        [],
        [write("src/s.py", "def start():\n    return 1\n")],
    ),
    "symbol through a link": (
        "See `alias.py::stop`.\n",
        {"src/s.py": SYMBOL},
        [link("alias.py", "src/s.py")],
        [write("src/s.py", "def start():\n    return 1\n")],
    ),
    "permalink of main": ("See https://github.com/o/r/blob/main/src/a.py#L20\n", {}, [], [SHRINK]),
    "encoded permalink": ("See https://github.com/o/r/blob/main/src/%61.py#L20\n", {}, [], [SHRINK]),
    "permalink of a branch": (
        "See https://github.com/o/r/blob/dev/src/a.py#L20\n",
        {},
        [git("config", "user.name", "t")],
        [SHRINK, git("commit", "-qam", "short"), git("branch", "-f", "dev"), write("src/a.py", CODE)],
    ),
    "ignored source": (
        "See 【F:made/a.py†L20】\n",
        {".gitignore": "made/\n"},
        [write("made/a.py", CODE)],
        [write("made/a.py", SHORT)],
    ),
    "ignored source that went": (
        "See 【F:made/a.py†L20】\n",
        {".gitignore": "made/\n"},
        [write("made/a.py", CODE)],
        [remove("made/a.py")],
    ),
    "source that is neither ignored nor there any more": (
        "See 【F:made/a.py†L20】\n",
        {".gitignore": "made/\n"},
        [write("made/a.py", CODE)],
        [remove("made/a.py"), write(".gitignore", "")],
    ),
    "assumed unchanged": (
        "See 【F:src/a.py†L20】\n",
        {},
        [],
        [git("update-index", "--assume-unchanged", "src/a.py"), SHRINK],
    ),
    "skipped work tree": (
        "See 【F:src/a.py†L20】\n",
        {},
        [],
        [git("update-index", "--skip-worktree", "src/a.py"), SHRINK],
    ),
    "corpus folder setting": (
        "Said [REF-001].\n",
        {"papers/REF-001-a.md": PAPER, "pincite.toml": '[corpus]\npath = "papers"\n', "other/x.txt": "x\n"},
        [],
        [write("pincite.toml", '[corpus]\npath = "other"\n')],
    ),
    "paper that went": (
        "Said [REF-001].\n",
        {".aiwg/research/corpus/REF-001-a.md": PAPER, ".aiwg/research/corpus/REF-002-b.md": OTHER},
        [],
        [remove(".aiwg/research/corpus/REF-001-a.md")],
    ),
    "second file of a paper": (
        "Said [REF-001].\n",
        {".aiwg/research/corpus/REF-001-a.md": PAPER},
        [],
        [write(".aiwg/research/corpus/REF-001-b.md", PAPER)],
    ),
    "fewer pages": (
        "Said [REF-001, p.9].\n",
        {".aiwg/research/corpus/REF-001-a.md": PAPER},
        [],
        [write(".aiwg/research/corpus/REF-001-a.md", PAPER.replace("10", "5"))],
    ),
    "bibliography": (
        "Said [@one].\n",
        {".aiwg/research/corpus/refs.bib": "@book{one,title={A},year=2020}\n"},
        [],
        [write(".aiwg/research/corpus/refs.bib", "@book{two,title={A},year=2020}\n")],
    ),
    "name of two files": (
        "See [guide.md, §Setup].\n",
        {"docs/guide.md": "# Setup\n"},
        [],
        [write("o/guide.md", "#\n")],
    ),
    "heading that went": (
        "See [guide.md, §Setup].\n",
        {"docs/guide.md": "# Setup\n"},
        [],
        [write("docs/guide.md", "# Other\n")],
    ),
    "check not ignored any more": (
        "See 【F:src/no.py†L20】\n",
        {"pincite.toml": 'ignore = ["file-not-found"]\n'},
        [],
        [write("pincite.toml", "ignore = []\n")],
    ),
    "document not excluded any more": (
        "See 【F:src/no.py†L20】\n",
        {"pincite.toml": 'exclude = ["d.md"]\n'},
        [],
        [write("pincite.toml", "exclude = []\n")],
    ),
    "undone in history": (
        "See 【F:src/a.py†L3】\n",
        {},
        [],
        [
            write("src/a.py", TWO),
            write("d.md", "See it: 【F:src/a.py†L3】\n"),
            git("commit", "-qam", "both"),
            write("d.md", "See 【F:src/a.py†L3】\n"),
            git("commit", "-qam", "undo one"),
            write("src/a.py", CODE),
            git("commit", "-qam", "undo the other"),
        ],
    ),
    "path that came and went": (
        "See lib/x.py:3 there.\n",
        {},
        [],
        [
            write("lib/x.py", CODE),
            git("add", "lib/x.py"),
            git("commit", "-qm", "came"),
            git("rm", "-q", "lib/x.py"),
            git("commit", "-qm", "went"),
        ],
    ),
}


@pytest.fixture
def prepared(make_repository: Callable[..., Any]) -> Callable[[str], Any]:
    def prepare(name: str) -> Any:
        document, files, before, _ = FORMS[name]
        repo = make_repository()
        repo.git("remote", "add", "origin", "https://github.com/o/r.git")
        repo.commit({"d.md": document, "src/a.py": CODE, **files})
        repo.git("branch", "dev")
        for act in before:
            act(repo)
        repo.git("add", "-A")
        repo.git("commit", "-q", "--allow-empty", "-m", "base")
        repo.git("branch", "-f", "dev")
        repo.git("tag", "base")
        return repo

    return prepare


@pytest.mark.parametrize("name", FORMS)
def test_what_a_change_breaks_is_kept_however_it_is_cited(name: str, prepared: Callable[[str], Any]) -> None:
    repo = prepared(name)
    before = found(repo.path)
    for act in FORMS[name][3]:
        act(repo)
    broken = found(repo.path) - before
    assert broken, "the change is meant to break something"
    assert broken <= found(repo.path, "base")


def test_what_a_change_cannot_have_affected_is_left_out(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    corpus = {".aiwg/research/corpus/REF-001-a.md": PAPER}
    repo.commit(
        {
            "d.md": "Gone 【F:src/gone.py†L1】, past 【F:src/a.py†L99】, [REF-009], [REF-001, p.99], [no.md, §X].\n",
            "src/a.py": CODE,
            "src/b.py": CODE,
            **corpus,
        }
    )
    repo.git("tag", "base")
    assert len(found(repo.path)) >= 4
    repo.commit({"src/b.py": SHORT, "e.md": "Fine. 【F:src/a.py†L3】\n", ".aiwg/research/corpus/REF-002-b.md": OTHER})
    assert found(repo.path, "base") == set()


def test_a_baseline_that_forgets_a_finding_has_it_reported_again(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"d.md": "Gone 【F:src/gone.py†L1】\n", "known": "0123456789abcdef  # something\n"})
    repo.git("tag", "base")
    (repo.path / "known").write_text("")
    with Root(str(repo.path)) as root:
        run = Run(root, Request(since="base", cache=False, baseline="known"))
        assert [report.document for report in run.reports()] == ["d.md"]


def test_a_submodule_is_never_taken_to_be_as_it_was(make_repository: Callable[..., Any]) -> None:
    inner = make_repository("inner")
    inner.commit({"a.py": CODE})
    repo = make_repository("outer")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    repo.commit({"d.md": "See 【F:sub/a.py†L20】\n"})
    repo.git("tag", "base")
    before = found(repo.path)
    (repo.path / "sub/a.py").write_text(SHORT)
    broken = found(repo.path) - before
    assert broken
    assert broken <= found(repo.path, "base")


@pytest.mark.parametrize("damage", ["edited", "gone", "second"])
def test_a_damaged_bundle_is_kept(damage: str, make_repository: Callable[..., Any]) -> None:
    text = "one\ntwo\n"
    digest = sha256(text.encode()).hexdigest()
    chunk = {"id": digest[:6], "digest": digest, "file": f"{digest[:12]}.txt", "bytes": 8, "lines": 2, "masked": 0}
    chunk |= {"external": False, "occurrences": [{"origin": "run", "command": ["make"], "exitCode": 0}]}
    bundle = json.dumps({"version": 1, "chunks": [chunk]})
    repo = make_repository()
    repo.commit({"d.md": f"Said. 【{digest[:6]}†L1】\n", "b/pincite-bundle.json": bundle, f"b/{digest[:12]}.txt": text})
    repo.git("tag", "base")
    assert found(repo.path) == set()
    if damage == "edited":
        (repo.path / f"b/{digest[:12]}.txt").write_text("one\n2\n")
    elif damage == "gone":
        (repo.path / "b/pincite-bundle.json").unlink()
    else:
        (repo.path / "b/pincite-bundle.json").write_text(bundle.replace(f"{digest[:12]}.txt", "0123456789ab.txt"))
    assert found(repo.path)
    assert found(repo.path, "base") == found(repo.path)


def test_a_changed_pdf_that_a_corpus_file_declares_is_kept(
    make_repository: Callable[..., Any], make_pdf: Callable[..., bytes]
) -> None:
    repo = make_repository()
    paper = PAPER.replace("---\n\n", "pdf: ../../../pdfs/one.pdf\n---\n\n", 1)
    repo.commit(
        {
            "d.md": 'It says "nine quick foxes jump over the lazy dogs" [REF-001, p.1].\n',
            ".aiwg/research/corpus/REF-001-a.md": paper.replace("total_pages: 10", "total_pages: 1"),
            "pdfs/one.pdf": make_pdf(("nine quick foxes jump over the lazy dogs",)),
        }
    )
    repo.git("tag", "base")
    before = found(repo.path)
    (repo.path / "pdfs/one.pdf").write_bytes(make_pdf(("nothing of this kind stands here any more",)))
    broken = found(repo.path) - before
    assert broken
    assert broken <= found(repo.path, "base")


def test_lines_that_moved_to_a_file_and_are_not_there_any_more_are_kept(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"d.md": "See 【F:src/a.py†L16】\n", "src/a.py": CODE, "src/b.py": SHORT})
    rows = CODE.splitlines(keepends=True)
    repo.commit({"src/a.py": "".join(rows[:5]), "src/b.py": SHORT + "".join(rows[5:])})
    repo.git("tag", "base")
    before = found(repo.path)
    assert {check for _, check, _ in before} == {"lines-moved"}
    (repo.path / "src/b.py").write_text(SHORT)
    broken = found(repo.path) - before
    assert broken
    assert broken <= found(repo.path, "base")
