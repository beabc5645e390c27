"""`pincite lock` as people and programs meet it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

Lock = Callable[..., tuple[int, str, str]]
FILE = "pincite.lock"


@pytest.fixture
def lock(in_folder: Callable[..., tuple[int, str, str]], tmp_path: Path) -> Lock:
    """Runs the command in a folder with one cited file: arguments -> exit code, output, errors."""
    (tmp_path / "app.py").write_text("one = 1\ntwo = 2\nthree = 3\n")
    (tmp_path / "a.md").write_text("See app.py:2.\n")
    return partial(in_folder, "lock")


def test_locking_and_refusing(tmp_path: Path, lock: Lock) -> None:
    code, out, err = lock()
    assert (code, err) == (0, "")
    id_ = json.loads((tmp_path / FILE).read_text().splitlines()[1])["id"]
    assert out == f"{id_}  locked      a.md:1 → app.py:2\n1 citation locked (1 new).\n"
    assert lock() == (0, "1 citation locked.\n", "")
    (tmp_path / "app.py").write_text("one = 1\ntwo = 3\nthree = 3\n")
    code, out, _ = lock()
    assert code == 1
    assert out.splitlines() == [
        f"{id_}  changed     a.md:1 → app.py:2",
        "  Changed since it was locked",
        "  -two = 2",
        "  +two = 3",
        "0 citations locked; 1 citation refused.",
        "  changed: read the evidence again, then `pincite lock --accept ID` or correct the document",
    ]
    code, out, _ = lock("--accept", id_[:6])
    assert (code, out) == (0, f"{id_}  accepted    a.md:1 → app.py:2\n1 citation locked (1 accepted).\n")


def test_check_writes_nothing(tmp_path: Path, lock: Lock) -> None:
    code, out, _ = lock("--check")
    assert (code, (tmp_path / FILE).exists()) == (1, False)
    assert out.endswith("The lock is out of date; run `pincite lock` and commit pincite.lock.\n")
    lock()
    before = (tmp_path / FILE).read_bytes()
    assert lock("--check")[0] == 0
    (tmp_path / "a.md").write_text("Nothing.\n")
    code, out, _ = lock("--check", "--quiet")
    assert (code, out) == (1, "The lock is out of date; run `pincite lock` and commit pincite.lock.\n")
    assert (tmp_path / FILE).read_bytes() == before


def test_json(tmp_path: Path, lock: Lock) -> None:
    (tmp_path / "a.md").write_text("See app.py:2 and app.py:99.\n")
    code, out, _ = lock("--format", "json")
    said = json.loads(out)
    assert code == 0
    assert (said["schema"], said["lock"], said["written"], said["current"]) == ("pincite.lock/1", FILE, True, False)
    assert [item["cites"] for item in said["added"]] == ["app.py:2"]
    assert [item["cites"] for item in said["skipped"]] == ["app.py:99"]
    assert set(said) - {"schema", "lock", "written", "current", "kept"} == {
        *("added", "accepted", "carried", "dropped", "changed", "moved", "broken", "skipped")
    }
    said = json.loads(lock("--format", "json")[1])
    assert (said["kept"], said["written"], said["current"]) == (1, False, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--accept", "ffffff"), "no citation that was looked at has this id"),
        (("--accept", "fff"), "too short"),
        (("none.md",), "no such file"),
        (("--root", ".", ".."), "outside the root"),
    ],
)
def test_what_cannot_be_obeyed(arguments: tuple[str, ...], words: str, lock: Lock, tmp_path: Path) -> None:
    code, _, err = lock(*arguments)
    assert (code, words in err, (tmp_path / FILE).exists()) == (2, True, False)


def test_a_lock_that_cannot_be_obeyed_is_left_alone(tmp_path: Path, lock: Lock) -> None:
    lock()
    broken = (tmp_path / FILE).read_text() + "<<<<<<< ours\n"
    (tmp_path / FILE).write_text(broken)
    code, out, err = lock()
    assert (code, out) == (2, "")
    assert "pincite.lock:3: a merge is not finished; remove its marks and keep the lines of both sides" in err
    assert (tmp_path / FILE).read_text() == broken


def test_a_lock_that_leads_out_is_not_written(tmp_path: Path, lock: Lock) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}.out"
    (tmp_path / FILE).symlink_to(outside)
    code, _, err = lock()
    assert (code, "outside" in err, outside.exists()) == (2, True, False)


def test_a_document_that_cannot_be_read(tmp_path: Path, lock: Lock) -> None:
    lock()
    (tmp_path / "a.md").write_bytes("See 【F:app.py†L2】.\xff".encode("latin-1", "replace") + b"\xff\xe3\x80\x90F:")
    code, out, err = lock()
    assert (code, "could not be read" in err, out) == (2, True, "1 citation locked.\n")


def test_nothing_invisible_reaches_the_terminal(tmp_path: Path, lock: Lock) -> None:
    (tmp_path / "app.py").write_text("one = 1\n\x1b[31mtwo\u202e = 2\n")
    lock()
    (tmp_path / "app.py").write_text("one = 1\n\x1b]0;title\x07two\n")
    code, out, _ = lock()
    assert code == 1
    assert "\x1b" not in out and "\u202e" not in out and "\\u{1b}" in out
    assert "\x1b" not in (tmp_path / FILE).read_text()


def test_colour_is_for_terminals(lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in lock("--check")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[32mnew" in lock("--check")[1]
    assert "\x1b[32mlocked" in lock()[1]


@pytest.mark.parametrize(("kind", "words"), [("folder", "a folder"), ("pipe", "not a regular file")])
def test_what_is_no_file_is_no_lock_and_is_named(
    tmp_path: Path, lock: Lock, in_folder: Lock, kind: str, words: str
) -> None:
    if kind == "folder":
        (tmp_path / FILE).mkdir()
    else:
        os.mkfifo(tmp_path / FILE)
    for code, out, err in (lock(), in_folder("check", "a.md"), in_folder("check")):
        assert (code, out) == (2, "")
        assert f"{FILE}: {words}" in err


def test_quiet_is_the_summary_alone(tmp_path: Path, lock: Lock) -> None:
    (tmp_path / "a.md").write_text("See app.py:2 and app.py:99.\n")
    summary = "1 citation locked (1 new), 1 citation not: see `pincite check`.\n"
    assert lock("--quiet") == (0, summary, "")
