"""A whole run: counts, exit codes, the cache, --since, the baseline and several processes give one honest answer."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.core.limits import Limits
from pincite.core.model import Report, Summary
from pincite.engine.run import Request, Run
from pincite.project.config import Config
from pincite.safe.files import Root
from pincite.safe.git_objects import Objects
from pincite.store.cache_folder import root_cache_path


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


CODE = "".join(f"value_{number} = compute({number})\n" for number in range(1, 21))
SETTLED = 0.05


def run(path: Path, **wishes: object) -> tuple[list[Report], Summary]:
    """All reports and the summary of one run."""
    with Root(str(path)) as root:
        one = Run(root, Request(**wishes))  # type: ignore[arg-type]
        return list(one.reports()), one.summary


def plain_tree(path: Path, documents: int = 3) -> None:
    (path / "src").mkdir(parents=True)
    (path / "src/app.py").write_text(CODE)
    for number in range(documents):
        (path / f"d{number}.md").write_text(f"Holds. 【F:src/app.py†L{number + 1}】 Gone. 【F:src/no{number}.py†L1】\n")
    time.sleep(SETTLED)


def outcomes(summary: Summary) -> dict[str, int]:
    return {name: count for name, count in summary.outcomes.items() if count}


def test_what_holds_is_counted_and_what_does_not_is_told(tmp_path: Path) -> None:
    plain_tree(tmp_path)
    reports, summary = run(tmp_path, cache=False)
    assert [report.document for report in reports] == ["d0.md", "d1.md", "d2.md"]
    assert outcomes(summary) == {"holds": 3, "missing": 3}
    assert (summary.documents, summary.citations, summary.errors, summary.exit_code) == (3, 6, 3, 1)
    assert not (tmp_path / ".pincite").exists()


def test_no_documents_is_not_an_error(tmp_path: Path) -> None:
    reports, summary = run(tmp_path, cache=False)
    assert (reports, summary.documents, summary.citations, summary.exit_code) == ([], 0, 0, 0)


@pytest.mark.parametrize("every", [False, True])
def test_a_second_run_says_the_same_without_reading(
    tmp_path: Path, every: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain_tree(tmp_path)
    first = run(tmp_path, every=every)
    read: list[str] = []
    monkeypatch.setattr(Root, "read", _spy(Root.read, read))
    second = run(tmp_path, every=every)
    assert second[0] == first[0]
    assert outcomes(second[1]) == outcomes(first[1])
    assert second[1].exit_code == first[1].exit_code
    assert [name for name in read if not name.startswith("check-")] == []


def test_only_what_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_tree(tmp_path)
    run(tmp_path)
    (tmp_path / "d1.md").write_text("Now it holds. 【F:src/app.py†L7】\n")
    read: list[str] = []
    monkeypatch.setattr(Root, "read", _spy(Root.read, read))
    _, summary = run(tmp_path)
    assert outcomes(summary) == {"holds": 3, "missing": 2}
    assert [name for name in read if name.endswith(".md")] == ["d1.md"]


def test_a_changed_source_stales_a_document_nobody_touched(tmp_path: Path) -> None:
    plain_tree(tmp_path)
    run(tmp_path)
    (tmp_path / "src/app.py").write_text("short\n")
    _, summary = run(tmp_path)
    assert outcomes(summary) == {"holds": 1, "missing": 5}


def test_a_source_that_appears_is_noticed(tmp_path: Path) -> None:
    plain_tree(tmp_path)
    run(tmp_path)
    (tmp_path / "src/no1.py").write_text("here now\n")
    _, summary = run(tmp_path)
    assert outcomes(summary) == {"holds": 4, "missing": 2}


def test_a_prose_reference_becomes_a_citation_when_its_file_appears(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("See lib/new.py:1 for more.\n")
    (tmp_path / "lib").mkdir()
    time.sleep(SETTLED)
    assert run(tmp_path)[1].citations == 0
    (tmp_path / "lib/new.py").write_text("text\n")
    assert run(tmp_path)[1].citations == 1


def test_new_and_deleted_documents_are_noticed(tmp_path: Path) -> None:
    plain_tree(tmp_path)
    run(tmp_path)
    (tmp_path / "d0.md").unlink()
    (tmp_path / "src/deep.md").write_text("Holds. 【F:src/app.py†L1】\n")
    _, summary = run(tmp_path)
    assert (summary.documents, outcomes(summary)) == (3, {"holds": 3, "missing": 2})


def test_a_change_that_keeps_size_and_time_is_noticed(tmp_path: Path) -> None:
    plain_tree(tmp_path)
    run(tmp_path)
    place = tmp_path / "d1.md"
    before = place.stat()
    place.write_text(place.read_text().replace("†L2", "†L0"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert place.stat().st_size == before.st_size
    _, summary = run(tmp_path)
    assert outcomes(summary) == {"holds": 2, "missing": 4}


def test_a_cache_that_is_damaged_is_not_believed(tmp_path: Path) -> None:
    plain_tree(tmp_path)
    first = run(tmp_path)[1]
    for name in list(kept(tmp_path).glob("check-*")):
        data = name.read_bytes()
        for damaged in (b"", data[:-9], data[: len(data) // 2], b"\xc1" * 40, data + b"x"):
            name.write_bytes(damaged)
            assert outcomes(run(tmp_path)[1]) == outcomes(first)


def test_a_folder_that_cannot_hold_a_cache_is_checked_all_the_same(tmp_path: Path) -> None:
    plain_tree(tmp_path)
    kept(tmp_path).parent.mkdir(0o700, parents=True, exist_ok=True)
    kept(tmp_path).symlink_to("/nonexistent")
    assert outcomes(run(tmp_path)[1]) == {"holds": 3, "missing": 3}


def test_the_cache_follows_commits(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": CODE, "a.md": "Said. 【F:src/app.py†L3】\n", "b.md": "Other. 【F:src/app.py†L5】\n"})
    time.sleep(SETTLED)
    assert outcomes(run(repo.path)[1]) == {"holds": 2}
    repo.commit({"src/app.py": "# new first line\n" + CODE})
    time.sleep(SETTLED)
    assert outcomes(run(repo.path)[1]) == {"moved": 2}
    repo.commit({"a.md": "Said anew. 【F:src/app.py†L3】\n"})
    time.sleep(SETTLED)
    warm = run(repo.path)[1]
    assert outcomes(warm) == outcomes(run(repo.path, cache=False)[1]) == {"holds": 1, "moved": 1}


def test_rewritten_history_starts_again(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": CODE, "a.md": "Said. 【F:src/app.py†L3】\n"})
    repo.commit({"src/app.py": "# new\n" + CODE})
    time.sleep(SETTLED)
    assert outcomes(run(repo.path)[1]) == {"moved": 1}
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit()
    time.sleep(SETTLED)
    assert outcomes(run(repo.path)[1]) == outcomes(run(repo.path, cache=False)[1]) == {"holds": 1}


def test_ignored_documents_are_left_out(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({".gitignore": "out/\n", "src/app.py": CODE, "a.md": "Said. 【F:src/app.py†L3】\n"})
    repo.write("out/b.md", "Gone. 【F:none.py†L3】\n")
    repo.write("c.md", "Untracked. 【F:src/app.py†L4】\n")
    _, summary = run(repo.path)
    assert (summary.documents, outcomes(summary)) == (2, {"holds": 2})
    time.sleep(SETTLED)
    run(repo.path)
    repo.write(".gitignore", "nothing\n")
    assert outcomes(run(repo.path)[1]) == {"holds": 2, "missing": 1}


def test_since_keeps_what_a_change_could_have_affected(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit(
        {
            "src/a.py": CODE,
            "src/b.py": CODE,
            "on_a.md": "Said. 【F:src/a.py†L3】 and 【F:src/b.py†L3】\n",
            "on_b.md": "Said. 【F:src/b.py†L4】\n",
            "gone.md": "Never. 【F:src/none.py†L4】\n",
        }
    )
    repo.commit({"src/a.py": "# first\n" + CODE})
    repo.write("new.md", "Fresh. 【F:src/b.py†L9】\n")
    reports, summary = run(repo.path, since="HEAD~1", every=True)
    told = {(report.document, verdict.citation.source.key) for report in reports for verdict in report.verdicts}
    assert told == {("on_a.md", "src/a.py"), ("new.md", "src/b.py")}
    assert outcomes(summary) == {"moved": 1, "holds": 1}
    assert run(repo.path, since="HEAD~1")[1].outcomes == summary.outcomes


def test_since_needs_a_revision_that_exists(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    repo = make_repository()
    repo.commit({"a.md": "text\n"})
    with pytest.raises(UsageError, match="unknown revision"):
        run(repo.path, since="nonsense")
    with pytest.raises(UsageError, match="git"):
        (tmp_path / "plain").mkdir()
        run(tmp_path / "plain", since="HEAD")


def test_the_baseline_silences_and_does_not_lie(tmp_path: Path) -> None:
    plain_tree(tmp_path, 2)
    with Root(str(tmp_path)) as root:
        first = Run(root, Request(cache=False, named=True))
        list(first.reports())
    (tmp_path / "d0.md").write_text(
        "A new line.\n\n" + (tmp_path / "d0.md").read_text() + "New. 【F:src/other.py†L1】\n"
    )
    reports, summary = run(tmp_path, cache=False, known=frozenset(first.fingerprints))
    assert (summary.known, summary.errors, summary.exit_code) == (2, 1, 1)
    assert outcomes(summary) == {"holds": 2, "missing": 3}
    assert [finding.message for report in reports for verdict in report.verdicts for finding in verdict.findings] == [
        "File not found: src/other.py"
    ]


def test_an_ignored_finding_still_counts_for_what_it_is(tmp_path: Path) -> None:
    plain_tree(tmp_path, 1)
    (tmp_path / "d0.md").write_text("Gone. 【F:src/no.py†L1】 <!-- pincite: ignore file-not-found later -->\n")
    _, summary = run(tmp_path, cache=False)
    assert (summary.ignored, summary.exit_code, outcomes(summary)) == (1, 0, {"missing": 1})
    _, summary = run(tmp_path, cache=False, config=Config(ignore=("file-not-found",)))
    assert (summary.exit_code, outcomes(summary)) == (0, {"missing": 1})


@pytest.mark.parametrize("every", [False, True])
def test_several_processes_give_the_same_answer(tmp_path: Path, every: bool) -> None:
    plain_tree(tmp_path, 300)
    one = run(tmp_path, cache=False, every=every)
    three = run(tmp_path, cache=False, every=every, jobs=3)
    assert [_stable(report) for report in three[0]] == [_stable(report) for report in one[0]]
    assert outcomes(three[1]) == outcomes(one[1])


def grown(repo: Any) -> None:
    """Documents written before and after their sources moved, changed and vanished; one that cannot be read."""
    sources = {f"src/s{number}.py": CODE.replace("value", f"value{number}") for number in range(4)}
    repo.commit(sources)
    for number in range(12):
        source = f"src/s{number % 4}.py"
        repo.commit({f"d{number:02}.md": f"Said. 【F:{source}†L{number + 3}】 And 【F:src/s0.py†L2-L4】\n"})
        if number % 3 == 0:
            old = (repo.path / source).read_text()
            repo.commit({source: f"# step {number}\n" + old.replace("compute(9)", f"compute({number})")})
    repo.git("mv", "src/s3.py", "src/renamed.py")
    repo.commit({"d05.md": b"Said. \xe3\x80\x90F:src/s0.py\xe2\x80\xa0L3\xe3\x80\x91 \xff\n"})
    (repo.path / "d07.md").unlink()
    (repo.path / "d07.md").symlink_to("/etc/hostname")


@pytest.mark.parametrize("waiting", [1, 2, 5])
def test_blocks_of_any_size_give_the_same_answer(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, waiting: int
) -> None:
    repo = make_repository()
    grown(repo)
    whole = run(repo.path, cache=False, every=True)
    assert len([report for report in whole[0] if report.error]) == 2
    assert {"moved", "mismatch", "holds"} <= outcomes(whole[1]).keys()
    monkeypatch.setattr("pincite.engine.document_batches._MOST_WAITING", waiting)
    parts = run(repo.path, cache=False, every=True)
    assert [_stable(report) for report in parts[0]] == [_stable(report) for report in whole[0]]
    assert [report.error for report in parts[0]] == [report.error for report in whole[0]]


def test_a_lot_of_text_does_not_wait(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    grown(repo)
    whole = run(repo.path, cache=False, every=True)
    with Root(str(repo.path), Limits(waiting_bytes=100)) as root:
        parts = list(Run(root, Request(cache=False, every=True)).reports())
    assert [_stable(report) for report in parts] == [_stable(report) for report in whole[0]]


def test_history_is_asked_once_about_many_documents(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repository()
    grown(repo)
    asked: list[int] = []
    real = Objects.stat

    def stat(objects: Objects, names: Any) -> Any:
        asked.append(len(names))
        return real(objects, names)

    monkeypatch.setattr(Objects, "stat", stat)
    run(repo.path, cache=False)
    assert max(asked) > 10
    assert len([count for count in asked if count > 1]) == 1


def test_a_document_in_a_block_depends_on_its_own_sources_only(
    make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repository()
    repo.commit({"a.py": CODE, "b.py": CODE, "on_a.md": "Said. 【F:a.py†L3】\n", "on_b.md": "Said. 【F:b.py†L3】\n"})
    time.sleep(SETTLED)
    run(repo.path)
    time.sleep(SETTLED)
    repo.write("b.py", "# first\n" + CODE)
    names: list[str] = []
    monkeypatch.setattr(Root, "read", _spy(Root.read, names))
    assert outcomes(run(repo.path)[1]) == {"holds": 1, "moved": 1}
    assert "on_b.md" in names and "on_a.md" not in names


def test_a_document_that_cannot_be_read_is_named_and_the_others_are_checked(tmp_path: Path) -> None:
    plain_tree(tmp_path, 1)
    (tmp_path / "bad.md").write_bytes("Said. 【F:src/app.py†L3】".encode() + b"\xff\n")
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    reports, summary = run(tmp_path, cache=False)
    errors = {report.document: report.error for report in reports if report.error}
    assert "byte 0xff at offset" in errors["bad.md"]
    assert "outside the root" in errors["out.md"]
    assert (summary.exit_code, summary.unreadable, outcomes(summary)) == (2, 2, {"holds": 1, "missing": 1})


def _spy(read: Callable[..., bytes], names: list[str]) -> Callable[..., bytes]:
    def reading(root: Root, key: str, limit: int | None = None) -> bytes:
        names.append(key)
        return read(root, key, limit)

    return reading


def _stable(report: Report) -> object:
    """A report without the moment its evidence was read."""
    return report.document, report.held, [(v.citation, v.findings, v.excerpt) for v in report.verdicts]


def test_captured_output_that_appears_or_vanishes_is_noticed(
    make_repository: Callable[..., Any], captured: Callable[..., str], tmp_path: Path
) -> None:
    repository = make_repository()
    digest = sha256(b"212 passed\n").hexdigest()
    repository.commit({"notes.md": f"All 212 tests pass. 【{digest[:6]}†L1】\n", "other.md": "Nothing.\n"})
    time.sleep(SETTLED)
    assert outcomes(run(repository.path)[1]) == {"unchecked": 1}
    assert outcomes(run(repository.path)[1]) == {"unchecked": 1}
    captured(repository.path, b"212 passed\n")
    time.sleep(SETTLED)
    for _ in range(3):
        assert outcomes(run(repository.path)[1]) == {"holds": 1}
    for path in (repository.path / ".pincite/output").iterdir():
        path.write_bytes(b"211 passed\n")
    assert outcomes(run(repository.path)[1]) == {"mismatch": 1}


def test_a_bundle_that_appears_is_noticed(make_repository: Callable[..., Any]) -> None:
    repository = make_repository()
    digest = sha256(b"212 passed\n").hexdigest()
    repository.commit({"notes.md": f"All 212 tests pass. 【{digest[:6]}†L1】\n"})
    time.sleep(SETTLED)
    assert outcomes(run(repository.path)[1]) == {"unchecked": 1}
    item = {"id": digest[:6], "digest": digest, "file": f"{digest[:12]}.txt", "bytes": 11, "lines": 1}
    repository.write("evidence/pincite-bundle.json", json.dumps({"version": 1, "chunks": [item]}))
    repository.write(f"evidence/{digest[:12]}.txt", "212 passed\n")
    time.sleep(SETTLED)
    assert outcomes(run(repository.path)[1]) == {"holds": 1}
    assert outcomes(run(repository.path)[1]) == {"holds": 1}


def test_a_second_run_over_captured_output_reads_nothing(
    make_repository: Callable[..., Any], captured: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository()
    digest = captured(repository.path, b"212 passed\n")
    repository.commit({"notes.md": f"All 212 tests pass. 【{digest[:6]}†L1】\n"})
    time.sleep(SETTLED)
    for _ in range(2):
        assert outcomes(run(repository.path)[1]) == {"holds": 1}
        time.sleep(SETTLED)
    monkeypatch.setattr("pincite.engine.run.find_documents", lambda *_: pytest.fail("looked again"))
    assert outcomes(run(repository.path)[1]) == {"holds": 1}
