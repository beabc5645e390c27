"""No setting of git, the user's or the repository's, changes an answer; where history fails, a run says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pincite

TOP = Path(__file__).resolve().parents[3]
SETTINGS = {
    "missing revs file": "blame.ignoreRevsFile=.git-blame-ignore-revs",
    "revs file": "blame.ignoreRevsFile={revs} blame.markIgnoredLines=true blame.markUnblamableLines=true",
    "blame": "blame.showEmail=true blame.blankBoundary=true blame.showRoot=true blame.coloring=highlightRecent",
    "renames": "diff.renames=false diff.renameLimit=1 merge.renames=false status.renames=false",
    "copies": "diff.renames=copies diff.algorithm=patience diff.indentHeuristic=false",
    "prefixes": "diff.noprefix=true diff.mnemonicPrefix=true diff.srcPrefix=x/ diff.dstPrefix=y/ diff.relative=true",
    "context": "diff.context=20 diff.interHunkContext=50 diff.suppressBlankEmpty=true diff.wsErrorHighlight=all",
    "colour": "color.ui=always color.diff=always color.status=always diff.colorMoved=zebra",
    "order": "diff.orderFile={missing}",
    "log": "log.showSignature=true log.decorate=full log.abbrevCommit=true log.follow=true log.showRoot=false",
    "merges": "log.diffMerges=off log.date=human",
    "format": "format.pretty=oneline format.notes=true notes.displayRef=*",
    "names": "core.quotePath=true core.precomposeUnicode=true core.abbrev=4",
    "attributes": "core.attributesFile={attributes}",
    "big files": "core.bigFileThreshold=1",
    "encodings": "i18n.logOutputEncoding=UTF-16 i18n.commitEncoding=latin1",
    "excludes": "core.excludesFile={excludes}",
    "status": "core.checkStat=minimal core.trustctime=false status.showUntrackedFiles=no",
    "submodules": "diff.ignoreSubmodules=all diff.submodule=log submodule.recurse=true",
}


def as_file(settings: str) -> str:
    """Settings as git keeps them."""
    pairs = (setting.partition("=")[::2] for setting in settings.split())
    return "".join(f"[{name.partition('.')[0]}]\n\t{name.partition('.')[2]} = {value}\n" for name, value in pairs)


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "XDG_"))}
    env = {**kept, "PYTHONPATH": str(TOP / "src"), "NO_COLOR": "1", "LC_ALL": "C.UTF-8", **more}
    command = [sys.executable, "-m", "pincite", *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False)


def answer(folder: Path, *paths: str, **more: str) -> tuple[int, list[tuple[Any, ...]], str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("XDG_CONFIG_HOME", raising=False)
        for name, value in more.items():
            patch.setenv(name, value)
        found = pincite.check([folder / path for path in paths], root=folder, strict=True)
    rows = [
        (report.document, verdict.line, verdict.outcome.label, [finding.check for finding in verdict.findings])
        for report in found.reports
        for verdict in report.verdicts
    ]
    return found.exit_code, rows, found.summary.drift


@pytest.fixture
def changed(repository: Any) -> Any:
    made = repository
    code = "".join(f"line {number} of the code\n" for number in range(1, 41))
    made.commit({"a.py": code, "b.py": code.replace("line", "row"), "gone.py": code.replace("line", "word")})
    made.commit({"d.md": "One. 【F:a.py†L3】\n", "ü e.md": "Two. 【F:b.py†L9-L10】\n\nThree. 【F:gone.py†L5】\n"})
    made.commit({"a.py": "new first line\n" + code, "b.py": code.replace("line", "row").replace("row 9", "row nine")})
    made.git("mv", "gone.py", "there.py")
    made.commit({"d.md": "One. 【F:a.py†L3】\n\nMore.\n"})
    made.write("new.md", "Four. 【F:no.py†L1】\n")
    return made


@pytest.mark.parametrize("name", SETTINGS)
def test_no_setting_changes_an_answer(changed: Any, tmp_path: Path, name: str) -> None:
    for key, text in (
        ("revs", changed.git("rev-list", "HEAD")),
        ("attributes", "* binary -diff"),
        ("excludes", "*.md"),
    ):
        (tmp_path / key).write_text(f"{text}\n")
    places = {key: tmp_path / key for key in ("revs", "attributes", "excludes", "missing")}
    text = as_file(SETTINGS[name].format(**places))
    for home in ("plain", "hostile", "hostile/git"):
        (tmp_path / home).mkdir()
    (tmp_path / "hostile/.gitconfig").write_text(text)
    (tmp_path / "hostile/git/config").write_text(text)
    config = changed.path / ".git/config"
    before = config.read_text()
    # Few documents are blamed, many are looked up in the log.
    for paths in ((), ("d.md", "ü e.md")):
        expected = answer(changed.path, *paths, HOME=str(tmp_path / "plain"))
        assert expected[0] == 1
        assert {outcome for _, _, outcome, _ in expected[1]} >= {"moved", "mismatch"}
        assert expected[2] == ""
        assert answer(changed.path, *paths, HOME=str(tmp_path / "hostile")) == expected
        assert answer(changed.path, *paths, XDG_CONFIG_HOME=str(tmp_path / "hostile")) == expected
        config.write_text(before + text)
        assert answer(changed.path, *paths, HOME=str(tmp_path / "plain")) == expected
        config.write_text(before)


def test_grafts_and_replacements_change_nothing(changed: Any, tmp_path: Path) -> None:
    expected = answer(changed.path, HOME=str(tmp_path))
    head, first = changed.git("rev-parse", "HEAD"), changed.git("rev-list", "--max-parents=0", "HEAD")
    changed.git("replace", "--graft", head, first)
    (changed.path / ".git/info/grafts").write_text(f"{head} {first}\n")
    try:
        assert answer(changed.path, HOME=str(tmp_path)) == expected
    finally:
        changed.git("replace", "-d", head)
        (changed.path / ".git/info/grafts").unlink()


def test_a_repository_of_another_user_counts_where_the_user_says_so(repository: Any, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    repository.commit({"a.py": "x\n", "d.md": "One. 【F:a.py†L1】\n"})
    for folder, folders, files in os.walk(repository.path):
        for name in (*folders, *files):
            os.chown(os.path.join(folder, name), 12345, 12345)
    os.chown(repository.path, 12345, 12345)
    home = tmp_path / "home"
    home.mkdir()
    refused = run(repository.path, "check", "--no-cache", HOME=str(home))
    assert (refused.returncode, "safe.directory" in refused.stderr) == (2, True)
    (home / ".gitconfig").write_text(f"[safe]\n\tdirectory = {repository.path}\n")
    done = run(repository.path, "check", "--no-cache", "--strict", HOME=str(home))
    assert (done.returncode, "it holds" in done.stdout, "Not compared" in done.stdout) == (0, True, False)


# Where history fails


def broken(repository: Any, how: str, tmp_path: Path) -> Path:
    """A repository whose history cannot be read."""
    repository.commit({"a.py": "x\ny\n", "d.md": "One. 【F:a.py†L1】 Two. 【F:a.py†L2】\n", "e.md": "Plain. `a.py`\n"})
    repository.commit({"b.py": "x\n"})
    git = repository.path / ".git"
    if how == "shallow":
        repository.git("clone", "-q", "--depth=1", f"file://{repository.path}", str(tmp_path / "clone"))
        return tmp_path / "clone"
    if how == "alternates":
        (git / "objects/info/alternates").write_text("/nowhere/objects\n")
    elif how == "bad setting":
        with (git / "config").open("a") as config:
            config.write("[core]\n\tbigFileThreshold = nonsense\n")
    elif how == "lost objects":
        for folder in (git / "objects").iterdir():
            for file in folder.iterdir() if len(folder.name) == 2 else ():
                file.unlink()
    return Path(repository.path)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("how", ["shallow", "alternates", "lost objects"])
def test_history_that_fails_for_all_citations_fails_a_strict_run(
    repository: Any, tmp_path: Path, how: str, jobs: str
) -> None:
    place = broken(repository, how, tmp_path)
    for _ in range(2):  # The second run may answer from what the first one kept.
        for paths in ((), ("d.md",)):
            done = run(place, "check", "--jobs", jobs, *paths)
            assert done.returncode == 0, done.stdout + done.stderr
            assert "2 unchecked" in done.stdout
            assert "Not compared with history: all 2 citations" in done.stdout
            strict = run(place, "check", "--strict", "--jobs", jobs, *paths)
            assert strict.returncode == 1, strict.stdout
            assert "Not compared with history: all 2 citations" in strict.stdout
    if how == "alternates":
        assert "history not used" in run(place, "check").stdout


def test_history_that_fails_for_some_citations_does_not(repository: Any, tmp_path: Path) -> None:
    place = broken(repository, "shallow", tmp_path)
    (place / "f.md").write_text("Three. 【F:b.py†L1】\n", encoding="utf-8")
    done = run(place, "check", "--strict")
    assert done.returncode == 0, done.stdout
    assert "Not compared with history: 2 citations, because this clone is shallow" in done.stdout
    assert run(place, "check", "--strict").returncode == 0


def test_no_repository_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x\n")
    (tmp_path / "d.md").write_text("One. 【F:a.py†L1】\n", encoding="utf-8")
    assert run(tmp_path, "check", "--strict").returncode == 0


def test_a_repository_without_git_is_one(repository: Any, tmp_path: Path) -> None:
    repository.commit({"a.py": "x\n", "d.md": "One. 【F:a.py†L1】\n"})
    for _ in range(2):
        done = run(repository.path, "check", "--strict", PATH=str(tmp_path))
        assert done.returncode == 1
        assert "Not compared with history: git is not installed" in done.stdout
    assert run(repository.path, "check", "--strict").returncode == 0


def test_since_says_that_history_is_not_used(repository: Any, tmp_path: Path) -> None:
    place = broken(repository, "alternates", tmp_path)
    done = run(place, "check", "--since", "HEAD")
    assert (done.returncode, "history not used" in done.stderr) == (2, True)


def test_a_permalink_into_borrowed_objects_is_not_checked(make_repository: Callable[..., Any]) -> None:
    victim = make_repository("victim")
    commit = victim.commit({"a.py": "a secret\n"})
    thief = make_repository("thief")
    link = f"https://github.com/o/n/blob/{commit}/a.py#L1"
    thief.commit({"d.md": f"One ({link}).\n", "pincite.toml": 'repository = "o/n"\n'})
    (thief.path / ".git/objects/info/alternates").write_text(f"{victim.path}/.git/objects\n")
    done = run(thief.path, "check", "--no-cache")
    assert "1 unchecked" in done.stdout, done.stdout + done.stderr
    assert "secret" not in done.stdout
    assert "history not used" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere two such names may be one file")
def test_ignore_case_hides_no_document(repository: Any) -> None:
    repository.commit({".gitignore": "notes.md\n/drafts/\n"})
    repository.git("config", "core.ignoreCase", "true")
    for name in ("NOTES.md", "Drafts/a.md"):
        repository.write(name, "Gone. 【F:src/gone.py†L1】\n")
    repository.write("notes.md", "This one is ignored. 【F:src/gone.py†L1】\n")
    assert repository.git("status", "--porcelain") == "", "git itself is meant to take them for ignored"
    code, rows, _ = answer(repository.path)
    assert (code, [row[0] for row in rows]) == (1, ["Drafts/a.md", "NOTES.md"])
