"""`export`, `gc` and `doctor` as commands: what is shared can be checked elsewhere, what is damaged is named."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.cli import main

Captured = Callable[..., str]
Done = tuple[int, str, str]
PASSED = b"tests/test_app.py:12: checked\n3 passed\n"
NOISY = b"10%\r100%\n\x1b[32m3 passed\x1b[0m\r\n\xff\n"
TOP = Path(__file__).resolve().parents[3]


@pytest.fixture
def pincite(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Runs the command in a folder: (folder, *words) -> exit code, standard output, standard error."""

    def run(folder: Path, *words: str) -> Done:
        monkeypatch.chdir(folder)
        with pytest.raises(SystemExit) as ended:
            main.main(list(words))
        out, err = capsys.readouterr()
        code = ended.value.code
        return code if isinstance(code, int) else int(code is not None), out, err

    return run


def cite(folder: Path, *ids: str, end: str = "\n") -> str:
    text = "# Report\n\n" + "".join(f"It passes. 【{id_}†L1-L2】\n" for id_ in ids)
    (folder / "report.md").write_bytes(text.replace("\n", end).encode())
    return text.replace("\n", end)


@pytest.mark.parametrize("data", [PASSED, NOISY])
@pytest.mark.parametrize("name", ["evidence", "docs/deep/evidence"])
def test_a_bundle_is_found_on_another_machine(
    tmp_path: Path, captured: Captured, pincite: Callable[..., Done], data: bytes, name: str
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    cite(here, captured(here, data)[:6])
    captured(here, b"not cited\n")
    code, _, err = pincite(here, "export", "report.md", "-o", name)
    assert (code, err) == (0, f"Wrote 1 text to {name}.\n")
    shutil.copytree(here / name, there / name)
    shutil.copy(here / "report.md", there)
    code, out, _ = pincite(there, "check")
    assert (code, "it holds" in out) == (0, True)
    (text,) = (there / name).glob("*.txt")
    text.write_bytes(data.replace(b"3", b"4"))
    code, out, _ = pincite(there, "check")
    assert (code, "chunk-damaged" in out) == (1, True)


@pytest.mark.parametrize("data", [PASSED, NOISY])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_document_carries_its_own_evidence(
    tmp_path: Path, captured: Captured, pincite: Callable[..., Done], data: bytes, end: str
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    written = cite(here, captured(here, data)[:6], end=end).encode()
    code, out, _ = pincite(here, "export", "report.md", "--inline", "--dry-run")
    assert (code, "+<details>" in out) == (0, True)
    assert (here / "report.md").read_bytes() == written
    assert pincite(here, "export", "report.md", "--inline")[0] == 0
    once = (here / "report.md").read_bytes()
    assert once.startswith(written)
    code, _, err = pincite(here, "export", "report.md", "--inline")
    assert (code, "already" in err, (here / "report.md").read_bytes()) == (0, True, once)
    (there / "report.md").write_bytes(once)
    code, out, _ = pincite(there, "check")
    assert (code, "it holds" in out) == (0, True)
    (there / "report.md").write_bytes(once.replace(b"3 passed", b"4 passed"))
    code, out, _ = pincite(there, "check")
    assert (code, "chunk-damaged" in out) == (1, True)


def test_what_is_exported_keeps_its_bytes_in_git(
    repository: Any, make_repository: Any, captured: Captured, pincite: Callable[..., Done]
) -> None:
    cite(repository.path, captured(repository.path, NOISY)[:6])
    assert pincite(repository.path, "export", "-o", "evidence")[0] == 0
    repository.git("config", "core.autocrlf", "true")
    repository.commit()
    shutil.rmtree(repository.path / "evidence")
    repository.git("checkout", "-q", "--", "evidence")
    shutil.rmtree(repository.path / ".pincite")
    code, out, _ = pincite(repository.path, "check")
    assert (code, "it holds" in out) == (0, True)
    assert pincite(repository.path, "list")[1].count("\n") == 1


def test_markdown_for_a_pull_request(tmp_path: Path, captured: Captured, pincite: Callable[..., Done]) -> None:
    digest = captured(tmp_path, PASSED, ("sh", "-c", "<script>"), 3)
    code, out, _ = pincite(tmp_path, "export", digest[:8], "-o", "-")
    assert code == 0
    assert out.startswith("<details>\n<summary>Captured output <code>")
    assert "exit 3" in out and "<script>" not in out
    assert out.endswith("3 passed\n```\n\n</details>\n")


def test_nothing_is_written_where_an_id_means_nothing(
    tmp_path: Path, captured: Captured, pincite: Callable[..., Done]
) -> None:
    written = cite(tmp_path, captured(tmp_path, PASSED)[:6], "ffffff")
    for words in (("-o", "evidence"), ("--inline",), ("-o", "-")):
        code, out, err = pincite(tmp_path, "export", "report.md", *words)
        assert (code, out, err) == (1, "", "pincite: report.md: ffffff: no captured output has this id\n")
    assert not (tmp_path / "evidence").exists()
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == written


def test_nothing_cited_is_said(tmp_path: Path, pincite: Callable[..., Done]) -> None:
    (tmp_path / "a.md").write_text("nothing\n")
    assert pincite(tmp_path, "export", "-o", "x") == (1, "", "Nothing is cited that was captured.\n")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("report.md",), "say where to"),
        (("report.md", "-o", "x", "--inline"), "say where to"),
        (("report.md", "-o", "x", "--dry-run"), "goes with --inline"),
        (("--inline",), "one markdown document"),
        (("app.py", "--inline"), "one markdown document"),
        (("no.md", "-o", "x"), "no such file"),
        (("【F:app.py†L1】", "-o", "x"), "not a citation of captured output"),
        (("report.md", "-o", "full"), "holds other things"),
        (("report.md", "-o", "link/x"), "outside the root"),
        (("report.md", "-o", "app.py"), "holds other things"),
        (("report.md", "-o", "bad"), "not a manifest"),
    ],
)
def test_what_cannot_be_done_is_explained(
    tmp_path: Path, captured: Captured, pincite: Callable[..., Done], words: tuple[str, ...], problem: str
) -> None:
    folder = tmp_path / "here"
    (folder / "full").mkdir(parents=True)
    (folder / "bad").mkdir()
    cite(folder, captured(folder, PASSED)[:6])
    (folder / "app.py").write_text("x = 1\n")
    (folder / "pincite.toml").write_text("")
    (folder / "full/mine").write_text("mine")
    (folder / "bad/pincite-bundle.json").write_text('{"version": 1}')
    (folder / "link").symlink_to(tmp_path)
    code, out, err = pincite(folder, "export", *words)
    assert (code, out) == (2, "")
    assert problem in err
    assert not (tmp_path / "x").exists()


# Keeping it small


def test_gc_says_what_went_and_what_stayed(tmp_path: Path, captured: Captured, pincite: Callable[..., Done]) -> None:
    cite(tmp_path, captured(tmp_path, b"1\n2\n3\n", started=0.0, chunk_lines=2)[:6])
    captured(tmp_path, b"gone\n", ("make", "x\x1b[2J"), started=0.0)
    code, out, _ = pincite(tmp_path, "gc", "--dry-run")
    assert (code, "would go, older than 90 days" in out) == (0, True)
    code, out, _ = pincite(tmp_path, "gc", "--format", "json")
    found = json.loads(out)
    assert (code, found["schema"], found["cited"], found["runs"]) == (0, "pincite.gc/1", 1, 1)
    assert [(one["run"], one["whole"], len(one["chunks"])) for one in found["dropped"]] == [(1, False, 1), (2, True, 1)]
    assert found["dropped"][0]["kept"][0]["cited_in"] == "report.md"
    assert pincite(tmp_path, "check")[0] == 0
    code, out, _ = pincite(tmp_path, "gc")
    assert (code, out.startswith("1 run stays; 1 text cited. Freed 0 B")) == (0, True)


def test_gc_shows_nothing_invisible(tmp_path: Path, captured: Captured, pincite: Callable[..., Done]) -> None:
    captured(tmp_path, b"gone\n", ("make", "x\x1b[2J"))
    for words in (("--dry-run", "--days", "0"), ("--megabytes", "0", "--format", "json")):
        code, out, _ = pincite(tmp_path, "gc", *words)
        assert (code, "\x1b" in out, "make" in out) == (0, False, True)


def test_gc_without_a_store_makes_none(tmp_path: Path, pincite: Callable[..., Done]) -> None:
    assert pincite(tmp_path, "gc") == (0, "Nothing was captured here.\n", "")
    assert list(tmp_path.iterdir()) == []


def test_gc_drops_nothing_where_documents_cannot_be_searched(
    repository: Any, captured: Captured, pincite: Callable[..., Done]
) -> None:
    repository.commit({"a.md": "x"})
    captured(repository.path, b"old\n", started=0.0)
    before = {path: path.read_bytes() for path in (repository.path / ".pincite/output").iterdir()}
    (repository.path / ".git/index").write_bytes(b"DIRC broken")
    code, out, err = pincite(repository.path, "gc")
    assert (code, out) == (2, "")
    assert "index" in err
    assert {path: path.read_bytes() for path in (repository.path / ".pincite/output").iterdir()} == before
    assert json.loads(pincite(repository.path, "doctor", "--format", "json")[1])["runs"] == 1


# Finding what is damaged


@pytest.fixture
def store(tmp_path: Path, captured: Captured) -> Path:
    """A folder with a store that holds a few runs."""
    for number in range(12):
        captured(tmp_path, f"run {number}\n".encode() * 40, ("make", str(number)), number, chunk_lines=10)
    captured(tmp_path, b"from elsewhere\n", given="abc123")
    # One file with everything in it, so that cutting it cuts all there is.
    import sqlite3

    database = sqlite3.connect(tmp_path / ".pincite/store.db")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return tmp_path


def test_what_is_sound_is_said_to_be(store: Path, pincite: Callable[..., Done]) -> None:
    code, out, err = pincite(store, "doctor")
    assert (code, err) == (0, "")
    assert out.endswith("\n13 runs, 13 texts re-hashed: everything is sound.\n")


def test_without_a_store_there_is_nothing_to_examine(tmp_path: Path, pincite: Callable[..., Done]) -> None:
    code, out, err = pincite(tmp_path, "doctor")
    assert (code, err) == (0, "")
    assert out.endswith("\nNothing was captured here.\n")
    assert list(tmp_path.iterdir()) == []


def test_changed_bytes_are_named_with_run_chunk_and_file(store: Path, pincite: Callable[..., Done]) -> None:
    files = sorted((store / ".pincite/output").iterdir())
    changed, gone = [file for file in files if b"run" in file.read_bytes()][:2]
    changed.write_bytes(changed.read_bytes().replace(b"run", b"RUN"))
    gone.unlink()
    code, out, _ = pincite(store, "doctor", "--format", "json")
    found = json.loads(out)
    assert (code, found["sound"], found["texts"]) == (1, False, 13)
    first, second = found["troubles"]
    assert first["place"] == f".pincite/output/{changed.name}"
    assert "its bytes changed" in first["what"] and "chunk 1" in first["what"]
    assert len(first["digest"]) == 64 and len(first["runs"]) == 1
    assert second["place"] == f".pincite/output/{gone.name}" and "is gone" in second["what"]


def test_open_doors_are_named(store: Path, pincite: Callable[..., Done]) -> None:
    (store / ".pincite").chmod(0o755)
    (store / ".pincite/store.db").chmod(0o644)
    code, out, _ = pincite(store, "doctor")
    assert code == 1
    assert "damaged: .pincite: others can read it (mode 755); chmod 700 .pincite\n" in out
    assert "chmod 600 .pincite/store.db\n" in out


def test_what_nothing_refers_to_is_a_note(store: Path, pincite: Callable[..., Done]) -> None:
    stray = store / ".pincite/output" / ("0" * 16)
    stray.write_bytes(b"left over\n")
    stray.chmod(0o600)
    code, out, _ = pincite(store, "doctor")
    assert (code, f"note: .pincite/output/{stray.name}: nothing refers to it" in out) == (0, True)
    assert pincite(store, "gc")[0] == 0
    assert not stray.exists()


def test_a_killed_recorder_is_a_note(store: Path, pincite: Callable[..., Done]) -> None:
    script = (
        "import os\nfrom pincite.domains.capture.start import attempt\nfrom pincite.domains.capture.writer import *\n"
        "from pincite.safe.files import Root\n"
        "from pincite.project.config import CaptureSettings\n"
        "writer = CaptureWriter(Captures.open(Root('.'), write=True), attempt('run', ('x',), '.', '', None),"
        " CaptureSettings(), NoMasking())\nwriter.write(b'half'); writer.settle(); os._exit(9)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(TOP / "src")}
    assert subprocess.run([sys.executable, "-c", script], cwd=store, env=environment, check=False).returncode == 9
    code, out, _ = pincite(store, "doctor")
    assert (code, "note: run 14: its recorder was killed; `pincite gc` finishes it" in out) == (0, True)
    assert pincite(store, "gc")[0] == 0
    code, out, _ = pincite(store, "doctor")
    assert (code, "note: run 14: its recorder was killed; what was printed last may be missing" in out) == (0, True)


def test_bundles_are_examined_too(store: Path, pincite: Callable[..., Done]) -> None:
    cite(store, "abc123")
    assert pincite(store, "export", "-o", "evidence")[0] == 0
    code, out, _ = pincite(store, "doctor")
    assert (code, "1 text in bundles re-hashed.\n" in out) == (0, True)
    (text,) = (store / "evidence").glob("*.txt")
    text.write_bytes(b"changed\n")
    (store / "other").mkdir()
    (store / "other/pincite-bundle.json").write_bytes(b"\xff")
    code, out, _ = pincite(store, "doctor")
    assert code == 1
    assert f"damaged: evidence/{text.name}: text " in out
    assert "damaged: other/pincite-bundle.json: not a manifest" in out
    assert out.count("export again") == 1


def test_a_manifest_whose_id_is_not_of_its_digest_is_damaged(store: Path, pincite: Callable[..., Done]) -> None:
    cite(store, "abc123")
    assert pincite(store, "export", "-o", "evidence")[0] == 0
    manifest = store / "evidence/pincite-bundle.json"
    data = json.loads(manifest.read_bytes())
    data["chunks"][0] |= {"id": "0" * 12, "external": False}
    manifest.write_text(json.dumps(data))
    code, out, _ = pincite(store, "doctor")
    assert (code, "damaged: evidence/pincite-bundle.json: lists a chunk with an impossible id" in out) == (1, True)


def test_a_folder_with_a_broken_manifest_can_be_written_anew_once_removed(
    make_repository: Callable[..., Any], captured: Captured, pincite: Callable[..., Done]
) -> None:
    repo = make_repository()
    cite(repo.path, captured(repo.path, PASSED)[:6])
    assert pincite(repo.path, "export", "-o", "evidence")[0] == 0
    repo.commit({"evidence/pincite-bundle.json": "<<<<<<< HEAD\n"})
    code, _, err = pincite(repo.path, "export", "-o", "evidence")
    assert (code, "remove its folder and export again" in err) == (2, True)
    shutil.rmtree(repo.path / "evidence")
    assert pincite(repo.path, "export", "-o", "evidence")[0] == 0
    assert pincite(repo.path, "check")[0] == 0


def survives(folder: Path, pincite: Callable[..., Done]) -> int:
    """Ask for everything that looks at the store; the exit code of `doctor`."""
    for words in (("gc", "--dry-run"), ("export", "abc123", "-o", "-"), ("check",)):
        assert pincite(folder, *words)[0] in (0, 1, 2)
    code, out, err = pincite(folder, "doctor")
    assert code in (0, 1, 2)
    assert out and not err
    return code


def test_a_database_cut_anywhere_is_survived(store: Path, pincite: Callable[..., Done]) -> None:
    database = store / ".pincite/store.db"
    whole = database.read_bytes()
    for length in range(0, len(whole), 512):
        for suffix in ("-wal", "-shm"):
            (store / f".pincite/store.db{suffix}").unlink(missing_ok=True)
        database.write_bytes(whole[:length])
        code, out, err = pincite(store, "doctor")
        assert (code in (1, 2), bool(out), err) == (True, True, ""), length
    assert survives(store, pincite) in (1, 2)


def test_flipped_bytes_are_survived(store: Path, pincite: Callable[..., Done]) -> None:
    database = store / ".pincite/store.db"
    whole = database.read_bytes()
    chance = random.Random(1)
    used = [at for at, byte in enumerate(whole) if byte]
    for round_ in range(60):
        for suffix in ("-wal", "-shm"):
            (store / f".pincite/store.db{suffix}").unlink(missing_ok=True)
        changed = bytearray(whole)
        for at in chance.sample(used, chance.choice((1, 4, 40))):
            changed[at] = chance.randrange(256)
        database.write_bytes(changed)
        if round_ % 10:
            code, out, err = pincite(store, "doctor")
            assert (code in (0, 1, 2), bool(out), err) == (True, True, ""), round_
        else:
            survives(store, pincite)


@pytest.mark.parametrize("name", ["store.db", "store.db-wal", "output"])
@pytest.mark.parametrize("kind", ["folder", "link", "dangling link", "pipe", "file"])
def test_what_is_not_a_file_is_survived(store: Path, pincite: Callable[..., Done], name: str, kind: str) -> None:
    place = store / ".pincite" / name
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    elsewhere = store / "elsewhere"
    elsewhere.write_bytes(b"mine\n")
    if kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "file":
        place.write_bytes(b"mine\n")
    else:
        place.symlink_to(elsewhere if kind == "link" else "nowhere")
    code = survives(store, pincite)
    assert elsewhere.read_bytes() == b"mine\n"
    if name == "store.db" or (name == "store.db-wal" and kind != "file"):
        assert code == 2
    elif name == "output":
        assert code == 1


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_an_output_file_that_is_none_is_survived(store: Path, pincite: Callable[..., Done], kind: str) -> None:
    place = min((store / ".pincite/output").iterdir())
    place.unlink()
    if kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to("/etc/passwd")
    assert survives(store, pincite) == 1
