"""Citations of other repositories: followed from what their author saw, repaired, stored, and left alone otherwise."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.model import Safety
from pincite.doors.cli.main import main
from pincite.engine.run import Request, Run
from pincite.safe.files import Root
from support_fixes import find_fixes
from support_mirrors import CODE, NAME, SHIFTED, MirroredPair

LINK = "https://github.com/other/name/blob/main/src/a.py"
SETTLED = 0.05
Told = list[tuple[str, str, str]]


@pytest.fixture
def pair(make_repository: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MirroredPair:
    made = MirroredPair(make_repository, tmp_path)
    monkeypatch.setenv("PINCITE_MIRRORS", str(made.folder))
    made.publish(1, {"src/a.py": CODE})
    return made


def tell(pair: MirroredPair, cache: bool = False, jobs: int = 1) -> Told:
    """Every citation with its outcome, and what its first finding makes of it."""
    with Root(str(pair.here.path)) as root:
        run = Run(root, Request(every=True, cache=cache, jobs=jobs))
        told = []
        for report in run.reports():
            for verdict in report.verdicts:
                edit = next((one.edit for one in verdict.findings if one.edit is not None), None)
                told.append((verdict.citation.raw, verdict.outcome.label, edit.replacement if edit else ""))
        return told


def find_edits(pair: MirroredPair) -> list[Safety]:
    with Root(str(pair.here.path)) as root:
        reports = Run(root, Request(cache=False)).reports()
        return [one.edit.safety for report in reports for row in report.verdicts for one in row.findings if one.edit]


def test_lines_are_followed_from_the_state_at_the_time_of_the_citation(pair: MirroredPair) -> None:
    pair.publish(5, {"src/a.py": SHIFTED})
    pair.cite(10, f"It multiplies: {LINK}#L8 does.\n")
    pair.publish(20, {"src/a.py": f"# Three\n{SHIFTED}"})
    # Line 8 is what was there at hour 10, when two lines had come already.
    assert SHIFTED.split("\n")[7] == CODE.split("\n")[5]
    assert tell(pair) == [(f"{LINK}#L8", "moved", f"{LINK}#L9")]


def test_the_line_that_cites_counts_not_the_document(pair: MirroredPair) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L6 does.\n")
    pair.publish(5, {"src/a.py": SHIFTED})
    pair.cite(10, f"It multiplies: {LINK}#L6 does.\n\nIt also adds: {LINK}#L8 does.\n")
    assert tell(pair) == [(f"{LINK}#L6", "moved", f"{LINK}#L8"), (f"{LINK}#L8", "holds", "")]


def test_a_repair_makes_it_hold_and_the_next_one_finds_nothing(pair: MirroredPair) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L6 does.\n\nSo does `other/name:src/a.py:10-11`, further below.\n")
    pair.publish(10, {"src/a.py": SHIFTED})
    (pair.there.path / "lib").mkdir()
    pair.there.git("mv", "src/a.py", "lib/b.py")
    pair.publish(20)
    with Root(str(pair.here.path)) as root:
        (fix,) = find_fixes(root, list(Run(root, Request(cache=False)).reports()))
        pair.here.write("doc.md", fix.new)
        assert not fix.left
    assert fix.new.decode().count("lib/b.py") == 2
    assert [outcome for _, outcome, _ in tell(pair)] == ["holds", "holds"]
    pair.commit(pair.here, 30)
    assert [outcome for _, outcome, _ in tell(pair)] == ["holds", "holds"]


def test_text_that_came_minutes_later_by_another_clock_was_seen(pair: MirroredPair) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L8 does.\n")
    pair.publish(2 + 4 / 60, {"src/a.py": SHIFTED})
    assert tell(pair) == [(f"{LINK}#L8", "holds", "")]
    pair.publish(20, {"src/a.py": f"# Three\n{SHIFTED}"})
    assert tell(pair) == [(f"{LINK}#L8", "moved", f"{LINK}#L9")]
    assert find_edits(pair) == [Safety.UNSAFE]


def test_what_was_rebased_may_have_been_written_against_an_older_state(pair: MirroredPair) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L6 does.\n")
    pair.publish(5, {"src/a.py": SHIFTED})
    pair.here.clock = 1_700_000_000 + 10 * 3600
    pair.here.git("commit", "-q", "--amend", "--no-edit", "--date", f"{1_700_000_000 + 2 * 3600} +0000")
    pair.publish(20, {"src/a.py": CODE})
    assert tell(pair) == [(f"{LINK}#L6", "holds", "")]


def test_an_edit_within_the_hour_needs_a_reader(pair: MirroredPair) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L6 does.\n")
    pair.publish(2.5, {"src/a.py": SHIFTED})
    assert find_edits(pair) == [Safety.UNSAFE]


def test_a_sentence_that_names_another_line_needs_a_reader(pair: MirroredPair) -> None:
    pair.cite(2, f"The value is `offset_7`: see {LINK}#L6.\n")
    pair.publish(20, {"src/a.py": SHIFTED})
    assert find_edits(pair) == [Safety.UNSAFE]


def test_a_place_says_in_which_repository_it_is(pair: MirroredPair) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L6 does.\n")
    pair.publish(20, {"src/a.py": SHIFTED})
    with Root(str(pair.here.path)) as root:
        (report,) = Run(root, Request(cache=False)).reports()
    (finding,) = report.verdicts[0].findings
    assert finding.place is not None
    assert finding.place.path == f"{NAME}:src/a.py"
    assert report.verdicts[0].seen is not None
    assert report.verdicts[0].seen.path == f"{NAME}:src/a.py"
    assert report.compared == 1


def test_without_history_here_nothing_is_compared(pair: MirroredPair, tmp_path: Path) -> None:
    bare = tmp_path / "plain"
    bare.mkdir()
    (bare / "doc.md").write_text(f"It multiplies: {LINK}#L8 and {LINK}#L999.\n")
    pair.publish(20, {"src/a.py": SHIFTED})
    with Root(str(bare)) as root:
        (report,) = Run(root, Request(every=True, cache=False)).reports()
    assert [row.outcome.label for row in report.verdicts] == ["holds", "missing"]


def test_a_branch_that_cannot_be_read_is_unchecked(pair: MirroredPair) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L6 does.\n")
    first = pair.there.git("rev-parse", "HEAD")
    pair.publish(20, {"src/a.py": SHIFTED})
    (pair.place / "objects" / first[:2] / first[2:]).unlink()
    assert tell(pair) == [(f"{LINK}#L6", "unchecked", "")]


def test_several_processes_say_the_same(pair: MirroredPair) -> None:
    for number in range(6):
        pair.cite(2, f"It multiplies: {LINK}#L{number + 2} does, and other/name:src/a.py:6 too.\n", f"{number}.md")
    pair.publish(20, {"src/a.py": SHIFTED})
    told = tell(pair)
    assert told == tell(pair, jobs=2)
    assert len(told) == 12


def test_a_stored_answer_stands_until_the_mirror_changes(pair: MirroredPair) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L6, other/name:src/a.py:10 and {LINK.replace('other', 'third')}#L999.\n")
    time.sleep(SETTLED)
    assert [outcome for _, outcome, _ in tell(pair, cache=True)] == ["holds", "holds"]
    pair.publish(20, {"src/a.py": SHIFTED})
    assert [outcome for _, outcome, _ in tell(pair, cache=True)] == ["moved", "moved"]
    pair.place.rename(pair.folder / "away")
    assert tell(pair, cache=True) == []
    (pair.folder / "away").rename(pair.place.with_name("name.git"))
    (pair.folder / "github.com/third").mkdir()
    (pair.folder / "github.com/third/name.git").symlink_to(pair.place)
    assert [outcome for _, outcome, _ in tell(pair, cache=True)] == ["moved", "moved", "missing"]


def test_a_stored_answer_is_one_to_this_folder_of_mirrors(
    pair: MirroredPair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L999.\n")
    time.sleep(SETTLED)
    assert len(tell(pair, cache=True)) == 1
    monkeypatch.setenv("PINCITE_MIRRORS", str(tmp_path / "none"))
    assert tell(pair, cache=True) == []
    monkeypatch.delenv("PINCITE_MIRRORS")
    assert tell(pair, cache=True) == []
    monkeypatch.setenv("PINCITE_MIRRORS", "mirrors")
    monkeypatch.chdir(tmp_path)
    assert len(tell(pair, cache=True)) == 1
    monkeypatch.chdir(pair.here.path)
    assert tell(pair, cache=True) == []


def test_a_run_knows_which_repositories_it_looked_at(pair: MirroredPair) -> None:
    pair.cite(2, f"See {LINK}#L6 and https://github.com/third/name/blob/main/x.py#L1 and fourth/name:a.py:3.\n")
    with Root(str(pair.here.path)) as root:
        run = Run(root, Request(cache=False))
        assert [report.verdicts for report in run.reports()] == [()]
    head = pair.there.git("rev-parse", "HEAD")
    assert run.others == {NAME: head, "github.com/third/name": "", "*/fourth/name": ""}


FOREIGN = """\
See https://github.com/other/name/blob/main/src/a.py#L999 and https://github.com/other/name/blob/abcdef1/gone.py.
Also `other/name:src/a.py:999`, other/name:src/a.py:9-3, third/name@v1:src/b.py#L3 and `src/b.py:2`, `:4`.
Images: other/name:latest:80 and ghcr.io/other/name:1.2:80; owner/name#12; github.com/other/name:src/b.py:1.
"""


def read_report(path: Path, *words: str) -> str:
    """The JSON of a check as it is written, without what differs between two runs."""
    out = path.parent / "report.json"
    with pytest.raises(SystemExit):
        main(["check", "--root", str(path), "--format", "json", "--no-cache", "--output", str(out), *words])
    report = json.loads(out.read_text())
    report["summary"].pop("seconds")
    for row in report["citations"]:
        (row["evidence"] or {}).pop("retrieved", None)
    return json.dumps(report)


def test_without_a_mirror_links_into_other_repositories_change_nothing(
    pair: MirroredPair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.commit(pair.here, 2, {"doc.md": FOREIGN * 20, "src/b.py": "one\ntwo\nthree\n", "x.py": f"# {FOREIGN}"})
    monkeypatch.delenv("PINCITE_MIRRORS")
    unset = read_report(pair.here.path)
    monkeypatch.setenv("PINCITE_MIRRORS", str(tmp_path / "none"))
    assert read_report(pair.here.path) == unset
    raws = {row["raw"] for row in json.loads(unset)["citations"]}
    assert raws == {"src/b.py#L3", "src/b.py:2", ":4", "src/b.py:1"}
    monkeypatch.setenv("PINCITE_MIRRORS", str(pair.folder))
    assert read_report(pair.here.path) != unset


def test_a_check_without_mirrors_loads_nothing_of_them(pair: MirroredPair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PINCITE_MIRRORS")
    pair.commit(pair.here, 2, {"doc.md": FOREIGN, "src/b.py": "one\ntwo\nthree\n"})
    code = """
import sys
from pincite.doors.cli.main import main
try:
    main(["check", "--no-cache"])
except SystemExit:
    print(*sorted(name for name in sys.modules if name.startswith("pincite.")), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=pair.here.path, capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "pincite.dialects.permalink" in loaded and "pincite.engine.drift.follow" in loaded
    new = ("mirror", "other_repositories", "branch_times", "folder_lock", "_repository_prefix")
    assert [name for name in loaded if any(part in name for part in new)] == []


def test_documents_that_wait_together_are_told_what_each_is_told_alone(pair: MirroredPair) -> None:
    for number in range(5):
        pair.cite(2, f"It multiplies: {LINK}#L{4 * number + 2} does.\n", f"{number}.md")
    pair.publish(20, {"src/a.py": SHIFTED})
    together = tell(pair)
    with Root(str(pair.here.path)) as root:
        run = Run(root, Request(every=True, cache=False))
        engine = run.engine()
        alone = [engine.check_bytes(f"{number}.md", root.read(f"{number}.md")) for number in range(5)]
        engine.close()
        run.close()
    edits = [one.edit.replacement for report in alone for row in report.verdicts for one in row.findings if one.edit]
    assert edits == [edit for _, _, edit in together]
    assert edits == [f"{LINK}#L{4 * number + 4}" for number in range(5)]


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code of a command, and all that it prints."""
    code = 0
    try:
        main(list(words))
    except SystemExit as end:
        code = int(end.code or 0)
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    return code, printed.out + printed.err


def test_other_commands_name_the_place_and_nothing_is_locked(
    pair: MirroredPair, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.cite(2, f"It multiplies: {LINK}#L6, and other/name:src/a.py:10 too.\n")
    pair.publish(20, {"src/a.py": SHIFTED})
    monkeypatch.chdir(pair.here.path)
    for typed in (f"{LINK}#L8", "other/name:src/a.py:8", f"{NAME}:src/a.py:8"):
        code, said = call(capsys, "show", typed)
        assert (code, said.split("\n")[0].partition(", sha")[0]) == (0, f"{NAME}:src/a.py, line 8 of 34")
    code, said = call(capsys, "show", "https://github.com/third/name/blob/main/a.py#L1")
    assert code == 2 and "points into another repository" in said
    assert f"{NAME}:src/a.py:6" in call(capsys, "list")[1]
    assert "0 citations locked" in call(capsys, "lock")[1]
    assert f'"path":"{NAME}:src/a.py"' in call(capsys, "check", "--format", "json")[1]
    for style in ("sarif", "html", "junit", "markdown", "github"):
        assert str(pair.folder) not in call(capsys, "check", "--format", style)[1]
    assert call(capsys, "fix", "--write")[0] == 0
    assert (pair.here.path / "doc.md").read_text() == f"It multiplies: {LINK}#L8, and other/name:src/a.py:12 too.\n"
    assert call(capsys, "check")[0] == 0


def test_settings_of_a_project_name_no_folder_of_mirrors(pair: MirroredPair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PINCITE_MIRRORS")
    pair.commit(pair.here, 2, {"doc.md": f"{LINK}#L999\n", ".env": f"PINCITE_MIRRORS={pair.folder}\n"})
    pair.here.git("config", "pincite.mirrors", str(pair.folder))
    assert tell(pair) == []
