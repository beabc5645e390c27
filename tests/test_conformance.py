"""Every case of `conformance/`: a small tree, and exactly what checking it must say.

A case is a folder with a `case.toml`:

    title       what the case shows
    args        further arguments of `pincite check`
    [files]     path to content; `hex:` before content that is no text; written last, after all commits
    [links]     path to the target of a symbolic link; `{root}` and `{outside}` stand for absolute folders
    [[commits]] `files`, `rename` (pairs) and `delete`, committed in order; `{commit1}` is the first commit's id,
                `{short1}` its first seven digits, wherever text can stand
    [[mirrors]] other repositories, in the folder that PINCITE_MIRRORS names: `name` (`github.com/owner/name`) and
                `commits` as above, each six hours before the commit of the same number, or at its `at`, with `links`,
                `tags` and `branches`; `{mirror1.commit1}` is an id, `{mirror1.short1}` its first digits. `depth` cuts
                history off, `damage` empties the folder of objects, `moved_to` (`{outside}`) leaves a link to a mirror
    [[captures]] output that was captured before anything else: `output` (text, or `hex:`), `command`, `code`, `given`
                (the id another tool gave it), `masked` (secrets hidden in it), `damage` (a byte of it changes
                afterwards); `{chunk1}` is the SHA-256 of the first one's first chunk, `{chunk1:8}` its first digits
    [[pdfs]]    PDFs that are written before the files: `path`, `pages` (the text of each), and where they matter
                `labels` (what each page is called), `outline` (rows of level from 0, title, page from 1), `title`,
                `encrypted`
    [[receipts]] receipts of earlier retrievals, written last: `ref`, `citation`, `page`, `passage`, `source` (a file;
                its digest is that of its bytes), and `damage` (a word of it changes afterwards)
    [expect]    `exit_code`, `citations`, `malformed`, `errors`, and whatever of `summary` is worth stating

A citation without `edit` must come without one, and no citation beside the expected ones may come. `pages`, `section`,
`quote`, `severity` (of the first finding), `safety` (of the edit) and `detail_contains` are compared where a case
states them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

import pytest

from pincite.doors.cli.main import main
from pincite.project.config import CorpusSettings
from pincite.safe.files import Root
from pincite.store.receipts import Receipt, keep_receipt

CASES = Path(__file__).resolve().parent.parent / "conformance"
FOLDERS = sorted(path.parent for path in CASES.glob("*/*/case.toml"))
PAPERS = ("corpus", "habit", "key", "key-quote", "ref")
RECEIPTS = CorpusSettings().receipts
STATED = ("pages", "section", "quote", "severity", "safety", "detail_contains")
"""What is compared only where a case says something about it."""
_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def load(folder: Path) -> dict:
    """The case as it is written."""
    return tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))


def build(
    case: dict, top: Path, captured: Callable[..., str], make_pdf: Callable[..., bytes] | None = None
) -> dict[str, str]:
    """Make the case's tree in `top/root`, beside `top/outside`; give what its placeholders stand for."""
    root, outside = top / "root", top / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "secret.txt").write_text("secret one\nsecret two\n")
    names = {"{root}": str(root), "{outside}": str(outside)}
    for number, capture in enumerate(case.get("captures", ()), 1):
        names[f"{{chunk{number}}}"] = _capture(capture, root, captured)
    for pdf in case.get("pdfs", ()):
        assert make_pdf is not None
        place = top / "root" / pdf["path"]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(make_pdf(**{key: value for key, value in pdf.items() if key != "path"}))
    for number, mirror in enumerate(case.get("mirrors", ()), 1):
        _make_mirror(mirror, number, top, names)
    for number, commit in enumerate(case.get("commits", ()), 1):
        if number == 1:
            _git(root, 0, "init", "-q", "-b", "main")
        _apply(commit, root, names)
        _git(root, number, "add", "-A")
        _git(root, number, "commit", "-q", "--allow-empty", "-m", f"commit {number}")
        name = _git(root, number, "rev-parse", "HEAD").strip()
        names[f"{{commit{number}}}"], names[f"{{short{number}}}"] = name, name[:7]
    _apply(case, root, names)
    for path, target in case.get("links", {}).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).symlink_to(fill(target, names))
    for receipt in case.get("receipts", ()):
        _keep(receipt, root)
    return names


def fill(text: str, names: dict[str, str]) -> str:
    """A text with its placeholders replaced."""
    text = re.sub(r"\{(chunk\d+):(\d+)\}", lambda match: names[f"{{{match[1]}}}"][: int(match[2])], text)
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def _capture(capture: dict, root: Path, captured: Callable[..., str]) -> str:
    """Store output as a run would have; the digest it is cited by."""
    written = capture["output"]
    output = bytes.fromhex(written[4:]) if written.startswith("hex:") else written.encode()
    before = set(root.glob(".pincite/output/*"))
    digest = captured(
        root,
        output,
        tuple(capture.get("command", ("make", "test"))),
        capture.get("code", 0),
        capture.get("given", ""),
        masked=capture.get("masked", 0),
    )
    if capture.get("damage"):
        (place,) = set(root.glob(".pincite/output/*")) - before
        data = place.read_bytes()
        place.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    return digest or sha256(output).hexdigest()


def _keep(given: dict, root: Path) -> None:
    """Leave a receipt as a retrieval would have."""
    values = {key: value for key, value in given.items() if key != "damage"}
    receipt = Receipt(
        created="2026-01-25T12:00:00Z",
        claim="a claim",
        digest=sha256((root / given["source"]).read_bytes()).hexdigest(),
        **values,
    )
    with Root(str(root)) as opened:
        key = keep_receipt(opened, RECEIPTS, receipt)
    if "damage" in given:
        old, new = given["damage"]
        place = root / key
        place.write_text(place.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def _apply(change: dict, root: Path, names: dict[str, str]) -> None:
    for old, new in change.get("rename", ()):
        (root / new).parent.mkdir(parents=True, exist_ok=True)
        (root / old).rename(root / new)
    for path in change.get("delete", ()):
        (root / path).unlink()
    for path, content in change.get("files", {}).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if content.startswith("hex:"):
            (root / path).write_bytes(bytes.fromhex(content[4:]))
        else:
            (root / path).write_bytes(fill(content, names).encode())


def _make_mirror(mirror: dict, number: int, top: Path, names: dict[str, str]) -> None:
    """Another repository with its commits, as a bare mirror of its own."""
    work = top / f"other{number}"
    work.mkdir()
    _git(work, 0, "init", "-q", "-b", mirror.get("branch", "main"))
    for at, commit in enumerate(mirror.get("commits", ()), 1):
        moment = commit.get("at", f"2026-01-{at + 1:02d}T06:00:00+00:00")
        _apply(commit, work, names)
        for path, target in commit.get("links", {}).items():
            (work / path).symlink_to(fill(target, names))
        _git(work, 0, "add", "-A")
        _git(work, 0, "commit", "-q", "--allow-empty", "-m", f"commit {at}", moment=moment)
        name = _git(work, 0, "rev-parse", "HEAD").strip()
        names[f"{{mirror{number}.commit{at}}}"], names[f"{{mirror{number}.short{at}}}"] = name, name[:7]
        for kind in ("tag", "branch"):
            for label in commit.get("tags" if kind == "tag" else "branches", ()):
                _git(work, 0, kind, label)
    place = top / "mirrors" / f"{mirror['name']}.git"
    place.parent.mkdir(parents=True, exist_ok=True)
    cut = (f"--depth={mirror['depth']}",) if "depth" in mirror else ()
    _git(work, 0, "clone", "-q", "--mirror", *cut, work.as_uri(), str(place))
    if mirror.get("damage"):
        rmtree(place / "objects")
        (place / "objects").mkdir()
    if "moved_to" in mirror:
        away = Path(fill(mirror["moved_to"], names)) / "mirror.git"
        place.rename(away)
        place.symlink_to(away)


def _git(root: Path, number: int, *words: str, moment: str = "") -> str:
    """Run git with a clock of its own, so that commits have the same ids everywhere."""
    moment = moment or f"2026-01-{number + 1:02d}T12:00:00+00:00"
    env = {**os.environ, **_GIT, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
    settings = ("-c", "core.autocrlf=false", "-c", "commit.gpgsign=false", "-c", "gc.auto=0")
    done = subprocess.run(["git", *settings, *words], cwd=root, env=env, capture_output=True, text=True, check=True)
    return done.stdout


def run(case: dict, top: Path) -> tuple[int, dict | None]:
    """The exit code and the JSON report of `pincite check` on the tree; no report where it was refused as a whole."""
    report = top / "report.json"
    code = 0
    words = ["check", "--root", str(top / "root"), "--format", "json", "--output", str(report), *case.get("args", ())]
    try:
        main(words)
    except SystemExit as end:
        code = int(end.code or 0)
    return code, json.loads(report.read_text(encoding="utf-8")) if report.exists() else None


def seen(report: dict) -> list[dict]:
    """The report's citations in the words of a case."""
    found = []
    for citation in report["citations"]:
        row = {key: citation[key] for key in ("document", "line", "raw", "dialect", "target", "outcome")}
        row["checks"] = [finding["check"] for finding in citation["findings"]]
        row["message"] = citation["findings"][0]["message"] if citation["findings"] else ""
        edit = next((f["edit"] for f in citation["findings"] if "edit" in f), {"replacement": "", "safety": ""})
        row["edit"], row["safety"] = edit["replacement"], edit["safety"]
        row["pages"], row["section"] = citation.get("pages"), citation.get("section", "")
        row["quote"] = citation["quote"] or ""
        row["severity"] = citation["findings"][0]["severity"] if citation["findings"] else ""
        row["detail_contains"] = citation["findings"][0].get("detail", "") if citation["findings"] else ""
        found.append(row)
    return found


def is_refusal(case: dict) -> bool:
    """Whether something must not pass: a finding worse than *holds*, a mistake, or words that are no citation."""
    expect = case["expect"]
    if expect.get("malformed") or expect.get("errors") or expect["exit_code"] == 2:
        return True
    citations = expect.get("citations", [])
    return not citations or any(citation["outcome"] != "holds" for citation in citations)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_case(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    captured: Callable[..., str],
    make_pdf: Callable[..., bytes],
) -> None:
    """The tree gives the expected report, no more and no less."""
    case = load(folder)
    expect = case["expect"]
    names = build(case, tmp_path, captured, make_pdf)
    monkeypatch.chdir(tmp_path / "root")
    if "mirrors" in case:
        monkeypatch.setenv("PINCITE_MIRRORS", str(tmp_path / "mirrors"))
    code, report = run(case, tmp_path)
    assert "Traceback" not in capsys.readouterr().err
    if report is None:
        assert (code, expect.get("citations")) == (expect["exit_code"], None)
        return
    wanted = [
        {"message": "", "edit": "", **{k: fill(v, names) if isinstance(v, str) else v for k, v in row.items()}}
        for row in expect.get("citations", ())
    ]
    got = seen(report)
    for want, have in zip(wanted, got, strict=False):
        if not want["message"]:
            have["message"] = ""
        for key in STATED:
            if key not in want:
                del have[key]
        if want.get("detail_contains", "\0") in have.get("detail_contains", ""):
            have["detail_contains"] = want["detail_contains"]
    assert got == wanted
    for rows, key, part in (
        (report["malformed"], "malformed", "reason"),
        (report["errors"], "errors", "message"),
    ):
        expected = expect.get(key, [])
        assert len(rows) == len(expected), rows
        for row, want in zip(rows, expected, strict=True):
            assert row["document"] == want["document"]
            assert row.get("line", 0) == want.get("line", 0)
            assert fill(want[f"{part}_contains"], names) in row[part]
    for key, value in expect.get("summary", {}).items():
        assert report["summary"][key] == value, key
    assert (code, report["summary"]["exit_code"]) == (expect["exit_code"], expect["exit_code"])
    assert "secret one" not in json.dumps(report)


def test_there_are_enough_cases_and_most_are_refusals() -> None:
    """At least 150 cases, at least 60 in 100 of which are things to refuse; every folder has some."""
    cases = [load(folder) for folder in FOLDERS]
    refusals = sum(map(is_refusal, cases))
    assert len(cases) >= 150
    assert refusals >= 0.6 * len(cases), f"{refusals} of {len(cases)}"
    folders = {folder.parent.name for folder in FOLDERS}
    assert folders >= {
        "memory",
        "bracket",
        "path-line",
        "link",
        "cite",
        "permalink",
        "drift",
        "path-safety",
        "ignore",
        "config",
        "capture",
        "section",
        "footnote",
        *PAPERS,
    }


def test_captured_output_has_enough_cases_of_its_own() -> None:
    """At least 45 of them, at least 60 in 100 of which are things to refuse."""
    cases = [load(folder) for folder in FOLDERS if folder.parent.name == "capture"]
    assert len(cases) >= 45
    assert sum(map(is_refusal, cases)) >= 0.6 * len(cases)


def test_drift_has_enough_cases_of_its_own() -> None:
    """At least 65 of them, at least 60 in 100 of which are things to refuse; what was edited is left to a reader."""
    cases = [load(folder) for folder in FOLDERS if folder.parent.name == "drift"]
    assert len(cases) >= 65
    assert sum(map(is_refusal, cases)) >= 0.6 * len(cases)
    rows = [row for case in cases for row in case["expect"].get("citations", ())]
    edited = [row for row in rows if row["outcome"] == "mismatch" and row.get("edit")]
    assert edited and all(row.get("safety") == "unsafe" for row in edited)


def test_styles_of_retrieval_have_enough_cases_of_their_own() -> None:
    """At least 40 of them, at least 60 in 100 of which are things to refuse; the rulings on them are named."""
    cases = [
        load(folder)
        for folder in FOLDERS
        if folder.parent.name in ("section", "footnote") or folder.match("link/address*")
    ]
    assert len(cases) >= 40
    assert sum(map(is_refusal, cases)) >= 0.6 * len(cases)
    assert {"R1", "R2"} <= set(re.findall(r"\bR\d+\b", " ".join(case["title"] for case in cases)))


def test_papers_have_enough_cases_of_their_own() -> None:
    """At least 120 of them, at least 60 in 100 of which are things to refuse; every ruling on them is named."""
    cases = [load(folder) for folder in FOLDERS if folder.parent.name in PAPERS]
    assert len(cases) >= 120
    assert sum(map(is_refusal, cases)) >= 0.6 * len(cases)
    titles = " ".join(case["title"] for case in cases)
    assert {f"C{number}" for number in (1, 2, 3, 4, 7, 8, 9, 10, 11, 12)} <= set(re.findall(r"\bC\d+\b", titles))


def test_titles_tell_cases_apart() -> None:
    """Every case of a folder says what it shows, in words of its own."""
    titles = [(folder.parent.name, load(folder)["title"]) for folder in FOLDERS]
    assert all(title for _, title in titles)
    assert len(set(titles)) == len(titles)
