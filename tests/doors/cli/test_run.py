"""`pincite run`: the command as if we were not there, and its output as evidence."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from pincite.safe.files import Root
from pincite.store.captures import CapturedRun, Captures

from ...conftest import Repository


def pincite(folder: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "pincite", *arguments],
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
        **options,  # type: ignore[call-overload]
    )


def kept(folder: Path) -> tuple[CapturedRun, bytes]:
    """The newest run, and all it printed."""
    with Root(str(folder)) as root:
        captures = Captures.open(root)
        assert captures is not None
        with captures:
            run = captures.runs(1)[0]
            return run, b"".join(captures.text(chunk.digest) for chunk in captures.chunks(run.id))


def cited(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    return re.findall("【[^】]*】", done.stderr.decode())


def test_output_and_exit_code_are_the_commands_own(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--", "sh", "-c", "echo out; exit 3")
    assert (done.returncode, done.stdout) == (3, b"out\n")
    run, text = kept(tmp_path)
    assert (run.command, run.folder, run.code, run.state, text) == (
        ("sh", "-c", "echo out; exit 3"),
        ".",
        3,
        "ended",
        b"out\n",
    )
    assert run.duration is not None


def test_the_last_lines_are_cited_first(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--", "seq", "1", "212")
    digest = sha256(done.stdout).hexdigest()[:6]
    assert cited(done) == [f"【{digest}†L208-L212】", f"【{digest}†L1-L212】"]


def test_a_citation_it_prints_holds(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--", "sh", "-c", "echo 212 passed")
    (tmp_path / "notes.md").write_text(f"All 212 tests pass. {cited(done)[0]}\n", encoding="utf-8")
    check = pincite(tmp_path, "check", "--no-cache")
    assert (check.returncode, b"1 citation" in check.stdout) == (0, True), check.stdout


def test_both_streams_come_out_apart_and_are_kept_together(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "-q", "--", "sh", "-c", "echo out; echo err >&2")
    assert (done.stdout, done.stderr) == (b"out\n", b"err\n")
    assert sorted(kept(tmp_path)[1].splitlines()) == [b"err", b"out"]


def test_one_stream_keeps_the_order_it_was_written_in(tmp_path: Path) -> None:
    script = "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done"
    subprocess.run(
        [sys.executable, "-m", "pincite", "run", "-q", "--", "sh", "-c", script],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=True,
    )
    assert kept(tmp_path)[1].split() == [word.encode() for i in range(1, 10) for word in (f"o{i}", f"e{i}")]


def test_options_of_the_command_are_not_ours(tmp_path: Path) -> None:
    assert pincite(tmp_path, "run", "-q", "echo", "--help", "-q").stdout == b"--help -q\n"


def test_standard_input_is_the_commands(tmp_path: Path) -> None:
    assert pincite(tmp_path, "run", "-q", "--", "cat", input=b"from a pipe").stdout == b"from a pipe"


def test_a_command_that_does_not_exist_is_noted_as_an_attempt(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--", "no-such-command", "x")
    assert (done.returncode, done.stderr) == (127, b"pincite: no-such-command: command not found\n")
    run, text = kept(tmp_path)
    assert (run.command, run.code, text) == (("no-such-command", "x"), 127, b"")


def test_a_command_killed_by_a_signal_ends_us_by_it(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--", "sh", "-c", "echo before; kill -TERM $$")
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, b"before\n")
    run, text = kept(tmp_path)
    assert (run.signal, text) == (signal.SIGTERM, b"before\n")


def test_matching_lines_are_cited(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--cite", "passed|failed", "--", "printf", "a\\n3 passed\\n1 failed\\nb\\n")
    assert cited(done) == [f"【{sha256(done.stdout).hexdigest()[:6]}†L2-L3】"]


def test_a_pattern_nothing_matches_says_so(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--cite", "absent", "--", "echo", "x")
    assert (done.returncode, b"no line matches" in done.stderr) == (0, True)


def test_a_bad_pattern_is_refused_before_anything_runs(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--cite", "(", "--", "touch", "ran")
    assert (done.returncode, (tmp_path / "ran").exists()) == (2, False)
    assert b"not a regular expression" in done.stderr


def test_without_a_command_the_usage_is_shown(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run")
    assert (done.returncode, b"COMMAND" in done.stderr) == (2, True)


def test_silence_has_nothing_to_cite(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--", "true")
    assert (done.returncode, cited(done), b"printed nothing" in done.stderr) == (0, [], True)


def test_a_screen_left_empty_has_nothing_to_cite(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--", "printf", "\\033[?1049hfull screen\\033[?1049l")
    assert (cited(done), done.stderr.endswith(b"1 chunk; it left nothing on the screen to cite\n")) == ([], True)


def test_a_secret_in_the_name_of_the_folder_is_hidden_too(tmp_path: Path) -> None:
    folder = tmp_path / ("clone-ghp_" + "a1B2" * 9)
    folder.mkdir()
    pincite(folder, "run", "--root", str(tmp_path), "--", "echo", "x")
    assert kept(tmp_path)[0].folder == "clone-[masked:github-token]"


def test_secrets_are_hidden_before_they_are_stored(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    done = pincite(tmp_path, "run", "--", "echo", "token", token)
    assert token.encode() in done.stdout
    assert b"1 secret masked" in done.stderr
    run, text = kept(tmp_path)
    assert token.encode() not in text
    assert token not in " ".join(run.command)
    for path in (tmp_path / ".pincite").rglob("*"):
        assert path.is_dir() or token.encode() not in path.read_bytes(), path


def test_values_of_secret_variables_are_hidden(tmp_path: Path) -> None:
    pincite(
        tmp_path,
        "run",
        "-q",
        "--",
        "sh",
        "-c",
        "echo it is $DEPLOY_PASSWORD",
        env={**os.environ, "DEPLOY_PASSWORD": "correct-horse-9"},
    )
    assert kept(tmp_path)[1] == b"it is [masked:env:DEPLOY_PASSWORD]\n"


def test_secrets_are_stored_only_where_that_is_asked_for(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    pincite(tmp_path, "run", "-q", "--no-mask", "--", "echo", token)
    assert kept(tmp_path)[1] == token.encode() + b"\n"


def test_the_revision_and_its_cleanness_are_kept(repository: Repository) -> None:
    commit = repository.commit({"a.py": "x = 1\n"})
    pincite(repository.path, "run", "-q", "--", "echo", "1")
    run, _ = kept(repository.path)
    assert (run.revision, run.dirty) == (commit, False)
    repository.write("a.py", "x = 2\n")
    pincite(repository.path, "run", "-q", "--", "echo", "2")
    assert kept(repository.path)[0].dirty is True


def test_broken_settings_do_not_keep_the_command_from_running(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text("strict = \n")
    done = pincite(tmp_path, "run", "--", "sh", "-c", "echo ran; exit 4")
    assert (done.returncode, done.stdout) == (4, b"ran\n")
    assert b"not valid TOML" in done.stderr


def test_the_size_of_a_chunk_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text("[capture]\nchunk-kilobytes = 1\n")
    done = pincite(tmp_path, "run", "--", "seq", "1", "2000")
    assert kept(tmp_path)[1] == done.stdout
    assert b"and 6 more: pincite log 1" in done.stderr


def test_each_stored_chunk_is_reported_where_that_is_asked_for(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    done = pincite(tmp_path, "run", "-q", "--report-fd", str(writing), "--", "echo", "x", pass_fds=(writing,))
    os.close(writing)
    assert done.returncode == 0
    assert os.read(reading, 1000) == f"{sha256(b'x' + bytes([10])).hexdigest()}\n".encode()
    os.close(reading)


def test_a_descriptor_nobody_opened_is_refused_before_anything_runs(tmp_path: Path) -> None:
    done = pincite(tmp_path, "run", "--report-fd", "77", "--", "touch", "ran")
    assert (done.returncode, (tmp_path / "ran").exists()) == (2, False)
    assert b"not an open descriptor" in done.stderr


@pytest.mark.parametrize("raw", [b"\xff\xfe binary \x00 bytes\n", "naïve 【】†\n".encode(), b"a\rb\r\nc", b"\n\n\n"])
def test_bytes_are_kept_as_they_are(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "raw").write_bytes(raw)
    assert pincite(tmp_path, "run", "-q", "--", "cat", "raw").stdout == raw
    assert kept(tmp_path)[1] == raw


def test_a_project_does_not_turn_masking_off(tmp_path: Path) -> None:
    token = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
    (tmp_path / "pincite.toml").write_text("[capture]\nmask = false\n")
    done = pincite(tmp_path, "run", "--", "echo", token)
    assert b"capture.mask = false is not taken from a project" in done.stderr
    assert token.encode() not in kept(tmp_path)[1]
