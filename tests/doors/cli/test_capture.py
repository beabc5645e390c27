"""`pincite capture`: what was printed elsewhere, as evidence."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from .test_run import cited, kept, pincite


def test_a_pipe_is_passed_on_and_kept(tmp_path: Path) -> None:
    done = pincite(tmp_path, "capture", "-", "--command", "make test", input=b"ok\n212 passed\n")
    assert (done.returncode, done.stdout) == (0, b"ok\n212 passed\n")
    run, text = kept(tmp_path)
    assert (run.origin, run.command, run.code, text) == ("pipe", ("make", "test"), None, b"ok\n212 passed\n")
    assert cited(done) == [f"【{sha256(text).hexdigest()[:6]}†L1-L2】"]


def test_a_log_is_kept_byte_for_byte(tmp_path: Path) -> None:
    (tmp_path / "build.log").write_bytes(b"one\r\ntwo\xff\n")
    done = pincite(tmp_path, "capture", "build.log")
    run, text = kept(tmp_path)
    assert (done.returncode, done.stdout, run.origin, run.command) == (0, b"", "file", ("build.log",))
    assert text == b"one\r\ntwo\xff\n"


def test_an_id_another_tool_gave_is_kept_and_said_to_prove_nothing(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"3 passed\n")
    assert pincite(tmp_path, "capture", "log", "--id", "d05d1b").returncode == 0
    (tmp_path / "notes.md").write_text("All 3 tests pass. 【d05d1b†L1】\n", encoding="utf-8")
    done = pincite(tmp_path, "check", "--no-cache", "--format", "json")
    (citation,) = json.loads(done.stdout)["citations"]
    assert (done.returncode, citation["outcome"]) == (0, "holds")
    assert [finding["check"] for finding in citation["findings"]] == ["external-id"]


def test_an_id_that_is_the_start_of_the_digest_is_no_foreign_one(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"3 passed\n")
    digest = sha256(b"3 passed\n").hexdigest()
    assert pincite(tmp_path, "capture", "log", "--id", digest[:6].upper()).returncode == 0
    (tmp_path / "notes.md").write_text(f"All 3 tests pass. 【{digest[:6]}†L1】\n", encoding="utf-8")
    done = pincite(tmp_path, "check", "--no-cache", "--format", "json")
    assert "external-id" not in done.stdout.decode()
    assert done.returncode == 0


@pytest.mark.parametrize("given", ["", "abc", "12345", "zzzzzz", "a" * 65, "../../x"])
def test_an_id_that_cannot_be_cited_is_refused(tmp_path: Path, given: str) -> None:
    (tmp_path / "log").write_bytes(b"x\n")
    done = pincite(tmp_path, "capture", "log", "--id", given)
    assert (done.returncode, b"6 to 64 hex digits" in done.stderr) == (2, True)
    assert not (tmp_path / ".pincite/store.db").exists()


def test_a_transcript_brings_its_own_ids(tmp_path: Path) -> None:
    rows = [
        {"chunk_id": "c4cad4", "output": "collected 3 items\n", "command": "pytest", "exit_code": 0},
        {"chunk_id": "d05d1b", "output": "3 passed\n", "command": "pytest"},
    ]
    (tmp_path / "session.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    done = pincite(tmp_path, "capture", "session.jsonl", "--transcript")
    assert (done.returncode, cited(done)) == (0, ["【c4cad4†L1】", "【d05d1b†L1】"])
    (tmp_path / "notes.md").write_text("3 tests pass. 【c4cad4†L1】【d05d1b†L1】\n", encoding="utf-8")
    assert pincite(tmp_path, "check", "--no-cache").returncode == 0


def test_a_file_without_chunks_is_no_transcript(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"x\n")
    done = pincite(tmp_path, "capture", "log", "--transcript")
    assert (done.returncode, b"leave out --transcript" in done.stderr) == (2, True)


@pytest.mark.parametrize("name", ["absent", "."])
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    done = pincite(tmp_path, "capture", name)
    assert (done.returncode, name.encode() in done.stderr) == (2, True)
    assert b"Traceback" not in done.stderr


def test_secrets_in_a_log_are_hidden(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    (tmp_path / "log").write_text(f"using {token}\n")
    for extra in ((), ("--id", "d05d1b")):
        done = pincite(tmp_path, "capture", "log", *extra)
        assert b"1 secret masked" in done.stderr
    for path in (tmp_path / ".pincite").rglob("*"):
        assert path.is_dir() or token.encode() not in path.read_bytes(), path


def test_a_pattern_beside_an_id_is_refused_before_anything_is_kept(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"x\n")
    done = pincite(tmp_path, "capture", "log", "--id", "d05d1b", "--cite", "x")
    assert (done.returncode, b"pincite grep" in done.stderr) == (2, True)
    assert not (tmp_path / ".pincite").exists()
