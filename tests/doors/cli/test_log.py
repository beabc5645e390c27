"""`pincite log`: the runs, and one run with a citation of each chunk."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pincite.safe.files import Root
from pincite.store.captures import Captures

Log = Callable[..., tuple[int, str, str]]


@pytest.fixture
def log(in_folder: Callable[..., tuple[int, str, str]]) -> Log:
    """Runs the command in the test's folder: arguments -> exit code, output, errors."""
    return partial(in_folder, "log")


def test_an_empty_store_says_how_to_begin(tmp_path: Path, log: Log) -> None:
    code, out, _ = log()
    assert (code, "pincite run -- COMMAND" in out) == (0, True)
    assert log("--format", "json")[1] == ""
    assert not (tmp_path / ".pincite").exists()


def test_runs_newest_first(tmp_path: Path, captured: Callable[..., str], log: Log) -> None:
    first = captured(tmp_path, b"a\nb\n", ("pytest", "a b"), 1, started=1.7e9, chunk_lines=1)
    captured(tmp_path, b"", ("true",), 0, started=1.7e9 + 1)
    code, out, _ = log()
    assert (code, out.splitlines()) == (
        0,
        [
            "2  2023-11-14 22:13:21  exit 0  1.5 s  0 chunks  0 B          true",
            f"1  2023-11-14 22:13:20  exit 1  1.5 s  2 chunks  4 B  {first[:6]}  pytest 'a b'",
        ],
    )
    assert log("-n", "1")[1].splitlines()[1:] == ["older ones: pincite log -n 2"]
    assert len(log("-n", "0")[1].splitlines()) == 2


def test_how_runs_end(tmp_path: Path, captured: Callable[..., str], log: Log) -> None:
    for _ in range(3):
        captured(tmp_path, b"x\n")
    with Root(str(tmp_path)) as root:
        captures = Captures.open(root, write=True)
        assert captures is not None
        with captures:
            captures.end(1, 75.0, 143, 15)
            captures.end(2, 0.01, None, state="lost")
            captures.end(3, None, None, state="running")
    rows = log()[1].splitlines()
    assert [("running" in rows[0]), ("lost " in rows[1]), ("SIGTERM  1 min 15 s" in rows[2])] == [True] * 3


def test_one_run_with_its_citations(tmp_path: Path, captured: Callable[..., str], log: Log) -> None:
    captured(tmp_path, b"a\nb\nc\n", ("make",), 0, started=1.7e9, chunk_lines=2, revision="ab" * 20, dirty=False)
    code, out, _ = log("1")
    with Root(str(tmp_path)) as root:
        captures = Captures.open(root)
        assert captures is not None
        with captures:
            ids = [captures.short(chunk.digest) for chunk in captures.chunks(1)]
    assert (code, out.splitlines()) == (
        0,
        [
            "run 1, 2 chunks, 6 B",
            "  command   make",
            "  when      2023-11-14T22:13:20+00:00, 1.5 s, exit 0",
            "  folder    .",
            "  revision  abababababab",
            "",
            f"【{ids[0]}†L1-L2】  4 B",
            f"【{ids[1]}†L1】  2 B",
        ],
    )


def test_a_chunk_with_secrets_another_id_and_terminal_noise(
    tmp_path: Path, captured: Callable[..., str], log: Log
) -> None:
    digest = captured(tmp_path, b"10%\r20%\nx\n\x1b[A\x1b[2K", given="d05d1b", masked=2)
    assert log("1")[1].splitlines()[-1] == f"【{digest[:6]}†L1】  17 B, 2 masked, also known as d05d1b"
    captured(tmp_path, b"\x1b[2K", masked=1)
    assert "【" not in log("2")[1]


def test_an_unknown_run(tmp_path: Path, captured: Callable[..., str], log: Log) -> None:
    assert (log("7")[0], "there is no run 7" in log("7")[2]) == (1, True)
    captured(tmp_path, b"x\n")
    assert (log("7")[0], "there is no run 7" in log("7")[2]) == (1, True)
    assert log("0")[0] == 2


def test_damage_is_named(tmp_path: Path, captured: Callable[..., str], log: Log) -> None:
    captured(tmp_path, b"a\nb\n", chunk_lines=1)
    (file,) = (tmp_path / ".pincite/output").iterdir()
    file.write_bytes(b"x\nb\n")
    code, out, _ = log("1")
    assert (code, out.count("【"), "gone or changed" in out) == (1, 1, True)
    assert log("1", "--format", "json")[0] == 1


def test_a_store_that_is_none(tmp_path: Path, log: Log) -> None:
    (tmp_path / ".pincite").mkdir()
    (tmp_path / ".pincite/store.db").write_bytes(b"not a database" * 100)
    code, out, err = log()
    assert (code, out, err.startswith("pincite: .pincite/store.db: ")) == (2, "", True)


def test_json(tmp_path: Path, captured: Callable[..., str], log: Log) -> None:
    digest = captured(tmp_path, b"a\nb\n", ("make", "\x1b"), 1, started=1.7e9)
    captured(tmp_path, b"")
    rows = [json.loads(row) for row in log("--format", "json")[1].splitlines()]
    assert [row["run"] for row in rows] == [2, 1]
    assert (rows[0]["first_id"], rows[0]["chunks"]) == (None, 0)
    assert rows[1] == {
        "run": 1,
        "origin": "run",
        "command": ["make", "\x1b"],
        "folder": ".",
        "exit_code": 1,
        "signal": None,
        "started": "2023-11-14T22:13:20.000Z",
        "seconds": 1.5,
        "revision": None,
        "dirty": None,
        "state": "ended",
        "chunks": 1,
        "bytes": 4,
        "masked": 0,
        "first_id": digest[:6],
    }
    whole = json.loads(log("1", "--format", "json")[1])
    assert whole["contents"] == [
        {
            "chunk": 1,
            "id": digest[:6],
            "digest": digest,
            "given": None,
            "lines": 2,
            "bytes": 4,
            "masked": 0,
            "citation": f"【{digest[:6]}†L1-L2】",
            "trouble": None,
        }
    ]


def test_hostile_commands_stay_on_their_line(tmp_path: Path, captured: Callable[..., str], log: Log) -> None:
    captured(tmp_path, b"x\n", ("a\nb", "\x1b[2J", "\u202e"))
    out = log()[1]
    assert (out.count("\n"), "\x1b" in out, "\u202e" in out) == (1, False, False)


def test_it_looks_as_it_did(
    tmp_path: Path, captured: Callable[..., str], terminal: Callable[..., str], snapshot: Callable[[str, str], None]
) -> None:
    captured(tmp_path, b"ok\n" * 3, ("pytest", "-q"), 0, started=1.7e9)
    captured(
        tmp_path,
        b"boom\n",
        ("cargo", "test", "--workspace", "--all-features", "--", "--nocapture"),
        101,
        started=1.7e9 + 60,
    )
    seen = terminal([sys.executable, "-m", "pincite", "log"], tmp_path, TZ="UTC", COLUMNS="80")
    assert all(len(row) <= 80 + len("\x1b[31m\x1b[0m") for row in seen.splitlines())
    snapshot("log-coloured", seen)
